"""Messages as lines of text and back: one line, one message, and what is none of ours is refused, never guessed at."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from roundtable.table.actions import Action, AskCallOff, AskCountdown, Contribute, Say
from roundtable.table.codec import Codec, encode
from roundtable.table.errors import Unreadable
from roundtable.table.events import COMMON_EVENTS, Outcome
from roundtable.table.game import Game
from roundtable.table.play import LONGEST_ID
from roundtable.wire.messages import TO_PLAYER, TO_TABLE, Act, Message, Pass

M = TypeVar("M", bound=Message)

LONGEST = 8192  # bytes in one line from a player, its line feed included
CONDUCT: tuple[type[Action], ...] = (Say, AskCountdown, AskCallOff, Contribute)  # what a seat may ask for in any game


class Wire:
    """Spells and reads the messages of one game."""

    def __init__(self, game: Game[Any, Any]) -> None:
        facts: tuple[type, ...] = (*COMMON_EVENTS, *game.events, *game.parts, Outcome, game.setup_type)
        self._codec = Codec((*facts, *CONDUCT, *game.actions, *TO_PLAYER, *TO_TABLE))

    def line(self, message: Message) -> bytes:
        """The message in canonical JSON, with its line feed."""
        return encode(message) + b"\n"

    def from_player(self, line: bytes) -> Act | Pass:
        """What a player said; `Unreadable` where it is neither an Act nor a Pass."""
        if len(line) > LONGEST:
            raise Unreadable("text/unreadable", f"Expected a line of at most {LONGEST} bytes, found a longer one.")
        message = self.read(Message, line)
        if isinstance(message, Act | Pass):
            return message
        raise Unreadable("text/unreadable", f"Expected an Act or a Pass, found a {type(message).__name__}.")

    def read(self, kind: type[M], line: bytes) -> M:
        """The message of that kind which this line spells, and nothing but such a message."""
        try:
            return self._codec.read(kind, _loaded(line))
        except RecursionError as too_deep:
            raise Unreadable("text/unreadable", "Expected a message, found brackets within brackets.") from too_deep


def _loaded(line: bytes) -> Any:
    """The JSON of a line in UTF-8; a name that is given twice makes it unreadable, since readers differ on it."""
    try:
        return json.loads(line.decode(), object_pairs_hook=_each_name_once)
    except ValueError as broken:
        raise Unreadable("text/unreadable", f"Expected one line of JSON, found {line[:40]!r}.") from broken


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) != len(pairs):
        raise ValueError("A name is given twice.")
    return named


def is_id(id: str) -> bool:
    """Whether a record could keep this id."""
    return 1 <= len(id) <= LONGEST_ID and id.isascii() and id.isprintable()


def id_in(line: bytes) -> str:
    """The id in a line that could not be read as a whole, so that its sender knows which one it was."""
    try:
        loaded = _loaded(line)
    except (Unreadable, RecursionError):
        return ""
    named = loaded.get("id") if isinstance(loaded, dict) else None
    return named if isinstance(named, str) and is_id(named) else ""
