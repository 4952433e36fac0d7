"""How a THavalon game stands."""

from __future__ import annotations

from dataclasses import dataclass

from roundtable.core.seats import NOBODY, Seat, only
from roundtable.core.state import Absorbers, no_change
from roundtable.games.quests import events as quest_happened
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import ABSORB_QUESTS, Poll, Proposal, QuestState
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon import events as happened
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, ThavalonSetup


@dataclass(kw_only=True, eq=False, repr=False)
class ThavalonState(QuestState):
    setup: ThavalonSetup
    arthur: Seat | None = None  # the seat that has declared as Arthur
    window: int | None = None  # the quest that Agravaine could still turn
    first_of_pair: Proposal | None = None  # T14, `paired`
    went_on: frozenset[Seat] = NOBODY
    round_began: int = 1  # the number of this round's first phase

    @property
    def quest(self) -> int:
        """The quest that is being played or proposed for."""
        return len(self.results) + 1

    @property
    def proposals_allowed(self) -> int:
        """T14."""
        return self.setup.proposals_allowed(self.quest)

    @property
    def goes_without_vote(self) -> bool:
        """T15: whether this is a last proposal; where rejections are counted, there is none (T26)."""
        return not self.setup.has_vote_track and not self.is_paired and self.attempt == self.proposals_allowed

    @property
    def is_paired(self) -> bool:
        return self.quest == 1 and self.setup.first_round == "paired"

    @property
    def arthur_may_declare(self) -> bool:
        """T16: exactly two quests have failed and at most one has succeeded."""
        return self.setup.declarations and self.arthur is None and self.failures == 2 and self.successes <= 1

    def eligible(self) -> tuple[Seat, ...]:
        """Who may be put on a team: a declared Arthur waits for the fifth quest (T16)."""
        barred = self.arthur if self.quest < QUESTS else None
        return tuple(seat for seat in range(self.setup.seats) if seat != barred)

    def was_on(self, quest: int, seat: Seat) -> bool:
        return any(result.quest == quest and seat in result.team for result in self.results)

    def is_role(self, seat: Seat, role: Role) -> bool:
        return self.roles.get(seat) is role


def _team_proposed(state: ThavalonState, event: quest_happened.TeamProposed) -> None:
    if state.is_paired and state.attempt == FIRST_ROUND_PROPOSALS:
        state.first_of_pair = state.proposal
    ABSORB_QUESTS[quest_happened.TeamProposed](state, event)


def _votes_counted(state: ThavalonState, event: quest_happened.VotesCounted) -> None:
    if state.first_of_pair is None:
        ABSORB_QUESTS[quest_happened.VotesCounted](state, event)
    else:  # of a pair one team goes in any case
        state.polls += (Poll(state.first_of_pair, event.ballots, event.approved),)


def _team_sent(state: ThavalonState, event: happened.TeamSent) -> None:
    state.proposal = Proposal(event.leader, event.quest, event.team, None)
    state.first_of_pair = None


def _team_withdrawn(state: ThavalonState, event: happened.TeamWithdrawn) -> None:
    state.proposal = None
    state.voted = NOBODY
    state.ballots = {}
    state.went_on = NOBODY


def _window_opened(state: ThavalonState, event: happened.WindowOpened) -> None:
    state.window = event.quest
    state.went_on = NOBODY


def _window_closed(state: ThavalonState, event: happened.WindowClosed) -> None:
    state.window = None
    state.went_on = NOBODY


def _quest_resolved(state: ThavalonState, event: quest_happened.QuestResolved) -> None:
    ABSORB_QUESTS[quest_happened.QuestResolved](state, event)
    state.round_began = state.phase.number + 1


def _agravaine_declared(state: ThavalonState, event: happened.AgravaineDeclared) -> None:
    state.results = tuple(
        result._replace(succeeded=False) if result.quest == event.quest else result for result in state.results
    )


def _arthur_declared(state: ThavalonState, event: happened.ArthurDeclared) -> None:
    state.arthur = event.seat


def _went_on(state: ThavalonState, event: happened.WentOn) -> None:
    state.went_on |= only(event.seat)


ABSORB_THAVALON: Absorbers = {
    **ABSORB_QUESTS,
    quest_happened.TeamProposed: _team_proposed,
    quest_happened.VotesCounted: _votes_counted,
    quest_happened.QuestResolved: _quest_resolved,
    happened.WindowOpened: _window_opened,
    happened.WindowClosed: _window_closed,
    happened.AgravaineDeclared: _agravaine_declared,
    happened.ArthurDeclared: _arthur_declared,
    happened.TeamWithdrawn: _team_withdrawn,
    happened.TeamSent: _team_sent,
    happened.WentOn: _went_on,
    happened.TargetCalled: no_change,
}
