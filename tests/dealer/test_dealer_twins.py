"""Nothing that a player finds in the folder of a deal depends on what they may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from roundtable.bots.dice import Dice
from roundtable.games import GAMES
from roundtable.testing.generators import any_setup
from support.planted_dealer_leaks import LEAKS, Leak
from support.sizes import DEALT_TWINS
from support.twin_dealer import compare_deals

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
def test_deals_that_a_player_cannot_tell_apart_look_the_same(game: str, tmp_path: Path) -> None:  # T25, C4
    kind = GAMES[game].game.setup_type
    pairs = 0
    for seats in range(kind.fewest, kind.most + 1):
        for seed in range(DEALT_TWINS):
            chance = Dice(100 * seed + seats)
            compared = compare_deals(tmp_path / "game", any_setup(GAMES[game].game, chance, seats), chance)
            assert compared.leak is None, f"{seats} seats, seed {seed}: {compared.leak}"
            pairs += compared.pairs
    assert pairs > DEALT_TWINS


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_the_twin_test_catches_leaks_planted_into_the_dealer(  # T25, C4
    leak: Leak, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak.plant(monkeypatch)
    for seed in range(60):
        chance = Dice(seed)
        if compare_deals(tmp_path / "game", any_setup(GAMES[leak.game].game, chance), chance).leak:
            return
    pytest.fail(f"{leak.name} stayed unseen")
