"""A vote, a bot's move and a simulation cross at most as many modules as ARCHITECTURE.md says."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.paths import ROOT


@pytest.mark.slow
@pytest.mark.parametrize(("path", "most_modules"), [("vote", 17), ("bot", 39), ("simulation", 17)])
def test_architecture_counts_the_modules_of_each_path_right(path: str, most_modules: int) -> None:
    sources = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "tools/trace_modules.py", path],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": sources},
        capture_output=True,
        text=True,
        check=True,
    )
    counted = done.stdout.splitlines()[-1]
    assert int(counted.split()[0]) <= most_modules, done.stdout
    rows = [line for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines() if line.startswith(f"| `{path}`: ")]
    assert len(rows) == 1
    assert counted in rows[0]
