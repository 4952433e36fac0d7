"""Plays the games of an arena: every fixture of every deal, in machine code where all of its bots have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roundtable.bots import CarefulBot, play_out
from roundtable.core.events import Outcome
from roundtable.core.game import Game
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.games import game_named, spec_named
from roundtable.kernels.contract import COMPILED_BOTS, Batch
from roundtable.lab.arena.fixtures import Fixture
from roundtable.lab.arena.forfeits import Fault, GuardedBot, fault_in
from roundtable.lab.engines import kernel
from roundtable.lab.own_bots import Commands, are_compiled
from roundtable.lab.plain import Played, batch_of, dealt_game, dice_of, played_in
from roundtable.lab.refereed import aside
from roundtable.referee import Programs, Referee
from roundtable.text.names import names_for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArenaBatch(Batch):
    """A batch that also says on which side each seat was, and which bots forfeited."""

    sides: npt.NDArray[np.int8]  # by seat: 0 for the first side, 1 for all others
    faults: npt.NDArray[np.int8]  # by seat: a `Fault`


class ArenaGame(NamedTuple):
    """One game as it was played."""

    played: Played
    sides: tuple[int, ...]
    faults: tuple[Fault, ...]


class ArenaKernel:
    """A `Kernel` whose game number i is fixture i modulo their number, of deal i divided by their number.

    Deals are the plain engine's for every fixture, also for those in machine code: all play the same ones.
    """

    def __init__(self, game: str, fixtures: Sequence[Fixture], commands: Commands, seconds: float) -> None:
        self.game = game
        self.roles: tuple[str, ...] = ()
        self._rules: Game[Any, Any] = game_named(game)
        self.sides = tuple(map(str, self._rules.sides))
        self._fixtures = fixtures
        self._commands = dict(commands)
        self._seconds = seconds
        has_kernel = bool(spec_named(game).kernel)
        self._compiled = [
            place
            for place, fixture in enumerate(fixtures)
            if has_kernel and are_compiled(tuple(fixture.bots), commands, COMPILED_BOTS)
        ]

    @property
    def is_compiled(self) -> bool:
        return len(self._compiled) == len(self._fixtures)

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> ArenaBatch:
        """Play the games with the numbers first to first + count - 1; `bots` follow from the fixtures."""
        table = ArenaTable(self._rules, setup, seed)
        games: dict[int, ArenaGame] = {}
        for place in self._compiled:
            numbers = [number for number in range(first, first + count) if number % len(self._fixtures) == place]
            games |= zip(numbers, self._run_compiled(table, place, numbers), strict=True)
        with Programs(aside) as programs:
            for number in sorted({*range(first, first + count)} - set(games)):
                games[number] = self._play(table, number, programs)
            programs.finish()
        return arena_batch([games[number] for number in sorted(games)], setup.seats, self.sides)

    def _run_compiled(self, table: ArenaTable, place: int, numbers: Sequence[int]) -> Iterator[ArenaGame]:
        """One fixture of several deals. A batch without games still gets the machine code ready."""
        fixture, compiled = self._fixtures[place], kernel(self.game)
        dealt = [table.deal(number // len(self._fixtures)) for number in numbers]
        if not dealt:
            compiled.run(table.setup, [fixture.bot], table.seed, 0, 0)
            return
        names = [fixture.bot, fixture.other] if fixture.guest is None else fixture.seated(range(table.setup.seats))
        positions = compiled.deals(table.setup, [deal for deal, _ in dealt])
        batch = compiled.run_from(table.setup, positions, names, seed_from(table.seed, numbers[0]))
        for row, (_, sides) in enumerate(dealt):
            yield ArenaGame(played_at(batch, row), sides, (Fault.NONE,) * table.setup.seats)

    def _play(self, table: ArenaTable, number: int, programs: Programs) -> ArenaGame:
        deal, place = divmod(number, len(self._fixtures))
        play = table.play(deal)
        sides = table.sides(play)
        names = self._fixtures[place].seated(sides)
        commands = {seat: self._commands[name] for seat, name in enumerate(names) if name in self._commands}
        bots = {seat: GuardedBot(name) for seat, name in enumerate(names) if seat not in commands}
        faults: dict[Seat, Fault] = {}
        if commands:
            referee = Referee(
                play, programs, commands, bots, names=names_for(len(names)), seconds=self._seconds, is_strict=True
            )
            faults = refereed(referee)
        else:
            play_out(play, bots, dice_of(table.seed, deal))
        faults |= {seat: bot.fault for seat, bot in bots.items()}
        return ArenaGame(played_in(play), sides, tuple([faults.get(seat, Fault.NONE) for seat in range(len(names))]))


class ArenaTable:
    """The table that all games of a batch are played at, with its deals by number."""

    def __init__(self, rules: Game[Any, Any], setup: Setup, seed: int) -> None:
        self.setup = setup
        self.seed = seed
        self._rules = rules
        self._deals: dict[int, tuple[Any, tuple[int, ...]]] = {}

    def play(self, deal: int) -> Play[Any, Any]:
        """A game before its first move."""
        return dealt_game(self._rules, self.setup, self.seed, deal)

    def deal(self, deal: int) -> tuple[Any, tuple[int, ...]]:
        """The deal as the rules state it, and the sides of its seats; several fixtures ask for it."""
        if deal not in self._deals:
            play = self.play(deal)
            self._deals[deal] = self._rules.read_deal(play.events), self.sides(play)
        return self._deals[deal]

    def sides(self, play: Play[Any, Any]) -> tuple[int, ...]:
        first = self._rules.seats_of(play.state, self._rules.sides[0])
        return tuple([0 if seat in first else 1 for seat in range(self.setup.seats)])


def refereed(referee: Referee) -> dict[Seat, Fault]:
    """Hold the game; a program with a fault makes room for `careful` in the next phase."""
    faults: dict[Seat, Fault] = {}
    for _ in referee.phases():
        for report in referee.reports():
            if not report.is_faultless:
                faults[report.seat] = fault_in(report)
                referee.replace(report.seat, CarefulBot())
    return faults


def played_at(batch: Batch, row: int) -> Played:
    """A game that the kernel played once from its position, as the plain engine would state it."""
    words, winner = batch.words, int(batch.winner[row, 0])
    seats = tuple(np.flatnonzero(batch.won[row, 0]).tolist())
    outcome = Outcome(
        winner=words.sides[winner] if winner >= 0 else None, seats=seats, reason=words.reasons[batch.reason[row, 0]]
    )
    roles = tuple([str(words.roles[role]) for role in batch.roles[row, 0]])
    return Played(outcome=outcome, roles=roles, length=int(batch.length[row, 0]))


def seed_from(seed: int, first: int) -> int:
    """The dice of a batch in machine code, by its first game: such a batch numbers its games from 0."""
    return int.from_bytes(sha256(f"{seed}/dice/{first}".encode()).digest()[:8], "big")


def arena_batch(games: Sequence[ArenaGame], seats: int, sides: tuple[str, ...]) -> ArenaBatch:
    batch = batch_of([game.played for game in games], seats, sides)
    parts = {part.name: getattr(batch, part.name) for part in fields(batch)}
    by_seat = (len(games), seats)
    return ArenaBatch(
        **parts,
        sides=np.array([game.sides for game in games], np.int8).reshape(by_seat),
        faults=np.array([game.faults for game in games], np.int8).reshape(by_seat),
    )
