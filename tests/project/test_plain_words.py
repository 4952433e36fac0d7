"""Comments and docstrings name their subject: they have none of the pronouns in `VAGUE`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from support.paths import ROOT

VAGUE = re.compile(r"\b([Ww]hoever|[Ss]omebody|[Nn]obody|[Aa]nybody)\b")  # NOBODY is a name in the code


class Prose(NamedTuple):
    """A comment or a docstring, and the line where it begins."""

    line: int
    text: str


def docstrings(source: str) -> Iterator[Prose]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if (text := ast.get_docstring(node)) is not None:
                yield Prose(node.body[0].lineno, text)


def comments(source: str) -> Iterator[Prose]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Prose(token.start[0], token.string)


def vague_prose(source: str) -> list[Prose]:
    return [prose for prose in (*docstrings(source), *comments(source)) if VAGUE.search(prose.text)]


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "benchmarks", "examples"])
def test_comments_and_docstrings_name_their_subject(folder: str) -> None:
    sources = {str(path): path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.py"))}
    assert sources
    assert {path: vague for path, source in sources.items() if (vague := vague_prose(source))} == {}


@pytest.mark.parametrize(
    "source", ['"""Somebody asks."""\n', "x = 1  # ask whoever\n", "def f():\n    'Anybody may.'\n"]
)
def test_comments_and_docstrings_are_read(source: str) -> None:
    assert len(vague_prose(source)) == 1


def test_messages_and_names_are_not() -> None:
    assert vague_prose('def nobody() -> str:\n    return "Whoever holds seat 3 is here."\n') == []
