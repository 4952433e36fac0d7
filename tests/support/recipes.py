"""Recipes in the documentation: their code blocks as files, and their changes applied to a copy of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r'^```(\w+) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A code block with the path of its file."""

    language: str
    path: str
    text: str


def blocks_of(page: Path) -> Iterator[Block]:
    for language, path, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        yield Block(language, path, text)


def files_of(page: Path) -> dict[str, str]:
    """The files that a page shows; blocks of one file follow one another with two blank lines between them."""
    parts: dict[str, list[str]] = {}
    for block in blocks_of(page):
        parts.setdefault(block.path, []).append(block.text.strip("\n"))
    return {path: "\n\n\n".join(texts) + "\n" for path, texts in parts.items()}


def apply_change(root: Path, block: Block) -> None:
    """Apply a `diff` block: its unchanged and removed lines must occur once in the file, one after the other."""
    lines = block.text.splitlines()
    before = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
    after = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
    file = root / block.path
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{block.path} has {text.count(before)} places for this change:\n{block.text}"
    file.write_text(text.replace(before, after), encoding="utf-8")
