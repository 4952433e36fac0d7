"""What the host can do: choose the game, seat and remove players, ban, hand over, start, and ask for a rematch."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest

from roundtable.core.errors import RoomRefused
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from support.room_harness import (
    TIMED,
    code_of,
    entries_of,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop

ANY_REQUEST: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ask.AnyRequest)

# The host's work


@virtual_time_test
async def test_the_host_lays_another_table_before_the_start(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    for guest in harness.people:
        await guest.ask(ask.SayReady(is_ready=True))
    change = ask.ChangeTable(game="saviom", seats=6, options={"mode": "advanced"})
    assert await harness.host.ask(change) == "done"
    shown = harness.people[-1].shown
    assert (shown["game"], shown["setup"]["seats"], shown["setup"]["mode"]) == ("saviom", 6, "advanced")
    assert not any(one["is_ready"] for one in shown["members"])
    assert await harness.host.ask(ask.ChangeTable(options={"mode": "classic"})) == "done"
    assert (harness.host.shown["game"], harness.host.shown["setup"]["mode"]) == ("saviom", "classic")


@virtual_time_test
async def test_a_smaller_table_leaves_those_beyond_its_last_seat_standing(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 6, seats=7)
    assert await harness.host.ask(ask.SeatBot(seat=6)) == "done"
    assert await harness.host.ask(ask.ChangeTable(seats=5)) == "done"
    assert [seat["member"] for seat in harness.host.shown["seats"]] == [1, 2, 3, 4, 5]
    assert harness.room.state.seat_of(6) is None
    assert await harness.host.ask(ask.ChangeTable(seats=7)) == "done"
    assert [seat["member"] for seat in harness.host.shown["seats"]] == [1, 2, 3, 4, 5, None, None]


@pytest.mark.parametrize(
    "request_", [ask.ChangeTable(game="chess"), ask.ChangeTable(seats=4), ask.ChangeTable(options={"dragons": 1})]
)
@virtual_time_test
async def test_a_table_that_cannot_be_played_is_not_laid(loop: VirtualLoop, request_: ask.ChangeTable) -> None:
    harness = await room_with_members(loop, 2)
    before = await harness.room.look()
    assert (await harness.host.ask(request_)).startswith("setup/")
    assert await harness.room.look() == before


@pytest.mark.parametrize(("name", "value"), [("has_chat", False), ("takeover_seconds", None), ("spectator_delay", 0)])
@virtual_time_test
async def test_a_setting_is_changed_and_the_others_stay_as_they_are(loop: VirtualLoop, name: str, value: Any) -> None:
    harness = await room_with_members(
        loop, 2, spectator_delay=30, idle_seconds=120, is_public=True, takeover_bot="random"
    )
    before = harness.host.shown["settings"]
    change = json.dumps({"is": "ChangeSettings", "settings": {name: value}})
    assert await harness.host.ask(ANY_REQUEST.decode(change)) == "done"
    assert harness.people[1].shown["settings"] == before | {name: value} != before


def test_what_settings_take_is_asked_of_a_change_too() -> None:
    for change in ('{"spectator_delay":-1}', '{"takeover_seconds":4}', '{"has_chat":null}', '{"dragons":1}'):
        with pytest.raises(msgspec.ValidationError):
            ANY_REQUEST.decode(f'{{"is":"ChangeSettings","settings":{change}}}')


HOSTS_WORK: list[ask.Request] = [
    ask.ChangeTable(seats=6),
    ask.ChangeSettings(settings=ask.SettingsChange()),
    ask.SeatBot(seat=4),
    ask.RemoveBot(seat=4),
    ask.Kick(member=3),
    ask.Silence(member=3, is_silenced=True),
    ask.HandOver(member=2),
    ask.Start(),
    ask.Rematch(),
    ask.HoldClock(do="pause"),
    ask.CallItOff(),
]


@pytest.mark.parametrize("request_", HOSTS_WORK, ids=lambda request: type(request).__name__)
@virtual_time_test
async def test_only_the_host_does_the_hosts_work(loop: VirtualLoop, request_: ask.Request) -> None:
    harness = await room_with_members(loop, 3)
    before = await harness.room.look()
    assert await harness.people[1].ask(request_) == "room/not_host"
    assert await harness.room.look() == before


@pytest.mark.parametrize(
    "request_",
    [
        ask.LeaveSeat(),
        ask.SayReady(is_ready=False),
        ask.ChangeTable(seats=6),
        ask.SeatBot(seat=4),
        ask.RemoveBot(seat=4),
        ask.Start(),
        ask.Rematch(),
        ask.Chat(text="Hello"),
    ],
    ids=lambda request: type(request).__name__,
)
@virtual_time_test
async def test_what_belongs_to_the_lobby_cannot_be_done_during_a_game(loop: VirtualLoop, request_: ask.Request) -> None:
    harness = await room_with_game(loop, options=TIMED)
    before = await harness.room.look()
    assert await harness.host.ask(request_) == "room/stage"
    assert await harness.room.look() == before


@virtual_time_test
async def test_the_host_removes_a_member(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    out = harness.people[1]
    assert await harness.host.ask(ask.Kick(member=out.member)) == "done"
    assert out.closed == (4003, "room/removed")
    assert [seat["member"] for seat in harness.host.shown["seats"]] == [1, None, 3, None, None]
    assert (await out.again()).closed == (4003, "room/removed")
    with pytest.raises(RoomRefused) as refused:
        await harness.room.ask(out.token or "", ask.TakeSeat(seat=1))
    assert code_of(refused) == "room/unknown"


@virtual_time_test
async def test_a_host_removes_neither_themselves_nor_a_member_who_is_not_there(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    for member in (1, 3, 99):
        assert await harness.host.ask(ask.Kick(member=member)) == "room/no_member"
        assert await harness.host.ask(ask.HandOver(member=member)) == "room/no_member"


@virtual_time_test
async def test_a_player_who_is_removed_from_a_game_is_replaced_by_a_bot_at_once(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, takeover_seconds=None)
    await propose(harness)
    voters = harness.people[1:]
    for guest in voters[:-1]:
        assert await guest.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    assert await harness.host.ask(ask.Kick(member=voters[-1].member)) == "done"
    assert await harness.host.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    phase = phase_of(harness.room)
    await asyncio.sleep(1)
    assert phase_of(harness.room) > phase
    votes = [entry.actor for entry in entries_of(harness.room) if isinstance(entry.action, CastVote)]
    assert sorted(votes) == [0, 1, 2, 3, 4]


@virtual_time_test
async def test_the_host_hands_over(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    assert await harness.host.ask(ask.HandOver(member=3)) == "done"
    assert harness.people[1].shown["host"] == 3
    assert await harness.host.ask(ask.SeatBot(seat=4)) == "room/not_host"
    assert await harness.people[2].ask(ask.SeatBot(seat=4)) == "done"


@virtual_time_test
async def test_a_room_whose_host_leaves_goes_to_the_member_who_came_next(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 3)
    assert await harness.host.ask(ask.Leave()) == "done"
    assert harness.host.closed is not None
    assert harness.people[1].shown["host"] == 2
    for guest in harness.people[1:]:
        await guest.ask(ask.Leave())
    newcomer = await harness.join("Newcomer")
    assert newcomer.shown["host"] == newcomer.member


@virtual_time_test
async def test_bots_are_seated_and_removed(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    assert await harness.host.ask(ask.SeatBot(seat=3, bot="random")) == "done"
    assert harness.host.shown["seats"][3] == {"member": None, "bot": "random", "stand_in": None, "is_silenced": False}
    assert await harness.host.ask(ask.SeatBot(seat=3)) == "room/seat"
    assert await harness.host.ask(ask.SeatBot(seat=1)) == "room/seat"
    assert await harness.host.ask(ask.SeatBot(seat=5)) == "room/seat"
    assert await harness.host.ask(ask.RemoveBot(seat=1)) == "room/seat"
    assert await harness.host.ask(ask.RemoveBot(seat=3)) == "done"
    assert harness.host.shown["seats"][3]["bot"] is None


@virtual_time_test
async def test_bots_are_put_on_every_free_seat_by_one_request(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2, seats=7)
    assert await harness.host.ask(ask.SeatBot(seat=4, bot="random")) == "done"
    before = len(harness.people[1].all("Room"))
    assert await harness.host.ask(ask.SeatBot()) == "done"
    assert [seat["bot"] for seat in harness.host.shown["seats"]] == [
        None,
        None,
        *["careful"] * 2,
        "random",
        *["careful"] * 2,
    ]
    assert len(harness.people[1].all("Room")) == before + 1
    assert await harness.host.ask(ask.SeatBot()) == "done"  # tapped twice
    assert await harness.people[1].ask(ask.SeatBot()) == "room/not_host"


@virtual_time_test
async def test_people_take_leave_and_change_seats(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    guest = harness.people[1]
    assert await guest.ask(ask.TakeSeat(seat=4)) == "done"
    assert [seat["member"] for seat in guest.shown["seats"]] == [1, None, None, None, 2]
    assert await guest.ask(ask.TakeSeat(seat=0)) == "room/seat"
    assert await guest.ask(ask.TakeSeat(seat=5)) == "room/seat"
    assert await guest.ask(ask.TakeSeat(seat=4)) == "done"
    assert await guest.ask(ask.LeaveSeat()) == "done"
    assert [seat["member"] for seat in guest.shown["seats"]] == [1, None, None, None, None]
    assert await guest.ask(ask.SayReady(is_ready=True)) == "room/watching"


# Ready, start, and start again


@virtual_time_test
async def test_a_game_starts_when_every_seat_is_taken_and_everybody_is_ready(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 4)
    assert await harness.host.ask(ask.Start()) == "room/not_ready"
    assert {problem["code"] for problem in harness.host.shown["problems"]} == {"room/seat"}
    assert await harness.host.ask(ask.SeatBot(seat=4, bot="random")) == "done"
    for guest in harness.people[:-1]:
        await guest.ask(ask.SayReady(is_ready=True))
    assert await harness.host.ask(ask.Start()) == "room/not_ready"
    assert harness.host.last("Refused")["message"].endswith("Not ready yet: Guest 3.")
    assert [member["is_ready"] for member in harness.host.shown["members"]] == [True, True, True, False]
    await harness.people[-1].ask(ask.SayReady(is_ready=True))
    assert harness.host.shown["problems"] == []
    assert await harness.host.ask(ask.Start()) == "done"
    assert harness.people[-1].shown["stage"] == "playing"


@virtual_time_test
async def test_everybody_is_welcomed_to_their_own_seat_and_asked_what_they_may_do(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    for seat, guest in enumerate(harness.people):
        assert guest.last("Welcome")["seat"] == seat
        assert guest.heard == list(range(1, len(guest.heard) + 1))
    assert harness.host.last("Welcome")["names"] == ["Host", "Guest 1", "Guest 2", "Guest 3", "Guest 4"]
    assert [bool(guest.offered()) for guest in harness.people].count(True) == 1


@virtual_time_test
async def test_a_word_that_was_given_can_be_taken_back_before_the_start(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    for guest in harness.people:
        await guest.ask(ask.SayReady(is_ready=True))
    assert await harness.people[2].ask(ask.SayReady(is_ready=False)) == "done"
    assert await harness.host.ask(ask.Start()) == "room/not_ready"


@virtual_time_test
async def test_a_rematch_keeps_everybody_and_offers_those_who_watched_a_free_seat(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    watcher = await harness.join("Watcher")
    assert await harness.host.ask(ask.Rematch()) == "room/stage"
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await watcher.ask(ask.TakeSeat(seat=3)) == "room/stage"
    await harness.people[3].leave()
    await asyncio.sleep(61)
    assert await harness.host.ask(ask.Rematch()) == "done"
    shown = watcher.shown
    assert shown["stage"] == "lobby"
    assert len(shown["members"]) == 6
    assert not any(one["is_ready"] for one in shown["members"])
    assert [seat["member"] for seat in shown["seats"]] == [1, 2, 3, None, 5]
    assert await watcher.ask(ask.TakeSeat(seat=3)) == "done"
    del harness.people[3]
    await harness.start()
    assert (watcher.last("Welcome")["seat"], watcher.shown["number"]) == (3, 2)
    first_of_second = watcher.heard.index(1, 1)
    assert watcher.heard[first_of_second:] == list(range(1, len(watcher.heard) - first_of_second + 1))


@virtual_time_test
async def test_a_player_who_sat_idle_while_a_bot_played_is_themselves_again_in_the_rematch(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, idle_seconds=30)
    for _ in range(4):
        await asyncio.sleep(10)
        await harness.host.here()
    assert harness.host.shown["seats"][2]["stand_in"] == "careful"
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert [seat["stand_in"] for seat in harness.host.shown["seats"]] == [None] * 5


@virtual_time_test
async def test_a_bot_makes_room_for_a_member_who_wants_to_sit(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    assert await harness.host.ask(ask.SeatBot()) == "done"
    watcher = await harness.join("Watcher", watch=True)
    assert await watcher.ask(ask.TakeSeat(seat=1)) == "room/seat"  # a person has it
    assert await watcher.ask(ask.TakeSeat(seat=3)) == "done"
    seats = [(seat["member"], seat["bot"]) for seat in watcher.shown["seats"]]
    assert seats == [(1, None), (2, None), (None, "careful"), (3, None), (None, "careful")]
