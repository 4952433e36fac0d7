"""The files around the code agree with one another: hooks, workflows, Makefile, versions and the changelog."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

from roundtable import __version__
from support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()
CHANGE_TYPES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}  # keepachangelog.com


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())
    return found


def made_by(command: str) -> str:
    """The target that it makes, or nothing."""
    made = re.search(r"\bmake(?: --[\w-]+)* ([\w-]+)", command)
    return made[1] if made else ""


def test_git_hooks_run_make_lint_and_make_check() -> None:
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


def test_actions_are_pinned_as_precisely_as_their_tags_allow() -> None:
    """`actions/*` have a tag such as v7 for the newest release; others may not (pypa/cibuildwheel#1587)."""
    texts = [path.read_text() for path in (ROOT / ".github").rglob("*.yml")]
    used = {name for text in texts for name in re.findall(r"\buses: ([^\s#]+)", text) if not name.startswith("./")}
    assert any(name.startswith("pypa/cibuildwheel@") for name in used)
    form = re.compile(r"actions/[\w-]+@v\d+|[\w-]+/[\w-]+@v\d+\.\d+\.\d+|pypa/gh-action-pypi-publish@release/v1")
    assert [name for name in sorted(used) if not form.fullmatch(name)] == []


def test_every_python_that_the_package_names_is_tested() -> None:
    tested = read(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    named = [words.rpartition(" ")[2] for words in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", words)]
    assert tested == named
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_the_changelog_is_short_and_has_this_version() -> None:
    _, *sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    versions = [section.split("[")[1].split("]")[0] for section in sections]
    assert versions[:2] == ["Unreleased", __version__]
    assert set(re.findall(r"^### (.+)$", "".join(sections), re.MULTILINE)) <= CHANGE_TYPES
    assert len(sections[1].splitlines()) <= 70, "a user reads it in two minutes"
