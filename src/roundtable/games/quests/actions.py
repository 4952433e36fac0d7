"""What players ask for in a quest game."""

from __future__ import annotations

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value
from roundtable.games.quests.roles import Card


@value
class ProposeTeam(Move):
    """The leader's team; `quest` only where quests are chosen (A24), `excalibur` only where it is in play (A25)."""

    team: frozenset[Seat]
    quest: int | None = None
    excalibur: Seat | None = None


@value
class CastVote(Move):
    approve: bool = sealed()


@value
class PlayCard(Move):
    card: Card = sealed()


QUEST_ACTIONS: tuple[type[Move], ...] = (ProposeTeam, CastVote, PlayCard)
