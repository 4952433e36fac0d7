"""Erasing what a person typed: in the log, in memory, in the list of rooms and in records, which still verify."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from roundtable.core.actions import Say
from roundtable.core.errors import RoomRefused
from roundtable.protocol import rooms as ask
from roundtable.storage import MemoryLog, verify_record
from support.room_harness import RoomHarness, code_of, room_with_game, settle, virtual_time_test
from support.virtual_time import VirtualLoop

TYPED = (b"Guest 1", b"Xanthippe", b"gossip", b"rumour", b"scandal")


async def gossip(harness: RoomHarness) -> None:
    """The second member talks everywhere, under two names; the third says something, too."""
    person, other = harness.people[1:3]
    assert await person.act(Say(channel="table", text="gossip in the game")) == "done"
    assert await person.ask(ask.ChangeProfile(name="Xanthippe")) == "done"
    assert await other.act(Say(channel="table", text="a word of mine")) == "done"
    assert await person.act(Say(channel="table", text="a rumour")) == "done"


async def lines_of(harness: RoomHarness, log: MemoryLog) -> bytes:
    summaries = await log.summaries()
    return b"\n".join(
        [*(row.line for row in await log.read(harness.code)), *(one.listing for one in summaries.values())]
    )


def test_a_person_is_erased_from_a_running_game_which_goes_on_and_verifies(tmp_path: Path) -> None:
    @virtual_time_test
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        harness = await room_with_game(loop, log=log, is_public=True)
        await gossip(harness)
        with pytest.raises(RoomRefused) as refused:
            await harness.registry.erase_person(harness.code, "Stranger")
        assert code_of(refused) == "room/no_member"

        assert await harness.registry.erase_person(harness.code, "Xanthippe") == [2]
        written = await lines_of(harness, log)
        assert [word for word in TYPED if word in written] == []
        assert b"a word of mine" in written
        assert b"Guest 2" in written

        assert [guest.closed for guest in harness.people] == [(1012, "")] * 5
        room = await harness.registry.find(harness.code)
        harness.room, harness.people = room, [await guest.again(room) for guest in harness.people]
        assert "#2" in str(harness.host.shown)
        assert "Xanthippe" not in str([guest.received for guest in harness.people])
        await harness.play_on()
        assert not room.state.is_playing
        record = (await harness.registry.record(harness.code, 1)).plain
        assert [word for word in TYPED if word in record] == []
        (tmp_path / "record.jsonl").write_bytes(record)
        assert verify_record(tmp_path / "record.jsonl").seats == 5

        person = harness.people[1]  # who goes on talking
        assert await person.ask(ask.Chat(text="scandal")) == "done"
        assert await harness.registry.erase_person(harness.code, "#2") == [2]
        assert [word for word in TYPED if word in await lines_of(harness, log)] == []

    story()


@virtual_time_test
async def test_talk_is_erased_and_rooms_are_deleted_where_they_are_closed(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    await gossip(harness)
    await harness.play_on()
    assert await log.closed_rooms(0, loop.now() + 1) == []  # it is open
    kept = (await harness.registry.record(harness.code, 1)).plain
    assert b"gossip" in kept
    await harness.registry.close(harness.code)
    await settle()
    closed_at = (await log.read(harness.code))[-1].at
    assert await log.closed_rooms(0, closed_at) == []  # it is younger
    assert await log.closed_rooms(0, closed_at + 1) == [harness.code]
    assert await harness.registry.erase_talk(harness.code)
    assert not await harness.registry.erase_talk(harness.code)  # it has none any more
    record = (await harness.registry.record(harness.code, 1)).plain
    assert b"gossip" not in record
    assert b"a word of mine" not in record
    assert b"Xanthippe" in record  # names stay with their games
    await harness.registry.remove(harness.code)
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.record(harness.code, 1)
    assert code_of(refused) == "room/unknown"
    await asyncio.sleep(100)
    assert harness.registry.rooms == {}


@virtual_time_test
async def test_no_game_starts_while_the_site_is_drained(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    harness.registry._services.policy.obey({"no new games": ""})
    await harness.play_on()
    assert not harness.room.state.is_playing  # the game that ran went on to its end
    assert await harness.host.ask(ask.Rematch()) == "server/full"
    harness.registry._services.policy.obey({})
    assert await harness.host.ask(ask.Rematch()) == "done"
