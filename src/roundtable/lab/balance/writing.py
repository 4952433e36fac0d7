"""Where the figures go: a page for people, and the same for programs as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from roundtable.core.errors import StudyError
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.page import page
from roundtable.lab.balance.tables import balance_of
from roundtable.lab.balance.words import BalanceText
from roundtable.lab.files import replace
from roundtable.lab.tally import NOBODY


class ReportFolder:
    """A folder with GAME.html, GAME.json and GAME.csv. The JSON is also what a stopped command goes on from.

    The page is in the language of `text`; what programs read is the same in every language.
    """

    def __init__(self, folder: Path, asked: dict[str, Any], sides: tuple[str, str], text: BalanceText) -> None:
        self._folder = folder
        self._asked = asked
        self._sides = sides
        self._text = text

    @property
    def page(self) -> Path:
        return self._at("html")

    def known(self) -> list[TableResult]:
        """Lines that were written before, by the same command."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._at("json")
        if not path.exists():
            return []
        try:
            written = json.loads(path.read_text())
            if written["asked"] == self._asked:
                return [TableResult.read(line) for line in written["lines"]]
        except (ValueError, TypeError, KeyError, AttributeError):
            pass  # another program's
        raise StudyError("study/file", "folder", path=str(path))

    def write(self, lines: list[TableResult]) -> None:
        people = balance_of(self._asked["game"]).people
        by_seats = {seats: known._asdict() for seats, known in people.by_seats.items()} if people else {}
        report = {
            "asked": self._asked,
            "lines": [line.plain() for line in lines],
            "people": by_seats,
        }
        html = page(self._asked, self._sides, lines, self._text)
        replace(self._at("json"), lambda new: new.write_text(json.dumps(report, indent=1)))
        replace(self._at("csv"), lambda new: new.write_text(self._as_csv(lines)))
        replace(self._at("html"), lambda new: new.write_text(html, encoding="utf-8"))

    def _as_csv(self, lines: list[TableResult]) -> str:
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["game", "bots", "seats", "kind", "table", "side", "won", "games", "rate", "low", "high"])
        for line in lines:
            for side in (*self._sides, NOBODY):
                share = line.wins(side)
                figures = [f"{figure:.6f}" for figure in (share.rate, *share.interval)]
                bots = " ".join(self._asked["bots"])
                rows.writerow([self._asked["game"], bots, line.seats, line.kind, line.label, side, *share, *figures])
        return text.getvalue()

    def _at(self, ending: str) -> Path:
        return self._folder / f"{self._asked['game']}.{ending}"
