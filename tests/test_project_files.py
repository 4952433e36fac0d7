"""The files around the code agree with one another: hooks, workflows, Makefile, versions and the changelog."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from roundtable import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()
WORDS_OF_A_CHANGELOG = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}  # keepachangelog.com


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())
    return found


def made_by(command: str) -> str:
    """The target that it makes, or nothing."""
    made = re.search(r"\bmake(?: --[\w-]+)* ([\w-]+)", command)
    return made[1] if made else ""


def test_git_hooks_check_what_make_check_does() -> None:
    (local,) = read(".pre-commit-config.yaml")["repos"]
    hooks = {(made_by(hook["entry"]), *hook["stages"]) for hook in local["hooks"]}
    assert hooks == {("lint", "pre-commit"), ("check", "pre-push")}
    (recipe,) = re.findall(r"^check:.*\n\t(.+)$", MAKEFILE, re.MULTILINE)
    assert "lint" in recipe.split()


def test_workflows_make_targets_that_exist() -> None:
    jobs = read(".github/workflows/test.yml")["jobs"]
    made = {made_by(step.get("run", "")) for job in jobs.values() for step in job["steps"]} - {""}
    assert made == {"test", "package", "docs"}
    assert made <= set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))


def test_every_python_that_the_package_names_is_tested() -> None:
    tested = read(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    named = [words.rpartition(" ")[2] for words in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", words)]
    assert tested == named
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_the_changelog_is_short_and_has_this_version() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    versions = [line.split("[")[1].split("]")[0] for line in lines if line.startswith("## ")]
    assert versions[:2] == ["Unreleased", __version__]
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= WORDS_OF_A_CHANGELOG
    first = lines.index(next(line for line in lines if f"[{__version__}]" in line))
    assert len(lines[first:]) <= 70, "a user reads it in two minutes"
