"""THavalon, a choice at a time."""

from roundtable.lab.stepping.thavalon.steps import STEPS

__all__ = ["STEPS"]
