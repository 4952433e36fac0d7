"""Guests: names that look like what they are, tokens that nobody guesses, room codes that can be read out."""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections.abc import Callable, Iterator
from unicodedata import category

from roundtable.core.errors import RoomRefused
from roundtable.core.names import MARKS, MOST_MARKS, has_too_many_marks, shows_nothing, visible

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 signs that are not taken for one another when read out
CODE_LENGTH = 6
LONGEST_NAME = 24
TOKEN_BYTES = 24

Entropy = Callable[[int], bytes]


def room_codes(token: str) -> Iterator[str]:
    """The codes that a room may have which is opened under a token, in the order in which they are tried. They follow
    from the token, which nobody guesses, so that whoever opens a room twice finds the first."""
    for tried in itertools.count():
        drawn = hashlib.sha256(f"code {tried} {token}".encode()).digest()
        yield "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in drawn[:CODE_LENGTH])


def read_code(typed: str) -> str:
    """A code as people type it: in any case, with blanks or dashes."""
    return typed.replace(" ", "").replace("-", "").upper()


def new_token(entropy: Entropy) -> str:
    return entropy(TOKEN_BYTES).hex()


def key_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def is_key_of(key: str, token: str) -> bool:
    return hmac.compare_digest(key, key_of(token))


def clean_name(typed: str) -> str:
    """A name as it is shown: composed, without signs that nobody sees, at most 24 characters."""
    name = visible(typed)
    if shows_nothing(name):
        raise RoomRefused("room/name", "A name needs at least one character that can be seen.")
    if has_too_many_marks(name):
        raise RoomRefused("room/name", f"A letter of a name takes at most {MOST_MARKS} marks, and none stands alone.")
    if sum(category(sign) not in MARKS for sign in name) > LONGEST_NAME:
        raise RoomRefused("room/name", f"A name has at most {LONGEST_NAME} characters.")
    return name
