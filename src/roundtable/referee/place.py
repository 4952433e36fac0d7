"""A program's place at the table: what it is told, what it asks for, and how it behaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from roundtable.core.actions import Action, Move
from roundtable.core.errors import IllegalAction, RoundTableError, Unreadable
from roundtable.core.options import permits
from roundtable.core.play import LONGEST_ID, Play
from roundtable.core.seats import Seat
from roundtable.protocol import Act, Answered, Asked, GameReader, Heard, Message, Pass, Refused
from roundtable.protocol.encoding import LONGEST, encoded, encoded_offers, id_in, is_id, line
from roundtable.referee.program import TOO_LONG, BotProcess, Departure

PATIENCE = 3  # questions in a row that a program may leave open before the table stops waiting for it


class ProgramReport(NamedTuple):
    """How a program behaved: questions asked and missed, lines refused, and why it left before the end, if it did."""

    seat: Seat
    command: tuple[str, ...]
    asked: int
    late: int
    refused: int
    left: Departure | None

    @property
    def is_faultless(self) -> bool:
        return not (self.late or self.refused or self.left)


class Place:
    """One seat with a program. `publish` writes down what happened and tells it to those who may know."""

    def __init__(
        self,
        play: Play[Any, Any],
        reader: GameReader,
        bot: BotProcess,
        publish: Callable[[], None],
        is_strict: bool = False,
    ) -> None:
        self.bot = bot
        self._play = play
        self._reader = reader
        self._publish = publish
        self._is_strict = is_strict  # not waited for again after a refusal
        self._heard = 0
        self._asked = self._late = self._late_in_a_row = self._refused = 0
        self._open_questions: set[int] = set()
        self._waiting: list[tuple[str, Move, bool]] = []  # legal moves, and whether they answer an open question
        self.is_overtaken = False  # its answer was legal when it came, and others made it illegal in the same phase

    def conduct(self) -> ProgramReport:
        bot = self.bot
        return ProgramReport(bot.seat, bot.command, self._asked, self._late, self._refused, bot.gone)

    # What it is told

    def send(self, message: Message) -> None:
        self.bot.tell(line(message))

    def catch_up(self) -> None:
        for heard in self._play.heard(self.bot.seat, self._heard):
            self._heard = heard.number
            self.send(Heard(number=heard.number, event=encoded(heard.event)))

    def ask(self, milliseconds: int) -> None:
        """Ask what it does in this phase, in words that follow from its own view alone (C4)."""
        view = self._play.view(self.bot.seat)
        number, name = view.phase.number, view.phase.name
        self.bot.begin_phase()
        self._asked += 1
        self.is_overtaken = False
        self._open_questions.add(number)
        choice = encoded_offers(self._play.game.options(view, self.bot.seat), number)
        self.send(Asked(phase=number, name=name, milliseconds=milliseconds, options=choice))

    def is_awaited(self, phase: int) -> bool:
        is_given_up = self._late_in_a_row >= PATIENCE or (self._is_strict and self._refused > 0)
        return self.bot.gone is None and not is_given_up and phase in self._open_questions

    def time_is_up(self, phase: int) -> None:
        is_late = phase in self._open_questions
        self._late += is_late and self.bot.gone is None
        self._late_in_a_row = self._late_in_a_row + 1 if is_late else 0

    # What it says

    def listen(self) -> None:
        for said in self.bot.take_lines():
            self._take(said)

    def _take(self, line: bytes) -> None:
        try:
            if line == TOO_LONG:
                raise Unreadable("text/unreadable", "long", most=LONGEST)
            said = self._reader.from_player(line)
            action = self._reader.action(said) if isinstance(said, Act) else None
        except Unreadable as unreadable:
            self._refuse(id_in(line), unreadable)
            return
        if isinstance(said, Pass):
            self._take_pass(said.phase)
        elif not is_id(said.id):
            self._refuse("", IllegalAction("action/bad_id", most=LONGEST_ID))
        elif action is not None:
            self._take_act(said.id, action)

    def _take_pass(self, phase: int) -> None:
        now = self._play.phase.number
        self._open_questions.discard(phase)
        if not 1 <= phase <= now:
            self._refuse("", IllegalAction("action/late", phase=phase, now=now))

    def _take_act(self, id: str, move: Action) -> None:
        """A legal move waits until all programs have answered. Talk does not wait, and neither does a refusal."""
        if not isinstance(move, Move):
            self._do(id, move)
            return
        is_answer = move.phase in self._open_questions
        if permits(self._play.options(self.bot.seat), move):
            self._open_questions.discard(move.phase)
            self._waiting.append((id, move, is_answer))
        else:
            self._do(id, move, is_excused=is_answer and move.phase < self._play.phase.number)

    # What is done

    def do_what_waits(self) -> None:
        """Each move in the order in which the program sent them; an answer may find that others changed the game."""
        waiting, self._waiting = self._waiting, []
        for name, move, is_answer in waiting:
            is_done = self._do(name, move, is_excused=is_answer)
            self.is_overtaken |= is_answer and not is_done

    def _do(self, id: str, action: Action, is_excused: bool = False) -> bool:
        """Do it or refuse it. An answer that came late, or that others overtook, is no second fault."""
        try:
            self._play.act(self.bot.seat, action, id)
        except IllegalAction as refusal:
            self._refused -= is_excused
            self._refuse(id, refusal)
            return False
        self._publish()
        self.send(Answered(id=id))
        return True

    def _refuse(self, id: str, error: RoundTableError) -> None:
        self._refused += 1
        values = dict(error.values)
        self.send(Refused(id=id, code=error.code, message=error.message, variant=error.variant, values=values))
