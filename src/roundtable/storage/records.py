"""A record as JSON Lines: a title, a line for each entry of the game, and a last line once the game is over.

    {"format":"roundtable-record","game":"avalon","names":["Alice",...],"rules_version":1,"version":1}
    {"entry":{"action":{...},"actor":-4,"events":[...],"id":""},"line":2,"seal":"9f2c..."}
    ...
    {"closed":true,"line":58,"seal":"03ab..."}

Every line is canonical JSON. Its seal is the SHA-256 of the seal before it and of the line without its own seal, so
that no line can be changed, left out, doubled or moved without every later seal being wrong. docs/records.md says more.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from roundtable.core.arguments import checked
from roundtable.core.codec import Codec, encode, plain
from roundtable.core.entries import Entry
from roundtable.core.errors import BadRecord, Unreadable, shown
from roundtable.core.play import Play, at_line, replay
from roundtable.games import GAMES, codec_of, game_named

FORMAT = "roundtable-record"
VERSION = 1
CLOSED = b'{"closed":true}'
FIRST_ENTRY = 2  # entries begin on the line after the title


class Record(NamedTuple):
    """What a file holds: which game, who sat where, its entries, and whether it was closed."""

    game: str
    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    is_closed: bool


class Recorder:
    """Records a game as it is played; every line is on the disk before the next move is asked for.

    The file can be read by its owner alone: it holds every secret of the game.
    """

    def __init__(self, path: Path, play: Play[Any, Any], names: Sequence[str] = ()) -> None:
        self._play = play
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self._lines = 0
        self._entries = 0
        self._seal = ""
        self._write(title(play.game.name, play.game.setup_type.rules_version, names))
        self.catch_up()

    @classmethod
    def resume(cls, path: Path, play: Play[Any, Any], record: Record) -> Self:
        """Continue a record that was not closed."""
        if not play.is_dealt:
            last = len(record.entries) + 1
            raise BadRecord("record/broken", "before_deal", line=last)
        recorder = cls.__new__(cls)
        recorder._play = play
        written = path.read_bytes()
        whole = written[: written.rfind(b"\n") + 1]  # drop a line that was cut off
        recorder._file = path.open("ab")
        recorder._file.truncate(len(whole))
        recorder._lines = len(record.entries) + 1
        recorder._entries = len(record.entries)
        recorder._seal = json.loads(whole.splitlines()[-1])["seal"]
        return recorder

    def catch_up(self) -> None:
        """Write the entries since the last call."""
        for entry in self._play.entries[self._entries :]:
            self._write({"entry": plain(entry)})
            self._entries += 1
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self.catch_up()
        if self._play.is_over:
            self._write({"closed": True})
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._lines += 1
        self._seal, encoded = sealed_line(line, self._lines, self._seal)
        self._file.write(encoded + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


@checked
def write_record(path: Path, play: Play[Any, Any], names: Sequence[str] = ()) -> None:
    """Write the record of a whole game."""
    Recorder(path, play, names).close()


@checked
def read_record(path: Path) -> Record:
    """Read and replay a record; `BadRecord` names the first line that was changed or breaks the rules."""
    record = read_lines(path)
    replay_record(record)
    return record


def replay_record(record: Record) -> Play[Any, Any]:
    """Replay a record: seals only prove that lines are unchanged, not that they follow the rules (C3)."""
    again = replay(game_named(record.game), record.entries, first_line=FIRST_ENTRY)
    named, seats = len(record.names), again.state.setup.seats
    if named not in (0, seats):
        raise BadRecord("record/broken", "names", line=1, names=named, seats=seats)
    if record.is_closed and not again.is_over:
        last = FIRST_ENTRY + len(record.entries)
        raise BadRecord("record/broken", "closed_early", line=last)
    return again


def read_lines(path: Path) -> Record:
    """Decode a record and check its seals, without replaying it."""
    *lines, rest = path.read_bytes().split(b"\n")
    if not lines:
        raise BadRecord("record/broken", "no_line", file=path.name)
    first = unsealed_line(lines[0], 1, "")
    game, names = read_title(first[1])
    entries, is_closed = _read_entries(game, lines[1:], first[0])
    if not entries:
        raise BadRecord("record/broken", "no_entry", line=1)
    if is_closed and rest:  # in an open record, the rest is a line that was cut off
        raise already_closed(len(lines) + 1)
    return Record(game, names, tuple(entries), is_closed)


def _read_entries(game: str, lines: Iterable[bytes], seal: str) -> tuple[list[Entry], bool]:
    codec = codec_of(GAMES[game].game)
    entries: list[Entry] = []
    is_closed = False
    for number, encoded in enumerate(lines, FIRST_ENTRY):
        if is_closed:
            raise already_closed(number)
        seal, line = unsealed_line(encoded, number, seal)
        if encode(line) == CLOSED:
            is_closed = True
        else:
            entries.append(_read_entry(codec, number, line))
    return entries, is_closed


def _read_entry(codec: Codec, number: int, line: dict[str, Any]) -> Entry:
    try:
        entry = codec.read(Entry, line.get("entry"))
    except Unreadable as unreadable:
        raise BadRecord.of(at_line(number, unreadable)) from unreadable
    if {"entry": plain(entry)} != line:  # another encoding of the entry, or fields beside it
        raise BadRecord("record/broken", "encoding", line=number)
    return entry


def already_closed(number: int) -> BadRecord:
    return BadRecord("record/broken", "closed_before", line=number)


def title(game: str, rules_version: int, names: Sequence[str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "rules_version": rules_version,
        "names": list(names),
    }


def read_title(line: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The game and the names, if the first line is a title that this version can read."""
    game, names = line.get("game"), line.get("names")
    if line.get("format") != FORMAT or line.get("version") != VERSION:
        raise BadRecord("record/broken", "format", line=1, format=FORMAT, version=VERSION)
    if not isinstance(game, str) or game not in GAMES:
        raise BadRecord("record/broken", "no_game", line=1, name=shown(game))
    rules_version = GAMES[game].game.setup_type.rules_version
    known = tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()
    if encode(line) != encode(title(game, rules_version, known)):
        raise BadRecord("record/broken", "title", line=1, name=game, version=rules_version)
    return game, known


def sealed_line(line: dict[str, Any], number: int, before: str) -> tuple[str, bytes]:
    """A line with its number and its seal, and that seal."""
    numbered = {**line, "line": number}
    seal = hashlib.sha256(before.encode() + b"\n" + encode(numbered)).hexdigest()
    return seal, encode({**numbered, "seal": seal})


def unsealed_line(encoded: bytes, number: int, before: str) -> tuple[str, dict[str, Any]]:
    """The seal and the content of a line, if its seal and encoding are right."""
    try:
        line = json.loads(encoded)
        seal = line.pop("seal")
        said = {name: part for name, part in line.items() if name != "line"}
        written = sealed_line(said, number, before)
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as broken:
        raise BadRecord("record/broken", "no_record_line", line=number) from broken
    if written != (seal, encoded):
        raise BadRecord("record/broken", "seal", line=number)
    return seal, said
