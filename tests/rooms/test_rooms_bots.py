"""Bots at a live table: they lock in, keep the pace of the room, speak, and are silent when the host wants it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from roundtable.core.actions import Action, Remark
from roundtable.core.entries import Entry
from roundtable.core.game import OPEN_TALK
from roundtable.core.seats import CLOCK
from roundtable.games.quests.actions import CastVote
from roundtable.games.saviom.actions import Accuse, LockIn
from roundtable.protocol import rooms as ask
from roundtable.rooms import InlineBotWorkers
from roundtable.rooms.bot_budget import SLOT
from roundtable.rooms.bot_workers import Question
from roundtable.storage import MemoryLog
from support.prompt_person import QUICK_SAVIOM, measure
from support.room_harness import RoomHarness, entries_of, phase_of, room_with_game, room_with_members, virtual_time_test
from support.virtual_time import VirtualLoop, registry_of

MOST_WAITING = 120.0  # seconds of a game of Saviom, one person and seven bots


class SlowBots(InlineBotWorkers):
    """Bots that think for some time about each question."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def choose(self, question: Question) -> Action | None:
        await asyncio.sleep(self._seconds)
        return await super().choose(question)


async def table_of_bots(
    loop: VirtualLoop, game: str = "saviom", seats: int = 8, bot: str = "careful", **more: Any
) -> RoomHarness:
    """One person and bots; the game has just started."""
    options = QUICK_SAVIOM if game == "saviom" else {}
    harness = await room_with_members(loop, 1, game=game, seats=seats, options=options, **more)
    assert await harness.host.ask(ask.SeatBot(bot=bot)) == "done"
    assert await harness.host.ask(ask.SayReady(is_ready=True)) == "done"
    assert await harness.host.ask(ask.Start()) == "done"
    return harness


def remarks(harness: RoomHarness) -> list[Entry]:
    return [entry for entry in entries_of(harness.room) if isinstance(entry.action, Remark)]


async def until_phase_is_over(harness: RoomHarness, most: int) -> float:
    """How many seconds the phase goes on."""
    begun, phase = harness.loop.time(), phase_of(harness.room)
    while harness.room.state.phase_played == (1, phase) and harness.loop.time() - begun < most:
        await asyncio.sleep(0.1)
    return harness.loop.time() - begun


# No dead time


@pytest.mark.parametrize("seed", range(4))
def test_a_game_of_saviom_against_seven_bots_has_less_than_two_minutes_of_waiting(seed: int) -> None:  # S5
    played = measure("saviom", 8, seed, QUICK_SAVIOM, bot_pace="human", bots_speak=True)
    assert 0 < played.waited < min(MOST_WAITING, played.total)


@virtual_time_test
async def test_a_day_ends_soon_after_the_only_person_has_locked_in(loop: VirtualLoop) -> None:  # S5
    harness = await table_of_bots(loop, bot_pace="human")
    await asyncio.sleep(20)
    day = phase_of(harness.room)
    entries = entries_of(harness.room)
    assert not any(isinstance(entry.action, LockIn) for entry in entries)  # bots wait for the person's vote
    assert sum(isinstance(entry.action, Accuse) for entry in entries) >= 7
    assert await harness.host.act(Accuse(phase=day, target=3)) == "done"
    assert await harness.host.act(LockIn(phase=day)) == "done"
    assert await until_phase_is_over(harness, 30) < 8
    assert not any(entry.actor == CLOCK for entry in entries_of(harness.room))


@virtual_time_test
async def test_a_table_of_bots_alone_never_waits_for_the_clock(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 1, game="saviom", seats=8, options=QUICK_SAVIOM, bot_pace="human")
    assert await harness.host.ask(ask.LeaveSeat()) == "done"
    assert await harness.host.ask(ask.SeatBot()) == "done"
    assert await harness.host.ask(ask.Start()) == "done"
    while harness.room.state.is_playing:
        assert await until_phase_is_over(harness, 30) < 15
        await harness.host.here()
    assert not any(entry.actor == CLOCK for entry in entries_of(harness.room))


@virtual_time_test
async def test_a_person_on_trial_is_heard_before_bots_judge(loop: VirtualLoop) -> None:  # S7
    harness = await table_of_bots(loop, seats=6, bot_pace="human", bots_speak=False)
    room, seat = harness.room, 0
    assert room.play is not None
    for accuser in range(1, 6):
        room.play.act(accuser, Accuse(phase=phase_of(room), target=seat))
    room.play.expire()
    assert room.play.state.accused == seat
    before = len(entries_of(room))
    await harness.host.ask(ask.ChangeSettings(settings=ask.SettingsChange(is_public=True)))  # the room notices
    await asyncio.sleep(5)
    assert len(entries_of(room)) == before
    await asyncio.sleep(10)
    assert len(entries_of(room)) > before


# Pace


def seconds_of_votes(pace: str, bot: str = "careful", thinking: float = 0) -> list[float]:
    """How long after the proposal each bot's vote comes, if bots really think for so many seconds."""
    found: list[float] = []

    @virtual_time_test
    async def measure_votes(loop: VirtualLoop) -> None:
        registry = registry_of(loop, None, 0, SlowBots(thinking))
        harness = await table_of_bots(loop, "avalon", 7, bot, registry=registry, bot_pace=pace)
        while harness.room.play is None or harness.room.play.phase.name != "vote":
            offered = [move for move in harness.host.offered() if move["is"] == "ProposeTeam"]
            if offered:
                await harness.host.act(offered[0])
            await asyncio.sleep(0.01)
        await asyncio.sleep(20)
        times = harness.room.state.times
        votes = [place for place, entry in enumerate(entries_of(harness.room)) if isinstance(entry.action, CastVote)]
        found.extend((times[place] - times[votes[0] - 1]) / 1000 for place in votes)

    measure_votes()
    return found


def test_bots_answer_one_after_the_other_at_the_pace_of_the_room() -> None:
    votes = {pace: seconds_of_votes(pace) for pace in ("instant", "quick", "human", "slow")}
    assert {len(times) for times in votes.values()} == {6}
    assert set(votes["instant"]) == {0.0}
    for pace in ("quick", "human", "slow"):
        assert len(set(votes[pace])) == 6
    assert max(votes["quick"]) < max(votes["human"]) < max(votes["slow"])


@pytest.mark.parametrize("pace", ["quick", "human", "slow"])
def test_when_a_strong_bot_moves_does_not_depend_on_how_long_it_thought(pace: str) -> None:  # C8
    """Within the time that the budget of a server gives it."""
    at_once = seconds_of_votes(pace, "strong")
    assert len(at_once) == 6
    assert seconds_of_votes(pace, "strong", thinking=SLOT / 3) == at_once
    assert seconds_of_votes(pace, "strong", thinking=SLOT) == at_once


# Talk


@virtual_time_test
async def test_bots_speak_in_a_day_and_only_a_few_times(loop: VirtualLoop) -> None:
    harness = await table_of_bots(loop, bot_pace="human", bots_speak=True)
    await asyncio.sleep(30)
    said = remarks(harness)
    assert 2 <= len(said) <= 3
    assert len({entry.actor for entry in said}) == len(said)
    assert all(isinstance(entry.action, Remark) and entry.action.channel == OPEN_TALK for entry in said)


@virtual_time_test
async def test_a_bot_answers_a_person_who_asks_why(loop: VirtualLoop) -> None:
    harness = await table_of_bots(loop, "avalon", 5, bot_pace="human", bots_speak=True)
    await asyncio.sleep(20)  # all who speak in this phase by themselves have spoken
    before = len(remarks(harness))
    bot = next(seat for seat, place in enumerate(harness.room.state.places) if place.bot)
    assert await harness.host.act(Remark(channel=OPEN_TALK, phrase="why", about=bot, word=None)) == "done"
    await asyncio.sleep(5)
    question, *answers = remarks(harness)[before:]
    assert question.actor == 0
    assert [answer.actor for answer in answers] == [bot]


@virtual_time_test
async def test_the_host_silences_one_bot_or_all(loop: VirtualLoop) -> None:
    harness = await table_of_bots(loop, "avalon", 5, bot_pace="quick", bots_speak=True)
    bot = next(seat for seat, place in enumerate(harness.room.state.places) if place.bot)
    why = Remark(channel=OPEN_TALK, phrase="why", about=bot, word=None)

    async def answers() -> int:
        await asyncio.sleep(10)
        before = len(remarks(harness))
        assert await harness.host.act(why) == "done"
        await asyncio.sleep(10)
        return len(remarks(harness)) - before - 1

    assert await harness.host.ask(ask.SilenceBot(seat=bot, is_silenced=True)) == "done"
    assert harness.host.shown["seats"][bot]["is_silenced"]
    assert await answers() == 0
    assert await harness.host.ask(ask.SilenceBot(seat=bot, is_silenced=False)) == "done"
    assert await answers() == 1
    change = ask.ChangeSettings(settings=ask.SettingsChange(bots_speak=False))
    assert await harness.host.ask(change) == "done"
    assert await answers() == 0


@virtual_time_test
async def test_only_the_host_silences_bots_and_only_bots(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 2)
    guest = harness.people[1]
    assert await guest.ask(ask.SilenceBot(seat=3, is_silenced=True)) == "room/not_host"
    assert await harness.host.ask(ask.SilenceBot(seat=1, is_silenced=True)) == "room/seat"
    assert await harness.host.ask(ask.SilenceBot(seat=50, is_silenced=True)) == "room/seat"


@virtual_time_test
async def test_no_bot_repeats_its_remark_after_a_restart(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await table_of_bots(loop, log=log, bot_pace="quick", bots_speak=True)
    await asyncio.sleep(10)
    before = len(remarks(harness))
    assert before >= 2
    await harness.restart(log)
    await harness.host.again(harness.room)
    await asyncio.sleep(10)
    assert len(remarks(harness)) == before
