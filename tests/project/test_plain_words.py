"""Comments, docstrings and documents name their subject: they have none of the pronouns in `VAGUE`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from support.paths import ROOT

VAGUE = re.compile(r"\b([Ww]hoever|[Ss]omebody|[Nn]obody|[Aa]nybody|[Ee]verybody)\b")  # NOBODY is a name in the code
QUOTED = re.compile(r"`[^`\n]*`|“[^”]*”|\"[^\"\n]*\"|^```.*?^```", re.MULTILINE | re.DOTALL)  # what a document cites
WEB_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<!:)//[^\n]*", re.DOTALL)


class Prose(NamedTuple):
    """A comment or a docstring, and the line where it begins."""

    line: int
    text: str


def docstrings(source: str) -> Iterator[Prose]:
    """Of modules, classes, functions and attributes: every string that is a statement."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Prose(node.lineno, node.value.value)


def comments(source: str) -> Iterator[Prose]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Prose(token.start[0], token.string)


def web_comments(source: str) -> Iterator[Prose]:
    for found in WEB_COMMENT.finditer(source):
        yield Prose(source.count("\n", 0, found.start()) + 1, found[0])


def vague_prose(source: str) -> list[Prose]:
    if not VAGUE.search(source):  # to parse a source takes far longer
        return []
    return [prose for prose in (*docstrings(source), *comments(source)) if VAGUE.search(prose.text)]


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "benchmarks", "examples"])
def test_comments_and_docstrings_name_their_subject(folder: str) -> None:
    sources = {str(path): path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.py"))}
    assert sources
    assert {path: vague for path, source in sources.items() if (vague := vague_prose(source))} == {}


def test_comments_of_the_web_app_name_their_subject() -> None:
    folder = ROOT / "web" / "src"
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in (".ts", ".svelte", ".css")]
    prose = {
        path: list(web_comments(path.read_text(encoding="utf-8"))) for path in paths if "generated" not in path.parts
    }
    assert sum(map(len, prose.values())) > 100
    assert [(str(path), found) for path, many in prose.items() for found in many if VAGUE.search(found.text)] == []


def test_documents_name_their_subject() -> None:
    paths = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    read = {path: QUOTED.sub("", path.read_text(encoding="utf-8")) for path in paths}
    assert len(read) > 20
    assert [(path.name, line) for path, text in read.items() for line in text.splitlines() if VAGUE.search(line)] == []


@pytest.mark.parametrize(
    "source", ['"""Somebody asks."""\n', "x = 1  # ask whoever\n", "def f():\n    'Anybody may.'\n"]
)
def test_comments_and_docstrings_are_read(source: str) -> None:
    assert len(vague_prose(source)) == 1


def test_messages_and_names_are_not() -> None:
    assert vague_prose('def nobody() -> str:\n    return "Whoever holds seat 3 is here."\n') == []
