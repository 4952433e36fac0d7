"""Choices by number: which number stands for which team, vote or card, what a seat may choose, and a choice made."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

import numpy as np

from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import CARDS, FAIL, REVERSE, ROLES, roles_in_bits
from roundtable.games.quests.environment import seen_as, sights_among
from roundtable.games.quests.roles import Card, Role, Sight
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.tables import QUESTS, TEAM_SIZES
from roundtable.kernels.actions import NO_PHASE, Actions
from roundtable.kernels.compiling import compiled
from roundtable.kernels.layout import Layout

MOST_SIGHTS = 8
KINDS = len(CARDS)

Rules = Any  # a row of a game's rules

# Parts of the row. A rule's `place` has where each begins, or -1 where the table has none.
PARTS = (
    *("seat", "role", "has_dagger", "told_roles", "notices", "own_vote", "own_card"),
    *("phase", "leader", "attempt", "quest", "team", "voted", "evil", "dagger"),
    *("results", "quest_teams", "quest_cards", "poll_quests", "poll_leaders", "poll_teams", "poll_votes"),
    *("lady", "lady_has_been_with", "examined", "loyalties", "excalibur", "turned", "turned_was"),
    *("first_team", "arthur", "agravaine", "window", "went_on"),
)
AT: Any = namedtuple("AT", PARTS)(*range(len(PARTS)))

CHOICE_RULES = [
    ("place", np.int64, len(PARTS)),
    ("role_place", np.int64, len(ROLES)),
    ("sight_place", np.int64, MOST_SIGHTS),  # -1 where there are fewer
    ("sights", np.int64, (MOST_SIGHTS, len(ROLES))),  # by viewer: the roles that are shown so
    ("hands", np.int64, len(ROLES)),  # the cards that each role may play, as bits
    ("proposals", np.int64, QUESTS + 1),  # by quest: the number of its first team
    ("votes", np.int64),  # the number of approving; rejecting is the next
    ("cards", np.int64),  # the number of Success; the other cards follow
]


# Rules as numbers


def lay_out_row(
    rules: Any, layout: Layout, setup: QuestSetup, roles: tuple[Role, ...], sights: Iterable[Sight]
) -> None:
    first = {part.name: place for part, place, _ in layout.places()}
    rules["place"] = [first.get(name, -1) for name in PARTS]
    for place, role in enumerate(roles):
        rules["role_place"][ROLES.index(role)] = place
    rules["hands"] = [sum(1 << CARDS.index(card) for card in setup.cards_of(role)) for role in ROLES]
    rules["sight_place"] = -1
    for number, sight in enumerate(sights_among(sights, roles)):
        rules["sight_place"][number] = first[seen_as(sight)]
        for row in sights:
            for viewer in row.viewers if row.seen_as == sight else ():
                rules["sights"][number, ROLES.index(viewer)] |= roles_in_bits(row.seen)


def number_choices(rules: Any, setup: QuestSetup, actions: Actions, named: bool, with_excalibur: bool) -> None:
    for quest, size in enumerate(TEAM_SIZES[setup.seats], 1):
        aim, bearer = quest if named else None, 0 if with_excalibur else None
        first = ProposeTeam(phase=NO_PHASE, team=frozenset(range(size)), quest=aim, excalibur=bearer)
        rules["proposals"][quest] = actions.number(first)
    rules["votes"] = actions.number(CastVote(phase=NO_PHASE, approve=True))
    rules["cards"] = actions.number(PlayCard(phase=NO_PHASE, card=Card.SUCCESS))


# A choice made


@compiled
def mark_ballot(now: Now, seat: int, approves: bool) -> None:
    """A12."""
    now.asked &= ~(1 << seat)
    now.ballots = now.ballots & ~(1 << seat) | approves << seat


@compiled
def lay_card(now: Now, seat: int, card: int) -> None:
    """A17, T17."""
    now.asked &= ~(1 << seat)
    now.fails |= (card == FAIL) << seat
    now.reverses |= (card == REVERSE) << seat


@compiled
def member(team: int, place: int) -> int:
    """The member at this place, in seat order."""
    for _ in range(place):
        team &= team - 1
    return ((team & -team) - 1).bit_count()


# What may be chosen


@compiled
def allow_seats(rules: Rules, mask: Any, first: int, seats: int) -> None:
    for seat in range(rules.seats):
        mask[first + seat] = seats >> seat & 1


@compiled
def allow_ballots(rules: Rules, mask: Any) -> None:
    mask[rules.votes] = mask[rules.votes + 1] = 1


@compiled
def allow_cards(rules: Rules, now: Now, seat: int, mask: Any) -> None:
    hand = rules.hands[now.roles[seat]]
    for card in range(KINDS):
        if hand >> card & 1:
            mask[rules.cards + card] = 1
