"""What happens in a room outside the game, and the rows in which a log keeps it and the game's entries."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from msgspec import Raw, Struct
from msgspec.json import Decoder

from roundtable.core.entries import Entry
from roundtable.core.setup import Setup
from roundtable.protocol.rooms import Settings


class RoomEvent(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=True):
    """Something that happened in a room. Old rows are read for ever: a new field needs a default."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class RoomOpened(RoomEvent):
    code: str
    settings: Settings


class SetupChanged(RoomEvent):
    """The game and its setup; every member has to say again that they are ready."""

    game: str
    setup: Annotated[Raw, Setup]


class SettingsChosen(RoomEvent):
    settings: Settings


class MemberJoined(RoomEvent):
    """`key` is the SHA-256 of the member's token; the token itself is stored nowhere."""

    member: int
    name: str
    key: str
    avatar: str = ""


class ProfileChanged(RoomEvent):
    """A member has another name or another avatar; None means that it stays as it is."""

    member: int
    name: str | None = None
    avatar: str | None = None


class MemberLeft(RoomEvent):
    """`is_removed` means that the host removed them: only the host can let them back in."""

    member: int
    is_removed: bool = False


class MemberPardoned(RoomEvent):
    """A member whom the host removed may come back."""

    member: int


class HostNamed(RoomEvent):
    """`was_vacant` means that the previous host was away for too long."""

    member: int | None
    was_vacant: bool = False


class SeatTaken(RoomEvent):
    seat: int
    member: int | None = None
    bot: str | None = None


class SeatFreed(RoomEvent):
    seat: int


class BotStoodIn(RoomEvent):
    """A bot plays an absent member's seat until the member returns."""

    seat: int
    bot: str


class SeatReturned(RoomEvent):
    seat: int


class SeatClaimed(RoomEvent):
    """A member without a seat asks for an absent player's. The time of the row is the time of the claim."""

    seat: int
    member: int


class ClaimDenied(RoomEvent):
    """The claim is off: `by` refused it or, where they made it, withdrew it; None means that the holder came back."""

    member: int
    by: int | None = None


class ClaimSupported(RoomEvent):
    """Player `by` agreed to the member's claim, and another player has to agree, too."""

    member: int
    by: int


class SeatGranted(RoomEvent):
    """The member has the seat that they claimed: the players `by` agreed; none means that no one refused in time. The
    former holder stays a member."""

    seat: int
    member: int
    by: tuple[int, ...] = ()


class ReadySaid(RoomEvent):
    member: int
    is_ready: bool


class MemberSilenced(RoomEvent):
    member: int
    is_silenced: bool


class BotSilenced(RoomEvent):
    """The bot on this seat may not speak, or may again."""

    seat: int
    is_silenced: bool


class LineChatted(RoomEvent):
    member: int
    name: str
    text: str


class GameStarted(RoomEvent):
    """The entries that follow belong to this game. The moderator is the member who may see all its roles."""

    number: int
    moderator: int | None = None


class RoleSeen(RoomEvent):
    """The player at this seat has looked at their role."""

    seat: int


class LookingEnded(RoomEvent):
    """All players have looked at their roles, or the time for it is over. The clock of the first phase starts now."""


class TableCleared(RoomEvent):
    """The finished game is cleared from the table."""


class RoomClosed(RoomEvent):
    pass


AnyRoomEvent = (
    RoomOpened
    | SetupChanged
    | SettingsChosen
    | MemberJoined
    | ProfileChanged
    | MemberLeft
    | MemberPardoned
    | HostNamed
    | SeatTaken
    | SeatFreed
    | BotStoodIn
    | SeatReturned
    | SeatClaimed
    | ClaimSupported
    | ClaimDenied
    | SeatGranted
    | ReadySaid
    | MemberSilenced
    | BotSilenced
    | LineChatted
    | GameStarted
    | RoleSeen
    | LookingEnded
    | TableCleared
    | RoomClosed
)

E = TypeVar("E")


class RoomRow(Struct, Generic[E], kw_only=True, forbid_unknown_fields=True, tag_field="row", tag="room"):
    """What happened in the room at one time, and whose request caused it."""

    events: list[E]
    member: int | None = None
    id: str = ""
    fingerprint: int = 0  # of the request, so that its id cannot stand for another one


class GameRow(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="row", tag="game"):
    """One entry of the game's record."""

    entry: Annotated[Raw, Entry]


READER: Decoder[RoomRow[RoomEvent] | GameRow] = Decoder(RoomRow[AnyRoomEvent] | GameRow)
