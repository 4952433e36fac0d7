"""The figures of an arena as tables, before they are printed or put on a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from roundtable.lab.arena.bootstrap import Estimate
from roundtable.lab.arena.fixtures import GUESTS, TEAMS
from roundtable.lab.arena.forfeits import FAULTS
from roundtable.lab.arena.summary import SIDES, Side, Summary
from roundtable.lab.figures import StudyText

EVEN = 0.5


class Cell(NamedTuple):
    """A figure as it is shown, its interval, and how warm it is: from 0 for never to 1 for always."""

    figure: str
    reach: str = ""
    heat: float | None = None


class Section(NamedTuple):
    """A table with a title; the first column names the rows."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


class ArenaText(StudyText):
    """What an arena says in a language."""

    def heading(self, summary: Summary) -> str:
        return self.text("arena.title", bots=", ".join(summary.study.bots), table=self.table(summary.study))

    def played(self, summary: Summary) -> str:
        if not summary.deals:
            return self.text("arena.none")
        games = summary.deals * len(summary.study.fixtures)
        return self.text("arena.played", deals=f"{summary.deals:,}", games=f"{games:,}", seed=summary.study.seed)

    def side(self, summary: Summary, side: Side) -> str:
        return self.text("arena.both") if side is None else self.word(summary.sides[side])

    def rate(self, estimate: Estimate) -> Cell:
        return Cell(
            self.text("arena.percent", rate=f"{100 * estimate.value:.1f}"), self._reach(estimate), estimate.value
        )

    def points(self, estimate: Estimate) -> Cell:
        heat = min(1.0, max(0.0, EVEN + estimate.value))
        return Cell(f"{100 * estimate.value:+.1f}", self._reach(estimate, "+"), heat)

    def strength(self, estimate: Estimate) -> Cell:
        low, high = (f"{edge:+.2f}" for edge in estimate[1:])
        return Cell(f"{estimate.value:+.2f}", self.text("arena.reach", low=low, high=high))

    def _reach(self, estimate: Estimate, sign: str = "") -> str:
        low, high = (f"{100 * edge:{sign}.1f}" for edge in estimate[1:])
        return self.text("arena.reach", low=low, high=high)


def sections(summary: Summary, text: ArenaText) -> Iterator[Section]:
    """Nothing of a contest that was not played."""
    if not summary.deals:
        return
    if TEAMS in summary.study.contests:
        yield _teams(summary, text)
        yield _strengths(summary, text)
        yield _differences(summary, text)
    if GUESTS in summary.study.contests:
        yield _guests(summary, text)
    yield _faults(summary, text)


def _teams(summary: Summary, text: ArenaText) -> Section:
    bots = summary.study.bots
    rows = [(one, tuple([text.rate(summary.teams[one, other, 0]) for other in bots])) for one in bots]
    first, second = (text.side(summary, side) for side in (0, 1))
    return _section("teams", (f"{first} \\ {second}", *bots), rows, summary, text)


def _strengths(summary: Summary, text: ArenaText) -> Section:
    rows = [
        (bot, tuple([text.strength(summary.strengths[bot, side]) for side in (0, 1)])) for bot in summary.study.bots
    ]
    sides = (text.side(summary, side) for side in (0, 1))
    return _section("strengths", (text.text("arena.column.bot"), *sides), rows, summary, text)


def _differences(summary: Summary, text: ArenaText) -> Section:
    pairs = dict.fromkeys([key[:2] for key in summary.differences])
    rows = [
        (f"{one} – {other}", tuple([text.points(summary.differences[one, other, side]) for side in SIDES]))
        for one, other in pairs
    ]
    sides = [text.side(summary, side) for side in SIDES]
    return _section("differences", (text.text("arena.column.pair"), *sides), rows, summary, text)


def _guests(summary: Summary, text: ArenaText) -> Section:
    rows = []
    for guest, hosts in dict.fromkeys([key[:2] for key in summary.guests]):
        rates = [text.rate(summary.guests[guest, hosts, side]) for side in SIDES]
        gain = text.points(summary.gains[guest, hosts, None])
        rows.append((guest, (Cell(hosts), *rates, gain)))
    named = [text.text(f"arena.column.{name}") for name in ("guest", "hosts", "gain")]
    sides = [text.side(summary, side) for side in SIDES]
    return _section("guests", (*named[:2], *sides, named[2]), rows, summary, text)


def _faults(summary: Summary, text: ArenaText) -> Section:
    kinds = [fault.name.lower() for fault in FAULTS]
    rows = []
    for bot, found in summary.faults.items():
        counts = (found.seats, found.forfeits, *(found.by_fault[kind] for kind in kinds))
        rows.append((bot, tuple([Cell(f"{count:,}") for count in counts])))
    columns = [text.text(f"arena.column.{name}") for name in ("bot", "seats", "forfeits", *kinds)]
    return _section("faults", tuple(columns), rows, summary, text)


def _section(
    name: str, columns: tuple[str, ...], rows: list[tuple[str, tuple[Cell, ...]]], summary: Summary, text: ArenaText
) -> Section:
    first, second = (text.side(summary, side) for side in (0, 1))
    title, note = (text.text(f"arena.{name}.{part}", first=first, second=second) for part in ("title", "note"))
    return Section(title, note, columns, tuple(rows))
