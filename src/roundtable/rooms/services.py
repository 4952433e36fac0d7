"""What a room needs of the server, and what the server keeps of a room that is not in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from roundtable.rooms.archive import Executor, run_inline
from roundtable.rooms.bot_workers import BotWorkers
from roundtable.rooms.guests import Entropy
from roundtable.storage import Log


class Services(NamedTuple):
    log: Log
    now: Callable[[], int]  # milliseconds since 1970
    entropy: Entropy
    workers: BotWorkers
    executor: Executor = run_inline  # for records of finished games


class Unsaved(NamedTuple):
    """What a room knows besides its log."""

    since: int  # when the server began to see members, by the server's clock
    last_seen: Mapping[int, int] = {}  # by the room's clock
    ahead: int = 0  # milliseconds by which the room's clock is ahead
