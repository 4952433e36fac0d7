"""Three workers that are killed, put to sleep and cut off during games, on a PostgreSQL server that is killed: what was
answered is kept once and in order, everyone hears what the log says, and every table goes on."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from roundtable.client import Client
from roundtable.core.events import Event
from roundtable.protocol.rooms import Settings
from roundtable.rooms.events import BotStoodIn, HostNamed
from support.front_door import front_door
from support.live_server import Player, traceback_free
from support.playing_tables import Table, acks, entries_of, facts_of, played, require_everything_kept, rooms_of
from support.sizes import FAULTS, FAULTY_TABLES
from support.waiting import PATIENCE, until
from support.worker_site import WORKERS, Fault, Kind, WorkerSite, worker_site

SEED = os.environ.get("ROUNDTABLE_KILL_SEED", "1")
AT_ONCE = 3  # faults
MOST_ANSWERS = 30  # before the next faults
PAUSE_OF_PLAYERS = max(0.3, FAULTY_TABLES / 50)  # seconds before a move at the most
HOST = 1  # the member who has opened the room
TAKEOVER = Settings(takeover_seconds=20)
CALLS_AT_ONCE = 64  # by HTTP, of which some wait for a worker that sleeps
LOGGER = logging.getLogger("soak")  # one line for each round, with --log-cli-level=INFO


class Round(NamedTuple):
    """Some faults at the same time, until every table has gone on."""

    faults: Sequence[Fault]
    waits: Sequence[float]  # seconds until the next answer at each table, from when it could go on


@pytest.mark.slow
@pytest.mark.long
def test_nothing_that_was_answered_is_lost_when_workers_and_their_database_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with worker_site(tmp_path) as site:
        tables, rounds = asyncio.run(play_among_faults(site))
        for worker in site.workers:
            assert worker.stop() == 0
        rooms = rooms_of(asyncio.run(site.rows()))
        assert traceback_free([worker.logged() for worker in site.workers])
    require_everything_kept(tables, rooms)
    for player, told in players_and_log(tables, rooms):
        assert player.heard == told[: len(player.heard)], "a player heard something else than the log says"
    facts = [fact for table in tables for room in table.starts for fact in facts_of(rooms[room])]
    assert {fact.member for _, fact in facts if isinstance(fact, HostNamed)} <= {HOST}
    assert not replaced_though_connected(tables, rooms), "a bot played for someone who was there"
    with capsys.disabled():
        print(report(tables, rounds, rooms))


async def play_among_faults(site: WorkerSite) -> tuple[list[Table], list[Round]]:
    dice = random.Random(SEED)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(CALLS_AT_ONCE))
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(front_door([worker.url for worker in site.workers], dice))
        client = await stack.enter_async_context(Client(url, timeout=PATIENCE))
        tables = [
            Table(lambda: client, number, SEED, settings=TAKEOVER, pause=PAUSE_OF_PLAYERS, stay=False)
            for number in range(FAULTY_TABLES)
        ]
        running = [asyncio.create_task(table.run()) for table in tables]
        await until(lambda: all(acks([table]) for table in tables), "an answer at each table")
        rounds = [await one_round(site, tables, kinds, dice) for kinds in hands(site.kinds, dice)]
        await asyncio.gather(*(table.rest() for table in tables))
        await asyncio.gather(*running)
        for player, told in players_and_log(tables, rooms_of(await site.rows())):
            if not player.is_over:  # the others have hung up
                await until(lambda player=player, told=told: len(player.heard) >= len(told), "the rest")  # type: ignore[misc]
        await asyncio.gather(*(table.go_home() for table in tables))
    return tables, rounds


def hands(kinds: Sequence[Kind], dice: random.Random) -> Iterator[Sequence[Kind]]:
    """Every kind equally often, in a random order, some at the same time."""
    made = 0
    while made < FAULTS:
        shuffled = dice.sample(kinds, min(len(kinds), FAULTS - made))
        yield from (shuffled[first : first + AT_ONCE] for first in range(0, len(shuffled), AT_ONCE))
        made += len(shuffled)


async def one_round(site: WorkerSite, tables: list[Table], kinds: Sequence[Kind], dice: random.Random) -> Round:
    """Make faults at a random moment, and wait until every table goes on as if nothing had happened."""
    enough = acks(tables) + dice.randint(1, MOST_ANSWERS)
    await until(lambda: acks(tables) >= enough, "some answers without a fault")
    faults = await site.make_faults(kinds, dice.choice(tables).starts[-1])
    waits = []
    since = able_to_go_on(faults)
    for table in tables:
        await until(lambda table=table: next_answer(table, since), "a table goes on")  # type: ignore[misc]
        waits.append(next_answer(table, since) - since)
        await until(lambda table=table: are_all_here(table), "a room knows that all are there")  # type: ignore[misc]
    LOGGER.info("%s: the last table went on after %.1f s", ", ".join(fault.kind for fault in faults), max(waits))
    return Round(faults, waits)


def able_to_go_on(faults: Sequence[Fault]) -> float:
    """When there is a worker and a database again: at once, unless all workers or the database have failed."""
    failed = [fault for fault in faults if fault.url]
    moments = [fault.began if fault.url else fault.ended for fault in faults]
    return max([*moments, *([min(fault.ended for fault in failed)] if len(failed) == WORKERS else [])])


def next_answer(table: Table, since: float) -> float:
    """When the table got its first answer after that time; 0 if it has not."""
    return min((at for player in table.players for at in player.acked_at if at > since), default=0)


def are_all_here(table: Table) -> bool:
    """Whether every player is shown all five, each in their own seat, with the same host as at the beginning."""
    rooms = [player.table.room for player in table.games[-1]]
    return all(
        all(member.is_here for member in room.members)
        and not any(seat.stand_in for seat in room.seats)
        and room.host == HOST
        for room in rooms
    )


def players_and_log(
    tables: list[Table], rooms: dict[str, list[tuple[int, Any]]]
) -> Iterator[tuple[Player, Sequence[Event]]]:
    """Every player, with what their seat hears according to the log."""
    for players in [players for table in tables for players in table.games]:
        play = played(entries_of(rooms[players[0].table.room.code]))
        for player in players:
            yield player, play.events_for(player.seat)


def replaced_though_connected(
    tables: list[Table], rooms: dict[str, list[tuple[int, Any]]]
) -> list[tuple[str, int, BotStoodIn]]:
    """Players for whom a bot stood in while their client was connected, to whichever worker. Where workers take long
    to start, clients may be away for longer than a table waits."""
    return [
        (players[0].table.room.code, at, fact)
        for table in tables
        for players in table.games
        for at, fact in facts_of(rooms[players[0].table.room.code])
        if isinstance(fact, BotStoodIn)
        for player in players
        if player.seat == fact.seat and player.was_connected(at / 1000)
    ]


def report(tables: list[Table], rounds: list[Round], rooms: dict[str, list[tuple[int, Any]]]) -> str:
    kinds = Counter(fault.kind for one in rounds for fault in one.faults)
    waits = sorted(wait for one in rounds for wait in one.waits)
    games = sum(len(table.games) for table in tables)
    stand_ins = sum(isinstance(fact, BotStoodIn) for room in rooms.values() for _, fact in facts_of(room))
    return (
        f"\n{kinds.total()} faults ({', '.join(f'{count} {kind}' for kind, count in kinds.items())}) under "
        f"{len(tables)} tables: {acks(tables)} acts answered in {games} games, none "
        f"lost, doubled or moved; a table went on after {statistics.median(waits):.1f} s, nine in ten after "
        f"{waits[len(waits) * 9 // 10]:.1f} s, the last after {waits[-1]:.1f} s; bots stood in {stand_ins} times for "
        f"players who were away"
    )
