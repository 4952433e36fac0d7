"""Bots at a table: when each is asked, what it is asked, and how long it thinks as far as anybody can see."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from roundtable.core.actions import Move
from roundtable.core.chance import shuffled
from roundtable.core.errors import IllegalAction, RoomRefused
from roundtable.core.seats import Seat
from roundtable.rooms import playing
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.alarm import Alarm
from roundtable.rooms.bot_workers import BotWorkers, Question
from roundtable.rooms.inbox import Inbox
from roundtable.rooms.writing import Writer

GRAIN = 50  # milliseconds in which bots that wait for nothing are seen to think

logger = logging.getLogger("roundtable.rooms")


class BotScheduler:
    """The bots' turns in the phase that is played. What they come to goes through the inbox like everything else."""

    def __init__(
        self,
        standing: RoomAggregate,
        thinker: BotWorkers,
        inbox: Inbox,
        writer: Writer,
        alarm: Alarm,
    ) -> None:
        self._standing = standing
        self._thinker = thinker
        self._inbox = inbox
        self._writer = writer
        self._alarm = alarm
        self._phase = (0, 0, 0)  # the phase for which turns were drawn
        self._bots: list[Seat] = []  # and for which bots
        self._turns: list[tuple[int, Seat]] = []  # when which bot is asked
        self._last_turn = 0  # when a bot was last asked
        self._thoughts: set[asyncio.Task[None]] = set()

    @property
    def due(self) -> list[int]:
        """When bots are to be asked."""
        return [at for at, _ in self._turns]

    @property
    def is_thinking(self) -> bool:
        return bool(self._thoughts)

    @property
    def last_answer(self) -> int:
        """When whoever was asked last has answered, as far as anybody can see."""
        return self._last_turn + self._thinking_time()

    def draw(self) -> None:
        """When a phase begins, every bot is given its turn, in a drawn order that depends on nothing secret."""
        play, state = self._standing.play, self._standing.state
        if play is None or not self._standing.is_playing or not play.is_dealt or state.settings.is_deal_only:
            self._turns = []
            return
        phase = (self._standing.readings, state.number, play.phase.number)
        bots = [seat for seat, place in enumerate(state.places) if place.player]
        if phase == self._phase and bots == self._bots:
            return
        pause = state.settings.bot_seconds * 1000
        begun = self._standing.now() + pause - self._thinking_time()
        if phase == self._phase:  # some have sat down since
            self._turns += [(begun, seat) for seat in bots if seat not in self._bots]
        else:
            order = shuffled(play.chance(f"bots/{play.phase.number}"), bots)
            self._turns = [(begun + pause * turn // max(1, len(order)), seat) for turn, seat in enumerate(order)]
        self._phase, self._bots = phase, bots

    def ask(self, now: int) -> None:
        """Let those whose turn it is think elsewhere."""
        due = [seat for at, seat in self._turns if at <= now]
        self._turns = [(at, seat) for at, seat in self._turns if at > now]
        self._last_turn = now if due else self._last_turn
        questions = [self._question(seat) for seat in due if self._standing.state.places[seat].player]
        if questions:
            thought = asyncio.get_running_loop().create_task(self._think(questions, self._phase_played()))
            self._thoughts.add(thought)
            thought.add_done_callback(self._thought_ended)

    def stop(self) -> None:
        for thought in self._thoughts:
            if thought is not asyncio.current_task():
                thought.cancel()

    def _question(self, seat: Seat) -> Question:
        """What a bot is asked at this seat; the randomness that goes with it is the same if it is asked again."""
        play, bot = self._standing.play, self._standing.state.places[seat].player
        assert play is not None
        assert bot is not None
        words = play.chance(f"bot/{play.phase.number}/{seat}")
        key = b"".join(words.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        return Question(bot, play.game.name, seat, [line.event for line in play.heard(seat)], key)

    def _phase_played(self) -> tuple[int, int] | None:
        play = self._standing.play
        return (self._standing.state.number, play.phase.number) if play and self._standing.is_playing else None

    async def _think(self, questions: Sequence[Question], phase: tuple[int, int] | None) -> None:
        """Those who are asked together answer together and in this order, whoever thinks faster."""
        begun = self._standing.now()
        thoughts = map(self._thinker.choose, questions)
        moves = await asyncio.gather(*thoughts, return_exceptions=True)
        await asyncio.sleep(self._left_to_think(self._standing.now() - begun) / 1000)
        for question, move in zip(questions, moves, strict=True):
            if isinstance(move, BaseException):
                logger.error("a bot could not think", exc_info=move)
            elif move is not None:
                self._inbox.post(partial(self._move, question.seat, phase, move))

    def _thinking_time(self) -> int:
        """How long bots think as far as anybody can see. How long it really took might tell a Merlin from a Servant."""
        return self._standing.state.settings.bot_seconds * 1000 // 2

    def _left_to_think(self, taken: int) -> int:
        """Until the thinking time is over; whoever took longer takes twice as long, or three times."""
        step = self._thinking_time()
        return step * max(1, -(-taken // step)) - taken if step else -taken % GRAIN

    def _thought_ended(self, thought: asyncio.Task[None]) -> None:
        self._thoughts.discard(thought)
        if thought.cancelled():
            return
        if thought.exception() is not None:
            logger.error("a bot could not think", exc_info=thought.exception())
        self._alarm.set()

    async def _move(self, seat: Seat, phase: tuple[int, int] | None, move: Move) -> None:
        def decide() -> list[bytes]:
            is_its_turn = self._phase_played() == phase and self._standing.state.places[seat].player
            return playing.played(self._standing, seat, move) if is_its_turn else []

        if self._standing.is_playing:
            try:
                await self._writer.attempt(decide)
            except IllegalAction:  # somebody's move has made it impossible: it thinks again, behind those asked by now
                self._turns.append((self._standing.now() + max(1, self._thinking_time() // 10), seat))
                self._alarm.set()
            except RoomRefused:
                logger.warning("a bot's move could not be written down")
