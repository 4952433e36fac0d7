"""`roundtable deal`, and `thavalon.py`: cards for people round a real table, each in a file of its own."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from roundtable.cli.arguments import add_game, add_options, add_seed, chosen_setup, seed_from
from roundtable.table.errors import RoundTableError

if TYPE_CHECKING:
    from roundtable.dealer import Dealt

REFUSED = 2
STOPPED = 130


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "deal",
        help="deal cards to people round a real table, each in a file of its own",
        description="Deal a game to people by name, in the order in which they sit. Each finds their card in the file "
        "that bears their name, `start` says how the game begins, and `DoNotOpen` is for after the game.",
    )
    add_game(command)
    command.add_argument(
        "names", metavar="NAME", nargs="+", help="the players; put -- before a name with a hyphen in front"
    )
    add_places(command)
    command.add_argument("--json", action="store_true", help="print one JSON object for programs")
    command.set_defaults(run=run)


def add_places(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--out", metavar="DIR", default="game", help="the folder for the cards (default: game)")
    add_seed(parser)
    parser.add_argument(
        "--lang", metavar="LANG", default="en", help="the language of the cards: en or vi (default: en)"
    )


def run(arguments: argparse.Namespace) -> int:
    from roundtable.dealer import deal_to, require_names

    require_names(arguments.names)
    setup = chosen_setup(arguments, len(arguments.names))
    folder = Path(arguments.out)
    dealt = deal_to(folder, setup, arguments.names, seed_from(arguments.seed), arguments.lang)
    say(as_json(arguments.game, dealt) if arguments.json else in_words(folder, dealt))
    return 0


def in_words(folder: Path, dealt: Dealt) -> str:
    from roundtable.dealer import SPOILER, START

    lines = (
        f"{len(dealt.names)} cards lie in {folder}: each player reads the file with their own name.",
        dealt.roles,
        f"Then all read {folder / START}, and the game begins. {folder / SPOILER} is for after the game.",
    )
    return "\n".join(line for line in lines if line)


def as_json(game: str, dealt: Dealt) -> str:
    from roundtable.dealer import SPOILER, START

    return json.dumps(
        {
            "game": game,
            "folder": str(dealt.folder),
            "cards": [{"seat": seat, "name": name, "file": name} for seat, name in enumerate(dealt.names)],
            "start": START,
            "spoiler": SPOILER,
            "commitment": dealt.commitment,
        }
    )


def say(text: str) -> None:
    """Print, also where the terminal lacks letters of a name: the deal is done, and its report must not fail."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def deal_thavalon(argv: Sequence[str] | None = None) -> int:
    """The whole of `thavalon.py`: names, and a few options in any order (T25)."""
    parser = argparse.ArgumentParser(
        prog="thavalon.py",
        description="Deal THavalon to 5 to 10 players, named in the order in which they sit. Each finds their role in "
        "the file that bears their name, `start` names the first proposer, and `DoNotOpen` is for after the game.",
        epilog="Example: python3 thavalon.py Alice Bob Charlie Dave Eve",
    )
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="the players; put -- before a name with a hyphen in front"
    )
    add_places(parser)
    typed = list(sys.argv[1:] if argv is None else argv)
    plain = typed.index("--") if "--" in typed else len(typed)  # what follows is a name, whatever it looks like
    arguments = parser.parse_intermixed_args(typed[:plain])
    arguments.names += typed[plain + 1 :]
    arguments.game, arguments.json = "thavalon", False
    try:
        return run(arguments)
    except RoundTableError as refused:
        print(f"thavalon.py: {refused.message}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("\nthavalon.py: stopped.", file=sys.stderr)
        return STOPPED
