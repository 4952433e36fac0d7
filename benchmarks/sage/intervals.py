"""Shares in percent with Wilson's 95 % interval."""

from __future__ import annotations

from math import sqrt

Z = 1.96


def share(part: int, whole: int) -> str:
    if not whole:
        return "none of 0"
    low, high = wilson(part, whole)
    return f"{100 * part / whole:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def wilson(part: int, whole: int) -> tuple[float, float]:
    mean, spread = part / whole, Z * Z / whole
    middle = (mean + spread / 2) / (1 + spread)
    half = Z * sqrt(mean * (1 - mean) / whole + spread / whole / 4) / (1 + spread)
    return middle - half, middle + half
