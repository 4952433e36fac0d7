"""`roundtable balance`: which tables are fair, on one page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_game, add_lang
from roundtable.cli.printing import aside
from roundtable.cli.progress import Progress
from roundtable.cli.studying import (
    DEFAULT_BOTS,
    INTERRUPTED,
    add_players,
    bots_from,
    count_from,
    players_from,
    stoppable,
)
from roundtable.lab.extras import install_command

if TYPE_CHECKING:
    from roundtable.lab.balance import ReportFolder, TableResult


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "balance",
        help="measure which setups are fair, and write a page about it",
        description="Let bots play every number of players, every set of roles and the variants, and write a page with "
        "plots, with the same figures as JSON and CSV beside it. Ctrl-C keeps what is done, and the same command goes "
        f"on. It needs the extra: {install_command()}.",
    )
    add_game(command)
    command.add_argument("--seats", action="append", type=int, metavar="N", help="only so many; may be repeated")
    command.add_argument(
        "--table", action="append", metavar="NAME", help="only the table that the CSV calls so; may be repeated"
    )
    command.add_argument("--games", default="1e6", metavar="N", help="at each table, as 1000000 or 1e6 (the default)")
    command.add_argument(
        "--bots",
        default=DEFAULT_BOTS,
        metavar="NAMES",
        help=f"{DEFAULT_BOTS} (the default), random, strong and others, or by side",
    )
    command.add_argument(
        "--out", metavar="FOLDER", type=Path, default=Path("balance"), help="where to write; balance/ by default"
    )
    command.add_argument("--seed", metavar="SEED", default="balance", help="any text; balance by default")
    add_players(command)
    add_lang(command, help="the language of the page and of what is printed")
    command.set_defaults(run=run)


def asked_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """All that the figures follow from."""
    from roundtable.games import game_named
    from roundtable.lab.extras import require

    require("numba", "lab")
    return {
        "game": arguments.game,
        "seats": sorted(set(arguments.seats or [])),
        "tables": sorted(set(arguments.table or [])),
        "bots": list(bots_from(arguments.bots, None, game_named(arguments.game).sides)),
        "seed": arguments.seed,
        "games": count_from("--games", arguments.games),
    }


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.languages import language_named
    from roundtable.games import game_named
    from roundtable.lab.balance import BalanceText, ReportFolder
    from roundtable.lab.balance.findings import findings
    from roundtable.lab.balance.tables import balance_of, tables_of

    lang = language_named(arguments.lang)
    asked = asked_of(arguments)
    text = BalanceText(asked["game"], lang)
    first, second = map(str, game_named(asked["game"]).sides)
    total = len(tables_of(asked["game"], asked["seats"], asked["tables"]))
    report = ReportFolder(arguments.out, asked, (first, second), text)
    lines = measured(arguments, asked, report, Progress(total * asked["games"], lang))
    for sentence in findings(balance_of(asked["game"]), first, lines, text):
        print(sentence)
    if lines:
        print(text.text("balance.written", page=report.page))
    if len(lines) == total:
        return 0
    aside(f"roundtable: {text.text('balance.stopped', done=len(lines), total=total)}")
    return INTERRUPTED


def measured(
    arguments: argparse.Namespace, asked: dict[str, Any], report: ReportFolder, progress: Progress
) -> list[TableResult]:
    """Table by table, each result written down as soon as it is there."""
    from roundtable.lab.balance import measure_tables

    known, lines = report.known(), []
    with stoppable() as stopped:
        for line in measure_tables(asked, players_from(arguments), known, progress.show, stopped):
            lines.append(line)
            if len(lines) > len(known):
                report.write(lines)
    progress.end()
    return lines
