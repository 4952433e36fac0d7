"""A table at which one person sits at the terminal and bots sit in the other seats."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import time_is_up
from roundtable.core.actions import Move, Say
from roundtable.core.catalogue import SOURCE
from roundtable.core.entries import Heard
from roundtable.core.errors import IllegalAction
from roundtable.core.events import Event, SecretsRevealed
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, Seat, only
from roundtable.games import spec_named
from roundtable.storage import Recorder
from roundtable.terminal.asking import Aside, Questions
from roundtable.terminal.bots import ask_bots_once
from roundtable.terminal.seating import people, without_marks
from roundtable.terminal.voice import Deadline, Terminal, TimeIsUp
from roundtable.text.teller import Teller, teller_of

HELP = ("role", "history", "say", "whisper", "quit", "help")
TYPED = {"role": "r", "history": "h", "say": "say {text}", "whisper": "whisper {text}", "quit": "q", "help": "?"}


class TerminalTable:
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
        self.show_board()
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

    def say(self, key: str, style: str = "", **values: object) -> None:
        self.voice.say(self.teller.text(key, **values), style)

    # What the person is told

    def tell_news(self) -> None:
        """Tell what this seat has heard since the last time."""
        lines = self.play.heard(self.seat, self.heard_count)
        self.heard_count += len(lines)
        for line in lines:
            sentence = self.teller.tell(line.event)
            if sentence and not self.is_kept_back(line):
                self.voice.say(sentence, "bold" if isinstance(line.event, SecretsRevealed) else "")
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
        while self.is_at(phase):
            self.tell_news()
            options = self.options()
            if not options or (again and all(option.kind.gives_up for option in options)):
                return
            try:
                move = self.ask_for_move(options, again)
                if move and not self.questions.is_confirmed(self.warning(move)):
                    continue
            except Aside as aside:
                self.run_command(aside.wish)
                continue
            if move is None:
                return
            self.act(move)
            again = True

    def options(self) -> Options:
        return self.play.game.options(self.view, self.seat)

    def warning(self, move: Move) -> str | None:
        return self.teller.text("terminal.gives_up") if move.gives_up else self.teller.warning(self.view, move)

    def ask_for_move(self, options: Options, again: bool) -> Move | None:
        may_wait = self.play.game.may_wait(self.view, self.seat)
        return self.questions.ask_for_move(options, self.play.phase.name, may_wait, again)

    def act(self, move: Move) -> None:
        entry = self.play.act(self.seat, move)
        self.echoes += [event for event in entry.events if is_echo(event, self.seat, move)]
        self.recorder.catch_up()

    @property
    def view(self) -> Any:
        return self.play.view(self.seat)

    # Commands

    def run_command(self, typed: str) -> None:
        """Carry out a command, or show a complaint."""
        word, _, rest = typed.partition(" ")
        match word.casefold():
            case "r" | "role":
                self.show_secrets()
            case "h" | "history":
                self.look_back()
            case "say":
                self.speak(OPEN_TALK, rest)
            case "whisper":
                self.whisper(rest)
            case "q" | "quit":
                raise KeyboardInterrupt
            case "?" | "help":
                self.help()
            case _:
                self.voice.say(typed, "red")

    def help(self) -> None:
        self.voice.say("\n".join(help_lines(self.teller, self.voice.can_hide)), "dim")

    def show_secrets(self) -> None:
        secrets = self.teller.secrets(line.event for line in self.play.heard(self.seat))
        self.voice.show_and_hide(secrets, self.teller.text("terminal.hide"), self.teller.text("terminal.stays"))

    def show_board(self) -> None:
        if board := self.teller.board(self.play.state.setup):
            self.voice.say(board)

    def look_back(self) -> None:
        self.show_board()
        self.voice.say(self.teller.history(self.view, [line.event for line in self.play.heard(self.seat)]))

    def speak(self, channel: str, text: str) -> None:
        try:
            self.play.act(self.seat, Say(channel=channel, text=text))
            self.recorder.catch_up()
        except IllegalAction as refused:
            self.voice.say(refused.text(self.teller.catalogue.lang), "red")
            if refused.code == "talk/closed":
                for name in self.whispers():
                    self.say("terminal.whisper_instead", "red", to=self.teller.channel(name))

    def whisper(self, text: str) -> None:
        if open_to_me := self.whispers():
            self.speak(open_to_me[0], text)
        else:
            self.say("terminal.no_whisper", "red")

    def whispers(self) -> list[str]:
        """The channels in which this seat speaks and not everyone hears it."""
        floors = self.view.floors
        return [name for name, floor in floors.items() if name != OPEN_TALK and self.seat in floor.speakers]


def help_lines(teller: Teller, can_hide: bool) -> list[str]:
    text = teller.text("terminal.text")
    said = {name: teller.text(f"terminal.help.{name}") for name in HELP}
    said["role"] = teller.text("terminal.help.role", context="" if can_hide else "stays")
    return [f"  {TYPED[name].format(text=text):<14}{said[name]}" for name in HELP]


def is_echo(event: Event, seat: Seat, move: Move) -> bool:
    """Whether an event tells a seat alone nothing but what it has just chosen."""
    chosen = [seat, *(getattr(move, part.name) for part in fields(move))]
    told = [getattr(event, part.name) for part in fields(event) if part.name != "audience"]
    return event.audience == only(seat) and all(part in chosen for part in told)
