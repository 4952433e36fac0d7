"""What a person at a terminal sees and types at any table: news, the board, their secrets, talk and claims."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from roundtable.core.actions import Action, Move, Remark, Say
from roundtable.core.errors import IllegalAction
from roundtable.core.events import Event, GameEnded, Outcome, SecretsRevealed
from roundtable.core.game import OPEN_TALK
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games import game_named
from roundtable.terminal.asking import Questions
from roundtable.terminal.board import Board, can_print_signs
from roundtable.terminal.voice import Terminal, columns_of_screen
from roundtable.text.teller import Teller

HELP = ("role", "board", "history", "say", "whisper", "claim", "quit", "help")
TYPED = {
    "role": "r",
    "board": "b",
    "history": "h",
    "say": "say {text}",
    "whisper": "whisper {text}",
    "claim": "claim",
    "quit": "q",
    "help": "?",
}
WIDEST = 100  # columns that a board is drawn in


class PlayerScreen(ABC):
    """One seat's view of a game, and the commands that answer no question."""

    voice: Terminal
    teller: Teller
    questions: Questions
    seat: Seat

    @property
    @abstractmethod
    def view(self) -> Any:
        """All that this seat knows."""

    @abstractmethod
    def heard(self) -> Sequence[Event]:
        """Every event that this seat has heard."""

    @abstractmethod
    def act(self, action: Action) -> None:
        """Do this in the game; `IllegalAction` if it is refused."""

    @abstractmethod
    def quit(self) -> None:
        """Leave, so that the person can come back."""

    def say(self, key: str, style: str = "", **values: Any) -> None:
        self.voice.say(self.teller.text(key, **values), style)

    # What the person is told

    def tell_event(self, event: Event) -> None:
        if sentence := self.teller.tell(event):
            self.voice.say(sentence, "bold" if isinstance(event, SecretsRevealed) else "")
        if isinstance(event, GameEnded):
            self.tell_result(event.outcome)
        if isinstance(event, SecretsRevealed) and self.voice.is_screen:
            self.show_picture()

    def tell_result(self, outcome: Outcome) -> None:
        """Who won was told; what that means for this person."""
        if outcome.winner is None or self.seat == SPECTATOR:
            return
        if self.seat in outcome.seats:
            self.say("terminal.you_won", "green", name=self.teller.names[self.seat])
        else:
            self.say("terminal.you_lost", "red", name=self.teller.names[self.seat])

    def show_picture(self) -> None:
        self.voice.say(drawn(self.teller, self.view, self.seat, self.voice))

    def show_casting(self) -> None:
        if board := self.teller.board(self.view.setup):
            self.voice.say(board)

    def show_secrets(self) -> None:
        secrets = self.teller.secrets(self.heard())
        self.voice.show_and_hide(secrets, self.teller.text("terminal.hide"), self.teller.text("terminal.stays"))

    def look_back(self) -> None:
        self.show_casting()
        self.voice.say(self.teller.history(self.view, self.heard()))

    def help(self) -> None:
        self.voice.say("\n".join(help_lines(self.teller, self.voice.can_hide)), "dim")

    def warning(self, move: Move) -> str | None:
        return self.teller.text("terminal.gives_up") if move.gives_up else self.teller.warning(self.view, move)

    # Commands

    def run_command(self, typed: str) -> None:
        """Carry out a command, or show a complaint."""
        word, _, rest = typed.partition(" ")
        match word.casefold():
            case "r" | "role":
                self.show_secrets()
            case "b" | "board":
                self.show_picture()
            case "h" | "history":
                self.look_back()
            case "say":
                self.speak(OPEN_TALK, rest)
            case "whisper":
                self.whisper(rest)
            case "c" | "claim":
                self.claim()
            case "q" | "quit":
                self.quit()
            case "?" | "help":
                self.help()
            case _:
                self.voice.say(typed, "red")

    def speak(self, channel: str, text: str) -> None:
        self.talk(Say(channel=channel, text=text))

    def talk(self, line: Say | Remark) -> None:
        try:
            self.act(line)
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

    def claim(self) -> None:
        """Say something out of the phrase book, which players of every language and bots understand."""
        game, setup = game_named(self.view.setup.game), self.view.setup
        phrases = {name: phrase for name, phrase in game.phrases.items() if name not in setup.unsaid_phrases()}
        name = self.questions.ask_for_line([*phrases], self.teller.phrase_kind)
        about = self.questions.ask_for_seat() if phrases[name].has_seat else None
        word = self.questions.ask_for_line(sorted(game.words), self.teller.word) if phrases[name].has_word else None
        self.talk(Remark(channel=OPEN_TALK, phrase=name, about=about, word=word))


def help_lines(teller: Teller, can_hide: bool, shown: Sequence[str] = HELP) -> list[str]:
    text = teller.text("terminal.text")
    said = {name: teller.text(f"terminal.help.{name}") for name in HELP}
    said["role"] = teller.text("terminal.help.role", context="" if can_hide else "stays")
    return [f"  {TYPED[name].format(text=text):<14}{said[name]}" for name in shown]


def drawn(teller: Teller, view: Any, seat: Seat, voice: Terminal) -> str:
    """The table as a picture in letters, as wide as the screen."""
    board = Board(min(columns_of_screen(), WIDEST), can_print_signs(sys.stdout.encoding), voice.paint)
    return board.draw(teller.picture(view, seat), teller.names)


__all__ = ["PlayerScreen", "drawn", "help_lines"]
