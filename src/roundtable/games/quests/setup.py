"""What both quest games let a table choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from roundtable.table.setup import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSetup(Setup):
    """Timers are off unless the table turns them on (C5)."""

    fewest: ClassVar[int] = 5
    most: ClassVar[int] = 10

    propose_seconds: int | None = None
    vote_seconds: int | None = None
    quest_seconds: int | None = None
    shot_seconds: int | None = None
