"""Bots at a table of THavalon: all choices of a phase in bulk, to the end of the game; or the turn of one seat.

Where a seat may declare, bots are asked in a random order, as `play_out` asks them; elsewhere no order matters.
"""

from __future__ import annotations

from roundtable.core.seats import CLOCK
from roundtable.games.quests.compiled import words
from roundtable.games.quests.compiled.choices import lay_card, mark_ballot
from roundtable.games.quests.compiled.common import any_member, is_careful
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import EXPIRE, FAIL, LAY, MOST_SEATS, REVERSE, SUCCESS
from roundtable.games.thavalon.compiled.careful import choose_call, declares, lead
from roundtable.games.thavalon.compiled.careful import lay_card as careful_card
from roundtable.games.thavalon.compiled.careful import vote as careful_vote
from roundtable.games.thavalon.compiled.choices import pass_turn
from roundtable.games.thavalon.compiled.declaring import (
    arthur_may_declare,
    may_anyone_declare,
    may_declare,
    may_declare_as_arthur,
    may_turn,
)
from roundtable.games.thavalon.compiled.phases import (
    CALL,
    PROPOSE,
    QUEST,
    RECKONING,
    STAND,
    VOTE,
    all_went_on,
    call,
    count_votes,
    declare_agravaine,
    declare_arthur,
    draw_team,
    eligible,
    is_paired,
    miss_proposal,
    put_on_table,
    resolve,
    team_at,
)
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import (
    AGRAVAINE,
    ARTHUR,
    CALL_LOVERS,
    CALL_MERLIN,
    CALL_NIMUE,
    CALL_NOBODY,
    DECLARE_AGRAVAINE,
    DECLARE_ARTHUR,
    GO_ON,
    LANCELOT,
    MAELAGANT,
)
from roundtable.kernels.chance import below, fraction, split
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.trace import WAIT, TraceRow, lean, note

NAME_TEAM, CAST = words.PROPOSE, words.VOTE


@compiled
def play_on(rules: Rules, now: Now, trace: TraceRow) -> int:
    """To the end of the game; gives the reason. Phases come in this order, so most tests follow from the one before."""
    why = NOT_OVER
    while why == NOT_OVER:
        if now.stage == PROPOSE:
            why = ask_for_a_team(rules, now, trace)
        if why == NOT_OVER and (now.stage == STAND or now.stage == RECKONING):
            why = ask_for_declarations(rules, now, trace)
        if now.stage == VOTE:
            why = vote(rules, now, trace)
        if now.stage == QUEST and why == NOT_OVER:
            why = lay_cards(rules, now, trace)
        if now.stage == CALL:
            why = make_call(rules, now, trace)
    return why


@compiled
def bot_turn(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    """The choice of one seat, and what follows. What it found before may have been at another table."""
    now.known_since[seat] = -1
    if now.stage == CALL:
        return make_call(rules, now, trace)
    if now.stage == QUEST:
        card = careful_card(rules, now, trace, seat) if is_careful(now, seat) else any_card(rules, now, seat)
        lay_card(now, seat, card)
        return NOT_OVER if now.asked else resolve(rules, now)
    if may_declare_now(rules, now, seat) and wants_to_declare(rules, now, seat):
        phase = now.phase
        why = declare(rules, now, trace, seat)
        return pass_turn(rules, now, seat) if now.phase == phase and why == NOT_OVER else why
    if now.stage == VOTE:
        approves = below(now, 2)
        if is_careful(now, seat):
            approves = careful_vote(rules, now, trace, seat, is_paired(rules, now), eligible(rules, now))
        mark_ballot(now, seat, approves == 1)
        return NOT_OVER if now.asked else count_votes(rules, now)
    if now.stage == PROPOSE and seat == now.leader:
        return propose(rules, now, trace)
    if now.stage != PROPOSE and not rules.clock:
        if is_careful(now, seat):
            lean(trace, now.phase, GO_ON, 0, 0, 0, 1)
        now.went_on |= 1 << seat
    return pass_turn(rules, now, seat)


# Declarations


@compiled
def may_declare_now(rules: Rules, now: Now, seat: int) -> bool:
    if now.stage == VOTE:
        return may_declare_as_arthur(rules, now, seat)
    return may_turn(now, seat) or (now.stage != RECKONING and may_declare_as_arthur(rules, now, seat))


@compiled
def wants_to_declare(rules: Rules, now: Now, seat: int) -> bool:
    """Of a seat that may. At random, one of its kinds of move; a careful leader always proposes."""
    if is_careful(now, seat):
        if now.stage == PROPOSE and seat == now.leader:
            return False
        return declares(rules, now, seat, now.stage == STAND or now.stage == VOTE)
    if now.stage == PROPOSE:
        return seat != now.leader or below(now, 2) == 1
    return (now.stage != VOTE and rules.clock) or below(now, 2) == 0


@compiled
def declare(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    """A declaration holds for the round: at random it names any of the round's phases so far."""
    phase, is_arthur = now.phase, now.where[ARTHUR] == 1 << seat
    verb = DECLARE_ARTHUR if is_arthur else DECLARE_AGRAVAINE
    if is_careful(now, seat):
        lean(trace, phase, verb, 0, 0, 0, 1)
    else:
        phase -= below(now, phase - now.round_began + 1)
    now.length += 1
    note(trace, seat, phase, verb, 0, 0, 0)
    return declare_arthur(rules, now, seat) if is_arthur else declare_agravaine(rules, now, seat)


@compiled
def ask_for_declarations(rules: Rules, now: Now, trace: TraceRow) -> int:
    """T21: everyone is asked in turn; without a clock they say that they have nothing to declare."""
    if now.stage == RECKONING or not rules.clock or may_anyone_declare(rules, now):
        phase = now.phase
        shuffle_order(rules, now)
        for place in range(rules.seats):
            seat = now.order[place]
            if not now.asked >> seat & 1:
                continue
            if may_declare_now(rules, now, seat):
                if wants_to_declare(rules, now, seat):
                    return declare(rules, now, trace, seat)
                if rules.clock:
                    note(trace, seat, phase, WAIT, 0, 0, 0)
            if not rules.clock:
                now.length += 1
                if is_careful(now, seat):
                    lean(trace, phase, GO_ON, 0, 0, 0, 1)
                note(trace, seat, phase, GO_ON, 0, 0, 0)
    if rules.clock:
        now.length += 1
        note(trace, CLOCK, now.phase, EXPIRE, 0, 0, 0)
    return all_went_on(rules, now)


@compiled
def shuffle_order(rules: Rules, now: Now) -> None:
    """In which order the bots are asked."""
    order, part = now.order, fraction(now)
    for last in range(rules.seats):
        other, part = split(part, last + 1)
        order[last] = order[other]
        order[other] = last


# Proposals


@hot
def ask_for_a_team(rules: Rules, now: Now, trace: TraceRow) -> int:
    """The leader proposes; where one may declare, all are asked in turn until then."""
    if now.asked >> now.leader & 1 and not may_anyone_declare(rules, now):
        return propose(rules, now, trace)
    return ask_all_in_turn(rules, now, trace)


@compiled
def ask_all_in_turn(rules: Rules, now: Now, trace: TraceRow) -> int:
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if not now.asked >> seat & 1:
            continue
        if may_declare(rules, now, seat) and wants_to_declare(rules, now, seat):
            why = declare(rules, now, trace, seat)
            if why != NOT_OVER:
                return why
        elif seat == now.leader:
            return propose(rules, now, trace)
        elif may_declare(rules, now, seat):
            note(trace, seat, now.phase, WAIT, 0, 0, 0)
    return time_is_up(rules, now, trace)


@compiled
def time_is_up(rules: Rules, now: Now, trace: TraceRow) -> int:
    """C5."""
    now.length += 1
    phase, now.drawn = now.phase, -1
    why = miss_proposal(rules, now)
    note(trace, CLOCK, phase, EXPIRE, max(now.drawn, 0), now.drawn >= 0, 0)
    return why


@hot
def propose(rules: Rules, now: Now, trace: TraceRow) -> int:
    team = team_at(rules, now, draw_team(rules, now))
    if is_careful(now, now.leader):
        team = lead(rules, now, trace, eligible(rules, now))
    now.length += 1
    note(trace, now.leader, now.phase, NAME_TEAM, team, 0, -1)
    return put_on_table(rules, now, team)


# Votes


@hot
def vote(rules: Rules, now: Now, trace: TraceRow) -> int:
    """A12: all who have not voted yet; Arthur's declaration discards the votes (T16)."""
    asked = now.asked
    now.ballots = now.ballots & ~asked | now.coins & asked
    if now.where[ARTHUR] and arthur_may_declare(rules, now):
        return vote_with_arthur(rules, now, trace)
    now.length += asked.bit_count()
    if now.careful or trace.are_kept:
        for seat in range(rules.seats):
            if asked >> seat & 1:
                cast(rules, now, trace, seat)
    return count_votes(rules, now)


@compiled
def vote_with_arthur(rules: Rules, now: Now, trace: TraceRow) -> int:
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if now.asked >> seat & 1:
            if may_declare_as_arthur(rules, now, seat) and wants_to_declare(rules, now, seat):
                return declare(rules, now, trace, seat)
            now.length += 1
            cast(rules, now, trace, seat)
    return count_votes(rules, now)


@compiled
def cast(rules: Rules, now: Now, trace: TraceRow, seat: int) -> None:
    """What was drawn for the seat, or what it wants."""
    if is_careful(now, seat):
        approves = careful_vote(rules, now, trace, seat, is_paired(rules, now), eligible(rules, now))
        now.ballots = now.ballots & ~(1 << seat) | approves << seat
    note(trace, seat, now.phase, CAST, now.ballots >> seat & 1, 0, 0)


# Quests


@hot
def lay_cards(rules: Rules, now: Now, trace: TraceRow) -> int:
    """T17: all who have not laid a card yet."""
    asked = now.asked
    now.length += asked.bit_count()
    draw_cards(rules, now, asked)
    if now.careful or trace.are_kept:
        for seat in range(rules.seats):
            if asked >> seat & 1:
                lay(rules, now, trace, seat)
    return resolve(rules, now)


@hot
def draw_cards(rules: Rules, now: Now, asked: int) -> None:
    """T17, T26: at random."""
    coins = now.coins >> MOST_SEATS
    fails, reverses = (coins & now.evil | now.where[AGRAVAINE]) & asked, 0
    if rules.reversal:
        reverses = coins & now.where[LANCELOT] & asked
        maelagant = now.where[MAELAGANT] & asked
        if maelagant:
            card = below(now, 3)
            fails = fails | maelagant if card == FAIL else fails & ~maelagant
            reverses |= maelagant if card == REVERSE else 0
    now.fails = now.fails & ~asked | fails
    now.reverses = now.reverses & ~asked | reverses


@compiled
def lay(rules: Rules, now: Now, trace: TraceRow, seat: int) -> None:
    """What was drawn for the seat, or what it wants."""
    if is_careful(now, seat):
        card = careful_card(rules, now, trace, seat)
        now.fails = now.fails & ~(1 << seat) | (card == FAIL) << seat
        now.reverses = now.reverses & ~(1 << seat) | (card == REVERSE) << seat
    else:
        card = FAIL if now.fails >> seat & 1 else REVERSE if now.reverses >> seat & 1 else SUCCESS
    note(trace, seat, now.phase, LAY, card, 0, 0)


@compiled
def any_card(rules: Rules, now: Now, seat: int) -> int:
    """One of those that the seat's role may play."""
    hand = rules.hands[now.roles[seat]]
    return any_member(now, hand)


# The call


@compiled
def make_call(rules: Rules, now: Now, trace: TraceRow) -> int:
    now.length += 1
    if is_careful(now, now.assassin):
        verb, named = choose_call(rules, now, trace)
    else:
        verb, named = draw_call(rules, now)
    note(trace, now.assassin, now.phase, verb, named, 0, 0)
    return call(rules, now, verb, named)


@compiled
def draw_call(rules: Rules, now: Now) -> tuple[int, int]:
    """First a kind of call, then whom it names."""
    kind = below(now, 1 + rules.calls_lovers + rules.calls_nimue + rules.calls_nobody)
    if kind >= 1 and not rules.calls_lovers:
        kind += 1
    if kind >= 2 and not rules.calls_nimue:
        kind += 1
    verb = (CALL_MERLIN, CALL_LOVERS, CALL_NIMUE, CALL_NOBODY)[kind]
    others = rules.everyone & ~(1 << now.assassin)
    if verb == CALL_NOBODY:
        return verb, 0
    target = any_member(now, others)
    if verb == CALL_LOVERS:
        return verb, 1 << target | 1 << any_member(now, others & ~(1 << target))
    return verb, target
