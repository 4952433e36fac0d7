"""The queue of a connection: everything that came is taken once and in order, whoever gave up waiting meanwhile."""

from __future__ import annotations

import asyncio

from roundtable.server.arrivals import Arrivals
from waiting import PATIENCE


def test_what_comes_is_taken_in_order_whether_somebody_waits_or_not() -> None:
    async def story() -> None:
        arrivals = Arrivals[int]()
        taken: list[int] = []

        async def take(count: int) -> None:
            for _ in range(count):
                taken.append(await arrivals.get())

        arrivals.put_nowait(1)
        taker = asyncio.create_task(take(4))
        await asyncio.sleep(0)
        assert taken == [1]
        assert arrivals.empty()
        arrivals.put_nowait(2)
        arrivals.put_nowait(3)
        assert not arrivals.empty()
        await asyncio.sleep(0)
        arrivals.put_nowait(4)
        await taker
        assert taken == [1, 2, 3, 4]

    asyncio.run(story())


def test_what_comes_as_somebody_gives_up_waiting_is_there_for_the_next() -> None:
    async def story() -> None:
        arrivals = Arrivals[str]()
        for is_late in (False, True):
            impatient = asyncio.create_task(arrivals.get())
            await asyncio.sleep(0)
            if is_late:
                arrivals.put_nowait("word")
            impatient.cancel()
            await asyncio.gather(impatient, return_exceptions=True)
            assert impatient.cancelled()
        async with asyncio.timeout(PATIENCE):
            assert await arrivals.get() == "word"
        assert arrivals.empty()

    asyncio.run(story())
