"""What a sage has to know of a quest game: how others play, which moves are worth a thought, and who hides how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roundtable.belief.contract import Belief, Floats, Model, Situation, Viewpoints
from roundtable.belief.mixture import Kinds, MixtureModel
from roundtable.belief.strategy import MOST_TEAMS, Choice, Disguise
from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.games.quests.belief import QuestBelief
from roundtable.games.quests.bots.speaking import QuestFace
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.options import TeamChoice
from roundtable.games.quests.roles import EVIL_ROLES, Role, Side
from roundtable.games.quests.sage.endgame import can_be_solved, is_last_team, solve_last_team, team_chances
from roundtable.games.quests.sage.face import face_of
from roundtable.games.quests.sage.foresight import foresee
from roundtable.games.quests.sage.logic import LogicPlayers
from roundtable.games.quests.sage.parameters import PARAMETERS
from roundtable.games.quests.sage.tendencies import (
    PLAIN_ROLES,
    RANDOM,
    Customs,
    Ints,
    servants_points,
    tendencies_of,
)
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.state import QuestState

SHOTS = 2000  # deals that are drawn where a move ends the game
COUNTED = ("sage", "careful", "people")
UNREADING = ("careful", "logic")  # kinds of players from whom no one needs to hide
SHOT = "assassination"
HITS = ("merlin_assassinated", "target_assassinated")
MISSES = ("merlin_survived", "target_survived")
PARTISAN = 1.5  # log-odds by which Evil rather approves a team with Evil on it
EVIL_NUMBERS = [number for number, role in enumerate(Role) if role in EVIL_ROLES]  # as positions have them
ALIKE = 9  # digits in which two teams have to differ; the others are left to rounding errors
LEAST_CHANCE = 0.005  # of a team in a solution; less is what the search has left over
PLAINEST = (Role.SERVANT, Role.TITANIA, Role.ARTHUR, Role.LANCELOT)  # who know no one, the first before the next


class AllKinds(NamedTuple):
    """Kinds of players of which some are counted and others follow rules."""

    parts: tuple[Kinds, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.names)

    def chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        return np.concatenate([part.chances(situation, move, viewpoints) for part in self.parts])


@dataclass(frozen=True)
class QuestStrategy:
    customs: Customs
    pool: Callable[[Any], Iterable[Role]]
    """The Good roles that can be dealt at a table."""
    most_seats_overheard: int
    """Up to which an onlooker's belief is quick enough to talk by."""

    # Other players

    def model(self, setup: QuestSetup) -> Model:
        tables = tendencies_of(setup.game, (*COUNTED, RANDOM), self.customs)
        kinds = AllKinds((tables, LogicPlayers(self.customs)))
        return MixtureModel(kinds, PARAMETERS.kinds, (ProposeTeam, CastVote))

    # Moves worth a thought

    def candidates(self, view: QuestState, options: Options, belief: Belief) -> list[Choice]:
        (seat,) = view.roles
        if view.phase.name == "vote" and (seat in view.voted or self._must_approve(view, seat)):
            return []
        serious = [option for option in options if not option.kind.gives_up]
        moves: list[Choice] = []
        for option in serious:
            if isinstance(option, TeamChoice) and len(option) > MOST_TEAMS:
                moves += self._teams(view, seat, option, belief)
            else:
                moves += option
        return moves if self._must_act(view, seat) else [*moves, None]

    def _must_approve(self, view: QuestState, seat: Seat) -> bool:
        """A15, T26: to reject the last team would lose the game for Good."""
        is_last = view.attempt == self.customs.last_attempt(view)
        return is_last and view.roles[seat] not in EVIL_ROLES and not getattr(view, "first_of_pair", None)

    def _must_act(self, view: QuestState, seat: Seat) -> bool:
        """Whether the table waits for the seat, and not only for a declaration that it may make."""
        return seat in view.phase.awaited

    def _teams(self, view: QuestState, seat: Seat, choice: TeamChoice, belief: Belief) -> list[Move]:
        """For Good those with the least Evil; for Evil those that a servant would like, first with enough Evil."""
        named: list[Any] = list(choice)
        evil = belief.side_chances(Side.EVIL)
        fair = np.array(servants_points(self.customs, view, seat), dtype=float)
        if view.roles[seat] in EVIL_ROLES:
            costs = [self._cost_to_evil(view, seat, move, evil, fair) for move in named]
        else:
            costs = [self._cost(move, evil) + 1e-4 * float(fair[sorted(move.team)].sum()) for move in named]
        order = np.argsort(np.round(costs, ALIKE), kind="stable")
        return [named[place] for place in order[:MOST_TEAMS]]

    def _cost(self, move: Any, evil: Floats) -> float:
        """How much Evil goes; Excalibur in Evil's hands counts half of it."""
        bearer = 0.5 * evil[move.excalibur] if getattr(move, "excalibur", None) is not None else 0.0
        return float(evil[sorted(move.team)].sum() + bearer)

    def _cost_to_evil(self, view: QuestState, seat: Seat, move: Any, evil: Floats, fair: Floats) -> float:
        quest = getattr(move, "quest", None) or len(view.results) + 1
        short = max(0.0, self.customs.needed(view, quest) - self._cost(move, evil))
        return float(fair[sorted(move.team)].sum()) + PARAMETERS.evil_wants_fellows * short

    def deals_for(self, view: QuestState, deals: int) -> int:
        return SHOTS if view.phase.name == SHOT else deals

    # What moves are worth

    def stakes(self, view: QuestState) -> float:
        return PARAMETERS.ballot if view.phase.name == "vote" else 1.0

    def plays_on(self, view: QuestState) -> bool:
        return True

    def decisive(self, view: QuestState, seat: Seat, positions: Any, rng: np.random.Generator) -> None:
        """A Good ballot is weighed by what it changes where the others are split: among careful bots, who are nearly
        always of one mind, it hardly ever decides, and all that the values would show is luck."""
        if view.phase.name == "vote" and view.roles[seat] not in EVIL_ROLES:
            votes = np.array([1 + (other == getattr(view, "arthur", None)) for other in range(view.setup.seats)])
            split_ballots(positions, votes, seat, rng)

    def scores(self, view: QuestState, seat: Seat, belief: QuestBelief) -> Mapping[str, float]:
        """To Good, three quests are worth what an Assassin leaves of them who is not read as easily as a careful one:
        else Good would vote against its own teams so as to mislead a careful Assassin."""
        if view.roles[seat] in EVIL_ROLES:
            return {}
        is_careful = self._chance_of(("careful",), seat, belief)
        kept = (1 - is_careful) * (1 - PARAMETERS.hit)
        return {**dict.fromkeys(HITS, kept), **dict.fromkeys(MISSES, is_careful + kept)}

    def doubt(self, view: QuestState, seat: Seat, belief: QuestBelief) -> float:
        """Others who are not careful approve teams that careful bots would reject, and learn less from a failure."""
        if view.roles[seat] in EVIL_ROLES or view.phase.name not in ("propose", "vote"):
            return 0.0
        return PARAMETERS.doubt * (1 - self._chance_of(("careful",), seat, belief))

    def foresee(self, view: QuestState, seat: Seat, moves: Sequence[Choice], deals: Sequence[Any]) -> Any:
        return foresee(self.customs, view, seat, moves, deals)

    def needs_onlooker(self, setup: QuestSetup) -> bool:
        return can_be_solved(setup)

    def solve(self, view: QuestState, seat: Seat, onlooker: Any) -> dict[Choice, float]:
        """How a Good leader names the last team of all in an equilibrium."""
        if view.roles[seat] in EVIL_ROLES or not is_last_team(view, seat, self.customs.last_attempt(view)):
            return {}
        teams = team_chances(onlooker, solve_last_team(onlooker, seat), view.dealt[seat])
        phase = view.phase.number
        return {ProposeTeam(phase=phase, team=team): chance for team, chance in teams.items() if chance > LEAST_CHANCE}

    # Hiding

    def _chance_of(self, kinds: tuple[str, ...], seat: Seat, belief: QuestBelief) -> float:
        """How likely the other side, as far as it is known, plays as one of these kinds does."""
        model = belief.model
        if not isinstance(model, MixtureModel):
            return sum(PARAMETERS.kinds[kind] for kind in kinds)
        own_side = Side.GOOD if belief.posterior[seat, belief.columns_of(Side.GOOD)].sum() > 0.5 else Side.EVIL
        rivals = 1 - belief.side_chances(own_side)
        others = [belief.viewpoints(other) for other in range(belief.setup.seats) if other != seat]
        shares = [model.shares(points.seat, points, belief.posterior[points.seat, points.roles]) for points in others]
        likely = [sum(found[kind] for kind in kinds) for found in shares]
        return float(np.average(likely, weights=[rivals[points.seat] for points in others]))

    def disguise(self, view: QuestState, seat: Seat, heard: Sequence[Event], belief: QuestBelief) -> Disguise | None:
        """A Good player who knows more than a plain one leads and votes as that player would: what it could win by its
        knowledge, an Assassin who reads its moves takes back.

        There is no need against careful bots, since values have in them how these find Merlin, nor against players who
        shoot at random.
        """
        role, pool = view.roles[seat], set(self.pool(view.setup))
        plain = next((other for other in PLAINEST if other in pool), None)
        if plain is None or role in EVIL_ROLES | PLAIN_ROLES or view.phase.name not in ("propose", "vote"):
            return None
        if self._chance_of(UNREADING, seat, belief) > PARAMETERS.careful:
            return None
        return Disguise(tuple(dealt_as(event, seat, plain) for event in heard))

    # Talk

    def talks_by_belief(self, setup: QuestSetup) -> bool:
        return setup.seats <= self.most_seats_overheard

    def face(self, seat: Seat, onlooker: QuestBelief) -> QuestFace | None:
        good = [role for role in self.pool(onlooker.setup) if role not in EVIL_ROLES]
        plain = [role for role in PLAINEST if role in good][:1]
        return face_of(self.customs, plain or good, seat, onlooker)


def split_ballots(positions: Any, votes: Ints, seat: Seat, rng: np.random.Generator) -> None:
    """All others vote, so that this seat decides. Evil likelier approves a team with one of its own on it."""
    seats = np.arange(len(votes))
    evil = np.isin(positions["roles"][:, seats], EVIL_NUMBERS)
    is_dirty = (evil & (positions["team"][:, None] >> seats & 1 == 1)).any(axis=1)
    leaning = rng.gumbel(size=evil.shape) + PARTISAN * np.where(is_dirty, 1, -1)[:, None] * evil
    leaning[:, seat] = -np.inf
    left = np.full(len(positions), votes.sum() // 2)
    approving = np.zeros(len(positions), dtype=np.int64)
    for other in np.argsort(-leaning, axis=1)[:, :-1].T:
        approves = votes[other] <= left
        left -= votes[other] * approves
        approving |= approves << other
    positions["ballots"], positions["asked"] = approving, 1 << seat


def dealt_as(event: Event, seat: Seat, role: Role) -> Event:
    """What the seat would have heard with a role that is shown no one."""
    if not isinstance(event, RoleDealt) or event.seat != seat:
        return event
    return RoleDealt(
        audience=event.audience, seat=seat, role=role, sees=(), roles_in_game=(), notices=(), is_assassin=False
    )
