"""Messages and bodies of legal shape with hostile values: numbers out of range, deep brackets, odd strings, old ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from msgspec import inspect

from roundtable.core.chance import Chance, pick
from roundtable.core.game import OPEN_TALK
from roundtable.games import GAMES
from roundtable.protocol import messages, rooms
from roundtable.protocol.encoding import CONDUCT, DEEPEST
from roundtable.server.routes import ApiRoute
from support.client_messages import REQUESTS, World, any_request, any_struct, filled_in

type_of = cache(inspect.type_info)


def nested(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


# Texts in place of a value. Not all of them are JSON.
HOSTILE = (
    *("1e400", "-1e400", "1e308", "1e-400", "NaN", "Infinity", "-0", "0.5", "1.0", "01", "+1", "0x10"),
    *("9007199254740993", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "9" * 30, "9" * 4000),
    *(
        '"\\ud800"',
        '"\\udc00\\ud800"',
        '"\\u0000"',
        '"\\u202e\\u200b"',
        '"\U0001f600"',
        '"\\q"',
        '"' + "x" * 3000 + '"',
    ),
    *("null", "true", '""', '"0"', "[]", "{}", '{"a":1e400}', '{"a":1,"a":2}', '{"is":"Say"}', '{"":{"":{"":[]}}}'),
    *(nested(3), nested(DEEPEST - 3), nested(DEEPEST + 1), nested(980), nested(2000), "[" * 900, '{"a":' * 200),
)
MARK = "\x01here\x01"  # stands for a hostile text until the message is encoded
BROKEN = ("", "}", ",", '"', "\x00", "\ufffe", '{"is":"Act"', " " * 500)
OLD_IDS = tuple(f"old {member}" for member in range(1, 6))  # of acts in an earlier game, one of each member


def any_hostile_message(world: World, chance: Chance, moves: Sequence[dict[str, Any]]) -> str:
    """A message for a socket: sometimes as it should be, mostly with something wrong in it."""
    kind = pick(chance, (messages.Act, messages.Act, rooms.Ask, rooms.Ask, *rooms.TO_SERVER))
    drawn = any_struct(type_of(kind), world, chance)
    if kind is messages.Act:
        drawn["action"] = any_action(world, chance, moves)
    if kind is rooms.Ask:
        drawn["request"] = any_struct(type_of(any_request(world, chance)), world, chance)
    if "id" in drawn:
        drawn["id"] = any_id(chance)
    return spoiled(drawn, chance)


def any_hostile_post(routes: Sequence[ApiRoute], world: World, chance: Chance) -> tuple[ApiRoute, str, str]:
    """A route that something can be sent to, its address, and a body."""
    route = pick(chance, [route for route in routes if route.method == "POST"])
    kind = any_request(world, chance) if route.body is rooms.AnyRequest else route.body
    drawn = any_struct(type_of(kind), world, chance)
    return route, pick(chance, list(filled_in(route.path, world))), spoiled(drawn, chance)


def any_id(chance: Chance) -> str:
    return pick(chance, (*OLD_IDS, *OLD_IDS, "r1", "r2", "", "é", f"n{chance.below(1 << 20)}"))


def any_action(world: World, chance: Chance, moves: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A move that is offered, what the earlier game's id stands for, or any action with likely values."""
    if moves and chance.below(3) == 0:
        return dict(pick(chance, moves))
    if chance.below(3) == 0:
        return {"is": "AskCallOff"}
    kind = pick(chance, (*CONDUCT, *pick(chance, [spec.game for spec in GAMES.usable().values()]).actions))
    likely: dict[str, Any] = {"phase": world.phase, "channel": OPEN_TALK, "text": "Hm.", "entropy": "ab" * 16}
    values: tuple[Any, ...] = (0, 1, 7, True, None, [0, 1], [], "Success", {})
    return {"is": kind.__name__} | {
        part.name: likely[part.name] if part.name in likely else pick(chance, values) for part in fields(kind)
    }


def spoiled(drawn: dict[str, Any], chance: Chance) -> str:
    """The text of a message. Up to two values are hostile, a key may occur twice, and the end may be cut off."""
    replaced: list[str] = []
    for _ in range(pick(chance, (0, 0, 1, 1, 2))):
        holder, key = pick(chance, list(places_in(drawn)))
        holder[key] = f"{MARK}{len(replaced)}"
        replaced.append(pick(chance, HOSTILE))
    text = json.dumps(drawn)
    for number, hostile in enumerate(replaced):
        text = text.replace(json.dumps(f"{MARK}{number}"), hostile)
    match chance.below(20):
        case 0:
            return text[:-1] + ',"id":"r1","is":"Act"}'
        case 1:
            return text[: chance.below(len(text) + 1)] + pick(chance, BROKEN)
        case 2:
            return pick(chance, HOSTILE)
    return text


def places_in(drawn: Any) -> Iterator[tuple[Any, Any]]:
    """Where a value can be replaced: a dictionary or list, and the key or index."""
    for key, value in list(drawn.items() if isinstance(drawn, dict) else enumerate(drawn)):
        yield drawn, key
        if isinstance(value, dict | list):
            yield from places_in(value)


def every_hostile_message(world: World, chance: Chance) -> Iterator[str]:
    """Each field of each message and request, with each hostile text in its place."""
    for kind in (*rooms.TO_SERVER, *REQUESTS):
        count = len(list(places_in(_drawn(kind, world, chance))))
        for place in range(count):
            for hostile in HOSTILE:
                drawn = _drawn(kind, world, chance)
                holder, key = list(places_in(drawn))[place % len(list(places_in(drawn)))]
                holder[key] = MARK
                yield json.dumps(drawn).replace(json.dumps(MARK), hostile)


def _drawn(kind: type, world: World, chance: Chance) -> dict[str, Any]:
    drawn = any_struct(type_of(kind), world, chance)
    return {"is": "Ask", "id": any_id(chance), "request": drawn} if kind in REQUESTS else drawn
