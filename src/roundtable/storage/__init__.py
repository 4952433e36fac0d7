"""Where games are kept: the event log of live rooms (memory or SQLite), and records of single games as JSON Lines."""

from roundtable.storage.contract import (
    LEASE_SECONDS,
    RENEW_SECONDS,
    Conflict,
    Lease,
    LeaseLost,
    Leases,
    Log,
    LogFailed,
    LogLost,
    RoomSummary,
    RoomUnreadable,
    Row,
)
from roundtable.storage.memory import MemoryLog
from roundtable.storage.records import Record, Recorder, read_record, write_record
from roundtable.storage.sqlite import SqliteLog
from roundtable.storage.verify import Verdict, verify_record

__all__ = [
    "LEASE_SECONDS",
    "RENEW_SECONDS",
    "Conflict",
    "Lease",
    "LeaseLost",
    "Leases",
    "Log",
    "LogFailed",
    "LogLost",
    "MemoryLog",
    "Record",
    "Recorder",
    "RoomSummary",
    "RoomUnreadable",
    "Row",
    "SqliteLog",
    "Verdict",
    "read_record",
    "verify_record",
    "write_record",
]
