"""How a quest game stands: the truth, or what one listener knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from roundtable.core.events import SecretsRevealed
from roundtable.core.seats import NOBODY, Seat, only
from roundtable.core.state import ABSORB_COMMON, Absorbers, TableState, no_change
from roundtable.games.quests import events as happened
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.setup import QuestSetup


class QuestDeal(NamedTuple):
    """Who is who, who leads first, and who holds the dagger."""

    roles: tuple[Role, ...]
    leader: Seat
    assassin: Seat | None


class Proposal(NamedTuple):
    """A team as its leader named it."""

    leader: Seat
    quest: int
    team: frozenset[Seat]
    excalibur: Seat | None


class Poll(NamedTuple):
    """A proposal and how everyone voted on it."""

    proposal: Proposal
    ballots: tuple[bool, ...]
    approved: bool


class Result(NamedTuple):
    """A quest as it was played."""

    quest: int
    team: frozenset[Seat]
    successes: int
    fails: int
    reverses: int
    succeeded: bool


@dataclass(kw_only=True, eq=False, repr=False)
class QuestState(TableState):
    """`roles`, `dealt`, `ballots` and `cards` hold what this fold was told: all of it, or one seat's own."""

    setup: QuestSetup
    roles: dict[Seat, Role] = field(default_factory=dict)
    dealt: dict[Seat, RoleDealt] = field(default_factory=dict)
    leader: Seat = 0
    attempt: int = 1
    proposal: Proposal | None = None
    voted: frozenset[Seat] = frozenset()
    ballots: dict[Seat, bool] = field(default_factory=dict)
    cards: dict[Seat, Card] = field(default_factory=dict)
    polls: tuple[Poll, ...] = ()
    results: tuple[Result, ...] = ()
    evil: tuple[Seat, ...] | None = None
    assassin: Seat | None = None

    @property
    def successes(self) -> int:
        return sum(result.succeeded for result in self.results)

    @property
    def failures(self) -> int:
        return sum(not result.succeeded for result in self.results)


def _role_dealt(state: QuestState, event: happened.RoleDealt) -> None:
    state.dealt = {**state.dealt, event.seat: event}
    state.roles = {**state.roles, event.seat: event.role}
    if event.is_assassin:
        state.assassin = event.seat


def _leader_named(state: QuestState, event: happened.LeaderNamed) -> None:
    state.leader = event.seat
    state.attempt = event.attempt


def _team_proposed(state: QuestState, event: happened.TeamProposed) -> None:
    state.proposal = Proposal(event.leader, event.quest, event.team, event.excalibur)
    state.voted = NOBODY
    state.ballots = {}


def _ballot_cast(state: QuestState, event: happened.BallotCast) -> None:
    state.voted |= only(event.seat)


def _ballot_marked(state: QuestState, event: happened.BallotMarked) -> None:
    state.ballots = {**state.ballots, event.seat: event.approve}


def _votes_counted(state: QuestState, event: happened.VotesCounted) -> None:
    assert state.proposal is not None
    state.polls += (Poll(state.proposal, event.ballots, event.approved),)
    if not event.approved:
        state.proposal = None  # A14: the team disbands


def _card_chosen(state: QuestState, event: happened.CardChosen) -> None:
    state.cards = {**state.cards, event.seat: event.card}


def _quest_resolved(state: QuestState, event: happened.QuestResolved) -> None:
    state.results += (Result(event.quest, event.team, event.successes, event.fails, event.reverses, event.succeeded),)
    state.proposal = None
    state.cards = {}


def _sides_revealed(state: QuestState, event: happened.SidesRevealed) -> None:
    state.evil = event.evil
    state.assassin = event.assassin


def _secrets_revealed(state: QuestState, event: SecretsRevealed) -> None:
    for _, secret in event.secret_facts:
        if isinstance(secret, RoleDealt):
            _role_dealt(state, secret)


ABSORB_QUESTS: Absorbers = {
    **ABSORB_COMMON,
    happened.RoleDealt: _role_dealt,
    happened.LeaderNamed: _leader_named,
    happened.TeamProposed: _team_proposed,
    happened.ProposalMissed: no_change,
    happened.BallotCast: _ballot_cast,
    happened.BallotMarked: _ballot_marked,
    happened.VotesCounted: _votes_counted,
    happened.CardChosen: _card_chosen,
    happened.QuestResolved: _quest_resolved,
    happened.SidesRevealed: _sides_revealed,
    SecretsRevealed: _secrets_revealed,
}
