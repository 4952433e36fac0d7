"""WebSocket frames: what we encode and decode agrees with the parser of the websockets library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from roundtable.protocol.encoding import LONGEST
from roundtable.server.frames import decode_text_frame, encode_frame, is_whole_messages

FRAGMENT = Frame(Opcode.TEXT, b"half a", fin=False)
OTHERS = [Frame(Opcode.PING, b"ping"), Frame(Opcode.BINARY, b"x" * 200), Frame(Opcode.CLOSE, b""), FRAGMENT]


def sent_by_client(*frames: Frame) -> bytes:
    return b"".join(frame.serialize(mask=True) for frame in frames)


def text_frame(text: str) -> Frame:
    return Frame(Opcode.TEXT, text.encode())


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_client_reads_what_we_encode(length: int) -> None:
    client = ClientProtocol(parse_uri("ws://localhost/"), state=State.OPEN)
    client.receive_data(encode_frame("x" * length))
    assert client.events_received() == [Frame(Opcode.TEXT, b"x" * length)]


@given(st.text() | st.integers(120, 130).map("x".__mul__) | st.just("x" * LONGEST))
def test_a_whole_text_message_of_a_client_is_decoded(text: str) -> None:
    assert decode_text_frame(sent_by_client(text_frame(text))) == text


@pytest.mark.parametrize(
    "frames",
    [
        [],
        *([frame] for frame in OTHERS),
        [text_frame("one"), text_frame("two")],
        [text_frame("x" * (LONGEST + 1))],
        [text_frame("x" * 70_000)],
        [Frame(Opcode.TEXT, b"\xff")],  # no UTF-8
    ],
)
def test_everything_else_is_left_to_the_parser(frames: list[Frame]) -> None:
    assert decode_text_frame(sent_by_client(*frames)) is None


def test_a_text_without_a_mask_is_left_to_the_parser() -> None:
    assert decode_text_frame(text_frame("without a mask").serialize(mask=False)) is None


@given(st.text())
def test_a_part_of_a_frame_is_left_to_the_parser(text: str) -> None:
    data = sent_by_client(text_frame(text))
    assert all(decode_text_frame(data[:end]) is None for end in range(len(data)))


@given(
    st.lists(
        st.sampled_from([0, 5, 125, 126, 300, 65_535, 65_536]).map(lambda size: text_frame("x" * size)), max_size=4
    )
)
def test_data_is_whole_messages_up_to_the_end_of_a_frame_and_nowhere_else(frames: list[Frame]) -> None:
    data = sent_by_client(*frames)
    ends = {len(sent_by_client(*frames[:count])) for count in range(len(frames) + 1)}
    near = {place + step for place in ends for step in range(-20, 20) if 0 <= place + step <= len(data)}
    assert {place for place in near if is_whole_messages(data[:place])} == ends


def test_a_fragment_is_no_whole_message() -> None:
    last = Frame(Opcode.CONT, b" word")
    assert not is_whole_messages(sent_by_client(FRAGMENT))
    assert not is_whole_messages(sent_by_client(text_frame("one"), FRAGMENT, last))
