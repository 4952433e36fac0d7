"""Whether a value is of the kind that was declared for it: no 1 for True, no text for a card."""

from __future__ import annotations

from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_TYPES: dict[type, dict[str, Any]] = {}


def field_types(cls: type) -> dict[str, Any]:
    """The declared kinds of a class's fields, by name."""
    if cls not in _TYPES:
        _TYPES[cls] = get_type_hints(cls)
    return _TYPES[cls]


def fits(value: object, kind: Any) -> bool:
    """Whether this value may stand where that kind is declared, down to the members of sets and tuples."""
    if kind in (int, bool, NoneType):
        return type(value) is kind
    if kind is str:
        return isinstance(value, str)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return any(type(value) is type(word) and value == word for word in inner)
    if origin is frozenset:
        return type(value) is frozenset and all(fits(member, inner[0]) for member in value)
    if origin is tuple:
        return type(value) is tuple and _members_fit(value, inner)
    return kind is Any or isinstance(value, kind)


def _members_fit(value: tuple[Any, ...], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return all(fits(member, inner[0]) for member in value)
    return len(value) == len(inner) and all(fits(member, kind) for member, kind in zip(value, inner, strict=True))


def kind_in_words(kind: Any) -> str:
    """`True or False`, `'vote' or 'auto'`, `a whole number`: what would have been right."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(kind_in_words(one) for one in inner)
    if origin is Literal:
        return " or ".join(repr(word) for word in inner)
    if origin in (frozenset, tuple):
        return f"a {origin.__name__} of {kind_in_words(inner[0])}"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"a {kind.__name__}"
    return {bool: "True or False", int: "a whole number", str: "text", NoneType: "None"}.get(kind, str(kind.__name__))
