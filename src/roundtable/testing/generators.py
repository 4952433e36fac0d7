"""Random setups, and moves that may or may not be legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from roundtable.core.actions import Move
from roundtable.core.arguments import checked
from roundtable.core.chance import Chance, pick
from roundtable.core.game import Game
from roundtable.core.kinds import field_types
from roundtable.core.setup import Setup

QUICK_SECONDS = 5


@checked
def any_setup(game: Game[Any, Any], chance: Chance, seats: int | None = None) -> Setup:
    """A table that can start, with every option drawn at random."""
    kind = game.setup_type
    while True:
        count = kind.fewest + chance.below(kind.most - kind.fewest + 1) if seats is None else seats
        chosen = {
            option.name: _any_set(kind.members[option.name], chance)
            if option.name in kind.members
            else _any_option(field_types(kind)[option.name], option.default, chance)
            for option in fields(kind)
            if option.name != "seats"
        }
        setup = kind(seats=count, **chosen)
        if not setup.problems():
            return setup


def _any_option(kind: Any, default: Any, chance: Chance) -> Any:
    inner = get_args(kind)
    if kind is bool:
        return chance.below(2) == 1
    if get_origin(kind) is Literal:
        return pick(chance, inner)
    if kind is int:
        return pick(chance, (default, QUICK_SECONDS))
    if int in inner:
        return pick(chance, (None, QUICK_SECONDS))
    return default


def _any_set(members: Sequence[str], chance: Chance) -> Any:
    """None, or a set with each member as likely as not, or with most of them."""
    left_out = pick(chance, (1, 2, 4))
    return None if left_out == 1 else frozenset(member for member in members if chance.below(left_out))


@checked
def any_move(game: Game[Any, Any], setup: Setup, phase: int, chance: Chance) -> Move:
    """A move of the game with every field drawn at random; most are illegal."""
    kind = pick(chance, [action for action in game.actions if issubclass(action, Move)])
    choice = {
        part.name: _any_field(field_types(kind)[part.name], setup.seats, chance)
        for part in fields(kind)
        if part.name != "phase"
    }
    return kind(phase=phase if chance.below(8) else phase - 1 + 2 * chance.below(2), **choice)


def _any_field(kind: Any, seats: int, chance: Chance) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is int:
        return chance.below(seats + 2) - 1
    if kind is bool:
        return chance.below(2) == 1
    if origin in (Union, UnionType):
        return _any_field(pick(chance, inner), seats, chance)
    if kind is NoneType:
        return None
    if origin is frozenset:
        return frozenset(chance.below(seats + 1) for _ in range(chance.below(6)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return pick(chance, list(kind))
    raise TypeError(f"Cannot draw a {kind}.")
