"""Cuckoo: the smallest hidden-role game there is, complete in one file. One bird of the nest is a cuckoo; after some
talk everybody points at one other bird at the same time. If the cuckoo gets the most fingers, the nest wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event, SealsBroken
from roundtable.core.game import OPEN_TALK, Game, Transition
from roundtable.core.options import Options, one_of
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat, all_seats, only
from roundtable.core.secrecy import Ask, Audiences, Script, common_audiences, everyone, that_seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.core.state import ABSORB_COMMON, Absorbers, TableState
from roundtable.core.values import sealed, value


@dataclass(frozen=True, slots=True, kw_only=True)
class CuckooSetup(Setup):
    game: ClassVar[str] = "cuckoo"
    fewest: ClassVar[int] = 3
    most: ClassVar[int] = 6

    seconds: int | None = None


@value
class Point(Move):
    target: Seat = sealed()


@value
class EggHatched(Event):
    seat: Seat
    is_cuckoo: bool = sealed()


@value
class FingerRaised(Event):
    seat: Seat
    target: Seat = sealed()


@value
class FingersShown(Event):
    targets: tuple[Seat | None, ...]


@dataclass(kw_only=True, eq=False, repr=False)
class CuckooState(TableState):
    cuckoo: Seat | None = None
    fingers: dict[Seat, Seat] = field(default_factory=dict)


def _egg_hatched(state: CuckooState, event: EggHatched) -> None:
    state.cuckoo = event.seat if event.is_cuckoo else state.cuckoo


def _finger_raised(state: CuckooState, event: FingerRaised) -> None:
    state.fingers = {**state.fingers, event.seat: event.target}


def _fingers_shown(state: CuckooState, event: FingersShown) -> None:
    state.fingers = {seat: target for seat, target in enumerate(event.targets) if target is not None}


def _seals_broken(state: CuckooState, event: SealsBroken) -> None:
    for _, secret in event.sealed_facts:
        if isinstance(secret, EggHatched):
            _egg_hatched(state, secret)


class Cuckoo(Game[CuckooState, Seat]):
    name: ClassVar[str] = "cuckoo"
    setup_type: ClassVar[type[Setup]] = CuckooSetup
    sides: ClassVar[tuple[str, ...]] = ("Nest", "Cuckoo")
    events: ClassVar[tuple[type[Event], ...]] = (EggHatched, FingerRaised, FingersShown)
    actions: ClassVar[tuple[type[Action], ...]] = (Point,)
    absorb: ClassVar[Absorbers] = {
        **ABSORB_COMMON,
        EggHatched: _egg_hatched,
        FingerRaised: _finger_raised,
        FingersShown: _fingers_shown,
        SealsBroken: _seals_broken,
    }

    def blank(self, setup: Setup) -> CuckooState:
        return CuckooState(setup=setup)

    def deal(self, setup: Setup, chance: Chance) -> Seat:
        return chance.below(setup.seats)

    def begin(self, now: Transition[CuckooState], deal: Seat) -> None:
        setup = now.state.setup
        assert isinstance(setup, CuckooSetup)
        for seat in range(setup.seats):
            now.emit(EggHatched(audience=only(seat), seat=seat, is_cuckoo=seat == deal))
        now.give_floor(OPEN_TALK, all_seats(setup.seats), EVERYONE)
        now.begin_phase("point", all_seats(setup.seats), setup.seconds)

    def read_deal(self, events: Sequence[Event]) -> Seat:
        return next(event.seat for event in events if isinstance(event, EggHatched) and event.is_cuckoo)

    def options(self, state: CuckooState, seat: Seat) -> Options:
        if seat in state.fingers:
            return ()
        others = sorted(all_seats(state.setup.seats) - only(seat))
        return one_of([Point(phase=state.phase.number, target=target) for target in others])

    def decide(self, now: Transition[CuckooState], seat: Seat, move: Move) -> None:
        assert isinstance(move, Point)
        now.emit(FingerRaised(audience=only(seat), seat=seat, target=move.target))
        if len(now.state.fingers) == now.state.setup.seats:
            self.show(now)

    def expire(self, now: Transition[CuckooState], chance: Chance) -> None:
        self.show(now)

    def show(self, now: Transition[CuckooState]) -> None:
        fingers = now.state.fingers
        now.emit(
            FingersShown(audience=EVERYONE, targets=tuple(fingers.get(seat) for seat in range(now.state.setup.seats)))
        )
        count = Counter(fingers.values())
        found = now.state.cuckoo is not None and count[now.state.cuckoo] == max(count.values(), default=-1)
        now.end("Nest" if found else "Cuckoo", "pointed_out" if found else "went_unseen")

    def seats_of(self, state: CuckooState, winner: str) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(state.setup.seats) if (seat == state.cuckoo) == (winner == "Cuckoo"))


AUDIENCES: Audiences = {
    **common_audiences(),
    EggHatched: that_seat,
    FingerRaised: that_seat,
    FingersShown: everyone,
}


class CuckooSecrecy:
    audiences: Audiences = AUDIENCES
    channels: ClassVar[Sequence[str]] = ()

    def known(self, setup: Any, deal: Seat, listener: int) -> Hashable:
        return None if listener == SPECTATOR else deal == listener

    def another_deal(self, setup: Any, deal: Seat, listener: Seat, chance: Chance) -> Seat:
        return chance.below(setup.seats)

    def mirror(self, script: Script, deal: Seat, focus: int, chance: Chance) -> CuckooMirror:
        return CuckooMirror(script)


class CuckooMirror:
    """Fingers are public in the end, so the same birds point at the same ones; only the cuckoo is another."""

    def __init__(self, script: Script) -> None:
        self.script = script

    def asks(self, index: int) -> Sequence[Ask] | None:
        step = self.script.steps[index]
        return [Ask(step.actor, step.action)]

    def told_apart(self, index: int) -> Iterable[int]:
        return ()


SECRECY = CuckooSecrecy()
SPEC = GameSpec(name="cuckoo", rules="small_game:Cuckoo", secrecy="small_game:SECRECY")
