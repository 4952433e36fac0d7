"""Which moves of a finished game bots can explain, and the question to them. A running game has no such question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from roundtable.bots import can_explain
from roundtable.core.actions import Move
from roundtable.core.errors import RoomRefused
from roundtable.core.seats import Seat
from roundtable.protocol.bodies import BotMove
from roundtable.rooms.bot_workers import WhyQuestion
from roundtable.rooms.finished_game import FinishedGame, finished_game, steps_of
from roundtable.storage import Row

explains = lru_cache(maxsize=64)(can_explain)


def explaining_bots(finished: FinishedGame, seat: Seat) -> list[str | None]:
    """By entry: the bot that made the seat's move and can say why."""
    return [
        bots[seat] if entry.actor == seat and isinstance(entry.action, Move) and explains(bots[seat]) else None
        for entry, bots in zip(finished.entries, finished.bots, strict=True)
    ]


def bot_moves(finished: FinishedGame) -> tuple[BotMove, ...]:
    """The moves that bots can explain, in order."""
    steps, seats = steps_of(finished.entries), range(len(finished.names))
    by_seat = [explaining_bots(finished, seat) for seat in seats]
    return tuple(
        BotMove(step=step, seat=seat) for place, step in enumerate(steps) for seat in seats if by_seat[seat][place]
    )


def why_question(rows: Sequence[Row], number: int, seat: Seat) -> WhyQuestion:
    """About a seat of a room's game that is over; refused where no bot played there that can say why."""
    finished = finished_game(rows, number)
    bots = explaining_bots(finished, seat)
    if not any(bots):
        raise RoomRefused("record/listener", "bot")
    return WhyQuestion(finished.game, finished.entries, seat, bots, steps_of(finished.entries))
