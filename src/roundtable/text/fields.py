"""What the fields of an event or a move are, for text: seats, words, and the contexts that choose a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from roundtable.core.catalogue import as_key
from roundtable.core.seats import Seat
from roundtable.core.values import Value

UNSHOWN = ("audience", "phase")


@cache
def shown_fields(kind: type[Value]) -> dict[str, Any]:
    """The fields that a sentence may show, with their type hints."""
    hints = get_type_hints(kind, include_extras=True)
    return {part.name: hints[part.name] for part in fields(kind) if part.name not in UNSHOWN}  # type: ignore[arg-type]


def is_optional(hint: Any) -> bool:
    return NoneType in get_args(hint)


def without_none(hint: Any) -> Any:
    """The type of an optional field where it is set; any other type as it is."""
    rest = [one for one in get_args(hint) if one is not NoneType]
    return rest[0] if is_optional(hint) and len(rest) == 1 else hint


def names_seat(hint: Any) -> bool:
    """Whether a value of this type is a seat, or None."""
    return bool(without_none(hint) == Seat)


def member_type(hint: Any) -> Any:
    """The type of the members of a tuple or a set."""
    return next(iter(get_args(without_none(hint))), None)


def is_list(hint: Any) -> bool:
    """Whether a value of this type is a tuple or a set, or None."""
    return get_origin(without_none(hint)) in (tuple, frozenset)


def kind_of(hint: Any) -> str:
    """What a value of this type is called where its fields are described: seat, number, flag, word or other."""
    single = without_none(hint)
    if names_seat(single):
        return "seat"
    if get_origin(single) is Literal or (isinstance(single, type) and issubclass(single, str)):
        return "word"
    return {int: "number", bool: "flag"}.get(single, "other")


def seats_named(value: Value) -> frozenset[Seat]:
    """Every seat that a value names."""
    named: set[Seat] = set()
    for name, hint in shown_fields(type(value)).items():
        part = getattr(value, name)
        if names_seat(hint) and part is not None:
            named.add(part)
        elif isinstance(part, frozenset | tuple) and names_seat(member_type(hint)):
            named |= set(part) - {None}
    return frozenset(named)


def contexts(value: Value) -> Iterator[str]:
    """The contexts a sentence about this value may have in a catalogue, the most specific first.

    `approve` where that field is true and `no_approve` where it is false; `target` where that optional field is set
    and `no_target` where it is None; the word itself where a field holds one. Several are joined: `quest_excalibur`.
    """
    present, absent = [], []
    for name, hint in shown_fields(type(value)).items():
        part = getattr(value, name)
        if part is None or part is False or part in ((), frozenset()):
            absent.append(f"no_{name}")
        elif part is True or is_optional(hint):
            present.append(name)
        if isinstance(part, str):
            present.append(as_key(part))
    if len(present) > 1:
        yield "_".join(present)
    yield from absent
    yield from present
