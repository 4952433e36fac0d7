"""Deals and states of the engine as positions, and deals back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roundtable.core.setup import Setup
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.compiled.words import CARDS, FAIL, REVERSE, ROLES, number_of
from roundtable.games.quests.state import QuestDeal, QuestState
from roundtable.kernels.positions import Positions


class QuestDeals(NamedTuple):
    """Many deals as arrays."""

    roles: npt.NDArray[np.integer[Any]]  # by deal and seat: the index of the role in `KERNEL.roles`
    assassin: npt.NDArray[np.integer[Any]]  # by deal: the seat, or -1
    leader: npt.NDArray[np.integer[Any]] | None = None  # who leads first; needed where a game begins


def read_deal(position: Any, setup: Setup) -> QuestDeal:
    roles = tuple([ROLES[role] for role in position["roles"][: setup.seats].tolist()])
    assassin = int(position["assassin"])
    return QuestDeal(roles, int(position["first_leader"]), None if assassin < 0 else assassin)


def write_deals(positions: Positions, deals: Sequence[QuestDeal] | QuestDeals) -> None:
    if not isinstance(deals, QuestDeals):
        deals = as_arrays(deals)
    positions["roles"][:, : deals.roles.shape[1]] = deals.roles
    positions["assassin"] = deals.assassin
    if deals.leader is not None:
        positions["first_leader"] = deals.leader


def as_arrays(deals: Sequence[QuestDeal]) -> QuestDeals:
    return QuestDeals(
        np.array([[number_of(role) for role in deal.roles] for deal in deals], np.int16),
        np.array([-1 if deal.assassin is None else deal.assassin for deal in deals], np.int16),
        np.array([deal.leader for deal in deals], np.int16),
    )


def write_state(row: Any, state: QuestState, phases: Sequence[str], asked: int) -> None:
    """What both games' states hold. Of roles, ballots and cards there may be only those of one seat."""
    for seat, role in state.roles.items():
        row["roles"][seat] = number_of(role)
    row["assassin"] = -1 if state.assassin is None else state.assassin
    row["phase"], row["stage"], row["asked"] = state.phase.number, phases.index(state.phase.name), asked
    row["leader"], row["attempt"] = state.leader, state.attempt
    row["successes"], row["failures"] = state.successes, state.failures
    row["ballots"] = mask_of(seat for seat, approves in state.ballots.items() if approves)
    row["voted"] = mask_of(state.voted)
    row["fails"] = mask_of(seat for seat, card in state.cards.items() if CARDS.index(card) == FAIL)
    row["reverses"] = mask_of(seat for seat, card in state.cards.items() if CARDS.index(card) == REVERSE)
    row["quest"], row["holder"] = len(state.results) + 1, -1
    if state.proposal is not None:
        row["team"], row["quest"] = mask_of(state.proposal.team), state.proposal.quest
        row["holder"] = -1 if state.proposal.excalibur is None else state.proposal.excalibur
    write_history(row, state)


def write_history(row: Any, state: QuestState) -> None:
    row["poll_count"], row["result_count"], row["news"] = len(state.polls), len(state.results), len(state.results)
    for at, poll in enumerate(state.polls):
        leader, quest, team, _ = poll.proposal
        row["poll_quest"][at], row["poll_leader"][at], row["poll_team"][at] = quest, leader, mask_of(team)
        row["poll_ballots"][at] = mask_of(seat for seat, approves in enumerate(poll.ballots) if approves)
    for at, result in enumerate(state.results):
        row["played"] |= 1 << result.quest
        row["result_quest"][at], row["result_team"][at] = result.quest, mask_of(result.team)
        row["result_fails"][at], row["result_reverses"][at] = result.fails, result.reverses
        row["result_failed"][at] = not result.succeeded
        row["turned"][at] = row["turner"][at] = -1


def still_asked(state: QuestState, awaited: frozenset[int]) -> int:
    """Who has yet to choose in this phase, as far as is known."""
    chosen: dict[str, Collection[int]] = {"vote": state.ballots, "quest": state.cards}
    return mask_of(awaited - set(chosen.get(state.phase.name, ())))
