"""How the games of an arena ended, in memory, and in a Parquet file that a stopped arena goes on from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from roundtable.lab.arena.engine import ArenaBatch
from roundtable.lab.arena.study import ArenaStudy
from roundtable.lab.batches import Played
from roundtable.lab.parquet_store import ParquetStore, words
from roundtable.lab.studies import Slice
from roundtable.lab.tally import Tally

NOBODY_WON = -1


class Results:
    """A `Store` of every game: the side that won, and by seat the side, whether the seat won, and the bot's fault."""

    def __init__(self, study: ArenaStudy, path: Path | None = None) -> None:
        self.study = study
        by_seat = (study.games, study.setup.seats)
        self.winner = np.full(study.games, NOBODY_WON, np.int8)
        self.won = np.zeros(by_seat, np.bool_)
        self.sides = np.zeros(by_seat, np.int8)
        self.faults = np.zeros(by_seat, np.int8)
        self._is_played = np.zeros(study.games, np.bool_)
        self._file = ArenaFile(path, study) if path else None

    @property
    def games(self) -> int:
        """How many are played."""
        return int(self._is_played.sum())

    def whole_deals(self) -> npt.NDArray[np.intp]:
        """The deals of which every game is played; no figure is taken from others."""
        return np.flatnonzero(self._is_played.reshape(self.study.deals, -1).all(axis=1))

    # As a store

    def open(self) -> None:
        if self._file:
            self._file.open()

    def whole(self) -> Tally | None:
        tally = self._file.whole() if self._file else None
        if self._file and tally:
            self._read(0, self._file.path)
        return tally

    def finished(self) -> Iterator[tuple[Slice, Tally]]:
        if self._file:
            for piece, tally in self._file.finished():
                self._read(piece.first, self._file.part(piece))
                yield piece, tally

    def keep(self, played: Played) -> None:
        batch = cast(ArenaBatch, played.batch)
        self._add(played.slice.first, batch.winner, batch.won, batch.sides, batch.faults)
        if self._file:
            self._file.keep(played)

    def bind(self, tally: Tally) -> None:
        if self._file:
            self._file.bind(tally)

    def _read(self, first: int, path: Path) -> None:
        table, seats = pq.read_table(path), range(self.study.setup.seats)
        sides = self.study.kernel.sides
        winner = [sides.index(side) if side in sides else NOBODY_WON for side in table["winner"].to_pylist()]
        won, side, fault = (
            np.stack([table[f"{name}_{seat}"].to_numpy() for seat in seats], axis=1)
            for name in ("won", "side", "fault")
        )
        self._add(first, np.array(winner, np.int8), won, side, fault)

    def _add(self, first: int, winner: Any, won: Any, sides: Any, faults: Any) -> None:
        rows = slice(first, first + len(winner))
        self.winner[rows], self.won[rows], self.sides[rows], self.faults[rows] = winner, won, sides, faults
        self._is_played[rows] = True


class ArenaFile(ParquetStore):
    """A row for each game, as `simulate` keeps it, with the deal, the contest, and who sat where."""

    study: ArenaStudy

    def rows_of(self, played: Played) -> pa.Table:
        table = super().rows_of(played)
        for name, column in self._columns(played):
            table = table.append_column(name, column)
        return table

    def _columns(self, played: Played) -> Iterator[tuple[str, pa.Array]]:
        fixtures, batch = self.study.fixtures, cast(ArenaBatch, played.batch)
        numbers = range(played.slice.first, played.slice.first + played.slice.games)
        games = [fixtures[number % len(fixtures)] for number in numbers]
        seated = [game.seated(sides) for game, sides in zip(games, batch.sides.tolist(), strict=True)]
        yield "deal", pa.array([number // len(fixtures) for number in numbers], pa.int64())
        yield "guest", pa.array([game.guest for game in games], pa.int8())
        for seat in range(self.study.setup.seats):
            places = np.array([self.study.bots.index(row[seat]) for row in seated], np.int16)
            yield f"bot_{seat}", words(places, self.study.bots)
            yield f"side_{seat}", pa.array(batch.sides[:, seat])
            yield f"won_{seat}", pa.array(batch.won[:, seat])
            yield f"fault_{seat}", pa.array(batch.faults[:, seat])
