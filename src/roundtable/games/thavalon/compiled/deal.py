"""Who is dealt in THavalon (T2 to T4)."""

from __future__ import annotations

from roundtable.games.quests.compiled.common import any_member, seat_roles
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import ROLES, roles_in_bits
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import ISEULT, TRISTAN
from roundtable.games.thavalon.setup import LOVERS
from roundtable.kernels.chance import fraction, split
from roundtable.kernels.compiling import compiled

LOVERS_BITS = roles_in_bits(LOVERS)


@compiled
def deal(rules: Rules, now: Now) -> None:
    """T2 to T4."""
    part = draw_good(rules, now, fraction(now))
    for place in range(rules.evil_pool_size):
        now.pool[place] = rules.evil_pool[place]
    part = draw(now, rules.evil_pool_size, rules.evil, part)
    for place in range(rules.evil):
        now.roles[rules.good + place] = now.pool[place]
    seat_roles(now, rules.seats)
    now.assassin = any_member(now, now.evil)
    for role in range(len(ROLES)):
        now.where[role] = 0
    for seat in range(rules.seats):
        now.where[now.roles[seat]] = 1 << seat


@compiled
def draw(now: Now, pool: int, count: int, part: int) -> int:
    """Bring `count` of the pool's roles to its front, every selection equally likely."""
    roles = now.pool
    for place in range(count):
        other, part = split(part, pool - place)
        roles[place], roles[place + other] = roles[place + other], roles[place]
    return part


@compiled
def draw_good(rules: Rules, now: Now, part: int) -> int:
    """T3: the lovers come together or not at all."""
    roles, places = now.pool, rules.good
    for place in range(rules.good_pool_size):
        roles[place] = rules.good_pool[place]
    part = draw(now, rules.good_pool_size, places, part)
    lovers, lone = 0, 0
    for place in range(places):
        if LOVERS_BITS >> roles[place] & 1:
            lovers, lone = lovers + 1, place
    if lovers == 1:
        part = unite_or_replace(rules, now, lone, part)
    for place in range(places):
        now.roles[place] = roles[place]
    return part


@compiled
def unite_or_replace(rules: Rules, now: Now, lone: int, part: int) -> int:
    """T3: the lone lover makes way for another role, or another role makes way for the other lover."""
    roles, places = now.pool, rules.good
    replacements = rules.good_pool_size - places - 1  # of those who were not drawn one is the other lover
    coin = 1
    if replacements > 0:
        coin, part = split(part, 2)
    if coin == 0:
        other, part = split(part, replacements)
        for place in range(places, rules.good_pool_size):
            if LOVERS_BITS >> roles[place] & 1:
                continue
            if other == 0:
                roles[lone] = roles[place]
            other -= 1
    else:
        other, part = split(part, places - 1)
        other += other >= lone
        roles[other] = TRISTAN + ISEULT - roles[lone]
    return part
