"""When bots are asked for a move, what they are asked, and how long they seem to think."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from roundtable.core.actions import Move
from roundtable.core.chance import shuffled
from roundtable.core.seats import Seat
from roundtable.rooms.bot_workers import BotWorkers, Question
from roundtable.rooms.state import RoomState

ANSWER_STEP = 50  # milliseconds: bots without a thinking time answer at multiples of it

GamePhase = tuple[int, int]  # the numbers of a game and of a phase

logger = logging.getLogger("roundtable.rooms")


class BotTurns(NamedTuple):
    """When each bot is asked in the current phase. Times are in milliseconds since 1970."""

    phase: tuple[int, int, int] = (0, 0, 0)  # how often the room was read, and the game phase
    bots: tuple[Seat, ...] = ()  # the seats of all bots
    turns: tuple[tuple[int, Seat], ...] = ()  # those who have not been asked yet
    last_turn: int = 0  # when a bot was last asked

    @property
    def due(self) -> list[int]:
        return [at for at, _ in self.turns]

    def last_answer(self, room: RoomState) -> int:
        """When the bot that was asked last seems to answer."""
        return self.last_turn + thinking_time(room)

    def ask_again(self, room: RoomState, seat: Seat, now: int) -> BotTurns:
        """Ask a bot again whose move another player's move made illegal; after those who are being asked."""
        return self._replace(turns=(*self.turns, (now + max(1, thinking_time(room) // 10), seat)))


def draw_turns(turns: BotTurns, room: RoomState, now: int) -> BotTurns:
    """When a phase begins, every bot gets a turn. The order is drawn, and depends on nothing secret."""
    play = room.play
    is_waiting = room.settings.only_deals or room.clock.held_until is not None
    if play is None or not room.is_playing or not play.is_dealt or is_waiting:
        return turns._replace(turns=())
    phase = (room.reloads, room.number, play.phase.number)
    bots = tuple(seat for seat, place in enumerate(room.places) if place.player)
    if phase == turns.phase and bots == turns.bots:
        return turns
    pause = room.settings.bot_seconds * 1000
    begin = now + pause - thinking_time(room)
    if phase == turns.phase:  # bots that have sat down since
        drawn = (*turns.turns, *((begin, seat) for seat in bots if seat not in turns.bots))
    else:
        order = shuffled(play.chance(f"bots/{play.phase.number}"), bots)
        drawn = tuple((begin + pause * turn // max(1, len(order)), seat) for turn, seat in enumerate(order))
    return turns._replace(phase=phase, bots=bots, turns=drawn)


def take_turns(turns: BotTurns, room: RoomState, now: int) -> tuple[BotTurns, list[Question]]:
    """The bots whose turn it is, as questions; and the turns that are left."""
    due = [seat for at, seat in turns.turns if at <= now]
    left = tuple((at, seat) for at, seat in turns.turns if at > now)
    asked = turns._replace(turns=left, last_turn=now if due else turns.last_turn)
    return asked, [question(room, seat) for seat in due if room.places[seat].player]


def question(room: RoomState, seat: Seat) -> Question:
    """What the bot at this seat is asked. The randomness is the same if it is asked again."""
    play, bot = room.play, room.places[seat].player
    assert play is not None
    assert bot is not None
    words = play.chance(f"bot/{play.phase.number}/{seat}")
    key = b"".join(words.below(1 << 32).to_bytes(4, "big") for _ in range(8))
    return Question(bot, play.game.name, seat, [line.event for line in play.heard(seat)], key)


def thinking_time(room: RoomState) -> int:
    """How long bots seem to think. How long they really think might tell their roles."""
    return room.settings.bot_seconds * 1000 // 2


def left_to_think(step: int, taken: int) -> int:
    """Milliseconds until the next multiple of the thinking time."""
    return step * max(1, -(-taken // step)) - taken if step else -taken % ANSWER_STEP


async def ask_bots(
    workers: BotWorkers, questions: Sequence[Question], step: int, now: Callable[[], int]
) -> list[tuple[Seat, Move]]:
    """The moves of bots that are asked together. They answer together and in this order, after a time that does not
    depend on how long each of them thinks."""
    begun = now()
    moves = await asyncio.gather(*map(workers.choose, questions), return_exceptions=True)
    await asyncio.sleep(left_to_think(step, now() - begun) / 1000)
    answers = []
    for asked, move in zip(questions, moves, strict=True):
        if isinstance(move, BaseException):
            logger.error("a bot failed to choose a move", exc_info=move)
        elif move is not None:
            answers.append((asked.seat, move))
    return answers
