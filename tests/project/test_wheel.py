"""The sdist and the wheel of `make package`: complete, and working without a checkout."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from roundtable import __version__
from roundtable.bots.dice import Dice
from roundtable.protocol.rooms import SayReady, SeatBot, Settings, Start
from roundtable.storage import verify_record
from support.live_server import LiveServer, Player, traceback_free
from support.paths import ROOT
from support.raw_protocol import http_to
from support.terminal_session import TerminalSession
from support.waiting import PATIENCE
from terminal.test_terminal import play_on

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("git") is None, reason="Git, which lists the files of a checkout, is not installed"
    ),
]
WEB_APP = Path("src", "roundtable", "web_app")
UV = [sys.executable, "-m", "uv", "--quiet"]
WITHOUT_NODE = {**os.environ, "PATH": ""}
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy, with the built web app. The files keep their times, which say that the app is up to date."""
    subprocess.run([sys.executable, ROOT / "tools" / "build_web.py"], check=True)
    copy = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    shutil.copytree(ROOT / WEB_APP, copy / WEB_APP)
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one that ROUNDTABLE_WHEEL names, as before a release; otherwise a new one."""
    if given := os.environ.get("ROUNDTABLE_WHEEL"):
        return Path(given).resolve(strict=True)
    return build(checkout, tmp_path_factory.mktemp("wheel"), "--wheel")


def build(checkout: Path, to: Path, *what: str) -> Path:
    """The wheel. uv builds it from an sdist that it has just built, unless it is told `--wheel`."""
    command = [*UV, "build", *what, "--no-build-isolation", "--python", sys.executable, "--out-dir", str(to)]
    subprocess.run([*command, str(checkout)], env=WITHOUT_NODE, check=True)
    (wheel,) = to.glob(f"roundtable_games-{__version__}-*.whl")
    return wheel


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_the_sdist_builds_the_same_wheel_without_node(checkout: Path, wheel: Path, tmp_path: Path) -> None:
    from_sdist = contents(build(checkout, tmp_path))
    from_checkout = contents(wheel)
    assert from_sdist.keys() == from_checkout.keys()
    assert [name for name, content in from_checkout.items() if from_sdist[name] != content] == []


def test_the_wheel_holds_the_package_and_nothing_else(checkout: Path, wheel: Path) -> None:
    package = checkout / "src"
    shipped = {name for name in contents(wheel) if ".dist-info/" not in name}
    assert shipped == {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert {"roundtable/py.typed", "roundtable/web_app/index.html"} <= shipped


def test_a_build_that_compiles_asks_for_the_packages_whose_types_it_reads() -> None:
    """As pip asks before it builds in an environment of its own; tests/project/test_compiled.py compiles."""
    asking = "from hatchling.build import get_requires_for_build_wheel as asked; print(*asked(), sep='\\n')"
    compiling = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_MYPYC": "true"}
    command = [sys.executable, "-c", asking]
    asked = subprocess.run(command, cwd=ROOT, env=compiling, capture_output=True, text=True, check=True)
    assert {"hatch-mypyc", "msgspec", "uvicorn", "websockets"} <= set(
        re.findall(r"^[\w-]+", asked.stdout, re.MULTILINE)
    )


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a new environment, in which the wheel and what it depends on are installed."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([*UV, "venv", "--python", sys.executable, folder], check=True)
    installing = [*UV, "pip", "install", "--python", str(folder), "--constraints", str(ROOT / "requirements.lock")]
    subprocess.run([*installing, str(wheel)], check=True)
    return folder / "bin"


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of the programs, from which they cannot import the checkout."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


@pytest.fixture
def run(programs: Path, outside: Path) -> Run:
    def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([programs / name, *arguments], capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("command", ["roundtable", "roundtable-games"])
def test_the_command_is_installed_under_both_names(command: str, run: Run, programs: Path) -> None:
    assert run(command, "--version").stdout == f"roundtable {__version__}\n"
    found = run("python", "-c", "import roundtable; print(roundtable.__file__)").stdout
    assert Path(found).is_relative_to(programs.parent)


def test_cards_are_dealt(run: Run, outside: Path) -> None:
    names = ["Ann", "Ben", "Cat", "Dan", "Eve"]
    assert run("roundtable", "deal", "avalon", *names, "--lang", "vi").returncode == 0
    assert all((outside / "game" / name).read_text() for name in [*names, "start", "DoNotOpen"])


def test_the_lab_says_which_extra_to_install(run: Run) -> None:
    told = run("roundtable", "simulate", "avalon", "--seats", "5")
    assert told.returncode == 2
    assert told.stderr.endswith("pip install 'roundtable-games[lab]'.\n")


def test_a_game_is_played_at_a_terminal(programs: Path, outside: Path) -> None:
    record = outside / "game.jsonl"
    program = [str(programs / "roundtable")]
    person = TerminalSession("avalon", "--seed", "tea", "--bots", "random", "--record", record, program=program)
    assert play_on(person, Dice(1), 200)
    assert person.leave() == 0
    verify_record(record)


def test_a_server_has_the_web_app_and_plays_a_whole_game(programs: Path, outside: Path, run: Run) -> None:
    with LiveServer(outside / "rooms.db", program=[str(programs / "roundtable")]) as server:
        asyncio.run(fetch_the_web_app(server))
        (outside / "game.jsonl").write_bytes(asyncio.run(play_against_bots(server)))
        assert server.stop() == 0
    assert traceback_free([server.logged()])
    checked = run("roundtable", "verify", "game.jsonl")
    assert checked.returncode == 0, checked.stderr


async def fetch_the_web_app(server: LiveServer) -> None:
    async with http_to(server.url) as http:
        page = (await http.get("/")).text
        assets = re.findall(r'(?:src|href)="(/assets/[^"]+\.(?:js|css))"', page)
        assert {Path(asset).suffix for asset in assets} == {".js", ".css"}
        for asset in assets:
            answer = await http.get(asset)
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith(("text/javascript", "text/css"))


async def play_against_bots(server: LiveServer) -> bytes:
    """A whole game over a socket; its record."""
    async with server.client() as client, asyncio.timeout(PATIENCE):
        table = await client.open("Host", settings=Settings(bot_pace="instant"))
        for request in (SeatBot(), SayReady(is_ready=True), Start()):
            await table.ask(request)
        await Player(table, seed=1, pause=0).play()
        return await client.http.record(table.room.code, 1)
