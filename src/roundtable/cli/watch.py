"""`roundtable watch`: bots play, and the game is told as a story."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_game, add_options, add_seats, add_seed, chosen_setup, require_bot, seed_from

if TYPE_CHECKING:
    from roundtable.bots import Bot
    from roundtable.table.play import Heard, Play


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
    command.add_argument("--bots", default="random", metavar="NAME", help="who plays: random (the default) or careful")
    command.add_argument("--record", metavar="FILE", type=Path, help="write the game down in a new file")
    command.add_argument("--json", action="store_true", help="print the events themselves, one a line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.bots import BOTS
    from roundtable.clients.story import names_for, tell
    from roundtable.games.registry import game_named
    from roundtable.record import Recorder
    from roundtable.table.codec import plain
    from roundtable.table.play import Play

    setup = chosen_setup(arguments, arguments.seats)
    require_bot(arguments.bots)
    play = Play.open(game_named(arguments.game), setup, seed_from(arguments.seed))
    play.deal()
    names = names_for(setup.seats)
    bots = {seat: BOTS[arguments.bots]() for seat in range(setup.seats)}
    with Recorder(arguments.record, play, names) if arguments.record else nullcontext() as recorder:
        write_down = recorder.catch_up if recorder else lambda: None
        for number, event in heard_while(play, bots, write_down):
            if arguments.json:
                print(json.dumps({"number": number, "event": plain(event)}, ensure_ascii=False), flush=True)
            elif sentence := tell(arguments.game, event, names):
                print(sentence, flush=True)
    return 0


def heard_while(play: Play[Any, Any], bots: Mapping[int, Bot], write_down: Callable[[], None]) -> Iterator[Heard]:
    """Let the bots finish a dealt game; what a spectator hears, as it goes. It is written down before it is told."""
    from roundtable.bots.playing import ask_round
    from roundtable.table.seats import SPECTATOR

    chance = play.chance("bots")  # so the same seed tells the same story
    told = 0
    while True:
        lines = play.heard(SPECTATOR, told)
        told += len(lines)
        write_down()
        yield from lines
        if play.is_over:
            return
        ask_round(play, bots, chance)
