"""Decoding the entries of a record."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import Decoder, decode

from roundtable.core.actions import Action
from roundtable.core.entries import Entry
from roundtable.core.events import Event
from roundtable.core.values import Uncached
from roundtable.games import codec_of, game_named

VALUES_KEPT = 16_384  # decoded values that are cached, because they recur in many games


class EncodedEntry(Struct, kw_only=True, forbid_unknown_fields=True):
    """An entry whose action and events have not been decoded."""

    action: Raw
    actor: int
    events: tuple[Raw, ...]
    id: str


ENCODED_ENTRIES = Decoder(EncodedEntry)


class EntryReader:
    """Decodes the entries of a game. A value that recurs is decoded once."""

    def __init__(self, game: str) -> None:
        self._codec = codec_of(game_named(game))
        self._known: dict[tuple[type, bytes], Any] = {}

    def read(self, text: Raw | bytes) -> Entry:
        entry = ENCODED_ENTRIES.decode(text)
        events = tuple([self._value(Event, event) for event in entry.events])
        return Entry(entry.actor, self._value(Action, entry.action), entry.id, events)

    def _value(self, kind: type, encoded: Raw) -> Any:
        key = kind, bytes(encoded)
        if key in self._known:
            return self._known[key]
        value: Any = self._codec.read(kind, decode(encoded))
        if not isinstance(value.__class__, Uncached) and len(self._known) < VALUES_KEPT:
            self._known[key] = value
        return value


@lru_cache(maxsize=64)
def entries_of(game: str) -> EntryReader:
    """One reader for all tables of a game."""
    return EntryReader(game)
