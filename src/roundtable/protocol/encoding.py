"""How values of a table stand in a message: in canonical JSON, spelled once however many hear them."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Raw
from msgspec.json import Encoder

from roundtable.core.actions import Action
from roundtable.core.codec import plain
from roundtable.core.entries import Entry
from roundtable.core.events import Event, SealsBroken
from roundtable.core.options import Options
from roundtable.core.setup import Setup
from roundtable.core.values import Unremembered
from roundtable.protocol.offers import offers

ENCODER = Encoder(order="sorted")  # the same bytes as `table.codec.encode`, several times as fast; a test compares them


def spelled(value: object) -> Raw:
    """Any value of a table as part of a message."""
    return Raw(ENCODER.encode(plain(value)))


def text_of_value(said: Event | Action) -> str:
    """An event or an action in JSON. Those that come back at every table are spelled once."""
    try:
        return said.spelled
    except AttributeError:
        return _spell(said)


def _spell(said: Event | Action) -> str:
    text = _text_of_seals(said) if isinstance(said, SealsBroken) else _text(said)
    if not isinstance(said.__class__, Unremembered):
        object.__setattr__(said, "spelled", text)
    return text


def _text_of_seals(seals: SealsBroken) -> str:
    """What was hidden has been spelled before, by and by."""
    facts = ",".join([f"[{place},{text_of_value(event)}]" for place, event in seals.sealed_facts])
    return f'{{"audience":{_text(seals.audience)},"is":"SealsBroken","sealed_facts":[{facts}]}}'


def _text(value: object) -> str:
    return ENCODER.encode(plain(value)).decode()


def text_of_entry(entry: Entry) -> str:
    """One line of a record, put together from parts that were spelled before."""
    action = text_of_value(entry.action)
    events = ",".join(map(text_of_value, entry.events))
    return f'{{"action":{action},"actor":{entry.actor},"events":[{events}],"id":{ENCODER.encode(entry.id).decode()}}}'


@lru_cache(maxsize=256)
def spelled_setup(setup: Setup) -> Raw:
    """What a table agreed on; it is told whenever something changes in the room."""
    return spelled(setup)


@lru_cache(maxsize=4096)
def encoded_offers(options: Options, phase: int) -> Raw:
    """A seat's options in a phase; the same few come back at every table."""
    return spelled(offers(options, phase))
