"""Values as sentences: by catalogue key, with the fields as blanks, or in a plain form where there is no key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roundtable.core.catalogue import SOURCE, catalogue, listed, word_key
from roundtable.core.events import TableOpened
from roundtable.core.names import printable
from roundtable.core.options import name_of
from roundtable.core.spec import GameSpec
from roundtable.core.values import Value
from roundtable.text.fields import contexts, member_type, names_seat, shown_fields
from roundtable.text.names import Names


class Sentences:
    """The catalogue of a game in a language, with names for the seats."""

    def __init__(self, spec: GameSpec, names: Names, lang: str = SOURCE) -> None:
        self.spec = spec
        self.names = names
        self.catalogue = catalogue(lang, spec.text)

    def keyed(self, key: str, value: Value) -> str | None:
        """The sentence of a key about this value, in its most specific context; None where there is no such key."""
        count = getattr(value, "seconds", None)
        for form in (*(f"{key}_{context}" for context in contexts(value)), key):
            if self.catalogue.find(form, count=count) is not None:
                return self.catalogue.text(form, count=count, **self.blanks(value))
        return None

    def blanks(self, value: Value) -> dict[str, str]:
        """What can be filled into a sentence about this value: its fields, each shown by its type."""
        shown = {name: self.shown(hint, getattr(value, name)) for name, hint in shown_fields(type(value)).items()}
        if isinstance(value, TableOpened):
            players = {"seats": str(value.setup.seats), "players": listed(self.names, self.catalogue)}
            shown |= {"game": self.game_name, **players}
        return shown

    def shown(self, hint: Any, value: object) -> str:
        match value:
            case None:
                return self.text("list.none")
            case bool():
                return self.text("plain.yes" if value else "plain.no")
            case int() if names_seat(hint):
                return self.names[value]
            case frozenset() | tuple():
                members = sorted(value) if isinstance(value, frozenset) else value
                return listed([self.shown(member_type(hint), one) for one in members], self.catalogue)
            case str():
                return self.word(value)
        return str(value)

    def word(self, word: str) -> str:
        """A word of the game: a role, a side, a card."""
        return self.catalogue.find(word_key(word)) or printable(word.replace("_", " "))

    def plain(self, value: Value) -> str:
        """A sentence made of the names of a value and its fields, for a game without text."""
        name = name_of(type(value)).replace("_", " ").capitalize()
        parts = [self.text("plain.part", name=part.replace("_", " "), value=shown) for part, shown in self.parts(value)]
        if not parts:
            return self.text("plain.bare", name=name)
        return self.text("plain.full", name=name, parts=self.text("list.separator").join(parts))

    def parts(self, value: Value) -> Iterator[tuple[str, str]]:
        blanks = self.blanks(value)
        return ((name, blanks[name]) for name in shown_fields(type(value)))

    def text(self, key: str, /, **values: Any) -> str:
        return self.catalogue.text(key, **values)

    @property
    def game_name(self) -> str:
        return self.catalogue.find("game.name") or self.spec.name.replace("_", " ").title()
