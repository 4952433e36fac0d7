"""A live table in a terminal: the lobby, the game with the board and questions of `play`, and the time after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from roundtable.client import ConnectionLost, ConnectionRestored, Table
from roundtable.core.actions import Action, Move
from roundtable.core.catalogue import Catalogue
from roundtable.core.errors import IllegalAction, RoomRefused
from roundtable.core.events import Event, Outcome, PhaseBegan, TableOpened
from roundtable.core.game import Game, evolve, fold
from roundtable.core.names import printable
from roundtable.core.options import Options
from roundtable.core.seats import EVERYONE, SPECTATOR
from roundtable.games import game_named, spec_named
from roundtable.protocol import Asked, Over
from roundtable.protocol.messages import Welcome
from roundtable.protocol.rooms import (
    AnnounceOutcome,
    ChangeSettings,
    Chatted,
    Clock,
    Ending,
    Request,
    Room,
    SayLooked,
)
from roundtable.terminal.asking import COMMANDS, Aside, Questions
from roundtable.terminal.link import LinkEnded, TableLink
from roundtable.terminal.live_voice import LiveTerminal, Overtaken
from roundtable.terminal.lobby import lobby_lines
from roundtable.terminal.player import PlayerScreen, help_lines
from roundtable.terminal.room_commands import ROOM_COMMANDS, Place, setting_lines
from roundtable.terminal.table import is_echo
from roundtable.terminal.voice import Deadline
from roundtable.text.names import Names
from roundtable.text.teller import teller_of

WORDS = frozenset((*ROOM_COMMANDS, "leave", "table", "change", "won"))
ALL_COMMANDS = COMMANDS | WORDS
TYPED = {"say": "say {text}", "quit": "q", "help": "?"} | {
    name: command.typed for name, command in ROOM_COMMANDS.items() if command.typed
}
GAME_HELP = ("role", "board", "history", "say")
TOLD_AGAIN = 6  # events of a running game that a person who comes back is told


class Left(Exception):
    """The person has left: for good, or to come back."""

    def __init__(self, is_final: bool) -> None:
        super().__init__()
        self.is_final = is_final


class JoinedTable(PlayerScreen):
    """One member's place in a room, at a terminal."""

    voice: LiveTerminal

    def __init__(self, table: Table, link: TableLink, address: str, voice: LiveTerminal, words: Catalogue) -> None:
        self.table = table
        self.room = table.room  # as it was when the news was read
        self.me = table.membership.member if table.membership else None
        self._view: Any = None
        self._game: Game[Any, Any]
        self.voice = voice
        self.words = words
        self._link = link
        self._address = f"{address}/r/{table.room.code}"
        self._heard: list[Event] = []
        self._backlog: list[Event] | None = None  # what is heard between a Welcome and the first question
        self._awaits_game = self.room.stage != "playing"  # whether the person is here before the next game begins
        self._is_beginning = False  # whether a game began while the person was here, and its first phase has not
        self._move: Move | None = None  # that was sent and is not answered: what it tells this seat is no news
        self._lobby = ""  # as it was shown last
        self._must_look = False
        self._done_in = self._drawn_in = -1  # phases
        self._again = False
        self._moved: tuple[int, type[Move]] | None = None  # the phase of the last move, and its kind
        self._end: LinkEnded | None = None
        voice.on_news = self.take
        voice.on_quiet = self.tell_backlog
        voice.on_typed = self.tell_presence
        voice.state = self.state

    # The table as it is now

    @property
    def place(self) -> Place:
        return Place(self.room, self.me, self.words)

    @property
    def seat(self) -> int:  # type: ignore[override]
        return self.place.seat

    @property
    def view(self) -> Any:
        """Folded from what was taken out of the inbox: `table.view` may be ahead of what the person has read."""
        return self._view

    @property
    def has_game(self) -> bool:
        return self._view is not None

    def heard(self) -> Sequence[Event]:
        return self._heard

    def options(self) -> Options:
        is_untold = self._backlog is not None
        is_waiting = is_untold or self.room.looking_until is not None or self.room.settings.only_deals
        view, seat = self._view, self.seat
        if is_waiting or view is None or seat < 0 or not view.phase.number or view.outcome is not None:
            return ()
        return self._game.options(view, seat)

    def state(self) -> object:
        """What a question is about; one about something else is out of date."""
        phase = self._view.phase.number if self._view is not None else 0
        ended = self._end is not None
        return self.room.number, self.room.stage, phase, bool(self.options()), self.seat, self._must_look, ended

    def text(self, key: str, **values: Any) -> str:
        return self.words.text(key, **values)

    def say(self, key: str, style: str = "", **values: Any) -> None:
        self.voice.say(self.text(key, **values), style)

    # The conversation

    def run(self) -> None:
        """Until the person leaves (`Left`) or the table is gone (its error)."""
        self.show_lobby()
        while True:
            if self._end is not None:
                raise self._end.failure or Left(is_final=False)
            self.attempt(self.ask_what_is_next)

    def attempt(self, step: Callable[[], None]) -> None:
        """Do this, unless the table moves on; a command that is typed instead is carried out, a refusal is told."""
        try:
            step()
        except Overtaken:
            return
        except Aside as aside:
            self.attempt(partial(self.run_command, aside.wish))
        except (IllegalAction, RoomRefused) as refused:
            self.voice.say(refused.text(self.words.lang), "red")

    def ask_what_is_next(self) -> None:
        if self.room.stage != "playing" or not self.has_game:
            self.command(self.text(f"joining.{self.prompt_between_games()}"))
        elif self._must_look:
            self.look()
        elif self.room.settings.only_deals:
            self.command(self.text("joining.prompt_dealt"))
        elif self.is_my_turn():
            self.move()
        else:
            self.command(self.text("joining.prompt_moved" if self.options() else "joining.prompt_waiting"))

    def prompt_between_games(self) -> str:
        if self.room.stage == "over":
            return "prompt_over"
        if not self.place.is_ready:
            return "prompt_lobby"
        return "prompt_start" if self.place.is_host else "prompt_waiting"

    def command(self, prompt: str) -> None:
        line = self.voice.ask(prompt)
        if line:
            known = line.split(" ", 1)[0].casefold() in ALL_COMMANDS
            raise Aside(line if known else self.text("joining.no_command"))

    def look(self) -> None:
        """Show what was dealt once, when the person says that no other eyes are on the screen."""
        self.voice.ask(self.text("joining.look"))
        self._must_look = False
        self.show_secrets()
        if self.seat not in self.room.looked and self.room.stage == "playing":
            self.request(SayLooked())

    def is_my_turn(self) -> bool:
        """Whether there is something to choose, and it was not chosen yet in this phase."""
        options, phase = self.options(), self.view.phase.number
        if not options or phase == self._done_in or self._moved in [(phase, option.kind) for option in options]:
            return False
        return not (self._again and self._drawn_in == phase and all(option.kind.gives_up for option in options))

    def move(self) -> None:
        phase = self.view.phase
        if self._drawn_in != phase.number:
            self._drawn_in, self._again = phase.number, False
            if self.voice.is_screen:
                self.show_picture()
        may_wait = self._game.may_wait(self.view, self.seat)
        move = self.questions.ask_for_move(self.options(), phase.name, may_wait, self._again)
        if move is None:
            self._done_in = phase.number
        elif self.questions.is_confirmed(self.warning(move)):
            self.act(move)
            self._again, self._moved = True, None if may_wait else (phase.number, type(move))

    # What the person asks for

    def run_command(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        name = word.casefold()
        if name in ROOM_COMMANDS:
            self.ask_room(name, rest.strip())
        elif name == "change":
            self._moved, self._done_in = None, -1
        elif name == "won":
            self.announce()
        elif name == "table":
            self.show_lobby(always=True)
        elif name == "leave":
            self.leave()
        elif name == "say" and self.room.stage != "playing":
            self.wait_for(self.table.say(rest))
        elif name in COMMANDS and name not in ("say", "q", "quit", "?", "help") and not self.has_game:
            self.say("joining.no_game", "red")
        else:
            super().run_command(typed)

    def announce(self) -> None:
        """The host says how a game ended that was played face to face."""
        if not self.room.endings or self.me != self.room.host:
            raise Aside(self.text("joining.cannot_announce"))
        chosen = self.questions.ask_for_line(self.room.endings, self.ending_line)
        self.request(AnnounceOutcome(winner=chosen.winner, reason=chosen.reason))

    def ending_line(self, ending: Ending) -> str:
        return self.teller.outcome(Outcome(winner=ending.winner, seats=(), reason=ending.reason))

    def ask_room(self, name: str, rest: str) -> None:
        request = ROOM_COMMANDS[name].request(self.place, rest)
        if isinstance(request, str):
            self.voice.say(request)
            return
        self.request(request)
        if isinstance(request, ChangeSettings):
            self.voice.say("\n".join(setting_lines(self.place)))

    def request(self, request: Request) -> None:
        self.wait_for(self.table.ask(request))

    def act(self, action: Action) -> None:
        self._move = action if isinstance(action, Move) else None
        try:
            self.wait_for(self.table.act(action))
        finally:
            self._move = None

    def wait_for(self, request: Coroutine[Any, Any, None]) -> None:
        self.voice.wait_for(self._link.call(request))

    def quit(self) -> None:
        raise Left(is_final=False)

    def leave(self) -> None:
        answer = self.voice.ask(self.text("joining.leave_table"))
        if answer.casefold() in self.text("terminal.yes").split():
            self.wait_for(self.table.leave())
            raise Left(is_final=True)

    def help(self) -> None:
        """What the person can type now, and nothing else."""
        lines = [self.help_line(name) for name in self.place.commands()]
        if self.has_game:
            talk = ["claim", *(["whisper"] if self.whispers() else [])] if self.room.stage == "playing" else []
            shown = [*GAME_HELP, *talk]
            lines = [*help_lines(self.teller, self.voice.can_hide, shown), *lines]
        own = {
            "won": self.place.is_host and bool(self.room.endings),
            "change": self.has_game and bool(self.options()) and not self.is_my_turn(),
            "table": True,
            "say": not self.has_game,
            "leave": True,
            "quit": True,
            "help": True,
        }
        lines += [self.help_line(name) for name, applies in own.items() if applies]
        self.voice.say("\n".join(lines), "dim")

    def help_line(self, name: str) -> str:
        said = self.text(f"terminal.help.{name}" if name in ("say", "help") else f"joining.help.{name}")
        return f"  {TYPED.get(name, name).format(text=self.text('terminal.text')):<14}{said}"

    def show_lobby(self, always: bool = False) -> None:
        shown = "\n".join(lobby_lines(self.room, self.me, self._address, self.words))
        if always or shown != self._lobby:
            self._lobby = shown
            self.voice.say(shown)

    def tell_presence(self) -> None:
        """The person is at the keyboard, where the room asks for that."""
        if self._end is None and self.room.settings.idle_seconds is not None:
            self._link.call(self.table.here())

    # What happens at the table

    def take(self, news: object) -> None:
        match news:
            case Event():
                self.hear(news)
            case Welcome():
                self.begin(news)
            case Asked() | Over():
                self.tell_backlog()
            case Clock():
                self.tell_backlog()
                self.count_down(news)
            case Room():
                self.look_around(news)
            case Chatted():
                self.voice.say(self.text("talk.said", name=printable(news.name), text=printable(news.text)))
            case ConnectionLost():
                self.say("joining.lost", "yellow")
            case ConnectionRestored():
                self.say("joining.restored", "green")
            case LinkEnded():
                self._end = news

    def begin(self, welcome: Welcome) -> None:
        """The same message comes again after a lost connection; a game begins with its first event."""
        self._game = game_named(welcome.game)
        if self._view is not None:
            self.teller.names = Names(welcome.names)

    def begin_game(self) -> None:
        self._heard, self._backlog, self._view = [], [], None
        self.teller = teller_of(spec_named(self._game.name), Names(self.table.names), self.words.lang)
        self.questions = Questions(self.voice, self.teller, ALL_COMMANDS)
        self._done_in = self._drawn_in = -1
        self._moved = None
        self._must_look = False
        self._is_beginning, self._awaits_game = self._awaits_game, False

    def hear(self, event: Event) -> None:
        if isinstance(event, TableOpened):
            self.begin_game()
        self._heard.append(event)
        known = self._view
        self._view = fold(self._game, [event]) if known is None else evolve(self._game, known, [event])
        if self._backlog is not None:
            self._backlog.append(event)
            if self._is_beginning and isinstance(event, PhaseBegan):
                self.tell_backlog()
        elif self._move and is_echo(event, self.seat, self._move):
            self.teller.tell(event)
        else:
            self.tell_event(event)

    def tell_backlog(self) -> None:
        """What happened before the first question: the beginning of a game, or the end of what was missed.

        What this seat alone was told is not among it: it stays hidden until the person asks for it.
        """
        if self._backlog is None:
            return
        events, self._backlog = self._backlog, None
        is_new = self._is_beginning or sum(isinstance(event, PhaseBegan) for event in events) <= 1
        self._is_beginning = False
        public = [event for event in events if event.audience is EVERYONE]
        for event in events:
            if event.audience is EVERYONE and (is_new or event in public[-TOLD_AGAIN:]):
                self.tell_event(event)
            else:
                self.teller.tell(event)
        self.seated(is_new)

    def seated(self, is_new: bool) -> None:
        if self.seat == SPECTATOR:
            self.say("joining.you_watch")
            return
        self.say("joining.seated", name=self.teller.names[self.seat], seat=self.seat + 1)
        if is_new and self.room.stage == "playing":
            self.show_casting()
            self._must_look = True

    def look_around(self, room: Room) -> None:
        self.room = room
        self._awaits_game = self._awaits_game or room.stage != "playing"
        if room.stage == "lobby":
            self._view = None
        if self.has_game and len(self.teller.names) == len(self.table.names):  # a seat can get another holder
            self.teller.names = Names(self.table.names)
        if self.room.stage == "lobby":
            self.show_lobby()
        elif self.room.stage == "playing" and self.room.looking_until is None and self.seat in self.room.looked:
            self._must_look = False

    def count_down(self, clock: Clock) -> None:
        if clock.ends_at is None or clock.is_paused:
            self.voice.set_deadline(None)
        else:
            left = (clock.ends_at - clock.now) / 1000
            self.voice.set_deadline(Deadline(time.monotonic() + left, self.time_left))

    def time_left(self, seconds: int) -> str:
        return self.text("terminal.time_left", count=seconds)


__all__ = ["JoinedTable", "Left"]
