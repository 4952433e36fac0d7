"""Values as JSON and back: one encoding for each value, so equal records are equal bytes (C3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

from roundtable.core.errors import Unreadable, shown
from roundtable.core.kinds import field_types, is_whole_number, kind_name
from roundtable.core.seats import EVERYONE, Everyone
from roundtable.core.setup import Setup
from roundtable.core.values import Uncached, unchecked_constructor

T = TypeVar("T")
LONGEST_FOUND = 60  # characters of a refused value that are shown
Read = Callable[[Any], Any]  # what JSON was loaded to -> the value that it encodes


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
    encode_as = _ENCODERS.get(kind) or _ENCODERS.setdefault(kind, _encoder_of(kind))
    return encode_as(value)


_AS_IT_IS = frozenset((str, int, bool, float, NoneType))


_ENCODERS: dict[type, Callable[[Any], Any]] = {}


def _encoder_of(kind: type) -> Callable[[Any], Any]:
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
        parts = tuple(part.name for part in fields(kind))
        if issubclass(kind, Setup):
            return _encoding_of_setup(kind, parts)
        return lambda value: {**tag, **{name: plain(getattr(value, name)) for name in parts}}
    raise TypeError(f"{kind.__name__} is no value of a table.")


def _encoding_of_setup(kind: type[Setup], parts: tuple[str, ...]) -> Callable[[Any], Any]:
    tag = {"is": kind.__name__, "game": kind.game, "rules_version": kind.rules_version}
    added = kind.added_options()

    def encoded(setup: Any) -> Any:
        chosen = {name: getattr(setup, name) for name in parts}
        said = {name: plain(part) for name, part in chosen.items() if name not in added or part != added[name]}
        return {**tag, **said}

    return encoded


class Codec:
    """Reads the values of one game back; anything else is `Unreadable`, never a guess."""

    def __init__(self, vocabulary: Iterable[type]) -> None:
        self._kinds = {kind.__name__: kind for kind in vocabulary}
        self._readers: dict[Any, Read] = {}  # a kind is taken apart once; a thousand rooms are read after a restart
        self._built: dict[type, Read] = {}

    def decode(self, kind: type[T], text: bytes | str) -> T:
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as broken:
            raise Unreadable("text/unreadable", "json", found=shown(text[:40])) from broken
        return self.read(kind, loaded)

    def read(self, kind: type[T], loaded: Any) -> T:
        """The value of that kind that this JSON encodes."""
        value: T = self._reader(kind)(loaded)
        return value

    def _reader(self, kind: Any) -> Read:
        return self._readers.get(kind) or self._readers.setdefault(kind, self._make_reader(kind))

    def _make_reader(self, kind: Any) -> Read:
        if kind is int:
            return lambda loaded: loaded if is_whole_number(loaded) else _fail("int", loaded)
        if kind in (str, bool):
            return lambda loaded: loaded if type(loaded) is kind else _fail(kind.__name__, loaded)
        if kind is NoneType:
            return lambda loaded: None if loaded is None else _fail("null", loaded)
        if kind is Everyone:
            return lambda loaded: EVERYONE if loaded == "everyone" else _fail("everyone", loaded)
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return self._reader_of_union(kind, inner)
        if origin is Literal:
            words = {(type(word), word): word for word in inner}
            expected = list(map(repr, inner))
            return lambda loaded: loaded if _is_among(words, loaded) else _fail(expected, loaded)
        if origin is not None:
            return self._reader_of_list(kind, origin, inner)
        if issubclass(kind, Enum):
            members = {(type(member.value), member.value): member for member in kind}
            either = [str(member.value) for member in kind]
            return lambda loaded: members[type(loaded), loaded] if _is_among(members, loaded) else _fail(either, loaded)
        return self._built_from(kind) if issubclass(kind, tuple) else self._reader_of_named(kind)

    def _reader_of_union(self, kind: Any, inner: tuple[Any, ...]) -> Read:
        """Of the kinds that a union allows, those that JSON of this type can encode are tried."""
        rest = [one for one in inner if one is not NoneType]
        if len(rest) == 1:
            read_one = self._reader(rest[0])
            return lambda loaded: None if loaded is None else read_one(loaded)
        readers = [(_json_type(one), self._reader(one)) for one in inner]

        def read(loaded: Any) -> Any:
            for json_type, read_one in readers:
                if json_type is None or type(loaded) is json_type:
                    try:
                        return read_one(loaded)
                    except Unreadable:
                        continue
            return _fail(kind_name(kind), loaded)

        return read

    def _reader_of_list(self, kind: Any, origin: Any, inner: tuple[Any, ...]) -> Read:
        readers = [self._reader(one) for one in inner if one is not Ellipsis]
        first, many = readers[0], len(readers)
        is_open = origin is frozenset or (origin is tuple and len(inner) == 2 and inner[1] is Ellipsis)

        def read(loaded: Any) -> Any:
            if not isinstance(loaded, list):
                return _fail("list", loaded)
            if is_open:
                return origin(map(first, loaded))
            if origin is tuple and len(loaded) == many:
                return tuple(one(item) for one, item in zip(readers, loaded, strict=True))
            return _fail(kind_name(kind), loaded)

        return read

    def _reader_of_named(self, kind: type) -> Read:
        """A value says itself which of the kinds it is."""

        def read(loaded: Any) -> Any:
            if not isinstance(loaded, dict):
                return _fail(kind.__name__, loaded)
            named = self._kinds.get(str(loaded.get("is")))
            if named is None or not issubclass(named, kind):
                return _fail(kind.__name__, loaded)
            return (self._built.get(named) or self._built.setdefault(named, self._built_from(named)))(loaded)

        return read

    def _built_from(self, kind: Any) -> Read:
        """How a value of exactly this kind is put together from its parts."""
        types = field_types(kind)
        names = kind._fields if issubclass(kind, tuple) else tuple(part.name for part in fields(kind))
        tags = (
            () if issubclass(kind, tuple) else ("is", "game", "rules_version") if issubclass(kind, Setup) else ("is",)
        )
        agreed = (kind.game, kind.rules_version) if issubclass(kind, Setup) else None
        all_names = frozenset((*names, *tags))
        added = {name: plain(part) for name, part in kind.added_options().items()} if issubclass(kind, Setup) else {}
        readers = [(name, self._reader(types[name])) for name in names]
        build: Any = unchecked_constructor(kind) if isinstance(kind, Uncached) else kind

        def read(loaded: Any) -> Any:
            if not isinstance(loaded, dict):
                return _fail(kind.__name__, loaded)
            if agreed and (loaded.get("game"), loaded.get("rules_version")) != agreed:
                return _fail(kind.__name__, loaded, "rules", game=kind.game, version=kind.rules_version)
            parts = _with_defaults(added, loaded) if added else loaded
            if parts.keys() != all_names:
                return _fail(kind.__name__, loaded, "fields", fields=list(names))
            return build(**{name: read_part(parts[name]) for name, read_part in readers})

        return read


def _with_defaults(added: Mapping[str, Any], loaded: Mapping[str, Any]) -> Mapping[str, Any]:
    """An encoded setup with the defaults that it leaves out. One that has them is none: there is one encoding."""
    has_default = any(name in loaded and loaded[name] == default for name, default in added.items())
    return {} if has_default else {**added, **loaded}


def _is_among(words: Mapping[tuple[type, Any], Any], loaded: object) -> bool:
    return isinstance(loaded, str | int | None) and (type(loaded), loaded) in words


def _json_type(kind: Any) -> type | None:
    """The type of JSON that a kind is encoded as; None where it may be more than one."""
    origin = get_origin(kind) or kind
    if origin in (str, int, bool, NoneType):
        return cast("type", origin)
    if origin is Everyone:
        return str
    if origin in (frozenset, tuple):
        return list
    return dict if isinstance(origin, type) and is_dataclass(origin) else None


def _fail(expected: str | list[str], loaded: object, variant: str = "expected", **values: Any) -> Any:
    try:
        found = json.dumps(loaded, default=shown)
    except (TypeError, ValueError, RecursionError):
        found = shown(loaded)
    found = found if len(found) <= LONGEST_FOUND else found[:LONGEST_FOUND] + "…"
    raise Unreadable("text/unreadable", variant, expected=expected, found=found, **values)
