"""The `roundtable` command. Each subcommand has a module of its own, imported only when it is needed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from roundtable import __version__
from roundtable.cli import completion, deal, narrate, play, referee, replay, rules, serve, verify, watch
from roundtable.table.errors import RoundTableError

COMMANDS = (deal, play, serve, watch, replay, verify, referee, narrate, rules, completion)
USAGE_ERROR = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    arguments = build_parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except RoundTableError as refused:
        print(f"roundtable: {refused.message}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        sys.stderr.close()  # the reader has seen enough
        return 0
    except OSError as broken:
        print(f"roundtable: {broken.filename or 'file'}: {broken.strerror}.", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        print("\nroundtable: stopped.", file=sys.stderr)
        return INTERRUPTED


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="roundtable", description="Hidden-role games: Avalon, THavalon and Town of Saviom."
    )
    parser.add_argument("--version", action="version", version=f"roundtable {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return parser
