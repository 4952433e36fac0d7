"""Messages about a room, outside the game: who sits where, what is played, when it starts.

Requests go to the HTTP API or, as an `Ask`, over a socket; docs/room-requests.md has an example of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, defstruct
from msgspec.structs import asdict, fields, replace

from roundtable.core.setup import Round, Setup
from roundtable.core.state import TableState
from roundtable.protocol.messages import TO_PLAYER, TO_TABLE, Heard, Message

MemberNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]  # of an installed bot; the room refuses others
Seconds = Annotated[int, Meta(ge=0, le=3600)]
Avatar = Annotated[str, Meta(pattern="^([a-z]+-[a-z]+)?$", max_length=24)]  # a shape and a colour; "": none chosen
Language = Annotated[str, Meta(max_length=35)]  # such as `vi`; `vi-VN` is understood as `vi`


class Part(Struct, kw_only=True, forbid_unknown_fields=True):
    """Part of a message."""


ONLY_DEALS = frozenset(("deal", "narrated"))  # values of `in_person` with which phones show the cards alone


class Settings(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """The settings of a room, which the host chooses; they apply to every game in it."""

    is_public: bool = False
    has_chat: bool = True
    has_spectators: bool = True
    spectator_delay: Seconds = 0
    takeover_seconds: Annotated[int, Meta(ge=5, le=3600)] | None = 60  # null: no bot takes over
    idle_seconds: Annotated[int, Meta(ge=30, le=3600)] | None = (
        None  # null: no bot takes over for a connected player who does nothing
    )
    takeover_bot: BotName = "careful"
    bot_pace: Literal["instant", "quick", "human", "slow"] = "human"  # how long bots wait before they answer
    bots_speak: bool = True  # whether bots make remarks and claims
    contribution_seconds: Annotated[int, Meta(ge=0, le=60)] = (
        0  # how long the deal waits for the players' own randomness
    )
    look_seconds: Annotated[int, Meta(ge=0, le=60)] = 0  # how long a dealt game waits until every player has looked
    in_person: Literal["no", "deal", "narrated", "phones"] = "no"  # how much the server does at a real table
    has_moderator: bool = False  # where phones only deal: the host, who has no seat then, sees all roles

    @property
    def only_deals(self) -> bool:
        """Whether phones show the cards alone, and people play everything else face to face."""
        return self.in_person in ONLY_DEALS

    @property
    def is_moderated(self) -> bool:
        """Whether the host moderates: sees all roles of a game in which they have no seat."""
        return self.has_moderator and self.only_deals

    def changed(self, change: SettingsChange) -> Settings:
        """These settings with the change applied."""
        return replace(self, **{name: value for name, value in asdict(change).items() if value is not UNSET})


if TYPE_CHECKING:
    SettingsChange = Settings
else:  # the same fields, each of which may be left out
    SettingsChange = defstruct(
        "SettingsChange",
        [(field.name, field.type | UnsetType, UNSET) for field in fields(Settings)],
        bases=(Part,),
        namespace={"__doc__": "Some of a room's settings; the others stay as they are."},
        module=__name__,
        kw_only=True,
    )


# Requests of members


class Request(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=True):
    """Something a member asks of the room."""


class TakeSeat(Request):
    """Take a free seat or a bot's, or move to it. In a running game only a bot's, by a member without a seat."""

    seat: SeatNumber


class LeaveSeat(Request):
    """Stand up and watch."""


class SayReady(Request):
    """Whether you are ready to start."""

    is_ready: bool


class SayLooked(Request):
    """You have looked at the role that you were dealt."""


class ClaimSeat(Request):
    """Ask for the seat of a player who is away, for instance because you have lost your token. Two other players
    have to agree, or the only one who is connected, or enough time to pass."""

    seat: SeatNumber


class AnswerClaim(Request):
    """A player agrees that a member gets the seat that they claim, which they do when enough players have agreed. A
    player or the host refuses it; the claimant can refuse, too, which withdraws the claim."""

    member: MemberNumber
    is_granted: bool


class ChangeProfile(Request):
    """Another name or another avatar; what is left out stays as it is. A name that another member has gets a number."""

    name: str | None = None
    avatar: Avatar | None = None


class Chat(Request):
    """A line for everyone in the room, while no game is played."""

    text: str


class StepAway(Request):
    """Leave the table for now: in a game a bot plays for you until you return, and you stay a member."""


class Leave(Request):
    """Leave the room for good."""


class ChangeTable(Request):
    """The host changes the game, its options or the number of seats; what is left out stays as it is."""

    game: str | None = None
    seats: SeatNumber | None = None
    options: dict[str, Any] | None = None


class ChangeSettings(Request):
    """The host changes settings of the room; what is left out stays as it is."""

    settings: SettingsChange


class SeatBot(Request):
    """The host puts a bot on a free seat, or on all free seats where none is given."""

    seat: SeatNumber | None = None
    bot: BotName = "careful"


class RemoveBot(Request):
    """The host takes a bot away."""

    seat: SeatNumber


class Kick(Request):
    """The host removes a member, who can come back only when the host allows it."""

    member: MemberNumber


class Pardon(Request):
    """The host lets a removed member come back."""

    member: MemberNumber


class Silence(Request):
    """The host mutes a member, or lifts that."""

    member: MemberNumber
    is_silenced: bool


class SilenceBot(Request):
    """The host keeps the bot on a seat from speaking, or lets it speak again."""

    seat: SeatNumber
    is_silenced: bool


class HandOver(Request):
    """The host makes another member the host."""

    member: MemberNumber


class Start(Request):
    """The host starts the game. With `without_unready` it does not wait for players who are not ready: a bot plays for
    each of them until they give a sign of life."""

    without_unready: bool = False


class Rematch(Request):
    """The host opens the lobby for another game; members who were not away for too long keep their seats. Where cards
    are only dealt, this is possible at any time."""


class HoldClock(Request):
    """The host pauses or resumes the clock, extends the phase, or starts a countdown where no clock runs."""

    do: Literal["pause", "resume", "extend", "countdown"]
    seconds: Annotated[int, Meta(ge=1, le=3600)] = 60


class CallItOff(Request):
    """The host ends the game without a winner."""


class AnnounceOutcome(Request):
    """The host says how a game ended that was only dealt: one of the `endings` in `Room`. No winner: `no_winner`, or
    `untold` where the question is skipped."""

    winner: Annotated[str, Meta(max_length=40)] | None = None
    reason: Annotated[str, Meta(max_length=40)] = "untold"


AnyRequest = (
    TakeSeat
    | LeaveSeat
    | SayReady
    | SayLooked
    | ClaimSeat
    | AnswerClaim
    | ChangeProfile
    | Chat
    | StepAway
    | Leave
    | ChangeTable
    | ChangeSettings
    | SeatBot
    | RemoveBot
    | Kick
    | Pardon
    | Silence
    | SilenceBot
    | HandOver
    | Start
    | Rematch
    | HoldClock
    | CallItOff
    | AnnounceOutcome
)


# From the server, to everyone in a room


class RoomMember(Part):
    """A member of the room."""

    member: int
    name: str
    avatar: str  # a shape and a colour, as `fox-teal`; "": none chosen
    is_here: bool
    is_ready: bool
    is_silenced: bool


class RemovedMember(Part):
    """A member whom the host has removed."""

    member: int
    name: str


class SeatClaim(Part):
    """A member who claims the seat of a player who is away; times in the server's milliseconds since 1970."""

    member: int
    seat: int
    grantable_at: int  # from when other players may agree
    automatic_at: int | None  # when it is granted without their consent; null: never
    agreed: tuple[int, ...]  # the members who have agreed so far
    needed: int  # how many have to agree, of the players who are connected now


class RoomSeat(Part):
    """A seat: a member, a bot, or empty; and the bot that plays for an absent member."""

    member: int | None
    bot: str | None
    stand_in: str | None
    is_silenced: bool  # whether the host keeps the bot from speaking


class RoomProblem(Part, omit_defaults=True):
    """One reason why the game cannot start; the message is in English, for all members alike."""

    code: str
    message: str
    variant: str = ""  # as in Refused
    values: dict[str, Any] = {}


class RoomNotice(Part, omit_defaults=True):
    """Something that players should know about the setup or the room; the message is in English, for all alike."""

    code: str
    message: str
    values: dict[str, Any] = {}


class SideRoles(Part):
    """How many seats a side has, and its roles; where there are more roles than seats, the deal draws among them."""

    side: str
    seats: int
    roles: tuple[str, ...]


class Ending(Part):
    """A way in which a game ends: which side wins, and why."""

    winner: str | None
    reason: str


class Room(Message):
    """All that is public about a room outside the game. The first one is whole; then a RoomChanged tells what is new,
    or another Room replaces it."""

    code: str
    stage: Literal["lobby", "playing", "over", "closed"]
    number: int  # of the game that is or was last played; 0 before the first
    game: str
    setup: Annotated[Raw, Setup]
    roles: tuple[str, ...]  # that are dealt, or, where the deal draws among them, that can be
    rounds: Annotated[Raw, tuple[Round, ...]]  # whose rules are known before the game; each game has its own fields
    settings: Settings
    host: int | None
    members: tuple[RoomMember, ...]
    removed: tuple[RemovedMember, ...]
    seats: tuple[RoomSeat, ...]
    looked: tuple[int, ...]  # the seats that have looked at their roles in this game; those of bots always have
    looking_until: int | None  # when the game begins, even if not all have looked; null where it waits for no look
    seat_claims: tuple[SeatClaim, ...]
    problems: tuple[RoomProblem, ...]
    notices: tuple[RoomNotice, ...]
    casting: tuple[SideRoles, ...]
    endings: tuple[Ending, ...]  # that the host can announce in the game that is played; none unless it was only dealt


Path = tuple[str | int, ...]  # names of fields and places in lists, from the outermost


class RoomChanged(Message):
    """What has changed since the last Room or RoomChanged: where in the Room, and what stands there now."""

    changes: tuple[tuple[Path, Any], ...]


class Entered(Message):
    """The server accepted your Enter: your member number (null for a spectator), and its time in milliseconds."""

    member: int | None
    now: int


class Chatted(Message):
    """A line of talk in the room, numbered."""

    number: int
    member: int
    name: str
    text: str


class Clock(Message):
    """When the phase ends, in the server's milliseconds since 1970; null where no clock runs."""

    phase: int
    ends_at: int | None
    is_paused: bool
    now: int


class View(Message):
    """All that you know, as one object: the fold of every event up to this number."""

    number: int
    view: Annotated[Raw, TableState]


# From a client, on a socket


class Enter(Message):
    """The first message: your token, and what you received last. Without a token you watch."""

    token: str | None = None
    number: int = 0  # of the game you were in
    heard: int = 0  # how many of its events you have heard
    heard_as: int | None = None  # the seat in the last Welcome; you may have another one by now
    chatted: int = 0  # the last Chatted you received
    views: bool = False  # whether you want a View after every list of events
    lang: Language = "en"  # of the sentences in Refused; English where the server does not speak it


class Here(Message):
    """The person is still there. Send it every few seconds while they are: a secret move does not count as activity,
    because the table sees when a bot takes over."""


class Ping(Message):
    """Checks the connection; the answer is an immediate Pong. It does not count as activity of the person."""


class Pong(Message):
    """The connection works."""


class Ask(Message):
    """Ask something of the room; the answer is Answered or Refused, as for an Act."""

    id: str
    request: AnyRequest


IN_PLAY = tuple(kind for kind in TO_PLAYER if kind is not Heard)  # events come in lists instead
FROM_SERVER: tuple[type[Message], ...] = (Entered, Room, RoomChanged, Chatted, Clock, View, Pong, *IN_PLAY)
TO_SERVER: tuple[type[Message], ...] = (Enter, Here, Ping, Ask, *TO_TABLE)
