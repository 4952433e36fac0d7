"""Values, audiences and views: frozen, typed, and silent about secrets in `repr`."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Say
from roundtable.core.codec import encode
from roundtable.core.errors import Unreadable
from roundtable.core.events import Said, SeedSealed
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, NOBODY, SPECTATOR, only
from roundtable.games import all_games, new_game
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import BallotMarked, RoleDealt
from roundtable.games.quests.roles import Card, Role
from roundtable.games.saviom.events import HuntMarked
from support.scenes import SEED


def test_equal_values_are_the_same_object_and_frozen() -> None:
    vote = CastVote(phase=3, approve=True)
    assert vote is CastVote(phase=3, approve=True)
    assert vote != CastVote(phase=3, approve=False)
    with pytest.raises(AttributeError):
        vote.approve = False  # type: ignore[misc]


@pytest.mark.parametrize("team", [[0, 1], (1, 0), {0, 1}], ids=str)
def test_any_collection_of_seats_becomes_the_frozen_one(team: Any) -> None:  # A11
    assert ProposeTeam(phase=1, team=team) is ProposeTeam(phase=1, team=frozenset((0, 1)))
    assert type(ProposeTeam(phase=2, team=team).team) is frozenset


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
        lambda: ProposeTeam(phase=1, team=[0, "1"]),  # type: ignore[arg-type]
        lambda: ProposeTeam(phase=1, team=[[0], 1]),  # type: ignore[arg-type]
        lambda: ProposeTeam(phase=1, team={0: 1}),  # type: ignore[arg-type]
        lambda: CastVote(phase=[1], approve=True),  # type: ignore[arg-type]
        lambda: CastVote(phase=10**5000, approve=True),
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
