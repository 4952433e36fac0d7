"""The secrets of Cuckoo, stated apart from its rules: who must hear each event, and which deals are twins."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from cuckoo.game import EggHatched, WingRaised, WingsCounted
from roundtable.core.chance import Chance
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.secrecy import Ask, Audiences, Script, common_audiences, everyone, that_seat


class CuckooSecrecy:
    """A player knows whether they are the cuckoo, and nothing else about the deal."""

    audiences: Audiences = common_audiences() | {EggHatched: that_seat, WingRaised: that_seat, WingsCounted: everyone}
    channels: Sequence[str] = ()

    def known(self, setup: Any, deal: Seat, listener: int) -> Hashable:
        return None if listener == SPECTATOR else deal == listener

    def another_deal(self, setup: Any, deal: Seat, listener: Seat, chance: Chance) -> Seat:
        return chance.below(setup.seats)

    def mirror(self, script: Script, deal: Seat, focus: int, chance: Chance) -> CuckooMirror:
        return CuckooMirror(script)


class CuckooMirror:
    """All wings are public in the end, so the same birds point at the same ones; only the cuckoo is another."""

    def __init__(self, script: Script) -> None:
        self.script = script

    def asks(self, index: int) -> Sequence[Ask] | None:
        step = self.script.steps[index]
        return [Ask(step.actor, step.action)]

    def told_apart(self, index: int) -> Iterable[int]:
        return ()


SECRECY = CuckooSecrecy()
