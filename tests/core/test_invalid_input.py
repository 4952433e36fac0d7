"""Invalid calls of the engine: wrong types, forged records, impossible setups and deals. Each gets a typed error."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest

from roundtable.core import actions as ask
from roundtable.core import events as happened
from roundtable.core.actions import Action
from roundtable.core.codec import encode
from roundtable.core.entries import Entry
from roundtable.core.errors import BadRecord, IllegalAction, SetupError
from roundtable.core.play import Play, replay
from roundtable.core.seats import EVERYONE, HOST
from roundtable.games import GAMES, make_setup, new_game
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import QuestDeal
from roundtable.games.saviom.actions import Accuse
from roundtable.games.saviom.events import DayEnded
from roundtable.games.saviom.setup import SaviomSetup
from support.scenes import SEED, propose, seated

SEATS = 6


def dealt(name: str = "saviom") -> Play[Any, Any]:
    return new_game(name, SEATS, SEED)


def snapshot_of(play: Play[Any, Any]) -> tuple[int, bytes]:
    return len(play.entries), encode(play.state.facts())


def refused(play: Play[Any, Any], actor: Any, action: Action, id: Any = "") -> str:
    with pytest.raises(IllegalAction) as refusal:
        play.act(actor, action, id)
    return refusal.value.code


# Wrong arguments


@pytest.mark.parametrize("actor", ["0", None, True, 0.0, []], ids=repr)
def test_an_actor_that_is_no_number_is_refused(actor: Any) -> None:  # C2
    play = dealt()
    before = snapshot_of(play)
    assert refused(play, actor, Accuse(phase=1, target=1)) == "action/unknown_seat"
    assert snapshot_of(play) == before


@pytest.mark.parametrize("listener", [8, -2, 10**5000], ids=["after the last", "before the first", "endless"])
def test_a_table_tells_no_listener_who_is_not_there(listener: int) -> None:  # C4
    play = dealt()
    for told in (play.view, play.heard, play.events_for):
        with pytest.raises(IllegalAction) as refusal:
            told(listener)
        assert refusal.value.code == "action/unknown_seat"


@pytest.mark.parametrize("id", [5, None, b"x", []], ids=repr)
def test_an_id_that_is_no_text_is_refused(id: Any) -> None:  # C2
    play = dealt()
    before = snapshot_of(play)
    assert refused(play, 0, Accuse(phase=1, target=1), id) == "action/bad_id"
    assert snapshot_of(play) == before


@pytest.mark.parametrize("seed", ["x", b"short", bytearray(32), None], ids=repr)
def test_a_seed_that_is_not_32_bytes_lays_no_table(seed: Any) -> None:  # C1
    with pytest.raises(SetupError) as problem:
        Play.open(GAMES["saviom"].game, SaviomSetup(seats=6), seed)
    assert problem.value.code == "setup/seed"


def test_a_table_takes_only_its_own_games_setup() -> None:
    with pytest.raises(SetupError, match="takes a setup of the type SaviomSetup"):
        Play.open(GAMES["saviom"].game, AvalonSetup(seats=6), SEED)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("avalon", {"roles": 5}),
        ("avalon", {"roles": [1]}),
        ("avalon", {"roles": b"x"}),
        ("avalon", {"roles": {"Percival", "Gandalf"}}),
        ("saviom", {"night_seconds": "--5"}),
        ("saviom", {"night_seconds": "²"}),
        ("saviom", {"night_seconds": "9" * 5000}),
        ("saviom", {"night_seconds": 1.5}),
        ("saviom", {"mode": object()}),
        ("saviom", {"early_end": set()}),
        ("saviom", {"moon": 1j}),
        ("saviom", {"night_seconds": 10**5000}),
        ("avalon", {"roles": repeat("Percival")}),
        ("avalon", {"roles": iter([1])}),
        ([], {}),
    ],
    ids=range(15),
)
def test_whatever_is_asked_for_a_table_starts_or_says_why_not(name: Any, options: dict[str, Any]) -> None:  # A4
    with pytest.raises(SetupError):
        make_setup(name, 6, options)


@pytest.mark.parametrize("roles", [map(str, ["Percival"]), iter(["percival"]), (name for name in ["Percival"])])
def test_roles_can_be_named_by_an_iterator(roles: Any) -> None:  # A4
    assert make_setup("avalon", 5, {"roles": roles}).roles == {Role.PERCIVAL}  # type: ignore[attr-defined]


class Sulky:
    """An object that cannot describe itself."""

    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("option", ["lady", "hammer", "two_fails_from", "vote_seconds", "roles"])
@pytest.mark.parametrize("value", [Sulky(), [Sulky()]], ids=["bare", "listed"])
def test_a_value_that_cannot_describe_itself_is_refused_all_the_same(option: str, value: Any) -> None:  # A4
    with pytest.raises(SetupError):
        make_setup("avalon", 5, {option: value})


def test_a_refusal_shows_no_control_characters_and_no_endless_names() -> None:  # A4
    with pytest.raises(SetupError) as refusal:
        make_setup("avalon", 5, {"roles": ["\x1b[31mGandalf" + "f" * 10_000]})
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("seats", [10**5000, -(10**5000)], ids=["many", "few"])
def test_an_endless_number_of_seats_is_refused_in_a_sentence(seats: int) -> None:  # A1
    with pytest.raises(SetupError, match=r"Avalon takes 5 to 10 players, not ≈-?10\^5000\."):
        make_setup("avalon", seats)


@pytest.mark.parametrize(
    "roles", [{Role.PERCIVAL}, ["Percival"], "Percival", 5, frozenset({"Percivale"})], ids=range(5)
)
def test_a_setup_made_by_hand_names_its_problems_too(roles: Any) -> None:  # A4
    setup = AvalonSetup(seats=6, roles=roles)
    assert setup.problems()
    with pytest.raises(SetupError):
        Play.open(GAMES["avalon"].game, setup, SEED)


def test_a_pause_cannot_hold_up_a_table_without_a_clock() -> None:  # C6
    play = dealt("avalon")
    play.act(HOST, ask.Pause())
    for seat in range(SEATS // 2 + 1):
        play.act(seat, ask.AskCountdown(phase=1))
    play.expire()
    assert play.phase.number == 2


# Chosen deals


def chosen_record() -> list[Entry]:
    play = seated("avalon", QuestDeal((Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA), 0, 3), 5)
    propose(play, [0, 1])
    return list(play.entries)


DEALT = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)


@pytest.mark.parametrize(
    "deal",
    [
        5,
        "deal",
        {},
        (DEALT, 0, 3),
        QuestDeal(list(DEALT), 0, 3),  # type: ignore[arg-type]
        QuestDeal(tuple(map(str, DEALT)), 0, 3),  # type: ignore[arg-type]
        QuestDeal(DEALT, True, 3),
        QuestDeal(DEALT, 0, 3.0),  # type: ignore[arg-type]
        QuestDeal(5, None, None),  # type: ignore[arg-type]
    ],
    ids=range(9),
)
def test_what_is_no_deal_is_not_dealt(deal: Any) -> None:  # C2
    seated("avalon", QuestDeal(DEALT, 0, 3), 5)  # an equal deal that is right, in every cache
    play = Play.open(GAMES["avalon"].game, make_setup("avalon", 5), SEED)
    with pytest.raises(IllegalAction) as refusal:
        play.deal(chosen=deal)
    assert (refusal.value.code, play.is_dealt) == ("action/not_allowed", False)


def test_a_chosen_deal_replays() -> None:  # C3
    record = chosen_record()
    assert replay(GAMES["avalon"].game, record).entries == record


def forgeries() -> dict[str, list[Entry]]:
    table, deal, move = chosen_record()
    outcome = happened.Outcome(winner="Evil", seats=(0,), reason="because")
    ended = happened.GameEnded(audience=EVERYONE, outcome=outcome)
    merlins = tuple(
        replace(event, role=Role.MERLIN) if isinstance(event, RoleDealt) else event for event in deal.events
    )
    return {
        "an end in the deal": [table, deal._replace(events=(*deal.events, ended)), move],
        "an empty deal": [table, deal._replace(events=()), move],
        "five Merlins": [table, deal._replace(events=merlins), move],
        "a deal by a seat": [table, deal._replace(actor=3), move],
        "a second deal": [table, deal, move, deal],
        "a foreign event": [table, deal._replace(events=(*deal.events, DayEnded(audience=EVERYONE, quiet=0))), move],
    }


@pytest.mark.parametrize("name", forgeries())
def test_a_forged_deal_does_not_replay(name: str) -> None:  # C3
    with pytest.raises(BadRecord, match=r"Line \d+"):
        replay(GAMES["avalon"].game, forgeries()[name])


def test_a_record_of_another_game_cannot_be_taken_up() -> None:  # C3
    with pytest.raises(BadRecord):
        Play(GAMES["saviom"].game, chosen_record())
    table, deal, _ = chosen_record()
    with pytest.raises(BadRecord):
        Play(GAMES["avalon"].game, [table, deal._replace(events=(DayEnded(audience=EVERYONE, quiet=0),))])


def test_a_deal_that_the_setup_cannot_come_to_is_refused() -> None:  # A4, C2
    with pytest.raises(IllegalAction):
        seated("avalon", QuestDeal((Role.MERLIN,) * 5, 0, None), 5)
