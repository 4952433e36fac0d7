"""The table as a picture before it is drawn: what lies in the middle, and what is beside each seat."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.core.seats import Seat


class Mark(NamedTuple):
    """A sign beside a seat, the letter for it where a terminal lacks the sign, what it means, and its colour."""

    sign: str
    letter: str
    meaning: str
    style: str = ""


class Tile(NamedTuple):
    """A place of a track in the middle of the table; the colour is never the only difference."""

    sign: str
    letter: str
    style: str = ""


class SeatPicture(NamedTuple):
    """What is beside a seat: its marks, and a few words below the name."""

    marks: tuple[Mark, ...] = ()
    note: str = ""
    is_out: bool = False


class Picture(NamedTuple):
    """A table. The seats go round it in their order; `you` is the reader's own, or negative for a spectator."""

    captions: tuple[str, ...]
    seats: tuple[SeatPicture, ...]
    track: tuple[Tile, ...] = ()
    you: Seat = -1
