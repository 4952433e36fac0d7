"""What belief is made of: a listener's belief about a deal, and a model of how the roles act."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from roundtable.core.actions import Move
from roundtable.core.events import Event, Remarked
from roundtable.core.game import Game
from roundtable.core.policy import Heard
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.core.setup import Setup

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

LEAST = float(np.log(1e-9))  # the log-chance that a model's "never" stands for: models err, and logic does not


class Situation(NamedTuple):
    """What everyone can see when a seat acts."""

    state: Any
    """The fold of the public events."""
    seat: Seat
    heard: Heard
    """The remarks that everyone has heard."""


class Viewpoints(Protocol):
    """What one seat may be: roles, each with something that this role would have been shown."""

    def __len__(self) -> int: ...

    @property
    def roles(self) -> NDArray[np.int64]:
        """The role of each, as a column of the belief."""
        ...

    @property
    def ids(self) -> NDArray[np.int64]:
        """A small number of each, the same for the whole game."""
        ...

    def view(self, situation: Situation, place: int) -> Any:
        """All that the seat would know at this moment if the viewpoint at that place were its own."""
        ...


class Model(Protocol):
    """How players act. It knows a seat's role, what that role was shown, and what everyone can see."""

    def log_chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        """The log-probability of this move of the seat, for each of the viewpoints. The number of the move's phase is
        that of the situation. Zeros where the model has nothing to say."""
        ...


class Possible(NamedTuple):
    """How many deals are possible, and in how many of them each seat has each role."""

    deals: int
    counts: Counts  # [seat, role]


class SideSets(NamedTuple):
    """Which seats may be the side that the others look for, and how likely each such set of seats is."""

    members: NDArray[np.bool_]  # [set, seat]
    chances: Floats

    @property
    def by_seat(self) -> Floats:
        return np.asarray(self.chances @ self.members)


class Belief(ABC):
    """What a seat or an onlooker can believe about who is who, from what they have heard.

    `logic` counts the deals that are possible. `posterior` weighs them: by how likely each is to be dealt and, with a
    model, by how likely its roles are to have done what was seen. Both are exact.
    """

    roles: tuple[str, ...]
    """The columns: every role that can be dealt."""
    sides: tuple[str, ...]
    """The side of each column."""

    def __init__(
        self, game: Game[Any, Any], setup: Setup, listener: int = SPECTATOR, model: Model | None = None
    ) -> None:
        if not isinstance(setup, game.setup_type):
            raise ValueError(f"A belief of {game.name} needs its setup, not one of {setup.game}.")
        if model is not None and not hasattr(model, "log_chances"):
            raise ValueError(f"A model has a method log_chances, as `model_named` gives one; {model!r} has none.")
        setup.require_ready()
        if not SPECTATOR <= listener < setup.seats:
            raise ValueError(f"A listener is a seat from 0 to {setup.seats - 1}, or SPECTATOR; {listener} is neither.")
        self.game = game
        self.setup = setup
        self.listener = listener
        self.model = model
        self.public = game.blank(setup)
        self.remarks: list[Remarked] = []
        self.latest_remarks: list[Remarked] = []  # those since something was last proved
        self._possible: Possible | None = None
        self._posterior: Floats | None = None

    # What is heard

    def hear(self, event: Event) -> None:
        """Take in the next event that the listener hears; events that others hear alone are left out."""
        if event.audience is not EVERYONE and self.listener not in event.audience:
            return
        self.notice(event)
        if event.audience is EVERYONE:
            self.public = self.public.copy()
            self.game.absorb[type(event)](self.public, event)
            if isinstance(event, Remarked):
                self.remarks.append(event)
                self.latest_remarks.append(event)

    def hear_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self.hear(event)

    @abstractmethod
    def notice(self, event: Event) -> None:
        """Take in what an event says about the deal, before it changes the table."""

    def has_proved(self) -> None:
        """What is possible may have changed."""
        self._possible = self._posterior = None
        self.latest_remarks.clear()

    def has_suggested(self) -> None:
        """What is likely has changed."""
        self._posterior = None

    def situation(self, seat: Seat, state: Any = None) -> Situation:
        return Situation(self.public if state is None else state, seat, tuple(self.remarks))

    # What follows

    @property
    def logic(self) -> Possible:
        """What is certain and what is impossible, whatever players are like."""
        if self._possible is None:
            self._possible = self.count()
            if not self._possible.deals:
                raise ValueError("No deal agrees with all that was heard: these events are not of one game.")
        return self._possible

    def is_possible(self) -> bool:
        """Whether any deal agrees with all that was heard."""
        try:
            return self.logic.deals > 0
        except ValueError:
            return False

    @property
    def posterior(self) -> Floats:
        """How likely each seat is to have each role: [seat, role]. Rows sum to one."""
        if self._posterior is None:
            self._posterior = self.weigh()
        return self._posterior

    @abstractmethod
    def count(self) -> Possible: ...

    @abstractmethod
    def weigh(self) -> Floats: ...

    @abstractmethod
    def sides_if(self, roles: Mapping[Seat, Collection[str]]) -> SideSets | None:
        """Who may be the hidden side if each of these seats has one of these roles; None where that cannot be."""

    def sides_if_first(self, suppositions: Iterable[Mapping[Seat, Collection[str]]]) -> SideSets | None:
        """The same for the first of several suppositions that can be true."""
        tried = map(self.sides_if, suppositions)
        return next((found for found in tried if found is not None), None)

    @abstractmethod
    def entropy(self) -> float:
        """How much of the deal is open, in bits."""

    @abstractmethod
    def sample(self, count: int, rng: np.random.Generator) -> list[Any]:
        """So many deals, each drawn from the posterior, in the form in which the game deals them."""

    def chance(self, seat: Seat, role: str) -> float:
        return float(self.posterior[seat, self.column_of(role)])

    def who_could_be(self, role: str) -> dict[Seat, float]:
        """The seats that can have a role, and how likely each is to have it, the likeliest first."""
        column = self.column_of(role)
        possible = np.flatnonzero(self.logic.counts[:, column])
        found = {int(seat): float(self.posterior[seat, column]) for seat in possible}
        return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))

    def side_chances(self, side: str) -> Floats:
        """How likely each seat is to be of a side."""
        return np.asarray(self.posterior[:, self.columns_of(side)].sum(axis=1))

    def column_of(self, role: str) -> int:
        if role not in self.roles:
            raise ValueError(f"There is no role {role!r} at this table; its roles are {', '.join(self.roles)}.")
        return self.roles.index(role)

    def columns_of(self, side: str) -> list[int]:
        if side not in self.game.sides:
            raise ValueError(f"There is no side {side!r} in this game; its sides are {', '.join(self.game.sides)}.")
        return [column for column, other in enumerate(self.sides) if other == side]

    def certain(self) -> dict[Seat, str]:
        """The seats of which the role is certain."""
        counts, deals = self.logic.counts, self.logic.deals
        return {int(seat): self.roles[column] for seat, column in np.argwhere(counts == deals)}

    def certain_sides(self) -> dict[Seat, str]:
        """The seats of which the side is certain."""
        counts, deals = self.logic.counts, self.logic.deals
        found = {}
        for side in dict.fromkeys(self.sides):
            of_side = counts[:, self.columns_of(side)].sum(axis=1)
            found.update({int(seat): side for seat in np.flatnonzero(of_side == deals)})
        return dict(sorted(found.items()))


def shift(before: Floats, after: Floats) -> float:
    """How far an event moved a posterior: the relative entropy of every seat's chances, added up, in bits."""
    has = after > 0
    return max(0.0, float(np.sum(after[has] * np.log2(after[has] / np.maximum(before[has], 1e-300)))))


def normalised(weights: Floats) -> Floats:
    total = weights.sum()
    if not total > 0:
        raise ValueError("No deal agrees with all that was heard: these events are not of one game.")
    return np.asarray(weights / total)


def clipped(log_chances: Floats) -> Floats:
    """What a model says, with `LEAST` for never."""
    return np.fmax(log_chances, LEAST)


def entropy_of(weights: Floats) -> float:
    """In bits."""
    some = weights[weights > 0]
    return float(max(0.0, -np.sum(some * np.log2(some))))
