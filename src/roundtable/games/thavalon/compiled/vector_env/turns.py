"""What follows from a choice: turns, declarations, quests and calls (T16 to T24)."""

from __future__ import annotations

import numpy as np

from roundtable.games.quests.compiled.kernel import quest_fails
from roundtable.games.quests.compiled.vector_env import Now, Rules, clear, count_cards, lay_card, mark_ballot
from roundtable.games.quests.compiled.words import FAIL, MERLIN, REVERSE
from roundtable.games.quests.tables import TO_WIN
from roundtable.games.thavalon.compiled.deal import deal
from roundtable.games.thavalon.compiled.quests import has_target
from roundtable.games.thavalon.compiled.rules import TARGET_ASSASSINATED, TARGET_SURVIVED, THREE_FAILURES
from roundtable.games.thavalon.compiled.vector_env.state import CALL, PROPOSE, QUEST, RECKONING, STAND, VOTE
from roundtable.games.thavalon.compiled.vector_env.teams import (
    ask_for_team,
    close_window,
    count_votes,
    miss_proposal,
    open_vote_or_send,
    propose_again,
    put_on_table,
    size_now,
    this_quest,
)
from roundtable.games.thavalon.compiled.words import ISEULT, NIMUE, TRISTAN
from roundtable.kernels.actions import WAIT
from roundtable.kernels.chance import seed_luck
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.turns import ask_all, ask_next, left_of


@compiled
def begin_game(rules: Rules, now: Now, seed: np.uint64, number: int) -> None:
    now.number = number
    seed_luck(now, seed, number)
    deal(rules, now)
    clear(rules, now)
    now.went_on = now.declared = 0
    now.has_pair = False
    next_round(rules, now)


@compiled
def next_round(rules: Rules, now: Now) -> None:
    now.attempt = 1
    ask_for_team(rules, now)


@compiled
def take(rules: Rules, now: Now, choice: int) -> int:
    """What follows from a choice; the reason if it ends the game."""
    if choice == rules.declare_arthur:
        return declare_arthur(rules, now)
    if choice == rules.declare_agravaine:
        return declare_agravaine(rules, now)
    if now.stage == VOTE:
        return count_votes(rules, now) if mark_ballot(now, choice == rules.votes) else NOT_OVER
    if now.stage == QUEST:
        return resolve(rules, now) if lay_card(now, choice - rules.cards) else NOT_OVER
    if now.stage == CALL:
        return TARGET_ASSASSINATED if is_right(rules, now, choice) else TARGET_SURVIVED
    if choice == rules.go_on:
        now.went_on |= 1 << now.turn
        return all_went_on(rules, now) if now.went_on == rules.everyone else turn_passes(rules, now)
    if choice == WAIT:
        return turn_passes(rules, now)
    return put_on_table(rules, now, rules.teams[size_now(rules, now), choice - rules.proposals[this_quest(now)]])


@compiled
def turn_passes(rules: Rules, now: Now) -> int:
    """To the next seat to be asked; after the last, time is up (C5)."""
    now.asked &= ~(1 << now.turn)
    if now.asked:
        ask_next(now)
        return NOT_OVER
    if now.stage == PROPOSE:
        return miss_proposal(rules, now)
    return all_went_on(rules, now)


@compiled
def all_went_on(rules: Rules, now: Now) -> int:
    if now.stage == STAND:
        open_vote_or_send(rules, now)
        return NOT_OVER
    close_window(now)
    ask_all(now, CALL, 1 << now.assassin)
    return NOT_OVER


# Declarations


@compiled
def declare_arthur(rules: Rules, now: Now) -> int:
    """T16."""
    now.arthur = now.turn
    return turn_passes(rules, now) if now.stage == PROPOSE else propose_again(rules, now)


@compiled
def declare_agravaine(rules: Rules, now: Now) -> int:
    """T21, T22."""
    now.declared |= 1 << now.turn
    now.result[now.window] = -1
    now.successes -= 1
    now.failures += 1
    close_window(now)
    if now.failures == TO_WIN or now.stage == RECKONING:
        return reckon(rules, now)
    return turn_passes(rules, now) if now.stage == PROPOSE else propose_again(rules, now)


# Quests and the end


@compiled
def resolve(rules: Rules, now: Now) -> int:
    """T18 to T21."""
    count_cards(rules, now)
    cards = now.result_cards[now.quest]
    if quest_fails(cards[FAIL], cards[REVERSE], rules.needed[now.quest]):
        now.result[now.quest] = -1
        now.failures += 1
        return reckon(rules, now)
    now.result[now.quest] = 1
    now.successes += 1
    if rules.has_window and cards[FAIL]:
        now.window, now.window_team, now.went_on = now.quest, now.team, 0
        if now.successes == TO_WIN:
            ask_all(now, RECKONING, rules.everyone)
            return NOT_OVER
    return reckon(rules, now)


@compiled
def reckon(rules: Rules, now: Now) -> int:
    """T22."""
    if now.failures == TO_WIN:
        return THREE_FAILURES
    if now.successes == TO_WIN:
        ask_all(now, CALL, 1 << now.assassin)
    else:
        now.leader = left_of(now.leader, rules.seats)
        next_round(rules, now)
    return NOT_OVER


@compiled
def is_right(rules: Rules, now: Now, choice: int) -> bool:
    """T24."""
    if choice == rules.call_nobody:
        return not has_target(rules, now)
    if rules.call_nimue >= 0 and rules.call_nimue <= choice < rules.call_nimue + rules.seats:
        return 1 << (choice - rules.call_nimue) == now.where[NIMUE]
    if choice < rules.call_merlin + rules.seats:
        return 1 << (choice - rules.call_merlin) == now.where[MERLIN]
    return rules.teams[2, choice - rules.call_lovers] == now.where[TRISTAN] | now.where[ISEULT]


@compiled
def reward(now: Now, seat: int, why: int) -> int:
    return 1 if (now.evil >> seat & 1) == (why != TARGET_SURVIVED) else -1
