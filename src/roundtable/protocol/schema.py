"""The messages as a JSON Schema, generated from their types.

python -m roundtable.protocol.schema > docs/play-schema.json
python -m roundtable.protocol.schema protocol > docs/protocol-schema.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Raw, Struct, UnsetType

from roundtable.core.actions import Action, Move
from roundtable.core.events import COMMON_EVENTS, Event, SecretsRevealed, TableOpened
from roundtable.core.kinds import field_types, fields_that_may_be_none
from roundtable.core.seats import Everyone
from roundtable.core.setup import Round, Setup
from roundtable.core.state import TableState
from roundtable.games import all_games
from roundtable.protocol.encoding import CONDUCT, IN_ROOM, TOLD_ONCE
from roundtable.protocol.messages import PROTOCOL, TO_PLAYER, TO_TABLE, Asked
from roundtable.protocol.rooms import FROM_SERVER, TO_SERVER, Part, Settings
from roundtable.protocol.secrets import SecretTable

Schema = dict[str, Any]

# What a server leaves out where its client knows it.
SENT_ONCE: dict[type, tuple[str, ...]] = {Asked: ("phase", "name", "options")}

SIMPLE: dict[type, Schema] = {
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    NoneType: {"type": "null"},
    Everyone: {"const": "everyone"},
}


def play_schema() -> Schema:
    """Every message, and every event, action and setup that can be inside one."""
    said = f"Messages between a table and a bot program, protocol {PROTOCOL}"
    return _conversation(said, ToPlayer=TO_PLAYER, ToTable=TO_TABLE)


def protocol_schema() -> Schema:
    """Every message between a server and its clients, as docs/protocol.md explains them."""
    return _protocol_schema(tuple(all_games()))


@lru_cache(maxsize=4)
def _protocol_schema(games: tuple[str, ...]) -> Schema:
    """Made once for the installed games: every start of a server needs it."""
    said = f"Messages between a server and its clients, protocol {PROTOCOL}"
    return _conversation(said, FromServer=FROM_SERVER, ToServer=TO_SERVER)


def _conversation(title: str, **sides: Iterable[type]) -> Schema:
    """The messages of each side, with every type in them."""
    writer = _Writer() if FROM_SERVER not in sides.values() else _SocketWriter()
    definitions = {side: {"anyOf": writer.messages(said)} for side, said in sides.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": definitions | dict(sorted(writer.definitions.items())),
    }


def setup_schema(setup: type[Setup]) -> dict[str, Schema]:
    """What each option of a game takes, with every type written out in place."""
    return {name: _Plain().of(kind) for name, kind in _types(setup).items()}


class _Writer:
    """Describes types, each named one once."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def messages(self, kinds: Iterable[type]) -> list[Schema]:
        return [self.of(kind) for kind in kinds]

    def of(self, kind: Any) -> Schema:
        if kind in SIMPLE:
            return SIMPLE[kind]
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(inner)
        if kind is Any:
            return {}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if origin in (Union, UnionType):
            kinds = [self.of(one) for one in inner if one is not UnsetType]  # what may be left out is not required
            return {"anyOf": kinds} if len(kinds) > 1 else kinds[0]
        if origin is Literal:
            return {"enum": list(inner)}
        if origin is frozenset:
            return {"type": "array", "items": self.of(inner[0]), "uniqueItems": True}
        if origin is tuple:
            return self._row(inner)
        return self._named(kind)

    def _annotated(self, inner: tuple[Any, ...]) -> Schema:
        """A value of the table that is encoded already, or a number with its bounds."""
        if inner[0] is Raw:
            return self.of(inner[1])
        bounds = {"minimum": inner[1].ge, "maximum": inner[1].le} if isinstance(inner[1], Meta) else {}
        return self.of(inner[0]) | {name: bound for name, bound in bounds.items() if bound is not None}

    def _row(self, inner: tuple[Any, ...]) -> Schema:
        if inner[1:] == (Ellipsis,):
            return {"type": "array", "items": self.of(inner[0])}
        count = len(inner)
        parts = [self.of(one) for one in inner]
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": count}

    def _named(self, kind: type) -> Schema:
        name = name_of(kind)
        if name not in self.definitions:
            self.definitions[name] = {}  # an event may hold events
            self.definitions[name] = self._definition(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _definition(self, kind: type) -> Schema:
        if kind in FAMILIES:
            return {"anyOf": [self.of(one) for one in FAMILIES[kind]]}
        if issubclass(kind, Enum):
            return {"enum": [member.value for member in kind]}
        return self._object(kind)

    def _object(self, kind: Any) -> Schema:
        is_tagged = not issubclass(kind, tuple | Part | Settings | TableState)
        types = _types(kind)
        names = list(types)
        tags: Schema = {"is": {"const": kind.__name__}} if is_tagged else {}
        if issubclass(kind, Setup):
            tags |= {"game": {"const": kind.game}, "rules_version": {"const": kind.rules_version}}
        parts = tags | {name: self.of(types[name]) for name in names}
        optional = [name for name in _optional(kind) if name not in SENT_ONCE.get(kind, ())]
        required = [name for name in parts if name not in optional]
        values = {"type": "object", "properties": parts, "required": required, "additionalProperties": False}
        return {"description": first_line(kind), **values}


def _optional(kind: Any) -> Iterable[str]:
    """What may be left out."""
    if _is_struct(kind):
        return [part.name for part in msgspec.structs.fields(kind) if not part.required]
    if issubclass(kind, tuple):
        return list(kind._field_defaults)
    return kind.added_options() if issubclass(kind, Setup) else ()


def _is_struct(kind: type) -> bool:
    return issubclass(kind, Struct)


class _SocketWriter(_Writer):
    """Describes what goes over a socket: events in lists, and these and moves in a shorter form than in a record."""

    def messages(self, kinds: Iterable[type]) -> list[Schema]:
        lists = [{"type": "array", "items": self.of(Event)}] if kinds is FROM_SERVER else []
        return [*super().messages(kinds), *lists]

    def of(self, kind: Any) -> Schema:
        return {"anyOf": [self._told_move(move) for move in MOVES]} if kind is Move else super().of(kind)

    def _told_move(self, move: type) -> Schema:
        """A move that is offered: its `is` is the offer's `kind`, its `phase` that of the Asked."""
        made = super()._object(move)
        parts = {name: part for name, part in made["properties"].items() if name not in TOLD_ONCE}
        return made | {"properties": parts, "required": list(parts)}

    def _object(self, kind: Any) -> Schema:
        made = super()._object(kind)
        if issubclass(kind, Event):
            untold = {"audience", *fields_that_may_be_none(kind)} | ({IN_ROOM} if kind is TableOpened else set())
            made["required"] = [name for name in made["required"] if name not in untold]
        for name in SENT_ONCE.get(kind, ()):
            made["required"].remove(name)
        if kind is SecretsRevealed:
            made["properties"]["secret_facts"] = self.of(tuple[SecretTable, ...])
        return made


class _Plain(_Writer):
    """Describes a type without referring elsewhere."""

    def _named(self, kind: type) -> Schema:
        return self._definition(kind)


def _types(kind: Any) -> dict[str, Any]:
    """The types of its fields, by name."""
    if _is_struct(kind):
        return get_type_hints(kind, include_extras=True)
    names = kind._fields if issubclass(kind, tuple) else [part.name for part in fields(kind)]
    types = field_types(kind)
    return {name: types[name] for name in names}


def first_line(kind: type) -> str:
    """The docstring of a type, or its name."""
    written = (kind.__doc__ or "").strip().partition("\n")[0]
    return kind.__name__ if not written or written.startswith(f"{kind.__name__}(") else written


def name_of(kind: type) -> str:
    """Its name, with the game's before it where it belongs to one: two games may deal roles, each in its own way."""
    home = kind.__module__.split(".")
    return f"{home[2]}.{kind.__name__}" if home[1] == "games" else kind.__name__


def _once(kinds: Iterable[type]) -> tuple[type, ...]:
    return tuple(dict.fromkeys(kinds))


MOVES = _once(move for game in all_games() for move in game.actions)
# Where a message holds "an event", these are the ones it can be.
FAMILIES: dict[type, tuple[type, ...]] = {
    Event: _once((*COMMON_EVENTS, *(event for game in all_games() for event in game.events))),
    Move: MOVES,
    Action: (*CONDUCT, *MOVES),
    Setup: _once(game.setup_type for game in all_games()),
    Round: _once(part for game in all_games() for part in game.parts if issubclass(part, Round)),
    TableState: _once(type(game.blank(game.setup_type(seats=game.setup_type.fewest))) for game in all_games()),
}


SCHEMAS: dict[str, Callable[[], Schema]] = {"play": play_schema, "protocol": protocol_schema}


def schema_text(name: str = "play") -> str:
    return json.dumps(SCHEMAS[name](), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print a JSON Schema of the messages.")
    parser.add_argument("name", nargs="?", choices=SCHEMAS, default="play")
    print(schema_text(parser.parse_args().name), end="")
