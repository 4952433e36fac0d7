"""A table for programs: each sits at a seat, hears what that seat may hear, and is asked when all are asked.

In every phase every program is asked, also those with nothing to choose, and all answers are taken before the first
one is done, in a drawn order. So neither who is asked, nor how fast a program answers, nor the order gives anything
away or wins anything. A program that does not answer in time does nothing, and the clock acts for it (C5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from roundtable.bots.playing import Bot, choice_of, time_is_up
from roundtable.core.chance import shuffled
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.protocol import PROTOCOL, GameReader, Over, Welcome
from roundtable.protocol.encoding import encoded
from roundtable.referee.place import Place, ProgramReport
from roundtable.referee.programs import Programs
from roundtable.text.names import Names
from roundtable.text.teller import Teller


class Referee:
    """Holds one dealt game for programs at some seats and built-in bots at the others."""

    def __init__(
        self,
        play: Play[Any, Any],
        programs: Programs,
        commands: Mapping[Seat, Sequence[str]],
        bots: Mapping[Seat, Bot],
        *,
        names: Names,
        seconds: float,
        write_down: Callable[[], None] = lambda: None,
        is_strict: bool = False,
    ) -> None:
        """A strict table does not wait for another answer from a program whose answer it refused."""
        self.play = play
        self.conducts: list[ProgramReport] = []  # how the programs behaved, once the game is over
        self._bots = dict(bots)
        self._names = names
        self._seconds = seconds
        self._write_down = write_down
        self._programs = programs
        reader = GameReader(play.game)
        self._places = {
            seat: Place(play, reader, programs.at(seat, commands[seat]), self._publish, is_strict)
            for seat in sorted(commands)
        }

    def reports(self) -> list[ProgramReport]:
        """How the programs that sit at the table have behaved so far."""
        return [place.conduct() for place in self._places.values()]

    def replace(self, seat: Seat, bot: Bot) -> None:
        """Between two phases: end the program at this seat, and let the bot play on."""
        self._programs.dismiss(self._places.pop(seat).bot)
        self._bots[seat] = bot

    def story(self, teller: Teller) -> Iterator[str]:
        """Hold the game to its end, and tell what a spectator hears as it goes."""
        heard = 0
        for _ in self.phases():
            lines = self.play.heard(SPECTATOR, heard)
            heard += len(lines)
            yield from (said for line in lines if (said := teller.tell(line.event)))

    def phases(self) -> Iterator[int]:
        """Hold the game to its end; the number of each phase as it begins, and of the last one again."""
        self._welcome()
        while True:
            self._publish()
            yield self.play.phase.number
            if self.play.is_over:
                break
            self._hold_phase()
        self._say_how_it_ended()

    def _welcome(self) -> None:
        game, setup, names = self.play.game.name, self.play.state.setup, tuple(self._names)
        for seat, place in self._places.items():
            place.send(Welcome(protocol=PROTOCOL, game=game, seat=seat, setup=encoded(setup), names=names))

    def _publish(self) -> None:
        """Write down what happened, and only then tell it to those who may know."""
        self._write_down()
        for place in self._places.values():
            place.catch_up()

    def _hold_phase(self) -> None:
        """Ask all programs, take the answers, do them; if the phase is still the same afterwards, its time is up.

        An answer that another one made illegal in the same phase (another seat changed what may be chosen) is asked
        for again.
        """
        phase = self.play.phase.number
        asked = list(self._places.values())
        seats: Sequence[Seat] = range(self.play.state.setup.seats)
        while seats and self._is_at(phase):
            for place in asked:
                place.ask(int(self._seconds * 1000))
            self._listen(phase, asked)
            self._do_all(phase, seats)
            asked = [place for place in asked if place.is_overtaken]
            seats = [place.bot.seat for place in asked]
        if self._is_at(phase):
            time_is_up(self.play)

    def _is_at(self, phase: int) -> bool:
        return not self.play.is_over and self.play.phase.number == phase

    def _listen(self, phase: int, asked: Sequence[Place]) -> None:
        """Take what the programs say until all who were asked have answered or time is up."""
        deadline = monotonic() + self._seconds
        while any(place.is_awaited(phase) for place in asked):
            if (left := deadline - monotonic()) <= 0:
                break
            self._programs.pump(left)
            for place in self._places.values():
                place.listen()
            if not self._is_at(phase):  # called off
                return
        for place in asked:
            place.time_is_up(phase)

    def _do_all(self, phase: int, seats: Sequence[Seat]) -> None:
        """One seat after the other, in an order that is drawn for this phase and depends on nothing else."""
        for seat in shuffled(self.play.chance(f"referee/{phase}"), seats):
            if place := self._places.get(seat):
                place.do_what_waits()
            elif self._is_at(phase):
                self._let_choose(seat, phase)

    def _let_choose(self, seat: Seat, phase: int) -> None:
        """A built-in bot's turn."""
        move = choice_of(self._bots[seat], self.play, seat, self.play.chance(f"referee/{phase}/{seat}"))
        if move is not None:
            self.play.act(seat, move)

    def _say_how_it_ended(self) -> None:
        assert self.play.outcome is not None
        for place in self._places.values():
            place.send(Over(outcome=encoded(self.play.outcome)))
        self.conducts = self.reports()
