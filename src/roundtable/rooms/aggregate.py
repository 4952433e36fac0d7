"""How a room stands: who is in it, the game on its table, the clock. All of it follows from what was written down.

A room is the fold of its rows, and nothing here reads or writes them. What was just decided takes hold at once, and is
handed back as the lines that `writing.py` has to write before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from roundtable.core.entries import Entry
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import game_named
from roundtable.protocol.encoding import text_of_value
from roundtable.protocol.entries import SPELLED_ENTRIES, entries_of
from roundtable.rooms import facts as was
from roundtable.rooms.clock import GameClock
from roundtable.rooms.facts import NOBODY_ASKED, READER, Claim, Done, Fact, Played, written, written_entry
from roundtable.rooms.state import RoomState
from roundtable.storage import Row

A_FEW = 200  # rows that are read before anybody else has a turn


class RoomAggregate:
    """What a room's rows come to, together with what was decided and is being written."""

    def __init__(self, code: str, now: Callable[[], int]) -> None:
        self.code = code
        self.ahead = 0  # milliseconds by which its rows are ahead of the machine's clock, where that was set back
        self._clock = now
        self.state = RoomState()
        self.play: Play[Any, Any] | None = None
        self.clock = GameClock()
        self.times: list[int] = []  # when each entry of the game was written
        self.told_at = 0  # when the last row was written that everybody heard of
        self.version = 0  # how many rows there are
        self.changes = 0  # how often the room has come to look different
        self.readings = 0  # how often it was read from the log
        self._latest = 0  # when the last row was written

    def now(self) -> int:
        """Milliseconds since 1970. It goes on from what was written last: nobody has to wait for a clock that was set
        back between two servers."""
        return self._clock() + self.ahead

    @property
    def is_playing(self) -> bool:
        return self.state.is_table_set and self.play is not None and not self.play.is_over

    @property
    def stage(self) -> Literal["lobby", "playing", "over", "closed"]:
        if self.state.is_closed:
            return "closed"
        if not self.state.is_table_set:
            return "lobby"
        return "playing" if self.is_playing else "over"

    @property
    def started_at(self) -> int:
        """When the game on the table was started; 0 where there is none."""
        return self.times[0] if self.times else 0

    # What was decided

    def take(self, facts: Sequence[Fact], claim: Claim = NOBODY_ASKED) -> list[bytes]:
        """Facts take hold, and become a row."""
        if not facts and not claim.id:
            return []
        row = Done[Fact](facts=list(facts), member=claim.member, id=claim.id, gist=claim.gist)
        self._absorb_all(facts)
        self._remember(row, self.written_at())
        return [written(row)]

    def take_entry(self, entry: Entry) -> bytes:
        """An entry of the game takes hold, and becomes a row."""
        self._absorb_entry(entry, self.written_at())
        return written_entry(entry)

    def written_at(self) -> int:
        """Now; times in a log never go back, whatever the machine's clock does."""
        return max(self.now(), self._latest)

    def were_written(self, rows: Sequence[Row]) -> None:
        """What was decided is in the log."""
        self.version += len(rows)
        self._latest = rows[-1].at

    # What was written

    def fold(self, rows: Sequence[Row]) -> Iterator[None]:
        """Fold the rows, a few at a time, so that others have their turn in between; until the last of them, everything
        stands as before. Of games that were played before, the entries need not be read."""
        read = []
        for place, line in enumerate(rows, 1):
            read.append(READER.decode(line.line))
            if place % A_FEW == 0:
                yield
        starts = [place for place, row in enumerate(read) if isinstance(row, Done) and _starts_game(row)]
        start = starts[-1] if starts else len(rows)
        is_same_game = start < self.version and self.state.number == len(starts)
        known = iter(self.play.entries if self.play and is_same_game else ())  # the first of them were written
        new = RoomAggregate(self.code, self._clock)
        entries: list[Entry] = []
        for place, row in enumerate(read):
            if isinstance(row, Done):
                new._absorb_all(row.facts)
                new._remember(row, rows[place].at)
            elif place > start:
                entry = next(known, None) if place < self.version else None
                entries.append(entry or new._entry_of(row))
                new._absorb_entry(entries[-1], rows[place].at)
            else:
                asked = SPELLED_ENTRIES.decode(row.entry)
                new.state.remember_act(asked.actor, asked.id, bytes(asked.action).decode())
            if place % A_FEW == A_FEW - 1:
                yield
        if entries and new.state.is_table_set:
            new.play = Play(game_named(new.state.setup.game), entries)
        self.state, self.play, self.clock = new.state, new.play, new.clock
        self.times, self.told_at = new.times, new.told_at
        self.version, self._latest = len(rows), rows[-1].at if rows else 0
        self.ahead = max(self.ahead, self._latest - self._clock())
        self.readings += 1
        self.changes += 1

    def _entry_of(self, row: Played) -> Entry:
        return entries_of(self.state.setup.game).read(row.entry)

    def _absorb_all(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            self.state.absorb(fact)
            if isinstance(fact, was.GameStarted):
                self.play, self.clock, self.times = None, GameClock(), []
            if isinstance(fact, was.TableCleared):
                self.play = None
        self.changes += 1

    def _absorb_entry(self, entry: Entry, at: int) -> None:
        self.times.append(at)
        if entry.id:
            self.state.remember_act(entry.actor, entry.id, text_of_value(entry.action))
        for event in entry.events:
            self.clock.absorb(event, at)
            if SPECTATOR in event.audience:
                self.told_at = at

    def _remember(self, row: Done[Fact], at: int) -> None:
        self.told_at = at
        if row.id and row.member in self.state.members:
            self.state.answered.keep(row.member, row.id, row.gist)


def _starts_game(row: Done[Fact]) -> bool:
    return any(isinstance(fact, was.GameStarted) for fact in row.facts)
