"""Sums over all deals of a layout: totals, chances by seat and role, entropy; and deals drawn from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.belief.placements import Ints, Placements

BLOCK = 1 << 19  # numbers in a block: small enough for the processor's caches, large enough for NumPy


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
    logs = known.by_viewpoint
    seen_by_outer = logs[space.outer_ids[masks]].sum(axis=2)
    joint = known.joint[masks] + seen_by_outer.take(space.outer_of_joint, axis=2)  # before there are many of them
    outer = joint.take(space.by_joint.of_code, axis=2)
    for ids, by in zip(space.coupled_ids, space.by_coupled, strict=True):
        outer += logs[ids[masks]].take(by.of_code, axis=2)
    local = logs[space.rest_ids[masks]]
    inner = local.take(space.local_of[:, 0], axis=2)
    for rank in range(1, space.ranks):
        inner += local.take(space.local_of[:, rank], axis=2)
    if with_chances:
        outer += space.outer_log[:, None]
        inner += space.inner_log
    return Block(outer, inner)


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


def blocks(space: Placements) -> list[slice]:
    row = max(len(space.outer) * len(space.codes), space.groups * len(space.inner), 1)
    step = max(1, BLOCK // row)
    return [slice(first, first + step) for first in range(0, len(space.outer_seats), step)]


def one_block(space: Placements, block: Block, masks: slice, roles: int, with_entropy: bool) -> Sums:
    outer_top, inner_top = tops(block.outer_log), tops(block.inner_log)
    outer, inner = block.outer_log - outer_top[:, :, None], block.inner_log - inner_top[:, :, None]
    np.exp(outer, out=outer)
    np.exp(inner, out=inner)
    meeting = np.add.reduceat(inner, space.code_starts, axis=2)[:, space.group_of]
    weight = np.einsum("mvc,mvc->mv", outer, meeting)
    scale = outer_top + inner_top[:, space.group_of]
    with np.errstate(divide="ignore"):
        outer_logs = scale + np.log(weight)
    top = outer_logs.max(initial=-np.inf)
    if top == -np.inf:
        return Sums(-np.inf, np.zeros((space.cast.seats, roles)), 0.0, outer_logs)
    by_outer = np.exp(outer_logs - top)
    total = by_outer.sum()
    factor = np.exp(np.minimum(scale - top, 700.0))  # a scale is above the top only where its weight is next to nothing
    of_group = (space.group_of == np.arange(space.groups)[:, None]).astype(float)
    joined = np.matmul(of_group[None] * factor[:, None, :], outer)[:, :, space.code_of]
    by_inner = np.einsum("mga,mga->ma", joined, inner)
    chances = chances_of(space, masks, by_outer, by_inner, roles) / total
    log_total = top + float(np.log(total))
    entropy = 0.0
    if with_entropy:
        mean = mean_log(factor[:, :, None] * outer, meeting, block.outer_log) + mean_log(joined, inner, block.inner_log)
        entropy = (log_total - mean / total) / np.log(2)
    return Sums(log_total, chances, max(0.0, float(entropy)), outer_logs)


def tops(logs: Floats) -> Floats:
    """The largest of each row, and 0 where nothing is possible."""
    top = logs.max(axis=2)
    return np.where(np.isfinite(top), top, 0.0)


def mean_log(one: Floats, other: Floats, logs: Floats) -> float:
    return float(np.einsum("mvc,mvc,mvc->", one, other, np.where(np.isfinite(logs), logs, 0.0)))


def chances_of(space: Placements, masks: slice, by_outer: Floats, by_inner: Floats, roles: int) -> Floats:
    found = np.zeros((space.cast.seats, roles))
    sides = (
        (space.outer_seats[masks], space.outer, by_outer),
        (space.inner_seats[masks], space.inner, by_inner),
    )
    for seats, orders, weights in sides:
        for rank in range(orders.shape[1]):
            by_role = weights @ (orders[:, rank, None] == np.arange(roles)).astype(float)
            np.add.at(found, seats[:, rank], by_role)
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
    """[deal, seat] roles of deals drawn by their weights."""
    weights = np.exp(outer_logs - outer_logs.max()).reshape(-1)
    drawn, times = np.unique(rng.choice(len(weights), size=count, p=weights / weights.sum()), return_counts=True)
    deals = np.empty((count, space.cast.seats), dtype=np.int64)
    done = 0
    for place, wanted in zip(drawn, times, strict=True):
        mask, row = divmod(int(place), outer_logs.shape[1])
        orders = draw_inner(space, known, mask, row, int(wanted), rng)
        deals[done : done + wanted, space.outer_seats[mask]] = space.outer[row]
        deals[done : done + wanted, space.inner_seats[mask]] = space.inner[orders]
        done += int(wanted)
    return rng.permutation(deals)


def draw_inner(space: Placements, known: Evidence, mask: int, row: int, count: int, rng: np.random.Generator) -> Ints:
    """Inner arrangements beside one outer arrangement."""
    logs, group = known.by_viewpoint, space.group_of[row]
    outer = logs[space.outer_ids[mask, row]].sum(axis=0)[space.by_outer.of_code]
    outer = outer + known.joint[mask, row][space.by_joint.of_code]
    for ids, by in zip(space.coupled_ids, space.by_coupled, strict=True):
        outer += logs[ids[mask, row]][by.of_code]
    inner = logs[space.rest_ids[mask, group]][space.local_of].sum(axis=1) + space.inner_log
    both = outer[space.code_of] + inner
    weights = np.exp(both - both.max())
    return np.asarray(rng.choice(len(both), size=count, p=weights / weights.sum()))
