"""A bot that uses what its role knows and goes by rules of thumb, which each game states for itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from roundtable.bots.random import RandomBot
from roundtable.core.actions import Move, Remark
from roundtable.core.chance import Chance
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import Options
from roundtable.core.plugins import load
from roundtable.core.policy import NOTHING, Heard, Leanings, Policy, Probabilities, Speech, chances, drawn
from roundtable.core.seats import Seat
from roundtable.core.state import TableState
from roundtable.games import GAMES

POLICY = "careful"  # the name under which a game's spec has its policy


class CarefulBot:
    """Keeps nothing between calls but what it was told to listen to: the same view, options and remarks always give the
    same leanings.

    It plays games without a careful policy as `RandomBot` does.
    """

    def __init__(self) -> None:
        self._random = RandomBot()
        self._heard: Heard = ()

    def listen(self, heard: Heard) -> None:
        self._heard = tuple(heard)

    def speak(self, view: TableState, seat: Seat, chance: Chance, face: Any = None) -> Remark | None:
        """With a face that the game's `Speech` takes, it speaks as a player who judges so."""
        speech = speech_for(view)
        if speech is None:
            return self._random.speak(view, seat, chance)
        said = speech(view, seat, self._heard, chance, face)
        if said is None:
            return None
        return Remark(channel=OPEN_TALK, phrase=said.phrase, about=said.about, word=said.word)

    def leanings(self, view: TableState, options: Options) -> Leanings:
        """The moves it would make now, with their weights; none where it would do nothing."""
        policy = policy_for(view)
        return policy(view, options, self._heard) if policy and options else NOTHING

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        if policy_for(view) is None:
            return self._random.choose(view, options, chance)
        return drawn(self.leanings(view, options), chance)

    def probabilities(self, view: TableState, options: Options) -> Probabilities:
        if policy_for(view) is None:
            return self._random.probabilities(view, options)
        return chances(self.leanings(view, options))


def policy_for(view: TableState) -> Policy | None:
    """The careful policy of the game that this is a view of, where the game has one."""
    spec = GAMES.get(view.setup.game)
    reference = spec.policies.get(POLICY) if spec else None
    return _loaded(reference) if reference else None


def speech_for(view: TableState) -> Speech | None:
    """What is said in the game that this is a view of, where the game states it."""
    spec = GAMES.get(view.setup.game)
    return _loaded(spec.speech) if spec and spec.speech else None


@lru_cache(maxsize=64)
def _loaded(reference: str) -> Any:
    return load(reference)
