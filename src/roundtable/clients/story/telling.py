"""One event, one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from roundtable.clients.story.quests import tell_quest
from roundtable.clients.story.saviom import tell_saviom
from roundtable.clients.story.words import Names
from roundtable.table import events as happened
from roundtable.table.events import Event

FIRST_NAMES = ("Alice", "Bob", "Charlie", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Mallory", "Niaj")
BY_GAME: dict[str, Callable[[Event, Names], str | None]] = {
    "avalon": tell_quest,
    "thavalon": tell_quest,
    "saviom": tell_saviom,
}


def names_for(seats: int) -> Names:
    return Names(FIRST_NAMES[:seats])


def tell(game: str, event: Event, names: Names) -> str | None:
    """The sentence for an event, or None where it is not worth one."""
    match event:
        case happened.TableOpened():
            count = event.setup.seats
            return f"{count} players sit down to {game}: {names.list(range(count))}.\nSealed deal: {event.commitment}"
        case happened.Said():
            return f"{names[event.seat]}: {event.text}"
        case happened.Remarked():
            return f"{names[event.seat]}: {remark(event, names)}"
        case happened.GameEnded():
            return ending(event.outcome, names)
        case happened.SealsBroken():
            return "\n".join(["", "The seals are broken.", *secrets(game, event, names)])
    return BY_GAME[game](event, names)


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


def secrets(game: str, broken: happened.SealsBroken, names: Names) -> Iterable[str]:
    told: Sequence[str | None] = [BY_GAME[game](event, names) for _, event in broken.sealed_facts]
    yield from (line for line in told if line)
    yield from (
        f"Seed of the deal: {event.seed}" for _, event in broken.sealed_facts if isinstance(event, happened.SeedSealed)
    )
