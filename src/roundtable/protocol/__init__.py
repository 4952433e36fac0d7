"""Every message between a table and its clients; docs/wire.md is for authors of programs in other languages."""

from roundtable.protocol.encoding import Reader, Wire, encoded_offers, line, spelled
from roundtable.protocol.messages import (
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
from roundtable.protocol.offers import Offer, Teams, offers

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
    "encoded_offers",
    "line",
    "offers",
    "spelled",
]
