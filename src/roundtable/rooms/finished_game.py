"""A finished game out of a room's rows, and the steps in which it is replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from roundtable.core.entries import Entry
from roundtable.core.game import is_fact
from roundtable.core.seats import EVERYONE
from roundtable.rooms.played_games import games_in
from roundtable.storage import Row

MOST_STEPS = 2_000  # of a replay; a longer game has longer steps


class FinishedGame(NamedTuple):
    """A game that is over, without private talk."""

    game: str
    names: tuple[str, ...]
    entries: list[Entry]
    bots: list[tuple[str | None, ...]]  # for each entry: the bot that played at each seat then
    length: int  # how many entries there are with private talk


def finished_game(rows: Sequence[Row], number: int) -> FinishedGame:
    """A room's game with this number, which is over."""
    played = next(game for game in games_in(rows) if game.number == number)
    entries = played.entries()
    told = [pair for pair in zip(entries, played.bots, strict=True) if not is_private_talk(pair[0])]
    said, bots = [entry for entry, _ in told], [bots for _, bots in told]
    return FinishedGame(played.game, tuple(played.names), said, bots, len(entries))


def is_private_talk(entry: Entry) -> bool:
    """Talk that was not for everyone stays private after the game."""
    return any(not is_fact(event) and event.audience is not EVERYONE for event in entry.events)


def batches(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """The entries of each step, those without events included."""
    size = -(-len(entries) // MOST_STEPS)
    return (entries[place : place + size] for place in range(0, len(entries), size))


def steps_of(entries: Sequence[Entry]) -> list[int]:
    """In which step of the replay for `all` each entry is; a batch in which nothing happened has none."""
    steps: list[int] = []
    step = -1
    for batch in batches(entries):
        step += any(entry.events for entry in batch)
        steps += [max(0, step)] * len(batch)
    return steps
