"""A careful seat in Avalon: games/avalon/bots/careful.py over whole numbers."""

from __future__ import annotations

from typing import Any

from roundtable.games.avalon.bots import careful as avalon
from roundtable.games.avalon.compiled.words import EXAMINE, KEEP_LADY, LEAVE_EXCALIBUR, SHOOT, USE_EXCALIBUR
from roundtable.games.quests.bots.suspicion import CERTAIN, TRUSTED
from roundtable.games.quests.compiled.careful import (
    FAR,
    any_of,
    drawn_of_two,
    favourite_teams,
    gives_up,
    likeliest_merlins,
    surely,
    vote_on,
    wants_to_fail,
)
from roundtable.games.quests.compiled.mind import add_bound, add_each, think_with
from roundtable.games.quests.compiled.words import FAIL, LAY, PROPOSE, SUCCESS, VOTE
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.kernels.chance import below, signed
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, lean

Now = Any
Rules = Any

danger = compiled(avalon.danger)
turns = compiled(avalon.turns)


# What a seat knows


@compiled
def think(rules: Rules, now: Now, seat: int) -> None:
    """Everything that the seat's decisions rest on."""
    think_with(rules, now, seat, add_public_bounds, add_own_bounds)


@compiled
def add_public_bounds(rules: Rules, now: Now, row: int) -> None:
    """Every Fail was an Evil player's, but for one that Excalibur may have made (A17, A25)."""
    for at in range(now.result_count):
        fails, team = now.result_fails[at] - rules.fails_made, signed(now.result_team[at])
        if fails > 0:
            add_bound(rules, now, row, team, fails, team.bit_count())


@compiled
def add_own_bounds(rules: Rules, now: Now, seat: int) -> None:
    """What one's card, the Lady and Excalibur have shown (A6 to A10, A23, A25)."""
    shown, pair = signed(now.shown_evil[seat]), signed(now.shown_pair[seat])
    if shown:
        add_bound(rules, now, seat, shown, shown.bit_count(), shown.bit_count())
    if pair:
        add_bound(rules, now, seat, pair, rules.morganas, rules.morganas)
    add_each(rules, now, seat, signed(now.learned_evil[seat]), 1)
    add_each(rules, now, seat, signed(now.learned_good[seat]), 0)


# Teams, votes and cards


@compiled
def lead(rules: Rules, now: Now, trace: TraceRow, open_quests: int) -> None:
    """The quest, the team and the bearer of Excalibur that a careful leader names."""
    seat = now.leader
    think(rules, now, seat)
    now.quest = safest(rules, now.evil >> seat & 1 == 1, open_quests)
    size = rules.sizes[now.quest]
    teams, count = rules.teams[size], rules.team_counts[size]
    favourite_teams(now, seat, teams, count, rules.everyone, rules.needed[now.quest])
    named = now.quest if rules.choose_quests else 0
    if not rules.excalibur:
        choose_team(now, trace, named)
    else:
        choose_team_and_bearer(now, trace, named)


@compiled
def safest(rules: Rules, is_evil: bool, open_quests: int) -> int:
    chosen, least = 0, FAR
    for quest in range(1, QUESTS + 1):
        if open_quests >> quest & 1:
            risk = danger(is_evil, rules.sizes[quest], rules.needed[quest])
            if risk < least:
                chosen, least = quest, risk
    return chosen


@compiled
def choose_team(now: Now, trace: TraceRow, named: int) -> None:
    for at in range(now.best_count):
        lean(trace, now.phase, PROPOSE, now.best[at], named, -1, 1)
    now.team = now.best[below(now, now.best_count) if now.best_count > 1 else 0]


@compiled
def choose_team_and_bearer(now: Now, trace: TraceRow, named: int) -> None:
    """Every team with every bearer alike (A25)."""
    pairs = 0
    for at in range(now.best_count):
        bearers = bearers_on(now, now.best[at])
        for seat in range(16):
            if bearers >> seat & 1:
                lean(trace, now.phase, PROPOSE, now.best[at], named, seat, 1)
                pairs += 1
    place = below(now, pairs) if pairs > 1 else 0
    for at in range(now.best_count):
        bearers = bearers_on(now, now.best[at])
        for seat in range(16):
            if bearers >> seat & 1:
                if place == 0:
                    now.team, now.holder = now.best[at], seat
                place -= 1


@compiled
def bearers_on(now: Now, team: int) -> int:
    """Evil gives Excalibur to one of its own if it can; otherwise the least suspect member carries it."""
    holders = team & ~(1 << now.leader)
    if holders & now.fellows[now.leader]:
        return holders & now.fellows[now.leader]
    found, least = 0, FAR
    for seat in range(16):
        if holders >> seat & 1:
            if now.points[seat] < least:
                found, least = 0, now.points[seat]
            if now.points[seat] == least:
                found |= 1 << seat
    return found


@compiled
def vote(rules: Rules, now: Now, trace: TraceRow, seat: int, is_last: bool) -> int:
    """1 to approve."""
    think(rules, now, seat)
    needed = rules.needed[now.quest]
    if is_last:
        is_enough = (now.fellows[seat] & now.team).bit_count() >= needed
        approve, reject = surely(not gives_up(now.evil >> seat & 1 == 1, is_enough, now.successes))
    else:
        approve, reject = vote_on(rules, now, seat, now.team, needed)
    if approve:
        lean(trace, now.phase, VOTE, 1, 0, 0, approve)
    if reject:
        lean(trace, now.phase, VOTE, 0, 0, 0, reject)
    return 1 if drawn_of_two(now, approve, reject) else 0


@compiled
def lay_card(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    card = FAIL if wants_to_fail(now, seat, rules.needed[now.quest], 0) else SUCCESS
    lean(trace, now.phase, LAY, card, 0, 0, 1)
    return card


# The Lady, Excalibur and the dagger


@compiled
def choose_card_to_turn(rules: Rules, now: Now, trace: TraceRow) -> int:
    """The member whose card a careful holder turns, or -1."""
    seat = now.holder
    think(rules, now, seat)
    points = now.face if now.failures < TO_WIN - 1 else now.points
    targets, worst = highest(points, now.team & ~(1 << seat))
    if not turns(now.evil >> seat & 1 == 1, not rules.turns_success, worst):
        lean(trace, now.phase, LEAVE_EXCALIBUR, 0, 0, 0, 1)
        return -1
    return any_of(now, trace, USE_EXCALIBUR, targets)


@compiled
def highest(points: Any, seats: int) -> tuple[int, int]:
    """Those of these seats with the most points, and how many these are."""
    found, most = 0, -FAR
    for seat in range(16):
        if seats >> seat & 1:
            if points[seat] > most:
                found, most = 0, points[seat]
            if points[seat] == most:
                found |= 1 << seat
    return found, most


@compiled
def choose_whom_to_examine(rules: Rules, now: Now, trace: TraceRow, targets: int) -> int:
    """The player whom a careful holder examines, or -1."""
    seat = now.lady
    think(rules, now, seat)
    if now.evil >> seat & 1:
        fellows = targets & now.fellows[seat]
        if rules.lady_may_pass and not fellows:
            lean(trace, now.phase, KEEP_LADY, 0, 0, 0, 1)
            return -1
        return any_of(now, trace, EXAMINE, fellows if fellows else targets)
    unsure = 0
    for other in range(rules.seats):
        if targets >> other & 1 and now.face[other] != CERTAIN and now.face[other] != TRUSTED:
            unsure |= 1 << other
    return any_of(now, trace, EXAMINE, highest(now.face, unsure if unsure else targets)[0])


@compiled
def choose_whom_to_shoot(rules: Rules, now: Now, trace: TraceRow) -> int:
    return any_of(now, trace, SHOOT, likeliest_merlins(rules, now))
