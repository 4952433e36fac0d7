"""Spectators: a room without spectators, and a room in which they hear everything with a delay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

import roundtable.core.play
from roundtable.core.actions import Say
from roundtable.core.codec import plain
from roundtable.core.game import OPEN_TALK, fold
from roundtable.core.seats import SPECTATOR
from roundtable.protocol import rooms as ask
from roundtable.rooms.snapshot import visible_to_spectators
from roundtable.storage import MemoryLog
from support.frames import FrameReader
from support.room_harness import RoomHarness, RoomMember, room_with_game, room_with_members, settle, virtual_time_test
from support.virtual_time import VirtualLoop

OF_THE_ROOM = {"Entered", "Room", "Chatted", "Answered", "Refused"}
UNWATCHED = ask.SettingsChange(has_spectators=False)

# Rooms without spectators


@virtual_time_test
async def test_a_member_without_a_seat_hears_nothing_where_spectators_are_not_allowed(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 4, has_spectators=False)
    outside = await harness.join("Outside", watch=True)
    await harness.start()
    await harness.play_on(until=12)
    back = await outside.again(views=True, number=1, heard=3)
    await harness.play_on(until=4)
    for guest in (outside, back):
        assert {message["is"] for message in guest.received} <= OF_THE_ROOM
        assert guest.shown["stage"] == "playing"
        assert guest.closed is None
        assert await guest.act({"is": "AskCallOff"}) == "room/watching"


@virtual_time_test
async def test_a_member_who_waited_outside_hears_all_of_it_when_it_is_over_and_may_sit_down_for_the_next(
    loop: VirtualLoop,
) -> None:
    harness = await room_with_members(loop, 4, has_spectators=False)
    outside = await harness.join("Outside", watch=True)
    await harness.start()
    assert await harness.host.ask(ask.CallItOff()) == "done"
    await settle()
    assert outside.heard == list(range(1, len(outside.heard) + 1))
    assert outside.events[-1]["is"] == "SecretsRevealed"
    assert outside.last("Over")
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert await harness.host.ask(ask.RemoveBot(seat=4)) == "done"
    assert await outside.ask(ask.TakeSeat(seat=4)) == "done"
    await harness.start()
    assert outside.last("Welcome")["seat"] == 4


@virtual_time_test
async def test_those_who_watch_are_shut_out_and_let_in_again_as_the_host_chooses(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    watcher = await harness.join("Watcher")
    before = len(watcher.heard)
    assert before
    assert await harness.host.ask(ask.ChangeSettings(settings=UNWATCHED)) == "done"
    await harness.play_on(until=6)
    assert len(watcher.heard) == before
    assert await harness.host.ask(ask.ChangeSettings(settings=ask.SettingsChange(has_spectators=True))) == "done"
    await settle()
    assert watcher.heard == list(range(1, len(watcher.heard) + 1))
    assert len(watcher.heard) > before


# Delayed spectators

DELAY = 20


class Watcher(RoomMember):
    """A spectator that keeps every message with its time."""

    def __init__(self, harness: RoomHarness, token: str | None = None) -> None:
        super().__init__(harness.room, token)
        self.now = harness.loop.now
        self.told_at: list[tuple[int, dict[str, Any]]] = []
        self._messages = FrameReader()

    def send(self, *frames: str) -> None:
        super().send(*frames)
        self.told_at += [(self.now(), message) for frame in frames for message in self._messages.read(frame)]


def audible(harness: RoomHarness, moment: int) -> list[Any]:
    """The events that spectators may have heard by then."""
    play, times = harness.room.play, harness.room.state.times
    assert play is not None
    entries = [entry for entry, at in zip(play.entries, times, strict=True) if at <= moment - DELAY * 1000]
    return [event for entry in entries for event in entry.events if SPECTATOR in event.audience]


def require_late(harness: RoomHarness, watcher: Watcher) -> None:
    """No message came too early, and every View is the fold of the events before it."""
    play = harness.room.play
    assert play is not None
    for at, message in watcher.told_at:
        assert message["is"] not in ("Clock", "Asked")
        if message["is"] in ("Heard", "View"):
            assert message["number"] <= len(audible(harness, at))
        if message["is"] == "View":
            told = play.events_for(SPECTATOR)[: message["number"]]
            assert message["view"] == json.loads(json.dumps(plain(fold(play.game, told).facts())))


@virtual_time_test
async def test_a_delayed_spectator_gets_the_view_of_what_they_have_heard_and_nothing_too_soon(
    loop: VirtualLoop,
) -> None:
    harness = await room_with_game(loop, spectator_delay=DELAY, takeover_seconds=None)
    early = Watcher(harness)
    await early.enter(views=True)
    assert not early.all("View")
    await harness.play_on(until=6)
    await asyncio.sleep(DELAY)
    await harness.play_on(until=6)
    late = Watcher(harness)
    await late.enter(views=True)
    by_now, in_all = len(audible(harness, loop.now())), len(audible(harness, loop.now() + DELAY * 1000))
    assert late.last("View")["number"] == late.heard[-1] == by_now
    assert 0 < by_now < in_all
    await harness.play_on(until=12)
    await asyncio.sleep(DELAY + 1)
    assert len(late.all("View")) > 5
    for watcher in (early, late):
        assert watcher.heard == list(range(1, len(harness.room.play.events_for(SPECTATOR)) + 1))  # type: ignore[union-attr]
        assert watcher.last("View")["number"] == watcher.heard[-1]
        require_late(harness, watcher)


@virtual_time_test
async def test_a_spectator_who_comes_back_gets_the_view_again_although_nothing_is_new(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, spectator_delay=DELAY, takeover_seconds=None)
    await harness.play_on(until=6)
    await asyncio.sleep(DELAY + 1)
    watcher = Watcher(harness)
    await watcher.enter(views=True)
    heard = watcher.heard[-1]
    back = Watcher(harness)
    await back.enter(views=True, number=1, heard=heard)
    assert (back.heard, back.last("View")) == ([], watcher.last("View"))
    await harness.restart(log)
    again = Watcher(harness)
    await again.enter(views=True, number=1, heard=heard)
    assert (again.heard, again.last("View")) == ([], watcher.last("View"))
    require_late(harness, again)


@virtual_time_test
async def test_when_the_game_is_over_those_who_lagged_behind_have_the_whole_view(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, spectator_delay=DELAY)
    watcher = Watcher(harness)
    await watcher.enter(views=True)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    await settle()
    assert watcher.last("View")["number"] == watcher.heard[-1]
    assert watcher.last("View")["view"]["outcome"]


class CountingList(list[int]):
    """Counts how many of its members are looked at."""

    looks = 0

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.looks += len(found) if isinstance(place, slice) else 1
        return found

    def __iter__(self) -> Iterator[int]:
        for one in super().__iter__():
            self.looks += 1
            yield one


@pytest.mark.slow
@virtual_time_test
async def test_a_publication_looks_at_few_entries_of_a_long_game(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = await room_with_game(loop, spectator_delay=DELAY, takeover_seconds=None)
    for _ in range(300):
        await asyncio.sleep(3)
        for guest in harness.people:
            assert await guest.act(Say(channel=OPEN_TALK, text="Hm.")) == "done"
    state, play = harness.room.state, harness.room.play
    assert play is not None
    watcher = await harness.watch(views=True)
    for name in ("times", "spectator_events"):
        setattr(state, name, CountingList(getattr(state, name)))
    play.entries = CountingList(play.entries)  # type: ignore[arg-type, assignment]
    monkeypatch.setattr(roundtable.core.play, "fold", lambda *_: 1 / 0)  # no view is made from the beginning
    assert await harness.host.act(Say(channel=OPEN_TALK, text="Long.")) == "done"
    await asyncio.sleep(DELAY + 1)
    assert watcher.closed is None
    assert len(watcher.heard) > 1500
    assert play.entries.looks + state.times.looks + state.spectator_events.looks < 200  # type: ignore[attr-defined]
    assert visible_to_spectators(state, loop.now()) == len(audible(harness, loop.now()))
    assert visible_to_spectators(state, state.times[0]) == 0
