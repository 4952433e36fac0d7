"""What the kernels of Avalon and THavalon share: how a table stands, in whole numbers, and its tables of teams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from roundtable.core import seats as seats_of_tables
from roundtable.core.errors import SetupError
from roundtable.core.seats import left_of
from roundtable.core.setup import Setup
from roundtable.games.quests import tables as rules_of_quests
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.bots.mind import SHOWN_AS_EVIL, SHOWN_AS_PAIR
from roundtable.games.quests.compiled.mind import MEMORY, SIGHT_RULES, open_eyes
from roundtable.games.quests.compiled.words import EVIL_BITS, MOST_SEATS, ROLES, SIDES, number_of, roles_in_bits
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import SIDE_OF, Role, Side, Sight
from roundtable.games.quests.state import QuestDeal
from roundtable.games.quests.tables import QUESTS, fails_needed, team_size
from roundtable.kernels.chance import LUCK, below, fraction, split
from roundtable.kernels.compiling import announced, compiled
from roundtable.kernels.contract import Batch, CarefulSeats, GameTrace, Words, check_numbers, crew_of
from roundtable.kernels.trace import WriteAction, blank_trace, read_steps

Now = Any  # how a table stands: a row of TABLE

TABLE = np.dtype(
    [
        *LUCK,
        ("roles", np.int64, MOST_SEATS),
        ("evil", np.int64),  # a mask of seats, like every other set of them
        ("assassin", np.int64),
        ("careful", np.int64),
        ("phase", np.int64),
        ("length", np.int64),
        ("first_leader", np.int64),
        ("leader", np.int64),
        ("attempt", np.int64),
        ("quest", np.int64),
        ("team", np.int64),
        ("holder", np.int64),  # of Excalibur
        ("ballots", np.int64),
        ("coins", np.int64),  # bits drawn ahead: ballots and cards of those who play at random
        ("successes", np.int64),
        ("failures", np.int64),
        ("played", np.int64),  # quests, a mask
        ("lady", np.int64),
        ("lady_has_been_with", np.int64),
        ("arthur", np.int64),  # who has declared
        ("window", np.int64),  # the quest that Agravaine could still turn, or 0
        ("window_team", np.int64),
        ("first_team", np.int64),  # of a pair
        ("leader_of_first", np.int64),
        ("round_began", np.int64),  # with which phase
        ("where", np.int64, len(ROLES)),  # the seat of each role, as a mask; roles that come once
        ("pool", np.int64, len(ROLES)),  # that roles are drawn from
        ("order", np.int64, MOST_SEATS),  # in which seats are asked
        *MEMORY,
    ]
)

has_majority = compiled(rules_of_quests.has_majority)
quest_fails = compiled(rules_of_quests.quest_fails)
right_of = compiled(seats_of_tables.right_of)


# Tables

# What both games' rules hold. Numba takes them as an argument, so that one kernel plays every setup.
QUEST_RULES = [
    ("seats", np.int64),
    ("everyone", np.int64),
    ("left", np.int64, MOST_SEATS),  # of each seat
    ("sizes", np.int64, QUESTS + 1),  # by quest, from 1 on
    ("needed", np.int64, QUESTS + 1),
    ("teams", np.int64, (MOST_SEATS, 252)),  # by size, in the order in which options list them
    ("team_counts", np.int64, MOST_SEATS),
    ("evil", np.int64),  # how many are Evil
    *SIGHT_RULES,
]


def lay_out(rules: Any, seats: int, evil: int, two_fails_from: int, sights: Iterable[Sight]) -> None:
    """Fill in what both games' rules hold."""
    rules["seats"], rules["everyone"], rules["evil"] = seats, (1 << seats) - 1, evil
    rules["left"][:seats] = [left_of(seat, seats) for seat in range(seats)]
    for row in sights:
        for viewer in row.viewers:
            rules[shown_as(row.seen_as)][number_of(viewer)] |= roles_in_bits(row.seen)
    for quest in range(1, QUESTS + 1):
        rules["sizes"][quest] = team_size(seats, quest)
        rules["needed"][quest] = fails_needed(seats, quest, two_fails_from)
    for size in range(1, seats):
        masks = [mask_of(team) for team in teams(tuple(range(seats)), size)]
        rules["teams"][size, : len(masks)] = masks
        rules["team_counts"][size] = len(masks)


def shown_as(seen_as: str) -> str:
    """The table for what a player is shown as: one of several, or a role by name."""
    if seen_as == SHOWN_AS_EVIL:
        return "sees_evil"
    if seen_as == SHOWN_AS_PAIR:
        return "sees_pair"
    return "sees_villains" if SIDE_OF[Role(seen_as)] is Side.EVIL else "sees_good"


# Sets of seats


@compiled
def member(mask: int, place: int) -> int:
    """The seat at this place among the members, counted from 0 in seat order."""
    for _ in range(place):
        mask &= mask - 1
    return ((mask & -mask) - 1).bit_count()


@compiled
def any_member(now: Now, mask: int) -> int:
    return member(mask, below(now, mask.bit_count()))


# Deals


@compiled
def seat_roles(now: Now, seats: int) -> None:
    """Shuffle the roles and draw the first leader (A5); Fisher and Yates, all from one fraction."""
    roles = now.roles
    part = fraction(now)
    evil = 0
    for last in range(seats - 1, -1, -1):
        other, part = split(part, last + 1)
        roles[last], roles[other] = roles[other], roles[last]
        evil |= (EVIL_BITS >> roles[last] & 1) << last
    now.evil = evil
    now.first_leader, part = split(part, seats)
    now.leader = now.first_leader


@compiled
def seat_bots(rules: Any, now: Now, careful_seats: Any) -> None:
    """Careful players by seat, or by the side that they were dealt."""
    good = rules.everyone & ~now.evil
    now.careful = (
        careful_seats.seats | (good if careful_seats.first_side else 0) | (now.evil if careful_seats.second_side else 0)
    )
    if now.careful:
        open_eyes(rules, now)


@compiled
def is_careful(now: Now, seat: int) -> bool:
    return now.careful >> seat & 1 == 1


@compiled
def enter(rules: Any, now: Now, batch: Any, row: int, why: int, side: int) -> None:
    """Write down how a game ended."""
    winner, reason, roles, won, length = batch
    winner[row], reason[row], length[row] = side, why, now.length
    for seat in range(rules.seats):
        roles[row, seat] = now.roles[seat]
        won[row, seat] = (now.evil >> seat & 1) == side


# What Python calls


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestKernel:
    """A batch of games, or one of them written down."""

    game: str
    reasons: tuple[str, ...]
    rules_of: Callable[[Any], Any]
    action_of: WriteAction
    play_batch: Callable[[Any, CarefulSeats, np.uint64, int, Any], None]
    sides: tuple[str, ...] = SIDES
    roles: tuple[str, ...] = ROLES
    is_compiled: ClassVar[bool] = True

    @property
    def words(self) -> Words:
        return Words(self.sides, self.reasons, self.roles)

    def tables(self, setup: Setup) -> Any:
        if setup.game != self.game:
            raise SetupError("setup/game", "kernel", name=self.game, found=setup.game)
        setup.require_ready()
        return self.rules_of(setup)

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        check_numbers(seed, first, count)
        batch = Batch.blank(count, setup.seats, self.words)
        self._play(setup, bots, seed, first, batch, blank_trace(False))
        return batch

    def actions(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> GameTrace:
        check_numbers(seed, number, 1)
        trace = blank_trace(True)
        table = self._play(setup, bots, seed, number, Batch.blank(1, setup.seats, self.words), trace)
        deal = QuestDeal(
            roles=tuple([ROLES[role] for role in table["roles"][: setup.seats].tolist()]),
            leader=int(table["first_leader"]),
            assassin=int(table["assassin"]) if table["assassin"] >= 0 else None,
        )
        return GameTrace(setup=setup, deal=deal, steps=read_steps(trace[0], int(table["careful"]), self.action_of))

    def _play(self, setup: Setup, bots: Sequence[str], seed: int, first: int, batch: Batch, trace: Any) -> Any:
        tables = (self.tables(setup), np.zeros(1, TABLE), trace)
        rows = (batch.winner, batch.reason, batch.roles, batch.won, batch.length)
        with announced(self.game):
            self.play_batch(tables, crew_of(bots, setup.seats), np.uint64(seed), first, rows)
        return tables[1][0]
