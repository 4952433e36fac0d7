"""What happens in a room outside the game; a room's rows are these and the game's own entries."""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, Generic, NamedTuple, TypeVar

from msgspec import Raw, Struct
from msgspec.json import Decoder

from roundtable.core.entries import Entry
from roundtable.core.setup import Setup
from roundtable.protocol.encoding import ENCODER, text_of_entry
from roundtable.protocol.rooms import Settings


class Fact(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=True):
    """Something that happened in a room. Old rows are read for ever: a field that is added later needs a default."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class RoomOpened(Fact):
    code: str
    settings: Settings


class TableLaid(Fact):
    """What is played, and by whose rules; everybody's word that they were ready is void."""

    game: str
    setup: Annotated[Raw, Setup]


class SettingsChosen(Fact):
    settings: Settings


class MemberJoined(Fact):
    """`key` is the SHA-256 of the member's token, which is kept nowhere."""

    member: int
    name: str
    key: str


class MemberLeft(Fact):
    """`is_shown_out` says that the host wanted it, and that they do not come back without the host's leave."""

    member: int
    is_shown_out: bool = False


class MemberPardoned(Fact):
    """Somebody who was shown out may come back."""

    member: int


class HostNamed(Fact):
    """`was_vacant` says that the host before them had been away for too long."""

    member: int | None
    was_vacant: bool = False


class SeatTaken(Fact):
    seat: int
    member: int | None = None
    bot: str | None = None


class SeatFreed(Fact):
    seat: int


class BotStoodIn(Fact):
    """An absent member's seat is played by a bot until they return."""

    seat: int
    bot: str


class SeatReturned(Fact):
    seat: int


class SeatAskedFor(Fact):
    """Somebody says that an absent member's seat is theirs, and that they have lost the token to it."""

    seat: int
    member: int


class SeatDenied(Fact):
    """It is not given to them: the host says no, or whoever holds it has come back."""

    member: int


class SeatRegained(Fact):
    """The host believes them: they are the member who held it, under a new number and with their own token."""

    seat: int
    member: int


class ReadySaid(Fact):
    member: int
    is_ready: bool


class MemberSilenced(Fact):
    member: int
    is_silenced: bool


class LineChatted(Fact):
    member: int
    name: str
    text: str


class GameStarted(Fact):
    """The entries that follow are those of this game."""

    number: int


class TableCleared(Fact):
    """The game that was over is put away."""


class RoomClosed(Fact):
    pass


FACTS = (
    RoomOpened
    | TableLaid
    | SettingsChosen
    | MemberJoined
    | MemberLeft
    | MemberPardoned
    | HostNamed
    | SeatTaken
    | SeatFreed
    | BotStoodIn
    | SeatReturned
    | SeatAskedFor
    | SeatDenied
    | SeatRegained
    | ReadySaid
    | MemberSilenced
    | LineChatted
    | GameStarted
    | TableCleared
    | RoomClosed
)


AnyFact = TypeVar("AnyFact")


class Claim(NamedTuple):
    """Whose request it is, the id they gave it, and what it was in short."""

    member: int | None = None
    id: str = ""
    gist: int = 0


NOBODY_ASKED = Claim()


def gist(spelled: bytes) -> int:
    """A short stand-in for a text of any length."""
    return int.from_bytes(blake2b(spelled, digest_size=7).digest(), "big")


class Done(Struct, Generic[AnyFact], kw_only=True, forbid_unknown_fields=True, tag_field="row", tag="room"):
    """A row of facts, and whose request they answer."""

    facts: list[AnyFact]
    member: int | None = None
    id: str = ""
    gist: int = 0  # of the request, so that its id cannot come to stand for another one


class Played(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="row", tag="game"):
    """A row of the game: one entry of its record."""

    entry: Annotated[Raw, Entry]


READER: Decoder[Done[Fact] | Played] = Decoder(Done[FACTS] | Played)


def written_entry(entry: Entry) -> bytes:
    """An entry of the game as a row."""
    return f'{{"entry":{text_of_entry(entry)},"row":"game"}}'.encode()


def written(row: Done[Fact] | Played) -> bytes:
    return ENCODER.encode(row)
