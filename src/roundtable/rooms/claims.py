"""Claims to the seats of absent players: made, agreed to, refused, and granted once enough time has passed."""

from __future__ import annotations

from roundtable.protocol import rooms as ask
from roundtable.rooms import events, lobby, newcomers
from roundtable.rooms.commands import NOTHING, Context, Decision, happened, refuse
from roundtable.rooms.presence import Presence
from roundtable.rooms.state import RoomState, SeatClaim

RETURN_SECONDS = 20  # in which the holder of the seat can return before a claim can be granted
AUTOMATIC_SECONDS = 180  # after which a claim is granted although too few players have agreed
CONSENTS = 2  # players who have to agree: one of them could be the claimant once more
REFUSED_SECONDS = 60  # in which a refused member cannot claim the same seat again

# When. All times are in milliseconds since 1970.


def grantable_at(room: RoomState, presence: Presence, claim: SeatClaim) -> int:
    """From when other players may agree."""
    return _counted_from(room, presence, claim) + RETURN_SECONDS * 1000


def automatic_at(room: RoomState, presence: Presence, claim: SeatClaim) -> int | None:
    """When the claim is granted without a player's consent. Never at a real table, where phones are in pockets."""
    if room.settings.only_deals:
        return None
    return _counted_from(room, presence, claim) + AUTOMATIC_SECONDS * 1000


def automatic_grants(room: RoomState, presence: Presence) -> list[tuple[int, int]]:
    """When claims are granted without a player's consent, with the claimant, who has to be connected."""
    due = [
        (automatic_at(room, presence, claim), claimant)
        for claimant, claim in room.seat_claims.items()
        if claimant in presence.connected and room.places[claim.seat].member not in presence.connected
    ]
    return sorted((at, claimant) for at, claimant in due if at is not None)


def _counted_from(room: RoomState, presence: Presence, claim: SeatClaim) -> int:
    """The latest of the claim, the holder's last sign of life, and the server's start or wake-up. A holder who was
    there right before the claim has some seconds more: a phone that sleeps is not lost."""
    holder = room.places[claim.seat].member or 0
    seen = presence.last_seen.get(holder, 0)
    return max(claim.at, seen, presence.since, presence.lost_at(holder, claim.at))


# Who


def needed(room: RoomState, presence: Presence) -> int:
    """How many players have to agree: two, or the only one who is connected."""
    here = [place for place in room.places if place.member in presence.connected]
    return max(1, min(CONSENTS, len(here)))


# What


def claim_seat(room: RoomState, context: Context, member: int, request: ask.ClaimSeat) -> Decision:
    """A member without a seat asks for the seat of a player who is away."""
    seat = request.seat
    if not room.is_table_set:
        refuse("room/stage", "no_game")
    lobby.require_seat(room, seat)
    if room.seat_of(member) is not None:
        refuse("room/seat", "seated")
    if (made := room.seat_claims.get(member)) is not None:
        return NOTHING if made.seat == seat else refuse("room/claim", "pending")
    _require_absent_holder(room, context, seat)
    newcomers.require_knows_no_other(room, member, seat)
    if (wait := room.claims_refused.get((member, seat), 0) + REFUSED_SECONDS * 1000 - context.now) > 0:
        refuse("room/claim", "refused", seconds=_seconds(wait))
    return happened(events.SeatClaimed(seat=seat, member=member))


def _require_absent_holder(room: RoomState, context: Context, seat: int) -> None:
    holder = room.places[seat].member
    if holder is None:
        refuse("room/seat", "no_player", seat=seat)
    if holder in context.presence.connected:
        refuse("room/seat", "present", seat=seat)


def answer_claim(room: RoomState, context: Context, member: int, request: ask.AnswerClaim) -> Decision:
    """A player agrees to a claim, or a player or the host refuses it. A claimant can only withdraw their own."""
    claimant = request.member
    claim = room.seat_claims.get(claimant)
    if claim is None:
        refuse("room/no_member", "not_asking", member=claimant)
    if not request.is_granted:
        if member not in (claimant, room.host):
            _require_player(room, member)
        return happened(events.ClaimDenied(member=claimant, by=member))
    _require_may_agree(room, context, member, claimant)
    if room.places[claim.seat].member in context.presence.connected:
        refuse("room/seat", "present", seat=claim.seat)
    if (wait := grantable_at(room, context.presence, claim) - context.now) > 0:
        refuse("room/claim", "early", seconds=_seconds(wait))
    return _agree(room, context, member, claimant)


def _agree(room: RoomState, context: Context, member: int, claimant: int) -> Decision:
    """Grant the claim if enough players have agreed by now. To agree twice counts once."""
    claim = room.seat_claims[claimant]
    agreed = claim.agreed if member in claim.agreed else (*claim.agreed, member)
    if len(agreed) >= needed(room, context.presence):
        return happened(events.SeatGranted(seat=claim.seat, member=claimant, by=agreed))
    return NOTHING if agreed == claim.agreed else happened(events.ClaimSupported(member=claimant, by=member))


def _require_may_agree(room: RoomState, context: Context, member: int, claimant: int) -> None:
    if member == claimant:
        refuse("room/claim")
    _require_player(room, member)
    if member not in context.presence.connected:
        refuse("room/claim", "connect")


def _require_player(room: RoomState, member: int) -> None:
    if room.seat_of(member) is None:
        refuse("room/watching")


def _seconds(milliseconds: int) -> int:
    return -(-milliseconds // 1000)
