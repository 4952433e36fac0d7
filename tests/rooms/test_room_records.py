"""Records and replays of games in rooms: they verify, and leave out private talk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Remark, Say
from roundtable.core.codec import plain
from roundtable.core.errors import RoomRefused
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import GAMES, new_game
from roundtable.protocol import encoded
from roundtable.protocol.bodies import Replay
from roundtable.protocol.rooms import Settings
from roundtable.rooms import events, finished_game
from roundtable.rooms.archive import Archive, run_inline
from roundtable.rooms.events import RoomEvent
from roundtable.storage import MemoryLog, Row, verify_record
from support.scenes import SEED
from support.stored_rooms import written_lines


def rows_of(play: Play[Any, Any]) -> list[Row]:
    setup = play.state.setup
    opened: list[RoomEvent] = [
        events.RoomOpened(code="CODE22", settings=Settings()),
        events.SetupChanged(game=setup.game, setup=encoded(setup)),
        *(events.SeatTaken(seat=seat, bot="random") for seat in range(setup.seats)),
        events.GameStarted(number=1),
    ]
    lines = written_lines(opened, play.entries)
    return [Row(1, line) for line in lines]


def game_record(rows: Sequence[Row], number: int) -> bytes:
    async def main() -> bytes:
        return (await (await archive_of(rows)).record("CODE22", number)).plain

    return asyncio.run(main())


def game_replay(rows: Sequence[Row], number: int, listener: str) -> Replay:
    async def main() -> bytes:
        return (await (await archive_of(rows)).replay("CODE22", number, listener)).plain

    return msgspec.json.decode(asyncio.run(main()), type=Replay)


async def archive_of(rows: Sequence[Row]) -> Archive:
    log = MemoryLog()
    await log.append("CODE22", 0, rows, None)
    return Archive(log, run_inline)


def whispered(play: Play[Any, Any]) -> None:
    """Every seat says something in every channel that is open to it."""
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
    with pytest.raises(RoomRefused, match="isn’t over yet"):
        game_record(rows_of(play), 1)
    with pytest.raises(RoomRefused, match="no such table"):
        game_record(rows_of(play), 2)


# Replays


def finished(game: str, seats: int = 8) -> Play[Any, Any]:
    play = new_game(game, seats, SEED)
    whispered(play)
    return play_out(play, {seat: RandomBot() for seat in range(seats)}, Dice(5))


def last_view(replay: Replay) -> dict[str, Any]:
    """The view after the changes of all steps."""
    view: dict[str, Any] = {}
    for step in replay.steps:
        view |= msgspec.json.decode(step.changes)
    return view


def told(replay: Replay) -> list[Any]:
    return [event for step in replay.steps for event in msgspec.json.decode(step.events)]


@pytest.mark.parametrize("game", GAMES)
def test_the_steps_of_a_game_come_to_the_view_that_its_listener_had(game: str) -> None:  # C4
    play = finished(game)
    for listener in (SPECTATOR, 0, 7):
        name = "spectator" if listener == SPECTATOR else str(listener)
        replay = game_replay(rows_of(play), 1, name)
        assert last_view(replay) == plain(play.view(listener).facts())
        heard = [plain(event) for event in play.events_for(listener)]
        left_out = [event for event in heard if event not in told(replay)]
        assert {event["is"] for event in left_out} <= {"SecretsRevealed", "Said", "Remarked"}
        assert all(event["audience"] != "everyone" for event in left_out if event["is"] != "SecretsRevealed")


@pytest.mark.parametrize("game", GAMES)
def test_who_steps_through_with_all_eyes_sees_the_truth(game: str) -> None:
    play = finished(game)
    replay = game_replay(rows_of(play), 1, "all")
    assert last_view(replay) == plain(play.state.facts())
    assert {event["is"] for event in told(replay)} >= {"SeedSealed", "RoleDealt"}
    sizes = [quest["size"] for quest in msgspec.json.decode(replay.rounds)]
    assert sizes == ([] if game == "saviom" else [3, 4, 4, 5, 5])


def test_no_step_tells_what_was_whispered() -> None:  # C4
    play = finished("saviom")
    for listener in ("all", "spectator", *map(str, range(8))):
        assert "Words for wolves." not in str(told(game_replay(rows_of(play), 1, listener)))


def test_a_long_game_is_told_in_longer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    play = finished("avalon")
    whole = game_replay(rows_of(play), 1, "all")
    monkeypatch.setattr(finished_game, "MOST_STEPS", 10)
    short = game_replay(rows_of(play), 1, "all")
    assert len(short.steps) <= 10 < len(whole.steps)
    assert (last_view(short), told(short)) == (last_view(whole), told(whole))


def test_nobody_else_was_listening() -> None:
    rows = rows_of(finished("avalon", 5))
    for listener in ("5", "-1", "00", "everyone", ""):
        with pytest.raises(RoomRefused, match="from 0 to 4, as spectator or as all"):
            game_replay(rows, 1, listener)


def test_a_game_that_is_not_over_cannot_be_stepped_through() -> None:  # C4
    with pytest.raises(RoomRefused, match="isn’t over yet"):
        game_replay(rows_of(new_game("avalon", 5, SEED)), 1, "spectator")
