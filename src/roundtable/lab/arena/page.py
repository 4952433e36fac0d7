"""An arena on one page, with heat maps of who won how often."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from roundtable.lab.arena.sections import EVEN, ArenaText, Cell, Section, sections
from roundtable.lab.arena.summary import Summary
from roundtable.lab.pages import html_page

WARMEST = 45  # percent of a colour that text on it can still be read on


def page(summary: Summary, text: ArenaText) -> str:
    body = [f'<p class="whose">{escape(text.played(summary))}</p>']
    for section in sections(summary, text):
        body += _table(section)
    return html_page(text.heading(summary), text.catalogue.lang, body)


def _table(section: Section) -> Iterator[str]:
    yield f"<h2>{escape(section.title)}</h2><p>{escape(section.note)}</p>"
    yield '<div class="scroll"><table class="arena"><thead><tr>'
    yield "".join(f'<th scope="col">{escape(name)}</th>' for name in section.columns) + "</tr></thead><tbody>"
    for name, cells in section.rows:
        yield f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_cell, cells))}</tr>'
    yield "</tbody></table></div>"


def _cell(cell: Cell) -> str:
    reach = f"<small>{escape(cell.reach)}</small>" if cell.reach else ""
    return f"<td {_look(cell.heat)}>{escape(cell.figure)}{reach}</td>"


def _look(heat: float | None) -> str:
    """Green above an even chance and brown below, the fuller the further."""
    if heat is None:
        return 'class="figure"'
    tone, far = ("more" if heat >= EVEN else "less"), abs(heat - EVEN) / EVEN
    return f'class="heat {tone}" style="--heat: {WARMEST * far:.0f}"'
