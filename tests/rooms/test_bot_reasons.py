"""After a game bots say why they moved: what they believed, and what they weighed; never before the end."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from roundtable.bots.sage import FairBot
from roundtable.core.actions import Move
from roundtable.core.codec import plain
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused
from roundtable.core.game import fold
from roundtable.core.seats import EVERYONE
from roundtable.games import game_named
from roundtable.protocol import rooms as ask
from roundtable.protocol.bodies import BotReasons, Replay
from roundtable.rooms import archive
from roundtable.rooms.bot_reasons import explains
from support.room_harness import RoomHarness, code_of, room_with_members, virtual_time_test
from support.virtual_time import VirtualLoop

BOTS = {0: "random", 1: "easy", 2: "fair", 3: "careful", 4: "fair"}


async def finished_game(loop: VirtualLoop) -> RoomHarness:
    """A game of bots of several levels, that is over."""
    harness = await begun_game(loop)
    while harness.room.state.is_playing:
        await asyncio.sleep(1)
        await harness.host.here()
    return harness


async def begun_game(loop: VirtualLoop) -> RoomHarness:
    harness = await room_with_members(loop, 1, bot_pace="quick")
    assert await harness.host.ask(ask.LeaveSeat()) == "done"
    for seat, bot in BOTS.items():
        assert await harness.host.ask(ask.SeatBot(seat=seat, bot=bot)) == "done"
    assert await harness.host.ask(ask.Start()) == "done"
    return harness


def entries_of(harness: RoomHarness) -> list[Entry]:
    assert harness.room.play is not None
    return list(harness.room.play.entries)


async def reasons(harness: RoomHarness, seat: object) -> BotReasons:
    body = await harness.registry.reasons(harness.code, 1, str(seat))
    return msgspec.json.decode(body.plain, type=BotReasons)


@virtual_time_test
async def test_a_bot_says_what_it_computes_at_each_of_its_decisions(loop: VirtualLoop) -> None:
    harness = await finished_game(loop)
    entries, told = entries_of(harness), (await reasons(harness, 2)).reasons
    moved = [place for place, entry in enumerate(entries) if entry.actor == 2 and isinstance(entry.action, Move)]
    assert len(told) == len(moved) > 3
    for place, reason in zip(moved, told, strict=True):
        assert msgspec.json.decode(reason.done) == plain(entries[place].action)
        heard = [event for entry in entries[:place] for event in entry.events]
        heard = [event for event in heard if event.audience is EVERYONE or 2 in event.audience]
        bot, game = FairBot(), game_named("avalon")
        bot.follow(heard)
        view = fold(game, heard)
        thought = bot.think(view, game.options(view, 2))
        weighed = [] if thought is None else sorted(round(float(one), 4) for one in thought.values)
        assert sorted(one.value for one in reason.weighed) == weighed
        if thought is not None:
            assert reason.side == "Evil"
            assert reason.suspicion == pytest.approx(thought.belief.side_chances("Evil"), abs=1e-4)
            assert sum(one.chance for one in reason.weighed) == pytest.approx(1, abs=1e-2)


@virtual_time_test
async def test_the_replay_says_which_moves_can_be_explained_and_where(loop: VirtualLoop) -> None:
    harness = await finished_game(loop)
    body = await harness.registry.replay(harness.code, 1, "all")
    replay = msgspec.json.decode(body.plain, type=Replay)
    assert {move.seat for move in replay.bot_moves} == {1, 2, 4}
    for seat in (1, 2, 4):
        steps = [reason.step for reason in (await reasons(harness, seat)).reasons]
        assert steps == [move.step for move in replay.bot_moves if move.seat == seat]
        for step in steps:
            assert f'"seat":{seat}'.encode() in bytes(replay.steps[step].events) or seat in leaders(replay, step)
    spectated = await harness.registry.replay(harness.code, 1, "spectator")
    assert msgspec.json.decode(spectated.plain, type=Replay).bot_moves == ()


def leaders(replay: Replay, step: int) -> list[Any]:
    return [event.get("leader") for event in msgspec.json.decode(replay.steps[step].events)]


@virtual_time_test
async def test_no_bot_says_anything_before_the_end(loop: VirtualLoop) -> None:  # C4
    harness = await begun_game(loop)
    for seat in ("0", "2", "moon"):
        with pytest.raises(RoomRefused) as refused:
            await harness.registry.reasons(harness.code, 1, seat)
        assert code_of(refused) == "record/not_over"
        kept = archive.Archive(harness.registry._services.log, archive.run_inline)
        with pytest.raises(RoomRefused) as refused:  # from the rows alone, as for a room that is not in memory
            await kept.reasons(harness.code, 1, seat, harness.registry._services.workers)
        assert code_of(refused) == "record/not_over"


@virtual_time_test
async def test_people_and_bots_that_do_not_think_are_not_explained(loop: VirtualLoop) -> None:
    harness = await finished_game(loop)
    for seat in ("0", "3", "5", "moon", "-1"):
        with pytest.raises(RoomRefused) as refused:
            await harness.registry.reasons(harness.code, 1, seat)
        assert code_of(refused) == "record/listener"


@virtual_time_test
async def test_explanations_are_made_once_and_few_at_a_time(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = await finished_game(loop)
    first = await harness.registry.reasons(harness.code, 1, "1")
    monkeypatch.setattr("roundtable.rooms.bot_workers.explain", None)
    assert await harness.registry.reasons(harness.code, 1, "1") is first
    monkeypatch.setattr(archive, "MOST_EXPLAINED", 0)
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.reasons(harness.code, 1, "2")
    assert code_of(refused) == "room/busy"


def test_which_bots_can_say_why() -> None:
    names = ("easy", "fair", "strong", "sage", "careful", "random", "gone", None)
    assert [name for name in names if explains(name)] == ["easy", "fair", "strong", "sage"]
