"""Full rooms and bans: which member is removed to make room, and how long a removed member stays out."""

from __future__ import annotations

import asyncio

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.protocol import rooms as ask
from roundtable.rooms.members import MOST_MEMBERS
from roundtable.rooms.presence import AWAY_SECONDS, BAN_MS, NO_SHOW_SECONDS
from roundtable.rooms.reducer import REMOVED_KEPT
from roundtable.storage import MemoryLog
from support.room_harness import RoomHarness, code_of, room_with_game, room_with_members, virtual_time_test
from support.virtual_time import VirtualLoop

HOSTS_HOME, THEIR_HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7", "203.0.113.9"


async def refused(harness: RoomHarness, name: str = "Newcomer", **more: str) -> str:
    with pytest.raises(RoomRefused) as error:
        await harness.room.join(name, watch=False, **more)
    return code_of(error)


def seats(harness: RoomHarness) -> list[int | None]:
    return [place.member for place in harness.room.state.places]


# Full rooms


@virtual_time_test
async def test_in_a_full_room_those_who_never_came_make_room(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    away = await harness.join("Away", watch=True)
    await away.leave()
    for number in range(MOST_MEMBERS - 6):
        await harness.room.join(f"Phantom {number}", watch=True)
        await asyncio.sleep(0.1)
    assert await refused(harness) == "room/full"
    await asyncio.sleep(NO_SHOW_SECONDS)
    late = await harness.join("Late")
    members = [one["name"] for one in late.shown["members"]]
    assert len(members) == MOST_MEMBERS
    assert members[:7] == ["Host", "Guest 1", "Guest 2", "Guest 3", "Guest 4", "Away", "Phantom 1"]
    assert seats(harness) == [1, 2, 3, 4, 5]


@virtual_time_test
async def test_then_the_member_who_has_been_away_longest_and_holds_no_seat(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    watching = [await harness.join(f"Watcher {number}", watch=True) for number in range(MOST_MEMBERS - 5)]
    for gone in (harness.people[1], watching[3], watching[1], harness.host):
        await gone.leave()
        await asyncio.sleep(1)
    await asyncio.sleep(AWAY_SECONDS - 4)
    assert await refused(harness) == "room/full"
    await asyncio.sleep(1)
    late = await harness.join("Late")
    names = {one["name"] for one in late.shown["members"]}
    assert {"Host", "Guest 1", "Watcher 1"} < names
    assert "Watcher 3" not in names
    assert (await watching[3].again()).closed == (4003, "room/unknown")


@virtual_time_test
async def test_a_request_shows_that_a_member_without_a_connection_is_there(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    tokens = [(await harness.room.join(f"Guest {number}", watch=True))[1] for number in range(MOST_MEMBERS - 1)]
    await asyncio.sleep(AWAY_SECONDS - 1)
    for token in tokens:
        with pytest.raises(RoomRefused):
            await harness.room.ask(token, ask.Start())  # refused, and still a sign of life
    await asyncio.sleep(2)
    assert await refused(harness) == "room/full"


@virtual_time_test
async def test_the_seat_of_a_member_who_never_came_goes_to_the_next_who_joins(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    for number in range(3):
        _, token = await harness.room.join(f"Phantom {number}", watch=False)
        await harness.room.ask(token, ask.SayReady(is_ready=True))
    early = await harness.join("Early")
    assert seats(harness) == [1, 2, 3, 4, 5]
    await asyncio.sleep(NO_SHOW_SECONDS)
    late = await harness.join("Late")
    assert seats(harness) == [1, 2, late.member, 4, 5]
    assert not harness.room.state.members[3].is_ready
    assert await early.ask(ask.TakeSeat(seat=3)) == "done"
    assert await early.ask(ask.TakeSeat(seat=1)) == "room/seat"
    assert seats(harness) == [1, 2, late.member, early.member, 5]


@virtual_time_test
async def test_a_member_who_has_been_there_keeps_the_seat_while_they_are_away(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 5, log=log)
    await harness.people[3].leave()
    await asyncio.sleep(10 * NO_SHOW_SECONDS)
    await harness.join("Late")
    assert seats(harness) == [1, 2, 3, 4, 5]
    await harness.restart(log, after=10 * NO_SHOW_SECONDS)
    await harness.join("Later")
    assert seats(harness) == [1, 2, 3, 4, 5]


@virtual_time_test
async def test_no_player_loses_a_seat_in_a_game_because_they_never_connected(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 4)
    _, token = await harness.room.join("Phantom", watch=False)
    await harness.room.ask(token, ask.SayReady(is_ready=True))
    await harness.start()
    await asyncio.sleep(2 * NO_SHOW_SECONDS)
    await harness.join("Late")
    assert seats(harness) == [1, 2, 3, 4, 5]


# Bans


@virtual_time_test
async def test_a_removed_member_does_not_come_back_until_the_host_allows_it(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 3, log=log)
    out = harness.people[2]
    assert await harness.host.ask(ask.Kick(member=out.member)) == "done"
    assert harness.host.shown["removed"] == [{"member": 3, "name": "Guest 2"}]
    assert await refused(harness, token=str(out.token)) == "room/removed"
    await harness.restart(log, after=BAN_MS)
    assert await refused(harness, token=str(out.token)) == "room/removed"
    host = await harness.host.again(harness.room)
    guest = await harness.people[1].again(harness.room)
    assert await guest.ask(ask.Pardon(member=3)) == "room/not_host"
    assert await host.ask(ask.Pardon(member=2)) == "room/no_member"
    assert await host.ask(ask.Pardon(member=3)) == "done"
    assert host.shown["removed"] == []
    member, _ = await harness.room.join("Guest 2", watch=False, token=str(out.token))
    assert member == 4


@virtual_time_test
async def test_for_a_while_no_one_joins_from_the_address_of_a_removed_member(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    member, _ = await harness.room.join("Loud", watch=False, network=THEIR_HOME)
    assert await harness.host.ask(ask.Kick(member=member)) == "done"
    assert await refused(harness, network=THEIR_HOME) == "room/removed"
    await harness.room.join("Innocent", watch=False, network=ELSEWHERE)
    await asyncio.sleep(BAN_MS / 1000)
    await harness.room.join("Neighbour", watch=False, network=THEIR_HOME)


@virtual_time_test
async def test_a_pardon_opens_the_door_to_the_network_too(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    member, _ = await harness.room.join("Loud", watch=False, network=THEIR_HOME)
    assert await harness.host.ask(ask.Kick(member=member)) == "done"
    assert await harness.host.ask(ask.Pardon(member=member)) == "done"
    await harness.room.join("Quiet", watch=False, network=THEIR_HOME)


@virtual_time_test
async def test_those_who_share_the_hosts_address_settle_it_among_themselves(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    harness.host.session.network = HOSTS_HOME
    await harness.host.enter()
    member, token = await harness.room.join("Loud", watch=False, network=HOSTS_HOME)
    assert await harness.host.ask(ask.Kick(member=member)) == "done"
    await harness.room.join("Sister", watch=False, network=HOSTS_HOME)
    assert await refused(harness, token=token, network=HOSTS_HOME) == "room/removed"


@virtual_time_test
async def test_a_member_who_leaves_by_themselves_may_come_back(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    gone = harness.people[4]
    assert await gone.ask(ask.Leave()) == "done"
    assert harness.host.shown["removed"] == []
    await harness.room.join("Guest 4", watch=True, token=str(gone.token))


@virtual_time_test
async def test_of_those_who_were_removed_the_latest_are_remembered(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    for number in range(REMOVED_KEPT + 2):
        member, _ = await harness.room.join(f"Guest {number}", watch=True)
        assert await harness.host.ask(ask.Kick(member=member)) == "done"
    assert [one["member"] for one in harness.host.shown["removed"]] == list(range(4, REMOVED_KEPT + 4))
