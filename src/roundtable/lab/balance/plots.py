"""The figures as pictures: a dot for each table on a line from never to always, with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from roundtable.core.balance import People, PeopleAt
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.words import BalanceText
from roundtable.lab.tally import Share

LABELS, SCALE, RIGHT = 330, 480, 130  # widths: names, the line from 0 to 100 %, the figure
ROW, TOP = 22, 28


def plot(people: People | None, side: str, lines: list[TableResult], text: BalanceText) -> str:
    """All tables for one number of players, as SVG; where people played with the same roles, a ring of theirs."""
    with_any_roles = people.by_seats.get(lines[0].seats) if people else None
    rows = len(lines) + (1 if with_any_roles else 0)
    height, width = TOP + ROW * rows + 6, LABELS + SCALE + RIGHT
    parts = [*_grid(height)]
    for row, line in enumerate(lines):
        parts += _row(row, text.label(line.label), line.wins(side), line.kind)
        if theirs := people.at_table(line.seats, line.label) if people else None:
            parts += _dot(row, Share(*theirs), "people beside")
    if with_any_roles:
        label = text.text("balance.people_row", games=f"{with_any_roles.games:,}")
        parts += _row(len(lines), label, _share_of(with_any_roles), "people")
    name = text.text("balance.plot", side=text.word(side), seats=lines[0].seats)
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(name)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _share_of(people: PeopleAt) -> Share:
    return Share(round(people.games * people.first_side_won / 100), people.games)


def _at(rate: float) -> float:
    return LABELS + SCALE * rate


def _grid(height: int) -> Iterator[str]:
    for percent in range(0, 101, 25):
        place = _at(percent / 100)
        kind = "even" if percent == 50 else "grid"
        yield f'<line class="{kind}" x1="{place:.1f}" x2="{place:.1f}" y1="{TOP - 6}" y2="{height - 4}"/>'
        yield f'<text class="scale" x="{place:.1f}" y="{TOP - 12}">{percent} %</text>'


def _row(row: int, label: str, share: Share, kind: str) -> Iterator[str]:
    text = TOP + ROW * row + ROW / 2 + 4
    yield f'<text class="name {kind}" x="{LABELS - 10}" y="{text:.1f}">{escape(label)}</text>'
    yield from _dot(row, share, kind)
    yield f'<text class="figure" x="{LABELS + SCALE + 12}" y="{text:.1f}">{100 * share.rate:.2f} %</text>'


def _dot(row: int, share: Share, kind: str) -> Iterator[str]:
    middle = TOP + ROW * row + ROW / 2
    low, high = share.interval
    yield f'<line class="reach {kind}" x1="{_at(low):.1f}" x2="{_at(high):.1f}" y1="{middle:.1f}" y2="{middle:.1f}"/>'
    yield (
        f'<circle class="dot {kind}" cx="{_at(share.rate):.1f}" cy="{middle:.1f}" r="5">'
        f"<title>{100 * share.rate:.2f} % ({100 * low:.2f} – {100 * high:.2f})</title></circle>"
    )
