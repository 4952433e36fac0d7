"""The last team of the last quest, solved: its leader wants no Evil on it, and must not give Merlin away.

Rejecting that team loses for Good (A15), and so does a Fail (A20): an Evil leader names an Evil member and wins. The
rest is a game of a Good leader against the Assassin. The deal is drawn from what an onlooker believes; the leader, who
knows a role and what it was shown, names a team; if there is no Evil on it, sides are public, and the Assassin shoots
(A21). CFR+ finds how both play: regret matching in turns, with regrets that never fall below zero, and late rounds
counting more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.belief.orders import Ints
from roundtable.core.seats import Seat
from roundtable.games.quests.belief import QuestBelief
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import Role, Side
from roundtable.games.quests.state import QuestState
from roundtable.games.quests.tables import QUESTS, TO_WIN, team_size

MOST_DEALS = 6000  # the likeliest; there are fewer at tables of up to eight
ENOUGH = 1e-3  # the exploitability at which the search ends
MOST_ROUNDS = 250
BETWEEN = 10  # rounds between two looks at the exploitability

# Keys, from the lowest bits: a seat; seats as a mask; a role
SEAT, MASK, ROLE = 4, 10, 5


def is_last_team(view: QuestState, seat: Seat, last_attempt: int) -> bool:
    """Whether this seat names the team that decides."""
    is_decisive = view.successes == view.failures == TO_WIN - 1 and view.attempt == last_attempt
    is_leading = view.phase.name == "propose" and view.leader == seat
    return is_decisive and is_leading and can_be_solved(view.setup)


def can_be_solved(setup: Any) -> bool:
    """Whether roles are all that is secret at this table. The Lady's holders know more than their roles (A23); with
    Excalibur and choosing quests the rest of the game is longer."""
    if not getattr(setup, "merlin", False):
        return False
    return not setup.lady and not setup.choose_quests and setup.excalibur == "off"


def summed(index: Ints, values: Floats) -> Floats:
    return np.asarray(np.bincount(index, values), dtype=np.float64)


class Moves(NamedTuple):
    """The moves of one player in all situations, by key: the situation in the high bits, the choice in the low ones."""

    keys: Ints
    situation: Ints
    """The situation of each move, numbered."""

    @classmethod
    def of(cls, keys: Ints, choice_bits: int) -> tuple[Moves, Ints]:
        """The different moves, and which of them each key is."""
        different, index = np.unique(keys, return_inverse=True)
        _, situation = np.unique(different >> choice_bits, return_inverse=True)
        return cls(different, situation), index

    def sums(self, values: Floats) -> Floats:
        """By situation."""
        return summed(self.situation, values)

    def best(self, values: Floats) -> float:
        """The sum over all situations of the best that can be had there."""
        most = np.full(int(self.situation.max()) + 1, -np.inf)
        np.maximum.at(most, self.situation, values)
        return float(most.sum())

    def matched(self, regrets: Floats) -> Floats:
        """Chances in proportion to the regrets; equal ones where there are none."""
        kept = np.where(self.sums(regrets)[self.situation] > 0, regrets, 1.0)
        return np.asarray(kept / self.sums(kept)[self.situation])


class Game(NamedTuple):
    """A row for each deal and team without Evil; other teams lose. Only seats that can be Merlin are worth a shot."""

    weights: Floats
    leads: Moves
    lead_of: Ints  # by row
    shots: Moves
    shot_of: Ints

    def leader_values(self, shots: Floats) -> Floats:
        """What each team adds to the chance that Good wins, by viewpoint."""
        return summed(self.lead_of, self.weights * (1 - shots[self.shot_of]))

    def shot_values(self, leads: Floats) -> Floats:
        return summed(self.shot_of, self.weights * leads[self.lead_of])

    def bounds(self, leads: Floats, shots: Floats) -> tuple[float, float]:
        """How often Good wins against the best Assassin, and with the best leader."""
        hits = self.shot_values(leads)
        return float(hits.sum()) - self.shots.best(hits), self.leads.best(self.leader_values(shots))


@dataclass(frozen=True, eq=False)
class Solution:
    """How a Good leader and the Assassin play; `value` is how often such a leader's side wins at least."""

    game: Game
    leads: Floats
    shots: Floats
    value: float
    exploitability: float
    """How much more than `value` the best leader would win against these shots: zero for a perfect solution."""
    rounds: int
    covered: float = 1.0
    """The chance that the deal is one of those that were looked at."""

    def teams(self, role: int, shown: int) -> dict[int, float]:
        """How likely a leader with this role, who was shown these seats, is to name each team; all are masks."""
        return chosen(self.game.leads.keys, self.leads, role << MASK | shown, MASK)

    def targets(self, knowledge: int, team: int) -> dict[Seat, float]:
        """How likely the Assassin with this `knowledge_of` is to shoot each seat after a team without Evil."""
        return chosen(self.game.shots.keys, self.shots, knowledge << MASK | team, SEAT)


def chosen(keys: Ints, chances: Floats, situation: int, bits: int) -> dict[int, float]:
    first, last = np.searchsorted(keys, (situation << bits, situation + 1 << bits))
    return dict(zip((keys[first:last] & (1 << bits) - 1).tolist(), chances[first:last].tolist(), strict=True))


# The game


def game_of(belief: QuestBelief, roles: Ints, weights: Floats, leader: Seat) -> Game:
    """`roles` are deals in which the leader is Good: [deal, seat], each a column of the belief."""
    shown = shown_masks(belief, roles)
    evil = np.isin(roles, belief.columns_of(Side.EVIL)) @ (1 << np.arange(roles.shape[1]))
    merlin = np.argmax(roles == belief.roles.index(Role.MERLIN), axis=1)
    able = np.isin(roles, belief.able_assassins([Role(role) for role in belief.roles]))  # A4: one card, or a duty
    deal, assassin = np.nonzero(able)
    knowledge = knowledge_of(assassin, roles[deal, assassin], shown[deal, assassin], evil[deal])
    weights = (weights / able.sum(axis=1))[deal]
    size = team_size(roles.shape[1], QUESTS)
    teams = np.array([sum(1 << seat for seat in team) for team in combinations(range(roles.shape[1]), size)])
    row, place = np.nonzero(teams[None, :] & evil[deal][:, None] == 0)  # A19: one Fail is enough in the fifth quest
    deal, team = deal[row], teams[place]
    leads, lead_of = Moves.of((roles[deal, leader] << MASK | shown[deal, leader]) << MASK | team, MASK)
    shots, shot_of = Moves.of((knowledge[row] << MASK | team) << SEAT | merlin[deal], SEAT)
    rows, index = np.unique(lead_of * len(shots.keys) + shot_of, return_inverse=True)
    lead_of, shot_of = np.divmod(rows, len(shots.keys))
    return Game(summed(index, weights[row]), leads, lead_of, shots, shot_of)


def shown_masks(belief: QuestBelief, roles: Ints) -> Ints:
    """The seats that each seat is shown at the start, as bits: [deal, seat]."""
    bits = 1 << np.arange(roles.shape[1])
    masks = np.zeros_like(roles)
    for sight in belief.sights:
        viewers, seen = (
            np.isin(roles, [column for column, role in enumerate(belief.roles) if role in group])
            for group in (sight.viewers, sight.seen)
        )
        masks |= np.where(viewers, (seen @ bits)[:, None] & ~bits, 0)
    return masks


def knowledge_of(seat: Any, role: Any, shown: Any, evil: Any) -> Any:
    """What the Assassin knows when the sides are public (A21), as one number: numbers, or arrays of them."""
    return ((evil << MASK | shown) << ROLE | role) << SEAT | seat


# The solution


def solve_game(game: Game, enough: float = ENOUGH, most_rounds: int = MOST_ROUNDS) -> Solution:
    """By CFR+, until the exploitability is at most `enough`, or for so many rounds."""
    lead_regrets, shot_regrets = np.zeros(len(game.leads.keys)), np.zeros(len(game.shots.keys))
    lead_sums, shot_sums = lead_regrets.copy(), shot_regrets.copy()
    mean_leads, shots = game.leads.matched(lead_regrets), game.shots.matched(shot_regrets)
    number, mean_shots, (least, most) = 0, shots, game.bounds(mean_leads, shots)
    for number in range(1, most_rounds + 1):
        lead_regrets = learned(game.leads, lead_regrets, game.leader_values(shots))
        leads = game.leads.matched(lead_regrets)
        shot_regrets = learned(game.shots, shot_regrets, game.shot_values(leads))
        shots = game.shots.matched(shot_regrets)
        lead_sums += number * leads
        shot_sums += number * shots
        if number % BETWEEN == 0 or number == most_rounds:
            mean_leads, mean_shots = game.leads.matched(lead_sums), game.shots.matched(shot_sums)
            least, most = game.bounds(mean_leads, mean_shots)
            if most - least <= enough:
                break
    return Solution(game, mean_leads, mean_shots, least, max(0.0, most - least), number)


def learned(moves: Moves, regrets: Floats, values: Floats) -> Floats:
    mean = moves.sums(moves.matched(regrets) * values)
    return np.maximum(regrets + values - mean[moves.situation], 0.0)


def solve_last_team(belief: QuestBelief, leader: Seat, most_deals: int = MOST_DEALS) -> Solution:
    """From an onlooker's belief, for a Good leader: with an Evil one there is nothing to solve."""
    roles, chances = belief.likeliest(most_deals, loyal=leader)
    covered = float(chances.sum())
    return replace(solve_game(game_of(belief, roles, chances / covered, leader)), covered=covered)


def team_chances(belief: QuestBelief, solution: Solution, dealt: RoleDealt) -> dict[frozenset[Seat], float]:
    """How the leader who was dealt this names teams; empty where such a leader was not looked at."""
    shown = sum(1 << seat for glimpse in dealt.sees for seat in glimpse.seats)
    found = solution.teams(belief.roles.index(dealt.role), shown)
    seats = range(belief.setup.seats)
    return {frozenset(seat for seat in seats if team >> seat & 1): chance for team, chance in found.items()}
