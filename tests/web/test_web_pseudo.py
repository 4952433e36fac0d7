"""A third language, made by machine and longer than English: the app built with it cuts off and overlaps no text.

Every state is measured at the width of a phone and of a desktop, and photographed where ROUNDTABLE_PHOTOGRAPHS names a
folder for the pictures.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pseudo_language import LETTERS

from support.live_server import LiveServer, changed_program
from support.web.at_table import OpenPage
from support.web.hands import HandsOf
from support.web.pseudo_screens import SCENES, Scene, new_host
from support.web.pseudo_visitor import Visitor
from support.web.text_fit import text_faults

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BUILD = ("npm", "run", "--silent", "build", "--", "--logLevel", "warn")


@pytest.fixture(scope="module")
def checkout(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the app is built from, with one more language: nothing else is changed."""
    copy = tmp_path_factory.mktemp("pseudo")
    leave_out = shutil.ignore_patterns("node_modules", "generated", "web_app", "__pycache__")
    for folder in ("web", "src", "tools"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=leave_out)
    (copy / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    subprocess.run([sys.executable, ROOT / "tools" / "pseudo_language.py", copy / "src", "xx"], check=True)
    environment = {**os.environ, "PYTHON": sys.executable}
    subprocess.run(BUILD, cwd=copy / "web", check=True, stdin=subprocess.DEVNULL, env=environment)
    return copy


@contextmanager
def serving(checkout: Path, database: Path, host_away: int) -> Iterator[LiveServer]:
    """A server of the app in the test language, which gives a lost seat back at once."""
    program = changed_program(f"presence.LOST_SECONDS, timers.HOST_AWAY_SECONDS = 0, {host_away}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(checkout / "src"))
        with LiveServer(database, program=program) as running:
            yield running


@pytest.fixture(scope="module")
def translated(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with serving(checkout, tmp_path_factory.mktemp("rooms") / "rooms.db", host_away=3_600) as running:
        yield running


@pytest.fixture
def visitor(translated: LiveServer, open_page: OpenPage, hands_of: HandsOf) -> Visitor:
    pictures = os.environ.get("ROUNDTABLE_PHOTOGRAPHS")
    return Visitor(translated, open_page, hands_of, Path(pictures) if pictures else None)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_longer_language_fits_every_screen(visitor: Visitor, scene: Scene) -> None:
    scene(visitor)
    assert not visitor.faults, "\n".join(visitor.faults)


def test_a_longer_language_fits_the_notice_of_a_new_host(visitor: Visitor, checkout: Path, tmp_path: Path) -> None:
    with serving(checkout, tmp_path / "rooms.db", host_away=1) as impatient:
        hosted = replace(visitor, server=impatient)
        new_host(hosted)
        assert not hosted.faults, "\n".join(hosted.faults)


# That the checks can fail

PLANTED = """() => {
  const add = (text, css, parent = document.body, tag = 'p') => {
    const one = parent.appendChild(document.createElement(tag));
    one.textContent = text;
    one.style.cssText = css;
    return one;
  };
  add('cut', 'width: 20px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis').textContent += ' off';
  add('low', 'height: 20px; line-height: 20px; overflow: hidden').append(document.createElement('br'), 'and high');
  add('far off', 'margin-left: 3000px; width: 100px');
  add('first', 'height: 20px; margin: 0');
  add('second', 'height: 20px; margin-top: -20px');
  add('too wide a word', 'width: 40px; white-space: nowrap; min-width: 0; padding: 0', document.body, 'button');
  add('', 'width: 60px', document.body, 'input').placeholder = 'write something here';
  add('Hello', '');
}"""
FOUND = (
    "cut: P. cut off",
    "cut: P. and high",
    "outside the page: P. far off",
    "overlap: first | second",
    "over the edge: BUTTON. too wide a word",
    "cut: INPUT. write something here",
    "the page scrolls sideways",
    "not translated: Hello",
)


def test_text_that_does_not_fit_is_found(visitor: Visitor) -> None:
    page = visitor.open()
    expect(page.locator(".choice input").first).to_be_attached()
    assert text_faults(page, untranslated=LETTERS) == []
    page.evaluate(PLANTED)
    found = text_faults(page, untranslated=LETTERS)
    assert [fault for fault in FOUND if fault not in found] == []


def test_a_third_language_is_in_the_menu(visitor: Visitor, checkout: Path) -> None:
    page: Page = visitor.open()
    names = page.locator(".languages button .whole")
    called = json.loads((checkout / "src" / "roundtable" / "text" / "xx.json").read_text(encoding="utf-8"))["language"]
    expect(names).to_have_text(["English", "Tiếng Việt", called])
    page.locator(".languages button[lang=vi]").click()
    expect(page.locator("html[lang=vi]")).to_be_attached()
