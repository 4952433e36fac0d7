"""Letters that a terminal does not have are escaped, so that no name stops a game."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def escape_missing_letters() -> None:
    """From now on what cannot be printed becomes \\u1ec5, and what cannot be read becomes a question mark."""
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def has_every_letter() -> bool:
    """Whether all of Unicode can be printed as it is."""
    return getattr(sys.stdout, "encoding", "").casefold().startswith("utf")
