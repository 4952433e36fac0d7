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
    company = await room_with_game(loop, takeover_seconds=takeover_seconds)
    assert await company.host.ask(ask.CallItOff()) == "done"
    await company.people[3].leave()
    await asyncio.sleep(away)
    assert await company.host.ask(ask.Rematch()) == "done"
    assert [seat["member"] for seat in company.host.shown["seats"]] == [1, 2, 3, 4 if keeps else None, 5]
    assert len(company.host.shown["members"]) == 5


@virtual_time_test
async def test_a_bot_that_played_on_for_a_player_who_left_goes_with_the_game(loop: VirtualLoop) -> None:
    log = MemoryLog()
    company = await room_with_members(loop, 4, log=log)
    await company.start()
    watcher = await company.join("Watcher")
    assert await company.host.ask(ask.Kick(member=2)) == "done"
    assert await company.people[2].ask(ask.Leave()) == "done"
    assert [bool(seat["bot"]) for seat in company.host.shown["seats"]] == [False, True, True, False, True]
    await company.restart(log)
    company.people = [await guest.again(company.room) for guest in (company.host, company.people[3], watcher)]
    assert await company.host.ask(ask.CallItOff()) == "done"
    assert await company.host.ask(ask.Rematch()) == "done"
    seats = company.host.shown["seats"]
    assert [seat["member"] for seat in seats] == [1, None, None, 4, None]
    assert [seat["bot"] for seat in seats] == [None, None, None, None, "random"]
    assert await company.people[2].ask(ask.TakeSeat(seat=1)) == "done"


@virtual_time_test
async def test_a_bot_that_the_host_seats_after_a_game_stays(loop: VirtualLoop) -> None:
    company = await room_with_game(loop)
    assert await company.host.ask(ask.Kick(member=2)) == "done"
    del company.people[1]
    for _ in range(2):
        assert await company.host.ask(ask.CallItOff()) == "done"
        assert await company.host.ask(ask.Rematch()) == "done"
        await company.start()
        assert company.host.shown["seats"][1]["bot"] == "random"
