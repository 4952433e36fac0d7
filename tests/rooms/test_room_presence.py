"""Presence in a room: who counts as connected, and what a member hears before the connection closes."""

from __future__ import annotations

import asyncio
from typing import Any

from roundtable.core.actions import Say
from roundtable.protocol import Act, bodies, encoded
from roundtable.protocol import rooms as protocol
from roundtable.rooms import Room
from support.virtual_time import FakeConnection, VirtualLoop, registry_of, run


async def opened(loop: VirtualLoop, **settings: Any) -> tuple[Room, bodies.Membership]:
    """A table of five with bots on all seats but the host's."""
    registry = registry_of(loop)
    host = await registry.open(bodies.OpenRoom(name="Ann", settings=protocol.Settings(**settings)))
    room = await registry.find(host.room)
    for seat in range(1, 5):
        await room.ask(host.token, protocol.SeatBot(seat=seat))
    return room, host


def test_a_line_that_is_sent_again_is_answered_as_before_however_fast_and_also_when_silenced() -> None:  # C2
    async def main(loop: VirtualLoop) -> FakeConnection:
        room, host = await opened(loop)
        client = FakeConnection(host.token)
        room.enter(client.session, client.entering())
        for request in (protocol.SayReady(is_ready=True), protocol.Start()):
            await room.ask(host.token, request)
        lines = [
            Act(id=f"say-{number}", action=encoded(Say(channel="table", text=f"Line {number}."))) for number in range(3)
        ]
        for line in [*lines, *lines]:
            room.say(client.session, line)
        await room.ask(host.token, protocol.Silence(member=host.member, is_silenced=True))
        for line in lines:
            room.say(client.session, line)
        await asyncio.sleep(0.5)
        return client

    client = run(main)
    assert client.all("Refused") == []
    assert [answer["id"] for answer in client.all("Answered")] == ["say-0", "say-1", "say-2"] * 3
    assert len([heard for heard in client.all("Heard") if heard["event"]["is"] == "Said"]) == 3


class ClosingConnection(FakeConnection):
    """A connection that gets no frames after it was closed."""

    def send(self, *frames: str) -> None:
        if self.closed is None:
            super().send(*frames)


def test_a_member_who_leaves_over_a_socket_is_answered_before_it_closes() -> None:
    async def main(loop: VirtualLoop) -> FakeConnection:
        room, host = await opened(loop)
        client = ClosingConnection(host.token)
        room.enter(client.session, client.entering())
        room.say(client.session, protocol.Ask(id="bye", request=protocol.Leave()))
        await asyncio.sleep(1)
        return client

    client = run(main)
    assert client.all("Answered") == [{"is": "Answered", "id": "bye"}]
    assert client.closed == (4003, "room/unknown")


def test_a_bot_takes_no_seat_of_a_member_who_has_had_no_time_to_connect() -> None:
    async def main(loop: VirtualLoop) -> list[str | None]:
        room, host = await opened(loop, takeover_seconds=60)
        await asyncio.sleep(300)
        await room.ask(host.token, protocol.SayReady(is_ready=True))
        await room.ask(host.token, protocol.Start())
        stand_ins = []
        for seconds in (50, 20):
            await asyncio.sleep(seconds)
            stand_ins.append(room.state.places[0].stand_in)
        return stand_ins

    assert run(main) == [None, "careful"]


def test_requests_over_http_show_that_a_member_is_there() -> None:
    async def main(loop: VirtualLoop) -> str | None:
        room, host = await opened(loop, takeover_seconds=60)
        await room.ask(host.token, protocol.SayReady(is_ready=True))
        await room.ask(host.token, protocol.Start())
        for _ in range(3):
            await asyncio.sleep(40)
            await room.ask(host.token, protocol.HoldClock(do="pause"))
        return room.state.places[0].stand_in

    assert run(main) is None
