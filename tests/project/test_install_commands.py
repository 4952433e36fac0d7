"""Every install command in our texts names `roundtable-games`: `roundtable` on PyPI is another project's package."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator

import pytest

from support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OURS = PROJECT["name"]
THEIRS = "roundtable"

COMMAND = re.compile(
    r"\b(?:pip3? install|pipx (?:run|install)|uvx|uv (?:add|pip install|tool (?:run|install))|poetry add)\b"
    r"(?P<arguments>[^`|;&#\n]*)"
)
ONLY_SOURCE = re.compile(
    r"(?:--from|--spec)[ =]['\"]?([^\s'\"]+)"
)  # of `uvx` and `pipx run`; what follows is a command
THEIR_PACKAGE = re.compile(rf"(?<![\w./-]){THEIRS}(?![\w/-]|\.\w)")
THEIR_EXTRA = re.compile(rf"(?<![\w./-]){THEIRS}\[(?:{'|'.join(PROJECT['optional-dependencies'])})\b")


def wrong_installs(text: str) -> Iterator[str]:
    """The lines that would install the other project."""
    for line in text.splitlines():
        sources = [_source(command["arguments"]) for command in COMMAND.finditer(line)]
        if THEIR_EXTRA.search(line) or any(map(THEIR_PACKAGE.search, sources)):
            yield line.strip()


def _source(arguments: str) -> str:
    named = ONLY_SOURCE.search(arguments)
    return named[1] if named else arguments


@pytest.mark.parametrize(
    "form",
    [
        "pip install {}",
        "pip install -U '{}[lab]' matplotlib",
        "python3 -m pip install matplotlib {}==0.1.0",
        "`uv pip install {}`; then `roundtable serve`",
        "uv add {} # for good",
        "uv tool install {}",
        "uvx {} serve",
        "uvx --from {} roundtable serve",
        "uvx --from '{}[lab]' roundtable simulate avalon",
        "pipx run {} serve",
        "pipx run --spec={} roundtable serve",
        "Every machine needs `{}[ray]`.",
        "pip install {}.",
    ],
)
def test_the_wrong_name_is_found_and_the_right_one_is_not(form: str) -> None:
    assert list(wrong_installs(form.format(THEIRS))) == [form.format(THEIRS)]
    assert list(wrong_installs(form.format(OURS))) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="Git is not installed")
def test_no_text_installs_the_other_project() -> None:
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=True)
    files = [path for name in listed.stdout.split("\0") if (path := ROOT / name).is_file()]
    texts = {path: content.decode() for path in files if b"\0" not in (content := path.read_bytes())}
    assert ROOT / "README.md" in texts
    assert [(str(path), line) for path, text in texts.items() for line in wrong_installs(text)] == []


def test_the_package_has_a_command_of_its_own_name() -> None:
    """`uvx roundtable-games` and `pipx run roundtable-games` look for one."""
    assert PROJECT["scripts"][OURS] == PROJECT["scripts"]["roundtable"]
