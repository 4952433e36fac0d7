"""What a seat knows of a quest game, as a row of numbers."""

from __future__ import annotations

from typing import Any

from roundtable.games.quests.compiled.choices import AT, KINDS, MOST_SIGHTS, Rules
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import FAIL, REVERSE, SUCCESS
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.chance import signed
from roundtable.kernels.compiling import compiled


@compiled
def write_seats(rules: Rules, row: Any, first: int, seats: int) -> None:
    for seat in range(rules.seats):
        row[first + seat] = seats >> seat & 1


@compiled
def write_own(rules: Rules, now: Now, seat: int, row: Any, has_voted: int, has_laid: int) -> None:
    place, role = rules.place, now.roles[seat]
    row[place[AT.seat] + seat] = 1
    row[place[AT.role] + rules.role_place[role]] = 1
    row[place[AT.has_dagger]] = seat == now.assassin
    for sight in range(MOST_SIGHTS):
        shown = rules.sights[sight, role]
        if shown:
            for other in range(rules.seats):
                row[rules.sight_place[sight] + other] = other != seat and shown >> now.roles[other] & 1
    if has_voted >> seat & 1:
        row[place[AT.own_vote]] = 1 if now.ballots >> seat & 1 else -1
    if has_laid >> seat & 1:
        row[place[AT.own_card] + card_of(now, seat)] = 1


@compiled
def card_of(now: Now, seat: int) -> int:
    return FAIL if now.fails >> seat & 1 else REVERSE if now.reverses >> seat & 1 else SUCCESS


@compiled
def write_table(rules: Rules, now: Now, row: Any, has_voted: int, has_team: bool, is_revealed: bool) -> None:
    place = rules.place
    row[place[AT.phase] + now.stage] = 1
    row[place[AT.leader] + now.leader] = 1
    row[place[AT.attempt] + now.attempt - 1] = 1
    if has_team:
        row[place[AT.quest] + now.quest - 1] = 1
        write_seats(rules, row, place[AT.team], now.team)
    write_seats(rules, row, place[AT.voted], has_voted)
    if is_revealed:
        write_seats(rules, row, place[AT.evil], now.evil)
        row[place[AT.dagger] + now.assassin] = 1


@compiled
def write_history(rules: Rules, now: Now, row: Any) -> None:
    place, seats = rules.place, rules.seats
    for at in range(now.result_count):
        quest, team = now.result_quest[at] - 1, signed(now.result_team[at])
        fails, reverses = now.result_fails[at], now.result_reverses[at]
        row[place[AT.results] + quest] = -1 if now.result_failed[at] else 1
        write_seats(rules, row, place[AT.quest_teams] + quest * seats, team)
        row[place[AT.quest_cards] + quest * KINDS + SUCCESS] = team.bit_count() - fails - reverses
        row[place[AT.quest_cards] + quest * KINDS + FAIL] = fails
        row[place[AT.quest_cards] + quest * KINDS + REVERSE] = reverses
    for poll in range(now.poll_count):
        row[place[AT.poll_quests] + poll * QUESTS + now.poll_quest[poll] - 1] = 1
        row[place[AT.poll_leaders] + poll * seats + now.poll_leader[poll]] = 1
        write_seats(rules, row, place[AT.poll_teams] + poll * seats, signed(now.poll_team[poll]))
        for seat in range(seats):
            row[place[AT.poll_votes] + poll * seats + seat] = 1 if now.poll_ballots[poll] >> seat & 1 else -1
