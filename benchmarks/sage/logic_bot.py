"""A rule-of-thumb bot that knows only logic, after the description of DeepRole's LogicBot, for comparison.

It keeps the deals that are possible to its seat. Good proposes a team that has no Evil in one of them, drawn at random,
and approves a team that can be clean; Evil proposes and approves as if it did not know its fellows, fails whenever it
can, and shoots any Good player who can be Merlin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from roundtable.belief import belief_of
from roundtable.belief.contract import Belief
from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.policy import Leanings, Probabilities, any_of, chances, drawn, offered
from roundtable.games import spec_named
from roundtable.games.avalon.actions import ShootMerlin
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.sage.strategy import dealt_as


class LogicBot:
    """Plays Avalon; made for `roundtable arena` and studies of the sage."""

    def __init__(self) -> None:
        self._heard: Sequence[Event] = ()

    def follow(self, heard: Sequence[Event]) -> None:
        self._heard = heard

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        return drawn(self.leanings(view, options), chance)

    def probabilities(self, view: Any, options: Options) -> Probabilities:
        return chances(self.leanings(view, options))

    def leanings(self, view: Any, options: Options) -> Leanings:
        (seat,) = view.roles
        is_evil = view.roles[seat] in EVIL_ROLES
        match view.phase.name:
            case "propose":
                named = offered(options, ProposeTeam)
                worlds = self._worlds(view, seat, as_servant=is_evil)
                clean = [move for move in named if seat in move.team and can_be_clean(worlds, move.team)]
                return any_of(clean or [move for move in named if can_be_clean(worlds, move.team)] or named)
            case "vote":
                return self._vote(view, seat, options, is_evil)
            case "quest":
                cards = offered(options, PlayCard)
                return any_of([card for card in cards if card.card is Card.FAIL] or cards)
            case "assassination":
                merlins = self._belief(view, seat, self._heard).who_could_be(Role.MERLIN)
                return any_of([shot for shot in offered(options, ShootMerlin) if shot.target in merlins])
            case _:
                return any_of([next(iter(option)) for option in options if not option.kind.gives_up][:1])

    def _vote(self, view: Any, seat: int, options: Options, is_evil: bool) -> Leanings:
        votes = offered(options, CastVote)
        if seat in view.voted:
            return ()
        team = view.proposal.team
        worlds = self._worlds(view, seat, as_servant=is_evil)
        approves = view.attempt == 5 or can_be_clean(worlds, team)
        return any_of([vote for vote in votes if vote.approve is approves])

    def _worlds(self, view: Any, seat: int, as_servant: bool) -> Any:
        """[deal, seat]: who is Evil in each possible deal, as far as a draw of many deals shows."""
        heard = [dealt_as(event, seat, Role.SERVANT) for event in self._heard] if as_servant else self._heard
        belief = self._belief(view, seat, heard)
        if not belief.is_possible():
            belief = self._belief(view, seat, [event for event in heard if not is_card(event, seat)])
        deals = belief.sample(200, np.random.default_rng(0))
        return np.array([[role in EVIL_ROLES for role in deal.roles] for deal in deals])

    def _belief(self, view: Any, seat: int, heard: Sequence[Event]) -> Belief:
        belief = belief_of(spec_named("avalon"), view.setup, seat)
        belief.hear_all(heard)
        return belief


def is_card(event: Event, seat: int) -> bool:
    return isinstance(event, RoleDealt) and event.seat == seat


def can_be_clean(worlds: Any, team: frozenset[int]) -> bool:
    return bool((~worlds[:, sorted(team)].any(axis=1)).any())
