"""A game and a bot of another package, installed for real: dealt, narrated, told, played, served and simulated."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.cuckoo_package import environment, install_cuckoo
from support.live_server import LiveServer
from support.waiting import PATIENCE

NAMES = ("Ann", "Bình", "Cleo", "Dee")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package was installed."""
    return install_cuckoo(tmp_path_factory.mktemp("cuckoo"))


def run(site: Path, *words: str, typed: str = "", folder: Path | None = None) -> str:
    command = [sys.executable, "-m", "roundtable", *words]
    ran = subprocess.run(
        command, env=environment(site), cwd=folder, input=typed, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_it_is_dealt(site: Path, tmp_path: Path) -> None:
    report = run(site, "deal", "cuckoo", *NAMES, folder=tmp_path)
    assert "4 cards" in report
    cards = [(tmp_path / "game" / name).read_text() for name in NAMES]
    assert sum("You are Cuckoo [Intruder]" in card for card in cards) == 1
    assert sum("Find the Cuckoo" in card for card in cards) == 3


def test_it_is_narrated_and_explained(site: Path) -> None:
    assert "Look at your card" in run(site, "narrate", "cuckoo", "--seats", "4")
    assert "One of you is the" in run(site, "rules", "cuckoo")


@pytest.mark.parametrize(("lang", "sentence"), [("en", "All wings are up."), ("vi", "Mọi cánh đã giơ lên.")])
def test_it_is_told_and_told_again(site: Path, tmp_path: Path, lang: str, sentence: str) -> None:
    record = str(tmp_path / "game.jsonl")
    words = ("--seats", "4", "--seed", "tea", "--bots", "magpie", "--record", record, "--lang", lang)
    told = run(site, "watch", "cuckoo", *words)
    assert sentence in told
    assert run(site, "replay", record, "--lang", lang) == told
    run(site, "verify", record)


def test_it_is_played_in_a_terminal(site: Path, tmp_path: Path) -> None:
    said = run(site, "play", "cuckoo", "--seats", "4", "--name", "Robin", typed="1\n" * 5, folder=tmp_path)
    assert "Which bird is the Cuckoo?" in said
    assert "Point at" in said


def test_it_is_simulated_with_its_own_bot(site: Path) -> None:
    words = ("--seats", "4", "--games", "50", "--bots", "magpie", "--seed", "tea", "--json")
    figures = json.loads(run(site, "simulate", "cuckoo", *words).splitlines()[-1])
    assert figures["games"] == 50


def test_it_keeps_the_laws_of_the_table(site: Path) -> None:
    code = "from roundtable.testing import check_game; print(check_game('cuckoo', games=10, pairs=50).games)"
    checked = subprocess.run(
        [sys.executable, "-c", code], env=environment(site), capture_output=True, text=True, timeout=PATIENCE
    )
    assert checked.stdout == "10\n", checked.stderr


PLAYER = """
import asyncio, sys
from roundtable.client import Client
from roundtable.protocol import Asked, Over
from roundtable.protocol.rooms import SayReady, SeatBot, Settings, Start

async def main() -> None:
    async with Client(sys.argv[1]) as client:
        table = await client.open("Robin", game="cuckoo", seats=4, settings=Settings(bot_pace="instant"))
        for seat, bot in enumerate(("magpie", "careful", "random"), 1):
            await table.ask(SeatBot(seat=seat, bot=bot))
        await table.ask(SayReady(is_ready=True))
        await table.ask(Start())
        async for event in table.events():
            if isinstance(event, Asked) and table.options:
                await table.act(next(iter(table.options[0])))
            if isinstance(event, Over):
                print(table.view.outcome.reason)
                break

asyncio.run(main())
"""


def test_it_is_served(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person and three bots, one of them from the package, play to the end."""
    monkeypatch.setenv("PYTHONPATH", environment(site)["PYTHONPATH"])
    with LiveServer(tmp_path / "rooms.db") as server:
        played = subprocess.run(
            [sys.executable, "-c", PLAYER, server.url], capture_output=True, text=True, timeout=PATIENCE
        )
    assert played.stdout.strip() in ("cuckoo_found", "cuckoo_unseen"), played.stderr
