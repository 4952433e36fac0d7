"""What a table agrees on before the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, get_origin

from roundtable.core.catalogue import Catalogue
from roundtable.core.errors import Problem, SetupError
from roundtable.core.kinds import check_of, field_types, kind_in_words


class QuestPlan(NamedTuple):
    """A round in which a team is sent: how many go, how many Fails it takes, how many proposals there may be."""

    quest: int
    size: int
    fails: int
    proposals: int


class Casting(NamedTuple):
    """How many a side has, and the cards for them; where there are more cards than seats, the deal draws among them."""

    side: str
    seats: int
    roles: tuple[str, ...]


class Notice(NamedTuple):
    """Something to know about a table before it is chosen: `notice.<code>` in the game's catalogue."""

    code: str
    told: Mapping[str, Any] = MappingProxyType({})

    def text(self, words: Catalogue) -> str:
        key = f"notice.{self.code}"
        return words.text(key, **self.told) if key in words else f"{self.code.replace('_', ' ').capitalize()}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A game, its number of seats and its house rules. Every option is a named field with its default."""

    game: ClassVar[str]
    rules_version: ClassVar[int] = 1
    fewest: ClassVar[int]
    most: ClassVar[int]
    judged_apart: ClassVar[tuple[str, ...]] = ()
    """Options that are sets, whose members the game itself judges."""

    seats: int
    countdown_seconds: int = 60  # C6: how long a countdown lasts that more than half of the seats asked for

    def problems(self) -> list[Problem]:
        """Every reason why this table cannot start; empty when it can."""
        return self.seat_problems() + self.option_problems()

    def seat_problems(self) -> list[Problem]:
        if type(self.seats) is int and self.fewest <= self.seats <= self.most:
            return []
        return [
            Problem(
                "setup/seats",
                f"{self.game.capitalize()} takes {self.fewest} to {self.most} players, not {self.seats}.",
                {"fewest": self.fewest, "most": self.most},
            )
        ]

    def option_problems(self) -> list[Problem]:
        """Options whose value is of the wrong kind: not one of the words offered, or not a number of seconds."""
        wrong = []
        for option in fields(self):
            kind = field_types(type(self))[option.name]
            chosen = getattr(self, option.name)
            if option.name in self.judged_apart and isinstance(chosen, frozenset):
                continue
            if option.name != "seats" and (expected := _not_of_kind(chosen, kind)):
                said = f"Option {option.name} takes {expected}; {chosen!r} is not that."
                wrong.append(Problem("setup/option", said, {"option": option.name}))
        return wrong

    @property
    def possible_roles(self) -> tuple[str, ...]:
        """Every card that is dealt, or, where the deal draws them, that can be; everybody knows these."""
        return tuple(role for side in self.casting() for role in side.roles)

    def notices(self) -> list[Notice]:
        """What a person who chooses this table should be told first; nothing here forbids it."""
        return []

    def casting(self) -> tuple[Casting, ...]:
        """Which roles can come up at this table, side by side; everybody may know."""
        return ()

    def plans(self) -> tuple[QuestPlan, ...]:
        """The rounds that clients draw beforehand, in a game that sends teams."""
        return ()

    def require_ready(self) -> None:
        if not self._is_ready():
            raise SetupError(self.problems())

    def _is_ready(self) -> bool:
        """Asked once for each setup; remembered by its values' kinds too, since 5.0 is no number of seats."""
        try:
            kinds = tuple([type(getattr(self, option.name)) for option in fields(self)])
            return _has_no_problems(self, kinds)
        except TypeError:  # something in it cannot even be hashed
            return not self.problems()


@lru_cache(maxsize=256)
def _has_no_problems(setup: Setup, kinds: tuple[type, ...]) -> bool:
    return not setup.problems()


def _not_of_kind(chosen: object, kind: Any) -> str:
    """What would have been right, or an empty string where the choice is."""
    if not check_of(kind)(chosen):
        return kind_in_words(kind)
    if type(chosen) is int and get_origin(kind) is not Literal and not 1 <= chosen <= 86_400:
        return "a whole number from 1 to 86400"
    return ""
