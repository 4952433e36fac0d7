"""What both quest games number alike: proposals, votes and cards, and the parts of a seat's row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import TeamProposed
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import Card, Role, Sight
from roundtable.games.quests.state import Poll, Proposal, QuestState, Result
from roundtable.games.quests.tables import QUESTS, TEAM_SIZES
from roundtable.kernels.actions import NO_PHASE
from roundtable.kernels.layout import BySeat, Layout, Part, Sheet, maybe, sign

CARDS = tuple(Card)

S = TypeVar("S", bound=QuestState)


# Moves


def proposals(seats: int, named: bool, with_excalibur: bool) -> Iterator[Move]:
    """Every team of every size, for each quest where quests are chosen, with each bearer where there is Excalibur."""
    sizes = TEAM_SIZES[seats]
    aims: Iterable[tuple[int | None, int]] = (
        enumerate(sizes, 1) if named else ((None, size) for size in sorted(set(sizes)))
    )
    for quest, size in aims:
        for team in teams(tuple(range(seats)), size):
            bearers: Iterable[Seat | None] = sorted(team) if with_excalibur else (None,)
            for bearer in bearers:
                yield ProposeTeam(phase=NO_PHASE, team=team, quest=quest, excalibur=bearer)


def votes_and_cards(cards: Iterable[Card]) -> Iterator[Move]:
    yield from (CastVote(phase=NO_PHASE, approve=approve) for approve in (True, False))
    yield from (PlayCard(phase=NO_PHASE, card=card) for card in cards)


# Parts of a row


def sights_among(rows: Iterable[Sight], roles: Iterable[Role]) -> tuple[str, ...]:
    """As what a player can be shown to another, where these roles can be dealt."""
    dealt = set(roles)
    return tuple(dict.fromkeys(str(row.seen_as) for row in rows if row.viewers & dealt and row.seen & dealt))


def seen_as(sight: str) -> str:
    """The part for those who are shown as this: `seen_as_merlin_or_morgana`."""
    return f"seen_as_{sight.lower().replace(' ', '_')}"


def role_parts(seats: BySeat, roles: tuple[Role, ...], sights: tuple[str, ...]) -> Iterator[Part]:
    yield Part("seat", (seats,), "this seat")
    yield Part("role", (len(roles),), f"its role: {', '.join(roles)}")
    yield Part("has_dagger", (1,), "whether it is the Assassin")
    for sight in sights:
        yield Part(seen_as(sight), (seats,), f"seats shown to it as {sight}")


def choice_parts() -> Iterator[Part]:
    yield Part("own_vote", (1,), "how it votes now: 1 approve, -1 reject")
    yield Part("own_card", (len(CARDS),), f"the card it has played: {', '.join(CARDS)}")


def table_parts(seats: BySeat, phases: tuple[str, ...], attempts: int) -> Iterator[Part]:
    yield Part("phase", (len(phases),), f"the phase: {', '.join(phases)}")
    yield Part("leader", (seats,), "who leads")
    yield Part("attempt", (attempts,), "the number of the proposal, from the first")
    yield Part("quest", (QUESTS,), "the quest of the team on the table")
    yield Part("team", (seats,), "the team on the table")
    yield Part("voted", (seats,), "who has voted on it; how is not known yet")
    yield Part("evil", (seats,), "who is Evil, once sides are revealed")
    yield Part("dagger", (seats,), "who is the Assassin, once sides are revealed")


def history_parts(seats: BySeat, polls: int) -> Iterator[Part]:
    yield Part("results", (QUESTS,), "by quest: 1 succeeded, -1 failed")
    yield Part("quest_teams", (QUESTS, seats), "by quest: who went")
    yield Part("quest_cards", (QUESTS, len(CARDS)), f"by quest: how many of {', '.join(CARDS)}")
    yield Part("poll_quests", (polls, QUESTS), "by vote, oldest first: for which quest")
    yield Part("poll_leaders", (polls, seats), "by vote: who had proposed")
    yield Part("poll_teams", (polls, seats), "by vote: the team")
    yield Part("poll_votes", (polls, seats), "by vote: 1 approved, -1 rejected")


# Notes


class QuestNotes(ABC, Generic[S]):
    """One seat's row, kept up to date from its view and from what it hears."""

    def __init__(self, layout: Layout, seat: Seat, phases: tuple[str, ...], roles: tuple[Role, ...]) -> None:
        self.sheet = Sheet(layout)
        self._phases = {name: place for place, name in enumerate(phases)}
        self._roles = {role: place for place, role in enumerate(roles)}
        self._seat = seat
        self._has_looked = False
        self._quest = 0
        self._polls = 0
        self._results: tuple[Result, ...] = ()

    def write(self, view: S, heard: Iterable[Event]) -> None:
        if not self._has_looked:
            self._has_looked = True
            self._own_role(view)
        self._table(view)
        self._history(view)
        self._own_rules(view)
        for event in heard:
            self._hear(event)

    @abstractmethod
    def _own_rules(self, view: S) -> None:
        """What only this game's view holds."""

    def _hear(self, event: Event) -> None:
        """What happened in public and the view does not keep."""
        if isinstance(event, TeamProposed):
            self._quest = event.quest

    def _own_role(self, view: S) -> None:
        sheet, card = self.sheet, view.dealt[self._seat]
        sheet.flag("seat", (self._seat,))
        sheet.flag("role", (self._roles[card.role],))
        sheet.note("has_dagger", card.is_assassin)
        for glimpse in card.sees:
            if glimpse.seats:
                sheet.flag(seen_as(glimpse.seen_as), glimpse.seats)

    def _table(self, view: S) -> None:
        sheet, seat = self.sheet, self._seat
        sheet.flag("phase", (self._phases[view.phase.name],))
        sheet.flag("leader", (view.leader,))
        sheet.flag("attempt", (view.attempt - 1,))
        self._proposal(view.proposal)
        sheet.flag("voted", view.voted)
        sheet.note("own_vote", sign(view.ballots.get(seat)))
        sheet.flag("own_card", (CARDS.index(view.cards[seat]),) if seat in view.cards else ())
        if view.evil is not None:
            sheet.flag("evil", view.evil)
            sheet.flag("dagger", maybe(view.assassin))

    def _proposal(self, proposal: Proposal | None) -> None:
        sheet = self.sheet
        sheet.flag("quest", () if proposal is None else (proposal.quest - 1,))
        sheet.flag("team", () if proposal is None else proposal.team)
        if "excalibur" in sheet:
            sheet.flag("excalibur", maybe(None if proposal is None else proposal.excalibur))

    def _history(self, view: S) -> None:
        for number in range(self._polls, len(view.polls)):
            self._poll(number, view.polls[number])
        self._polls = len(view.polls)
        if view.results is not self._results:
            for result in view.results:
                if result not in self._results:  # new, or declared failed
                    self._result(result)
            self._results = view.results

    def _poll(self, number: int, poll: Poll) -> None:
        sheet, (leader, quest, team, _) = self.sheet, poll.proposal
        sheet["poll_quests"][number, quest - 1] = 1
        sheet["poll_leaders"][number, leader] = 1
        names, votes = sheet["poll_teams"], sheet["poll_votes"]
        for seat in team:
            names[number, seat] = 1
        for seat, approves in enumerate(poll.ballots):
            votes[number, seat] = 1 if approves else -1

    def _result(self, result: Result) -> None:
        sheet, place = self.sheet, result.quest - 1
        sheet["results"][place] = sign(result.succeeded)
        sheet["quest_teams"][place, list(result.team)] = 1
        sheet["quest_cards"][place] = (result.successes, result.fails, result.reverses)
