"""A member asks for the seat of an absent player, who is asked first; then two players decide, or time does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.core.seats import SPECTATOR
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from roundtable.rooms.claims import AUTOMATIC_SECONDS, REFUSED_SECONDS, RETURN_SECONDS
from roundtable.rooms.presence import LOST_SECONDS
from roundtable.storage import MemoryLog
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    code_of,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop

LOST = 2  # the seat of the player who loses their device


async def lose(harness: RoomHarness) -> tuple[RoomMember, RoomMember]:
    """A player loses their device and joins again with another. Returns the old and the new member."""
    lost = harness.people[LOST]
    await lost.leave()
    await asyncio.sleep(LOST_SECONDS)
    found = await harness.join("Guest 2", watch=True)
    harness.people.remove(lost)
    return lost, found


async def lose_and_claim(harness: RoomHarness) -> tuple[RoomMember, RoomMember]:
    lost, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    return lost, found


async def answer(player: RoomMember, claimant: RoomMember, is_granted: bool = True) -> str:
    return await player.ask(ask.AnswerClaim(member=claimant.member, is_granted=is_granted))


async def game_with_a_host_who_watches(loop: VirtualLoop, **more: Any) -> RoomHarness:
    harness = await room_with_members(loop, 5, **more)
    assert await harness.host.ask(ask.LeaveSeat()) == "done"
    await harness.join("Guest 5")
    assert harness.room.state.free_seats == []
    await harness.start()
    return harness


async def grant(harness: RoomHarness, claimant: RoomMember) -> None:
    """Two players agree, who are enough at any table."""
    for player in harness.people[:2]:
        assert await answer(player, claimant) == "done"


def notices(guest: RoomMember) -> list[str]:
    return [notice["code"] for notice in guest.shown["notices"]]


def told(guest: RoomMember) -> list[str]:
    return [notice["message"] for notice in guest.shown["notices"]]


def holder(harness: RoomHarness) -> int | None:
    return harness.room.state.places[LOST].member


# Granted


@virtual_time_test
async def test_two_players_agree_and_everyone_reads_under_which_name_the_seat_is_played(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    await propose(harness)
    lost, found = await lose_and_claim(harness)
    now = loop.now()
    times = {"grantable_at": now + RETURN_SECONDS * 1000, "automatic_at": now + AUTOMATIC_SECONDS * 1000}
    claim = {"member": found.member, "seat": LOST, **times, "needed": 2}
    assert harness.people[1].shown["seat_claims"] == [{**claim, "agreed": []}]
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(harness.people[1], found) == "done"
    assert found.shown["seat_claims"] == [{**claim, "agreed": [harness.people[1].member]}]
    assert await answer(harness.host, found) == "done"
    for guest in (found, *harness.people):
        assert guest.shown["seats"][LOST] == {
            "member": found.member,
            "bot": None,
            "stand_in": None,
            "is_silenced": False,
        }
        assert guest.shown["seat_claims"] == []
        assert told(guest) == ["Guest 2 2 now plays in Guest 2’s seat. Guest 1 and Host agreed."]
        names = {one["member"]: one["name"] for one in guest.shown["members"]}
        assert (names[lost.member], names[found.member]) == ("Guest 2", "Guest 2 2")
    assert await found.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    await harness.restart(log)
    back = await found.again(harness.room)
    assert back.last("Welcome")["seat"] == LOST
    assert back.last("Welcome")["names"][LOST] == "Guest 2 2"
    assert back.events[: len(lost.events)] == lost.events
    assert notices(back) == ["seat_granted"]


@virtual_time_test
async def test_what_the_seat_knows_is_told_after_the_grant_and_not_before(loop: VirtualLoop) -> None:  # C2
    harness = await room_with_game(loop)
    await propose(harness)
    lost, found = await lose_and_claim(harness)
    watcher = await harness.watch()
    await asyncio.sleep(RETURN_SECONDS)
    assert found.events == watcher.events
    assert found.last("Welcome")["seat"] == SPECTATOR
    assert found.all("Asked") == []
    heard = len(found.events)
    await grant(harness, found)
    assert found.last("Welcome")["seat"] == LOST
    assert found.events[heard:] == lost.events
    assert found.heard[heard:] == list(range(1, len(lost.events) + 1))
    assert found.offered() == lost.offered() != []
    assert watcher.events == found.events[:heard]


@virtual_time_test
async def test_a_member_who_comes_back_to_another_seat_than_they_listened_from_hears_the_game_from_there(
    loop: VirtualLoop,
) -> None:
    harness = await room_with_game(loop)
    await propose(harness)
    lost, found = await lose_and_claim(harness)
    await found.leave()
    await asyncio.sleep(RETURN_SECONDS)
    await grant(harness, found)
    back = await found.again(number=1, heard=found.heard[-1], heard_as=found.last("Welcome")["seat"])
    assert back.events == lost.events
    again = await back.again(number=1, heard=back.heard[-1], heard_as=LOST)
    assert again.events == []


@virtual_time_test
async def test_without_an_answer_the_seat_is_granted_when_its_player_was_away_for_long(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose_and_claim(harness)
    await asyncio.sleep(AUTOMATIC_SECONDS - 1)
    assert holder(harness) == lost.member
    await asyncio.sleep(1.5)
    assert holder(harness) == found.member
    assert found.last("Welcome")["seat"] == LOST
    assert told(harness.host) == ["Guest 2 2 now plays in Guest 2’s seat. Guest 2 was away, and no one objected."]


@virtual_time_test
async def test_a_claimant_who_is_away_gets_the_seat_when_they_are_back(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose_and_claim(harness)
    await found.leave()
    await asyncio.sleep(2 * AUTOMATIC_SECONDS)
    assert holder(harness) == lost.member
    back = await found.again()
    await asyncio.sleep(0.5)
    assert holder(harness) == found.member
    assert back.last("Welcome")["seat"] == LOST


@virtual_time_test
async def test_at_a_real_table_only_players_grant_a_seat(loop: VirtualLoop) -> None:
    """Phones sleep in pockets: their players are not away."""
    harness = await room_with_game(loop, in_person="deal")
    lost, found = await lose_and_claim(harness)
    assert found.shown["seat_claims"][0]["automatic_at"] is None
    await asyncio.sleep(10 * AUTOMATIC_SECONDS)
    assert holder(harness) == lost.member
    await grant(harness, found)
    assert holder(harness) == found.member


@virtual_time_test
async def test_the_former_player_stays_a_member_and_can_ask_for_the_seat_again(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose_and_claim(harness)
    await asyncio.sleep(RETURN_SECONDS)
    await grant(harness, found)
    back = await lost.again(number=1, heard=lost.heard[-1], heard_as=LOST)
    assert back.last("Welcome")["seat"] == SPECTATOR
    assert notices(back) == ["seat_granted"]
    assert await back.ask(ask.ClaimSeat(seat=LOST)) == "room/seat"
    await found.leave()
    await asyncio.sleep(LOST_SECONDS)
    assert await back.ask(ask.ClaimSeat(seat=LOST)) == "done"
    await asyncio.sleep(RETURN_SECONDS)
    await grant(harness, back)
    assert back.last("Welcome")["seat"] == LOST
    assert told(back) == ["Guest 2 now plays in Guest 2 2’s seat. Host and Guest 1 agreed."]


@virtual_time_test
async def test_a_player_who_gets_a_seat_plays_on_for_the_bot_that_stood_in(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=20)
    _, found = await lose_and_claim(harness)
    assert harness.host.shown["seats"][LOST]["stand_in"] == "careful"
    await asyncio.sleep(RETURN_SECONDS)
    for guest in harness.people:
        await guest.here()
    await grant(harness, found)
    assert harness.host.shown["seats"][LOST]["stand_in"] is None
    await harness.play_on()
    assert found.last("Over")
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert (harness.room.state.seat_of(found.member), notices(found)) == (LOST, [])


@virtual_time_test
async def test_the_seat_of_a_host_is_granted_without_their_office(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, second = harness.host, harness.people[1]
    await lost.leave()
    await asyncio.sleep(LOST_SECONDS)
    found = await harness.join("Host")
    assert await found.ask(ask.ClaimSeat(seat=0)) == "done"
    await asyncio.sleep(RETURN_SECONDS)
    for player in (second, harness.people[2]):
        assert await answer(player, found) == "done"
    assert found.last("Welcome")["seat"] == 0
    assert found.shown["host"] == lost.member
    await asyncio.sleep(60)
    assert found.shown["host"] == second.member


@virtual_time_test
async def test_where_spectators_are_not_allowed_a_claimant_waits_outside(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, has_spectators=False)
    lost, found = await lose_and_claim(harness)
    await asyncio.sleep(RETURN_SECONDS)
    assert (found.all("Welcome"), found.events) == ([], [])
    await grant(harness, found)
    assert found.events == lost.events


# The player is asked first


@virtual_time_test
async def test_the_seat_of_a_connected_player_cannot_be_claimed(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    thief = await harness.join("Guest 2")
    assert await thief.ask(ask.ClaimSeat(seat=LOST)) == "room/seat"
    await harness.people[LOST].leave()
    assert await thief.ask(ask.ClaimSeat(seat=LOST)) == "done"


@virtual_time_test
async def test_a_seat_is_claimed_as_soon_as_its_player_is_away_and_granted_no_sooner_for_that(
    loop: VirtualLoop,
) -> None:
    """A claim right after the device was lost used to be refused for some seconds."""
    harness = await room_with_game(loop)
    lost = harness.people[LOST]
    found = await harness.join("Guest 2", watch=True)
    await lost.leave()
    left_at = loop.now()
    await asyncio.sleep(1)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert found.shown["seat_claims"][0]["grantable_at"] == left_at + (LOST_SECONDS + RETURN_SECONDS) * 1000
    await asyncio.sleep(LOST_SECONDS + RETURN_SECONDS - 2)
    assert await answer(harness.host, found) == "room/claim"
    await asyncio.sleep(1)
    await grant(harness, found)
    assert holder(harness) == found.member


@virtual_time_test
async def test_no_claim_is_granted_before_the_absent_player_had_time_to_return(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose_and_claim(harness)
    assert await answer(harness.host, found) == "room/claim"
    await asyncio.sleep(RETURN_SECONDS - 1)
    assert await answer(harness.host, found) == "room/claim"
    assert harness.host.answers[-1]["values"] == {"seconds": 1}
    assert holder(harness) == lost.member


@virtual_time_test
@pytest.mark.parametrize("sign", ["connection", "request", "join"])
async def test_any_sign_of_life_of_the_player_ends_the_claim(loop: VirtualLoop, sign: str) -> None:
    harness = await room_with_game(loop)
    lost, thief = await lose_and_claim(harness)
    await asyncio.sleep(AUTOMATIC_SECONDS - 1)
    token = lost.token
    assert token is not None
    if sign == "connection":
        lost = await lost.again()
        assert lost.last("Welcome")["seat"] == LOST
    elif sign == "request":
        with pytest.raises(RoomRefused):
            await harness.room.ask(token, ask.LeaveSeat())
    else:
        assert (await harness.room.join("Guest 2", watch=False, token=token))[0] == lost.member
    back = lost if sign == "connection" else harness.host
    assert harness.host.shown["seat_claims"] == back.shown["seat_claims"] == []
    assert told(harness.host) == told(back) == ["Guest 2 2 asked for Guest 2’s seat. Guest 2 came back and keeps it."]
    assert await answer(harness.host, thief) == "room/no_member"
    await lost.leave()
    await asyncio.sleep(AUTOMATIC_SECONDS)
    assert holder(harness) == lost.member
    assert thief.last("Welcome")["seat"] == SPECTATOR


@virtual_time_test
async def test_time_in_which_no_server_ran_does_not_count(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    lost, found = await lose_and_claim(harness)
    await harness.restart(log, after=10 * AUTOMATIC_SECONDS)
    found, player = await found.again(harness.room), await harness.people[1].again(harness.room)
    claim = found.shown["seat_claims"][0]
    assert (claim["grantable_at"], claim["automatic_at"]) == (
        loop.now() + RETURN_SECONDS * 1000,
        loop.now() + AUTOMATIC_SECONDS * 1000,
    )
    assert await answer(player, found) == "room/claim"
    await asyncio.sleep(AUTOMATIC_SECONDS - 1)
    assert holder(harness) == lost.member
    assert (await lost.again(harness.room)).last("Welcome")["seat"] == LOST
    assert found.shown["seat_claims"] == []


# Who decides


@virtual_time_test
async def test_no_member_decides_their_own_claim(loop: VirtualLoop) -> None:
    harness = await game_with_a_host_who_watches(loop)
    host, lost = harness.host, harness.people[LOST]
    seat = harness.room.state.seat_of(lost.member)
    assert seat is not None
    await lost.leave()
    await asyncio.sleep(LOST_SECONDS)
    assert await host.ask(ask.ClaimSeat(seat=seat)) == "done"
    assert await answer(host, host) == "room/claim"
    accomplice = await harness.join("Guest 6")  # another membership of the host
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(host, host) == "room/claim"
    assert await answer(accomplice, host) == "room/watching"
    assert await accomplice.ask(ask.ClaimSeat(seat=seat)) == "done"
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(host, accomplice) == "room/watching"
    assert await answer(accomplice, accomplice) == "room/claim"
    for thief in (host, accomplice):
        assert thief.last("Welcome")["seat"] == SPECTATOR
        assert thief.all("Asked") == []
        assert thief.events == (await harness.watch()).events
    assert (await lost.again()).last("Welcome")["seat"] == seat


@virtual_time_test
async def test_a_lone_spectator_who_became_the_host_cannot_take_a_seat_at_once(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, people=1)
    await harness.host.leave()
    lone = await harness.join("Guest", watch=True)
    await asyncio.sleep(61)
    assert lone.shown["host"] == lone.member
    assert await lone.ask(ask.ClaimSeat(seat=0)) == "done"
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(lone, lone) == "room/claim"
    await asyncio.sleep(AUTOMATIC_SECONDS - RETURN_SECONDS - 1)
    assert lone.last("Welcome")["seat"] == SPECTATOR


@virtual_time_test
async def test_a_player_agrees_over_a_connection(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    _, found = await lose_and_claim(harness)
    player = harness.people[1]
    await player.leave()
    await asyncio.sleep(RETURN_SECONDS)
    assert player.token is not None
    with pytest.raises(RoomRefused) as refused:
        await harness.room.ask(player.token, ask.AnswerClaim(member=found.member, is_granted=True))
    assert (code_of(refused), refused.value.variant) == ("room/claim", "connect")


@virtual_time_test
async def test_the_host_or_a_player_refuses_and_the_claim_cannot_be_repeated_at_once(loop: VirtualLoop) -> None:
    harness = await game_with_a_host_who_watches(loop)
    lost = harness.people[LOST]
    seat = harness.room.state.seat_of(lost.member)
    assert seat is not None
    found, watcher = await harness.join("Guest 6"), await harness.join("Guest 7")
    await lost.leave()
    await asyncio.sleep(LOST_SECONDS)
    for guest, name in ((harness.host, "Host"), (harness.people[1], "Guest 1")):
        assert await found.ask(ask.ClaimSeat(seat=seat)) == "done"
        assert await answer(watcher, found, is_granted=False) == "room/watching"
        assert await answer(guest, found, is_granted=False) == "done"
        assert told(watcher) == [f"Guest 6 asked for Guest 2’s seat. {name} said no."]
        assert harness.host.shown["seat_claims"] == []
        assert await answer(harness.people[1], found) == "room/no_member"
        assert await found.ask(ask.ClaimSeat(seat=seat)) == "room/claim"
        assert found.answers[-1]["values"] == {"seconds": REFUSED_SECONDS}
        assert await watcher.ask(ask.ClaimSeat(seat=seat)) == "done"  # another member has not been refused
        assert await answer(watcher, watcher, is_granted=False) == "done"
        await asyncio.sleep(REFUSED_SECONDS)
    assert found.last("Welcome")["seat"] == SPECTATOR


@virtual_time_test
async def test_a_claim_is_withdrawn_without_a_notice(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    _, found = await lose_and_claim(harness)
    assert await answer(found, found, is_granted=False) == "done"
    assert (harness.host.shown["seat_claims"], notices(harness.host)) == ([], [])
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"


# How many have to agree


def agreed(guest: RoomMember) -> list[tuple[list[int], int]]:
    """Who has agreed to each claim, and how many have to."""
    return [(claim["agreed"], claim["needed"]) for claim in guest.shown["seat_claims"]]


@virtual_time_test
async def test_where_one_other_player_is_connected_they_are_enough(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=None)
    _, found = await lose_and_claim(harness)
    for guest in harness.people[1:-1]:
        await guest.leave()
    await asyncio.sleep(RETURN_SECONDS)
    assert agreed(found) == [([], 1)]
    assert await answer(harness.host, found) == "done"
    assert told(found) == ["Guest 2 2 now plays in Guest 2’s seat. Host agreed."]


@virtual_time_test
async def test_bots_and_spectators_need_not_agree(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 3)
    _, found = await lose_and_claim(harness)
    await harness.people[1].leave()
    await harness.join("Guest 3", watch=True)
    await asyncio.sleep(RETURN_SECONDS)
    assert agreed(found) == [([], 1)]
    assert await answer(harness.host, found) == "done"
    assert holder(harness) == found.member


@virtual_time_test
@pytest.mark.parametrize("others", [2, 3])
async def test_two_players_have_to_agree_and_to_agree_twice_counts_once(loop: VirtualLoop, others: int) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, others + 1, log=log)
    lost, found = await lose_and_claim(harness)
    thief, second = harness.people[:2]
    await asyncio.sleep(RETURN_SECONDS)
    for _ in range(2):
        assert await answer(thief, found) == "done"
        assert (holder(harness), agreed(second)) == (lost.member, [([thief.member], 2)])
    await harness.restart(log)
    found, thief, second = [await guest.again(harness.room) for guest in (found, thief, second)]
    assert (agreed(found), found.last("Welcome")["seat"]) == ([([thief.member], 2)], SPECTATOR)
    await asyncio.sleep(LOST_SECONDS + RETURN_SECONDS)
    assert await answer(second, found) == "done"
    assert told(found) == ["Guest 2 2 now plays in Guest 2’s seat. Host and Guest 1 agreed."]


@virtual_time_test
async def test_an_agreement_ends_with_the_seat_of_the_player_who_gave_it(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose_and_claim(harness)
    host, gone, third = harness.people[:3]
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(gone, found) == "done"
    assert await gone.ask(ask.Leave()) == "done"
    assert agreed(host) == [([], 2)]
    assert await answer(third, found) == "done"
    assert (holder(harness), agreed(host)) == (lost.member, [([third.member], 2)])
    await third.leave()  # without a connection they still have their seat
    assert await answer(host, found) == "done"
    assert told(host) == ["Guest 2 2 now plays in Guest 2’s seat. Guest 3 and Host agreed."]


@virtual_time_test
async def test_a_player_who_is_left_alone_agrees_once_more(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 3)
    lost, found = await lose_and_claim(harness)
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(harness.host, found) == "done"
    await harness.people[1].leave()
    assert (holder(harness), agreed(found)) == (lost.member, [([harness.host.member], 1)])
    assert await answer(harness.host, found) == "done"
    assert told(found) == ["Guest 2 2 now plays in Guest 2’s seat. Host agreed."]


@virtual_time_test
@pytest.mark.parametrize("refuser", [0, 1])
async def test_a_claim_to_which_a_player_agreed_is_refused_by_any_player(loop: VirtualLoop, refuser: int) -> None:
    harness = await room_with_game(loop)
    lost, found = await lose_and_claim(harness)
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(harness.people[1], found) == "done"
    assert await answer(harness.people[refuser], found, is_granted=False) == "done"
    assert (agreed(found), notices(found), holder(harness)) == ([], ["claim_refused"], lost.member)
    await asyncio.sleep(REFUSED_SECONDS)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert agreed(found) == [([], 2)]


@virtual_time_test
async def test_a_seat_that_is_granted_by_time_names_no_one_who_agreed(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    _, found = await lose_and_claim(harness)
    await asyncio.sleep(RETURN_SECONDS)
    assert await answer(harness.host, found) == "done"
    await asyncio.sleep(AUTOMATIC_SECONDS)
    assert (holder(harness), notices(found)) == (found.member, ["seat_granted_by_time"])


# What can be claimed, and when a claim lapses


@virtual_time_test
async def test_a_seat_is_claimed_by_those_who_have_none_and_from_people(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 4)
    _, found = await lose(harness)
    assert await harness.people[1].ask(ask.ClaimSeat(seat=LOST)) == "room/seat"
    assert await found.ask(ask.ClaimSeat(seat=4)) == "room/seat"  # a bot's
    assert await found.ask(ask.ClaimSeat(seat=5)) == "room/seat"
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await found.ask(ask.ClaimSeat(seat=1)) == "room/claim"
    assert len(found.shown["seat_claims"]) == 1
    assert await found.ask(ask.Leave()) == "done"
    assert harness.host.shown["seat_claims"] == []


@virtual_time_test
async def test_before_a_game_there_are_no_claims(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    _, found = await lose(harness)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "room/stage"


@virtual_time_test
async def test_claims_lapse_with_the_table(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    _, found = await lose_and_claim(harness)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert harness.host.shown["seat_claims"] == []
    assert await answer(harness.host, found) == "room/no_member"


@virtual_time_test
async def test_a_seat_that_goes_to_another_member_is_no_longer_asked_for(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    _, found = await lose_and_claim(harness)
    other = await harness.join("Guest 6")
    assert await other.ask(ask.ClaimSeat(seat=LOST)) == "done"
    await asyncio.sleep(RETURN_SECONDS)
    await grant(harness, other)
    assert harness.host.shown["seat_claims"] == []
    assert await answer(harness.host, found) == "room/no_member"
    await other.leave()
    await asyncio.sleep(LOST_SECONDS)
    assert await found.ask(ask.ClaimSeat(seat=LOST)) == "done"
    assert await harness.host.ask(ask.Kick(member=other.member)) == "done"
    assert harness.host.shown["seat_claims"] == []  # a bot has the seat
    assert notices(harness.host) == []
    assert found.last("Welcome")["seat"] == SPECTATOR
