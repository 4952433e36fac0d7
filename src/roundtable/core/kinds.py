"""Whether a value is of the kind that was declared for it: no 1 for True, no text for a card, no endless number."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Check = Callable[[object], bool]

LARGEST = 2**53 - 1  # the largest whole number that every reader of JSON keeps exact


_TYPES: dict[type, dict[str, Any]] = {}
_CHECKS: dict[type, tuple[tuple[str, Check], ...]] = {}


def field_types(cls: type) -> dict[str, Any]:
    """The declared kinds of a class's fields, by name."""
    if cls not in _TYPES:
        hints = get_type_hints(cls).items()
        _TYPES[cls] = {name: kind for name, kind in hints if get_origin(kind) is not ClassVar}
    return _TYPES[cls]


def field_checks(cls: type) -> tuple[tuple[str, Check], ...]:
    """How to tell, for each field of a class by name, whether a value may stand there."""
    if cls not in _CHECKS:
        _CHECKS[cls] = tuple((name, check_of(kind)) for name, kind in field_types(cls).items())
    return _CHECKS[cls]


@cache
def fields_that_may_be_none(cls: type) -> tuple[str, ...]:
    return tuple(name for name, kind in field_types(cls).items() if NoneType in get_args(kind))


@cache
def check_of(kind: Any) -> Check:
    """How to tell whether a value may stand where that kind is declared, down to the members of sets and tuples."""
    if kind is int:
        return is_whole_number
    if kind in (bool, NoneType):
        return lambda value: type(value) is kind
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return reduce(_either, map(check_of, inner))
    if origin is Literal:
        return lambda value: any(type(value) is type(word) and value == word for word in inner)
    if origin is frozenset:
        of_member = check_of(inner[0])
        return lambda value: type(value) is frozenset and all(map(of_member, value))
    if origin is tuple:
        return _check_of_tuple(inner)
    if kind is Any or isinstance(kind, TypeVar):
        return lambda value: True
    if getattr(kind, "_fields", None):
        return _check_of_named_tuple(kind)
    if origin is type:
        return lambda value: isinstance(value, type)
    if getattr(origin or kind, "_is_protocol", False):
        members = [name for name in vars(origin or kind) if not name.startswith("_")]
        return lambda value: all(hasattr(value, name) for name in members)
    return lambda value: isinstance(value, origin or kind)


def is_whole_number(value: object) -> bool:
    return type(value) is int and -LARGEST <= value <= LARGEST


def as_collection(kind: Any, value: object) -> object:
    """A list, a set or a tuple as the frozen collection that is declared; anything else as it is."""
    if isinstance(value, list | set | tuple | frozenset):
        for one in (kind, *get_args(kind)):
            if (origin := get_origin(one)) in (frozenset, tuple):
                try:
                    return origin(value)
                except TypeError:  # a member that cannot be in a set
                    return value
    return value


def _either(one: Check, other: Check) -> Check:
    return lambda value: one(value) or other(value)


def _check_of_named_tuple(kind: Any) -> Check:
    checks = [check for _, check in field_checks(kind)]
    return lambda value: type(value) is kind and all(map(_fits, checks, value))  # type: ignore[call-overload]


def _fits(check: Check, part: object) -> bool:
    return check(part)


def _check_of_tuple(inner: tuple[Any, ...]) -> Check:
    if len(inner) == 2 and inner[1] is Ellipsis:
        of_member = check_of(inner[0])
        return lambda value: type(value) is tuple and all(map(of_member, value))
    checks = [check_of(one) for one in inner]

    def fits(value: object) -> bool:
        if type(value) is not tuple or len(value) != len(checks):
            return False
        return all(check(member) for check, member in zip(checks, value, strict=True))

    return fits


def kind_name(kind: Any) -> str:
    """`bool`, `'vote' | 'auto'`, `frozenset[Role]`: what would have been right, as a programmer writes it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " | ".join(kind_name(one) for one in inner)
    if origin is Literal:
        return " | ".join(repr(word) for word in inner)
    if origin is not None:
        return f"{origin.__name__}[{', '.join('...' if one is Ellipsis else kind_name(one) for one in inner)}]"
    return "None" if kind is NoneType else str(getattr(kind, "__name__", kind))
