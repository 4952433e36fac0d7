"""The server's clock: the system time at the start, and from then on a monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable

# CLOCK_BOOTTIME also counts while the machine sleeps; not every system has it.
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady_clock() -> Callable[[], int]:
    """Milliseconds since 1970 by the system time now; setting the system time later moves no deadline."""
    begun = time.time_ns() - time.clock_gettime_ns(CLOCK)
    return lambda: (begun + time.clock_gettime_ns(CLOCK)) // 1_000_000
