"""Nothing a listener receives from the real server depends on what they may not know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from roundtable.bots.dice import Dice
from roundtable.games import GAMES
from roundtable.protocol import bodies
from roundtable.protocol.rooms import TO_SERVER, Ask
from roundtable.rooms import InlineBotWorkers
from roundtable.server.app import Application
from roundtable.storage import MemoryLog
from support.asgi_server import AsgiServer
from support.client_messages import (
    PARAMETERS,
    REQUESTS,
    World,
    all_addresses,
    any_message,
    any_post,
    parameters_of,
    read_routes,
)
from support.planted_server_leaks import LEAKS, PHASES, Leak
from support.relayed_server import RelayedServer
from support.sizes import SERVED_TWINS, size
from support.twin_servers import RARE, Compared, any_deal, any_table, compare_pairs, every_count, roles_of
from support.virtual_time import VirtualLoop

BATCHES = size(1, soak=20)  # that the test runner can share out
TWINS = size(2, soak=3)
RELAYED_TABLES = size(1, soak=100)
MODERATED_TABLES = size(3, soak=6)
LOOKED = {"look_seconds": 3, "often": ["SayLooked"]}  # at every other table
SEATED = {"bots": 3, "in_person": "phones", "often": ["TakeSeat", "StepAway"]}  # at the others
THINKING_TABLES = size(1, soak=20)
WHY = "/api/rooms/{code}/games/{number}/why/{seat}"
READ = "/api/rooms/{code}/moderator/{language}"
WORLD = World("TWENS2", 5, 6, 1, (), ("TWENS2", "NONE22"))

SOMETIMES = {"restart", "enter", "hang up", "act again", "id again", "fetch", "expiry", "refusal", "view", "close"}
SOMETIMES |= {"lengths", "stand-in", "record refused", "record", "replay", "script", "look", "remark of a bot"}
SOMETIMES |= {"games", "own table", "moderator refused", "granted StepAway", "host at the table"}
SOMETIMES |= {"start without the unready", "narrated"}


def served_tables(game: str) -> list[tuple[int, int]]:
    """The tables that are compared: every number of players, each with some seeds."""
    return [(seats, seed) for seed in range(SERVED_TWINS) for seats in every_count(game)]


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game", GAMES)
def test_served_games_that_a_listener_cannot_tell_apart_are_the_same_to_the_byte(  # C2, C4, C5, C8
    game: str, batch: int
) -> None:
    total = Compared()
    for seats, seed in served_tables(game)[batch::BATCHES]:
        chance = Dice(100 * seed + seats)
        kind = LOOKED if (seats + seed) % 2 else SEATED
        total.add(compare_pairs(any_table(game, chance, seats=seats, **kind), chance, TWINS, PHASES))
        assert total.leak is None, f"{seats} seats, seed {seed}: {total.leak}"
    assert total.same > 100 * total.pairs > 0
    sometimes = SOMETIMES | ({"death", "dead listener"} if game == "saviom" else set())
    assert sometimes <= set(total.saw), f"never seen: {sometimes - set(total.saw)}"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_worker_that_relays_tells_no_more_than_the_one_that_runs_the_room(game: str) -> None:  # C2, C4
    total, before = Compared(), RelayedServer.relayed
    for seats, seed in served_tables(game)[:RELAYED_TABLES]:
        chance = Dice(1_000 + 100 * seed + seats)
        table = any_table(game, chance, seats=seats, **LOOKED)._replace(is_relayed=True)
        total.add(compare_pairs(table, chance, TWINS, PHASES))
        assert total.leak is None, f"{seats} seats, seed {seed}: {total.leak}"
    assert total.same > 100 * total.pairs > 0
    assert RelayedServer.relayed > before + 5 * total.pairs


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.usefixtures("compiled_kernels", "compiled_town")  # a server logs that it compiles, once in its life
def test_a_table_of_bots_that_think_tells_no_more(game: str) -> None:  # C4, C8
    """What they are asked, and when they seem to answer; the game before is over, and its bots may be asked why."""
    total = Compared()
    for seed in range(THINKING_TABLES):
        chance = Dice(seed)
        table = any_table(game, chance, seats=every_count(game)[0], bots=3, bot="strong", often=[WHY])
        total.add(compare_pairs(table, chance, TWINS, PHASES))
        assert total.leak is None, f"seed {seed}: {total.leak}"
    assert total.same > 100 * total.pairs > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_a_moderator_may_read_reaches_no_other_member(game: str) -> None:  # C2, C4
    """The moderator's own messages are compared too, apart from the answers that name the roles."""
    total = Compared()
    for seats, kind in product(every_count(game)[:MODERATED_TABLES], ("deal", "narrated")):
        chance = Dice(seats)
        table = any_table(game, chance, seats=seats, often=[READ], bots=0, in_person=kind, has_moderator=True)
        total.add(compare_pairs(table, chance, TWINS, rounds=2))
        assert total.leak is None, f"{seats} seats, {kind}: {total.leak}"
    assert {"moderator", "moderator refused", "script"} <= set(total.saw)


@pytest.mark.parametrize("game", GAMES)
def test_rare_roles_sit_at_served_tables(game: str) -> None:
    roles: set[str] = set()
    for seats, seed in served_tables(game):
        chance = Dice(100 * seed + seats)
        roles |= set(roles_of(any_deal(any_table(game, chance, seats=seats).setup, chance)))
    assert RARE[game] <= roles


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_the_twin_test_catches_leaks_planted_into_the_server(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:  # C4
    leak.plant(monkeypatch)
    total = Compared()
    fewest = every_count(leak.game)[0]
    for seed in range(leak.first_table, leak.first_table + 60):
        chance, table = Dice(seed), {"seats": fewest + seed % 3} | leak.table  # small ones take less time
        total.add(compare_pairs(any_table(leak.game, chance, **table), chance, 3, leak.rounds))
        if total.leak:
            return
    pytest.fail(f"{leak.name} stayed unseen in {total.pairs} pairs")


def test_there_are_more_than_sixty_leaks_planted_into_the_server() -> None:
    assert len({leak.name for leak in LEAKS}) == len(LEAKS) > 60


# What the players of these tests can send


@pytest.mark.parametrize("kind", [*TO_SERVER, *REQUESTS, bodies.OpenRoom, bodies.Join], ids=lambda kind: kind.__name__)
def test_every_message_and_request_can_be_drawn(kind: type) -> None:
    """`client_messages.HINTS` names the fields that have to be drawn by name."""
    for seed in range(20):
        assert any_message(kind if kind is not Ask else REQUESTS[seed % len(REQUESTS)], WORLD, Dice(seed))


@pytest.fixture
def server() -> Iterator[AsgiServer]:
    loop = VirtualLoop()
    yield AsgiServer(loop, MemoryLog(), InlineBotWorkers())
    loop.close()


@pytest.fixture
def application(server: AsgiServer) -> Application:
    return server.app


def test_every_route_that_can_be_read_is_compared(server: AsgiServer) -> None:
    """`client_messages.PARAMETERS` gives the values of every parameter in a path."""
    paths = read_routes(server.routes)
    assert {route.path for route in server.app.api_routes if route.method == "GET"} <= set(paths)
    assert {name for path in paths for name in parameters_of(path)} <= set(PARAMETERS)
    addresses = all_addresses(server.routes, WORLD)
    assert {"/metrics", "/api/rooms/TWENS2", "/api/rooms/TWENS2/games/1/replay/all"} <= set(addresses)
    assert len(addresses) > len(paths)


def test_everything_that_can_be_posted_is_sent(application: Application) -> None:
    posted: dict[str, Any] = dict(any_post(application.api_routes, WORLD, Dice(seed)) for seed in range(60))
    for route in application.api_routes:
        assert route.method == "GET" or route.path.replace("{code}", WORLD.code) in posted, (
            f"{route.path} is never sent to."
        )
