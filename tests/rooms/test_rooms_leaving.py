"""Leaving a game and coming back, starting without people who are not ready, and what a room has played."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from roundtable.core.errors import RoomRefused
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms.snapshot import own_table
from roundtable.storage import MemoryLog
from support.room_harness import (
    RoomHarness,
    RoomMember,
    code_of,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop


def stand_ins(person: RoomMember) -> list[str | None]:
    return [seat["stand_in"] for seat in person.shown["seats"]]


async def games_of(harness: RoomHarness) -> list[bodies.PlayedGame]:
    return list(msgspec.json.decode(await harness.registry.games(harness.code), type=bodies.PlayedGames).games)


# Leaving for now


@virtual_time_test
async def test_a_bot_plays_at_once_for_a_player_who_leaves_and_they_get_their_seat_back(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=None)
    away = harness.people[2]
    assert await away.ask(ask.StepAway()) == "done"
    await away.leave()
    assert stand_ins(harness.host) == [None, None, "careful", None, None]
    assert away.token is not None
    table = own_table(harness.room.state, away.token)
    assert (table.seat, table.has_stand_in, table.stage) == (2, True, "playing")
    await asyncio.sleep(300)
    assert stand_ins(harness.host)[2] == "careful"  # to look at one's tables is no sign of life
    back = await away.again()
    assert stand_ins(harness.host)[2] is None
    assert back.last("Welcome")["seat"] == 2


@virtual_time_test
async def test_outside_a_running_game_stepping_away_changes_nothing(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    assert await harness.people[1].ask(ask.StepAway()) == "done"
    assert [seat["member"] for seat in harness.host.shown["seats"]][:3] == [1, 2, 3]
    dealt = await room_with_game(loop, in_person="deal")
    assert await dealt.people[1].ask(ask.StepAway()) == "done"
    assert stand_ins(dealt.host) == [None] * 5


# Starting without some


@virtual_time_test
async def test_a_game_starts_without_people_who_are_not_ready_and_bots_play_until_they_come(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, log=log)
    for person in harness.people[1:3]:
        assert await person.ask(ask.SayReady(is_ready=True)) == "done"
    await harness.people[4].leave()
    assert await harness.host.ask(ask.Start()) == "room/not_ready"
    assert await harness.host.ask(ask.Start(without_unready=True)) == "done"
    assert stand_ins(harness.host) == [None, None, None, "careful", "careful"]
    await harness.people[3].here()
    assert stand_ins(harness.host) == [None, None, None, None, "careful"]
    assert (await harness.people[4].again()).last("Welcome")["seat"] == 4
    assert stand_ins(harness.host) == [None] * 5


@virtual_time_test
async def test_a_game_does_not_start_without_seats_or_a_possible_setup(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    assert await harness.people[1].ask(ask.Start(without_unready=True)) == "room/not_host"
    assert await harness.host.ask(ask.Start(without_unready=True)) == "room/not_ready"
    dealt = await room_with_members(loop, in_person="deal")
    assert await dealt.host.ask(ask.Start(without_unready=True)) == "done"
    assert stand_ins(dealt.host) == [None] * 5


# One's own table


@virtual_time_test
async def test_a_removed_member_is_told_so_wherever_they_ask(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    removed = harness.people[1]
    assert await harness.host.ask(ask.Kick(member=removed.member)) == "done"
    assert removed.closed == (4003, "room/removed")
    assert (await removed.again()).closed == (4003, "room/removed")  # it used to read that there is no such table
    assert removed.token is not None
    with pytest.raises(RoomRefused) as refused:
        own_table(harness.room.state, removed.token)
    assert code_of(refused) == "room/removed"
    with pytest.raises(RoomRefused) as refused:
        own_table(harness.room.state, "0" * 32)
    assert code_of(refused) == "room/unknown"


# What was played


@virtual_time_test
async def test_a_room_lists_its_finished_games_and_no_other(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, 4, log=log)
    assert await games_of(harness) == []
    late = await harness.join("Late")
    began = harness.room.state.started_at
    await harness.play_on()
    assert not harness.room.state.is_playing
    (game,) = await games_of(harness)
    play = harness.room.play
    assert play is not None
    assert play.outcome is not None
    assert (game.number, game.game, game.began_at) == (1, "avalon", began)
    assert (game.winner, game.reason) == (play.outcome.winner, play.outcome.reason)
    assert [seat.name for seat in game.seats] == ["Host", "Guest 1", "Guest 2", "Guest 3", "Late"]
    assert [seat.role for seat in game.seats] == [str(play.state.roles[seat]) for seat in range(5)]
    assert sorted(seat.side for seat in game.seats) == ["Evil"] * 2 + ["Good"] * 3
    assert [seat.has_won for seat in game.seats] == [seat in play.outcome.seats for seat in range(5)]
    assert {seat.side for seat in game.seats if seat.has_won} == {game.winner}
    assert await harness.host.ask(ask.Rematch()) == "done"
    await harness.start()
    assert await games_of(harness) == [game]
    assert await late.ask(ask.Leave()) == "done"
    assert await harness.host.ask(ask.CallItOff()) == "done"
    last, first = await games_of(harness)
    assert first == game
    assert (last.number, last.winner, [seat.has_won for seat in last.seats]) == (2, None, [False] * 5)
    assert last.seats[4].name == "Late"
    await harness.restart(log)
    assert await games_of(harness) == [last, first]
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.games("AAAAAA")
    assert code_of(refused) == "room/unknown"
