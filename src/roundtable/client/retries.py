"""How long a client keeps trying to reach a server, and how a server's refusal becomes a typed error."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from ssl import SSLError
from urllib.error import URLError

from roundtable.core.errors import (
    BadRecord,
    IllegalAction,
    NotConnected,
    Problem,
    RoomRefused,
    RoundTableError,
    SetupError,
    Unreadable,
)
from roundtable.protocol.bodies import ErrorBody
from roundtable.protocol.messages import Refused

LONGEST_DELAY = 4.0  # seconds: games go on soon after a server or its database is back
KINDS: dict[str, type[RoundTableError]] = {  # by the family of the code
    "action": IllegalAction,
    "talk": IllegalAction,
    "game": IllegalAction,
    "record": BadRecord,
    "text": Unreadable,
    "setup": SetupError,
}


@dataclass(frozen=True)
class RetryPolicy:
    """Give up after `timeout` seconds without an answer; wait `delay` seconds first, and twice as long each time."""

    timeout: float = 60.0
    delay: float = 1.0


class Retries:
    """The attempts to reach one server since it last answered."""

    def __init__(self, url: str, policy: RetryPolicy) -> None:
        self._url = url
        self._policy = policy
        self._deadline: float | None = None
        self._delay = policy.delay

    def reset(self) -> None:
        """The server has answered: the next failure is the first one."""
        self._deadline, self._delay = None, self._policy.delay

    async def wait(self, cause: Exception) -> None:
        """Wait before the next attempt; `NotConnected` when the time is up."""
        now = asyncio.get_running_loop().time()
        if self._deadline is None:
            self._deadline = now + self._policy.timeout
        if now >= self._deadline:
            raise self._failure(cause) from cause
        delay = self._delay * random.uniform(0.5, 1.0)  # so that not all clients come back at once
        self._delay = min(2 * self._delay, LONGEST_DELAY)
        await asyncio.sleep(min(delay, self._deadline - now))

    def _failure(self, cause: Exception) -> NotConnected:
        error = cause.reason if isinstance(cause, URLError) else cause  # urllib wraps what the socket said
        reason = str(getattr(error, "strerror", None) or error).rstrip(".")
        if isinstance(error, SSLError):
            return NotConnected("client/unreachable", "https", address=self._url, reason=reason)
        seconds = f"{self._policy.timeout:g}"
        return NotConnected("client/unreachable", address=self._url, seconds=seconds, reason=reason)


def refusal(error: Refused | ErrorBody) -> RoundTableError:
    """The error that the server described, of the class that its code belongs to."""
    return kind_of(error.code).of([Problem(error.code, error.variant, error.values, said=error.message)])


def kind_of(code: str) -> type[RoundTableError]:
    """The class of error that a code belongs to."""
    return KINDS.get(code.partition("/")[0], RoomRefused)
