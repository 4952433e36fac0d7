"""What the acting seat may choose, and what it knows."""

from __future__ import annotations

from typing import Any

from roundtable.games.avalon.compiled.teams import open_quests
from roundtable.games.avalon.compiled.vector_env.state import EXCALIBUR, LADY, PROPOSE, QUEST, SHOT, VOTE
from roundtable.games.quests.compiled.vector_env import (
    AT,
    Now,
    Rules,
    allow_ballots,
    allow_cards,
    allow_seats,
    member_at,
    write_history,
    write_own,
    write_seats,
    write_table,
)
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.compiling import compiled


@compiled
def write_mask(rules: Rules, now: Now, mask: Any) -> None:
    mask[:] = 0
    if now.stage == VOTE:
        allow_ballots(rules, mask)
    elif now.stage == QUEST:
        allow_cards(rules, now, mask)
    elif now.stage == PROPOSE:
        allow_teams(rules, now, mask)
    elif now.stage == EXCALIBUR:
        allow_seats(rules, mask, rules.uses, now.team & ~(1 << now.turn))
        mask[rules.leave] = 1
    elif now.stage == LADY:
        allow_seats(rules, mask, rules.examines, rules.everyone & ~now.lady_has_been_with)
        if rules.lady_may_pass:
            mask[rules.keep] = 1
    else:
        allow_seats(rules, mask, rules.shots, rules.everyone & ~(1 << now.turn))


@compiled
def allow_teams(rules: Rules, now: Now, mask: Any) -> None:
    quests = open_quests(rules, now)
    for quest in range(1, QUESTS + 1):
        if not quests >> quest & 1:
            continue
        first, size = rules.proposals[quest], rules.sizes[quest]
        for place in range(rules.team_counts[size]):
            if not rules.excalibur:
                mask[first + place] = 1
                continue
            for bearer in range(size):
                mask[first + place * size + bearer] = member_at(rules.teams[size, place], bearer) != now.turn


# What it knows


@compiled
def write_row(rules: Rules, now: Now, row: Any) -> None:
    row[:] = 0
    write_own(rules, now, row)
    write_table(rules, now, row, now.stage == SHOT)
    write_history(rules, now, row)
    if rules.lady:
        write_lady(rules, now, row)
    if rules.excalibur:
        write_excalibur(rules, now, row)


@compiled
def write_lady(rules: Rules, now: Now, row: Any) -> None:
    place = rules.place
    row[place[AT.lady] + now.lady] = 1
    write_seats(rules, row, place[AT.lady_has_been_with], now.lady_has_been_with)
    for holder in range(rules.seats):
        target = now.examined[holder]
        if target >= 0:
            row[place[AT.examined] + holder * rules.seats + target] = 1
            if holder == now.turn:
                row[place[AT.loyalties] + target] = -1 if now.evil >> target & 1 else 1


@compiled
def write_excalibur(rules: Rules, now: Now, row: Any) -> None:
    place = rules.place
    if now.has_team and now.holder >= 0:
        row[place[AT.excalibur] + now.holder] = 1
    for quest in range(1, QUESTS + 1):
        target = now.turned[quest]
        if target >= 0:
            at = (quest - 1) * rules.seats + target
            row[place[AT.turned] + at] = 1
            if now.turner[quest] == now.turn:
                row[place[AT.turned_was] + at] = -1 if now.turned_fail[quest] else 1
