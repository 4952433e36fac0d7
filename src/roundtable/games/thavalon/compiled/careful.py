"""A careful seat in THavalon: games/thavalon/bots/careful.py over whole numbers."""

from __future__ import annotations

from typing import Any

from roundtable.games.quests.compiled.careful import (
    any_of,
    cost,
    drawn_of_two,
    favourite_teams,
    gives_up,
    likeliest_lovers,
    likeliest_merlins,
    likes,
    surely,
    vote_on,
    wants_to_fail,
)
from roundtable.games.quests.compiled.mind import add_bound, add_each, surely_on, think_with
from roundtable.games.quests.compiled.words import FAIL, LAY, MERLIN, PROPOSE, REVERSE, SUCCESS, VOTE
from roundtable.games.thavalon.bots import careful as thavalon
from roundtable.games.thavalon.bots.careful import A_BOND, REVERSING
from roundtable.games.thavalon.compiled.declaring import with_gap
from roundtable.games.thavalon.compiled.words import (
    AGRAVAINE,
    ARTHUR,
    CALL_LOVERS,
    CALL_MERLIN,
    CALL_NIMUE,
    LANCELOT,
    MAELAGANT,
    NIMUE,
    TITANIA,
)
from roundtable.kernels.chance import below, signed
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, lean

Now = Any
Rules = Any

merlins_count = compiled(thavalon.merlins_count)
can_stay_at_home = compiled(thavalon.can_stay_at_home)
last_leader = compiled(thavalon.last_leader)


# What a seat knows


@compiled
def think(rules: Rules, now: Now, seat: int) -> None:
    """Everything that the seat's decisions rest on."""
    think_with(rules, now, seat, add_public_bounds, add_own_bounds)


@compiled
def add_public_bounds(rules: Rules, now: Now, row: int) -> None:
    """Every Fail was an Evil player's, and only Arthur can declare as Arthur (T16, T17)."""
    for at in range(now.result_count):
        if now.result_fails[at]:
            team = signed(now.result_team[at])
            add_bound(rules, now, row, team, signed(now.result_fails[at]), team.bit_count())
    if now.arthur >= 0:
        add_bound(rules, now, row, 1 << now.arthur, 0, 0)


@compiled
def add_own_bounds(rules: Rules, now: Now, seat: int) -> None:
    """What one's role says about the seats that were shown with it (T6 to T12)."""
    shown, pair = signed(now.shown_evil[seat]), signed(now.shown_pair[seat])
    if pair:
        add_bound(rules, now, seat, pair, pair.bit_count() - 1, 1)
    add_each(rules, now, seat, signed(now.shown_good[seat]), 0)
    add_each(rules, now, seat, signed(now.shown_villains[seat]), 1)
    if now.roles[seat] == MERLIN:
        least, most = merlins_count(shown.bit_count(), rules.evil)
        add_bound(rules, now, seat, shown, least, most)
    elif shown:
        count = shown.bit_count() - doubtful(rules, now, seat)
        add_bound(rules, now, seat, shown, count, count)
    if knows_whose_reverses(now, seat):
        for at in range(now.result_count):
            if now.result_reverses[at]:
                team = signed(now.result_team[at])
                least = signed(now.result_fails[at] + now.result_reverses[at])
                add_bound(rules, now, seat, team, least, team.bit_count())


@compiled
def doubtful(rules: Rules, now: Now, seat: int) -> int:
    """T11: whether Titania is among the fellows of a seat that was told so."""
    is_told = now.evil >> seat & 1 and rules.sees_evil[now.roles[seat]] != 0
    return 1 if is_told and now.where[TITANIA] else 0


@compiled
def knows_whose_reverses(now: Now, seat: int) -> bool:
    """Who was told that Lancelot is not in the game knows whose card every Reverse is (T9, T10)."""
    is_told = now.roles[seat] == NIMUE or now.roles[seat] == ARTHUR
    return is_told and now.where[LANCELOT] == 0


# Declarations


@compiled
def declares(rules: Rules, now: Now, seat: int, has_team: bool) -> bool:
    """Whether a seat that may declare does; a leader who has to propose is not asked."""
    return now.roles[seat] == AGRAVAINE or pays_for_arthur(rules, now, seat, has_team)


@compiled
def pays_for_arthur(rules: Rules, now: Now, seat: int, has_team: bool) -> bool:
    """T16: he stays at home till the fifth quest, so others must do; and he breaks up no team that he likes."""
    think(rules, now, seat)
    if has_team and likes(now, rules.seats, now.team):
        return False
    return can_stay_at_home(rules.good, rules.needed[now.quest], rules.sizes[now.quest], now.quest)


# Teams, votes and cards


@compiled
def find_favourites(rules: Rules, now: Now, seat: int, eligible: int) -> None:
    """Into `best`; a declared Arthur is no candidate before the fifth quest (T16)."""
    size = rules.sizes[now.quest]
    if eligible == rules.everyone:
        teams, count = rules.teams[size], rules.team_counts[size]
    else:
        teams, count = now.candidates[:], rules.team_counts_without[size]
        for at in range(count):
            now.candidates[at] = with_gap(rules.teams_without[size, at], now.arthur)
    favourite_teams(now, seat, teams, count, eligible, rules.needed[now.quest])


@compiled
def lead(rules: Rules, now: Now, trace: TraceRow, eligible: int) -> int:
    """The team that a careful leader names."""
    think(rules, now, now.leader)
    find_favourites(rules, now, now.leader, eligible)
    for at in range(now.best_count):
        lean(trace, now.phase, PROPOSE, now.best[at], 0, -1, 1)
    return now.best[below(now, now.best_count) if now.best_count > 1 else 0]


@compiled
def vote(rules: Rules, now: Now, trace: TraceRow, seat: int, is_paired: bool, eligible: int) -> int:
    """1 to approve."""
    think(rules, now, seat)
    needed, allowed, is_evil = rules.needed[now.quest], rules.allowed[now.quest], now.evil >> seat & 1 == 1
    is_last_leader = last_leader(now.leader, allowed, now.attempt, rules.seats) == seat
    if is_paired:
        approve, reject = surely(prefers(now, seat, now.first_team, now.team))
    elif rules.has_vote_track and now.attempt == allowed:
        is_enough = (now.team & now.fellows[seat]).bit_count() >= needed
        approve, reject = surely(not gives_up(is_evil, is_enough, now.successes))
    elif not rules.has_vote_track and not is_evil and is_last_leader:
        find_favourites(rules, now, seat, eligible)
        approve, reject = surely(cost(now, seat, now.team, needed) <= cost(now, seat, now.best[0], needed))
    else:
        approve, reject = vote_on(rules, now, seat, now.team, needed)
    if approve:
        lean(trace, now.phase, VOTE, 1, 0, 0, approve)
    if reject:
        lean(trace, now.phase, VOTE, 0, 0, 0, reject)
    return 1 if drawn_of_two(now, approve, reject) else 0


@compiled
def prefers(now: Now, seat: int, first: int, second: int) -> bool:
    """T14, `paired`: Evil wants the team with Evil on it; otherwise the less suspect one goes."""
    on_first, on_second = first & now.fellows[seat] != 0, second & now.fellows[seat] != 0
    if on_first != on_second:
        return on_first
    return cost(now, seat, first, 1) <= cost(now, seat, second, 1)


@compiled
def lay_card(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    role, needed = now.roles[seat], rules.needed[now.quest]
    card = SUCCESS
    if role == LANCELOT:
        think(rules, now, seat)
        if rules.reversal and needed == 1 and surely_on(now, seat, now.team) > 0:
            card = REVERSE
    elif role == AGRAVAINE:
        card = FAIL  # T17: he has no other
    elif wants_to_fail(now, seat, needed, doubtful(rules, now, seat)):
        card = FAIL
        if role == MAELAGANT and rules.reversal and needed == 1 and (now.team & now.fellows[seat]).bit_count() == 1:
            lean(trace, now.phase, LAY, REVERSE, 0, 0, REVERSING[0])
            lean(trace, now.phase, LAY, FAIL, 0, 0, REVERSING[1] - REVERSING[0])
            return REVERSE if below(now, REVERSING[1]) < REVERSING[0] else FAIL
    lean(trace, now.phase, LAY, card, 0, 0, 1)
    return card


# The Assassin


@compiled
def choose_call(rules: Rules, now: Now, trace: TraceRow) -> tuple[int, int]:
    """T23: the verb, and the target or the two; those who never left each other out are called as the Lovers."""
    bond = likeliest_lovers(rules, now) if rules.has_lovers else 0
    if bond < A_BOND and (rules.has_merlin or not rules.has_lovers):
        verb = CALL_MERLIN if rules.has_merlin else CALL_NIMUE
        return verb, any_of(now, trace, verb, likeliest_merlins(rules, now))
    for at in range(now.best_count):
        lean(trace, now.phase, CALL_LOVERS, now.best[at], 0, 0, 1)
    return CALL_LOVERS, now.best[below(now, now.best_count) if now.best_count > 1 else 0]
