"""How often each side wins at a table, measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from roundtable.lab.balance.tables import tables_of
from roundtable.lab.figures import share_as_plain
from roundtable.lab.simulate import Players, Stopped, simulate
from roundtable.lab.studies import Study, chosen_options
from roundtable.lab.tally import Share, Tally

Watch = Callable[[int], None]
Asked = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """One table and what its games came to."""

    seats: int
    kind: str
    label: str
    options: Mapping[str, Any]
    tally: Tally

    def wins(self, side: str) -> Share:
        return self.tally.wins(side)

    def plain(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "kind": self.kind,
            "table": self.label,
            "options": dict(self.options),
            "wins": {winner: share_as_plain(self.wins(winner)) for winner, _ in sorted(self.tally.endings)},
            "tally": self.tally.plain(),
        }

    @classmethod
    def read(cls, text: dict[str, Any]) -> TableResult:
        return cls(
            seats=text["seats"],
            kind=text["kind"],
            label=text["table"],
            options=text["options"],
            tally=Tally.read(text["tally"]),
        )


def measure_tables(
    asked: Asked, players: Players, known: list[TableResult], watch: Watch, stopped: Stopped
) -> Iterator[TableResult]:
    """One line after the other; those that are known are not played again, and one that was stopped is left out."""
    done = 0
    have = {(line.seats, line.kind, line.label): line for line in known}
    for table in tables_of(asked["game"], asked["seats"], asked["tables"]):
        line = have.get((table.setup.seats, table.kind, table.label))
        if line is None:
            study = Study(setup=table.setup, bots=tuple(asked["bots"]), seed=asked["seed"], games=asked["games"])
            tally = simulate(study, players, None, _after(done, watch), stopped)
            if tally.games < study.games:
                return
            line = TableResult(
                seats=table.setup.seats,
                kind=table.kind,
                label=table.label,
                options=chosen_options(table.setup),
                tally=tally,
            )
        done += asked["games"]
        watch(done)
        yield line


def _after(done: int, watch: Watch) -> Callable[[Tally], None]:
    """How far all of it is, told by how far one table is."""
    return lambda so_far: watch(done + so_far.games)
