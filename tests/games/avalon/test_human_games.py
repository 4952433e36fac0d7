"""Thousands of games between people, replayed move by move; set ROUNDTABLE_HUMAN_GAMES to their file."""

from __future__ import annotations

import gzip
import json
import os
from itertools import islice
from typing import Any

import pytest

from roundtable.core.actions import Move
from roundtable.core.errors import IllegalAction
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.games.avalon.actions import ShootMerlin
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.state import QuestDeal
from support.scenes import do, refusal, seated
from support.sizes import HUMAN_PARTS

Table = Play[Any, Any]

CHUNKS = 8
GAMES = 8032

SPELLED = {"LOYAL FOLLOWER": Role.SERVANT, "EVIL MINION": Role.MINION}
OPTIONAL = {Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON}
EVIL = {Role.ASSASSIN, Role.MORGANA, Role.MORDRED, Role.OBERON, Role.MINION}
STRAY: dict[type[Move], dict[str, Any]] = {
    ProposeTeam: {"team": frozenset((0, 1))},
    CastVote: {"approve": True},
    PlayCard: {"card": Card.SUCCESS},
    ShootMerlin: {"target": 0},
}
REASONS = {
    ("assassination", "evil"): "merlin_assassinated",
    ("assassination", "good"): "merlin_survived",
    ("three_fails", "evil"): "three_failures",
    ("five_rejects", "evil"): "five_rejections",
    ("three_successes_no_shot", "good"): "three_successes",
}


def games(chunk: int) -> list[dict[str, Any]]:
    path = os.environ.get("ROUNDTABLE_HUMAN_GAMES")
    if not path:
        pytest.skip("ROUNDTABLE_HUMAN_GAMES does not name the file of human games.")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in islice(lines, chunk, None, CHUNKS)]


def dealt(game: dict[str, Any]) -> Table:
    """The table of a recorded game, with its own roles, first leader and Assassin."""
    roles = tuple(SPELLED.get(name) or Role(name.title()) for name in game["roles"])
    merlin = Role.MERLIN in roles
    first = game["quests"][0]["proposals"][0]["leader"]
    assassin = game["assassin"] if merlin else None  # a few records name one all the same
    kind = "role" if Role.ASSASSIN in roles else "duty"
    deal = QuestDeal(roles, first, assassin)
    return seated("avalon", deal, game["n"], roles=OPTIONAL & set(roles), merlin=merlin, assassin=kind)


def refuse_all_but(play: Table, asked: type[Move]) -> None:
    """What the phase does not ask for is refused; seats and kinds of move take turns from phase to phase."""
    number = play.phase.number
    unasked = [kind for kind in STRAY if kind is not asked]
    stray = unasked[number % len(unasked)]
    assert refusal(play, number % play.state.setup.seats, stray, **STRAY[stray]) == "action/not_now"
    if asked is not ProposeTeam:
        assert refusal(play, play.state.leader, ProposeTeam, **STRAY[ProposeTeam]) == "action/not_now"


def refuse_late_vote(play: Table, seat: Seat) -> None:
    """A vote that answers the phase before never becomes one of this phase."""
    try:
        play.act(seat, CastVote(phase=play.phase.number - 1, approve=True))
    except IllegalAction as refused:
        code = refused.code
    else:
        code = "accepted"
    assert code == "action/late"


def propose(play: Table, leader: Seat, team: frozenset[Seat]) -> None:
    refuse_all_but(play, ProposeTeam)
    seats = {*range(play.state.setup.seats)}
    follower = (leader + 1) % len(seats)
    assert refusal(play, follower, ProposeTeam, team=team) == "action/not_now"
    fewer = team - {min(team)}
    for wrong in (fewer, team | {min(seats - team)}, fewer | {len(seats)}):
        assert refusal(play, leader, ProposeTeam, team=wrong) == "action/not_allowed"
    do(play, leader, ProposeTeam, team=team)


def vote(play: Table, approving: set[Seat]) -> None:
    refuse_all_but(play, CastVote)
    for seat in range(play.state.setup.seats):
        refuse_late_vote(play, seat)
        do(play, seat, CastVote, approve=seat in approving)


def lay(play: Table, cards: dict[Seat, Card]) -> None:
    refuse_all_but(play, PlayCard)
    refuse_late_vote(play, play.state.leader)
    for seat in {*range(play.state.setup.seats)} - {*cards}:
        assert refusal(play, seat, PlayCard, card=Card.SUCCESS) == "action/not_now"
    for count, (seat, card) in enumerate(cards.items(), 1):
        wrong = Card.REVERSE if play.state.roles[seat] in EVIL else Card.FAIL
        assert refusal(play, seat, PlayCard, card=wrong) == "action/not_allowed"
        do(play, seat, PlayCard, card=card)
        if count < len(cards):
            assert refusal(play, seat, PlayCard, card=card) == "action/not_now"


def shoot(play: Table, assassin: Seat, target: Seat) -> None:
    refuse_all_but(play, ShootMerlin)
    for seat in {*range(play.state.setup.seats)} - {assassin}:
        assert refusal(play, seat, ShootMerlin, target=target) == "action/not_now"
    assert refusal(play, assassin, ShootMerlin, target=assassin) == "action/not_allowed"
    do(play, assassin, ShootMerlin, target=target)


def replayed(game: dict[str, Any]) -> Table:
    play = dealt(game)
    for quest in game["quests"]:
        for proposal in quest["proposals"]:
            propose(play, proposal["leader"], frozenset(proposal["team"]))
            vote(play, set(proposal["approve"]))
            assert play.state.polls[-1].approved is proposal["approved"]
        if was_played(quest):
            votes = quest["mission_votes"].items()
            lay(play, {int(seat): Card.SUCCESS if succeeds else Card.FAIL for seat, succeeds in votes})
    if game["end"] == "assassination":
        shoot(play, game["assassin"], game["shot"])
    return play


def was_played(quest: dict[str, Any]) -> bool:
    return bool(quest["result"] != "PENDING")


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(HUMAN_PARTS))
def test_human_games_end_as_recorded(chunk: int) -> None:  # A3, A11, A13, A14, A15, A16, A17, A19, A20, A21, A22, A27
    part = games(chunk)
    assert len(part) == GAMES // CHUNKS
    for game in part:
        play = replayed(game)
        assert play.outcome is not None, game["id"]
        assert play.outcome.winner == game["winner"].title(), game["id"]
        assert play.outcome.reason == REASONS[game["end"], game["winner"]], game["id"]
        recorded = [(quest["fails"], quest["result"] == "SUCCESS") for quest in game["quests"] if was_played(quest)]
        assert [(result.fails, result.succeeded) for result in play.state.results] == recorded, game["id"]
