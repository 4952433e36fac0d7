"""What `python -m benchmarks.steadiness` calls flat."""

from __future__ import annotations

import os

import pytest
from benchmarks.steadiness import FEWEST, Sample, descriptors, trends_of

SETTLED = [100_000, 118_000, 119_800, 120_000]  # KiB, while tables play their first games


def hour(memory: list[int], descriptors: int = 2_525) -> list[Sample]:
    """Samples at equal distances."""
    return [Sample(place / len(memory), kib, descriptors) for place, kib in enumerate(memory)]


def test_memory_that_settles_after_the_first_games_is_flat() -> None:
    noise = [120_000 + 300 * (place % 3) for place in range(8)]
    assert all(trend.is_flat for trend in trends_of(hour([*SETTLED, *noise])))


@pytest.mark.parametrize("step", [1_500, 15_000])
def test_memory_that_goes_on_growing_is_not(step: int) -> None:
    grown = [120_000 + step * place for place in range(8)]
    memory, files = trends_of(hour([*SETTLED, *grown]))
    assert (memory.is_flat, files.is_flat) == (False, True)


def test_descriptors_that_are_never_closed_are_seen() -> None:
    samples = [sample._replace(descriptors=100 + place) for place, sample in enumerate(hour([120_000] * 12))]
    memory, files = trends_of(samples)
    assert (memory.is_flat, files.is_flat) == (True, False)


def test_too_few_samples_show_nothing() -> None:
    assert trends_of(hour([120_000] * (FEWEST - 1))) == []


def test_descriptors_are_those_of_the_process() -> None:
    before = descriptors(os.getpid())
    with open(os.devnull):
        assert descriptors(os.getpid()) == before + 1
