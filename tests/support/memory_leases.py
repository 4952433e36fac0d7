"""Leases in memory: several workers in one process, on one log. They are the leases' contract in its simplest form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from roundtable.storage import LEASE_SECONDS, Lease, LeaseLost, MemoryLog, RoomSummary, Row

SECRET = "the site's secret"


class RegisteredWorker:
    """A worker that is taken for alive until a time."""

    def __init__(self, address: str, until: int) -> None:
        self.address, self.until = address, until


@dataclass
class HeldRoom:
    """The lease of a room; no worker holds it while `worker` is empty."""

    worker: str = ""
    epoch: int = 0
    due: int | None = None  # when the room has to be read, while it is free


@dataclass
class MemorySite:
    """What the workers of a site share: the log, the workers, the leases and the time."""

    now: Callable[[], int]
    log: MemoryLog = field(default_factory=MemoryLog)
    workers: dict[str, RegisteredWorker] = field(default_factory=dict)
    rooms: dict[str, HeldRoom] = field(default_factory=dict)
    started: int = 0

    def bury_the_dead(self) -> None:
        now = self.now()
        dead = {name for name, worker in self.workers.items() if worker.until <= now}
        for name in dead:
            del self.workers[name]
        for room in [room for room, held in self.rooms.items() if held.worker in dead]:
            self.free(room, None)

    def free(self, room: str, due: int | None) -> None:
        if self.log._rows.get(room):
            self.rooms[room].worker, self.rooms[room].due = "", self.due_at(room) if due is None else due
        else:
            del self.rooms[room]

    def due_at(self, room: str) -> int | None:
        """When a room that is free from now on has to be read, by its summary."""
        summary = self.log._summaries.get(room)
        if summary is None or not summary.is_open:
            return None
        grace = None if summary.takeover_grace is None else self.now() + summary.takeover_grace
        return min(due for due in (summary.wakes_at, summary.deadline, grace) if due is not None)


class MemoryLeases:
    """One worker's leases."""

    def __init__(self, site: MemorySite) -> None:
        self.secret = ""
        self.held: dict[str, int] = {}  # the epochs of the rooms that this worker holds
        self._site = site
        self._name = ""

    async def start(self, address: str) -> int:
        self._site.started += 1
        self._name, self.secret = f"worker {self._site.started}", SECRET
        self.held.clear()
        self._site.workers[self._name] = RegisteredWorker(address, self._site.now() + LEASE_SECONDS * 1000)
        return self._site.now()

    async def renew(self) -> int:
        worker = self._site.workers.get(self._name)
        if worker is None or worker.until <= self._site.now():
            self.held.clear()
            raise LeaseLost(self._name)
        worker.until = self._site.now() + LEASE_SECONDS * 1000
        return self._site.now()

    async def take(self, room: str) -> Lease:
        self._site.bury_the_dead()
        if self._name not in self._site.workers:
            raise LeaseLost(room)
        held = self._site.rooms.setdefault(room, HeldRoom())
        if not held.worker:
            held.worker, held.epoch = self._name, held.epoch + 1
        if held.worker == self._name:
            self.held[room] = held.epoch
        owner = self._site.workers[held.worker]
        return Lease(held.worker, owner.address, held.epoch, owner.until - self._site.now())

    async def take_due(self, ahead: int, most: int) -> list[str]:
        self._site.bury_the_dead()
        if self._name not in self._site.workers:
            raise LeaseLost(self._name)
        dues = []
        for room in await self._site.log.summaries():
            held = self._site.rooms.setdefault(room, HeldRoom(due=self._site.due_at(room)))
            if not held.worker and held.due is not None and held.due <= self._site.now() + ahead:
                dues.append((held.due, room))
        taken = [room for _, room in sorted(dues)[:most]]
        for room in taken:
            await self.take(room)
        return taken

    async def release(self, rooms: Mapping[str, int | None]) -> None:
        for room, due in rooms.items():
            epoch = self.held.pop(room, None)
            if epoch is not None and self.is_held(room, epoch):
                self._site.free(room, due)

    def is_mine(self, lease: Lease) -> bool:
        return lease.worker == self._name

    def is_held(self, room: str, epoch: int) -> bool:
        held = self._site.rooms.get(room)
        return held is not None and (held.worker, held.epoch) == (self._name, epoch)

    async def stop(self) -> None:
        await self.release(dict.fromkeys(self.held))
        self._site.workers.pop(self._name, None)


class WorkerLog:
    """One worker's access to the log of a site: it writes only to the rooms that the worker holds."""

    def __init__(self, site: MemorySite) -> None:
        self.site = site
        self.leases = MemoryLeases(site)
        self.read = site.log.read
        self.summaries = site.log.summaries
        self.open_rooms = site.log.open_rooms
        self.listed = site.log.listed
        self.closed_rooms = site.log.closed_rooms
        self.notes = site.log.notes
        self.write_notes = site.log.write_notes
        self.try_to_write = site.log.try_to_write

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        self._require_held(room)
        await self.site.log.append(room, known, rows, summary)

    async def rewrite(self, room: str, lines: Mapping[int, bytes]) -> None:
        self._require_held(room)
        await self.site.log.rewrite(room, lines)

    async def remove(self, room: str) -> None:
        self._require_held(room)
        await self.site.log.remove(room)

    def _require_held(self, room: str) -> None:
        epoch = self.leases.held.get(room)
        if epoch is None or not self.leases.is_held(room, epoch):
            self.leases.held.pop(room, None)
            raise LeaseLost(room)

    async def close(self) -> None:
        """The site outlives its workers."""
