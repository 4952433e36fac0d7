"""What a client sends, or what fails because of it, moves no deadline of the table and makes the room read nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from msgspec import Raw

from roundtable.core.actions import AskCallOff, Say
from roundtable.core.errors import RoomRefused
from roundtable.core.game import OPEN_TALK
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import Act
from roundtable.protocol import rooms as ask
from roundtable.rooms import game
from roundtable.storage import LogFailed, RoomSummary, Row
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    UnreliableLog,
    code_of,
    entries_of,
    expiries,
    phase_of,
    propose,
    room_with_game,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop

EVERY = 0.4  # seconds between two attempts: more often than the timer tries again after a failure


async def table(loop: VirtualLoop, **more: Any) -> RoomHarness:
    return await room_with_game(loop, options=TIMED, takeover_seconds=None, **more)


async def require_deadline_while(harness: RoomHarness, attack: Callable[[], Awaitable[object]]) -> int:
    """Attack until the deadline of the phase has passed, which has to be on time; how many attacks there were."""
    ends_at, attacks = harness.room.state.clock.ends_at, 0
    assert ends_at is not None
    while harness.loop.now() < ends_at + 1000:
        await attack()
        attacks += 1
        await asyncio.sleep(EVERY)
    assert [harness.room.state.times[place] for place in expiries(harness.room)] == [ends_at]
    return attacks


async def refusal_of(guest: RoomMember, id: str, action: str) -> str:
    """The code with which an action of this text is refused."""
    answered = len(guest.answers)
    guest.room.say(guest.session, Act(id=id, action=Raw(action.encode())))
    await settle()
    (answer,) = guest.answers[answered:]
    return str(answer["code"])


@pytest.mark.parametrize("action", ['{"a":1e400}', '{"is":"CastVote","phase":1e999,"approve":true}', "[-1e400]"])
@virtual_time_test
async def test_a_number_out_of_range_under_an_id_of_an_earlier_game_is_only_unreadable(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture, action: str
) -> None:
    harness = await table(loop)
    guest = harness.people[3]
    assert await guest.act(AskCallOff(), "old") == "done"
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    await harness.start()
    reloads = harness.room.state.reloads

    async def attack() -> None:
        assert await refusal_of(guest, "old", action) == "text/unreadable"

    await require_deadline_while(harness, attack)
    assert harness.room.state.reloads == reloads
    assert not [line for line in caplog.records if line.levelno >= logging.WARNING]


@virtual_time_test
async def test_a_planted_defect_is_answered_and_reported_and_no_deadline_moves(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = await table(loop)
    guest, before, reloads = harness.people[3], game.is_played_for, harness.room.state.reloads

    def broken(room: Any, session: Any) -> bool:
        return bool(1 / 0) if session.member == guest.member else before(room, session)

    monkeypatch.setattr(game, "is_played_for", broken)

    async def attack() -> None:
        assert await guest.act(AskCallOff()) == "server/broken"

    attacks = await require_deadline_while(harness, attack)
    assert attacks > 50
    assert len(caplog.records) == attacks  # `server/log_limits.py` leaves most of them out
    assert harness.room.state.reloads == reloads


@virtual_time_test
async def test_a_request_by_http_that_meets_a_planted_defect_is_told_so(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = await table(loop)
    monkeypatch.setattr(game, "_running", lambda room: 1 / 0)
    with pytest.raises(RoomRefused) as refused:
        await harness.room.ask(harness.host.token or "", ask.CallItOff())
    assert code_of(refused) == "server/broken"


@virtual_time_test
async def test_a_planted_defect_after_a_move_undoes_the_move(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = await table(loop)
    await propose(harness)
    vote = CastVote(phase=phase_of(harness.room), approve=True)
    written, heard = list(entries_of(harness.room)), [guest.heard for guest in harness.people]
    with monkeypatch.context() as planted:
        planted.setattr(game, "is_public", lambda entry: 1 / 0)
        assert await harness.host.act(vote, "vote") == "server/broken"
    assert [guest.heard for guest in harness.people] == heard
    await harness.host.here()
    assert entries_of(harness.room) == written
    assert await harness.host.act(vote, "vote") == "done"


class PartlyFullLog(UnreliableLog):
    """A log that fails to write every row in which there is a certain word."""

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        if any(b"unwritable" in row.line for row in rows):
            raise LogFailed("The disk is full.")
        await super().append(room, known, rows, summary)


@virtual_time_test
async def test_lines_of_one_member_that_cannot_be_written_move_no_deadline(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    harness = await table(loop, log=PartlyFullLog())
    guest = harness.people[3]

    async def attack() -> None:
        assert await guest.act(Say(channel=OPEN_TALK, text="unwritable")) == "room/busy"

    await require_deadline_while(harness, attack)
    assert await harness.host.act(Say(channel=OPEN_TALK, text="writable")) == "done"


@virtual_time_test
async def test_a_vote_that_cannot_be_written_does_not_put_off_the_deadline_of_its_phase(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    """The last vote would begin the next phase, which has a later deadline."""
    harness = await table(loop, log=PartlyFullLog())
    await propose(harness)
    vote = CastVote(phase=phase_of(harness.room), approve=True)
    for guest in harness.people[:4]:
        assert await guest.act(vote) == "done"

    async def attack() -> None:
        if phase_of(harness.room) == vote.phase:
            assert await harness.people[4].act(vote, "unwritable") == "room/busy"

    await require_deadline_while(harness, attack)
