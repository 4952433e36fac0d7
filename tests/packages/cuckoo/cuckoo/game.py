"""The rules of Cuckoo.

One bird of the nest is a cuckoo, and knows it. The birds talk; then all of them point at another bird at the same time.
If the cuckoo is pointed at most, the nest wins; otherwise the cuckoo does. The option `tie` says who wins where several
birds are pointed at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event, SecretsRevealed
from roundtable.core.game import OPEN_TALK, Game, Transition
from roundtable.core.options import Options, one_of
from roundtable.core.seats import EVERYONE, Seat, all_seats, only
from roundtable.core.setup import Casting, Setup
from roundtable.core.state import ABSORB_COMMON, Absorbers, TableState
from roundtable.core.values import Word, sealed, value


class Side(Word):
    NEST = "Nest"
    INTRUDER = "Intruder"


class Role(Word):
    SONGBIRD = "Songbird"
    CUCKOO = "Cuckoo"


@dataclass(frozen=True, slots=True, kw_only=True)
class CuckooSetup(Setup):
    """What a table agrees on before the deal."""

    game: ClassVar[str] = "cuckoo"
    fewest: ClassVar[int] = 3
    most: ClassVar[int] = 6

    tie: Literal["nest", "intruder"] = "nest"
    point_seconds: int | None = None

    def casting(self) -> tuple[Casting, ...]:
        songbirds = self.seats - 1
        return Casting(Side.NEST, songbirds, (Role.SONGBIRD,) * songbirds), Casting(Side.INTRUDER, 1, (Role.CUCKOO,))


@value
class Point(Move):
    """A bird points at another; the others see it when all have pointed."""

    target: Seat = sealed()


@value
class EggHatched(Event):
    """Which bird a player is; heard by that player alone."""

    seat: Seat
    role: Role = sealed()


@value
class WingRaised(Event):
    """Where a bird points; heard by that bird alone."""

    seat: Seat
    target: Seat = sealed()


@value
class WingsCounted(Event):
    """Where every bird points, by seat; None for those who did not."""

    targets: tuple[Seat | None, ...]


@dataclass(kw_only=True, eq=False, repr=False)
class CuckooState(TableState):
    """The truth, or what one listener knows of it."""

    roles: dict[Seat, Role] = field(default_factory=dict)
    targets: dict[Seat, Seat] = field(default_factory=dict)


def _egg_hatched(state: CuckooState, event: EggHatched) -> None:
    state.roles = {**state.roles, event.seat: event.role}


def _wing_raised(state: CuckooState, event: WingRaised) -> None:
    state.targets = {**state.targets, event.seat: event.target}


def _wings_counted(state: CuckooState, event: WingsCounted) -> None:
    state.targets = {seat: target for seat, target in enumerate(event.targets) if target is not None}


def _secrets_revealed(state: CuckooState, event: SecretsRevealed) -> None:
    for _, secret in event.secret_facts:
        if isinstance(secret, EggHatched):
            _egg_hatched(state, secret)


class Cuckoo(Game[CuckooState, Seat]):
    """A deal is the seat of the cuckoo."""

    name: ClassVar[str] = "cuckoo"
    setup_type: ClassVar[type[Setup]] = CuckooSetup
    events: ClassVar[tuple[type[Event], ...]] = (EggHatched, WingRaised, WingsCounted)
    actions: ClassVar[tuple[type[Action], ...]] = (Point,)
    sides: ClassVar[tuple[str, ...]] = tuple(Side)
    words: ClassVar[frozenset[str]] = frozenset((*Role, *Side))
    absorb: ClassVar[Absorbers] = {
        **ABSORB_COMMON,
        EggHatched: _egg_hatched,
        WingRaised: _wing_raised,
        WingsCounted: _wings_counted,
        SecretsRevealed: _secrets_revealed,
    }

    def blank(self, setup: Setup) -> CuckooState:
        return CuckooState(setup=setup)

    def deal(self, setup: Setup, chance: Chance) -> Seat:
        return chance.below(setup.seats)

    def begin(self, now: Transition[CuckooState], deal: Seat) -> None:
        setup = now.state.setup
        assert isinstance(setup, CuckooSetup)
        for seat in range(setup.seats):
            role = Role.CUCKOO if seat == deal else Role.SONGBIRD
            now.emit(EggHatched(audience=only(seat), seat=seat, role=role))
        now.give_floor(OPEN_TALK, all_seats(setup.seats), EVERYONE)
        now.begin_phase("point", all_seats(setup.seats), setup.point_seconds)

    def read_deal(self, events: Sequence[Event]) -> Seat:
        return next(event.seat for event in events if isinstance(event, EggHatched) and event.role is Role.CUCKOO)

    def options(self, state: CuckooState, seat: Seat) -> Options:
        if seat in state.targets:
            return ()
        others = sorted(all_seats(state.setup.seats) - only(seat))
        return one_of([Point(phase=state.phase.number, target=other) for other in others])

    def decide(self, now: Transition[CuckooState], seat: Seat, move: Move) -> None:
        assert isinstance(move, Point)
        now.emit(WingRaised(audience=only(seat), seat=seat, target=move.target))
        if len(now.state.targets) == now.state.setup.seats:
            count_wings(now)

    def expire(self, now: Transition[CuckooState], chance: Chance) -> None:
        count_wings(now)

    def seats_of(self, state: CuckooState, winner: str) -> tuple[Seat, ...]:
        role = Role.CUCKOO if winner == Side.INTRUDER else Role.SONGBIRD
        return tuple(seat for seat in range(state.setup.seats) if state.roles[seat] is role)


def count_wings(now: Transition[CuckooState]) -> None:
    """All wings become public, and the game ends."""
    setup, targets = now.state.setup, now.state.targets
    assert isinstance(setup, CuckooSetup)
    now.emit(WingsCounted(audience=EVERYONE, targets=tuple(targets.get(seat) for seat in range(setup.seats))))
    counted = Counter(targets.values())
    most = max(counted.values(), default=0)
    first = {seat for seat, count in counted.items() if count == most}
    cuckoo = next(seat for seat, role in now.state.roles.items() if role is Role.CUCKOO)
    is_found = cuckoo in first and (len(first) == 1 or setup.tie == "nest")
    now.end(Side.NEST if is_found else Side.INTRUDER, "cuckoo_found" if is_found else "cuckoo_unseen")
