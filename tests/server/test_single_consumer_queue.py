"""The queue of a connection: every item is taken once and in order, also after a consumer was cancelled."""

from __future__ import annotations

import asyncio

from roundtable.server.single_consumer_queue import SingleConsumerQueue
from support.waiting import PATIENCE


def test_items_are_taken_in_order_whether_a_consumer_waits_or_not() -> None:
    async def main() -> None:
        queue = SingleConsumerQueue[int]()
        taken: list[int] = []

        async def take(count: int) -> None:
            for _ in range(count):
                taken.append(await queue.get())

        queue.put_nowait(1)
        consumer = asyncio.create_task(take(4))
        await asyncio.sleep(0)
        assert taken == [1]
        assert queue.empty()
        queue.put_nowait(2)
        queue.put_nowait(3)
        assert not queue.empty()
        await asyncio.sleep(0)
        queue.put_nowait(4)
        await consumer
        assert taken == [1, 2, 3, 4]

    asyncio.run(main())


def test_an_item_that_comes_as_a_consumer_is_cancelled_is_there_for_the_next() -> None:
    async def main() -> None:
        queue = SingleConsumerQueue[str]()
        for has_item in (False, True):
            cancelled = asyncio.create_task(queue.get())
            await asyncio.sleep(0)
            if has_item:
                queue.put_nowait("item")
            cancelled.cancel()
            await asyncio.gather(cancelled, return_exceptions=True)
            assert cancelled.cancelled()
        async with asyncio.timeout(PATIENCE):
            assert await queue.get() == "item"
        assert queue.empty()

    asyncio.run(main())
