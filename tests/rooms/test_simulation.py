"""Hundreds of simulated games with lost connections, failing disks and crashing servers (support/simulation.py).

`make soak` runs ten thousand. A failure names its seed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from roundtable.core.errors import BadRecord
from roundtable.core.play import Play
from roundtable.protocol.rooms import Enter
from roundtable.rooms import Room, Session, reducer
from roundtable.rooms import room as rooms
from roundtable.rooms.events import RoomRow
from roundtable.rooms.state import RoomState
from roundtable.storage import MemoryLog, RoomSummary, Row
from support.memory_leases import MemoryLeases
from support.paths import ROOT, TESTS
from support.simulation import simulate
from support.sizes import SIMULATIONS, size

PARTS = size(4, soak=40)  # so that several processes can share them

# The simulations are meant to cover each of these; each has to occur in every part.
HAPPENS = (
    "avalon",
    "thavalon",
    "saviom",
    "several workers",
    "relayed",
    "a worker slept",
    "a worker was cut off",
    "a late write lost",
    "crash",
    "crash between commit and answer",
    "append failed",
    "read failed",
    "room/busy",
    "disconnect",
    "a message was lost",
    "an answer was lost",
    "resend",
    "answered after a resend",
    "refused",
    "slow reader",
    "first look",
    "game after the looks",
    "takeover",
    "seat given back",
    "deadline",
    "chat",
    "game over",
    "rematch",
)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_goes_wrong_nothing_acknowledged_is_lost_doubled_or_out_of_order(part: int) -> None:  # C3
    sometimes: Counter[str] = Counter()
    for seed in range(part, SIMULATIONS, PARTS):
        result = simulate(seed)
        assert not result.problems, f"seed {seed}: {result.problems}"
        sometimes += result.sometimes
    assert [what for what in HAPPENS if not sometimes[what]] == []


def told_before_it_is_written(plant: pytest.MonkeyPatch) -> None:
    async def append(room: Room, rows: Sequence[Row]) -> None:
        is_stale, room._is_stale = room._is_stale, False
        room._publish()
        room._is_stale = is_stale
        await write(room, rows)

    write = Room._append
    plant.setattr(Room, "_append", append)


def requests_are_forgotten(plant: pytest.MonkeyPatch) -> None:
    def absorb_row(state: RoomState, row: RoomRow[Any], at: int) -> None:
        absorb(state, msgspec.structs.replace(row, id=""), at)

    absorb = reducer.absorb_row
    for module in (reducer, rooms):
        plant.setattr(module, "absorb_row", absorb_row)


def acts_are_forgotten(plant: pytest.MonkeyPatch) -> None:
    """By the room, which remembers them through all games, and by the game."""
    plant.setattr(RoomState, "remember_act", lambda room, *act: None)
    plant.setattr(Play, "_answered", lambda play, *asked: None)


def something_is_heard_twice(plant: pytest.MonkeyPatch) -> None:
    def enter(session: Session, member: int | None, entering: Enter, now: int) -> None:
        enter_rightly(session, member, entering, now)
        session.heard = max(0, session.heard - 1)

    enter_rightly = Session.enter
    plant.setattr(Session, "enter", enter)


def the_last_writer_wins(plant: pytest.MonkeyPatch) -> None:
    """Neither the lease nor the version keeps a worker out that slept."""

    async def append(log: MemoryLog, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        await write(log, room, len(await log.read(room)), rows, summary)

    write = MemoryLog.append
    plant.setattr(MemoryLog, "append", append)
    plant.setattr(MemoryLeases, "is_held", lambda *lease: True)


FAULTS = [
    told_before_it_is_written,
    requests_are_forgotten,
    acts_are_forgotten,
    something_is_heard_twice,
    the_last_writer_wins,
]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found(fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    assert any(map(finds_a_problem, range(60)))


def finds_a_problem(seed: int) -> bool:
    try:
        return bool(simulate(seed).problems)
    except BadRecord:  # the log is no game any more
        return True


def test_some_simulations_for_every_commit() -> None:
    for seed in range(1000, 1008):
        result = simulate(seed)
        assert not result.problems, f"seed {seed}: {result.problems}"


def test_the_same_seed_gives_the_same_simulation_to_the_byte() -> None:
    for seed in (3, 4):
        assert simulate(seed).trace == simulate(seed).trace
    assert simulate(3).trace != simulate(4).trace


@pytest.mark.slow
def test_the_same_seed_gives_the_same_simulation_in_another_process() -> None:
    """Also with another hash seed of Python."""
    program = "from support.simulation import simulate; print([simulate(seed).digest for seed in range(6)])"
    told = []
    for hashes in ("1", "2"):
        path = os.pathsep.join([str(TESTS), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": path}
        command = [sys.executable, "-c", program]
        told.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert told[0] == told[1] == f"{[simulate(seed).digest for seed in range(6)]}\n"
