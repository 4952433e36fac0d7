"""What a move is worth without playing on: how likely a team is to fail in a deal, and what a quest won or lost is
worth. It serves where there is no machine code to play games on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.belief.strategy import Choice
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import EVIL_ROLES, Card
from roundtable.games.quests.sage.parameters import PARAMETERS
from roundtable.games.quests.sage.tendencies import Customs, looks_fair, servants_points
from roundtable.games.quests.state import QuestDeal, QuestState
from roundtable.games.quests.tables import TO_WIN


def foresee(
    customs: Customs, view: QuestState, seat: Seat, moves: Sequence[Choice], deals: Sequence[QuestDeal]
) -> Floats | None:
    """[move, deal]; None where it has nothing to say about such moves."""
    if not all(isinstance(move, (ProposeTeam, CastVote, PlayCard)) for move in moves):
        return None
    evil = np.array([[role in EVIL_ROLES for role in deal.roles] for deal in deals])
    good_wins = np.stack([good_wins_after(customs, view, seat, move, evil) for move in moves])
    return 1 - good_wins if view.roles[seat] in EVIL_ROLES else good_wins


def good_wins_after(customs: Customs, view: QuestState, seat: Seat, move: Any, evil: Any) -> Floats:
    """By deal: the chance that Good wins."""
    match move:
        case ProposeTeam(team=team):
            quest = getattr(move, "quest", None) or len(view.results) + 1
            is_fair = looks_fair(servants_points(customs, view, seat), team)
            passes = PARAMETERS.passes[is_fair]
            goes = quest_played(view, evil[:, sorted(team)].sum(axis=1), customs.needed(view, quest))
            return np.asarray(passes * goes + (1 - passes) * rejected(customs, view))
        case CastVote(approve=True):
            assert view.proposal is not None
            members = evil[:, sorted(view.proposal.team)].sum(axis=1)
            return quest_played(view, members, customs.needed(view, view.proposal.quest))
        case CastVote():
            return np.full(len(evil), rejected(customs, view))
    assert view.proposal is not None
    fellows = evil[:, sorted(view.proposal.team - {seat})].sum(axis=1)
    needed = customs.needed(view, view.proposal.quest)
    others = np.where(fellows >= needed - (move.card is not Card.SUCCESS), 1.0, 0.0)
    fails = others if move.card is not Card.SUCCESS else others * PARAMETERS.fails
    return won_or_lost(view, np.asarray(fails))


def quest_played(view: QuestState, members: Any, needed: int) -> Floats:
    return won_or_lost(view, np.where(members >= needed, PARAMETERS.fails, 0.0))


def won_or_lost(view: QuestState, fails: Floats) -> Floats:
    return np.asarray(
        fails * worth(view.successes, view.failures + 1) + (1 - fails) * worth(view.successes + 1, view.failures)
    )


def worth(successes: int, failures: int) -> float:
    """How often Good wins from there."""
    if failures == TO_WIN:
        return 0.0
    return 1 - PARAMETERS.hit if successes == TO_WIN else PARAMETERS.wins[successes * TO_WIN + failures]


def rejected(customs: Customs, view: QuestState) -> float:
    """A15: after the last team there is no other."""
    left = customs.last_attempt(view) - view.attempt
    return max(0.0, worth(view.successes, view.failures) - PARAMETERS.waiting) if left else 0.0
