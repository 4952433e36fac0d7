"""Several workers on one log: each room has one owner, and another worker goes on with it when the owner is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import OwnedElsewhere, Room, RoomRegistry
from roundtable.rooms.housekeeping import FORGET_SECONDS, SWEEP_SECONDS, UNUSED_SECONDS
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits
from roundtable.rooms.timers import HOST_AWAY_SECONDS, RETURN_MS
from roundtable.storage import LEASE_SECONDS, Lease, LogFailed, RoomSummary
from support.memory_leases import MemoryLeases, MemorySite, WorkerLog
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    entries_of,
    expiries,
    propose,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop, registry_of

TAKEN = LEASE_SECONDS + 2  # seconds after which another worker has the rooms of one that is gone
A, B = "http://10.0.0.1:8101", "http://10.0.0.2:8101"
MOVED = (1012, "")


class CuttableLeases(MemoryLeases):
    """Leases of a worker that can be cut off from the store, or that waits for its answers while the worker sleeps."""

    is_cut = False
    takes_due = True
    wakes: asyncio.Event | None = None

    async def _reach(self) -> None:
        if self.wakes is not None:
            await self.wakes.wait()
        if self.is_cut:
            raise LogFailed("The database cannot be reached.")

    async def start(self, address: str) -> int:
        await self._reach()
        return await super().start(address)

    async def renew(self) -> int:
        await self._reach()
        return await super().renew()

    async def take(self, room: str) -> Lease:
        await self._reach()
        return await super().take(room)

    async def take_due(self, ahead: int, most: int) -> list[str]:
        await self._reach()
        return await super().take_due(ahead, most) if self.takes_due else []

    async def release(self, rooms: Mapping[str, int | None]) -> None:
        await self._reach()
        await super().release(rooms)


class CuttableLog(WorkerLog):
    """The log of such a worker."""

    leases: CuttableLeases

    def __init__(self, site: MemorySite) -> None:
        super().__init__(site)
        self.leases = CuttableLeases(site)

    async def append(self, room: str, known: int, rows: Any, summary: RoomSummary | None) -> None:
        await self.leases._reach()
        await super().append(room, known, rows, summary)


class Site:
    """Two workers on one log."""

    def __init__(self, loop: VirtualLoop, idle: IdleLimits = USUAL_LIMITS) -> None:
        self.loop = loop
        self.shared = MemorySite(loop.now)
        self.log, self.other_log = CuttableLog(self.shared), CuttableLog(self.shared)
        self.first = registry_of(loop, self.log, "a", address=A, idle=idle)
        self.second = registry_of(loop, self.other_log, "b", address=B, idle=idle)

    async def rows(self, code: str, kind: bytes) -> list[bytes]:
        return [row.line for row in await self.shared.log.read(code) if kind in row.line]


async def site_with_members(
    loop: VirtualLoop, people: int = 3, idle: IdleLimits = USUAL_LIMITS, **more: Any
) -> tuple[Site, RoomHarness]:
    """A room at the first of two workers."""
    site = Site(loop, idle)
    harness = await room_with_members(loop, people, registry=site.first, **more)
    await site.second.start()
    return site, harness


async def site_with_game(loop: VirtualLoop, **more: Any) -> tuple[Site, RoomHarness]:
    site = Site(loop)
    harness = await room_with_game(loop, registry=site.first, **more)
    await site.second.start()
    return site, harness


def kill(registry: RoomRegistry) -> None:
    """End a worker without warning: it frees nothing and tells no client."""
    for task in registry._tasks:
        task.cancel()
    for room in registry.rooms.values():
        room.stop()
    registry.rooms.clear()


async def moved(harness: RoomHarness, registry: RoomRegistry, people: int | None = None) -> Room:
    """The members connect to the room at another worker."""
    room = await registry.find(harness.code)
    harness.people[:people] = [await guest.again(room) for guest in harness.people[:people]]
    harness.registry, harness.room = registry, room
    return room


@virtual_time_test
async def test_a_room_has_one_owner_and_the_others_know_where(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    for _ in range(2):
        with pytest.raises(OwnedElsewhere, match=A):
            await site.second.find(harness.code)
        await asyncio.sleep(60)
    with pytest.raises(OwnedElsewhere, match=A):
        await site.second.has_member(harness.code, harness.host.token or "")
    assert not site.second.rooms


@virtual_time_test
async def test_a_room_that_was_opened_with_a_token_is_found_wherever_it_is(loop: VirtualLoop) -> None:
    site, _ = await site_with_members(loop)
    wanted = bodies.OpenRoom(name="Ada", token="t" * 48)
    opened = await site.first.open(wanted)
    with pytest.raises(OwnedElsewhere, match=A):
        await site.second.open(wanted)
    assert await site.first.open(wanted) == opened


@virtual_time_test
async def test_codes_without_a_room_leave_no_lease_behind(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    for code in ("ABCDEF", "GHJKLM"):
        with pytest.raises(RoomRefused):
            await site.second.find(code)
    await asyncio.sleep(60)
    assert list(site.shared.rooms) == [harness.code]


@virtual_time_test
async def test_deadlines_of_a_worker_that_died_fall_once_and_within_seconds(loop: VirtualLoop) -> None:  # C5
    site, harness = await site_with_game(loop, options=TIMED, takeover_seconds=None)
    kill(site.first)
    await asyncio.sleep(TIMED["propose_seconds"] + 0.5)
    room = site.second.rooms[harness.code]
    assert len(expiries(room)) == 1
    assert len(await site.rows(harness.code, b'"Expire"')) == 1


@virtual_time_test
async def test_a_worker_that_died_holds_its_rooms_for_no_longer_than_its_lease(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    kill(site.first)
    with pytest.raises(OwnedElsewhere):
        await site.second.find(harness.code)
    await asyncio.sleep(LEASE_SECONDS)
    assert (await site.second.find(harness.code)).state.members == harness.room.state.members


@virtual_time_test
async def test_players_who_come_back_to_another_worker_are_not_replaced(loop: VirtualLoop) -> None:
    """Absence counts from when the new owner began to see them, however long it has been running."""
    site, harness = await site_with_game(loop, takeover_seconds=10)
    await asyncio.sleep(300)
    kill(site.first)
    await asyncio.sleep(TAKEN)
    room = await moved(harness, site.second, people=4)  # the fifth stays away
    await asyncio.sleep(60)
    assert [place.player for place in room.state.places] == [None, None, None, None, "careful"]
    assert room.state.host == harness.host.member


@virtual_time_test
async def test_players_whose_clients_wait_between_two_attempts_are_not_replaced(loop: VirtualLoop) -> None:
    """A client that has failed for a while tries again after 19 seconds at the latest. By then a faster one has brought
    the room back."""
    site, harness = await site_with_game(loop, takeover_seconds=5)
    kill(site.first)
    await asyncio.sleep(TAKEN)
    room = await moved(harness, site.second, people=1)
    await asyncio.sleep(19)
    assert [place.player for place in room.state.places] == [None] * 5
    await moved(harness, site.second, people=4)
    await asyncio.sleep(5)
    assert [place.player for place in room.state.places] == [None, None, None, None, "careful"]
    await harness.people[3].leave()
    await asyncio.sleep(6)
    assert [place.player for place in room.state.places] == [None, None, None, "careful", "careful"]


@virtual_time_test
async def test_the_hosts_chair_is_not_given_away_before_the_host_can_be_back(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    await asyncio.sleep(300)
    kill(site.first)
    await asyncio.sleep(TAKEN)
    room = await site.second.find(harness.code)
    await harness.people[1].again(room)
    await asyncio.sleep(HOST_AWAY_SECONDS - 1)
    assert room.state.host == harness.host.member
    await asyncio.sleep(2)
    assert room.state.host == harness.people[1].member


@virtual_time_test
async def test_the_late_write_of_a_worker_that_slept_loses_and_its_clients_come_back(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    site.log.leases.wakes = asyncio.Event()
    site.first._tasks[1].cancel()  # it cannot renew either
    sleeping, late = harness.room, harness.people[1]
    sleeping.say(late.session, ask.Ask(id="late", request=ask.Chat(text="Late")))
    await asyncio.sleep(TAKEN)
    room = await site.second.find(harness.code)
    first = await harness.host.again(room)
    assert await first.ask(ask.Chat(text="In time")) == "done"
    site.log.leases.wakes.set()
    await settle()
    assert [guest.closed for guest in harness.people] == [MOVED] * 3
    assert not [message for message in late.answers if message["id"] == "late"]
    assert await site.rows(harness.code, b'"Late"') == []
    again = await late.again(room)
    assert await again.ask(ask.Chat(text="Late"), "late") == "done"
    renewing = loop.create_task(site.first._owner.renew(site.first._lose_all))
    await asyncio.sleep(5)
    with pytest.raises(OwnedElsewhere, match=B):
        await site.first.find(harness.code)
    renewing.cancel()


@virtual_time_test
async def test_a_worker_that_slept_shows_no_client_the_room_as_it_was(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    site.first._tasks[1].cancel()
    await asyncio.sleep(TAKEN)
    await site.second.find(harness.code)
    with pytest.raises(RoomRefused) as refused:
        await site.first.find(harness.code)
    assert refused.value.code == "room/busy"
    assert harness.host.closed == MOVED


@virtual_time_test
async def test_the_lease_of_one_room_is_lost_without_the_others(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop)
    other = await site.first.open(bodies.OpenRoom(name="Other"))
    site.shared.free(harness.code, None)
    room = await site.second.find(harness.code)
    harness.room.say(harness.host.session, ask.Ask(id="1", request=ask.Chat(text="Late")))
    await settle()
    assert harness.people[1].closed == MOVED
    assert not harness.host.answers
    assert not (await site.first.find(other.room)).is_stopped
    assert await (await harness.host.again(room)).ask(ask.Chat(text="Here")) == "done"


@virtual_time_test
async def test_a_worker_that_is_cut_off_from_the_log_lets_its_rooms_go_in_time(loop: VirtualLoop) -> None:
    site, harness = await site_with_game(loop, takeover_seconds=None)
    site.log.leases.is_cut = True
    await asyncio.sleep(LEASE_SECONDS - 1)
    assert [guest.closed for guest in harness.people] == [None] * 5
    await asyncio.sleep(2)
    assert [guest.closed for guest in harness.people] == [MOVED] * 5
    with pytest.raises(RoomRefused) as refused:
        await site.first.find(harness.code)
    assert refused.value.code == "room/busy"
    await moved(harness, site.second)
    await propose(harness)
    site.log.leases.is_cut = False
    await asyncio.sleep(2)
    with pytest.raises(OwnedElsewhere, match=B):
        await site.first.find(harness.code)
    await site.first.open(bodies.OpenRoom(name="Ada"))


@virtual_time_test
async def test_a_short_cut_is_not_noticed(loop: VirtualLoop) -> None:
    site, harness = await site_with_game(loop, takeover_seconds=None)
    site.log.leases.is_cut = True
    await asyncio.sleep(LEASE_SECONDS - 1.5)
    site.log.leases.is_cut = False
    await asyncio.sleep(60)
    assert [guest.closed for guest in harness.people] == [None] * 5
    await propose(harness)


@virtual_time_test
async def test_when_all_workers_were_cut_off_the_first_client_brings_a_room_back(loop: VirtualLoop) -> None:
    site, harness = await site_with_game(loop, takeover_seconds=None)
    for log in (site.log, site.other_log):
        log.leases.is_cut = True
    await asyncio.sleep(10)
    for log in (site.log, site.other_log):
        log.leases.is_cut = False
    await asyncio.sleep(2)
    await moved(harness, site.second)
    await propose(harness)


@virtual_time_test
async def test_a_worker_that_is_stopped_hands_its_rooms_over_at_once(loop: VirtualLoop) -> None:
    site, harness = await site_with_game(loop, takeover_seconds=None)
    await site.first.stop()
    assert [guest.closed for guest in harness.people] == [MOVED] * 5
    await moved(harness, site.second)
    await harness.play_on(until=5)
    assert len(entries_of(harness.room)) > 5
    assert [worker.address for worker in site.shared.workers.values()] == [B]


@virtual_time_test
async def test_an_idle_room_is_free_and_is_closed_in_its_time_by_any_worker(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop, 1)
    await harness.host.leave()
    await asyncio.sleep(120)
    assert not site.first.rooms
    assert not site.shared.rooms[harness.code].worker
    kill(site.first)
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 - 180)
    assert harness.code in await site.shared.log.summaries()
    await asyncio.sleep(120 + RETURN_MS / 1000)
    assert harness.code not in await site.shared.log.summaries()


@pytest.mark.parametrize("hours", [1, 5])
@virtual_time_test
async def test_a_dead_workers_room_is_read_and_closed_after_the_operators_idle_time(
    loop: VirtualLoop, hours: int
) -> None:
    site, harness = await site_with_members(loop, 1, IdleLimits.of_hours(hours, 24))
    kill(site.first)
    await asyncio.sleep((hours - 1) * 3600)
    assert site.shared.rooms[harness.code].epoch == 1, "it was read too early"
    await asyncio.sleep(3600 + RETURN_MS / 1000 + TAKEN)
    assert harness.code not in await site.shared.log.summaries()


@virtual_time_test
async def test_a_worker_forgets_rooms_that_another_one_has_closed(loop: VirtualLoop) -> None:
    """It counts rooms by the network that opened them, and closes those that no connection stayed in."""
    site, _ = await site_with_members(loop)
    opened = await site.first.open(bodies.OpenRoom(name="Ada"), "192.0.2.1")
    site.shared.free(opened.room, None)
    site.log.leases.takes_due = False  # so that the other worker closes it
    there = await site.second.find(opened.room)
    watcher = await RoomMember(there, opened.token).enter()
    await asyncio.sleep(3 * UNUSED_SECONDS)
    assert not there.state.is_closed, "the first worker closed what is used at the second"
    assert opened.room in site.first._opened
    assert await watcher.ask(ask.Leave()) == "done"
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 + FORGET_SECONDS + 600)
    assert opened.room not in await site.shared.log.summaries()
    assert not list(site.first._opened)
    assert opened.room not in site.first._dropped


@virtual_time_test
async def test_a_room_that_was_used_at_a_dead_worker_is_not_closed_as_unused(loop: VirtualLoop) -> None:
    """No connection stayed at the worker that opened it. Then it lost the room, and another one has its members."""
    site, _ = await site_with_members(loop)
    opened = await site.first.open(bodies.OpenRoom(name="Ada"), "192.0.2.1")
    site.log.leases.takes_due = False
    site.shared.free(opened.room, None)
    site.first._drop_broken(site.first.rooms[opened.room])
    await RoomMember(await site.second.find(opened.room), opened.token).enter()
    await asyncio.sleep(UNUSED_SECONDS - 2)
    kill(site.second)
    await asyncio.sleep(TAKEN + 2 * SWEEP_SECONDS)
    assert (await site.first.find(opened.room)).state.member_with(opened.token) == opened.member


@virtual_time_test
async def test_a_room_that_no_one_enters_is_closed_by_the_worker_that_opened_it(loop: VirtualLoop) -> None:
    site, _ = await site_with_members(loop)
    opened = await site.first.open(bodies.OpenRoom(name="Ada"), "192.0.2.1")
    await asyncio.sleep(UNUSED_SECONDS - 2)
    assert site.shared.rooms[opened.room].worker, "another worker could take it, and would not know that it is unused"
    await asyncio.sleep(2 * SWEEP_SECONDS)
    assert opened.room not in await site.shared.log.summaries()


@virtual_time_test
async def test_a_lobby_in_which_people_wait_for_hours_outlives_its_worker(loop: VirtualLoop) -> None:
    site, harness = await site_with_members(loop, 1)
    await asyncio.sleep(2 * USUAL_LIMITS.lobby / 1000)
    kill(site.first)
    await asyncio.sleep(TAKEN + 10)
    room = await moved(harness, site.second)
    await asyncio.sleep(600)
    assert not room.state.is_closed


@virtual_time_test
async def test_players_who_stay_away_are_replaced_in_their_time_although_workers_change(loop: VirtualLoop) -> None:
    """A room is not handed on while a bot is going to stand in: the next worker would begin to count again."""
    site, harness = await site_with_game(loop, takeover_seconds=300)
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(310)
    assert len(await site.rows(harness.code, b"BotStoodIn")) == 5


@virtual_time_test
async def test_time_is_the_sites_wherever_a_room_is(loop: VirtualLoop) -> None:
    """The clocks of two workers are an hour apart; a deadline does not move with its room."""
    site = Site(loop)
    first = registry_of(loop, site.log, "a", address=A, now=lambda: loop.now() - 3_600_000)
    second = registry_of(loop, site.other_log, "b", address=B, now=lambda: loop.now() + 3_600_000)
    harness = await room_with_game(loop, registry=first, options=TIMED, takeover_seconds=None)
    await second.start()
    await asyncio.sleep(10)
    await first.stop()
    room = await moved(harness, second)
    await asyncio.sleep(TIMED["propose_seconds"] - 10 - 1)
    assert expiries(room) == []
    await asyncio.sleep(2)
    assert len(expiries(room)) == 1
    assert abs(room.now() - loop.now()) <= 1


@virtual_time_test
async def test_players_at_one_room_hear_one_another_and_the_log_has_it_all(loop: VirtualLoop) -> None:
    """A game that changes hands twice is one game, and every listener hears it once."""
    site, harness = await site_with_game(loop, takeover_seconds=None)
    await harness.play_on(until=4)
    await site.first.stop()
    heard = [guest.heard for guest in harness.people]
    room = await site.second.find(harness.code)
    harness.people = [
        await RoomMember(room, guest.token, guest.member).enter(number=1, heard=len(told))
        for guest, told in zip(harness.people, heard, strict=True)
    ]
    harness.room = room
    await harness.play_on()
    assert not room.state.is_playing
    for told, guest in zip(heard, harness.people, strict=True):
        assert [*told, *guest.heard] == list(range(1, len(told) + len(guest.heard) + 1))
