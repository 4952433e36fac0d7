"""How teams are asked for and sent, and how votes and cards come in, in both quest games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK, Transition
from roundtable.core.seats import EVERYONE, Seat, all_seats, only
from roundtable.games.quests.events import (
    BallotCast,
    BallotMarked,
    CardChosen,
    LeaderNamed,
    QuestResolved,
    RoleDealt,
    SidesRevealed,
)
from roundtable.games.quests.roles import Card, Role, Side, seats_on
from roundtable.games.quests.state import QuestDeal, QuestState
from roundtable.games.quests.tables import quest_fails

QS = TypeVar("QS", bound=QuestState)


def ask_for_team(now: Transition[QS], leader: Seat, attempt: int) -> None:
    now.emit(LeaderNamed(audience=EVERYONE, seat=leader, attempt=attempt))
    now.begin_phase("propose", only(leader), now.state.setup.propose_seconds)


def send_team(now: Transition[QS]) -> None:
    assert now.state.proposal is not None
    now.begin_phase("quest", now.state.proposal.team, now.state.setup.quest_seconds)


def mark_ballot(now: Transition[QS], seat: Seat, approve: bool) -> bool:
    """Take a vote or a changed one; says whether all votes are in now (A12)."""
    state = now.state
    if seat in state.voted:
        if state.ballots[seat] is not approve:
            now.emit(_marked(seat, approve))
        return False
    now.emit(_cast(seat))
    now.emit(_marked(seat, approve))
    return len(state.voted) == state.setup.seats


# Three in four of all events are about votes, so even looking them up is worth a short cut.


@lru_cache(maxsize=64)
def _cast(seat: Seat) -> BallotCast:
    return BallotCast(audience=EVERYONE, seat=seat)


@lru_cache(maxsize=64)
def _marked(seat: Seat, approve: bool) -> BallotMarked:
    return BallotMarked(audience=only(seat), seat=seat, approve=approve)


def reject_for_the_absent(now: Transition[QS]) -> None:
    """C5: a missed vote is a reject."""
    for seat in range(now.state.setup.seats):
        if seat not in now.state.voted:
            mark_ballot(now, seat, False)


def ballots_in_seat_order(state: QuestState) -> tuple[bool, ...]:
    ballots = state.ballots
    return tuple([ballots[seat] for seat in range(state.setup.seats)])


def lay_card(now: Transition[QS], seat: Seat, card: Card) -> bool:
    """Lay a card face down; says whether all cards are in now (A17)."""
    now.emit(CardChosen(audience=only(seat), seat=seat, card=card))
    proposal = now.state.proposal
    return proposal is not None and len(now.state.cards) == len(proposal.team)


def lay_for_the_absent(now: Transition[QS]) -> None:
    """C5: a missed card is the seat's dullest legal one, which heads its list of cards."""
    assert now.state.proposal is not None
    for seat in sorted(now.state.proposal.team):
        if seat not in now.state.cards:
            lay_card(now, seat, now.state.setup.cards_of(now.state.roles[seat])[0])


def count_cards(now: Transition[QS], cards: dict[Seat, Card], needed: int) -> None:
    """Make the number of each kind public, and nothing else (A18, A19, T18 to T20)."""
    proposal = now.state.proposal
    assert proposal is not None
    kinds = list(cards.values())
    fails, reverses = kinds.count(Card.FAIL), kinds.count(Card.REVERSE)
    now.emit(
        QuestResolved(
            audience=EVERYONE,
            quest=proposal.quest,
            team=proposal.team,
            successes=kinds.count(Card.SUCCESS),
            fails=fails,
            reverses=reverses,
            succeeded=not quest_fails(fails, reverses, needed),
        )
    )


def reveal_sides(now: Transition[QS]) -> None:
    """A21: sides and the Assassin become public, and Evil may confer where Good does not hear it."""
    assert now.state.assassin is not None
    evil = seats_on(Side.EVIL, roles_in_seat_order(now.state))
    now.emit(SidesRevealed(audience=EVERYONE, evil=evil, assassin=now.state.assassin))
    now.give_floor("evil", frozenset(evil), frozenset(evil))


def roles_in_seat_order(state: QuestState) -> tuple[Role, ...]:
    return tuple([state.roles[seat] for seat in range(state.setup.seats)])


def read_quest_deal(events: Sequence[Event]) -> QuestDeal:
    """The deal that these events handed out."""
    cards = {event.seat: event for event in events if isinstance(event, RoleDealt)}
    leader = next(event.seat for event in events if isinstance(event, LeaderNamed))
    assassin = next((seat for seat, card in cards.items() if card.is_assassin), None)
    return QuestDeal(tuple(cards[seat].role for seat in range(len(cards))), leader, assassin)


def let_everybody_talk(now: Transition[QS]) -> None:
    now.give_floor(OPEN_TALK, all_seats(now.state.setup.seats), EVERYONE)


@lru_cache(maxsize=64)
def others(seat: Seat, seats: int) -> tuple[Seat, ...]:
    return tuple(other for other in range(seats) if other != seat)
