"""What a seat may do now. Legality is membership: page, bot and server ask the same object."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.errors import IllegalAction
from roundtable.core.seats import Seat
from roundtable.core.state import TableState
from roundtable.core.values import Value


class Invitation(NamedTuple):
    """The variant of `refusal.action.not_allowed` that tells what can be chosen, and its values."""

    variant: str = ""
    values: Mapping[str, Any] = {}


class Option(Protocol):
    """One kind of action, with every choice that the seat has in it."""

    @property
    def kind(self) -> type[Move]: ...

    def __contains__(self, action: object) -> bool: ...

    def __iter__(self) -> Iterator[Move]: ...

    def __len__(self) -> int: ...

    def sample(self, chance: Chance) -> Move:
        """One of the choices, drawn at random."""
        ...

    def odds(self) -> Iterator[tuple[Move, Fraction]]:
        """Every choice, with the chance that `sample` draws it."""
        ...

    def invitation(self) -> Invitation:
        """What would be right, for the seat that asked for something else."""
        ...


Options = tuple[Option, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """A choice among actions that can be listed."""

    actions: tuple[Move, ...]

    @property
    def kind(self) -> type[Move]:
        return type(self.actions[0])

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def __iter__(self) -> Iterator[Move]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def sample(self, chance: Chance) -> Move:
        return self.actions[chance.below(len(self.actions))]

    def odds(self) -> Iterator[tuple[Move, Fraction]]:
        alike = Fraction(1, len(self.actions))
        return ((action, alike) for action in self.actions)

    def invitation(self) -> Invitation:
        return Invitation()


class SeatsChoice(ABC):
    """An option to choose several seats at once. There may be thousands of choices, so a client asks for the parts:
    a number, that many different seats, and one of them as the bearer of something.
    """

    __slots__ = ()

    eligible: tuple[Seat, ...]
    sizes: tuple[tuple[int | None, int], ...]
    """The numbers to choose from (None where there is nothing to choose), and how many seats each takes."""

    @property
    @abstractmethod
    def kind(self) -> type[Move]: ...

    @abstractmethod
    def __contains__(self, action: object) -> bool: ...

    @property
    def bearer_not(self) -> Seat | None:
        """Where one of the chosen seats is given something: the seat that cannot be given it."""
        return None

    @abstractmethod
    def choose(self, seats: frozenset[Seat], number: int | None = None, bearer: Seat | None = None) -> Move:
        """The move that chooses this; it may be one that the option does not contain."""


def one_of(actions: Sequence[Move]) -> Options:
    """The option of these actions, or none where there are none."""
    return (OneOf(actions=tuple(actions)),) if actions else ()


def permits(options: Options, action: Action) -> bool:
    return any(action in option for option in options)


def require_legal(options: Options, state: TableState, move: Move) -> None:
    """A move is legal exactly when one of the seat's options contains it; the refusal speaks of those options only."""
    for option in options:
        if move in option:
            return
    if state.outcome is not None:
        raise IllegalAction("game/over")
    phase, name = state.phase, name_of(type(move))
    if move.phase != phase.number:
        raise IllegalAction("action/late", action=name, phase=move.phase, now=phase.number)
    kinds = [option for option in options if isinstance(move, option.kind)]
    if kinds:
        invitation = kinds[0].invitation()
        raise IllegalAction("action/not_allowed", invitation.variant, action=name, **invitation.values)
    offered = [name_of(option.kind) for option in options]
    raise IllegalAction("action/not_now", "" if offered else "nothing", action=name, offered=offered)


def name_of(kind: type[Value]) -> str:
    """`ProposeTeam` as players type it: propose_team."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
