"""The codec: values as JSON and back; everything else is unreadable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Action
from roundtable.core.codec import encode
from roundtable.core.errors import Unreadable
from roundtable.core.events import Event
from roundtable.games import GAMES, codec_of, new_game
from roundtable.games.quests.actions import ProposeTeam
from support.scenes import SEED


@pytest.mark.parametrize(
    "rubbish",
    [
        b"", b"{", b"null", b"[]", b"1", b'{"is":"CastVote"}', b'{"is":"CastVote","phase":1,"approve":1}',
        b'{"is":"CastVote","phase":"1","approve":true}', b'{"is":"CastVote","phase":1,"approve":true,"seat":2}',
        b'{"is":"Play","phase":1}', b'{"is":"PlayCard","phase":1,"card":"Joker"}', b"\xff\xfe",
        b'{"is":"ProposeTeam","phase":1,"team":[0,"1"],"quest":null,"excalibur":null}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_rubbish_is_unreadable_and_nothing_worse(rubbish: bytes) -> None:
    with pytest.raises(Unreadable):
        codec_of(GAMES["avalon"].game).read(Action, codec_of(GAMES["avalon"].game).decode(Action, rubbish))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_other_json_is_unreadable(loaded: object) -> None:
    with pytest.raises(Unreadable):
        codec_of(GAMES["saviom"].game).read(Event, loaded)


def test_a_value_survives_writing_and_reading() -> None:
    team = ProposeTeam(phase=2, team=frozenset({4, 1}), quest=None, excalibur=1)
    encoded = encode(team)
    assert encoded == b'{"excalibur":1,"is":"ProposeTeam","phase":2,"quest":null,"team":[1,4]}'
    assert codec_of(GAMES["avalon"].game).decode(Action, encoded) is team


def test_an_outcome_is_the_same_whether_it_was_played_or_read() -> None:  # C3
    play = play_out(new_game("avalon", 5, SEED), {seat: RandomBot() for seat in range(5)}, Dice(1))
    assert play.outcome is not None
    assert type(play.outcome.winner) is str
