"""A game as one listener followed it: after which events they could conclude more, and which moved them most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from roundtable.belief.contract import Belief, Floats, shift
from roundtable.core.events import Event, GameEnded, PhaseBegan
from roundtable.core.seats import Seat

NOTICEABLE = 1e-6  # bits


class Step(NamedTuple):
    """What a listener could conclude after an event; `number` is the listener's own number of the event."""

    number: int
    event: Event
    is_start: bool
    """Whether it is the deal that was looked at, and not yet anything that was done."""
    deals: int
    bits: float
    """How far the posterior moved since the step before."""
    posterior: Floats
    new_roles: dict[Seat, str]
    """Seats of which the role has become certain."""
    new_sides: dict[Seat, str]
    """Seats of which the side has become certain, and the role has not."""


def follow(belief: Belief, events: Iterable[Event]) -> Iterator[Step]:
    """The steps of a game until its end: the first when the deal has been seen, then each event that says something."""
    before: Floats | None = None
    deals, roles, sides = 0, dict[Seat, str](), dict[Seat, str]()
    for number, event in enumerate(events, 1):
        if isinstance(event, GameEnded):
            return
        belief.hear(event)
        if before is None and not isinstance(event, PhaseBegan):
            continue
        after = belief.posterior
        moved = 0.0 if before is None else shift(before, after)
        if before is None or moved > NOTICEABLE or belief.logic.deals != deals:
            now_roles, now_sides = belief.certain(), belief.certain_sides()
            new_roles = {seat: role for seat, role in now_roles.items() if seat not in roles}
            new_sides = {seat: side for seat, side in now_sides.items() if seat not in sides and seat not in now_roles}
            deals, roles, sides = belief.logic.deals, now_roles, now_sides
            yield Step(number, event, before is None, deals, moved, after, new_roles, new_sides)
        before = after


def turning_points(steps: Iterable[Step], most: int = 3) -> list[Step]:
    """The events that moved the listener most, the strongest first."""
    moved = [step for step in steps if step.bits > NOTICEABLE]
    return sorted(moved, key=lambda step: (-step.bits, step.number))[:most]


def hidden_side(belief: Belief) -> str:
    """The side that the others look for: Evil, the Wolves."""
    return belief.sides[-1] if belief.sides[0] == belief.game.sides[0] else belief.sides[0]
