"""`roundtable replay`: a recorded game as one listener heard it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from roundtable.cli.letters import has_every_letter, spell_out_strange_letters
from roundtable.core.errors import BadRecord

LONGEST_SEAT = 2  # digits; no table has a hundred seats
LONGEST_SHOWN = 40


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "replay",
        help="tell a recorded game as a seat, a spectator or nobody but the record heard it",
        description="Tell a recorded game. Of a game that is not over, only what is public, unless --spoil is given.",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="a record")
    command.add_argument(
        "--as",
        dest="listener",
        metavar="SEAT|spectator|all",
        default="spectator",
        help="whose ears; spectator by default",
    )
    command.add_argument("--spoil", action="store_true", help="tell secrets of a game that is still being played")
    command.add_argument("--json", action="store_true", help="print the events themselves, one a line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.codec import plain
    from roundtable.core.play import Play
    from roundtable.core.seats import SPECTATOR
    from roundtable.games import game_named
    from roundtable.storage import read_record
    from roundtable.story import Story, names_for
    from roundtable.terminal import without_marks

    spell_out_strange_letters()
    record = read_record(arguments.file)
    play = Play(game_named(record.game), record.entries)
    listener = _listener(arguments.listener, play.state.setup.seats)
    if not play.is_over and listener != SPECTATOR and not arguments.spoil:
        raise BadRecord("record/not_over", "This game is not over; only --as spectator may look, or add --spoil.")
    events = play.events if listener is None else [line.event for line in play.heard(listener)]
    names = without_marks(record.names) if record.names else names_for(play.state.setup.seats)
    story = Story(record.game, names)
    for number, event in enumerate(events, 1):
        if arguments.json:
            print(json.dumps({"number": number, "event": plain(event)}, ensure_ascii=not has_every_letter()))
        elif sentence := story.tell(event):
            print(sentence)
    return 0


def _listener(text: str, seats: int) -> int | None:
    """A seat, SPECTATOR, or None for the whole record."""
    from roundtable.core.seats import SPECTATOR

    if text in ("all", "spectator"):
        return None if text == "all" else SPECTATOR
    if text.isdecimal() and len(text) <= LONGEST_SEAT and int(text) < seats:
        return int(text)
    text = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
    raise BadRecord("record/listener", f"--as takes a seat from 0 to {seats - 1}, spectator or all, not {text!r}.")
