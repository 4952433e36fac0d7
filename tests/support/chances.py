"""Exact probabilities: every outcome of a function that draws at random, with its chance."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import TypeVar

from roundtable.core.chance import Chance

T = TypeVar("T")


class Script:
    """A source of chance that returns scripted numbers, then zeros, and keeps the bound of every draw."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self.answers = list(answers)
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        if len(self.bounds) > len(self.answers):
            self.answers.append(0)
        return self.answers[len(self.bounds) - 1]


def every_outcome(draw: Callable[[Chance], T]) -> dict[T, Fraction]:
    """Every value that `draw` can return, with its probability: depth first over all numbers that could be drawn."""
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
