"""A bot that does anything that is allowed, except give up."""

from __future__ import annotations

from fractions import Fraction

from roundtable.core.actions import Move, Remark
from roundtable.core.chance import Chance, pick
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import Options
from roundtable.core.phrases import COMMON_PHRASES
from roundtable.core.policy import Heard, Probabilities
from roundtable.core.seats import Seat
from roundtable.core.state import TableState

SMALL_TALK = ("i_trust", "i_suspect", "why", "wait", "go_on", "hello")


class RandomBot:
    """First a kind of action, then a choice within it, each drawn uniformly."""

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        serious = without_giving_up(options)
        return pick(chance, serious).sample(chance) if serious else None

    def listen(self, heard: Heard) -> None:
        """What others say changes nothing."""

    def speak(self, view: TableState, seat: Seat, chance: Chance) -> Remark:
        """A common remark that needs no word of the game, about any other seat."""
        phrase = pick(chance, SMALL_TALK)
        others = [other for other in range(view.setup.seats) if other != seat]
        about = pick(chance, others) if COMMON_PHRASES[phrase].has_seat else None
        return Remark(channel=OPEN_TALK, phrase=phrase, about=about, word=None)

    def probabilities(self, view: TableState, options: Options) -> Probabilities:
        serious = without_giving_up(options)
        if not serious:
            return {None: Fraction(1)}
        return {move: odds / len(serious) for option in serious for move, odds in option.odds()}


def without_giving_up(options: Options) -> Options:
    return tuple([option for option in options if not option.kind.gives_up])
