"""`roundtable explain`: what a seat of a finished game could have concluded, event by event, or what a bot weighed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_lang
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line
from roundtable.cli.replay import opened, seat_typed
from roundtable.core.errors import BadRecord, SetupError, shown
from roundtable.core.seats import SPECTATOR

if TYPE_CHECKING:
    from roundtable.belief import Belief
    from roundtable.belief.following import Step
    from roundtable.bots.reasons import Reason
    from roundtable.core.play import Play
    from roundtable.text.teller import Teller

WORTH_SAYING = 0.005  # a chance below half a percent is left out
SPECTATOR_NAMED = "spectator"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "explain",
        help="what a player of a recorded game could have concluded, event by event",
        description="After each event of a finished game: how many deals were still possible for a player, what was "
        "certain and how likely the rest was; and which events changed the picture most. With --bot: each decision of "
        "a seat, what a bot believed then, and which moves it weighed.",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="a record of a finished game")
    command.add_argument(
        "--as",
        dest="listener",
        metavar="SEAT|spectator",
        default=SPECTATOR_NAMED,
        help="who concludes: a seat (from 1), or spectator (the default)",
    )
    how = command.add_mutually_exclusive_group()
    how.add_argument(
        "--model",
        default="logic",
        metavar="MODEL",
        help="how players are taken to act: logic (the default: no assumption), habits (rules of thumb), or a bot "
        "such as careful",
    )
    how.add_argument(
        "--bot",
        metavar="NAME",
        help="instead: what this bot (easy, fair or strong) weighed at each decision of the seat, or would have",
    )
    add_lang(command)
    command.add_argument("--json", action="store_true", help="print the steps, or the decisions, as JSON, one per line")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    escape_missing_letters()
    play, teller = opened(arguments.file, arguments.lang)
    if not play.is_over:
        raise BadRecord("record/not_over")
    seats = play.state.setup.seats
    seat = seat_typed(arguments.listener, seats)
    if seat is None and arguments.bot is not None:
        raise BadRecord("record/listener", "explain_bot", seats=seats, found=shown(arguments.listener))
    if seat is None and arguments.listener != SPECTATOR_NAMED:
        raise BadRecord("record/listener", "explain", seats=seats, found=shown(arguments.listener))
    explain, listener = conclude if arguments.bot is None else say_why, SPECTATOR if seat is None else seat
    for line in explain(arguments, play, listener, teller):
        print(line)
    return 0


def conclude(arguments: argparse.Namespace, play: Play[Any, Any], listener: int, teller: Teller) -> Iterator[str]:
    """What a listener could conclude, event by event."""
    from roundtable.belief import belief_of, model_named, models_of
    from roundtable.belief.following import follow
    from roundtable.games import spec_named

    spec = spec_named(play.game.name)
    if arguments.model not in models_of(spec):
        raise BadRecord("record/model", models=list(models_of(spec)), found=shown(arguments.model))
    events = play.events_for(listener)
    belief = belief_of(spec, play.state.setup, listener, model_named(spec, arguments.model))
    steps = follow(belief, events)
    if arguments.json:
        return (json_line(as_json(step, belief)) for step in steps)
    return story(teller, belief, events, steps, arguments.model != "logic")


def say_why(arguments: argparse.Namespace, play: Play[Any, Any], seat: int, teller: Teller) -> Iterator[str]:
    """What a bot weighed at each decision of the seat."""
    from roundtable.bots import BOTS, can_explain
    from roundtable.bots.reasons import reasons_of

    bot = arguments.bot
    if not can_explain(bot):
        raise SetupError("setup/bot", "silent", name=shown(bot), choices=sorted(filter(can_explain, BOTS)))
    reasons = reasons_of(play.game.name, play.entries, seat, lambda place: str(bot))
    if arguments.json:
        return (json_line(reason_as_json(reason)) for reason in reasons)
    return whys(teller, seat, reasons)


def reason_as_json(reason: Reason) -> dict[str, Any]:
    from roundtable.core.codec import plain

    return {
        "entry": reason.entry,
        "done": plain(reason.done),
        "side": reason.side,
        "suspicion": reason.suspicion,
        "weighed": [
            {"move": None if move is None else plain(move), "value": value, "chance": chance}
            for move, value, chance in reason.weighed
        ],
        "is_solved": reason.is_solved,
    }


def whys(teller: Teller, seat: int, reasons: Iterable[Reason]) -> Iterator[str]:
    """Each decision in words: what was done, what was believed, what else was weighed."""
    yield teller.text("why.who", name=teller.names[seat])
    for number, reason in enumerate(reasons, 1):
        yield ""
        yield teller.text("why.did", number=number, move=teller.move(reason.done))
        if not reason.weighed:
            yield "  " + teller.text("replay.why.rule_of_thumb")
            continue
        others = [(one, chance) for one, chance in enumerate(reason.suspicion) if one != seat]
        yield "  " + teller.text("why.believed", side=teller.word(reason.side), seats=shares(teller, others))
        yield "  " + teller.text("why.weighed", context="solved" if reason.is_solved else "")
        for move, value, chance in reason.weighed:
            what = teller.text("replay.why.nothing") if move is None else teller.move(move)
            wins, likely = round(100 * value), round(100 * chance)
            mark = "→" if move == reason.done else " "
            yield f"  {mark} " + teller.text("why.option", move=what, value=wins, chance=likely)


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
    from roundtable.belief.following import hidden_side

    yield teller.text("explain.deals", count=step.deals)
    for seat, word in sorted({**step.new_sides, **step.new_roles}.items()):
        yield teller.text("explain.certain", name=teller.names[seat], word=teller.word(word))
    if has_model and not step.is_start:
        side = hidden_side(belief)
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
