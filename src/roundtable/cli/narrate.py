"""`roundtable narrate`: what a narrator reads out at this table."""

from __future__ import annotations

import argparse

from roundtable.cli.arguments import add_game, add_lang, add_options, add_seats, chosen_setup
from roundtable.cli.printing import show


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "narrate",
        help="print the narrator's script",
        description="Print what a narrator reads out, for just the roles in the deal. "
        "It follows from the number of players and the house rules alone, so it gives nothing away.",
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    command.add_argument(
        "--night",
        choices=("eyes", "phones"),
        default="eyes",
        help="where people learn whom they know: with closed eyes (the default), or on their phones",
    )
    add_lang(command, help="the language of the script")
    command.add_argument("--json", action="store_true", help="print the cues for a program to read")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from roundtable.core.catalogue import catalogue
    from roundtable.core.languages import language_named
    from roundtable.games import spec_named
    from roundtable.text.narration import narrate
    from roundtable.text.pages import script_page

    lang = language_named(arguments.lang)
    setup = chosen_setup(arguments, arguments.seats, lang)
    spec = spec_named(setup.game)
    cues = narrate(spec, setup, lang, arguments.night)
    if arguments.json:
        script = {"game": setup.game, "seats": setup.seats, "lang": lang, "cues": [asdict(cue) for cue in cues]}
        show(json.dumps(script, ensure_ascii=False, indent=2))
    else:
        show("\n".join(script_page(cues, catalogue(lang, spec.text))))
    return 0
