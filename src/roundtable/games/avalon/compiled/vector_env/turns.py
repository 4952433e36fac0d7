"""What follows from a choice: the reason if it ends the game, and otherwise NOT_OVER."""

from __future__ import annotations

import numpy as np

from roundtable.games.avalon.compiled.kernel import deal
from roundtable.games.avalon.compiled.rules import (
    EVIL_WINS_BY,
    FIVE_REJECTIONS,
    LADY_AFTER_BITS,
    MERLIN_ASSASSINATED,
    MERLIN_SURVIVED,
    THREE_FAILURES,
    THREE_SUCCESSES,
)
from roundtable.games.avalon.compiled.vector_env.state import EXCALIBUR, LADY, PROPOSE, QUEST, SHOT, VOTE
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.compiled.kernel import has_majority, quest_fails
from roundtable.games.quests.compiled.vector_env import (
    Now,
    Rules,
    clear,
    count_cards,
    lay_card,
    mark_ballot,
    member_at,
    write_poll,
)
from roundtable.games.quests.compiled.words import FAIL, MERLIN, SUCCESS
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.kernels.chance import seed_luck
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.turns import ask_all, left_of


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
        return count_votes(rules, now) if mark_ballot(now, choice == rules.votes) else NOT_OVER
    if now.stage == QUEST:
        return cards_are_in(rules, now) if lay_card(now, choice - rules.cards) else NOT_OVER
    if now.stage == PROPOSE:
        return propose(rules, now, choice)
    if now.stage == EXCALIBUR:
        return turn_card(rules, now, choice)
    if now.stage == LADY:
        return examine(rules, now, choice)
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
    return NOT_OVER


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
        return NOT_OVER
    now.has_team = False
    if now.attempt == LAST_ATTEMPT:
        return FIVE_REJECTIONS
    now.leader = left_of(now.leader, rules.seats)
    ask_for_team(now, now.attempt + 1)
    return NOT_OVER


@compiled
def cards_are_in(rules: Rules, now: Now) -> int:
    if not rules.excalibur:
        return resolve(rules, now)
    now.stage = EXCALIBUR
    now.turn = now.holder
    return NOT_OVER


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
    return NOT_OVER


@compiled
def start_shot(now: Now) -> int:
    """A21, A27."""
    if now.assassin < 0:
        return THREE_SUCCESSES
    now.stage = SHOT
    now.turn = now.assassin
    return NOT_OVER


@compiled
def next_quest(rules: Rules, now: Now) -> None:
    now.leader = left_of(now.leader, rules.seats)
    ask_for_team(now, 1)


@compiled
def examine(rules: Rules, now: Now, choice: int) -> int:
    """A23."""
    if not rules.lady_may_pass or choice != rules.keep:
        target = choice - rules.examines
        now.examined[now.turn] = target
        now.lady = target
        now.lady_has_been_with |= 1 << target
    next_quest(rules, now)
    return NOT_OVER


@compiled
def reward(now: Now, seat: int, why: int) -> int:
    return 1 if (now.evil >> seat & 1) == (why in EVIL_WINS_BY) else -1
