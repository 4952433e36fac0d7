"""What the lab's documentation promises holds."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from roundtable.cli import build_parser, main
from roundtable.cli.completion import words_by_command
from roundtable.lab.arena.study import COMPILED_BATCH, PLAIN_BATCH
from roundtable.lab.studies import BATCH
from support.paths import ROOT

PAGES = [ROOT / "README.md", ROOT / "docs" / "lab.md", ROOT / "docs" / "balance.md", ROOT / "docs" / "bots.md"]
COMMAND = re.compile(r"^(?:    )?(roundtable (?:simulate|arena|balance) .+)$", re.MULTILINE)


def test_the_page_on_the_lab_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "docs" / "lab.md"), module_relative=False)
    assert (failures, tried > 5) == (0, True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_it_can_be_typed(page: Path) -> None:
    commands = COMMAND.findall(page.read_text())
    assert commands
    for command in commands:
        build_parser().parse_args(shlex.split(command, comments=True)[1:])


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_every_option_of_a_study_is_explained(command: str) -> None:
    page = (ROOT / "docs" / "lab.md").read_text()
    options = {*words_by_command(build_parser())[command]} - {"--help", "avalon", "thavalon", "saviom"}
    assert [option for option in sorted(options) if option not in page] == []


def test_the_page_knows_how_large_a_batch_is() -> None:
    page = (ROOT / "docs" / "lab.md").read_text()
    assert f"batches of {BATCH:,} games" in page
    assert f"Batches have {PLAIN_BATCH} games, and {COMPILED_BATCH:,} where" in page


@pytest.mark.usefixtures("compiled_kernels")
def test_a_reader_gets_from_nothing_to_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The class and the command of the page, with fewer deals, give the tables that the page shows."""
    section = (ROOT / "docs" / "bots.md").read_text().partition("## Your own bot in the arena")[2]
    [code, shown] = re.findall(r"```(?:python|text)\n(.+?)```", section, re.DOTALL)[:2]
    [command] = COMMAND.findall(section)
    (tmp_path / "my_bot.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main([*shlex.split(command)[1:], "--deals", "2", "--jobs", "1"]) == 0
    printed = capsys.readouterr().out
    assert [line for line in shown.splitlines() if not line.startswith("  ") and line not in printed.splitlines()] == []
    assert first_columns(shown) == first_columns(printed)
    assert (tmp_path / "arena.html").exists()


def first_columns(tables: str) -> list[str]:
    """How the rows of printed tables begin: headers, and the names of bots."""
    return [re.split(" {2,}", line.strip())[0] for line in tables.splitlines() if line.startswith("  ")]
