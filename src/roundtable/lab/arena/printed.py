"""An arena's tables in a terminal: columns under each other."""

from __future__ import annotations

from collections.abc import Iterator

from roundtable.lab.arena.sections import ArenaText, Cell, Section, sections
from roundtable.lab.arena.summary import Summary

GAP = "   "


def printed(summary: Summary, text: ArenaText) -> Iterator[str]:
    yield text.heading(summary)
    yield text.played(summary)
    for section in sections(summary, text):
        yield ""
        yield section.title
        yield section.note
        yield from _lines(section)


def _lines(section: Section) -> Iterator[str]:
    rows = [section.columns, *((name, *map(_shown, cells)) for name, cells in section.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        name, *figures = [word.ljust(width) for word, width in zip(row, widths, strict=True)]
        yield GAP.join(["  " + name, *figures]).rstrip()


def _shown(cell: Cell) -> str:
    return f"{cell.figure} ({cell.reach})" if cell.reach else cell.figure
