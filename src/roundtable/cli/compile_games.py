"""`roundtable compile`: machine code for the lab, made before it is needed."""

from __future__ import annotations

import argparse

from roundtable.cli.arguments import add_lang
from roundtable.cli.printing import show
from roundtable.cli.progress import progress_of
from roundtable.core.catalogue import catalogue
from roundtable.lab.extras import install_command


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "compile",
        help="compile games for the lab, before they are needed",
        description="Make the machine code of games, for studies and environments, and keep it on disk. Without this "
        f"command the first use of a game makes it. It needs the extra: {install_command()}.",
    )
    command.add_argument("games", metavar="GAME", nargs="*", help="which games; all that have machine code by default")
    add_lang(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.languages import language_named
    from roundtable.games import spec_named
    from roundtable.lab.compiling import compiled_games
    from roundtable.lab.extras import require

    require("numba", "lab")
    lang = language_named(arguments.lang)
    games = arguments.games or compiled_games()
    for game in games:
        spec_named(game).part("kernel")  # all names are checked before the first game is compiled
    for game in games:
        compile_one(game, lang)
    return 0


def compile_one(game: str, lang: str) -> None:
    from roundtable.lab.compiling import compile_game

    with progress_of("parts", lang) as tell:
        made = compile_game(game, tell)
    key = "compiled.made" if made.parts else "compiled.found"
    show(catalogue(lang).text(key, game=game, parts=made.parts))
