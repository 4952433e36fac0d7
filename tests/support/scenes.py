"""Games with a chosen deal, and whole phases in one call, for tests of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from roundtable.core.actions import Move
from roundtable.core.errors import IllegalAction
from roundtable.core.events import Event
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.games import game_named, make_setup
from roundtable.games.avalon.game import Avalon
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.state import QuestDeal
from roundtable.games.saviom.game import Saviom
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.thavalon.game import Thavalon

SEED = bytes(range(32))


def seated(name: str, deal: Any, seats: int, **options: Any) -> Play[Any, Any]:
    """A game in which this deal was made."""
    play = Play.open(game_named(name), make_setup(name, seats, options), SEED)
    play.deal(chosen=deal)
    return play


def avalon(roles: Sequence[Role], leader: Seat = 0, assassin: Seat | None = None, **options: Any) -> Play[Any, Any]:
    """An Avalon table with these cards; without an Assassin's card, `assassin` is the seat that has the duty."""
    special = {Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON} & set(roles)
    options = {"roles": special, "merlin": Role.MERLIN in roles, **options}
    if Role.ASSASSIN in roles:
        assassin = list(roles).index(Role.ASSASSIN)
    elif assassin is not None:
        options["assassin"] = "duty"
    return seated(Avalon.name, QuestDeal(tuple(roles), leader, assassin), len(roles), **options)


def thavalon(roles: Sequence[Role], leader: Seat = 0, assassin: Seat | None = None, **options: Any) -> Play[Any, Any]:
    """A THavalon table with these roles; the first Evil seat is the Assassin unless another is named."""
    if assassin is None:
        assassin = next(seat for seat, role in enumerate(roles) if role in EVIL_ROLES)
    return seated(Thavalon.name, QuestDeal(tuple(roles), leader, assassin), len(roles), **options)


def saviom(roles: Sequence[SaviomRole], **options: Any) -> Play[Any, Any]:
    return seated(Saviom.name, tuple(roles), len(roles), **options)


def propose(play: Play[Any, Any], team: Iterable[Seat], **more: Any) -> None:
    """The leader names a team."""
    play.act(play.state.leader, ProposeTeam(phase=play.phase.number, team=frozenset(team), **more))


def vote(play: Play[Any, Any], approving: Iterable[Seat]) -> None:
    """All seats vote, in their order; those in `approving` approve."""
    approving = set(approving)
    phase = play.phase.number
    for seat in range(play.state.setup.seats):
        play.act(seat, CastVote(phase=phase, approve=seat in approving))


def lay(play: Play[Any, Any], cards: Mapping[Seat, Card] | None = None) -> None:
    """The team plays these cards; every other member plays the first card that is offered."""
    phase = play.phase.number
    for seat in sorted(play.phase.awaited):
        (option,) = play.options(seat)
        offered = next(iter(option))
        play.act(seat, PlayCard(phase=phase, card=cards[seat]) if cards and seat in cards else offered)


def quest(play: Play[Any, Any], team: Iterable[Seat], cards: Mapping[Seat, Card] | None = None, **more: Any) -> None:
    """A team is proposed, approved by all where it is voted on, and plays."""
    propose(play, team, **more)
    if play.phase.name == "stand":
        play.expire()
    if play.phase.name == "vote":
        vote(play, range(play.state.setup.seats))
    lay(play, cards)


def do(play: Play[Any, Any], seat: Seat, kind: type[Move], **choice: Any) -> tuple[Event, ...]:
    """A seat's move in the current phase, and what follows from it."""
    return play.act(seat, kind(phase=play.phase.number, **choice)).events


def refusal(play: Play[Any, Any], seat: Seat, kind: type[Move], **choice: Any) -> str:
    """The code with which a move is refused; an AssertionError if it is not. Nothing may change."""
    before = len(play.entries)
    try:
        do(play, seat, kind, **choice)
    except IllegalAction as refused:
        assert len(play.entries) == before
        return refused.code
    raise AssertionError(f"{kind.__name__} was accepted from seat {seat}.")


def heard(play: Play[Any, Any], listener: int, kind: type[Event]) -> list[Any]:
    """The events of one kind that a listener has heard."""
    return [line.event for line in play.heard(listener) if isinstance(line.event, kind)]


def last(play: Play[Any, Any], kind: type[Event]) -> Any:
    """The latest event of a kind in the whole record."""
    return [event for event in play.events if isinstance(event, kind)][-1]
