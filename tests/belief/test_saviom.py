"""Belief in Saviom equals what comes of going through all deals one by one."""

from __future__ import annotations

from itertools import permutations
from math import log2
from typing import Any

import numpy as np
import pytest

from roundtable.belief import Situation, Viewpoints, belief_of
from roundtable.bots import CarefulBot, RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Move
from roundtable.core.events import GameEnded, PhaseBegan
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import spec_named
from roundtable.games.saviom import events as happened
from roundtable.games.saviom.actions import Accuse, Hunt, Judge
from roundtable.games.saviom.setup import Role, SaviomSetup

TABLES = [
    (SaviomSetup(seats=6), 1),
    (SaviomSetup(seats=7, mode="advanced"), 2),
    (SaviomSetup(seats=7, mode="advanced", begins_with="night", reveal_on_death="side"), 3),
    (SaviomSetup(seats=8, mode="advanced", reveal_on_death="role", kill_by="living"), 4),
    (SaviomSetup(seats=7, mode="advanced", protect_self=True, begins_with="night"), 6),
]


AGREE = 0.9


def odd(role: str, pack: frozenset[int], choice: int) -> float:
    return 0.1 + 0.8 * ((len(role) * 7 + sum(pack) * 3 + choice * 5) % 11) / 10


class OddTown:
    """Accusations and verdicts go by `odd`; wards are uniform, and hunts too, if Wolves agree at all."""

    def log_chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Any:
        views = [viewpoints.view(situation, place) for place in range(len(viewpoints))]
        if isinstance(move, Hunt):
            return np.log([AGREE / len(view.alive - view.pack) for view in views])
        if not isinstance(move, Accuse | Judge):
            return np.zeros(len(views))  # they are made to add up to one
        choice = move.target if isinstance(move, Accuse) else int(move.eliminate)
        return np.log([odd(view.roles[situation.seat], view.pack, choice) for view in views])


class Town:
    """All deals that a listener holds possible, each with its weight."""

    def __init__(self, setup: SaviomSetup, listener: int) -> None:
        self.setup, self.listener = setup, listener
        self.weights = dict.fromkeys(set(permutations(setup.all_roles)), 1.0)
        self.alive = set(range(setup.seats))
        self.hunts: dict[int, int] = {}
        self.ward: int | None = None
        self.own: Role | None = None

    def require(self, holds: Any) -> None:
        self.weights = {deal: weight for deal, weight in self.weights.items() if holds(deal)}

    def weigh(self, chance: Any) -> None:
        self.weights = {deal: weight * chance(deal) for deal, weight in self.weights.items()}

    def act(self, seat: int, choice: int) -> None:
        if seat != self.listener:
            self.weigh(lambda deal: odd(deal[seat], pack_of(deal) if deal[seat] is Role.WOLF else frozenset(), choice))

    def hear(self, event: Any) -> None:
        match event:
            case happened.RoleDealt(seat=seat, role=role):
                self.own = role
                self.require(lambda deal: deal[seat] is role)
            case happened.PackMet(wolves=wolves):
                self.require(lambda deal: pack_of(deal) == set(wolves))
            case happened.AccusationMade(seat=seat, target=target):
                self.act(seat, target)
            case happened.VerdictsCounted(eliminate=eliminate, save=save):
                for seat in (*eliminate, *save):
                    self.act(seat, int(seat in eliminate))
            case happened.HuntMarked(seat=seat, target=target):
                self.hunts[seat] = target
            case happened.ProtectionChosen(target=target):
                self.ward = target
            case happened.InspectionShown(target=target, is_wolf=is_wolf):
                self.require(lambda deal: (deal[target] is Role.WOLF) is is_wolf)
            case happened.NightEnded(killed=killed):
                self.weigh(lambda deal: self.night(deal, killed))
                self.require(lambda deal: self.weights[deal] > 0)
                self.hunts, self.ward = {}, None
            case happened.PlayerDied(seat=seat):
                self.alive.remove(seat)
            case happened.FateRevealed(seat=seat, revealed=revealed):
                side = {True: "Wolves", False: "Citizens"}
                self.require(lambda deal: revealed in (deal[seat], side[deal[seat] is Role.WOLF]))
            case PhaseBegan():
                self.require(lambda deal: 0 < 2 * len(pack_of(deal) & self.alive) < len(self.alive))

    def night(self, deal: tuple[Role, ...], killed: int | None) -> float:
        """How likely this night is: one prey, one ward, each uniform unless the listener knows them."""
        pack = pack_of(deal) & self.alive
        prey = {seat: AGREE / len(self.alive - pack) for seat in self.alive - pack}
        if self.own is Role.WOLF and self.listener in self.alive:
            agreed = [seat for seat in set(self.hunts.values()) if self.is_agreed(seat, len(pack))]
            prey = dict.fromkeys(agreed, 1.0)
        wards = self.wards(deal)
        dies = {seat: chance * (1 - wards.get(seat, 0.0)) for seat, chance in prey.items()}
        return max(0.0, 1 - sum(dies.values())) if killed is None else dies.get(killed, 0.0)

    def is_agreed(self, prey: int, wolves: int) -> bool:
        votes = list(self.hunts.values())
        return 2 * votes.count(prey) > (len(votes) if self.setup.kill_by == "cast" else wolves)

    def wards(self, deal: tuple[Role, ...]) -> dict[int, float]:
        protector = next((seat for seat in self.alive if deal[seat] is Role.PROTECTOR), None)
        if protector is None:
            return {}
        if protector == self.listener:
            return {} if self.ward is None else {self.ward: 1.0}
        may = self.alive if self.setup.protect_self else self.alive - {protector}
        return dict.fromkeys(may, 1 / len(may))


def pack_of(deal: tuple[Role, ...]) -> frozenset[int]:
    return frozenset(seat for seat, role in enumerate(deal) if role is Role.WOLF)


@pytest.mark.parametrize(("setup", "seed"), TABLES)
def test_belief_equals_brute_force(setup: SaviomSetup, seed: int) -> None:  # S1 to S13
    dice, spec = Dice(seed), spec_named("saviom")
    play = Play.open(spec.game, setup, dice.randbytes(32))
    play.deal()
    play_out(play, {seat: CarefulBot() if seed % 2 else RandomBot() for seat in range(setup.seats)}, dice)
    surrendered = [e for e in play.events if isinstance(e, happened.PlayerDied) and e.cause == "surrender"]
    for listener in (SPECTATOR, *range(setup.seats)):
        belief, town = belief_of(spec, setup, listener, OddTown()), Town(setup, listener)
        for event in play.events_for(listener):
            if isinstance(event, GameEnded) or (surrendered and isinstance(event, happened.NightEnded)):
                break
            belief.hear(event)
            town.hear(event)
            if isinstance(event, PhaseBegan):
                compare(belief, town)


def compare(belief: Any, town: Town) -> None:
    total = sum(town.weights.values())
    assert belief.logic.deals == len(town.weights)
    expected = np.zeros_like(belief.posterior)
    for deal, weight in town.weights.items():
        for seat, role in enumerate(deal):
            expected[seat, belief.roles.index(role)] += weight / total
    np.testing.assert_allclose(belief.posterior, expected, rtol=1e-9, atol=1e-12)
    entropy = -sum(weight / total * log2(weight / total) for weight in town.weights.values())
    assert belief.entropy() == pytest.approx(entropy, abs=1e-9)
