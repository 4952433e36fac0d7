"""Avalon, a choice at a time."""

from roundtable.lab.stepping.avalon.steps import STEPS

__all__ = ["STEPS"]
