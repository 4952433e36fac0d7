"""`roundtable verify`: is this record what it says it is?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from roundtable.core.errors import BadRecord

NOT_VERIFIED = 1


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "verify",
        help="check a record: commitment, deal, every action and the outcome",
        description="Play a record again and check its commitment, its deal, every action and its outcome. "
        "Exit code 1, and the line at which it goes wrong, where it does not hold.",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="a record")
    command.add_argument("--json", action="store_true", help="print one object")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.codec import plain
    from roundtable.storage import verify_record

    try:
        verdict = verify_record(arguments.file)
    except BadRecord as wrong:
        if arguments.json:
            print(json.dumps({"verified": False, "reason": wrong.message}, ensure_ascii=False))
        else:
            print(f"roundtable: {arguments.file.name} does not hold. {wrong.message}", file=sys.stderr)
        return NOT_VERIFIED
    if arguments.json:
        print(json.dumps({"verified": True, **plain(verdict)}, ensure_ascii=False))
        return 0
    outcome = verdict.outcome
    print(f"{arguments.file.name} holds: {verdict.lines} lines of {verdict.game} for {verdict.seats} players.")
    print(f"The seed opens the commitment {verdict.commitment}.")
    print("The deal follows from the seed." if verdict.was_drawn else "The deal was chosen, not drawn from the seed.")
    print(f"Outcome: {outcome.winner or 'no winner'} ({outcome.reason.replace('_', ' ')}).")
    return 0
