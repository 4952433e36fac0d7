"""The secrets of a finished game as a socket tells them: in tables, because most of them are alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from roundtable.core.codec import plain
from roundtable.core.events import Event
from roundtable.protocol.rooms import Part

OWN = "seat"  # the part of an event that names the seat it is about


class SecretTable(Part):
    """Secret events of one kind. Each row has the places of an event among all events but talk, and then its parts.
    Without the part `audience`, the event's own `seat` alone heard it."""

    kind: str
    parts: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def tables_of(secret_facts: Iterable[tuple[int, Event]]) -> list[SecretTable]:
    """Each event once, with all of its places."""
    places: dict[Event, list[int]] = {}
    for place, event in secret_facts:
        places.setdefault(event, []).append(place)
    rows: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for event, found in places.items():
        parts = _told(plain(event))
        rows.setdefault((parts.pop("is"), *parts), []).append((found, *parts.values()))
    return [SecretTable(kind=head[0], parts=head[1:], rows=tuple(own)) for head, own in rows.items()]


def _told(event: dict[str, Any]) -> dict[str, Any]:
    is_own = event["audience"] == [event.get(OWN)]
    return {name: part for name, part in event.items() if not (is_own and name == "audience")}


def facts_in(tables: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Every event with its place, as a record has them; an error where a table is broken."""
    for table in tables:
        for places, *values in table["rows"]:
            event = {"is": table["kind"], **dict(zip(table["parts"], values, strict=True))}
            event.setdefault("audience", [event.get(OWN)])
            yield from ([place, event] for place in places)
