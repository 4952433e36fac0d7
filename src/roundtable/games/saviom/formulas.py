"""Saviom's arithmetic on whole numbers: who has a majority, who is condemned, when Wolves have won."""

from __future__ import annotations


def is_majority(votes: int, out_of: int) -> bool:
    """S6, S8: more than half."""
    return 2 * votes > out_of


def is_condemned(eliminate: int, save: int) -> bool:
    """S7: a tie or no vote saves."""
    return eliminate > save


def is_at_parity(wolves: int, living: int) -> bool:
    """S13: as many living Wolves as others, or more."""
    return 2 * wolves >= living
