"""The server's clock: set from the machine's clock at the start, and steady from then on."""

from __future__ import annotations

import time

import pytest

from roundtable.server.clock import steady_clock


def test_it_is_the_same_time_as_everywhere_else() -> None:
    assert abs(steady_clock()() - time.time_ns() // 1_000_000) < 60_000


@pytest.mark.parametrize("step", [-3_600, 3_600])
def test_setting_the_machines_clock_moves_no_deadline(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = steady_clock()
    before, real = now(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + step * 1_000_000_000)
    assert 0 <= now() - before < 60_000
