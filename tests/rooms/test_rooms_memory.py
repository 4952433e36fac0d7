"""Memory of rooms and servers: bounded, however long they run and whatever is sent to them."""

from __future__ import annotations

import asyncio
import gc
import json

import pytest
from msgspec import Raw

from roundtable.core.actions import Say
from roundtable.core.errors import RoomRefused, SetupError
from roundtable.core.game import OPEN_TALK
from roundtable.games import GAMES, make_setup
from roundtable.games.avalon.game import Avalon
from roundtable.protocol import Act, bodies
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import LONGEST_KEPT, MOVES_KEPT, GameReader
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.rooms.commands import Decision
from roundtable.rooms.game import played
from roundtable.rooms.reducer import ROWS_AT_ONCE
from roundtable.rooms.site_policy import USUAL_LIMITS
from roundtable.rooms.state import IDS_KEPT
from roundtable.storage import MemoryLog
from support.room_harness import entries_of, room_with_game, room_with_members, virtual_time_test
from support.virtual_time import SeededBytes, VirtualLoop, registry_of

# Ids


@virtual_time_test
async def test_of_each_member_the_latest_ids_are_remembered(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 2, log=log)
    for number in range(IDS_KEPT + 20):
        assert await harness.host.ask(ask.SayReady(is_ready=number % 2 == 0), f"r{number}") == "done"
    assert await harness.people[1].ask(ask.SayReady(is_ready=True), "r0") == "done"
    assert len(harness.room.state.request_ids) == IDS_KEPT + 1
    again = ask.SayReady(is_ready=True)
    assert await harness.host.ask(again, f"r{IDS_KEPT + 19}") == "action/id_reused"
    assert await harness.host.ask(again, f"r{IDS_KEPT + 18}") == "done"
    assert harness.host.shown["members"][0]["is_ready"] is False
    await harness.restart(log)
    assert len(harness.room.state.request_ids) == IDS_KEPT + 1


@virtual_time_test
async def test_a_member_who_has_left_is_forgotten(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    for guest in harness.people:
        assert await guest.act({"is": "Say", "channel": "table", "text": "Hm."}) == "done"
    room = harness.room
    kept = len(room.state.request_ids)
    gone = harness.people[1:3]
    for guest in gone:
        assert await guest.ask(ask.Leave()) == "done"
    assert len(room.state.request_ids) == kept - 4  # of each: one to say that they are ready, one line of talk
    assert set(room._presence.last_seen) == set(room.state.members)
    assert await harness.people[3].act({"is": "Say", "channel": "table", "text": "Gone."}) == "done"
    newcomer = await harness.join("Newcomer")
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await newcomer.ask(ask.Chat(text="Hello")) == "done"
    assert set(room._presence.lines) <= set(room.state.members)


# Rooms


@virtual_time_test
async def test_rooms_that_lie_in_the_log_count_until_they_are_closed(loop: VirtualLoop) -> None:
    registry = RoomRegistry(Services(MemoryLog(), loop.now, SeededBytes(), InlineBotWorkers()), most_rooms=2)
    await registry.start()
    for _ in range(2):
        await registry.open(bodies.OpenRoom(name="Ann"))
    await asyncio.sleep(600)
    assert not registry.rooms
    with pytest.raises(RoomRefused) as refused:
        await registry.open(bodies.OpenRoom(name="Ann"))
    assert refused.value.code == "server/full"
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000)
    await registry.open(bodies.OpenRoom(name="Ann"))
    await registry.stop()


@virtual_time_test
async def test_a_room_that_is_looked_at_and_dropped_again_and_again_is_remembered_once(loop: VirtualLoop) -> None:
    registry = registry_of(loop)
    rooms = [(await registry.open(bodies.OpenRoom(name="Ann"))).room for _ in range(3)]
    for _ in range(1000):
        for code in rooms:
            registry._drop_idle(await registry.find(code))
        await asyncio.sleep(1)
    assert len(registry._deadlines) <= 2 * len(rooms) + 1
    assert len(registry._wakeups) <= len(rooms)
    assert set(registry._dropped) == set(rooms)
    await registry.start()
    await asyncio.sleep(2 * USUAL_LIMITS.lobby / 1000)
    assert not registry._dropped
    assert registry._deadlines.first() is None
    await registry.stop()


# Texts


def act(action: dict[str, object]) -> Act:
    return Act(id="x", action=Raw(json.dumps(action).encode()))


def test_of_moves_that_were_read_only_so_many_bytes_are_kept() -> None:
    reader = GameReader(Avalon())
    long = act({"is": "ProposeTeam", "phase": 1, "quest": None, "excalibur": None, "team": list(range(1000))})
    short = act({"is": "CastVote", "phase": 1, "approve": True})
    assert reader.action(long) == reader.action(long)
    assert reader.action(short) is reader.action(short)
    assert max(map(len, reader._moves)) <= LONGEST_KEPT
    for phase in range(MOVES_KEPT + 5):
        reader.action(act({"is": "CastVote", "phase": phase, "approve": False}))
    assert len(reader._moves) <= MOVES_KEPT
    assert reader.action(short) is reader.action(short)


@pytest.mark.parametrize("roles", [["Percival"] * 1000, [f"Knight {number}" for number in range(1000)]])
@pytest.mark.parametrize("is_typed", [False, True])
def test_a_list_of_more_names_than_there_are_is_refused_in_one_sentence(roles: list[str], is_typed: bool) -> None:
    with pytest.raises(SetupError) as refused:
        make_setup("avalon", 7, {"roles": ",".join(roles) if is_typed else roles})
    assert [problem.code for problem in refused.value.problems] == ["setup/option"]
    assert refused.value.message.endswith("takes a list of at most 17 names.")
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_options_are_refused_in_a_few_sentences(game: str) -> None:
    with pytest.raises(SetupError) as refused:
        make_setup(game, 7, {f"option {number}": True for number in range(2000)})
    assert len(refused.value.problems) <= 10


# Long games


@virtual_time_test
async def test_other_rooms_go_on_while_a_long_game_is_read_and_no_client_sees_it_half_read(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, takeover_seconds=None)
    room, lines = harness.room, 5 * ROWS_AT_ONCE
    for number in range(lines):
        say = Say(channel=OPEN_TALK, text=f"Line {number}.")
        await room._append(room._apply(Decision(played(room.state, room.now(), number % 5, say))))
    turns, seen = 0, set()

    async def look_on() -> None:
        nonlocal turns
        while True:
            turns += 1
            seen.add((len(room.state.members), room.state.stage, len(entries_of(room))))
            await asyncio.sleep(0)

    looking = asyncio.get_running_loop().create_task(look_on())
    await asyncio.sleep(0)
    before = turns
    await room._reload()
    assert turns - before >= 2 * lines // ROWS_AT_ONCE
    assert seen == {(5, "playing", 2 + lines)}  # opened and dealt, and all that was said
    looking.cancel()


# Garbage


@virtual_time_test
async def test_what_is_refused_leaves_nothing_that_keeps_itself_alive(loop: VirtualLoop) -> None:
    """The collector rarely checks old objects (server/garbage.py), so no request may leave a reference cycle."""
    harness = await room_with_game(loop)
    guest = harness.people[1]
    gc.collect()
    gc.disable()
    try:
        for _ in range(20):
            assert await guest.act({"is": "CastVote", "phase": 99, "approve": True}) != "done"
            assert await guest.ask(ask.Start()) != "done"
        assert gc.collect() < 20
    finally:
        gc.enable()
