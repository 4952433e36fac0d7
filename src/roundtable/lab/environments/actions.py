"""Every move of a game under a number of its own, so that a learner can choose by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from roundtable.core.actions import Move
from roundtable.core.options import Option, Options
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.games.avalon.actions import ExamineLoyalty, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.tables import TEAM_SIZES
from roundtable.games.saviom import actions as town
from roundtable.games.saviom.setup import Role as TownRole
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.games.thavalon import actions as court
from roundtable.games.thavalon.options import NIMUE_AT
from roundtable.games.thavalon.setup import ThavalonSetup

WAIT = 0  # to do nothing now
REMEMBERED = 1 << 14  # options whose numbers are kept
UNSAID = 0  # the phase of a move that stands in a list and was not made in any

Mask = npt.NDArray[np.int8]


class Actions:
    """Number 0 is to wait; then come all moves that a table with this setup can ever offer, in a fixed order."""

    def __init__(self, setup: Setup) -> None:
        self.moves: tuple[Move | None, ...] = (None, *all_moves(setup))
        self._numbers = {choice(move): number for number, move in enumerate(self.moves) if move is not None}
        self._offered: dict[Option, npt.NDArray[np.intp]] = {}

    def __len__(self) -> int:
        return len(self.moves)

    def number(self, move: Move | None) -> int:
        """The number of a move, whatever the phase that it answers."""
        return WAIT if move is None else self._numbers[choice(move)]

    def move(self, number: int, phase: int) -> Move | None:
        """The move of a number, as an answer to this phase; None is to wait."""
        listed = self.moves[number]
        return None if listed is None else type(listed)(**{**choice_by_name(listed), "phase": phase})

    def mask(self, options: Options, may_wait: bool) -> Mask:
        """A one for every number that may be chosen; never without any, since who can do nothing waits."""
        mask = np.zeros(len(self), np.int8)
        for option in options:
            mask[self._numbers_in(option)] = 1
        mask[WAIT] = may_wait or not options
        return mask

    def _numbers_in(self, option: Option) -> npt.NDArray[np.intp]:
        if len(self._offered) > REMEMBERED:
            self._offered.clear()
        if option not in self._offered:
            self._offered[option] = np.array([self.number(move) for move in option], np.intp)
        return self._offered[option]


def choice(move: Move) -> tuple[Any, ...]:
    """What a move chooses, apart from the phase that it answers."""
    return (type(move), *[getattr(move, name) for name in parts_of(type(move))])


def choice_by_name(move: Move) -> dict[str, Any]:
    return {name: getattr(move, name) for name in parts_of(type(move))}


@lru_cache(maxsize=64)
def parts_of(kind: type[Move]) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind) if part.name != "phase")


def all_moves(setup: Setup) -> Iterator[Move]:
    match setup:
        case AvalonSetup():
            return avalon_moves(setup)
        case ThavalonSetup():
            return thavalon_moves(setup)
        case SaviomSetup():
            return saviom_moves(setup)
    raise TypeError(f"Nobody has numbered the moves of {setup.game} yet.")


def avalon_moves(setup: AvalonSetup) -> Iterator[Move]:
    everybody = range(setup.seats)
    yield from proposals(setup.seats, setup.choose_quests, setup.excalibur != "off")
    yield from votes_and_cards((Card.SUCCESS, Card.FAIL))
    if setup.excalibur != "off":
        yield from aimed(UseExcalibur, everybody)
        yield LeaveExcalibur(phase=UNSAID)
    if setup.lady:
        yield from aimed(ExamineLoyalty, everybody)
    if setup.merlin:
        yield from aimed(ShootMerlin, everybody)


def thavalon_moves(setup: ThavalonSetup) -> Iterator[Move]:
    everybody = range(setup.seats)
    yield from proposals(setup.seats, named=False, with_excalibur=False)
    yield from votes_and_cards(Card)
    if Role.ARTHUR in setup.good_pool:
        yield court.DeclareArthur(phase=UNSAID)
    if Role.AGRAVAINE in setup.evil_pool:
        yield court.DeclareAgravaine(phase=UNSAID)
    if Role.AGRAVAINE in setup.evil_pool and not setup.clock:
        yield court.GoOn(phase=UNSAID)
    yield from aimed(court.CallMerlin, everybody)
    if setup.seats == NIMUE_AT:
        yield from aimed(court.CallNimue, everybody)
    yield from (court.CallLovers(phase=UNSAID, targets=frozenset(pair)) for pair in combinations(everybody, 2))
    if setup.no_target_call:
        yield court.CallNobody(phase=UNSAID)


def saviom_moves(setup: SaviomSetup) -> Iterator[Move]:
    everybody = range(setup.seats)
    yield from aimed(town.Accuse, everybody)
    yield town.WithdrawAccusation(phase=UNSAID)
    yield from (town.Judge(phase=UNSAID, eliminate=eliminate) for eliminate in (True, False))
    yield from aimed(town.Hunt, everybody)
    if TownRole.PROTECTOR in setup.all_roles:
        yield from aimed(town.Protect, everybody)
    if TownRole.SEER in setup.all_roles:
        yield from aimed(town.Inspect, everybody)
    yield from aimed(town.Suspect, everybody)
    if setup.early_end:
        yield town.LockIn(phase=UNSAID)
    yield town.Surrender(phase=UNSAID)


def proposals(seats: int, named: bool, with_excalibur: bool) -> Iterator[Move]:
    """Every team of every size, for each quest where quests are chosen, with each bearer where there is Excalibur."""
    sizes = TEAM_SIZES[seats]
    aims: Iterable[tuple[int | None, int]] = (
        enumerate(sizes, 1) if named else ((None, size) for size in sorted(set(sizes)))
    )
    for quest, size in aims:
        for team in teams(tuple(range(seats)), size):
            bearers: Iterable[Seat | None] = sorted(team) if with_excalibur else (None,)
            for bearer in bearers:
                yield ProposeTeam(phase=UNSAID, team=team, quest=quest, excalibur=bearer)


def votes_and_cards(cards: Iterable[Card]) -> Iterator[Move]:
    yield from (CastVote(phase=UNSAID, approve=approve) for approve in (True, False))
    yield from (PlayCard(phase=UNSAID, card=card) for card in cards)


def aimed(kind: type[Move], targets: Iterable[Seat]) -> Iterator[Move]:
    """A move that names one seat, at each of them."""
    return (kind(phase=UNSAID, target=target) for target in targets)  # type: ignore[call-arg]
