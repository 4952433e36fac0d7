"""Prints the Avalon tables of docs/balance.md from the output of `roundtable balance avalon`.

    python tools/balance_tables.py balance/avalon.json [quick/avalon.json]

Tables that the first file lacks come from the second, marked with a ~, because they have fewer games.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from roundtable.games.avalon.balance import BALANCE, DUTY
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.lab.balance.tables import VARIANT, tables_of

COUNTS = range(AvalonSetup.fewest, AvalonSetup.most + 1)
Shown = dict[tuple[str, int], str]


def shown(path: Path, mark: str) -> Shown:
    """Good's wins by table and number of players, in percent; those of people after the dot."""
    cells = {}
    for line in json.loads(path.read_text())["lines"]:
        seats, label = line["seats"], line["table"].removesuffix(DUTY)
        people = BALANCE.people.at_table(seats, label) if BALANCE.people else None
        bots = f"{mark}{100 * line['wins']['Good']['rate']:.1f}"
        cells[label, seats] = bots if people is None else f"{bots} · {100 * people.games_won / people.games:.1f}"
    return cells


def rows(cells: Shown, labels: list[str], quote: str) -> list[str]:
    def cells_of(label: str) -> str:
        return " | ".join(cells.get((label, seats), "") for seats in COUNTS)

    return [f"| {quote}{label}{quote} | {cells_of(label)} |" for label in labels]


def main(paths: list[str]) -> None:
    cells: Shown = {}
    for mark, path in reversed(list(zip(("", "~"), map(Path, paths), strict=False))):
        cells |= shown(path, mark)
    tables: dict[bool, list[Any]] = {False: [], True: []}
    for table in tables_of("avalon"):
        label, kind = table.label.removesuffix(DUTY), table.kind == VARIANT
        if label not in tables[kind]:
            tables[kind].append(label)
    roles = sorted(tables[False], key=lambda label: (label.count(",") + (label != "no special roles"), label))
    print("\n".join(rows(cells, roles, "")), "\n")
    print("\n".join(rows(cells, tables[True], "`")))


main(sys.argv[1:])
