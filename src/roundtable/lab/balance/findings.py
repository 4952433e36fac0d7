"""What the figures say, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roundtable.core.balance import Balance, People
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.tables import ROLES, USUAL
from roundtable.lab.balance.words import BalanceText

EVEN = 0.5


def findings(balance: Balance, side: str, lines: list[TableResult], text: BalanceText) -> list[str]:
    """`side` is the one whose chances are told: the first side of the game."""
    said = [*_usual(side, lines, text), *_claim(balance.called_unfair, side, lines, text)]
    if any(line.kind == ROLES for line in lines):
        said += _nearest_to_even(side, lines, text)
    if balance.people:
        said += _beside_people(balance.people, side, lines, text)
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


def _usual(side: str, lines: list[TableResult], text: BalanceText) -> Iterator[str]:
    usual = [line for line in lines if line.kind == USUAL]
    if usual:
        low, high = (edge(usual, key=lambda line: line.wins(side).rate) for edge in (min, max))
        yield text.text(
            "balance.usual",
            side=text.word(side),
            fewest=low.seats,
            fewest_table=text.label(low.label),
            least=text.share(low.wins(side)),
            most=high.seats,
            most_table=text.label(high.label),
            greatest=text.share(high.wins(side)),
        )


def _claim(claimed: Sequence[int], side: str, lines: list[TableResult], text: BalanceText) -> Iterator[str]:
    """Whether these numbers of players favour the first side, as the documents say (T5)."""
    usual = {line.seats: line.wins(side) for line in lines if line.kind == USUAL}
    others = [share.rate for seats, share in usual.items() if seats not in claimed]
    for seats in claimed:
        if seats in usual and others:
            share = usual[seats]
            compared = "more" if share.rate > max(others) else "less"
            often = "often" if share.rate > EVEN else "rarely"
            yield text.text(
                f"balance.claim.{compared}_{often}",
                seats=seats,
                side=text.word(side),
                share=text.share(share),
                low=f"{100 * min(others):.1f}",
                high=f"{100 * max(others):.1f}",
            )


def _nearest_to_even(side: str, lines: list[TableResult], text: BalanceText) -> Iterator[str]:
    for seats, line in sorted(nearest_to_even(side, lines).items()):
        share, table = text.share(line.wins(side)), text.label(line.label)
        yield text.text("balance.nearest", seats=seats, table=table, side=text.word(side), share=share)


def _beside_people(people: People, side: str, lines: list[TableResult], text: BalanceText) -> Iterator[str]:
    usual = usual_rates(side, lines)
    for seats, known in sorted(people.by_seats.items()):
        if seats in usual:
            yield text.text(
                "balance.people_won",
                won=f"{known.first_side_won:.1f}",
                games=f"{known.games:,}",
                side=text.word(side),
                seats=seats,
                rate=f"{100 * usual[seats]:.1f}",
            )
