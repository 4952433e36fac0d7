"""What a client needs to describe a game that it has no screens for: sentences, rulebook, and the kinds of fields."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from roundtable.core.actions import COMMON_ACTIONS
from roundtable.core.catalogue import SOURCE, read_sentences
from roundtable.core.errors import SetupError
from roundtable.core.events import COMMON_EVENTS
from roundtable.core.spec import GameSpec
from roundtable.core.values import Value
from roundtable.games import spec_named
from roundtable.protocol.compression import CompressedBody, compress
from roundtable.protocol.encoding import ENCODER
from roundtable.text.fields import is_list, is_optional, kind_of, member_type, shown_fields
from roundtable.text.rulebook import rulebook


class EventField(Struct, kw_only=True):
    """A field of an event or a move: `kind` is seat, number, flag, word or other, of a list the kind of its members."""

    name: str
    kind: str
    is_list: bool
    is_optional: bool


class GameText(Struct, kw_only=True):
    """A game in a language: messages by key, the rulebook, and the fields of each event and move by its name."""

    messages: dict[str, str]
    rulebook: str
    fields: dict[str, list[EventField]]


@lru_cache(maxsize=64)
def game_text(game: str, lang: str) -> CompressedBody:
    """The answer, encoded; `SetupError` where there is no such game. What a language lacks is in English."""
    spec = spec_named(game)
    shown = (*COMMON_EVENTS, *COMMON_ACTIONS, *spec.game.events, *spec.game.actions)
    fields = {kind.__name__: _fields(kind) for kind in shown}
    text = GameText(messages=_messages(spec, lang), rulebook=_rulebook(spec, lang), fields=fields)
    return compress(ENCODER.encode(text))


def _messages(spec: GameSpec, lang: str) -> dict[str, str]:
    """The messages of the game's own packages; a client has those of the shell."""
    chained: dict[str, str] = {}
    for spoken in (SOURCE, lang):
        for package in reversed(spec.text):
            chained.update(read_sentences(package, spoken))
    return chained


def _rulebook(spec: GameSpec, lang: str) -> str:
    try:
        return rulebook(spec, lang)
    except SetupError:  # a game may have none
        return ""


def _fields(kind: type[Value]) -> list[EventField]:
    return [
        EventField(
            name=name,
            kind=kind_of(member_type(hint) if is_list(hint) else hint),
            is_list=is_list(hint),
            is_optional=is_optional(hint),
        )
        for name, hint in shown_fields(kind).items()
    ]
