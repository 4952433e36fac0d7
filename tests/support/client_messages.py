"""Everything that a client can send, drawn at random from the protocol's own lists: messages, requests, addresses.

A field is drawn by its name where the name has a meaning (a seat, a member, a text), and by its type otherwise. A field
that can be drawn in neither way is a TypeError, so that a new message is drawn on the day it is added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple, get_args

from msgspec import inspect
from starlette.routing import Route

from roundtable.core.chance import Chance, pick
from roundtable.games import GAMES
from roundtable.protocol import messages, rooms
from roundtable.server.routes import ApiRoute
from roundtable.server.static_files import SCREENS
from roundtable.testing.random_asks import LINES

REQUESTS: tuple[type, ...] = get_args(rooms.AnyRequest)
FATAL = (rooms.Leave, rooms.Kick, rooms.CallItOff, rooms.AnnounceOutcome)  # after which there is less to compare
RUBBISH = ("{}", "[" * 50, '"Here"', '{"is":"Nothing"}', '{"is":"Ask","id":"r1"}', '{"is":"Act","id":"r2","action":7}')
LANGUAGES = ("en", "vi", "vi-VN", "xx")


class World(NamedTuple):
    """What names and numbers mean something in a room."""

    code: str
    seats: int
    members: int  # how many there are about
    phase: int
    tokens: Sequence[str]
    rooms: Sequence[str]  # on the server, that one included
    often: frozenset[str] = frozenset()  # names of messages, and paths, that come up more often than others


Hint = Callable[[World, Chance], Any]

# By the name of a field, wherever it occurs.
HINTS: dict[str, Hint] = {
    "action": lambda world, chance: {"is": "AskCountdown", "phase": world.phase},
    "id": lambda world, chance: pick(chance, ("", "q1", "q2", "q3", f"q{chance.below(1 << 30)}")),
    "member": lambda world, chance: 1 + chance.below(world.members + 2),
    "seat": lambda world, chance: chance.below(world.seats + 1),
    "seats": lambda world, chance: 4 + chance.below(10),
    "phase": lambda world, chance: world.phase - chance.below(2),
    "room": lambda world, chance: pick(chance, world.rooms),
    "token": lambda world, chance: pick(chance, (None, "0" * 32)),
    "text": lambda world, chance: pick(chance, LINES),
    "name": lambda world, chance: pick(chance, ("Ann", "Bảo", "Host", "", "x" * 80)),
    "avatar": lambda world, chance: pick(chance, ("", "fox-teal", None, "Fox!")),
    "game": lambda world, chance: pick(chance, (*GAMES, "chess")),
    "options": lambda world, chance: pick(chance, ({}, {"lady": True}, {"mode": "advanced"}, {"lady": 7})),
    "lang": lambda world, chance: pick(chance, LANGUAGES),
    "bot": lambda world, chance: pick(chance, ("random", "careful", "nobody")),
    "takeover_bot": lambda world, chance: pick(chance, ("random", "nobody")),
    "bot_pace": lambda world, chance: pick(chance, ("instant", "quick", "human", "never")),
    "look_seconds": lambda world, chance: pick(chance, (0, 2)),
    "takeover_seconds": lambda world, chance: pick(chance, (None, 5, 15)),
    "spectator_delay": lambda world, chance: pick(chance, (0, 0, 2)),
    "winner": lambda world, chance: pick(chance, (None, "Good", "Wolves")),
    "reason": lambda world, chance: pick(chance, ("untold", "told", "three_failures")),
    "seconds": lambda world, chance: pick(chance, (5, 10)),
    "has_moderator": lambda world, chance: False,  # who moderates may know everything
    "is_granted": lambda world, chance: False,  # who is given another seat may know what that seat knows
}


# Messages and bodies


def any_message(kind: type, world: World, chance: Chance) -> str:
    """A message of this kind as a client sends it; at times with a field too many."""
    drawn = any_struct(fields_of(kind), world, chance)
    if chance.below(30) == 0:
        drawn["too_much"] = 1
    return json.dumps(drawn, sort_keys=True)


fields_of = cache(inspect.type_info)


def any_request(world: World, chance: Chance) -> type:
    """A kind of request. Those after which there is less to compare come rarely."""
    kind = one_of(REQUESTS, world, chance)
    return kind if kind not in FATAL or kind.__name__ in world.often or chance.below(4) == 0 else pick(chance, REQUESTS)


def one_of(kinds: Sequence[type], world: World, chance: Chance) -> type:
    favoured = [kind for kind in kinds if kind.__name__ in world.often]
    return pick(chance, favoured if favoured and chance.below(2) else kinds)


def ask_of(request: str, id: str) -> str:
    """A request as a message on a socket."""
    return f'{{"id":{json.dumps(id)},"is":"{rooms.Ask.__name__}","request":{request}}}'


def any_struct(info: Any, world: World, chance: Chance) -> dict[str, Any]:
    drawn = {
        field.name: any_value(field.name, field.type, world, chance)
        for field in info.fields
        if field.required or chance.below(2)
    }
    return drawn if info.tag is None else {info.tag_field: info.tag, **drawn}


def any_value(name: str, info: Any, world: World, chance: Chance) -> Any:
    if name in HINTS:
        return HINTS[name](world, chance)
    match info:
        case inspect.BoolType():
            return chance.below(2) == 1
        case inspect.NoneType():
            return None
        case inspect.IntType(ge=least, le=most):
            bottom = least or 0
            return bottom + chance.below(min(most or 12, bottom + 40) - bottom + 1)
        case inspect.LiteralType(values=values):
            return pick(chance, values)
        case inspect.StructType():
            return any_struct(info, world, chance)
        case inspect.UnionType(types=types):
            return any_value(name, pick(chance, types), world, chance)
    raise TypeError(f"Cannot draw {name}, a {info}: add it to HINTS in {__name__}.")


def any_client_message(world: World, chance: Chance) -> str:
    """Any message to a server but an Act, which is drawn with the game's moves, and a request."""
    kinds = [kind for kind in rooms.TO_SERVER if kind not in (messages.Act, rooms.Ask)]
    return any_message(one_of(kinds, world, chance), world, chance) if chance.below(4) else pick(chance, RUBBISH)


# Addresses


def listeners(world: World) -> tuple[str, ...]:
    return ("all", "spectator", *map(str, range(world.seats)), "moon")


# By the name of a parameter in a path.
PARAMETERS: dict[str, Callable[[World], Sequence[str]]] = {
    "code": lambda world: world.rooms,
    "number": lambda world: ("1", "2", "3", "x"),
    "listener": listeners,
    "seat": lambda world: (*map(str, range(world.seats)), "moon"),
    "language": lambda world: LANGUAGES,
    "game": lambda world: (*GAMES, "chess"),
}


def parameters_of(path: str) -> list[str]:
    return re.findall(r"\{(\w+)", path)


def filled_in(path: str, world: World) -> Iterator[str]:
    """The path with all values of its parameters."""
    names = parameters_of(path)
    for values in product(*(PARAMETERS[name](world) for name in names)):
        filled = path
        for name, value in zip(names, values, strict=True):
            filled = re.sub(rf"\{{{name}(:\w+)?\}}", value, filled)
        yield filled


def read_routes(routes: Sequence[Route]) -> list[str]:
    """The paths of everything that can be read, files of the web app left out: those are the same for everyone."""
    paths = [route.path for route in routes if "GET" in (route.methods or ())]
    return [path for path in paths if "." not in path.rsplit("/", 1)[-1] or path.startswith(("/openapi", "/schemas"))]


def any_address(routes: Sequence[Route], world: World, chance: Chance) -> str:
    """Mostly one about rooms, or one that is no page of the web app."""
    paths = read_routes(routes)
    about_rooms = [path for path in paths if path.startswith("/api/rooms")]
    others = [path for path in paths if path not in (*SCREENS, *about_rooms)]
    favoured = [path for path in paths if path in world.often] or about_rooms
    path = pick(chance, pick(chance, (favoured, about_rooms, others, paths)))
    return pick(chance, list(filled_in(path, world)))


def all_addresses(routes: Sequence[Route], world: World) -> list[str]:
    """Every address about the room itself, and one of each other route."""
    here = world._replace(rooms=[world.code])
    addresses = [list(filled_in(path, here)) for path in read_routes(routes)]
    return [one for found in addresses for one in (found if world.code in found[0] else found[:1])]


def member_addresses(routes: Sequence[ApiRoute], world: World) -> list[str]:
    """Every address about the room that only its members can read."""
    here = world._replace(rooms=[world.code])
    paths = [route.path for route in routes if route.method == "GET" and route.needs_token]
    return [one for path in paths for one in filled_in(path, here)]


def any_post(routes: Sequence[ApiRoute], world: World, chance: Chance) -> tuple[str, str]:
    """An address that something can be sent to, and a body for it."""
    route = pick(chance, [route for route in routes if route.method == "POST"])
    kind = any_request(world, chance) if route.body is rooms.AnyRequest else route.body
    return pick(chance, list(filled_in(route.path, world))), any_message(kind, world, chance)
