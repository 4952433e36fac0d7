"""Frames of a socket (RFC 6455, 5.2), as far as they are read and made without further ado."""

from __future__ import annotations

from websockets.frames import apply_mask  # type: ignore[attr-defined]

from roundtable.protocol.lines import LONGEST

TEXT = 0x81  # the first byte of a whole frame of text


def framed(text: bytes) -> bytes:
    """A frame as a server sends it (RFC 6455, 5.2): unmasked, whole."""
    length = len(text)
    if length < 126:
        return bytes((TEXT, length)) + text
    if length < 65_536:
        return b"\x81\x7e" + length.to_bytes(2, "big") + text
    return b"\x81\x7f" + length.to_bytes(8, "big") + text


def ends_with_a_frame(data: bytes) -> bool:
    """Whether data that begins with a client's frame ends with one too, and not in the middle of it."""
    place, end = 0, len(data)
    while place < end:
        if end - place < 2:
            return False
        length = data[place + 1] & 0x7F
        place += 6  # two bytes, and the mask
        if length == 126:
            length, place = int.from_bytes(data[place - 4 : place - 2], "big"), place + 2
        elif length == 127:
            length, place = int.from_bytes(data[place - 4 : place + 4], "big"), place + 8
        place += length
    return place == end


def text_in(data: bytes) -> str | None:
    """The text of a short frame that was sent whole and by itself; None where it is anything else."""
    if len(data) < 6 or data[0] != TEXT or data[1] < 0x80:
        return None
    start = 2 if data[1] < 0x80 + 126 else 4
    length = data[1] & 0x7F if start == 2 else int.from_bytes(data[2:4], "big")
    if data[1] == 0xFF or length > LONGEST or len(data) != start + 4 + length:
        return None
    try:
        return apply_mask(data[start + 4 :], data[start : start + 4]).decode()
    except UnicodeDecodeError:
        return None
