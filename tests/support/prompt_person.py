"""A game of one prompt person and bots, in virtual time: how long it takes, and how much of that the person waits.

The person decides as the careful bot does, answers after a second and locks in after another. They wait while the game
awaits no one, or bots alone, or has their answer already.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, NamedTuple

from roundtable.bots import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.core.options import name_of
from roundtable.core.seats import Seat
from roundtable.protocol import rooms as ask
from support.room_harness import RoomHarness, room_with_members, settle
from support.virtual_time import VirtualLoop, run

STEP = 0.05  # seconds in which the person looks at the table
ANSWER_AFTER, LOCK_AFTER = 1.0, 1.0  # seconds
LONGEST = 3600.0
QUICK_SAVIOM = {"mode": "advanced", "early_end": True, "day_seconds": 60, "defense_seconds": 20, "night_seconds": 20}


class DeadTime(NamedTuple):
    """How long a game took, and how much of it the person waited; in seconds."""

    total: float
    waited: float


@dataclass
class PromptPerson:
    """The only person at the table."""

    harness: RoomHarness
    seat: Seat
    dice: Dice
    phase: int = 0
    acts_at: float = 0.0
    is_done: bool = True

    async def look(self, now: float) -> None:
        """Do what is due now."""
        play = self.harness.room.play
        assert play is not None
        if play.phase.number != self.phase:
            self.phase = play.phase.number
            self.is_done = self.seat not in play.phase.awaited
            self.acts_at = now + ANSWER_AFTER
        if self.is_done or now < self.acts_at:
            return
        options = play.options(self.seat)
        locks = [move for option in options if name_of(option.kind) == "lock_in" for move in option]
        move = locks[0] if locks else CarefulBot().choose(play.view(self.seat), options, self.dice)
        if move is not None:
            await self.harness.host.act(move)
        can_lock = bool(getattr(play.state.setup, "early_end", False))
        self.is_done = bool(locks) or not can_lock or move is None
        self.acts_at = now + LOCK_AFTER


async def play_game(
    loop: VirtualLoop, game: str, seats: int, seed: int, options: dict[str, Any], **settings: Any
) -> DeadTime:
    """One game of a person and bots, from the deal to the end."""
    harness = await room_with_members(loop, 1, game=game, seats=seats, seed=seed, options=options, **settings)
    for request in (ask.SeatBot(), ask.SayReady(is_ready=True), ask.Start()):
        assert await harness.host.ask(request) == "done"
    await settle()
    room = harness.room
    seat = room.state.seat_of(harness.host.member)
    assert seat is not None
    person = PromptPerson(harness, seat, Dice(seed))
    begun, waited = loop.time(), 0.0
    while room.state.is_playing and loop.time() - begun < LONGEST:
        await person.look(loop.time())
        before = loop.time()
        await asyncio.sleep(STEP)
        waited += loop.time() - before if person.is_done else 0.0
        if int(loop.time()) != int(before):
            await harness.host.here()
    total = loop.time() - begun
    await harness.registry.stop()
    return DeadTime(total, waited)


def measure(game: str, seats: int, seed: int, options: dict[str, Any] | None = None, **settings: Any) -> DeadTime:
    return run(lambda loop: play_game(loop, game, seats, seed, options or {}, **settings))
