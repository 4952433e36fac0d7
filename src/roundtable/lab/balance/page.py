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
from roundtable.lab.balance.words import BalanceText
from roundtable.lab.pages import html_page
from roundtable.lab.tally import NOBODY, Share


def page(asked: dict[str, Any], sides: tuple[str, str], lines: list[TableResult], text: BalanceText) -> str:
    balance = balance_of(asked["game"])
    body = [
        *_opening(balance, asked, sides[0], lines, text),
        *_pictures(balance.people, sides[0], lines, text),
        *_figures(sides, lines, text),
    ]
    return html_page(text.text("balance.title", game=text.game_name), text.catalogue.lang, body)


def _opening(
    balance: Balance, asked: dict[str, Any], side: str, lines: list[TableResult], text: BalanceText
) -> Iterator[str]:
    players, games = text.bots(tuple(asked["bots"])), f"{asked['games']:,}"
    opening = text.text("balance.opening", players=players, games=games, seed=asked["seed"])
    yield f'<p class="whose"><strong>{escape(text.text("balance.whose"))}</strong> {escape(opening)}</p><ul>'
    for sentence in findings(balance, side, lines, text):
        yield f"<li>{escape(sentence)}</li>"
    yield "</ul>"
    if balance.people:
        yield f"<p>{escape(text.text('balance.beside', people=text.people))}</p>"


def _pictures(people: People | None, side: str, lines: list[TableResult], text: BalanceText) -> Iterator[str]:
    legend = text.text("balance.legend_people" if people else "balance.legend")
    yield f"<h2>{escape(text.text('balance.plots', side=text.word(side)))}</h2><p>{escape(legend)}</p>"
    for seats, group in groupby(lines, key=lambda line: line.seats):
        yield f"<h3>{escape(text.text('balance.seats', seats=seats))}</h3>{plot(people, side, list(group), text)}"


def _figures(sides: tuple[str, str], lines: list[TableResult], text: BalanceText) -> Iterator[str]:
    winners = (*sides, NOBODY) if any(line.wins(NOBODY).cases for line in lines) else sides
    yield f'<h2>{escape(text.text("balance.figures"))}</h2><div class="scroll"><table><thead><tr>'
    yield "".join(f"<th>{escape(name)}" for name in _columns(winners, text)) + "</tr></thead><tbody>"
    for line in lines:
        wins = "".join(f'<td class="number">{text.share(line.wins(name))}' for name in winners)
        label, kind = text.label(line.label), text.text(f"balance.kind.{line.kind}")
        yield (
            f'<tr><td class="number">{line.seats}<td>{escape(label)}<td>{escape(kind)}'
            f'<td class="number">{line.tally.games:,}{wins}<td class="why">{_reasons(line, text)}</tr>'
        )
    yield "</tbody></table></div>"


def _columns(winners: tuple[str, ...], text: BalanceText) -> Iterator[str]:
    for name in ("players", "table", "kind", "games"):
        yield text.text(f"balance.column.{name}")
    for side in winners:
        yield text.text("balance.column.won", side=text.winner(side))
    yield text.text("balance.column.why")


def _reasons(line: TableResult, text: BalanceText) -> str:
    shares = [(reason, Share(count, line.tally.games)) for (_, reason), count in sorted(line.tally.endings.items())]
    return "<br>".join(escape(f"{100 * share.rate:.1f} % {text.reason(reason)}") for reason, share in shares)
