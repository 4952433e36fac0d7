"""What a kernel writes down of one game, so that the engine can play it again: rows of whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from roundtable.core.actions import Action
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import TraceStep

TraceRow = Any  # a row of TRACE
WriteAction = Callable[[int, int, int, int, int], Action]  # phase, verb and its three numbers, as an action

MOST_STEPS = 1024
MOST_LEANINGS = 1 << 15  # 25 proposals, each with up to 252 teams and four bearers of Excalibur
TRACE = np.dtype(
    [
        ("are_kept", np.bool_),  # otherwise nothing is written
        ("step_count", np.int64),
        ("leaning_count", np.int64),
        ("steps", np.int64, (MOST_STEPS, 6)),  # who, in which phase, the verb, and up to three numbers
        ("leanings", np.int64, (MOST_LEANINGS, 7)),  # of which step; phase, verb and three numbers; the weight
    ]
)
WAIT = 0  # the verb of a bot that was asked and did nothing


def blank_trace(are_kept: bool) -> Any:
    trace = np.empty(1, TRACE)
    trace["are_kept"], trace["step_count"], trace["leaning_count"] = are_kept, 0, 0
    return trace


@compiled
def note(trace: TraceRow, actor: int, phase: int, verb: int, first: int, second: int, third: int) -> None:
    """Write a step down."""
    if trace.are_kept:
        row = trace.steps[trace.step_count]
        row[0], row[1], row[2], row[3], row[4], row[5] = actor, phase, verb, first, second, third
        trace.step_count += 1


@compiled
def lean(trace: TraceRow, phase: int, verb: int, first: int, second: int, third: int, weight: int) -> None:
    """Write down one of the moves that the next step is drawn from."""
    if trace.are_kept:
        row = trace.leanings[trace.leaning_count]
        row[0], row[1], row[2] = trace.step_count, phase, verb
        row[3], row[4], row[5], row[6] = first, second, third, weight
        trace.leaning_count += 1


def read_steps(trace: TraceRow, careful: int, write: WriteAction) -> tuple[TraceStep, ...]:
    """The steps as actions; those of seats in `careful` with what they leaned to."""
    leanings = _leanings_by_step(trace, write) if careful else {}
    rows = trace["steps"][: trace["step_count"]].tolist()
    return tuple([_read_step(at, row, careful, write, leanings) for at, row in enumerate(rows)])


def _read_step(at: int, row: list[int], careful: int, write: WriteAction, leanings: dict[int, list[Any]]) -> TraceStep:
    actor, phase, verb, first, second, third = row
    leaned = tuple(leanings.get(at, ())) if actor >= 0 and careful >> actor & 1 else None
    if verb == WAIT:
        return TraceStep(actor, None, (), leaned)
    drawn = (first,) if actor < 0 and second else ()
    return TraceStep(actor, write(phase, verb, first, second, third), drawn, leaned)


def _leanings_by_step(trace: TraceRow, write: WriteAction) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in trace["leanings"][: trace["leaning_count"]].tolist():
        step, phase, verb, first, second, third, weight = row
        found.setdefault(step, []).append((write(phase, verb, first, second, third), weight))
    return found
