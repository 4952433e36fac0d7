"""What a seat of a quest game writes down: its card, the table as it stands, every vote and every quest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.avalon import deal as avalon_deal
from roundtable.games.avalon import events as avalon
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests import events as quests
from roundtable.games.quests.roles import Card, Role, Side
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.state import Poll, Proposal, QuestState, Result
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon import deal as thavalon_deal
from roundtable.games.thavalon import events as thavalon
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, ThavalonSetup
from roundtable.games.thavalon.state import ThavalonState
from roundtable.lab.environments.layout import Layout, Part, Sheet, maybe, sign

PHASES = {
    "avalon": ("propose", "vote", "quest", "excalibur", "lady", "assassination"),
    "thavalon": ("propose", "stand", "vote", "quest", "reckoning", "assassination"),
}
NOTICES = (thavalon_deal.COLGREVANCE_IS_HIDDEN, thavalon_deal.TITANIA_IS_AMONG_THEM)
CARDS = tuple(Card)
ATTEMPTS = 5  # A15


@lru_cache(maxsize=64)
def roles_of(setup: QuestSetup) -> tuple[Role, ...]:
    """The roles that can be dealt, each once."""
    if isinstance(setup, ThavalonSetup):
        return setup.good_pool + setup.evil_pool
    assert isinstance(setup, AvalonSetup)
    return tuple(dict.fromkeys(setup.all_roles))


def sights_of(setup: QuestSetup) -> tuple[str, ...]:
    """As what a player can be shown to another."""
    dealt = set(roles_of(setup))
    rows = thavalon_deal.SIGHTS if isinstance(setup, ThavalonSetup) else avalon_deal.SIGHTS
    return tuple(dict.fromkeys(str(row.seen_as) for row in rows if row.viewers & dealt and row.seen & dealt))


def seen_as(sight: str) -> str:
    """The part for those who are shown as this: `seen_as_merlin_or_morgana`."""
    return f"seen_as_{sight.lower().replace(' ', '_')}"


def most_attempts(setup: QuestSetup) -> int:
    """How many proposals a quest can take (A15, T14)."""
    return max(FIRST_ROUND_PROPOSALS, setup.later_proposals) if isinstance(setup, ThavalonSetup) else ATTEMPTS


def most_polls(setup: QuestSetup) -> int:
    """How many votes a game can have: in THavalon the last proposal of a round is not voted on (T14, T15)."""
    if isinstance(setup, ThavalonSetup):
        return FIRST_ROUND_PROPOSALS - 1 + (QUESTS - 1) * (setup.later_proposals - 1)
    return QUESTS * ATTEMPTS


def quest_layout(setup: QuestSetup) -> Layout:
    return Layout([*own_parts(setup), *table_parts(setup), *history_parts(setup), *house_parts(setup)])


def own_parts(setup: QuestSetup) -> Iterator[Part]:
    seats, roles = setup.seats, roles_of(setup)
    yield Part("seat", (seats,), "this seat")
    yield Part("role", (len(roles),), f"its role: {', '.join(roles)}")
    yield Part("has_dagger", (1,), "whether it is the Assassin")
    for sight in sights_of(setup):
        yield Part(seen_as(sight), (seats,), f"seats shown to it as {sight}")
    if isinstance(setup, ThavalonSetup):
        yield Part("told_roles", (len(roles),), "roles that it was told are in the game, in the order of `role`")
        yield Part("notices", (len(NOTICES),), f"what it was told besides: {', '.join(NOTICES)}")
    yield Part("own_vote", (1,), "how it votes now: 1 approve, -1 reject")
    yield Part("own_card", (len(CARDS),), f"the card it has laid: {', '.join(CARDS)}")


def table_parts(setup: QuestSetup) -> Iterator[Part]:
    seats = setup.seats
    yield Part("phase", (len(PHASES[setup.game]),), f"the phase: {', '.join(PHASES[setup.game])}")
    yield Part("leader", (seats,), "who leads")
    yield Part("attempt", (most_attempts(setup),), "the number of the proposal, from the first")
    yield Part("quest", (QUESTS,), "the quest of the team on the table")
    yield Part("team", (seats,), "the team on the table")
    yield Part("voted", (seats,), "who has voted on it; how is not known yet")
    yield Part("evil", (seats,), "who is Evil, once sides are revealed")
    yield Part("dagger", (seats,), "who is the Assassin, once sides are revealed")


def history_parts(setup: QuestSetup) -> Iterator[Part]:
    seats, polls = setup.seats, most_polls(setup)
    yield Part("results", (QUESTS,), "by quest: 1 succeeded, -1 failed")
    yield Part("quest_teams", (QUESTS, seats), "by quest: who went")
    yield Part("quest_cards", (QUESTS, len(CARDS)), f"by quest: how many of {', '.join(CARDS)}")
    yield Part("poll_quests", (polls, QUESTS), "by vote, oldest first: for which quest")
    yield Part("poll_leaders", (polls, seats), "by vote: who had proposed")
    yield Part("poll_teams", (polls, seats), "by vote: the team")
    yield Part("poll_votes", (polls, seats), "by vote: 1 approved, -1 rejected")


def house_parts(setup: QuestSetup) -> Iterator[Part]:
    """What only some tables have."""
    seats = setup.seats
    if isinstance(setup, AvalonSetup) and setup.lady:
        yield Part("lady", (seats,), "who holds the Lady of the Lake")
        yield Part("lady_has_been_with", (seats,), "who holds or has held her")
        yield Part("examined", (seats, seats), "by holder: whom they examined")
        yield Part("loyalties", (seats,), "what she has shown this seat: 1 Good, -1 Evil")
    if isinstance(setup, AvalonSetup) and setup.excalibur != "off":
        yield Part("excalibur", (seats,), "who carries Excalibur")
        yield Part("turned", (QUESTS, seats), "by quest: whose card was turned")
        yield Part("turned_was", (QUESTS, seats), "the same, where this seat saw the card: 1 Success, -1 Fail")
    if isinstance(setup, ThavalonSetup):
        yield Part("first_team", (seats,), "the first team of a pair (T14)")
        yield Part("arthur", (seats,), "who has declared as Arthur")
        yield Part("agravaine", (seats,), "who has declared as Agravaine")
        yield Part("window", (QUESTS,), "the quest that could still be declared failed")
        yield Part("went_on", (1,), "whether this seat has gone on")


# What everybody saw and the table keeps no trace of.
NOTED = (quests.TeamProposed, avalon.LoyaltyExamined, avalon.ExcaliburUsed, thavalon.AgravaineDeclared)


class QuestNotes:
    """One seat's row, kept up to date from its view and from what it hears."""

    def __init__(self, setup: QuestSetup, layout: Layout, seat: Seat) -> None:
        self.sheet = Sheet(layout)
        self._phases = {name: place for place, name in enumerate(PHASES[setup.game])}
        self._roles = {role: place for place, role in enumerate(roles_of(setup))}
        self._seat = seat
        self._has_looked = False
        self._quest = 0
        self._polls = 0
        self._results: tuple[Result, ...] = ()

    def write(self, view: QuestState, heard: Iterable[Event]) -> None:
        if not self._has_looked:
            self._own_card(view)
        self._table(view)
        self._history(view)
        if isinstance(view, AvalonState):
            self._avalon(view)
        elif isinstance(view, ThavalonState):
            self._thavalon(view)
        for event in heard:
            if isinstance(event, NOTED):
                self._hear(event)

    def _own_card(self, view: QuestState) -> None:
        self._has_looked = True
        sheet, card = self.sheet, view.dealt[self._seat]
        sheet.flag("seat", (self._seat,))
        sheet.flag("role", (self._roles[card.role],))
        sheet.note("has_dagger", card.is_assassin)
        for glimpse in card.sees:
            if glimpse.seats:
                sheet.flag(seen_as(glimpse.seen_as), glimpse.seats)
        if "told_roles" in sheet:
            sheet.flag("told_roles", [self._roles[role] for role in card.roles_in_game])
            sheet.flag("notices", [NOTICES.index(notice) for notice in card.notices])

    def _table(self, view: QuestState) -> None:
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

    def _history(self, view: QuestState) -> None:
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

    def _avalon(self, view: AvalonState) -> None:
        sheet = self.sheet
        if "lady" in sheet:
            sheet.flag("lady", maybe(view.lady))
            sheet.flag("lady_has_been_with", view.lady_has_been_with)
            for _, target, side in view.loyalties:
                sheet["loyalties"][target] = sign(side is Side.GOOD)
        for quest, target, card in view.excalibur_shown:
            sheet["turned_was"][quest - 1, target] = sign(card is Card.SUCCESS)

    def _thavalon(self, view: ThavalonState) -> None:
        sheet = self.sheet
        sheet.flag("first_team", () if view.first_of_pair is None else view.first_of_pair.team)
        sheet.flag("arthur", maybe(view.arthur))
        sheet.flag("window", () if view.window is None else (view.window - 1,))
        sheet.note("went_on", self._seat in view.went_on)

    def _hear(self, event: Event) -> None:
        match event:
            case quests.TeamProposed():
                self._quest = event.quest
            case avalon.LoyaltyExamined():
                self.sheet["examined"][event.holder, event.target] = 1
            case avalon.ExcaliburUsed():
                self.sheet["turned"][self._quest - 1, event.target] = 1
            case thavalon.AgravaineDeclared():
                self.sheet["agravaine"][event.seat] = 1
