"""What compiled Avalon and THavalon share: tables of teams, sets of seats, deals, and where bots sit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from roundtable.core import seats as seats_of_tables
from roundtable.core.seats import left_of
from roundtable.games.quests import tables as rules_of_quests
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.bots.mind import SHOWN_AS_EVIL, SHOWN_AS_PAIR
from roundtable.games.quests.compiled.choices import CHOICE_RULES, member
from roundtable.games.quests.compiled.mind import SIGHT_RULES, open_eyes, think_afresh
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import EVIL_BITS, MOST_SEATS, ROLES, number_of, roles_in_bits
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import SIDE_OF, Role, Side, Sight
from roundtable.games.quests.tables import QUESTS, fails_needed, team_size
from roundtable.kernels.chance import below, fraction, next_word, signed, split
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.turns import open_phase

COINS = np.uint64((1 << 20) - 1)  # a coin for each ballot and each card

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
    *CHOICE_RULES,
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


@compiled
def seat_bots(rules: Any, now: Now, crew: Any) -> None:
    """Careful players by seat, or by the side that they were dealt; they remember what has happened so far."""
    good = rules.everyone & ~now.evil
    now.careful = crew.careful | (good if crew.first_side else 0) | (now.evil if crew.second_side else 0)
    now.remembers = crew.remembers or now.careful != 0
    if now.careful:
        open_eyes(rules, now)
        think_afresh(rules, now)


@compiled
def clear(rules: Any, now: Now) -> None:
    """Before the first phase nothing lies on the table; a team's own part of it is cleared when one is named."""
    now.phase = now.length = now.successes = now.failures = now.played = 0
    if now.remembers:
        now.poll_count = now.result_count = now.news = now.voted = now.ballots = now.team = 0
        now.has_pair = False
        for seat in range(rules.seats):
            now.examined[seat] = -1


@hot
def send_team(now: Now, stage: int) -> None:
    """A17: its members lay their cards."""
    now.fails = now.reverses = 0
    open_phase(now, stage, now.team)


@compiled
def read_deal(rules: Any, now: Now) -> None:
    """What follows from who is who."""
    now.evil = 0
    for role in range(len(ROLES)):
        now.where[role] = 0
    for seat in range(rules.seats):
        now.evil |= (EVIL_BITS >> now.roles[seat] & 1) << seat
        now.where[now.roles[seat]] |= 1 << seat


@compiled
def draw_coins(now: Now) -> None:
    """For a vote or a quest that has begun."""
    now.coins = signed(next_word(now) & COINS)


@compiled
def second_side(now: Now) -> int:
    return now.evil


@compiled
def is_careful(now: Now, seat: int) -> bool:
    return now.careful >> seat & 1 == 1
