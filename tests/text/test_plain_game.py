"""A game of another package without any text: watched, replayed and played in default sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cuckoo.game import Cuckoo, CuckooSetup, EggHatched, Point, Role, WingRaised

from roundtable.cli import main
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import new_game
from roundtable.storage import Recorder
from roundtable.terminal import TerminalTable
from roundtable.text.names import Names, names_for
from roundtable.text.teller import Teller, teller_of
from support.entry_points import install
from support.plain_cuckoo import SPEC
from support.scenes import SEED
from terminal.test_terminal_table import Script, Sleeper


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path / "site", {"roundtable.games": {"cuckoo": "support.plain_cuckoo:SPEC"}})


def dealt(seats: int = 3) -> Play[Any, Any]:
    play = Play.open(Cuckoo(), CuckooSetup(seats=seats), SEED)
    play.deal()
    return play


def test_events_and_moves_are_told_by_their_names() -> None:
    teller = teller_of(SPEC, names_for(3))
    assert type(teller) is Teller
    assert teller.tell(WingRaised(audience=frozenset((0,)), seat=0, target=2)) == (
        "  Wing raised (seat: Alice, target: Charlie)."
    )
    assert teller.sentence(EggHatched(audience=frozenset((1,)), seat=1, role=Role.CUCKOO)) == (
        "Egg hatched (seat: Bob, role: Cuckoo)."
    )
    assert teller.move(Point(phase=1, target=1)) == "Point Bob"
    assert teller.question("point") == "What do you do?"


def test_it_is_watched_recorded_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "game.jsonl")
    assert main(["watch", "cuckoo", "--seats", "3", "--seed", "tea", "--record", path]) == 0
    watched = capsys.readouterr().out
    assert watched.startswith("3 players sit down to play Cuckoo: Alice, Bob and Charlie.\n")
    assert "Wings counted (targets: " in watched
    assert "Everything is revealed.\n  Egg hatched (seat: Alice, role: " in watched
    assert " wins! " in watched
    for wire_word in ("awaited", "phase", "_"):
        assert wire_word not in watched
    assert main(["replay", path]) == 0
    assert capsys.readouterr().out == watched
    assert main(["verify", path, "--lang", "vi"]) == 0
    assert "ván Cuckoo 3 người" in capsys.readouterr().out


def test_a_person_plays_it_at_a_terminal(tmp_path: Path) -> None:
    play = dealt()
    names = Names(("Robin", "A (sleepy bot)", "B (sleepy bot)"))
    voice = Script(["r", "", "h", "3", "2"])
    with Recorder(tmp_path / "game.jsonl", play, names) as recorder:
        TerminalTable(play, names, {1: Sleeper(), 2: Sleeper()}, recorder, voice).run()
    assert "What do you do?\n  1  Point A\n  2  Point B\nYour choice:\nEgg hatched (seat: Robin, " in voice.said
    assert "Type a number from 1 to 2" in voice.said
    assert "Wing raised (seat: Robin" not in voice.said.partition("Everything is revealed.")[0]
    assert "Wings counted (targets: B, no one and no one)." in voice.said


def test_its_history_is_its_public_story() -> None:
    play = new_game("cuckoo", 3, SEED)
    for seat in range(3):
        play.act(seat, Point(phase=1, target=(seat + 1) % 3))
    heard = [line.event for line in play.heard(SPECTATOR)]
    assert (
        teller_of(SPEC, names_for(3))
        .history(play.view(SPECTATOR), heard)
        .startswith("Wings counted (targets: Bob, Charlie and Alice).\n")
    )
