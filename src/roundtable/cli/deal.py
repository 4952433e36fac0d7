"""`roundtable deal`, and `thavalon.py`: cards for people at a real table, each in a file of its own."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from roundtable.cli.arguments import add_game, add_lang, add_options, add_seed, chosen_setup, seed_from
from roundtable.cli.printing import aside, say, settle
from roundtable.cli.typed import Parser
from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.errors import RoundTableError, SetupError
from roundtable.core.languages import language_named, language_or_english

if TYPE_CHECKING:
    from roundtable.dealer import Dealt

REFUSED = 2
STOPPED = 130


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "deal",
        help="deal roles for an in-person game, each card in its own file",
        description="Deal a game to people by name, in the order in which they sit. Each finds their card in the file "
        "that bears their name, `start` says how the game begins, and `DoNotOpen` is for after the game.",
    )
    add_game(command)
    add_names(command)
    add_options(command)
    add_places(command)
    command.add_argument(
        "--phones", action="store_true", help="show the cards on the players' phones, by a QR code for each"
    )
    command.add_argument("--host", default="0.0.0.0", help="where phones find the cards; the whole network by default")
    command.add_argument("--port", type=int, default=0, help="of the cards on phones; any that is free by default")
    command.add_argument("--json", action="store_true", help="print one JSON object for programs")
    command.set_defaults(run=run)


def add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*", default=[], help="the players; put -- before a name with a hyphen in front"
    )


def add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", default="game", help="the folder for the cards (default: game)")
    add_seed(parser)
    add_lang(parser, help="the language of the cards")


def run(arguments: argparse.Namespace) -> int:
    from roundtable.dealer import deal_to, report_of, require_names

    lang = language_named(arguments.lang)
    if arguments.phones and arguments.json:
        raise SetupError("setup/option", "phones_json")
    require_names(arguments.names)
    setup = chosen_setup(arguments, len(arguments.names), lang)
    folder = Path(arguments.out)
    if arguments.phones:
        from roundtable.cli.deal_phones import run_phones

        return run_phones(arguments, setup, folder, lang)
    dealt = deal_to(folder, setup, arguments.names, seed_from(arguments.seed), lang)
    say(as_json(arguments.game, dealt) if arguments.json else report_of(dealt, folder, lang), lang)
    return 0


def as_json(game: str, dealt: Dealt) -> str:
    from roundtable.dealer import SEED_PAPER, SPOILER, START

    return json.dumps(
        {
            "game": game,
            "folder": str(dealt.folder),
            "cards": [{"seat": seat, "name": name, "file": name} for seat, name in enumerate(dealt.names)],
            "start": START,
            "spoiler": SPOILER,
            "seed_paper": SEED_PAPER,
            "commitment": dealt.commitment,
        }
    )


def deal_thavalon(argv: Sequence[str] | None = None) -> int:
    """The whole of `thavalon.py`: names, and a few options in any order (T25)."""
    parser = Parser(
        prog="thavalon.py",
        description="Deal THavalon to 5 to 10 players, named in the order in which they sit. Each finds their role in "
        "the file that bears their name, `start` names the first proposer, and `DoNotOpen` is for after the game.",
        epilog="Example: python3 thavalon.py Alice Bob Charlie Dave Eve",
    )
    add_names(parser)
    add_options(parser, such_as="nine_evil=4")
    add_places(parser)
    lang = SOURCE
    try:
        arguments = parser.parse_args(argv)
        lang = language_or_english(arguments.lang)
        arguments.game, arguments.json, arguments.phones = "thavalon", False, False
        return run(arguments)
    except RoundTableError as refused:
        aside(f"thavalon.py: {refused.text(lang)}")
        return REFUSED
    except KeyboardInterrupt:
        aside(f"\nthavalon.py: {catalogue(lang).text('command.stopped')}")
        return STOPPED
    finally:
        settle()
