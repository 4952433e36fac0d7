"""What the operator asks of a running server (`roundtable admin`).

The operator's command writes notes into the log, and every worker reads them once a second: bans and "no new rooms"
are notes that stay, and an order is a note that a worker answers and deletes. So there is no port to protect: the
operator is the person who can write to the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from roundtable.core.errors import RoundTableError, Unreadable
from roundtable.rooms import OwnedElsewhere, RoomRegistry
from roundtable.rooms.site_policy import SitePolicy
from roundtable.server.retention import ERASURES, Retained, Retainer
from roundtable.storage import Log, LogFailed, RoomUnreadable

POLL_SECONDS = 1
ANSWER_SECONDS = 60  # for which an answer waits for the operator's command
RETENTION_SECONDS = 3600  # between two runs
MOST_DAYS = 36_500  # that anything is kept for, unless it is kept for ever

ORDER = "order/"  # the name of a note begins with it, and the id of the order follows
ANSWER = "answer/"

logger = logging.getLogger("roundtable.server")


class Retention(NamedTuple):
    """After how many days something is deleted, counted from the last row of a closed room; None keeps it."""

    talk_days: int | None = None
    record_days: int | None = None

    @classmethod
    def of_days(cls, talk: int | None, records: int | None) -> Retention:
        """A number that no clock reaches is as good as none."""
        return cls(*(days if days is not None and days <= MOST_DAYS else None for days in (talk, records)))


KEEP_ALL = Retention()


class Administration:
    """Reads the operator's notes, obeys them, and answers orders."""

    def __init__(
        self,
        log: Log,
        registry: RoomRegistry,
        policy: SitePolicy,
        retention: Retention,
        now: Callable[[], int],
        close_banned: Callable[[], None],
    ) -> None:
        self._log = log
        self._registry = registry
        self._policy = policy
        self._retention = retention
        self._retainer = Retainer(log, registry, now, *retention)
        self._now = now
        self._close_banned = close_banned
        self._erasures = ""
        self._runs: dict[str, asyncio.Task[Retained]] = {}  # of orders to delete what is too old
        self._answered: dict[str, float] = {}  # orders, and when their answers are deleted

    async def obey(self) -> None:
        """Read the notes once, and do what they say."""
        notes = await self._log.notes()
        if self._policy.obey(notes):
            self._close_banned()
        if notes.get(ERASURES, "") != self._erasures:
            self._erasures = notes[ERASURES]
            self._registry.forget_erased()
        orders = {name.removeprefix(ORDER): text for name, text in notes.items() if name.startswith(ORDER)}
        for withdrawn in self._runs.keys() - orders:
            del self._runs[withdrawn]
        for number, text in orders.items():
            await self._answer(number, json.loads(text))
        await self._delete_answers()

    async def run(self) -> None:
        """Obey once a second, and begin to delete what is too old once an hour."""
        loop = asyncio.get_running_loop()
        retained_at = 0.0
        try:
            while True:
                try:
                    await self.obey()
                    if retained_at <= loop.time() and self._retention != KEEP_ALL:
                        retained_at = loop.time() + RETENTION_SECONDS
                        self._retainer.start()
                except LogFailed:  # whose failure other parts of the server report
                    pass
                except Exception:
                    logger.exception("the operator's orders could not be read")
                await asyncio.sleep(POLL_SECONDS)
        finally:
            self._retainer.stop()

    async def _answer(self, number: str, order: dict[str, Any]) -> None:
        """Do what is asked; a room that another worker runs is that worker's matter."""
        try:
            if order == {"do": "retention"} and not await self._has_retained(number):
                await self._log.write_notes({ANSWER + number: json.dumps({"progress": self._retainer.progress})})
                return
            if ORDER + number not in await self._log.notes():  # another worker has answered since
                return
            answer = {"done": await self._do(number, order)}
        except OwnedElsewhere:
            return
        except RoundTableError as refused:
            answer = {"refused": [refused.code, refused.variant, dict(refused.values)]}
        except RoomUnreadable as broken:
            answer = {"unreadable": str(broken)}
        except LogFailed:
            raise
        except Exception:
            logger.exception("an order of the operator failed")
            answer = {"refused": ["server/broken", "", {}]}
        self._answered[number] = asyncio.get_running_loop().time() + ANSWER_SECONDS
        await self._log.write_notes({ORDER + number: None, ANSWER + number: json.dumps(answer)})

    async def _do(self, number: str, order: dict[str, Any]) -> Any:
        match order:
            case {"do": "inspect", "room": room}:
                return await self._registry.inspect(room)
            case {"do": "record", "room": room, "game": game}:
                return (await self._registry.record(room, game)).plain.decode()
            case {"do": "close", "room": room}:
                return await self._registry.close(room)
            case {"do": "erase", "room": room, "name": name}:
                members = await self._registry.erase_person(room, name)
                await self._log.write_notes({ERASURES: str(self._now())})
                return members
            case {"do": "retention"}:
                return self._runs.pop(number).result()._asdict()
            case _:
                raise Unreadable("text/unreadable")

    async def _has_retained(self, number: str) -> bool:
        """Whether the run that an order wants is over. It may take long, and other orders do not wait for it."""
        if number not in self._runs:
            self._runs[number] = self._retainer.start()
        done, _ = await asyncio.wait([self._runs[number]], timeout=POLL_SECONDS)
        return bool(done)

    async def _delete_answers(self) -> None:
        """The operator's command deletes its answer, unless it was interrupted."""
        now = asyncio.get_running_loop().time()
        if old := [number for number, at in self._answered.items() if at <= now]:
            await self._log.write_notes({ANSWER + number: None for number in old})
            for number in old:
                del self._answered[number]
