"""A study from the first game to the last: what is finished stays finished, and the rest is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from roundtable.lab.batches import Played, get_ready, on_this_machine
from roundtable.lab.studies import Slice, Study
from roundtable.lab.tally import Tally

if TYPE_CHECKING:
    from roundtable.lab.parquet_store import ParquetStore

Stopped = Callable[[], bool]
Players = Callable[[Study, Iterable[Slice], Stopped], Iterator[Played]]
Watch = Callable[[Tally], None]


def players_here(jobs: int) -> Players:
    def play(study: Study, pieces: Iterable[Slice], stopped: Stopped) -> Iterator[Played]:
        get_ready(study)
        return on_this_machine(study, pieces, jobs, stopped)

    return play


def simulate(
    study: Study,
    players: Players,
    store: ParquetStore | None = None,
    watch: Watch = lambda tally: None,
    stopped: Stopped = lambda: False,
) -> Tally:
    """The figures of all games, or of those that were finished when it was stopped."""
    finished: dict[Slice, Tally] = {}
    if store:
        store.open()
        if whole := store.whole():
            return whole
        finished = dict(store.finished())
    tally = sum(finished.values(), Tally())
    games = players(study, (piece for piece in study.slices() if piece not in finished), stopped)
    watch(tally)
    for played in games:
        if store:
            store.keep(played)
        tally += played.tally
        watch(tally)
    if store and tally.games == study.games:
        store.bind(tally)
    return tally
