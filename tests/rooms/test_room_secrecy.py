"""Secrets in rooms: nothing that everyone sees (times, lists, stand-ins) depends on a secret."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, Literal

import pytest

from roundtable.core.actions import Action
from roundtable.core.play import Play
from roundtable.games import game_named, make_setup
from roundtable.games.quests.actions import PlayCard
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import QuestDeal
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.protocol import Act, encoded
from roundtable.protocol import rooms as protocol
from roundtable.rooms import BotWorkers, InlineBotWorkers, Room, RoomRegistry, events
from roundtable.rooms.bot_workers import Question
from roundtable.rooms.events import RoomEvent
from roundtable.rooms.guests import key_of
from roundtable.storage import Log, MemoryLog, RoomSummary, Row, SqliteLog
from support.stored_rooms import written_lines
from support.virtual_time import EPOCH, FakeConnection, VirtualLoop, registry_of, run

CODE = "QUXET2"
AVALON = QuestDeal((Role.SERVANT, Role.SERVANT, Role.MERLIN, Role.ASSASSIN, Role.MINION), 0, 3)
SAVIOM = (SaviomRole.CITIZEN,) * 4 + (SaviomRole.WOLF,) * 2


async def dealt(
    loop: VirtualLoop,
    game: str,
    deal: Any,
    *,
    settings: protocol.Settings,
    bots: BotWorkers | None = None,
    **options: Any,
) -> tuple[RoomRegistry, Room]:
    """A room in which this deal was just made, to members with the tokens 0, 1, 2... or to these bots."""
    play = Play.open(game_named(game), make_setup(game, options.pop("seats"), options), bytes(32))
    play.deal(chosen=deal)
    setup = play.state.setup
    facts: list[RoomEvent] = [
        events.RoomOpened(code=CODE, settings=settings),
        events.SetupChanged(game=game, setup=encoded(setup)),
    ]
    for seat in range(setup.seats):
        facts.append(events.MemberJoined(member=seat + 1, name=f"Player {seat}", key=key_of(str(seat))))
        taken = events.SeatTaken(seat=seat, bot="random") if bots else events.SeatTaken(seat=seat, member=seat + 1)
        facts.append(taken)
    facts.append(events.GameStarted(number=1))
    rows = written_lines(facts, play.entries)
    log = MemoryLog()
    await log.append(CODE, 0, [Row(EPOCH, row) for row in rows], RoomSummary(EPOCH, True, b"listed"))
    registry = registry_of(loop, log, workers=bots)
    return registry, await registry.find(CODE)


def move(id: str, kind: str, **choice: Any) -> Act:
    return Act(id=id, action=encoded({"is": kind, **choice}))


# Absent players


@pytest.mark.parametrize("has_hunted", [False, True])
def test_a_bot_stands_in_at_the_same_moment_whether_or_not_a_night_action_was_made(has_hunted: bool) -> None:  # C5, C8
    async def main(loop: VirtualLoop) -> int:
        settings = protocol.Settings(idle_seconds=30)
        _, room = await dealt(loop, "saviom", SAVIOM, settings=settings, seats=6, begins_with="night")
        wolf, watcher = FakeConnection("5"), FakeConnection()
        for client in (wolf, watcher):
            room.enter(client.session, client.entering())
        await asyncio.sleep(4)
        if has_hunted:
            room.say(wolf.session, move("h", "Hunt", phase=room.play.phase.number if room.play else 0, target=1))
        await asyncio.sleep(1)
        assert wolf.all("Answered") == ([{"is": "Answered", "id": "h"}] if has_hunted else [])
        while not watcher.last("Room")["seats"][5]["stand_in"]:
            await asyncio.sleep(0.1)
        return round(loop.time())

    assert run(main) == 30


def test_what_is_done_openly_keeps_a_seat_for_another_while() -> None:
    async def main(loop: VirtualLoop) -> bool:
        settings = protocol.Settings(idle_seconds=30)
        _, room = await dealt(loop, "avalon", AVALON, settings=settings, seats=5, roles=[])
        leader = FakeConnection("0")
        room.enter(leader.session, leader.entering())
        await asyncio.sleep(20)
        room.say(leader.session, move("p", "ProposeTeam", phase=1, team=[0, 1], quest=None, excalibur=None))
        await asyncio.sleep(20)
        return room.state.places[0].stand_in is None

    assert run(main)


# Bots


class TimedConnection(FakeConnection):
    """A connection that keeps every frame with its time."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop
        self.told_at: list[tuple[float, str]] = []

    def send(self, *frames: str) -> None:
        self.told_at += [(round(self._loop.time(), 6), frame) for frame in frames]


class SlowMerlin(InlineBotWorkers):
    """Bots of which Merlin takes longer than the others."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def choose(self, question: Question) -> Action | None:
        if any(isinstance(event, RoleDealt) and event.role is Role.MERLIN for event in question.heard):
            await asyncio.sleep(self._seconds)
        return await super().choose(question)


def told_by_bots(seconds: float, bot_pace: Literal["instant", "human"] = "human") -> list[tuple[float, str]]:
    """What a spectator hears of a game among bots, in which Merlin takes this long to choose."""

    async def main(loop: VirtualLoop) -> list[tuple[float, str]]:
        settings = protocol.Settings(takeover_seconds=None, bot_pace=bot_pace)
        _, room = await dealt(loop, "avalon", AVALON, settings=settings, bots=SlowMerlin(seconds), seats=5, roles=[])
        watcher = TimedConnection(loop)
        room.enter(watcher.session, watcher.entering())
        await asyncio.sleep(20)
        return watcher.told_at

    return run(main)


def test_no_listener_can_tell_how_long_a_bot_thought() -> None:  # C4, C8
    at_once = told_by_bots(0.0)
    assert len(at_once) > 20
    assert told_by_bots(0.05) == told_by_bots(0.12) == at_once


def test_no_listener_can_tell_how_long_a_bot_thought_that_waits_for_nothing() -> None:  # C4, C8
    quick = told_by_bots(0.004, bot_pace="instant")
    assert len(quick) > 20
    assert told_by_bots(0.04, bot_pace="instant") == quick


def test_bots_that_are_asked_together_answer_in_the_same_order_whichever_thinks_faster() -> None:  # C4
    def order(seconds: float) -> list[str]:
        return re.findall(
            r'"BallotCast","seat":(\d)', "".join(text for _, text in told_by_bots(seconds, bot_pace="instant"))
        )

    assert len(order(0.0)) > 20
    assert order(0.001) == order(0.0)


class Sulking(InlineBotWorkers):
    """Bots of which the first or the last one asked plays no card."""

    def __init__(self, is_first: bool) -> None:
        self._is_first = is_first
        self._asked = 0

    async def choose(self, question: Question) -> Action | None:
        move = await super().choose(question)
        if not isinstance(move, PlayCard):
            return move
        self._asked += 1
        return None if (self._asked == 1) is self._is_first else move


def test_a_table_that_is_stuck_gets_its_countdown_at_a_moment_that_tells_nothing() -> None:  # C6, C8
    def starts_at(is_first: bool) -> list[float]:
        async def main(loop: VirtualLoop) -> list[float]:
            settings = protocol.Settings(takeover_seconds=None)
            table: dict[str, Any] = {"seats": 5, "roles": [], "hammer": "auto"}
            _, room = await dealt(loop, "avalon", AVALON, settings=settings, bots=Sulking(is_first), **table)
            watcher = TimedConnection(loop)
            room.enter(watcher.session, watcher.entering())
            await asyncio.sleep(60)
            return [at for at, text in watcher.told_at if "CountdownStarted" in text][:1]

        return run(main)

    assert starts_at(True) == starts_at(False) != []


# Spectators


@pytest.mark.parametrize("heard", [9, 10_000])
def test_a_watcher_who_lags_behind_cannot_probe_how_far_the_table_is(heard: int) -> None:
    async def main(loop: VirtualLoop) -> list[int]:
        settings = protocol.Settings(takeover_seconds=None, spectator_delay=10, bot_pace="slow")
        _, room = await dealt(loop, "avalon", AVALON, settings=settings, bots=InlineBotWorkers(), seats=5, roles=[])
        await asyncio.sleep(10.5)
        watcher = FakeConnection()
        room.enter(watcher.session, watcher.entering(number=1, heard=heard))
        await asyncio.sleep(0.1)
        return [line["number"] for line in watcher.all("Heard")]

    assert run(main) == [1, 2, 3, 4]


# The list of rooms


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_move_does_not_change_a_rooms_place_in_the_list(kind: str, tmp_path: Path) -> None:  # C4
    async def main() -> list[list[bytes]]:
        log: Log = MemoryLog() if kind == "memory" else SqliteLog(tmp_path / "rooms.db")
        lists = []
        for at, (room, known, shown) in enumerate(
            [("A", 0, b"a"), ("B", 0, b"b"), ("A", 1, b"a"), ("A", 2, b"a over")]
        ):
            await log.append(room, known, [Row(at, b"a row")], RoomSummary(at, True, shown))
            lists.append(await log.listed(10))
        await log.close()
        return lists

    assert asyncio.run(main()) == [[b"a"], [b"b", b"a"], [b"b", b"a"], [b"a over", b"b"]]
