"""`roundtable rules`: a game's rulebook for players, readable in five minutes."""

from __future__ import annotations

import argparse
import os
import sys

from roundtable.cli.arguments import add_game, add_lang
from roundtable.cli.printing import show


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "rules",
        help="print a game's rules",
        description="Print the rules of a game, its roles and its options on one page, readable in five minutes.",
    )
    add_game(command)
    add_lang(command, help="the language of the rules")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.languages import language_named
    from roundtable.games import spec_named
    from roundtable.text.pages import plain_page, styled_page
    from roundtable.text.rulebook import rulebook

    text = rulebook(spec_named(arguments.game), language_named(arguments.lang))
    show((styled_page(text) if has_colour() else plain_page(text)).rstrip("\n"))
    return 0


def has_colour() -> bool:
    """Whether standard output is a terminal that shows colour, and the reader wants it."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
