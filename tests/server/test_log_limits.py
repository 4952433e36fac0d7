"""However many bad requests arrive, the log stays short, and says how much it leaves out."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import httpx
import pytest

from roundtable.server.log_limits import LINES, MOST_MESSAGES, WINDOW, LogLimit
from support.live_server import GENEROUS, LiveServer
from support.waiting import PATIENCE

BAD_REQUESTS = 2_000


def record(message: str, *args: object, name: str = "roundtable.server") -> logging.LogRecord:
    return logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, None)


def test_each_message_has_so_many_lines_a_minute_and_the_rest_is_counted() -> None:
    now = 0.0
    limit = LogLimit(lambda: now)
    records = [record("request %d failed", number) for number in range(LINES + 7)]
    passed = [one.getMessage() for one in records if limit.filter(one)]
    assert passed[:-1] == [f"request {number} failed" for number in range(LINES - 1)]
    assert passed[-1] == f"request {LINES - 1} failed (more lines like this are left out for a minute)"
    assert limit.filter(record("something else"))
    assert limit.filter(record("request %d failed", 1, name="uvicorn.error"))
    now = WINDOW
    again = record("request %d failed", 99)
    assert limit.filter(again)
    assert again.getMessage() == "request 99 failed (7 lines like this were left out)"
    following = record("request %d failed", 100)
    assert limit.filter(following)
    assert following.getMessage() == "request 100 failed"


def test_messages_that_are_all_different_take_no_more_and_more_memory() -> None:
    limit = LogLimit(lambda: 0.0)
    for number in range(2 * MOST_MESSAGES):
        limit.filter(record(f"message {number}"))
    assert len(limit._windows) == MOST_MESSAGES


@pytest.mark.slow
def test_thousands_of_bad_requests_leave_a_short_log(tmp_path: Path) -> None:
    with LiveServer(tmp_path / "rooms.db", *GENEROUS) as server:
        url = httpx.URL(server.url)
        for number in range(BAD_REQUESTS):
            with socket.create_connection((url.host, url.port or 0), timeout=PATIENCE) as client:
                client.sendall(b"\x16\x03\x01 rubbish %d\r\n\r\n" % number)
                client.recv(1024)  # it was handled
        assert httpx.get(f"{server.url}/health", trust_env=False, timeout=PATIENCE).status_code == 200
        lines = server.logged().splitlines()
        assert len(lines) == LINES
        assert all("Invalid HTTP request received." in line for line in lines)
        assert "left out" in lines[-1]
        assert server.stop() == 0
