"""`roundtable play`: a seat for you, bots in the others."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import GAME_NAMES, add_options, add_seed, chosen_setup, seed_from
from roundtable.table.errors import Problem, SetupError

if TYPE_CHECKING:
    from roundtable.record import Recorder
    from roundtable.table.play import Play

FEWEST = {"avalon": 5, "thavalon": 5, "saviom": 6}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "play",
        help="sit down with bots in the other seats",
        description="Play in the terminal with bots in the other seats. Ctrl-C keeps the game; --resume takes it up.",
    )
    command.add_argument("game", metavar="GAME", nargs="?", default="avalon", help=" or ".join(GAME_NAMES))
    command.add_argument(
        "--seats", type=int, metavar="N", help="how many sit at the table; the game's fewest if not given"
    )
    command.add_argument("--seat", type=int, metavar="SEAT", help="where you sit, from 0; drawn where none is given")
    command.add_argument("--name", default="Robin", help="what you are called; Robin where nothing is said")
    command.add_argument("--bots", metavar="NAME", help="who sits in the other seats; the best there is if not named")
    add_options(command)
    add_seed(command)
    command.add_argument("--record", metavar="FILE", type=Path, help="where the game is kept; a new file of its own")
    command.add_argument("--resume", metavar="FILE", type=Path, help="go on with a game that was kept")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.bots import BOTS
    from roundtable.clients.terminal import TerminalTable, Voice, human_seat

    kind = arguments.bots or list(BOTS)[-1]
    if kind not in BOTS:
        problem = f"There is no bot called {kind!r}; choose {' or '.join(BOTS)}."
        raise SetupError([Problem("setup/option", problem)])
    path, play, names, recorder = take_up(arguments.resume) if arguments.resume else sit_down(arguments)
    seat = human_seat(names)
    bots = {place: BOTS[kind]() for place in range(len(names)) if place != seat}
    try:
        with recorder:
            TerminalTable(play, names, bots, recorder, Voice()).run()
    except (KeyboardInterrupt, EOFError):
        print(f"\nThe game is kept. Go on with: roundtable play --resume {path}")
        return 0
    print(f"The whole game is in {path}; look at it again with: roundtable replay {path} --as all")
    return 0


def sit_down(arguments: argparse.Namespace) -> tuple[Path, Play[Any, Any], tuple[str, ...], Recorder]:
    from roundtable.clients.story.telling import FIRST_NAMES
    from roundtable.clients.terminal import names_at_table
    from roundtable.games.registry import game_named
    from roundtable.record import Recorder
    from roundtable.table.play import Play

    game = game_named(arguments.game)
    setup = chosen_setup(arguments, FEWEST[arguments.game] if arguments.seats is None else arguments.seats)
    play = Play.open(game, setup, seed_from(arguments.seed))
    seat = play.chance("your seat").below(setup.seats) if arguments.seat is None else arguments.seat
    if not 0 <= seat < setup.seats:
        raise SetupError([Problem("setup/seats", f"Seats go from 0 to {setup.seats - 1}; {seat} is none.")])
    play.deal()
    names = names_at_table(seat, arguments.name, FIRST_NAMES, setup.seats)
    path = arguments.record or Path(time.strftime(f"{arguments.game}-%Y%m%d-%H%M%S.jsonl"))
    return path, play, names, Recorder(path, play, names)


def take_up(path: Path) -> tuple[Path, Play[Any, Any], tuple[str, ...], Recorder]:
    from roundtable.games.registry import game_named
    from roundtable.record import Recorder, read_record
    from roundtable.table.errors import BadRecord
    from roundtable.table.play import Play

    record = read_record(path)
    play = Play(game_named(record.game), record.entries)
    if play.is_over or len(record.names) != play.state.setup.seats:
        raise BadRecord("record/broken", f"{path.name} is over, or was not played at a terminal.")
    return path, play, record.names, Recorder.take_up(path, play, record)
