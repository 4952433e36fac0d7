"""`roundtable admin` and a running server."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from roundtable.cli import main
from roundtable.core.actions import Say
from roundtable.core.errors import RoomRefused
from roundtable.protocol.bodies import Membership, OpenRoom
from roundtable.protocol.rooms import Rematch, SayReady, SeatBot, Start
from roundtable.rooms.events import MemberJoined, SeatFreed
from roundtable.rooms.site_policy import BAN, SitePolicy
from roundtable.server.administration import ANSWER, ANSWER_SECONDS, KEEP_ALL, ORDER, Administration, Retention
from roundtable.storage import LogFailed, RoomSummary, Row, SqliteLog
from support.live_server import GENEROUS, LiveServer, Player, seat_members
from support.memory_leases import MemorySite, WorkerLog
from support.postgres import ask, new_database, prepared_database
from support.raw_protocol import Listener, http_to, join_room, open_room, seat_five
from support.room_harness import virtual_time_test
from support.stored_rooms import written_lines
from support.virtual_time import VirtualLoop, registry_of
from support.waiting import DEAR, PATIENCE, until

Admin = Callable[..., str]


@pytest.fixture
def admin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Admin:
    def run(*words: str, code: int = 0) -> str:
        assert main(["admin", "--database", f"sqlite:///{tmp_path / 'rooms.db'}", *words]) == code
        said = capsys.readouterr()
        return said.err if code else said.out

    return run


@pytest.mark.slow
def test_an_operator_looks_after_a_running_server(tmp_path: Path, admin: Admin) -> None:
    with LiveServer(tmp_path / "rooms.db", "--retain-records", "1") as server:

        async def story() -> None:
            async def ask(*words: str, code: int = 0) -> str:
                return await asyncio.to_thread(admin, *words, code=code)

            async with http_to(server.url) as http:
                anna, *_ = await seat_five(http, name="Anna")
                assert f"{anna.room} private" in await ask("list")
                seen = json.loads(await ask("inspect", anna.room.lower()))
                assert "Anna" in [member["name"] for member in seen["room"]["members"]]
                assert seen["connections"] == 0
                assert "isn’t over yet" in await ask("record", anna.room, "1", code=2)

                assert await ask("stop-rooms") == "2 rooms are open.\nNo new rooms are opened.\n"
                await refused(lambda: http.post("/api/rooms", json={"name": "Eve"}), 503, "server/full")
                await ask("resume")
                await accepted(lambda: http.post("/api/rooms", json={"name": "Bob"}))

                assert "#1" in await ask("erase", anna.room, "Anna")
                assert "Anna" not in (await http.get(f"/api/rooms/{anna.room}")).text

                listener = await Listener.enter(server.socket_url, anna.room, anna.token)
                await listener.hears("Welcome")
                assert "127.0.0.0/24 is banned." in await ask("ban", "127.0.0.1/24")
                assert await listener.closed() == (4003, "server/banned")
                await refused(lambda: http.get(f"/api/rooms/{anna.room}"), 403, "server/banned")
                assert "banned" not in await ask("unban", "127.0.0.0/24")
                await accepted(lambda: http.get(f"/api/rooms/{anna.room}"))

                assert await ask("close", anna.room) == f"{anna.room} is closed.\n"
                await refused(lambda: http.get(f"/api/rooms/{anna.room}"), 404, "room/unknown")
                assert "No open room has the code" in await ask("close", anna.room, code=2)
                assert f"'{anna.room}' has no game 7." in await ask("record", anna.room, "7", code=2)
                assert "ever had the name 'Zoe'." in await ask("erase", anna.room, "Zoe", code=2)
                assert "0 rooms" in await ask("retention")

        asyncio.run(story())
        assert "Traceback" not in server.logged()
        assert server.stop() == 0
    assert asyncio.run(notes_in(tmp_path / "rooms.db")) <= {"erasures", "talk erased"}


@pytest.mark.slow
def test_a_person_is_found_in_all_rooms_and_erased_there(tmp_path: Path, admin: Admin) -> None:
    named, typed = "Zo\u00eb", "Zoe\u0308"  # in one sign, and with a combining mark
    with LiveServer(tmp_path / "rooms.db") as server:

        async def open_rooms() -> list[str]:
            async with http_to(server.url) as http:
                first, closed, other = [await open_room(http, name=name) for name in (named, "Anna", "Zoe")]
                await join_room(http, closed.room, named)
                await asyncio.to_thread(admin, "close", closed.room)
                return [first.room, closed.room, other.room]

        first, closed, other = asyncio.run(open_rooms())
        today = datetime.now(UTC).date()
        found = admin("find", typed).splitlines()
        assert found in (
            [f"{first} open {day} #1 {named}", f"{closed} closed {day} #2 {named}"]
            for day in (today, today - timedelta(days=1))  # at midnight
        )
        assert set(admin("erase-everywhere", typed).splitlines()) == {
            f"{first}: erased the talk and the names of #1.",
            f"{closed}: erased the talk and the names of #2.",
        }
        for command in ("find", "erase-everywhere"):
            assert "No room has a member who was ever called" in admin(command, typed, code=2)
            assert "No room has a member who was ever called" in admin(command, "#1", code=2)  # a number is no name
        assert admin("find", "Zoe").startswith(other)
        assert "#1" in admin("erase", other, "Zoe")

        asyncio.run(write_closed_rooms(server.database))
        said = admin("erase-everywhere", "Max", code=2)
        assert "AABBCC: These rooms were skipped, because a row in them can’t be read: room AABBCC, row 2: " in said
        assert "Not erased yet: AABBCC." in said
        assert [line.split()[0] for line in admin("find", "Max").splitlines()] == ["AABBCC"]
        assert server.stop() == 0
        assert server.logged() == ""


NO_ROOMS = "This server opens no new tables at the moment; try again later."
NO_GAMES = "This server will stop soon, so no new games start. Games that are running go on."


async def refusal_of(asking: Awaitable[object]) -> str:
    """What a client is told; empty where it is not refused."""
    try:
        await asking
    except RoomRefused as refused:
        return refused.message if refused.code == "server/full" else refused.code
    return ""


async def is_accepted(asking: Awaitable[object]) -> bool:
    return not await refusal_of(asking)


@pytest.mark.slow
def test_a_drained_site_starts_no_game_and_finishes_those_that_run(tmp_path: Path, admin: Admin) -> None:
    async def story(server: LiveServer) -> None:
        async def ask(*words: str) -> str:
            return await asyncio.to_thread(admin, *words)

        async with server.client() as client:
            members = await seat_members(client)
            host = members[0]
            lobby = await client.http.open_room(OpenRoom(name="Ben"))
            for seat in range(1, 5):
                await client.http.ask(lobby, SeatBot(seat=seat))
            await client.http.ask(lobby, SayReady(is_ready=True))
            players = [Player(await client.enter(one), f"drained/{one.member}", pause=0.01) for one in members]
            await players[0].table.act(Say(channel="table", text="A game runs."), "first")
            assert await ask("drain") == "3 rooms are open.\nNo new rooms are opened, and no new games start.\n"

            async def no_rooms() -> bool:
                return await refusal_of(client.http.open_room(OpenRoom(name="Eve"))) == NO_ROOMS

            async def no_game(member: Membership, request: Start | Rematch) -> bool:
                return await refusal_of(client.http.ask(member, request)) == NO_GAMES

            await until(no_rooms, "no new rooms", DEAR)
            assert await no_game(lobby, Start())
            await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), PATIENCE)
            assert all(player.is_over for player in players)
            assert await no_game(host, Rematch())
            assert "no new games" in await ask("status")

            server.stop()  # a drained site stays drained
            server.start()
        async with server.client() as client:
            await until(no_rooms, "no new rooms", DEAR)
            assert await no_game(host, Rematch())
            assert "No new" not in await ask("resume")
            await until(lambda: is_accepted(client.http.open_room(OpenRoom(name="Eve"))), "rooms again", DEAR)
            assert await is_accepted(client.http.ask(host, Rematch()))
            assert await is_accepted(client.http.ask(lobby, Start()))

    with LiveServer(tmp_path / "rooms.db", *GENEROUS) as server:
        asyncio.run(story(server))
        assert server.stop() == 0
        assert server.logged() == ""


async def write_closed_rooms(path: Path) -> None:
    """Two rooms of Max, the first with a row that makes no sense."""
    log = SqliteLog(path)
    joined = written_lines([MemberJoined(member=1, name="Max", key="")], [])
    freed = written_lines([SeatFreed(seat=77)], [])
    for code, lines in (("AABBCC", [*joined, *freed]), ("DDEEFF", joined)):
        await log.append(code, 0, [Row(1, line) for line in lines], RoomSummary(1, is_open=False, listing=b""))
    await log.close()


def test_a_person_is_found_beside_a_room_that_cannot_be_read(
    tmp_path: Path, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write_rooms() -> None:
        log = SqliteLog(tmp_path / "rooms.db")
        joined = written_lines([MemberJoined(member=1, name="Zoe", key="")], [])
        for code, line in (("BRAKEN", b"{}"), ("WHALED", joined[0])):
            await log.append(code, 0, [Row(1, line)], RoomSummary(1, is_open=True, listing=b""))
        await log.close()

    asyncio.run(write_rooms())
    monkeypatch.setattr("roundtable.cli.orders.PATIENCE", 0.0)
    assert "BRAKEN, row 1" in admin("find", "Zoe", code=2)
    said = admin("erase-everywhere", "Zoe", code=2)
    assert "WHALED: No server has answered" in said
    assert "Not erased yet: WHALED." in said
    assert asyncio.run(notes_in(tmp_path / "rooms.db")) == set()


async def refused(ask: Callable[[], object], status: int, code: str) -> None:
    async def is_refused() -> bool:
        answer: httpx.Response = await ask()  # type: ignore[misc]
        return answer.status_code == status and answer.json()["code"] == code

    await until(is_refused, f"{status} {code}")


async def accepted(ask: Callable[[], object]) -> None:
    async def is_accepted() -> bool:
        answer: httpx.Response = await ask()  # type: ignore[misc]
        return answer.is_success

    await until(is_accepted, "an answer that is no refusal")


async def notes_in(path: Path) -> set[str]:
    log = SqliteLog(path)
    try:
        return set(await log.notes())
    finally:
        await log.close()


def test_without_a_server_an_order_is_withdrawn(tmp_path: Path, admin: Admin, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No such file" in admin("status", code=2)
    SqliteLog(tmp_path / "rooms.db")
    monkeypatch.setattr("roundtable.cli.orders.PATIENCE", 0.0)
    assert "No server has answered" in admin("close", "ABCDEF", code=2)
    assert asyncio.run(notes_in(tmp_path / "rooms.db")) == set()
    assert "'nonsense'" in admin("ban", "nonsense", code=2)
    assert "203.0.113.0/24 is banned." in admin("ban", "203.0.113.0/24")
    assert "203.0.113.7/32 is not banned" in admin("unban", "203.0.113.7", code=2)
    assert admin("unban", "203.0.113.9/24") == "0 rooms are open.\n"
    assert admin("status") == "0 rooms are open.\n"


def test_the_database_may_be_named_behind_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    SqliteLog(tmp_path / "rooms.db")
    assert main(["admin", "status", "--database", f"sqlite:///{tmp_path / 'rooms.db'}"]) == 0
    assert capsys.readouterr().out == "0 rooms are open.\n"


def test_retention_beyond_any_clock_keeps_everything() -> None:
    assert Retention.of_days(30, 10**20) == Retention(30, None)


def test_a_database_that_is_not_there_is_named_without_its_password(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "--database", "postgresql://me:secret@127.0.0.1:1/rooms", "list"]) == 2
    said = capsys.readouterr().err
    assert "127.0.0.1:1/rooms" in said
    assert "secret" not in said


def test_what_is_wrong_with_a_postgresql_database_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    empty, prepared = new_database(), prepared_database()
    schema = prepared.rpartition("=")[2]
    user = f"roundtable_guest_{os.getpid()}"
    ask(prepared, f"CREATE ROLE {user} LOGIN")
    ask(prepared, f"GRANT USAGE ON SCHEMA {schema} TO {user}")
    try:
        for address, sentence in (
            (empty, "has no tables of Round Table; is it the --database of the server?"),
            (prepared.replace("postgres@", f"{user}@"), "not let this user of .* do that: permission denied for table"),
            (f"{prepared}&colour=blue", 'one of the parameters after the .* parameter "colour"; correct it or'),
            ("postgresql://127.0.0.1:port/x", "can’t be used as a database: invalid literal"),
        ):
            assert main(["admin", "--database", address, "status"]) == 2
            said = capsys.readouterr().err
            assert re.search(sentence, said), said
            assert "can’t be reached" not in said
            assert said.count("\n") == 1
    finally:
        ask(prepared, f"DROP OWNED BY {user}")
        ask(prepared, f"DROP ROLE {user}")


def test_a_sqlite_database_that_is_none_is_not_taken_for_postgresql(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "rooms.db"
    SqliteLog(database)

    async def fail(log: SqliteLog) -> dict[str, str]:
        raise LogFailed("disk I/O error")

    monkeypatch.setattr(SqliteLog, "notes", fail)
    assert main(["admin", "--database", f"sqlite:///{database}", "status"]) == 2
    assert capsys.readouterr().err == f"roundtable: {database} can’t be used as a database: disk I/O error.\n"


@pytest.mark.parametrize(
    ("address", "is_banned"),
    [("203.0.113.7", True), ("::ffff:203.0.113.7", True), ("203.0.114.7", False), ("2001:db8::1", True), ("", False)],
)
def test_a_ban_holds_for_a_network_however_its_address_is_written(address: str, is_banned: bool) -> None:
    policy = SitePolicy()
    assert not policy.is_banned(address)
    notes = {BAN + "203.0.113.0/24": "", BAN + "2001:db8::/32": "", "no new rooms": ""}
    assert policy.obey(notes)
    assert not policy.obey(notes)  # no ban is new
    assert policy.is_banned(address) == is_banned
    assert not policy.takes_rooms


class Worker:
    """One of several workers on a log in memory, whose notes are read when the test says so."""

    def __init__(self, loop: VirtualLoop, site: MemorySite, name: str) -> None:
        log = WorkerLog(site)
        self.registry = registry_of(loop, log, seed=name, address=f"http://{name}")
        self.policy = SitePolicy()
        self.administration = Administration(log, self.registry, self.policy, KEEP_ALL, loop.now, lambda: None)


@virtual_time_test
async def test_the_worker_that_runs_a_room_answers_for_it_and_every_worker_obeys(loop: VirtualLoop) -> None:
    site = MemorySite(loop.now)
    workers = [Worker(loop, site, name) for name in ("a", "b")]
    for worker in workers:
        await worker.registry.start()
    opened = await workers[0].registry.open(OpenRoom(name="Anna"))
    await site.log.write_notes(
        {
            ORDER + "1": json.dumps({"do": "erase", "room": opened.room, "name": "Anna"}),
            ORDER + "2": json.dumps({"do": "close", "room": "NOROOM"}),
            BAN + "203.0.113.0/24": "banned",
        }
    )
    await workers[1].administration.obey()
    notes = await site.log.notes()
    assert ORDER + "1" in notes  # the other worker's
    assert json.loads(notes[ANSWER + "2"])["refused"][0] == "room/unknown"
    await workers[0].administration.obey()
    assert json.loads((await site.log.notes())[ANSWER + "1"]) == {"done": [1]}
    assert all(worker.policy.is_banned("203.0.113.7") for worker in workers)
    assert all(b"Anna" not in row.line for row in await site.log.read(opened.room))
    await asyncio.sleep(ANSWER_SECONDS)
    for worker in workers:
        await worker.administration.obey()
        await worker.registry.stop()
    assert [name for name in await site.log.notes() if name.startswith((ORDER, ANSWER))] == []
