"""Texts filled up to a size that says nothing about them (T25)."""

from __future__ import annotations

BLANKS = 79  # in a line that fills up: so there are few of them, and `cat` leaves the card in sight


def padded(text: str, size: int) -> bytes:
    """A text as exactly so many bytes: blank lines follow after its end."""
    written = text.encode()
    missing = size - len(written)
    if missing < 0:
        raise ValueError(f"A text of {len(written)} bytes does not fit into {size}.")
    lines, rest = divmod(missing, BLANKS + 1)
    last = b" " * (rest - 1) + b"\n" if rest else b""
    return written + (b" " * BLANKS + b"\n") * lines + last
