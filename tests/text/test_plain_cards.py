"""A game of another package without any text: its cards and its script in the default form."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuckoo.game import Cuckoo, CuckooSetup

from roundtable.cli import main
from roundtable.core.catalogue import languages
from roundtable.core.play import Play
from roundtable.dealer.papers import Papers, papers_of
from roundtable.games import GAMES
from roundtable.text.narration import narrate
from support.entry_points import install
from support.plain_cuckoo import SPEC

NAMES = ["Ann", "Bình", "Chloé", "Dee"]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The game is there by name, as if its package had announced it."""
    install(monkeypatch, tmp_path / "site", {"roundtable.games": {"cuckoo": "support.plain_cuckoo:SPEC"}})
    assert GAMES["cuckoo"] is SPEC


def dealt(cuckoo: int, lang: str = "en") -> Papers:
    play = Play.open(Cuckoo(), CuckooSetup(seats=len(NAMES)), bytes(32))
    play.deal(chosen=cuckoo)
    return papers_of(SPEC, play, NAMES, lang)


def test_a_card_tells_what_the_seat_was_told_in_private() -> None:  # T25
    papers = dealt(cuckoo=1)
    bar = 40 * "-"
    for name in NAMES:
        role, side = ("Cuckoo", "Intruder") if name == "Bình" else ("Songbird", "Nest")
        told = f"Egg hatched (seat: {name}, role: {role})."
        assert papers[name].decode().rstrip().splitlines() == [bar, f"You are {role} [{side}]", bar, told, bar]
    assert "Bình -> Cuckoo" in papers["DoNotOpen"].decode()
    assert papers["start"].decode() == "Everyone has seen their card: the game begins."


@pytest.mark.parametrize("lang", languages())
def test_sizes_are_equal_whatever_is_dealt(lang: str) -> None:  # T25
    sizes = {tuple(len(text) for text in dealt(cuckoo, lang).values()) for cuckoo in range(len(NAMES))}
    assert len(sizes) == 1
    assert len(set(sizes.pop()[: len(NAMES)])) == 1


@pytest.mark.usefixtures("installed")
def test_it_is_dealt_into_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # T25
    monkeypatch.chdir(tmp_path)
    assert main(["deal", "cuckoo", *NAMES]) == 0
    assert set(NAMES) < {path.name for path in (tmp_path / "game").iterdir()}
    assert "4 cards are in game" in capsys.readouterr().out


@pytest.mark.usefixtures("installed")
def test_its_script_is_short_and_plain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["narrate", "cuckoo", "--seats", "4"]) == 0
    printed = capsys.readouterr().out
    for cue in narrate(SPEC, CuckooSetup(seats=4)):
        assert cue.text in printed
    assert "Look at your card in secret" in printed


@pytest.mark.usefixtures("installed")
def test_where_there_is_no_rulebook_one_sentence_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "cuckoo"]) == 2
    assert capsys.readouterr().err == "roundtable: There is no rulebook for cuckoo.\n"
