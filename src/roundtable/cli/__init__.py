"""The `roundtable` command. Each subcommand has a module of its own, imported only when it is needed."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable import __version__
from roundtable.cli import (
    admin,
    arena,
    balance,
    compile_games,
    completion,
    deal,
    explain,
    join,
    move,
    narrate,
    play,
    referee,
    replay,
    rules,
    score,
    serve,
    simulate,
    verify,
    watch,
)
from roundtable.cli.printing import aside, discard_output, flush, settle
from roundtable.cli.typed import USAGE_ERROR, Parser
from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.errors import RoundTableError
from roundtable.core.languages import language_or_english
from roundtable.core.names import printable

COMMANDS = (
    deal,
    play,
    join,
    serve,
    move,
    admin,
    watch,
    replay,
    verify,
    score,
    explain,
    referee,
    simulate,
    arena,
    balance,
    compile_games,
    narrate,
    rules,
    completion,
)
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    lang = SOURCE
    try:
        arguments = build_parser().parse_args(argv)
        lang = language_or_english(getattr(arguments, "lang", SOURCE))
        code = int(arguments.run(arguments))
        flush()
        return code
    except RoundTableError as refused:
        aside(f"roundtable: {refused.text(lang)}")
        return USAGE_ERROR
    except BrokenPipeError:
        discard_output()  # the reader has seen enough
        return 0
    except OSError as broken:
        where = f"{printable(str(broken.filename))}: " if broken.filename else ""
        aside(f"roundtable: {where}{broken.strerror or broken}.")
        return USAGE_ERROR
    except KeyboardInterrupt:
        aside(f"\nroundtable: {catalogue(lang).text('command.stopped')}")
        return INTERRUPTED
    finally:
        settle()


def build_parser() -> Parser:
    parser = Parser(prog="roundtable", description="Hidden-role games: play, host and study them.")
    parser.add_argument("--version", action="version", version=f"roundtable {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return parser
