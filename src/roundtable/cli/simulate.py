"""`roundtable simulate`: games by the million, and who wins them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from roundtable.cli.arguments import add_game, add_lang, add_options, add_seats, chosen_setup
from roundtable.cli.progress import Progress
from roundtable.cli.studying import (
    DEFAULT_BOTS,
    add_players,
    add_programs,
    bots_from,
    commands_from,
    count_from,
    players_from,
    require_name,
    require_parquet,
    seed_of,
    stoppable,
    stopped_at,
)
from roundtable.core.errors import StudyError
from roundtable.lab.extras import install_command

if TYPE_CHECKING:
    from roundtable.core.setup import Setup
    from roundtable.lab.parquet_store import ParquetStore
    from roundtable.lab.studies import Study
    from roundtable.lab.tally import Tally


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "simulate",
        help="let bots play millions of games and count who wins",
        description="Play games on every core, in machine code where the game has it, and say who wins, why, and how "
        "sure that is. Ctrl-C stops it and prints what there is; with --out, the same command goes on where it "
        f"stopped. It needs the extra: {install_command()}.",
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    command.add_argument("--games", default="1e6", metavar="N", help="how many, as 1000000 or 1e6 (the default)")
    command.add_argument(
        "--bots",
        default=DEFAULT_BOTS,
        metavar="NAMES",
        help=f"which bots play: {DEFAULT_BOTS} (the default), random or another that is installed; by side, as "
        "SIDE=NAME,SIDE=NAME; or one for each seat, with commas; a class of yours as package.module:Class",
    )
    add_programs(command)
    command.add_argument("--seed", metavar="SEED", help="any text: the same gives the same games; drawn if left out")
    add_players(command)
    add_lang(command)
    command.add_argument("--out", metavar="FILE.parquet", type=Path, help="keep every game, a row each")
    command.add_argument("--moves", action="store_true", help="keep every move as well, with --out; this is slower")
    command.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.languages import language_named
    from roundtable.games import game_named
    from roundtable.lab.extras import require
    from roundtable.lab.studies import Study

    require("numba", "lab")
    lang = language_named(arguments.lang)
    setup = chosen_setup(arguments, arguments.seats, lang)
    require_name("--out", arguments.out, ".parquet")
    require_moves(arguments, setup)
    commands = commands_from(arguments.program)
    study = Study(
        setup=setup,
        bots=bots_from(arguments.bots, setup.seats, game_named(setup.game).sides, commands),
        commands=commands,
        keeps_moves=arguments.moves,
        seed=seed_of(arguments),
        games=count_from("--games", arguments.games),
    )
    tally = played(study, arguments, lang)
    tell(study, tally, arguments.json, lang)
    if tally.games == study.games:
        return 0
    return stopped_at(tally.games, study.games, arguments.out, lang)


def played(study: Study, arguments: argparse.Namespace, lang: str) -> Tally:
    from roundtable.lab.simulate import simulate

    progress = Progress(study.games, lang)
    players = players_from(arguments)
    with stoppable() as stopped:
        tally = simulate(
            study, players, store_at(arguments.out, study), lambda so_far: progress.show(so_far.games), stopped
        )
    progress.end()
    return tally


def tell(study: Study, tally: Tally, as_json: bool, lang: str) -> None:
    from roundtable.lab.figures import StudyText, as_plain, report

    text = StudyText(study.setup.game, lang)
    for line in report(study, tally, text):
        print(line)
    print("\n" + text.text("simulation.seed", seed=study.seed))
    if as_json:
        print(json.dumps(as_plain(study, tally)))


def store_at(path: Path | None, study: Study) -> ParquetStore | None:
    if path is None:
        return None
    require_parquet()
    from roundtable.lab.parquet_store import ParquetStore

    return ParquetStore(path, study)


def require_moves(arguments: argparse.Namespace, setup: Setup) -> None:
    """Moves are kept in a file, by numbers that the game gives them."""
    if not arguments.moves:
        return
    if arguments.out is None:
        raise StudyError("study/asked", "moves_out")
    from roundtable.lab.moves import numbered_moves

    numbered_moves(setup)
