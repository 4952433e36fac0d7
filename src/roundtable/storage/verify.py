"""Verifying a record: its commitment, its deal, every action, and its outcome."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from roundtable.core.actions import DealRoles
from roundtable.core.arguments import checked
from roundtable.core.errors import BadRecord
from roundtable.core.events import Outcome
from roundtable.storage.records import FIRST_ENTRY, Record, read_lines, replay_record


class Verdict(NamedTuple):
    """The facts of a verified record."""

    game: str
    seats: int
    lines: int
    commitment: str
    was_drawn: bool  # whether the deal follows from the seed, or was handed to the table
    outcome: Outcome


@checked
def verify_record(path: Path) -> Verdict:
    """Replay the whole record; `BadRecord` names the first line that is wrong."""
    record = read_lines(path)
    again = replay_record(record)
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
