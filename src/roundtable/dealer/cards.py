"""What stands on a player's card: who you are, what you do, and whom you see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from roundtable.core.events import Event
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.dealer.words import Words
from roundtable.games.quests import events as quests
from roundtable.games.quests.roles import SIDE_OF, Role
from roundtable.games.saviom import events as saviom
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.saviom.setup import side_of

BAR = "-" * 40

Names = Sequence[str]


def card_for(play: Play[Any, Any], seat: Seat, names: Names, words: Words) -> str:
    """A seat's card, from nothing but what this seat has heard."""
    heard = [line.event for line in play.heard(seat)]
    game = play.game.name
    for event in heard:
        match event:
            case quests.RoleDealt():
                return quest_card(game, event, names, words)
            case saviom.RoleDealt():
                return saviom_card(event, pack_met(heard), names, words)
    raise ValueError(f"Nothing was dealt to seat {seat}.")


def quest_card(game: str, dealt: quests.RoleDealt, names: Names, words: Words) -> str:
    return card(game, dealt.role, SIDE_OF[dealt.role], told_in_quests(game, dealt, names, words), words)


def saviom_card(dealt: saviom.RoleDealt, pack: Iterable[Seat], names: Names, words: Words) -> str:
    line = words.seen_as[SaviomRole.WOLF]
    told = [line.format(name=names[wolf]) for wolf in pack if wolf != dealt.seat]
    return card("saviom", dealt.role, side_of(dealt.role), told, words)


def card(game: str, role: str, side: str, told: Iterable[str], words: Words) -> str:
    """The shape of every card; where nothing is told, one line stays empty."""
    who = words.you_are.format(role=words.roles[role], side=words.sides[side])
    lines = (BAR, who, BAR, *words.does[game][role], BAR, *(tuple(told) or ("",)), BAR)
    return "\n".join(lines) + "\n"


def told_in_quests(game: str, dealt: quests.RoleDealt, names: Names, words: Words) -> Iterator[str]:
    """A6 to A9, T6 to T13. Players come in seat order, so that their order says nothing."""
    seen = sorted((seat, glimpse.seen_as) for glimpse in dealt.sees for seat in glimpse.seats)
    for seat, seen_as in seen:
        if dealt.role is Role.COLGREVANCE:
            yield words.known_as.format(name=names[seat], role=words.roles[seen_as])
        else:
            yield words.seen_as[seen_as].format(name=names[seat])
    if dealt.sees and not seen:
        yield words.sees_nobody
    yield from (words.roles[role] for role in dealt.roles_in_game)
    yield from (words.notices[notice] for notice in dealt.notices)
    if dealt.is_assassin and dealt.role is not Role.ASSASSIN:
        yield words.is_assassin[game]


def pack_met(heard: Iterable[Event]) -> tuple[Seat, ...]:
    """The Wolves, for those who have met them (S4)."""
    return next((event.wolves for event in heard if isinstance(event, saviom.PackMet)), ())
