"""Live rooms: seating, clock, talk, bots, rematches, and who is connected; each a list of rows in a log."""

from roundtable.rooms.bot_workers import BotProcessPool, BotWorkers, InlineBotWorkers
from roundtable.rooms.registry import RoomRegistry
from roundtable.rooms.room import Room, Services
from roundtable.rooms.sessions import Port, Session

__all__ = ["BotProcessPool", "BotWorkers", "InlineBotWorkers", "Port", "Room", "RoomRegistry", "Services", "Session"]
