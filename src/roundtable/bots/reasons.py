"""Why a bot did what it did: its decisions in a finished game, gone through again from what its seat had heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from roundtable.bots import ThinkingBot, make_bot
from roundtable.core.actions import Move
from roundtable.core.entries import Entry
from roundtable.core.game import Game, evolve, fold
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games import game_named

if TYPE_CHECKING:
    from roundtable.bots.sage import Thought

DIGITS = 4  # of a chance


class WeighedMove(NamedTuple):
    """A move that a bot had in mind; None is to do nothing."""

    move: Move | None
    value: float
    """The chance to win after it, as the bot saw it."""
    chance: float
    """How likely the bot was to make it."""


class Reason(NamedTuple):
    """One decision of a bot. Where it went by rules of thumb, no moves were weighed."""

    entry: int
    """The place of the decision in the record."""
    done: Move
    side: str = ""
    """The side that others look for."""
    suspicion: tuple[float, ...] = ()
    """The chance that each seat is of that side, as the bot believed."""
    weighed: tuple[WeighedMove, ...] = ()
    """The likeliest first."""
    is_solved: bool = False
    """Whether the chances are those of a solved end of the game."""


def reasons_of(
    game: str, entries: Sequence[Entry], seat: Seat, bot_at: Callable[[int], str | None]
) -> Iterator[Reason]:
    """The decisions of a seat; `bot_at` says which bot made that of an entry, and None where no bot explains it."""
    rules, state, heard = game_named(game), None, []
    for place, entry in enumerate(entries):
        bot = bot_at(place) if entry.actor == seat and isinstance(entry.action, Move) else None
        if bot is not None and state is not None and isinstance(entry.action, Move):
            thought = thought_of(bot, rules, state, seat, heard)
            yield Reason(place, entry.action) if thought is None else reason(place, entry.action, thought)
        news = [event for event in entry.events if event.audience is EVERYONE or seat in event.audience]
        if news:
            state = fold(rules, news) if state is None else evolve(rules, state, news)
            heard += news


def thought_of(bot: str, game: Game[Any, Any], view: Any, seat: Seat, heard: Sequence[Any]) -> Thought | None:
    thinker = make_bot(bot)
    assert isinstance(thinker, ThinkingBot)
    thinker.follow(heard)
    return thinker.think(view, game.options(view, seat))


def reason(place: int, done: Move, thought: Thought) -> Reason:
    from roundtable.belief.following import hidden_side

    belief, side = thought.belief, hidden_side(thought.belief)
    weighed = [
        WeighedMove(move, round(float(value), DIGITS), round(float(chance), DIGITS))
        for move, value, chance in zip(thought.moves, thought.values, thought.chances, strict=True)
    ]
    weighed.sort(key=lambda one: (-one.chance, -one.value))
    suspicion = belief.posterior[:, belief.columns_of(side)].sum(axis=1)
    chances = tuple(round(float(chance), DIGITS) for chance in suspicion)
    return Reason(place, done, side, chances, tuple(weighed), thought.is_solved)
