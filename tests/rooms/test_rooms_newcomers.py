"""Bots make room for people: at the door, in the lobby and in a running game; and people change their profile."""

from __future__ import annotations

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.core.seats import SPECTATOR
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from roundtable.rooms import newcomers
from roundtable.server.run import open_demo
from roundtable.storage import MemoryLog
from support.room_harness import (
    RoomHarness,
    RoomMember,
    code_of,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop, registry_of

NEVER_MIND_BOTS = {"bot_pace": "slow"}  # so that they do not move while the test does


async def came_back(harness: RoomHarness, person: RoomMember) -> RoomMember:
    """The person joins again with the same token."""
    assert person.token is not None
    member, _ = await harness.room.join("Back", watch=False, token=person.token)
    return await RoomMember(harness.room, person.token, member).enter()


def variant(person: RoomMember) -> str:
    return str(person.answers[-1]["variant"])


def told(person: RoomMember) -> list[str]:
    return [notice["message"] for notice in person.shown["notices"]]


# At the door, and before a game


@virtual_time_test
async def test_the_demo_table_seats_every_phone_that_reads_its_code(loop: VirtualLoop) -> None:
    """The second one used to find a full table."""
    registry = registry_of(loop, MemoryLog(), 0)
    await registry.start()
    room = await registry.find(await open_demo(registry))
    seats = len(room.state.places)
    for number in range(seats):
        (listed,) = await registry.listed()
        assert listed.free == seats - number
        member, _ = await room.join(f"Phone {number}", watch=False)
        assert room.state.seat_of(member) is not None
    (listed,) = await registry.listed()
    assert listed.free == 0
    member, _ = await room.join("One too many", watch=False)
    assert room.state.seat_of(member) is None


@virtual_time_test
async def test_a_free_seat_is_taken_before_a_bots(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    for seat in (2, 4):
        assert await harness.host.ask(ask.SeatBot(seat=seat)) == "done"
    for expected in (3, 2, 4):
        guest = await harness.join()
        assert harness.room.state.seat_of(guest.member) == expected


# In a running game


@virtual_time_test
async def test_a_newcomer_plays_on_for_a_bot_with_all_that_its_seat_knows(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, 4, log=log, **NEVER_MIND_BOTS)
    late = await harness.join("Late")
    assert late.last("Welcome")["seat"] == 4
    assert any(event["is"] == "RoleDealt" and event["seat"] == 4 for event in late.events)
    assert late.shown["seats"][4] == {"member": late.member, "bot": None, "stand_in": None, "is_silenced": False}
    assert told(harness.host) == ["Late now plays in Ector’s seat, for a bot."]
    await propose(harness)
    assert await late.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    await harness.restart(log)
    assert (await late.again(harness.room)).last("Welcome")["seat"] == 4
    assert told(await harness.host.again(harness.room)) == ["Late now plays in Ector’s seat, for a bot."]


@virtual_time_test
async def test_a_watcher_takes_a_bots_seat_and_hears_its_secrets_only_then(loop: VirtualLoop) -> None:  # C2
    harness = await room_with_game(loop, 3, **NEVER_MIND_BOTS)
    watcher, stranger = await harness.join("Watcher", watch=True), await harness.watch()
    assert watcher.events == stranger.events
    assert await watcher.ask(ask.TakeSeat(seat=9)) == "room/seat"
    assert await watcher.ask(ask.TakeSeat(seat=1)) == "room/seat"  # a person is there
    assert watcher.last("Welcome")["seat"] == SPECTATOR
    assert await watcher.ask(ask.TakeSeat(seat=4)) == "done"
    assert await watcher.ask(ask.TakeSeat(seat=4)) == "done"
    assert watcher.last("Welcome")["seat"] == 4
    assert await watcher.ask(ask.TakeSeat(seat=3)) == "room/seat"
    assert variant(watcher) == "playing"
    assert watcher.last("Welcome")["seat"] == 4


@virtual_time_test
async def test_where_no_one_may_watch_a_bots_seat_lets_a_newcomer_in(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 4, has_spectators=False)
    assert (await harness.join("Late")).last("Welcome")["seat"] == 4
    with pytest.raises(RoomRefused) as refused:
        await harness.room.join("Later", watch=False)
    assert (code_of(refused), refused.value.variant) == ("room/full", "seats")


@virtual_time_test
async def test_a_stand_in_keeps_the_seat_for_its_player(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=5, is_public=True)
    await harness.people[2].leave()
    await harness.play_on(until=1)
    while not harness.host.shown["seats"][2]["stand_in"]:
        await harness.play_on(until=1)
    (listed,) = await harness.registry.listed()
    assert listed.free == 0
    late = await harness.join("Late")
    assert late.last("Welcome")["seat"] == SPECTATOR
    assert await late.ask(ask.TakeSeat(seat=2)) == "room/seat"
    assert variant(late) == "held"
    assert (await harness.people[2].again()).last("Welcome")["seat"] == 2


@virtual_time_test
async def test_a_seat_that_is_out_of_the_game_is_taken_last(loop: VirtualLoop) -> None:
    days = {"day_seconds": 6, "defense_seconds": 4, "night_seconds": 5, "quiet_limit": 100, "trial_by": "cast"}
    harness = await room_with_game(loop, 1, game="saviom", seats=12, options=days)
    room = harness.room.state
    assert room.play is not None
    while room.is_playing and room.play.state.alive >= set(room.bot_seats[:-1]):  # the last one would be last anyway
        await harness.play_on(until=1)
    assert room.is_playing
    alive = [seat in room.play.state.alive for seat in newcomers.seats_without_player(room)]
    assert False in alive
    assert alive == sorted(alive, reverse=True)


# Who may take which


@virtual_time_test
async def test_who_left_comes_back_to_their_own_seat_and_to_no_other(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, 3, log=log, **NEVER_MIND_BOTS)
    left = harness.people[2]
    assert await left.ask(ask.Leave()) == "done"
    back = await came_back(harness, left)
    assert back.last("Welcome")["seat"] == 2
    assert await back.ask(ask.Leave()) == "done"
    taker = await harness.join("Taker", watch=True)
    assert await taker.ask(ask.TakeSeat(seat=2)) == "done"
    await harness.restart(log)
    back = await came_back(harness, left)
    assert back.last("Welcome")["seat"] == SPECTATOR
    assert await back.ask(ask.TakeSeat(seat=3)) == "room/seat"
    assert variant(back) == "two_roles"
    harness.people = [await guest.again(harness.room) for guest in harness.people[:2]]
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert await back.ask(ask.TakeSeat(seat=3)) == "done"


@virtual_time_test
async def test_leaving_and_joining_again_shows_no_second_role(loop: VirtualLoop) -> None:
    """Who left gets the same seat again, also with a new token: each return showed another bot's role."""
    harness = await room_with_game(loop, 3, **NEVER_MIND_BOTS)
    assert await harness.people[1].ask(ask.Leave()) == "done"
    for _ in range(3):
        back = await harness.join("Guest 1")
        assert back.last("Welcome")["seat"] == 1
        assert await back.ask(ask.Leave()) == "done"
    watcher = await harness.join("Watcher", watch=True)
    assert await watcher.ask(ask.TakeSeat(seat=4)) == "room/seat"
    assert variant(watcher) == "vacated"
    assert await watcher.ask(ask.TakeSeat(seat=1)) == "done"
    assert (await harness.join("Late")).last("Welcome")["seat"] == 3


@virtual_time_test
async def test_a_player_whose_seat_was_granted_to_another_claims_no_second_one(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, other = harness.people[2], harness.people[3]
    claimant = await harness.join("Claimant", watch=True)
    await lost.leave()
    assert await claimant.ask(ask.ClaimSeat(seat=2)) == "done"
    await harness.play_on(until=0)
    at = claimant.shown["seat_claims"][0]["grantable_at"]
    while loop.now() < at:
        await harness.play_on(until=1)
    for player in harness.people[:2]:
        assert await player.ask(ask.AnswerClaim(member=claimant.member, is_granted=True)) == "done"
    back = await lost.again()
    await other.leave()
    assert await back.ask(ask.ClaimSeat(seat=3)) == "room/seat"
    assert variant(back) == "two_roles"


@virtual_time_test
async def test_a_host_does_not_take_a_seat_by_removing_its_player(loop: VirtualLoop) -> None:
    """A watcher becomes the host of a table that is left alone for a minute."""
    harness = await room_with_members(loop, 5)
    assert await harness.host.ask(ask.LeaveSeat()) == "done"
    assert await harness.host.ask(ask.SeatBot()) == "done"
    await harness.start()
    assert await harness.host.ask(ask.Kick(member=2)) == "done"
    assert await harness.host.ask(ask.TakeSeat(seat=1)) == "room/seat"
    assert variant(harness.host) == "emptied"
    other = await harness.join("Other", watch=True)
    assert await other.ask(ask.TakeSeat(seat=1)) == "done"


@virtual_time_test
async def test_dealt_cards_and_finished_games_are_not_taken_over(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 4)
    watcher = await harness.join("Watcher", watch=True)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await watcher.ask(ask.TakeSeat(seat=4)) == "room/stage"
    dealt = await room_with_game(loop, in_person="deal")
    assert await dealt.people[4].ask(ask.Leave()) == "done"
    late = await dealt.join("Late")
    assert await late.ask(ask.TakeSeat(seat=4)) == "room/stage"


# Profiles


@virtual_time_test
async def test_a_member_changes_their_name_and_avatar(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 3, log=log)
    guest = harness.people[1]
    assert await guest.ask(ask.ChangeProfile(name="  An\u200bna ", avatar="fox-teal")) == "done"
    assert await guest.ask(ask.ChangeProfile(avatar="owl-red")) == "done"
    assert await guest.ask(ask.ChangeProfile()) == "done"
    assert await harness.people[2].ask(ask.ChangeProfile(name="anna")) == "done"
    assert await harness.host.ask(ask.ChangeProfile(name="")) == "room/name"
    assert await harness.host.ask(ask.ChangeProfile(name="x" * 25)) == "room/name"
    await harness.restart(log)
    shown = (await guest.again(harness.room)).shown["members"]
    assert [(one["name"], one["avatar"]) for one in shown] == [("Host", ""), ("Anna", "owl-red"), ("anna 2", "")]


@virtual_time_test
async def test_in_a_game_the_table_reads_who_has_another_name(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, 3, log=log, **NEVER_MIND_BOTS)
    assert await harness.people[1].ask(ask.ChangeProfile(name="Gawain")) == "done"  # a bot has that name
    assert told(harness.host) == ["Guest 1 is now called Gawain 2."]
    assert await harness.people[1].ask(ask.ChangeProfile(avatar="fox-teal")) == "done"
    await harness.restart(log)
    harness.people = [await guest.again(harness.room) for guest in harness.people]
    assert told(harness.host) == ["Guest 1 is now called Gawain 2."]
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert told(harness.host) == []


@virtual_time_test
async def test_an_avatar_comes_with_the_member_who_joins(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1)
    await harness.room.join("Guest", watch=False, avatar="bear-gold")
    assert harness.host.shown["members"][1]["avatar"] == "bear-gold"
