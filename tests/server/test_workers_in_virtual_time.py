"""Workers that die or fall silent, in virtual time: how long a table waits, and where clients are led afterwards."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Literal

import pytest

from roundtable.client import Client, Table
from roundtable.core.actions import Say
from roundtable.core.game import OPEN_TALK
from roundtable.protocol import bodies
from roundtable.protocol import rooms as protocol
from roundtable.rooms import InlineBotWorkers
from roundtable.storage import LEASE_SECONDS
from support.asgi_server import Transcript, in_virtual_time
from support.live_server import insist
from support.memory_leases import MemorySite
from support.relayed_server import Worker, Workers
from support.sizes import size
from support.virtual_time import VirtualLoop, run

GOES_ON = 5.0  # seconds after the fault in which every player is answered, however unlucky its moment was
PAUSE = 0.5  # seconds between two lines of a player at the most
TURN = 0.05  # seconds between two looks
FAULTS = size(4, soak=200)  # of each kind
AWAY = 7.0  # seconds after which a silent worker is back
TAKEOVER = 5  # seconds: less than a client may wait between two attempts
Kind = Literal["killed", "silent"]


class Talker:
    """A player who says something all the time."""

    def __init__(self, table: Table, dice: random.Random) -> None:
        self._table, self._dice = table, dice
        self.answers = 0
        loop = asyncio.get_running_loop()
        self.tasks = [loop.create_task(self._talk()), loop.create_task(self._listen())]

    async def _talk(self) -> None:
        while True:
            await asyncio.sleep(self._dice.uniform(0, PAUSE))
            await insist(lambda: self._table.act(Say(channel=OPEN_TALK, text="Hm."), f"{self.answers}"))
            self.answers += 1

    async def _listen(self) -> None:
        async for _ in self._table.events():
            pass


class PlayedSite:
    """Three workers, and a table of five whose clients come to any of them that can be reached."""

    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self.loop = loop
        self.dice = random.Random(seed)
        self.site = MemorySite(loop.now)
        self.started = 0
        self.workers = Workers(*(self._worker(f"http://10.0.0.{number}:8101") for number in range(1, 4)))
        self.workers.entrance = lambda: self.dice.choice(self.reachable)
        self.code = ""
        self.players: list[Talker] = []

    def _worker(self, address: str) -> Worker:
        self.started += 1
        return Worker(self.loop, self.site, InlineBotWorkers(), address, f"{address}/{self.started}")

    @property
    def reachable(self) -> list[Worker]:
        """As a proxy finds out that leaves workers out which do not answer."""
        return [worker for worker in self.workers.by_address.values() if worker.is_up and worker.is_heard]

    @property
    def owner(self) -> Worker:
        name = self.site.rooms[self.code].worker
        return self.workers.by_address[self.site.workers[name].address]

    @property
    def answers(self) -> list[int]:
        return [player.answers for player in self.players]

    async def open(self) -> None:
        for worker in self.workers.by_address.values():
            await worker.start()
        registry = self.workers.by_address["http://10.0.0.1:8101"].app.registry
        settings = protocol.Settings(takeover_seconds=TAKEOVER)
        host = await registry.open(bodies.OpenRoom(name="Host", settings=settings))
        self.code = host.room
        room = await registry.find(self.code)
        members = [host]
        for number in range(1, 5):
            member, token = await room.join(f"Guest {number}", watch=False)
            members.append(bodies.Membership(room=self.code, member=member, token=token))
        for one in members:
            await room.ask(one.token, protocol.SayReady(is_ready=True))
        await room.ask(host.token, protocol.Start())
        self.client = Client("http://table.example")
        self.players = [Talker(await self.client.enter(one), self.dice) for one in members]

    async def fault(self, kind: Kind) -> float:
        """Let the owner of the room fail at any moment; the seconds until all players are answered again."""
        await asyncio.sleep(self.dice.uniform(2, 4))
        owner, answers = self.owner, self.answers
        if kind == "killed":
            owner.kill()
        else:
            owner.silence()
        began = self.loop.time()
        await self.until_all_have_more_than(answers)
        took = self.loop.time() - began
        await asyncio.sleep(AWAY - took)
        if kind == "killed":
            again = self._worker(owner.address)
            self.workers.by_address[owner.address] = again
            await again.start()
        else:
            owner.wake()
        return took

    async def until_all_have_more_than(self, answers: list[int]) -> None:
        while not all(now > before for now, before in zip(self.answers, answers, strict=True)):
            await asyncio.sleep(TURN)

    async def close(self) -> None:
        for task in [task for player in self.players for task in player.tasks]:
            task.cancel()
        await self.client.__aexit__()
        for worker in self.reachable:
            await worker.stop()


@pytest.mark.parametrize("kind", ["killed", "silent"])
def test_a_table_goes_on_within_five_seconds_and_keeps_its_players(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "uniform", random.Random(1).uniform)  # how long clients wait between two attempts

    async def main(loop: VirtualLoop) -> tuple[list[float], list[bytes]]:
        played = PlayedSite(loop, seed=1)
        with in_virtual_time(loop, Transcript(loop.time)), played.workers.connected():
            await played.open()
            waits = [await played.fault(kind) for _ in range(FAULTS)]
            await asyncio.sleep(30)
            rows = [row.line for row in await played.site.log.read(played.code)]
            await played.close()
        assert played.workers.relayed > FAULTS
        return waits, rows

    waits, rows = run(main)
    assert max(waits) <= GOES_ON, waits
    assert not [row for row in rows if b"BotStoodIn" in row]


def test_a_third_worker_does_not_relay_to_a_former_owner() -> None:
    """It knows the first owner. After the room has moved, its clients get to the second one at their next attempt."""

    async def main(loop: VirtualLoop) -> None:
        played = PlayedSite(loop, seed=2)
        first, second, third = played.workers.by_address.values()
        played.workers.entrance = lambda: third
        with in_virtual_time(loop, Transcript(loop.time)), played.workers.connected():
            await played.open()
            await asyncio.sleep(1)
            assert played.owner is first
            assert str(third.app.registry._owner.hint(played.code)) == first.address
            await first.app.registry.stop()  # it is drained, and answers that another worker runs the room
            await second.app.registry.find(played.code)
            answers = played.answers
            await asyncio.sleep(3)
            assert played.owner is second
            assert all(now > before for now, before in zip(played.answers, answers, strict=True))
            assert str(third.app.registry._owner.hint(played.code)) == second.address
            await played.close()

    run(main)


def test_a_request_waits_for_the_lease_of_a_dead_owner() -> None:
    async def main(loop: VirtualLoop) -> None:
        played = PlayedSite(loop, seed=3)
        transcript = Transcript(loop.time)
        with in_virtual_time(loop, transcript), played.workers.connected():
            await played.open()
            await asyncio.sleep(1)
            owner = played.owner
            other = next(worker for worker in played.workers.by_address.values() if worker is not owner)
            owner.kill()
            began = loop.time()
            joined = await other.fetch(transcript, f"/api/rooms/{played.code}/members", body=b'{"name":"Late"}')
            assert json.loads(joined)["member"] == 6, "the request was done once"
            assert 0 < loop.time() - began <= LEASE_SECONDS + TURN
            assert played.owner is not owner
            await played.close()

    run(main)


def test_a_request_that_may_have_been_done_is_not_sent_to_the_next_owner() -> None:
    """The owner falls silent with the request in its hands. To look again does no harm; to join again would."""

    async def main(loop: VirtualLoop) -> None:
        played = PlayedSite(loop, seed=4)
        transcript = Transcript(loop.time)
        with in_virtual_time(loop, transcript), played.workers.connected():
            await played.open()
            await asyncio.sleep(1)
            owner = played.owner
            other = next(worker for worker in played.workers.by_address.values() if worker is not owner)
            path = f"/api/rooms/{played.code}"
            assert json.loads(await other.fetch(transcript, path))["code"] == played.code  # where its owner is known
            owner.silence()
            joining = asyncio.create_task(other.fetch(transcript, f"{path}/members", body=b'{"name":"Late"}'))
            looked = json.loads(await other.fetch(transcript, path))
            assert (looked["code"], len(looked["members"])) == (played.code, 5)
            assert json.loads(await joining)["code"] == "room/busy"
            owner.wake()
            await played.close()

    run(main)
