"""What the server logs: lines that programs can read, and nothing that is secret or personal."""

from __future__ import annotations

import json
import logging
import sys
from typing import NoReturn

import pytest

from roundtable.core.actions import Say
from roundtable.protocol import rooms as ask
from roundtable.rooms import bot_scheduler, dispatcher
from roundtable.server.json_logs import JsonFormatter
from support.room_harness import UnreliableLog, room_with_game, virtual_time_test
from support.virtual_time import VirtualLoop


def test_a_line_is_one_object_with_its_exception() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.LogRecord("roundtable.rooms", logging.ERROR, "", 1, "room %s", ("A\nB",), sys.exc_info())
    (line,) = JsonFormatter(3).format(record).splitlines()
    found = json.loads(line)
    assert found["time"].endswith("+00:00")
    assert (found["level"], found["logger"], found["worker"]) == ("error", "roundtable.rooms", 3)
    assert found["message"] == "room A\nB"
    assert "ValueError: two\nlines" in found["exception"]


def test_no_token_name_role_or_talk_is_logged_with_planted_defects(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler fails, the timer fails, and the disk does."""
    caplog.set_level(logging.DEBUG)
    secret: list[str] = []

    @virtual_time_test
    async def story(loop: VirtualLoop) -> None:
        log = UnreliableLog()
        harness = await room_with_game(loop, people=3, log=log)
        host = harness.host
        assert await host.ask(ask.ChangeProfile(name="Xanthippe")) == "done"
        log.writes = False
        assert await host.act(Say(channel="table", text="a scandal")) == "room/busy"
        log.writes = True

        def broken(*given: object) -> NoReturn:
            raise RuntimeError("a planted defect")

        chat = dispatcher.REQUESTS[ask.Chat]
        monkeypatch.setitem(dispatcher.REQUESTS, ask.Chat, chat._replace(handler=broken))
        assert await host.ask(ask.Chat(text="another scandal")) == "server/broken"
        monkeypatch.setattr(bot_scheduler, "take_turns", broken)
        monkeypatch.setattr("roundtable.rooms.timers.take_turns", broken)
        await harness.play_on(until=5)
        roles = map(str, harness.room.state.play.state.roles.values())  # type: ignore[union-attr]
        secret.extend([*roles, *(str(guest.token) for guest in harness.people), "Xanthippe", "Guest 1", "scandal"])

    story()
    lines = [JsonFormatter().format(record) for record in caplog.records]
    assert {"error"} <= {json.loads(line)["level"] for line in lines}
    assert any("a planted defect" in line for line in lines)
    assert any("disk is full" in line for line in lines)
    assert [word for word in secret if any(word in line for line in lines)] == []
