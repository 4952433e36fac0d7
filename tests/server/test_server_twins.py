"""Nothing a listener receives from the real server depends on what they may not know."""

from __future__ import annotations

import pytest

from roundtable.games import GAMES
from roundtable.testing.dice import Dice
from support.planted_server_leaks import LEAKS, Leak
from support.sizes import SERVED_TWINS, size
from support.twin_servers import Compared, any_table, compare_pairs

BATCHES = size(2, soak=20)  # that the test runner can share out
TWINS = 3
PHASES = 12  # of each game; most are not over by then

SOMETIMES = {"restart", "enter", "hang up", "act again", "fetch", "stand-in", "expiry", "refusal", "view", "close"}
SOMETIMES |= {"record refused"}


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game", GAMES)
def test_served_games_that_a_listener_cannot_tell_apart_are_the_same_to_the_byte(  # C2, C4, C5, C8
    game: str, batch: int
) -> None:
    total = Compared()
    for seed in range(batch, SERVED_TWINS, BATCHES):
        chance = Dice(seed)
        total.add(compare_pairs(any_table(game, chance), chance, TWINS, PHASES))
        assert total.leak is None, f"seed {seed}: {total.leak}"
    assert total.same > 100 * total.pairs > 0
    sometimes = SOMETIMES | ({"death", "dead listener"} if game == "saviom" else set())
    assert sometimes <= set(total.saw), f"never seen: {sometimes - set(total.saw)}"


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_the_twin_test_catches_leaks_planted_into_the_server(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:  # C4
    leak.plant(monkeypatch)
    total = Compared()
    for seed in range(60):
        chance = Dice(seed)
        total.add(compare_pairs(any_table(leak.game, chance, **leak.table), chance, TWINS, PHASES))
        if total.leak:
            return
    pytest.fail(f"{leak.name} stayed unseen in {total.pairs} pairs")


def test_there_are_more_than_twelve_leaks_planted_into_the_server() -> None:
    assert len({leak.name for leak in LEAKS}) == len(LEAKS) >= 12
