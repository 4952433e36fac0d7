"""Rematches: who keeps a seat, which bots leave, and which seats are free for spectators."""

from __future__ import annotations

import asyncio

import pytest

from roundtable.protocol import rooms as ask
from roundtable.storage import MemoryLog
from support.room_harness import room_with_game, room_with_members, virtual_time_test
from support.virtual_time import VirtualLoop


@pytest.mark.parametrize(
    ("takeover_seconds", "away", "keeps"), [(60, 50, True), (60, 61, False), (5, 6, False), (None, 4000, True)]
)
@virtual_time_test
async def test_a_seat_is_kept_for_a_member_who_is_away_while_the_room_waits_for_them(
    loop: VirtualLoop, takeover_seconds: int | None, away: int, keeps: bool
) -> None:
    harness = await room_with_game(loop, takeover_seconds=takeover_seconds)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    await harness.people[3].leave()
    await asyncio.sleep(away)
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert [seat["member"] for seat in harness.host.shown["seats"]] == [1, 2, 3, 4 if keeps else None, 5]
    assert len(harness.host.shown["members"]) == 5


@virtual_time_test
async def test_a_bot_that_played_on_for_a_player_who_left_goes_with_the_game(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 4, log=log)
    await harness.start()
    watcher = await harness.join("Watcher", watch=True)
    assert await harness.host.ask(ask.Kick(member=2)) == "done"
    assert await harness.people[2].ask(ask.Leave()) == "done"
    assert [bool(seat["bot"]) for seat in harness.host.shown["seats"]] == [False, True, True, False, True]
    await harness.restart(log)
    harness.people = [await guest.again(harness.room) for guest in (harness.host, harness.people[3], watcher)]
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    seats = harness.host.shown["seats"]
    assert [seat["member"] for seat in seats] == [1, None, None, 4, None]
    assert [seat["bot"] for seat in seats] == [None, None, None, None, "random"]
    assert await harness.people[2].ask(ask.TakeSeat(seat=1)) == "done"


@virtual_time_test
async def test_a_bot_that_the_host_seats_after_a_game_stays(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    assert await harness.host.ask(ask.Kick(member=2)) == "done"
    del harness.people[1]
    for _ in range(2):
        assert await harness.host.ask(ask.CallItOff()) == "done"
        assert await harness.host.ask(ask.Rematch()) == "done"
        await harness.start()
        assert harness.host.shown["seats"][1]["bot"] == "random"
