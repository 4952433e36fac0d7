"""Streams of chance: bounds, evenness, shuffles and draws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundtable.core.chance import Stream, draw, shuffled
from support.scenes import SEED


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_a_stream_stays_below_its_bound(key: bytes, bound: int) -> None:
    stream = Stream(key, "test")
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_stream_refuses_a_bound_it_cannot_serve(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Stream(SEED, "test").below(bound)


@given(st.integers(0, 1000))
def test_a_shuffle_keeps_its_cards_and_a_draw_repeats_none(number: int) -> None:
    stream = Stream(SEED, str(number))
    assert sorted(shuffled(stream, range(12))) == list(range(12))
    assert len(set(draw(stream, range(12), 5))) == 5


def test_a_stream_is_even() -> None:
    stream = Stream(SEED, "even")
    counts = [0] * 7
    for _ in range(70_000):
        counts[stream.below(7)] += 1
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 35  # chi-square, 6 degrees of freedom: p < 1e-5


def test_labels_give_different_streams() -> None:
    assert [Stream(SEED, "a").below(2**32) for _ in range(2)] != [Stream(SEED, "b").below(2**32) for _ in range(2)]
