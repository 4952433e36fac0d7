"""Virtual time: an event loop whose clock jumps to the next timer, seeded randomness, fake connections to a room."""

from __future__ import annotations

import asyncio
import hashlib
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from roundtable.protocol import rooms as protocol
from roundtable.rooms import BotWorkers, InlineBotWorkers, RoomRegistry, Services, Session
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits, SitePolicy
from roundtable.storage import Log, MemoryLog
from support.frames import FrameReader

T = TypeVar("T")

EPOCH = 1_700_000_000_000  # when virtual time begins, in milliseconds since 1970


class _VirtualSelector(selectors.SelectSelector):
    """Instead of sleeping, advances the clock by the timeout."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("Nothing is due, and nothing ever will be.")
        self.time += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop without waiting: always in the same order, without network and files."""

    def __init__(self) -> None:
        self._clock = _VirtualSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.time

    def now(self) -> int:
        return EPOCH + round(self._clock.time * 1000)


def run(main: Callable[[VirtualLoop], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in a loop of its own to its end, in virtual time."""
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(main(loop))
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        asyncio.set_event_loop(None)
        loop.close()


class SeededBytes:
    """A replacement of `os.urandom` that returns the same bytes for the same seed."""

    def __init__(self, seed: object = 0) -> None:
        self._seed = seed
        self._drawn = 0

    def __call__(self, count: int) -> bytes:
        self._drawn += 1
        return hashlib.shake_256(f"{self._seed}/{self._drawn}".encode()).digest(count)


def registry_of(
    loop: VirtualLoop,
    log: Log | None = None,
    seed: object = 0,
    workers: BotWorkers | None = None,
    *,
    now: Callable[[], int] | None = None,
    address: str = "",
    idle: IdleLimits = USUAL_LIMITS,
) -> RoomRegistry:
    entropy, bots = SeededBytes(seed), workers or InlineBotWorkers()
    services = Services(log or MemoryLog(), now or loop.now, entropy, bots, address=address, policy=SitePolicy(idle))
    return RoomRegistry(services)


class FakeConnection:
    """The port of a session that keeps all frames it gets. To wait for answers, use `room_harness.RoomMember`."""

    def __init__(self, token: str | None = None) -> None:
        self.token = token
        self.frames: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.session = Session(self)

    is_ready = True

    def when_ready(self, call: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(call)

    def send(self, *frames: str) -> None:
        self.frames += frames

    def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)

    @property
    def received(self) -> list[dict[str, Any]]:
        reader = FrameReader()
        return [message for frame in self.frames for message in reader.read(frame)]

    def last(self, kind: str) -> dict[str, Any]:
        return next(message for message in reversed(self.received) if message["is"] == kind)

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.received if message["is"] == kind]

    def entering(self, **more: Any) -> protocol.Enter:
        return protocol.Enter(token=self.token, **more)
