"""The kernel's own promises: values, audiences, chance, codec."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundtable.bots import RandomBot, play_out
from roundtable.core.actions import Action, Say
from roundtable.core.chance import Stream, draw, shuffled
from roundtable.core.codec import encode
from roundtable.core.errors import Unreadable
from roundtable.core.events import Event, Said, SeedSealed
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, NOBODY, SPECTATOR, only
from roundtable.games import GAMES, all_games, codec_of, new_game
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import BallotMarked, RoleDealt
from roundtable.games.quests.roles import Card, Role
from roundtable.games.saviom.events import HuntMarked
from roundtable.testing.dice import Dice
from support.scenes import SEED


def test_equal_values_are_the_same_object_and_frozen() -> None:
    vote = CastVote(phase=3, approve=True)
    assert vote is CastVote(phase=3, approve=True)
    assert vote != CastVote(phase=3, approve=False)
    with pytest.raises(AttributeError):
        vote.approve = False  # type: ignore[misc]


def test_an_event_without_an_audience_cannot_be_made() -> None:
    for game in all_games():
        for kind in game.events:
            with pytest.raises(TypeError, match="audience"):
                kind()  # type: ignore[call-arg]


def test_everyone_is_every_seat_and_every_spectator() -> None:
    assert SPECTATOR in EVERYONE
    assert 7 in EVERYONE
    assert SPECTATOR not in only(3)
    assert 3 in only(3)
    assert pickle.loads(pickle.dumps(EVERYONE)) is EVERYONE


@pytest.mark.parametrize(
    ("secret", "word"),
    [
        (CastVote(phase=1, approve=True), "True"),
        (PlayCard(phase=1, card=Card.FAIL), "Fail"),
        (BallotMarked(audience=only(0), seat=0, approve=True), "True"),
        (RoleDealt(audience=only(0), seat=0, role=Role.MERLIN, sees=(), roles_in_game=(), notices=(), is_assassin=True),
         "Merlin"),
        (HuntMarked(audience=only(0), seat=0, target=5), "5"),
        (Said(audience=only(0), seat=0, channel="wolves", text="Tonight: Eve"), "Eve"),
        (Say(channel="wolves", text="Tonight: Eve"), "Eve"),
        (SeedSealed(audience=NOBODY, seed="ab" * 32), "abab"),
    ],
)  # fmt: skip
def test_secrets_stay_out_of_repr(secret: object, word: str) -> None:
    assert word not in repr(secret)


@pytest.mark.parametrize(("name", "word"), [("avalon", "Merlin"), ("thavalon", "Mordred"), ("saviom", "Wolf")])
def test_records_and_states_show_no_role_in_their_repr(name: str, word: str) -> None:
    play = new_game(name, 7, SEED)
    play_out(play, {seat: RandomBot() for seat in range(7)}, Dice(1))
    half = Play(play.game, play.entries[:12])
    for shown in (half.entries, half.state, *(half.view(seat) for seat in range(7))):
        assert word not in repr(shown)
    assert "assassin" not in repr(half.state)


def test_what_is_done_to_a_view_changes_no_other_view() -> None:  # C4
    play = new_game("avalon", 5, SEED)
    view = play.view(0)
    view.roles[3] = Role.MERLIN
    view.phase = None
    assert play.view(0).roles.keys() == {0}
    assert play.view(0).phase == play.phase


@pytest.mark.parametrize(
    "make",
    [
        lambda: CastVote(phase=1, approve=1),  # type: ignore[arg-type]
        lambda: CastVote(phase=True, approve=True),
        lambda: PlayCard(phase=1, card="Fail"),  # type: ignore[arg-type]
        lambda: ProposeTeam(phase=1, team=(0, 1)),  # type: ignore[arg-type]
        lambda: ProposeTeam(phase=91, team=frozenset({2, True})),  # an equal team that was named before is handed out
        lambda: ProposeTeam(phase=1, team=None),  # type: ignore[arg-type]
        lambda: Say(channel="table", text=5),  # type: ignore[arg-type]
        lambda: BallotMarked(audience=None, seat=0, approve=True),  # type: ignore[arg-type]
    ],
)
def test_a_value_whose_part_is_of_another_kind_cannot_be_made(make: Callable[[], object]) -> None:
    with pytest.raises(Unreadable, match=" is not"):
        make()


def test_a_value_of_another_kind_spoils_no_later_one() -> None:
    with pytest.raises(Unreadable):
        ProposeTeam(phase=77, team=frozenset({2, True}))
    assert b'"team":[1,2]' in encode(ProposeTeam(phase=77, team=frozenset({1, 2})))


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_a_stream_stays_below_its_bound(key: bytes, bound: int) -> None:
    stream = Stream(key, "test")
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_stream_refuses_a_bound_it_cannot_serve(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Stream(SEED, "test").below(bound)


@given(st.integers(0, 1000))
def test_a_shuffle_keeps_its_cards_and_a_draw_repeats_none(number: int) -> None:
    stream = Stream(SEED, str(number))
    assert sorted(shuffled(stream, range(12))) == list(range(12))
    assert len(set(draw(stream, range(12), 5))) == 5


def test_a_stream_is_even() -> None:
    stream = Stream(SEED, "even")
    counts = [0] * 7
    for _ in range(70_000):
        counts[stream.below(7)] += 1
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 35  # chi-square, 6 degrees of freedom: p < 1e-5


def test_labels_give_different_streams() -> None:
    assert [Stream(SEED, "a").below(2**32) for _ in range(2)] != [Stream(SEED, "b").below(2**32) for _ in range(2)]


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
    spelled = encode(team)
    assert spelled == b'{"excalibur":1,"is":"ProposeTeam","phase":2,"quest":null,"team":[1,4]}'
    assert codec_of(GAMES["avalon"].game).decode(Action, spelled) is team


def test_an_outcome_is_the_same_whether_it_was_played_or_read() -> None:  # C3
    play = play_out(new_game("avalon", 5, SEED), {seat: RandomBot() for seat in range(5)}, Dice(1))
    assert play.outcome is not None
    assert type(play.outcome.winner) is str
