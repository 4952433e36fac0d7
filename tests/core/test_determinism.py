"""The same seed gives the same game: in every process, under every hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from roundtable.games import GAMES

PLAY_AND_HASH = """
import hashlib, sys
from roundtable import GAMES
from roundtable.bots import RandomBot, play_out
from roundtable.core.codec import encode
from roundtable.core.play import Play
from roundtable.testing.generators import any_setup
from roundtable.bots.dice import Dice

digest = hashlib.sha256()
game = GAMES[sys.argv[1]].game
for seed in range(30):
    play = Play.open(game, any_setup(game, Dice(seed)), bytes([seed]) * 32)
    play.deal()
    play_out(play, {seat: RandomBot() for seat in range(play.state.setup.seats)}, play.chance("bots"))
    for entry in play.entries:
        digest.update(encode(entry))
print(digest.hexdigest())
"""


def digest_under(hash_seed: str, name: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run(
        [sys.executable, "-c", PLAY_AND_HASH, name], env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_record_in_every_process(name: str) -> None:  # C1, C3
    digests = {digest_under(hash_seed, name) for hash_seed in ("0", "1", "random")}
    assert len(digests) == 1
