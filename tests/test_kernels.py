"""The kernels play by the engine's rules: whatever they play, the engine plays again to the same end."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roundtable
from roundtable.bots import CarefulBot, RandomBot, play_out
from roundtable.games.avalon.setup import OPTIONAL_ROLES, AvalonSetup
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.options import TeamChoice, teams
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.registry import GAMES, make_setup
from roundtable.games.thavalon.deal import LOVERS
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.lab.kernels import kernel
from roundtable.lab.kernels.compiling import source_stamp
from roundtable.lab.kernels.contract import Batch, Kernel, Script
from roundtable.lab.kernels.replaying import replay, replayed
from roundtable.table.actions import Move
from roundtable.table.chance import Chance
from roundtable.table.errors import SetupError
from roundtable.table.events import Outcome
from roundtable.table.game import Unfolding, evolve
from roundtable.table.options import Option, Options
from roundtable.table.play import Play
from roundtable.table.setup import Setup
from roundtable.testing.generators import any_setup
from roundtable.testing.scenes import Dice

QUEST_GAMES = ("avalon", "thavalon")
COUNTS = range(5, 11)
SEED = 2026
TABLES = 50  # different setups for each game and number of players
RANDOM = ("random",)

every_table = pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in QUEST_GAMES for seats in COUNTS])


@lru_cache(maxsize=64)
def setups(game: str, seats: int) -> tuple[Setup, ...]:
    """The usual table, and others with every option drawn."""
    dice = Dice(seats)
    return (GAMES[game].setup_type(seats=seats), *[varied(game, seats, dice) for _ in range(TABLES - 1)])


def varied(game: str, seats: int, chance: Chance) -> Setup:
    setup = any_setup(GAMES[game], chance, seats)
    while isinstance(setup, AvalonSetup):
        chosen = frozenset(role for role in sorted(OPTIONAL_ROLES) if chance.below(2))
        other = replace(setup, roles=chosen, two_fails_from=5 + chance.below(7))
        if not other.problems():
            return other
    return setup


@pytest.fixture(scope="module", autouse=True)
def compiled_once() -> None:
    """Of several test processes one compiles, and the others wait and read what it has kept."""
    for game in QUEST_GAMES:
        with (Path(tempfile.gettempdir()) / "roundtable-kernels.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kernel(game).run(make_setup(game, 5), RANDOM, SEED, 0, 1)


# The same rules


def check_equal(of: Kernel, setup: Setup, bots: tuple[str, ...], first: int, count: int) -> None:
    batch = of.run(setup, bots, SEED, first, count)
    for row in range(count):
        script = of.actions(setup, bots, SEED, first + row)
        assert replay(script).outcome == outcome_of(of, batch, row)
        assert tuple([of.roles[role] for role in batch.roles[row]]) == script.deal.roles
        assert batch.length[row] == sum([step.action is not None for step in script.steps])


def outcome_of(of: Kernel, batch: Batch, row: int) -> Outcome:
    seats = tuple([seat for seat, has_won in enumerate(batch.won[row].tolist()) if has_won])
    return Outcome(winner=of.sides[batch.winner[row]], seats=seats, reason=of.reasons[batch.reason[row]])


@every_table
def test_the_engine_replays_kernel_games_to_the_same_outcome(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, RANDOM, place * 4, 4)


@pytest.mark.slow
@every_table
def test_the_engine_replays_ten_thousand_kernel_games_of_each_kind(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, RANDOM, place * 200, 200)


@pytest.mark.parametrize("game", QUEST_GAMES)
def test_a_game_of_a_seed_is_the_same_in_every_batch(game: str) -> None:
    of, setup = kernel(game), make_setup(game, 7)
    whole = of.run(setup, RANDOM, SEED, 100, 50)
    for row in range(50):
        alone = of.run(setup, RANDOM, SEED, 100 + row, 1)
        for part in ("winner", "reason", "roles", "won", "length"):
            assert np.array_equal(getattr(alone, part)[0], getattr(whole, part)[row])
    other = of.run(setup, RANDOM, SEED + 1, 100, 50)
    assert not np.array_equal(other.roles, whole.roles)


# The same careful players

CREWS = (("careful",), ("careful", "random"), ("random", "careful"))


def crew(seats: int, place: int) -> tuple[str, ...]:
    """All careful, one side careful, or every other seat."""
    return (*CREWS, tuple(["careful" if seat % 2 else "random" for seat in range(seats)]))[place % 4]


class Views:
    """What each seat can know of a game that is being replayed."""

    def __init__(self, script: Script) -> None:
        self._game = GAMES[script.setup.game]
        self._read: dict[int, tuple[int, Any]] = dict.fromkeys(
            range(script.setup.seats), (0, self._game.blank(script.setup))
        )

    def of(self, now: Unfolding[Any], seat: int) -> Any:
        read, view = self._read[seat]
        view = evolve(self._game, view, [event for event in now.events[read:] if seat in event.audience])
        self._read[seat] = (len(now.events), view)
        return view


def check_leanings(script: Script) -> int:
    """At every decision of a careful seat the bot leans to the same moves, with the same weights."""
    game, views, decided = GAMES[script.setup.game], Views(script), 0
    for now, step in replayed(script):
        if step.leanings is not None:
            view = views.of(now, step.actor)
            assert dict(CarefulBot().leanings(view, game.options(view, step.actor))) == dict(step.leanings)
            assert step.action in dict(step.leanings) or (step.action is None and not step.leanings)
            decided += 1
    return decided


@every_table
def test_careful_seats_lean_as_the_careful_bot_does_at_every_decision(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        assert check_leanings(kernel(game).actions(setup, crew(seats, place), SEED, place))


@pytest.mark.slow
@every_table
def test_careful_seats_lean_as_the_careful_bot_does_in_many_games(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        for number in range(4):
            assert check_leanings(kernel(game).actions(setup, crew(seats, number), SEED, 100 + place))


@every_table
def test_the_engine_replays_careful_kernel_games_too(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, crew(seats, place), place, 2)


# The same chances


def is_as_expected(seen: Iterable[float], expected: Iterable[float]) -> bool:
    """Chi-square, by Wilson and Hilferty's approximation; a fair game is called unfair once in 30,000 times."""
    pairs = [(count, chance) for count, chance in zip(seen, expected, strict=True) if chance > 0]
    freedom = len(pairs) - 1
    square = sum((count - chance) ** 2 / chance for count, chance in pairs)
    spread = 2 / (9 * freedom)
    return bool((square / freedom) ** (1 / 3) < 1 - spread + 4 * sqrt(spread))


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


@pytest.mark.parametrize(("seats", "nine_evil"), [(5, 3), (6, 3), (7, 3), (8, 3), (9, 3), (9, 4), (10, 3)])
def test_thavalon_draws_every_set_of_roles_as_often_as_the_rules_say(seats: int, nine_evil: int) -> None:  # T3
    games = 100_000
    setup = make_setup("thavalon", seats, {"nine_evil": nine_evil})
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
        if len(seen) >= 100:
            bins = Counter(int(10 * place) for place in seen)
            assert is_as_expected([bins[tenth] for tenth in range(10)], [len(seen) / 10] * 10)


def decisions(script: Script) -> Iterable[tuple[Options, Move]]:
    game = GAMES[script.setup.game]
    for now, step in replayed(script):
        if isinstance(step.action, Move):
            yield game.options(now.state, step.actor), step.action


def place_among(options: Options, move: Move, dice: Dice) -> float:
    """Where this move lies among all that are possible, if each takes up as much room as it is likely."""
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
        play = Play.open(GAMES[game], setup, number.to_bytes(32, "big"))
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


# What is asked for wrongly, and what is compiled


def test_what_no_kernel_can_play_is_refused_in_a_sentence() -> None:
    of, setup = kernel("avalon"), make_setup("avalon", 5)
    with pytest.raises(SetupError, match="No bot called 'clever' plays in a kernel"):
        of.run(setup, ("clever",), SEED, 0, 1)
    with pytest.raises(SetupError, match="5 seats take one bot, two"):
        of.run(setup, ("random",) * 4, SEED, 0, 1)
    with pytest.raises(SetupError, match="A seed of the lab lies from 0"):
        of.run(setup, RANDOM, -1, 0, 1)
    with pytest.raises(SetupError, match="Avalon takes 5 to 10 players"):
        of.run(AvalonSetup(seats=11), RANDOM, SEED, 0, 1)
    with pytest.raises(SetupError, match="does not play thavalon"):
        of.run(make_setup("thavalon", 5), RANDOM, SEED, 0, 1)


FIRST_CALL = """
from roundtable.games.registry import make_setup
from roundtable.lab.kernels import kernel
print(kernel("avalon").run(make_setup("avalon", 5), ("random",), 1, 0, 1000).winner.sum())
"""


@pytest.mark.slow
def test_a_kernel_says_that_it_compiles_and_is_read_from_disk_the_next_time(tmp_path: Path) -> None:
    first, second = [
        subprocess.run(
            [sys.executable, "-c", FIRST_CALL],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        for _ in range(2)
    ]
    assert first.stdout == second.stdout
    assert first.stderr == "Compiling the avalon kernel; this happens once, and may take half a minute.\n"
    assert second.stderr == ""


def test_what_was_compiled_is_stale_when_a_rule_or_a_bot_has_changed(tmp_path: Path) -> None:
    house = tmp_path / "roundtable"
    shutil.copytree(Path(roundtable.__file__).parent, house)
    before = source_stamp(house)
    for changed in ("games/quests/tables.py", "bots/careful/suspicion.py", "lab/kernels/chance.py"):
        with (house / changed).open("a", encoding="utf-8") as source:
            source.write("# changed\n")
        source_stamp.cache_clear()
        assert source_stamp(house) != before
        before = source_stamp(house)


def test_without_the_extra_one_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundtable.lab.kernels.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'roundtable\[lab\]'"):
        kernel("avalon")
