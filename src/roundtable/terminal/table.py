"""A table at which one person sits at the terminal and bots sit in the other seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import time_is_up
from roundtable.core.actions import Move, Say
from roundtable.core.entries import Heard
from roundtable.core.errors import IllegalAction
from roundtable.core.events import SealsBroken
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import name_of
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games.quests.events import BallotMarked, CardChosen
from roundtable.games.saviom.events import VerdictMarked
from roundtable.storage import Recorder
from roundtable.story import Story
from roundtable.story.board import board
from roundtable.story.history import history
from roundtable.story.moves import secrets_of
from roundtable.story.telling import CHANNELS
from roundtable.terminal.asking import Aside, ask_for_move, is_meant
from roundtable.terminal.bots import ask_bots_once
from roundtable.terminal.seating import people, without_marks
from roundtable.terminal.voice import Voice

JUST_TYPED = BallotMarked | CardChosen | VerdictMarked
HELP = """\
  r             your role, {hidden}
  h             the roles in the deal, who voted how, and what happened
  say TEXT      talk to the table
  whisper TEXT  talk to the Wolves, Evil or the dead, if you are one of them
  q             leave; the game is kept
  ?             this help"""


class TerminalTable:
    """Plays a game to its end, writing every line of it down before the next question is asked."""

    def __init__(
        self, play: Play[Any, Any], names: Sequence[str], bots: Mapping[Seat, Bot], recorder: Recorder, voice: Voice
    ) -> None:
        self.play = play
        (self.seat,) = people(names)
        self.names = without_marks(names)
        self.bots = bots
        self.recorder = recorder
        self.voice = voice
        self.story = Story(play.game.name, self.names)
        self.told = 0
        self.known = len(play.heard(self.seat))  # the deal, and all that happened before the game was taken up

    def run(self) -> None:
        self.voice.say(f"You are {self.names[self.seat]}, in seat {self.seat}. Your role is hidden; type r to see it.")
        self.help()
        self.voice.say(board(self.play.state.setup))
        while not self.play.is_over:
            self.tell_news()
            phase = self.play.phase.number
            ask_bots_once(self.play, self.bots)
            self.recorder.catch_up()
            if self.is_at(phase):
                self.ask_person(phase)
            if self.is_at(phase):
                time_is_up(self.play)
            self.recorder.catch_up()
        self.tell_news()

    def is_at(self, phase: int) -> bool:
        return not self.play.is_over and self.play.phase.number == phase

    def tell_news(self) -> None:
        """What this seat has heard since the last time."""
        lines = self.play.heard(self.seat, self.told)
        self.told += len(lines)
        for line in lines:
            sentence = self.story.tell(line.event)
            if sentence and not self.is_kept_back(line):
                self.voice.say(sentence, "bold" if isinstance(line.event, SealsBroken) else "")

    def is_kept_back(self, line: Heard) -> bool:
        """What was dealt to this seat, or shown to it at an earlier sitting, stays hidden until it is asked for."""
        is_old_secret = line.number <= self.known and line.event.audience is not EVERYONE
        return is_old_secret or isinstance(line.event, JUST_TYPED)

    def ask_person(self, phase: int) -> None:
        """Ask until the phase is over or the person has nothing more to do in it."""
        again = False
        while self.is_at(phase):
            self.tell_news()
            options = tuple(
                option for option in self.play.game.options(self.view, self.seat) if name_of(option.kind) != "surrender"
            )
            if not options:
                return
            try:
                move = ask_for_move(self.voice, options, self.play.phase.name, self.names, again)
                if move and not self.is_meant(move):
                    continue
            except Aside as aside:
                self.grant(aside.wish)
                continue
            if move is None:
                return
            self.play.act(self.seat, move)
            self.recorder.catch_up()
            again = True

    def is_meant(self, move: Move) -> bool:
        return is_meant(self.voice, move, self.play.phase.name, getattr(self.view, "evil", None), self.names)

    @property
    def view(self) -> Any:
        return self.play.view(self.seat)

    def grant(self, wish: str) -> None:
        """Show, speak, or leave."""
        word, _, rest = wish.partition(" ")
        match word.casefold():
            case "r" | "role":
                self.voice.show_and_hide(secrets_of(self.view, self.seat, self.names))
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
                self.voice.say(wish, "red")

    def help(self) -> None:
        hidden = "until you press Enter" if self.voice.can_hide else "which then stays on the screen"
        self.voice.say(HELP.format(hidden=hidden), "dim")

    def look_back(self) -> None:
        heard = [line.event for line in self.play.heard(self.seat)]
        self.voice.say(board(self.play.state.setup))
        self.voice.say(history(self.view, heard, self.names))

    def speak(self, channel: str, text: str) -> None:
        try:
            self.play.act(self.seat, Say(channel=channel, text=text))
            self.recorder.catch_up()
        except IllegalAction as refused:
            others = "".join(f" To speak {CHANNELS[name]}: whisper TEXT." for name in self.whispers())
            self.voice.say(refused.message + (others if refused.code == "talk/closed" else ""), "red")

    def whisper(self, text: str) -> None:
        if open_to_me := self.whispers():
            self.speak(open_to_me[0], text)
        else:
            self.voice.say("There is nobody to whisper to now; say TEXT talks to the table.", "red")

    def whispers(self) -> list[str]:
        """The channels in which this seat speaks and not everybody hears it."""
        floors = self.view.floors
        return [name for name, floor in floors.items() if name != OPEN_TALK and self.seat in floor.speakers]
