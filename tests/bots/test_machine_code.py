"""Machine code that is made in the background: no move waits for it."""

from __future__ import annotations

from threading import Event

import pytest

from roundtable.bots.machine_code import MachineCode
from roundtable.bots.sage import rollouts
from roundtable.games import GAMES, new_game


def test_where_callers_may_wait_they_make_it_by_calling_it() -> None:
    assert MachineCode().is_ready("avalon", lambda: pytest.fail("made twice"))


def test_it_is_made_once_in_the_background_and_used_when_it_is_there() -> None:
    code, go_on, made = MachineCode(), Event(), []
    code.never_wait()

    def make() -> None:
        go_on.wait()
        made.append("avalon")

    assert not code.is_ready("avalon", make)
    assert not code.is_ready("avalon", make)
    go_on.set()
    code.finish()
    assert code.is_ready("avalon", make)
    assert made == ["avalon"]


def test_without_it_bots_go_on_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    code = MachineCode()
    code.never_wait()
    assert not code.is_ready("avalon", lambda: 1 // 0)
    code.finish()
    assert not code.is_ready("avalon", lambda: 1 // 0)
    assert "no machine code for avalon" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_rehearsal_makes_the_machine_code_of_each_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = MachineCode()
    code.never_wait()
    monkeypatch.setattr(rollouts, "MACHINE_CODE", code)
    play = new_game(game, GAMES[game].game.setup_type.fewest, bytes(32))
    assert rollouts.rollouts_of(play.state.setup) is None
    code.finish()
    assert rollouts.rollouts_of(play.state.setup) is not None
