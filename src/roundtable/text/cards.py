"""What is on the cards of a table: who a player is, what their role can do, and what they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from roundtable.core.catalogue import Catalogue, as_key, role_key, word_key
from roundtable.core.events import COMMON_EVENTS, Event
from roundtable.core.options import name_of
from roundtable.core.plugins import load
from roundtable.core.seats import EVERYONE, Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec

BAR = "-" * 40
PLAIN_BYTES = 1024  # room for what is told in a game that does not say how much that can be


class Cards:
    """The cards of one table in one language.

    This form fits every game: the role where the setup has a casting and the view has `roles`, and what the seat was
    told in private. A game that tells more, or in better sentences, names a subclass as its `GameSpec.cards`.
    """

    def __init__(self, setup: Setup, names: Sequence[str], words: Catalogue) -> None:
        self.setup = setup
        self.names = names
        self.words = words
        self.side_of: dict[str, str] = {role: casting.side for casting in setup.casting() for role in casting.roles}

    # What a game may say in its own way

    def told(self, seat: Seat, heard: Iterable[Event]) -> Iterable[str]:
        """What the seat is told besides its role, a line each."""
        private = (event for event in heard if event.audience is not EVERYONE and not isinstance(event, COMMON_EVENTS))
        return (self.plain(event) for event in private)

    def size(self) -> int:
        """The bytes that every card at this table has room for. It follows from setup and names alone (T25)."""
        empty = [self.lay_out(self.by_length()[0], role, ()) for role in (*self.side_of, "")]
        return largest(empty) + PLAIN_BYTES + len("".join(self.names).encode())

    def start(self, heard: Iterable[Event]) -> str:
        """How the game begins, from what a spectator has heard."""
        return self.words.text("card.start")

    # What is the same in every game

    def card(self, seat: Seat, view: Any, heard: Iterable[Event]) -> str:
        """A seat's card, from nothing but this seat's view and what it has heard."""
        return self.lay_out(seat, self.role(seat, view), self.told(seat, heard))

    def role(self, seat: Seat, view: Any) -> str:
        """A seat's role; empty where the game has no roles."""
        role: str = getattr(view, "roles", {}).get(seat, "")
        return role if role in self.side_of else ""

    def lay_out(self, seat: Seat, role: str, told: Iterable[str]) -> str:
        """The shape of every card; where nothing is told, one line stays empty."""
        power = self.words.find(role_key(role, "power")) if role else None
        does = [*power.splitlines(), BAR] if power else []
        return "\n".join((BAR, self.who(seat, role), BAR, *does, *(tuple(told) or ("",)), BAR)) + "\n"

    def who(self, seat: Seat, role: str) -> str:
        if not role:
            return self.words.text("card.you_sit", name=self.names[seat])
        return self.words.text("card.you_are", role=self.word(role), side=self.word(self.side_of[role]))

    def team_heading(self, side: str) -> str:
        return self.words.text("card.team", context=as_key(side), side=self.word(side))

    def word(self, word: str) -> str:
        """A word of the game, as players call it."""
        return self.words.find(word_key(word)) or word

    def plain(self, event: Event) -> str:
        """An event made of its own names, for a game without sentences."""
        shown = [part.name for part in fields(event) if part.name not in ("audience", "seat")]
        parts = [self.words.text("plain.part", name=_spaced(name), value=self._shown(event, name)) for name in shown]
        said = self.words.text("list.separator").join(parts)
        return self.words.text("plain.full", name=_spaced(name_of(type(event))).capitalize(), parts=said)

    def _shown(self, event: Event, name: str) -> str:
        value = getattr(event, name)
        if isinstance(value, bool):
            return self.words.text("plain.yes" if value else "plain.no")
        return self.word(value) if isinstance(value, str) else str(value)

    def by_length(self) -> list[Seat]:
        """The seats, those with the longest names first."""
        return sorted(range(len(self.names)), key=lambda seat: len(self.names[seat].encode()), reverse=True)


def cards_of(spec: GameSpec, setup: Setup, names: Sequence[str], words: Catalogue) -> Cards:
    """The cards of a table: the game's own kind, or the general one."""
    kind: type[Cards] = load(spec.cards) if spec.cards else Cards
    return kind(setup, names, words)


def largest(texts: Iterable[str]) -> int:
    """The bytes of the largest text."""
    return max(len(text.encode()) for text in texts)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
