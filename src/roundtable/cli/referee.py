"""`roundtable referee`: a game between programs in any language, one process at each seat."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import (
    add_game,
    add_lang,
    add_options,
    add_seats,
    add_seconds,
    add_seed,
    chosen_setup,
    require_seconds,
    seed_from,
)
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line
from roundtable.core.errors import SetupError, shown

if TYPE_CHECKING:
    from roundtable.core.catalogue import Catalogue
    from roundtable.referee.place import ProgramReport
    from roundtable.referee.referee import Referee

DEFAULT_BOT = "random"
TERMINATED = 143


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "referee",
        help="run a game between programs in any language",
        description="Run a game between programs in any language: one process at each seat, which speaks JSON Lines "
        "over its standard input and output and hears only what its seat may hear (docs/bot-programs.md). A program "
        "that is late, ends early or sends rubbish does nothing in that phase, and is named at the end. Programs run "
        "with your rights.",
    )
    add_game(command)
    add_seats(command)
    command.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="SEAT=COMMAND",
        help='the program at a seat, such as "0=python3 examples/random_bot.py"; may be given for every seat',
    )
    command.add_argument(
        "--default-bot",
        default=DEFAULT_BOT,
        metavar="NAME",
        help=f"which bot sits at the other seats; {DEFAULT_BOT} by default",
    )
    add_options(command)
    add_seed(command)
    add_lang(command)
    add_seconds(command, 5.0)
    command.add_argument("--record", metavar="FILE", type=Path, help="save the game in a new file")
    command.add_argument("--json", action="store_true", help="print one object with the outcome instead of the story")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.bots import make_bot
    from roundtable.core.languages import language_named
    from roundtable.core.play import Play
    from roundtable.games import spec_named
    from roundtable.referee.programs import Programs
    from roundtable.referee.referee import Referee
    from roundtable.storage import Recorder
    from roundtable.text.names import names_for
    from roundtable.text.teller import teller_of

    escape_missing_letters()
    lang = language_named(arguments.lang)
    setup = chosen_setup(arguments, arguments.seats, lang)
    commands = dict(seat_and_command(text, setup.seats) for text in arguments.bot)
    require_sense(arguments, len(commands))
    spec = spec_named(arguments.game)
    play = Play.open(spec.game, setup, seed_from(arguments.seed))
    play.deal()
    names = names_for(setup.seats)
    teller = teller_of(spec, names, lang)
    bots = {seat: make_bot(arguments.default_bot) for seat in range(setup.seats) if seat not in commands}
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    recorders: list[Recorder] = []  # one at most

    def write_down() -> None:
        for recorder in recorders:
            recorder.catch_up()

    with Programs(partial(aside, teller.catalogue)) as programs, ExitStack() as desk:
        referee = Referee(play, programs, commands, bots, names=names, seconds=arguments.seconds, write_down=write_down)
        if arguments.record:  # and not before: a program that cannot be started leaves no record behind
            recorders.append(desk.enter_context(Recorder(arguments.record, play, names)))
        for sentence in referee.story(teller):
            if not arguments.json:
                print(sentence, flush=True)
        programs.finish()
    report(referee, teller.catalogue, arguments.json)
    return 0


def seat_and_command(text: str, seats: int) -> tuple[int, tuple[str, ...]]:
    seat, equals, command = text.partition("=")
    try:
        words = tuple(shlex.split(command))
    except ValueError:  # a quotation mark that is never closed
        words = ()
    if not (equals and words and seat.strip().isdecimal() and len(seat) < 10):
        raise SetupError("setup/bot", "syntax", found=shown(text))
    if int(seat) >= seats:
        raise SetupError("setup/bot", "seat", last=seats - 1, found=int(seat))
    return int(seat), words


def require_sense(arguments: argparse.Namespace, seated: int) -> None:
    from roundtable.bots import require_bot

    if not hasattr(os, "killpg"):
        raise SetupError("setup/bot", "system")
    if seated < len(arguments.bot):
        raise SetupError("setup/bot", "twice")
    require_bot(arguments.default_bot)
    require_seconds(arguments.seconds)


def leave(number: int, frame: object) -> None:
    """When asked to end, end properly: no program stays behind."""
    sys.exit(TERMINATED)


def aside(words: Catalogue, seat: int, line: str) -> None:
    """What a program writes to its standard error, for the people who look after it."""
    print(words.text("referee.aside", seat=seat, line=line), file=sys.stderr, flush=True)


def report(referee: Referee, words: Catalogue, as_json: bool) -> None:
    for conduct in referee.conducts:
        if faults := list(faults_of(conduct, words)):
            said, command = words.text("list.separator").join(faults), shlex.join(conduct.command)
            print(words.text("referee.report", seat=conduct.seat, command=command, faults=said), file=sys.stderr)
    if as_json:
        print(json_line(result_of(referee)))


def faults_of(conduct: ProgramReport, words: Catalogue) -> Iterator[str]:
    if conduct.late:
        yield words.text("referee.late", late=conduct.late, asked=conduct.asked)
    if conduct.refused:
        yield words.text("referee.refused", refused=conduct.refused)
    if conduct.left:
        yield words.text(f"referee.left.{conduct.left.reason}", number=conduct.left.number)


def result_of(referee: Referee) -> dict[str, Any]:
    from roundtable.core.codec import plain

    play = referee.play
    return {
        "game": play.game.name,
        "seats": play.state.setup.seats,
        "commitment": play.state.commitment,
        "outcome": plain(play.outcome),
        "bots": [plain(conduct) for conduct in referee.conducts],
    }
