"""How fast bots play: the pace of a room, and the times it gives to a round of turns and to remarks.

Everything here follows from public facts and from the table's own randomness, so that no time tells a role (C8).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from roundtable.core.chance import Chance, shuffled
from roundtable.core.seats import Seat
from roundtable.rooms.state import RoomState

ANSWER_STEP = 50  # milliseconds: bots without a thinking time answer at multiples of it

Turn = tuple[int, Seat]  # when a bot is asked, in milliseconds since 1970


class Pace(NamedTuple):
    """All times are in milliseconds."""

    first: int  # before the first bot of a phase is asked
    each: int  # from one bot to the next
    most: int  # in which all bots are asked, at most, where they need not hear one another
    again: int  # from one bot to the next in later rounds
    thinking: int  # from a question to its answer; how long bots really think might tell their roles
    pause: int  # from the end of a round to the next one
    listening: int  # for what a person says who has the floor alone
    remark: int  # from one remark of a bot to the next


PACES = {
    "instant": Pace(0, 0, 0, ANSWER_STEP, 0, 4 * ANSWER_STEP, 0, 2 * ANSWER_STEP),
    "quick": Pace(50, 200, 1_000, 150, 300, 150, 5_000, 600),
    "human": Pace(350, 350, 1_800, 200, 500, 350, 10_000, 1_500),
    "slow": Pace(1_500, 1_200, 10_000, 500, 1_000, 1_500, 20_000, 4_000),
}
WITHOUT_PEOPLE = {"slow": "human", "human": "quick"}  # the pace while people only watch


def pace_of(room: RoomState) -> Pace:
    """The pace of the room; a quicker one while no person is awaited."""
    chosen = room.settings.bot_pace
    return PACES[chosen if awaits_people(room) else WITHOUT_PEOPLE.get(chosen, chosen)]


def awaits_people(room: RoomState) -> bool:
    places = room.places
    return room.play is None or any(not places[seat].player for seat in room.play.phase.awaited)


def turns_of_round(
    pace: Pace, seats: Sequence[Seat], begin: int, chance: Chance, *, is_first: bool, is_long: bool
) -> list[Turn]:
    """Every bot once, in a drawn order and with drawn pauses. In a long phase each has heard the one before it."""
    order = shuffled(chance, seats)
    first = pace.each if is_long else min(pace.each, pace.most // max(1, len(order)))
    apart = first if is_first else pace.again
    start = begin + chance.below(pace.first // 2 + 1) if is_first else begin
    return [(start + apart * place + chance.below(apart // 3 + 1), seat) for place, seat in enumerate(order)]


def times_of_remarks(pace: Pace, seats: Sequence[Seat], begin: int, chance: Chance) -> list[Turn]:
    """A time for each of these bots to speak, one after the other."""
    return [(begin + pace.remark * place + chance.below(pace.remark), seat) for place, seat in enumerate(seats)]
