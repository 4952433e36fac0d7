"""Whole games to read: each file in tests/golden is the story of one seed and must stay word for word the same.

After a change that is meant to change them: ROUNDTABLE_WRITE_GOLDEN=1 pytest tests/games/test_golden_games.py
"""

from __future__ import annotations

import os

import pytest

from roundtable.bots import RandomBot
from roundtable.cli.arguments import seed_from
from roundtable.games import GAMES, new_game
from roundtable.terminal.watch import heard_while
from roundtable.text.names import names_for
from roundtable.text.teller import teller_of
from support.paths import TESTS

GOLDEN = TESTS / "golden"

STORIES = {
    "avalon-5": ("avalon", 5, {}),
    "avalon-7-lady": ("avalon", 7, {"lady": "yes"}),
    "avalon-8-excalibur-chosen-quests": ("avalon", 8, {"excalibur": "both", "choose_quests": "yes"}),
    "avalon-10-all-variants": (
        "avalon",
        10,
        {
            "roles": "Percival,Morgana,Mordred,Oberon",
            "lady": "yes",
            "excalibur": "fail_only",
            "choose_quests": "yes",
            "assassin": "duty",
            "hammer": "auto",
        },
    ),
    "avalon-6-without-merlin": ("avalon", 6, {"merlin": "no"}),
    "thavalon-5-paired": ("thavalon", 5, {"first_round": "paired"}),
    "thavalon-8": ("thavalon", 8, {}),
    "thavalon-9-four-evil": ("thavalon", 9, {"nine_evil": "4"}),
    "thavalon-10": ("thavalon", 10, {}),
    "saviom-6-classic": ("saviom", 6, {}),
    "saviom-9-advanced": ("saviom", 9, {"mode": "advanced"}),
    "saviom-12-advanced-night-first": ("saviom", 12, {"mode": "advanced", "begins_with": "night", "trial_by": "cast"}),
}


@pytest.mark.parametrize("story", STORIES)
def test_the_story_of_a_seed_stays_the_same(story: str) -> None:  # C1, C3
    name, seats, options = STORIES[story]
    play = new_game(name, seats, seed_from(story), **options)
    teller = teller_of(GAMES[name], names_for(seats))
    heard = heard_while(play, {seat: RandomBot() for seat in range(seats)})
    told = "\n".join(sentence for line in heard if (sentence := teller.tell(line.event))) + "\n"
    file = GOLDEN / f"{story}.txt"
    if os.environ.get("ROUNDTABLE_WRITE_GOLDEN"):
        file.write_text(told)
    assert told == file.read_text()


def test_every_game_has_a_story() -> None:
    assert {name for name, _, _ in STORIES.values()} == set(GAMES)
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(STORIES)
