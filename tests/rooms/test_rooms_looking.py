"""The first look at the roles: the game begins when every player has looked, or when the time is over."""

from __future__ import annotations

import asyncio

import pytest

from roundtable.games.quests.actions import ProposeTeam
from roundtable.protocol import rooms as ask
from roundtable.storage import MemoryLog
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    entries_of,
    expiries,
    phase_of,
    propose,
    room_with_game,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop, registry_of

TEAM = ProposeTeam(phase=1, team=frozenset({0, 1}))


async def look(*people: RoomMember) -> None:
    for guest in people:
        assert await guest.ask(ask.SayLooked()) == "done"
    await settle()


def is_asked(harness: RoomHarness) -> bool:
    return any(guest.all("Asked") for guest in harness.people)


@virtual_time_test
async def test_the_first_leader_is_asked_when_all_players_have_looked(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, look_seconds=15, options=TIMED)
    dealt = loop.now()
    tv = await harness.watch()
    assert (harness.host.shown["looked"], harness.host.shown["looking_until"]) == ([], dealt + 15_000)
    assert [await guest.act(TEAM) for guest in harness.people] == ["room/stage"] * 5
    assert "looked at their card" in harness.host.last("Refused")["message"]
    await asyncio.sleep(4)
    await look(*harness.people[:4])
    assert tv.shown["looked"] == harness.host.shown["looked"] == [0, 1, 2, 3]
    assert harness.host.all("Clock") == []  # none runs
    assert not is_asked(harness)
    await asyncio.sleep(3)
    await look(harness.people[4])
    assert (tv.shown["looked"], tv.shown["looking_until"]) == ([0, 1, 2, 3, 4], None)
    assert harness.host.last("Clock")["ends_at"] == dealt + 7_000 + 30_000  # of the whole phase
    await propose(harness)
    assert phase_of(harness.room) == 2


@virtual_time_test
async def test_the_game_waits_no_longer_than_the_time(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, look_seconds=15, options=TIMED)
    dealt = loop.now()
    await look(harness.host)
    await asyncio.sleep(14.9)
    assert not is_asked(harness)
    await asyncio.sleep(0.2)
    assert harness.host.shown["looking_until"] is None
    ends_at = harness.host.last("Clock")["ends_at"]
    assert dealt + 45_000 <= ends_at < dealt + 45_200
    await look(*harness.people[1:])  # later looks count, and change nothing else
    assert harness.host.shown["looked"] == [0, 1, 2, 3, 4]
    assert harness.host.last("Clock")["ends_at"] == ends_at
    await propose(harness)


@virtual_time_test
async def test_bots_make_no_move_while_players_look(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 2, game="saviom", seats=6, look_seconds=15)
    bots = harness.host.shown["looked"]
    assert bots == [2, 3, 4, 5]
    dealt = len(entries_of(harness.room))
    await asyncio.sleep(10)
    assert len(entries_of(harness.room)) == dealt
    await look(*harness.people)
    await asyncio.sleep(10)
    assert any(entry.actor in bots for entry in entries_of(harness.room)[dealt:])


@virtual_time_test
async def test_one_person_among_bots_is_waited_for_alone(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 1, look_seconds=60)
    await look(harness.host)
    assert harness.host.shown["looking_until"] is None


@virtual_time_test
async def test_those_for_whom_bots_play_are_not_waited_for(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 3, look_seconds=60, takeover_seconds=5)
    await look(harness.host)
    await harness.people[1].leave()
    assert await harness.people[2].ask(ask.Leave()) == "done"
    await asyncio.sleep(4)
    assert harness.host.shown["looking_until"] is not None
    await asyncio.sleep(2)
    assert harness.host.shown["looking_until"] is None
    assert harness.host.shown["looked"] == [0, 2, 3, 4]  # the player who is away has yet to look
    back = await harness.people[1].again()
    await look(back)
    assert harness.host.shown["looked"] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("down", [5, 100])
@virtual_time_test
async def test_a_restart_while_players_look_changes_nothing(loop: VirtualLoop, down: float) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, look_seconds=15, log=log, options=TIMED, takeover_seconds=None)
    dealt = loop.now()
    await look(harness.host)
    await harness.restart(log, after=down)
    host = await harness.host.again(harness.room)
    if down < 15:
        assert (host.shown["looked"], host.shown["looking_until"]) == ([0], dealt + 15_000)
        assert await host.act(TEAM) == "room/stage"
        await asyncio.sleep(15.1 - down)
    await asyncio.sleep(0.1)
    assert (host.shown["looked"], host.shown["looking_until"]) == ([0], None)
    began = max(dealt + 15_000, dealt + round(down * 1000))
    assert began + 30_000 <= host.last("Clock")["ends_at"] < began + 30_300


@virtual_time_test
async def test_the_time_ends_without_anyone_connected(loop: VirtualLoop) -> None:
    """The registry reads the room when its summary says so: at the end of the look, then at the first deadline."""
    log = MemoryLog()
    harness = await room_with_game(loop, look_seconds=15, log=log, options=TIMED, takeover_seconds=None)
    await harness.registry.stop()
    registry = registry_of(loop, log)
    await registry.start()
    await asyncio.sleep(44)
    assert all(not expiries(room) for room in registry.rooms.values())
    await asyncio.sleep(3)
    assert expiries(await registry.find(harness.code))


@virtual_time_test
async def test_a_pause_outlasts_the_looks(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, look_seconds=15, options=TIMED)
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "done"
    await look(*harness.people)
    assert harness.host.last("Clock") | {"now": 0} == {
        "is": "Clock", "phase": 1, "ends_at": None, "is_paused": True, "now": 0,
    }  # fmt: skip
    await asyncio.sleep(5)
    assert await harness.host.ask(ask.HoldClock(do="resume")) == "done"
    assert harness.host.last("Clock")["ends_at"] == loop.now() + 30_000


@virtual_time_test
async def test_a_pause_that_ends_while_players_look_starts_no_clock(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, look_seconds=15, options=TIMED)
    for do in ("pause", "resume", "extend"):
        assert await harness.host.ask(ask.HoldClock(do=do, seconds=10)) == "done"
    assert harness.host.last("Clock")["ends_at"] is None
    await asyncio.sleep(2)
    await look(*harness.people)
    assert harness.host.last("Clock")["ends_at"] == loop.now() + 40_000


@virtual_time_test
async def test_a_new_holder_of_a_seat_has_not_looked(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 3, look_seconds=5, takeover_seconds=None)
    await look(*harness.people)
    await harness.people[2].leave()
    guest = await harness.join("Newcomer", watch=True)
    await asyncio.sleep(40)
    assert await guest.ask(ask.ClaimSeat(seat=2)) == "done"
    await asyncio.sleep(40)
    for player in harness.people[:2]:
        assert await player.ask(ask.AnswerClaim(member=guest.member, is_granted=True)) == "done"
    assert harness.host.shown["looked"] == [0, 1, 3, 4]
    assert harness.host.shown["looking_until"] is None


@virtual_time_test
async def test_looks_count_where_no_one_waits_for_them(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 5)
    assert is_asked(harness)
    await look(harness.people[3])
    assert harness.host.shown["looked"] == [3]
    in_person = await room_with_game(loop, 5, in_person="deal", look_seconds=15)
    assert in_person.host.shown["looking_until"] is None
    await look(in_person.people[2], in_person.people[2])
    assert in_person.host.shown["looked"] == [2]
    assert await in_person.host.ask(ask.Rematch()) == "done"
    assert in_person.host.shown["looked"] == []


@virtual_time_test
async def test_a_look_is_refused_without_a_card(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 5, look_seconds=15, contribution_seconds=10)
    assert await harness.host.ask(ask.SayLooked()) == "room/stage"
    watcher = await harness.join("Watcher", watch=True)
    assert await watcher.ask(ask.SayLooked()) == "room/watching"
    await asyncio.sleep(11)
    assert harness.host.shown["looking_until"] is not None  # the deal alone changes it
    await look(harness.host)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert harness.host.shown["looking_until"] is None
