"""The moves of a study's games, by the numbers of the environments (docs/environments.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from roundtable.core.actions import Expire, Move
from roundtable.core.codec import encode, plain
from roundtable.core.errors import StudyError
from roundtable.core.setup import Setup
from roundtable.games import spec_named
from roundtable.lab.extras import require

if TYPE_CHECKING:
    from roundtable.kernels.actions import Actions
    from roundtable.kernels.contract import Batch, GameTrace
    from roundtable.kernels.core import CompiledGame
    from roundtable.lab.studies import Slice, Study

THE_CLOCK = -1  # in place of a seat


class MoveRow(NamedTuple):
    """A move, or the end of a phase whose time ran out: then the clock acts, and there is no number."""

    actor: int
    phase: int
    move: int | None


class GameMoves(NamedTuple):
    deal: str  # the game's own deal as JSON
    moves: list[MoveRow]


def numbered_moves(setup: Setup) -> Actions:
    """Every move of a table by number; `StudyError` for a game that numbers none."""
    spec = spec_named(setup.game)
    if not spec.environment:
        raise StudyError("study/asked", "moves", game=setup.game)
    require("numpy", "lab")
    from roundtable.kernels.actions import Actions

    return Actions(spec.part("environment").moves(setup))


def play_with_moves(study: Study, piece: Slice) -> tuple[Batch, list[GameMoves]]:
    """The batch of a slice, and what was done in each game of it."""
    from roundtable.lab.plain import PlainKernel

    numbers, kernel = numbered_moves(study.setup), study.kernel
    asked = study.setup, study.bots, study.dice
    if isinstance(kernel, PlainKernel):
        traces: Iterable[GameTrace]
        batch, traces = kernel.run_traced(*asked, piece.first, piece.games)
    else:
        compiled = cast("CompiledGame", kernel)
        batch = compiled.run(*asked, piece.first, piece.games)
        traces = (compiled.actions(*asked, piece.first + row) for row in range(piece.games))
    return batch, [moves_in(trace, numbers) for trace in traces]


def moves_in(trace: GameTrace, numbers: Actions) -> GameMoves:
    done = []
    for actor, action, _, _ in trace.steps:
        if isinstance(action, Move):
            done.append(MoveRow(actor, action.phase, numbers.number(action)))
        elif isinstance(action, Expire):
            done.append(MoveRow(THE_CLOCK, action.phase, None))
    return GameMoves(encode(trace.deal).decode(), done)


def legend(setup: Setup) -> list[Any]:
    """What each number stands for: the move as plain values without its phase, and nothing for waiting."""
    return [
        None if move is None else {name: value for name, value in plain(move).items() if name != "phase"}
        for move in numbered_moves(setup).moves
    ]
