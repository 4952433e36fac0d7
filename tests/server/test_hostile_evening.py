"""A hostile evening: a server is attacked in every way at once, and the honest tables beside must not notice."""

from __future__ import annotations

import asyncio
import multiprocessing
import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from shutil import copyfile

import pytest

from roundtable.storage import SqliteLog
from support.attackers import ATTACKERS, Plan, Report, attack
from support.honest_tables import HonestTable, Notes
from support.live_server import LiveServer, changed_program
from support.raw_protocol import Listener, http_to
from support.sizes import HONEST_TABLES, HOSTILE_SECONDS, IS_SOAK, QUIET_ACTS
from support.stored_rooms import OVER, RUNNING, write_long_games
from support.waiting import PAUSE, until

MEGABYTE = 1 << 20
MOST_GROWTH = 30  # MB
LEAST_P99 = 0.020  # seconds, below which a difference is noise
MOST_LATE = 1.0  # seconds
SPARE_ROOMS = 30  # that are left to attackers, until the house is full
FLAGS = ("--trusted-proxy", "127.0.0.1", "--most-rooms", str(HONEST_TABLES + SPARE_ROOMS))
AT_ONCE = changed_program("presence.LOST_SECONDS = 0")  # the seat of an absent player can be claimed at once


class House:
    """A server with honest tables."""

    def __init__(self, server: LiveServer) -> None:
        self.server, self.notes = server, Notes()
        addresses = [f"203.0.113.{number}" for number in range(1, HONEST_TABLES + 1)]
        self.tables = [HonestTable(self.notes, server.url, address) for address in addresses]
        self.before = self.most = 0.0  # MB in memory before the attack, and at most during it

    async def open(self) -> None:
        """Play for a while, with all in memory that any client may cause to be there."""
        self._spectator = await Listener.enter(self.server.socket_url, RUNNING)
        async with http_to(self.server.url) as http:
            for path in ("record", *(f"replay/{seat}" for seat in range(5))):
                assert (await http.get(f"/api/rooms/{OVER}/games/1/{path}")).status_code == 200
        for table in self.tables:
            await table.open()
        self.notes.next_period()
        await until(lambda: len(self.notes.evening.answers) >= QUIET_ACTS, "the quiet period")
        print(self.notes.next_period().line("before"))
        self.before = self.megabytes()

    async def close(self) -> None:
        """Wait until all that was sent is answered."""
        for table in self.tables:
            await table.rest()
            table.players[0].note_deadline()
        for table in self.tables:
            await table.go_home()
        await self._spectator.leave()

    def megabytes(self) -> float:
        return self.server.memory() / MEGABYTE

    def measure(self) -> None:
        self.most = max(self.most, self.megabytes())

    @property
    def growth(self) -> float:
        return self.most - self.before

    def line(self, name: str) -> str:
        """Its figures, for `make soak`, which shows what passed tests print."""
        memory = f"{self.before:.0f} MB before, at most {self.most:.0f}, {self.megabytes():.0f} after"
        return f"{self.notes.evening.line(name)}; {sum(table.games for table in self.tables)} rematches; {memory}"


@pytest.mark.slow
def test_honest_tables_do_not_notice_a_hostile_evening(tmp_path: Path) -> None:
    """The reference is a server with as many tables on the same machine at the same time, which is not attacked."""
    database, copy = tmp_path / "attacked.db", tmp_path / "quiet.db"
    asyncio.run(write_long_games(SqliteLog(database)))
    copyfile(database, copy)
    with (
        LiveServer(database, *FLAGS, program=AT_ONCE) as server,
        LiveServer(copy, *FLAGS, program=AT_ONCE) as reference,
    ):
        attacked, quiet, report = asyncio.run(hostile_evening(server, reference))
        assert [server.stop(), reference.stop()] == [0, 0]
    assert attacked.notes.complaints == []
    require_attacks(report)
    assert attacked.growth - max(0.0, quiet.growth) < MOST_GROWTH
    assert not re.search(r"ERROR|CRITICAL|Traceback", server.logged()), server.logged()
    if IS_SOAK:
        assert attacked.notes.evening.p99 <= 2 * max(LEAST_P99 / 2, quiet.notes.evening.p99)
        assert max(attacked.notes.evening.late) <= MOST_LATE


def require_attacks(report: Report) -> None:
    """Each attack took place, and no seat was stolen."""
    assert list(report) == [kind.__name__ for kind in ATTACKERS]
    assert all(counts.total() > counts["cut off"] for counts in report.values()), report
    assert not any(counts["STOLEN"] or counts["500"] for counts in report.values()), report
    assert report["RoomOpeners"]["503"], report  # the house was full
    assert report["Neighbours"]["429"], report  # honest people's address has used its limits up


async def hostile_evening(server: LiveServer, reference: LiveServer) -> tuple[House, House, Report]:
    attacked, quiet = houses = House(server), House(reference)
    await asyncio.gather(*(house.open() for house in houses))
    report = await attack_and_measure(attacked, houses)
    print(attacked.line("attacked"), quiet.line("quiet"), *report.items(), sep="\n")
    await asyncio.gather(*(house.close() for house in houses))
    return attacked, quiet, report


async def attack_and_measure(attacked: House, houses: Sequence[House]) -> Report:
    """What attackers in another process saw."""
    tables = attacked.tables
    plan = Plan(attacked.server.url, [table.room for table in tables], tables[0].address, HOSTILE_SECONDS)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        attacking = asyncio.get_running_loop().run_in_executor(pool, attack, plan)
        while not attacking.done():
            for house in houses:
                house.measure()
            await asyncio.sleep(PAUSE)
        return await attacking
