"""The random generator of the kernels: one for each game, seeded from the run's seed and the game's number.

Splitmix64 spreads (seed, number) over 128 bits, xoroshiro128++ goes on from there. These deals need no verification;
docs/fair-deals.md is about those of real tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.kernels.compiling import compiled

Now = Any  # a row of a table's state; its fields `luck0` and `luck1` are the generator
signed: Any = np.int64  # whole numbers as kernels count with them; of both kinds mixed Numba makes floats
LUCK = [("luck0", np.uint64), ("luck1", np.uint64)]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

# A fraction of the unit interval in 59 bits: times a bound of up to 16, its whole part is a number below the bound,
# and the rest is the next fraction. After bounds with the product p, no result is favoured by more than p / 2**59.
FRACTION_BITS = 59
FRACTION = (1 << FRACTION_BITS) - 1


@compiled
def mixed(word: np.uint64) -> np.uint64:
    """Splitmix64's last step."""
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return word ^ (word >> np.uint64(31))


@compiled
def seed_luck(now: Now, seed: np.uint64, number: int) -> None:
    """The generator of one game: whatever was played before, it starts alike."""
    start = mixed(mixed(seed) + np.uint64(number) * GAMMA)
    now.luck0 = mixed(start + GAMMA)
    now.luck1 = mixed(start + GAMMA + GAMMA)


@compiled
def next_word(now: Now) -> np.uint64:
    """Xoroshiro128++."""
    one, other = now.luck0, now.luck1
    word = turned(one + other, np.uint64(17)) + one
    other ^= one
    now.luck0 = turned(one, np.uint64(49)) ^ other ^ (other << np.uint64(21))
    now.luck1 = turned(other, np.uint64(28))
    return word


@compiled
def turned(word: np.uint64, by: np.uint64) -> np.uint64:
    return (word << by) | (word >> (np.uint64(64) - by))


@compiled
def fraction(now: Now) -> int:
    """A fraction of the unit interval, in units of 2**-59."""
    return signed(next_word(now) >> np.uint64(64 - FRACTION_BITS))


@compiled
def split(part: int, bound: int) -> tuple[int, int]:
    """A number below a bound of up to 16, and what is left of the fraction for the next."""
    part *= bound
    return part >> FRACTION_BITS, part & FRACTION


@compiled
def below(now: Now, bound: int) -> int:
    """A number from 0 to bound - 1, for bounds up to 2**20; none is favoured by more than one in 2**23."""
    return (signed(next_word(now) >> np.uint64(21)) * bound) >> 43
