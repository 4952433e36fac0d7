"""Town of Saviom a choice at a time, compiled: the kernel's deal, and the phases of games/saviom/game.py."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect, Suspect
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.lab.environments.actions import UNSAID, WAIT, Actions
from roundtable.lab.environments.layout import HIGHEST, Layout
from roundtable.lab.environments.saviom import CAUSES
from roundtable.lab.kernels.chance import seed_luck
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.contract import Crew
from roundtable.lab.kernels.saviom.phases import (
    GOES_ON,
    NO_WOLF_LEFT,
    QUIET,
    REASONS,
    WOLVES_AT_PARITY,
    deal,
    is_at_parity,
    is_condemned,
    is_majority,
)
from roundtable.lab.kernels.saviom.table import (
    MOST_SEATS,
    NOBODY,
    PROTECTOR,
    ROLES,
    SEER,
    TABLE,
    WOLF,
    has,
    rules_of,
    without,
)
from roundtable.lab.stepping.steps import EVERYTHING_ALLOWED, Steps
from roundtable.lab.stepping.turns import ask_all, ask_next
from roundtable.table.setup import Setup

DAY, DEFENSE, NIGHT = range(3)  # in the order of the row's phases
VERDICT, BY_NIGHT = CAUSES.index("verdict"), CAUSES.index("night")
NO_CREW = Crew(0, False, False)  # whoever chooses sits outside

Rules = Any  # a row of STEP_RULES
Now = Any  # a row of STATE

PARTS = (
    *("seat", "role", "pack", "hunts", "protected_last", "visions"),
    *("phase", "phase_number", "quiet", "alive", "accusations", "accused"),
    *("last_accusations", "last_trial", "last_verdicts", "deaths", "fates"),
)
AT: Any = namedtuple("AT", PARTS)(*range(len(PARTS)))

STEP_RULES = np.dtype(
    [
        ("seats", np.int64),
        ("wolves", np.int64),
        ("protectors", np.int64),
        ("seers", np.int64),
        ("begins_by_night", np.bool_),
        ("trial_by_cast", np.bool_),
        ("kill_by_cast", np.bool_),
        ("protect_self", np.bool_),
        ("protect_twice", np.bool_),
        ("quiet_limit", np.int64),
        ("fates", np.int64),  # how many there are to tell apart: none, two sides, four roles
        ("place", np.int64, len(PARTS)),
        ("accuse", np.int64),  # the number of each kind of move at the first seat; -1 where it is never made
        ("judge", np.int64),  # to eliminate; to save is the next
        ("hunt", np.int64),
        ("protect", np.int64),
        ("inspect", np.int64),
        ("suspect", np.int64),
    ]
)
STATE = np.dtype(
    [
        *TABLE.descr,
        ("number", np.int64),  # of the game
        ("stage", np.int64),
        ("turn", np.int64),
        ("asked", np.int64),  # who is still to be asked in this phase; a mask, like every set of seats
        ("accused", np.int64),
        ("accusations", np.int64, MOST_SEATS),  # by seat: the target, or NOBODY
        ("hunts", np.int64, MOST_SEATS),
        ("ward_tonight", np.int64),
        ("inspected", np.int64),
        ("last_accusations", np.int64, MOST_SEATS),
        ("last_trial", np.int64),
        ("eliminate", np.int64),  # verdicts of the last trial
        ("save", np.int64),
        ("death", np.int64, MOST_SEATS),  # its cause
    ]
)


def step_rules_of(setup: SaviomSetup, actions: Actions, layout: Layout) -> Any:
    table = np.zeros(1, STEP_RULES)
    rules = table[0]
    for name, chosen in rules_of(setup)._asdict().items():
        if name in (STEP_RULES.names or ()):
            rules[name] = chosen
    rules["kill_by_cast"] = setup.kill_by == "cast"
    rules["fates"] = {"none": 0, "side": 2, "role": len(ROLES)}[setup.reveal_on_death]
    first = {part.name: place for part, place, _ in layout.places()}
    rules["place"] = [first.get(name, -1) for name in PARTS]
    rules["judge"] = actions.number(Judge(phase=UNSAID, eliminate=True))
    aimed = {"accuse": Accuse, "hunt": Hunt, "protect": Protect, "inspect": Inspect, "suspect": Suspect}
    for name, kind in aimed.items():
        move = kind(phase=UNSAID, target=0)
        rules[name] = actions.number(move) if move in actions.moves else -1
    return table


def deal_of(state: Any, setup: Setup) -> Any:
    return tuple([ROLES[role] for role in state["roles"][: setup.seats].tolist()])


# The phases; those that end a game give the reason, and all others GOES_ON


@compiled
def begin_game(rules: Rules, now: Now, seed: np.uint64, number: int) -> None:
    now.number = number
    seed_luck(now, seed, number)
    deal(rules, NO_CREW, now)
    now.accused = now.last_trial = now.ward_tonight = now.inspected = NOBODY
    now.eliminate = now.save = 0
    for seat in range(MOST_SEATS):
        now.accusations[seat] = now.hunts[seat] = now.last_accusations[seat] = now.death[seat] = NOBODY
    begin_phase(now, NIGHT if rules.begins_by_night else DAY, now.alive)


@compiled
def begin_phase(now: Now, stage: int, asked: int) -> None:
    now.phase += 1
    ask_all(now, stage, asked)


@compiled
def take(rules: Rules, now: Now, choice: int) -> int:
    """Mark a choice; after the last seat of a phase, time is up."""
    if choice != WAIT:
        mark(rules, now, choice)
    now.asked = without(now.asked, now.turn)
    if now.asked:
        ask_next(now)
        return GOES_ON
    if now.stage == DAY:
        return count_accusations(rules, now)
    if now.stage == DEFENSE:
        return count_verdicts(rules, now)
    return end_night(rules, now)


@compiled
def mark(rules: Rules, now: Now, choice: int) -> None:
    if now.stage == DAY:
        now.accusations[now.turn] = choice - rules.accuse
    elif now.stage == DEFENSE and choice == rules.judge:
        now.eliminate |= 1 << now.turn
    elif now.stage == DEFENSE:
        now.save |= 1 << now.turn
    elif now.roles[now.turn] == WOLF:
        now.hunts[now.turn] = choice - rules.hunt
    elif now.roles[now.turn] == SEER:
        now.inspected = choice - rules.inspect
    elif now.roles[now.turn] == PROTECTOR and choice < rules.protect + rules.seats:
        now.ward_tonight = choice - rules.protect


@compiled
def named_by_most(rules: Rules, choices: Any, out_of: int) -> int:
    """S6, S8: whom more than half name; of nobody's votes, `out_of` is how many were cast."""
    cast = 0
    for seat in range(rules.seats):
        cast += choices[seat] != NOBODY
    for target in range(rules.seats):
        votes = 0
        for seat in range(rules.seats):
            votes += choices[seat] == target
        if votes and is_majority(votes, out_of if out_of else cast):
            return target
    return NOBODY


@compiled
def count_accusations(rules: Rules, now: Now) -> int:
    """S6."""
    now.accused = named_by_most(rules, now.accusations, 0 if rules.trial_by_cast else now.alive.bit_count())
    for seat in range(rules.seats):
        now.last_accusations[seat] = now.accusations[seat]
    if now.accused == NOBODY:
        return end_day(rules, now, False)
    now.last_trial = now.accused
    now.eliminate = now.save = 0
    begin_phase(now, DEFENSE, without(now.alive, now.accused))
    return GOES_ON


@compiled
def count_verdicts(rules: Rules, now: Now) -> int:
    """S7."""
    is_gone = is_condemned(now.eliminate.bit_count(), now.save.bit_count())
    if is_gone:
        die(now, now.accused, VERDICT)
        why = why_won(now)
        if why != GOES_ON:
            return why
    return end_day(rules, now, is_gone)


@compiled
def end_day(rules: Rules, now: Now, somebody_died: bool) -> int:
    """S15."""
    now.quiet = 0 if somebody_died else now.quiet + 1
    now.accused = NOBODY
    for seat in range(rules.seats):
        now.accusations[seat] = NOBODY
    if now.quiet >= rules.quiet_limit:
        return QUIET
    begin_phase(now, NIGHT, now.alive)
    return GOES_ON


@compiled
def end_night(rules: Rules, now: Now) -> int:
    """S8 to S11."""
    if now.inspected != NOBODY:
        now.seen |= 1 << now.inspected
        now.seen_wolves |= (now.roles[now.inspected] == WOLF) << now.inspected
    hunters = (now.wolves & now.alive).bit_count()
    killed = named_by_most(rules, now.hunts, 0 if rules.kill_by_cast else hunters)
    if killed == now.ward_tonight:
        killed = NOBODY
    now.ward, now.ward_tonight, now.inspected = now.ward_tonight, NOBODY, NOBODY
    for seat in range(rules.seats):
        now.hunts[seat] = NOBODY
    now.quiet = now.quiet + 1 if killed == NOBODY else 0
    if killed != NOBODY:
        die(now, killed, BY_NIGHT)
        why = why_won(now)
        if why != GOES_ON:
            return why
    if now.quiet >= rules.quiet_limit:
        return QUIET
    begin_phase(now, DAY, now.alive)
    return GOES_ON


@compiled
def die(now: Now, seat: int, cause: int) -> None:
    now.alive = without(now.alive, seat)
    now.death[seat] = cause


@compiled
def why_won(now: Now) -> int:
    """S13."""
    wolves = (now.wolves & now.alive).bit_count()
    if wolves == 0:
        return NO_WOLF_LEFT
    return WOLVES_AT_PARITY if is_at_parity(wolves, now.alive.bit_count()) else GOES_ON


# What may be chosen


@compiled
def write_mask(rules: Rules, now: Now, mask: Any) -> None:
    """To wait is always allowed."""
    mask[:] = 0
    mask[WAIT] = 1
    others = without(now.alive, now.turn)
    if now.stage == DAY:
        allow(mask, rules.accuse, others)
    elif now.stage == DEFENSE:
        mask[rules.judge] = mask[rules.judge + 1] = 1
    elif now.roles[now.turn] == WOLF:
        allow(mask, rules.hunt, now.alive & ~now.wolves)
    elif now.roles[now.turn] == SEER:
        allow(mask, rules.inspect, others)
    elif now.roles[now.turn] == PROTECTOR and wards(rules, now):
        allow(mask, rules.protect, wards(rules, now))
    else:
        allow(mask, rules.suspect, others)


@compiled
def wards(rules: Rules, now: Now) -> int:
    """S9."""
    able = now.alive if rules.protect_self else without(now.alive, now.turn)
    return able if rules.protect_twice or now.ward == NOBODY else without(able, now.ward)


@compiled
def allow(mask: Any, first: int, seats: int) -> None:
    for seat in range(MOST_SEATS):
        if has(seats, seat):
            mask[first + seat] = 1


# What the acting seat knows


@compiled
def write_row(rules: Rules, now: Now, row: Any) -> None:
    row[:] = 0
    write_own(rules, now, row)
    place, seats = rules.place, rules.seats
    row[place[AT.phase] + now.stage] = 1
    row[place[AT.phase_number]] = min(now.phase, HIGHEST)
    row[place[AT.quiet]] = min(now.quiet, HIGHEST)
    allow(row, place[AT.alive], now.alive)
    write_choices(rules, row, place[AT.accusations], now.accusations)
    if now.accused != NOBODY:
        row[place[AT.accused] + now.accused] = 1
    write_choices(rules, row, place[AT.last_accusations], now.last_accusations)
    if now.last_trial != NOBODY:
        row[place[AT.last_trial] + now.last_trial] = 1
    for seat in range(seats):
        if now.stage != DEFENSE:  # until then verdicts are secret (S7)
            row[place[AT.last_verdicts] + seat] = has(now.eliminate, seat) - has(now.save, seat)
        if now.death[seat] != NOBODY:
            row[place[AT.deaths] + seat * len(CAUSES) + now.death[seat]] = 1
            if rules.fates:
                row[place[AT.fates] + seat * rules.fates + fate(rules, now, seat)] = 1


@compiled
def write_own(rules: Rules, now: Now, row: Any) -> None:
    place, role = rules.place, now.roles[now.turn]
    row[place[AT.seat] + now.turn] = 1
    row[place[AT.role] + role] = 1
    if role == WOLF:
        allow(row, place[AT.pack], now.wolves)
        write_choices(rules, row, place[AT.hunts], now.hunts)
    if role == PROTECTOR and now.ward != NOBODY:
        row[place[AT.protected_last] + now.ward] = 1
    if role == SEER:
        for seat in range(rules.seats):
            if has(now.seen, seat):
                row[place[AT.visions] + seat] = 1 if has(now.seen_wolves, seat) else -1


@compiled
def write_choices(rules: Rules, row: Any, first: int, choices: Any) -> None:
    for seat in range(rules.seats):
        if choices[seat] != NOBODY:
            row[first + seat * rules.seats + choices[seat]] = 1


@compiled
def fate(rules: Rules, now: Now, seat: int) -> int:
    """S11: the role, or the side, of which the Wolves' comes first."""
    return now.roles[seat] if rules.fates > 2 else int(now.roles[seat] != WOLF)


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
            if why != QUIET:
                rewards[game, seat] = 1 if (now.roles[seat] == WOLF) == (why == WOLVES_AT_PARITY) else -1
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
    roles=tuple(str(role) for role in ROLES),
    rules_of=step_rules_of,
    deal_of=deal_of,
    begin=begin_all,
    step=step_all,
    look=look_all,
)
