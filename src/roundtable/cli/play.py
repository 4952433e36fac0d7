"""`roundtable play`: a seat for you, bots in the others."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from roundtable.cli.arguments import add_bots, add_lang, add_options, add_seed, chosen_setup, seed_from
from roundtable.cli.letters import escape_missing_letters
from roundtable.core.errors import BadRecord, NamesError, SetupError, shown
from roundtable.games import DEFAULT_GAME, GAMES

if TYPE_CHECKING:
    from roundtable.bots import Bot
    from roundtable.core.play import Play
    from roundtable.core.seats import Seat
    from roundtable.storage import Recorder

DEFAULT_NAME = "Robin"


class OpenGame(NamedTuple):
    """A game, who sits at it, and the file that it is written into."""

    path: Path
    play: Play[Any, Any]
    names: tuple[str, ...]
    recorder: Recorder


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "play",
        help="play in the terminal, with bots in the other seats",
        description="Play in the terminal with bots in the other seats. Ctrl-C saves the game; --resume continues it.",
    )
    command.add_argument("game", metavar="GAME", nargs="?", help=f"{' or '.join(GAMES)}; {DEFAULT_GAME} by default")
    command.add_argument(
        "--seats", type=int, metavar="N", help="number of players; by default the fewest that the game takes"
    )
    command.add_argument("--seat", type=int, metavar="SEAT", help="your seat, from 1; random by default")
    command.add_argument("--name", metavar="NAME", help="your name; Robin by default")
    add_bots(command)
    add_options(command)
    add_seed(command)
    add_lang(command)
    command.add_argument("--record", metavar="FILE", type=Path, help="where the game is saved; a new file by default")
    command.add_argument("--resume", metavar="FILE", type=Path, help="continue a saved game")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.catalogue import catalogue
    from roundtable.core.languages import language_named
    from roundtable.terminal import Terminal, TerminalTable

    escape_missing_letters()
    lang = language_named(arguments.lang)
    shell = catalogue(lang)
    path, play, names, recorder = take_up(arguments) if arguments.resume else sit_down(arguments)
    try:
        with recorder:
            TerminalTable(play, names, seat_bots(names, arguments.bots), recorder, Terminal(), lang).run()
    except (KeyboardInterrupt, EOFError):
        print("\n" + shell.text("terminal.saved", command=command_for(lang, "play", "--resume", str(path))))
        return 0
    print(shell.text("terminal.finished", path=path, command=command_for(lang, "replay", str(path), "--as", "all")))
    return 0


def command_for(lang: str, *words: str) -> str:
    """A command as it can be typed, in the language of this one."""
    from roundtable.core.catalogue import SOURCE

    spoken = () if lang == SOURCE else ("--lang", lang)
    return f"{this_command()} {shlex.join((*words, *spoken))}"


def sit_down(arguments: argparse.Namespace) -> OpenGame:
    from roundtable.bots import DEFAULT_BOT, require_bot
    from roundtable.core.languages import language_named
    from roundtable.core.play import Play
    from roundtable.games import game_named
    from roundtable.storage import Recorder
    from roundtable.terminal import names_at_table
    from roundtable.text.names import FIRST_NAMES

    name = DEFAULT_NAME if arguments.name is None else arguments.name
    kind = DEFAULT_BOT if arguments.bots is None else arguments.bots
    require_name(name)
    require_bot(kind)
    game = game_named(arguments.game or DEFAULT_GAME)
    arguments.game = game.name
    seats = game.setup_type.fewest if arguments.seats is None else arguments.seats
    setup = chosen_setup(arguments, seats, language_named(arguments.lang))
    play = Play.open(game, setup, seed_from(arguments.seed))
    seat = play.chance("your seat").below(setup.seats) if arguments.seat is None else arguments.seat - 1
    if not 0 <= seat < setup.seats:
        raise SetupError("setup/seats", "seat", seats=setup.seats, seat=seat + 1)
    play.deal()
    names = names_at_table(seat, name, FIRST_NAMES, setup.seats, kind)
    path = arguments.record or Path(time.strftime(f"{game.name}-%Y%m%d-%H%M%S.jsonl"))
    return OpenGame(path, play, names, Recorder(path, play, names))


def take_up(arguments: argparse.Namespace) -> OpenGame:
    from roundtable.bots import DEFAULT_BOT, require_bot
    from roundtable.core.play import Play
    from roundtable.games import game_named
    from roundtable.storage import Recorder, read_record
    from roundtable.terminal import kind_of_bots, people

    require_nothing_else(arguments)
    path: Path = arguments.resume
    record = read_record(path)
    play = Play(game_named(record.game), record.entries)
    if play.is_over:
        raise BadRecord("record/broken", "over", file=path.name)
    if len(record.names) != play.state.setup.seats or len(people(record.names)) != 1:
        raise BadRecord("record/broken", "not_terminal", file=path.name)
    kind = kind_of_bots(record.names)
    require_bot(kind or arguments.bots or DEFAULT_BOT)
    if kind and arguments.bots not in (None, kind):
        raise SetupError("setup/bot", "kept", file=path.name, name=kind)
    return OpenGame(path, play, record.names, Recorder.resume(path, play, record))


def seat_bots(names: Sequence[str], asked_for: str | None) -> dict[Seat, Bot]:
    from roundtable.bots import DEFAULT_BOT, make_bot
    from roundtable.terminal import kind_of_bots, people

    kind = kind_of_bots(names) or asked_for or DEFAULT_BOT
    return {seat: make_bot(kind) for seat in range(len(names)) if seat not in people(names)}


def require_name(name: str) -> None:
    """A name that shows as itself, on the screen and in the record, and is no bot's."""
    from roundtable.core.names import shows_nothing
    from roundtable.dealer.names import LONGEST_NAME, has_unprintable, is_too_long
    from roundtable.terminal import is_marked

    faults = (
        ("names/empty", "", shows_nothing),
        ("names/unprintable", "", has_unprintable),
        ("names/too_long", "", is_too_long),
        ("names/reserved", "bot", is_marked),
    )
    for code, variant, is_wrong in faults:
        if is_wrong(name):
            raise NamesError(code, variant, name=shown(name), most=LONGEST_NAME)


def require_nothing_else(arguments: argparse.Namespace) -> None:
    """A game that is taken up is as it was: what would lay another table is refused, not passed over."""
    given = {
        "GAME": arguments.game,
        "--seats": arguments.seats,
        "--seat": arguments.seat,
        "--name": arguments.name,
        "--option": arguments.option or None,
        "--seed": arguments.seed,
        "--record": arguments.record,
    }
    extra = [flag for flag, chosen in given.items() if chosen is not None]
    if extra:
        raise SetupError("setup/option", "resume", flags=extra)


def this_command() -> str:
    """The roundtable command as it can be typed again: by its name only where that finds it."""
    called = sys.argv[0]
    if Path(called).name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m roundtable"
    found = shutil.which(Path(called).name)
    is_found = found is not None and os.path.realpath(found) == os.path.realpath(called)
    return Path(called).name if is_found else shlex.quote(called)
