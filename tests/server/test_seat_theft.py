"""A host without a seat, or a player under a second name, tries to take the seat of a player who dropped out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from support.live_server import LiveServer, changed_program
from support.raw_protocol import Listener, Member, http_to, join_room, open_room, seat_five
from support.waiting import until

NO_ABSENCE = "presence.LOST_SECONDS = 0"  # a player can be missed as soon as their connection is lost
NO_RETURN = f"{NO_ABSENCE}; claims.RETURN_SECONDS = 0"  # and they get no time to come back


async def five_players_and_a_host(http: httpx.AsyncClient) -> list[Member]:
    """The host, who has no seat, and five players whose game has started."""
    host = await open_room(http, settings={"takeover_seconds": None})
    assert (await host.ask("LeaveSeat")).status_code == 200
    players = [await join_room(http, host.room, f"Guest {number}") for number in range(1, 6)]
    for player in players:
        assert (await player.ask("SayReady", is_ready=True)).status_code == 200
    assert (await host.ask("Start")).status_code == 200
    return [host, *players]


@asynccontextmanager
async def listening(server: LiveServer, *members: Member) -> AsyncIterator[list[Listener]]:
    listeners = [await Listener.enter(server.socket_url, member.room, member.token) for member in members]
    for listener in listeners:
        await listener.caught_up()
    yield listeners
    for listener in listeners:
        await listener.leave()


def is_here(listener: Listener, member: Member) -> bool:
    return any(one["is_here"] for one in listener.last("Room")["members"] if one["member"] == member.member)


def knows_a_seat(listener: Listener) -> bool:
    roles = [heard for heard in listener.all("Heard") if heard["event"]["is"] == "RoleDealt"]
    return bool(roles) or listener.last("Welcome")["seat"] != -1 or bool(listener.all("Asked"))


async def answer(by: Member, claimant: Member) -> str:
    answered = await by.ask("AnswerClaim", member=claimant.member, is_granted=True)
    return "done" if answered.status_code == 200 else str(answered.json()["code"])


@pytest.mark.slow
@pytest.mark.parametrize("change", [NO_ABSENCE, NO_RETURN], ids=["at once", "after the time to return"])
def test_a_host_does_not_get_a_dropped_players_seat_by_their_own_consent(tmp_path: Path, change: str) -> None:
    async def steal(server: LiveServer) -> None:
        async with http_to(server.url) as http:
            host, victim, player, *_ = await five_players_and_a_host(http)
            double = await join_room(http, host.room, "Guest 6", watch=True)  # the host once more
            async with listening(server, host, double, player) as (thief, second, honest):
                async with listening(server, victim):
                    await until(lambda: is_here(thief, victim), "the victim is connected")
                    assert (await host.ask("ClaimSeat", seat=0)).json()["code"] == "room/seat"
                await until(lambda: not is_here(thief, victim), "the victim is gone")
                assert (await host.ask("ClaimSeat", seat=0)).status_code == 200
                assert await answer(host, host) == "room/claim"
                assert await answer(double, host) == "room/watching"
                assert (await double.ask("ClaimSeat", seat=0)).status_code == 200
                assert await answer(host, double) == "room/watching"
                assert await answer(double, double) == "room/claim"
                if change == NO_ABSENCE:
                    assert await answer(player, host) == "room/claim"
                    async with listening(server, victim) as (back,):
                        assert back.last("Welcome")["seat"] == 0
                    await until(lambda: honest.last("Room")["seat_claims"] == [], "the end of the claims")
                    assert {one["code"] for one in honest.last("Room")["notices"]} == {"seat_kept"}
                for listener in (thief, second):
                    await listener.say("Ping")
                    await listener.hears("Pong")  # and all that was sent before
                    assert not knows_a_seat(listener)
                if change == NO_RETURN:  # only another player can give the seat away, and then its secrets arrive
                    async with server.client() as client:
                        table = await client.enter(player.membership)
                        await until(lambda: table.names[:1] == ("Guest 1",), "the name of the victim")
                        assert await answer(player, double) == "done"
                        await until(lambda: knows_a_seat(second), "what the seat knows")
                        await until(lambda: table.names[0] == "Guest 6", "the name of the new player")
                    assert not knows_a_seat(thief)

    with LiveServer(tmp_path / "rooms.db", program=changed_program(change)) as server:
        asyncio.run(steal(server))


@pytest.mark.slow
def test_a_player_does_not_get_a_dropped_players_seat_under_a_second_name(tmp_path: Path) -> None:
    async def steal(server: LiveServer) -> None:
        async with http_to(server.url) as http:
            _, thief, player, *_ = await seat_five(http)
            double = await join_room(http, thief.room, "Guest 5", watch=True)  # the thief once more
            async with listening(server, double, thief, player) as (second, _, honest):  # all but the host
                assert (await double.ask("ClaimSeat", seat=0)).status_code == 200
                for _ in range(2):
                    assert await answer(thief, double) == "done"
                await second.say("Ping")
                await second.hears("Pong")  # and all that was sent before
                assert not knows_a_seat(second)
                (claim,) = honest.last("Room")["seat_claims"]
                assert (claim["agreed"], claim["needed"]) == ([thief.member], 2)
                assert await answer(player, double) == "done"
                await until(lambda: knows_a_seat(second), "what the seat knows, once another player has agreed")
                (notice,) = honest.last("Room")["notices"]
                assert notice["values"]["by"] == ["Guest 1", "Guest 2"]

    with LiveServer(tmp_path / "rooms.db", program=changed_program(NO_RETURN)) as server:
        asyncio.run(steal(server))
