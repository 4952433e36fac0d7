"""Games between programs, each a process that plays every game of a batch at its seat, and bots of this package."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roundtable.bots.dice import Dice
from roundtable.core.errors import StudyError
from roundtable.core.game import Game
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.lab.own_bots import Commands, studied
from roundtable.lab.plain import PlainKernel
from roundtable.referee import ProgramReport, Programs, Referee
from roundtable.text.names import names_for

SECONDS = 60.0  # for an answer: a study is no race, and a busy machine starts programs slowly


class RefereedKernel(PlainKernel):
    """A `Kernel` in which some bots are programs. Each batch starts them anew, so that no batch depends on another."""

    def __init__(self, game: Game[Any, Any], commands: Commands) -> None:
        super().__init__(game)
        self._commands = dict(commands)

    def _games(self, setup: Setup, bots: Sequence[str], seed: int, numbers: range) -> Iterator[Play[Any, Any]]:
        with Programs(aside) as self._programs:
            yield from super()._games(setup, bots, seed, numbers)
            self._programs.finish()

    def _play_out(self, play: Play[Any, Any], seated: Mapping[Seat, str], dice: Dice, number: int) -> None:
        commands = {seat: self._commands[name] for seat, name in seated.items() if name in self._commands}
        bots = {seat: studied(name, seat, number) for seat, name in seated.items() if seat not in commands}
        names = names_for(play.state.setup.seats)
        referee = Referee(play, self._programs, commands, bots, names=names, seconds=SECONDS)
        for _ in referee.phases():
            pass
        for conduct in referee.conducts:
            require_no_fault(conduct, seated[conduct.seat], number)


def require_no_fault(conduct: ProgramReport, name: str, number: int) -> None:
    """Figures of a program that fails say nothing about how it plays, so the first fault ends the study."""
    said: dict[str, Any] = {"name": name, "seat": conduct.seat, "number": number}
    if conduct.left:
        code = "" if conduct.left.number is None else f" {conduct.left.number}"
        raise StudyError("study/program", "left", **said, reason=f"{conduct.left.reason}{code}")
    if conduct.late:
        raise StudyError("study/program", "late", **said, seconds=f"{SECONDS:g}")
    if conduct.refused:
        raise StudyError("study/program", "refused", **said)


def aside(seat: Seat, line: str) -> None:
    """What a program writes to its standard error."""
    print(f"[seat {seat}] {line}", file=sys.stderr, flush=True)
