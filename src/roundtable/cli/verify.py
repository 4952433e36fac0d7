"""`roundtable verify`: is this record what it says it is?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from roundtable.cli.arguments import add_lang
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line
from roundtable.core.errors import BadRecord
from roundtable.core.names import printable

NOT_VERIFIED = 1


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "verify",
        help="check a record: commitment, deal, every action and the outcome",
        description="Play a record again and check its commitment, its deal, every action and its outcome. "
        "Exit code 1, and the line at which it goes wrong, where it does not hold.",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="a record")
    add_lang(command)
    command.add_argument("--json", action="store_true", help="print one object")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.codec import plain
    from roundtable.core.languages import language_named
    from roundtable.games import spec_named
    from roundtable.storage import verify_record
    from roundtable.text.names import names_for
    from roundtable.text.teller import teller_of

    escape_missing_letters()
    lang = language_named(arguments.lang)
    name = printable(arguments.file.name)
    try:
        verdict = verify_record(arguments.file)
    except BadRecord as wrong:
        if arguments.json:
            print(json_line({"verified": False, "reason": wrong.message}))
        else:
            tell_broken(arguments.file, wrong, lang)
        return NOT_VERIFIED
    if arguments.json:
        print(json_line({"verified": True, **plain(verdict)}))
        return 0
    teller = teller_of(spec_named(verdict.game), names_for(verdict.seats), lang)
    print(teller.text("verify.holds", file=name, lines=verdict.lines, game=teller.game_name, seats=verdict.seats))
    print(teller.text("verify.commitment", commitment=verdict.commitment))
    print(teller.text("verify.drawn" if verdict.was_drawn else "verify.chosen"))
    print(teller.outcome(verdict.outcome))
    return 0


def tell_broken(path: Path, wrong: BadRecord, lang: str) -> None:
    """Print why a record does not hold, to standard error."""
    from roundtable.core.catalogue import catalogue

    said = catalogue(lang).text("verify.broken", file=printable(path.name), reason=wrong.text(lang))
    print(f"roundtable: {said}", file=sys.stderr)
