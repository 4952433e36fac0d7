"""What a seat knows of a game of THavalon, as a row of numbers."""

from __future__ import annotations

from typing import Any

from roundtable.games.quests.compiled.choices import AT
from roundtable.games.quests.compiled.observe import write_history, write_own, write_seats, write_table
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import EVIL_BITS, number_of, roles_in_bits
from roundtable.games.quests.roles import Role
from roundtable.games.thavalon.compiled.phases import CALL, PROPOSE, QUEST, STAND, VOTE, is_paired
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import ARTHUR, NIMUE, TITANIA
from roundtable.games.thavalon.deal import SEEN_BY_EVIL
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER

COLGREVANCE = number_of(Role.COLGREVANCE)
TOLD_OF_HIDDEN = roles_in_bits(SEEN_BY_EVIL)  # T11


@compiled
def write_row(rules: Rules, now: Now, seat: int, row: Any) -> None:
    row[:] = 0
    place = rules.place
    has_voted = rules.everyone & ~now.asked if now.stage == VOTE else now.voted
    has_laid = now.team & ~now.asked if now.stage == QUEST and now.why == NOT_OVER else 0
    write_own(rules, now, seat, row, has_voted, has_laid)
    write_told(rules, now, seat, row)
    write_table(rules, now, row, has_voted, has_team(rules, now), now.stage == CALL)
    write_history(rules, now, row)
    if now.has_pair:
        write_seats(rules, row, place[AT.first_team], now.first_team)
    if now.arthur >= 0:
        row[place[AT.arthur] + now.arthur] = 1
    write_seats(rules, row, place[AT.agravaine], now.declared)
    if now.window:
        row[place[AT.window] + now.window - 1] = 1
    row[place[AT.went_on]] = now.went_on >> seat & 1


@compiled
def has_team(rules: Rules, now: Now) -> bool:
    """Whether a team is on the table."""
    if now.stage == PROPOSE:
        return is_paired(rules, now) and now.attempt > 1
    return now.stage == STAND or (now.why == NOT_OVER and (now.stage == VOTE or now.stage == QUEST))


@compiled
def write_told(rules: Rules, now: Now, seat: int, row: Any) -> None:
    """T9 to T11."""
    own = now.roles[seat]
    if own in (NIMUE, ARTHUR):
        for role in range(len(now.where)):
            is_told = role != own and now.where[role] != 0 and (own == NIMUE or not EVIL_BITS >> role & 1)
            if is_told:
                row[rules.place[AT.told_roles] + rules.role_place[role]] = 1
    if TOLD_OF_HIDDEN >> own & 1:
        row[rules.place[AT.notices]] = now.where[COLGREVANCE] != 0
        row[rules.place[AT.notices] + 1] = now.where[TITANIA] != 0
