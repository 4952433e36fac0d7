"""A player who has lost their device asks for their seat, and the host gives it back; no other seat can be taken so."""

from __future__ import annotations

import asyncio

from roundtable.core.seats import SPECTATOR
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from roundtable.rooms.presence import LOST_SECONDS
from roundtable.storage import MemoryLog
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop

LOST = 2  # the seat of the player who loses their device


async def lose(harness: RoomHarness) -> tuple[RoomMember, RoomMember]:
    """A player loses their device and joins again with another. Returns the old and the new member."""
    lost = harness.people[LOST]
    await lost.leave()
    await asyncio.sleep(LOST_SECONDS)
    found = await harness.join("Guest 2")
    harness.people.remove(lost)
    return lost, found


def notices(guest: RoomMember) -> list[str]:
    return [notice["code"] for notice in guest.shown["notices"]]


@virtual_time_test
async def test_a_lost_seat_is_given_back_by_the_host_and_everybody_is_told(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    await propose(harness)
    lost, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert harness.people[1].shown["seat_claims"] == [{"member": found.member, "seat": LOST}]
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "done"
    for guest in (found, *harness.people):
        assert guest.shown["seats"][LOST] == {"member": found.member, "bot": None, "stand_in": None}
        assert guest.shown["seat_claims"] == []
        assert notices(guest) == ["seat_regained"]
        assert [one["name"] for one in guest.shown["members"]].count("Guest 2") == 1
        assert lost.member not in [one["member"] for one in guest.shown["members"]]
    assert (await lost.again()).closed == (4003, "room/unknown")
    assert await found.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    await harness.restart(log)
    back = await found.again(harness.room)
    assert back.last("Welcome")["seat"] == LOST
    assert back.events[: len(lost.events)] == lost.events


@virtual_time_test
async def test_what_the_seat_knows_is_told_after_the_hosts_yes_and_not_before(loop: VirtualLoop) -> None:  # C2
    harness = await room_with_game(loop)
    await propose(harness)
    lost, found = await lose(harness)
    watcher = await harness.watch()
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert found.events == watcher.events
    assert found.last("Welcome")["seat"] == SPECTATOR
    assert found.all("Asked") == []
    heard = len(found.events)
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "done"
    assert found.last("Welcome")["seat"] == LOST
    assert found.events[heard:] == lost.events
    assert found.heard[heard:] == list(range(1, len(lost.events) + 1))
    assert found.offered() == lost.offered() != []
    assert watcher.events == found.events[:heard]


@virtual_time_test
async def test_a_member_who_comes_back_to_another_seat_than_they_listened_from_hears_the_game_from_there(
    loop: VirtualLoop,
) -> None:
    harness = await room_with_game(loop)
    await propose(harness)
    lost, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    await found.leave()
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "done"
    back = await found.again(number=1, heard=found.heard[-1], heard_as=found.last("Welcome")["seat"])
    assert back.events == lost.events
    again = await back.again(number=1, heard=back.heard[-1], heard_as=LOST)
    assert again.events == []


@virtual_time_test
async def test_the_host_says_no(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await harness.people[1].ask(ask.GrantSeat(member=found.member, is_granted=True)) == "room/not_host"
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=False)) == "done"
    assert harness.host.shown["seat_claims"] == []
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "room/no_member"
    assert found.last("Welcome")["seat"] == SPECTATOR
    assert (await lost.again()).last("Welcome")["seat"] == LOST


@virtual_time_test
async def test_the_seat_of_a_connected_player_cannot_be_taken(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    thief = await harness.join("Guest 2")
    assert await thief.ask(ask.ClaimSeat(seat=LOST)) == "room/seat"
    await harness.people[LOST].leave()
    await asyncio.sleep(LOST_SECONDS - 1)
    assert await thief.ask(ask.ClaimSeat(seat=LOST)) == "room/seat"
    await asyncio.sleep(1)
    assert await thief.ask(ask.ClaimSeat(seat=LOST)) == "done"
    back = await harness.people[LOST].again()
    assert back.shown["seat_claims"] == []
    assert await harness.host.ask(ask.GrantSeat(member=thief.member, is_granted=True)) == "room/no_member"
    await back.leave()
    await asyncio.sleep(LOST_SECONDS)
    assert harness.host.shown["seat_claims"] == []  # it has to be asked for again
    assert thief.last("Welcome")["seat"] == SPECTATOR


@virtual_time_test
async def test_a_seat_is_regained_by_those_who_have_none_and_from_people(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 4)
    _, found = await lose(harness)
    assert await harness.people[1].ask(ask.ClaimSeat(seat=LOST)) == "room/seat"
    assert await found.ask(ask.ClaimSeat(seat=4)) == "room/seat"  # a bot's
    assert await found.ask(ask.ClaimSeat(seat=5)) == "room/seat"
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await found.ask(ask.Leave()) == "done"
    assert harness.host.shown["seat_claims"] == []


@virtual_time_test
async def test_a_player_who_regains_a_seat_plays_on_for_the_bot_that_stood_in(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=20)
    _, found = await lose(harness)
    assert harness.host.shown["seats"][LOST]["stand_in"] == "careful"
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "done"
    assert harness.host.shown["seats"][LOST]["stand_in"] is None
    await harness.play_on()
    assert found.last("Over")
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert (harness.room.state.seat_of(found.member), notices(found)) == (LOST, [])


@virtual_time_test
async def test_a_host_who_has_lost_their_device_is_let_back_by_the_next(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, second = harness.host, harness.people[1]
    await lost.leave()
    await asyncio.sleep(LOST_SECONDS)
    found = await harness.join("Host")
    assert await found.ask(ask.ClaimSeat(seat=0)) == "done"
    await asyncio.sleep(60)
    assert second.shown["host"] == second.member
    assert await second.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "done"
    assert found.last("Welcome")["seat"] == 0
    assert second.shown["host"] == second.member


@virtual_time_test
async def test_where_spectators_are_not_allowed_a_player_who_lost_their_device_waits_outside(
    loop: VirtualLoop,
) -> None:
    harness = await room_with_game(loop, has_spectators=False)
    lost, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert (found.all("Welcome"), found.events) == ([], [])
    assert await harness.host.ask(ask.GrantSeat(member=found.member, is_granted=True)) == "done"
    assert found.events == lost.events


@virtual_time_test
async def test_what_was_said_of_a_seat_goes_with_it(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 6, seats=6)
    for guest in harness.people[4:]:
        await guest.leave()
    await asyncio.sleep(LOST_SECONDS)
    found, other = await harness.join("Guest 4"), await harness.join("Guest 5")
    for guest, seat in ((found, 4), (other, 5)):
        assert await guest.ask(ask.ClaimSeat(seat=seat)) == "done"
    for guest in (found, other):
        assert await harness.host.ask(ask.GrantSeat(member=guest.member, is_granted=True)) == "done"
    assert notices(harness.host) == ["seat_regained"]
    assert await harness.host.ask(ask.ChangeTable(seats=5)) == "done"
    assert notices(harness.host) == ["seat_regained"]
    assert await found.ask(ask.LeaveSeat()) == "done"
    assert notices(harness.host) == []


@virtual_time_test
async def test_a_seat_that_goes_to_another_member_is_no_longer_asked_for(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    lost, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await harness.host.ask(ask.Kick(member=lost.member)) == "done"
    await settle()
    assert harness.host.shown["seat_claims"] == []
    assert await found.ask(ask.TakeSeat(seat=LOST)) == "done"
