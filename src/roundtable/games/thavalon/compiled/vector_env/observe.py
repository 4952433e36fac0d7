"""What the acting seat may choose, and what it knows."""

from __future__ import annotations

from typing import Any

from roundtable.games.quests.compiled.vector_env import (
    AT,
    Now,
    Rules,
    allow_ballots,
    allow_cards,
    allow_seats,
    write_history,
    write_own,
    write_seats,
    write_table,
)
from roundtable.games.quests.compiled.words import EVIL_BITS
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon.compiled.declaring import may_declare_as_arthur, may_turn
from roundtable.games.thavalon.compiled.vector_env.state import (
    CALL,
    COLGREVANCE,
    PROPOSE,
    QUEST,
    RECKONING,
    STAND,
    TOLD_OF_HIDDEN,
    VOTE,
)
from roundtable.games.thavalon.compiled.vector_env.teams import size_now, this_quest
from roundtable.games.thavalon.compiled.words import ARTHUR, NIMUE, TITANIA
from roundtable.kernels.actions import WAIT
from roundtable.kernels.compiling import compiled


@compiled
def write_mask(rules: Rules, now: Now, mask: Any) -> None:
    mask[:] = 0
    if now.stage == VOTE:
        allow_ballots(rules, mask)
    elif now.stage == QUEST:
        allow_cards(rules, now, mask)
    elif now.stage == CALL:
        allow_calls(rules, now, mask)
    elif now.stage == PROPOSE and now.turn == now.leader:
        allow_teams(rules, now, mask)
    else:
        mask[WAIT] = 1
    if (now.stage == STAND or now.stage == RECKONING) and not rules.clock and not now.went_on >> now.turn & 1:
        mask[rules.go_on] = 1
    allow_declarations(rules, now, mask)


@compiled
def allow_declarations(rules: Rules, now: Now, mask: Any) -> None:
    if now.stage == PROPOSE or now.stage == STAND or now.stage == VOTE:
        if may_declare_as_arthur(rules, now, now.turn):
            mask[rules.declare_arthur] = 1
    if now.stage == PROPOSE or now.stage == STAND or now.stage == RECKONING:
        if may_turn(now, now.turn):
            mask[rules.declare_agravaine] = 1


@compiled
def allow_teams(rules: Rules, now: Now, mask: Any) -> None:
    """T16: a declared Arthur stays at home until the fifth quest."""
    size, quest = size_now(rules, now), this_quest(now)
    barred = 1 << now.arthur if now.arthur >= 0 and quest < QUESTS else 0
    for place in range(rules.team_counts[size]):
        if not rules.teams[size, place] & barred:
            mask[rules.proposals[quest] + place] = 1


@compiled
def allow_calls(rules: Rules, now: Now, mask: Any) -> None:
    """T23."""
    others = rules.everyone & ~(1 << now.turn)
    allow_seats(rules, mask, rules.call_merlin, others)
    if rules.calls_nimue:
        allow_seats(rules, mask, rules.call_nimue, others)
    if rules.calls_lovers:
        allow_lovers(rules, mask, others)
    if rules.calls_nobody:
        mask[rules.call_nobody] = 1


@compiled
def allow_lovers(rules: Rules, mask: Any, others: int) -> None:
    for place in range(rules.team_counts[2]):
        if rules.teams[2, place] & others == rules.teams[2, place]:
            mask[rules.call_lovers + place] = 1


# What it knows


@compiled
def write_row(rules: Rules, now: Now, row: Any) -> None:
    row[:] = 0
    write_own(rules, now, row)
    write_told(rules, now, row)
    write_table(rules, now, row, now.stage == CALL)
    write_history(rules, now, row)
    place = rules.place
    if now.has_pair:
        write_seats(rules, row, place[AT.first_team], now.first_team)
    if now.arthur >= 0:
        row[place[AT.arthur] + now.arthur] = 1
    write_seats(rules, row, place[AT.agravaine], now.declared)
    if now.window:
        row[place[AT.window] + now.window - 1] = 1
    row[place[AT.went_on]] = now.went_on >> now.turn & 1


@compiled
def write_told(rules: Rules, now: Now, row: Any) -> None:
    """T9 to T11."""
    own = now.roles[now.turn]
    if own in (NIMUE, ARTHUR):
        for role in range(len(now.where)):
            is_told = role != own and now.where[role] != 0 and (own == NIMUE or not EVIL_BITS >> role & 1)
            if is_told:
                row[rules.place[AT.told_roles] + rules.role_place[role]] = 1
    if TOLD_OF_HIDDEN >> own & 1:
        row[rules.place[AT.notices]] = now.where[COLGREVANCE] != 0
        row[rules.place[AT.notices] + 1] = now.where[TITANIA] != 0
