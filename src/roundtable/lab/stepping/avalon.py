"""Avalon a choice at a time, compiled: the kernel's deal and tables, and the phases of games/avalon/game.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.avalon.actions import ExamineLoyalty, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.setup import LAST_ATTEMPT, AvalonSetup
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.lab.environments.actions import UNSAID, Actions
from roundtable.lab.environments.layout import Layout
from roundtable.lab.kernels.avalon import (
    EVIL_WINS_BY,
    FIVE_REJECTIONS,
    LADY_AFTER_BITS,
    MERLIN_ASSASSINATED,
    MERLIN_SURVIVED,
    REASONS,
    RULES,
    THREE_FAILURES,
    THREE_SUCCESSES,
    deal,
    open_quests,
    rules_of,
)
from roundtable.lab.kernels.chance import seed_luck
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.quests import has_majority, quest_fails
from roundtable.lab.kernels.words import FAIL, MERLIN, MOST_SEATS, SUCCESS
from roundtable.lab.stepping.quests import (
    AT,
    GOES_ON,
    QUEST_STATE,
    QUEST_STEPS,
    ROLE_NAMES,
    Now,
    Rules,
    allow_ballots,
    allow_cards,
    allow_seats,
    clear,
    count_cards,
    deal_of,
    lay_card,
    lay_out_row,
    mark_ballot,
    member_at,
    number_choices,
    write_history,
    write_own,
    write_poll,
    write_seats,
    write_table,
)
from roundtable.lab.stepping.steps import EVERYTHING_ALLOWED, Steps
from roundtable.lab.stepping.turns import ask_all, left_of

PROPOSE, VOTE, QUEST, EXCALIBUR, LADY, SHOT = range(6)  # in the order of the row's phases

STATE = np.dtype(
    [
        *QUEST_STATE,
        ("turned", np.int64, QUESTS + 1),  # by quest: whose card was turned, by whom, and whether it was a Fail
        ("turner", np.int64, QUESTS + 1),
        ("turned_fail", np.int64, QUESTS + 1),
        ("examined", np.int64, MOST_SEATS),  # by holder
    ]
)
STEP_RULES = np.dtype(
    [
        *RULES.descr,
        *QUEST_STEPS,
        ("uses", np.int64),  # the first number of each kind of move
        ("leave", np.int64),
        ("examines", np.int64),
        ("shots", np.int64),
    ]
)


def step_rules_of(setup: AvalonSetup, actions: Actions, layout: Layout) -> Any:
    table = np.zeros(1, STEP_RULES)
    rules = table[0]
    for name in RULES.names or ():
        rules[name] = rules_of(setup)[0][name]
    lay_out_row(rules, setup, layout, SIGHTS)
    number_choices(rules, setup, actions, setup.choose_quests, setup.excalibur != "off")
    if setup.excalibur != "off":
        rules["uses"] = actions.number(UseExcalibur(phase=UNSAID, target=0))
        rules["leave"] = actions.number(LeaveExcalibur(phase=UNSAID))
    if setup.lady:
        rules["examines"] = actions.number(ExamineLoyalty(phase=UNSAID, target=0))
    if setup.merlin:
        rules["shots"] = actions.number(ShootMerlin(phase=UNSAID, target=0))
    return table


# The phases; those that end a game give the reason, and all others GOES_ON


@compiled
def begin_game(rules: Rules, now: Now, seed: np.uint64, number: int) -> None:
    now.number = number
    seed_luck(now, seed, number)
    deal(rules, now)
    clear(rules, now)
    for quest in range(1, QUESTS + 1):
        now.turned[quest] = now.turner[quest] = -1
    for seat in range(rules.seats):
        now.examined[seat] = -1
    ask_for_team(now, 1)


@compiled
def ask_for_team(now: Now, attempt: int) -> None:
    now.attempt = attempt
    now.stage = PROPOSE
    now.turn = now.leader


@compiled
def take(rules: Rules, now: Now, choice: int) -> int:
    """What follows from a choice."""
    if now.stage == VOTE:
        return count_votes(rules, now) if mark_ballot(now, choice == rules.votes) else GOES_ON
    if now.stage == QUEST:
        return cards_are_in(rules, now) if lay_card(now, choice - rules.cards) else GOES_ON
    if now.stage == PROPOSE:
        return propose(rules, now, choice)
    if now.stage == EXCALIBUR:
        return turn_card(rules, now, choice)
    if now.stage == LADY:
        return examine(rules, now, choice - rules.examines)
    return MERLIN_ASSASSINATED if now.roles[choice - rules.shots] == MERLIN else MERLIN_SURVIVED


@compiled
def propose(rules: Rules, now: Now, choice: int) -> int:
    """A11, A15, A24, A25."""
    now.quest = quest_of(rules, now, choice)
    size = rules.sizes[now.quest]
    place = choice - rules.proposals[now.quest]
    now.holder = -1
    if rules.excalibur:
        now.team = rules.teams[size, place // size]
        now.holder = member_at(now.team, place % size)
    else:
        now.team = rules.teams[size, place]
    now.has_team = True
    now.voted = now.ballots = 0
    if now.attempt == LAST_ATTEMPT and rules.hammer:
        ask_all(now, QUEST, now.team)
    else:
        ask_all(now, VOTE, rules.everyone)
    return GOES_ON


@compiled
def quest_of(rules: Rules, now: Now, choice: int) -> int:
    """The quest that a team was named for."""
    if not rules.choose_quests:
        return now.successes + now.failures + 1
    quest = 1
    while quest < QUESTS and rules.proposals[quest + 1] <= choice:
        quest += 1
    return quest


@compiled
def count_votes(rules: Rules, now: Now) -> int:
    """A13 to A15."""
    write_poll(now, now.leader, now.team)
    if has_majority(now.ballots.bit_count(), rules.seats):
        ask_all(now, QUEST, now.team)
        return GOES_ON
    now.has_team = False
    if now.attempt == LAST_ATTEMPT:
        return FIVE_REJECTIONS
    now.leader = left_of(now.leader, rules.seats)
    ask_for_team(now, now.attempt + 1)
    return GOES_ON


@compiled
def cards_are_in(rules: Rules, now: Now) -> int:
    if not rules.excalibur:
        return resolve(rules, now)
    now.stage = EXCALIBUR
    now.turn = now.holder
    return GOES_ON


@compiled
def turn_card(rules: Rules, now: Now, choice: int) -> int:
    """A25."""
    if choice != rules.leave:
        target = choice - rules.uses
        was_fail = now.laid[target] == FAIL
        now.turned[now.quest] = target
        now.turner[now.quest] = now.turn
        now.turned_fail[now.quest] = was_fail
        if was_fail:
            now.laid[target] = SUCCESS
        elif rules.turns_success:
            now.laid[target] = FAIL
    return resolve(rules, now)


@compiled
def resolve(rules: Rules, now: Now) -> int:
    """A18 to A20, A23."""
    count_cards(rules, now)
    now.played |= 1 << now.quest
    if quest_fails(now.result_cards[now.quest, FAIL], 0, rules.needed[now.quest]):
        now.result[now.quest] = -1
        now.failures += 1
    else:
        now.result[now.quest] = 1
        now.successes += 1
    if now.failures == TO_WIN:
        return THREE_FAILURES
    if now.successes == TO_WIN:
        return start_shot(now)
    if rules.lady and LADY_AFTER_BITS >> (now.successes + now.failures) & 1:
        now.stage = LADY
        now.turn = now.lady
    else:
        next_quest(rules, now)
    return GOES_ON


@compiled
def start_shot(now: Now) -> int:
    """A21, A27."""
    if now.assassin < 0:
        return THREE_SUCCESSES
    now.stage = SHOT
    now.turn = now.assassin
    return GOES_ON


@compiled
def next_quest(rules: Rules, now: Now) -> None:
    now.leader = left_of(now.leader, rules.seats)
    ask_for_team(now, 1)


@compiled
def examine(rules: Rules, now: Now, target: int) -> int:
    """A23."""
    now.examined[now.turn] = target
    now.lady = target
    now.lady_has_been_with |= 1 << target
    next_quest(rules, now)
    return GOES_ON


# What may be chosen


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


# What the acting seat knows


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


# What Python calls


@entry
def begin_all(tables: Any, states: Any, seed: np.uint64) -> None:
    for game in range(len(states)):
        begin_game(tables[0], states[game], seed, game)


@entry
def step_all(tables: Any, states: Any, seed: np.uint64, choices: Any, endings: Any) -> int:
    """A choice in every game, unless one of them is not allowed: then the number of that game."""
    rules = tables[0]
    masks, ended, rewards, reason, roles = endings
    for game in range(len(states)):
        choice = choices[game]
        if choice < 0 or choice >= masks.shape[1] or not masks[game, choice]:
            return game
    for game in range(len(states)):
        now = states[game]
        why = take(rules, now, choices[game])
        ended[game] = why != GOES_ON
        rewards[game] = 0
        if why == GOES_ON:
            continue
        reason[game] = why
        for seat in range(rules.seats):
            roles[game, seat] = now.roles[seat]
            rewards[game, seat] = 1 if (now.evil >> seat & 1) == (why in EVIL_WINS_BY) else -1
        begin_game(rules, now, seed, now.number + len(states))
    return EVERYTHING_ALLOWED


@entry
def look_all(tables: Any, states: Any, seen: Any) -> None:
    turn, masks, rows = seen
    for game in range(len(states)):
        now = states[game]
        turn[game] = now.turn
        write_mask(tables[0], now, masks[game])
        write_row(tables[0], now, rows[game])


STEPS = Steps(
    state=STATE,
    reasons=REASONS,
    roles=ROLE_NAMES,
    rules_of=step_rules_of,
    deal_of=deal_of,
    begin=begin_all,
    step=step_all,
    look=look_all,
)
