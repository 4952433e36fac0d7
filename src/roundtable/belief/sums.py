"""Sums over all deals of a layout: totals, chances by seat and role, entropy; and deals drawn from them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats
from roundtable.belief.orders import Ints
from roundtable.belief.placements import Placements

BLOCK = 1 << 17  # numbers in a block: small enough for the processor's caches, large enough for NumPy


class Evidence(NamedTuple):
    """What is known, in logs: by viewpoint, and by mask, outer arrangement and class of `Placements.by_joint`."""

    by_viewpoint: Floats
    joint: Floats


class Sums(NamedTuple):
    """The log of the total weight, each seat's share by role, the entropy in bits if asked for, and outer logs."""

    log_total: float
    chances: Floats
    entropy: float
    outer_logs: Floats  # [mask, outer arrangement]


class Block(NamedTuple):
    """The weights of the deals with some masks. Each is a product: an outer factor and an inner one."""

    outer_log: Floats  # [mask, outer arrangement, code]
    inner_log: Floats  # [mask, group, inner arrangement]


def block_of(space: Placements, known: Evidence, masks: slice, with_chances: bool) -> Block:
    outer, inner = outer_of(space, known, masks), inner_of(space, known, masks)
    if with_chances:
        outer += space.outer_log[:, None]
        inner += space.inner_log
    return Block(outer, inner)


def outer_of(space: Placements, known: Evidence, at: Any) -> Floats:
    """[…, code]: what is known of outer arrangements; `at` says which, by mask and row."""
    logs = known.by_viewpoint
    seen_by_outer = logs[space.outer_ids[at]].sum(axis=-2)
    joint = known.joint[at] + seen_by_outer.take(space.outer_of_joint, axis=-1)  # before there are many of them
    outer: Floats = joint.take(space.by_joint.of_code, axis=-1)
    for ids, by in zip(space.coupled_ids, space.by_coupled, strict=True):
        outer += logs[ids[at]].take(by.of_code, axis=-1)
    return outer


def inner_of(space: Placements, known: Evidence, at: Any) -> Floats:
    """[…, inner arrangement]: what is known of them beside outer ones; `at` says which, by mask and group."""
    local = known.by_viewpoint[space.rest_ids[at]]
    inner: Floats = local.take(space.local_of[:, 0], axis=-1)
    for rank in range(1, space.ranks):
        inner += local.take(space.local_of[:, rank], axis=-1)
    return inner


def sums_over(
    space: Placements, known: Evidence, roles: int, with_chances: bool = True, with_entropy: bool = False
) -> Sums:
    """Sum up. Without chances every deal counts alike, so that possible deals are counted (exactly, below 2**53)."""
    found = [
        one_block(space, block_of(space, known, masks, with_chances), masks, roles, with_entropy)
        for masks in blocks(space)
    ]
    top = max((one.log_total for one in found), default=-np.inf)
    if top == -np.inf:
        empty = np.full((len(space.outer_seats), len(space.outer)), -np.inf)
        return Sums(-np.inf, np.zeros((space.cast.seats, roles)), 0.0, empty)
    shares = np.exp([one.log_total - top for one in found])
    total = shares.sum()
    chances = sum(share * one.chances for share, one in zip(shares, found, strict=True)) / total
    outer = np.concatenate([one.outer_logs for one in found])
    log_total = top + float(np.log(total))
    weight = shares / total
    inside = sum(share * one.entropy for share, one in zip(weight, found, strict=True))
    between = -sum(share * np.log2(share) for share in weight if share)
    return Sums(log_total, np.asarray(chances), float(inside + between), outer)


def possible_layouts(space: Placements, known: Evidence) -> NDArray[np.bool_]:
    """[mask, outer arrangement]: whether any deal with it is possible. A log is 0 for possible, and -inf for not."""
    fits = np.isfinite(known.by_viewpoint)
    outer = np.isfinite(known.joint) & fits[space.outer_ids].all(axis=2).take(space.outer_of_joint, axis=2)
    codes = outer.take(space.by_joint.of_code, axis=2)
    for ids, by in zip(space.coupled_ids, space.by_coupled, strict=True):
        codes &= fits[ids].take(by.of_code, axis=2)
    local = fits[space.rest_ids]
    inner = local.take(space.local_of[:, 0], axis=2)
    for rank in range(1, space.ranks):
        inner &= local.take(space.local_of[:, rank], axis=2)
    meeting = np.logical_or.reduceat(inner, space.code_starts, axis=2)
    return np.asarray((codes & meeting[:, space.group_of]).any(axis=2))


def blocks(space: Placements) -> list[slice]:
    row = max(len(space.outer) * len(space.codes), space.groups * len(space.inner), 1)
    step = max(1, BLOCK // row)
    return [slice(first, first + step) for first in range(0, len(space.outer_seats), step)]


def one_block(space: Placements, block: Block, masks: slice, roles: int, with_entropy: bool) -> Sums:
    outer_top, inner_top = tops(block.outer_log), tops(block.inner_log)
    outer, inner = block.outer_log - outer_top[:, :, None], block.inner_log - inner_top[:, :, None]
    np.exp(outer, out=outer)
    np.exp(inner, out=inner)
    groups = space.rows_of_groups
    meeting = np.add.reduceat(inner, space.code_starts, axis=2)
    sums = [np.einsum("mvc,mc->mv", outer[:, rows], meeting[:, group]) for group, rows in enumerate(groups)]
    scale = outer_top + inner_top[:, space.group_of]
    with np.errstate(divide="ignore"):
        outer_logs = scale + np.log(np.concatenate(sums, axis=1))
    top = outer_logs.max(initial=-np.inf)
    if top == -np.inf:
        return Sums(-np.inf, np.zeros((space.cast.seats, roles)), 0.0, outer_logs)
    by_outer = np.exp(outer_logs - top)
    total = by_outer.sum()
    factor = np.exp(np.minimum(scale - top, 700.0))  # a scale is above the top only where its weight is next to nothing
    joined = np.stack([np.einsum("mv,mvc->mc", factor[:, rows], outer[:, rows]) for rows in groups], axis=1)
    beside = joined.take(space.code_of, axis=2)
    by_inner = np.einsum("mga,mga->ma", beside, inner)
    chances = chances_of(space, masks, by_outer, by_inner, roles) / total
    log_total = top + float(np.log(total))
    entropy = 0.0
    if with_entropy:
        mean = mean_log(factor[:, :, None] * outer, meeting[:, space.group_of], block.outer_log)
        entropy = (log_total - (mean + mean_log(beside, inner, block.inner_log)) / total) / np.log(2)
    return Sums(log_total, chances, max(0.0, float(entropy)), outer_logs)


def tops(logs: Floats) -> Floats:
    """The largest of each row, and 0 where nothing is possible."""
    top = logs.max(axis=-1)
    return np.where(np.isfinite(top), top, 0.0)


def mean_log(one: Floats, other: Floats, logs: Floats) -> float:
    return float(np.einsum("mvc,mvc,mvc->", one, other, np.where(np.isfinite(logs), logs, 0.0)))


def chances_of(space: Placements, masks: slice, by_outer: Floats, by_inner: Floats, roles: int) -> Floats:
    """[seat, role]. Not as products of matrices: on several cores these cost more than they save."""
    found = np.zeros((space.cast.seats, roles))
    sides = (
        (space.outer_seats[masks], space.outer_by_role, by_outer),
        (space.inner_seats[masks], space.inner_by_role, by_inner),
    )
    for seats, ranks, weights in sides:
        for rank, (order, starts, present) in enumerate(ranks):
            by_role = np.add.reduceat(weights.take(order, axis=1), starts, axis=1)
            np.add.at(found, (seats[:, rank, None], present), by_role)
    return found


# Single deals


def likeliest(space: Placements, known: Evidence, most: int) -> tuple[Ints, Floats]:
    """[deal, seat] roles of so many deals, the likeliest first, and the chance of each. It lays out all deals at once:
    for layouts of some hundred thousand."""
    block = block_of(space, known, slice(None), with_chances=True)
    logs = block.outer_log[:, :, space.code_of] + block.inner_log[:, space.group_of]
    weights = np.exp(logs - logs.max()).reshape(-1)
    first = np.argsort(-weights, kind="stable")[:most]
    first = first[weights[first] > 0]
    mask, row, order = np.unravel_index(first, logs.shape)
    deals = np.empty((len(first), space.cast.seats), dtype=np.int64)
    np.put_along_axis(deals, space.outer_seats[mask], space.outer[row], axis=1)
    np.put_along_axis(deals, space.inner_seats[mask], space.inner[order], axis=1)
    return deals, weights[first] / weights.sum()


def draw(space: Placements, known: Evidence, outer_logs: Floats, count: int, rng: np.random.Generator) -> Ints:
    """[deal, seat] roles of deals drawn by their weights: first the layout, then the code, then the rest."""
    ends = np.cumsum(np.exp(outer_logs - outer_logs.max()))
    drawn = np.searchsorted(ends, below(rng.random(count), ends[-1]), side="right")
    layouts, layout = np.unique(drawn, return_inverse=True)
    masks, rows = np.divmod(layouts, outer_logs.shape[1])
    besides, beside = np.unique(masks * space.groups + space.group_of[rows], return_inverse=True)
    inner = inner_of(space, known, np.divmod(besides, space.groups)) + space.inner_log
    inner = np.exp(inner - tops(inner)[:, None])
    outer = outer_of(space, known, (masks, rows))
    codes = np.exp(outer - tops(outer)[:, None]) * np.add.reduceat(inner, space.code_starts, axis=1)[beside]
    code = picked(codes[layout], rng.random(count))
    sizes = np.diff(space.code_starts, append=len(space.inner))
    places = np.arange(sizes.max())
    orders = np.minimum(space.code_starts[code][:, None] + places, len(space.inner) - 1)
    weights = np.where(places < sizes[code][:, None], inner[beside[layout][:, None], orders], 0.0)
    order = space.code_starts[code] + picked(weights, rng.random(count))
    deals = np.empty((count, space.cast.seats), dtype=np.int64)
    np.put_along_axis(deals, space.outer_seats[masks[layout]], space.outer[rows[layout]], axis=1)
    np.put_along_axis(deals, space.inner_seats[masks[layout]], space.inner[order], axis=1)
    return deals


def picked(weights: Floats, numbers: Floats) -> Ints:
    """Which place each of these numbers from 0 to 1 stands for, by the weights in its row."""
    ends = np.cumsum(weights, axis=1)
    return np.asarray((ends <= below(numbers, ends[:, -1])[:, None]).sum(axis=1))


def below(numbers: Floats, totals: Any) -> Floats:
    """Shares of totals, and never all of them."""
    return np.asarray(np.minimum(numbers * totals, np.nextafter(totals, 0)))
