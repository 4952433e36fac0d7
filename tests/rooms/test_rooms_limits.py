"""How much one seat or member can write in a game and between games: who reaches a limit is refused, and none else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from roundtable.core.actions import AskCallOff, AskCountdown, Say
from roundtable.core.errors import RoomRefused
from roundtable.core.game import OPEN_TALK
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from roundtable.rooms import dispatcher, game
from roundtable.rooms.game import MOST_ACTS_IN_PHASE, MOST_TALK
from roundtable.rooms.members import MOST_NAMES
from roundtable.rooms.room import COMMANDS_PER_TURN
from roundtable.storage import MemoryLog
from support.room_harness import (
    TIMED,
    RoomHarness,
    RoomMember,
    code_of,
    entries_of,
    expiries,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop

LINE = "x" * 400


async def change_votes(guest: RoomMember, times: int) -> None:
    phase = phase_of(guest.room)
    for number in range(times):
        vote = CastVote(phase=phase, approve=number % 2 == 0)
        assert await guest.act(vote, f"vote {phase}.{number}") == "done"


def received_since(people: list[RoomMember], before: list[int]) -> list[list[dict[str, Any]]]:
    return [guest.received[start:] for guest, start in zip(people, before, strict=True)]


@virtual_time_test
async def test_a_seat_that_changes_its_vote_for_ever_is_refused_and_no_other_seat_notices(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log, options=TIMED, takeover_seconds=None)
    await propose(harness)
    guest, others = harness.people[3], [*harness.people[:3], harness.people[4], await harness.watch()]
    before = [len(other.received) for other in others]
    await change_votes(guest, MOST_ACTS_IN_PHASE)
    vote = CastVote(phase=phase_of(harness.room), approve=True)
    for _ in range(3):
        assert await guest.act(vote) == "action/too_often"
    assert await guest.act(AskCallOff()) == "action/too_often"
    assert await guest.act(vote, f"vote {vote.phase}.0") == "done"  # a repeat
    assert await guest.act(Say(channel=OPEN_TALK, text="Hm.")) == "done"
    for told in received_since(others, before):  # that the seat has voted, once, and what it said
        assert [message["event"]["is"] for message in told] == ["BallotCast", "Said"]
    await harness.restart(log)
    harness.people = [await guest.again(harness.room) for guest in harness.people]
    assert await harness.people[3].act(vote) == "action/too_often"
    for other in (0, 1, 2, 4):
        assert await harness.people[other].act(vote) == "done"
    assert phase_of(harness.room) > vote.phase  # the last vote stood
    assert await harness.people[3].act(AskCallOff()) == "done"


@virtual_time_test
async def test_a_seat_at_its_limit_for_the_game_leaves_the_rest_to_the_clock(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "MOST_ACTS", 20)
    harness = await room_with_game(loop, options=TIMED, takeover_seconds=None)
    await propose(harness)
    proposed = sum(entry.actor == 3 for entry in entries_of(harness.room))
    await change_votes(harness.people[3], 20 - proposed)
    await asyncio.sleep(21)
    assert expiries(harness.room)
    assert await harness.people[3].act(AskCountdown(phase=phase_of(harness.room))) == "action/too_often"
    assert await harness.people[1].act(AskCallOff()) == "done"
    assert await harness.host.ask(ask.CallItOff()) == "done"


@virtual_time_test
async def test_the_host_cannot_pause_and_resume_for_ever_but_can_call_it_off(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, options=TIMED)
    for number in range(MOST_ACTS_IN_PHASE):
        request = ask.HoldClock(do="resume" if number % 2 else "pause")
        assert await harness.host.ask(request, f"hold {number}") == "done"
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "action/too_often"
    with pytest.raises(RoomRefused) as refused:
        await harness.room.ask(harness.host.token or "", ask.HoldClock(do="extend"))
    assert code_of(refused) == "action/too_often"
    assert await harness.host.ask(ask.HoldClock(do="pause"), "hold 0") == "done"  # a repeat
    assert await harness.people[1].act(AskCallOff()) == "done"
    await asyncio.sleep(35)
    assert expiries(harness.room)
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "done"
    assert await harness.host.ask(ask.CallItOff()) == "done"


async def talk(harness: RoomHarness, guest: RoomMember, *, in_game: bool) -> int:
    """Talk until it is too much; how many lines that took."""
    for number in range(10_000):
        await asyncio.sleep(1)
        own = f"line {number} {in_game}"
        said = guest.act(Say(channel=OPEN_TALK, text=LINE), own) if in_game else guest.ask(ask.Chat(text=LINE), own)
        if (answer := await said) != "done":
            assert answer == "talk/too_much"
            return number
    raise AssertionError("There is no limit.")


@virtual_time_test
async def test_a_member_has_so_much_to_say_in_a_game_and_between_games(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 5, log=log, takeover_seconds=None)
    guest = harness.people[2]
    lines = await talk(harness, guest, in_game=False)
    assert MOST_TALK / 2 < lines * len(LINE) < MOST_TALK
    assert await guest.ask(ask.Chat(text=LINE), f"line {lines - 1} False") == "done"  # a repeat
    assert await harness.people[1].ask(ask.Chat(text="Quiet now.")) == "done"
    await harness.start()
    assert MOST_TALK / 2 < await talk(harness, guest, in_game=True) * len(LINE) < MOST_TALK
    assert await guest.act(Say(channel=OPEN_TALK, text=LINE), "line 0 True") == "done"  # a repeat
    assert await harness.people[1].act(Say(channel=OPEN_TALK, text="Quiet now.")) == "done"
    await harness.restart(log)
    guest = await guest.again(harness.room)
    assert await guest.act(Say(channel=OPEN_TALK, text=LINE)) == "talk/too_much"
    assert await guest.act(AskCallOff()) == "done"
    host = await harness.host.again(harness.room)
    assert await host.ask(ask.CallItOff()) == "done"
    assert await guest.ask(ask.Chat(text="Well played.")) == "done"


@virtual_time_test
async def test_a_member_who_changes_the_room_for_ever_is_refused(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "MOST_REQUESTS", 30)
    harness = await room_with_members(loop, 5)
    guest = harness.people[2]
    for number in range(30):
        assert await guest.ask(ask.SayReady(is_ready=number % 2 == 1), f"r{number}") == "done"
    assert await guest.ask(ask.TakeSeat(seat=2)) == "action/too_often"
    assert await guest.ask(ask.SayReady(is_ready=False), "r0") == "done"  # a repeat
    assert await guest.ask(ask.Chat(text="I am stuck.")) == "done"
    for number in range(30):
        change = ask.SettingsChange(bot_pace=("quick", "human")[number % 2])
        assert await harness.host.ask(ask.ChangeSettings(settings=change)) == "done"
    assert await harness.host.ask(ask.ChangeTable(seats=6)) == "action/too_often"
    for other in (1, 3, 4):
        assert await harness.people[other].ask(ask.SayReady(is_ready=True)) == "done"
    assert await harness.host.ask(ask.Start()) == "room/not_ready"
    assert await harness.host.ask(ask.Kick(member=guest.member)) == "done"
    assert await harness.people[1].ask(ask.Leave()) == "done"


@virtual_time_test
async def test_a_member_who_changes_their_name_for_ever_is_refused(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    guest, before = harness.people[2], len(harness.people[1].received)
    answers = [await guest.ask(ask.ChangeProfile(name=f"Name {number}"), f"n{number}") for number in range(30)]
    assert answers == MOST_NAMES * ["done"] + (30 - MOST_NAMES) * ["action/too_often"]
    assert len(received_since([harness.people[1]], [before])[0]) == MOST_NAMES
    assert await guest.ask(ask.ChangeProfile(name="Name 0"), "n0") == "done"  # a repeat
    assert await guest.ask(ask.ChangeProfile(name=f"Name {MOST_NAMES - 1}", avatar="fox-teal")) == "done"
    assert await harness.people[1].ask(ask.ChangeProfile(name="Bao")) == "done"
    await harness.restart(log)
    harness.people = [await one.again(harness.room) for one in harness.people]
    guest, host = harness.people[2], harness.people[0]
    assert await guest.ask(ask.ChangeProfile(name="One more")) == "action/too_often"
    assert await host.ask(ask.CallItOff()) == "done"
    assert await host.ask(ask.Rematch()) == "done"
    await harness.start()
    assert await guest.ask(ask.ChangeProfile(name="One more")) == "done"


@virtual_time_test
async def test_no_game_starts_beyond_a_planted_limit_of_rows(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = await room_with_game(loop)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    for guest in harness.people:
        assert await guest.ask(ask.SayReady(is_ready=True)) == "done"
    monkeypatch.setattr(game, "MOST_ROWS", harness.room.state.version)
    assert await harness.host.ask(ask.Start()) == "room/full"
    monkeypatch.setattr(game, "MOST_ROWS", harness.room.state.version + 1)
    assert await harness.host.ask(ask.Start()) == "done"


@virtual_time_test
async def test_a_flood_of_refused_commands_lets_other_tasks_have_their_turns(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    guest, turns = harness.people[1], 0
    for number in range(40 * COMMANDS_PER_TURN):
        harness.room.say(guest.session, ask.Ask(id=f"{number}", request=ask.Start()))
    while len(guest.all("Refused")) < 40 * COMMANDS_PER_TURN:
        await asyncio.sleep(0)
        turns += 1
    assert turns >= 40
