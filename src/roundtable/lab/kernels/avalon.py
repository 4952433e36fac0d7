"""Avalon compiled: the same phases as games/avalon/game.py, over whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.bots.careful.avalon import fails_made
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.game import LADY_AFTER
from roundtable.games.avalon.setup import LAST_ATTEMPT, AvalonSetup
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.quests.tables import QUESTS, SIDES_BY_COUNT, TO_WIN
from roundtable.lab.kernels.careful.avalon import (
    choose_card_to_turn,
    choose_whom_to_examine,
    choose_whom_to_shoot,
    lay_card,
    lead,
)
from roundtable.lab.kernels.careful.avalon import vote as careful_vote
from roundtable.lab.kernels.careful.mind import remember_poll, remember_result
from roundtable.lab.kernels.chance import below, next_word, seed_luck, signed
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.contract import Crew
from roundtable.lab.kernels.pages import Pages, note
from roundtable.lab.kernels.quests import (
    QUEST_RULES,
    Now,
    QuestKernel,
    any_member,
    enter,
    has_majority,
    is_careful,
    lay_out,
    quest_fails,
    right_of,
    seat_bots,
    seat_roles,
)
from roundtable.lab.kernels.words import (
    EVIL,
    EXAMINE,
    FAIL,
    GOOD,
    LAY,
    LEAVE_EXCALIBUR,
    MERLIN,
    MOST_SEATS,
    PROPOSE,
    SHOOT,
    SUCCESS,
    USE_EXCALIBUR,
    VOTE,
    number_of,
    roles_in_bits,
)

REASONS = ("three_failures", "five_rejections", "three_successes", "merlin_assassinated", "merlin_survived")
THREE_FAILURES, FIVE_REJECTIONS, THREE_SUCCESSES, MERLIN_ASSASSINATED, MERLIN_SURVIVED = range(len(REASONS))
EVIL_WINS_BY = (THREE_FAILURES, FIVE_REJECTIONS, MERLIN_ASSASSINATED)
LADY_AFTER_BITS = sum(1 << quests for quests in LADY_AFTER)

Rules = Any  # a row of RULES
RULES = np.dtype(
    [
        *QUEST_RULES,
        ("deck", np.int64, MOST_SEATS),
        ("assassins", np.int64),  # roles that the Assassin is drawn from; none where nobody is shot
        ("hammer", np.bool_),  # whether the fifth team goes without a vote
        ("lady", np.bool_),
        ("choose_quests", np.bool_),
        ("excalibur", np.bool_),
        ("turns_success", np.bool_),
        ("fails_made", np.int64),  # by Excalibur, at most, in a quest
        ("morganas", np.int64),
    ]
)


@lru_cache(maxsize=256)
def rules_of(setup: AvalonSetup) -> Any:
    table = np.zeros(1, RULES)
    rules = table[0]
    lay_out(rules, setup.seats, SIDES_BY_COUNT[setup.seats][1], setup.two_fails_from, SIGHTS)
    rules["deck"][: setup.seats] = [number_of(role) for role in setup.all_roles]
    rules["morganas"] = Role.MORGANA in setup.special_roles
    rules["fails_made"] = fails_made(setup.excalibur)
    rules["assassins"] = assassins_of(setup)
    rules["hammer"] = setup.hammer == "auto"
    rules["lady"] = setup.lady
    rules["choose_quests"] = setup.choose_quests
    rules["excalibur"] = setup.excalibur != "off"
    rules["turns_success"] = setup.excalibur == "both"
    return table


def assassins_of(setup: AvalonSetup) -> int:
    """A4: the Assassin is a card, or a duty that falls on any Evil player but Oberon; A27: or nobody."""
    if not setup.merlin:
        return 0
    if setup.has_duty:
        return roles_in_bits(EVIL_ROLES - {Role.OBERON})
    return roles_in_bits([Role.ASSASSIN])


# The phases


@compiled
def play(rules: Rules, crew: Crew, now: Now, pages: Pages) -> int:
    """A whole game; gives the reason why it ended."""
    deal(rules, now)
    seat_bots(rules, now, crew)
    while True:
        if not agree_on_team(rules, now, pages):
            return FIVE_REJECTIONS
        go_on_quest(rules, now, pages)
        if now.failures == TO_WIN:
            return THREE_FAILURES
        if now.successes == TO_WIN:
            return shoot(rules, now, pages)
        if rules.lady and LADY_AFTER_BITS >> (now.successes + now.failures) & 1:
            examine(rules, now, pages)
        now.leader = rules.left[now.leader]


@compiled
def deal(rules: Rules, now: Now) -> None:
    """A5."""
    for seat in range(rules.seats):
        now.roles[seat] = rules.deck[seat]
    seat_roles(now, rules.seats)
    now.phase = now.length = 0
    now.successes = now.failures = now.played = 0
    now.assassin = -1
    if rules.assassins:
        able = 0
        for seat in range(rules.seats):
            able |= (rules.assassins >> now.roles[seat] & 1) << seat
        now.assassin = any_member(now, able)
    now.lady = right_of(now.leader, rules.seats)
    now.lady_has_been_with = 1 << now.lady


@compiled
def agree_on_team(rules: Rules, now: Now, pages: Pages) -> bool:
    """A11 to A15: whether a team was found before the fifth rejection."""
    for attempt in range(1, LAST_ATTEMPT + 1):
        propose(rules, now, pages)
        is_last = attempt == LAST_ATTEMPT
        if is_last and rules.hammer:
            return True
        vote(rules, now, pages, is_last)
        if has_majority(now.ballots.bit_count(), rules.seats):
            return True
        if not is_last:
            now.leader = rules.left[now.leader]
    return False


@compiled
def propose(rules: Rules, now: Now, pages: Pages) -> None:
    """One word of chance has the team, and a coin for each ballot and each card."""
    now.phase += 1
    now.length += 1
    word = next_word(now)
    now.coins = signed(word & np.uint64((1 << 20) - 1))
    now.holder = -1
    if is_careful(now, now.leader):
        lead(rules, now, pages, open_quests(rules, now))
    else:
        now.quest = now.successes + now.failures + 1
        if rules.choose_quests:
            now.quest = any_member(now, open_quests(rules, now))
        size = rules.sizes[now.quest]
        now.team = rules.teams[size, signed(word >> np.uint64(20)) * rules.team_counts[size] >> 44]
        if rules.excalibur:
            now.holder = any_member(now, now.team & ~(1 << now.leader))
    note(pages, now.leader, now.phase, PROPOSE, now.team, now.quest if rules.choose_quests else 0, now.holder)


@compiled
def open_quests(rules: Rules, now: Now) -> int:
    """As bits. A24: those that were not played; the fifth only after two successes."""
    if not rules.choose_quests:
        return 2 << (now.successes + now.failures)
    unplayed = ((2 << QUESTS) - 2) & ~now.played
    return unplayed if now.successes >= 2 else unplayed & ~(1 << QUESTS)


@compiled
def vote(rules: Rules, now: Now, pages: Pages, is_last: bool) -> None:
    """A12."""
    now.phase += 1
    now.length += rules.seats
    now.ballots = now.coins & rules.everyone
    if now.careful == 0 and not pages.are_kept:
        return
    for seat in range(rules.seats):
        if is_careful(now, seat):
            approves = careful_vote(rules, now, pages, seat, is_last)
            now.ballots = now.ballots & ~(1 << seat) | approves << seat
        note(pages, seat, now.phase, VOTE, now.ballots >> seat & 1, 0, 0)
    if now.careful:
        remember_poll(rules, now, now.team, now.leader)


@compiled
def go_on_quest(rules: Rules, now: Now, pages: Pages) -> None:
    """A18 to A20."""
    now.phase += 1
    now.length += rules.sizes[now.quest]
    fails = lay_cards(rules, now, pages)
    if rules.excalibur:
        fails = turn_card(rules, now, pages, fails)
    if now.careful:
        remember_result(rules, now, fails.bit_count(), 0)
    now.played |= 1 << now.quest
    if quest_fails(fails.bit_count(), 0, rules.needed[now.quest]):
        now.failures += 1
    else:
        now.successes += 1


@compiled
def lay_cards(rules: Rules, now: Now, pages: Pages) -> int:
    """A17: the seats that lay a Fail."""
    fails = now.coins >> MOST_SEATS & now.evil & now.team
    if now.careful == 0 and not pages.are_kept:
        return fails
    for seat in range(rules.seats):
        if now.team >> seat & 1:
            if is_careful(now, seat):
                card = lay_card(rules, now, pages, seat)
                fails = fails & ~(1 << seat) | (card == FAIL) << seat
            note(pages, seat, now.phase, LAY, FAIL if fails >> seat & 1 else SUCCESS, 0, 0)
    return fails


@compiled
def turn_card(rules: Rules, now: Now, pages: Pages, fails: int) -> int:
    """A25: the Fails that lie on the table after Excalibur."""
    now.phase += 1
    now.length += 1
    if is_careful(now, now.holder):
        target = choose_card_to_turn(rules, now, pages)
    else:
        target = -1 if below(now, 2) else any_member(now, now.team & ~(1 << now.holder))
    if target < 0:
        note(pages, now.holder, now.phase, LEAVE_EXCALIBUR, 0, 0, 0)
        return fails
    note(pages, now.holder, now.phase, USE_EXCALIBUR, target, 0, 0)
    now.learned_evil[now.holder] |= fails & 1 << target
    return fails ^ 1 << target if rules.turns_success else fails & ~(1 << target)


@compiled
def examine(rules: Rules, now: Now, pages: Pages) -> None:
    """A23: the holder alone learns the side."""
    now.phase += 1
    now.length += 1
    unseen = rules.everyone & ~now.lady_has_been_with
    target = choose_whom_to_examine(rules, now, pages, unseen) if is_careful(now, now.lady) else any_member(now, unseen)
    note(pages, now.lady, now.phase, EXAMINE, target, 0, 0)
    now.learned_evil[now.lady] |= now.evil & 1 << target
    now.learned_good[now.lady] |= ~now.evil & 1 << target
    now.news += 1
    now.lady = target
    now.lady_has_been_with |= 1 << target


@compiled
def shoot(rules: Rules, now: Now, pages: Pages) -> int:
    """A21, A22; without Merlin nobody is shot (A27)."""
    if now.assassin < 0:
        return THREE_SUCCESSES
    now.phase += 1
    now.length += 1
    if is_careful(now, now.assassin):
        target = choose_whom_to_shoot(rules, now, pages)
    else:
        target = any_member(now, rules.everyone & ~(1 << now.assassin))
    note(pages, now.assassin, now.phase, SHOOT, target, 0, 0)
    return MERLIN_ASSASSINATED if now.roles[target] == MERLIN else MERLIN_SURVIVED


# What Python calls


@entry
def play_batch(tables: Any, crew: Crew, seed: np.uint64, first: int, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    rules, now, pages = tables[0][0], tables[1][0], tables[2][0]
    for row in range(len(batch[0])):
        seed_luck(now, seed, first + row)
        why = play(rules, crew, now, pages)
        enter(rules, now, batch, row, why, EVIL if why in EVIL_WINS_BY else GOOD)


KERNEL = QuestKernel(game=AvalonSetup.game, reasons=REASONS, rules_of=rules_of, play_batch=play_batch)
