"""Reconnecting: a member hears exactly what they missed; a spectator hears what is public."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from roundtable.core.seats import SPECTATOR
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from roundtable.rooms import Room
from roundtable.storage import MemoryLog
from support.room_harness import (
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

# Members


@virtual_time_test
async def test_a_client_that_says_what_it_heard_last_gets_exactly_the_rest(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    await harness.play_on(until=30)
    whole = {guest.member: guest.events for guest in harness.people}

    async def check() -> None:
        for guest in harness.people:
            events = whole[guest.member]
            for saw in (0, 1, len(events) // 2, len(events) - 1, len(events)):
                back = await guest.again(harness.room, number=1, heard=saw)
                assert back.heard == list(range(saw + 1, len(events) + 1))
                assert back.events == events[saw:]
                await back.leave()

    await check()
    await harness.restart(log)
    await check()


@pytest.mark.parametrize(("number", "heard"), [(0, 5), (2, 5), (1, 100_000), (1, -7), (-1, 3)])
@virtual_time_test
async def test_a_client_that_says_what_it_cannot_have_heard_gets_everything(
    loop: VirtualLoop, number: int, heard: int
) -> None:
    harness = await room_with_game(loop)
    back = await harness.people[2].again(number=number, heard=heard)
    assert back.events == harness.people[2].events
    assert back.heard[0] == 1


@virtual_time_test
async def test_a_connection_is_told_only_once_what_it_can_remember(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    await harness.play_on(until=60)
    guest = harness.people[1]
    told = [json.loads(line) for frame in guest.frames for line in frame.split("\n") if '"Asked"' in line]
    assert ["name" in asked for asked in told] == [True] + [False] * (len(told) - 1)
    phases = [asked["name"] for asked in guest.all("Asked")]
    votes = [asked for asked, name in zip(told, phases, strict=True) if name == "vote" and asked.get("options") != []]
    assert ["options" in asked for asked in votes] == [True] + [False] * (len(votes) - 1)
    assert len(votes) > 2
    back = await guest.again(number=1, heard=len(guest.events))
    asked = json.loads(next(line for line in back.frames[-1].split("\n") if '"Asked"' in line))
    assert {"phase", "name", "options"} <= asked.keys()


@virtual_time_test
async def test_chat_is_taken_up_where_it_was_left(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 2, log=log)
    for number in range(6):
        assert await harness.host.ask(ask.Chat(text=f"Line {number}")) == "done"
        await asyncio.sleep(2)
    await harness.restart(log)
    back = await harness.people[1].again(harness.room, chatted=4)
    assert [(line["number"], line["text"]) for line in back.all("Chatted")] == [(5, "Line 4"), (6, "Line 5")]
    fresh = await harness.people[1].again(harness.room)
    assert [line["number"] for line in fresh.all("Chatted")] == [1, 2, 3, 4, 5, 6]
    assert (await harness.people[1].again(harness.room, chatted=99)).all("Chatted") == []


@virtual_time_test
async def test_a_view_is_what_everything_heard_comes_to(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    viewing = await harness.people[1].again(views=True)
    await propose(harness)
    view = viewing.last("View")
    assert view["number"] == viewing.heard[-1]
    await harness.restart(log)
    back = await harness.people[1].again(harness.room, views=True)
    assert back.last("View") == view


@virtual_time_test
async def test_two_connections_of_one_person_hear_the_same(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    second = await harness.people[1].again()
    await propose(harness)
    assert second.events == harness.people[1].events
    await harness.people[1].leave()
    assert harness.host.shown["members"][1]["is_here"]
    await second.leave()
    assert not harness.host.shown["members"][1]["is_here"]


@virtual_time_test
async def test_a_member_who_comes_back_after_the_end_hears_how_it_ended(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    guest = harness.people[1]
    saw = guest.heard[-1]
    await guest.leave()
    await harness.host.ask(ask.CallItOff())
    await harness.restart(log)
    back = await guest.again(harness.room, number=1, heard=saw)
    assert back.heard[0] == saw + 1
    assert back.events[-1]["is"] == "SecretsRevealed"
    assert back.last("Over")["outcome"]["reason"] == "called_off"


# Spectators


@virtual_time_test
async def test_those_who_watch_hear_what_is_public_and_never_more(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    nameless, named = await harness.watch(), await harness.join("Watcher", watch=True)
    await harness.play_on(until=25)
    assert harness.room.play is not None
    public = [json.loads(json.dumps(event["is"])) for event in nameless.events]
    assert all(event["audience"] == "everyone" for event in nameless.events)
    assert len(public) == len(harness.room.play.heard(SPECTATOR))
    assert nameless.events == named.events
    assert not nameless.all("Asked")
    assert await named.act(CastVote(phase=phase_of(harness.room), approve=True)) == "room/watching"
    assert await nameless.ask(ask.SayReady(is_ready=True)) == "room/watching"
    assert nameless.last("Entered")["member"] is None


@virtual_time_test
async def test_those_who_watch_lag_behind_as_far_as_the_host_wants(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, spectator_delay=60, takeover_seconds=None)
    watcher = await harness.watch()
    assert watcher.events == []
    await asyncio.sleep(30)
    await propose(harness)
    await asyncio.sleep(29)
    assert watcher.events == []
    await asyncio.sleep(2)
    assert watcher.heard
    assert not any(event["is"] == "TeamProposed" for event in watcher.events)
    assert watcher.all("Clock") == []
    back = await harness.watch(number=1, heard=watcher.heard[-1])
    assert back.heard == []
    await asyncio.sleep(30)
    assert any(event["is"] == "TeamProposed" for event in watcher.events)
    assert back.heard == watcher.heard[-len(back.heard) :]
    assert watcher.heard == list(range(1, len(watcher.heard) + 1))
    await harness.host.ask(ask.CallItOff())
    assert watcher.events[-1]["is"] == "SecretsRevealed"
    assert watcher.all("Over")


# Slow readers


class PausedConnection(RoomMember):
    """A connection whose client reads only when the test says so."""

    def __init__(self, room: Room, token: str | None, member: int) -> None:
        super().__init__(room, token, member)
        self._call: Callable[[], None] | None = None

    def pause(self) -> None:
        self.is_ready = False

    def read_on(self) -> None:
        self.is_ready = True
        assert self._call is not None
        self._call()

    def when_ready(self, call: Callable[[], None]) -> None:
        self._call = call
        if self.is_ready:
            super().when_ready(call)


@virtual_time_test
async def test_who_changed_seats_without_reading_hears_the_game_of_the_new_seat(loop: VirtualLoop) -> None:
    """The old seat's role is another player's secret."""
    harness = await room_with_members(loop, 6, seats=6)
    moving, leaving = harness.people[1], harness.people[5]
    slow = PausedConnection(harness.room, moving.token, moving.member)
    await slow.enter()
    await start(harness)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    slow.pause()
    assert await leaving.ask(ask.Leave()) == "done"
    assert await moving.ask(ask.TakeSeat(seat=5)) == "done"
    harness.people.remove(leaving)
    await harness.join("Newcomer")  # takes the seat that is free now
    await start(harness)
    slow.read_on()
    await settle()
    assert [welcome["seat"] for welcome in slow.all("Welcome")] == [1, 5]
    dealt = [heard["event"]["seat"] for heard in slow.all("Heard") if heard["event"]["is"] == "RoleDealt"]
    assert dealt[-1] == 5


async def start(harness: RoomHarness) -> None:
    for guest in harness.people:
        assert await guest.ask(ask.SayReady(is_ready=True)) == "done"
    assert await harness.host.ask(ask.Start()) == "done"
