"""Messages as lines of text and back: one line, one message, and what is none of ours is refused, never guessed at."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from roundtable.core.actions import Action, AskCallOff, AskCountdown, Contribute, Move, Remark, Say
from roundtable.core.codec import Codec
from roundtable.core.errors import Unreadable
from roundtable.core.events import COMMON_EVENTS, Event, Outcome
from roundtable.core.game import Game
from roundtable.core.play import LONGEST_ID
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.messages import TO_TABLE, Act, Message, Pass

T = TypeVar("T")

LONGEST = 8192  # bytes in one line from a player, its line feed included
# What a seat may ask for in any game.
CONDUCT: tuple[type[Action], ...] = (Say, Remark, AskCountdown, AskCallOff, Contribute)
MOVES_KEPT, LONGEST_KEPT = 10_000, 256  # players make the same few moves over and over; so many, of so many bytes


def line(message: Message) -> bytes:
    """The message in canonical JSON, with its line feed."""
    return ENCODER.encode(message) + b"\n"


class Reader:
    """Reads lines as one of the messages it was made for."""

    def __init__(self, *kinds: type[Message]) -> None:
        union: Any = kinds[0]
        for kind in kinds[1:]:
            union = union | kind
        self._decoder = msgspec.json.Decoder(union)
        self._expected = " or a ".join(f"{kind.__name__}" for kind in kinds)

    def read(self, line: bytes | str) -> Any:
        """The message that this line spells; `Unreadable` where it spells none of them."""
        try:
            return self._decoder.decode(line)
        except msgspec.ValidationError as other:
            raise Unreadable("text/unreadable", f"Expected a {self._expected}. {other}.") from other
        except (msgspec.DecodeError, UnicodeError) as broken:
            shown = line[:40] if isinstance(line, bytes) else line[:40].encode(errors="replace")
            raise Unreadable("text/unreadable", f"Expected one line of JSON, found {shown!r}.") from broken
        except RecursionError as too_deep:
            raise Unreadable("text/unreadable", "Expected a message, found brackets within brackets.") from too_deep


class Wire:
    """Reads what is said at a table of one game."""

    def __init__(self, game: Game[Any, Any]) -> None:
        facts: tuple[type, ...] = (*COMMON_EVENTS, *game.events, *game.parts, Outcome, game.setup_type)
        self._codec = Codec((*facts, *CONDUCT, *game.actions))
        self._reader = Reader(*TO_TABLE)
        self._moves: dict[bytes, Move] = {}

    def from_player(self, line: bytes) -> Act | Pass:
        """What a player said; `Unreadable` where it is neither an Act nor a Pass."""
        if len(line) > LONGEST:
            raise Unreadable("text/unreadable", f"Expected a line of at most {LONGEST} bytes, found a longer one.")
        said: Act | Pass = self._reader.read(line)
        return said

    def action(self, act: Act) -> Action:
        """What a player asked for."""
        spelled = bytes(act.action)
        if known := self._moves.get(spelled):
            return known
        action = self.value(Action, act.action)
        if isinstance(action, Move) and len(spelled) <= LONGEST_KEPT:
            if len(self._moves) >= MOVES_KEPT:
                self._moves.clear()  # a client that sends ever new moves must not fill the memory
            self._moves[spelled] = action
        return action

    def event(self, spelled: Raw) -> Event:
        """Something that happened, as a Heard tells it."""
        return self.value(Event, spelled)

    def value(self, kind: type[T], spelled: Raw) -> T:
        """A value of the table, as it stands in a message."""
        try:
            return self._codec.read(kind, msgspec.json.decode(spelled))
        except (msgspec.DecodeError, RecursionError) as broken:
            raise Unreadable("text/unreadable", f"Expected a {kind.__name__}, found no JSON.") from broken


@lru_cache(maxsize=64)
def wire_of(game: Game[Any, Any]) -> Wire:
    """One reader for all tables of a game."""
    return Wire(game)


def is_id(id: str) -> bool:
    """Whether a record could keep this id."""
    return 1 <= len(id) <= LONGEST_ID and id.isascii() and id.isprintable()


def id_in(line: bytes | str) -> str:
    """The id in a line that could not be read as a whole, so that its sender knows which one it was."""
    try:
        loaded = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    named = loaded.get("id") if isinstance(loaded, dict) else None
    return named if isinstance(named, str) and is_id(named) else ""
