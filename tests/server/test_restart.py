"""Restarts: a new server finds everything as it was, and one that cannot start says why in one sentence."""

from __future__ import annotations

import asyncio
import random
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from roundtable.bots import RandomBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_bots
from roundtable.cli import main
from roundtable.core.actions import Say
from roundtable.core.play import Play
from roundtable.games import game_named, make_setup
from roundtable.rooms.guests import room_codes
from roundtable.storage import SqliteLog
from support.live_server import LiveServer, Player, command, environment, run_to_its_end, traceback_free
from support.paths import ROOT
from support.raw_protocol import Listener, fresh_heard, http_to, seat_five
from support.sizes import CUT_SECONDS, RESTARTED_ROOMS
from support.stored_rooms import write_room
from support.waiting import PATIENCE, until

ROOMS, EVENTS = RESTARTED_ROOMS, 150
ASKED = 50  # rooms that are checked after the restart
VOTE_SECONDS = 20
SPREAD = 6.0  # seconds over which the deadlines of the rooms are spread
MISSED = 5  # at least this number of lines is said meanwhile


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_asked_to_stop_loses_nothing_and_ends_well(tmp_path: Path, how: signal.Signals) -> None:
    server = LiveServer(tmp_path / "rooms.db")

    async def play_a_little() -> tuple[str, str, list[object]]:
        async with http_to(server.url) as http:
            guests = await seat_five(http)
            listener = await Listener.enter(server.socket_url, guests[0].room, guests[0].token)
            await listener.caught_up()
            await listener.say("Act", id="talk", action={"is": "Say", "channel": "table", "text": "Well met."})
            assert (await listener.answered("talk"))["is"] == "Answered"
            heard: list[object] = [*listener.all("Heard")]
            code = await asyncio.to_thread(server.stop, how)
            assert code == 0, server.logged()
            assert (await listener.closed())[0] == 1012  # the server restarts: come back
            server.start()
            assert await fresh_heard(server.socket_url, guests[0].room, guests[0].token) == heard
            return guests[0].room, guests[0].token, heard

    with server:
        asyncio.run(play_a_little())
        assert traceback_free([server.logged()])


@pytest.mark.slow
def test_live_rooms_are_there_again_when_the_server_is_and_their_deadlines_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # C5
    database = tmp_path / "rooms.db"
    rooms = asyncio.run(write_rooms(database))
    server = LiveServer(database)
    began = time.time()
    with server:

        async def come_back() -> None:
            async with http_to(server.url) as http:
                await until(lambda: is_ready(http), "a server that has taken up its rooms")
                ready = time.time()
                asked = random.sample(sorted(rooms), min(ASKED, ROOMS))
                for code in asked:
                    room = await http.get(f"/api/rooms/{code}")
                    assert (room.status_code, room.json()["stage"]) == (200, "playing")
                answered = time.time()
                clocked = [code for code, deadline in rooms.items() if deadline]
                await until(lambda: expired_at(database, began).keys() >= {*clocked}, "the end of every vote")
                ended = expired_at(database, began)
                # what was due while no server ran counts from the time at which it was ready
                late = sorted(ended[code] / 1000 - max(rooms[code] / 1000, ready) for code in clocked)
                assert all(ended[code] >= rooms[code] for code in clocked)
                with capsys.disabled():
                    print(
                        f"\n{ROOMS} live rooms of {EVENTS} events: ready {ready - began:.2f} s after the start of the "
                        f"process; {len(asked)} of them had answered after {answered - began:.1f} s; of {len(late)} "
                        f"deadlines half were kept to {late[len(late) // 2]:.2f} s, all to {late[-1]:.2f} s"
                    )
            for code in random.sample(sorted(rooms), 20):
                heard = await fresh_heard(server.socket_url, code, "token 1")
                assert [line["number"] for line in heard] == list(range(1, len(heard) + 1))
                assert len(heard) > EVENTS / 2

        asyncio.run(come_back())
        assert server.stop() == 0
    assert traceback_free([server.logged()])


async def is_ready(http: httpx.AsyncClient) -> bool:
    return bool((await http.get("/ready")).json() == {"status": "ready"})


def expired_at(database: Path, after: float) -> dict[str, int]:
    """By room, when its first deadline passed according to the log."""
    with closing(sqlite3.connect(database)) as log:
        expired = "SELECT room, min(at) FROM rows WHERE at >= ? AND instr(line, CAST(? AS BLOB)) GROUP BY room"
        return dict(log.execute(expired, (round(after * 1000), '"is":"Expire"')))


def vote_in_the_middle(options: dict[str, object]) -> Play[Any, Any]:
    """A game with much talk, in the middle of a vote."""
    play = Play.open(game_named("avalon"), make_setup("avalon", 5, options), bytes(32))
    play.deal()
    dice = Dice(1)
    while len(play.events) < EVENTS or play.phase.name != "vote":
        for seat in range(5):
            play.act(seat, Say(channel="table", text=f"This is what I think of quest {len(play.events)}."), "")
        ask_bots(play, {seat: RandomBot() for seat in range(5)}, dice)
        assert not play.is_over
    return play


async def write_rooms(database: Path) -> dict[str, int]:
    """Rooms in the middle of a game, as a server would have left them: their codes, and when their vote ends; 0 where
    no clock runs. A third has neither clocks nor bots, a third has clocks, and a third has both."""
    voted = {False: vote_in_the_middle({}), True: vote_in_the_middle({"vote_seconds": VOTE_SECONDS})}
    now = time.time_ns() // 1_000_000
    log = SqliteLog(database)
    rooms = {code: number for number, code in enumerate(islice(room_codes("rooms"), ROOMS))}
    deadlines: dict[str, int] = {}

    async def write(code: str, number: int) -> None:
        has_clock, has_bots = number % 3 > 0, number % 3 > 1
        play = voted[has_clock]
        ends_at = now + round(SPREAD * 1000 * number / ROOMS) - 1000
        written_at = ends_at - VOTE_SECONDS * 1000
        await write_room(log, code, play, written_at, people=1 if has_bots else None)
        deadlines[code] = ends_at if has_clock else 0

    await asyncio.gather(*(write(*room) for room in rooms.items()))
    await log.close()
    return deadlines


@pytest.mark.slow
def test_after_a_network_cut_everybody_knows_what_a_newcomer_would(tmp_path: Path) -> None:
    server = LiveServer(tmp_path / "rooms.db")

    async def play_on() -> None:
        async with http_to(server.url) as http, server.client() as client, Cable(server.url).laid() as cable:
            guests = await seat_five(http)
            cut_off = await Listener.enter(cable.socket_url, guests[0].room, guests[0].token, views=True)
            witness = await Listener.enter(server.socket_url, guests[0].room, guests[0].token)
            others = [Player(await client.enter(guest.membership), guest.member) for guest in guests[1:]]
            playing = [asyncio.create_task(player.play()) for player in others]
            await cut_off.hears("View")
            cable.cut()
            heard = cut_off.all("Heard")
            await guests[0].ask("HoldClock", do="countdown", seconds=1)  # the others cannot go on without it
            await asyncio.sleep(CUT_SECONDS)
            await witness.hears("Heard", len(heard) + MISSED)
            for player in others:
                player.is_resting = True
            await until(lambda: not any(player.is_waiting for player in others), "the last answers")
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            cable.mend()
            returned = await Listener.enter(
                cable.socket_url, guests[0].room, guests[0].token, number=1, heard=len(heard), views=True
            )
            await returned.caught_up()
            fresh = await Listener.enter(server.socket_url, guests[0].room, guests[0].token, views=True)
            await fresh.hears("View")
            assert len(fresh.all("Heard")) >= len(heard) + MISSED
            await until(lambda: returned.last("View") == fresh.last("View"), "the same view")
            assert [*heard, *returned.all("Heard")] == fresh.all("Heard")
            await until(lambda: cut_off.all("Heard") == fresh.all("Heard"), "what the old socket missed")
            for listener in (cut_off, witness, returned, fresh):
                await listener.leave()

    with server:
        asyncio.run(play_on())
        assert server.stop() == 0
    assert traceback_free([server.logged()])


class Cable:
    """The network between a client and the server. While it is cut nothing arrives, and no connection is closed."""

    def __init__(self, url: str) -> None:
        self._host, self._port = url.removeprefix("http://").split(":")
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.socket_url = ""

    def cut(self) -> None:
        self._whole.clear()

    def mend(self) -> None:
        self._whole.set()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[Cable]:
        near = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.socket_url = f"ws://127.0.0.1:{near.sockets[0].getsockname()[1]}/socket"
        try:
            yield self
        finally:
            near.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
        for source, drain in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._forward(source, drain))
            self._tasks.add(task)

    async def _forward(self, source: asyncio.StreamReader, drain: asyncio.StreamWriter) -> None:
        try:
            while some := await source.read(65536):
                await self._whole.wait()
                drain.write(some)
                await drain.drain()
        except OSError:
            pass
        finally:
            drain.close()


@pytest.mark.slow
def test_a_second_server_at_the_same_port_says_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused = run_to_its_end("memory:", "--port", port)
    assert (refused.returncode, refused.stdout) == (2, "")
    (free,) = re.findall(r"roundtable serve --port (\d+)\.\n$", refused.stderr)
    assert int(free) not in (0, int(port))
    assert refused.stderr == (
        f"roundtable: Port {port} is already in use; stop the other server, or take another port with "
        f"make run PORT={free} or roundtable serve --port {free}.\n"
    )


@pytest.mark.slow
def test_make_run_takes_a_port() -> None:
    for given, served in (["PORT=8001"], "roundtable serve --port 8001"), ([], "roundtable serve "):
        make = ["make", "--no-print-directory", "--dry-run", "run", *given]
        printed = subprocess.run(make, capture_output=True, text=True, check=True, cwd=ROOT)
        assert printed.stdout.splitlines()[-1].endswith(served)


@pytest.mark.slow
def test_metrics_at_a_port_that_is_taken_are_refused_by_their_own_flag() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = run_to_its_end("memory:", "--port", "0", "--metrics-port", str(taken.getsockname()[1]))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.endswith("is already in use; choose another --metrics-port.\n")


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [0, 20, 40, 70])
def test_a_disk_that_is_full_at_the_first_start_is_told_in_one_sentence(tmp_path: Path, kilobytes: int) -> None:
    """Before the file is made, while its tables are made, and when the first room is opened."""

    def fill_the_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))

    database = f"sqlite:///{tmp_path}/rooms.db"
    refused = subprocess.run(
        command(database, "--port", "0"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(),
        preexec_fn=fill_the_disk,
        check=False,
    )
    assert (refused.returncode, refused.stdout) == (2, ""), refused.stderr
    assert traceback_free([refused.stderr])
    said = [line for line in refused.stderr.splitlines() if line.startswith("roundtable: ")]
    assert len(said) == 1
    assert f"{tmp_path}/rooms.db can’t be " in said[0]


def test_what_no_server_can_run_with_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.db").write_text("This is no database, and was never meant to be one.\n" * 100)
    for name, statement in (("foreign", "CREATE TABLE rows (others)"), ("newer", "PRAGMA user_version = 99")):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as database:
            database.execute(statement)
    databases = [
        "postgres://there",
        "sqlite:///",
        f"sqlite:///{tmp_path}",
        f"sqlite:///{tmp_path}/nowhere/rooms.db",
        *(f"sqlite:///{tmp_path}/{name}.db" for name in ("text", "foreign", "newer")),
    ]
    flags = [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--port", "http"),
        ("--host", "203.0.113.9", "--port", "0"),
        ("--bot-processes", "0"),
        ("--most-rooms", "-3"),
        ("--requests-per-minute", "0"),
        *(("--origin", origin) for origin in ("nonsense", "https://Example.org/", "https://a.example/b", "null", "*")),
        *(("--site", site) for site in ("https://a.example", "a.example:80", "a.example/b", "*", "", "a..b")),
        *(("--trusted-proxy", proxy) for proxy in ("nonsense", "*", "10.0.0.1/8", "proxy.example", "")),
    ]
    tried = [("--port", "0", "--database", database) for database in databases]
    for given in [*tried, *(("--database", "memory:", *more) for more in flags)]:
        try:
            code = main(["serve", *given])
        except SystemExit as left:  # flags that cannot be read
            code = left.code  # type: ignore[assignment]
        printed, told = capsys.readouterr()
        assert (code, printed) == (2, ""), given
        assert told.splitlines()[-1].startswith("roundtable"), given
        assert told.splitlines()[-1].count(". ") == 0, given
