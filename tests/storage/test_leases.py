"""The contract of leases: one worker runs a room at a time; the same suite for memory and PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import asyncpg
import pytest

from roundtable.storage import LEASE_SECONDS, Conflict, LeaseLost, Leases, Log, RoomSummary, Row
from roundtable.storage.postgres import PostgresLog
from support.memory_leases import MemorySite, WorkerLog
from support.postgres import LONG_LEASE, be_patient, prepared_database
from support.waiting import until

AHEAD = 1_000
LATER = 1_000_000_000  # milliseconds


ARE_WAITING = """
    SELECT count(*) = $1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


class Site(Protocol):
    """What several workers share."""

    def open_log(self) -> Log: ...

    async def now(self) -> int: ...

    async def pass_lease_time(self) -> None:
        """Let every worker that is registered now come to the end of its lease."""


class MemoryOfWorkers:
    def __init__(self) -> None:
        self._now = 1_700_000_000_000
        self._site = MemorySite(lambda: self._now)

    def open_log(self) -> Log:
        return WorkerLog(self._site)

    async def now(self) -> int:
        return self._now

    async def pass_lease_time(self) -> None:
        self._now += LEASE_SECONDS * 1_000


class SharedDatabase:
    def __init__(self) -> None:
        self.address = prepared_database()

    def open_log(self) -> Log:
        return PostgresLog(self.address)

    async def now(self) -> int:
        return round(time.time() * 1_000)  # of this machine, as the database's is

    async def pass_lease_time(self) -> None:
        connection = await asyncpg.connect(self.address)
        await connection.execute("UPDATE workers SET until = clock_timestamp()")
        await connection.close()


class Worker:
    """A worker that has started, with its log."""

    def __init__(self, log: Log) -> None:
        assert log.leases is not None
        self.log = log
        self.leases: Leases = log.leases
        self.address = ""

    async def start(self, number: int) -> None:
        self.address = f"http://127.0.0.1:{number}"
        await self.leases.start(self.address)

    async def write(self, room: str, text: str, summary: RoomSummary | None = None, known: int | None = None) -> None:
        known = len(await self.log.read(room)) if known is None else known
        await self.log.append(room, known, [Row(1, text.encode())], summary)

    async def holds(self, room: str) -> bool:
        return self.leases.is_mine(await self.leases.take(room))


Story = Callable[..., Awaitable[None]]


@pytest.fixture(params=["memory", "postgres"])
def site(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Site:
    be_patient(monkeypatch)
    return MemoryOfWorkers() if request.param == "memory" else SharedDatabase()


def tell(site: Site, story: Story, workers: int = 2) -> None:
    async def whole() -> None:
        started = [Worker(site.open_log()) for _ in range(workers)]
        for number, worker in enumerate(started, 1):
            await worker.start(number)
        try:
            await story(*started)
        finally:
            for worker in started:
                await worker.log.close()

    asyncio.run(whole())


async def said(worker: Worker, room: str = "A") -> list[str]:
    return [row.line.decode() for row in await worker.log.read(room)]


def due_in(milliseconds: int, now: int) -> RoomSummary:
    return RoomSummary(wakes_at=now + LATER, is_open=True, listing=b"", deadline=now + milliseconds)


# Who runs a room


def test_a_room_belongs_to_the_first_who_takes_it_and_others_learn_where_it_is(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        lease = await one.leases.take("A")
        assert one.leases.is_mine(lease)
        assert not other.leases.is_mine(lease)
        assert lease.address == one.address
        seen = await other.leases.take("A")
        assert seen[:3] == (await one.leases.take("A"))[:3] == lease[:3]
        assert 0 < seen.ends_in <= LONG_LEASE * 1000
        assert one.leases.secret == other.leases.secret != ""

    tell(site, story)


def test_of_many_who_take_a_room_at_once_one_gets_it(site: Site) -> None:
    async def story(*workers: Worker) -> None:
        leases = await asyncio.gather(*(worker.leases.take("A") for worker in workers for _ in range(3)))
        assert len({lease[:3] for lease in leases}) == 1
        assert [worker.leases.is_mine(leases[0]) for worker in workers].count(True) == 1

    tell(site, story, workers=4)


def test_only_the_worker_that_holds_a_room_writes_to_it(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        with pytest.raises(LeaseLost):
            await one.write("A", "too early")
        await one.leases.take("A")
        await other.leases.take("A")
        await one.write("A", "one")
        with pytest.raises(LeaseLost):
            await other.write("A", "stranger's")
        assert await said(one) == await said(other) == ["one"]

    tell(site, story)


def test_a_holder_who_knows_too_few_rows_conflicts(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        await one.leases.take("A")
        await one.write("A", "one")
        with pytest.raises(Conflict):
            await one.write("A", "late", known=0)
        with pytest.raises(Conflict):
            await one.write("A", "early", known=2)
        assert await said(one) == ["one"]

    tell(site, story)


def test_a_room_that_is_released_is_free_for_others(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        first = await one.leases.take("A")
        await one.write("A", "one")
        await one.leases.release({"A": None})
        with pytest.raises(LeaseLost):
            await one.write("A", "after it was released")
        second = await other.leases.take("A")
        assert other.leases.is_mine(second)
        assert second.epoch == first.epoch + 1
        await other.write("A", "two")
        assert await said(one) == ["one", "two"]

    tell(site, story)


def test_a_worker_releases_only_what_it_holds(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        await one.leases.take("A")
        await one.write("A", "one")
        await other.leases.release({"A": 5, "B": 5})
        await one.write("A", "two")
        assert not await other.holds("A")

    tell(site, story)


def test_a_room_without_rows_is_forgotten_when_it_is_released(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        await one.leases.take("A")
        await one.leases.release({"A": 0})
        assert await other.leases.take_due(AHEAD, 10) == []
        assert await other.holds("A")
        await other.write("A", "one")

    tell(site, story)


# Workers that die, sleep or stop


def test_a_worker_that_renews_keeps_its_rooms(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        before = await site.now()
        await one.leases.take("A")
        assert abs(await one.leases.renew() - before) < 60_000
        assert not await other.holds("A")
        await one.write("A", "one")

    tell(site, story)


def test_a_worker_that_slept_through_its_lease_has_lost_its_rooms_and_its_late_append_writes_nothing(
    site: Site,
) -> None:
    async def story(sleeper: Worker, other: Worker) -> None:
        first = await sleeper.leases.take("A")
        await sleeper.write("A", "one")
        await site.pass_lease_time()
        await other.start(7)
        second = await other.leases.take("A")
        assert other.leases.is_mine(second)
        assert second.epoch == first.epoch + 1
        with pytest.raises(LeaseLost):
            await sleeper.write("A", "late", known=1)
        with pytest.raises(LeaseLost):
            await sleeper.leases.renew()
        assert await said(other) == ["one"]
        await other.write("A", "two", known=1)
        with pytest.raises(LeaseLost):
            await sleeper.leases.take("B")
        with pytest.raises(LeaseLost):
            await sleeper.leases.take_due(AHEAD, 10)

    tell(site, story)


def test_the_first_row_of_a_worker_that_slept_is_not_written_either(site: Site) -> None:
    """The lease of a room without rows is forgotten, and begins anew with the other worker."""

    async def story(sleeper: Worker, other: Worker) -> None:
        await sleeper.leases.take("A")
        await site.pass_lease_time()
        await other.start(7)
        assert await other.holds("A")
        with pytest.raises(LeaseLost):
            await sleeper.write("A", "late", known=0)
        assert await said(other) == []
        await other.write("A", "one", known=0)

    tell(site, story)


def test_a_worker_that_was_taken_for_dead_starts_again_under_a_new_name(site: Site) -> None:
    async def story(sleeper: Worker, other: Worker) -> None:
        first = await sleeper.leases.take("A")
        await sleeper.write("A", "one")
        await site.pass_lease_time()
        with pytest.raises(LeaseLost):
            await sleeper.leases.renew()
        await sleeper.start(9)
        assert not sleeper.leases.is_mine(first)
        with pytest.raises(LeaseLost):
            await sleeper.write("A", "late", known=1)
        again = await sleeper.leases.take("A")
        assert sleeper.leases.is_mine(again)
        assert again.epoch == first.epoch + 1
        assert again.worker != first.worker
        await sleeper.write("A", "two")

    tell(site, story)


def test_a_late_append_loses_even_after_the_room_came_back_to_the_same_worker(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        first = await one.leases.take("A")
        await one.write("A", "one")
        await one.leases.release({"A": None})
        await other.leases.take("A")
        await other.write("A", "two")
        await other.leases.release({"A": None})
        assert (await one.leases.take("A")).epoch == first.epoch + 2
        with pytest.raises(Conflict):
            await one.write("A", "what it wanted to write before", known=1)
        assert await said(one) == ["one", "two"]

    tell(site, story)


def test_a_worker_that_stops_frees_all_its_rooms(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        for room in "AB":
            await one.leases.take(room)
            await one.write(room, "one")
        await one.leases.stop()
        for room in "AB":
            with pytest.raises(LeaseLost):
                await one.write(room, "late")
            assert await other.holds(room)
        with pytest.raises(LeaseLost):
            await one.leases.renew()

    tell(site, story)


# What is due


def test_free_rooms_are_taken_when_they_are_due_the_earliest_first(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        now = await site.now()
        for room, milliseconds in {"SOON": -5, "LATE": LATER, "PAST": -60_000, "HELD": -60_000}.items():
            await one.leases.take(room)
            await one.write(room, "one", due_in(milliseconds, now))
        await one.leases.release(dict.fromkeys(("SOON", "LATE", "PAST")))
        assert await other.leases.take_due(AHEAD, 1) == ["PAST"]
        assert await other.leases.take_due(AHEAD, 10) == ["SOON"]
        assert await other.leases.take_due(AHEAD, 10) == []
        await other.write("SOON", "two")
        with pytest.raises(LeaseLost):
            await one.write("SOON", "late")

    tell(site, story)


@pytest.mark.parametrize(
    ("summary", "is_due"),
    [
        (RoomSummary(wakes_at=LATER, is_open=True, listing=b"", deadline=AHEAD - 1), True),
        (RoomSummary(wakes_at=LATER, is_open=True, listing=b"", deadline=LATER), False),
        (RoomSummary(wakes_at=-1, is_open=True, listing=b""), True),
        (RoomSummary(wakes_at=-1, is_open=False, listing=b"", deadline=-1), False),
        (RoomSummary(wakes_at=LATER, is_open=True, listing=b"", takeover_grace=0), True),
        (RoomSummary(wakes_at=LATER, is_open=True, listing=b"", takeover_grace=LATER), False),
    ],
)
def test_a_dead_workers_rooms_are_due_when_their_summaries_say_so(
    site: Site, summary: RoomSummary, is_due: bool
) -> None:
    async def story(one: Worker, other: Worker) -> None:
        now = await site.now()
        deadline = None if summary.deadline is None else now + summary.deadline
        await one.leases.take("A")
        await one.write("A", "one", summary._replace(wakes_at=now + summary.wakes_at, deadline=deadline))
        assert await other.leases.take_due(LATER + AHEAD, 10) == []
        await site.pass_lease_time()
        await other.start(7)
        assert await other.leases.take_due(AHEAD, 10) == ["A"] * is_due

    tell(site, story)


def test_a_room_is_due_at_the_time_with_which_it_was_released(site: Site) -> None:
    async def story(one: Worker, other: Worker) -> None:
        now = await site.now()
        for room in "ABC":
            await one.leases.take(room)
        await one.write("A", "one", due_in(LATER, now))
        await one.write("B", "one", due_in(-5, now))
        await one.write("C", "one", due_in(-5, now))
        await one.leases.release({"A": now, "B": now + LATER, "C": None})
        assert sorted(await other.leases.take_due(AHEAD, 10)) == ["A", "C"]
        assert await other.leases.take_due(LATER + AHEAD, 10) == ["B"]

    tell(site, story)


def test_several_workers_who_take_due_rooms_at_once_share_them(site: Site) -> None:
    rooms = [f"ROOM{number}" for number in range(40)]

    async def story(one: Worker, *others: Worker) -> None:
        now = await site.now()
        for room in rooms:
            await one.leases.take(room)
        await asyncio.gather(*(one.write(room, "one", due_in(-5, now)) for room in rooms))
        await one.leases.release(dict.fromkeys(rooms))
        taken: list[str] = []

        async def take(worker: Worker) -> None:
            while some := await worker.leases.take_due(AHEAD, 3):
                for room in some:
                    await worker.write(room, "two")
                taken.extend(some)

        await asyncio.gather(*map(take, others))
        assert sorted(taken) == sorted(rooms)

    tell(site, story, workers=4)


# PostgreSQL


def test_a_worker_that_takes_a_room_over_waits_for_rows_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fence holds for a statement that began before the lease was lost, too."""
    be_patient(monkeypatch)
    site = SharedDatabase()

    async def story(sleeper: Worker, other: Worker) -> None:
        now = await site.now()
        await sleeper.leases.take("A")
        await sleeper.write("A", "one", due_in(LATER, now))
        operator, watcher = await asyncpg.connect(site.address), await asyncpg.connect(site.address)
        await operator.execute("BEGIN; SELECT FROM summaries FOR UPDATE")  # an append has to wait for it
        late = asyncio.ensure_future(sleeper.write("A", "two", due_in(-5, now), known=1))

        async def are_waiting(count: int) -> bool:
            return bool(await watcher.fetchval(ARE_WAITING, count))

        await until(lambda: are_waiting(1), "the append waits")
        await site.pass_lease_time()
        await other.start(7)
        due = asyncio.ensure_future(other.leases.take_due(AHEAD, 10))
        await until(lambda: are_waiting(2), "the other worker waits for the append")
        await operator.execute("COMMIT")
        await late
        assert await due == ["A"]  # by the summary that was in flight
        assert await said(other) == ["one", "two"]
        await other.write("A", "three", known=2)
        for connection in (operator, watcher):
            await connection.close()

    tell(site, story)
