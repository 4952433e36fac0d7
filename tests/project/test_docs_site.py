"""The documentation site, built as `make docs` builds it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import roundtable
from roundtable.cli import build_parser
from support.paths import ROOT

SECTIONS = ["Play", "Host", "Research", "Extend"]


class BuiltPage(HTMLParser):
    """What a page of the site links to and loads, its anchors and its headings."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.headings: list[str] = []
        self._in_heading = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors.add(found.get("id") or "")
        if address := found.get("href") or found.get("src"):
            (self.links if tag == "a" else self.loaded).add(address)
        if tag == "h2":
            self._in_heading = True
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_heading = self._in_heading and tag != "h2"

    def handle_data(self, data: str) -> None:
        if self._in_heading:
            self.headings[-1] += data


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(root / "mkdocs.yml"), "-d", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_site_has_four_sections_pages_from_docstrings_and_no_dead_link(tmp_path: Path) -> None:
    built = build(ROOT, tmp_path)
    assert built.returncode == 0, built.stderr
    assert all(line.startswith("INFO ") for line in built.stderr.splitlines()), built.stderr

    pages = {path.relative_to(tmp_path).as_posix(): BuiltPage(path) for path in tmp_path.rglob("*.html")}
    assert [heading.strip(" \n¶") for heading in pages["index.html"].headings] == SECTIONS
    assert roundtable.new_game.__doc__
    assert roundtable.new_game.__doc__ in (tmp_path / "api" / "roundtable" / "index.html").read_text(encoding="utf-8")

    followed = [(name, link) for name, page in pages.items() for link in page.links | page.loaded]
    assert [(name, link) for name, link in followed if is_dead(name, link, pages, tmp_path)] == []
    loaded = {address for page in pages.values() for address in page.loaded}
    assert [address for address in loaded if urlsplit(address).netloc] == []  # readers fetch nothing from elsewhere


def is_dead(name: str, link: str, pages: dict[str, BuiltPage], site: Path) -> bool:
    address = urlsplit(urljoin(f"http://site/{name}", link))
    if address.netloc != "site":
        return False
    path = unquote(address.path).lstrip("/")
    file = path + "index.html" if path == "" or path.endswith("/") else path
    return not (site / file).is_file() or (file in pages and unquote(address.fragment) not in pages[file].anchors)


@pytest.mark.slow
def test_broken_links_and_forgotten_pages_fail(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(ROOT / "docs", root / "docs")
    for name in ("mkdocs.yml", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
        shutil.copy(ROOT / name, root)
    for folder in ("examples", "src", "tests", "tools", "web"):
        (root / folder).symlink_to(ROOT / folder)
    with (root / "docs" / "rules.md").open("a") as page:
        page.write("[page](no-page.md), [anchor](errors.md#no-anchor), [file](../examples/no_file.py)\n")
    with (root / "CONTRIBUTING.md").open("a") as page:
        page.write("[page](docs/no-other-page.md), [a page on the site, but not in the repository](rules.md)\n")
    (root / "docs" / "forgotten.md").write_text("# A page that the navigation does not name\n")

    built = build(root, tmp_path / "site")
    assert built.returncode == 1
    faults = ["docs/no-page.md", "#no-anchor", "examples/no_file.py", "docs/no-other-page.md", "'repository/rules.md'"]
    assert [fault for fault in (*faults, "forgotten.md") if fault not in built.stderr] == []
    assert f"Aborted with {len(faults) + 1} warnings" in built.stdout + built.stderr


def test_the_commands_of_the_first_page_are_understood() -> None:
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"^ *\.venv/bin/roundtable (.+)$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        assert build_parser().parse_args(shlex.split(command)).run
