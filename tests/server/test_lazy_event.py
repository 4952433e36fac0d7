"""The event of a connection that tells whether it can be written to."""

from __future__ import annotations

import asyncio

from roundtable.server.lazy_event import LazyEvent


def test_all_who_wait_for_the_event_go_on_when_it_is_set() -> None:
    async def main() -> None:
        event, gone_on = LazyEvent(), list[int]()

        async def wait(number: int) -> None:
            await event.wait()
            gone_on.append(number)

        await wait(1)  # it is set at first
        event.clear()
        event.clear()
        waiting = [asyncio.create_task(wait(2)), asyncio.create_task(wait(3))]
        await asyncio.sleep(0)
        assert gone_on == [1]
        assert not event.is_set()
        event.set()
        event.clear()  # again, before those who wait have had a turn
        await asyncio.gather(*waiting)
        assert gone_on == [1, 2, 3]
        event.set()
        assert event.is_set()
        await wait(4)

    asyncio.run(main())
