"""Deadlines, absent players, and the clock that the host controls."""

from __future__ import annotations

import asyncio

import pytest

from roundtable.core.actions import AskCountdown, Contribute
from roundtable.core.events import PhaseBegan
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.storage import MemoryLog
from support.room_harness import (
    HOUR,
    TIMED,
    RoomHarness,
    RoomMember,
    entries_of,
    expiries,
    leader_of,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import EPOCH, SeededBytes, VirtualLoop, registry_of


@virtual_time_test
async def test_time_begins_when_a_phase_is_written_down(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, options=TIMED)
    began = [event for entry in entries_of(harness.room) for event in entry.events if isinstance(event, PhaseBegan)]
    assert began[-1].seconds == 30
    assert harness.host.last("Clock") == {
        "is": "Clock",
        "phase": 1,
        "ends_at": EPOCH + round(loop.time() * 1000) + 30_000,
        "is_paused": False,
        "now": loop.now(),
    }


@virtual_time_test
async def test_a_deadline_falls_within_a_second(loop: VirtualLoop) -> None:  # C5
    harness = await room_with_game(loop, options=TIMED)
    clock = harness.host.last("Clock")
    assert clock["ends_at"] == loop.now() + 30_000
    await asyncio.sleep(29.9)
    assert not expiries(harness.room)
    await asyncio.sleep(1)
    assert len(expiries(harness.room)) == 1
    assert harness.host.last("Clock")["phase"] == phase_of(harness.room)


@pytest.mark.parametrize(("down", "falls"), [(5, 30), (29, 30), (45, 46), (4000, 4001)])
@virtual_time_test
async def test_a_deadline_survives_a_restart(loop: VirtualLoop, down: float, falls: float) -> None:  # C5
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, options=TIMED, takeover_seconds=None)
    began, ends_at = loop.time(), harness.host.last("Clock")["ends_at"]
    await harness.registry.stop()
    await asyncio.sleep(down)
    registry = registry_of(loop, log)
    await registry.start()
    if down < 30:
        room = await registry.find(harness.code)
        assert (await harness.host.again(room)).last("Clock")["ends_at"] == ends_at
        await asyncio.sleep(29.9 - down)
        assert not expiries(room)
    await asyncio.sleep(began + falls + 0.95 - loop.time())
    assert expiries(registry.rooms[harness.code])[:1] == [2]
    await registry.stop()


@virtual_time_test
async def test_a_clock_that_is_set_back_holds_up_no_game(loop: VirtualLoop) -> None:
    """The timer goes by the loop's clock, deadlines by the server's: a timer that fires too early must be set again."""
    set_back = 0

    def now() -> int:
        return loop.now() - set_back

    registry = RoomRegistry(Services(MemoryLog(), now, SeededBytes(), InlineBotWorkers()))
    await registry.start()
    opened = await registry.open(
        bodies.OpenRoom(name="Ann", options=TIMED, settings=ask.Settings(bot_pace="instant", takeover_seconds=None))
    )
    room = await registry.find(opened.room)
    harness = RoomHarness(loop, registry, room, [await RoomMember(room, opened.token, opened.member).enter()])
    for number in range(4):
        await harness.join(f"Guest {number}")
    await harness.start()
    await asyncio.sleep(20)
    set_back = 700
    await asyncio.sleep(10.9)
    assert len(expiries(room)) == 1


@virtual_time_test
async def test_a_machine_that_slept_does_at_once_what_was_due_meanwhile(loop: VirtualLoop) -> None:  # C5
    """Timers stop while a machine sleeps, but its clock goes on."""
    slept = 0

    def now() -> int:
        return loop.now() + slept

    registry = RoomRegistry(Services(MemoryLog(), now, SeededBytes(), InlineBotWorkers()))
    harness = await room_with_game(loop, registry=registry, options=TIMED, takeover_seconds=None)
    await asyncio.sleep(5)
    slept = 60_000
    await asyncio.sleep(1.1)
    assert len(expiries(harness.room)) == 1
    slept = 3_600_000
    await asyncio.sleep(1.1)
    assert len(expiries(harness.room)) == 2
    await asyncio.sleep(31)  # from then on, at the usual pace
    assert len(expiries(harness.room)) == 3


@virtual_time_test
async def test_time_in_which_the_machine_slept_does_not_count_as_idle(loop: VirtualLoop) -> None:
    slept = 0

    def now() -> int:
        return loop.now() + slept

    registry = RoomRegistry(Services(MemoryLog(), now, SeededBytes(), InlineBotWorkers()))
    harness = await room_with_members(loop, 2, registry=registry)
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(5)
    slept = 3 * 3_600_000
    await asyncio.sleep(HOUR)
    assert (await harness.registry.find(harness.code)).code == harness.code
    await asyncio.sleep(1.1 * HOUR)
    assert await registry._services.log.open_rooms() == 0


@pytest.mark.parametrize("bots", [0, 2])
@virtual_time_test
async def test_a_clock_that_was_set_back_between_two_servers_stops_no_deadline(  # C5
    loop: VirtualLoop, bots: int
) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, 5 - bots, log=log, options=TIMED, takeover_seconds=None)
    await harness.registry.stop()
    registry = RoomRegistry(Services(log, lambda: loop.now() - 3_600_000, SeededBytes(), InlineBotWorkers()))
    await registry.start()
    await asyncio.sleep(60 + 31)
    assert expiries(registry.rooms[harness.code])
    await asyncio.sleep(200)
    assert len(expiries(await registry.find(harness.code))) > 3


@virtual_time_test
async def test_a_clock_that_was_set_back_touches_no_other_room(loop: VirtualLoop) -> None:  # C5
    """Each room takes the time from its own rows, also after it was unloaded."""
    log, year = MemoryLog(), 365 * 24 * 3_600_000
    from_the_future = await room_with_game(
        loop, log=log, seed="a", options={"propose_seconds": 200}, takeover_seconds=None
    )
    await from_the_future.registry.stop()
    registry = RoomRegistry(Services(log, lambda: loop.now() - year, SeededBytes(), InlineBotWorkers()))
    await registry.start()
    other = await room_with_members(loop, registry=registry)
    for guest in other.people:
        await guest.leave()
    await asyncio.sleep(120)
    assert from_the_future.code not in registry.rooms
    await asyncio.sleep(60 + 200 - 120 + 1)
    assert expiries(registry.rooms[from_the_future.code])
    assert not (await registry.find(other.code)).state.is_closed


@virtual_time_test
async def test_a_player_who_does_not_answer_in_time_gets_the_default(loop: VirtualLoop) -> None:  # C5
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=None)
    await propose(harness)
    assert await harness.host.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    await asyncio.sleep(21)
    (counted,) = [event for event in harness.host.events if event["is"] == "VotesCounted"]
    assert counted["ballots"] == [True, False, False, False, False]


@virtual_time_test
async def test_a_table_of_people_who_never_answer_comes_to_its_end(loop: VirtualLoop) -> None:  # C5
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=None)
    await asyncio.sleep(HOUR)
    assert harness.room.state.stage == "over"


@virtual_time_test
async def test_a_bot_takes_the_seat_of_a_player_who_is_gone_and_gives_it_back(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, takeover_seconds=30, takeover_bot="random")
    leader = leader_of(harness)
    others = [guest for guest in harness.people if guest is not leader]
    seat = harness.people.index(leader)
    await leader.leave()
    assert not others[0].shown["members"][seat]["is_here"]

    async def wait(seconds: int) -> None:
        for _ in range(seconds):
            await asyncio.sleep(1)
            for guest in others:
                await guest.here()

    await wait(29)
    assert others[0].shown["seats"][seat]["stand_in"] is None
    await wait(3)
    assert others[0].shown["seats"][seat] == {
        "member": leader.member,
        "bot": None,
        "stand_in": "random",
        "is_silenced": False,
    }
    assert any(entry.actor == seat and isinstance(entry.action, ProposeTeam) for entry in entries_of(harness.room))
    await harness.restart(log)
    assert harness.room.state.places[seat].stand_in == "random"
    back = await leader.again(harness.room)
    assert back.shown["seats"][seat] == {"member": leader.member, "bot": None, "stand_in": None, "is_silenced": False}
    assert back.last("Welcome")["seat"] == seat
    assert await back.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"


@virtual_time_test
async def test_a_player_who_is_there_but_silent_is_played_for_until_they_stir(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=5, idle_seconds=30)
    idle = harness.people[4]

    async def wait(seconds: int, *guests: RoomMember) -> None:
        for _ in range(seconds):
            await asyncio.sleep(1)
            for guest in guests:
                await guest.here()

    await wait(32, *harness.people)
    assert [seat["stand_in"] for seat in harness.host.shown["seats"]] == [None] * 5
    await wait(32, *harness.people[:4])
    assert [seat["stand_in"] for seat in harness.host.shown["seats"]] == [None] * 4 + ["careful"]
    await idle.here()
    assert [seat["stand_in"] for seat in harness.host.shown["seats"]] == [None] * 5


@virtual_time_test
async def test_what_is_asked_over_http_counts_as_being_there(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=10)
    for _ in range(15):
        await asyncio.sleep(1)
        for guest in harness.people[1:]:
            await guest.here()
        await harness.room.ask(harness.host.token or "", ask.HoldClock(do="pause"))
    assert harness.people[1].shown["seats"][0]["stand_in"] is None


def stand_ins(harness: RoomHarness) -> list[str | None]:
    room = harness.registry.rooms.get(harness.code)
    return [place.stand_in for place in room.state.places] if room else []


@virtual_time_test
async def test_those_who_all_went_away_are_played_for_when_their_time_is_over(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=300)
    await asyncio.sleep(100)
    for guest in harness.people:
        await guest.leave()
    await asyncio.sleep(200)
    assert harness.code not in harness.registry.rooms  # no member is connected and nothing is due: the room is unloaded
    await asyncio.sleep(95)
    assert not any(stand_ins(harness))
    await asyncio.sleep(10)
    assert stand_ins(harness) == ["careful"] * 5


@virtual_time_test
async def test_who_does_not_come_back_after_a_restart_is_played_for(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, takeover_seconds=300)
    await asyncio.sleep(50)
    await harness.registry.stop()
    await asyncio.sleep(1000)
    harness.registry = registry_of(loop, log)
    await harness.registry.start()
    await asyncio.sleep(295)
    assert not any(stand_ins(harness))
    await asyncio.sleep(10)
    assert stand_ins(harness) == ["careful"] * 5


@virtual_time_test
async def test_who_comes_back_after_a_restart_is_not_played_for(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, takeover_seconds=30)
    await harness.restart(log, after=1000)
    back = await harness.host.again(harness.room)
    await asyncio.sleep(28)
    assert not any(stand_ins(harness))
    await asyncio.sleep(4)
    assert back.shown["seats"][0]["stand_in"] is None
    assert stand_ins(harness)[1:] == ["careful"] * 4


@virtual_time_test
async def test_where_the_host_wants_no_bots_no_seat_is_taken_over(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=None)
    for guest in harness.people[1:]:
        await guest.leave()
    await asyncio.sleep(2 * HOUR)
    assert [seat["stand_in"] for seat in harness.host.shown["seats"]] == [None] * 5
    assert len(entries_of(harness.room)) == 2


@virtual_time_test
async def test_the_host_stops_the_clock_and_lets_it_run_on(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, options=TIMED, takeover_seconds=None)
    await asyncio.sleep(10)
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "done"
    assert (harness.host.last("Clock")["ends_at"], harness.host.last("Clock")["is_paused"]) == (None, True)
    await asyncio.sleep(100)
    assert not expiries(harness.room)
    await harness.restart(log, after=100)
    host = await harness.host.again(harness.room)
    assert host.last("Clock")["is_paused"]
    assert not expiries(harness.room)
    assert await host.ask(ask.HoldClock(do="resume")) == "done"
    assert host.last("Clock")["ends_at"] == loop.now() + 20_000
    await asyncio.sleep(19.9)
    assert not expiries(harness.room)
    await asyncio.sleep(1)
    assert len(expiries(harness.room)) == 1


@virtual_time_test
async def test_the_host_gives_a_phase_more_time(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=None)
    ends_at = harness.host.last("Clock")["ends_at"]
    assert await harness.host.ask(ask.HoldClock(do="extend", seconds=15)) == "done"
    assert harness.people[3].last("Clock")["ends_at"] == ends_at + 15_000
    await asyncio.sleep(44.9)
    assert not expiries(harness.room)
    await asyncio.sleep(1)
    assert len(expiries(harness.room)) == 1


@virtual_time_test
async def test_the_host_gives_more_time_while_the_clock_stands(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=None)
    await harness.host.ask(ask.HoldClock(do="pause"))
    await harness.host.ask(ask.HoldClock(do="extend", seconds=15))
    await harness.host.ask(ask.HoldClock(do="resume"))
    assert harness.host.last("Clock")["ends_at"] == loop.now() + 45_000


@virtual_time_test
async def test_the_host_starts_a_countdown_where_no_clock_runs(loop: VirtualLoop) -> None:  # C6
    harness = await room_with_game(loop, takeover_seconds=None)
    assert harness.host.all("Clock") == []
    assert await harness.host.ask(ask.HoldClock(do="extend")) == "action/no_clock"
    assert await harness.host.ask(ask.HoldClock(do="countdown", seconds=40)) == "done"
    assert harness.people[2].last("Clock")["ends_at"] == loop.now() + 40_000
    assert await harness.host.ask(ask.HoldClock(do="countdown")) == "action/not_now"
    await asyncio.sleep(39.9)
    assert not expiries(harness.room)
    await asyncio.sleep(1)
    assert len(expiries(harness.room)) == 1


@virtual_time_test
async def test_more_than_half_of_the_seats_start_a_countdown_without_the_host(loop: VirtualLoop) -> None:  # C6
    harness = await room_with_game(loop, takeover_seconds=None, options={"countdown_seconds": 25})
    for guest in harness.people[:3]:
        assert await guest.act(AskCountdown(phase=phase_of(harness.room))) == "done"
    assert harness.host.last("Clock")["ends_at"] == loop.now() + 25_000
    await asyncio.sleep(26)
    assert len(expiries(harness.room)) == 1


@virtual_time_test
async def test_a_game_is_called_off_by_its_host(loop: VirtualLoop) -> None:  # C7
    harness = await room_with_game(loop)
    assert await harness.host.ask(ask.CallItOff(), "off") == "done"
    assert await harness.host.ask(ask.CallItOff(), "off") == "done"
    assert harness.people[2].last("Over")["outcome"]["reason"] == "called_off"
    assert await harness.host.ask(ask.CallItOff()) == "room/stage"
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "room/stage"


@virtual_time_test
async def test_a_deal_waits_for_the_players_own_randomness_as_long_as_the_host_wants(loop: VirtualLoop) -> None:  # C1
    harness = await room_with_game(loop, 4, contribution_seconds=20)
    assert phase_of(harness.room) == 0
    for number, guest in enumerate(harness.people[:3]):
        assert await guest.act(Contribute(entropy=f"{number:02x}" * 16), f"stir{number}") == "done"
        assert await guest.act(Contribute(entropy=f"{number:02x}" * 16), f"stir{number}") == "done"
    assert phase_of(harness.room) == 0
    assert await harness.people[3].act(Contribute(entropy="aa" * 16)) == "done"
    assert phase_of(harness.room) == 1


@pytest.mark.parametrize("down", [0, 5, 60])
@virtual_time_test
async def test_a_deal_does_not_wait_longer_even_over_a_restart(loop: VirtualLoop, down: float) -> None:  # C1
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, contribution_seconds=20, takeover_seconds=None)
    began = loop.time()
    if down:
        await harness.restart(log, after=down)
    await asyncio.sleep(max(1.0, began + 19.9 - loop.time()))
    if down < 20:
        assert phase_of(harness.room) == 0
    await asyncio.sleep(1)
    assert phase_of(harness.room) == 1
