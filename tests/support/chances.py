"""Exact chances: everything that can come of a drawing, with its probability."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import TypeVar

from roundtable.core.chance import Chance

T = TypeVar("T")


class Script:
    """Chance that answers from a script, and with zeros after its end; it remembers how many answers there were."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self.answers = list(answers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        if len(self.bounds) > len(self.answers):
            self.answers.append(0)
        return self.answers[len(self.bounds) - 1]


def every_outcome(draw: Callable[[Chance], T]) -> dict[T, Fraction]:
    """All that a function of chance can return, depth first over every answer that chance could give."""
    found: dict[T, Fraction] = {}
    scripts: list[tuple[int, ...]] = [()]
    while scripts:
        given = scripts.pop()
        script = Script(given)
        outcome = draw(script)
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(1, prod(script.bounds))
        for place in range(len(given), len(script.bounds)):
            scripts += [(*script.answers[:place], other) for other in range(1, script.bounds[place])]
    return found
