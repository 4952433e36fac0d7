"""The Python client: joining, acting, talking, resuming, and a typed error for every failure."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from roundtable.bots import RandomBot
from roundtable.bots.dice import Dice
from roundtable.client import Client, Table
from roundtable.client.retries import Retries, RetryPolicy
from roundtable.client.table import News
from roundtable.core.actions import AskCallOff
from roundtable.core.errors import (
    IllegalAction,
    NotConnected,
    RoomRefused,
    RoundTableError,
    SetupError,
    Unreadable,
)
from roundtable.core.events import Event, GameEnded, PhaseBegan, Said, TableOpened
from roundtable.core.game import fold
from roundtable.core.options import permits
from roundtable.core.seats import SPECTATOR
from roundtable.games import game_named
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import Asked, Over
from roundtable.protocol.bodies import Membership
from roundtable.protocol.rooms import (
    ChangeTable,
    Chatted,
    HandOver,
    Kick,
    LeaveSeat,
    Room,
    SayReady,
    SeatBot,
    Settings,
    Start,
    TakeSeat,
)
from roundtable.storage import verify_record
from support.live_server import RETRY_DELAY, LiveServer, changed_program, traceback_free
from support.paths import ROOT
from support.virtual_time import VirtualLoop
from support.virtual_time import run as run_in_virtual_time
from support.waiting import PATIENCE, until

DOCUMENT = (ROOT / "docs" / "client.md").read_text(encoding="utf-8")
AT_ONCE = Settings(bot_pace="instant", takeover_seconds=None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("client") / "rooms.db", program=changed_program()) as live:
        yield live
        assert live.stop() == 0
        assert traceback_free([live.logged()]), live.logged()


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[LiveServer]:
    """A server that can be killed and comes back at the same address."""
    with LiveServer(tmp_path / "rooms.db", keeps_address=True, program=changed_program()) as live:
        yield live
        assert traceback_free([live.logged()]), live.logged()


def run(story: Coroutine[Any, Any, None]) -> None:
    async def within_patience() -> None:
        async with asyncio.timeout(PATIENCE):
            await story

    asyncio.run(within_patience())


async def next_of(table: Table, kind: type[Any]) -> Any:
    """The next event of this type that the table yields."""
    async for event in table.events():
        if isinstance(event, kind):
            return event
    raise AssertionError(f"The table ended before a {kind.__name__}.")


async def start_with_bots(table: Table) -> None:
    await table.ask(SeatBot())
    await table.ask(SayReady(is_ready=True))
    await table.ask(Start())


async def play_out(
    table: Table, seed: int = 1, after: Callable[[News], Coroutine[Any, Any, None]] | None = None
) -> list[News]:
    """Let the random bot play this seat to the end of the game. Returns all events that were heard."""
    bot, dice, heard = RandomBot(), Dice(seed), list[News]()
    async for event in table.events():
        heard.append(event)
        if after:
            await after(event)
        if isinstance(event, Asked) and (move := bot.choose(table.view, table.options, dice)):
            with suppress(IllegalAction):  # the game may have gone on
                await table.act(move)
        if isinstance(event, Over):
            break
    return heard


# Joining and resuming


def test_a_table_is_opened_joined_by_code_and_by_link_and_watched(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            ann = await client.open("Ann", "saviom", 6)
            ben = await client.join(ann.room.code.lower(), "Ben")
            link = f"{server.url}/r/{ann.room.code}"
            chi = await Client(link).join(link, "Chi", watch=True)
            eve = await client.watch(link)
            assert [table.seat for table in (ann, ben, chi, eve)] == [0, 1, SPECTATOR, SPECTATOR]
            assert [member.name for member in eve.room.members] == ["Ann", "Ben", "Chi"]
            assert (eve.membership, eve.view, eve.options) == (None, None, ())
            await ben.ask(TakeSeat(seat=4))
            await until(lambda: ann.room.seats[4].member == ben.membership.member, "the seat is taken")  # type: ignore[union-attr]
            assert ben.seat == 4
            await ben.say("Chào cả nhà!")
            chatted = await next_of(eve, Chatted)
            assert (chatted.name, chatted.text) == ("Ben", "Chào cả nhà!")
            await chi.close()

    run(story())


def test_leaving_is_for_good_and_closing_is_not(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            ann = await client.open("Ann")
            ben, chi = await client.join(ann.room.code, "Ben"), await client.join(ann.room.code, "Chi")
            await ben.leave()
            await chi.close()
            assert [event async for event in ben.events() if not isinstance(event, Room)] == []
            with pytest.raises(NotConnected, match="closed") as closed:
                await chi.say("Is anybody there?")
            assert closed.value.code == "client/closed"
            assert ben.membership
            assert chi.membership
            with pytest.raises(RoomRefused) as left:
                await client.enter(ben.membership)
            assert left.value.code == "room/unknown"
            back = await client.enter(chi.membership)
            assert back.seat == 2
            assert [member.name for member in back.room.members] == ["Ann", "Chi"]

    run(story())


def test_who_is_removed_by_the_host_hears_so_from_the_table(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            ann = await client.open("Ann")
            ben = await client.join(ann.room.code, "Ben")
            assert ben.membership
            await ann.ask(Kick(member=ben.membership.member))
            for call in (next_of(ben, Over), ben.say("Why?")):
                with pytest.raises(RoomRefused) as removed:
                    await call
                assert removed.value.code == "room/removed"

    run(story())


def test_a_caller_that_gives_up_leaves_nothing_behind() -> None:
    async def story() -> None:
        async with saying() as url, Client(url) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await client.watch("K7MPQ2")
            assert not [task for task in asyncio.all_tasks() if "Table" in str(task.get_coro())]

    run(story())


def test_a_membership_outlives_the_client(server: LiveServer) -> None:
    saved: list[Membership | None] = []

    async def join() -> None:
        async with server.client() as client:
            saved.append((await client.open("Ann")).membership)

    async def come_back() -> None:
        async with server.client() as client:
            assert saved[0]
            assert (await client.enter(saved[0])).seat == 0

    run(join())
    run(come_back())


# Playing


def test_a_seat_knows_its_view_and_options_and_a_refusal_is_typed(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            table = await client.open("Ann", settings=AT_ONCE, options={"hammer": "auto"})
            with pytest.raises(RoomRefused) as early:
                await table.ask(Start())
            assert early.value.code == "room/not_ready"
            with pytest.raises(SetupError) as crowd:
                await table.ask(ChangeTable(seats=11))
            assert (crowd.value.code, crowd.value.values["most"]) == ("setup/seats", 10)
            await start_with_bots(table)
            heard: list[Event] = []
            async for event in table.events():
                if isinstance(event, Event):
                    heard.append(event)
                if isinstance(event, Asked) and event.name == "vote":
                    break
                if isinstance(event, Asked) and table.options:  # this seat leads
                    await table.act(next(iter(table.options[0])))
            assert isinstance(heard[0], TableOpened)
            known = fold(game_named("avalon"), heard)
            assert known.facts().keys() == table.view.facts().keys()
            assert table.view.roles[0] == known.roles[0]
            late = CastVote(phase=table.view.phase.number - 1, approve=True)
            assert not permits(table.options, late)
            with pytest.raises(IllegalAction) as refused:
                await table.act(late)
            assert refused.value.code == "action/late"
            await table.say("I trust Bình.")
            assert (await next_of(table, Said)).text == "I trust Bình."
            with pytest.raises(IllegalAction) as whispered:
                await table.say("Psst.", "wolves")
            assert whispered.value.code == "talk/closed"

    run(story())


def test_the_same_id_is_answered_again_and_done_once(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            table, other = await client.open("Ann", settings=AT_ONCE), None
            await table.ask(LeaveSeat())
            other = await client.join(table.room.code, "Ben")
            await table.ask(SeatBot())
            await other.ask(SayReady(is_ready=True))
            await table.ask(Start(), "start")
            await table.ask(Start(), "start")
            await next_of(other, PhaseBegan)
            for _ in range(3):
                await other.act(AskCallOff(), "wish")
            with pytest.raises(IllegalAction) as reused:
                await other.act(CastVote(phase=1, approve=True), "wish")
            assert reused.value.code == "action/id_reused"
            for bad in ("x" * 65, "é"):
                with pytest.raises(IllegalAction) as unusable:
                    await other.act(AskCallOff(), bad)
                assert unusable.value.code == "action/bad_id"
            with pytest.raises(Unreadable, match="8192 bytes"):
                await other.say("x" * 9000)
            await other.say("The connection is as good as before.")

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("avalon", 5), ("thavalon", 7), ("saviom", 6)])
def test_a_whole_game_is_played_and_the_room_goes_on(server: LiveServer, game: str, seats: int, tmp_path: Path) -> None:
    async def story() -> None:
        async with server.client() as client:
            short = {"day_seconds": 1, "defense_seconds": 1, "night_seconds": 1} if game == "saviom" else {}
            table = await client.open("Ann", game, seats, options=short, settings=AT_ONCE)
            await start_with_bots(table)
            heard = await play_out(table)
            assert table.view.outcome == next(event.outcome for event in heard if isinstance(event, GameEnded))
            assert table.options == ()
            record = tmp_path / "game.jsonl"
            record.write_bytes(await client.http.record(table.room.code, 1))
            assert verify_record(record).outcome == table.view.outcome

    run(story())


@pytest.mark.slow
def test_nothing_is_lost_or_heard_twice_when_the_server_is_killed(restarted: LiveServer) -> None:
    kills = iter(range(3))

    async def kill(event: News) -> None:
        if isinstance(event, PhaseBegan) and event.number > 1 and next(kills, None) is not None:
            restarted.kill()
            await asyncio.to_thread(restarted.start)

    async def story() -> None:
        async with restarted.client() as client:
            table = await client.open("Ann", settings=AT_ONCE, options={"hammer": "auto"})
            await table.say("Well met.")
            await start_with_bots(table)
            heard = await play_out(table, after=kill)
            assert next(kills, None) is None
            assert table.membership
            fresh = await client.enter(table.membership)
            assert [event for event in heard if isinstance(event, Event)] == await told(fresh)
            assert [event.text for event in heard if isinstance(event, Chatted)] == ["Well met."]
            assert fresh.view.facts() == table.view.facts()

    async def told(table: Table) -> list[Event]:
        events = []
        async for event in table.events():
            if isinstance(event, Over):
                break
            if isinstance(event, Event):
                events.append(event)
        return events

    run(story())


@pytest.mark.slow
def test_what_was_asked_while_the_server_was_away_is_done_when_it_is_back(restarted: LiveServer) -> None:
    async def story() -> None:
        async with restarted.client() as client:
            table = await client.open("Ann", settings=AT_ONCE)
            ben = await client.join(table.room.code, "Ben")
            assert ben.membership
            restarted.kill()
            asked = [
                asyncio.create_task(table.ask(HandOver(member=ben.membership.member))),
                asyncio.create_task(ben.say("Are you there?")),
                asyncio.create_task(client.join(table.room.code, "Chi")),
            ]
            await asyncio.sleep(0)
            restarted.start()
            await asyncio.gather(*asked)
            await until(lambda: ben.room.host == 2 and len(ben.room.members) == 3, "the room as it is now")
            lines = [event.text async for event in until_first(ben, Chatted)]
            assert lines[-1] == "Are you there?"

    async def until_first(table: Table, kind: type[Any]) -> AsyncIterator[Any]:
        yield await next_of(table, kind)

    run(story())


# Servers that fail


def test_a_server_that_is_not_there_is_a_typed_error() -> None:
    async def story() -> None:
        async with Client("http://127.0.0.1:1", timeout=0.1, retry_delay=RETRY_DELAY) as client:
            for call in (client.open("Ann"), client.watch("K7MPQ2")):
                with pytest.raises(
                    NotConnected, match=re.escape("No answer from http://127.0.0.1:1 for 0.1 seconds")
                ) as gone:
                    await call
                assert gone.value.code == "client/unreachable"

    run(story())


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ws://localhost:8000", "http://", "", "http://localhost:123456", "http://[::1"]
)
def test_an_address_that_is_none_is_a_typed_error(address: str) -> None:
    with pytest.raises(NotConnected, match="An address looks like http://localhost:8000") as wrong:
        Client(address)
    assert wrong.value.code == "client/address"


def test_a_link_to_another_server_is_refused() -> None:
    async def story() -> None:
        async with Client("http://localhost:8000") as client:
            with pytest.raises(NotConnected, match="another server") as elsewhere:
                await client.join("http://localhost:9000/r/K7MPQ2", "Ann")
            assert elsewhere.value.code == "client/address"

    run(story())


def test_a_wrong_code_is_refused_in_the_servers_words(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            for call in (client.join("AAAAAA", "Ann"), client.watch("AAAAAA"), client.join("?y#z", "Ann")):
                with pytest.raises(RoomRefused) as unknown:
                    await call
                assert unknown.value.code in ("room/unknown", "server/unknown")

    run(story())


@pytest.mark.slow
def test_a_server_that_goes_away_for_good_ends_the_table_with_a_typed_error(restarted: LiveServer) -> None:
    async def story() -> None:
        async with restarted.client(timeout=0.5) as client:
            table = await client.open("Ann")
            restarted.kill()
            with pytest.raises(NotConnected) as unanswered:
                await table.say("Is anybody there?")
            with pytest.raises(NotConnected) as ended:
                await next_of(table, Over)
            with pytest.raises(NotConnected) as later:
                await table.ask(SayReady(is_ready=True))
            assert {caught.value.code for caught in (unanswered, ended, later)} == {"client/unreachable"}

    run(story())


# A client reads the setup in TableOpened, and leaves this one aside.
ENTERED = '{"is":"Entered","member":1,"now":1}'
WELCOME = (
    '{"game":"avalon","heard":%d,"is":"Welcome","names":["A"],"protocol":%d,"seat":0,"setup":{"is":"AvalonSetup"}}'
)
PAUSED = '[{"is":"ClockPaused"}]'


@asynccontextmanager
async def saying(*frames: str | bytes) -> AsyncIterator[str]:
    """A server that sends these messages to every client. Yields its address."""

    async def answer(connection: ServerConnection) -> None:
        await connection.recv()
        for frame in frames:
            await connection.send(frame, text=True)
        await connection.wait_closed()

    async with serve(answer, "127.0.0.1", 0) as running:
        yield f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    "frames",
    [
        ["hello"],
        [""],
        ["{}"],
        ["[" * 100_000],
        [b"\xff\xfe"],
        ["x" * (2**24 + 1)],
        ['{"is":"Enter"}'],
        [ENTERED, PAUSED],  # no Welcome
        [WELCOME % (1, 1), PAUSED],  # a gap
        [WELCOME % (0, 1), PAUSED],  # no TableOpened
        [WELCOME % (0, 1), '[{"is":"Rubbish"}]'],
        [WELCOME % (0, 1), "[1]"],
        [WELCOME % (0, 2)],
    ],
    ids=range(13),
)
def test_rubbish_from_a_server_is_a_typed_error(frames: list[str | bytes]) -> None:
    async def story() -> None:
        async with saying(*frames) as url, Client(url, timeout=PATIENCE, retry_delay=RETRY_DELAY) as client:
            with pytest.raises(Unreadable) as rubbish:
                await client.watch("K7MPQ2")
            assert rubbish.value.code == "text/unreadable"

    run(story())


def test_a_game_that_this_client_does_not_have_is_a_typed_error() -> None:
    async def story() -> None:
        async with saying((WELCOME % (0, 1)).replace("avalon", "chess")) as url, Client(url) as client:
            with pytest.raises(SetupError) as unknown:
                await client.watch("K7MPQ2")
            assert unknown.value.code == "setup/game"

    run(story())


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello", Unreadable, "text/unreadable"),
        (b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}", Unreadable, "text/unreadable"),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello", Unreadable, "text/unreadable"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", Unreadable, "text/unreadable"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5\r\n\r\nhello", NotConnected, "client/unreachable"),
        (b"HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{}", NotConnected, "client/unreachable"),
        (b"", NotConnected, "client/unreachable"),
    ],
)
def test_rubbish_over_http_is_a_typed_error(answer: bytes, kind: type[RoundTableError], code: str) -> None:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    async def story() -> None:
        async with await asyncio.start_server(reply, "127.0.0.1", 0) as running:
            port = running.sockets[0].getsockname()[1]
            async with Client(f"http://127.0.0.1:{port}", timeout=0.1, retry_delay=RETRY_DELAY) as client:
                with pytest.raises(kind) as rubbish:
                    await client.open("Ann")
                assert rubbish.value.code == code
                with pytest.raises(NotConnected) as no_socket:  # nor is there a socket
                    await client.watch("K7MPQ2")
                assert no_socket.value.code == "client/unreachable"

    run(story())


# The page


@pytest.mark.slow
def test_the_program_on_the_page_plays_a_game(server: LiveServer) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert "http://localhost:8000" in program
    command = [sys.executable, "-c", program.replace("http://localhost:8000", server.url)]
    played = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert played.returncode == 0, played.stderr
    assert re.search(r"^Ann is \w", played.stdout, re.MULTILINE)
    assert re.search(r"^(Good|Evil) wins: \w+$", played.stdout.splitlines()[-1])


def test_the_page_lists_every_public_part_and_nothing_else(server: LiveServer) -> None:
    async def story() -> None:
        async with server.client() as client:
            table = await client.open("Ann")
            for name, thing in (("client", client), ("table", table)):
                public = {part for part in dir(thing) if not part.startswith("_")}
                listed = set(re.findall(rf"^\| `[^`]*\b{name}\.(\w+)", DOCUMENT, re.MULTILINE))
                assert listed == public

    run(story())


def test_a_client_that_gives_up_says_how_the_last_socket_was_closed() -> None:
    closed = ConnectionClosedError(Close(1012, ""), None)
    with pytest.raises(NotConnected) as gone:
        asyncio.run(Retries("http://127.0.0.1:1", RetryPolicy(timeout=0)).wait(closed))
    assert "1012" in str(gone.value)


def test_however_long_a_server_is_away_the_next_attempt_comes_within_five_seconds() -> None:
    attempts = list[float]()

    async def try_again(loop: VirtualLoop) -> None:
        retries = Retries("http://127.0.0.1:1", RetryPolicy(timeout=60))
        with suppress(NotConnected):
            while True:
                attempts.append(loop.time())
                await retries.wait(OSError("refused"))

    run_in_virtual_time(try_again)
    assert attempts[-1] - attempts[0] == pytest.approx(60)
    assert max(later - earlier for earlier, later in pairwise(attempts)) < 5
