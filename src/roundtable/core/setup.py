"""What a table agrees on before the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import MappingProxyType, NoneType
from typing import Any, ClassVar, Literal, NamedTuple, get_args, get_origin

from roundtable.core.catalogue import Catalogue
from roundtable.core.errors import Problem, SetupError, problem, shown
from roundtable.core.kinds import check_of, field_types, is_whole_number
from roundtable.core.values import Value, value

LEAST, MOST = 1, 86_400  # what an option takes that is a number: seconds, mostly
ADDED = "added"


def added(default: Any) -> Any:
    """An option that a game did not have from the first. A setup is encoded without it where it has its default, so
    that tables without the option are dealt and recorded as before (C1, C3)."""
    return field(default=default, metadata={ADDED: True})


@value
class Round(Value):
    """A round whose rules follow from the setup alone. A game adds its own fields, and names the type in `parts`."""


class Casting(NamedTuple):
    """How many a side has, and the cards for them; where there are more cards than seats, the deal draws among them."""

    side: str
    seats: int
    roles: tuple[str, ...]


class Notice(NamedTuple):
    """Something to know about a table before it is chosen: `notice.<code>` in the game's catalogue."""

    code: str
    values: Mapping[str, Any] = MappingProxyType({})

    def text(self, words: Catalogue) -> str:
        key = f"notice.{self.code}"
        return words.text(key, **self.values) if key in words else f"{self.code.replace('_', ' ').capitalize()}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A game, its number of seats and its house rules. Every option is a named field with its default."""

    game: ClassVar[str]
    rules_version: ClassVar[int] = 1
    fewest: ClassVar[int]
    most: ClassVar[int]
    catalogues: ClassVar[tuple[str, ...]] = ()
    """Packages with the game's catalogues, from its `GameSpec`: a `SetupError` uses the words of the game."""
    members: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    """Options that are sets: what each may contain. The game itself judges them in `problems`."""

    seats: int
    countdown_seconds: int = 60  # C6: how long a countdown lasts that more than half of the seats asked for

    def problems(self) -> list[Problem]:
        """Every reason why this table cannot start; empty when it can."""
        return self.seat_problems() + self.option_problems()

    def seat_problems(self) -> list[Problem]:
        if type(self.seats) is int and self.fewest <= self.seats <= self.most:
            return []
        seats = self.seats if is_whole_number(self.seats) else shown(self.seats)
        return [problem("setup/seats", game=self.game, fewest=self.fewest, most=self.most, seats=seats)]

    def option_problems(self) -> list[Problem]:
        """Options whose value is of the wrong kind: not one of the words offered, or not a number of seconds."""
        wrong = []
        for option in fields(self):
            kind = field_types(type(self))[option.name]
            chosen = getattr(self, option.name)
            if option.name in self.members and isinstance(chosen, frozenset):
                continue
            if option.name != "seats" and not _fits(chosen, kind):
                wrong.append(wrong_option(option.name, kind, chosen))
        return wrong

    @property
    def possible_roles(self) -> tuple[str, ...]:
        """Every card that is dealt, or, where the deal draws them, that can be; everyone knows these."""
        return tuple(role for side in self.casting() for role in side.roles)

    def notices(self) -> list[Notice]:
        """What a person who chooses this table should be told first; nothing here forbids it."""
        return []

    def casting(self) -> tuple[Casting, ...]:
        """Which roles can come up at this table, side by side; everyone may know."""
        return ()

    def role_variant(self, role: str) -> str:
        """Which variant of the role's text applies, where an option changes what the role can do."""
        return ""

    def rounds(self) -> tuple[Round, ...]:
        """The rounds that clients show before they are played, in a game that has them."""
        return ()

    @classmethod
    def added_options(cls) -> dict[str, Any]:
        """The options that are left out of an encoded setup where they have their defaults, with these defaults."""
        return {option.name: option.default for option in fields(cls) if ADDED in option.metadata}

    def unsaid_phrases(self) -> frozenset[str]:
        """What the phrase book does not offer at this table."""
        return frozenset()

    def require_ready(self) -> None:
        """`SetupError` where the table cannot start, in the words of the game."""
        if not self._is_ready():
            raise SetupError.of(self.problems(), self.catalogues)

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


def _fits(chosen: object, kind: Any) -> bool:
    is_number = type(chosen) is int and get_origin(kind) is not Literal
    return check_of(kind)(chosen) and not (is_number and not LEAST <= chosen <= MOST)  # type: ignore[operator]


def wrong_option(name: str, kind: Any, chosen: object) -> Problem:
    """An option with a value that it does not take, and what it takes."""
    inner = get_args(kind)
    parts = {"option": name, "value": shown(chosen)}
    if get_origin(kind) is Literal:
        return problem("setup/option", "choice", choices=list(inner), **parts)
    if kind is bool:
        return problem("setup/option", "switch", **parts)
    if kind is int:
        return problem("setup/option", "number", first=LEAST, last=MOST, **parts)
    if int in inner and NoneType in inner:
        return problem("setup/option", "optional_number", first=LEAST, last=MOST, **parts)
    if any(get_origin(one) is frozenset for one in (kind, *inner)):
        return problem("setup/option", "names", **parts)
    return problem("setup/option", **parts)
