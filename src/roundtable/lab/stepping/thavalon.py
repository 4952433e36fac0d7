"""THavalon a choice at a time, compiled: the kernel's deal and tables, and the phases of games/thavalon/game.py."""

from __future__ import annotations

from typing import Any

import numpy as np

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
from roundtable.games.thavalon.deal import SEEN_BY_EVIL, SIGHTS
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, ThavalonSetup
from roundtable.lab.environments.actions import UNSAID, WAIT, Actions
from roundtable.lab.environments.layout import Layout
from roundtable.lab.kernels.chance import seed_luck
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.quests import has_majority, quest_fails
from roundtable.lab.kernels.thavalon import (
    REASONS,
    RULES,
    TARGET_ASSASSINATED,
    TARGET_SURVIVED,
    THREE_FAILURES,
    arthur_may_declare,
    deal,
    draw_team,
    may_declare_as_arthur,
    may_turn,
    proposals_allowed,
    rules_of,
)
from roundtable.lab.kernels.words import (
    ARTHUR,
    EVIL_BITS,
    FAIL,
    ISEULT,
    MERLIN,
    NIMUE,
    REVERSE,
    ROLES,
    TITANIA,
    TRISTAN,
    roles_in_bits,
)
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
    number_choices,
    write_history,
    write_own,
    write_poll,
    write_seats,
    write_table,
)
from roundtable.lab.stepping.steps import EVERYTHING_ALLOWED, Steps
from roundtable.lab.stepping.turns import ask_all, ask_next, left_of

PROPOSE, STAND, VOTE, QUEST, RECKONING, CALL = range(6)  # in the order of the row's phases
COLGREVANCE = ROLES.index(Role.COLGREVANCE)
TOLD_OF_HIDDEN = roles_in_bits(SEEN_BY_EVIL)  # T11

STATE = np.dtype(
    [
        *QUEST_STATE,
        ("first_proposer", np.int64),  # of a pair
        ("has_pair", np.bool_),
        ("went_on", np.int64),
        ("declared", np.int64),  # who has declared as Agravaine
        ("drawn", np.int64),  # the place of the last team that was drawn for a leader who named none
    ]
)
STEP_RULES = np.dtype(
    [
        *RULES.descr,
        *QUEST_STEPS,
        ("has_arthur", np.bool_),  # whether he can be dealt
        ("declare_arthur", np.int64),  # the number of each kind of move, or of its first
        ("declare_agravaine", np.int64),
        ("go_on", np.int64),
        ("call_merlin", np.int64),
        ("call_nimue", np.int64),
        ("call_lovers", np.int64),
        ("call_nobody", np.int64),
    ]
)


def step_rules_of(setup: ThavalonSetup, actions: Actions, layout: Layout) -> Any:
    table = np.zeros(1, STEP_RULES)
    rules = table[0]
    for name in RULES.names or ():
        rules[name] = rules_of(setup)[0][name]
    lay_out_row(rules, setup, layout, SIGHTS)
    number_choices(rules, setup, actions, named=False, with_excalibur=False)
    rules["has_arthur"] = Role.ARTHUR in setup.good_pool
    firsts = {
        "declare_arthur": DeclareArthur(phase=UNSAID),
        "declare_agravaine": DeclareAgravaine(phase=UNSAID),
        "go_on": GoOn(phase=UNSAID),
        "call_merlin": CallMerlin(phase=UNSAID, target=0),
        "call_nimue": CallNimue(phase=UNSAID, target=0),
        "call_lovers": CallLovers(phase=UNSAID, targets=frozenset((0, 1))),
        "call_nobody": CallNobody(phase=UNSAID),
    }
    for name, move in firsts.items():
        rules[name] = actions.number(move) if move in actions.moves else -1
    return table


# Proposals and votes


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
def ask_for_team(rules: Rules, now: Now) -> None:
    """The leader, and everybody where somebody might declare."""
    ask_all(now, PROPOSE, rules.everyone if somebody_may_declare(rules, now) else 1 << now.leader)


@compiled
def somebody_may_declare(rules: Rules, now: Now) -> bool:
    """From what everybody knows (T16, T21)."""
    return now.window != 0 or (rules.has_arthur and arthur_may_declare(now))


@compiled
def this_quest(now: Now) -> int:
    return now.successes + now.failures + 1


@compiled
def is_paired(rules: Rules, now: Now) -> bool:
    return rules.is_paired and this_quest(now) == 1


@compiled
def put_on_table(rules: Rules, now: Now, team: int) -> int:
    """T14, T15, T21."""
    now.quest = this_quest(now)
    if is_paired(rules, now) and now.attempt == FIRST_ROUND_PROPOSALS:
        now.first_team, now.has_pair = now.team, True
    now.team = team
    now.has_team = True
    now.voted = now.ballots = 0
    if is_paired(rules, now) and now.attempt < FIRST_ROUND_PROPOSALS:
        now.first_proposer = now.leader
        pass_lead(rules, now)
    elif now.window:
        ask_all(now, STAND, rules.everyone)
    else:
        open_vote_or_send(rules, now)
    return GOES_ON


@compiled
def pass_lead(rules: Rules, now: Now) -> None:
    now.leader = left_of(now.leader, rules.seats)
    now.attempt += 1
    ask_for_team(rules, now)


@compiled
def open_vote_or_send(rules: Rules, now: Now) -> None:
    close_window(now)
    if is_paired(rules, now) or now.attempt < proposals_allowed(rules, now):
        ask_all(now, VOTE, rules.everyone)
    else:
        ask_all(now, QUEST, now.team)


@compiled
def close_window(now: Now) -> None:
    now.window = now.went_on = 0


@compiled
def propose_again(rules: Rules, now: Now) -> int:
    """T16, T21: the same leader, and no proposal is used up."""
    now.has_team = False
    now.voted = now.ballots = now.went_on = 0
    ask_for_team(rules, now)
    return GOES_ON


@compiled
def is_approved(rules: Rules, now: Now) -> bool:
    """A13; a declared Arthur counts twice (T16)."""
    approvals, votes = now.ballots.bit_count(), rules.seats
    if now.arthur >= 0:
        approvals += now.ballots >> now.arthur & 1
        votes += 1
    return has_majority(approvals, votes)


@compiled
def count_votes(rules: Rules, now: Now) -> int:
    """A13, T14, T16."""
    approved = is_approved(rules, now)
    if now.has_pair:
        write_poll(now, now.first_proposer, now.first_team)
        now.team = now.first_team if approved else now.team
        now.has_pair = False
        ask_all(now, QUEST, now.team)
        return GOES_ON
    write_poll(now, now.leader, now.team)
    if approved:
        ask_all(now, QUEST, now.team)
    else:
        now.has_team = False
        pass_lead(rules, now)
    return GOES_ON


# Turns


@compiled
def take(rules: Rules, now: Now, choice: int) -> int:
    """What follows from a choice; the reason if it ends the game."""
    if choice == rules.declare_arthur:
        return declare_arthur(rules, now)
    if choice == rules.declare_agravaine:
        return declare_agravaine(rules, now)
    if now.stage == VOTE:
        return count_votes(rules, now) if mark_ballot(now, choice == rules.votes) else GOES_ON
    if now.stage == QUEST:
        return resolve(rules, now) if lay_card(now, choice - rules.cards) else GOES_ON
    if now.stage == CALL:
        return TARGET_ASSASSINATED if is_right(rules, now, choice) else TARGET_SURVIVED
    if choice == rules.go_on:
        now.went_on |= 1 << now.turn
        return all_went_on(rules, now) if now.went_on == rules.everyone else turn_passes(rules, now)
    if choice == WAIT:
        return turn_passes(rules, now)
    return put_on_table(rules, now, rules.teams[size_now(rules, now), choice - rules.proposals[this_quest(now)]])


@compiled
def size_now(rules: Rules, now: Now) -> int:
    return rules.sizes[this_quest(now)]


@compiled
def turn_passes(rules: Rules, now: Now) -> int:
    """To whoever is still to be asked; after the last, time is up (C5)."""
    now.asked &= ~(1 << now.turn)
    if now.asked:
        ask_next(now)
        return GOES_ON
    if now.stage == PROPOSE:
        return miss_proposal(rules, now)
    return all_went_on(rules, now)


@compiled
def all_went_on(rules: Rules, now: Now) -> int:
    if now.stage == STAND:
        open_vote_or_send(rules, now)
        return GOES_ON
    close_window(now)
    ask_all(now, CALL, 1 << now.assassin)
    return GOES_ON


@compiled
def miss_proposal(rules: Rules, now: Now) -> int:
    """C5: a missed proposal counts as rejected; the last one, and either of a pair, is drawn."""
    now.quest = this_quest(now)
    if now.attempt < proposals_allowed(rules, now) and not is_paired(rules, now):
        pass_lead(rules, now)
        return GOES_ON
    before = now.team
    now.drawn = draw_team(rules, now)
    team, now.team = now.team, before
    return put_on_table(rules, now, team)


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
            return GOES_ON
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
    return GOES_ON


@compiled
def is_right(rules: Rules, now: Now, choice: int) -> bool:
    """T24."""
    lovers = now.where[TRISTAN] | now.where[ISEULT]
    if choice == rules.call_nobody:
        return lovers | now.where[MERLIN] | now.where[NIMUE] == 0
    if rules.call_nimue >= 0 and rules.call_nimue <= choice < rules.call_nimue + rules.seats:
        return 1 << (choice - rules.call_nimue) == now.where[NIMUE]
    if choice < rules.call_merlin + rules.seats:
        return 1 << (choice - rules.call_merlin) == now.where[MERLIN]
    return rules.teams[2, choice - rules.call_lovers] == lovers


# What may be chosen


@compiled
def write_mask(rules: Rules, now: Now, mask: Any) -> None:
    mask[:] = 0
    if now.stage == VOTE:
        allow_ballots(rules, mask)
    elif now.stage == QUEST:
        allow_cards(rules, now, mask)
    elif now.stage == CALL:
        allow_calls(rules, now, mask)
    elif now.stage == PROPOSE and now.turn == now.leader:
        allow_teams(rules, now, mask)
    else:
        mask[WAIT] = 1
    if (now.stage == STAND or now.stage == RECKONING) and not rules.clock and not now.went_on >> now.turn & 1:
        mask[rules.go_on] = 1
    allow_declarations(rules, now, mask)


@compiled
def allow_declarations(rules: Rules, now: Now, mask: Any) -> None:
    if now.stage == PROPOSE or now.stage == STAND or now.stage == VOTE:
        if may_declare_as_arthur(now, now.turn):
            mask[rules.declare_arthur] = 1
    if now.stage == PROPOSE or now.stage == STAND or now.stage == RECKONING:
        if may_turn(now, now.turn):
            mask[rules.declare_agravaine] = 1


@compiled
def allow_teams(rules: Rules, now: Now, mask: Any) -> None:
    """T16: a declared Arthur stays at home until the fifth quest."""
    size, quest = size_now(rules, now), this_quest(now)
    barred = 1 << now.arthur if now.arthur >= 0 and quest < QUESTS else 0
    for place in range(rules.team_counts[size]):
        if not rules.teams[size, place] & barred:
            mask[rules.proposals[quest] + place] = 1


@compiled
def allow_calls(rules: Rules, now: Now, mask: Any) -> None:
    """T23."""
    others = rules.everyone & ~(1 << now.turn)
    allow_seats(rules, mask, rules.call_merlin, others)
    if rules.calls_nimue:
        allow_seats(rules, mask, rules.call_nimue, others)
    for place in range(rules.team_counts[2]):
        if rules.teams[2, place] & others == rules.teams[2, place]:
            mask[rules.call_lovers + place] = 1
    if rules.calls_nobody:
        mask[rules.call_nobody] = 1


# What the acting seat knows


@compiled
def write_row(rules: Rules, now: Now, row: Any) -> None:
    row[:] = 0
    write_own(rules, now, row)
    write_told(rules, now, row)
    write_table(rules, now, row, now.stage == CALL)
    write_history(rules, now, row)
    place = rules.place
    if now.has_pair:
        write_seats(rules, row, place[AT.first_team], now.first_team)
    if now.arthur >= 0:
        row[place[AT.arthur] + now.arthur] = 1
    write_seats(rules, row, place[AT.agravaine], now.declared)
    if now.window:
        row[place[AT.window] + now.window - 1] = 1
    row[place[AT.went_on]] = now.went_on >> now.turn & 1


@compiled
def write_told(rules: Rules, now: Now, row: Any) -> None:
    """T9 to T11."""
    own = now.roles[now.turn]
    if own in (NIMUE, ARTHUR):
        for role in range(len(now.where)):
            is_told = role != own and now.where[role] != 0 and (own == NIMUE or not EVIL_BITS >> role & 1)
            if is_told:
                row[rules.place[AT.told_roles] + rules.role_place[role]] = 1
    if TOLD_OF_HIDDEN >> own & 1:
        row[rules.place[AT.notices]] = now.where[COLGREVANCE] != 0
        row[rules.place[AT.notices] + 1] = now.where[TITANIA] != 0


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
            rewards[game, seat] = 1 if (now.evil >> seat & 1) == (why != TARGET_SURVIVED) else -1
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
