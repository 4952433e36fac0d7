"""What a table and a player's program say to each other, in any language; docs/wire.md is for whoever writes one."""

from roundtable.wire.lines import Reader, Wire, line
from roundtable.wire.messages import (
    PROTOCOL,
    TO_PLAYER,
    TO_TABLE,
    Act,
    Answered,
    Asked,
    Heard,
    Message,
    Over,
    Pass,
    Refused,
    Welcome,
)
from roundtable.wire.offers import Offer, Teams, offers
from roundtable.wire.spelling import spelled, spelled_offers

__all__ = [
    "PROTOCOL",
    "TO_PLAYER",
    "TO_TABLE",
    "Act",
    "Answered",
    "Asked",
    "Heard",
    "Message",
    "Offer",
    "Over",
    "Pass",
    "Reader",
    "Refused",
    "Teams",
    "Welcome",
    "Wire",
    "line",
    "offers",
    "spelled",
    "spelled_offers",
]
