"""Who plays the seats of others. Two bots by name decide alike with the engine and in machine code; all others decide
from views."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from roundtable.bots import Bot, FollowingBot, make_bot
from roundtable.core.chance import Chance
from roundtable.core.errors import SetupError
from roundtable.core.seats import Seat
from roundtable.lab.environments.table import Choice, Table

Opponents = str | Bot | Mapping[Seat, str | Bot]
Player = Callable[[Table, Seat, Chance], Choice]


def at_random(table: Table, seat: Seat, chance: Chance) -> Choice:
    return table.any_choice(seat, chance)


def carefully(table: Table, seat: Seat, chance: Chance) -> Choice:
    return table.careful_choice(seat, chance)


BY_NAME: Mapping[str, Player] = {"random": at_random, "careful": carefully}  # in machine code too


@dataclass(frozen=True, slots=True)
class FromViews:
    """A bot that is shown its view and its options."""

    bot: Bot

    def __call__(self, table: Table, seat: Seat, chance: Chance) -> Choice:
        if isinstance(self.bot, FollowingBot):
            self.bot.follow(table.play.events_for(seat))
        return self.bot.choose(table.view(seat), table.options(seat), chance)


def are_compiled(bots: Opponents) -> bool:
    """Whether machine code has all of these bots."""
    return all(map(_is_compiled, bots.values() if isinstance(bots, Mapping) else [bots]))


def _is_compiled(bot: str | Bot) -> TypeGuard[str]:
    return isinstance(bot, str) and bot in BY_NAME


def opponents_by_seat(bots: Opponents, learner: Any, seats: int) -> dict[Seat, str | Bot]:
    """Who plays the other seats: `random` and `careful` stay names, every other bot is made. The learner's seat may
    come from `reset(options=…)`, where anything can stand."""
    if not isinstance(learner, int | np.integer) or isinstance(learner, bool) or not 0 <= learner < seats:
        raise SetupError("setup/bot", "learner", last=seats - 1, found=learner)
    others = [seat for seat in range(seats) if seat != learner]
    by_seat = bots if isinstance(bots, Mapping) else dict.fromkeys(others, bots)
    if sorted(by_seat) != others:
        raise SetupError("setup/bot", "missing", seats=others)
    return {seat: _made(by_seat[seat]) for seat in others}


def _made(bot: object) -> str | Bot:
    if isinstance(bot, Bot) or (isinstance(bot, str) and bot in BY_NAME):
        return bot
    return make_bot(bot)  # type: ignore[arg-type]  # which refuses what is no name


def player_of(bot: str | Bot) -> Player:
    return BY_NAME[bot] if isinstance(bot, str) else FromViews(bot)
