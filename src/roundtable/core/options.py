"""What a seat may do now. Legality is membership: page, bot and server ask the same object."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Protocol

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.codec import plain
from roundtable.core.errors import IllegalAction
from roundtable.core.seats import Seat
from roundtable.core.state import TableState
from roundtable.core.values import Value


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

    def invitation(self) -> str:
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

    def invitation(self) -> str:
        return f"Choose one of: {', '.join(_short(action) for action in self.actions)}."


class SeatsChoice(ABC):
    """An option to choose several seats at once. There may be thousands of choices, so a client asks for the parts:
    a number (which quest), that many different seats, and one of them as the bearer of something.
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
        raise IllegalAction("game/over", "The game has ended; nothing more can be played.")
    phase, name = state.phase, name_of(type(move))
    if move.phase != phase.number:
        late = f"A {name} for phase {move.phase} came in phase {phase.number} ({phase.name})."
        raise IllegalAction("action/late", late)
    kinds = [option for option in options if isinstance(move, option.kind)]
    if kinds:
        raise IllegalAction("action/not_allowed", f"That choice is not open to you. {kinds[0].invitation()}")
    offered = " or ".join(name_of(option.kind) for option in options)
    may = f"You may {offered}." if offered else "Nothing is asked of you."
    raise IllegalAction("action/not_now", f"You cannot {name} now. {may}")


def name_of(kind: type[Value]) -> str:
    """`ProposeTeam` as players type it: propose_team."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _short(action: Move) -> str:
    """A choice as the seat that has it may read it, secret fields and all."""
    choice = [getattr(action, part.name) for part in fields(action) if part.name != "phase"]
    return " ".join([name_of(type(action)), *(str(plain(part)) for part in choice)])
