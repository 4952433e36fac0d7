"""Under which names a server answers: a site that points its own name at this machine gets nothing (DNS rebinding)."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from roundtable.server.hosts import AllowedHosts
from support.live_server import LiveServer
from support.raw_protocol import PLAIN, http_to
from support.waiting import PATIENCE

FRIENDS = ["127.0.0.1", "127.0.0.1:80", "[::1]:8000", "192.168.1.7", "localhost:8000", "LOCALHOST", "a.localhost", "pi"]
FRIENDS += [
    "pi.local:8000",
    "pi.lan",
    "table.home.arpa",
    "Table.Example.Org",
    "table.example.org.:443",
    "friend.example",
]
STRANGERS = [
    "evil.example",
    "evil.example:8000",
    "table.example.org.evil.example",
    "127.0.0.1.evil.example",
    "evil.local.example",
]
STRANGERS += [
    "",
    ":8000",
    "[::1",
    "evil.example:",
    "evil.example/local",
    "a b",
    "[evil.example]",
    "user@127.0.0.1",
    "127.0.0.1:x",
]


def test_addresses_local_names_and_named_sites_are_allowed_and_no_other_name() -> None:
    hosts = AllowedHosts(["Table.example.org"], ["https://friend.example:8443"])
    assert [host for host in [*FRIENDS, socket.gethostname()] if not hosts.allows(host)] == []
    assert [host for host in STRANGERS if hosts.allows(host)] == []


@pytest.mark.slow
def test_a_site_that_points_its_name_at_this_machine_gets_nothing(tmp_path: Path) -> None:
    async def main(server: LiveServer) -> None:
        async with http_to(server.url) as http:
            for host in ("evil.example", "evil.example:8000"):
                page = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
                for answer in (
                    await http.post("/api/rooms", json={"name": "Anna"}, headers=page),
                    await http.get("/api/rooms", headers=page),
                    await http.get("/", headers={"host": host}),
                ):
                    assert (answer.status_code, answer.json()["code"]) == (403, "server/host")
                    assert "--site" in answer.json()["message"]
                with pytest.raises(InvalidStatus) as refused:
                    await shake_hands(server, host)
                assert refused.value.response.status_code == 403
            for host in ("table.example.org", server.url.removeprefix("http://"), "localhost"):
                named = await http.post("/api/rooms", json={"name": "Anna"}, headers={"host": host})
                assert named.status_code == 201, host
                await shake_hands(server, host)

    with LiveServer(tmp_path / "rooms.db", "--site", "table.example.org") as server:
        asyncio.run(main(server))
        assert old_request(server, b"GET /health HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200")
        body = b"POST /api/rooms HTTP/1.0\r\nContent-Length: 15\r\n\r\n" + b'{"name":"Anna"}'
        assert old_request(server, body).startswith(b"HTTP/1.1 403")


async def shake_hands(server: LiveServer, host: str) -> None:
    """A handshake with another `Host` than the one that is connected to."""
    url = httpx.URL(server.url)
    port = f":{host.rpartition(':')[2]}" if ":" in host else ""
    address = f"ws://{host.removesuffix(port)}{port}/socket/ABCDEF"
    async with connect(address, host=url.host, port=url.port, **PLAIN):
        pass


def old_request(server: LiveServer, request: bytes) -> bytes:
    """The answer to a request of HTTP/1.0, without `Host`."""
    url = httpx.URL(server.url)
    with socket.create_connection((url.host, url.port or 0), timeout=PATIENCE) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))
