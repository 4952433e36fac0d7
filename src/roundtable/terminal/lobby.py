"""The lobby in letters: who sits where, who is ready, and how friends come in."""

from __future__ import annotations

from collections.abc import Iterator

from roundtable.core.catalogue import Catalogue, catalogue
from roundtable.core.names import printable
from roundtable.games import GAMES
from roundtable.protocol.rooms import Room, RoomMember, RoomSeat


def lobby_lines(room: Room, me: int | None, link: str, words: Catalogue) -> Iterator[str]:
    """The table, one line for each seat, and the members who watch."""
    yield words.text("joining.lobby", code=room.code, game=game_title(room.game, words), link=link)
    for number, seat in enumerate(room.seats, 1):
        yield f"  {number}  {holder(room, seat, me, words)}"
    seated = {seat.member for seat in room.seats}
    if watching := [printable(one.name) for one in room.members if one.member not in seated and one.is_here]:
        yield words.text("joining.watching", names=words.text("list.separator").join(watching))


def holder(room: Room, seat: RoomSeat, me: int | None, words: Catalogue) -> str:
    """Who holds a seat, and what is to be known about them: `An (you, host, ready)`."""
    member = next((one for one in room.members if one.member == seat.member), None)
    if member is None:
        return words.text("joining.bot") if seat.bot else words.text("joining.free")
    facts = words.text("list.separator").join(facts_about(member, room, me, words))
    return f"{printable(member.name)} ({facts})" if facts else printable(member.name)


def facts_about(member: RoomMember, room: Room, me: int | None, words: Catalogue) -> Iterator[str]:
    if member.member == me:
        yield words.text("joining.you")
    if member.member == room.host:
        yield words.text("joining.host")
    if member.is_ready:
        yield words.text("joining.ready")
    if not member.is_here and not room.settings.only_deals:  # people around one table have no phone, or one that sleeps
        yield words.text("joining.away")


def game_title(game: str, words: Catalogue) -> str:
    """What a game is called; one that is not installed here by the name that the server uses."""
    spec = GAMES.get(game)
    title = spec and catalogue(words.lang, spec.text).find("game.name")
    return title or printable(game)
