"""How much talk and requests of one network may write, and that moves are never refused for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from roundtable.core.actions import Say
from roundtable.core.errors import RoomRefused
from roundtable.core.game import OPEN_TALK
from roundtable.protocol import rooms as ask
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.rooms.networks import BURST_MINUTES, OWN_SHARE, Payer, WriteBudget
from roundtable.storage import MemoryLog, Row
from support.room_harness import RoomHarness, RoomMember, code_of, propose, room_with_members, virtual_time_test
from support.virtual_time import SeededBytes, VirtualLoop

BYTES = 10_000  # a minute
LINE = "x" * 500
HERE, ELSEWHERE = "192.0.2.7", "198.51.100.9"


async def table_with_budget(loop: VirtualLoop, **more: Any) -> tuple[RoomHarness, WriteBudget]:
    """A game whose players are all behind one address, but for the last."""
    budget = WriteBudget(BYTES, loop.now)
    services = Services(MemoryLog(), loop.now, SeededBytes(), InlineBotWorkers(), budget=budget)
    harness = await room_with_members(loop, registry=RoomRegistry(services), takeover_seconds=None, **more)
    for player in harness.people:
        player.session.network = HERE
    harness.people[-1].session.network = ELSEWHERE
    await harness.start()
    return harness, budget


def use_up(budget: WriteBudget, room: str) -> None:
    """Write as much as the network may, and then as much as the room may."""
    for _ in range(2):
        budget.charge(Payer(HERE, room), [Row(0, b"x" * 2 * BURST_MINUTES * BYTES)])


async def talk(player: RoomMember, channel: str = OPEN_TALK) -> str:
    return await player.act(Say(channel=channel, text=LINE))


async def talk_until_refused(player: RoomMember) -> dict[str, str]:
    """Talk as fast as a member may, until a line is refused; the refusal."""
    for _ in range(400):
        if await talk(player) != "done":
            return {key: player.last("Refused")[key] for key in ("code", "variant")}
        await asyncio.sleep(1)
    raise AssertionError("talk was never refused")


@virtual_time_test
async def test_a_network_that_has_written_too_much_plays_on_and_talks_later(loop: VirtualLoop) -> None:
    harness, _ = await table_with_budget(loop)
    assert await talk_until_refused(harness.host) == {"code": "server/too_fast", "variant": "written"}
    assert await talk(harness.people[1]) == "server/too_fast"
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "server/too_fast"
    assert await talk(harness.people[-1]) == "done"  # from another network
    await propose(harness)
    for player in harness.people:
        assert await player.act(next(move for move in player.offered() if move["is"] == "CastVote")) == "done"
    await asyncio.sleep(60)
    assert await talk(harness.host) == "done"
    assert await harness.host.ask(ask.HoldClock(do="pause")) == "done"


@virtual_time_test
async def test_a_line_that_was_written_is_answered_again_however_much_was_written_since(loop: VirtualLoop) -> None:
    harness, budget = await table_with_budget(loop)
    assert await harness.host.act(Say(channel=OPEN_TALK, text=LINE), "once") == "done"
    use_up(budget, harness.code)
    assert await talk(harness.people[1]) == "server/too_fast"
    assert await harness.host.act(Say(channel=OPEN_TALK, text=LINE), "once") == "done"


@virtual_time_test
async def test_requests_and_joins_over_http_count_as_well(loop: VirtualLoop) -> None:
    harness, budget = await table_with_budget(loop)
    use_up(budget, harness.code)
    token = harness.host.token
    assert token is not None
    with pytest.raises(RoomRefused) as refused:
        await harness.room.ask(token, ask.HoldClock(do="pause"), network=HERE)
    assert code_of(refused) == "server/too_fast"
    with pytest.raises(RoomRefused) as refused:
        await harness.room.join("Eve", watch=True, network=HERE)
    assert code_of(refused) == "server/too_fast"
    await harness.room.ask(token, ask.HoldClock(do="pause"), network=ELSEWHERE)
    await harness.room.join("Eve", watch=True, network=ELSEWHERE)


@virtual_time_test
async def test_private_talk_leaves_what_others_behind_the_address_may_write_as_it_is(loop: VirtualLoop) -> None:
    harness, budget = await table_with_budget(
        loop, people=6, game="saviom", seats=6, options={"begins_with": "night", "night_seconds": 3600}
    )
    assert harness.room.play is not None
    wolf, other = (harness.people[seat] for seat in sorted(harness.room.play.state.living_wolves))
    before = budget._networks._of(HERE, 0)[0].left(loop.now() / 1000)
    said = []
    while "server/too_fast" not in said:
        said.append(await talk(wolf, "wolves"))
        await asyncio.sleep(1)
    assert "done" in said
    assert wolf.last("Refused")["variant"] == "private"
    assert await talk(other, "wolves") == "done"
    assert budget._networks._of(HERE, 0)[0].left(loop.now() / 1000) >= before


def test_a_room_may_write_a_little_when_its_neighbours_have_used_the_budget_up() -> None:
    budget = WriteBudget(BYTES, lambda: 0)
    rows = [Row(0, b"x" * 900)]
    room, other = Payer(HERE, "AAAAAA"), Payer(HERE, "BBBBBB")
    written = 0
    while budget.has_left(other):
        budget.charge(other, rows)
        written += 1
    assert written <= BYTES * BURST_MINUTES // 1000 * (1 + 1 / OWN_SHARE) + 2
    assert budget.has_left(room)
    assert not budget.has_left(other)


def test_a_site_writes_at_most_sixteen_times_as_much_as_a_household() -> None:
    budget = WriteBudget(BYTES, lambda: 0)
    rows = [Row(0, b"x" * 9900)]
    written = 0
    for number in range(1024):
        household = f"2001:db8:7:{number:x}::/64"
        while budget._networks.has_left(household):
            budget.charge(Payer(household, "AAAAAA"), rows)
            written += 1
    assert 16 <= written / BURST_MINUTES <= 17
