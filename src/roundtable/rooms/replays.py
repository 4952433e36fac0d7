"""A finished game to be stepped through: what a listener heard, line by line, and how the table stood after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from roundtable.core.codec import plain
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused
from roundtable.core.events import Event, SealsBroken
from roundtable.core.game import Game, evolve, fold
from roundtable.core.seats import EVERYONE, SPECTATOR
from roundtable.core.state import TableState
from roundtable.games import game_named
from roundtable.protocol.bodies import Replay, Step
from roundtable.protocol.encoding import spelled
from roundtable.rooms.records import Finished, finished_game
from roundtable.rooms.snapshot import quests_of
from roundtable.storage import Row

MOST_STEPS = 2_000  # a longer game is told in longer steps

Hears = Callable[[Event], bool]


def game_replay(rows: Sequence[Row], number: int, listener: str) -> Replay:
    """A room's game with this number as a seat, a spectator or somebody who sees all would have followed it."""
    return replay_of(finished_game(rows, number), listener)


def replay_of(finished: Finished, listener: str) -> Replay:
    name, names, entries, _ = finished
    game, hears = game_named(name), ears_of(listener, len(names))
    quests = quests_of(fold(game, entries[0].events).setup)
    return Replay(game=name, names=names, quests=quests, steps=tuple(_steps(game, _batches(entries), hears)))


def ears_of(listener: str, seats: int) -> Hears:
    """Which events a listener of this name heard."""
    if listener == "all":
        return lambda event: True
    if listener not in ("spectator", *map(str, range(seats))):
        raise RoomRefused("record/listener", f"Listen as a seat from 0 to {seats - 1}, as spectator or as all.")
    seat = SPECTATOR if listener == "spectator" else int(listener)
    return lambda event: event.audience is EVERYONE or seat in event.audience


def _batches(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    size = -(-len(entries) // MOST_STEPS)
    return (entries[place : place + size] for place in range(0, len(entries), size))


def _steps(game: Game[Any, Any], batches: Iterator[Sequence[Entry]], hears: Hears) -> Iterator[Step]:
    state: TableState | None = None
    for batch in batches:
        heard = [event for entry in batch for event in entry.events if hears(event)]
        if heard:
            before, state = state, fold(game, heard) if state is None else evolve(game, state, heard)
            told = [event for event in heard if not isinstance(event, SealsBroken)]  # `all` has heard it by and by
            yield Step(events=spelled(told), changes=spelled(_changes(before, state)))


def _changes(before: TableState | None, after: TableState) -> dict[str, Any]:
    """The parts of a view that are no longer as they were; of the first one all."""
    old = {} if before is None else before.facts()
    return {name: plain(part) for name, part in after.facts().items() if name not in old or old[name] != part}
