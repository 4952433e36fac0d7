"""A failing log: what cannot be written is not published, and nothing that was written is lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import pytest

from roundtable.core.actions import Say
from roundtable.core.errors import RoomRefused
from roundtable.core.game import OPEN_TALK
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import Session
from roundtable.server.limits import Limits
from roundtable.server.metrics import Metrics
from roundtable.server.sockets import Sockets
from roundtable.storage import Conflict
from support.room_harness import (
    HOUR,
    TIMED,
    RoomMember,
    UnreliableLog,
    code_of,
    entries_of,
    expiries,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop, registry_of


@pytest.fixture(autouse=True)
def _without_complaints(caplog: pytest.LogCaptureFixture) -> None:
    """Ignore what the server logs about its disk."""
    caplog.set_level(logging.CRITICAL)


@virtual_time_test
async def test_what_cannot_be_written_is_refused_as_busy_and_has_not_happened(loop: VirtualLoop) -> None:
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log)
    await propose(harness)
    vote = CastVote(phase=phase_of(harness.room), approve=True)
    heard = [guest.events for guest in harness.people]
    log.writes = False
    assert await harness.host.act(vote, "vote") == "room/busy"
    assert await harness.host.ask(ask.CallItOff(), "off") == "room/busy"
    with pytest.raises(RoomRefused) as refused:
        await harness.room.join("Late", watch=True)
    assert code_of(refused) == "room/busy"
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.open(bodies.OpenRoom(name="Ann"))
    assert code_of(refused) == "room/busy"
    await asyncio.sleep(5)
    assert [guest.events for guest in harness.people] == heard
    log.writes = True
    assert await harness.host.act(vote, "vote") == "done"
    assert [entry.id for entry in entries_of(harness.room)].count("vote") == 1
    for guest in harness.people:
        assert guest.heard == list(range(1, len(guest.heard) + 1))
    assert len(harness.host.shown["members"]) == 5


@virtual_time_test
async def test_a_log_that_cannot_even_be_read_sends_everybody_away_and_loses_nothing(loop: VirtualLoop) -> None:
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log)
    await propose(harness)
    vote = CastVote(phase=phase_of(harness.room), approve=True)
    heard = [guest.events for guest in harness.people]
    log.writes = log.reads = False
    assert await harness.host.act(vote, "vote") == "room/busy"
    with pytest.raises(RoomRefused) as refused:
        await harness.room.look()
    assert code_of(refused) == "room/busy"
    assert [guest.closed for guest in harness.people] == [(1013, "room/busy")] * 5
    registry, code = harness.registry, harness.code
    questions: list[Coroutine[Any, Any, Any]] = [registry.find(code), registry.listed(), registry.record(code, 1)]
    for question in questions:
        with pytest.raises(RoomRefused) as refused:
            await question
        assert code_of(refused) == "room/busy"
    await asyncio.sleep(100)
    log.writes = log.reads = True
    room = await harness.registry.find(harness.code)
    assert [guest.events for guest in harness.people] == heard
    back = await harness.host.again(room, number=1, heard=harness.host.heard[-1])
    assert back.events == []
    assert await back.act(vote, "vote") == "done"


@virtual_time_test
async def test_a_room_that_was_given_up_does_not_come_back_to_life_beside_the_one_that_was_read_since(
    loop: VirtualLoop,
) -> None:
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log, takeover_seconds=5)
    log.writes = log.reads = False
    assert await harness.host.act(Say(channel=OPEN_TALK, text="Hello?")) == "room/busy"
    await harness.host.here()
    log.writes = log.reads = True
    room = await harness.registry.find(harness.code)
    assert room is not harness.room
    people = [await guest.again(room) for guest in harness.people]
    for guest in harness.people:
        await guest.leave()  # the server notices late that the old connections are gone
    await asyncio.sleep(60)
    assert [seat["stand_in"] for seat in people[0].shown["seats"]] == [None] * 5
    with pytest.raises(RoomRefused) as refused:
        await harness.room.look()
    assert code_of(refused) == "room/busy"


@virtual_time_test
async def test_a_request_that_waits_when_the_server_stops_is_answered(loop: VirtualLoop) -> None:
    class Slow(UnreliableLog):
        async def append(self, *more: Any) -> None:
            await asyncio.sleep(1)
            await super().append(*more)

    harness = await room_with_members(loop, 1, log=Slow())
    asked = asyncio.ensure_future(harness.room.ask(harness.host.token or "", ask.SeatBot(seat=4)))
    await asyncio.sleep(0.5)
    await harness.registry.stop()
    with pytest.raises(RoomRefused) as refused:
        await asked
    assert code_of(refused) == "room/busy"


@virtual_time_test
async def test_a_deadline_that_could_not_be_written_falls_when_the_log_is_back(loop: VirtualLoop) -> None:  # C5
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log, options=TIMED, takeover_seconds=None)
    heard = [guest.events for guest in harness.people]
    log.writes = False
    tried = log.tried
    await asyncio.sleep(60)
    assert 1 <= log.tried - tried <= 200  # it retries, and other rooms go on meanwhile
    assert [guest.events for guest in harness.people] == heard
    log.writes = True
    await asyncio.sleep(1)
    assert len(expiries(harness.room)) == 1


@virtual_time_test
async def test_a_deadline_falls_in_a_room_that_could_not_be_read_even_by_those_who_looked_for_it(
    loop: VirtualLoop,
) -> None:  # C5
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log, options=TIMED, takeover_seconds=None)
    log.writes = log.reads = False
    assert await harness.host.act(Say(channel=OPEN_TALK, text="Hello?")) == "room/busy"
    await harness.host.here()
    with pytest.raises(RoomRefused) as refused:
        await harness.registry.find(harness.code)
    assert code_of(refused) == "room/busy"
    assert not harness.registry.rooms
    log.writes = log.reads = True
    await asyncio.sleep(35)
    assert len(expiries(harness.registry.rooms[harness.code])) == 1


@pytest.mark.slow
@virtual_time_test
async def test_bots_whose_moves_could_not_be_written_play_on_when_the_log_is_back(loop: VirtualLoop) -> None:
    log = UnreliableLog()
    harness = await room_with_members(loop, 1, log=log)
    assert await harness.host.ask(ask.LeaveSeat()) == "done"
    for seat in range(5):
        assert await harness.host.ask(ask.SeatBot(seat=seat, bot="random")) == "done"
    assert await harness.host.ask(ask.Start()) == "done"
    log.writes = False
    await asyncio.sleep(30)
    log.writes = True
    await asyncio.sleep(HOUR)
    assert harness.room.state.stage == "over"


@virtual_time_test
async def test_a_seat_that_could_not_be_given_back_is_given_back_later_and_every_act_is_answered(
    loop: VirtualLoop,
) -> None:
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log, idle_seconds=30)
    await asyncio.sleep(33)
    assert harness.room.state.places[3].stand_in
    log.writes = False
    assert await harness.people[3].act(Say(channel=OPEN_TALK, text="I am back"), "back") == "room/busy"
    log.writes = True
    assert await harness.people[3].act(Say(channel=OPEN_TALK, text="I am back"), "back") == "done"
    assert harness.room.state.places[3].stand_in is None


@virtual_time_test
async def test_those_who_look_for_one_room_at_the_same_time_get_the_same_answer(loop: VirtualLoop) -> None:
    log = UnreliableLog()
    harness = await room_with_members(loop, 1, log=log)
    await harness.registry.stop()
    registry = registry_of(loop, log)
    log.reads = False
    failed = await asyncio.gather(*(registry.find(harness.code) for _ in range(3)), return_exceptions=True)
    assert [getattr(problem, "code", None) for problem in failed] == ["room/busy"] * 3
    log.reads = True
    first = asyncio.ensure_future(registry.find(harness.code))
    others = [asyncio.ensure_future(registry.find(harness.code)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()  # the first client has disconnected
    rooms = await asyncio.gather(*others)
    assert len(set(map(id, rooms))) == 1


@virtual_time_test
async def test_a_server_that_keeps_writing_first_does_not_make_a_room_give_a_wrong_answer(loop: VirtualLoop) -> None:
    class Crowded(UnreliableLog):
        """A log in which another server always writes first."""

        async def append(self, room: str, *more: Any) -> None:
            self.tried += 1
            if not self.writes:
                raise Conflict(room)
            await super().append(room, *more)

    log = Crowded()
    harness = await room_with_members(loop, 2, log=log)
    log.writes = False
    assert await harness.host.ask(ask.Chat(text="Hello"), "hello") == "room/busy"
    log.writes = True
    assert await harness.host.ask(ask.Chat(text="Hello"), "hello") == "done"
    assert [line["text"] for line in harness.people[1].all("Chatted")] == ["Hello"]


@pytest.mark.parametrize(("reads", "closed"), [(True, (4003, "room/unknown")), (False, (1013, "room/busy"))])
@virtual_time_test
async def test_a_socket_learns_whether_there_is_no_such_room_or_it_cannot_be_read(
    loop: VirtualLoop, reads: bool, closed: tuple[int, str]
) -> None:
    log = UnreliableLog()
    log.reads = reads
    sockets = Sockets(registry_of(loop, log), Limits(), Metrics())
    enter = {"type": "websocket.receive", "text": '{"is":"Enter"}'}
    said = iter([{"type": "websocket.connect"}, enter])
    told: list[Any] = []

    async def receive() -> Any:
        return next(said, {"type": "websocket.disconnect"})

    async def send(message: Any) -> None:
        told.append(message)

    scope = {"type": "websocket", "path": "/socket/ABCDEF", "client": ("192.0.2.1", 1)}
    await sockets(scope, receive, send)
    assert (told[-1]["code"], told[-1]["reason"]) == closed


@virtual_time_test
async def test_who_enters_while_a_room_gives_up_is_told_to_come_again(loop: VirtualLoop) -> None:
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log)
    log.writes = False
    assert await harness.host.act(Say(channel=OPEN_TALK, text="Hello?")) == "room/busy"
    log.reads = False  # the room cannot be read again either: it stops at the next command
    first, second = RoomMember(harness.room, harness.host.token), RoomMember(harness.room, harness.people[1].token)
    for guest in (first, second):
        harness.room.enter(guest.session, guest.entering())
    await settle()
    assert [first.closed, second.closed] == [(1013, "room/busy")] * 2
    third = await harness.people[2].again(harness.room)  # a caller still holds the room that has stopped
    assert third.closed == (1013, "room/busy")


@virtual_time_test
async def test_who_enters_while_a_room_is_put_away_is_told_to_come_again(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    guest = RoomMember(harness.room, harness.host.token)
    harness.room.enter(guest.session, guest.entering())
    harness.room.stop()
    await settle()
    assert guest.closed == (1013, "room/busy")


@virtual_time_test
async def test_a_mistake_of_ours_leaves_no_client_waiting(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = await room_with_game(loop)
    monkeypatch.setattr(Session, "enter", lambda *_: 1 / 0)
    assert (await harness.host.again()).closed == (1011, "server/broken")
    monkeypatch.undo()
    assert (await harness.host.again()).closed is None


@virtual_time_test
async def test_a_deadline_is_kept_in_a_room_that_had_to_give_up(loop: VirtualLoop) -> None:  # C5
    log = UnreliableLog()
    harness = await room_with_game(loop, log=log, options={"propose_seconds": 40}, takeover_seconds=None)
    await asyncio.sleep(34)
    log.writes = log.reads = False
    assert await harness.host.act(Say(channel=OPEN_TALK, text="Hello?")) == "room/busy"
    await harness.host.here()
    assert harness.host.closed == (1013, "room/busy")
    await asyncio.sleep(3)
    log.writes = log.reads = True
    await asyncio.sleep(3.9)
    assert expiries(harness.registry.rooms[harness.code])
