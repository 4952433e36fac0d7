"""One vote, from socket to frames, crosses at most as many modules as ARCHITECTURE.md says."""

from __future__ import annotations

import os
import subprocess
import sys

from support.paths import ROOT

MOST_MODULES = 16


def test_architecture_counts_the_modules_of_a_vote_right() -> None:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "tools/trace_modules.py"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    counted = done.stdout.splitlines()[-1]
    assert int(counted.split()[0]) <= MOST_MODULES, done.stdout
    assert counted in " ".join((ROOT / "ARCHITECTURE.md").read_text().split())
