"""Guests: names that look like what they are, tokens that nobody guesses, room codes that can be read out."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Iterable

from roundtable.table.conduct import is_showable
from roundtable.table.errors import RoomRefused

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 signs that are not taken for one another when read out
CODE_LENGTH = 6
LONGEST_NAME = 24
TOKEN_BYTES = 24

Entropy = Callable[[int], bytes]

# Letters of other scripts that look like Latin ones. Accents stay: they make another name, above all in Vietnamese.
LOOK_ALIKES = str.maketrans("аеорсухіјѕԁһкмтвнαοριτυνκ01", "aeopcyxijsdhkmtbhaopituvkol")


def room_code(entropy: Entropy) -> str:
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in entropy(CODE_LENGTH))


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
    """A name as it is shown: composed, without marks nobody sees, at most 24 characters."""
    composed = unicodedata.normalize("NFC", typed)
    kept = "".join(sign for sign in composed if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
    name = " ".join(kept.split())
    if not name or not is_showable(name) or all(unicodedata.combining(sign) for sign in name):
        raise RoomRefused("room/name", "A name needs at least one character that can be seen.")
    if sum(not unicodedata.combining(sign) for sign in name) > LONGEST_NAME or len(name) > 4 * LONGEST_NAME:
        raise RoomRefused("room/name", f"A name has at most {LONGEST_NAME} characters.")
    return name


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where somebody in the room has one that looks the same."""
    skeletons = {skeleton(other) for other in taken}
    number, candidate = 1, name
    while skeleton(candidate) in skeletons:
        number += 1
        candidate = f"{name} {number}"
    return candidate


def skeleton(name: str) -> str:
    """What a name looks like from across the table."""
    return unicodedata.normalize("NFKC", name).casefold().translate(LOOK_ALIKES).replace(" ", "")
