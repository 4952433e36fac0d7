"""What docs/hosting.md and the Makefile promise to operators."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from roundtable.cli import build_parser
from roundtable.server.metrics import Metrics
from roundtable.storage import RoomSummary, Row, SqliteLog
from support.live_server import LiveServer
from support.paths import ROOT
from support.waiting import PATIENCE

DOCUMENT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
SUMMARY = RoomSummary(wakes_at=1, is_open=True, listing=b"")


def serve_options() -> list[argparse.Action]:
    commands = next(one for one in build_parser()._actions if isinstance(one, argparse._SubParsersAction))
    return [option for option in commands.choices["serve"]._actions if option.dest != "help"]


def test_every_option_of_the_server_is_listed_with_its_place_in_the_environment() -> None:
    told = dict(re.findall(r"^\| `(--[a-z0-9-]+)[^|]*\| `(\w+)` \|", DOCUMENT, re.MULTILINE))
    assert told == {option.option_strings[0]: f"ROUNDTABLE_{option.dest.upper()}" for option in serve_options()}


def test_the_environment_is_read_and_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDTABLE_PORT", "9000")
    monkeypatch.setenv("ROUNDTABLE_HOST", "127.0.0.1")
    monkeypatch.setenv("ROUNDTABLE_ORIGIN", "https://a.example,https://b.example")
    given = build_parser().parse_args(["serve", "--port", "9001"])
    assert (given.host, given.port) == ("127.0.0.1", 9001)
    assert given.origin == ["https://a.example", "https://b.example"]


def test_every_figure_is_explained() -> None:
    shown = set(re.findall(r"^# HELP (\w+)", Metrics().exposition().decode(), re.MULTILINE))
    told = set(re.findall(r"^\| `(roundtable_\w+)` \|", DOCUMENT, re.MULTILINE))
    assert told == {name for name in shown if not name.endswith("_created")}


def test_a_backup_of_a_running_server_holds_whatever_was_written(tmp_path: Path) -> None:
    async def write_and_read() -> list[Row]:
        log = SqliteLog(tmp_path / "rooms.db")
        await log.append("ABCDEF", 0, [Row(1, b"one"), Row(2, b"two")], SUMMARY)
        back_up(tmp_path / "rooms.db", tmp_path / "backup.db")
        await log.close()
        assert stat.S_IMODE((tmp_path / "backup.db").stat().st_mode) == 0o600
        again = SqliteLog(tmp_path / "backup.db")
        rows = await again.read("ABCDEF")
        await again.close()
        return rows

    assert asyncio.run(write_and_read()) == [Row(1, b"one"), Row(2, b"two")]


def back_up(database: Path, copy: Path) -> None:
    """As the page says, or with Python's sqlite3 if the command is not installed."""
    copied = f"VACUUM INTO '{copy.name}'"
    (said,) = re.findall(r"^    (\(umask .*VACUUM.*)$", (ROOT / "docs" / "hosting.md").read_text(), re.MULTILINE)
    assert copied in said
    if shutil.which("sqlite3"):
        subprocess.run(said.replace("roundtable.db", database.name), shell=True, cwd=database.parent, check=True)
        return
    before = os.umask(0o077)
    with closing(sqlite3.connect(database)) as source:
        source.execute(copied.replace(copy.name, str(copy)))
    os.umask(before)


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize(("target", "command"), [("run", "roundtable serve"), ("play", "roundtable play avalon")])
def test_make_run_serves_and_make_play_plays(target: str, command: str) -> None:
    run = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    assert command in run.stdout


def test_the_server_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "roundtable", "serve", "--help"], capture_output=True, text=True, check=True
    )
    assert all(option.option_strings[0] in run.stdout for option in serve_options())


@pytest.mark.slow
def test_figures_are_for_this_machine_alone_wherever_it_listens(tmp_path: Path) -> None:
    with LiveServer(tmp_path / "rooms.db", "--host", "0.0.0.0", "--trusted-proxy", "127.0.0.1") as server:
        port = server.url.rpartition(":")[2]
        asked = [
            (f"http://127.0.0.1:{port}", {}, 200),
            (f"http://127.0.0.1:{port}", {"x-forwarded-for": "127.0.0.1"}, 404),
            (f"http://127.0.0.1:{port}", {"x-forwarded-for": "192.0.2.7"}, 404),
        ]
        if "127.0.0.1" not in server.url:  # an address under which others find this machine
            asked.append((server.url, {}, 404))
        for url, headers, status in asked:
            told = httpx.get(f"{url}/metrics", headers=headers, trust_env=False, timeout=PATIENCE)
            assert told.status_code == status, (url, headers)
        assert server.stop() == 0
