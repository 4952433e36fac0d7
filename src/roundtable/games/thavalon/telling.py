"""What only THavalon tells, and what it leaves out."""

from __future__ import annotations

from typing import ClassVar

from roundtable.core.events import Event
from roundtable.games.quests.telling import QuestTeller
from roundtable.games.thavalon.events import WindowClosed, WindowOpened


class ThavalonTeller(QuestTeller):
    untold: ClassVar[frozenset[type[Event]]] = QuestTeller.untold | {WindowOpened, WindowClosed}
    """Where a declaration is possible, the phase that waits for it is told."""
