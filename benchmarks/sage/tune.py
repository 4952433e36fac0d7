"""Tune the sage's parameters in Avalon by playing: `games/quests/sage/parameters.json`.

    python -m benchmarks.sage.tune --seats 5 --steps 40 --games 40 --log tuning.jsonl

Each step changes the best parameters so far at random, and plays the same deals with them.
What counts is how often either side wins against `careful`, minus how much likelier than one in three an Assassin who
reads the published chances finds Merlin among sages. Steps are written to the log, and the same command goes on from
there; `--write` puts the best set into the package. The best of many steps has also been lucky: try it on other deals.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sage.attack import merlin_chances
from roundtable.bots import Dice, PolicyBot, make_bot, play_out
from roundtable.bots.sage.recall import RECALL
from roundtable.core.play import Play
from roundtable.games import new_game
from roundtable.games.quests.roles import EVIL_ROLES
from roundtable.games.quests.sage import foresight, parameters, strategy
from roundtable.games.quests.sage.parameters import Parameters

NUMBERS = ("evil_wants_fellows", "ballot", "careful", "doubt")
MOST = {"ballot": 1.0, "careful": 1.0, "doubt": 1.0}
SPREAD = 0.15
PAIRS = (("sage", "careful"), ("careful", "sage"), ("sage", "sage"))  # Good against Evil


def as_vector(chosen: Parameters) -> Any:
    kinds = [chosen.kinds[name] for name in sorted(chosen.kinds)]
    return np.array([*kinds, *(getattr(chosen, name) for name in NUMBERS)])


def from_vector(base: Parameters, vector: Any) -> Parameters:
    names = sorted(base.kinds)
    kinds = np.clip(vector[: len(names)], 0.01, None)
    rest = np.clip(vector[len(names) :], 0, None)
    found = zip(NUMBERS, rest.tolist(), strict=True)
    numbers = {name: min(value, MOST.get(name, value)) for name, value in found}
    weights = dict(zip(names, (kinds / kinds.sum()).tolist(), strict=True))
    changed: dict[str, Any] = {"kinds": weights, **numbers}
    return replace(base, **changed)


def use(chosen: Parameters) -> None:
    for module in (strategy, foresight):
        vars(module)["PARAMETERS"] = chosen
    RECALL.forget()  # beliefs by other parameters


def played(seats: int, number: int, good: str, evil: str) -> Play[Any, Any]:
    play = new_game("avalon", seats, hashlib.sha256(f"tune {seats} {number}".encode()).digest())
    roles = play.state.roles
    bots = {seat: make_bot(evil if roles[seat] in EVIL_ROLES else good) for seat in range(seats)}
    return play_out(play, bots, Dice(number))


def worth(chosen: Parameters, seats: int, games: int) -> float:
    """Win rates of both sides, minus what the best responder takes."""
    use(chosen)
    total, found = 0, []
    for number in range(games):
        for good, evil in PAIRS:
            play = played(seats, number, good, evil)
            assert play.outcome is not None
            if good != evil:
                total += (play.outcome.winner == "Good") == (good == "sage")
            elif play.outcome.reason in ("merlin_survived", "merlin_assassinated"):
                bot = make_bot("sage")
                assert isinstance(bot, PolicyBot)
                found.append(max(merlin_chances(play, bot).values()))
    excess = max(0.0, float(np.mean(found)) - 1 / 3) if found else 0.0
    return total / (2 * games) - excess


def read_log(path: Path, length: int) -> list[dict[str, Any]]:
    tried = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    if any(len(step["vector"]) != length for step in tried):
        raise SystemExit(f"{path} was written with other parameters. Name another file.")
    return tried


def as_text(chosen: Parameters) -> str:
    """A line for each parameter."""
    parts = json.loads(json.dumps(asdict(chosen)), parse_float=lambda number: round(float(number), 3))
    lines = [f"  {json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sage.tune", description=__doc__)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="put the best set of the log into the package")
    asked = parser.parse_args(words)
    best = parameters.PARAMETERS
    tried = read_log(asked.log, len(as_vector(best)))
    if tried:
        best = from_vector(best, np.array(max(tried, key=lambda step: step["worth"])["vector"]))
    for step in range(len(tried), asked.steps):
        rng = np.random.default_rng(step)
        vector = as_vector(best)
        if step:
            vector = vector + rng.normal(0, SPREAD, len(vector)) * np.maximum(vector, 0.2)
        chosen = from_vector(best, vector)
        found = worth(chosen, asked.seats, asked.games)
        tried.append({"worth": found, "vector": as_vector(chosen).tolist()})
        with asked.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(tried[-1]) + "\n")
        best = from_vector(best, np.array(max(tried, key=lambda one: one["worth"])["vector"]))
        print(f"step {step + 1} of {asked.steps}: {found:.3f}", file=sys.stderr, flush=True)
    if asked.write:
        path = Path(parameters.__file__).parent / parameters.FILE
        path.write_text(as_text(best), "utf-8")


if __name__ == "__main__":
    main()
