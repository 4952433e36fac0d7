"""Live rooms: seating, clock, talk, bots, rematches, and who is connected; each a list of rows in a log."""

from roundtable.room.house import House
from roundtable.room.room import Room, Services
from roundtable.room.sessions import Port, Session
from roundtable.room.thinking import InlineThinker, ProcessThinker, Thinker

__all__ = ["House", "InlineThinker", "Port", "ProcessThinker", "Room", "Services", "Session", "Thinker"]
