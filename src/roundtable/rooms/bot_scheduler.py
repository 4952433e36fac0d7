"""When bots are asked for a move or a remark, what they are asked, and how long they seem to think.

In a phase every bot gets a turn. A phase that lasts until its time is up, or until all have locked in, has further
rounds of turns: soon after something that everyone heard, and otherwise less and less often. Who gets how many turns,
and when, follows from public facts alone (C8): bots that have nothing left to do are asked like all others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from roundtable.core.actions import Action, Remark
from roundtable.core.chance import shuffled
from roundtable.core.events import PhaseBegan
from roundtable.core.game import OPEN_TALK
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.rooms.bot_pace import ANSWER_STEP, Turn, pace_of, times_of_remarks, turns_of_round
from roundtable.rooms.bot_workers import BotWorkers, Question
from roundtable.rooms.state import RoomState

MOST_ROUNDS = 20  # of turns in one phase
STEADY_ROUNDS = 4  # after which rounds without news become rarer
REMARKS_OF_A_LONG_PHASE = (2, 3)  # of all bots together, at least and at most; in other phases one or none
MOST_ANSWERS = 3  # of all bots in one phase, to people who ask one of them why

GamePhase = tuple[int, int]  # the numbers of a game and of a phase

logger = logging.getLogger("roundtable.rooms")


class BotTurns(NamedTuple):
    """When each bot is asked in the current phase. Times are in milliseconds since 1970."""

    phase: tuple[int, int, int] = (0, 0, 0)  # how often the room was read, and the game phase
    bots: tuple[Seat, ...] = ()  # the seats of all bots
    turns: tuple[Turn, ...] = ()  # those who have not been asked yet
    last_turn: int = 0  # when a bot was last asked
    remarks: tuple[Turn, ...] = ()  # who speaks when
    answers: int = 0  # to people who asked a bot why
    round: int = 0  # of turns in this phase
    round_at: int = 0  # when the round was drawn
    next_round: int = 0  # when the next round may begin; 0 where there is none
    rests_until: int = 0  # when it begins without news

    @property
    def due(self) -> list[int]:
        drawn = [at for at, _ in (*self.turns, *self.remarks)]
        return [*drawn, self.next_round] if self.next_round else drawn

    def last_answer(self, room: RoomState) -> int:
        """When the bot that was asked last seems to answer."""
        return self.last_turn + thinking_time(room)

    def ask_again(self, room: RoomState, seat: Seat, now: int) -> BotTurns:
        """Ask a bot again whose move another player's move made illegal; after those who are being asked."""
        return self._replace(turns=(*self.turns, (now + max(1, thinking_time(room) // 5), seat)))


# Rounds of turns


def draw_turns(turns: BotTurns, room: RoomState, now: int) -> BotTurns:
    """When a phase begins, every bot gets a turn. The order is drawn, and depends on nothing secret."""
    play = room.play
    is_waiting = room.settings.only_deals or room.clock.held_until is not None
    if play is None or not room.is_playing or not play.is_dealt or is_waiting:
        return turns._replace(turns=(), remarks=(), next_round=0)
    phase = (room.reloads, room.number, play.phase.number)
    bots = tuple(seat for seat, place in enumerate(room.places) if place.player)
    if phase == turns.phase and bots == turns.bots:
        return turns
    if phase == turns.phase:  # bots that have sat down since
        seated = tuple((now + pace_of(room).first, seat) for seat in bots if seat not in turns.bots)
        return turns._replace(bots=bots, turns=(*turns.turns, *seated))
    begun = BotTurns(phase=phase, bots=bots, last_turn=turns.last_turn, round_at=now)
    if not bots:
        return begun
    begun = begun._replace(remarks=_draw_remarks(room, play, bots, now))
    if bots and _has_person_the_floor(room, play):  # bots listen before they judge
        listening = pace_of(room).listening
        return begun._replace(next_round=now + pace_of(room).pause, rests_until=now + listening)
    return _draw_round(begun, room, play, bots, now)


def _draw_round(turns: BotTurns, room: RoomState, play: Play[Any, Any], seats: Sequence[Seat], now: int) -> BotTurns:
    pace, number, is_first = pace_of(room), turns.round + 1, turns.round == 0
    chance = play.chance(f"bots/{play.phase.number}/{number}")
    begin, is_long = now + (pace.first if is_first else 0), _has_rounds(play)
    drawn = turns_of_round(pace, seats, begin, chance, is_first=is_first, is_long=is_long)
    ends_at = max([at for at, _ in drawn], default=now) + max(pace.thinking, ANSWER_STEP)
    is_last = number >= MOST_ROUNDS or not is_long or not seats
    return turns._replace(
        turns=(*turns.turns, *drawn),
        round=number,
        round_at=now,
        next_round=0 if is_last else ends_at + pace.pause,
        rests_until=ends_at + pace.pause * (1 << max(0, number - STEADY_ROUNDS)),
    )


def _has_rounds(play: Play[Any, Any]) -> bool:
    """Whether the phase lasts until its time is up or all have locked in."""
    return play.phase.name in play.game.timed_phases


def _has_person_the_floor(room: RoomState, play: Play[Any, Any]) -> bool:
    """Whether a person alone may speak and has nothing to decide: the accused, in Saviom."""
    floor = play.state.floors.get(OPEN_TALK)
    speakers = [] if floor is None else [seat for seat in floor.speakers if seat not in play.phase.awaited]
    return floor is not None and len(floor.speakers) == len(speakers) == 1 and not room.places[speakers[0]].player


def _next_round(turns: BotTurns, room: RoomState, play: Play[Any, Any], now: int) -> BotTurns:
    """Another round if there is news, or none for long enough; otherwise look again soon."""
    has_news = room.public_at > turns.round_at or turns.rests_until <= now
    is_asked = bool(turns.turns) or now < turns.last_answer(room) + ANSWER_STEP
    if not has_news or is_asked or room.clock.is_paused:
        return turns._replace(next_round=now + max(ANSWER_STEP, pace_of(room).pause))
    awaited = [seat for seat in turns.bots if turns.round == 0 or seat in play.phase.awaited]
    return _draw_round(turns, room, play, awaited, now)


def take_turns(turns: BotTurns, room: RoomState, now: int) -> tuple[BotTurns, list[Question]]:
    """The bots whose turn it is, as questions; and the turns that are left."""
    play = room.play
    assert play is not None
    if 0 < turns.next_round <= now:
        turns = _next_round(turns, room, play, now)
    due = [seat for at, seat in turns.turns if at <= now]
    speaking = [seat for at, seat in turns.remarks if at <= now]
    if not due and not speaking:
        return turns, []
    asked = [question(room, seat, turns.round) for seat in due if room.places[seat].player]
    asked += [question(room, seat, turns.answers, is_remark=True) for seat in speaking if may_speak(room, seat)]
    left = turns._replace(
        turns=tuple((at, seat) for at, seat in turns.turns if at > now),
        remarks=tuple((at, seat) for at, seat in turns.remarks if at > now),
        last_turn=now if due else turns.last_turn,
    )
    return left, asked


# Remarks


def _draw_remarks(room: RoomState, play: Play[Any, Any], bots: Sequence[Seat], now: int) -> tuple[Turn, ...]:
    """Which bots speak in this phase, and when: drawn, whatever they know."""
    floor = play.state.floors.get(OPEN_TALK)
    said = _have_spoken(play)  # before the room was read again
    able = [seat for seat in bots if floor is not None and seat in floor.speakers]
    chance = play.chance(f"remarks/{play.phase.number}")
    least, most = REMARKS_OF_A_LONG_PHASE
    count = least + chance.below(most - least + 1) if _has_rounds(play) else chance.below(2)
    speakers = [seat for seat in shuffled(chance, able)[:count] if seat not in said]
    pace = pace_of(room)
    return tuple(times_of_remarks(pace, speakers, now + pace.first // 2, chance))


def _have_spoken(play: Play[Any, Any]) -> set[Seat]:
    """Who has made a remark to all in this phase."""
    spoken = set()
    for entry in reversed(play.entries):
        if any(isinstance(event, PhaseBegan) for event in entry.events):
            break
        if isinstance(entry.action, Remark) and entry.action.channel == OPEN_TALK:
            spoken.add(entry.actor)
    return spoken


def may_speak(room: RoomState, seat: Seat) -> bool:
    """Whether the bot at this seat may be heard by all now."""
    place, play = room.places[seat], room.play
    floor = play.state.floors.get(OPEN_TALK) if play is not None else None
    is_allowed = room.settings.bots_speak and place.player is not None and not place.is_silenced
    return is_allowed and floor is not None and seat in floor.speakers


def asked_why(turns: BotTurns, room: RoomState, action: Action, now: int) -> BotTurns | None:
    """The turns with an answer in them, where a person asks a bot why, in the hearing of all."""
    play = room.play
    if not isinstance(action, Remark) or action.phrase != "why" or action.channel != OPEN_TALK or play is None:
        return None
    seat = action.about
    if seat is None or not room.is_playing or turns.answers >= MOST_ANSWERS or not may_speak(room, seat):
        return None
    number = turns.answers + 1
    chance = play.chance(f"answers/{play.phase.number}/{number}")
    ((at, _),) = times_of_remarks(pace_of(room), [seat], now + pace_of(room).remark // 2, chance)
    return turns._replace(answers=number, remarks=(*turns.remarks, (at, seat)))


# Questions


def question(room: RoomState, seat: Seat, number: int = 1, *, is_remark: bool = False) -> Question:
    """What the bot at this seat is asked. The randomness is the same if it is asked again in the same round."""
    play, bot = room.play, room.places[seat].player
    assert play is not None
    assert bot is not None
    kind = "remark" if is_remark else "bot"
    words = play.chance(f"{kind}/{play.phase.number}/{seat}/{number}")
    key = b"".join(words.below(1 << 32).to_bytes(4, "big") for _ in range(8))
    return Question(bot, play.game.name, seat, [line.event for line in play.heard(seat)], key, is_remark)


def thinking_time(room: RoomState) -> int:
    """How long bots seem to think. How long they really think might tell their roles."""
    return pace_of(room).thinking


def left_to_think(step: int, taken: int) -> int:
    """Milliseconds until the next multiple of the thinking time."""
    return step * max(1, -(-taken // step)) - taken if step else -taken % ANSWER_STEP


async def ask_bots(
    workers: BotWorkers, questions: Sequence[Question], step: int, now: Callable[[], int]
) -> list[tuple[Seat, Action]]:
    """The moves and remarks of bots that are asked together. They answer together and in this order, after a time that
    does not depend on how long each of them thinks."""
    begun = now()
    given = await asyncio.gather(*map(workers.choose, questions), return_exceptions=True)
    await asyncio.sleep(left_to_think(step, now() - begun) / 1000)
    answers = []
    for asked, action in zip(questions, given, strict=True):
        if isinstance(action, BaseException):
            logger.error("a bot failed to choose a move", exc_info=action)
        elif action is not None:
            answers.append((asked.seat, action))
    return answers
