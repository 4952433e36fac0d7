"""What is left of a game: its record, out of the rows of the room in which it was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from roundtable.core.codec import plain
from roundtable.core.entries import Entry
from roundtable.core.game import is_fact
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE
from roundtable.games import game_named
from roundtable.protocol.entries import entries_of
from roundtable.rooms import facts as was
from roundtable.rooms.facts import READER, Done
from roundtable.rooms.refusals import no_such_room, refuse
from roundtable.rooms.sessions import seat_names
from roundtable.rooms.state import RoomState
from roundtable.storage import Row
from roundtable.storage.records import sealed_line, title


class Finished(NamedTuple):
    """A game that is over, without what was whispered in it."""

    game: str
    names: tuple[str, ...]
    entries: list[Entry]
    is_put_away: bool  # so that nobody can say anything more at its table


def game_record(rows: Sequence[Row], number: int) -> bytes:
    """The record of a room's game with this number, as the JSON Lines of docs/records.md, once it is over."""
    return record_of(finished_game(rows, number))


def finished_game(rows: Sequence[Row], number: int) -> Finished:
    """A room's game with this number, once it is over; `RoomRefused` before."""
    room = RoomState()
    game, names = "", ()  # type: tuple[str, tuple[str, ...]]
    entries: list[Entry] = []
    for row in rows:
        read = READER.decode(row.line)
        if isinstance(read, Done):
            for fact in read.facts:
                room.absorb(fact)
                if isinstance(fact, was.GameStarted) and fact.number == number:
                    game, names = room.setup.game, seat_names(room)
        elif room.number == number:
            entries.append(entries_of(game).read(read.entry))
    if not entries:
        raise no_such_room()
    if not Play(game_named(game), entries).is_over:
        refuse("record/not_over", "This game is not over; its record can be had when it is.")
    is_put_away = room.number != number or not room.is_table_set or room.is_closed
    return Finished(game, names, [entry for entry in entries if not is_whispered(entry)], is_put_away)


def is_whispered(entry: Entry) -> bool:
    """Talk that was not for everybody stays among those who heard it, also after the game."""
    return any(not is_fact(event) and event.audience is not EVERYONE for event in entry.events)


def record_of(finished: Finished) -> bytes:
    rules_version = game_named(finished.game).setup_type.rules_version
    seal, first = sealed_line(title(finished.game, rules_version, finished.names), 1, "")
    lines = [first]
    for line in [*({"entry": plain(entry)} for entry in finished.entries), {"closed": True}]:
        seal, spelled = sealed_line(line, len(lines) + 1, seal)
        lines.append(spelled)
    return b"\n".join(lines) + b"\n"
