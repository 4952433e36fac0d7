"""A pytest plugin that prints CPU seconds by test file and by test: `make timings`.

CPU time says where a test run spends its time, also on a busy machine. Processes that a test starts and waits
for are counted; the browser, which outlives its tests, is counted where it ends, without the processes of its pages.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

LONGEST = 60  # rows that are printed


def cpu_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuTimes:
    """Adds up what every test and its fixtures took; under xdist each worker reports to the controller."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = cpu_seconds()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] += cpu_seconds() - before

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["cpu_times"] = dict(self._seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for test, seconds in getattr(node, "workeroutput", {}).get("cpu_times", {}).items():
            self._seconds[test] += seconds

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        files: defaultdict[str, float] = defaultdict(float)
        for test, seconds in self._seconds.items():
            files[test.partition("::")[0]] += seconds
        terminalreporter.section(f"CPU seconds: {sum(files.values()):.0f}")
        for table in (files, self._seconds):
            terminalreporter.line("")
            for name in sorted(table, key=table.__getitem__, reverse=True)[:LONGEST]:
                terminalreporter.line(f"{table[name]:8.1f}  {name}")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(CpuTimes(), "cpu-times")
