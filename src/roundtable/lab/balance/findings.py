"""What the figures say, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roundtable.core.balance import Balance, People
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.tables import ROLES, USUAL
from roundtable.lab.figures import percent

EVEN = 0.5


def findings(balance: Balance, side: str, lines: list[TableResult]) -> list[str]:
    """`side` is whose chances are told: Good, or the Citizens."""
    said = [*_usual(side, lines), *_claim(balance.called_unfair, side, lines)]
    if any(line.kind == ROLES for line in lines):
        said += _nearest_to_even(side, lines)
    if balance.people:
        said += _beside_people(balance.people, side, lines)
    return said


def usual_rates(side: str, lines: list[TableResult]) -> dict[int, float]:
    return {line.seats: line.wins(side).rate for line in lines if line.kind == USUAL}


def nearest_to_even(side: str, lines: list[TableResult]) -> dict[int, TableResult]:
    """For each number of players the set of roles with which the sides win most alike."""
    best: dict[int, TableResult] = {}
    for line in lines:
        if line.kind in (USUAL, ROLES):
            known = best.get(line.seats)
            if known is None or _distance(side, line) < _distance(side, known):
                best[line.seats] = line
    return best


def _distance(side: str, line: TableResult) -> float:
    return abs(line.wins(side).rate - EVEN)


def _usual(side: str, lines: list[TableResult]) -> Iterator[str]:
    usual = [line for line in lines if line.kind == USUAL]
    if usual:
        low, high = (edge(usual, key=lambda line: line.wins(side).rate) for edge in (min, max))
        yield (
            f"At the usual tables {side} won least with {low.seats} players ({low.label}), {percent(low.wins(side))}, "
            f"and most with {high.seats} ({high.label}), {percent(high.wins(side))}."
        )


def _claim(claimed: Sequence[int], side: str, lines: list[TableResult]) -> Iterator[str]:
    """Whether these numbers of players favour the first side, as the documents say (T5)."""
    usual = {line.seats: line.wins(side) for line in lines if line.kind == USUAL}
    others = [share.rate for seats, share in usual.items() if seats not in claimed]
    for seats in claimed:
        if seats in usual and others:
            share = usual[seats]
            more = "more than at" if share.rate > max(others) else "less than at some of"
            yield (
                f"The documents call {seats} players heavily imbalanced in favour of {side}: here {side} won "
                f"{percent(share)}, {more} the counts that they do not name "
                f"({100 * min(others):.1f} to {100 * max(others):.1f} %), and {_against_even(share.rate)}."
            )


def _against_even(rate: float) -> str:
    return "more often than not" if rate > EVEN else "still less often than not"


def _nearest_to_even(side: str, lines: list[TableResult]) -> Iterator[str]:
    for seats, line in sorted(nearest_to_even(side, lines).items()):
        yield f"With {seats} players the sides were closest with {line.label}: {side} {percent(line.wins(side))}."


def _beside_people(people: People, side: str, lines: list[TableResult]) -> Iterator[str]:
    usual = usual_rates(side, lines)
    for seats, known in sorted(people.by_seats.items()):
        if seats in usual:
            yield (
                f"People won {known.good_won:.1f} % of {known.games:,} games as {side} with {seats} players, with "
                f"any roles; these bots {100 * usual[seats]:.1f} % with the usual ones."
            )
