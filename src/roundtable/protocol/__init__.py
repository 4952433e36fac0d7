"""Every message between a table and its clients; docs/bot-programs.md is for authors of programs in other languages."""

from roundtable.protocol.encoding import GameReader, Reader, encoded, encoded_offers, line
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
    "GameReader",
    "Heard",
    "Message",
    "Offer",
    "Over",
    "Pass",
    "Reader",
    "Refused",
    "Teams",
    "Welcome",
    "encoded",
    "encoded_offers",
    "line",
    "offers",
]
