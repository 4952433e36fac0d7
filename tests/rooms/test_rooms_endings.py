"""How games and rooms end: whole games with their records, the list of rooms, rooms that are unloaded and closed."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import RoomRegistry
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits
from roundtable.storage import MemoryLog
from roundtable.storage.verify import verify_record
from support.room_harness import (
    HOUR,
    SHORT_DAYS,
    TIMED,
    code_of,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import FakeConnection, VirtualLoop, registry_of

# The list of rooms, and the end of a room


@virtual_time_test
async def test_public_rooms_are_listed_with_what_a_guest_wants_to_know(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3, is_public=True)
    await harness.registry.open(bodies.OpenRoom(name="Hidden"))
    (listed,) = await harness.registry.listed()
    assert (listed.code, listed.game, listed.stage, listed.seats, listed.free, listed.host) == (
        harness.code,
        "avalon",
        "lobby",
        5,
        2,
        "Host",
    )
    await harness.start()
    (listed,) = await harness.registry.listed()
    assert (listed.stage, listed.free) == ("playing", 2)  # of bots
    assert await harness.host.ask(ask.ChangeSettings(settings=ask.SettingsChange(is_public=False))) == "done"
    assert await harness.registry.listed() == []


@virtual_time_test
async def test_a_room_without_connections_in_which_nothing_happens_is_closed(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2, is_public=True)
    await asyncio.sleep(2 * USUAL_LIMITS.lobby / 1000)
    assert (await harness.registry.find(harness.code)) is harness.room  # they are still there
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(60)
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.find(harness.code)
    assert code_of(refused) == "room/unknown"
    assert await harness.registry.listed() == []
    assert harness.registry.rooms == {}


@virtual_time_test
async def test_an_abandoned_room_is_closed_by_the_next_server(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 2, log=log, is_public=True)
    await harness.registry.stop()
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 + 60)
    registry = registry_of(loop, log)
    assert await registry.start() == 1
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 + 5)
    with pytest.raises(RoomRefused):
        await registry.find(harness.code)
    assert await log.summaries() == {}
    await registry.stop()


@virtual_time_test
async def test_a_room_that_was_unloaded_is_there_when_a_member_comes(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(120)
    assert harness.registry.rooms == {}
    room = await harness.registry.find(harness.code)
    back = await harness.people[1].again(room)
    assert back.shown["seats"][1]["member"] == 2


@virtual_time_test
async def test_a_room_that_was_unloaded_is_freed_at_once(loop: VirtualLoop) -> None:
    """No part of a room waits for the garbage collector, which rarely checks old objects."""
    registry = registry_of(loop)
    await registry.start()
    settings = ask.Settings(bot_pace="instant", takeover_seconds=5, takeover_bot="random")
    opened = await registry.open(bodies.OpenRoom(name="Ann", settings=settings))
    room = await registry.find(opened.room)
    for seat in range(1, 5):
        await room.ask(opened.token, ask.SeatBot(seat=seat, bot="random"))
    await room.ask(opened.token, ask.SayReady(is_ready=True))
    await room.ask(opened.token, ask.Start())
    left = weakref.ref(room._queue)  # it ends with the room; a compiled room takes no weak reference
    del room
    gc.collect()
    gc.disable()
    try:
        await asyncio.sleep(600)  # bots stand in, the game ends, and no member comes back
        assert registry.rooms == {}
        assert left() is None
    finally:
        gc.enable()


@virtual_time_test
async def test_a_room_lives_as_long_as_it_has_something_to_do(loop: VirtualLoop) -> None:
    registry = registry_of(loop)
    room = await registry.find((await registry.open(bodies.OpenRoom(name="Ann"))).room)
    watcher = FakeConnection()
    room.enter(watcher.session, watcher.entering())
    del registry, room
    await settle()
    assert watcher.last("Room")["stage"] == "lobby"


@virtual_time_test
async def test_the_operator_says_how_long_idle_rooms_stay_open(loop: VirtualLoop) -> None:
    registry = registry_of(loop, idle=IdleLimits.of_hours(lobby=5, game=3))
    lobby = await room_with_members(loop, 2, registry=registry)
    game = await room_with_game(loop, registry=registry, takeover_seconds=None)
    for guest in (*lobby.people, *game.people):
        await guest.leave()
    await asyncio.sleep(3 * HOUR - 60)
    assert (await registry.find(game.code)).state.is_playing
    await asyncio.sleep(120)
    assert await is_closed(registry, game.code)
    await asyncio.sleep(2 * HOUR - 120)
    assert not await is_closed(registry, lobby.code)
    await asyncio.sleep(120)
    assert await is_closed(registry, lobby.code)


@pytest.mark.parametrize("idle", [IdleLimits.of_hours(1, 3), IdleLimits.of_hours(3, 1)])
@virtual_time_test
async def test_other_limits_hold_for_rooms_that_the_last_server_left(loop: VirtualLoop, idle: IdleLimits) -> None:
    log = MemoryLog()
    lobby = await room_with_members(loop, 2, log=log, seed="lobby")
    game = await room_with_game(loop, log=log, seed="game", takeover_seconds=None)
    for harness in (lobby, game):
        await harness.registry.stop()
    registry = registry_of(loop, log, idle=idle)
    await registry.start()
    first, last = sorted((lobby.code, game.code), key=lambda code: idle.game if code == game.code else idle.lobby)
    await asyncio.sleep(HOUR - 10)
    assert set(await log.summaries()) == {first, last}  # without any client
    await asyncio.sleep(20)
    assert set(await log.summaries()) == {last}
    await asyncio.sleep(2 * HOUR - 20)
    assert set(await log.summaries()) == {last}
    await asyncio.sleep(20)
    assert await log.summaries() == {}
    await registry.stop()


async def is_closed(registry: RoomRegistry, code: str) -> bool:
    try:
        return (await registry.find(code)).state.is_closed
    except RoomRefused:
        return True


def test_a_very_long_time_is_a_century() -> None:
    assert IdleLimits.of_hours(10**30, 24) == IdleLimits.of_hours(100 * 365 * 24, 24)


# All three games, from the start to the end


GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("avalon", 5, {}),
    ("avalon", 7, {"lady": True, "excalibur": "both", **TIMED}),
    ("thavalon", 5, {}),
    ("thavalon", 8, {"clock": False}),
    ("saviom", 6, {**SHORT_DAYS}),
    ("saviom", 9, {"mode": "advanced", "begins_with": "night", **SHORT_DAYS}),
]


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
@virtual_time_test
async def test_a_game_of_people_and_bots_comes_to_its_end_and_its_record_verifies(
    loop: VirtualLoop, game: str, seats: int, options: dict[str, Any], tmp_path: Path
) -> None:
    harness = await room_with_game(loop, 3, game=game, seats=seats, options=options)
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.record(harness.code, 1)
    assert code_of(refused) == "record/not_over"
    watcher = await harness.watch()
    await harness.play_on()
    assert harness.room.state.stage == "over"
    for guest in (*harness.people, watcher):
        assert guest.shown["stage"] == "over"
        assert guest.all("Over") == [guest.last("Over")]
        assert guest.heard == list(range(1, len(guest.heard) + 1))
    path = tmp_path / "record.jsonl"
    path.write_bytes((await harness.registry.record(harness.code.lower(), 1)).plain)
    verdict = verify_record(path)
    assert (verdict.game, verdict.seats, verdict.was_drawn) == (game, seats, True)
    assert harness.room.play is not None
    assert verdict.outcome == harness.room.play.outcome


@virtual_time_test
async def test_a_record_stays_when_its_room_is_closed_and_after_a_rematch(loop: VirtualLoop, tmp_path: Path) -> None:
    harness = await room_with_game(loop)
    await harness.host.ask(ask.CallItOff())
    first = await harness.registry.record(harness.code, 1)
    await harness.host.ask(ask.Rematch())
    await harness.start()
    assert await harness.registry.record(harness.code, 1) == first
    with pytest.raises(RoomRefused) as not_yet:
        await harness.registry.record(harness.code, 2)
    assert code_of(not_yet) == "record/not_over"
    await harness.host.ask(ask.CallItOff())
    second = await harness.registry.record(harness.code, 2)
    assert second != first
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 + 60)
    assert await harness.registry.record(harness.code, 1) == first
    assert await harness.registry.record(harness.code, 2) == second
    for number, record in enumerate((first, second)):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(record.plain)
        assert verify_record(path).outcome.reason == "called_off"


@pytest.mark.parametrize(("code", "number"), [("ZZZZZZ", 1), (None, 0), (None, 2), (None, -1)])
@virtual_time_test
async def test_a_record_that_never_was_is_unknown(loop: VirtualLoop, code: str | None, number: int) -> None:
    harness = await room_with_game(loop)
    await harness.host.ask(ask.CallItOff())
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.record(code or harness.code, number)
    assert code_of(refused) == "room/unknown"
