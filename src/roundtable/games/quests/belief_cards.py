"""How likely a quest's cards are in every deal: what lay on the table is known, who laid which card is not."""

from __future__ import annotations

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.belief.placements import Placements, Projection
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
    evil = evil_cards(space, chances, team, fails, reverses)
    shared = [space.by_outer.roles.index(role) for role in space.by_outer.roles]
    by = space.by_joint
    found = np.empty((len(space.outer_seats), len(space.outer), len(by.places)))
    for place in range(len(by.places)):
        outer_class = class_of(space.by_outer, by, place) if shared else 0
        table = {key: part[:, :, outer_class] for key, part in evil.items()}
        found[:, :, place] = with_choosers(space, chances, team, table, place).get((fails, reverses), 0.0)
        if turned is not None:
            fewer = with_choosers(space, chances, team, table, place).get((fails - 1, reverses), 0.0)
            is_good = ~(space.outer_mask >> turned & 1).astype(bool)
            found[:, :, place] = np.where(is_good[:, None], fewer, found[:, :, place])
    return found


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


def with_choosers(space: Placements, chances: Floats, team: frozenset[Seat], table: Table, place: int) -> Table:
    """The same with the cards of Good roles that have a choice, in one class of their places."""
    by = space.by_joint
    for column, role in enumerate(by.roles):
        rank = by.places[place, column]
        if role in space.cast.choosers and rank < space.ranks:
            goes = np.isin(space.inner_seats[:, rank], list(team))[:, None]
            cards = chances[space.blind_ids(role)[:, rank]][:, :, None]
            laid = (np.where(goes, cards[:, SUCCESS], 1.0), cards[:, FAIL] * goes, cards[:, REVERSE] * goes)
            table = lay(table, laid, *most_of(table, laid))
    return table


def most_of(table: Table, laid: tuple[Floats, Floats, Floats]) -> tuple[int, int]:
    """All numbers that can be reached with one card more."""
    return max(fails for fails, _ in table) + 1, max(reverses for _, reverses in table) + 1


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


def class_of(coarse: Projection, fine: Projection, place: int) -> int:
    """The class of the coarser projection that a class of the finer one lies in."""
    columns = [fine.roles.index(role) for role in coarse.roles]
    (found,) = np.flatnonzero((coarse.places == fine.places[place, columns]).all(axis=1))
    return int(found)
