"""What both quest games are stepped through with: teams, votes, cards, and the row that the acting seat reads."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

import numpy as np

from roundtable.core.setup import Setup
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.compiled.kernel import TABLE
from roundtable.games.quests.compiled.mind import MEMORY, MOST_POLLS
from roundtable.games.quests.compiled.words import CARDS, MOST_SEATS, ROLES, roles_in_bits
from roundtable.games.quests.environment import seen_as, sights_among
from roundtable.games.quests.roles import Card, Role, Sight
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.state import QuestDeal
from roundtable.games.quests.tables import QUESTS, TEAM_SIZES
from roundtable.kernels.actions import NO_PHASE, Actions
from roundtable.kernels.compiling import compiled
from roundtable.kernels.layout import Layout
from roundtable.kernels.turns import ask_next

MOST_SIGHTS = 8
KINDS = len(CARDS)

Rules = Any  # a row of a game's rules
Now = Any  # a row of a game's state

# Parts of the row. A rule's `place` has where each begins, or -1 where the table has none.
PARTS = (
    *("seat", "role", "has_dagger", "told_roles", "notices", "own_vote", "own_card"),
    *("phase", "leader", "attempt", "quest", "team", "voted", "evil", "dagger"),
    *("results", "quest_teams", "quest_cards", "poll_quests", "poll_leaders", "poll_teams", "poll_votes"),
    *("lady", "lady_has_been_with", "examined", "loyalties", "excalibur", "turned", "turned_was"),
    *("first_team", "arthur", "agravaine", "window", "went_on"),
)
AT: Any = namedtuple("AT", PARTS)(*range(len(PARTS)))

QUEST_STEPS = [
    ("place", np.int64, len(PARTS)),
    ("role_place", np.int64, len(ROLES)),
    ("sight_place", np.int64, MOST_SIGHTS),  # -1 where there are fewer
    ("sights", np.int64, (MOST_SIGHTS, len(ROLES))),  # by viewer: the roles that are shown so
    ("hands", np.int64, len(ROLES)),  # the cards that each role may play, as bits
    ("proposals", np.int64, QUESTS + 1),  # by quest: the number of its first team
    ("votes", np.int64),  # the number of approving; rejecting is the next
    ("cards", np.int64),  # the number of Success; the other cards follow
]
MINDS = frozenset(str(part[0]) for part in MEMORY)  # the learner keeps its own memory
QUEST_STATE = [
    *[part for part in TABLE.descr if part[0] not in MINDS],
    ("number", np.int64),  # of the game
    ("stage", np.int64),  # the phase, in the order of the row's
    ("turn", np.int64),
    ("asked", np.int64),  # who is still to be asked in this phase; a mask, like every set of seats
    ("voted", np.int64),
    ("has_team", np.bool_),  # whether a team is on the table
    ("has_laid", np.int64),
    ("laid", np.int64, MOST_SEATS),  # the card of each who has
    ("polls", np.int64),
    ("poll_quest", np.int64, MOST_POLLS),
    ("poll_leader", np.int64, MOST_POLLS),
    ("poll_team", np.int64, MOST_POLLS),
    ("poll_ballots", np.int64, MOST_POLLS),
    ("result", np.int64, QUESTS + 1),  # by quest, from 1 on: 1 succeeded, -1 failed
    ("result_team", np.int64, QUESTS + 1),
    ("result_cards", np.int64, (QUESTS + 1, KINDS)),
]


# Rules as numbers, and back


def deal_of(state: Any, setup: Setup) -> Any:
    roles = tuple([ROLES[role] for role in state["roles"][: setup.seats].tolist()])
    return QuestDeal(roles, int(state["first_leader"]), None if state["assassin"] < 0 else int(state["assassin"]))


def with_room_for_steps(rules: Any, step_rules: np.dtype[Any]) -> Any:
    """A kernel's rules, with room for what a stepper adds to them."""
    table = np.zeros(1, step_rules)
    for name in rules.dtype.names:
        table[name] = rules[name]
    return table


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


# Turns


@compiled
def clear(rules: Rules, now: Now) -> None:
    """Before the first phase nothing lies on the table."""
    now.polls = now.voted = now.ballots = now.has_laid = now.team = 0
    now.has_team = False
    for quest in range(1, QUESTS + 1):
        now.result[quest] = 0


@compiled
def member_at(team: int, place: int) -> int:
    """The member at this place, in seat order."""
    for _ in range(place):
        team &= team - 1
    return ((team & -team) - 1).bit_count()


@compiled
def mark_ballot(now: Now, approves: bool) -> bool:
    """A12: whether all have voted."""
    bit = 1 << now.turn
    now.voted |= bit
    now.asked &= ~bit
    if approves:
        now.ballots |= bit
    if now.asked:
        ask_next(now)
    return now.asked == 0


@compiled
def write_poll(now: Now, leader: int, team: int) -> None:
    now.poll_quest[now.polls] = now.quest
    now.poll_leader[now.polls] = leader
    now.poll_team[now.polls] = team
    now.poll_ballots[now.polls] = now.ballots
    now.polls += 1


@compiled
def lay_card(now: Now, card: int) -> bool:
    """A17, T17: whether all cards lie."""
    bit = 1 << now.turn
    now.laid[now.turn] = card
    now.has_laid |= bit
    now.asked &= ~bit
    if now.asked:
        ask_next(now)
    return now.asked == 0


@compiled
def count_cards(rules: Rules, now: Now) -> None:
    """A18, T18."""
    cards = now.result_cards[now.quest]
    cards[:] = 0
    for seat in range(rules.seats):
        if now.team >> seat & 1:
            cards[now.laid[seat]] += 1
    now.result_team[now.quest] = now.team
    now.has_team = False
    now.has_laid = 0


# What may be chosen


@compiled
def allow_seats(rules: Rules, mask: Any, first: int, seats: int) -> None:
    for seat in range(rules.seats):
        mask[first + seat] = seats >> seat & 1


@compiled
def allow_ballots(rules: Rules, mask: Any) -> None:
    mask[rules.votes] = mask[rules.votes + 1] = 1


@compiled
def allow_cards(rules: Rules, now: Now, mask: Any) -> None:
    hand = rules.hands[now.roles[now.turn]]
    for card in range(KINDS):
        if hand >> card & 1:
            mask[rules.cards + card] = 1


# What the acting seat knows


@compiled
def write_seats(rules: Rules, row: Any, first: int, seats: int) -> None:
    for seat in range(rules.seats):
        row[first + seat] = seats >> seat & 1


@compiled
def write_own(rules: Rules, now: Now, row: Any) -> None:
    seat, place = now.turn, rules.place
    role = now.roles[seat]
    row[place[AT.seat] + seat] = 1
    row[place[AT.role] + rules.role_place[role]] = 1
    row[place[AT.has_dagger]] = seat == now.assassin
    for sight in range(MOST_SIGHTS):
        shown = rules.sights[sight, role]
        if shown:
            for other in range(rules.seats):
                row[rules.sight_place[sight] + other] = other != seat and shown >> now.roles[other] & 1
    if now.voted >> seat & 1:
        row[place[AT.own_vote]] = 1 if now.ballots >> seat & 1 else -1
    if now.has_laid >> seat & 1:
        row[place[AT.own_card] + now.laid[seat]] = 1


@compiled
def write_table(rules: Rules, now: Now, row: Any, is_revealed: bool) -> None:
    place = rules.place
    row[place[AT.phase] + now.stage] = 1
    row[place[AT.leader] + now.leader] = 1
    row[place[AT.attempt] + now.attempt - 1] = 1
    if now.has_team:
        row[place[AT.quest] + now.quest - 1] = 1
        write_seats(rules, row, place[AT.team], now.team)
    write_seats(rules, row, place[AT.voted], now.voted)
    if is_revealed:
        write_seats(rules, row, place[AT.evil], now.evil)
        row[place[AT.dagger] + now.assassin] = 1


@compiled
def write_history(rules: Rules, now: Now, row: Any) -> None:
    place, seats = rules.place, rules.seats
    for quest in range(1, QUESTS + 1):
        if now.result[quest]:
            row[place[AT.results] + quest - 1] = now.result[quest]
            write_seats(rules, row, place[AT.quest_teams] + (quest - 1) * seats, now.result_team[quest])
            for card in range(KINDS):
                row[place[AT.quest_cards] + (quest - 1) * KINDS + card] = now.result_cards[quest, card]
    for poll in range(now.polls):
        row[place[AT.poll_quests] + poll * QUESTS + now.poll_quest[poll] - 1] = 1
        row[place[AT.poll_leaders] + poll * seats + now.poll_leader[poll]] = 1
        write_seats(rules, row, place[AT.poll_teams] + poll * seats, now.poll_team[poll])
        for seat in range(seats):
            row[place[AT.poll_votes] + poll * seats + seat] = 1 if now.poll_ballots[poll] >> seat & 1 else -1


ROLE_NAMES = tuple(str(role) for role in Role)
