"""`roundtable narrate`: what a narrator reads out at this table."""

from __future__ import annotations

import argparse

from roundtable.cli.arguments import add_game, add_lang, add_options, add_seats, chosen_setup
from roundtable.cli.printing import show


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "narrate",
        help="print what a narrator reads out",
        description="Print what a narrator reads out: in Avalon the night, for just the roles in the deal. "
        "It follows from the number of players and the house rules alone, so it gives nobody away.",
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    add_lang(command)
    command.add_argument("--json", action="store_true", help="print the cues for a program to read")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from roundtable.dealer import words_in
    from roundtable.narrator import language_named, narrate
    from roundtable.narrator.pages import script_page

    lang = language_named(arguments.lang)
    setup = chosen_setup(arguments, arguments.seats, words_in(lang).note_on)
    cues = narrate(setup, lang)
    if arguments.json:
        script = {"game": setup.game, "seats": setup.seats, "lang": lang, "cues": [asdict(cue) for cue in cues]}
        show(json.dumps(script, ensure_ascii=False, indent=2))
    else:
        show("\n".join(script_page(cues, lang)))
    return 0
