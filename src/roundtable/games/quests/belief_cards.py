"""How likely a quest's cards are in every deal: what lay on the table is known, who laid which card is not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats
from roundtable.belief.placements import Placements
from roundtable.core.seats import Seat

SUCCESS, FAIL, REVERSE = range(3)  # the columns of chances, in the order of the cards

Table = Floats  # [Fails, Reverses, …]: how likely so many were laid, up to those that lay on the table


def count_cards(
    space: Placements, chances: Floats, team: frozenset[Seat], fails: int, reverses: int, turned: Seat | None
) -> Floats:
    """[mask, outer arrangement, class of `by_joint`]: how likely the team is to have laid just these cards.

    `chances` has a row for each viewpoint and a column for each card. A Success of Good at the seat `turned` became a
    Fail.
    """
    cards = np.ascontiguousarray(chances.T)
    choosers = [at for at, role in enumerate(space.by_joint.roles) if role in space.cast.choosers]
    more = len(choosers) + (turned is not None)  # that may be laid after Evil's cards
    evil = evil_cards(space, cards, team, fails, reverses)[max(0, fails - more) :, max(0, reverses - more) :]
    table = evil.take(space.outer_of_joint, axis=-1)
    for at in choosers:
        table = chooser_cards(space, cards, team, at, table)
    if turned is None:
        return np.asarray(table[-1, -1])
    is_good = ~(space.outer_mask >> turned & 1).astype(bool)
    return np.where(is_good[:, None, None], table[-2, -1] if fails else 0.0, table[-1, -1])


def evil_cards(space: Placements, cards: Floats, team: frozenset[Seat], fails: int, reverses: int) -> Table:
    """[…, mask, outer arrangement, class of `by_outer`]: how likely Evil on the team is to have laid so many."""
    table = np.zeros((fails + 1, reverses + 1, len(space.outer_seats), len(space.outer), len(space.by_outer.places)))
    table[0, 0] = 1.0
    for rank in range(space.outer.shape[1]):
        goes = np.isin(space.outer_seats[:, rank], list(team))
        table[:, :, goes] = lay(table[:, :, goes], cards, space.outer_ids[goes, :, rank, :])
    return table


def chooser_cards(space: Placements, cards: Floats, team: frozenset[Seat], column: int, table: Table) -> Table:
    """And a Good role that has a choice, by mask and by the rank at which it sits."""
    role, ranks = space.by_joint.roles[column], space.by_joint.places[:, column]
    at = np.minimum(ranks, space.ranks - 1)
    goes = (np.isin(space.inner_seats[:, at], list(team)) & (ranks < space.ranks))[:, None, :]
    return np.where(goes, lay(table, cards, space.blind_ids(role)[:, None, at]), table)


def lay(table: Table, cards: Floats, viewpoints: NDArray[np.integer]) -> Table:
    """One more card, of a seat with these viewpoints: one that does not count, a Fail or a Reverse."""
    after: Table = table * cards[SUCCESS].take(viewpoints)
    if len(table) > 1:
        after[1:] += table[:-1] * cards[FAIL].take(viewpoints)
    if table.shape[1] > 1:
        after[:, 1:] += table[:, :-1] * cards[REVERSE].take(viewpoints)
    return after
