"""Values as JSON and back: one spelling for each value, so equal records are equal bytes (C3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from roundtable.table.errors import Unreadable
from roundtable.table.kinds import field_types
from roundtable.table.seats import EVERYONE, Everyone
from roundtable.table.setup import Setup

T = TypeVar("T")


def encode(value: object) -> bytes:
    """Canonical JSON in UTF-8: sorted keys, no blanks, sets in order."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@lru_cache(maxsize=256)
def agreed_bytes(setup: Setup) -> bytes:
    """What a table agreed on, as it enters the deal (C1)."""
    return encode(setup)


def plain(value: object) -> Any:
    """A value as JSON knows it."""
    kind = value.__class__
    if kind in _AS_IT_IS:
        return value
    if kind is tuple or kind is list:
        return [plain(item) for item in value]  # type: ignore[attr-defined]
    if kind is frozenset:
        return sorted(plain(item) for item in value)  # type: ignore[attr-defined]
    spell = _SPELLINGS.get(kind) or _SPELLINGS.setdefault(kind, _spelling_of(kind))
    return spell(value)


_AS_IT_IS = frozenset((str, int, bool, float, NoneType))


_SPELLINGS: dict[type, Callable[[Any], Any]] = {}


def _spelling_of(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Everyone):
        return lambda value: "everyone"
    if issubclass(kind, tuple):  # a named tuple
        names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
        return lambda value: {name: plain(part) for name, part in zip(names, value, strict=True)}
    if issubclass(kind, Mapping):
        return lambda value: {str(plain(key)): plain(part) for key, part in value.items()}
    if is_dataclass(kind):
        tag: dict[str, Any] = {"is": kind.__name__}
        if issubclass(kind, Setup):
            tag |= {"game": kind.game, "rules_version": kind.rules_version}
        parts = tuple(part.name for part in fields(kind))
        return lambda value: {**tag, **{name: plain(getattr(value, name)) for name in parts}}
    raise TypeError(f"{kind.__name__} is no value of a table.")


class Codec:
    """Reads the values of one game back; anything else is `Unreadable`, never a guess."""

    def __init__(self, vocabulary: Iterable[type]) -> None:
        self._kinds = {kind.__name__: kind for kind in vocabulary}

    def decode(self, kind: type[T], text: bytes | str) -> T:
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as broken:
            raise _unreadable("JSON text", str(text[:40])) from broken
        return self.read(kind, loaded)

    def read(self, kind: type[T], loaded: Any) -> T:
        """The value of that kind which this JSON spells."""
        value: T = self._read(kind, loaded)
        return value

    def _read(self, kind: Any, loaded: Any) -> Any:
        if kind in (str, int, bool):
            return loaded if type(loaded) is kind else _fail(kind.__name__, loaded)
        if kind is NoneType:
            return None if loaded is None else _fail("null", loaded)
        if kind is Everyone:
            return EVERYONE if loaded == "everyone" else _fail("everyone", loaded)
        origin = get_origin(kind)
        if origin is not None:
            return self._read_shape(kind, origin, get_args(kind), loaded)
        if issubclass(kind, Enum):
            named = next((member for member in kind if member.value == loaded), None)
            return named or _fail(" or ".join(str(member.value) for member in kind), loaded)
        return self._read_fields(kind, loaded)

    def _read_shape(self, kind: Any, origin: Any, inner: tuple[Any, ...], loaded: Any) -> Any:
        if origin in (Union, UnionType):
            rest = [one for one in inner if one is not NoneType]
            if len(rest) == 1 and loaded is not None:
                return self._read(rest[0], loaded)
            for one in inner:
                try:
                    return self._read(one, loaded)
                except Unreadable:
                    continue
            return _fail(str(kind), loaded)
        if origin is Literal:
            is_one = any(type(loaded) is type(word) and loaded == word for word in inner)
            return loaded if is_one else _fail(" or ".join(map(repr, inner)), loaded)
        if not isinstance(loaded, list):
            return _fail("a list", loaded)
        if origin is frozenset:
            return frozenset(self._read(inner[0], item) for item in loaded)
        if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(self._read(inner[0], item) for item in loaded)
        if origin is tuple and len(inner) == len(loaded):
            return tuple(self._read(one, item) for one, item in zip(inner, loaded, strict=True))
        return _fail(str(kind), loaded)

    def _read_fields(self, kind: Any, loaded: Any) -> Any:
        if not isinstance(loaded, dict):
            return _fail(kind.__name__, loaded)
        given = dict(loaded)
        if not issubclass(kind, tuple):
            named = self._kinds.get(str(given.pop("is", None)))
            if named is None or not issubclass(named, kind):
                return _fail(f"a {kind.__name__} of this game", loaded)
            kind = named
        if issubclass(kind, Setup) and (given.pop("game", None), given.pop("rules_version", None)) != (
            kind.game,
            kind.rules_version,
        ):
            return _fail(f"a setup of {kind.game} under rules {kind.rules_version}", loaded)
        types = field_types(kind)
        names = kind._fields if issubclass(kind, tuple) else tuple(part.name for part in fields(kind))
        if set(given) != set(names):
            return _fail(f"{kind.__name__} with exactly {', '.join(names)}", loaded)
        return kind(**{name: self._read(types[name], given[name]) for name in names})


def _fail(expected: str, loaded: object) -> Any:
    raise _unreadable(expected, json.dumps(loaded, default=repr)[:60])


def _unreadable(expected: str, found: str) -> Unreadable:
    return Unreadable("text/unreadable", f"Expected {expected}, found {found}.")
