"""Live rooms: members, seats, talk, clock, bots and rematches; each room is a list of rows in a log."""

from roundtable.rooms.bot_workers import BotProcessPool, BotWorkers, InlineBotWorkers
from roundtable.rooms.ownership import OwnedElsewhere
from roundtable.rooms.registry import RoomRegistry
from roundtable.rooms.room import Room, Services
from roundtable.rooms.sessions import Port, Session

__all__ = [
    "BotProcessPool",
    "BotWorkers",
    "InlineBotWorkers",
    "OwnedElsewhere",
    "Port",
    "Room",
    "RoomRegistry",
    "Services",
    "Session",
]
