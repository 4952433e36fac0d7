"""Frozen values; equal values are the same object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from roundtable.core.errors import Unreadable, shown
from roundtable.core.kinds import as_collection, field_checks, field_types, kind_name

T = TypeVar("T")

# Games repeat the same few values ("seat 3 has voted"), and building a frozen dataclass costs more than a lookup.
REMEMBERED = 1 << 16


def sealed() -> Any:
    """A field that holds a secret: it stays out of `repr`, and so out of logs and tracebacks."""
    return field(repr=False)


def _make(cls: type, **parts: Any) -> Any:
    """Build a value and check the type of every field: without the check, True could be cached where 1 was meant."""
    made = type.__call__(cls, **parts)
    for name, fits in field_checks(cls):
        part = getattr(made, name)
        if not fits(part):
            kind = field_types(cls)[name]
            if fits(frozen := as_collection(kind, part)):
                return cls(**{**parts, name: frozen})
            expected, place = kind_name(kind), f"{cls.__name__}.{name}"
            raise Unreadable("text/unreadable", "field", field=place, expected=expected, found=shown(part))
    return made


_remembered = lru_cache(maxsize=REMEMBERED, typed=True)(_make)


class _Interning(type):
    if not TYPE_CHECKING:

        def __call__(cls, **parts):
            try:
                return _remembered(cls, **parts)
            except TypeError:  # a list, or something else that cannot be looked up
                return _make(cls, **parts)


class Word(StrEnum):
    """A string enumeration that hashes as fast as its text."""

    __hash__ = str.__hash__


class Uncached(_Interning):
    """The metaclass of values that are not cached: too large, too secret or too rare."""

    if not TYPE_CHECKING:
        __call__ = _make


def unchecked_constructor(kind: Uncached) -> Callable[..., Any]:
    """A constructor without type checks, for fields that a decoder has checked already."""
    return partial(type.__call__, kind)


class Value(metaclass=_Interning):
    """Base of everything that is said at a table: actions, events, phases, outcomes."""

    __slots__ = ("encoded", "told")  # its encodings, cached by the encoder; not part of the value
    if TYPE_CHECKING:
        encoded: str  # as in a record
        told: str  # as listeners are told of it


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, sealed))
def value(cls: type[T]) -> type[T]:
    """Make a class a value: frozen, compact, built by keyword."""
    build: Callable[[type[T]], type[T]] = dataclass(frozen=True, slots=True, kw_only=True)
    return build(cls)
