"""What a seat knows of a game of Avalon, as a row of numbers."""

from __future__ import annotations

from typing import Any

from roundtable.games.avalon.compiled.phases import EXCALIBUR, QUEST, SHOT, VOTE
from roundtable.games.avalon.compiled.rules import Rules
from roundtable.games.quests.compiled.choices import AT
from roundtable.games.quests.compiled.observe import write_history, write_own, write_seats, write_table
from roundtable.games.quests.compiled.state import Now
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER


@compiled
def write_row(rules: Rules, now: Now, seat: int, row: Any) -> None:
    row[:] = 0
    has_voted = rules.everyone & ~now.asked if now.stage == VOTE else now.voted
    has_team = now.why == NOT_OVER and (now.stage == VOTE or now.stage == QUEST or now.stage == EXCALIBUR)
    write_own(rules, now, seat, row, has_voted, has_laid(now))
    write_table(rules, now, row, has_voted, has_team, now.stage == SHOT)
    write_history(rules, now, row)
    if rules.lady:
        write_lady(rules, now, seat, row)
    if rules.excalibur:
        if has_team:
            row[rules.place[AT.excalibur] + now.holder] = 1
        write_excalibur(rules, now, seat, row)


@compiled
def has_laid(now: Now) -> int:
    """Whose card lies on the table."""
    if now.why != NOT_OVER:
        return 0
    return now.team & ~now.asked if now.stage == QUEST else now.team if now.stage == EXCALIBUR else 0


@compiled
def write_lady(rules: Rules, now: Now, seat: int, row: Any) -> None:
    place = rules.place
    row[place[AT.lady] + now.lady] = 1
    write_seats(rules, row, place[AT.lady_has_been_with], now.lady_has_been_with)
    for holder in range(rules.seats):
        target = now.examined[holder]
        if target >= 0:
            row[place[AT.examined] + holder * rules.seats + target] = 1
            if holder == seat:
                row[place[AT.loyalties] + target] = -1 if now.evil >> target & 1 else 1


@compiled
def write_excalibur(rules: Rules, now: Now, seat: int, row: Any) -> None:
    place = rules.place
    for at in range(now.result_count):
        if now.turned[at] >= 0:
            where = (now.result_quest[at] - 1) * rules.seats + now.turned[at]
            row[place[AT.turned] + where] = 1
            if now.turner[at] == seat:
                row[place[AT.turned_was] + where] = -1 if now.turned_fail[at] else 1
