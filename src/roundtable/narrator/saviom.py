"""What a moderator of Saviom says: day, defense, night and dawn, with the same words and waits whoever has died."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from roundtable.games.saviom.setup import Role, SaviomSetup
from roundtable.narrator import saviom_words as words
from roundtable.narrator.cues import Line, Part, note, say
from roundtable.narrator.languages import AND, Both, listed

SETTLE, LOOK, MOVE = 5, 8, 3  # seconds, while the Wolves meet


def saviom_script(setup: SaviomSetup) -> Iterator[Line]:
    """Every word follows from the number of players and the house rules (S4)."""
    yield from table(setup)
    dark = [*night(setup), *dawn(setup)]
    light = [*day(setup), *defense(setup)]
    yield from (light + dark if setup.begins_with == "day" else dark + light)  # S5
    yield from end(setup)


def table(setup: SaviomSetup) -> Iterator[Line]:
    """S4: everybody knows how many there are of each, and the Wolves know one another."""
    counted = Counter(setup.all_roles)
    roles = listed((words.CARDS[role][count > 1].filled(n=count) for role, count in counted.items()), AND)
    yield say(Part.TABLE, "roles", words.ROLES.filled(seats=setup.seats, roles=roles))
    yield say(Part.TABLE, "look", words.LOOK_AT_YOUR_CARD)
    yield say(Part.TABLE, "all_close", words.ALL_CLOSE, SETTLE)
    yield say(Part.TABLE, "wolves_open", words.WOLVES_MEET, LOOK)
    yield say(Part.TABLE, "wolves_close", words.CLOSE[Role.WOLF], MOVE)
    yield say(Part.TABLE, "all_open", words.ALL_OPEN)


def day(setup: SaviomSetup) -> Iterator[Line]:
    """S6."""
    yield say(Part.DAY, "day", words.DAY.filled(seconds=setup.day_seconds), setup.day_seconds)
    if setup.early_end:
        yield note(Part.DAY, "day_early", words.DAY_EARLY)
    yield say(Part.DAY, "time_up", words.TIME_UP)
    yield note(Part.DAY, "trial", words.TRIAL_BY[setup.trial_by])


def defense(setup: SaviomSetup) -> Iterator[Line]:
    """S7."""
    yield say(Part.DEFENSE, "defense", words.DEFENSE.filled(seconds=setup.defense_seconds), setup.defense_seconds)
    if setup.early_end:
        yield note(Part.DEFENSE, "defense_early", words.DEFENSE_EARLY)
    yield say(Part.DEFENSE, "verdict", words.VERDICT)
    yield note(Part.DEFENSE, "if_eliminated", words.IF_ELIMINATED)
    yield say(Part.DEFENSE, "eliminated", with_fate(words.ELIMINATED, setup))
    yield note(Part.DEFENSE, "if_saved", words.IF_SAVED)
    yield say(Part.DEFENSE, "saved", words.SAVED)


def night(setup: SaviomSetup) -> Iterator[Line]:
    """S8 to S11: every role of the deal is called every night, and the waits add up to the night's length."""
    called = [role for role in (Role.WOLF, Role.PROTECTOR, Role.SEER) if role in setup.all_roles]
    wait, rest = divmod(setup.night_seconds, len(called))
    yield say(Part.NIGHT, "all_close", words.NIGHT_FALLS)
    yield note(Part.NIGHT, "call_the_dead", words.CALL_THE_DEAD)
    for role in called:
        pause = wait + rest if role is Role.WOLF else wait
        yield say(Part.NIGHT, f"{ACT[role]}_open", words.OPEN[role].filled(whom=whom(role, setup)), pause)
        yield note(Part.NIGHT, f"{ACT[role]}_choice", choice(role, setup))
        yield say(Part.NIGHT, f"{ACT[role]}_close", words.CLOSE[role])


ACT = {Role.WOLF: "wolves", Role.PROTECTOR: "protector", Role.SEER: "seer"}


def whom(role: Role, setup: SaviomSetup) -> Both:
    """S8 to S10: among whom that role chooses."""
    if role is not Role.PROTECTOR:
        return words.WHOM[role]
    anyone = words.ANYONE if setup.protect_self else words.ANYONE_ELSE
    return anyone if setup.protect_twice else anyone.joined(words.NOT_TWICE)


def choice(role: Role, setup: SaviomSetup) -> Both:
    return words.KILL_BY[setup.kill_by] if role is Role.WOLF else words.CHOICE[role]


def dawn(setup: SaviomSetup) -> Iterator[Line]:
    """S11: one sentence for every night in which nobody was killed, whatever the reason."""
    yield say(Part.DAWN, "all_open", words.DAWN)
    yield note(Part.DAWN, "if_killed", words.IF_KILLED)
    yield say(Part.DAWN, "killed", with_fate(words.KILLED, setup))
    yield note(Part.DAWN, "if_nobody", words.IF_NOBODY)
    yield say(Part.DAWN, "nobody", words.NOBODY)
    yield note(Part.DAWN, "surrender", words.SURRENDER)


def with_fate(told: Both, setup: SaviomSetup) -> Both:
    """S11: what a death reveals."""
    fate = words.FATE.get(setup.reveal_on_death)
    return told if fate is None else told.joined(fate)


def end(setup: SaviomSetup) -> Iterator[Line]:
    """S13 to S15."""
    yield note(Part.END, "after_a_death", words.AFTER_A_DEATH)
    yield say(Part.END, "citizens_win", words.CITIZENS_WIN)
    yield say(Part.END, "wolves_win", words.WOLVES_WIN)
    yield note(Part.END, "if_quiet", words.IF_QUIET.filled(limit=setup.quiet_limit))
    yield say(Part.END, "quiet", words.QUIET)
    yield say(Part.END, "turn_up", words.TURN_UP)
