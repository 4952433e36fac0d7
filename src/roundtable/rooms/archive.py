"""Finished games: their records, replays and explanations, made from a room's rows, compressed and cached."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.json import Decoder

from roundtable.core.codec import plain
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused, RoundTableError
from roundtable.core.events import Event, SecretsRevealed
from roundtable.core.game import Game, evolve, fold
from roundtable.core.seats import EVERYONE, SPECTATOR
from roundtable.core.state import TableState
from roundtable.games import game_named
from roundtable.protocol.bodies import PlayedGame, PlayedGames, Replay, ReplayStep
from roundtable.protocol.compression import CompressedBody, compress
from roundtable.protocol.encoding import ENCODER, encoded
from roundtable.rooms.bot_reasons import bot_moves, why_question
from roundtable.rooms.bot_workers import BotWorkers
from roundtable.rooms.commands import no_such_room, refuse, unreadable
from roundtable.rooms.events import READER, GameRow, GameStarted, RoomClosed, SetupChanged, TableCleared
from roundtable.rooms.finished_game import FinishedGame, batches, finished_game
from roundtable.rooms.played_games import played_games
from roundtable.storage import Log, LogFailed, Row
from roundtable.storage.records import sealed_line, title

MOST_CACHED = 32 * 1024 * 1024  # bytes
MOST_WAITING = 32  # records and replays that are being made
MOST_LOOKS = 1_000  # games, the latest asked for, whose progress is remembered
MOST_LISTS = 200  # lists of games, the latest asked for, that are remembered
MOST_EXPLAINED = 4  # explanations of bots that are being made
WHY = "why/"  # how the key of an explanation begins

logger = logging.getLogger("roundtable.rooms")

T = TypeVar("T")
Key = tuple[str, int, str | None]  # room, game, listener; the record has none
Hears = Callable[[Event], bool]
Encode = Callable[[FinishedGame], bytes]
Work = Callable[[], Coroutine[Any, Any, CompressedBody]]


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
    """A record or a replay of a game that had so many entries."""

    body: CompressedBody
    entries: int


class GameList(NamedTuple):
    """The finished games of a room that had so many rows."""

    rows: int
    games: list[PlayedGame]


class Archive:
    """Records and replays by room and number. What is refused is refused before any entry is decoded."""

    def __init__(self, log: Log, executor: Executor) -> None:
        self._log = log
        self._executor = executor
        self._cache: OrderedDict[Key, CachedText] = OrderedDict()
        self._size = 0
        self._looks: OrderedDict[tuple[str, int], GameLook] = OrderedDict()
        self._lists: OrderedDict[str, GameList] = OrderedDict()
        self._tasks: dict[Key, asyncio.Task[CompressedBody]] = {}
        self._erasures = 0
        self._reading = asyncio.Lock()  # so that the rows of only one room are in memory at a time

    def forget(self) -> None:
        """Rows were erased: make every text again from what is left."""
        self._erasures += 1
        self._cache.clear()
        self._lists.clear()
        self._looks.clear()
        self._size = 0

    async def record(self, code: str, number: int) -> CompressedBody:
        key = code, number, None
        return await self._get(key, partial(self._look_up, key, record_of))

    async def replay(self, code: str, number: int, listener: str) -> CompressedBody:
        key = code, number, listener
        encode: Encode = lambda game: ENCODER.encode(replay_of(game, listener))  # noqa: E731
        return await self._get(key, partial(self._look_up, key, encode))

    async def reasons(self, code: str, number: int, seat: str, workers: BotWorkers) -> CompressedBody:
        """Why the bot at a seat did what it did. Few are made at a time: they take seconds."""
        key = code, number, f"{WHY}{seat}"
        explained = sum(1 for _, _, other in self._tasks if other and other.startswith(WHY))
        if key not in self._tasks and explained >= MOST_EXPLAINED:
            refuse("room/busy", "records")
        return await self._get(key, partial(self._explain, key, seat, workers))

    async def games(self, code: str) -> bytes:
        """The finished games of a room as `PlayedGames` in JSON. Only a game that was not listed before is read."""
        try:
            async with self._reading:
                found = await self._list(code)
        except LogFailed as failed:
            raise unreadable() from failed.with_traceback(None)
        return ENCODER.encode(PlayedGames(games=tuple(found.games)))

    async def _list(self, code: str) -> GameList:
        listed = self._lists.get(code, GameList(0, []))
        if await self._log.read(code, listed.rows):
            rows = await self._log.read(code)
            known = {game.number: game for game in listed.games}
            listed = GameList(len(rows), await self._executor(partial(played_games, rows, known)))
        if not listed.rows:
            raise no_such_room()
        self._lists[code] = listed
        self._lists.move_to_end(code)
        if len(self._lists) > MOST_LISTS:
            self._lists.popitem(last=False)
        return listed

    async def _get(self, key: Key, work: Work) -> CompressedBody:
        """Concurrent requests for the same text share one task. No frame of it leaves with its exception: a frame holds
        the game, and the frame here holds the task, which holds the exception."""
        task = self._tasks.get(key) or self._start(key, work)
        try:
            return await asyncio.shield(task)  # other requests may wait for it when this one is cancelled
        except RoundTableError as refused:
            raise refused.with_traceback(None) from None
        except LogFailed as failed:
            raise unreadable() from failed.with_traceback(None)
        finally:
            del task

    def _start(self, key: Key, work: Work) -> asyncio.Task[CompressedBody]:
        if len(self._tasks) >= MOST_WAITING:
            refuse("room/busy", "records")
        task = self._tasks[key] = asyncio.get_running_loop().create_task(work())
        task.add_done_callback(partial(self._forget_task, key))
        return task

    def _forget_task(self, key: Key, task: asyncio.Task[CompressedBody]) -> None:
        del self._tasks[key]
        if not task.cancelled():
            task.exception()  # retrieved, because all requests for it may be gone

    async def _look_up(self, key: Key, encode: Encode) -> CompressedBody:
        code, number, listener = key
        look = await self._look(code, number)
        look.require_over()
        if listener is not None:
            heard_by(listener, look.seats)
        cached = self._cache.get(key)
        if cached and cached.entries == look.entries:
            self._cache.move_to_end(key)
            return cached.body
        async with self._reading:
            erasures = self._erasures
            rows = await self._log.read(code)
            text = await self._executor(partial(make_text, rows, number, encode))
        if erasures == self._erasures:
            self._keep(key, text)
        return text.body

    async def _explain(self, key: Key, seat: str, workers: BotWorkers) -> CompressedBody:
        """No move follows the end of a game, so what was said since does not matter."""
        code, number, _ = key
        look = await self._look(code, number)
        look.require_over()
        require_seat(seat, look.seats)
        if cached := self._cache.get(key):
            self._cache.move_to_end(key)
            return cached.body
        async with self._reading:
            erasures = self._erasures
            rows = await self._log.read(code)
            question = await self._executor(partial(why_question, rows, number, int(seat)))
        try:
            body = compress(await workers.explain(question))
        except (TimeoutError, BrokenProcessPool) as failed:
            logger.error("a bot could not say why it moved: %s", type(failed).__name__)
            refuse("room/busy", "records")
        if erasures == self._erasures:
            self._keep(key, CachedText(body, look.entries))
        return body

    async def _look(self, code: str, number: int) -> GameLook:
        """Only rows that were written since the last look are read."""
        key = code, number
        look = self._looks.get(key, GameLook(number))
        if not look.is_cleared:
            async with self._reading:
                look = self._looks.get(key, look)  # another request may have looked meanwhile
                if rows := await self._log.read(code, look.rows):
                    look = await self._executor(partial(look_at, look, rows))
        if look.rows:
            self._looks[key] = look
            self._looks.move_to_end(key)
        if len(self._looks) > MOST_LOOKS:
            self._looks.popitem(last=False)
        return look

    def _keep(self, key: Key, text: CachedText) -> None:
        old = self._cache.pop(key, None)
        self._cache[key] = text
        self._size += text.body.size - (old.body.size if old else 0)
        while self._size > MOST_CACHED:
            _, dropped = self._cache.popitem(last=False)
            self._size -= dropped.body.size


# A look at a game


class GameLook(NamedTuple):
    """What the rows of a room tell about one of its games without decoding an entry."""

    number: int
    rows: int = 0  # of the room, which were looked at
    seats: int = 0
    entries: int = 0
    is_on_table: bool = False
    is_over: bool = False

    @property
    def is_cleared(self) -> bool:
        """Whether the game has left the table, so that no more can be said at it."""
        return self.entries > 0 and not self.is_on_table

    def require_over(self) -> None:
        if not self.entries:
            raise no_such_room()
        if not self.is_over:
            refuse("record/not_over")


class SeatCount(Struct):
    """The one part of a setup that a look needs."""

    seats: int


class EventName(Struct):
    name: str = field(name="is")


class EventNames(Struct):
    """The one part of an entry that a look needs."""

    events: list[EventName]


SEAT_COUNT = Decoder(SeatCount)
EVENT_NAMES = Decoder(EventNames)


def look_at(look: GameLook, rows: Sequence[Row]) -> GameLook:
    """A look that goes on with the next rows of the room."""
    number, seen, seats, entries, is_on_table, is_over = look
    for row in rows:
        read = READER.decode(row.line)
        if isinstance(read, GameRow):
            entries += is_on_table
            is_over = is_over or (is_on_table and reveals_secrets(read))
            continue
        for event in read.events:
            match event:
                case SetupChanged(setup=setup) if not entries:
                    seats = SEAT_COUNT.decode(setup).seats
                case GameStarted(number=started):
                    is_on_table = started == number
                case TableCleared() | RoomClosed():
                    is_on_table = False
    return GameLook(number, seen + len(rows), seats, entries, is_on_table, is_over)


def reveals_secrets(row: GameRow) -> bool:
    """`Play` reveals all secrets with the entry that ends the game, and with no other."""
    return any(event.name == SecretsRevealed.__name__ for event in EVENT_NAMES.decode(row.entry).events)


# Records


def make_text(rows: Sequence[Row], number: int, encode: Encode) -> CachedText:
    """A text about a room's game with this number, which is over."""
    finished = finished_game(rows, number)
    return CachedText(compress(encode(finished)), finished.length)


def record_of(finished: FinishedGame) -> bytes:
    rules_version = game_named(finished.game).setup_type.rules_version
    seal, first = sealed_line(title(finished.game, rules_version, finished.names), 1, "")
    lines = [first]
    for line in chain(({"entry": plain(entry)} for entry in finished.entries), [{"closed": True}]):
        seal, text = sealed_line(line, len(lines) + 1, seal)
        lines.append(text)
    return b"\n".join(lines) + b"\n"


# Replays, step by step


def replay_of(finished: FinishedGame, listener: str) -> Replay:
    names, entries, hears = finished.names, finished.entries, heard_by(listener, len(finished.names))
    game = game_named(finished.game)
    rounds, steps = encoded(fold(game, entries[0].events).setup.rounds()), tuple(_steps(game, entries, hears))
    moves = bot_moves(finished) if listener == "all" else ()
    return Replay(game=finished.game, names=names, rounds=rounds, steps=steps, bot_moves=moves)


def heard_by(listener: str, seats: int) -> Hears:
    """Which events a listener of this name heard."""
    if listener == "all":
        return lambda event: True
    if listener not in ("spectator", *map(str, range(seats))):
        raise RoomRefused("record/listener", last=seats - 1)
    seat = SPECTATOR if listener == "spectator" else int(listener)
    return lambda event: event.audience is EVERYONE or seat in event.audience


def require_seat(seat: str, seats: int) -> None:
    if seat not in map(str, range(seats)):
        raise RoomRefused("record/listener", last=seats - 1)


def _steps(game: Game[Any, Any], entries: Sequence[Entry], hears: Hears) -> Iterator[ReplayStep]:
    state: TableState | None = None
    for batch in batches(entries):
        heard = [event for entry in batch for event in entry.events if hears(event)]
        if heard:
            before, state = state, fold(game, heard) if state is None else evolve(game, state, heard)
            shown = [event for event in heard if not isinstance(event, SecretsRevealed)]  # `all` has heard it before
            yield ReplayStep(events=encoded(shown), changes=encoded(_changes(before, state)))


def _changes(before: TableState | None, after: TableState) -> dict[str, Any]:
    """The parts of a view that have changed; all parts of the first view."""
    old = {} if before is None else before.facts()
    return {name: plain(part) for name, part in after.facts().items() if name not in old or old[name] != part}
