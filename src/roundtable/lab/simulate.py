"""A study from the first game to the last: what is finished stays finished, and the rest is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from roundtable.lab.batches import Played, get_ready, on_this_machine
from roundtable.lab.studies import Slice, Study
from roundtable.lab.tally import Tally

Stopped = Callable[[], bool]
Players = Callable[[Study, Iterable[Slice], Stopped], Iterator[Played]]
Watch = Callable[[Tally], None]


class Store(Protocol):
    """Where finished batches are kept."""

    def open(self) -> None: ...

    def whole(self) -> Tally | None:
        """The figures of a study that is complete."""
        ...

    def finished(self) -> Iterable[tuple[Slice, Tally]]:
        """The batches that need not be played again."""
        ...

    def keep(self, played: Played) -> None: ...

    def bind(self, tally: Tally) -> None:
        """All batches are kept."""
        ...


def players_here(jobs: int) -> Players:
    def play(study: Study, pieces: Iterable[Slice], stopped: Stopped) -> Iterator[Played]:
        get_ready(study)
        return on_this_machine(study, pieces, jobs, stopped)

    return play


def simulate(
    study: Study,
    players: Players,
    store: Store | None = None,
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
