"""A table at which one person sits at the terminal and bots sit in the other seats."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import time_is_up
from roundtable.core.actions import Action, Move
from roundtable.core.catalogue import SOURCE
from roundtable.core.entries import Heard
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, Seat, only
from roundtable.games import spec_named
from roundtable.storage import Recorder
from roundtable.terminal.asking import Aside, Questions
from roundtable.terminal.bots import ask_bots_once
from roundtable.terminal.player import PlayerScreen
from roundtable.terminal.seating import people, without_marks
from roundtable.terminal.voice import Deadline, Terminal, TimeIsUp
from roundtable.text.teller import teller_of


class TerminalTable(PlayerScreen):
    """Plays a game to its end, writing every line of it down before the next question is asked."""

    def __init__(
        self,
        play: Play[Any, Any],
        names: Sequence[str],
        bots: Mapping[Seat, Bot],
        recorder: Recorder,
        voice: Terminal,
        lang: str = SOURCE,
    ) -> None:
        self.play = play
        (self.seat,) = people(names)
        self.bots = bots
        self.recorder = recorder
        self.voice = voice
        self.teller = teller_of(spec_named(play.game.name), without_marks(names), lang)
        self.questions = Questions(voice, self.teller)
        self.heard_count = 0
        self.known = len(play.heard(self.seat))  # the deal, and all that happened before the game was resumed
        self.echoes: list[Event] = []

    def run(self) -> None:
        self.say("terminal.seated", name=self.teller.names[self.seat], seat=self.seat + 1)
        self.help()
        self.show_casting()
        while not self.play.is_over:
            self.tell_news()
            phase = self.play.phase.number
            ask_bots_once(self.play, self.bots)
            self.recorder.catch_up()
            if self.is_at(phase):
                self.ask_in_time(phase)
            if self.is_at(phase):
                time_is_up(self.play)
            self.recorder.catch_up()
        self.tell_news()

    def is_at(self, phase: int) -> bool:
        return not self.play.is_over and self.play.phase.number == phase

    @property
    def view(self) -> Any:
        return self.play.view(self.seat)

    def heard(self) -> Sequence[Event]:
        return [line.event for line in self.play.heard(self.seat)]

    def quit(self) -> None:
        raise KeyboardInterrupt

    def tell_news(self) -> None:
        """Tell what this seat has heard since the last time."""
        lines = self.play.heard(self.seat, self.heard_count)
        self.heard_count += len(lines)
        for line in lines:
            if self.is_kept_back(line):
                self.teller.tell(line.event)  # it belongs to the story all the same
            else:
                self.tell_event(line.event)
        self.echoes.clear()

    def is_kept_back(self, line: Heard) -> bool:
        """What was dealt to this seat or shown to it before a break stays hidden until the person asks for it."""
        is_old_secret = line.number <= self.known and line.event.audience is not EVERYONE
        return is_old_secret or line.event in self.echoes

    # What the person is asked

    def ask_in_time(self, phase: int) -> None:
        """Ask until the deadline of the phase, if it has one; then its time is up, as in a room (S5, C5)."""
        if (seconds := self.play.phase.seconds) is not None:
            self.voice.deadline = Deadline(time.monotonic() + seconds, self.time_left)
        try:
            self.ask_person(phase)
        except TimeIsUp:
            self.voice.say()
            self.say("terminal.time_up", "yellow")
        finally:
            self.voice.deadline = None

    def time_left(self, seconds: int) -> str:
        return self.teller.text("terminal.time_left", count=seconds)

    def ask_person(self, phase: int) -> None:
        """Ask until the phase is over or the person has nothing more to do in it."""
        again = False
        is_drawn = not self.voice.is_screen
        while self.is_at(phase):
            self.tell_news()
            options = self.options()
            if not options or (again and all(option.kind.gives_up for option in options)):
                return
            if not is_drawn:
                self.show_picture()
                is_drawn = True
            try:
                move = self.ask_for_move(options, again)
                if move and not self.questions.is_confirmed(self.warning(move)):
                    continue
            except Aside as aside:
                self.obey(aside.wish)
                continue
            if move is None:
                return
            self.act(move)
            again = True

    def obey(self, wish: str) -> None:
        """Carry out a command, in which the person may be asked something, too."""
        try:
            self.run_command(wish)
        except Aside as aside:
            self.obey(aside.wish)

    def options(self) -> Options:
        return self.play.game.options(self.view, self.seat)

    def ask_for_move(self, options: Options, again: bool) -> Move | None:
        may_wait = self.play.game.may_wait(self.view, self.seat)
        return self.questions.ask_for_move(options, self.play.phase.name, may_wait, again)

    def act(self, action: Action) -> None:
        entry = self.play.act(self.seat, action)
        if isinstance(action, Move):
            self.echoes += [event for event in entry.events if is_echo(event, self.seat, action)]
        self.recorder.catch_up()


def is_echo(event: Event, seat: Seat, move: Move) -> bool:
    """Whether an event tells a seat alone nothing but what it has just chosen."""
    chosen = [seat, *(getattr(move, part.name) for part in fields(move))]
    told = [getattr(event, part.name) for part in fields(event) if part.name != "audience"]
    return event.audience == only(seat) and all(part in chosen for part in told)
