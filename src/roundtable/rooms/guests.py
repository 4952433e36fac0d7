"""Names, tokens and room codes."""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections.abc import Callable, Iterator, Sequence
from unicodedata import category

from roundtable.core.errors import RoomRefused
from roundtable.core.names import (
    MARKS,
    MOST_MARKS,
    distinct_name,
    has_too_many_marks,
    look_alike,
    shows_nothing,
    visible,
)

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 characters that are not mistaken for one another when read aloud
CODE_LENGTH = 6
LONGEST_NAME = 24
TOKEN_BYTES = 24

Entropy = Callable[[int], bytes]


def room_codes(token: str) -> Iterator[str]:
    """The codes to try, in this order, for a room that is opened with a token. They follow from the token, so that a
    repeated request finds the room that it opened before."""
    for tried in itertools.count():
        drawn = hashlib.sha256(f"code {tried} {token}".encode()).digest()
        yield "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in drawn[:CODE_LENGTH])


def read_code(typed: str) -> str:
    """A code as it was typed: in any case, with blanks or dashes."""
    return typed.replace(" ", "").replace("-", "").upper()


def new_token(entropy: Entropy) -> str:
    return entropy(TOKEN_BYTES).hex()


def key_of(token: str) -> str:
    """The hash under which a token is stored."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def is_key_of(key: str, token: str) -> bool:
    return hmac.compare_digest(key, key_of(token))


def clean_name(typed: str) -> str:
    """A name as it is shown: composed, without invisible characters, at most 24 characters long."""
    name = visible(typed)
    if shows_nothing(name):
        raise RoomRefused("room/name")
    if has_too_many_marks(name):
        raise RoomRefused("room/name", "marks", most=MOST_MARKS)
    if sum(category(sign) not in MARKS for sign in name) > LONGEST_NAME:
        raise RoomRefused("room/name", "long", most=LONGEST_NAME)
    return name


# What bots are called, by seat: knights that no game deals as a role.
BOT_NAMES = (
    "Kay",
    "Bors",
    "Gareth",
    "Gawain",
    "Ector",
    "Dinadan",
    "Lamorak",
    "Bedivere",
    "Pelleas",
    "Sagramore",
    "Dagonet",
    "Palamedes",
)


def seat_name(seat: int, people: Sequence[str]) -> str:
    """The name of a bot at this seat, distinct from every person in the room."""
    usual = BOT_NAMES[seat % len(BOT_NAMES)]
    is_taken = seat >= len(BOT_NAMES) or any(look_alike(usual, name) for name in people)
    return distinct_name(f"{usual} {seat}", people) if is_taken else usual
