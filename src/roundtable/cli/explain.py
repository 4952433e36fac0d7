"""`roundtable explain`: what a seat of a finished game could have concluded, event by event."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_lang
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line
from roundtable.cli.replay import listener_named
from roundtable.core.errors import BadRecord, shown

if TYPE_CHECKING:
    from roundtable.belief import Belief
    from roundtable.belief.following import Step
    from roundtable.text.teller import Teller

WORTH_SAYING = 0.005  # a chance below half a percent is left out
SPECTATOR_NAMED = "spectator"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "explain",
        help="what a player of a recorded game could have concluded, event by event",
        description="After each event of a finished game: how many deals were still possible for a player, what was "
        "certain and how likely the rest was; and which events changed the picture most.",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="a record of a finished game")
    command.add_argument(
        "--as",
        dest="listener",
        metavar="SEAT|spectator",
        default=SPECTATOR_NAMED,
        help="who concludes: a seat (from 1), or spectator (the default)",
    )
    command.add_argument(
        "--model",
        default="logic",
        metavar="MODEL",
        help="how players are taken to act: logic (the default: no assumption), habits (rules of thumb), or a bot "
        "such as careful",
    )
    add_lang(command)
    command.add_argument("--json", action="store_true", help="print the steps as JSON, one per line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.belief import belief_of, model_named, models_of
    from roundtable.belief.following import follow
    from roundtable.core.languages import language_named
    from roundtable.core.play import Play
    from roundtable.games import spec_named
    from roundtable.storage import read_record
    from roundtable.terminal import without_marks
    from roundtable.text.names import names_for
    from roundtable.text.teller import teller_of

    escape_missing_letters()
    lang = language_named(arguments.lang)
    record = read_record(arguments.file)
    spec = spec_named(record.game)
    play = Play(spec.game, record.entries)
    if not play.is_over:
        raise BadRecord("record/not_over")
    seats = play.state.setup.seats
    listener = listener_named(arguments.listener, seats)
    if listener is None:
        raise BadRecord("record/listener", "explain", seats=seats, found=shown(arguments.listener))
    if arguments.model not in models_of(spec):
        raise BadRecord("record/model", models=list(models_of(spec)), found=shown(arguments.model))
    events = play.events_for(listener)
    belief = belief_of(spec, play.state.setup, listener, model_named(spec, arguments.model))
    steps = follow(belief, events)
    if arguments.json:
        for step in steps:
            print(json_line(as_json(step, belief)))
        return 0
    names = without_marks(record.names) if record.names else names_for(seats)
    teller = teller_of(spec, names, lang)
    for line in story(teller, belief, events, steps, arguments.model != "logic"):
        print(line)
    return 0


def as_json(step: Step, belief: Belief) -> dict[str, Any]:
    from roundtable.core.codec import plain

    return {
        "number": step.number,
        "event": plain(step.event),
        "deals": step.deals,
        "bits": round(step.bits, 4),
        "chances": {
            role: [round(float(one), 4) for one in step.posterior[:, at]] for at, role in enumerate(belief.roles)
        },
        "certain_roles": {str(seat): role for seat, role in step.new_roles.items()},
        "certain_sides": {str(seat): side for seat, side in step.new_sides.items()},
    }


def story(
    teller: Teller, belief: Belief, events: Sequence[Any], steps: Iterable[Step], has_model: bool
) -> Iterator[str]:
    """Every event in words, and after it what could be concluded."""
    told, last, taken = 0, "", []
    name = "" if belief.listener < 0 else teller.names[belief.listener]
    yield teller.text("explain.who", name=name, context="" if name else "spectator")
    for step in steps:
        while told < step.number:
            if sentence := teller.tell(events[told]):
                last = sentence.strip().splitlines()[0]
                yield sentence
            told += 1
        yield from (f"  → {line}" for line in conclusions(teller, belief, step, has_model))
        taken.append((step, last))
    yield from summary(teller, belief, taken)


def conclusions(teller: Teller, belief: Belief, step: Step, has_model: bool) -> Iterator[str]:
    yield teller.text("explain.deals", count=step.deals)
    for seat, word in sorted({**step.new_sides, **step.new_roles}.items()):
        yield teller.text("explain.certain", name=teller.names[seat], word=teller.word(word))
    if has_model and not step.is_start:
        side = belief.sides[-1] if belief.sides[0] == belief.game.sides[0] else belief.sides[0]
        chances = step.posterior[:, belief.columns_of(side)].sum(axis=1)
        yield teller.text("explain.likely", side=teller.word(side), seats=shares(teller, enumerate(chances)))


def shares(teller: Teller, chances: Iterable[tuple[int, float]]) -> str:
    """`Alice 40 %, Bob 60 %`, without those that are as good as impossible."""
    said = [
        teller.text("explain.share", name=teller.names[seat], percent=round(100 * float(chance)))
        for seat, chance in chances
        if chance >= WORTH_SAYING
    ]
    return teller.text("list.separator").join(said)


def summary(teller: Teller, belief: Belief, steps: Sequence[tuple[Step, str]]) -> Iterator[str]:
    """The turning points, each by the last sentence that was told, and what was open in the end."""
    from roundtable.belief.following import turning_points

    yield ""
    sentences = {step.number: sentence for step, sentence in steps}
    turns = turning_points(step for step, _ in steps)
    yield teller.text("explain.turns") if turns else teller.text("explain.no_turn")
    for step in turns:
        yield "  " + teller.text("explain.turn", bits=f"{step.bits:.2f}", event=sentences[step.number])
    yield ""
    yield teller.text("explain.left")
    for role in belief.roles:
        yield f"  {teller.word(role)}: {shares(teller, belief.who_could_be(role).items())}"
