"""Seats that a test plays over the client, without a page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from roundtable.client import Table
from roundtable.core.actions import Move, Remark, Say
from roundtable.core.codec import plain
from roundtable.core.errors import IllegalAction
from roundtable.core.options import Option
from roundtable.games.quests.actions import ProposeTeam
from roundtable.protocol import Asked
from support.background_loop import in_background
from support.waiting import PATIENCE
from support.web.rooms import Person


class Hand:
    """A seat that makes given moves as soon as they are offered."""

    def __init__(self, table: Table) -> None:
        self._table = table
        in_background(self._asked(lambda: self._table.view is not None and self._table.view.phase.number))

    @property
    def role(self) -> str:
        return str(plain(self.view.roles[self._table.seat]))

    @property
    def view(self) -> Any:
        """The game as this seat knows it."""
        return self._table.view

    @property
    def leader(self) -> int:
        return int(self.view.leader)

    def waits_beyond(self, phase: int) -> None:
        """Wait until the phase with this number is over."""
        in_background(self._asked(lambda: self.view.phase.number > phase))

    def does(self, kind: str, **parts: Any) -> None:
        """Make this move once it is offered."""

        def named(option: Option) -> Move:
            return next(move for move in option if parts.items() <= plain(move).items())

        in_background(self._do(kind, named))

    def proposes(self, *team: int, quest: int | None = None, excalibur: int | None = None) -> None:
        def named(_: Option) -> Move:
            phase = self._table.view.phase.number
            return ProposeTeam(phase=phase, team=frozenset(team), quest=quest, excalibur=excalibur)

        in_background(self._do("ProposeTeam", named))

    def says(self, channel: str, text: str) -> None:
        in_background(self._table.act(Say(channel=channel, text=text)))

    def remarks(self, phrase: str, about: int | None = None, word: str | None = None) -> None:
        in_background(self._table.act(Remark(channel="table", phrase=phrase, about=about, word=word)))

    async def _do(self, kind: str, chosen: Callable[[Option], Move]) -> None:
        """If the game has moved on before the move arrived, choose again from the new options."""
        while True:
            await self._asked(lambda: self._option(kind))
            option = self._option(kind)
            assert option
            try:
                return await self._table.act(chosen(option))
            except IllegalAction as refused:
                if refused.code != "action/late":
                    raise

    def _option(self, kind: str) -> Option | None:
        return next((option for option in self._table.options if option.kind.__name__ == kind), None)

    async def _asked(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            if is_so():
                return
            async for event in self._table.events():
                if isinstance(event, Asked) and is_so():
                    return


HandsOf = Callable[[Sequence[Person]], list[Hand]]


def propose(hands: Sequence[Hand], *team: int) -> None:
    """The leader names a team: this one, or a team of two with the seat beside them."""
    leader = hands[0].leader
    hands[leader].proposes(*(team or (leader, (leader + 1) % len(hands))))


def approve(*voters: Hand) -> None:
    for hand in voters:
        hand.does("CastVote", approve=True)
