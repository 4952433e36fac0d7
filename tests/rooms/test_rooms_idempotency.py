"""Request ids: every message gets one answer, and a repeated one changes nothing."""

from __future__ import annotations

import pytest

from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.protocol import rooms as ask
from roundtable.storage import MemoryLog
from support.room_harness import (
    entries_of,
    leader_of,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    settle,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop


@virtual_time_test
async def test_a_repeated_move_gets_the_same_answer_and_is_made_once(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    await propose(harness)
    vote = CastVote(phase=phase_of(harness.room), approve=True)
    guest = harness.people[2]
    assert await guest.act(vote, "vote") == "done"
    before = (len(entries_of(harness.room)), len(await log.read(harness.code)))
    assert await guest.act(vote, "vote") == "done"
    assert await (await guest.again()).act(vote, "vote") == "done"
    assert await guest.act(CastVote(phase=vote.phase, approve=False), "vote") == "action/id_reused"
    assert (len(entries_of(harness.room)), len(await log.read(harness.code))) == before
    await harness.restart(log)
    back = await guest.again(harness.room)
    assert await back.act(vote, "vote") == "done"
    assert await back.act(CastVote(phase=vote.phase, approve=False), "vote") == "action/id_reused"
    assert (len(entries_of(harness.room)), len(await log.read(harness.code))) == before


@virtual_time_test
async def test_a_move_whose_answer_was_lost_is_answered_after_the_game_and_in_the_next_one(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    leader = leader_of(harness)
    team = leader.offered()[0]
    assert await leader.act(team, "team") == "done"
    await harness.host.ask(ask.CallItOff())
    assert await leader.act(team, "team") == "done"
    await harness.host.ask(ask.Rematch())
    assert await leader.act(team, "team") == "done"
    assert await leader.act(team, "other") == "room/stage"
    await harness.start()
    assert await leader.act(team, "team") == "done"
    assert not any(isinstance(entry.action, ProposeTeam) for entry in entries_of(harness.room))
    await harness.restart(log)
    back = await leader.again(harness.room)
    assert await back.act(team, "team") == "done"
    assert not any(isinstance(entry.action, ProposeTeam) for entry in entries_of(harness.room))


@virtual_time_test
async def test_an_id_stands_for_one_thing_for_ever_in_the_room_and_in_every_game(loop: VirtualLoop) -> None:  # C2
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    leader = leader_of(harness)
    team = leader.offered()[0]
    assert await leader.act(team, "1") == "done"
    await harness.host.ask(ask.CallItOff())
    await harness.host.ask(ask.Rematch())
    assert await harness.host.ask(ask.SayReady(is_ready=True), "ready") == "done"
    assert await harness.host.ask(ask.SayReady(is_ready=True), "ready") == "done"
    assert await harness.host.ask(ask.Chat(text="Hello"), "ready") == "action/id_reused"
    await harness.start()
    other = CastVote(phase=phase_of(harness.room), approve=True)
    assert await leader.act(other, "1") == "action/id_reused"
    await harness.restart(log)
    back = await leader.again(harness.room)
    assert await back.act(other, "1") == "action/id_reused"
    assert await back.act(team, "1") == "done"
    host = await harness.host.again(harness.room)
    assert await host.ask(ask.Chat(text="Hello"), "ready") == "action/id_reused"


@virtual_time_test
async def test_a_refused_move_gets_the_same_refusal_again(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    early = CastVote(phase=phase_of(harness.room) + 1, approve=True)
    assert await harness.host.act(early, "early") == "action/late"
    await propose(harness)
    assert phase_of(harness.room) == early.phase
    assert await harness.host.act(early, "early") == "action/late"
    assert await harness.host.act(early, "in time") == "done"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "You can’t propose that team. Choose 2 different players."),
        ("vi-VN", "Bạn không đề cử đội đó được. Hãy chọn 2 người khác nhau."),
        ("tlh", "You can’t propose that team. Choose 2 different players."),
    ],
)
@virtual_time_test
async def test_a_refusal_is_in_the_language_of_the_connection(loop: VirtualLoop, lang: str, said: str) -> None:
    harness = await room_with_game(loop)
    leader = await leader_of(harness).again(lang=lang)
    whole_table = ProposeTeam(phase=phase_of(harness.room), team=frozenset(range(5)))
    for _ in range(2):  # a repeat gets the same answer
        assert await leader.act(whole_table, "too many") == "action/not_allowed"
        assert leader.last("Refused")["message"] == said
        assert leader.last("Refused")["values"]["count"] == 2


@virtual_time_test
async def test_a_move_for_a_phase_that_is_over_is_refused(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    phase = phase_of(harness.room)
    await propose(harness)
    assert await harness.host.act(CastVote(phase=phase, approve=True)) == "action/late"


@pytest.mark.parametrize("id", ["", "x" * 65, "line\nbreak", "ưu"])
@virtual_time_test
async def test_what_carries_no_proper_id_is_refused_and_not_done(loop: VirtualLoop, id: str) -> None:
    harness = await room_with_members(loop, 2)
    harness.host.room.say(harness.host.session, ask.Ask(id=id, request=ask.SeatBot(seat=4)))
    await settle()
    assert harness.host.last("Refused") == {
        "is": "Refused",
        "id": "",
        "code": "action/bad_id",
        "message": "An id has 1 to 64 printable ASCII characters.",
        "values": {"most": 64},
    }
    assert harness.room.state.places[4].is_free


@virtual_time_test
async def test_a_repeated_request_gets_the_same_answer_and_is_granted_once(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 3, log=log)
    requests: list[ask.Request] = [
        ask.SeatBot(seat=4, bot="random"),
        ask.RemoveBot(seat=4),
        ask.SeatBot(seat=4, bot="random"),
        ask.Chat(text="Hello"),
        ask.Kick(member=3),
    ]
    for number, request in enumerate(requests):
        assert await harness.host.ask(request, f"r{number}") == "done"
    before = await log.read(harness.code)
    for number, request in enumerate(requests):
        assert await harness.host.ask(request, f"r{number}") == "done"
        await harness.room.ask(harness.host.token or "", request, f"r{number}")
    assert await log.read(harness.code) == before
    await harness.restart(log)
    back = await harness.host.again(harness.room)
    for number, request in enumerate(requests):
        assert await back.ask(request, f"r{number}") == "done"
    assert await log.read(harness.code) == before


@virtual_time_test
async def test_an_id_is_its_owners_alone(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    assert await harness.host.ask(ask.Chat(text="Mine"), "same") == "done"
    assert await harness.people[1].ask(ask.Chat(text="Also mine"), "same") == "done"
    assert [line["text"] for line in harness.host.all("Chatted")] == ["Mine", "Also mine"]


@virtual_time_test
async def test_a_repeated_start_starts_one_game(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_members(loop, 5, log=log)
    for guest in harness.people:
        await guest.ask(ask.SayReady(is_ready=True))
    assert await harness.host.ask(ask.Start(), "start") == "done"
    await harness.restart(log)
    back = await harness.host.again(harness.room)
    assert await back.ask(ask.Start(), "start") == "done"
    assert (harness.room.state.number, harness.room.state.stage) == (1, "playing")
    assert await back.ask(ask.Start(), "again") == "room/stage"
