"""What a table and a player's program say to each other, in any language; docs/wire.md is for whoever writes one."""

from roundtable.wire.lines import Wire
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
    "Refused",
    "Teams",
    "Welcome",
    "Wire",
    "offers",
]
