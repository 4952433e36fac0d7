"""What a plain Citizen in a seat would be seen to think: whatever its role is, a sage speaks as that player.

It follows from what everyone has heard, so nothing that a sage says of other players can tell more. A player who claims
to be the Seer speaks as the Seer whose visions it claims.
"""

from __future__ import annotations

from roundtable.belief.contract import Belief
from roundtable.belief.strategy import furthest_out, told_lately
from roundtable.core.policy import Face
from roundtable.core.seats import Seat
from roundtable.games.saviom.bots.hearsay import seers_claimed
from roundtable.games.saviom.setup import Role


def face_of(seat: Seat, onlooker: Belief) -> Face | None:
    """None for who reads no one: logic alone hardly ever tells one player from another."""
    if onlooker.model is None:
        return None
    claimed = [{seat: [Role.SEER]}] if seat in seers_claimed(onlooker.remarks) else []
    believed = onlooker.sides_if_first([*claimed, {seat: [Role.CITIZEN]}, {}])
    if believed is None:
        return None
    chances = believed.by_seat.tolist()
    suspects, trusted = furthest_out({other: chances[other] for other in sorted(onlooker.public.alive - {seat})})
    return Face(suspects=suspects, trusted=trusted, told=told_lately(seat, onlooker))
