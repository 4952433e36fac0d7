"""What time it is: by the machine's clock when the server began, and from then on by one that nobody sets."""

from __future__ import annotations

import time
from collections.abc import Callable

# It counts while the machine sleeps, too; where there is none, monotonic time has to do.
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady_clock() -> Callable[[], int]:
    """Milliseconds since 1970 as the machine has it now; whoever sets its clock later moves no deadline."""
    begun = time.time_ns() - time.clock_gettime_ns(CLOCK)
    return lambda: (begun + time.clock_gettime_ns(CLOCK)) // 1_000_000
