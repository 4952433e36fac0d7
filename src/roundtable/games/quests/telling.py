"""What Avalon and THavalon tell alike: cards, votes, quests, and who was who."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from roundtable.core.actions import Move
from roundtable.core.events import Event, GameEnded
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.values import Value
from roundtable.games.quests import events as happened
from roundtable.games.quests.roles import SIDE_OF, Card
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.state import Poll, QuestState, Result
from roundtable.text.fields import seats_named
from roundtable.text.picture import Mark, Picture, SeatPicture, Tile
from roundtable.text.teller import Teller, indented


class QuestTeller(Teller):
    untold: ClassVar[frozenset[type[Event]]] = Teller.untold | {happened.BallotCast}
    retold: ClassVar[tuple[type[Event], ...]] = ()
    """Private events that are told to all players when the game is over, besides roles, cards and lost votes."""

    def opens_paragraph(self, event: Event) -> bool:
        return super().opens_paragraph(event) or (isinstance(event, happened.LeaderNamed) and event.attempt == 1)

    def is_aside(self, event: Event) -> bool:
        return super().is_aside(event) or isinstance(event, happened.VotesCounted | happened.QuestResolved)

    def sentence(self, event: Event) -> str | None:
        said = super().sentence(event)
        if isinstance(event, happened.RoleDealt) and said:
            return "\n".join([said, *map(indented, self.told_with(event, "event"))])
        return said

    def blanks(self, value: Value) -> dict[str, str]:
        blanks = super().blanks(value)
        match value:
            case happened.RoleDealt(role=role):
                blanks["side"] = self.word(SIDE_OF[role])
            case happened.VotesCounted(ballots=ballots):
                against = [seat for seat, approves in enumerate(ballots) if not approves]
                blanks |= {"yes": str(sum(ballots)), "no": str(len(against)), "against": self.seats(against)}
            case happened.QuestResolved():
                blanks["cards"] = self.cards(value)
        return blanks

    def cards(self, pile: happened.QuestResolved | Result) -> str:
        """`2 × Success, 1 × Reverse`: how many of each kind, as all players may know (A18, T18)."""
        kinds = ((Card.SUCCESS, pile.successes), (Card.FAIL, pile.fails), (Card.REVERSE, pile.reverses))
        return self.text("list.separator").join(
            self.text("list.times", count=count, item=self.word(kind)) for kind, count in kinds if count
        )

    # What a seat knows

    def secret(self, event: Event) -> str | None:
        said = super().secret(event)
        if isinstance(event, happened.RoleDealt) and said:
            return "\n".join([said, *self.told_with(event, "secret")])
        return said

    def told_with(self, card: happened.RoleDealt, section: str) -> Iterator[str]:
        """What a player is shown and told with their card (A6 to A9, T6 to T12)."""
        yield from (self.keyed(f"{section}.glimpse", glimpse) or "" for glimpse in card.sees)
        if card.roles_in_game:
            roles = self.text("list.separator").join(map(self.word, card.roles_in_game))
            yield self.text(f"{section}.roles_in_game", roles=roles)
        notices = (self.text(f"notice.{notice}") for notice in card.notices)
        yield from notices if section == "secret" else (self.text("event.told", notice=notice) for notice in notices)
        if card.is_assassin and section == "secret":
            yield self.text("hint.dagger")

    def warning(self, view: QuestState, move: Move) -> str | None:
        """A21: the Assassin may aim at an ally and cannot hit."""
        allies = seats_named(move) & frozenset(view.evil or ())
        if view.phase.name != "assassination" or not allies:
            return None
        return self.text("phase.assassination.warning", count=len(allies), seats=self.seats(allies))

    def progress(self, view: QuestState) -> str | None:
        """Who has voted is public; how they did is not yet (A12)."""
        return self.text("phase.vote.progress", seats=self.seats(view.voted)) if view.phase.name == "vote" else None

    # What is public

    def casting(self, setup: Setup) -> Iterator[str]:
        assert isinstance(setup, QuestSetup)
        yield from super().casting(setup)
        yield from self.duties(setup)
        plans = setup.rounds()
        sizes = self.text("list.separator").join(str(plan.size) for plan in plans)
        hard = (self.text("board.two_fails", quest=plan.quest) for plan in plans if plan.fails > 1)
        yield " ".join([self.text("board.teams", sizes=sizes), *hard])

    def duties(self, setup: QuestSetup) -> Iterator[str]:
        """What is in the deal besides the cards."""
        return iter(())

    # The picture

    def changes_picture(self, event: Event) -> bool:
        return super().changes_picture(event) or isinstance(event, happened.VotesCounted)

    def picture(self, view: QuestState, you: Seat) -> Picture:
        """The quest track, the leader, the team and its votes."""
        seats = tuple(
            SeatPicture(tuple(self.marks(view, seat)), self.role_at_end(view, seat)) for seat in range(len(self.names))
        )
        return Picture(tuple(self.captions(view)), seats, tuple(self.track(view)), you)

    def captions(self, view: QuestState) -> Iterator[str]:
        if view.outcome is not None:
            yield self.outcome(view.outcome)
        elif quest := self.quest_ahead(view):
            size = view.setup.rounds()[quest - 1].size
            allowed = view.setup.proposals_allowed(quest)
            yield f"{self.text('label.quest', quest=quest)}: {self.text('label.quest_size', size=size)}"
            yield self.text("label.proposal", attempt=view.attempt, allowed=allowed)

    def quest_ahead(self, view: QuestState) -> int | None:
        """The quest that is played for now; None where all are over, or where the leader will choose one."""
        if view.proposal is not None:
            return view.proposal.quest
        played = {result.quest for result in view.results}
        left = [plan.quest for plan in view.setup.rounds() if plan.quest not in played]
        return left[0] if left and view.phase.name in ("propose", "vote") else None

    def track(self, view: QuestState) -> Iterator[Tile]:
        """Each quest: how it went, or how many go on it."""
        succeeded = {result.quest: result.succeeded for result in view.results}
        ahead = None if view.outcome is not None else self.quest_ahead(view)
        for plan in view.setup.rounds():
            if plan.quest in succeeded:
                yield Tile("✔", "+", "green") if succeeded[plan.quest] else Tile("✘", "-", "red")
            else:
                size = f"[{plan.size}]" if plan.quest == ahead else f"{plan.size}"
                yield Tile(size, size, "cyan" if plan.quest == ahead else "")

    def marks(self, view: QuestState, seat: Seat) -> Iterator[Mark]:
        counted = self.counted_poll(view)
        proposal = view.proposal or (counted.proposal if counted else None)
        is_over = view.outcome is not None
        if not is_over and seat == (proposal.leader if proposal else view.leader):
            yield Mark("♛", "L", self.text("mark.leader"), "yellow")
        if proposal and seat in proposal.team and not is_over:
            yield Mark("⚑", "T", self.text("mark.on_team"), "cyan")
        if counted and not is_over:
            if counted.ballots[seat]:
                yield Mark("✔", "+", self.text("mark.approved"), "green")
            else:
                yield Mark("✘", "-", self.text("mark.rejected"), "red")
        elif view.phase.name == "vote" and seat in view.voted and not is_over:
            yield Mark("•", "v", self.text("mark.voted"))
        if view.evil is not None and seat == view.assassin:
            yield Mark("†", "D", self.text("mark.dagger"), "red")

    def counted_poll(self, view: QuestState) -> Poll | None:
        """The votes on the team on the table, or on the one that was just rejected, before the next is proposed."""
        if not view.polls or view.phase.name == "propose":
            return None
        last = view.polls[-1]
        return last if view.proposal is None or last.proposal is view.proposal else None

    def role_at_end(self, view: QuestState, seat: Seat) -> str:
        return self.word(view.roles[seat]) if view.outcome is not None and seat in view.roles else ""

    def history(self, view: QuestState, heard: Iterable[Event]) -> str:
        """Every vote by name, and every quest."""
        return "\n".join([*self.vote_table(view), *map(self.result, view.results)])

    def vote_table(self, view: QuestState) -> Iterator[str]:
        quest = self.text("history.quest")
        width = max(map(len, (quest, *self.names)))
        for seat, name in enumerate(self.names):
            votes = "".join(" + " if poll.ballots[seat] else " - " for poll in view.polls)
            yield f"{name:>{width}} {votes}"
        yield f"{quest:>{width}} " + "".join(f" {poll.proposal.quest} " for poll in view.polls)

    def result(self, result: Result) -> str:
        context = "succeeded" if result.succeeded else ""
        values = {"quest": result.quest, "team": self.seats(result.team), "cards": self.cards(result)}
        return self.text("history.result", context=context, **values)

    # The end

    def look_back(self, facts: Iterable[Event]) -> Iterator[str]:
        """Roles and cards. Votes were public when they were counted, so only those that never were are told (T16)."""
        quest = 0
        votes: dict[Seat, str] = {}
        cards: dict[Seat, str] = {}
        for fact in facts:
            match fact:
                case happened.RoleDealt():
                    yield indented(self.keyed("event.role_dealt", fact) or "")
                case happened.BallotMarked(seat=seat, approve=approve):
                    votes[seat] = self.text("history.approve" if approve else "history.reject")
                case happened.VotesCounted():
                    votes.clear()
                case happened.CardChosen(seat=seat, card=card):
                    cards[seat] = self.word(card)
                case happened.TeamProposed() | happened.QuestResolved() | GameEnded():
                    yield from self.choices("history.votes_lost", votes)
                    yield from self.choices("history.cards", cards, quest=quest)
                    votes.clear()
                    cards.clear()
                    quest = fact.quest if isinstance(fact, happened.TeamProposed) else quest
                case _ if isinstance(fact, self.retold):
                    yield indented(self.sentence(fact) or "")
