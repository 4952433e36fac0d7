"""The bot contract, and a game played by bots: each is asked in turn with its own view, then time is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from roundtable.core.actions import Move, Remark, StartCountdown
from roundtable.core.arguments import checked
from roundtable.core.chance import Chance, shuffled
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.policy import Heard, Probabilities
from roundtable.core.seats import HOST, Seat

if TYPE_CHECKING:
    from roundtable.bots.sage import Thought


@runtime_checkable
class Bot(Protocol):
    """A class of this shape, made without arguments, is all that an entry point `roundtable.bots` needs."""

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        """One of the options, or None to do nothing now."""
        ...


@runtime_checkable
class PolicyBot(Bot, Protocol):
    """A bot that can be asked how it decides, and not only what."""

    def probabilities(self, view: Any, options: Options) -> Probabilities:
        """The exact chances with which `choose` would pick each move; they sum to 1."""
        ...


@runtime_checkable
class FollowingBot(Bot, Protocol):
    """A bot that goes by all that its seat has heard, and not only by what a view keeps of it."""

    def follow(self, heard: Sequence[Event]) -> None:
        """All events that the seat has heard so far; called before `choose` and `speak`."""
        ...


@runtime_checkable
class HurriedBot(Bot, Protocol):
    """A bot that can do with less thinking, on a busy server."""

    def hurry(self, effort: float) -> None:
        """Think with this share of the usual effort, from 0 (as quickly as `careful`) to 1."""
        ...


@runtime_checkable
class ThinkingBot(FollowingBot, Protocol):
    """A bot that can say what it weighed. The same events and options always give the same thought."""

    def think(self, view: Any, options: Options) -> Thought | None:
        """What it weighs now; None where it decides by rules of thumb."""
        ...


@runtime_checkable
class TalkingBot(Bot, Protocol):
    """A bot that makes remarks and claims, and takes those of others into account."""

    def listen(self, heard: Heard) -> None:
        """All remarks that the seat has heard so far; called before `choose` and `speak`."""
        ...

    def speak(self, view: Any, seat: Seat, chance: Chance) -> Remark | None:
        """What it says to all when it is its turn to speak. Whether and when that is does not depend on its role, and
        whether it says nothing must not either: silence tells something."""
        ...


@checked
def play_out(play: Play[Any, Any], bots: Mapping[Seat, Bot], chance: Chance) -> Play[Any, Any]:
    """Play a dealt game to its end. In each phase every bot is asked once, in a random order; then time is up."""
    while not play.is_over:
        ask_round(play, bots, chance)
    return play


def ask_round(play: Play[Any, Any], bots: Mapping[Seat, Bot], chance: Chance) -> None:
    """Ask every bot once; if the phase is still the same afterwards, its time is up."""
    phase = play.phase.number
    ask_bots(play, bots, chance)
    if not play.is_over and play.phase.number == phase:
        time_is_up(play)


def ask_bots(play: Play[Any, Any], bots: Mapping[Seat, Bot], chance: Chance) -> None:
    """Each bot in turn, in a random order, until the phase moves on."""
    phase = play.phase.number
    for seat in shuffled(chance, bots):
        move = choice_of(bots[seat], play, seat, chance)
        if move is not None:
            play.act(seat, move)
        if play.is_over or play.phase.number != phase:
            return


def choice_of(bot: Bot, play: Play[Any, Any], seat: Seat, chance: Chance) -> Move | None:
    """What a bot in that seat does now, from what the seat knows."""
    view = play.view(seat)
    options = play.game.options(view, seat)
    if not options:
        return None
    if isinstance(bot, FollowingBot):
        bot.follow(play.events_for(seat))
    return bot.choose(view, options, chance)


def time_is_up(play: Play[Any, Any]) -> None:
    """The phase ends for every seat that it still awaits; one without a clock is given a countdown first (C6)."""
    if not play.state.has_clock:
        phase, seconds = play.phase.number, play.state.setup.countdown_seconds
        play.act(HOST, StartCountdown(phase=phase, seconds=seconds))
    play.expire()
