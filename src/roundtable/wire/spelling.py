"""How values of a table stand in a message: in canonical JSON, spelled once however many hear them."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Raw
from msgspec.json import Encoder

from roundtable.table.codec import plain
from roundtable.table.options import Options
from roundtable.wire.offers import offers

ENCODER = Encoder(order="sorted")  # the same bytes as `table.codec.encode`, several times as fast; a test compares them


def spelled(value: object) -> Raw:
    """Any value of a table as part of a message."""
    return Raw(ENCODER.encode(plain(value)))


@lru_cache(maxsize=4096)
def spelled_offers(options: Options, phase: int) -> Raw:
    """A seat's options in a phase; the same few come back at every table."""
    return spelled(offers(options, phase))
