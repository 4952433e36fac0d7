"""THavalon a choice at a time: what a number stands for, and which numbers a seat may choose."""

from __future__ import annotations

from typing import Any

from roundtable.games.quests.compiled.choices import allow_ballots, allow_cards, allow_seats, lay_card, mark_ballot
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon.compiled.declaring import may_declare_as_arthur, may_turn
from roundtable.games.thavalon.compiled.phases import (
    CALL,
    PROPOSE,
    QUEST,
    RECKONING,
    STAND,
    VOTE,
    all_went_on,
    call,
    count_votes,
    declare_agravaine,
    declare_arthur,
    miss_proposal,
    put_on_table,
    resolve,
)
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import CALL_LOVERS, CALL_MERLIN, CALL_NIMUE, CALL_NOBODY
from roundtable.kernels.actions import WAIT
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER


@compiled
def take(rules: Rules, now: Now, seat: int, choice: int) -> int:
    """What follows from a seat's choice."""
    if choice == rules.declare_arthur or choice == rules.declare_agravaine:
        return take_declaration(rules, now, seat, choice == rules.declare_arthur)
    if now.stage == VOTE:
        mark_ballot(now, seat, choice == rules.votes)
        return NOT_OVER if now.asked else count_votes(rules, now)
    if now.stage == QUEST:
        lay_card(now, seat, choice - rules.cards)
        return NOT_OVER if now.asked else resolve(rules, now)
    if now.stage == CALL:
        return take_call(rules, now, choice)
    if choice == WAIT:
        return pass_turn(rules, now, seat)
    if now.stage == PROPOSE:
        size, place = rules.sizes[now.quest], choice - rules.proposals[now.quest]
        return put_on_table(rules, now, rules.teams[size, place])
    now.went_on |= 1 << seat
    return all_went_on(rules, now) if now.went_on == rules.everyone else pass_turn(rules, now, seat)


@compiled
def take_declaration(rules: Rules, now: Now, seat: int, is_arthur: bool) -> int:
    phase = now.phase
    why = declare_arthur(rules, now, seat) if is_arthur else declare_agravaine(rules, now, seat)
    return pass_turn(rules, now, seat) if why == NOT_OVER and now.phase == phase else why


@compiled
def pass_turn(rules: Rules, now: Now, seat: int) -> int:
    """The seat is not asked again in this phase; after the last, time is up (C5)."""
    now.asked &= ~(1 << seat)
    if now.asked:
        return NOT_OVER
    return miss_proposal(rules, now) if now.stage == PROPOSE else all_went_on(rules, now)


@compiled
def take_call(rules: Rules, now: Now, choice: int) -> int:
    """T23."""
    if choice == rules.call_nobody:
        return call(rules, now, CALL_NOBODY, 0)
    if rules.call_nimue >= 0 and rules.call_nimue <= choice < rules.call_nimue + rules.seats:
        return call(rules, now, CALL_NIMUE, choice - rules.call_nimue)
    if choice < rules.call_merlin + rules.seats:
        return call(rules, now, CALL_MERLIN, choice - rules.call_merlin)
    return call(rules, now, CALL_LOVERS, rules.teams[2, choice - rules.call_lovers])


# What a seat may choose


@compiled
def write_mask(rules: Rules, now: Now, seat: int, mask: Any) -> None:
    """A one for every number that the seat may choose; who is not asked can only wait."""
    mask[:] = 0
    if not now.asked >> seat & 1:
        mask[WAIT] = 1
        return
    if now.stage == VOTE:
        allow_ballots(rules, mask)
    elif now.stage == QUEST:
        allow_cards(rules, now, seat, mask)
    elif now.stage == CALL:
        allow_calls(rules, seat, mask)
    elif now.stage == PROPOSE and seat == now.leader:
        allow_teams(rules, now, mask)
    else:
        mask[WAIT] = 1
    if (now.stage == STAND or now.stage == RECKONING) and not rules.clock and not now.went_on >> seat & 1:
        mask[rules.go_on] = 1
    allow_declarations(rules, now, seat, mask)


@compiled
def allow_declarations(rules: Rules, now: Now, seat: int, mask: Any) -> None:
    if now.stage == PROPOSE or now.stage == STAND or now.stage == VOTE:
        if may_declare_as_arthur(rules, now, seat):
            mask[rules.declare_arthur] = 1
    if now.stage == PROPOSE or now.stage == STAND or now.stage == RECKONING:
        if may_turn(now, seat):
            mask[rules.declare_agravaine] = 1


@compiled
def allow_teams(rules: Rules, now: Now, mask: Any) -> None:
    """T16: a declared Arthur stays at home until the fifth quest."""
    size = rules.sizes[now.quest]
    barred = 1 << now.arthur if now.arthur >= 0 and now.quest < QUESTS else 0
    for place in range(rules.team_counts[size]):
        if not rules.teams[size, place] & barred:
            mask[rules.proposals[now.quest] + place] = 1


@compiled
def allow_calls(rules: Rules, seat: int, mask: Any) -> None:
    """T23."""
    others = rules.everyone & ~(1 << seat)
    allow_seats(rules, mask, rules.call_merlin, others)
    if rules.calls_nimue:
        allow_seats(rules, mask, rules.call_nimue, others)
    if rules.calls_lovers:
        for place in range(rules.team_counts[2]):
            if rules.teams[2, place] & others == rules.teams[2, place]:
                mask[rules.call_lovers + place] = 1
    if rules.calls_nobody:
        mask[rules.call_nobody] = 1
