"""What a careful seat knows for certain, and whom it suspects: ../bots/mind.py over whole numbers.

What is certain changes with quests, declarations and what is shown, and not with every vote; so it is kept for each
seat until there is news.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.bots import knowledge, suspicion
from roundtable.games.quests.bots.suspicion import CERTAIN
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import MERLIN, MOST_SEATS
from roundtable.kernels.chance import signed
from roundtable.kernels.compiling import compiled, pattern

POSED = MOST_SEATS  # the row of bounds from which a pose follows

# Which roles each role is shown, and as what: made from the game's own SIGHTS.
SIGHT_RULES = [
    ("sees_evil", np.int64, 32),
    ("sees_pair", np.int64, 32),
    ("sees_good", np.int64, 32),
    ("sees_villains", np.int64, 32),
]

rest_of = compiled(knowledge.rest_of)
follow = compiled(knowledge.follow)
left_for = compiled(knowledge.left_for)
judge = compiled(suspicion.judge)
for_cards = compiled(suspicion.for_cards)
for_leading = compiled(suspicion.for_leading)
for_vote = compiled(suspicion.for_vote)


@compiled
def open_eyes(rules: Any, now: Now) -> None:
    """Everyone is shown what their role is shown."""
    for seat in range(rules.seats):
        role = now.roles[seat]
        now.shown_evil[seat] = seats_with(now, rules.seats, rules.sees_evil[role]) & ~(1 << seat)
        now.shown_pair[seat] = seats_with(now, rules.seats, rules.sees_pair[role]) & ~(1 << seat)
        now.shown_good[seat] = seats_with(now, rules.seats, rules.sees_good[role]) & ~(1 << seat)
        now.shown_villains[seat] = seats_with(now, rules.seats, rules.sees_villains[role]) & ~(1 << seat)
        now.fellows[seat] = 0
        if now.evil >> seat & 1:
            now.fellows[seat] = 1 << seat | now.shown_evil[seat] | now.shown_villains[seat]
        now.learned_evil[seat] = now.learned_good[seat] = now.earned[seat] = 0


@compiled
def think_afresh(rules: Any, now: Now) -> None:
    """Before the first thought about a position."""
    for seat in range(rules.seats):
        now.known_since[seat] = -1


@compiled
def recall(rules: Any, now: Now) -> None:
    """What everyone can hold against each seat, from the history of the position."""
    for result in range(now.result_count):
        hold_cards(rules, now, result)
        for poll in range(now.poll_count):
            look_back(rules, now, result, poll)


@compiled
def seats_with(now: Now, seats: int, roles: int) -> int:
    found = 0
    if roles:
        for seat in range(seats):
            found |= (roles >> now.roles[seat] & 1) << seat
    return found


# What everyone can hold against a seat


@compiled
def remember_poll(rules: Any, now: Now, team: int, leader: int) -> None:
    at = now.poll_count
    now.poll_quest[at], now.poll_ballots[at] = now.quest, now.ballots
    now.poll_team[at], now.poll_leader[at] = team, leader
    now.poll_count += 1
    if now.careful:
        for result in range(now.result_count):
            look_back(rules, now, result, at)


@compiled
def remember_result(rules: Any, now: Now, fails: int, reverses: int, has_failed: bool) -> None:
    at = now.result_count
    now.result_quest[at], now.result_team[at], now.result_failed[at] = now.quest, now.team, has_failed
    now.result_fails[at], now.result_reverses[at] = fails, reverses
    now.result_count += 1
    now.news += 1
    if now.careful:
        hold_cards(rules, now, at)
        for poll in range(now.poll_count):
            look_back(rules, now, at, poll)


@compiled
def hold_cards(rules: Any, now: Now, result: int) -> None:
    team, fails, reverses = signed(now.result_team[result]), now.result_fails[result], now.result_reverses[result]
    points = for_cards(signed(fails), signed(reverses), team.bit_count())
    for seat in range(rules.seats):
        now.earned[seat] += points if team >> seat & 1 else 0


@compiled
def look_back(rules: Any, now: Now, result: int, poll: int) -> None:
    if now.poll_team[poll] != now.result_team[result]:
        return
    went_well = now.result_fails[result] == 0 and now.result_reverses[result] == 0
    now.earned[now.poll_leader[poll]] += for_leading(went_well)
    for seat in range(rules.seats):
        if not now.poll_team[poll] >> seat & 1:
            now.earned[seat] += for_vote(went_well, now.poll_ballots[poll] >> seat & 1 == 1)


# What is certain


@compiled
def start_bounds(rules: Any, now: Now, row: int) -> None:
    now.bound_group[row, 0] = rules.everyone
    now.bound_least[row, 0] = now.bound_most[row, 0] = rules.evil
    now.bound_count[row] = 1


@compiled
def add_bound(rules: Any, now: Now, row: int, group: int, least: int, most: int) -> None:
    """Among these seats so many are Evil; and what follows for all others."""
    at = now.bound_count[row]
    now.bound_group[row, at], now.bound_least[row, at], now.bound_most[row, at] = group, least, most
    group, least, most = rest_of(rules.everyone, rules.evil, group, least, most)
    now.bound_group[row, at + 1], now.bound_least[row, at + 1], now.bound_most[row, at + 1] = group, least, most
    now.bound_count[row] = at + 2


@compiled
def add_each(rules: Any, now: Now, row: int, seats: int, evil: int) -> None:
    """These seats are known one by one."""
    while seats:
        add_bound(rules, now, row, seats & -seats, evil, evil)
        seats &= seats - 1


@compiled
def known_from(rules: Any, now: Now, row: int) -> tuple[int, int]:
    """Who is certainly Evil and who certainly Good; everyone is both where the bounds clash."""
    evil = good = 0
    while True:
        before = evil, good
        for at in range(now.bound_count[row]):
            evil, good = follow(
                rules.everyone, evil, good, now.bound_group[row, at], now.bound_least[row, at], now.bound_most[row, at]
            )
            if evil & good:
                return evil, good
        if (evil, good) == before:
            return evil, good


@compiled
def surely_on(now: Now, seat: int, team: int) -> int:
    """How many Evil players this team has at the very least, as far as the seat can tell."""
    most = (team & now.known_evil[seat]).bit_count()
    good = now.known_good[seat]
    for at in range(now.bound_count[seat]):
        most = max(most, left_for(team, good, now.bound_group[seat, at], now.bound_least[seat, at]))
    return most


@compiled
def settle_known(rules: Any, now: Now, seat: int) -> None:
    """All that follows for a seat from the bounds that it has, and from its own side."""
    is_evil = now.evil >> seat & 1
    add_bound(rules, now, seat, 1 << seat, is_evil, is_evil)
    now.known_evil[seat], now.known_good[seat] = known_from(rules, now, seat)
    now.posed_evil[seat], now.posed_good[seat] = now.known_evil[seat], now.known_good[seat]
    now.known_since[seat] = now.news


@compiled
def poses(now: Now, seat: int) -> bool:
    """Evil and Merlin judge as a plain servant in their seat would."""
    return now.evil >> seat & 1 == 1 or now.roles[seat] == MERLIN


@compiled
def settle_pose(rules: Any, now: Now, seat: int) -> None:
    """As long as that is believable."""
    add_bound(rules, now, POSED, 1 << seat, 0, 0)
    evil, good = known_from(rules, now, POSED)
    if evil & good:
        now.bound_count[POSED] -= 2
        evil, good = known_from(rules, now, POSED)
    now.posed_evil[seat], now.posed_good[seat] = evil, good


@pattern
def think_with(rules: Any, now: Now, seat: int, add_public_bounds: Any, add_own_bounds: Any) -> None:
    """What is certain, where there is news, and the points; a game says what it adds for all, and what for the seat."""
    if now.known_since[seat] != now.news:
        start_bounds(rules, now, seat)
        add_public_bounds(rules, now, seat)
        add_own_bounds(rules, now, seat)
        settle_known(rules, now, seat)
        if poses(now, seat):
            start_bounds(rules, now, POSED)
            add_public_bounds(rules, now, POSED)
            settle_pose(rules, now, seat)
    look_at(now, rules.seats, seat)


# Points


@compiled
def look_at(now: Now, seats: int, seat: int) -> None:
    """Lay out the points that this seat gives to everyone, when it knows what is certain."""
    is_evil = now.evil >> seat & 1
    now.shunned = 0 if is_evil else now.known_evil[seat] | now.shown_evil[seat]
    for other in range(seats):
        face = judge(now.posed_evil[seat], now.posed_good[seat], other, now.earned[other])
        now.face[other] = face
        now.points[other] = CERTAIN if now.shunned >> other & 1 else face


@compiled
def sum_over(points: Any, team: int) -> int:
    total = 0
    while team:
        total += points[((team & -team) - 1).bit_count()]
        team &= team - 1
    return total
