"""Saviom's cards: the Wolves know one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roundtable.core.events import Event, PhaseBegan
from roundtable.core.seats import Seat
from roundtable.games.saviom.events import PackMet
from roundtable.games.saviom.setup import Role
from roundtable.text.cards import Cards, largest


class SaviomCards(Cards):
    def knowledge(self, seat: Seat, heard: Iterable[Event]) -> Iterable[str]:
        met = (event.wolves for event in heard if isinstance(event, PackMet))  # S4
        return self.pack([wolf for wolves in met for wolf in wolves if wolf != seat])

    def pack(self, wolves: Iterable[Seat]) -> Iterator[str]:
        return (self.text("card.seen", name=self.names[wolf]) for wolf in wolves)

    def size(self) -> int:
        return largest(self.fullest())

    def fullest(self) -> Iterator[str]:
        """For every role a card with as much as any deal could tell: a Wolf whose pack has the longest names."""
        longest = self.by_length()
        others = longest[: self.setup.possible_roles.count(Role.WOLF) - 1]
        for role in self.side_of:
            yield self.lay_out(longest[-1], role, self.pack(others if role == Role.WOLF else ()))

    def start(self, heard: Iterable[Event]) -> str:
        """S5."""
        phase = next(event.name for event in heard if isinstance(event, PhaseBegan))
        return self.text("label.begins_night" if phase == "night" else "label.begins_day")
