"""How likely the careful bot would have been to vote as people did, from the view of each seat in a replayed game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from benchmarks.people.games import HumanGame
from roundtable.bots import CarefulBot
from roundtable.core.play import Play
from roundtable.games import game_named
from roundtable.games.avalon.people.history import Floats
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import Card
from roundtable.games.quests.state import Poll, QuestDeal

Table = Play[Any, Any]

SEED = bytes(32)
SLIPS = np.linspace(0.01, 1, 100)


def careful_ballots(game: HumanGame) -> Floats:
    """By vote and seat: the chance that the careful bot would have cast the ballot that was cast."""
    play = Play.open(game_named("avalon"), game.setup, SEED)
    play.deal(QuestDeal(game.roles, game.first_leader, game.assassin))
    return np.concatenate(list(_replayed(play, game)))


def _replayed(play: Table, game: HumanGame) -> Iterator[Floats]:
    failed = iter(game.failed)
    for poll in game.polls:
        play.act(poll.proposal.leader, ProposeTeam(phase=play.phase.number, team=poll.proposal.team))
        yield np.array([_chance(play, seat, cast) for seat, cast in enumerate(poll.ballots)])
        _vote(play, poll)
        if poll.approved and (fails := next(failed, None)) is not None:  # the last may not have been played
            phase = play.phase.number
            for seat in sorted(poll.proposal.team):
                play.act(seat, PlayCard(phase=phase, card=Card.FAIL if seat in fails else Card.SUCCESS))


def _chance(play: Table, seat: int, cast: bool) -> float:
    view = play.view(seat)
    likely = CarefulBot().probabilities(view, play.game.options(view, seat))
    return float(likely.get(CastVote(phase=play.phase.number, approve=cast), 0))


def _vote(play: Table, poll: Poll) -> None:
    phase = play.phase.number
    for seat, cast in enumerate(poll.ballots):
        play.act(seat, CastVote(phase=phase, approve=cast))


def with_slips(chances: Floats, slip: float) -> Floats:
    """The chances of a bot that votes by the toss of a coin so often. Without that, each vote it would never have cast
    would be an infinite surprise."""
    return (1 - slip) * chances + slip / 2


def best_slip(games: Iterable[HumanGame]) -> float:
    """How often the bot would have to slip to be surprised least by these games."""
    chances = np.concatenate([careful_ballots(game) for game in games])
    surprise = [-np.log2(with_slips(chances, slip)).mean() for slip in SLIPS]
    return float(SLIPS[int(np.argmin(surprise))])
