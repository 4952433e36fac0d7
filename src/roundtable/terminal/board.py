"""Draws the picture of a table in letters: seats around it, the track in the middle, and what the signs mean.

Drawn here and not with rich: a grid of cells is not worth four packages that every server would have to install.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from roundtable.text.names import Names
from roundtable.text.picture import Mark, Picture, SeatPicture, Tile

Paint = Callable[[str, str], str]  # a text and the name of a style

WIDEST_CELL = 18
NARROWEST_CELL = 11
MARGIN = 1
SIGNS = "╭─╮│╰╯♛⚑✔✘•†⚔☾⚖■→…"  # a terminal that lacks one of them gets letters


class Frame(NamedTuple):
    """The lines around the middle of the table."""

    top_left: str
    across: str
    top_right: str
    down: str
    bottom_left: str
    bottom_right: str


ROUND = Frame("╭", "─", "╮", "│", "╰", "╯")
PLAIN = Frame("+", "-", "+", "|", "+", "+")


class Piece(NamedTuple):
    """A text and its style."""

    text: str
    style: str = ""


class Board:
    """Draws pictures for a screen of a given width, with signs or with plain letters."""

    def __init__(self, columns: int, has_signs: bool, paint: Paint) -> None:
        self._columns = columns
        self._has_signs = has_signs
        self._paint = paint

    def draw(self, picture: Picture, names: Names) -> str:
        cells = [self._cell(place, seat, names, picture.you) for place, seat in enumerate(picture.seats)]
        across = (len(cells) + 1) // 2
        width = min(WIDEST_CELL, (self._columns - 2 * MARGIN) // max(1, across))
        around = self._ring(picture, cells, width) if width >= NARROWEST_CELL else self._list(picture, cells)
        return "\n".join(line.rstrip() for line in (*around, *self._legend(picture)))

    # Around the table, from the top left clockwise, as people sit

    def _ring(self, picture: Picture, cells: Sequence[Sequence[list[Piece]]], width: int) -> Iterator[str]:
        across = (len(cells) + 1) // 2
        top, bottom = cells[:across], cells[across:][::-1]
        yield from self._row([cell[::-1] for cell in top], width)
        yield from self._middle(picture, across * width)
        yield from self._row(bottom, width, shift=(across - len(bottom)) * width // 2)

    def _row(self, cells: Sequence[Sequence[list[Piece]]], width: int, shift: int = 0) -> Iterator[str]:
        for parts in zip(*cells, strict=True):
            if any(parts):
                yield " " * (MARGIN + shift) + "".join(self._centred(part, width) for part in parts)

    def _middle(self, picture: Picture, width: int) -> Iterator[str]:
        frame, inside = ROUND if self._has_signs else PLAIN, width - 2
        edge = " " * MARGIN
        yield edge + frame.top_left + frame.across * inside + frame.top_right
        for line in self._inside(picture, inside):
            yield edge + frame.down + self._centred(line, inside) + frame.down
        yield edge + frame.bottom_left + frame.across * inside + frame.bottom_right

    def _inside(self, picture: Picture, width: int) -> Iterator[list[Piece]]:
        if picture.track:
            yield [piece for tile in picture.track for piece in (self._tile(tile), Piece("  "))][:-1]
        for caption in picture.captions:
            yield [Piece(shortened(caption, width), "bold")]

    def _tile(self, tile: Tile) -> Piece:
        return Piece(f"{tile.sign if self._has_signs else tile.letter:^3}", tile.style)

    # One below the other, where the screen is narrow

    def _list(self, picture: Picture, cells: Sequence[Sequence[list[Piece]]]) -> Iterator[str]:
        for line in self._inside(picture, max(NARROWEST_CELL, self._columns)):
            yield self._painted(line)
        for cell in cells:
            pieces = [piece for line in cell for piece in (*line, Piece(" "))]
            yield self._painted([Piece(" "), *pieces])

    # Seats

    def _cell(self, place: int, seat: SeatPicture, names: Names, you: int) -> list[list[Piece]]:
        """The lines of a seat: its number and name, its marks, and its note."""
        name = f"{place + 1} {names[place]}"
        style = "dim" if seat.is_out else "bold" if place == you else ""
        marks = [Piece(self._sign(mark), mark.style) for mark in seat.marks]
        spaced = [piece for mark in marks for piece in (mark, Piece(" "))][:-1]
        lines = [[Piece(f"[{name}]" if place == you else name, style)], spaced, [Piece(self._words(seat.note), "dim")]]
        return [line if any(piece.text for piece in line) else [] for line in lines]

    def _words(self, note: str) -> str:
        return note if self._has_signs else note.replace("→", "->")

    def _sign(self, mark: Mark) -> str:
        return mark.sign if self._has_signs else mark.letter

    def _legend(self, picture: Picture) -> Iterator[str]:
        """What the signs in this picture mean, each once, in as many lines as they need."""
        line = ""
        for mark in dict.fromkeys(mark for seat in picture.seats for mark in seat.marks):
            entry = f"{self._sign(mark)} {mark.meaning}"
            if line and width_of(f"{line}   {entry}") > self._columns - 2 * MARGIN:
                yield self._paint(" " * MARGIN + line, "dim")
                line = ""
            line = f"{line}   {entry}" if line else entry
        if line:
            yield self._paint(" " * MARGIN + line, "dim")

    # Pieces as text

    def _centred(self, pieces: Sequence[Piece], width: int) -> str:
        if len(pieces) == 1:
            pieces = [Piece(shortened(pieces[0].text, width - 1), pieces[0].style)]
        free = max(0, width - sum(width_of(piece.text) for piece in pieces))
        return " " * (free // 2) + self._painted(pieces) + " " * (free - free // 2)

    def _painted(self, pieces: Sequence[Piece]) -> str:
        return "".join(self._paint(piece.text, piece.style) for piece in pieces)


def can_print_signs(encoding: str | None) -> bool:
    """Whether a terminal's encoding has every sign."""
    try:
        SIGNS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def shortened(text: str, width: int) -> str:
    """The text, or its beginning and a dot where it is too wide."""
    if width_of(text) <= width:
        return text
    kept = ""
    for sign in text:
        if width_of(kept + sign) > width - 1:
            break
        kept += sign
    return kept.rstrip() + "."
