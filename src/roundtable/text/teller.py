"""A game in sentences: events, moves, secrets, the board, how it went and how it ended, by catalogue keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, ClassVar

from roundtable.core.actions import Move
from roundtable.core.catalogue import SOURCE, as_key
from roundtable.core.events import (
    Event,
    FloorGiven,
    GameEnded,
    Outcome,
    PhaseBegan,
    Remarked,
    Said,
    SecretsRevealed,
    SeedSealed,
    TableOpened,
)
from roundtable.core.game import OPEN_TALK, with_secrets
from roundtable.core.names import printable
from roundtable.core.options import name_of
from roundtable.core.plugins import load
from roundtable.core.seats import EVERYONE, Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.text.names import Names, counted
from roundtable.text.picture import Picture, SeatPicture
from roundtable.text.sentences import Sentences

INDENT = "  "
QUESTIONS = {"question": "terminal.question", "number": "terminal.number", "bearer": "terminal.bearer"}


class Teller(Sentences):
    """Tells any game from its catalogue: `event.<name>`, `move.<name>`, `secret.<name>`, with the fields as blanks.

    A value without a key is told in a plain form made of its names, so that a game needs no text to be playable. What
    keys and fields cannot express, a game adds in a subclass that its `GameSpec` names.
    """

    untold: ClassVar[frozenset[type[Event]]] = frozenset((FloorGiven, SecretsRevealed))
    """Events that have no sentence on purpose."""

    def __init__(self, spec: GameSpec, names: Names, lang: str = SOURCE) -> None:
        super().__init__(spec, names, lang)
        self._heard: list[Event] = []

    # A story, event by event

    def tell(self, event: Event) -> str | None:
        """The next event that a listener hears, laid out as a part of a story; None where it is not told."""
        self._heard.append(event)
        if isinstance(event, SecretsRevealed):
            return "\n".join(["", *self.reveal(with_secrets(self._heard))])
        said = self.sentence(event)
        if said is None:
            return None
        return ("\n" if self.opens_paragraph(event) else "") + (indented(said) if self.is_aside(event) else said)

    def opens_paragraph(self, event: Event) -> bool:
        return isinstance(event, GameEnded)

    def is_aside(self, event: Event) -> bool:
        """Whether a sentence is indented, because it belongs to the one before or not all listeners hear it."""
        return event.audience is not EVERYONE and not isinstance(event, Said | Remarked)

    def sentence(self, event: Event) -> str | None:
        """An event by itself, or None where it is not told."""
        match event:
            case Said():
                return self.talk(event, event.text)
            case Remarked():
                return self.talk(event, self.phrase(event))
            case GameEnded(outcome=outcome):
                return self.ending(outcome)
            case PhaseBegan(name=name):
                return self.keyed(f"phase.{name}.began", event)
        if not self.is_told(event):
            return None
        return self.keyed(f"event.{name_of(type(event))}", event) or self.plain(event)

    def is_told(self, event: Event) -> bool:
        return type(event) not in self.untold

    # Talk

    def talk(self, event: Said | Remarked, text: str) -> str:
        """A line of talk, and to whom it was said where that was not the whole table."""
        name, line = self.names[event.seat], printable(text)
        if event.channel == OPEN_TALK:
            return self.text("talk.said", name=name, text=line)
        return self.text("talk.whispered", name=name, to=self.channel(event.channel), text=line)

    def channel(self, name: str) -> str:
        """To whom one speaks in a channel: `to Evil`."""
        return self.catalogue.find(f"channel.{name}") or self.text("channel.other", name=self.word(name))

    def phrase(self, event: Remarked) -> str:
        """A phrase of the phrase book in words."""
        name = "" if event.about is None else self.names[event.about]
        word = "" if event.word is None else self.word(event.word)
        return self.phrase_kind(event.phrase, name, word, as_key(event.word or ""))

    def phrase_kind(self, phrase: str, name: str = "…", word: str = "…", context: str = "") -> str:
        """A phrase before a player and a word are put into it. In the context of a word: with the word's article."""
        for key in (f"claim.{phrase}", f"remark.{phrase}"):
            if key in self.catalogue:
                return self.text(key, name=name, word=word, context=context)
        return self.text("plain.bare", name=phrase.replace("_", " ").capitalize())

    # Moves and phases

    def move(self, move: Move) -> str:
        """A move as a line of a menu."""
        if line := self.keyed(f"move.{name_of(type(move))}", move):
            return line
        return " ".join([self.kind(type(move)), *(shown for _, shown in self.parts(move))])

    def kind(self, kind: type[Move]) -> str:
        """A kind of move, before anything in it is chosen."""
        name = name_of(kind)
        return self.catalogue.find(f"move.{name}_kind") or name.replace("_", " ").capitalize()

    def question(self, phase: str, part: str = "question") -> str:
        """What a seat is asked in a phase; `part` names one of several questions."""
        return self.catalogue.find(f"phase.{phase}.{part}") or self.text(QUESTIONS[part])

    def progress(self, view: Any) -> str | None:
        """What is public about the current phase and was not told as events."""
        return None

    def warning(self, view: Any, move: Move) -> str | None:
        """Why a legal move is one that a player hardly means."""
        return None

    # What a seat knows, and how it has gone

    def secrets(self, heard: Iterable[Event]) -> str:
        """What one seat alone was told, in the second person; in a game without such texts, what it was dealt."""
        events = list(heard)
        told = [line for event in events if event.audience is not EVERYONE and (line := self.secret(event))]
        return "\n".join(told or self.dealt(events))

    def dealt(self, heard: Iterable[Event]) -> Iterator[str]:
        """What was private before the first phase."""
        for event in takewhile(lambda event: not isinstance(event, PhaseBegan), heard):
            if event.audience is not EVERYONE and (line := self.sentence(event)):
                yield line

    def secret(self, event: Event) -> str | None:
        return self.keyed(f"secret.{name_of(type(event))}", event)

    def board(self, setup: Setup) -> str:
        """What is public from the start: who is in the deal."""
        return "\n".join(self.casting(setup))

    def casting(self, setup: Setup) -> Iterator[str]:
        for side, seats, roles in setup.casting():
            drawn = "drawn" if len(roles) > seats else ""
            cards = counted(map(self.word, roles), self.catalogue)
            yield self.text("board.side", context=drawn, side=self.word(side), seats=seats, roles=cards)

    def picture(self, view: Any, you: Seat) -> Picture:
        """How the table stands, to be drawn; the roles only when the game is over."""
        return Picture((), tuple(SeatPicture() for _ in self.names), you=you)

    def changes_picture(self, event: Event) -> bool:
        """Whether those who watch want to see the table after this: at the end, with every role."""
        return isinstance(event, SecretsRevealed)

    def history(self, view: Any, heard: Iterable[Event]) -> str:
        """How the game has gone so far, for a player who looks back."""
        public = (event for event in heard if event.audience is EVERYONE and not isinstance(event, TableOpened))
        return "\n".join(line for event in public if (line := self.sentence(event)))

    # The end

    def ending(self, outcome: Outcome) -> str:
        if outcome.winner is None:
            return self.outcome(outcome)
        return f"{self.outcome(outcome)} {self.text('outcome.well_played', seats=self.seats(outcome.seats))}"

    def outcome(self, outcome: Outcome) -> str:
        """`Good wins! Three quests succeeded, and Merlin survived.`"""
        reason = self.catalogue.find(f"outcome.{outcome.reason}") or f"{self.word(outcome.reason).capitalize()}."
        if outcome.winner is None:
            return self.text("outcome.undecided", context=outcome.reason, reason=reason)
        return self.text("outcome.won", context=outcome.reason, winner=self.word(outcome.winner), reason=reason)

    def reveal(self, facts: Iterable[Event]) -> Iterator[str]:
        """Everything that was private in a finished game, and the seed that dealt it (A18, A22, S14)."""
        known = list(facts)
        yield self.text("history.revealed")
        yield from self.look_back(known)
        yield from (self.sentence(fact) or "" for fact in known if isinstance(fact, SeedSealed))

    def look_back(self, facts: Iterable[Event]) -> Iterator[str]:
        """What was private, in the order in which it happened."""
        for fact in facts:
            if fact.audience is not EVERYONE and not isinstance(fact, SeedSealed) and (line := self.sentence(fact)):
                yield indented(line)

    def choices(self, key: str, choices: Mapping[Seat, str], **values: object) -> Iterator[str]:
        """`Played on quest 2: Alice Success, Bob Fail.`, in seat order; nothing where there are no choices."""
        if choices:
            named = ((self.names[seat], choices[seat]) for seat in sorted(choices))
            each = (self.text("history.choice", name=name, choice=choice) for name, choice in named)
            yield indented(self.text(key, choices=self.text("list.separator").join(each), **values))

    def seats(self, seats: Iterable[Seat]) -> str:
        """The names of these seats as a list."""
        return self.names.list(seats, self.catalogue)


def teller_of(spec: GameSpec, names: Names, lang: str = SOURCE) -> Teller:
    """The teller that a game has, or the general one."""
    kind: type[Teller] = load(spec.teller) if spec.teller else Teller
    return kind(spec, names, lang)


def indented(text: str) -> str:
    return "\n".join(INDENT + line for line in text.splitlines())
