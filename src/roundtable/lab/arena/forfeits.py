"""Bots that fail: the first fault forfeits the game, and `careful` plays on in the seat so that others can finish."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from roundtable.bots import Bot, CarefulBot, FollowingBot
from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.lab.own_bots import is_allowed, make_player
from roundtable.referee import ProgramReport


class Fault(IntEnum):
    """Why a bot forfeited a game."""

    NONE = 0
    RAISED = 1  # a class raised an error
    ILLEGAL = 2  # the bot chose what is not allowed
    LATE = 3  # a program gave no answer in time
    DIED = 4  # a program ended, or was ended because it flooded its pipes


FAULTS = tuple(fault for fault in Fault if fault)


class GuardedBot:
    """A bot that never fails: after its first fault `careful` chooses."""

    def __init__(self, name: str) -> None:
        self.fault = Fault.NONE
        self._bot: Bot = CarefulBot()
        try:
            self._bot = make_player(name)
        except (Exception, SystemExit):
            self.fault = Fault.RAISED

    def follow(self, heard: Sequence[Event]) -> None:
        if isinstance(self._bot, FollowingBot):
            try:
                self._bot.follow(heard)
            except (Exception, SystemExit):
                self._forfeit(Fault.RAISED)

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        try:
            move = self._bot.choose(view, options, chance)
        except (Exception, SystemExit):
            return self._forfeit(Fault.RAISED).choose(view, options, chance)
        if is_allowed(move, options):
            return move
        return self._forfeit(Fault.ILLEGAL).choose(view, options, chance)

    def _forfeit(self, fault: Fault) -> Bot:
        self.fault, self._bot = fault, CarefulBot()
        return self._bot


def fault_in(report: ProgramReport) -> Fault:
    if report.left:
        return Fault.DIED
    if report.refused:
        return Fault.ILLEGAL
    return Fault.LATE if report.late else Fault.NONE
