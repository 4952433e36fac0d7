"""`roundtable watch`: bots play, and the game is told as a story."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path

from roundtable.cli.arguments import add_game, add_options, add_seats, add_seed, chosen_setup, seed_from


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "watch",
        help="let bots play a game and tell it as a story",
        description="Let bots play a game, each seeing only what its seat may know, and tell what a spectator hears.",
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    add_seed(command)
    command.add_argument("--record", metavar="FILE", type=Path, help="write the game down in a new file")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.clients.story import names_for
    from roundtable.clients.watch import watch
    from roundtable.games.registry import game_named
    from roundtable.record import Recorder
    from roundtable.table.play import Play

    setup = chosen_setup(arguments, arguments.seats)
    play = Play.open(game_named(arguments.game), setup, seed_from(arguments.seed))
    play.deal()
    names = names_for(setup.seats)
    with Recorder(arguments.record, play, names) if arguments.record else nullcontext() as recorder:
        for sentence in watch(play):
            print(sentence, flush=True)
            if recorder:
                recorder.catch_up()
    return 0
