"""One event, one sentence."""

from __future__ import annotations

from collections.abc import Callable

from roundtable.core import events as happened
from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK
from roundtable.story.quests import tell_quest
from roundtable.story.saviom import tell_saviom
from roundtable.story.seals import tell_secrets
from roundtable.story.words import Names

FIRST_NAMES = ("Alice", "Bob", "Charlie", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Mallory", "Niaj")
BY_GAME: dict[str, Callable[[Event, Names], str | None]] = {
    "avalon": tell_quest,
    "thavalon": tell_quest,
    "saviom": tell_saviom,
}
CHANNELS = {"evil": "to Evil", "wolves": "to the Wolves", "dead": "to the dead"}


def names_for(seats: int) -> Names:
    return Names(FIRST_NAMES[:seats])


class Story:
    """A game as one listener hears it. It remembers, because what the seals hid belongs to what was open."""

    def __init__(self, game: str, names: Names) -> None:
        self._game = game
        self._names = names
        self._heard: list[Event] = []

    def tell(self, event: Event) -> str | None:
        """The sentence for the next event, or None where it is not worth one."""
        self._heard.append(event)
        if isinstance(event, happened.SealsBroken):
            return tell_secrets(self._game, self._heard, self._names)
        return tell(self._game, event, self._names)


def tell(game: str, event: Event, names: Names) -> str | None:
    """The sentence for an event by itself, or None where it is not worth one."""
    match event:
        case happened.TableOpened():
            count = event.setup.seats
            return f"{count} players sit down to {game}: {names.list(range(count))}.\nSealed deal: {event.commitment}"
        case happened.SeedSealed():
            return f"  Seed of the deal: {event.seed}"
        case happened.Said():
            return said(event, names, event.text)
        case happened.Remarked():
            return said(event, names, remark(event, names))
        case happened.GameEnded():
            return ending(event.outcome, names)
    return tell_conduct(event, names) or BY_GAME[game](event, names)


def said(event: happened.Said | happened.Remarked, names: Names, text: str) -> str:
    """A line of talk, and to whom it was said where that was not everybody."""
    ears = "" if event.channel == OPEN_TALK else f" ({CHANNELS.get(event.channel, event.channel)})"
    return f"{names[event.seat]}{ears}: {text}"


def tell_conduct(event: Event, names: Names) -> str | None:
    """What people do about the table itself (C1, C6, C7)."""
    match event:
        case happened.EntropyContributed():
            return f"{names[event.seat]} stirs the deal."
        case happened.CountdownAsked():
            return f"{names[event.seat]} asks for a countdown."
        case happened.CountdownStarted():
            return f"A countdown of {event.seconds} seconds runs."
        case happened.ClockPaused():
            return "The clock is paused."
        case happened.ClockResumed():
            return "The clock runs again."
        case happened.ClockExtended():
            return f"The clock is given {event.seconds} seconds more."
        case happened.CallOffAsked():
            return f"{names[event.seat]} asks to call the game off."
    return None


def remark(event: happened.Remarked, names: Names) -> str:
    """A phrase of the book in words."""
    about = [] if event.about is None else [names[event.about]]
    word = [] if event.word is None else [event.word]
    return " ".join([event.phrase.replace("_", " ").replace("i ", "I ", 1), *about, *word]) + "."


def ending(outcome: happened.Outcome, names: Names) -> str:
    reason = outcome.reason.replace("_", " ")
    if outcome.winner is None:
        return f"\nThe game ends without a winner ({reason})."
    return f"\nVictory for {outcome.winner}: {reason}. Well played, {names.list(outcome.seats)}."
