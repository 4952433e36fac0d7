"""Opening rooms and joining them: codes, names, seats, and how many a room and a server hold."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator

import pytest

from roundtable.core.errors import RoomRefused, SetupError
from roundtable.core.seats import SPECTATOR
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.rooms.guests import CODE_LETTERS, key_of, room_codes
from roundtable.rooms.members import MOST_MEMBERS
from roundtable.rooms.site_policy import USUAL_LIMITS
from roundtable.storage import MemoryLog
from support.room_harness import (
    RoomMember,
    code_of,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import SeededBytes, VirtualLoop, registry_of


@virtual_time_test
async def test_a_room_has_a_readable_code_and_its_host_a_token_that_is_written_nowhere(loop: VirtualLoop) -> None:
    log = MemoryLog()
    registry = registry_of(loop, log)
    opened = await registry.open(bodies.OpenRoom(name="Ann"))
    assert len(opened.room) == 6
    assert set(opened.room) <= set(CODE_LETTERS)
    assert len(CODE_LETTERS) == 32
    assert len(bytes.fromhex(opened.token)) * 8 >= 128
    rows = await log.read(opened.room)
    assert not any(opened.token.encode() in row.line for row in rows)
    assert any(key_of(opened.token).encode() in row.line for row in rows)


@pytest.mark.parametrize("spell", [str.lower, lambda code: f" {code[:3]}-{code[3:]} ", lambda code: " ".join(code)])
@virtual_time_test
async def test_a_code_is_found_however_people_type_it(loop: VirtualLoop, spell: Callable[[str], str]) -> None:
    harness = await room_with_members(loop, 1)
    assert await harness.registry.find(spell(harness.code)) is harness.room


@virtual_time_test
async def test_a_code_that_is_taken_is_never_given_again(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    def codes(token: str) -> Iterator[str]:
        return itertools.chain(["AAAAAA"], room_codes(token))

    monkeypatch.setattr("roundtable.rooms.registry.room_codes", codes)
    registry = registry_of(loop)
    opened = [(await registry.open(bodies.OpenRoom(name="Ann"))).room for _ in range(4)]
    assert opened[0] == "AAAAAA"
    assert len(set(opened)) == 4
    assert {(await registry.find(code)).code for code in opened} == set(opened)


# Sent again, because the answer was lost


@virtual_time_test
async def test_a_host_who_opens_a_room_again_with_their_token_finds_the_first(loop: VirtualLoop) -> None:
    log = MemoryLog()
    registry = RoomRegistry(Services(log, loop.now, SeededBytes(), InlineBotWorkers()), most_rooms=1)
    wanted = bodies.OpenRoom(name="Ann", token="5f" * 16)
    opened = await registry.open(wanted)
    assert opened.token == wanted.token
    assert await registry.open(wanted) == opened
    await registry.stop()
    another = registry_of(loop, log, seed="another")
    assert await another.open(wanted) == opened
    assert await log.open_rooms() == 1
    assert not any("5f5f" in row.line.decode() for row in await log.read(opened.room))


@virtual_time_test
async def test_a_host_who_opens_a_room_twice_at_once_opens_one(loop: VirtualLoop) -> None:
    log = MemoryLog()
    houses = [registry_of(loop, log), registry_of(loop, log, seed="another")]
    wanted = bodies.OpenRoom(name="Ann", token="5f" * 16)
    opened = await asyncio.gather(*(registry.open(wanted) for registry in (*houses, *houses)))
    assert opened == [opened[0]] * 4
    assert await log.open_rooms() == 1


@virtual_time_test
async def test_a_room_that_is_closed_is_not_found_again_by_its_token(loop: VirtualLoop) -> None:
    registry = registry_of(loop)
    await registry.start()
    wanted = bodies.OpenRoom(name="Ann", token="5f" * 16)
    first = await registry.open(wanted)
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 + 60)
    second = await registry.open(wanted)
    assert second.room != first.room
    assert await registry.open(wanted) == second
    await registry.stop()


@virtual_time_test
async def test_a_member_who_joins_again_with_their_token_is_the_same_member(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 4, log=log, has_spectators=False)
    token = "c0ffee" * 8
    first = await harness.room.join("Eve", watch=False, token=token)
    assert first == (5, token)
    assert await harness.room.join("Eve", watch=False, token=token) == first  # although the room is full by now
    other = registry_of(loop, log, seed="other")
    assert await (await other.find(harness.code)).join("Eve", watch=False, token=token) == first
    await harness.restart(log)
    assert await harness.room.join("Eve", watch=False, token=token) == first
    assert [one.name for one in harness.room.state.members.values()] == ["Host", "Guest 1", "Guest 2", "Guest 3", "Eve"]


@virtual_time_test
async def test_of_joins_at_once_with_one_token_one_makes_a_member(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    both = [harness.room.join("Eve", watch=False, token="c0ffee" * 8) for _ in range(2)]
    assert await asyncio.gather(*both) == [(2, "c0ffee" * 8)] * 2
    assert len(harness.room.state.members) == 2


@virtual_time_test
async def test_a_server_holds_as_many_rooms_as_it_was_told(loop: VirtualLoop) -> None:
    registry = RoomRegistry(Services(MemoryLog(), loop.now, SeededBytes(), InlineBotWorkers()), most_rooms=2)
    await registry.open(bodies.OpenRoom(name="Ann"))
    await registry.open(bodies.OpenRoom(name="Bob"))
    with pytest.raises(RoomRefused) as refused:
        await registry.open(bodies.OpenRoom(name="Cleo"))
    assert code_of(refused) == "server/full"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (bodies.OpenRoom(name="Ann", game="chess"), "setup/game"),
        (bodies.OpenRoom(name="Ann", seats=4), "setup/seats"),
        (bodies.OpenRoom(name="Ann", options={"dragons": True}), "setup/option"),
        (bodies.OpenRoom(name=" \u200b "), "room/name"),
    ],
)
@virtual_time_test
async def test_a_table_that_cannot_be_played_is_not_opened(
    loop: VirtualLoop, wanted: bodies.OpenRoom, code: str
) -> None:
    log = MemoryLog()
    with pytest.raises((SetupError, RoomRefused)) as refused:
        await registry_of(loop, log).open(wanted)
    assert code_of(refused) == code
    assert await log.summaries() == {}


@virtual_time_test
async def test_a_member_who_joins_by_a_name_alone_sits_down_on_the_first_free_seat(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    shown = harness.host.shown
    names = {one["member"]: one["name"] for one in shown["members"]}
    assert names == {1: "Host", 2: "Guest 1", 3: "Guest 2"}
    assert [seat["member"] for seat in shown["seats"]] == [1, 2, 3, None, None]
    assert shown["host"] == 1
    assert shown["stage"] == "lobby"
    assert all(one["is_here"] for one in shown["members"])


@virtual_time_test
async def test_names_that_look_the_same_are_told_apart(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    for name in ("An", "an", "Аn", "Ân", "Nguyễn  Thị"):  # the third begins with a Cyrillic letter
        await harness.join(name)
    names = [one["name"] for one in harness.host.shown["members"]]
    assert names == ["Host", "An", "an 2", "Аn 3", "Ân", "Nguyễn Thị"]


@virtual_time_test
async def test_bots_are_called_by_knights_and_told_apart_from_people_of_that_name(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    await harness.join("gawain")
    await harness.start()
    assert harness.host.last("Welcome")["names"] == ["Host", "Guest 1", "gawain", "Gawain 3", "Ector"]


@virtual_time_test
async def test_bots_are_told_apart_from_people_whose_name_only_looks_like_theirs(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    await harness.join("Каy", watch=True)  # begins with Cyrillic letters
    await harness.join("Bоrs 1", watch=True)
    await harness.join("B0rs", watch=True)
    assert await harness.host.ask(ask.LeaveSeat()) == "done"
    await harness.start()
    assert harness.host.last("Welcome")["names"] == ["Kay 0", "Bors 1 2", "Gareth", "Gawain", "Ector"]


@virtual_time_test
async def test_a_member_with_the_name_of_a_bot_at_the_table_gets_a_number(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 3)
    assert harness.host.last("Welcome")["names"][3:] == ["Gawain", "Ector"]
    late = await harness.join("gawаin", watch=True)  # the fifth letter is Cyrillic
    assert late.shown["members"][-1]["name"] == "gawаin 2"
    assert late.last("Welcome")["names"][3:] == ["Gawain", "Ector"]


@virtual_time_test
async def test_when_every_seat_is_taken_the_next_one_watches(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 6)
    assert harness.room.state.seat_of(6) is None
    watching = await harness.join("Sixth", watch=True)
    assert harness.room.state.seat_of(watching.member) is None


@virtual_time_test
async def test_a_member_who_comes_to_watch_takes_no_seat(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    watching = await harness.join("Watcher", watch=True)
    assert harness.room.state.seat_of(watching.member) is None


@virtual_time_test
async def test_a_room_without_spectators_takes_as_many_members_as_it_has_seats(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5, has_spectators=False)
    with pytest.raises(RoomRefused) as refused:
        await harness.room.join("Sixth", watch=False)
    assert code_of(refused) == "room/full"
    assert (await harness.watch()).closed == (4003, "room/unknown")


@virtual_time_test
async def test_spectators_without_a_name_go_when_the_host_forbids_watching(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    watching = await harness.watch()
    assert await harness.host.ask(ask.ChangeSettings(settings=ask.SettingsChange(has_spectators=False))) == "done"
    await settle()
    assert watching.closed == (4003, "room/unknown")
    assert all(guest.closed is None for guest in harness.people)


@virtual_time_test
async def test_a_room_holds_no_more_than_so_many(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    for number in range(MOST_MEMBERS - 1):
        await harness.room.join(f"Guest {number}", watch=True)
    with pytest.raises(RoomRefused) as refused:
        await harness.room.join("One too many", watch=True)
    assert code_of(refused) == "room/full"


@virtual_time_test
async def test_a_member_who_joins_during_a_game_watches_it(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    late = await harness.join("Late")
    assert harness.room.state.seat_of(late.member) is None
    assert late.last("Welcome")["seat"] == SPECTATOR


@virtual_time_test
async def test_a_wrong_token_and_a_wrong_room_get_the_same_answer(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    stranger = await RoomMember(harness.room, "ff" * 24).enter()
    assert stranger.closed == (4003, "room/unknown")
    assert stranger.frames == []
    with pytest.raises(RoomRefused) as no_room:
        await harness.registry.find("ZZZZZZ")
    with pytest.raises(RoomRefused) as no_token:
        await harness.room.ask("ff" * 24, ask.SayReady(is_ready=True))
    assert (code_of(no_room), no_room.value.message) == (code_of(no_token), no_token.value.message)
