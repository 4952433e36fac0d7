"""`roundtable simulate`: games by the million, and who wins them."""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_game, add_options, add_seats, chosen_setup, require_bot
from roundtable.cli.printing import aside
from roundtable.cli.progress import Progress
from roundtable.cli.typed import shown
from roundtable.table.errors import StudyError

if TYPE_CHECKING:
    from roundtable.lab.shelf import Shelf
    from roundtable.lab.simulate import Players
    from roundtable.lab.studies import Study
    from roundtable.lab.tally import Tally

INTERRUPTED = 130
MOST_JOBS = 1024
SIDES = {"good": 0, "citizens": 0, "evil": 1, "wolves": 1}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "simulate",
        help="let bots play millions of games and count who wins",
        description="Play games in machine code on every core, and say who wins, why, and how sure that is. Ctrl-C "
        "stops it and prints what there is; with --out, the same command goes on where it stopped. It needs the extra: "
        "pip install 'roundtable[lab]'.",
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    command.add_argument("--games", default="1e6", metavar="N", help="how many, as 1000000 or 1e6 (the default)")
    command.add_argument(
        "--bots",
        default="careful",
        metavar="NAMES",
        help="who plays: careful (the default) or random; by side, as good=careful,evil=random; or one for each seat, "
        "with commas",
    )
    add_study_seed(command)
    add_jobs(command)
    command.add_argument("--out", metavar="FILE.parquet", type=Path, help="keep every game, a row each")
    command.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster (HOST:PORT or auto) instead")
    command.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    command.set_defaults(run=run)


def add_study_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--seed", metavar="SEED", help="any text: the same one gives the same games; drawn if left out"
    )


def add_jobs(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", type=int, metavar="N", help="on how many cores; all of them by default")


def run(arguments: argparse.Namespace) -> int:
    from roundtable.lab.studies import Study, require

    require("numba", "lab")
    setup = chosen_setup(arguments, arguments.seats)
    study = Study(
        setup=setup,
        bots=bots_from(arguments.bots, setup.seats),
        seed=seed_of(arguments),
        games=count_from("--games", arguments.games),
    )
    tally = played(study, arguments)
    tell(study, tally, arguments.json)
    if tally.games == study.games:
        return 0
    kept = f" The same command goes on from there; {arguments.out}.parts has what is done." if arguments.out else ""
    aside(f"roundtable: stopped after {tally.games:,} of {study.games:,} games.{kept}")
    return INTERRUPTED


def played(study: Study, arguments: argparse.Namespace) -> Tally:
    from roundtable.lab.simulate import simulate

    progress = Progress(study.games)
    players = players_from(arguments)
    with stoppable() as stopped:
        tally = simulate(
            study, players, shelf_at(arguments.out, study), lambda so_far: progress.show(so_far.games), stopped
        )
    progress.end()
    return tally


def tell(study: Study, tally: Tally, as_json: bool) -> None:
    from roundtable.lab.figures import as_plain, report

    for line in report(study, tally):
        print(line)
    print(f"\nseed {study.seed}")
    if as_json:
        print(json.dumps(as_plain(study, tally)))


# What was typed


def count_from(name: str, text: str) -> int:
    """A number of games, also as 1e7."""
    from roundtable.lab.studies import MOST_GAMES

    is_number = re.fullmatch(r"[0-9][0-9_]*(\.[0-9]+)?([eE][0-9]{1,2})?", text)
    number = float(text) if is_number else 0.0
    if not 1 <= number <= MOST_GAMES or number != int(number):
        raise StudyError("study/asked", f"{name} takes a whole number from 1 to 1e12, and {shown(text)} is none.")
    return int(number)


def bots_from(text: str, seats: int | None) -> tuple[str, ...]:
    """One for all, one for each side, or, where the number of seats is known, one for each of them."""
    named = text.split(",")
    if "=" in text:
        named = by_side(named, text)
    for name in named:
        require_bot(name)
    if len(named) not in (1, seats, 2 if "=" in text else 1):
        choices = f"one bot, one for each side or {seats}" if seats else "one bot, or one for each side"
        raise StudyError("study/asked", f"--bots names {choices}, not {len(named)}.")
    return tuple(named)


def by_side(named: list[str], text: str) -> list[str]:
    chosen = {}
    for part in named:
        side, _, name = part.partition("=")
        chosen[SIDES.get(side.strip().lower())] = name.strip()
    if set(chosen) != {0, 1} or len(named) != 2:
        raise StudyError(
            "study/asked", f"Sides are named as in good=careful,evil=random, and {shown(text)} is not that."
        )
    return [chosen[0], chosen[1]]


def seed_of(arguments: argparse.Namespace) -> str:
    if arguments.seed is not None:
        return str(arguments.seed)
    if arguments.out:
        require_parquet()
        from roundtable.lab.shelf import seed_kept

        if kept := seed_kept(arguments.out):
            return kept
    return secrets.token_hex(8)


def players_from(arguments: argparse.Namespace) -> Players:
    if arguments.ray:
        from roundtable.lab.cluster import players_of

        return players_of(arguments.ray)
    from roundtable.lab.simulate import players_here

    return players_here(jobs_from(arguments.jobs))


def jobs_from(jobs: int | None) -> int:
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= MOST_JOBS:
        raise StudyError("study/asked", f"--jobs takes a number from 1 to {MOST_JOBS}, not {jobs}.")
    return jobs


def shelf_at(path: Path | None, study: Study) -> Shelf | None:
    if path is None:
        return None
    require_parquet()
    from roundtable.lab.shelf import Shelf

    return Shelf(path, study)


def require_parquet() -> None:
    from roundtable.lab.studies import require

    require("pyarrow", "lab")


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks to come to an end, and the second one insists."""
    stop = Event()

    def ask(number: int, frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop.is_set
    finally:
        signal.signal(signal.SIGINT, before)
