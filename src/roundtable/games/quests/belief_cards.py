"""How likely a quest's cards are in every deal: what lay on the table is known, who laid which card is not."""

from __future__ import annotations

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.belief.placements import Ints, Placements
from roundtable.core.seats import Seat

SUCCESS, FAIL, REVERSE = range(3)  # the columns of chances, in the order of the cards

Table = dict[tuple[int, int], Floats]  # by the number of Fails and of Reverses: how likely so many were laid


def count_cards(
    space: Placements, chances: Floats, team: frozenset[Seat], fails: int, reverses: int, turned: Seat | None
) -> Floats:
    """[mask, outer arrangement, class of `by_joint`]: how likely the team is to have laid just these cards.

    `chances` has a row for each viewpoint and a column for each card. A Success of Good at the seat `turned` became a
    Fail.
    """
    by = space.by_joint
    outer_class = np.zeros(len(by.places), dtype=np.int64)
    outer_class[by.of_code] = space.by_outer.of_code  # a class of `by_joint` lies in one of `by_outer`
    table = evil_cards(space, chances, team, fails, reverses)
    table = {key: part[:, :, outer_class] for key, part in table.items()}
    for column, role in enumerate(by.roles):
        if role in space.cast.choosers:
            table = lay(table, chooser_cards(space, chances, team, role, by.places[:, column]), fails, reverses)
    none = np.zeros((len(space.outer_seats), len(space.outer), len(by.places)))
    found = table.get((fails, reverses), none)
    if turned is None:
        return found
    is_good = ~(space.outer_mask >> turned & 1).astype(bool)
    return np.where(is_good[:, None, None], table.get((fails - 1, reverses), none), found)


def evil_cards(space: Placements, chances: Floats, team: frozenset[Seat], fails: int, reverses: int) -> Table:
    """For each number of Fails and Reverses up to these, how likely Evil on the team is to have laid them."""
    shape = (len(space.outer_seats), len(space.outer), len(space.by_outer.places))
    table: Table = {(0, 0): np.ones(shape)}
    for rank in range(space.outer.shape[1]):
        goes = np.isin(space.outer_seats[:, rank], list(team))[:, None, None]
        ids = space.outer_ids[:, :, rank, :]
        cards = [chances[:, card][ids] for card in (SUCCESS, FAIL, REVERSE)]
        laid = (np.where(goes, cards[SUCCESS], 1.0), cards[FAIL] * goes, cards[REVERSE] * goes)
        table = lay(table, laid, fails, reverses)
    return table


def chooser_cards(
    space: Placements, chances: Floats, team: frozenset[Seat], role: int, ranks: Ints
) -> tuple[Floats, Floats, Floats]:
    """The cards of a Good role that has a choice, by mask and by the rank at which it sits."""
    there = ranks < space.ranks
    at = np.minimum(ranks, space.ranks - 1)
    goes = (np.isin(space.inner_seats[:, at], list(team)) & there)[:, None, :]
    cards = [chances[:, card][space.blind_ids(role)[:, at]][:, None, :] for card in (SUCCESS, FAIL, REVERSE)]
    return np.where(goes, cards[SUCCESS], 1.0), cards[FAIL] * goes, cards[REVERSE] * goes


def lay(table: Table, laid: tuple[Floats, Floats, Floats], fails: int, reverses: int) -> Table:
    """One more card: none that counts, a Fail or a Reverse."""
    after: Table = {}
    for (failed, reversed_), likely in table.items():
        for key, chance in (
            ((failed, reversed_), laid[SUCCESS]),
            ((failed + 1, reversed_), laid[FAIL]),
            ((failed, reversed_ + 1), laid[REVERSE]),
        ):
            if key[0] <= fails and key[1] <= reverses and chance.any():
                after[key] = after[key] + likely * chance if key in after else likely * chance
    return after
