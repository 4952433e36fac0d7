"""Messages and values of a game as canonical JSON, and back. Decoding is strict."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from msgspec.json import Encoder

from roundtable.core.actions import Action, AskCallOff, AskCountdown, Contribute, Move, Remark, Say
from roundtable.core.codec import Codec, plain
from roundtable.core.entries import Entry
from roundtable.core.errors import Unreadable
from roundtable.core.events import COMMON_EVENTS, Event, Outcome, SecretsRevealed, TableOpened
from roundtable.core.game import Game
from roundtable.core.kinds import fields_that_may_be_none
from roundtable.core.options import Options
from roundtable.core.play import LONGEST_ID
from roundtable.core.seats import EVERYONE
from roundtable.core.setup import Setup
from roundtable.core.values import Uncached
from roundtable.protocol.messages import NO_SETUP, TO_TABLE, Act, Message, Pass
from roundtable.protocol.offers import LISTED, LISTED_LIVE, Offer, offers
from roundtable.protocol.secrets import facts_in, tables_of

T = TypeVar("T")

LONGEST = 8192  # bytes in one line from a player, its line feed included
LONGEST_REASON = 160  # characters of what a decoder says of a message: it repeats parts of the message
CLIENT_PADDING = 256  # bytes: clients pad an Act and an Enter with spaces up to a multiple of it
DEEPEST = 32  # brackets within brackets in what a client sends
BRACKETS = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"', re.DOTALL)  # and strings, whose brackets do not count
# What a seat may ask for in any game.
CONDUCT: tuple[type[Action], ...] = (Say, Remark, AskCountdown, AskCallOff, Contribute)
MOVES_KEPT, LONGEST_KEPT = 10_000, 256  # moves that are cached, and their longest text in bytes
TOLD_ONCE = ("is", "phase")  # parts of a move that a socket tells once for all moves of an offer
IN_ROOM = "setup"  # the part of a TableOpened that a socket leaves out
TO_EVERYONE = '"audience":"everyone",'
ENCODER = Encoder(order="sorted")  # the same bytes as `core.codec.encode`, several times as fast; a test compares them

# Encoding. A value that recurs in many games is encoded once.


def encoded(value: object) -> Raw:
    """Any value of a table as a part of a message."""
    return Raw(ENCODER.encode(plain(value)))


def text_of_value(said: Event | Action) -> str:
    """An event or an action in JSON."""
    try:
        return said.encoded
    except AttributeError:
        return _encode(said)


def _encode(said: Event | Action) -> str:
    text = _text_of_secrets(said) if isinstance(said, SecretsRevealed) else _text(said)
    if not isinstance(said.__class__, Uncached):
        object.__setattr__(said, "encoded", text)
    return text


def _text_of_secrets(secrets: SecretsRevealed) -> str:
    """The hidden events have been encoded before, one by one."""
    facts = ",".join([f"[{place},{text_of_value(event)}]" for place, event in secrets.secret_facts])
    return f'{{"audience":{_text(secrets.audience)},"is":"SecretsRevealed","secret_facts":[{facts}]}}'


def text_of_told(event: Event) -> str:
    """An event as a socket tells it: without its audience where that is everyone, without what is null, and without
    the setup, which the `Room` has."""
    try:
        return event.told
    except AttributeError:
        text = _text_as_told(event)
        if event.audience is EVERYONE:
            text = text.replace(TO_EVERYONE, "", 1)  # no string contains it: in JSON its quotes would be escaped
        if not isinstance(event.__class__, Uncached):
            object.__setattr__(event, "told", text)
        return text


def _text_as_told(event: Event) -> str:
    if isinstance(event, SecretsRevealed):
        return _told_secrets(event)
    untold = [name for name in fields_that_may_be_none(event.__class__) if getattr(event, name) is None]
    if isinstance(event, TableOpened):
        untold.append(IN_ROOM)
    if not untold:
        return text_of_value(event)
    return ENCODER.encode({name: part for name, part in plain(event).items() if name not in untold}).decode()


def _told_secrets(secrets: SecretsRevealed) -> str:
    facts = ENCODER.encode(tables_of(secrets.secret_facts)).decode()
    return f'{{"audience":{_text(secrets.audience)},"is":"SecretsRevealed","secret_facts":{facts}}}'


def _as_recorded(loaded: dict[str, Any], nulls: Mapping[str, Any], setup: Raw) -> dict[str, Any]:
    """An event as a record has it, from what a socket told of it, or a Heard."""
    recorded = {"audience": "everyone", **nulls, **loaded}
    if loaded.get("is") == TableOpened.__name__ and setup:
        return {IN_ROOM: msgspec.json.decode(setup), **recorded}
    if loaded.get("is") != SecretsRevealed.__name__:
        return recorded
    try:
        told = loaded["secret_facts"]
        facts = facts_in(told) if told and isinstance(told[0], dict) else told
        return recorded | {"secret_facts": sorted(facts, key=itemgetter(0))}
    except (LookupError, TypeError, ValueError) as misfit:
        raise Unreadable("text/unreadable", "misfit", found="SecretsRevealed") from misfit


def _text(value: object) -> str:
    return ENCODER.encode(plain(value)).decode()


def encoded_entry(entry: Entry) -> Raw:
    """One line of a record."""
    action, own_id = text_of_value(entry.action), ENCODER.encode(entry.id).decode()
    events = ",".join(map(text_of_value, entry.events))
    return Raw(f'{{"action":{action},"actor":{entry.actor},"events":[{events}],"id":{own_id}}}')


@lru_cache(maxsize=256)
def encoded_setup(setup: Setup) -> Raw:
    """A setup, which is sent whenever something changes in the room."""
    return encoded(setup)


@lru_cache(maxsize=4096)
def encoded_offers(options: Options, phase: int) -> Raw:
    """A seat's options in a phase, without what is null."""
    made = offers(options, phase, LISTED)
    return encoded([{name: part for name, part in offer._asdict().items() if part is not None} for offer in made])


@lru_cache(maxsize=4096)
def told_offers(options: Options, phase: int) -> Raw:
    """The same as a socket tells it: few of many teams, and each move without `is` and `phase`, which the offer's
    `kind` and the Asked have."""
    told = [_told_offer(offer) for offer in offers(options, phase, LISTED_LIVE)]
    return Raw(ENCODER.encode(told))


def _told_offer(offer: Offer) -> dict[str, Any]:
    told = {name: plain(part) for name, part in offer._asdict().items() if part is not None}
    moves = [{name: part for name, part in move.items() if name not in TOLD_ONCE} for move in told["moves"]]
    return told | {"moves": moves}


def line(message: Message) -> bytes:
    """The message in canonical JSON, with its line feed."""
    return ENCODER.encode(message) + b"\n"


# Decoding


def require_shallow(text: bytes | str) -> None:
    """`Unreadable` where brackets are nested deeper than `DEEPEST`. What is decoded after this can be encoded again,
    however deep the stack is by then."""
    signs = text if isinstance(text, str) else text.decode("latin-1")
    if signs.count("[") + signs.count("{") <= DEEPEST:
        return
    depth = 0
    for found in BRACKETS.finditer(signs):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > DEEPEST:
            raise Unreadable("text/unreadable", "nested", most=DEEPEST)


def canonical(encoded: Raw) -> bytes:
    """A part of a message as our own encoder writes it; `Unreadable` where it cannot, as for 1e400."""
    try:
        return ENCODER.encode(msgspec.json.decode(encoded))
    except msgspec.DecodeError as broken:
        raise _not_json(encoded) from broken


def _not_json(encoded: Raw) -> Unreadable:
    return Unreadable("text/unreadable", "json", found=repr(bytes(encoded)[:40]))


class Reader:
    """Reads lines as one of the given messages, or as a list of events that are read later."""

    def __init__(self, *kinds: type[Message], has_lists: bool = False) -> None:
        union: Any = list[Raw] | kinds[0] if has_lists else kinds[0]
        for kind in kinds[1:]:
            union = union | kind
        self._decoder = msgspec.json.Decoder(union)
        self._expected = [kind.__name__ for kind in kinds]

    def read(self, line: bytes | str) -> Any:
        """The message in this line; `Unreadable` where it is none of them."""
        require_shallow(line)
        try:
            return self._decoder.decode(line)
        except msgspec.ValidationError as other:
            raise Unreadable(
                "text/unreadable", "message", expected=self._expected, reason=str(other)[:LONGEST_REASON]
            ) from other
        except (msgspec.DecodeError, UnicodeError) as broken:
            start = line[:40] if isinstance(line, bytes) else line[:40].encode(errors="replace")
            raise Unreadable("text/unreadable", "line", found=repr(start)) from broken


class GameReader:
    """Decodes messages of one game."""

    def __init__(self, game: Game[Any, Any]) -> None:
        facts: tuple[type, ...] = (*COMMON_EVENTS, *game.events, *game.parts, Outcome, game.setup_type)
        self._codec = Codec((*facts, *CONDUCT, *game.actions))
        self._nulls = {
            kind.__name__: dict.fromkeys(fields_that_may_be_none(kind)) for kind in (*COMMON_EVENTS, *game.events)
        }
        self._reader = Reader(*TO_TABLE)
        self._moves: dict[bytes, Move] = {}

    def from_player(self, line: bytes) -> Act | Pass:
        """A message of a player; `Unreadable` where it is neither an Act nor a Pass."""
        if len(line) > LONGEST:
            raise Unreadable("text/unreadable", "long", most=LONGEST)
        said: Act | Pass = self._reader.read(line)
        return said

    def action(self, act: Act) -> Action:
        """What a player asked for."""
        encoded = bytes(act.action)
        if known := self._moves.get(encoded):
            return known
        action = self.value(Action, act.action)
        if isinstance(action, Move) and len(encoded) <= LONGEST_KEPT:
            if len(self._moves) >= MOVES_KEPT:
                self._moves.clear()  # a client that sends ever new moves must not fill the memory
            self._moves[encoded] = action
        return action

    def event(self, encoded: Raw, setup: Raw = NO_SETUP) -> Event:
        """Something that happened, as a listener is told of it: without an audience, everyone is. The setup is that of
        the room."""

        def complete(loaded: dict[str, Any]) -> dict[str, Any]:
            return _as_recorded(loaded, self._nulls.get(str(loaded.get("is")), {}), setup)

        return self.value(Event, encoded, complete)

    def value(
        self, kind: type[T], encoded: Raw, complete: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    ) -> T:
        """A value of the table, as it stands in a message."""
        try:
            loaded = msgspec.json.decode(encoded)
            return self._codec.read(kind, complete(loaded) if complete and isinstance(loaded, dict) else loaded)
        except (msgspec.DecodeError, RecursionError) as broken:
            raise _not_json(encoded) from broken


@lru_cache(maxsize=64)
def reader_of(game: Game[Any, Any]) -> GameReader:
    """One reader for all tables of a game."""
    return GameReader(game)


def is_id(id: str) -> bool:
    """Whether a record could keep this id."""
    return 1 <= len(id) <= LONGEST_ID and id.isascii() and id.isprintable()


def id_in(line: bytes | str) -> str:
    """The id in a line that could not be read as a whole, so that the refusal can name it."""
    try:
        loaded = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    named = loaded.get("id") if isinstance(loaded, dict) else None
    return named if isinstance(named, str) and is_id(named) else ""
