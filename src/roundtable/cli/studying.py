"""What the commands of the lab ask for: how many games, whose, where they are played, and when to stop."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from roundtable.cli.printing import aside
from roundtable.core.catalogue import catalogue
from roundtable.core.errors import SetupError, StudyError, shown

if TYPE_CHECKING:
    from roundtable.lab.own_bots import Commands
    from roundtable.lab.simulate import Players

DEFAULT_BOTS = "careful"
INTERRUPTED = 130
MOST_JOBS = 1024


def add_players(command: argparse.ArgumentParser) -> None:
    command.add_argument("--jobs", type=int, metavar="N", help="on how many cores; all of them by default")
    command.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster (HOST:PORT or auto) instead")


def add_programs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="a bot that is a program (docs/bot-programs.md) and plays many games in one process; name it as a bot",
    )


def stopped_at(done: int, total: int, out: Path | None, lang: str) -> int:
    """Say that a study was interrupted, and where the finished games are; returns the exit code."""
    key = "simulation.stopped_kept" if out else "simulation.stopped"
    aside(f"roundtable: {catalogue(lang).text(key, done=f'{done:,}', total=f'{total:,}', path=f'{out}.parts')}")
    return INTERRUPTED


def count_from(name: str, text: str) -> int:
    """A number of games, also as 1e7."""
    from roundtable.lab.studies import MOST_GAMES

    is_number = re.fullmatch(r"[0-9][0-9_]*(\.[0-9]+)?([eE][0-9]{1,2})?", text)
    number = float(text) if is_number else 0.0
    if not 1 <= number <= MOST_GAMES or number != int(number):
        raise StudyError("study/asked", "count", flag=name, found=shown(text))
    return int(number)


def commands_from(texts: list[str]) -> Commands:
    """The programs by name; each text is NAME=COMMAND."""
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, _, command = text.partition("=")
        try:
            words = tuple(shlex.split(command))
        except ValueError:  # a quotation mark that is never closed
            words = ()
        if not words or not re.fullmatch(r"[\w.-]+", name) or name in found:
            raise StudyError("study/asked", "program", found=shown(text))
        found[name] = words
    return tuple(found.items())


def bots_from(text: str, seats: int | None, sides: tuple[str, ...], commands: Commands = ()) -> tuple[str, ...]:
    """One for all, one for each side, or, where the number of seats is known, one for each of them."""
    from roundtable.lab.own_bots import require_player

    named = text.split(",")
    if "=" in text:
        named = by_side(named, text, sides)
    for name in named:
        require_player(name, commands)
    if len(named) not in (1, seats, 2 if "=" in text else 1):
        if seats is None:
            raise StudyError("study/asked", "bots", found=len(named))
        raise StudyError("study/asked", "bots_by_seat", seats=seats, found=len(named))
    return tuple(named)


def by_side(named: list[str], text: str, sides: tuple[str, ...]) -> list[str]:
    """The bots in the order of the game's sides."""
    known = [str(side).lower() for side in sides]
    chosen = {}
    for part in named:
        side, _, name = part.partition("=")
        chosen[side.strip().lower()] = name.strip()
    if len(known) != 2:
        raise SetupError("setup/bot", "sides")
    if len(named) != 2 or set(chosen) != set(known):
        example = ",".join(f"{side}=NAME" for side in known)
        raise StudyError("study/asked", "sides", example=example, found=shown(text))
    return [chosen[side] for side in known]


def seed_of(arguments: argparse.Namespace) -> str:
    if arguments.seed is not None:
        return str(arguments.seed)
    if arguments.out:
        require_parquet()
        from roundtable.lab.parquet_store import seed_kept

        if kept := seed_kept(arguments.out):
            return kept
    return secrets.token_hex(8)


def require_name(flag: str, path: Path | None, ending: str) -> None:
    """The file's name has to say what kind of file it is."""
    if path is not None and path.suffix != ending:
        raise StudyError("study/asked", "file_name", flag=flag, ending=ending, found=shown(str(path)))


def require_parquet() -> None:
    from roundtable.lab.extras import require

    require("pyarrow", "lab")


def players_from(arguments: argparse.Namespace) -> Players:
    if arguments.ray is not None:
        from roundtable.lab.cluster import players_of

        return players_of(arguments.ray)
    from roundtable.lab.simulate import players_here

    return players_here(jobs_from(arguments.jobs))


def jobs_from(jobs: int | None) -> int:
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= MOST_JOBS:
        raise StudyError("study/asked", "jobs", most=MOST_JOBS, found=jobs)
    return jobs


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
