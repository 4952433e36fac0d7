"""A table at which one person sits at the terminal and bots sit in the other seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import ask_bots, time_is_up
from roundtable.clients.story import Names, Story
from roundtable.clients.terminal.asking import Aside, ask_for_move
from roundtable.clients.terminal.voice import Voice
from roundtable.clients.terminal.words import history, secrets_of
from roundtable.games.quests.events import BallotMarked, CardChosen
from roundtable.games.quests.events import RoleDealt as QuestRole
from roundtable.games.saviom.events import PackMet, VerdictMarked
from roundtable.games.saviom.events import RoleDealt as TownRole
from roundtable.record import Recorder
from roundtable.table.actions import Say
from roundtable.table.errors import IllegalAction
from roundtable.table.events import SealsBroken
from roundtable.table.options import name_of
from roundtable.table.play import Play
from roundtable.table.seats import Seat

SHOWN_ON_WISH = QuestRole | TownRole | PackMet
JUST_TYPED = BallotMarked | CardChosen | VerdictMarked
BOT_MARK = " (bot)"
HELP = """\
  r  your role, until you press Enter      h  who voted how, and what happened
  say TEXT  talk to the table              q  leave; the game is kept            ?  this help"""


def names_at_table(seat: Seat, name: str, bot_names: Sequence[str], seats: int) -> Names:
    """The person's name at their seat, and bots everywhere else, marked as such."""
    spare = (other for other in bot_names if other.casefold() != name.casefold())
    return Names(name if place == seat else next(spare) + BOT_MARK for place in range(seats))


def human_seat(names: Sequence[str]) -> Seat:
    """The one seat that no bot sits in."""
    return next((seat for seat, name in enumerate(names) if not name.endswith(BOT_MARK)), 0)


class TerminalTable:
    """Plays a game to its end, writing every line of it down before the next question is asked."""

    def __init__(
        self, play: Play[Any, Any], names: Sequence[str], bots: Mapping[Seat, Bot], recorder: Recorder, voice: Voice
    ) -> None:
        self.play = play
        self.seat = human_seat(names)
        self.names = Names(name.removesuffix(BOT_MARK) for name in names)
        self.bots = bots
        self.recorder = recorder
        self.voice = voice
        self.story = Story(play.game.name, self.names)
        self.told = 0

    def run(self) -> None:
        self.voice.say(f"You are {self.names[self.seat]}, in seat {self.seat}. Your role is hidden; type r to see it.")
        self.voice.say(HELP, "dim")
        while not self.play.is_over:
            self.tell_news()
            phase = self.play.phase.number
            ask_bots(self.play, self.bots, self.play.chance(f"bots/{len(self.play.entries)}"))
            if self.is_at(phase):
                self.ask_person(phase)
            if self.is_at(phase):
                time_is_up(self.play)
            self.recorder.catch_up()
        self.tell_news()

    def is_at(self, phase: int) -> bool:
        return not self.play.is_over and self.play.phase.number == phase

    def tell_news(self) -> None:
        """What this seat has heard since the last time, but not its role, which stays hidden until asked for."""
        lines = self.play.heard(self.seat, self.told)
        self.told += len(lines)
        for line in lines:
            sentence = self.story.tell(line.event)
            if sentence and not isinstance(line.event, SHOWN_ON_WISH | JUST_TYPED):
                self.voice.say(sentence, "bold" if isinstance(line.event, SealsBroken) else "")

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
            except Aside as aside:
                self.grant(aside.wish)
                continue
            if move is None:
                return
            self.play.act(self.seat, move)
            self.recorder.catch_up()
            again = True

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
                self.voice.say(history(self.view, self.names))
            case "say":
                self.speak(rest)
            case "q" | "quit":
                raise KeyboardInterrupt
            case "?" | "help":
                self.voice.say(HELP, "dim")
            case _:
                self.voice.say(wish, "red")

    def speak(self, text: str) -> None:
        floors = self.view.floors
        open_to_me = [name for name, floor in floors.items() if self.seat in floor.speakers]
        try:
            self.play.act(self.seat, Say(channel=open_to_me[-1] if open_to_me else "table", text=text))
        except IllegalAction as refused:
            self.voice.say(refused.message, "red")
