"""The phases of Avalon: what follows from a team, votes, cards, the Lady, Excalibur and a shot (A11 to A25).

The same as in games/avalon/game.py, over whole numbers. Each function gives the reason if the game ends, or NOT_OVER.
"""

from __future__ import annotations

from typing import Any

from roundtable.games.avalon.compiled.rules import (
    EVIL_WINS_BY,
    FIVE_REJECTIONS,
    LADY_AFTER_BITS,
    MERLIN_ASSASSINATED,
    MERLIN_SURVIVED,
    THREE_FAILURES,
    THREE_SUCCESSES,
    Rules,
)
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.compiled.common import (
    any_member,
    clear,
    draw_coins,
    has_majority,
    quest_fails,
    read_deal,
    right_of,
    seat_bots,
    seat_roles,
    send_team,
)
from roundtable.games.quests.compiled.mind import recall, remember_poll, remember_result
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import EVIL, GOOD, MERLIN
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.positions import DEALT
from roundtable.kernels.turns import open_phase

PROPOSE, VOTE, QUEST, EXCALIBUR, LADY, SHOT = range(6)  # in the order of the row's phases


# The start


@compiled
def deal(rules: Rules, now: Now) -> None:
    """A5."""
    for seat in range(rules.seats):
        now.roles[seat] = rules.deck[seat]
    seat_roles(now, rules.seats)
    now.assassin = -1
    if rules.assassins:
        able = 0
        for seat in range(rules.seats):
            able |= (rules.assassins >> now.roles[seat] & 1) << seat
        now.assassin = any_member(now, able)


@compiled
def begin(rules: Rules, now: Now, crew: Any) -> None:
    """The first phase after the deal."""
    seat_bots(rules, now, crew)
    clear(rules, now)
    now.lady = right_of(now.first_leader, rules.seats)
    now.lady_has_been_with = 1 << now.lady
    ask_for_team(now, now.first_leader, 1)


@compiled
def take_up(rules: Rules, now: Now, crew: Any) -> None:
    """Go on from a position."""
    read_deal(rules, now)
    if now.stage == DEALT:
        begin(rules, now, crew)
        return
    now.length = 0
    seat_bots(rules, now, crew)
    if now.careful:
        recall(rules, now)
        learn_again(rules, now)
    draw_coins(now)


@compiled
def learn_again(rules: Rules, now: Now) -> None:
    """What the Lady and Excalibur have shown."""
    for seat in range(rules.seats):
        if now.examined[seat] >= 0:
            learn(now, seat, 1 << now.examined[seat])
    if rules.excalibur:
        for at in range(now.result_count):
            if now.turner[at] >= 0 and now.turned_fail[at]:
                now.learned_evil[now.turner[at]] |= now.evil & 1 << now.turned[at]


@compiled
def learn(now: Now, holder: int, target: int) -> None:
    now.learned_evil[holder] |= now.evil & target
    now.learned_good[holder] |= ~now.evil & target


# Teams and votes


@hot
def ask_for_team(now: Now, leader: int, attempt: int) -> None:
    now.leader = leader
    now.attempt = attempt
    open_phase(now, PROPOSE, 1 << leader)


@compiled
def open_quests(rules: Rules, now: Now) -> int:
    """As bits. A24: those that were not played; the fifth only after two successes."""
    if not rules.choose_quests:
        return 2 << (now.successes + now.failures)
    unplayed = ((2 << QUESTS) - 2) & ~now.played
    return unplayed if now.successes >= 2 else unplayed & ~(1 << QUESTS)


@hot
def put_on_table(rules: Rules, now: Now) -> int:
    """A11, A15: quest, team and bearer have been named."""
    if now.remembers:
        now.voted = 0
    if rules.hammer and now.attempt == LAST_ATTEMPT:
        send_team(now, QUEST)
    else:
        open_phase(now, VOTE, rules.everyone)
    return NOT_OVER


@hot
def count_votes(rules: Rules, now: Now) -> int:
    """A13 to A15."""
    if now.remembers:
        now.voted = rules.everyone
        remember_poll(rules, now, now.team, now.leader)
    if has_majority(now.ballots.bit_count(), rules.seats):
        send_team(now, QUEST)
        return NOT_OVER
    if now.attempt == LAST_ATTEMPT:
        return FIVE_REJECTIONS
    ask_for_team(now, rules.left[now.leader], now.attempt + 1)
    return NOT_OVER


# Quests


@hot
def cards_are_in(rules: Rules, now: Now) -> int:
    if not rules.excalibur:
        return resolve(rules, now)
    if now.remembers:
        now.turned[now.result_count] = now.turner[now.result_count] = -1
    open_phase(now, EXCALIBUR, 1 << now.holder)
    return NOT_OVER


@compiled
def turn_card(rules: Rules, now: Now, target: int) -> int:
    """A25: the holder turns this member's card, or none for -1."""
    if target >= 0:
        fail = now.fails & 1 << target
        if now.remembers:
            at = now.result_count
            now.turned[at], now.turner[at], now.turned_fail[at] = target, now.holder, fail != 0
            now.learned_evil[now.holder] |= fail
        now.fails = now.fails ^ 1 << target if rules.turns_success else now.fails & ~(1 << target)
    return resolve(rules, now)


@hot
def resolve(rules: Rules, now: Now) -> int:
    """A18 to A20, A23."""
    has_failed = quest_fails(now.fails.bit_count(), 0, rules.needed[now.quest])
    if now.remembers:
        remember_result(rules, now, now.fails.bit_count(), 0, has_failed)
    now.played |= 1 << now.quest
    if has_failed:
        now.failures += 1
    else:
        now.successes += 1
    if now.failures == TO_WIN:
        return THREE_FAILURES
    if now.successes == TO_WIN:
        return start_shot(now)
    if rules.lady and LADY_AFTER_BITS >> (now.successes + now.failures) & 1:
        open_phase(now, LADY, 1 << now.lady)
        return NOT_OVER
    return next_quest(rules, now)


@hot
def next_quest(rules: Rules, now: Now) -> int:
    ask_for_team(now, rules.left[now.leader], 1)
    return NOT_OVER


# The Lady and the shot


@compiled
def examine(rules: Rules, now: Now, target: int) -> int:
    """A23: the holder alone learns the side; -1 keeps the Lady."""
    if target >= 0:
        if now.remembers:
            now.examined[now.lady] = target
            learn(now, now.lady, 1 << target)
            now.news += 1
        now.lady = target
        now.lady_has_been_with |= 1 << target
    return next_quest(rules, now)


@compiled
def start_shot(now: Now) -> int:
    """A21; without Merlin there is no shot (A27)."""
    if now.assassin < 0:
        return THREE_SUCCESSES
    open_phase(now, SHOT, 1 << now.assassin)
    return NOT_OVER


@compiled
def shoot(rules: Rules, now: Now, target: int) -> int:
    """A22."""
    return MERLIN_ASSASSINATED if now.roles[target] == MERLIN else MERLIN_SURVIVED


@compiled
def side_of(why: int) -> int:
    """The side that wins by this."""
    return EVIL if why in EVIL_WINS_BY else GOOD
