"""Several workers on one PostgreSQL database: relayed requests and sockets, kills, and the parent process."""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import operator
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from roundtable.cli import main
from roundtable.core.actions import Say
from roundtable.core.entries import Entry
from roundtable.core.errors import SetupError
from roundtable.core.play import replay
from roundtable.games import codec_of, game_named
from roundtable.protocol.rooms import Settings
from roundtable.rooms.events import READER, GameRow
from roundtable.server import workers
from roundtable.server.workers import OnReady
from roundtable.storage.postgres import PostgresLog
from support.live_server import (
    GENEROUS,
    LiveServer,
    Player,
    children_of,
    command_line_of,
    seat_members,
    traceback_free,
)
from support.postgres import PrivateServer, ask, new_database, private_server
from support.raw_protocol import PLAIN, Listener, http_to, join_room, open_room
from support.waiting import PATIENCE, until, wait_until

pytestmark = pytest.mark.slow

SMALL = ("--requests-per-minute", "1000000", "--sockets-per-address", "6")


class Site:
    """Two servers on one database, as on two machines."""

    def __init__(self, folder: Any) -> None:
        self.address = new_database()
        self.first = LiveServer(folder / "first.db", *GENEROUS, address=self.address).start()
        self.second = LiveServer(folder / "second.db", *SMALL, address=self.address).start()

    def owner_of(self, room: str) -> str:
        """The address at which other workers reach the owner."""
        return str(ask(self.address, "SELECT address FROM leases JOIN workers USING (worker) WHERE room = $1", room))

    def secret(self) -> str:
        return str(ask(self.address, "SELECT secret FROM site"))

    async def rows(self, room: str) -> list[Entry]:
        log = PostgresLog(self.address)
        lines = [READER.decode(row.line) for row in await log.read(room)]
        await log.close()
        codec = codec_of(game_named("avalon"))
        return [codec.read(Entry, msgspec.json.decode(line.entry)) for line in lines if isinstance(line, GameRow)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("workers"))
    yield running
    for server in (running.first, running.second):
        assert server.stop() == 0
    assert traceback_free([running.first.logged(), running.second.logged()])


def test_players_at_two_workers_play_one_game(site: Site) -> None:
    async def main() -> None:
        async with site.first.client() as here, site.second.client() as there:
            members = await seat_members(here, settings=Settings(takeover_seconds=10))
            clients = (here, here, here, there, there)
            players = [
                Player(await client.enter(member), f"relayed/{member.member}", pause=0.01)
                for client, member in zip(clients, members, strict=True)
            ]
            await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), PATIENCE)
            assert all(player.is_over for player in players)
            room = members[0].room
            shown = await there.http.look(room)
            assert not any(seat.bot for seat in shown.seats), "players at the other worker were replaced"
            assert shown.host == members[0].member
            entries = await site.rows(room)
            replay(game_named("avalon"), entries)
            written = [(entry.actor, entry.id) for entry in entries if entry.id]
            for player in players:
                assert [own for actor, own in written if actor == player.seat] == player.acked
            assert await there.http.record(room, 1) == await here.http.record(room, 1)

    asyncio.run(main())


def test_requests_are_answered_as_by_the_owner(site: Site) -> None:
    async def main() -> None:
        async with http_to(site.first.url) as here, http_to(site.second.url) as there:
            host = await open_room(here, token="a" * 48)
            again = await there.post("/api/rooms", json={"name": "Host", "token": "a" * 48})
            assert (again.status_code, again.json()["room"]) == (201, host.room)
            ben = await join_room(there, host.room, "Ben")
            room = f"/api/rooms/{host.room}"
            vietnamese = {"accept-language": "vi"}
            asked: tuple[tuple[str, dict[str, str]], ...] = (
                (room, {}),
                (f"{room}/membership", {"authorization": f"Bearer {ben.token}"}),
                (f"{room}/membership", {**vietnamese, "authorization": "Bearer wrong"}),
                (f"{room}/script/en", {}),
                (f"{room}/script/xx", vietnamese),
                (f"{room}/games/1/record", {}),
                ("/api/rooms/ABCDEF", {}),
                ("/api/rooms/%00x", {}),
            )
            for path, headers in asked:
                answers = [await http.get(path, headers=headers) for http in (here, there)]
                assert answers[0].status_code == answers[1].status_code, path
                assert answers[0].content == answers[1].content, path
                assert headers_of(answers[0]) == headers_of(answers[1]), path
            for body in (b"", b"{", b"[" * 5000, b'{"is":"Start"}', b'{"is":"Leave","more":1}'):
                answers = [
                    await http.post(f"{room}/requests", content=body, headers={"authorization": f"Bearer {ben.token}"})
                    for http in (here, there)
                ]
                assert (answers[0].status_code, answers[0].content) == (answers[1].status_code, answers[1].content)

    asyncio.run(main())


def headers_of(answer: httpx.Response) -> dict[str, str]:
    return {name: text for name, text in answer.headers.items() if name != "date"}


async def close_of(url: str, room: str, *frames: str | bytes) -> tuple[int | None, str | None]:
    async with connect(f"{url}/{room}", **PLAIN) as one:
        try:
            for frame in frames:
                await one.send(frame)
            async with asyncio.timeout(PATIENCE):
                while True:
                    await one.recv()
        except ConnectionClosed:
            return one.close_code, one.close_reason


def test_sockets_are_closed_as_by_the_owner(site: Site) -> None:
    async def main() -> None:
        async with http_to(site.first.url) as here:
            host = await open_room(here, settings={"has_spectators": False})
            enter, here_frame = json.dumps({"is": "Enter", "token": host.token}), '{"is":"Here"}'
            leave = json.dumps({"is": "Ask", "id": "x", "request": {"is": "Leave"}})
            for frames, closed in (
                (("hello",), 4008),
                (('{"is":"Enter","token":"wrong"}',), 4003),
                (('{"is":"Enter"}',), 4003),
                ((enter, "x" * 8193), 1009),
                ((enter, *[here_frame] * 80), 1008),
                ((enter, leave), 4003),
            ):
                assert (await close_of(site.second.socket_url, host.room, *frames))[0] == closed, frames
            guest = await join_room(here, host.room, "Ben")
            relayed = await Listener.enter(site.second.socket_url, host.room, guest.token)
            await relayed.hears("Room")
            await relayed.socket.send('{"is":"Ping"}')
            await relayed.hears("Pong")
            for rubbish in ("", "{", '{"is":"Enter"}', b"\xff\xfe"):
                before = len(relayed.all("Refused"))
                await relayed.socket.send(rubbish)
                await relayed.hears("Refused", before + 1)
                assert relayed.last("Refused")["code"] == "text/unreadable"
            await relayed.leave()

    asyncio.run(main())


def test_limits_see_the_client_and_not_the_worker_that_relays(site: Site) -> None:
    """The owner takes six sockets of one address that watch; those of another address come through the same worker."""

    async def main() -> None:
        async with http_to(site.second.url) as there:
            host = await open_room(there)
        watching = [await Listener.enter(site.first.socket_url, host.room) for _ in range(6)]
        for one in watching:
            await one.hears("Room")
        assert await close_of(site.first.socket_url, host.room, '{"is":"Enter"}') == (1013, "server/full")
        url = f"{site.first.socket_url}/{host.room}"
        neighbour = Listener(await connect(url, **{**PLAIN, "local_addr": ("127.0.7.2", 0)}))
        await neighbour.say("Enter")
        await neighbour.hears("Room")
        for one in (*watching, neighbour):
            await one.leave()

    asyncio.run(main())


def test_only_workers_of_the_site_are_let_in_at_a_workers_own_port(site: Site) -> None:
    async def main() -> None:
        async with http_to(site.first.url) as here:
            host = await open_room(here)
        owner, secret = await asyncio.to_thread(site.owner_of, host.room), await asyncio.to_thread(site.secret)
        path = f"/api/rooms/{host.room}"
        async with httpx.AsyncClient(base_url=owner, trust_env=False, timeout=PATIENCE) as own_port:
            for wrong in ({}, {"x-roundtable-secret": ""}, {"x-roundtable-secret": secret[:-1]}):
                for target in (path, "/", "/health"):
                    refused = await own_port.get(target, headers=wrong)
                    assert (refused.status_code, refused.content) == (403, b"")
            right = {"x-roundtable-secret": secret, "x-roundtable-client": "192.0.2.7"}
            assert (await own_port.get(path, headers=right)).status_code == 200
        with pytest.raises(InvalidStatus) as rejected:
            await connect(f"{owner.replace('http', 'ws')}/socket/{host.room}", **PLAIN)
        assert rejected.value.response.status_code == 403
        other = await asyncio.to_thread(other_worker_of, site, owner)
        async with httpx.AsyncClient(base_url=other, trust_env=False, timeout=PATIENCE) as not_owner:
            again = await not_owner.get(path, headers=right)
            assert (again.status_code, again.json()["code"]) == (503, "room/busy"), "it is not relayed a second time"

    asyncio.run(main())


def other_worker_of(site: Site, owner: str) -> str:
    return str(ask(site.address, "SELECT address FROM workers WHERE address <> $1", owner))


def test_a_worker_that_slept_writes_nothing_late(site: Site) -> None:
    """The owner is stopped for longer than its lease. Its table goes on at the other worker."""

    async def main() -> None:
        async with site.first.client() as here, site.second.client() as there:
            members = await seat_members(here)
            room = members[0].room
            players = [Player(await there.enter(one), f"slept/{one.member}", pause=0.05) for one in members]
            at_owner = await here.enter(members[0])
            playing = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: acks(players) >= 5, "some moves")
            owner = await asyncio.to_thread(site.owner_of, room)
            os.kill(site.first.pid, signal.SIGSTOP)
            try:
                late = asyncio.create_task(at_owner.act(Say(channel="table", text="Late"), "late"))
                before = acks(players)
                await until(lambda: acks(players) >= before + 5, "moves at the other worker")
                assert await asyncio.to_thread(site.owner_of, room) != owner
            finally:
                os.kill(site.first.pid, signal.SIGCONT)
            await asyncio.wait_for(late, PATIENCE)
            await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
            entries = await site.rows(room)
            replay(game_named("avalon"), entries)
            written = [(entry.actor, entry.id) for entry in entries if entry.id]
            assert written.count((0, "late")) == 1
            for player in players:
                own = [name for actor, name in written if actor == player.seat and name != "late"]
                assert own == player.acked

    asyncio.run(main())


def acks(players: list[Player]) -> int:
    return sum(len(player.acked) for player in players)


# The parent process


def workers_of(server: LiveServer) -> list[int]:
    """The processes of the workers, which each have the bots' processes as their children."""
    return [child for child in children_of(server.pid) if "spawn_main" in command_line_of(child)]


def test_a_table_goes_on_when_workers_are_killed_and_they_are_replaced(tmp_path: Any) -> None:
    async def main(server: LiveServer) -> None:
        async with server.client() as client:
            members = await seat_members(client)
            players = [Player(await client.enter(member), f"killed/{member.member}", pause=0.02) for member in members]
            playing = [asyncio.create_task(player.play()) for player in players]
            for worker in sorted(workers_of(server)):  # one of them runs the table
                before = acks(players)
                os.kill(worker, signal.SIGKILL)
                await until(
                    lambda before=before: (  # type: ignore[misc]
                        acks(players) >= before + 3 or all(player.is_over for player in players)
                    ),
                    "answers after a worker was killed",
                )
            await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
            shown = await client.http.look(members[0].room)
            assert not any(seat.bot for seat in shown.seats)

    server = LiveServer(tmp_path / "rooms.db", *GENEROUS, "--workers", "2", address=new_database())
    with server:
        first = set(workers_of(server))
        assert len(first) == 2
        asyncio.run(main(server))
        wait_until(lambda: len(set(workers_of(server)) - first) == 2, "two workers in place of those that were killed")
        processes = workers_of(server)
        assert server.stop() == 0
        wait_until(lambda: not any(map(command_line_of, processes)), "the end of the workers")


@contextmanager
def two_workers_and_their_database(folder: Path) -> Iterator[tuple[LiveServer, PrivateServer]]:
    with private_server() as postgres:
        flags = (*GENEROUS, "--workers", "2", "--metrics-port", "0")
        with LiveServer(folder / "rooms.db", *flags, address=postgres.address) as server:
            yield server, postgres


def test_a_worker_that_cannot_start_again_says_why_and_is_back_soon_after_the_database(tmp_path: Path) -> None:
    with two_workers_and_their_database(tmp_path) as (server, postgres):
        first = workers_of(server)
        postgres.kill()
        os.kill(first[0], signal.SIGKILL)
        wait_until(lambda: "could not start" in server.logged(), "the reason in the log")
        wait_until(lambda: {*workers_of(server)} - {*first}, "another attempt")
        postgres.start()
        wait_until(lambda: "serves again" in server.logged(), "a worker in its place")
        lines = server.logged().splitlines()
        (died,) = [line for line in lines if "it is replaced" in line]
        assert "has ended with -9" in died
        failed, *others = [line for line in lines if "could not start" in line]
        assert all("is starting up" in line for line in others), "one line for each reason"
        assert "has ended with 2; it is tried again: The PostgreSQL server of" in failed
        assert failed.endswith("can’t be reached: Connection refused.")
        assert "postgres@" not in failed
        assert len([line for line in lines if "serves again" in line]) == 1
        assert len(workers_of(server)) == 2
        first_worker, second_worker = server.figure("roundtable_replaced_total")
        assert sorted((first_worker > 0, second_worker > 0)) == [False, True]
        assert server.stop() == 0


def test_an_outage_of_the_database_shows_in_figures_and_log_though_no_one_moves(tmp_path: Path) -> None:
    with two_workers_and_their_database(tmp_path) as (server, postgres):
        wait_until(lambda: server.figure("roundtable_ready") == [1, 1], "two workers that are ready")
        postgres.kill()
        wait_until(lambda: server.logged().count("the database cannot be written: ") == 2, "reports")
        wait_until(lambda: all(server.figure("roundtable_lost_leases_total")), "leases that are lost")
        failed = server.figure("roundtable_failed_writes_total")

        def has_failed_again() -> bool:
            assert server.figure("roundtable_ready") == [0, 0], "until the outage ends"
            return all(map(operator.gt, server.figure("roundtable_failed_writes_total"), failed))

        wait_until(has_failed_again, "more failed writes")
        assert httpx.get(f"{server.url}/ready", trust_env=False, timeout=PATIENCE).status_code == 503
        postgres.start()
        wait_until(lambda: server.figure("roundtable_ready") == [1, 1], "two workers that are ready again")
        assert httpx.get(f"{server.url}/ready", trust_env=False, timeout=PATIENCE).status_code == 200
        lines = server.logged().splitlines()
        for told in (
            "this worker could not renew its leases in time: other workers may run its rooms now",
            "this worker holds leases again, and runs rooms",
            "the database can be written again: games go on",
            "the database cannot be written: ",
        ):
            assert 2 <= sum(told in line for line in lines) <= 6, "once for each worker, or a few times if it is slow"
        assert server.stop() == 0


class FailingContext:
    """Processes that are run at once, in this process."""

    Pipe = staticmethod(multiprocessing.Pipe)

    class Process:
        exitcode = 0
        is_alive = join = staticmethod(lambda *_: False)

        def __init__(self, target: Callable[..., None], args: tuple[object, ...], name: str) -> None:
            self.name, self._run = name, partial(target, *args)

        def start(self) -> None:
            with pytest.raises(SystemExit) as ended:
                self._run()
            self.exitcode = ended.value.code  # type: ignore[assignment]


def test_the_pause_before_a_worker_is_tried_again_grows_to_two_seconds(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, attempts = 0.0, itertools.count()

    def fail_to_start(opens_demo: bool, number: int, replaced: int, on_ready: OnReady) -> None:
        assert replaced == 0, "a worker that never served was not replaced"
        raise SetupError("setup/option", "database_lost", database="rooms", reason=f"reason {next(attempts) // 4}")

    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(workers, "get_context", lambda _: FailingContext)
    monkeypatch.setattr(workers, "RESTART_SECONDS", 0.0)
    worker, pauses = workers.Worker(7, fail_to_start, opens_demo=False), []
    for _ in range(6):
        worker.attend()
        pauses.append(worker.rest)
        now += worker.rest or 0.0
        worker.attend()
    assert pauses == [0.5, 1.0, 2.0, 2.0, 2.0, 2.0]
    assert worker.process.exitcode == workers.COULD_NOT_START
    reasons = [record.getMessage().partition("read or written: ")[2] for record in caplog.records]
    assert reasons == ["reason 0; is the disk full?", "reason 1; is the disk full?"]


def test_workers_end_with_their_parent(tmp_path: Any) -> None:
    with LiveServer(tmp_path / "rooms.db", *GENEROUS, "--workers", "2", address=new_database()) as server:
        processes = workers_of(server)
        assert len(processes) == 2
        server.kill()
        wait_until(lambda: not any(map(command_line_of, processes)), "the end of the workers")


def test_several_workers_need_postgresql(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for database in ("memory:", f"sqlite:///{tmp_path / 'rooms.db'}"):
        assert main(["serve", "--database", database, "--port", "0", "--workers", "2"]) == 2
        assert capsys.readouterr().err == (
            f"roundtable: --workers needs a PostgreSQL database: {database} can be used by one process only.\n"
        )
