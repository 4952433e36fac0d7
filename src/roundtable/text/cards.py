"""What is on the cards of a table: who a player is, what their role can do, and what they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from roundtable.core.catalogue import SOURCE, as_key, role_key
from roundtable.core.events import Event
from roundtable.core.plugins import load
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.text.names import Names
from roundtable.text.sentences import Sentences
from roundtable.text.teller import teller_of

BAR = "-" * 40
PLAIN_BYTES = 1024  # room for what is told in a game that does not say how much that can be


class Cards(Sentences):
    """The cards of one table in one language.

    This form fits every game: the role where the setup has a casting and the view has `roles`, and what the seat was
    told in private. A game that tells more, or in better sentences, names a subclass as its `GameSpec.cards`.
    """

    def __init__(self, spec: GameSpec, setup: Setup, names: Names, lang: str = SOURCE) -> None:
        super().__init__(spec, names, lang)
        self.setup = setup
        self.side_of: dict[str, str] = {role: casting.side for casting in setup.casting() for role in casting.roles}

    # What a game may say in its own way

    def knowledge(self, seat: Seat, heard: Iterable[Event]) -> Iterable[str]:
        """What the seat is told besides its role, a line each."""
        return teller_of(self.spec, self.names, self.catalogue.lang).secrets(heard).splitlines()

    def size(self) -> int:
        """The bytes that every card at this table has room for. It follows from setup and names alone (T25)."""
        empty = [self.lay_out(self.by_length()[0], role, ()) for role in (*self.side_of, "")]
        return largest(empty) + PLAIN_BYTES + len("".join(self.names).encode())

    def start(self, heard: Iterable[Event]) -> str:
        """How the game begins, from what a spectator has heard."""
        return self.text("card.start")

    # What is the same in every game

    def card(self, seat: Seat, view: Any, heard: Iterable[Event]) -> str:
        """A seat's card, from nothing but this seat's view and what it has heard."""
        return self.lay_out(seat, self.role(seat, view), self.knowledge(seat, heard))

    def role(self, seat: Seat, view: Any) -> str:
        """A seat's role; empty where the game has no roles."""
        role: str = getattr(view, "roles", {}).get(seat, "")
        return role if role in self.side_of else ""

    def lay_out(self, seat: Seat, role: str, told: Iterable[str]) -> str:
        """The shape of every card; where nothing is told, one line stays empty."""
        power = self.power(role) if role else None
        does = [*power.splitlines(), BAR] if power else []
        return "\n".join((BAR, self.who(seat, role), BAR, *does, *(tuple(told) or ("",)), BAR)) + "\n"

    def power(self, role: str) -> str | None:
        """What the role can do at this table."""
        return self.catalogue.find(role_key(role, "power"), context=self.setup.role_variant(role))

    def who(self, seat: Seat, role: str) -> str:
        if not role:
            return self.text("card.you_sit", name=self.names[seat])
        return self.text("card.you_are", role=self.word(role), side=self.word(self.side_of[role]))

    def team_heading(self, side: str) -> str:
        return self.text("card.team", context=as_key(side), side=self.word(side))

    def by_length(self) -> list[Seat]:
        """The seats, those with the longest names first."""
        return sorted(range(len(self.names)), key=lambda seat: len(self.names[seat].encode()), reverse=True)


def cards_of(spec: GameSpec, setup: Setup, names: Sequence[str], lang: str = SOURCE) -> Cards:
    """The cards of a table: the game's own kind, or the general one."""
    kind: type[Cards] = load(spec.cards) if spec.cards else Cards
    return kind(spec, setup, Names(names), lang)


def largest(texts: Iterable[str]) -> int:
    """The bytes of the largest text."""
    return max(len(text.encode()) for text in texts)
