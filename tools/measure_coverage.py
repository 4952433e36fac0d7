"""Runs the tests under coverage.py and prints what share of lines and branches they reach, by package: `make coverage`.

Arguments go to pytest. Processes that the tests start are measured too. `.venv/bin/coverage report -m` and
`.venv/bin/coverage html` tell more afterwards.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "build" / "coverage" / "report.json"
LOW = 90  # percent, below which a file is named
NOT_MEASURED = (
    "tests/project/test_compiled.py",  # compiled code has no lines
    # A full disk has no space for coverage data either.
    "tests/server/test_restart.py::test_a_disk_that_is_full_at_the_first_start_is_told_in_one_sentence",
)
COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def main() -> int:
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    left_out = [f"--deselect={test}" for test in NOT_MEASURED]
    REPORT.unlink(missing_ok=True)
    coverage("erase")
    code = coverage("run", "-m", "pytest", "-n", "2", "--dist", "worksteal", *left_out, *sys.argv[1:])
    coverage("combine", "-q")
    coverage("json", "-q", "-o", str(REPORT))
    if REPORT.exists():
        show(json.loads(REPORT.read_text())["files"])
    return code


def coverage(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, check=False).returncode


def show(files: dict[str, Any]) -> None:
    packages: dict[str, dict[str, Counter[str]]] = defaultdict(dict)
    for name, report in files.items():
        counts = Counter({key: report["summary"][key] for key in COUNTED})
        packages[package_of(name)][name] = counts
    print(f"\n{'package':<24}{'lines':>8}{'branches':>10}{'reached':>9}")
    for package, modules in sorted(packages.items()):
        total = sum(modules.values(), Counter())
        print(f"{package:<24}{total['num_statements']:>8}{total['num_branches']:>10}{percent(total):>8.1f}%")
        for name, counts in sorted(modules.items(), key=lambda item: percent(item[1])):
            if percent(counts) < LOW:
                print(f"    {percent(counts):5.1f}%  {name}")


def package_of(name: str) -> str:
    """The first two folders below the sources: `games/avalon`, say, or `rooms`."""
    folders = Path(name).parts[2:-1]
    return "/".join(folders[:2]) or "roundtable"


def percent(counts: Counter[str]) -> float:
    there = counts["num_statements"] + counts["num_branches"]
    return 100 * (counts["covered_lines"] + counts["covered_branches"]) / there if there else 100.0


if __name__ == "__main__":
    sys.exit(main())
