"""THavalon compiled: the same phases as games/thavalon/game.py, over whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.bots.careful.knowledge import mask_of
from roundtable.games.quests.options import teams
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.games.thavalon.deal import LOVERS, SIGHTS
from roundtable.games.thavalon.options import NIMUE_AT
from roundtable.games.thavalon.setup import AGRAVAINE_FROM, FIRST_ROUND_PROPOSALS, TWO_FAILS_FROM, ThavalonSetup
from roundtable.lab.kernels.careful.mind import remember_poll, remember_result
from roundtable.lab.kernels.careful.thavalon import choose_call, declares, lay_card, lead, with_gap
from roundtable.lab.kernels.careful.thavalon import vote as careful_vote
from roundtable.lab.kernels.chance import below, fraction, next_word, seed_luck, signed, split
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.contract import Crew
from roundtable.lab.kernels.pages import WAIT, Pages, lean, note
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
    seat_bots,
    seat_roles,
)
from roundtable.lab.kernels.words import (
    AGRAVAINE,
    ARTHUR,
    CALL_LOVERS,
    CALL_MERLIN,
    CALL_NIMUE,
    CALL_NOBODY,
    DECLARE_AGRAVAINE,
    DECLARE_ARTHUR,
    EVIL,
    EXPIRE,
    FAIL,
    GO_ON,
    GOOD,
    ISEULT,
    LANCELOT,
    LAY,
    MAELAGANT,
    MERLIN,
    MOST_SEATS,
    NIMUE,
    PROPOSE,
    REVERSE,
    ROLES,
    SUCCESS,
    TRISTAN,
    VOTE,
    number_of,
    roles_in_bits,
)
from roundtable.table.seats import CLOCK

REASONS = ("three_failures", "target_assassinated", "target_survived")
THREE_FAILURES, TARGET_ASSASSINATED, TARGET_SURVIVED = range(len(REASONS))
LOVERS_BITS = roles_in_bits(LOVERS)
MOST_IN_POOL = 8

Rules = Any  # a row of RULES
RULES = np.dtype(
    [
        *QUEST_RULES,
        ("good_pool", np.int64, MOST_IN_POOL),
        ("good_pool_size", np.int64),
        ("good", np.int64),  # how many are Good
        ("evil_pool", np.int64, MOST_IN_POOL),
        ("evil_pool_size", np.int64),
        ("later_proposals", np.int64),
        ("is_paired", np.bool_),
        ("calls_nimue", np.bool_),
        ("calls_nobody", np.bool_),
        ("has_window", np.bool_),  # whether a success may be declared a failure
        ("clock", np.bool_),
        ("teams_without", np.int64, (MOST_SEATS, 126)),  # teams of one seat fewer, where Arthur stays at home
        ("team_counts_without", np.int64, MOST_SEATS),
    ]
)


@lru_cache(maxsize=256)
def rules_of(setup: ThavalonSetup) -> Any:
    table = np.zeros(1, RULES)
    rules = table[0]
    good, evil = setup.sides
    lay_out(rules, setup.seats, evil, TWO_FAILS_FROM, SIGHTS)
    for side, pool in (("good_pool", setup.good_pool), ("evil_pool", setup.evil_pool)):
        rules[side][: len(pool)] = [number_of(role) for role in pool]
        rules[side + "_size"] = len(pool)
    rules["good"] = good
    rules["later_proposals"] = setup.later_proposals
    rules["is_paired"] = setup.first_round == "paired"
    rules["calls_nimue"] = setup.seats == NIMUE_AT
    rules["calls_nobody"] = setup.no_target_call
    rules["has_window"] = setup.seats >= AGRAVAINE_FROM
    rules["clock"] = setup.clock
    for size in range(1, setup.seats):
        masks = [mask_of(team) for team in teams(tuple(range(setup.seats - 1)), size)]
        rules["teams_without"][size, : len(masks)] = masks
        rules["team_counts_without"][size] = len(masks)
    return table


# The deal


@compiled
def deal(rules: Rules, now: Now) -> None:
    """T2 to T4."""
    part = draw_good(rules, now, fraction(now))
    for place in range(rules.evil_pool_size):
        now.pool[place] = rules.evil_pool[place]
    part = draw(now, rules.evil_pool_size, rules.evil, part)
    for place in range(rules.evil):
        now.roles[rules.good + place] = now.pool[place]
    seat_roles(now, rules.seats)
    now.assassin = any_member(now, now.evil)
    for role in range(len(ROLES)):
        now.where[role] = 0
    for seat in range(rules.seats):
        now.where[now.roles[seat]] = 1 << seat
    now.phase, now.length, now.round_began = 0, 0, 1
    now.successes = now.failures = now.window = 0
    now.arthur = -1


@compiled
def draw(now: Now, pool: int, count: int, part: int) -> int:
    """Bring `count` of the pool's roles to its front, every selection equally likely."""
    roles = now.pool
    for place in range(count):
        other, part = split(part, pool - place)
        roles[place], roles[place + other] = roles[place + other], roles[place]
    return part


@compiled
def draw_good(rules: Rules, now: Now, part: int) -> int:
    """T3: the lovers come together or not at all."""
    roles, places = now.pool, rules.good
    for place in range(rules.good_pool_size):
        roles[place] = rules.good_pool[place]
    part = draw(now, rules.good_pool_size, places, part)
    lovers, lone = 0, 0
    for place in range(places):
        if LOVERS_BITS >> roles[place] & 1:
            lovers, lone = lovers + 1, place
    if lovers == 1:
        part = unite_or_replace(rules, now, lone, part)
    for place in range(places):
        now.roles[place] = roles[place]
    return part


@compiled
def unite_or_replace(rules: Rules, now: Now, lone: int, part: int) -> int:
    """T3: the lone lover makes way for another role, or somebody else makes way for the other lover."""
    roles, places = now.pool, rules.good
    replacements = rules.good_pool_size - places - 1  # of those who were not drawn one is the other lover
    coin = 1
    if replacements > 0:
        coin, part = split(part, 2)
    if coin == 0:
        other, part = split(part, replacements)
        for place in range(places, rules.good_pool_size):
            if LOVERS_BITS >> roles[place] & 1:
                continue
            if other == 0:
                roles[lone] = roles[place]
            other -= 1
    else:
        other, part = split(part, places - 1)
        other += other >= lone
        roles[other] = TRISTAN + ISEULT - roles[lone]
    return part


# The phases


@compiled
def play(rules: Rules, crew: Crew, now: Now, pages: Pages) -> int:
    """A whole game; gives the reason why it ended."""
    deal(rules, now)
    seat_bots(rules, now, crew)
    while True:
        now.quest = now.successes + now.failures + 1
        agree_on_team(rules, now, pages)
        if now.failures < TO_WIN:
            go_on_quest(rules, now, pages)
        if now.failures == TO_WIN:
            return THREE_FAILURES
        if now.successes == TO_WIN:
            return call(rules, now, pages)
        now.leader = rules.left[now.leader]


@compiled
def agree_on_team(rules: Rules, now: Now, pages: Pages) -> None:
    """T14 to T16, T21: until a team is sent, or Agravaine's declaration ends the game."""
    now.attempt = 1
    is_paired = rules.is_paired and now.quest == 1
    while now.failures < TO_WIN:
        is_last = now.attempt == proposals_allowed(rules, now)
        if not ask_for_team(rules, now, pages, is_last or is_paired):
            pass_lead(rules, now)
        elif is_paired and not is_last:
            now.first_team, now.leader_of_first = now.team, now.leader
            pass_lead(rules, now)
        elif now.window and not stand(rules, now, pages):
            continue  # after a declaration the same leader proposes again
        elif is_last and not is_paired:
            now.window = 0
            return
        elif vote(rules, now, pages, is_paired):
            is_approved = count_votes(rules, now, is_paired)
            if is_paired and is_approved:
                now.team = now.first_team
            if is_paired or is_approved:
                return
            pass_lead(rules, now)


@compiled
def proposals_allowed(rules: Rules, now: Now) -> int:
    """T14."""
    return FIRST_ROUND_PROPOSALS if now.quest == 1 else rules.later_proposals


@compiled
def pass_lead(rules: Rules, now: Now) -> None:
    now.leader = rules.left[now.leader]
    now.attempt += 1


@compiled
def eligible(rules: Rules, now: Now) -> int:
    """T16: a declared Arthur stays at home until the fifth quest."""
    return rules.everyone if now.arthur < 0 or now.quest == QUESTS else rules.everyone & ~(1 << now.arthur)


@compiled
def ask_for_team(rules: Rules, now: Now, pages: Pages, must_be: bool) -> bool:
    """Whether a team is on the table; without one the leader has missed the turn, or the game is over."""
    now.phase += 1
    if not may_anyone_declare(now):
        propose(rules, now, pages)
        return True
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if seat == now.leader:
            if not (may_declare(now, seat) and not is_careful(now, seat) and below(now, 2)):
                propose(rules, now, pages)
                return True
            declare(now, pages, seat)
        elif may_declare(now, seat):
            if not is_careful(now, seat) or declares(rules, now, seat, False):
                declare(now, pages, seat)
            else:
                note(pages, seat, now.phase, WAIT, 0, 0, 0)
        if now.failures == TO_WIN:
            return False
    return draw_for_the_absent(rules, now, pages, must_be)


@compiled
def draw_for_the_absent(rules: Rules, now: Now, pages: Pages, must_be: bool) -> bool:
    """C5: a missed proposal counts as rejected; the last one is drawn."""
    now.length += 1
    if not must_be:
        note(pages, CLOCK, now.phase, EXPIRE, 0, 0, 0)
        return False
    note(pages, CLOCK, now.phase, EXPIRE, draw_team(rules, now), 1, 0)
    return True


@compiled
def propose(rules: Rules, now: Now, pages: Pages) -> None:
    draw_team(rules, now)
    if is_careful(now, now.leader):
        lead(rules, now, pages, eligible(rules, now))
    now.length += 1
    note(pages, now.leader, now.phase, PROPOSE, now.team, 0, -1)


@compiled
def draw_team(rules: Rules, now: Now) -> int:
    """One word of chance has the team, and a coin for each ballot and each card. Gives the team's place in the list."""
    word = next_word(now)
    now.coins = signed(word & np.uint64((1 << 20) - 1))
    size, part = rules.sizes[now.quest], signed(word >> np.uint64(20))
    if eligible(rules, now) == rules.everyone:
        place = part * rules.team_counts[size] >> 44
        now.team = rules.teams[size, place]
    else:
        place = part * rules.team_counts_without[size] >> 44
        now.team = with_gap(rules.teams_without[size, place], now.arthur)
    return place


@compiled
def stand(rules: Rules, now: Now, pages: Pages) -> bool:
    """T21: whether the proposal stands until its vote, with nobody declaring."""
    now.phase += 1
    if rules.clock and not may_anyone_declare(now):
        return time_is_up(now, pages)
    if does_somebody_declare(rules, now, pages, True):
        return False
    return time_is_up(now, pages) if rules.clock else True


@compiled
def reckon(rules: Rules, now: Now, pages: Pages) -> None:
    """T21: before the assassination Agravaine may still turn the third success."""
    now.phase += 1
    if not does_somebody_declare(rules, now, pages, False) and rules.clock:
        time_is_up(now, pages)
    now.window = 0


@compiled
def does_somebody_declare(rules: Rules, now: Now, pages: Pages, has_team: bool) -> bool:
    """Everybody is asked in turn; without a clock they say that they have nothing to declare."""
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_turn(now, seat) or (has_team and may_declare_as_arthur(now, seat)):
            will = declares(rules, now, seat, has_team) if is_careful(now, seat) else rules.clock or below(now, 2) == 0
            if will:
                declare(now, pages, seat)
                return True
            if rules.clock:
                note(pages, seat, now.phase, WAIT, 0, 0, 0)
        if not rules.clock:
            now.length += 1
            if is_careful(now, seat):
                lean(pages, now.phase, GO_ON, 0, 0, 0, 1)
            note(pages, seat, now.phase, GO_ON, 0, 0, 0)
    return False


@compiled
def time_is_up(now: Now, pages: Pages) -> bool:
    now.length += 1
    note(pages, CLOCK, now.phase, EXPIRE, 0, 0, 0)
    return True


@compiled
def vote(rules: Rules, now: Now, pages: Pages, is_paired: bool) -> bool:
    """A12: whether all votes came in; Arthur's declaration discards them (T16). Agravaine's window is closed."""
    now.phase += 1
    now.window = 0
    now.ballots = now.coins & rules.everyone
    if now.where[ARTHUR] and arthur_may_declare(now):
        return vote_with_arthur(rules, now, pages)
    now.length += rules.seats
    if now.careful or pages.are_kept:
        for seat in range(rules.seats):
            mark_ballot(rules, now, pages, seat, is_paired)
    return True


@compiled
def vote_with_arthur(rules: Rules, now: Now, pages: Pages) -> bool:
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_declare_as_arthur(now, seat):
            if declares(rules, now, seat, True) if is_careful(now, seat) else below(now, 2) == 0:
                declare(now, pages, seat)
                return False
        now.length += 1
        mark_ballot(rules, now, pages, seat, False)
    return True


@compiled
def mark_ballot(rules: Rules, now: Now, pages: Pages, seat: int, is_paired: bool) -> None:
    if is_careful(now, seat):
        allowed = proposals_allowed(rules, now)
        approves = careful_vote(rules, now, pages, seat, is_paired, allowed, eligible(rules, now))
        now.ballots = now.ballots & ~(1 << seat) | approves << seat
    note(pages, seat, now.phase, VOTE, now.ballots >> seat & 1, 0, 0)


@compiled
def count_votes(rules: Rules, now: Now, is_paired: bool) -> bool:
    """A13; a declared Arthur counts twice (T16)."""
    if now.careful and is_paired:
        remember_poll(rules, now, now.first_team, now.leader_of_first)
    elif now.careful:
        remember_poll(rules, now, now.team, now.leader)
    approvals, votes = now.ballots.bit_count(), rules.seats
    if now.arthur >= 0:
        approvals += now.ballots >> now.arthur & 1
        votes += 1
    return has_majority(approvals, votes)


@compiled
def shuffle_order(rules: Rules, now: Now) -> None:
    """In which order the bots are asked."""
    order, part = now.order, fraction(now)
    for last in range(rules.seats):
        other, part = split(part, last + 1)
        order[last] = order[other]
        order[other] = last


# Declarations


@compiled
def arthur_may_declare(now: Now) -> bool:
    """T16: exactly two quests have failed and at most one has succeeded."""
    return now.arthur < 0 and now.failures == 2 and now.successes <= 1


@compiled
def may_declare_as_arthur(now: Now, seat: int) -> bool:
    return now.where[ARTHUR] == 1 << seat and arthur_may_declare(now)


@compiled
def may_turn(now: Now, seat: int) -> bool:
    """T21: Agravaine must have been on that quest."""
    return now.window != 0 and now.where[AGRAVAINE] & now.window_team == 1 << seat


@compiled
def may_declare(now: Now, seat: int) -> bool:
    return may_declare_as_arthur(now, seat) or may_turn(now, seat)


@compiled
def may_anyone_declare(now: Now) -> bool:
    can_turn = now.window != 0 and now.where[AGRAVAINE] & now.window_team != 0
    return can_turn or (now.where[ARTHUR] != 0 and arthur_may_declare(now))


@compiled
def declare(now: Now, pages: Pages, seat: int) -> None:
    """A declaration holds for the round: at random it names any of the round's phases so far."""
    phase, is_arthur = now.phase, now.where[ARTHUR] == 1 << seat
    verb = DECLARE_ARTHUR if is_arthur else DECLARE_AGRAVAINE
    if is_careful(now, seat):
        lean(pages, phase, verb, 0, 0, 0, 1)
    else:
        phase -= below(now, phase - now.round_began + 1)
    now.length += 1
    note(pages, seat, phase, verb, 0, 0, 0)
    if is_arthur:
        now.arthur = seat
        now.news += 1
    else:
        now.successes -= 1
        now.failures += 1
        now.window = 0


# Quests and the end


@compiled
def go_on_quest(rules: Rules, now: Now, pages: Pages) -> None:
    """T18 to T22."""
    now.phase += 1
    now.round_began = now.phase + 1
    now.length += rules.sizes[now.quest]
    fails, reverses = draw_cards(now)
    if now.careful or pages.are_kept:
        fails, reverses = lay_cards(rules, now, pages, fails, reverses)
    if now.careful:
        remember_result(rules, now, fails.bit_count(), reverses.bit_count())
    if quest_fails(fails.bit_count(), reverses.bit_count(), rules.needed[now.quest]):
        now.failures += 1
        return
    now.successes += 1
    if rules.has_window and fails:
        now.window, now.window_team = now.quest, now.team
        if now.successes == TO_WIN:
            reckon(rules, now, pages)


@compiled
def draw_cards(now: Now) -> tuple[int, int]:
    """T17: the seats that lay a Fail, and those that lay a Reverse, at random."""
    coins = now.coins >> MOST_SEATS
    fails, reverses = coins & now.evil | now.where[AGRAVAINE], coins & now.where[LANCELOT]
    if now.where[MAELAGANT] & now.team:
        card = below(now, 3)
        fails = fails | now.where[MAELAGANT] if card == FAIL else fails & ~now.where[MAELAGANT]
        reverses |= now.where[MAELAGANT] if card == REVERSE else 0
    return fails & now.team, reverses & now.team


@compiled
def lay_cards(rules: Rules, now: Now, pages: Pages, fails: int, reverses: int) -> tuple[int, int]:
    """The same with what careful members lay instead."""
    for seat in range(rules.seats):
        if now.team >> seat & 1:
            card = FAIL if fails >> seat & 1 else REVERSE if reverses >> seat & 1 else SUCCESS
            if is_careful(now, seat):
                card = lay_card(rules, now, pages, seat)
                fails = fails & ~(1 << seat) | (card == FAIL) << seat
                reverses = reverses & ~(1 << seat) | (card == REVERSE) << seat
            note(pages, seat, now.phase, LAY, card, 0, 0)
    return fails, reverses


@compiled
def call(rules: Rules, now: Now, pages: Pages) -> int:
    """T23, T24."""
    now.phase += 1
    now.length += 1
    if is_careful(now, now.assassin):
        verb, named = choose_call(rules, now, pages)
    else:
        verb, named = draw_call(rules, now)
    note(pages, now.assassin, now.phase, verb, named, 0, 0)
    return TARGET_ASSASSINATED if is_right(now, verb, named) else TARGET_SURVIVED


@compiled
def draw_call(rules: Rules, now: Now) -> tuple[int, int]:
    """First a kind of call, then whom it names."""
    kind = below(now, 2 + rules.calls_nimue + rules.calls_nobody)
    if kind == 2 and not rules.calls_nimue:
        kind = 3
    verb = (CALL_MERLIN, CALL_LOVERS, CALL_NIMUE, CALL_NOBODY)[kind]
    others = rules.everyone & ~(1 << now.assassin)
    if verb == CALL_NOBODY:
        return verb, 0
    target = any_member(now, others)
    if verb == CALL_LOVERS:
        return verb, 1 << target | 1 << any_member(now, others & ~(1 << target))
    return verb, target


@compiled
def is_right(now: Now, verb: int, named: int) -> bool:
    lovers = now.where[TRISTAN] | now.where[ISEULT]
    if verb == CALL_LOVERS:
        return named == lovers
    if verb == CALL_MERLIN:
        return now.where[MERLIN] == 1 << named
    if verb == CALL_NIMUE:
        return now.where[NIMUE] == 1 << named
    return lovers | now.where[MERLIN] | now.where[NIMUE] == 0


# What Python calls


@entry
def play_batch(tables: Any, crew: Crew, seed: np.uint64, first: int, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    rules, now, pages = tables[0][0], tables[1][0], tables[2][0]
    for row in range(len(batch[0])):
        seed_luck(now, seed, first + row)
        why = play(rules, crew, now, pages)
        enter(rules, now, batch, row, why, GOOD if why == TARGET_SURVIVED else EVIL)


KERNEL = QuestKernel(game=ThavalonSetup.game, reasons=REASONS, rules_of=rules_of, play_batch=play_batch)
