"""A host who is away for too long: another member who is connected becomes the host."""

from __future__ import annotations

import asyncio

from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms.timers import HOST_AWAY_SECONDS
from roundtable.storage import MemoryLog
from support.room_harness import RoomHarness, RoomMember, room_with_game, room_with_members, virtual_time_test
from support.virtual_time import VirtualLoop

TOLD = "The host was away too long. Guest 1 is the host now."


def notices(guest: RoomMember) -> list[tuple[str, str]]:
    return [(notice["code"], notice["message"]) for notice in guest.shown["notices"]]


async def host_vanishes(harness: RoomHarness) -> None:
    await harness.host.leave()
    await asyncio.sleep(HOST_AWAY_SECONDS + 0.1)


@virtual_time_test
async def test_a_room_whose_host_is_gone_goes_to_the_member_who_has_been_there_longest(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    await harness.host.leave()
    await asyncio.sleep(HOST_AWAY_SECONDS - 1)
    assert harness.people[1].shown["host"] == 1
    await asyncio.sleep(1.1)
    for guest in harness.people[1:]:
        assert guest.shown["host"] == 2
        assert notices(guest) == [("new_host", TOLD)]
    assert await harness.people[1].ask(ask.SeatBot(seat=4)) == "done"


@virtual_time_test
async def test_a_host_who_comes_back_in_time_stays_the_host(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    await harness.host.leave()
    await asyncio.sleep(HOST_AWAY_SECONDS - 1)
    back = await harness.host.again()
    await asyncio.sleep(3 * HOST_AWAY_SECONDS)
    assert back.shown["host"] == 1


@virtual_time_test
async def test_a_host_who_comes_back_too_late_is_a_guest_and_reads_why(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    await host_vanishes(harness)
    back = await harness.host.again()
    assert back.shown["host"] == 2
    assert notices(back) == [("new_host", TOLD)]
    assert await back.ask(ask.SeatBot(seat=4)) == "room/not_host"
    assert await harness.people[1].ask(ask.HandOver(member=1)) == "done"
    assert (back.shown["host"], notices(back)) == (1, [])


@virtual_time_test
async def test_in_a_game_it_goes_to_a_player_and_the_next_game_begins_without_a_notice(
    loop: VirtualLoop,
) -> None:
    harness = await room_with_members(loop, 2, takeover_seconds=None)
    watcher = await harness.join("Watcher", watch=True)
    player = await harness.join("Player")
    assert await harness.people[1].ask(ask.LeaveSeat()) == "done"
    await harness.start()
    await host_vanishes(harness)
    assert watcher.shown["host"] == player.member
    assert await player.ask(ask.CallItOff()) == "done"
    assert await player.ask(ask.Rematch()) == "done"
    assert notices(watcher) == []


@virtual_time_test
async def test_one_who_has_a_bot_play_for_them_comes_after_one_who_plays(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 3, takeover_seconds=None, idle_seconds=30)
    awake = harness.people[2]
    await harness.host.leave()
    for _ in range(HOST_AWAY_SECONDS // 10 + 1):
        await awake.here()
        await asyncio.sleep(10)
    assert awake.shown["seats"][1]["stand_in"]
    assert awake.shown["host"] == awake.member


@virtual_time_test
async def test_a_host_who_is_away_stays_the_host_until_another_member_is_connected(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    guest = harness.people[1]
    await guest.leave()
    await harness.host.leave()
    await asyncio.sleep(10 * HOST_AWAY_SECONDS)
    back = await guest.again(await harness.registry.find(harness.code))
    assert back.shown["host"] == 1
    await asyncio.sleep(HOST_AWAY_SECONDS + 0.1)
    assert back.shown["host"] == 2


@virtual_time_test
async def test_who_the_host_is_now_outlives_a_restart_and_so_does_the_notice(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 2, log=log)
    await host_vanishes(harness)
    await harness.restart(log)
    back = await harness.people[1].again(harness.room)
    assert (back.shown["host"], notices(back)) == (2, [("new_host", TOLD)])


@virtual_time_test
async def test_after_a_restart_a_host_has_the_time_to_come_back(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 2, log=log)
    await harness.restart(log, after=600)
    guest = await harness.people[1].again(harness.room)
    await asyncio.sleep(HOST_AWAY_SECONDS - 1)
    assert guest.shown["host"] == 1
    await asyncio.sleep(1.1)
    assert guest.shown["host"] == 2


@virtual_time_test
async def test_a_host_who_opened_a_room_and_never_connected_has_as_long(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    opened = await harness.registry.open(bodies.OpenRoom(name="Host"))
    room = await harness.registry.find(opened.room)
    member, token = await room.join("Guest", watch=False)
    guest = await RoomMember(room, token, member).enter()
    await asyncio.sleep(HOST_AWAY_SECONDS - 1)
    assert guest.shown["host"] == 1
    await asyncio.sleep(1.1)
    assert guest.shown["host"] == 2


@virtual_time_test
async def test_while_people_play_with_cards_that_were_dealt_a_sleeping_phone_stays_the_host(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5, in_person="deal")
    assert await harness.host.ask(ask.Start()) == "done"
    await host_vanishes(harness)
    assert harness.people[1].shown["host"] == 1
    back = await harness.host.again()
    assert await back.ask(ask.Rematch()) == "done"
    await back.leave()
    await asyncio.sleep(HOST_AWAY_SECONDS + 0.1)
    assert harness.people[1].shown["host"] == 2


@virtual_time_test
async def test_a_host_who_leaves_makes_way_for_a_connected_member(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    await harness.people[1].leave()
    assert await harness.host.ask(ask.Leave()) == "done"
    assert harness.people[2].shown["host"] == 3
