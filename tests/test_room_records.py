"""What is left of a game in a room: a record that verifies, without what was whispered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.games.registry import GAMES, new_game
from roundtable.record import verify_record
from roundtable.record.log import Row
from roundtable.room import facts as was
from roundtable.room.facts import Done, Fact, written, written_entry
from roundtable.room.records import game_record
from roundtable.table.actions import Remark, Say
from roundtable.table.errors import RoomRefused
from roundtable.table.play import Play
from roundtable.testing.scenes import SEED, Dice
from roundtable.wire import spelled
from roundtable.wire.rooms import Settings


def rows_of(play: Play[Any, Any]) -> list[Row]:
    setup = play.state.setup
    opened: list[Fact] = [
        was.RoomOpened(code="CODE22", settings=Settings()),
        was.TableLaid(game=setup.game, setup=spelled(setup)),
        *(was.SeatTaken(seat=seat, bot="random") for seat in range(setup.seats)),
        was.GameStarted(number=1),
    ]
    lines = [written(Done[Fact](facts=opened)), *map(written_entry, play.entries)]
    return [Row(1, line) for line in lines]


def whispered(play: Play[Any, Any]) -> None:
    """Somebody says something, in private where they may."""
    for seat in range(play.state.setup.seats):
        for channel, floor in play.state.floors.items():
            if seat in floor.speakers:
                play.act(seat, Say(channel=channel, text=f"Words for {channel}."))
                play.act(seat, Remark(channel=channel, phrase="hello", about=None, word=None))


@pytest.mark.parametrize("game", GAMES)
def test_a_record_verifies_and_keeps_what_was_whispered_to_itself(game: str, tmp_path: Path) -> None:  # C3, C4
    options = {"begins_with": "night"} if game == "saviom" else {}
    play = new_game(game, 8, SEED, **options)
    whispered(play)
    play_out(play, {seat: RandomBot() for seat in range(8)}, Dice(5))
    record = game_record(rows_of(play), 1)
    (tmp_path / "record.jsonl").write_bytes(record)
    assert verify_record(tmp_path / "record.jsonl").outcome == play.outcome
    assert b"Words for wolves." not in record
    assert (b"Words for table." in record) == (game != "saviom")


def test_a_game_that_is_not_over_has_no_record() -> None:  # C4
    play = new_game("avalon", 5, SEED)
    with pytest.raises(RoomRefused, match="not over"):
        game_record(rows_of(play), 1)
    with pytest.raises(RoomRefused, match="no such room"):
        game_record(rows_of(play), 2)
