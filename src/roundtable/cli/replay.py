"""`roundtable replay`: a recorded game as one listener heard it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_lang
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line
from roundtable.core.errors import BadRecord, shown

if TYPE_CHECKING:
    from roundtable.core.play import Play
    from roundtable.text.teller import Teller

LONGEST_SEAT = 2  # digits; no table has a hundred seats


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "replay",
        help="show a recorded game as a player or a spectator saw it, or everything",
        description="Show a recorded game. Of a game that is not over, only what is public, unless --spoil is given.",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="a record")
    command.add_argument(
        "--as",
        dest="listener",
        metavar="SEAT|spectator|all",
        default="spectator",
        help="whose view to show: a seat (from 1), spectator (the default), or all",
    )
    command.add_argument("--spoil", action="store_true", help="show the secrets of a game that is not over")
    add_lang(command)
    command.add_argument("--json", action="store_true", help="print the events as JSON, one per line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.codec import plain
    from roundtable.core.seats import SPECTATOR

    escape_missing_letters()
    play, teller = opened(arguments.file, arguments.lang)
    listener = listener_named(arguments.listener, play.state.setup.seats)
    if not play.is_over and listener != SPECTATOR and not arguments.spoil:
        raise BadRecord("record/not_over", "spoil")
    events = play.events if listener is None else [line.event for line in play.heard(listener)]
    for number, event in enumerate(events, 1):
        if arguments.json:
            print(json_line({"number": number, "event": plain(event)}))
        elif sentence := teller.tell(event):
            print(sentence)
    return 0


def opened(path: Path, lang: str) -> tuple[Play[Any, Any], Teller]:
    """The recorded game, and who tells it: in this language, with the names in the record."""
    from roundtable.core.languages import language_named
    from roundtable.core.play import Play
    from roundtable.games import spec_named
    from roundtable.storage import read_record
    from roundtable.terminal import without_marks
    from roundtable.text.names import names_for
    from roundtable.text.teller import teller_of

    language = language_named(lang)  # a language that is missing is named before the record is read
    record = read_record(path)
    spec = spec_named(record.game)
    play = Play(spec.game, record.entries)
    names = without_marks(record.names) if record.names else names_for(play.state.setup.seats)
    return play, teller_of(spec, names, language)


def listener_named(text: str, seats: int) -> int | None:
    """A seat, typed as a number from 1 on, SPECTATOR, or None for the whole record."""
    from roundtable.core.seats import SPECTATOR

    if text in ("all", "spectator"):
        return None if text == "all" else SPECTATOR
    if (seat := seat_typed(text, seats)) is None:
        raise BadRecord("record/listener", "command", seats=seats, found=shown(text))
    return seat


def seat_typed(text: str, seats: int) -> int | None:
    """The seat that is typed as a number from 1 on; None for any other text."""
    is_seat = text.isdecimal() and len(text) <= LONGEST_SEAT and 1 <= int(text) <= seats
    return int(text) - 1 if is_seat else None
