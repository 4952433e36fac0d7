"""THavalon compiled: the same phases as games/thavalon/game.py, over whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.bots.careful.knowledge import mask_of
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.deal import LOVERS
from roundtable.games.thavalon.options import NIMUE_AT
from roundtable.games.thavalon.setup import AGRAVAINE_FROM, FIRST_ROUND_PROPOSALS, TWO_FAILS_FROM, ThavalonSetup
from roundtable.lab.kernels.chance import below, fraction, next_word, seed_luck, signed, split
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.contract import Crew
from roundtable.lab.kernels.pages import Pages, note
from roundtable.lab.kernels.quests import (
    CARDS,
    EVIL,
    FAIL,
    GOOD,
    MERLIN,
    MOST_SEATS,
    QUEST_RULES,
    REVERSE,
    ROLES,
    SUCCESS,
    Now,
    QuestKernel,
    any_member,
    has_majority,
    lay_out,
    left_of,
    quest_fails,
    roles_in_bits,
    seat_bots,
    seat_roles,
    seats_in,
)
from roundtable.table.actions import Action, Expire
from roundtable.table.seats import CLOCK

REASONS = ("three_failures", "target_assassinated", "target_survived")
THREE_FAILURES, TARGET_ASSASSINATED, TARGET_SURVIVED = range(len(REASONS))
PROPOSE, VOTE, LAY, ARTHUR, AGRAVAINE, GO_ON, CALL_MERLIN, CALL_NIMUE, CALL_LOVERS, CALL_NOBODY, EXPIRE = range(1, 12)
ARTHUR_ROLE, AGRAVAINE_ROLE, NIMUE, LANCELOT, MAELAGANT = (
    ROLES.index(role) for role in (Role.ARTHUR, Role.AGRAVAINE, Role.NIMUE, Role.LANCELOT, Role.MAELAGANT)
)
TRISTAN, ISEULT = ROLES.index(Role.TRISTAN), ROLES.index(Role.ISEULT)
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
        ("evil", np.int64),
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
    lay_out(rules, setup.seats, TWO_FAILS_FROM)
    for side, pool in (("good_pool", setup.good_pool), ("evil_pool", setup.evil_pool)):
        rules[side][: len(pool)] = [ROLES.index(role) for role in pool]
        rules[side + "_size"] = len(pool)
    rules["good"], rules["evil"] = setup.sides
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
    seat_bots(now, rules.seats, crew)
    while True:
        now.quest = now.successes + now.failures + 1
        agree_on_team(rules, now, pages)
        if now.failures < TO_WIN:
            go_on_quest(rules, now, pages)
        if now.failures == TO_WIN:
            return THREE_FAILURES
        if now.successes == TO_WIN:
            return call(rules, now, pages)
        now.leader = left_of(now.leader, rules.seats)


@compiled
def proposals_allowed(rules: Rules, now: Now) -> int:
    """T14."""
    return FIRST_ROUND_PROPOSALS if now.quest == 1 else rules.later_proposals


@compiled
def agree_on_team(rules: Rules, now: Now, pages: Pages) -> None:
    """T14 to T16, T21: until a team is sent, or Agravaine's declaration ends the game."""
    now.attempt = 1
    allowed = proposals_allowed(rules, now)
    is_paired = rules.is_paired and now.quest == 1
    while True:
        is_last = now.attempt == allowed
        if not ask_for_team(rules, now, pages, is_last or is_paired):
            if now.failures == TO_WIN:
                return
            pass_lead(rules, now)
            continue
        if is_paired and not is_last:
            now.first_team = now.team
            pass_lead(rules, now)
            continue
        if now.window and not stand(rules, now, pages):
            if now.failures == TO_WIN:
                return
            continue  # the same leader proposes again
        now.window = 0
        if is_last and not is_paired:
            return
        if not vote(rules, now, pages):
            continue
        if is_paired:
            now.team = now.first_team if is_approved(rules, now) else now.team
            return
        if is_approved(rules, now):
            return
        pass_lead(rules, now)


@compiled
def pass_lead(rules: Rules, now: Now) -> None:
    now.leader = left_of(now.leader, rules.seats)
    now.attempt += 1


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
        if seat == now.leader and not (may_declare(now, seat) and below(now, 2)):
            propose(rules, now, pages)
            return True
        if may_declare(now, seat):
            declare(now, pages, seat)
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
    now.length += 1
    note(pages, now.leader, now.phase, PROPOSE, now.team, 0, -1)


@compiled
def draw_team(rules: Rules, now: Now) -> int:
    """One word of chance has the team, and a coin for each ballot and each card. Gives the team's place in the list."""
    word = next_word(now)
    now.coins = signed(word & np.uint64((1 << 20) - 1))
    size, part = rules.sizes[now.quest], signed(word >> np.uint64(20))
    if now.arthur < 0 or now.quest == QUESTS:
        place = part * rules.team_counts[size] >> 44
        now.team = rules.teams[size, place]
    else:  # T16: a declared Arthur stays at home
        place = part * rules.team_counts_without[size] >> 44
        team = rules.teams_without[size, place]
        below_arthur = (1 << now.arthur) - 1
        now.team = (team & below_arthur) | (team & ~below_arthur) << 1
    return place


@compiled
def stand(rules: Rules, now: Now, pages: Pages) -> bool:
    """T21: whether the proposal stands until its vote, with nobody declaring."""
    now.phase += 1
    if rules.clock and not may_anyone_declare(now):
        return time_is_up(now, pages)
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_declare(now, seat) and (rules.clock or below(now, 2)):
            declare(now, pages, seat)
            return False
        if not rules.clock:
            go_on(now, pages, seat)
    return time_is_up(now, pages) if rules.clock else True


@compiled
def reckon(rules: Rules, now: Now, pages: Pages) -> None:
    """T21: before the assassination Agravaine may still turn the third success."""
    now.phase += 1
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_turn(now, seat) and (rules.clock or below(now, 2)):
            declare(now, pages, seat)
            return
        if not rules.clock:
            go_on(now, pages, seat)
    if rules.clock:
        time_is_up(now, pages)
    now.window = 0


@compiled
def go_on(now: Now, pages: Pages, seat: int) -> None:
    now.length += 1
    note(pages, seat, now.phase, GO_ON, 0, 0, 0)


@compiled
def time_is_up(now: Now, pages: Pages) -> bool:
    now.length += 1
    note(pages, CLOCK, now.phase, EXPIRE, 0, 0, 0)
    return True


@compiled
def vote(rules: Rules, now: Now, pages: Pages) -> bool:
    """A12: whether all votes came in; Arthur's declaration discards them (T16)."""
    now.phase += 1
    now.ballots = now.coins & rules.everyone
    if arthur_may_declare(now) and now.where[ARTHUR_ROLE]:
        return vote_with_arthur(rules, now, pages)
    now.length += rules.seats
    if pages.are_kept:
        for seat in range(rules.seats):
            note(pages, seat, now.phase, VOTE, now.ballots >> seat & 1, 0, 0)
    return True


@compiled
def vote_with_arthur(rules: Rules, now: Now, pages: Pages) -> bool:
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_declare_as_arthur(now, seat) and below(now, 2):
            declare(now, pages, seat)
            return False
        now.length += 1
        note(pages, seat, now.phase, VOTE, now.ballots >> seat & 1, 0, 0)
    return True


@compiled
def is_approved(rules: Rules, now: Now) -> bool:
    """A13; a declared Arthur counts twice (T16)."""
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
    return now.where[ARTHUR_ROLE] == 1 << seat and arthur_may_declare(now)


@compiled
def may_turn(now: Now, seat: int) -> bool:
    """T21: Agravaine must have been on that quest."""
    return now.window != 0 and now.where[AGRAVAINE_ROLE] == 1 << seat and now.window_team >> seat & 1 == 1


@compiled
def may_declare(now: Now, seat: int) -> bool:
    return may_declare_as_arthur(now, seat) or may_turn(now, seat)


@compiled
def may_anyone_declare(now: Now) -> bool:
    can_turn = now.window != 0 and now.where[AGRAVAINE_ROLE] & now.window_team != 0
    return can_turn or (now.where[ARTHUR_ROLE] != 0 and arthur_may_declare(now))


@compiled
def declare(now: Now, pages: Pages, seat: int) -> None:
    """A declaration holds for the round: at random it may name any of the round's phases so far."""
    phase = now.phase - below(now, now.phase - now.round_began + 1)
    now.length += 1
    if now.where[ARTHUR_ROLE] == 1 << seat:
        note(pages, seat, phase, ARTHUR, 0, 0, 0)
        now.arthur = seat
    else:
        note(pages, seat, phase, AGRAVAINE, 0, 0, 0)
        now.successes -= 1
        now.failures += 1
        now.window = 0


# Quests and the end


@compiled
def go_on_quest(rules: Rules, now: Now, pages: Pages) -> None:
    """T17 to T22."""
    now.phase += 1
    now.round_began = now.phase + 1
    now.length += rules.sizes[now.quest]
    fails, reverses = lay_cards(now)
    if pages.are_kept:
        for seat in range(rules.seats):
            if now.team >> seat & 1:
                card = FAIL if fails >> seat & 1 else REVERSE if reverses >> seat & 1 else SUCCESS
                note(pages, seat, now.phase, LAY, card, 0, 0)
    if quest_fails(fails.bit_count(), reverses.bit_count(), rules.needed[now.quest]):
        now.failures += 1
        return
    now.successes += 1
    if rules.has_window and fails:
        now.window, now.window_team = now.quest, now.team
        if now.successes == TO_WIN:
            reckon(rules, now, pages)


@compiled
def lay_cards(now: Now) -> tuple[int, int]:
    """T17: the seats that lay a Fail, and those that lay a Reverse, at random."""
    coins = now.coins >> MOST_SEATS
    fails, reverses = coins & now.evil | now.where[AGRAVAINE_ROLE], coins & now.where[LANCELOT]
    if now.where[MAELAGANT] & now.team:
        card = below(now, 3)
        fails = fails | now.where[MAELAGANT] if card == FAIL else fails & ~now.where[MAELAGANT]
        reverses |= now.where[MAELAGANT] if card == REVERSE else 0
    return fails & now.team, reverses & now.team


@compiled
def call(rules: Rules, now: Now, pages: Pages) -> int:
    """T23, T24: first a kind of call, then whom it names."""
    now.phase += 1
    now.length += 1
    kind = below(now, 2 + rules.calls_nimue + rules.calls_nobody)
    if kind == 2 and not rules.calls_nimue:
        kind = 3
    verb = (CALL_MERLIN, CALL_LOVERS, CALL_NIMUE, CALL_NOBODY)[kind]
    others = rules.everyone & ~(1 << now.assassin)
    named = 0
    if verb != CALL_NOBODY:
        named = 1 << any_member(now, others)
    if verb == CALL_LOVERS:
        named |= 1 << any_member(now, others & ~named)
    note(pages, now.assassin, now.phase, verb, named, 0, 0)
    return TARGET_ASSASSINATED if is_right(now, verb, named) else TARGET_SURVIVED


@compiled
def is_right(now: Now, verb: int, named: int) -> bool:
    if verb == CALL_MERLIN:
        return named == now.where[MERLIN]
    if verb == CALL_NIMUE:
        return named == now.where[NIMUE]
    if verb == CALL_LOVERS:
        return named == now.where[TRISTAN] | now.where[ISEULT]
    dealt = now.where[TRISTAN] | now.where[ISEULT] | now.where[MERLIN] | now.where[NIMUE]
    return dealt == 0


# What Python calls


@entry
def play_batch(tables: Any, crew: Crew, seed: np.uint64, first: int, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    rules, now, pages = tables[0][0], tables[1][0], tables[2][0]
    winner, reason, roles, won, length = batch
    for row in range(len(reason)):
        seed_luck(now, seed, first + row)
        reason[row] = why = play(rules, crew, now, pages)
        winner[row] = side = GOOD if why == TARGET_SURVIVED else EVIL
        length[row] = now.length
        for seat in range(rules.seats):
            roles[row, seat] = now.roles[seat]
            won[row, seat] = (now.evil >> seat & 1) == side


@lru_cache(maxsize=1 << 16)
def write_action(phase: int, verb: int, first: int, second: int, third: int) -> Action:
    match verb:
        case _ if verb == PROPOSE:
            return ProposeTeam(phase=phase, team=frozenset(seats_in(first)))
        case _ if verb == VOTE:
            return CastVote(phase=phase, approve=bool(first))
        case _ if verb == LAY:
            return PlayCard(phase=phase, card=CARDS[first])
        case _ if verb == ARTHUR:
            return DeclareArthur(phase=phase)
        case _ if verb == AGRAVAINE:
            return DeclareAgravaine(phase=phase)
        case _ if verb == GO_ON:
            return GoOn(phase=phase)
        case _ if verb == CALL_MERLIN:
            return CallMerlin(phase=phase, target=seats_in(first)[0])
        case _ if verb == CALL_NIMUE:
            return CallNimue(phase=phase, target=seats_in(first)[0])
        case _ if verb == CALL_LOVERS:
            return CallLovers(phase=phase, targets=frozenset(seats_in(first)))
        case _ if verb == CALL_NOBODY:
            return CallNobody(phase=phase)
        case _:
            return Expire(phase=phase)


KERNEL = QuestKernel(
    game=ThavalonSetup.game, reasons=REASONS, rules_of=rules_of, play_batch=play_batch, write=write_action
)
