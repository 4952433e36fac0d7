"""The lines of a record, and what a listener makes of them."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.core.actions import Action
from roundtable.core.events import Event


class Entry(NamedTuple):
    """One line of a record: who asked for what, and the events that followed (C3)."""

    actor: int
    action: Action
    id: str
    events: tuple[Event, ...]


class Heard(NamedTuple):
    """An event under its listener's own numbering, which tells nothing of what others heard."""

    number: int
    event: Event
