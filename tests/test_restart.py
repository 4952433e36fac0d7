"""A server that ends and begins again: everything is as it was, and what cannot begin says so in one sentence."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from live import (
    Listener,
    LiveServer,
    fresh_heard,
    http_to,
    run_to_its_end,
    seat_five,
    traceback_free,
)
from roundtable.cli import main

CUT_SECONDS = float(os.environ.get("ROUNDTABLE_CUT", "2"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_asked_to_stop_loses_nothing_and_ends_well(tmp_path: Path, how: signal.Signals) -> None:
    server = LiveServer(tmp_path / "rooms.db")

    async def play_a_little() -> tuple[str, str, list[object]]:
        async with http_to(server.url) as http:
            guests = await seat_five(http)
            listener = await Listener.enter(server.socket_url, guests[0].room, guests[0].token)
            await listener.hears("Asked")
            await listener.say("Act", id="talk", action={"is": "Say", "channel": "table", "text": "Well met."})
            assert (await listener.answered("talk"))["is"] == "Answered"
            heard: list[object] = [*listener.all("Heard")]
            code = await asyncio.to_thread(server.stop, how)
            assert code == 0, server.logged()
            assert (await listener.closed())[0] == 1012  # the server restarts: come back
            server.start()
            assert await fresh_heard(server.socket_url, guests[0]) == heard
            return guests[0].room, guests[0].token, heard

    with server:
        asyncio.run(play_a_little())
        assert traceback_free([server.logged()])


def test_a_second_server_at_the_same_port_says_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        refused = run_to_its_end("memory:", "--port", port)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"roundtable: Cannot listen at 127.0.0.1, port {port}: Address already in use; try another --port or --host.\n"
    )


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
