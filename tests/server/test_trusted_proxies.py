"""Clients behind a trusted proxy are told apart by the address that the proxy forwards, wherever the server listens."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest

from roundtable.server.http_protocol import trusted_networks
from support.live_server import LiveServer
from support.waiting import PATIENCE


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_an_ipv4_network_of_proxies_is_trusted_in_its_mapped_form_too() -> None:
    trusted = trusted_networks(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"])
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1"):
        assert any(ip_address(address) in network for network in trusted), address
    for address in ("127.0.0.2", "::ffff:127.0.0.2", "::ffff:11.0.0.0", "::1", "::10.1.2.3"):
        assert not any(ip_address(address) in network for network in trusted), address


@pytest.mark.slow
@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_a_proxy_on_ipv4_is_trusted_by_a_server_that_listens_on_ipv6(tmp_path: Path) -> None:
    flags = ("--host", "::", "--trusted-proxy", "127.0.0.1")
    limits = ("--requests-per-minute", "1", "--sockets-per-address", "2")
    with LiveServer(tmp_path / "rooms.db", *flags, *limits) as server:
        url = f"http://127.0.0.1:{server.url.rpartition(':')[2]}"
        clients = [httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) for _ in range(8)]
        try:  # connections stay open: more than one address may hold
            for number, client in enumerate(clients):
                forwarded = {"x-forwarded-for": f"192.0.2.{number}", "x-forwarded-proto": "https"}
                origin = {"origin": url.replace("http:", "https:")}
                opened = client.post("/api/rooms", json={"name": "Anna"}, headers={**forwarded, **origin})
                assert opened.status_code == 201, opened.text
            again = clients[0].post("/api/rooms", json={"name": "Anna"}, headers={"x-forwarded-for": "192.0.2.0"})
            assert again.status_code == 429
        finally:
            for client in clients:
                client.close()
