"""One self-contained page: whose games, what they say, the plots, and every figure."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from roundtable.core.balance import Balance, People
from roundtable.lab.balance.findings import findings
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.plots import plot
from roundtable.lab.balance.tables import balance_of
from roundtable.lab.figures import percent, whose
from roundtable.lab.tally import NOBODY, Share

STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fdfcf9; --faint: #d9d5ca; --soft: #6b6557; --dot: #1f6f5c;
  --other: #8a5a16; --people: #7a3e9d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #15181c; --faint: #363b42; --soft: #a49d8e;
  --dot: #58c2a4; --other: #dba44e; --people: #c79be6; } }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } .whose { border-left: .3rem solid var(--dot); padding-left: .8rem; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; } .scale { text-anchor: middle; }
svg text.scale { fill: var(--soft); } .name { text-anchor: end; } svg text.usual { font-weight: 700; }
.grid { stroke: var(--faint); } .even { stroke: var(--soft); stroke-dasharray: 4 3; }
.dot, .reach { fill: var(--dot); stroke: var(--dot); } .reach { stroke-width: 3; }
.variant.dot, .variant.reach { fill: none; stroke: var(--other); stroke-width: 2; }
.people.dot, .people.reach { fill: var(--people); stroke: var(--people); }
.beside.dot { fill: none; } .beside.reach { stroke-width: 1; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .25rem .5rem; text-align: left; border-bottom: 1px solid var(--faint); white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
"""


def page(asked: dict[str, Any], sides: tuple[str, str], lines: list[TableResult]) -> str:
    balance = balance_of(asked["game"])
    return "".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>How fair is {balance.title}?</title><style>{STYLE}</style></head><body>",
            *_opening(balance, asked, sides[0], lines),
            *_pictures(balance.people, sides[0], lines),
            *_figures(sides, lines),
            "</body></html>",
        ]
    )


def _opening(balance: Balance, asked: dict[str, Any], side: str, lines: list[TableResult]) -> Iterator[str]:
    players = whose(tuple(asked["bots"]))
    yield f"<h1>How fair is {balance.title}?</h1>"
    yield (
        f'<p class="whose"><strong>Whose games these are:</strong> {escape(players)}, {asked["games"]:,} games at each '
        f"table, seed {escape(asked['seed'])}. They play in silence, and what they win says as much about them as "
        f"about the game. Intervals are Wilson's, at 95 %.</p><ul>"
    )
    for sentence in findings(balance, side, lines):
        yield f"<li>{escape(sentence)}</li>"
    yield "</ul>"
    if balance.people:
        yield f"<p>Beside them, in purple, with their much wider intervals: {escape(balance.people.source)}.</p>"


def _pictures(people: People | None, side: str, lines: list[TableResult]) -> Iterator[str]:
    yield f"<h2>How often {escape(side)} won</h2>"
    rings = "; a thin purple ring is people with the same roles" if people else ""
    yield f"<p>Bold is the usual table, a full dot a set of roles, a ring a variant of the usual table{rings}.</p>"
    for seats, group in groupby(lines, key=lambda line: line.seats):
        yield f"<h3>{seats} players</h3>{plot(people, side, list(group))}"


def _figures(sides: tuple[str, str], lines: list[TableResult]) -> Iterator[str]:
    yield '<h2>Every figure</h2><div class="scroll"><table><thead><tr><th>players<th>table<th>kind<th>games'
    yield "".join(f"<th>{escape(name)} won" for name in (*sides, NOBODY)) + "<th>why</tr></thead><tbody>"
    for line in lines:
        wins = "".join(f'<td class="number">{percent(line.wins(name))}' for name in (*sides, NOBODY))
        yield (
            f'<tr><td class="number">{line.seats}<td>{escape(line.label)}<td>{line.kind}'
            f'<td class="number">{line.tally.games:,}{wins}<td>{escape(_reasons(line))}</tr>'
        )
    yield "</tbody></table></div>"


def _reasons(line: TableResult) -> str:
    shares = [(reason, Share(count, line.tally.games)) for (_, reason), count in sorted(line.tally.endings.items())]
    return ", ".join(f"{reason} {100 * share.rate:.1f} %" for reason, share in shares)
