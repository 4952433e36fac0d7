"""How likely a bot is to have done what players did: every choice of a recorded game, seen from the player's own seat.

from roundtable.bots import CarefulBot
from roundtable.lab.likelihood import choices_in, fits

for kind, fit in fits(choices_in(Path("game.jsonl"), CarefulBot())).items():
    print(kind, fit.choices, fit.bits)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import inf, log2
from pathlib import Path
from typing import Any, NamedTuple

from roundtable.bots import FollowingBot, PolicyBot
from roundtable.core.actions import DealRoles, Move
from roundtable.core.entries import Entry
from roundtable.core.options import Options, name_of
from roundtable.core.play import Play
from roundtable.core.policy import chosen, is_same
from roundtable.core.seats import Seat
from roundtable.games import game_named
from roundtable.storage.records import FIRST_ENTRY, read_record

PRECISION = 1e-4
ALL = "all"


class Choice(NamedTuple):
    """What a player did, and how likely the bot would have been to do the same."""

    line: int  # of the record
    seat: Seat
    phase: str
    move: Move
    probability: Fraction
    options: int  # how many different things could have been done


class Fit(NamedTuple):
    """How well a bot predicts choices."""

    choices: int
    mean: float  # the mean probability of what was done
    never: int  # choices that the bot would never have made
    slip: float  # the assumed rate of uniformly random moves
    bits: float  # its mean surprise
    even: float  # the same for uniformly random moves


def choices_in(path: Path, bot: PolicyBot) -> Iterator[Choice]:
    """Every move of a recorded game; `BadRecord` where it is none. What a player left undone is no move."""
    record = read_record(path)
    return choices_of(record.game, record.entries, bot)


def choices_of(game: str, entries: Iterable[Entry], bot: PolicyBot, first_line: int = FIRST_ENTRY) -> Iterator[Choice]:
    """The same for the entries of a game that was played here."""
    lines = list(entries)
    dealt = 1 + next(place for place, entry in enumerate(lines) if isinstance(entry.action, DealRoles))
    play = Play(game_named(game), lines[:dealt])
    for line, entry in enumerate(lines[dealt:], first_line + dealt):
        if isinstance(entry.action, Move):
            yield weighed(play, line, entry.actor, entry.action, bot)
        play.act(entry.actor, entry.action, entry.id)


def weighed(play: Play[Any, Any], line: int, seat: Seat, move: Move, bot: PolicyBot) -> Choice:
    view = play.view(seat)
    options = play.game.options(view, seat)
    if isinstance(bot, FollowingBot):
        bot.follow(play.events_for(seat))
    said = bot.probabilities(view, options).items()
    likely = sum((chance for other, chance in said if other is not None and is_same(move, other)), Fraction(0))
    return Choice(line, seat, play.phase.name, move, likely, different(options))


def fits(choices: Iterable[Choice], slip: float | None = None) -> dict[str, Fit]:
    """How well the bot predicts each kind of move, and all of them together.

    The surprise at a move to which the bot gives no probability would be infinite. So a share `slip` of its moves is
    taken to be uniformly random: as given, or the share that fits the choices best.
    """
    by_kind: dict[str, list[Choice]] = {}
    for choice in choices:
        for kind in (name_of(type(choice.move)), ALL):
            by_kind.setdefault(kind, []).append(choice)
    return {kind: fit(found, slip) for kind, found in sorted(by_kind.items())}


def fit(choices: Sequence[Choice], slip: float | None) -> Fit:
    slip = best_slip(choices) if slip is None else slip
    return Fit(
        choices=len(choices),
        mean=float(sum(choice.probability for choice in choices)) / len(choices),
        never=sum(choice.probability == 0 for choice in choices),
        slip=slip,
        bits=surprise(choices, slip),
        even=surprise(choices, 1.0),
    )


def surprise(choices: Sequence[Choice], slip: float) -> float:
    """The mean surprise in bits, for a bot that slips so often."""
    chances = [(1 - slip) * float(choice.probability) + slip / choice.options for choice in choices]
    return sum(-log2(chance) if chance else inf for chance in chances) / len(chances)


def best_slip(choices: Sequence[Choice]) -> float:
    """How often the bot would have to slip to be surprised least; surprise has one valley, so it is closed in on."""
    low, high = 0.0, 1.0
    while high - low > PRECISION:
        third = (high - low) / 3
        if surprise(choices, low + third) <= surprise(choices, high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def different(options: Options) -> int:
    return sum(len({chosen(move) for move in option}) for option in options)
