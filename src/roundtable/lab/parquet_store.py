"""Where a study's games are kept: a Parquet file with a row for each, and until it is whole a folder of batches."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from roundtable.core.errors import StudyError
from roundtable.lab.batches import Played
from roundtable.lab.files import replace
from roundtable.lab.moves import legend
from roundtable.lab.studies import Slice, Study
from roundtable.lab.tally import Tally

NOTE = "study.json"
PLAN, TALLY, LEGEND = b"roundtable.study", b"roundtable.tally", b"roundtable.moves"
MOVES_TYPE = pa.list_(pa.struct([("actor", pa.int8()), ("phase", pa.int16()), ("move", pa.int16())]))


class ParquetStore:
    """Finished batches are files of their own, complete or not there at all; `bind` makes one file of them."""

    def __init__(self, path: Path, study: Study) -> None:
        self.path = path
        self.study = study
        self.folder = folder_beside(path)

    def open(self) -> None:
        """Take up what was kept before, if it is of the same study."""
        if self.path.exists():
            if plan_in(self.path) != self.study.plan():
                raise StudyError("study/file", path=str(self.path))
            return
        self.folder.mkdir(exist_ok=True)
        if plan_noted(self.folder) not in (None, self.study.plan()):
            raise StudyError("study/file", "batches", path=str(self.folder))
        replace(self.folder / NOTE, lambda new: new.write_text(json.dumps(self.study.plan())))

    def finished(self) -> Iterator[tuple[Slice, Tally]]:
        """The batches that need not be played again."""
        for piece in self.study.slices():
            if self.path.exists():
                continue
            part = self.part(piece)
            if part.exists():
                yield piece, tally_in(part)

    def whole(self) -> Tally | None:
        """The figures of a study that is complete."""
        return tally_in(self.path) if self.path.exists() else None

    def rows_of(self, played: Played) -> pa.Table:
        return rows_of(self.study, played)

    def keep(self, played: Played) -> None:
        table = self.rows_of(played)
        replace(self.part(played.slice), lambda new: pq.write_table(table, new, compression="zstd"))

    def bind(self, tally: Tally) -> None:
        """One file of all batches, in the order of the games."""
        replace(self.path, lambda new: self._write_whole(new, tally))
        shutil.rmtree(self.folder)

    def _write_whole(self, new: Path, tally: Tally) -> None:
        pieces = list(self.study.slices())
        schema = pq.read_schema(self.part(pieces[0])).with_metadata(said_of(self.study, tally))
        with pq.ParquetWriter(new, schema, compression="zstd") as writer:
            for piece in pieces:
                writer.write_table(pq.read_table(self.part(piece)).replace_schema_metadata(schema.metadata))

    def part(self, piece: Slice) -> Path:
        return self.folder / f"{piece.number:06d}.parquet"


def folder_beside(path: Path) -> Path:
    return path.with_name(path.name + ".parts")


def seed_kept(path: Path) -> str | None:
    """The seed of the study that is kept here, so that it need not be typed again."""
    plan = plan_in(path) if path.exists() else plan_noted(folder_beside(path))
    return str(plan["seed"]) if plan else None


def plan_noted(folder: Path) -> dict[str, Any] | None:
    """Of which study a folder holds batches, if it was begun."""
    note = folder / NOTE
    try:
        plan = json.loads(note.read_text()) if note.exists() else None
    except ValueError:
        plan = ()
    if plan is None or isinstance(plan, dict):
        return plan
    raise StudyError("study/file", "foreign", path=str(note))


def rows_of(study: Study, played: Played) -> pa.Table:
    """A row for each game: its number, who won and why, how many actions it took, and the role in every seat."""
    batch, first = played.batch, played.slice.first
    columns: dict[str, Any] = {
        "game": np.arange(first, first + len(batch.reason), dtype=np.int64),
        "winner": words(batch.winner, batch.words.sides),
        "reason": words(batch.reason, batch.words.reasons),
        "length": batch.length,
    }
    for seat in range(study.setup.seats):
        columns[f"role_{seat}"] = words(np.ascontiguousarray(batch.roles[:, seat]), batch.words.roles)
    if played.moves is not None:
        columns["deal"] = pa.array([game.deal for game in played.moves], pa.string())
        columns["moves"] = pa.array([[row._asdict() for row in game.moves] for game in played.moves], MOVES_TYPE)
    return pa.table(columns, metadata=said_of(study, played.tally))


def words(numbers: Any, meanings: tuple[str, ...]) -> pa.DictionaryArray:
    """Numbers as the words they stand for; -1 stands for none."""
    return pa.DictionaryArray.from_arrays(pa.array(numbers, mask=numbers < 0), [str(word) for word in meanings])


def said_of(study: Study, tally: Tally) -> dict[bytes, bytes]:
    said = {PLAN: json.dumps(study.plan()).encode(), TALLY: json.dumps(tally.plain()).encode()}
    return said | ({LEGEND: json.dumps(legend(study.setup)).encode()} if study.keeps_moves else {})


def plan_in(path: Path) -> Any:
    return _read(path, PLAN)


def tally_in(path: Path) -> Tally:
    return Tally.read(_read(path, TALLY))


def _read(path: Path, name: bytes) -> Any:
    if path.is_dir():
        raise StudyError("study/file", "is_folder", path=str(path))
    try:
        return json.loads((pq.read_schema(path).metadata or {})[name])
    except (pa.ArrowInvalid, KeyError, ValueError) as strange:
        raise StudyError("study/file", "foreign", path=str(path)) from strange
