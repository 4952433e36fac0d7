"""Random draws of the kernels have the probabilities of the rules and the bots."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numba import njit

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Move
from roundtable.core.options import Option, Options
from roundtable.core.play import Play
from roundtable.core.setup import Setup
from roundtable.games import GAMES, make_setup
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.options import TeamChoice, teams
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.thavalon.setup import LOVERS, ThavalonSetup
from roundtable.kernels.chance import FRACTION, split
from roundtable.kernels.contract import GameTrace
from roundtable.lab.engines import kernel
from roundtable.lab.replaying import replayed
from support.kernel_tables import (
    COUNTS,
    QUEST_GAMES,
    RANDOM,
    SEED,
    every_table,
    is_as_expected,
    is_spread_evenly,
    setups,
)
from support.paths import ROOT

pytestmark = pytest.mark.usefixtures("compiled_kernels")


def role_sets(setup: Setup) -> dict[frozenset[Any], Fraction]:
    """The exact chances of every set of roles in THavalon, by going through all draws (T3)."""
    assert isinstance(setup, ThavalonSetup)
    good, evil = setup.sides
    chances: Counter[frozenset[Any]] = Counter()
    evils = list(combinations(setup.evil_pool, evil))
    for drawn, chance in good_draws(setup.good_pool, good):
        for villains in evils:
            chances[frozenset((*drawn, *villains))] += chance / len(evils)  # type: ignore[assignment]
    return dict(chances)  # type: ignore[arg-type]


def good_draws(pool: tuple[Any, ...], places: int) -> Iterable[tuple[tuple[Any, ...], Fraction]]:
    draws = list(combinations(pool, places))
    for drawn in draws:
        chance = Fraction(1, len(draws))
        rest = [role for role in drawn if role not in LOVERS]
        if len(rest) != places - 1:
            yield drawn, chance
            continue
        replacements = [role for role in pool if role not in drawn and role not in LOVERS]
        if replacements:
            chance /= 2
            for role in replacements:
                yield (*rest, role), chance / len(replacements)
        for gone in rest:
            yield (*LOVERS, *[role for role in rest if role is not gone]), chance / len(rest)


POOLS: list[tuple[int, dict[str, Any]]] = [  # T26: with a replacement for a lone lover, without, and without lovers
    (5, {"pool": "Merlin,Tristan,Iseult,Arthur,Titania,Mordred,Agravaine,Colgrevance"}),
    (6, {"pool": "Percival,Tristan,Iseult,Nimue,Arthur,Mordred,Morgana"}),
    (7, {"pool": "Merlin,Percival,Lancelot,Nimue,Titania,Mordred,Morgana,Maelagant,Agravaine"}),
    (8, {"pool": "Merlin,Tristan,Iseult,Lancelot,Nimue,Morgana,Maelagant,Agravaine"}),
    (10, {"pool": "Merlin,Percival,Tristan,Iseult,Lancelot,Nimue,Arthur,Titania,Mordred,Morgana,Maelagant,Agravaine"}),
]


@pytest.mark.parametrize(("seats", "options"), [*[(seats, {}) for seats in COUNTS], (9, {"nine_evil": 4}), *POOLS])
def test_thavalon_draws_every_set_of_roles_as_often_as_the_rules_say(  # T3, T26
    seats: int, options: dict[str, Any]
) -> None:
    games = 100_000
    setup = make_setup("thavalon", seats, options)
    of = kernel("thavalon")
    dealt = Counter(bits_of(of.run(setup, RANDOM, SEED, 0, games).roles))
    chances = {sum(1 << of.roles.index(role) for role in one): chance for one, chance in role_sets(setup).items()}
    assert sum(chances.values()) == 1
    assert set(dealt) == set(chances)
    if len(chances) > 1:
        assert is_as_expected([dealt[one] for one in chances], [float(chances[one]) * games for one in chances])


def bits_of(roles: Any) -> list[int]:
    return [int(bits) for bits in (1 << roles.astype(np.int64)).sum(axis=1)]


def test_avalon_deals_every_seating_alike() -> None:  # A5
    games = 120_000
    batch = kernel("avalon").run(make_setup("avalon", 5), RANDOM, SEED, 0, games)
    seatings = Counter(map(tuple, batch.roles.tolist()))
    assert len(seatings) == 120
    assert is_as_expected(seatings.values(), [games / 120] * 120)


@every_table
def test_every_role_sits_everywhere_alike(game: str, seats: int) -> None:  # A5
    games = 50_000
    roles = kernel(game).run(make_setup(game, seats), RANDOM, SEED, 0, games).roles
    for role in np.unique(roles):
        places = (roles == role).sum(axis=0)
        assert is_as_expected(places.tolist(), [places.sum() / seats] * seats)


@every_table
def test_leaders_and_assassins_are_drawn_alike(game: str, seats: int) -> None:  # A4, A5, T4
    options = {"assassin": "duty"} if game == "avalon" else {}
    setup = make_setup(game, seats, options)
    deals = [kernel(game).actions(setup, RANDOM, SEED, number).deal for number in range(1_500)]
    leaders = Counter(deal.leader for deal in deals)
    assert is_as_expected([leaders[seat] for seat in range(seats)], [len(deals) / seats] * seats)
    able = [[seat for seat, role in enumerate(deal.roles) if can_shoot(role)] for deal in deals]
    places = Counter(seats.index(deal.assassin) for seats, deal in zip(able, deals, strict=True))
    assert is_as_expected([places[place] for place in range(len(able[0]))], [len(deals) / len(able[0])] * len(able[0]))


def can_shoot(role: Any) -> bool:
    return role in EVIL_ROLES and role is not Role.OBERON


@every_table
def test_random_moves_are_drawn_as_the_random_bot_draws_them(game: str, seats: int) -> None:
    """Where a move lies among all that were possible, each with its chance, is a number that is uniform from 0 to 1."""
    dice = Dice(seats)
    places: dict[tuple[type[Move], ...], list[float]] = {}
    for place, setup in enumerate(setups(game, seats)):
        for number in range(4):
            script = kernel(game).actions(setup, RANDOM, SEED, 1000 + place * 4 + number)
            for options, move in decisions(script):
                kinds = tuple([option.kind for option in options])
                places.setdefault(kinds, []).append(place_among(options, move, dice))
    for seen in places.values():
        assert len(seen) < 50 or is_spread_evenly(seen)


def decisions(script: GameTrace) -> Iterable[tuple[Options, Move]]:
    game = GAMES[script.setup.game].game
    for now, step in replayed(script):
        if isinstance(step.action, Move):
            yield game.options(now.state, step.actor), step.action


def place_among(options: Options, move: Move, dice: Dice) -> float:
    """The place of this move among all possible ones, each as wide as its probability."""
    kind = next(place for place, option in enumerate(options) if move in option)
    return (kind + place_within(options[kind], move, dice)) / len(options)


def place_within(option: Option, move: Move, dice: Dice) -> float:
    if not (isinstance(option, TeamChoice) and isinstance(move, ProposeTeam)):
        return (list(option).index(move) + dice.random()) / len(option)
    holders, choices = option.holders(move.team), teams(option.eligible, len(move.team))
    within = (holders.index(move.excalibur) + dice.random()) / len(holders)
    within = (choices.index(move.team) + within) / len(choices)
    return (option.sizes.index((move.quest, len(move.team))) + within) / len(option.sizes)


LAWS = [
    ("avalon", 6, {"lady": "yes", "choose_quests": "yes", "excalibur": "both"}),
    ("thavalon", 5, {"no_target_call": "yes", "first_round": "paired"}),
    ("thavalon", 8, {}),
    ("thavalon", 10, {"clock": "no"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), LAWS)
def test_games_end_as_they_do_among_random_bots_at_a_real_table(game: str, seats: int, options: dict[str, str]) -> None:
    setup, games = make_setup(game, seats, options), 400
    bots = dict.fromkeys(range(seats), RandomBot())
    reasons: Counter[str] = Counter()
    lengths = []
    for number in range(games):
        play = Play.open(GAMES[game].game, setup, number.to_bytes(32, "big"))
        play.deal()
        play_out(play, bots, play.chance("bots"))
        assert play.outcome is not None
        reasons[play.outcome.reason] += 1
        lengths.append(sum(entry.actor >= 0 or type(entry.action).__name__ == "Expire" for entry in play.entries))
    of = kernel(game)
    batch = of.run(setup, RANDOM, SEED, 0, 200_000)
    shares = np.bincount(batch.reason, minlength=len(of.reasons)) / len(batch.reason)
    assert is_as_expected([reasons[reason] for reason in of.reasons], shares * games)
    assert abs(np.mean(lengths) - batch.length.mean()) < 4 * batch.length.std() / sqrt(games)


PLAYED = re.compile(
    r"^\| (Avalon|THavalon) (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) : (\d+) \|$", re.MULTILINE
)
ROWS = PLAYED.findall((ROOT / "tests" / "vectors" / "engine_bots.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[f"{game}-{seats}" for game, seats, *_ in ROWS])
def test_good_wins_as_often_as_it_did_with_these_bots_at_real_tables(row: tuple[str, ...]) -> None:
    """The file has 1,000 games of each kind that bots played at the engine's own table, in whole percents."""
    game, seats, good_random, good_careful, evil_random, evil_careful, good, evil = row
    of, setup = kernel(game.lower()), make_setup(game.lower(), int(seats))
    published = {
        ("random", "random"): int(good_random),
        ("careful", "random"): int(good_careful),
        ("random", "careful"): 100 - int(evil_careful),
        ("careful", "careful"): int(good),
    }
    assert int(good_random) + int(evil_random) == int(good) + int(evil) == 100
    for bots, percent in published.items():
        share = 1 - of.run(setup, bots, SEED, 0, 5_000).winner.mean()
        assert abs(share - percent / 100) < 0.005 + 4 * sqrt(share * (1 - share) * (1 / 1_000 + 1 / 5_000)) + 0.002


def test_there_are_figures_for_every_table() -> None:
    assert len(ROWS) == len(QUEST_GAMES) * len(COUNTS)


def _split(bound: int) -> tuple[int, int]:
    return split(FRACTION, bound)


split_of_largest: Any = njit(_split)


@pytest.mark.parametrize("bound", range(1, 17))
def test_the_largest_fraction_still_splits_below_the_bound(bound: int) -> None:
    number, rest = split_of_largest(bound)
    assert number == bound - 1
    assert 0 <= rest <= FRACTION
