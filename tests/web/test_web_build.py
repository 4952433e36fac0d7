"""The built web app: small enough for a slow connection, and allowed by the content security policy."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
FIRST_LOAD = 60 * 1024  # bytes of gzipped JavaScript


def fetched_at_once(built: Path) -> set[str]:
    """The scripts that the first page fetches before the player goes anywhere: those it names, and what they import."""
    waiting = set(re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', (built / "index.html").read_text()))
    found: set[str] = set()
    while waiting:
        found.add(script := waiting.pop())
        imported = re.findall(r'(?:from|import)\s*["`]\./([^"`]+\.js)["`]', (built / script).read_text())
        waiting |= {f"assets/{name}" for name in imported} - found
    return found


@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_first_load_is_small(built: Path, language: str) -> None:
    messages = {f"assets/{path.name}" for path in (built / "assets").glob(f"{language}-*.js")}
    assert len(messages) == 1  # the page fetches the messages of its own language, and no other
    assert not messages & fetched_at_once(built)
    scripts = fetched_at_once(built) | messages
    assert 1024 < sum(len(gzip.compress((built / script).read_bytes())) for script in scripts) <= FIRST_LOAD


def test_what_is_not_the_first_page_is_fetched_later(built: Path) -> None:
    later = {f"assets/{path.name}" for path in (built / "assets").glob("*.js")} - fetched_at_once(built)
    for screen in ("Room", "Tv", "Rules", "Record"):
        assert any(name.startswith(f"assets/{screen}-") for name in later), screen


def test_nothing_is_written_into_the_page_itself(built: Path) -> None:
    page = (built / "index.html").read_text()
    assert "<style" not in page
    assert " style=" not in page
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
    assert not re.findall(r"\son\w+=", page)


def test_the_licences_of_what_is_shipped_are_shipped_with_it(built: Path) -> None:
    assert "svelte" in (built / "licenses.md").read_text().lower()
    assert "SIL Open Font License" in (built / "font-license.txt").read_text()


def test_without_node_one_sentence_says_what_to_install() -> None:
    command = [sys.executable, str(Path(__file__).parents[2] / "tools" / "build_web.py"), "check"]
    run = subprocess.run(command, env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert re.fullmatch(r"The web app needs Node 20\.19 or newer[^\n]*\.\n", run.stderr)


def test_the_emblems_of_all_roles_are_one_file_that_waits_until_a_table_is_entered(built: Path) -> None:
    """A file for each role would tell the network, and the server's log, which one a player has opened."""
    assets = built / "assets"
    with_art = [path.name for path in assets.iterdir() if b"<title>Merlin</title>" in path.read_bytes()]
    assert len(with_art) == 1
    assert f"assets/{with_art[0]}" not in fetched_at_once(built)
    assert b"<title>Wolf</title>" in (assets / with_art[0]).read_bytes()
    assert not list(assets.glob("*.svg"))


def test_the_drawings_of_avatars_wait_until_the_first_page_is_shown(built: Path) -> None:
    (drawings,) = (built / "assets").glob("avatar_shapes-*.js")
    assert f"assets/{drawings.name}" not in fetched_at_once(built)
