"""Finished games: their records and replays, made from a room's rows in an executor, and cached."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from roundtable.core.codec import plain
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused
from roundtable.core.events import Event, SecretsRevealed
from roundtable.core.game import Game, evolve, fold, is_fact
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, SPECTATOR
from roundtable.core.state import TableState
from roundtable.games import game_named
from roundtable.protocol.bodies import Replay, ReplayStep
from roundtable.protocol.encoding import ENCODER, encoded
from roundtable.protocol.entries import entries_of
from roundtable.rooms.commands import no_such_room, refuse, unreadable
from roundtable.rooms.events import READER, GameStarted, RoomRow
from roundtable.rooms.reducer import absorb
from roundtable.rooms.state import RoomState
from roundtable.storage import Log, LogFailed, Row
from roundtable.storage.records import sealed_line, title

MOST_CACHED = 32 * 1024 * 1024  # bytes
MOST_WAITING = 32  # records and replays that are being made
MOST_STEPS = 2_000  # of a replay; a longer game has longer steps

T = TypeVar("T")
Key = tuple[str, int, str]  # room, game, listener
Hears = Callable[[Event], bool]


# Where the work is done


class Executor(Protocol):
    def __call__(self, job: Callable[[], T]) -> Awaitable[T]: ...


async def run_inline(job: Callable[[], T]) -> T:
    """For tests in virtual time."""
    return job()


def thread_executor() -> Executor:
    """One thread, so that the event loop is not blocked."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="archive")

    def run(job: Callable[[], T]) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(pool, job)

    return run


class CachedText(NamedTuple):
    """`rows` is how many rows the room had; None where no more rows can belong to the game."""

    text: bytes
    rows: int | None


class Archive:
    """Records and replays by room and number."""

    def __init__(self, log: Log, executor: Executor) -> None:
        self._log = log
        self._executor = executor
        self._cache: OrderedDict[Key, CachedText] = OrderedDict()
        self._size = 0
        self._tasks: dict[Key, asyncio.Task[bytes]] = {}

    async def record(self, code: str, number: int) -> bytes:
        return await self._get((code, number, ""), record_of)

    async def replay(self, code: str, number: int, listener: str) -> bytes:
        return await self._get((code, number, listener), lambda game: ENCODER.encode(replay_of(game, listener)))

    async def _get(self, key: Key, encode: Callable[[FinishedGame], bytes]) -> bytes:
        """Concurrent requests for the same text share one task."""
        task = self._tasks.get(key)
        if task is None:
            if len(self._tasks) >= MOST_WAITING:
                refuse("room/busy", "records")
            task = self._tasks[key] = asyncio.get_running_loop().create_task(self._look_up(key, encode))
            task.add_done_callback(partial(self._forget_task, key))
        try:
            return await asyncio.shield(task)  # other requests may wait for it when this one is cancelled
        except LogFailed as failed:
            raise unreadable() from failed

    def _forget_task(self, key: Key, task: asyncio.Task[bytes]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # retrieved, because all requests for it may be gone

    async def _look_up(self, key: Key, encode: Callable[[FinishedGame], bytes]) -> bytes:
        code, number, _ = key
        cached = self._cache.get(key)
        if cached and (cached.rows is None or not await self._log.read(code, cached.rows)):
            self._cache.move_to_end(key)
            return cached.text
        rows = await self._log.read(code)
        game = await self._executor(partial(finished_game, rows, number))
        text = await self._executor(partial(encode, game))
        self._keep(key, CachedText(text, None if game.is_cleared else len(rows)))
        return text

    def _keep(self, key: Key, cached: CachedText) -> None:
        old = self._cache.pop(key, None)
        self._cache[key] = cached
        self._size += len(cached.text) - (len(old.text) if old else 0)
        while self._size > MOST_CACHED:
            _, dropped = self._cache.popitem(last=False)
            self._size -= len(dropped.text)


# A game out of the rows


class FinishedGame(NamedTuple):
    """A game that is over, without private talk."""

    game: str
    names: tuple[str, ...]
    entries: list[Entry]
    is_cleared: bool  # whether it has left the table, so that no more can be said at it


def finished_game(rows: Sequence[Row], number: int) -> FinishedGame:
    """A room's game with this number; `RoomRefused` before it is over."""
    room = RoomState()
    game, names = "", ()  # type: tuple[str, tuple[str, ...]]
    entries: list[Entry] = []
    for row in rows:
        read = READER.decode(row.line)
        if isinstance(read, RoomRow):
            for event in read.events:
                absorb(room, event)
                if isinstance(event, GameStarted) and event.number == number:
                    game, names = room.setup.game, room.seat_names
        elif room.number == number:
            entries.append(entries_of(game).read(read.entry))
    if not entries:
        raise no_such_room()
    if not Play(game_named(game), entries).is_over:
        refuse("record/not_over")
    is_cleared = room.number != number or not room.is_table_set or room.is_closed
    return FinishedGame(game, names, [entry for entry in entries if not is_private_talk(entry)], is_cleared)


def is_private_talk(entry: Entry) -> bool:
    """Talk that was not for everyone stays private after the game."""
    return any(not is_fact(event) and event.audience is not EVERYONE for event in entry.events)


def game_record(rows: Sequence[Row], number: int) -> bytes:
    """The record of a room's game with this number, as the JSON Lines of docs/records.md, once it is over."""
    return record_of(finished_game(rows, number))


def record_of(finished: FinishedGame) -> bytes:
    rules_version = game_named(finished.game).setup_type.rules_version
    seal, first = sealed_line(title(finished.game, rules_version, finished.names), 1, "")
    lines = [first]
    for line in [*({"entry": plain(entry)} for entry in finished.entries), {"closed": True}]:
        seal, text = sealed_line(line, len(lines) + 1, seal)
        lines.append(text)
    return b"\n".join(lines) + b"\n"


# Replays, step by step


def game_replay(rows: Sequence[Row], number: int, listener: str) -> Replay:
    """A room's game with this number as a seat, a spectator or an all-seeing listener would have followed it."""
    return replay_of(finished_game(rows, number), listener)


def replay_of(finished: FinishedGame, listener: str) -> Replay:
    name, names, entries, _ = finished
    game, hears = game_named(name), heard_by(listener, len(names))
    rounds = encoded(fold(game, entries[0].events).setup.rounds())
    return Replay(game=name, names=names, rounds=rounds, steps=tuple(_steps(game, _batches(entries), hears)))


def heard_by(listener: str, seats: int) -> Hears:
    """Which events a listener of this name heard."""
    if listener == "all":
        return lambda event: True
    if listener not in ("spectator", *map(str, range(seats))):
        raise RoomRefused("record/listener", last=seats - 1)
    seat = SPECTATOR if listener == "spectator" else int(listener)
    return lambda event: event.audience is EVERYONE or seat in event.audience


def _batches(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    size = -(-len(entries) // MOST_STEPS)
    return (entries[place : place + size] for place in range(0, len(entries), size))


def _steps(game: Game[Any, Any], batches: Iterator[Sequence[Entry]], hears: Hears) -> Iterator[ReplayStep]:
    state: TableState | None = None
    for batch in batches:
        heard = [event for entry in batch for event in entry.events if hears(event)]
        if heard:
            before, state = state, fold(game, heard) if state is None else evolve(game, state, heard)
            shown = [event for event in heard if not isinstance(event, SecretsRevealed)]  # `all` has heard it before
            yield ReplayStep(events=encoded(shown), changes=encoded(_changes(before, state)))


def _changes(before: TableState | None, after: TableState) -> dict[str, Any]:
    """The parts of a view that have changed; all parts of the first view."""
    old = {} if before is None else before.facts()
    return {name: plain(part) for name, part in after.facts().items() if name not in old or old[name] != part}
