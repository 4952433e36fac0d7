"""A moderator sees all roles: only a host without a seat, whom every member was told about before the deal."""

from __future__ import annotations

import re
from typing import Any

import pytest

from roundtable.core.errors import RoundTableError
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import Room, RoomRegistry
from roundtable.server.moderator import DealtRoles, dealt_roles
from roundtable.storage import MemoryLog
from support.room_harness import RoomMember, settle, virtual_time_test
from support.virtual_time import VirtualLoop, registry_of, run

GAMES = ("avalon", "thavalon", "saviom")


async def moderated(registry: RoomRegistry, game: str = "saviom", **more: Any) -> list[RoomMember]:
    """A moderator without a seat, then six players; their game is dealt."""
    settings = ask.Settings(in_person="narrated", has_moderator=True, **more)
    host = await registry.open(bodies.OpenRoom(name="Ana", game=game, seats=6, settings=settings))
    room = await registry.find(host.room)
    first = await RoomMember(room, host.token, host.member).enter(views=True)
    await first.ask(ask.LeaveSeat())
    joined = [await room.join(name, watch=False) for name in ("Bo", "Chi", "Dan", "Eva", "Fay", "Gus")]
    return [first, *[await RoomMember(room, token, member).enter(views=True) for member, token in joined]]


def roles(room: Room, token: str | None) -> DealtRoles:
    return dealt_roles(room.state, token or "", "en")


def refusal(room: Room, token: str | None) -> str:
    with pytest.raises(RoundTableError) as refused:
        roles(room, token)
    return refused.value.code


def notices(guest: RoomMember) -> list[str]:
    return [one["message"] for one in guest.last("Room")["notices"] if one["code"] == "moderator"]


@pytest.mark.parametrize("game", GAMES)
@virtual_time_test
async def test_a_moderator_sees_every_role_and_no_other_member_does(loop: VirtualLoop, game: str) -> None:
    moderator, *players = await moderated(registry_of(loop), game)
    room = moderator.room
    assert notices(players[0]) == ["Ana moderates and sees all roles."]
    assert refusal(room, moderator.token) == "room/not_host"  # nothing was dealt yet
    assert await moderator.ask(ask.Start()) == "done"
    seen = {one.seat: one.role for one in roles(room, moderator.token).roles}
    own = {int(seat): role for one in players for seat, role in one.last("View")["view"]["roles"].items()}
    assert seen == own
    assert len(seen) == 6
    assert moderator.last("View")["view"]["roles"] == {}  # only a request of their own shows them
    assert {refusal(room, one.token) for one in players} == {"room/not_host"}
    assert {refusal(room, token) for token in ("", "0" * 32)} == {"server/unauthorised"}
    assert notices(players[0]) == ["Ana moderates and sees all roles."]


@virtual_time_test
async def test_a_host_with_a_seat_cannot_moderate(loop: VirtualLoop) -> None:
    moderator, *players = await moderated(registry_of(loop))
    await players[0].ask(ask.LeaveSeat())
    assert await moderator.ask(ask.TakeSeat(seat=0)) == "done"
    assert [one["variant"] for one in moderator.last("Room")["problems"]] == ["moderator"]
    assert await moderator.ask(ask.Start()) == "room/not_ready"


@virtual_time_test
async def test_who_becomes_host_after_the_deal_sees_nothing_and_a_moderator_takes_no_seat(loop: VirtualLoop) -> None:
    moderator, *players = await moderated(registry_of(loop))
    await moderator.ask(ask.Start())
    change = ask.SettingsChange(has_moderator=False)
    assert await moderator.ask(ask.ChangeSettings(settings=change)) == "room/stage"
    member, token = await moderator.room.join("Hal", watch=True)
    watcher = await RoomMember(moderator.room, token, member).enter()
    await players[2].leave()
    assert await moderator.ask(ask.ClaimSeat(seat=2)) == "room/seat"
    assert await moderator.ask(ask.HandOver(member=member)) == "done"
    assert refusal(moderator.room, watcher.token) == "room/not_host"
    assert len(roles(moderator.room, moderator.token).roles) == 6


@pytest.mark.parametrize("degree", ["no", "phones"])
@virtual_time_test
async def test_a_game_on_the_phones_has_no_moderator(loop: VirtualLoop, degree: Any) -> None:
    moderator, *players = await moderated(registry_of(loop))
    change = ask.SettingsChange(in_person=degree)
    assert await moderator.ask(ask.ChangeSettings(settings=change)) == "done"
    assert notices(moderator) == []
    for player in players:
        await player.ask(ask.SayReady(is_ready=True))
    assert await moderator.ask(ask.Start()) == "done"
    assert refusal(moderator.room, moderator.token) == "room/not_host"


@virtual_time_test
async def test_a_restart_knows_the_moderator_and_the_next_game_asks_anew(loop: VirtualLoop) -> None:
    log = MemoryLog()
    moderator, *_ = await moderated(registry_of(loop, log))
    await moderator.ask(ask.Start())
    room = await registry_of(loop, log).find(moderator.room.code)
    assert roles(room, moderator.token) == roles(moderator.room, moderator.token)
    await moderator.ask(ask.Rematch())
    assert refusal(moderator.room, moderator.token) == "room/not_host"


def test_what_players_receive_does_not_depend_on_whether_a_moderator_looks() -> None:  # C4
    async def frames(loop: VirtualLoop, *, looks: bool) -> list[object]:
        moderator, *players = await moderated(registry_of(loop))
        await moderator.ask(ask.Start())
        if looks:
            roles(moderator.room, moderator.token)
        await settle()
        await players[0].ask(ask.SayLooked())
        heard = [[re.sub('"id":"[^"]*"', "", frame) for frame in one.frames] for one in (moderator, *players)]
        return [moderator.room.state.version, *heard]  # the harness numbers all requests of a process

    assert run(lambda loop: frames(loop, looks=True)) == run(lambda loop: frames(loop, looks=False))
