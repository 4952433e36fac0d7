"""`roundtable move`: all rooms of a server into another database."""

from __future__ import annotations

import argparse

from roundtable.cli.arguments import add_lang


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "move",
        help="move all rooms of a server into another database",
        description="Copy every room from one database into another, empty one. A database is sqlite:///FILE or "
        "postgresql://USER@HOST/NAME. Stop the server first. If the command is interrupted, the second database stays "
        "empty; the first stays as it is in any case.",
    )
    command.add_argument("source", metavar="FROM", help="the database with the rooms")
    command.add_argument("target", metavar="TO", help="the database that gets them")
    add_lang(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import asyncio

    from roundtable.cli.printing import say
    from roundtable.cli.progress import progress_of
    from roundtable.core.catalogue import catalogue
    from roundtable.core.languages import language_named
    from roundtable.storage.addresses import without_password
    from roundtable.storage.moving import move

    lang = language_named(arguments.lang)
    with progress_of("rows", lang) as show:
        moved = asyncio.run(move(arguments.source, arguments.target, show))
    source, target = without_password(arguments.source), without_password(arguments.target)
    words = catalogue(lang)
    say(words.text("move.done", rooms=moved.rooms, rows=moved.rows, source=source, target=target), lang)
    return 0
