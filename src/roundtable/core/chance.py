"""Randomness that can be checked afterwards: everything follows from one seed by HMAC-SHA-256 (C1).

docs/fair-deals.md writes the derivation down for people who want to redo it; tests/vectors holds its test vectors.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from roundtable.core.arguments import checked

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 4
_WORDS = 1 << (8 * _WORD)


class Chance(Protocol):
    """A source of uniform whole numbers."""

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        ...


@checked
def commitment_to(seed: bytes) -> str:
    """What a table shows before the deal: it fixes the seed and tells nothing about it."""
    return hmac.digest(seed, b"roundtable/1/commitment", "sha256").hex()


def deal_key(seed: bytes, agreed: bytes, contributions: Iterable[tuple[int, str]]) -> bytes:
    """The key of all randomness at a table: the seed, the setup, and what the players contributed."""
    joined = "".join(f"{seat}:{entropy.lower()}\n" for seat, entropy in contributions)
    return hmac.digest(seed, b"roundtable/1/key\n" + agreed + b"\n" + joined.encode(), "sha256")


class Stream:
    """The keyed stream of one label: blocks of HMAC(key, label/number), read four bytes at a time."""

    __slots__ = ("_block", "_key", "_label", "_left")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._left = b""

    def below(self, bound: int) -> int:
        if not 0 < bound <= _WORDS:
            raise ValueError(f"A bound lies from 1 to {_WORDS}, and {bound} does not.")
        fair = _WORDS - _WORDS % bound  # a word beyond the last whole multiple would favour small numbers
        while True:
            word = self._word()
            if word < fair:
                return word % bound

    def _word(self) -> int:
        if not self._left:
            self._left = hmac.digest(self._key, f"{self._label}/{self._block}".encode(), "sha256")
            self._block += 1
        word, self._left = self._left[:_WORD], self._left[_WORD:]
        return int.from_bytes(word, "big")


def pick(chance: Chance, choices: Sequence[T]) -> T:
    return choices[chance.below(len(choices))]


def shuffled(chance: Chance, items: Iterable[T]) -> list[T]:
    """Fisher and Yates, from the last place down."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = chance.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def draw(chance: Chance, items: Sequence[T], count: int) -> list[T]:
    """`count` different items, every selection equally likely."""
    pool = list(items)
    return [pool.pop(chance.below(len(pool))) for _ in range(count)]
