"""Where live rooms are written down: one contract, kept in memory or in SQLite."""

from roundtable.record.log.contract import Card, Conflict, Log, LogFailed, Row
from roundtable.record.log.memory import MemoryLog
from roundtable.record.log.sqlite import SqliteLog

__all__ = ["Card", "Conflict", "Log", "LogFailed", "MemoryLog", "Row", "SqliteLog"]
