"""The finished games of a room in short: who played, which role they had, and who won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from roundtable.core.entries import Entry
from roundtable.core.events import GameEnded
from roundtable.core.game import fold
from roundtable.games import game_named
from roundtable.protocol.bodies import PlayedGame, PlayedSeat
from roundtable.protocol.entries import entries_of
from roundtable.rooms.events import READER, GameRow, GameStarted, RoomRow
from roundtable.rooms.reducer import absorb
from roundtable.rooms.state import RoomState
from roundtable.storage import Row

MOST_GAMES = 50  # that are listed, the latest


class GameRows(NamedTuple):
    """One game of a room with its rows."""

    number: int
    game: str
    names: list[str]  # of each seat: the latest person who played there, or the bot
    rows: list[tuple[int, GameRow]]  # with the time of each
    bots: list[tuple[str | None, ...]]  # for each row: the bot that played at each seat then

    def entries(self) -> list[Entry]:
        read = entries_of(self.game).read
        return [read(row.entry) for _, row in self.rows]


def games_in(rows: Sequence[Row]) -> list[GameRows]:
    """The games of a room in order, from all its rows. No entry is decoded."""
    room = RoomState()
    games: list[GameRows] = []
    bots: tuple[str | None, ...] = ()
    for row in rows:
        read = READER.decode(row.line)
        if isinstance(read, RoomRow):
            for event in read.events:
                absorb(room, event)
                if isinstance(event, GameStarted):
                    games.append(GameRows(room.number, room.setup.game, list(room.seat_names), [], []))
            if games and room.is_table_set:
                _name_people(games[-1].names, room)
            bots = tuple(place.player for place in room.places)
        elif games:
            games[-1].rows.append((row.at, read))
            games[-1].bots.append(bots)
    return games


def _name_people(names: list[str], room: RoomState) -> None:
    """A person may have taken a seat from a bot, or another name. A person who leaves is still named."""
    for seat, place in enumerate(room.places):
        if place.member in room.members:
            names[seat] = room.members[place.member].name


def played_games(rows: Sequence[Row], known: Mapping[int, PlayedGame]) -> list[PlayedGame]:
    """The latest finished games, the last one first. Those that are known are not read again."""
    played = []
    for game in reversed(games_in(rows)):
        summary = known.get(game.number) or _summary(game)
        if summary is not None:
            played.append(summary)
        if len(played) == MOST_GAMES:
            break
    return played


def _summary(played: GameRows) -> PlayedGame | None:
    """None for a game that is not over."""
    entries = played.entries()
    events = [event for entry in entries for event in entry.events]
    if not events:
        return None
    state: Any = fold(game_named(played.game), events)
    if state.outcome is None:
        return None
    roles: Mapping[int, Any] = getattr(state, "roles", {})
    casting = state.setup.casting()
    return PlayedGame(
        number=played.number,
        game=played.game,
        began_at=played.rows[0][0],
        ended_at=_ended_at(played, entries),
        winner=state.outcome.winner,
        reason=state.outcome.reason,
        seats=tuple(
            PlayedSeat(
                name=name,
                role=(role := str(roles.get(seat, ""))),
                side=next((str(side) for side, _, cards in casting if role in map(str, cards)), ""),
                has_won=seat in state.outcome.seats,
            )
            for seat, name in enumerate(played.names)
        ),
    )


def _ended_at(played: GameRows, entries: Sequence[Entry]) -> int:
    """When the entry was written that ended the game; talk goes on after it."""
    rows = zip(played.rows, entries, strict=True)
    return next(at for (at, _), entry in rows if any(isinstance(event, GameEnded) for event in entry.events))
