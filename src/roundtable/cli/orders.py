"""What an operator asks of a running server, through its database: orders are written there, and answers read."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TYPE_CHECKING, Any

from roundtable.core.errors import RoomRefused, RoundTableError, SetupError

if TYPE_CHECKING:
    from roundtable.storage import Log

PATIENCE = 15.0  # seconds without any answer after which orders are withdrawn
POLL_SECONDS = 0.1

Order = dict[str, Any]
ShowProgress = Callable[[int, int], None]


def show_nothing(done: int, total: int) -> None:
    """For orders that are carried out at once."""


async def ask(log: Log, order: Order, show: ShowProgress = show_nothing) -> Any:
    """What a server answers; its refusal where it refuses."""
    [(_, answer)] = [answered async for answered in answers(log, [order], show)]
    if isinstance(answer, RoundTableError):
        raise answer
    return answer


async def answers(
    log: Log, orders: Sequence[Order], show: ShowProgress = show_nothing
) -> AsyncGenerator[tuple[Order, Any], None]:
    """Each order with what a server answers, or with the reason why it is not done. Orders that no server takes are
    withdrawn."""
    from roundtable.server.administration import ANSWER, ORDER

    waiting = {secrets.token_hex(8): order for order in orders}
    told: dict[str, str] = {}
    try:
        await log.write_notes({ORDER + number: json.dumps(order) for number, order in waiting.items()})
        given_up = time.monotonic() + PATIENCE
        while waiting and time.monotonic() <= given_up:
            notes = await log.notes()
            news = {number: notes[ANSWER + number] for number in waiting if ANSWER + number in notes}
            for number, text in news.items() - told.items():
                given_up = time.monotonic() + PATIENCE
                answer = json.loads(text)
                if "progress" in answer:
                    show(*answer["progress"])
                else:
                    await log.write_notes({ORDER + number: None, ANSWER + number: None})
                    yield waiting.pop(number), _read(answer)
            told = news
            await asyncio.sleep(POLL_SECONDS)
        for order in waiting.values():
            yield order, SetupError("setup/option", "no_server")
    finally:
        await log.write_notes({kind + number: None for number in waiting for kind in (ORDER, ANSWER)})


def _read(answer: dict[str, Any]) -> Any:
    match answer:
        case {"done": done}:
            return done
        case {"unreadable": where}:
            return SetupError("setup/option", "rooms_unreadable", rooms=where)
        case {"refused": [code, variant, values]}:
            return RoomRefused(code, variant, **values)
