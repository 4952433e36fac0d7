"""`roundtable watch`: bots play, and the game is told as a story."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path

from roundtable.cli.arguments import (
    add_bots,
    add_game,
    add_lang,
    add_options,
    add_seats,
    add_seed,
    chosen_setup,
    seed_from,
)
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line

PACES = ("instant", "quick", "human", "slow")  # as in terminal/pace.py, which is not imported for --help


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "watch",
        help="watch bots play a game",
        description="Let bots play a game, each seeing only what its seat may know, and show what a spectator sees.",
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    add_seed(command)
    add_lang(command)
    add_bots(command)
    command.add_argument(
        "--pace", choices=PACES, help="how long the story pauses; human on a terminal by default, instant elsewhere"
    )
    command.add_argument("--record", metavar="FILE", type=Path, help="save the game in a new file")
    command.add_argument("--json", action="store_true", help="print the events as JSON, one per line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.bots import DEFAULT_BOT, make_bot, require_bot
    from roundtable.core.codec import plain
    from roundtable.core.languages import language_named
    from roundtable.core.play import Play
    from roundtable.games import spec_named
    from roundtable.storage import Recorder
    from roundtable.terminal import Terminal
    from roundtable.terminal.pace import Pacer
    from roundtable.terminal.watch import Story, heard_while
    from roundtable.text.names import names_for
    from roundtable.text.teller import teller_of

    escape_missing_letters()
    lang = language_named(arguments.lang)
    setup = chosen_setup(arguments, arguments.seats, lang)
    kind = DEFAULT_BOT if arguments.bots is None else arguments.bots
    require_bot(kind)
    spec = spec_named(arguments.game)
    play = Play.open(spec.game, setup, seed_from(arguments.seed))
    play.deal()
    names = names_for(setup.seats)
    teller = teller_of(spec, names, lang)
    bots = {seat: make_bot(kind) for seat in range(setup.seats)}
    voice = Terminal()
    pacer = Pacer(arguments.pace or ("human" if voice.is_screen else "instant"))
    story = Story(spec.game, teller, voice, pacer)
    if voice.is_screen and pacer.is_skippable and not arguments.json:
        voice.say(teller.text("terminal.watching"), "dim")
    with Recorder(arguments.record, play, names) if arguments.record else nullcontext() as recorder:
        write_down = recorder.catch_up if recorder else lambda: None
        for number, event in heard_while(play, bots, write_down):
            if arguments.json:
                print(json_line({"number": number, "event": plain(event)}), flush=True)
            else:
                story.tell(event)
    return 0
