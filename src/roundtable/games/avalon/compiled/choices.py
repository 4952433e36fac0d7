"""Avalon a choice at a time: what a number stands for, and which numbers a seat may choose."""

from __future__ import annotations

from typing import Any

from roundtable.games.avalon.compiled.phases import (
    EXCALIBUR,
    LADY,
    PROPOSE,
    QUEST,
    VOTE,
    cards_are_in,
    count_votes,
    examine,
    open_quests,
    put_on_table,
    shoot,
    turn_card,
)
from roundtable.games.avalon.compiled.rules import Rules
from roundtable.games.quests.compiled.choices import (
    allow_ballots,
    allow_cards,
    allow_seats,
    lay_card,
    mark_ballot,
    member,
)
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.actions import WAIT
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER


@compiled
def take(rules: Rules, now: Now, seat: int, choice: int) -> int:
    """What follows from a seat's choice."""
    if now.stage == VOTE:
        mark_ballot(now, seat, choice == rules.votes)
        return NOT_OVER if now.asked else count_votes(rules, now)
    if now.stage == QUEST:
        lay_card(now, seat, choice - rules.cards)
        return NOT_OVER if now.asked else cards_are_in(rules, now)
    if now.stage == PROPOSE:
        name_team(rules, now, choice)
        return put_on_table(rules, now)
    if now.stage == EXCALIBUR:
        return turn_card(rules, now, -1 if choice == rules.leave else choice - rules.uses)
    if now.stage == LADY:
        is_kept = rules.lady_may_pass and choice == rules.keep
        return examine(rules, now, -1 if is_kept else choice - rules.examines)
    return shoot(rules, now, choice - rules.shots)


@compiled
def name_team(rules: Rules, now: Now, choice: int) -> None:
    """A11, A24, A25."""
    now.quest = quest_of(rules, now, choice)
    size = rules.sizes[now.quest]
    place = choice - rules.proposals[now.quest]
    now.holder = -1
    if rules.excalibur:
        now.team = rules.teams[size, place // size]
        now.holder = member(now.team, place % size)
    else:
        now.team = rules.teams[size, place]


@compiled
def quest_of(rules: Rules, now: Now, choice: int) -> int:
    """The quest that a team was named for."""
    if not rules.choose_quests:
        return now.successes + now.failures + 1
    quest = 1
    while quest < QUESTS and rules.proposals[quest + 1] <= choice:
        quest += 1
    return quest


@compiled
def write_mask(rules: Rules, now: Now, seat: int, mask: Any) -> None:
    """A one for every number that the seat may choose; who is not asked can only wait."""
    mask[:] = 0
    if not now.asked >> seat & 1:
        mask[WAIT] = 1
    elif now.stage == VOTE:
        allow_ballots(rules, mask)
    elif now.stage == QUEST:
        allow_cards(rules, now, seat, mask)
    elif now.stage == PROPOSE:
        allow_teams(rules, now, mask)
    elif now.stage == EXCALIBUR:
        allow_seats(rules, mask, rules.uses, now.team & ~(1 << seat))
        mask[rules.leave] = 1
    elif now.stage == LADY:
        allow_seats(rules, mask, rules.examines, rules.everyone & ~now.lady_has_been_with)
        if rules.lady_may_pass:
            mask[rules.keep] = 1
    else:
        allow_seats(rules, mask, rules.shots, rules.everyone & ~(1 << seat))


@compiled
def allow_teams(rules: Rules, now: Now, mask: Any) -> None:
    quests = open_quests(rules, now)
    for quest in range(1, QUESTS + 1):
        if not quests >> quest & 1:
            continue
        first, size = rules.proposals[quest], rules.sizes[quest]
        for place in range(rules.team_counts[size]):
            if not rules.excalibur:
                mask[first + place] = 1
                continue
            for bearer in range(size):
                mask[first + place * size + bearer] = member(rules.teams[size, place], bearer) != now.leader
