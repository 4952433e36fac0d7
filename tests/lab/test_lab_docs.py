"""What the lab's documentation promises holds."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from roundtable.cli import build_parser
from roundtable.cli.completion import words_by_command
from roundtable.lab.studies import BATCH
from support.paths import ROOT

PAGES = [ROOT / "README.md", ROOT / "docs" / "lab.md", ROOT / "docs" / "balance.md"]
COMMAND = re.compile(r"^(?:    )?(roundtable (?:simulate|balance) .+)$", re.MULTILINE)


def test_the_page_on_the_lab_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "docs" / "lab.md"), module_relative=False)
    assert (failures, tried > 5) == (0, True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_it_can_be_typed(page: Path) -> None:
    commands = COMMAND.findall(page.read_text())
    assert commands
    for command in commands:
        build_parser().parse_args(shlex.split(command, comments=True)[1:])


def test_every_option_of_a_study_is_explained() -> None:
    page = (ROOT / "docs" / "lab.md").read_text()
    options = {*words_by_command(build_parser())["simulate"]} - {"--help", "avalon", "thavalon", "saviom"}
    assert [option for option in sorted(options) if option not in page] == []


def test_the_page_knows_how_large_a_batch_is() -> None:
    assert f"batches of {BATCH:,} games" in (ROOT / "docs" / "lab.md").read_text()
