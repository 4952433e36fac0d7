"""Saviom's script: day, defense, night and dawn, with the same words and waits no matter who has died."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from roundtable.core.catalogue import role_key
from roundtable.games.saviom.setup import Role, SaviomSetup
from roundtable.text.script import Listed, Night, ScriptLine, Sentence, if_so, in_the_dark, look, note, say

SETTLE, LOOK, MOVE = 5, 8, 3  # seconds, while the Wolves meet

CALLED = {Role.WOLF: "wolves", Role.PROTECTOR: "protector", Role.SEER: "seer"}


def script(setup: SaviomSetup, night: Night) -> Iterator[ScriptLine]:
    """Every sentence follows from the number of players and the house rules (S4)."""
    yield from table(setup, night)
    dark = [*in_the_dark(the_night(setup)), *dawn(setup)]
    light = [*day(setup), *defense(setup)]
    yield from (light + dark if setup.begins_with == "day" else dark + light)  # S5
    yield from end(setup)


def table(setup: SaviomSetup, night: Night) -> Iterator[ScriptLine]:
    """S4: everyone knows how many there are of each, and the Wolves know one another: phones show them who they are."""
    counted = Counter(setup.all_roles)
    cards = tuple(Sentence(role_key(role, "count"), count=count) for role, count in counted.items())
    yield say("table", "roles", seats=setup.seats, roles=Listed(cards))
    yield look(night)
    if night == "eyes":
        yield from in_the_dark(the_wolves_meet())
        yield say("table", "all_open")


def the_wolves_meet() -> Iterator[ScriptLine]:
    yield say("table", "all_close", pause=SETTLE)
    yield say("table", "wolves_open", pause=LOOK)
    yield say("table", "wolves_close", pause=MOVE)


def day(setup: SaviomSetup) -> Iterator[ScriptLine]:
    """S6."""
    yield say("day", "day", seconds=setup.day_seconds, pause=setup.day_seconds)
    if setup.early_end:
        yield note("day", "day_early")
    yield say("day", "time_up")
    yield note("day", "trial", context=setup.trial_by)


def defense(setup: SaviomSetup) -> Iterator[ScriptLine]:
    """S7."""
    yield if_so(say("defense", "defense", seconds=setup.defense_seconds, pause=setup.defense_seconds))
    if setup.early_end:
        yield note("defense", "defense_early")
    yield say("defense", "verdict")
    yield note("defense", "if_eliminated")
    yield if_so(say("defense", "eliminated", *fate(setup)))
    yield note("defense", "if_saved")
    yield if_so(say("defense", "saved"))


def the_night(setup: SaviomSetup) -> Iterator[ScriptLine]:
    """S8 to S11: every role of the deal is called every night, and the waits add up to the night's length."""
    called = [role for role in CALLED if role in setup.all_roles]
    wait, rest = divmod(setup.night_seconds, len(called))
    yield say("night", "all_close")
    yield note("night", "call_the_dead")
    for role in called:
        pause = wait + rest if role is Role.WOLF else wait
        yield say("night", f"{CALLED[role]}_open", context=whom(role, setup), pause=pause)
        yield note("night", f"{CALLED[role]}_choice", context=setup.kill_by if role is Role.WOLF else "")
        yield say("night", f"{CALLED[role]}_close")


def whom(role: Role, setup: SaviomSetup) -> str:
    """S9: whom the Protector may choose."""
    if role is not Role.PROTECTOR:
        return ""
    may = (("self", setup.protect_self), ("not_twice", not setup.protect_twice))
    return "_".join(name for name, applies in may if applies)


def dawn(setup: SaviomSetup) -> Iterator[ScriptLine]:
    """S11: one sentence for every night without a kill, whatever the reason."""
    yield say("dawn", "all_open")
    yield note("dawn", "if_killed")
    yield if_so(say("dawn", "killed", *fate(setup)))
    yield note("dawn", "if_nobody")
    yield if_so(say("dawn", "nobody"))
    yield note("dawn", "surrender")


def fate(setup: SaviomSetup) -> Iterator[Sentence]:
    """S11: what a death reveals."""
    if setup.reveal_on_death != "none":
        yield Sentence(f"narration.fate.{setup.reveal_on_death}")


def end(setup: SaviomSetup) -> Iterator[ScriptLine]:
    """S13 to S15."""
    yield note("end", "after_a_death")
    yield if_so(say("end", "citizens_win"))
    yield if_so(say("end", "wolves_win"))
    yield note("end", "if_quiet", limit=setup.quiet_limit)
    yield if_so(say("end", "quiet"))
    yield if_so(say("end", "turn_up"))
