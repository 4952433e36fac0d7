"""WebSocket frames (RFC 6455, section 5.2): encoding text, and the common case of decoding it."""

from __future__ import annotations

from functools import lru_cache

from websockets.frames import apply_mask  # type: ignore[attr-defined]

from roundtable.protocol.encoding import LONGEST

FINAL = 0x80  # bit of the first byte: the last frame of a message, or the only one
MASKED = 0x80  # bit of the second byte
TEXT = FINAL | 0x1  # the first byte of a text message in a single frame


@lru_cache(maxsize=8)
def encode_frame(message: str) -> bytes:
    """A text message in a single unmasked frame, as a server sends it. All seats that are sent the same text get the
    same bytes."""
    text = message.encode()
    length = len(text)
    if length < 126:
        return bytes((TEXT, length)) + text
    if length < 65_536:
        return b"\x81\x7e" + length.to_bytes(2, "big") + text
    return b"\x81\x7f" + length.to_bytes(8, "big") + text


def decode_text_frame(data: bytes) -> str | None:
    """The text, where the data is exactly one frame of a client with a whole text message; None for anything else."""
    if len(data) < 6 or data[0] != TEXT or data[1] < MASKED:
        return None
    start = 2 if data[1] < MASKED + 126 else 4
    length = data[1] & 0x7F if start == 2 else int.from_bytes(data[2:4], "big")
    if data[1] == MASKED + 127 or length > LONGEST or len(data) != start + 4 + length:
        return None
    try:
        return apply_mask(data[start + 4 :], data[start : start + 4]).decode()
    except UnicodeDecodeError:
        return None


def is_whole_messages(data: bytes) -> bool:
    """Whether data that begins with a frame of a client holds only complete frames, none of them a fragment."""
    place, end = 0, len(data)
    while place + 2 <= end and data[place] & FINAL:
        length = data[place + 1] & 0x7F
        place += 6  # two bytes, and the mask
        if length == 126:
            length, place = int.from_bytes(data[place - 4 : place - 2], "big"), place + 2
        elif length == 127:
            length, place = int.from_bytes(data[place - 4 : place + 4], "big"), place + 8
        place += length
    return place == end
