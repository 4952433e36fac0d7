"""The sage: an exact belief about the deal, candidate moves valued by games played on, and a face that hides a role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

import numpy as np

from roundtable.belief import belief_of
from roundtable.belief.contract import Belief, Floats
from roundtable.belief.strategy import Choice, Disguise, Strategy
from roundtable.bots.careful import CarefulBot
from roundtable.bots.sage.levels import EASY, FAIR, STRONG, Level
from roundtable.bots.sage.recall import RECALL
from roundtable.bots.sage.rollouts import rollouts_of
from roundtable.core.actions import Move, Remark
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.game import fold
from roundtable.core.options import Options
from roundtable.core.policy import Face, Heard, Leanings, Probabilities, chances, drawn
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.core.state import TableState
from roundtable.games import GAMES

PARTS = 1000  # a chance is a whole number of these
DRAWS = 4  # which deals it thinks through is one of so many draws, each as likely as the others


class Thought(NamedTuple):
    """One decision: the moves that were weighed, what each was worth, and how likely each was to be made."""

    moves: tuple[Choice, ...]
    values: Floats
    """The chance to win after each move, as the seat saw it."""
    own: Floats
    """How likely each move would be if there were nothing to hide."""
    chances: Floats
    """How likely each move is."""
    belief: Belief
    """What the seat believed. It goes on to hear later events: read it before the next decision."""
    is_solved: bool = False
    """Whether the chances are those of a solved end of the game."""


class SageBot:
    """Decides from what its seat has heard: the same events, options and chance always give the same move.

    Which deals it thinks through is drawn, so that what it knows does not show in what it takes for the best move.
    It plays games without a `Strategy` as `CarefulBot` does, and leaves to it what is no real choice.
    """

    level: ClassVar[Level] = STRONG

    def __init__(self) -> None:
        self._careful = CarefulBot()
        self._heard: tuple[Event, ...] = ()
        self._effort = 1.0

    def follow(self, heard: Sequence[Event]) -> None:
        self._heard = tuple(heard)

    def listen(self, heard: Heard) -> None:
        self._careful.listen(heard)

    def hurry(self, effort: float) -> None:
        """Think less: with this share of the deals; with none, as a careful bot does."""
        self._effort = effort

    def speak(self, view: TableState, seat: Seat, chance: Chance) -> Remark | None:
        """What follows from what everyone has heard; nothing, where that is nothing new."""
        return self._careful.speak(view, seat, chance, self._face(view, seat))

    def _face(self, view: TableState, seat: Seat) -> Face | None:
        """How it wants to be seen to judge; None where it speaks as a careful bot does."""
        if not self._has_belief(view):
            return None
        spec = GAMES[view.setup.game]
        strategy: Strategy = spec.part("sage")
        if not strategy.talks_by_belief(view.setup):
            return None
        return strategy.face(seat, recalled(spec, self.level, SPECTATOR, heard_by_all(self._heard), view.setup))

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        thought = self.think(view, options, chance.below(DRAWS)) if self._can_think(view, options) else None
        if thought is None:
            return self._careful.choose(view, options, chance)
        return drawn(leanings_of(thought), chance)

    def probabilities(self, view: TableState, options: Options) -> Probabilities:
        thoughts = [self.think(view, options, draw) for draw in range(DRAWS)]
        mean: dict[Move | None, Fraction] = {}
        for thought in thoughts:
            said = self._careful.probabilities(view, options) if thought is None else chances(leanings_of(thought))
            for move, likely in said.items():
                mean[move] = mean.get(move, Fraction(0)) + likely / DRAWS
        return mean

    def think(self, view: TableState, options: Options, draw: int = 0) -> Thought | None:
        """What it weighs now, with one of the draws; None where it decides as a careful bot does."""
        if not self._can_think(view, options):
            return None
        level = self.level.with_effort(self._effort)
        return Mind(GAMES[view.setup.game], level, view, options, self._heard, draw).think()

    def _can_think(self, view: TableState, options: Options) -> bool:
        return bool(options) and self._has_belief(view)

    def _has_belief(self, view: TableState) -> bool:
        spec = GAMES.get(view.setup.game)
        return bool(spec and spec.sage and self._heard and self._effort > 0)


def leanings_of(thought: Thought) -> Leanings:
    weights = np.rint(thought.chances * PARTS).astype(int).tolist()
    found = [(move, weight) for move, weight in zip(thought.moves, weights, strict=True) if weight]
    return tuple(found)  # type: ignore[arg-type]  # None stands for doing nothing, as in `Probabilities`


class FairBot(SageBot):
    level = FAIR


class EasyBot(SageBot):
    level = EASY


class Player(NamedTuple):
    """What one player in a seat sees and believes: the real one, or the one it poses as."""

    view: Any
    belief: Belief


def recalled(spec: GameSpec, level: Level, listener: int, heard: tuple[Event, ...], setup: Setup) -> Belief:
    """The belief of a listener who has heard just this."""

    def fresh() -> Belief:
        model = spec.part("sage").model(setup) if level.reads_players else None
        return belief_of(spec, setup, listener, model)

    return RECALL.belief((setup, listener, level.reads_players), heard, fresh)


def heard_by_all(heard: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(event for event in heard if event.audience is EVERYONE)


class Mind:
    """A seat's thoughts about one decision."""

    def __init__(
        self, spec: GameSpec, level: Level, view: Any, options: Options, heard: tuple[Event, ...], draw: int
    ) -> None:
        self._spec = spec
        self._strategy: Strategy = spec.part("sage")
        self._level = level
        (self._seat,) = view.roles  # before the end a view holds one role, that of its own seat
        self._options = options
        self._heard = heard
        self._draw = draw
        self._self = Player(view, self._belief(self._seat, heard, view.setup))
        self._onlooker = None
        if self._strategy.needs_onlooker(view.setup):
            self._onlooker = self._belief(SPECTATOR, heard_by_all(heard), view.setup)

    def think(self) -> Thought | None:
        moves = self._candidates(self._self)
        if len(moves) < 2:
            return None
        solved = self._strategy.solve(self._self.view, self._seat, self._onlooker)
        return self._solved(moves, solved) if solved else self._weighed(moves)

    def _solved(self, moves: Sequence[Choice], solved: Mapping[Choice, float]) -> Thought | None:
        """The solution is played; values tell what the moves seem worth without it."""
        moves = list(dict.fromkeys((*solved, *moves)))
        values = self._values(self._self, moves)
        if values is None:
            return None
        found = np.array([solved.get(move, 0.0) for move in moves])
        own, belief = self._choose(values), self._self.belief
        return Thought(tuple(moves), values, own, found / found.sum(), belief, is_solved=True)

    def _weighed(self, moves: Sequence[Choice]) -> Thought | None:
        disguise = self.disguise()
        posed = None if disguise is None else self._pose(disguise)
        if posed is not None:
            moves = list(dict.fromkeys((*moves, *self._candidates(posed))))
        values = self._values(self._self, moves)
        if values is None:
            return None
        own = self._choose(values)
        mixed = own
        if disguise is not None and posed is not None:
            theirs = self._values(posed, moves)
            if theirs is not None:
                mixed = (1 - disguise.share) * own + disguise.share * self._choose(theirs)
        return Thought(tuple(moves), values, own, mixed, self._self.belief)

    def disguise(self) -> Disguise | None:
        """The player that it pretends to be in this decision, if any."""
        if not self._level.hides:
            return None
        return self._strategy.disguise(self._self.view, self._seat, self._heard, self._self.belief)

    def _candidates(self, player: Player) -> list[Choice]:
        return self._strategy.candidates(player.view, self._options, player.belief)

    def _pose(self, disguise: Disguise) -> Player | None:
        """The other player; None where no such player could be at this table."""
        view = fold(self._spec.game, disguise.heard)
        belief = self._belief(self._seat, disguise.heard, view.setup)
        return Player(view, belief) if belief.is_possible() else None

    def _belief(self, listener: int, heard: tuple[Event, ...], setup: Setup) -> Belief:
        return recalled(self._spec, self._level, listener, heard, setup)

    def _values(self, player: Player, moves: Sequence[Choice]) -> Floats | None:
        """The chance to win after each move."""
        rng = np.random.default_rng(seed_of(player.view, self._seat, self._draw))
        deals = player.belief.sample(self._strategy.deals_for(player.view, self._level.deals), rng)
        rollouts = rollouts_of(player.view.setup) if self._strategy.plays_on(player.view) else None
        if rollouts is None:
            found = self._strategy.foresee(player.view, self._seat, moves, deals)
            return None if found is None else np.asarray(found.mean(axis=1))
        seed = int(rng.integers(1 << 62))
        decisive = partial(self._strategy.decisive, player.view, self._seat, rng=rng)
        scores = self._strategy.scores(player.view, self._seat, player.belief)
        found = rollouts.values(player.view, self._seat, moves, deals, self._level.games, seed, decisive, scores)
        doubt = self._strategy.doubt(player.view, self._seat, player.belief)
        foreseen = self._strategy.foresee(player.view, self._seat, moves, deals) if doubt else None
        if foreseen is not None:
            found = (1 - doubt) * found + doubt * foreseen
        return np.asarray(found.mean(axis=1))

    def _choose(self, values: Floats) -> Floats:
        """How likely each move is to be made: the better, the likelier."""
        temperature = self._level.temperature * self._strategy.stakes(self._self.view)
        weights = np.exp((values - values.max()) / temperature)
        return np.asarray(weights / weights.sum())


def seed_of(view: TableState, seat: Seat, draw: int) -> int:
    """The same for the same table, phase and seat, so that a decision can be gone through again."""
    text = f"{view.commitment} {view.phase.number} {seat} {draw}"
    return int.from_bytes(sha256(text.encode()).digest()[:8])
