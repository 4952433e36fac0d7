"""`roundtable arena`: which bot is stronger, in the same deals."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from roundtable.cli.arguments import (
    add_game,
    add_lang,
    add_options,
    add_seats,
    add_seconds,
    chosen_setup,
    require_seconds,
)
from roundtable.cli.progress import Progress
from roundtable.cli.studying import (
    add_players,
    add_programs,
    commands_from,
    count_from,
    players_from,
    require_name,
    require_parquet,
    seed_of,
    stoppable,
    stopped_at,
)
from roundtable.lab.extras import install_command

if TYPE_CHECKING:
    from roundtable.lab.arena import ArenaStudy, Results, Summary

DEFAULT_DEALS = "500"
BOTH = "both"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "arena",
        help="let bots play against each other and measure which is stronger",
        description="Play the same deals with every pair of bots: whole teams against each other, and one guest among "
        "others in every seat. Print who won how often, and how strong each bot is on each side. Ctrl-C stops it and "
        "prints what there is; with --out, the same command goes on where it stopped. It needs the extra: "
        f"{install_command()}.",
    )
    add_game(command)
    add_seats(command)
    command.add_argument(
        "names",
        metavar="BOT",
        nargs="*",
        default=[],
        help="two or more: installed bots by name, classes of yours as package.module:Class, or programs by name",
    )
    add_options(command)
    add_programs(command)
    command.add_argument(
        "--contest", choices=("teams", "guests", BOTH), default=BOTH, help="what is played; both by default"
    )
    command.add_argument("--deals", default=DEFAULT_DEALS, metavar="N", help=f"how many; {DEFAULT_DEALS} by default")
    add_seconds(command, 60.0)
    command.add_argument("--seed", metavar="SEED", help="any text: the same gives the same games; drawn if left out")
    add_players(command)
    add_lang(command)
    command.add_argument("--out", metavar="FILE.parquet", type=Path, help="keep every game, a row each")
    command.add_argument("--page", metavar="FILE.html", type=Path, help="write a page with heat maps")
    command.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.languages import language_named
    from roundtable.lab.extras import require

    require("numba", "lab")
    require_parquet()
    from roundtable.lab.arena import summarise

    lang = language_named(arguments.lang)
    study = study_from(arguments, lang)
    results = played(study, arguments, lang)
    summary = summarise(results)
    tell(summary, arguments, lang)
    if summary.deals == study.deals:
        return 0
    return stopped_at(results.games, study.games, arguments.out, lang)


def study_from(arguments: argparse.Namespace, lang: str) -> ArenaStudy:
    from roundtable.lab.arena import CONTESTS, arena_of

    require_name("--out", arguments.out, ".parquet")
    require_name("--page", arguments.page, ".html")
    if arguments.page:
        arguments.page.parent.stat()  # a folder that is missing is named before the games are played
    require_seconds(arguments.seconds)
    return arena_of(
        chosen_setup(arguments, arguments.seats, lang),
        tuple(arguments.names),
        deals=count_from("--deals", arguments.deals),
        seed=seed_of(arguments),
        contests=CONTESTS if arguments.contest == BOTH else (arguments.contest,),
        commands=commands_from(arguments.program),
        seconds=arguments.seconds,
    )


def played(study: ArenaStudy, arguments: argparse.Namespace, lang: str) -> Results:
    from roundtable.lab.arena import Results
    from roundtable.lab.simulate import simulate

    results = Results(study, arguments.out)
    progress = Progress(study.games, lang)
    players = players_from(arguments)
    with stoppable() as stopped:
        simulate(study, players, results, lambda so_far: progress.show(so_far.games), stopped)
    progress.end()
    return results


def tell(summary: Summary, arguments: argparse.Namespace, lang: str) -> None:
    from roundtable.lab.arena.page import page
    from roundtable.lab.arena.printed import printed
    from roundtable.lab.arena.sections import ArenaText
    from roundtable.lab.files import replace

    text = ArenaText(summary.study.setup.game, lang)
    for line in printed(summary, text):
        print(line)
    if arguments.page:
        html = page(summary, text)
        replace(arguments.page, lambda new: new.write_text(html, encoding="utf-8"))
        print("\n" + text.text("arena.written", page=arguments.page))
    if arguments.json:
        print(json.dumps(summary.plain()))
