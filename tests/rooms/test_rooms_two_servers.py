"""Two servers on one log: both show the same room."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from roundtable.core.seats import SPECTATOR
from roundtable.protocol import rooms as ask
from roundtable.rooms import Room, RoomRegistry
from roundtable.rooms.timers import LOBBY_IDLE_MS
from roundtable.storage import MemoryLog, Row
from roundtable.storage.verify import verify_record
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    entries_of,
    expiries,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop, registry_of


async def two_servers(loop: VirtualLoop, people: int = 5, **more: Any) -> tuple[RoomHarness, RoomRegistry, Room]:
    """A room on one server, and a second server on the same log that holds it in memory too."""
    log = MemoryLog(is_shared=True)
    harness = await room_with_members(loop, people, log=log, takeover_seconds=None, **more)
    other = registry_of(loop, log, seed="other")
    await other.start()
    return harness, other, await other.find(harness.code)


class CountingLog(MemoryLog):
    """Counts how often it is read."""

    reads = 0

    async def read(self, room: str, after: int = 0) -> list[Row]:
        self.reads += 1
        return await super().read(room, after)


@virtual_time_test
async def test_of_two_who_take_one_seat_on_two_servers_one_gets_it(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop, 3)
    elsewhere = await harness.people[2].again(there)
    assert await harness.people[1].ask(ask.TakeSeat(seat=4)) == "done"
    assert await elsewhere.ask(ask.TakeSeat(seat=4)) == "room/seat"
    assert elsewhere.shown["seats"][4]["member"] == 2
    await other.stop()


@virtual_time_test
async def test_what_is_refused_is_refused_by_the_room_as_it_is_written(loop: VirtualLoop) -> None:
    """A server reads the rows that another one wrote before it refuses."""
    harness, other, there = await two_servers(loop, 3)
    elsewhere = await harness.people[2].again(there)
    assert await harness.host.ask(ask.SeatBot(seat=4)) == "done"
    assert await harness.host.ask(ask.HandOver(member=3)) == "done"
    assert await elsewhere.ask(ask.RemoveBot(seat=4)) == "done"
    await other.stop()


@virtual_time_test
async def test_a_member_who_joins_on_one_server_is_known_on_the_other(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop, 2)
    newcomer = await harness.join("Newcomer")
    elsewhere = await newcomer.again(there)
    assert elsewhere.closed is None
    assert elsewhere.last("Entered")["member"] == newcomer.member
    await there.ask(newcomer.token or "", ask.SayReady(is_ready=True))
    await other.stop()


@virtual_time_test
async def test_a_request_that_is_repeated_on_another_server_is_granted_once(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop, 2)
    elsewhere = await harness.host.again(there)
    requests: list[ask.Request] = [
        ask.Chat(text="Hello"),
        ask.SeatBot(seat=4),
        ask.RemoveBot(seat=4),
        ask.SeatBot(seat=4),
    ]
    for number, request in enumerate(requests):
        assert await harness.host.ask(request, f"r{number}") == "done"
        assert await elsewhere.ask(request, f"r{number}") == "done"
    assert [line["text"] for line in elsewhere.all("Chatted")] == ["Hello"]
    await other.stop()


@virtual_time_test
async def test_a_game_is_played_on_two_servers_and_nothing_is_lost_or_doubled(
    loop: VirtualLoop, tmp_path: Path
) -> None:
    harness, other, there = await two_servers(loop)
    await harness.start()
    people = harness.people[:2] + [await guest.again(there) for guest in harness.people[2:]]
    both = RoomHarness(loop, harness.registry, harness.room, people)
    done = 0
    while harness.room.state.is_playing or there.state.is_playing:
        for guest in people:
            for room in (harness.room, there):
                await room.look()
            moves = guest.offered()
            if moves and guest.last("Asked")["phase"] == phase_of(harness.room):
                done += await guest.act(moves[done % len(moves)], f"m{done}") == "done"
    assert both.room.play is not None
    assert there.play is not None
    assert there.play.entries == both.room.play.entries
    ids = [(entry.actor, entry.id) for entry in there.play.entries if entry.id]
    assert len(ids) == len(set(ids)) == done
    for guest in people:
        assert guest.heard == list(range(1, len(guest.heard) + 1))
    path = tmp_path / "record.jsonl"
    path.write_bytes((await other.record(harness.code, 1)).plain)
    assert verify_record(path).outcome == there.play.outcome
    await other.stop()


@virtual_time_test
async def test_a_member_who_moves_to_the_other_server_gets_exactly_the_rest(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop)
    await harness.start()
    await propose(harness)
    guest = harness.people[1]
    back = await guest.again(there, number=1, heard=guest.heard[-1] - 1)
    assert back.heard == guest.heard[-1:]
    await other.stop()


@virtual_time_test
async def test_a_deadline_that_two_servers_watch_falls_once(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop, options=TIMED)
    await harness.start()
    elsewhere = await harness.people[1].again(there)
    await asyncio.sleep(31)
    await harness.room.look()
    assert there.play is not None
    assert len(expiries(harness.room)) == 1
    assert entries_of(there) == entries_of(harness.room)
    assert elsewhere.heard == list(range(1, len(elsewhere.heard) + 1))
    await other.stop()


@virtual_time_test
async def test_a_player_who_is_gone_is_replaced_once_by_whichever_server_is_first(loop: VirtualLoop) -> None:
    log = MemoryLog(is_shared=True)
    harness = await room_with_game(loop, log=log, takeover_seconds=30)
    other = registry_of(loop, log, seed="other")
    await other.start()
    there = await other.find(harness.code)
    for room in (harness.room, there):
        await RoomMember(room).enter()
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(45)
    stood_in = [row for row in await log.read(harness.code) if b"BotStoodIn" in row.line]
    assert len(stood_in) == len(set(stood_in)) == 5
    await other.stop()


@virtual_time_test
async def test_a_member_who_is_removed_on_one_server_is_removed_on_the_other(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop, 3)
    elsewhere = await harness.people[2].again(there)
    assert await harness.host.ask(ask.Kick(member=3)) == "done"
    assert await (await harness.people[1].again(there)).ask(ask.Chat(text="Where is she?")) == "done"
    await settle()
    assert elsewhere.closed == (4003, "room/removed")
    await other.stop()


@virtual_time_test
async def test_a_room_that_lives_on_on_one_server_is_not_closed_by_the_other(loop: VirtualLoop) -> None:
    harness, other, there = await two_servers(loop, 2)
    elsewhere = await harness.people[1].again(there)
    await asyncio.sleep(LOBBY_IDLE_MS / 1000 - 30)
    assert await harness.host.ask(ask.Chat(text="Still here")) == "done"
    await harness.people[1].leave()
    await asyncio.sleep(60)
    await elsewhere.leave()
    await asyncio.sleep(60)
    assert not (await other.find(harness.code)).state.is_closed
    await other.stop()


@virtual_time_test
async def test_a_refusal_reads_the_log_only_where_other_servers_may_have_written(loop: VirtualLoop) -> None:
    for is_shared in (False, True):
        log = CountingLog(is_shared=is_shared)
        harness = await room_with_members(loop, 2, log=log)
        before = log.reads
        assert await harness.people[1].ask(ask.Start()) == "room/not_host"
        assert log.reads - before == is_shared
        await harness.registry.stop()


class RowCountingLog(MemoryLog):
    """Counts the rows that are read from it."""

    rows_read = 0

    async def read(self, room: str, after: int = 0) -> list[Row]:
        rows = await super().read(room, after)
        self.rows_read += len(rows)
        return rows


@virtual_time_test
async def test_a_server_takes_in_only_the_rows_that_are_new(loop: VirtualLoop) -> None:
    log = RowCountingLog(is_shared=True)
    harness = await room_with_game(loop, log=log, takeover_seconds=None)
    other = registry_of(loop, log, seed="other")
    await other.start()
    there = await other.find(harness.code)
    watcher = await RoomMember(there).enter(views=True)
    seen, reloads = there.state, there.state.reloads
    for stage in range(3):  # a game that goes on; its end, a rematch and another game; a game that goes on
        if stage == 1:
            assert await harness.host.ask(ask.CallItOff()) == "done"
            assert await harness.host.ask(ask.Rematch()) == "done"
            await harness.start()
        await harness.play_on(until=8)
        known, before = there.state.version, log.rows_read
        await there.look()
        assert log.rows_read - before == harness.room.state.version - known > 0
        assert there.state is seen
        assert there.state.reloads == reloads
        require_alike(there, harness.room)
    assert watcher.heard[-1] == len(entries_heard(there))
    await other.stop()


def entries_heard(room: Room) -> list[Any]:
    assert room.play is not None
    return list(room.play.events_for(SPECTATOR))


def require_alike(room: Room, other: Room) -> None:
    """Both rooms hold the same game, and give every listener the same."""
    play, there = room.play, other.play
    assert play is not None
    assert there is not None
    assert play.entries == there.entries
    assert play.state.facts() == there.state.facts()
    for listener in range(SPECTATOR, len(room.state.places)):
        assert play.events_for(listener) == there.events_for(listener)
        assert play.view(listener).facts() == there.view(listener).facts()
    parts = ("clock", "members", "places", "public_at", "spectator_events", "times", "usage", "version", "written_at")
    for name in parts:
        assert getattr(room.state, name) == getattr(other.state, name), name
    assert play.chance("bots/1").below(1 << 30) == there.chance("bots/1").below(1 << 30)
