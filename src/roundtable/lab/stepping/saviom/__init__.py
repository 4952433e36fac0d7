"""Town of Saviom, a choice at a time."""

from roundtable.lab.stepping.saviom.steps import STEPS

__all__ = ["STEPS"]
