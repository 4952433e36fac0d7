"""Checking a record: its commitment, its deal, every action, and how it ended."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from roundtable.core.actions import DealRoles
from roundtable.core.errors import BadRecord
from roundtable.core.events import Outcome
from roundtable.storage.records import FIRST_ENTRY, Record, play_again, read_lines


class Verdict(NamedTuple):
    """What was found to be true of a record."""

    game: str
    seats: int
    lines: int
    commitment: str
    was_drawn: bool  # whether the deal follows from the seed, or was handed to the table
    outcome: Outcome


def verify_record(path: Path) -> Verdict:
    """Play the whole record again; `BadRecord` names the line at which it goes wrong."""
    record = read_lines(path)
    again = play_again(record)
    last = FIRST_ENTRY + len(record.entries) - 1
    if again.outcome is None:
        raise BadRecord("record/broken", "unfinished", line=last)
    if not record.is_closed:
        raise BadRecord("record/broken", "never_closed", line=last)
    return Verdict(
        record.game, again.state.setup.seats, last + 1, again.state.commitment, was_drawn(record), again.outcome
    )


def was_drawn(record: Record) -> bool:
    return not any(entry.action == DealRoles(chosen=True) for entry in record.entries)
