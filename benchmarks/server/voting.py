"""A table of a peer: five clients that vote in every round, one after the other in any order."""

from __future__ import annotations

import asyncio
import random

from benchmarks.server.sockets import Socket

SEATS = 5


class VotingTable:
    """Who has voted in this round, and which seats have not received the vote in flight."""

    def __init__(self, chance: random.Random) -> None:
        self.sockets: list[Socket] = []
        self._chance = chance
        self._voted: set[int] = set()
        self._missing: set[int] = set()
        self._moved: asyncio.Future[None] | None = None

    @property
    def can_move(self) -> bool:
        return self._moved is None

    def move(self) -> asyncio.Future[None]:
        if len(self._voted) == SEATS:
            self._voted = set()
        seat = self._chance.choice([seat for seat in range(SEATS) if seat not in self._voted])
        self._voted.add(seat)
        self._missing = set(range(SEATS))
        self._moved = moved = asyncio.get_running_loop().create_future()
        self.vote(seat)
        return moved

    def vote(self, seat: int) -> None:
        """Send the vote of this seat."""
        raise NotImplementedError

    def received(self, seat: int) -> bool:
        """A seat has received the vote in flight; whether it was the last one."""
        self._missing.discard(seat)
        if self._moved is None or self._missing:
            return False
        self._moved.set_result(None)
        self._moved = None
        return True
