"""The HTTP API, route by route: what it grants, what it refuses and how, and what it never reveals."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode, checks
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from roundtable.core.errors import CODES
from roundtable.games.quests.roles import Role
from roundtable.rooms import InlineBotWorkers, Services
from roundtable.rooms.guests import key_of
from roundtable.rooms.networks import Buckets
from roundtable.server.app import Application
from roundtable.server.clock import steady_clock
from roundtable.server.limits import Limits
from roundtable.server.middleware import HEADERS
from roundtable.storage import LogFailed, MemoryLog, RoomSummary, Row
from roundtable.storage.verify import verify_record
from support.live_server import GENEROUS, LiveServer, traceback_free
from support.raw_protocol import PLAIN, Listener, Member, http_to, join_room, open_room, seat_five
from support.sizes import GENERATED_REQUESTS

HERE, ELSEWHERE = ("127.0.0.1", 5), ("192.0.2.7", 5)
PLENTY = Limits.for_rate(1_000_000)


@asynccontextmanager
async def serving(
    log: Any = None, client: tuple[str, int] = HERE, now: Callable[[], int] | None = None, **more: Any
) -> AsyncIterator[httpx.AsyncClient]:
    """The whole application without a network."""
    services = Services(log or MemoryLog(), now or steady_clock(), secrets.token_bytes, InlineBotWorkers())
    app = Application(services, **{"limits": PLENTY, "sites": ["table.example"], **more})
    said: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    told: asyncio.Queue[Any] = asyncio.Queue()
    life = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}}, said.get, told.put))
    await said.put({"type": "lifespan.startup"})
    assert (await told.get())["type"] == "lifespan.startup.complete"
    transport = httpx.ASGITransport(app=app, client=client)
    async with httpx.AsyncClient(transport=transport, base_url="http://table.example") as http:
        yield http
    await said.put({"type": "lifespan.shutdown"})
    assert (await told.get())["type"] == "lifespan.shutdown.complete"
    await life


def figures(http: httpx.AsyncClient) -> str:
    """The metrics of a server without a network."""
    transport = http._transport
    assert isinstance(transport, httpx.ASGITransport)
    app: Any = transport.app
    return str(app.exposition(), "utf-8")


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Every refusal has one shape, and a code that docs/errors.md explains."""
    fault = answer.json()
    assert set(fault) - {"values", "variant"} == {"code", "message"}
    assert fault["code"] in CODES
    assert fault["message"]
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, fault["code"]


# What is granted


def test_every_route_does_what_it_says(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving() as http:
            assert (await http.get("/health")).json() == {"status": "ok"}
            assert (await http.get("/ready")).json() == {"status": "ready"}
            offered = (await http.get("/api/games")).json()
            assert [game["name"] for game in offered["games"]] == ["avalon", "thavalon", "saviom"]
            guests = await seat_five(http, settings={"is_public": True})
            code = guests[0].room
            listed = (await http.get("/api/rooms")).json()["rooms"]
            assert [(room["code"], room["stage"], room["free"]) for room in listed] == [(code, "playing", 0)]
            watcher = await join_room(http, code, "Wanda", watch=True)
            assert (await watcher.ask("LeaveSeat")).status_code == 409
            room = (await http.get(f"/api/rooms/{code[:3].lower()}-{code[3:].lower()}")).json()
            assert (room["stage"], len(room["members"]), room["host"]) == ("playing", 6, 1)
            assert (await guests[0].ask("CallItOff", "end")).json()["stage"] == "over"
            assert (await guests[0].ask("CallItOff", "end")).status_code == 200  # the same request, granted once
            record = await http.get(f"/api/rooms/{code}/games/1/record")
            assert (record.status_code, record.headers["content-type"]) == (200, "application/jsonl")
            (tmp_path / "game.jsonl").write_bytes(record.content)
            assert verify_record(tmp_path / "game.jsonl").outcome.winner is None
            replay = (await http.get(f"/api/rooms/{code}/games/1/replay/all")).json()
            assert (replay["game"], len(replay["names"])) == ("avalon", 5)
            assert [event["is"] for event in replay["steps"][0]["events"]] == ["TableOpened", "SeedSealed"]
            for path in ("/", f"/r/{code}"):
                assert (await http.get(path)).headers["content-type"] == "text/html; charset=utf-8"
            assert (await http.get("/openapi.json")).json()["openapi"] == "3.1.0"
            assert "$defs" in (await http.get("/schemas/messages.json")).json()
            assert "roundtable_rows_total" in figures(http)
            assert (await http.get("/metrics")).status_code == 404  # metrics have a listener of their own

    asyncio.run(main())


def test_the_text_of_a_game_is_the_same_for_everyone_and_may_be_cached() -> None:
    async def main() -> None:
        async with serving() as http:
            answer = await http.get("/api/games/thavalon/text/vi")
            assert answer.headers["cache-control"] == "public, max-age=300"
            text = answer.json()
            assert text["messages"]["game.name"] == "THavalon"
            assert text["messages"]["word.good"] == "Phe Xanh"  # from the catalogue that it shares
            assert not any(key.startswith("terminal.") for key in text["messages"])
            assert text["rulebook"].startswith("# THavalon")
            assert text["fields"]["TeamProposed"] == [
                {"name": "leader", "kind": "seat", "is_list": False, "is_optional": False},
                {"name": "quest", "kind": "number", "is_list": False, "is_optional": False},
                {"name": "team", "kind": "seat", "is_list": True, "is_optional": False},
                {"name": "excalibur", "kind": "seat", "is_list": False, "is_optional": True},
            ]
            assert text["fields"]["CastVote"][0]["kind"] == "flag"
            assert text["fields"]["PlayCard"][0]["kind"] == "word"
            assert refused(await http.get("/api/games/chess/text/en")) == (400, "setup/game")
            assert refused(await http.get("/api/games/avalon/text/xx")) == (400, "setup/option")

    asyncio.run(main())


def test_a_host_changes_the_room_and_everybody_in_it() -> None:
    async def main() -> None:
        async with serving() as http:
            host = await open_room(http)
            ben = await join_room(http, host.room, "Ben")
            asked: Sequence[tuple[Member, str, dict[str, Any]]] = (
                (host, "ChangeTable", {"game": "saviom", "seats": 8}),
                (host, "ChangeTable", {"game": "avalon", "seats": 6, "options": {"lady": True}}),
                (host, "ChangeSettings", {"settings": {"has_chat": True, "bot_pace": "instant"}}),
                (host, "SeatBot", {"seat": 4, "bot": "random"}),
                (host, "RemoveBot", {"seat": 4}),
                (ben, "TakeSeat", {"seat": 5}),
                (ben, "SayReady", {"is_ready": True}),
                (ben, "Chat", {"text": "Good evening."}),
                (ben, "LeaveSeat", {}),
                (host, "Silence", {"member": 2, "is_silenced": True}),
                (host, "HandOver", {"member": 2}),
                (ben, "Kick", {"member": 1}),
                (ben, "Leave", {}),
            )
            for guest, kind, more in asked:
                answer = await guest.ask(kind, **more)
                assert (answer.status_code, answer.json()["is"]) == (200, "Room"), (kind, answer.text)
            assert (await http.get(f"/api/rooms/{host.room}")).json()["members"] == []

    asyncio.run(main())


# What is refused

REFUSALS: tuple[tuple[str, dict[str, Any], int, str], ...] = (
    ("host", {"is": "TakeSeat", "seat": 1}, 409, "room/seat"),
    ("host", {"is": "TakeSeat", "seat": 50}, 409, "room/seat"),
    ("host", {"is": "SeatBot", "seat": 0}, 409, "room/seat"),
    ("host", {"is": "RemoveBot", "seat": 0}, 409, "room/seat"),
    ("host", {"is": "Start"}, 409, "room/not_ready"),
    ("host", {"is": "Rematch"}, 409, "room/stage"),
    ("host", {"is": "CallItOff"}, 409, "room/stage"),
    ("host", {"is": "HoldClock", "do": "pause"}, 409, "room/stage"),
    ("host", {"is": "Kick", "member": 1}, 409, "room/no_member"),
    ("host", {"is": "Kick", "member": 77}, 409, "room/no_member"),
    ("host", {"is": "HandOver", "member": 77}, 409, "room/no_member"),
    ("host", {"is": "Silence", "member": 77, "is_silenced": True}, 409, "room/no_member"),
    ("host", {"is": "ChangeTable", "game": "chess"}, 400, "setup/game"),
    ("host", {"is": "ChangeTable", "seats": 99}, 400, "setup/seats"),
    ("host", {"is": "ChangeTable", "options": {"lady": "perhaps"}}, 400, "setup/option"),
    ("host", {"is": "ChangeTable", "options": {"roles": ["Gandalf"]}}, 400, "setup/role"),
    ("host", {"is": "Chat", "text": ""}, 400, "talk/text"),
    ("host", {"is": "Chat", "text": "x" * 5000}, 400, "talk/text"),
    ("host", {"is": "Chat"}, 400, "text/unreadable"),
    ("host", {"is": "Dance"}, 400, "text/unreadable"),
    ("host", {"is": "TakeSeat", "seat": True}, 400, "text/unreadable"),
    ("host", {"is": "TakeSeat", "seat": 1, "more": 1}, 400, "text/unreadable"),
    ("guest", {"is": "Start"}, 403, "room/not_host"),
    ("guest", {"is": "Kick", "member": 1}, 403, "room/not_host"),
    ("silenced", {"is": "Chat", "text": "I?"}, 403, "talk/silenced"),
    ("watcher", {"is": "SayReady", "is_ready": True}, 409, "room/watching"),
    ("stranger", {"is": "SayReady", "is_ready": True}, 404, "room/unknown"),
    ("nobody", {"is": "SayReady", "is_ready": True}, 401, "server/unauthorised"),
)


def test_a_refusal_is_in_the_first_accepted_language_that_there_is() -> None:
    async def main() -> None:
        async with serving() as http:
            for path, english, vietnamese in (
                ("/api/rooms/AAAAAA", "There’s no such table, or you’re not at it.", "Không có bàn này"),
                (
                    "/api/nowhere",
                    "There’s nothing at this address, or not for this method.",
                    "Không có gì ở địa chỉ này",
                ),
            ):
                for accepted in ({}, {"accept-language": "de, en;q=0.5"}):
                    assert (await http.get(path, headers=accepted)).json()["message"] == english
                told = await http.get(path, headers={"accept-language": "de, vi-VN;q=0.9, en;q=0.5"})
                assert told.json()["message"].startswith(vietnamese)
            long = {"content": b"x" * 20_000, "headers": {"accept-language": "vi"}}
            assert (await http.post("/api/rooms", **long)).json() == {  # type: ignore[arg-type]
                "code": "server/too_large",
                "message": "Một yêu cầu có nhiều nhất 16384 byte.",
                "values": {"most": 16384},
            }
            crowd = {"name": "An", "seats": 5, "options": {"roles": "Morgana,Mordred"}}
            told = await http.post("/api/rooms", json=crowd, headers={"accept-language": "vi"})
            assert told.json()["message"].startswith("3 vai đặc biệt")

    asyncio.run(main())


def test_every_request_that_is_refused_says_why() -> None:
    async def main() -> None:
        async with serving() as http:
            host = await open_room(http)
            people = {"host": host}
            for name in ("guest", "silenced", "watcher"):
                people[name] = await join_room(http, host.room, name, watch=name == "watcher")
            await host.ask("Silence", member=people["silenced"].member, is_silenced=True)
            for name, asked, status, code in REFUSALS:
                tokens = {"stranger": "f" * 48, **{one: guest.token for one, guest in people.items()}}
                headers = {"authorization": f"Bearer {tokens[name]}"} if name in tokens else {}
                answer = await http.post(f"/api/rooms/{host.room}/requests", json=asked, headers=headers)
                assert refused(answer) == (status, code), asked
                assert ("www-authenticate" in answer.headers) == (status == 401)

    asyncio.run(main())


def test_what_cannot_be_opened_joined_or_found_says_why() -> None:
    async def main() -> None:
        async with serving() as http:
            host = await open_room(http, settings={"has_spectators": False})
            rooms, members = "/api/rooms", f"/api/rooms/{host.room}/members"
            for body, code in (
                ({"name": "\u200b\u202e"}, "room/name"),
                ({"name": "x" * 25}, "room/name"),
                ({"name": "Anna", "game": "chess"}, "setup/game"),
                ({"name": "Anna", "seats": 4}, "setup/seats"),
                ({"name": "Anna", "options": {"wings": 2}}, "setup/option"),
                ({"name": 5}, "text/unreadable"),
                ({}, "text/unreadable"),
            ):
                assert refused(await http.post(rooms, json=body)) == (400, code)
            for content in (b"", b"{", b"[" * 9000, b"\xff", b'{"name":"\\ud800"}', b"null"):
                assert refused(await http.post(rooms, content=content)) == (400, "text/unreadable")
            assert refused(await http.post(members, json={"name": " "})) == (400, "room/name")
            for path in ("/api/rooms/ZZZZZZ", "/api/rooms/ZZZZZZ/games/1/record", "/api/rooms/%00/games/1/record"):
                assert refused(await http.get(path)) == (404, "room/unknown")
            for game in ("0", "2", "-1", "x", "9" * 40, "%D9%A1"):
                record = await http.get(f"/api/rooms/{host.room}/games/{game}/record")
                assert refused(record) == (404, "room/unknown")
                replay = await http.get(f"/api/rooms/{host.room}/games/{game}/replay/all")
                assert refused(replay) == (404, "room/unknown")
            assert refused(await http.get("/nowhere")) == (404, "server/unknown")
            typed = await http.get("/nowhere", headers={"accept": "text/html,*/*"})
            assert (typed.status_code, typed.headers["content-type"]) == (404, "text/html; charset=utf-8")
            assert refused(await http.get("/api/nowhere", headers={"accept": "text/html"})) == (404, "server/unknown")
            put = await http.put("/api/rooms")
            assert refused(put) == (405, "server/unknown")
            assert set(put.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}

    asyncio.run(main())


def test_a_game_that_is_played_has_no_record_yet_and_takes_no_lobby_requests() -> None:
    async def main() -> None:
        async with serving() as http:
            guests = await seat_five(http)
            host, code = guests[0], guests[0].room
            assert refused(await http.get(f"/api/rooms/{code}/games/1/record")) == (409, "record/not_over")
            for listener in ("spectator", "0", "all", "nobody"):
                replay = await http.get(f"/api/rooms/{code}/games/1/replay/{listener}")
                assert refused(replay) == (409, "record/not_over")
            assert refused(await guests[1].ask("TakeSeat", seat=3)) == (409, "room/seat")
            assert refused(await guests[1].ask("Chat", text="Psst.")) == (409, "room/stage")
            assert refused(await host.ask("HoldClock", do="extend")) == (409, "action/no_clock")
            assert refused(await host.ask("CallItOff", "x" * 65)) == (400, "action/bad_id")

    asyncio.run(main())


def test_a_request_with_a_token_gets_the_same_answer_however_often_it_is_sent() -> None:
    async def main() -> None:
        async with serving() as http:
            opening = {"name": "Anna", "token": "5f" * 24}
            opened = [await http.post("/api/rooms", json=opening) for _ in range(3)]
            assert [(answer.status_code, answer.json()) for answer in opened] == [(201, opened[0].json())] * 3
            assert opened[0].json()["token"] == opening["token"]
            members = f"/api/rooms/{opened[0].json()['room']}/members"
            joined = [await http.post(members, json={"name": "Ben", "token": "c0" * 16}) for _ in range(3)]
            assert [(answer.status_code, answer.json()) for answer in joined] == [(201, joined[0].json())] * 3
            again = await http.post(members, json={"name": "Zoe", "token": "5f" * 24})
            assert again.json() == opened[0].json()
            room = (await http.get(members.removesuffix("/members"))).json()
            assert [member["name"] for member in room["members"]] == ["Anna", "Ben"]
            for token in ("", "5f" * 15, "5F" * 16, "zz" * 16, "5f" * 33, 5):
                for path in ("/api/rooms", members):
                    answer = await http.post(path, json={"name": "Anna", "token": token})
                    assert refused(answer) == (400, "text/unreadable")

    asyncio.run(main())


def test_a_full_room_and_a_full_server_say_so() -> None:
    async def main() -> None:
        async with serving(limits=PLENTY._replace(rooms=2)) as http:
            host = await open_room(http)
            for number in range(39):
                await join_room(http, host.room, f"Guest {number}")
            late = await http.post(f"/api/rooms/{host.room}/members", json={"name": "Late"})
            assert refused(late) == (409, "room/full")
            await open_room(http)
            assert refused(await http.post("/api/rooms", json={"name": "Anna"})) == (503, "server/full")

    asyncio.run(main())


def test_a_removed_member_joins_neither_with_their_token_nor_from_their_address() -> None:
    async def main() -> None:
        async with serving() as host_http:
            host = await open_room(host_http)
            elsewhere = httpx.ASGITransport(app=host_http._transport.app, client=ELSEWHERE)  # type: ignore[attr-defined]
            async with httpx.AsyncClient(transport=elsewhere, base_url="http://table.example") as http:
                guest = await join_room(http, host.room, "Loud")
                assert (await host.ask("Kick", member=guest.member)).status_code == 200
                members = f"/api/rooms/{host.room}/members"
                for client, body in ((http, {"name": "New"}), (host_http, {"name": "Loud", "token": guest.token})):
                    assert refused(await client.post(members, json=body)) == (403, "room/removed")
                await join_room(host_http, host.room, "Sister")
                assert (await host.ask("Pardon", member=guest.member)).json()["removed"] == []
                await join_room(http, host.room, "Loud", token=guest.token)

    asyncio.run(main())


def test_a_body_of_more_than_16_kib_is_not_read() -> None:
    async def main() -> None:
        async with serving() as http:
            largest = json.dumps({"name": "Anna"}).encode().ljust(16_384)
            assert (await http.post("/api/rooms", content=largest)).status_code == 201
            assert refused(await http.post("/api/rooms", content=largest + b" ")) == (413, "server/too_large")

            async def endless() -> AsyncIterator[bytes]:
                for _ in range(10_000):
                    yield b" " * 1000

            assert refused(await http.post("/api/rooms", content=endless())) == (413, "server/too_large")

    asyncio.run(main())


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """A clock that stands still, so that no rate limit recovers on a slow machine. Returns the rooms' clock."""
    monkeypatch.setattr("roundtable.server.api.time", SimpleNamespace(monotonic=lambda: 0.0))
    return lambda: 1_700_000_000_000


def test_a_client_that_asks_too_much_is_told_when_to_come_back(stopped_clock: Callable[[], int]) -> None:
    async def main() -> None:
        limits = Limits(opened_per_minute=2, joined_per_minute=3, asked_per_minute=8, asked_by_member=4)
        async with serving(limits=limits, now=stopped_clock) as http:
            host = await open_room(http)
            await open_room(http)
            for number in range(3):
                await join_room(http, host.room, f"Guest {number}")
            slow_down = [
                await http.post("/api/rooms", json={"name": "Anna"}),
                await http.post(f"/api/rooms/{host.room}/members", json={"name": "Ben"}),
            ]
            for number in range(3):
                assert (await host.ask("Chat", text=f"Line {number}")).status_code == 200
            too_fast = await host.ask("Chat", text="One more")
            assert (refused(too_fast), too_fast.headers["retry-after"]) == ((429, "talk/too_fast"), "3")
            for _ in range(8):
                assert (await http.get("/api/games")).status_code == 200
            paths = ("/api/games", "/api/rooms", f"/api/rooms/{host.room}", f"/api/rooms/{host.room}/games/1/record")
            slow_down += [await http.get(path) for path in paths]
            slow_down.append(await host.ask("Leave"))
            for answer in slow_down:
                assert (refused(answer), answer.headers["retry-after"]) == ((429, "server/too_fast"), "60")
            assert (await http.get("/health")).status_code == 200  # the operator's check is never refused

    asyncio.run(main())


def test_a_network_has_one_bucket_however_many_addresses_it_has() -> None:
    buckets = Buckets(2, 60, lambda: 0.0)
    first = [buckets.take(f"2001:db8:0:7::{number:x}") for number in range(4)]
    assert first == [True, True, False, False]
    assert [buckets.take("2001:db8:0:8::1"), buckets.take("192.0.2.1"), buckets.take("192.0.2.2")] == [True] * 3
    assert [buckets.take(f"::ffff:192.0.2.{number}") for number in (1, 1, 2)] == [True, False, True]
    assert all(buckets.take(f"fe80::{number}%eth0") for number in range(1, 9))  # neighbours, each by itself
    assert [buckets.take("testclient") for _ in range(3)] == [True, True, False]


@pytest.mark.usefixtures("stopped_clock")
def test_records_are_asked_for_more_seldom_than_the_rest() -> None:
    async def main() -> None:
        async with serving(limits=PLENTY._replace(records_per_minute=2)) as http:
            host = await open_room(http)
            paths = [
                f"/api/rooms/{host.room}/games/1/{what}" for what in ("record", "replay/all", "record", "replay/0")
            ]
            assert [(await http.get(path)).status_code for path in paths] == [404, 404, 429, 429]
            assert (await http.get(f"/api/rooms/{host.room}")).status_code == 200

    asyncio.run(main())


# Origins


def hostile_origins(host: str) -> list[str]:
    """Origins of other websites, and some that look like ours."""
    name, _, port = host.partition(":")
    return [
        "https://evil.example",
        "null",
        "",
        f"https://{host}",
        f"http://{name}.evil.example:{port or 80}",
        f"http://evil.example/{host}",
        f"http://{name}:{int(port or 80) + 1}",
        f"http://{host}/",
        f"http://user@{host}",
        f"http://{host}@evil.example",
        f"http://evil.example http://{host}",
        f"HTTP://{host.upper()}",
        f"ws://{host}",
        "file://",
        "chrome-extension://abcdefghijklmnop",
    ]


def test_pages_of_other_sites_may_ask_for_nothing() -> None:
    async def main() -> None:
        async with serving(origins=["https://friend.example"]) as http:
            host = await open_room(http)
            unsafe = {
                "/api/rooms": {"name": "Anna"},
                f"/api/rooms/{host.room}/members": {"name": "Ben"},
                f"/api/rooms/{host.room}/requests": {"is": "Chat", "text": "Hello"},
            }
            for path, body in unsafe.items():
                headers = {"authorization": f"Bearer {host.token}"}
                for origin in hostile_origins("table.example"):
                    answer = await http.post(path, json=body, headers={**headers, "origin": origin})
                    assert refused(answer) == (403, "server/origin"), origin
                cross = await http.post(path, json=body, headers={**headers, "sec-fetch-site": "cross-site"})
                assert refused(cross) == (403, "server/origin")
                for told in ({"origin": "http://table.example"}, {"origin": "https://friend.example"}, {}):
                    assert (await http.post(path, json=body, headers={**headers, **told})).is_success, told
            for path in (
                f"/api/rooms/{host.room}",
                "/api/rooms",
                "/api/games",
                "/health",
                "/",
                "/openapi.json",
            ):
                for origin in hostile_origins("table.example"):
                    answer = await http.get(path, headers={"origin": origin})
                    assert refused(answer) == (403, "server/origin"), (path, origin)
            followed = await http.get(f"/r/{host.room}", headers={"sec-fetch-site": "cross-site"})
            assert followed.status_code != 403  # a link on another site may lead here
            room = (await http.get(f"/api/rooms/{host.room}")).json()
            assert [member["name"] for member in room["members"]] == ["Host", "Ben", "Ben 2", "Ben 3"]

    asyncio.run(main())


def test_every_answer_carries_what_keeps_browsers_careful() -> None:
    async def main() -> None:
        async with serving(limits=PLENTY._replace(rooms=0)) as http:
            answers = [await http.get(path) for path in ("/health", "/api/games", "/nowhere")]
            answers.append(await http.post("/api/rooms", json={"name": "Anna"}))
            answers.append(await http.post("/api/rooms", json={}, headers={"origin": "null"}))
            answers.append(await http.post("/api/rooms", content=b" " * 20_000))
            assert [answer.status_code for answer in answers] == [200, 200, 404, 503, 403, 413]
            for answer in answers:
                told = {name: text for name, text in answer.headers.raw if name not in (b"date", b"server")}
                assert all(told[name] == text for name, text in HEADERS)
                assert b"set-cookie" not in told
                assert not any(name.startswith(b"access-control") for name in told)

    asyncio.run(main())


TOLD, NOT_TOLD = (200, {"address": "http://192.168.1.7:8000"}), (404, "server/unknown")
OWN_NAMES = ("127.0.0.1:8000", "localhost:8000", "[::1]:8000")


@pytest.mark.parametrize(
    ("client", "headers", "answer"),
    [
        *(
            (client, {"host": host}, TOLD)
            for client in (HERE, ("::1", 5), ("::ffff:127.0.0.1", 5))
            for host in OWN_NAMES
        ),
        (ELSEWHERE, {"host": "127.0.0.1"}, NOT_TOLD),
        (("fe80::1%eth0", 5), {"host": "127.0.0.1"}, NOT_TOLD),
        (HERE, {}, NOT_TOLD),  # the name that a stranger asked a proxy for
        (HERE, {"host": "192.168.1.7:8000"}, NOT_TOLD),
        (HERE, {"host": "pi.local"}, NOT_TOLD),
        *(
            (HERE, {"host": "127.0.0.1", name: text}, NOT_TOLD)
            for name, text in (
                ("x-forwarded-for", "127.0.0.1"),
                ("forwarded", "for=127.0.0.1"),
                ("x-real-ip", "127.0.0.1"),
                ("x-forwarded-proto", "https"),
                ("via", "1.1 proxy.example"),
            )
        ),
    ],
)
def test_its_address_in_the_network_is_told_to_this_machine_alone(
    client: tuple[str, int], headers: dict[str, str], answer: tuple[int, object]
) -> None:
    async def main() -> None:
        async with serving(client=client, address=lambda: "http://192.168.1.7:8000") as http:
            told = await http.get("/api/address", headers=headers)
            assert answer == ((200, told.json()) if told.status_code == 200 else refused(told))

    asyncio.run(main())


# When something breaks


class FailingLog(MemoryLog):
    """A log that raises `failure` when it is set: a full disk, or a bug."""

    failure: Exception | None = None

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        if self.failure:
            raise self.failure
        await super().append(room, known, rows, summary)


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [(LogFailed("disk full"), 503, "room/busy"), (RuntimeError("a mistake"), 500, "server/broken")],
)
def test_what_cannot_be_written_down_is_refused_and_tells_no_secrets(
    failure: Exception, status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def main() -> None:
        log = FailingLog()
        async with serving(log) as http:
            guests = await seat_five(http)
            before = (await http.get(f"/api/rooms/{guests[0].room}")).json()
            log.failure = failure
            assert refused(await guests[0].ask("CallItOff")) == (status, code)
            assert refused(await guests[0].ask("HoldClock", do="pause")) == (status, code)
            joining = await http.post(f"/api/rooms/{guests[0].room}/members", json={"name": "Late"})
            assert refused(joining) == (status, code)
            assert refused(await http.post("/api/rooms", json={"name": "Late"})) == (status, code)
            log.failure = None
            assert (await http.get(f"/api/rooms/{guests[0].room}")).json() == before
            assert (await guests[0].ask("CallItOff")).json()["stage"] == "over"
            metrics = figures(http)
            record = (await http.get(f"/api/rooms/{guests[0].room}/games/1/record")).text
            for secret in secrets_of(guests, record):
                assert secret not in logged()
                assert secret not in metrics

    def logged() -> str:
        ours = [record for record in caplog.records if not record.name.startswith("http")]  # the client writes, too
        return "\n".join(map(logging.Formatter("%(name)s %(message)s").format, ours))

    asyncio.run(main())
    assert str(failure) in logged()


def test_nobody_is_shown_a_state_that_could_not_be_written() -> None:
    async def main() -> None:
        log = FailingLog()
        async with serving(log) as http:
            settings = {"in_person": "narrated", "has_moderator": True}
            moderator = await open_room(http, settings=settings, seats=5)
            assert (await moderator.ask("LeaveSeat")).status_code == 200
            for name in ("Bo", "Chi", "Dan", "Eva", "Fay"):
                await join_room(http, moderator.room, name)
            here, token = f"/api/rooms/{moderator.room}", {"Authorization": f"Bearer {moderator.token}"}
            log.failure = LogFailed("disk full")
            assert refused(await moderator.ask("Start")) == (503, "room/busy")
            assert refused(await http.get(f"{here}/moderator/en", headers=token)) == (403, "room/not_host")
            assert refused(await moderator.ask("Start")) == (503, "room/busy")
            own = (await http.get(f"{here}/membership", headers=token)).json()
            assert (own["stage"], own["number"]) == ("lobby", 0)
            told = (await http.get(f"{here}/script/en")).json()
            assert refused(await moderator.ask("ChangeTable", options={"roles": ["oberon"]})) == (503, "room/busy")
            assert (await http.get(f"{here}/script/en")).json() == told
            log.failure = None
            assert (await moderator.ask("Start")).json()["stage"] == "playing"
            dealt = (await http.get(f"{here}/moderator/en", headers=token)).json()
            assert len(dealt["roles"]) == 5

    asyncio.run(main())


def secrets_of(guests: Sequence[Member], record: str) -> list[str]:
    """Tokens, their hashes, room codes, seeds and roles: none of them may stand in a log."""
    tokens = [guest.token for guest in guests]
    seeds = [line.partition('"')[0] for line in record.split('"seed":"')[1:]]
    assert seeds
    return [*tokens, *map(key_of, tokens), guests[0].room, *seeds, *(role.value for role in Role)]


# The real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("api") / "rooms.db", *GENEROUS, "--metrics-port", "0") as live:
        yield live
        assert live.stop() == 0
        assert traceback_free([live.logged()])


CHECKS: list[Any] = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
]


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_generated_requests_get_what_the_document_promises(server: LiveServer, mode: GenerationMode) -> None:
    async def prepare() -> Member:
        async with http_to(server.url) as http:
            return await open_room(http)

    guest = asyncio.run(prepare())
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @settings(
            max_examples=GENERATED_REQUESTS, deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def conforms(case: Any) -> None:
            nonlocal tried
            tried += 1
            if tried % 2 and "code" in case.path_parameters:
                case.path_parameters["code"] = guest.room
            case.call_and_validate(checks=CHECKS, headers={"authorization": f"Bearer {guest.token}"})

        with suppress(Unsatisfiable):  # a route without input cannot get wrong input
            conforms()
    assert tried > GENERATED_REQUESTS


def test_a_page_of_another_site_gets_no_socket(server: LiveServer) -> None:
    async def main() -> None:
        host = server.url.removeprefix("http://")
        for origin in hostile_origins(host):
            with pytest.raises(InvalidStatus) as turned_away:
                await connect(f"{server.socket_url}/ABCDEF", **PLAIN, origin=origin)  # type: ignore[arg-type]
            assert turned_away.value.response.status_code == 403, origin
        for ours in (server.url, None):
            async with connect(f"{server.socket_url}/ABCDEF", **PLAIN, origin=ours):  # type: ignore[arg-type]
                pass

    asyncio.run(main())


def test_tokens_are_kept_as_hashes_and_nothing_secret_is_logged(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            guests = await seat_five(http)
            listeners = [await Listener.enter(server.socket_url, one.room, one.token) for one in guests]
            for listener in listeners:
                await listener.caught_up()
                await listener.say("Act", id="x", action={"is": "CastVote", "phase": 99, "approve": True})
                assert (await listener.answered("x"))["code"] == "action/late"
            await listeners[0].socket.send("rubbish " + guests[0].token)
            await guests[0].ask("CallItOff")
            record = (await http.get(f"/api/rooms/{guests[0].room}/games/1/record")).text
            metrics = server.metrics()
            for listener in listeners:
                await listener.hears("Over")
                await listener.leave()
            stored = b"".join(path.read_bytes() for path in server.database.parent.glob("rooms.db*"))
            for guest in guests:
                assert guest.token.encode() not in stored
                assert key_of(guest.token).encode() in stored
            for secret in secrets_of(guests, record):
                assert secret not in server.logged()
                assert secret not in metrics

    asyncio.run(main())


def test_a_body_that_is_too_long_is_refused_while_it_is_sent(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            assert refused(await http.post("/api/rooms", content=b" " * 20_000)) == (413, "server/too_large")
            with suppress(httpx.TransportError):  # the server may have closed the connection before the rest is sent
                assert (await http.post("/api/rooms", content=b" " * 20_000_000)).status_code == 413
            assert (await http.get("/health")).status_code == 200

    asyncio.run(main())
