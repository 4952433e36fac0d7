"""Live rooms in virtual time: people come and go, sit, play, talk, drop out, return and watch; nothing gets lost."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from company import Company, Guest, MoodyLog, gather, playing, rest
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.record.log import Conflict, MemoryLog
from roundtable.record.verify import verify_record
from roundtable.room import House, InlineThinker, Room, Services
from roundtable.room.guests import CODE_LETTERS, key_of
from roundtable.room.room import GAME_LASTS, LOBBY_LASTS, MOST_MEMBERS
from roundtable.server.limits import Limits
from roundtable.server.metrics import Metrics
from roundtable.server.sockets import Sockets
from roundtable.table.actions import AskCountdown, Contribute, Say
from roundtable.table.errors import RoomRefused, RoundTableError, SetupError
from roundtable.table.events import PhaseBegan
from roundtable.table.game import OPEN_TALK
from roundtable.table.play import Entry
from roundtable.table.seats import CLOCK, SPECTATOR
from roundtable.wire import rooms as ask
from virtual import EPOCH, Bytes, VirtualLoop, house_of, run

Story = Callable[[VirtualLoop], Coroutine[Any, Any, None]]

HOUR = 3600.0
SHORT_DAYS = {"day_seconds": 6, "defense_seconds": 4, "night_seconds": 5}
TIMED = {"propose_seconds": 30, "vote_seconds": 20, "quest_seconds": 20, "shot_seconds": 30}


def code_of(refused: pytest.ExceptionInfo[RoundTableError]) -> str:
    return refused.value.code


def entries_of(room: Room) -> list[Entry]:
    assert room.play is not None
    return room.play.entries


def phase_of(room: Room) -> int:
    assert room.play is not None
    return room.play.phase.number


def leader_of(company: Company) -> Guest:
    """Whoever is asked for a team."""
    return next(guest for guest in company.people if any(move["is"] == "ProposeTeam" for move in guest.offered()))


async def propose(company: Company) -> None:
    leader = leader_of(company)
    assert await leader.act(leader.offered()[0]) == "done"


# Opening rooms and joining them


def test_a_room_has_a_readable_code_and_its_host_a_token_that_is_written_nowhere() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        house = house_of(loop, log)
        opened = await house.open(ask.OpenRoom(name="Ann"))
        assert len(opened.room) == 6
        assert set(opened.room) <= set(CODE_LETTERS)
        assert len(CODE_LETTERS) == 32
        assert len(bytes.fromhex(opened.token)) * 8 >= 128
        rows = await log.read(opened.room)
        assert not any(opened.token.encode() in row.line for row in rows)
        assert any(key_of(opened.token).encode() in row.line for row in rows)

    run(story)


@pytest.mark.parametrize("spell", [str.lower, lambda code: f" {code[:3]}-{code[3:]} ", lambda code: " ".join(code)])
def test_a_code_is_found_however_people_type_it(spell: Callable[[str], str]) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 1)
        assert await company.house.find(spell(company.code)) is company.room

    run(story)


def test_a_code_that_is_taken_is_never_given_again() -> None:
    class Stubborn(Bytes):
        """Draws the same code three times."""

        def __call__(self, count: int) -> bytes:
            return bytes(6) if count == 6 and self._drawn < 5 else super().__call__(count)

    async def story(loop: VirtualLoop) -> None:
        house = House(Services(MemoryLog(), loop.now, Stubborn(), InlineThinker()))
        codes = [(await house.open(ask.OpenRoom(name="Ann"))).room for _ in range(4)]
        assert codes[0] == "AAAAAA"
        assert len(set(codes)) == 4
        assert {(await house.find(code)).code for code in codes} == set(codes)

    run(story)


def test_a_house_holds_as_many_rooms_as_it_was_told() -> None:
    async def story(loop: VirtualLoop) -> None:
        house = House(Services(MemoryLog(), loop.now, Bytes(), InlineThinker()), most_rooms=2)
        await house.open(ask.OpenRoom(name="Ann"))
        await house.open(ask.OpenRoom(name="Bob"))
        with pytest.raises(RoomRefused) as refused:
            await house.open(ask.OpenRoom(name="Cleo"))
        assert code_of(refused) == "house/full"

    run(story)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (ask.OpenRoom(name="Ann", game="chess"), "setup/game"),
        (ask.OpenRoom(name="Ann", seats=4), "setup/seats"),
        (ask.OpenRoom(name="Ann", options={"dragons": True}), "setup/option"),
        (ask.OpenRoom(name=" \u200b "), "room/name"),
    ],
)
def test_a_table_that_cannot_be_played_is_not_opened(wanted: ask.OpenRoom, code: str) -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        with pytest.raises((SetupError, RoomRefused)) as refused:
            await house_of(loop, log).open(wanted)
        assert code_of(refused) == code
        assert await log.cards() == {}

    run(story)


def test_whoever_joins_by_a_name_alone_sits_down_on_the_first_free_seat() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 3)
        shown = company.host.shown
        names = {one["member"]: one["name"] for one in shown["members"]}
        assert names == {1: "Host", 2: "Guest 1", 3: "Guest 2"}
        assert [seat["member"] for seat in shown["seats"]] == [1, 2, 3, None, None]
        assert shown["host"] == 1
        assert shown["stage"] == "lobby"
        assert all(one["is_here"] for one in shown["members"])

    run(story)


def test_names_that_look_the_same_are_told_apart() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 1)
        for name in ("An", "an", "Аn", "Ân", "Nguyễn  Thị"):  # the third begins with a Cyrillic letter
            await company.join(name)
        names = [one["name"] for one in company.host.shown["members"]]
        assert names == ["Host", "An", "an 2", "Аn 3", "Ân", "Nguyễn Thị"]

    run(story)


def test_bots_are_called_by_knights_and_told_apart_from_people_of_that_name() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        await company.join("gawain")
        await company.start()
        assert company.host.last("Welcome")["names"] == ["Host", "Guest 1", "gawain", "Gawain 3", "Ector"]

    run(story)


def test_when_every_seat_is_taken_the_next_one_watches() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 6)
        assert company.room.state.seat_of(6) is None
        watching = await company.join("Sixth", watch=True)
        assert company.room.state.seat_of(watching.member) is None

    run(story)


def test_whoever_comes_to_watch_leaves_the_seats_to_others() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        watching = await company.join("Watcher", watch=True)
        assert company.room.state.seat_of(watching.member) is None

    run(story)


def test_a_room_that_wants_nobody_to_watch_takes_as_many_as_it_has_seats() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5, has_spectators=False)
        with pytest.raises(RoomRefused) as refused:
            await company.room.join("Sixth", watch=False)
        assert code_of(refused) == "room/full"
        assert (await company.watch()).closed == (4003, "room/unknown")

    run(story)


def test_those_who_watched_without_a_name_go_when_the_host_wants_nobody_to_watch() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5)
        watching = await company.watch()
        assert await company.host.ask(ask.ChangeSettings(settings=ask.Settings(has_spectators=False))) == "done"
        await rest()
        assert watching.closed == (4003, "room/unknown")
        assert all(guest.closed is None for guest in company.people)

    run(story)


def test_a_room_holds_no_more_than_so_many() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 1)
        for number in range(MOST_MEMBERS - 1):
            await company.room.join(f"Guest {number}", watch=True)
        with pytest.raises(RoomRefused) as refused:
            await company.room.join("One too many", watch=True)
        assert code_of(refused) == "room/full"

    run(story)


def test_whoever_joins_during_a_game_watches_it() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        late = await company.join("Late")
        assert company.room.state.seat_of(late.member) is None
        assert late.last("Welcome")["seat"] == SPECTATOR

    run(story)


def test_a_wrong_token_and_a_wrong_room_get_the_same_answer() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        stranger = await Guest(company.room, "ff" * 24).enter()
        assert stranger.closed == (4003, "room/unknown")
        assert stranger.frames == []
        with pytest.raises(RoomRefused) as no_room:
            await company.house.find("ZZZZZZ")
        with pytest.raises(RoomRefused) as no_token:
            await company.room.ask("ff" * 24, ask.SayReady(is_ready=True))
        assert (code_of(no_room), no_room.value.message) == (code_of(no_token), no_token.value.message)

    run(story)


# The host's work


def test_the_host_lays_another_table_before_the_start() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5)
        for guest in company.people:
            await guest.ask(ask.SayReady(is_ready=True))
        change = ask.ChangeTable(game="saviom", seats=6, options={"mode": "advanced"})
        assert await company.host.ask(change) == "done"
        shown = company.people[-1].shown
        assert (shown["game"], shown["setup"]["seats"], shown["setup"]["mode"]) == ("saviom", 6, "advanced")
        assert not any(one["is_ready"] for one in shown["members"])
        assert await company.host.ask(ask.ChangeTable(options={"mode": "classic"})) == "done"
        assert (company.host.shown["game"], company.host.shown["setup"]["mode"]) == ("saviom", "classic")

    run(story)


def test_a_smaller_table_leaves_those_beyond_its_last_seat_standing() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 6, seats=7)
        assert await company.host.ask(ask.SeatBot(seat=6)) == "done"
        assert await company.host.ask(ask.ChangeTable(seats=5)) == "done"
        assert [seat["member"] for seat in company.host.shown["seats"]] == [1, 2, 3, 4, 5]
        assert company.room.state.seat_of(6) is None
        assert await company.host.ask(ask.ChangeTable(seats=7)) == "done"
        assert [seat["member"] for seat in company.host.shown["seats"]] == [1, 2, 3, 4, 5, None, None]

    run(story)


@pytest.mark.parametrize(
    "request_", [ask.ChangeTable(game="chess"), ask.ChangeTable(seats=4), ask.ChangeTable(options={"dragons": 1})]
)
def test_a_table_that_cannot_be_played_is_not_laid(request_: ask.ChangeTable) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        before = await company.room.look()
        assert (await company.host.ask(request_)).startswith("setup/")
        assert await company.room.look() == before

    run(story)


HOSTS_WORK: list[ask.Request] = [
    ask.ChangeTable(seats=6),
    ask.ChangeSettings(settings=ask.Settings()),
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
def test_nobody_but_the_host_does_the_hosts_work(request_: ask.Request) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 3)
        before = await company.room.look()
        assert await company.people[1].ask(request_) == "room/not_host"
        assert await company.room.look() == before

    run(story)


@pytest.mark.parametrize(
    "request_",
    [
        ask.TakeSeat(seat=1),
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
def test_what_belongs_to_the_lobby_cannot_be_done_during_a_game(request_: ask.Request) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED)
        before = await company.room.look()
        assert await company.host.ask(request_) == "room/stage"
        assert await company.room.look() == before

    run(story)


def test_the_host_shows_somebody_out() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 3)
        out = company.people[1]
        assert await company.host.ask(ask.Kick(member=out.member)) == "done"
        assert out.closed == (4003, "room/unknown")
        assert [seat["member"] for seat in company.host.shown["seats"]] == [1, None, 3, None, None]
        assert (await out.again()).closed == (4003, "room/unknown")
        with pytest.raises(RoomRefused) as refused:
            await company.room.ask(out.token or "", ask.TakeSeat(seat=1))
        assert code_of(refused) == "room/unknown"

    run(story)


def test_nobody_shows_themselves_out_or_somebody_who_is_not_there() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        for member in (1, 3, 99):
            assert await company.host.ask(ask.Kick(member=member)) == "room/no_member"
            assert await company.host.ask(ask.HandOver(member=member)) == "room/no_member"

    run(story)


def test_whoever_is_shown_out_of_a_game_is_played_for_by_a_bot_at_once() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=None)
        await propose(company)
        voters = company.people[1:]
        for guest in voters[:-1]:
            assert await guest.act(CastVote(phase=phase_of(company.room), approve=True)) == "done"
        assert await company.host.ask(ask.Kick(member=voters[-1].member)) == "done"
        assert await company.host.act(CastVote(phase=phase_of(company.room), approve=True)) == "done"
        phase = phase_of(company.room)
        await asyncio.sleep(1)
        assert phase_of(company.room) > phase
        votes = [entry.actor for entry in entries_of(company.room) if isinstance(entry.action, CastVote)]
        assert sorted(votes) == [0, 1, 2, 3, 4]

    run(story)


def test_the_host_hands_over() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 3)
        assert await company.host.ask(ask.HandOver(member=3)) == "done"
        assert company.people[1].shown["host"] == 3
        assert await company.host.ask(ask.SeatBot(seat=4)) == "room/not_host"
        assert await company.people[2].ask(ask.SeatBot(seat=4)) == "done"

    run(story)


def test_a_room_whose_host_leaves_goes_to_whoever_came_next() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 3)
        assert await company.host.ask(ask.Leave()) == "done"
        assert company.host.closed is not None
        assert company.people[1].shown["host"] == 2
        for guest in company.people[1:]:
            await guest.ask(ask.Leave())
        newcomer = await company.join("Newcomer")
        assert newcomer.shown["host"] == newcomer.member

    run(story)


def test_bots_are_seated_and_removed() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        assert await company.host.ask(ask.SeatBot(seat=3, bot="random")) == "done"
        assert company.host.shown["seats"][3] == {"member": None, "bot": "random", "stand_in": None}
        assert await company.host.ask(ask.SeatBot(seat=3)) == "room/seat"
        assert await company.host.ask(ask.SeatBot(seat=1)) == "room/seat"
        assert await company.host.ask(ask.SeatBot(seat=5)) == "room/seat"
        assert await company.host.ask(ask.RemoveBot(seat=1)) == "room/seat"
        assert await company.host.ask(ask.RemoveBot(seat=3)) == "done"
        assert company.host.shown["seats"][3]["bot"] is None

    run(story)


def test_people_take_leave_and_change_seats() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        guest = company.people[1]
        assert await guest.ask(ask.TakeSeat(seat=4)) == "done"
        assert [seat["member"] for seat in guest.shown["seats"]] == [1, None, None, None, 2]
        assert await guest.ask(ask.TakeSeat(seat=0)) == "room/seat"
        assert await guest.ask(ask.TakeSeat(seat=5)) == "room/seat"
        assert await guest.ask(ask.TakeSeat(seat=4)) == "done"
        assert await guest.ask(ask.LeaveSeat()) == "done"
        assert [seat["member"] for seat in guest.shown["seats"]] == [1, None, None, None, None]
        assert await guest.ask(ask.SayReady(is_ready=True)) == "room/watching"

    run(story)


# Ready, start, and start again


def test_a_game_starts_when_every_seat_is_taken_and_everybody_is_ready() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 4)
        assert await company.host.ask(ask.Start()) == "room/not_ready"
        assert {problem["code"] for problem in company.host.shown["problems"]} == {"room/seat", "room/not_ready"}
        assert await company.host.ask(ask.SeatBot(seat=4, bot="random")) == "done"
        for guest in company.people[:-1]:
            await guest.ask(ask.SayReady(is_ready=True))
        assert await company.host.ask(ask.Start()) == "room/not_ready"
        assert [problem["message"] for problem in company.host.shown["problems"]] == ["Not ready yet: Guest 3."]
        await company.people[-1].ask(ask.SayReady(is_ready=True))
        assert company.host.shown["problems"] == []
        assert await company.host.ask(ask.Start()) == "done"
        assert company.people[-1].shown["stage"] == "playing"

    run(story)


def test_everybody_is_welcomed_to_their_own_seat_and_asked_what_they_may_do() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        for seat, guest in enumerate(company.people):
            assert guest.last("Welcome")["seat"] == seat
            assert guest.heard == list(range(1, len(guest.heard) + 1))
        assert company.host.last("Welcome")["names"] == ["Host", "Guest 1", "Guest 2", "Guest 3", "Guest 4"]
        assert [bool(guest.offered()) for guest in company.people].count(True) == 1

    run(story)


def test_a_word_that_was_given_can_be_taken_back_before_the_start() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5)
        for guest in company.people:
            await guest.ask(ask.SayReady(is_ready=True))
        assert await company.people[2].ask(ask.SayReady(is_ready=False)) == "done"
        assert await company.host.ask(ask.Start()) == "room/not_ready"

    run(story)


def test_a_rematch_keeps_everybody_and_offers_those_who_watched_a_free_seat() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        watcher = await company.join("Watcher")
        assert await company.host.ask(ask.Rematch()) == "room/stage"
        assert await company.host.ask(ask.CallItOff()) == "done"
        assert await watcher.ask(ask.TakeSeat(seat=3)) == "room/stage"
        await company.people[3].leave()
        assert await company.host.ask(ask.Rematch()) == "done"
        shown = watcher.shown
        assert shown["stage"] == "lobby"
        assert len(shown["members"]) == 6
        assert not any(one["is_ready"] for one in shown["members"])
        assert [seat["member"] for seat in shown["seats"]] == [1, 2, 3, None, 5]
        assert await watcher.ask(ask.TakeSeat(seat=3)) == "done"
        del company.people[3]
        await company.start()
        assert (watcher.last("Welcome")["seat"], watcher.shown["number"]) == (3, 2)
        first_of_second = watcher.heard.index(1, 1)
        assert watcher.heard[first_of_second:] == list(range(1, len(watcher.heard) - first_of_second + 1))

    run(story)


def test_a_player_who_sat_idle_while_a_bot_played_is_themselves_again_in_the_rematch() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, idle_seconds=30)
        for _ in range(4):
            await asyncio.sleep(10)
            await company.host.here()
        assert company.host.shown["seats"][2]["stand_in"] == "careful"
        assert await company.host.ask(ask.CallItOff()) == "done"
        assert await company.host.ask(ask.Rematch()) == "done"
        assert [seat["stand_in"] for seat in company.host.shown["seats"]] == [None] * 5

    run(story)


# The list of rooms, and the end of a room


def test_public_rooms_are_listed_with_what_a_guest_wants_to_know() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 3, is_public=True)
        await company.house.open(ask.OpenRoom(name="Hidden"))
        (listed,) = await company.house.listed()
        assert (listed.code, listed.game, listed.stage, listed.seats, listed.free, listed.host) == (
            company.code,
            "avalon",
            "lobby",
            5,
            2,
            "Host",
        )
        await company.start()
        (listed,) = await company.house.listed()
        assert (listed.stage, listed.free) == ("playing", 0)
        assert await company.host.ask(ask.ChangeSettings(settings=ask.Settings(is_public=False))) == "done"
        assert await company.house.listed() == []

    run(story)


def test_a_room_in_which_nobody_is_and_nothing_happens_is_closed() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2, is_public=True)
        await asyncio.sleep(2 * LOBBY_LASTS / 1000)
        assert (await company.house.find(company.code)) is company.room  # they are still there
        for guest in company.people:
            await guest.leave()
        await asyncio.sleep(60)
        with pytest.raises(RoomRefused) as refused:
            await company.house.find(company.code)
        assert code_of(refused) == "room/unknown"
        assert await company.house.listed() == []
        assert company.house.rooms == {}

    run(story)


def test_a_room_that_nobody_comes_back_to_is_closed_by_the_next_server() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await gather(loop, 2, log=log, is_public=True)
        await company.house.stop()
        await asyncio.sleep(LOBBY_LASTS / 1000 + 60)
        house = house_of(loop, log)
        assert await house.start() == 1
        await asyncio.sleep(5)
        with pytest.raises(RoomRefused):
            await house.find(company.code)
        assert await log.cards() == {}
        await house.stop()

    run(story)


def test_a_room_that_was_put_away_is_there_when_somebody_comes() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        for guest in company.people:
            await guest.leave()
        await asyncio.sleep(120)
        assert company.house.rooms == {}
        room = await company.house.find(company.code)
        back = await company.people[1].again(room)
        assert back.shown["seats"][1]["member"] == 2

    run(story)


def test_a_game_that_nobody_plays_any_more_is_closed_after_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    day = 24 * HOUR * 1000
    assert day == GAME_LASTS
    monkeypatch.setattr("roundtable.room.room.GAME_LASTS", day // 12)  # virtual seconds have to be counted too

    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=None)
        for guest in company.people:
            await guest.leave()
        await asyncio.sleep(day / 12 / 1000 - 60)
        assert not (await company.house.find(company.code)).state.is_closed
        await asyncio.sleep(180)
        with pytest.raises(RoomRefused):
            await company.house.find(company.code)

    run(story)


# All three games, from the start to the end


GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("avalon", 5, {}),
    ("avalon", 7, {"lady": True, "excalibur": "both", **TIMED}),
    ("thavalon", 5, {}),
    ("thavalon", 8, {"clock": False}),
    ("saviom", 6, {**SHORT_DAYS}),
    ("saviom", 9, {"mode": "advanced", "begins_with": "night", **SHORT_DAYS}),
]


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
def test_a_game_of_people_and_bots_comes_to_its_end_and_its_record_verifies(
    game: str, seats: int, options: dict[str, Any], tmp_path: Path
) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, 3, game=game, seats=seats, options=options)
        with pytest.raises(RoomRefused) as refused:
            await company.house.record(company.code, 1)
        assert code_of(refused) == "record/not_over"
        watcher = await company.watch()
        await company.play_on()
        assert company.room.stage == "over"
        for guest in (*company.people, watcher):
            assert guest.shown["stage"] == "over"
            assert guest.all("Over") == [guest.last("Over")]
            assert guest.heard == list(range(1, len(guest.heard) + 1))
        path = tmp_path / "record.jsonl"
        path.write_bytes(await company.house.record(company.code.lower(), 1))
        verdict = verify_record(path)
        assert (verdict.game, verdict.seats, verdict.was_drawn) == (game, seats, True)
        assert company.room.play is not None
        assert verdict.outcome == company.room.play.outcome

    run(story)


def test_a_record_stays_when_its_room_is_closed_and_after_a_rematch(tmp_path: Path) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        await company.host.ask(ask.CallItOff())
        first = await company.house.record(company.code, 1)
        await company.host.ask(ask.Rematch())
        await company.start()
        assert await company.house.record(company.code, 1) == first
        with pytest.raises(RoomRefused) as not_yet:
            await company.house.record(company.code, 2)
        assert code_of(not_yet) == "record/not_over"
        await company.host.ask(ask.CallItOff())
        second = await company.house.record(company.code, 2)
        assert second != first
        for guest in company.people:
            await guest.leave()
        await asyncio.sleep(LOBBY_LASTS / 1000 + 60)
        assert await company.house.record(company.code, 1) == first
        assert await company.house.record(company.code, 2) == second
        for number, record in enumerate((first, second)):
            path = tmp_path / f"{number}.jsonl"
            path.write_bytes(record)
            assert verify_record(path).outcome.reason == "called_off"

    run(story)


@pytest.mark.parametrize(("code", "number"), [("ZZZZZZ", 1), (None, 0), (None, 2), (None, -1)])
def test_a_record_that_never_was_is_unknown(code: str | None, number: int) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        await company.host.ask(ask.CallItOff())
        with pytest.raises(RoomRefused) as refused:
            await company.house.record(code or company.code, number)
        assert code_of(refused) == "room/unknown"

    run(story)


# One answer to each, and nothing twice


def test_a_repeated_move_gets_the_same_answer_and_is_made_once() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log)
        await propose(company)
        vote = CastVote(phase=phase_of(company.room), approve=True)
        guest = company.people[2]
        assert await guest.act(vote, "vote") == "done"
        before = (len(entries_of(company.room)), len(await log.read(company.code)))
        assert await guest.act(vote, "vote") == "done"
        assert await (await guest.again()).act(vote, "vote") == "done"
        assert await guest.act(CastVote(phase=vote.phase, approve=False), "vote") == "action/id_reused"
        assert (len(entries_of(company.room)), len(await log.read(company.code))) == before
        await company.restart(log)
        back = await guest.again(company.room)
        assert await back.act(vote, "vote") == "done"
        assert await back.act(CastVote(phase=vote.phase, approve=False), "vote") == "action/id_reused"
        assert (len(entries_of(company.room)), len(await log.read(company.code))) == before

    run(story)


def test_a_move_whose_answer_was_lost_is_answered_after_the_game_and_in_the_next_one() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log)
        leader = leader_of(company)
        team = leader.offered()[0]
        assert await leader.act(team, "team") == "done"
        await company.host.ask(ask.CallItOff())
        assert await leader.act(team, "team") == "done"
        await company.host.ask(ask.Rematch())
        assert await leader.act(team, "team") == "done"
        assert await leader.act(team, "other") == "room/stage"
        await company.start()
        assert await leader.act(team, "team") == "done"
        assert not any(isinstance(entry.action, ProposeTeam) for entry in entries_of(company.room))
        await company.restart(log)
        back = await leader.again(company.room)
        assert await back.act(team, "team") == "done"
        assert not any(isinstance(entry.action, ProposeTeam) for entry in entries_of(company.room))

    run(story)


def test_a_refused_move_gets_the_same_refusal_again() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        early = CastVote(phase=phase_of(company.room) + 1, approve=True)
        assert await company.host.act(early, "early") == "action/late"
        await propose(company)
        assert phase_of(company.room) == early.phase
        assert await company.host.act(early, "early") == "action/late"
        assert await company.host.act(early, "in time") == "done"

    run(story)


def test_a_move_for_a_phase_that_is_over_is_refused() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        phase = phase_of(company.room)
        await propose(company)
        assert await company.host.act(CastVote(phase=phase, approve=True)) == "action/late"

    run(story)


@pytest.mark.parametrize("id", ["", "x" * 65, "line\nbreak", "ưu"])
def test_what_carries_no_proper_id_is_refused_and_not_done(id: str) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        company.host.room.said(company.host.session, ask.Ask(id=id, request=ask.SeatBot(seat=4)))
        await rest()
        assert company.host.last("Refused") == {
            "is": "Refused",
            "id": "",
            "code": "action/bad_id",
            "message": "An id is 1 to 64 printable ASCII characters.",
        }
        assert company.room.state.places[4].is_free

    run(story)


def test_a_repeated_request_gets_the_same_answer_and_is_granted_once() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await gather(loop, 3, log=log)
        requests: list[ask.Request] = [
            ask.SeatBot(seat=4, bot="random"),
            ask.RemoveBot(seat=4),
            ask.SeatBot(seat=4, bot="random"),
            ask.Chat(text="Hello"),
            ask.Kick(member=3),
        ]
        for number, request in enumerate(requests):
            assert await company.host.ask(request, f"r{number}") == "done"
        before = await log.read(company.code)
        for number, request in enumerate(requests):
            assert await company.host.ask(request, f"r{number}") == "done"
            await company.room.ask(company.host.token or "", request, f"r{number}")
        assert await log.read(company.code) == before
        await company.restart(log)
        back = await company.host.again(company.room)
        for number, request in enumerate(requests):
            assert await back.ask(request, f"r{number}") == "done"
        assert await log.read(company.code) == before

    run(story)


def test_an_id_is_its_owners_alone() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        assert await company.host.ask(ask.Chat(text="Mine"), "same") == "done"
        assert await company.people[1].ask(ask.Chat(text="Also mine"), "same") == "done"
        assert [line["text"] for line in company.host.all("Chatted")] == ["Mine", "Also mine"]

    run(story)


def test_a_repeated_start_starts_one_game() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await gather(loop, 5, log=log)
        for guest in company.people:
            await guest.ask(ask.SayReady(is_ready=True))
        assert await company.host.ask(ask.Start(), "start") == "done"
        await company.restart(log)
        back = await company.host.again(company.room)
        assert await back.ask(ask.Start(), "start") == "done"
        assert (company.room.state.number, company.room.stage) == (1, "playing")
        assert await back.ask(ask.Start(), "again") == "room/stage"

    run(story)


# Deadlines, absent players, and the clock in the hands of the host


def expiries(room: Room) -> list[int]:
    return [place for place, entry in enumerate(entries_of(room)) if entry.actor == CLOCK]


def test_a_deadline_falls_within_a_second() -> None:  # C5
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED)
        clock = company.host.last("Clock")
        assert clock["ends_at"] == loop.now() + 30_000
        await asyncio.sleep(29.9)
        assert not expiries(company.room)
        await asyncio.sleep(1)
        assert len(expiries(company.room)) == 1
        assert company.host.last("Clock")["phase"] == phase_of(company.room)

    run(story)


@pytest.mark.parametrize(("down", "falls"), [(5, 30), (29, 30), (45, 46), (4000, 4001)])
def test_a_deadline_survives_a_restart(down: float, falls: float) -> None:  # C5
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log, options=TIMED, takeover_seconds=None)
        began, ends_at = loop.time(), company.host.last("Clock")["ends_at"]
        await company.house.stop()
        await asyncio.sleep(down)
        house = house_of(loop, log)
        await house.start()
        if down < 30:
            room = await house.find(company.code)
            assert (await company.host.again(room)).last("Clock")["ends_at"] == ends_at
            await asyncio.sleep(29.9 - down)
            assert not expiries(room)
        await asyncio.sleep(began + falls + 0.95 - loop.time())
        assert expiries(house.rooms[company.code])[:1] == [2]
        await house.stop()

    run(story)


def test_a_clock_that_is_set_back_holds_nobody_up() -> None:
    """The alarm rings by one clock and is compared with another: it may ring early, and must not be the last."""

    async def story(loop: VirtualLoop) -> None:
        set_back = 0

        def now() -> int:
            return loop.now() - set_back

        house = House(Services(MemoryLog(), now, Bytes(), InlineThinker()))
        await house.start()
        opened = await house.open(
            ask.OpenRoom(name="Ann", options=TIMED, settings=ask.Settings(bot_seconds=0, takeover_seconds=None))
        )
        room = await house.find(opened.room)
        company = Company(loop, house, room, [await Guest(room, opened.token, opened.member).enter()])
        for number in range(4):
            await company.join(f"Guest {number}")
        await company.start()
        await asyncio.sleep(20)
        set_back = 700
        await asyncio.sleep(10.9)
        assert len(expiries(room)) == 1

    run(story)


def test_whoever_does_not_answer_in_time_gets_the_default() -> None:  # C5
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED, takeover_seconds=None)
        await propose(company)
        assert await company.host.act(CastVote(phase=phase_of(company.room), approve=True)) == "done"
        await asyncio.sleep(21)
        (counted,) = [event for event in company.host.events if event["is"] == "VotesCounted"]
        assert counted["ballots"] == [True, False, False, False, False]

    run(story)


def test_a_table_of_people_who_never_answer_comes_to_its_end() -> None:  # C5
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED, takeover_seconds=None)
        await asyncio.sleep(HOUR)
        assert company.room.stage == "over"

    run(story)


def test_a_bot_takes_the_seat_of_a_player_who_is_gone_and_gives_it_back() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log, takeover_seconds=30, takeover_bot="random")
        leader = leader_of(company)
        others = [guest for guest in company.people if guest is not leader]
        seat = company.people.index(leader)
        await leader.leave()
        assert not others[0].shown["members"][seat]["is_here"]

        async def wait(seconds: int) -> None:
            for _ in range(seconds):
                await asyncio.sleep(1)
                for guest in others:
                    await guest.here()

        await wait(29)
        assert others[0].shown["seats"][seat]["stand_in"] is None
        await wait(3)
        assert others[0].shown["seats"][seat] == {"member": leader.member, "bot": None, "stand_in": "random"}
        assert any(entry.actor == seat and isinstance(entry.action, ProposeTeam) for entry in entries_of(company.room))
        await company.restart(log)
        assert company.room.state.places[seat].stand_in == "random"
        back = await leader.again(company.room)
        assert back.shown["seats"][seat] == {"member": leader.member, "bot": None, "stand_in": None}
        assert back.last("Welcome")["seat"] == seat
        assert await back.act(CastVote(phase=phase_of(company.room), approve=True)) == "done"

    run(story)


def test_a_player_who_is_there_but_silent_is_played_for_until_they_stir() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=5, idle_seconds=30)
        idle = company.people[4]

        async def wait(seconds: int, *guests: Guest) -> None:
            for _ in range(seconds):
                await asyncio.sleep(1)
                for guest in guests:
                    await guest.here()

        await wait(32, *company.people)
        assert [seat["stand_in"] for seat in company.host.shown["seats"]] == [None] * 5
        await wait(32, *company.people[:4])
        assert [seat["stand_in"] for seat in company.host.shown["seats"]] == [None] * 4 + ["careful"]
        await idle.here()
        assert [seat["stand_in"] for seat in company.host.shown["seats"]] == [None] * 5

    run(story)


def test_what_is_asked_over_http_counts_as_being_there() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=10)
        for _ in range(15):
            await asyncio.sleep(1)
            for guest in company.people[1:]:
                await guest.here()
            await company.room.ask(company.host.token or "", ask.HoldClock(do="pause"))
        assert company.people[1].shown["seats"][0]["stand_in"] is None

    run(story)


def test_where_the_host_wants_no_bots_nobodys_seat_is_taken() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=None)
        for guest in company.people[1:]:
            await guest.leave()
        await asyncio.sleep(2 * HOUR)
        assert [seat["stand_in"] for seat in company.host.shown["seats"]] == [None] * 5
        assert len(entries_of(company.room)) == 2

    run(story)


def test_the_host_stops_the_clock_and_lets_it_run_on() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log, options=TIMED, takeover_seconds=None)
        await asyncio.sleep(10)
        assert await company.host.ask(ask.HoldClock(do="pause")) == "done"
        assert (company.host.last("Clock")["ends_at"], company.host.last("Clock")["is_paused"]) == (None, True)
        await asyncio.sleep(100)
        assert not expiries(company.room)
        await company.restart(log, after=100)
        host = await company.host.again(company.room)
        assert host.last("Clock")["is_paused"]
        assert not expiries(company.room)
        assert await host.ask(ask.HoldClock(do="resume")) == "done"
        assert host.last("Clock")["ends_at"] == loop.now() + 20_000
        await asyncio.sleep(19.9)
        assert not expiries(company.room)
        await asyncio.sleep(1)
        assert len(expiries(company.room)) == 1

    run(story)


def test_the_host_gives_a_phase_more_time() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED, takeover_seconds=None)
        ends_at = company.host.last("Clock")["ends_at"]
        assert await company.host.ask(ask.HoldClock(do="extend", seconds=15)) == "done"
        assert company.people[3].last("Clock")["ends_at"] == ends_at + 15_000
        await asyncio.sleep(44.9)
        assert not expiries(company.room)
        await asyncio.sleep(1)
        assert len(expiries(company.room)) == 1

    run(story)


def test_the_host_gives_more_time_while_the_clock_stands() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED, takeover_seconds=None)
        await company.host.ask(ask.HoldClock(do="pause"))
        await company.host.ask(ask.HoldClock(do="extend", seconds=15))
        await company.host.ask(ask.HoldClock(do="resume"))
        assert company.host.last("Clock")["ends_at"] == loop.now() + 45_000

    run(story)


def test_the_host_starts_a_countdown_where_no_clock_runs() -> None:  # C6
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=None)
        assert company.host.last("Clock")["ends_at"] is None
        assert await company.host.ask(ask.HoldClock(do="extend")) == "action/no_clock"
        assert await company.host.ask(ask.HoldClock(do="countdown", seconds=40)) == "done"
        assert company.people[2].last("Clock")["ends_at"] == loop.now() + 40_000
        assert await company.host.ask(ask.HoldClock(do="countdown")) == "action/not_now"
        await asyncio.sleep(39.9)
        assert not expiries(company.room)
        await asyncio.sleep(1)
        assert len(expiries(company.room)) == 1

    run(story)


def test_more_than_half_of_the_seats_start_a_countdown_without_the_host() -> None:  # C6
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, takeover_seconds=None, options={"countdown_seconds": 25})
        for guest in company.people[:3]:
            assert await guest.act(AskCountdown(phase=phase_of(company.room))) == "done"
        assert company.host.last("Clock")["ends_at"] == loop.now() + 25_000
        await asyncio.sleep(26)
        assert len(expiries(company.room)) == 1

    run(story)


def test_a_game_is_called_off_by_its_host() -> None:  # C7
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        assert await company.host.ask(ask.CallItOff(), "off") == "done"
        assert await company.host.ask(ask.CallItOff(), "off") == "done"
        assert company.people[2].last("Over")["outcome"]["reason"] == "called_off"
        assert await company.host.ask(ask.CallItOff()) == "room/stage"
        assert await company.host.ask(ask.HoldClock(do="pause")) == "room/stage"

    run(story)


def test_a_deal_waits_for_the_players_own_randomness_as_long_as_the_host_wants() -> None:  # C1
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, 4, stir_seconds=20)
        assert phase_of(company.room) == 0
        for number, guest in enumerate(company.people[:3]):
            assert await guest.act(Contribute(entropy=f"{number:02x}" * 16), f"stir{number}") == "done"
            assert await guest.act(Contribute(entropy=f"{number:02x}" * 16), f"stir{number}") == "done"
        assert phase_of(company.room) == 0
        assert await company.people[3].act(Contribute(entropy="aa" * 16)) == "done"
        assert phase_of(company.room) == 1

    run(story)


@pytest.mark.parametrize("down", [0, 5, 60])
def test_a_deal_does_not_wait_longer_even_over_a_restart(down: float) -> None:  # C1
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log, stir_seconds=20, takeover_seconds=None)
        began = loop.time()
        if down:
            await company.restart(log, after=down)
        await asyncio.sleep(max(1.0, began + 19.9 - loop.time()))
        if down < 20:
            assert phase_of(company.room) == 0
        await asyncio.sleep(1)
        assert phase_of(company.room) == 1

    run(story)


# Talk


def said_in(guest: Guest) -> list[tuple[str, str]]:
    return [(event["channel"], event["text"]) for event in guest.events if event["is"] == "Said"]


def test_talk_goes_through_the_channels_that_the_game_grants() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(
            loop, 6, game="saviom", seats=6, options={"begins_with": "night"}, takeover_seconds=None
        )
        assert company.room.play is not None
        wolves = [company.people[seat] for seat in sorted(company.room.play.state.living_wolves)]
        citizens = [guest for guest in company.people if guest not in wolves]
        watcher = await company.watch()
        assert await citizens[0].act(Say(channel=OPEN_TALK, text="It is dark")) == "talk/closed"
        assert await citizens[0].act(Say(channel="wolves", text="Let me in")) == "talk/closed"
        assert await citizens[0].act(Say(channel="nowhere", text="Anybody?")) == "talk/closed"
        assert await wolves[0].act(Say(channel="wolves", text="The miller")) == "done"
        assert [said_in(wolf) for wolf in wolves] == [[("wolves", "The miller")]] * 2
        assert [said_in(guest) for guest in (*citizens, watcher)] == [[]] * 5
        await asyncio.sleep(62)
        assert company.room.play.phase.name == "day"
        assert await citizens[0].act(Say(channel=OPEN_TALK, text="Good morning")) == "done"
        assert said_in(watcher) == said_in(citizens[1]) == [(OPEN_TALK, "Good morning")]
        assert await watcher.act(Say(channel=OPEN_TALK, text="I saw it all")) == "room/watching"

    run(story)


def test_whoever_is_silenced_says_nothing_until_the_host_gives_the_word_back() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5)
        loud = company.people[3]
        assert await company.host.ask(ask.Silence(member=loud.member, is_silenced=True)) == "done"
        assert company.people[1].shown["members"][3]["is_silenced"]
        assert await loud.ask(ask.Chat(text="Hey")) == "talk/silenced"
        await company.start()
        assert await loud.act(Say(channel=OPEN_TALK, text="Hey")) == "talk/silenced"
        await propose(company)
        assert await loud.act(CastVote(phase=phase_of(company.room), approve=True)) == "done"
        assert await company.host.ask(ask.Silence(member=loud.member, is_silenced=False)) == "done"
        assert await loud.act(Say(channel=OPEN_TALK, text="Hey")) == "done"

    run(story)


def test_the_host_switches_the_chat_off() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5, has_chat=False)
        assert await company.people[1].ask(ask.Chat(text="Hey")) == "talk/silenced"
        await company.start()
        assert await company.people[1].act(Say(channel=OPEN_TALK, text="Hey")) == "talk/silenced"
        assert await company.host.act(Say(channel=OPEN_TALK, text="Hey")) == "talk/silenced"
        assert await company.host.ask(ask.ChangeSettings(settings=ask.Settings(has_chat=True))) == "done"
        assert await company.people[1].act(Say(channel=OPEN_TALK, text="Hey")) == "done"

    run(story)


def test_whoever_talks_too_fast_has_to_wait() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 2)
        fast = company.people[1]
        answers = [await fast.ask(ask.Chat(text=f"Line {number}")) for number in range(5)]
        assert answers == ["done", "done", "done", "talk/too_fast", "talk/too_fast"]
        assert await company.host.ask(ask.Chat(text="Slow down")) == "done"
        await asyncio.sleep(3)
        assert await fast.ask(ask.Chat(text="Sorry")) == "done"
        assert [line["text"] for line in company.host.all("Chatted")] == [
            "Line 0",
            "Line 1",
            "Line 2",
            "Slow down",
            "Sorry",
        ]

    run(story)


def test_a_line_that_is_sent_again_is_neither_too_fast_nor_said_twice() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        guest = company.people[1]
        for number in range(3):
            assert await guest.act(Say(channel=OPEN_TALK, text=f"Line {number}"), f"s{number}") == "done"
        for number in range(3):
            assert await guest.act(Say(channel=OPEN_TALK, text=f"Line {number}"), f"s{number}") == "done"
        assert await company.host.ask(ask.ChangeSettings(settings=ask.Settings(has_chat=False))) == "done"
        assert await guest.act(Say(channel=OPEN_TALK, text="Line 0"), "s0") == "done"
        assert [text for _, text in said_in(company.host)] == ["Line 0", "Line 1", "Line 2"]

    run(story)


@pytest.mark.parametrize("text", ["", "   ", "x" * 501, "two\nlines", "\u202egnaw"])
def test_a_line_that_cannot_be_shown_is_not_said(text: str) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 5)
        assert await company.people[1].ask(ask.Chat(text=text)) == "talk/text"
        await company.start()
        assert await company.people[1].act(Say(channel=OPEN_TALK, text=text)) == "talk/text"
        assert company.host.all("Chatted") == []
        assert said_in(company.host) == []

    run(story)


def test_claims_are_messages_of_their_own() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        claim = {"is": "Remark", "channel": OPEN_TALK, "phrase": "i_saw", "about": 4, "word": "Evil"}
        assert await company.people[1].act(claim, "claim") == "done"
        assert await company.people[1].act(claim, "claim") == "done"
        (heard,) = [event for event in company.host.events if event["is"] == "Remarked"]
        assert (heard["seat"], heard["phrase"], heard["about"], heard["word"]) == (1, "i_saw", 4, "Evil")

    run(story)


# Come back


def test_whoever_says_what_they_saw_last_gets_exactly_the_rest() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log)
        await company.play_on(until=30)
        whole = {guest.member: guest.events for guest in company.people}

        async def check() -> None:
            for guest in company.people:
                events = whole[guest.member]
                for saw in (0, 1, len(events) // 2, len(events) - 1, len(events)):
                    back = await guest.again(company.room, number=1, heard=saw)
                    assert back.heard == list(range(saw + 1, len(events) + 1))
                    assert back.events == events[saw:]
                    await back.leave()

        await check()
        await company.restart(log)
        await check()

    run(story)


@pytest.mark.parametrize(("number", "heard"), [(0, 5), (2, 5), (1, 100_000), (1, -7), (-1, 3)])
def test_whoever_says_what_they_cannot_have_seen_gets_everything(number: int, heard: int) -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        back = await company.people[2].again(number=number, heard=heard)
        assert back.events == company.people[2].events
        assert back.heard[0] == 1

    run(story)


def test_chat_is_taken_up_where_it_was_left() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await gather(loop, 2, log=log)
        for number in range(6):
            assert await company.host.ask(ask.Chat(text=f"Line {number}")) == "done"
            await asyncio.sleep(2)
        await company.restart(log)
        back = await company.people[1].again(company.room, chatted=4)
        assert [(line["number"], line["text"]) for line in back.all("Chatted")] == [(5, "Line 4"), (6, "Line 5")]
        fresh = await company.people[1].again(company.room)
        assert [line["number"] for line in fresh.all("Chatted")] == [1, 2, 3, 4, 5, 6]
        assert (await company.people[1].again(company.room, chatted=99)).all("Chatted") == []

    run(story)


def test_a_view_is_what_everything_heard_comes_to() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log)
        viewing = await company.people[1].again(views=True)
        await propose(company)
        view = viewing.last("View")
        assert view["number"] == viewing.heard[-1]
        await company.restart(log)
        back = await company.people[1].again(company.room, views=True)
        assert back.last("View") == view

    run(story)


def test_two_connections_of_one_person_hear_the_same() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        second = await company.people[1].again()
        await propose(company)
        assert second.events == company.people[1].events
        await company.people[1].leave()
        assert company.host.shown["members"][1]["is_here"]
        await second.leave()
        assert not company.host.shown["members"][1]["is_here"]

    run(story)


def test_whoever_comes_back_after_the_end_hears_how_it_ended() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log)
        guest = company.people[1]
        saw = guest.heard[-1]
        await guest.leave()
        await company.host.ask(ask.CallItOff())
        await company.restart(log)
        back = await guest.again(company.room, number=1, heard=saw)
        assert back.heard[0] == saw + 1
        assert back.events[-1]["is"] == "SealsBroken"
        assert back.last("Over")["outcome"]["reason"] == "called_off"

    run(story)


# Watch


def test_those_who_watch_hear_what_is_public_and_never_more() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop)
        nameless, named = await company.watch(), await company.join("Watcher", watch=True)
        await company.play_on(until=25)
        assert company.room.play is not None
        public = [json.loads(json.dumps(event["is"])) for event in nameless.events]
        assert all(event["audience"] == "everyone" for event in nameless.events)
        assert len(public) == len(company.room.play.heard(SPECTATOR))
        assert nameless.events == named.events
        assert not nameless.all("Asked")
        assert await named.act(CastVote(phase=phase_of(company.room), approve=True)) == "room/watching"
        assert await nameless.ask(ask.SayReady(is_ready=True)) == "room/watching"
        assert nameless.last("Entered")["member"] is None

    run(story)


def test_those_who_watch_lag_behind_as_far_as_the_host_wants() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, spectator_delay=60, takeover_seconds=None)
        watcher = await company.watch()
        assert watcher.events == []
        await asyncio.sleep(30)
        await propose(company)
        await asyncio.sleep(29)
        assert watcher.events == []
        await asyncio.sleep(2)
        assert watcher.heard
        assert not any(event["is"] == "TeamProposed" for event in watcher.events)
        assert watcher.all("Clock") == []
        back = await company.watch(number=1, heard=watcher.heard[-1])
        assert back.heard == []
        await asyncio.sleep(30)
        assert any(event["is"] == "TeamProposed" for event in watcher.events)
        assert back.heard == watcher.heard[-len(back.heard) :]
        assert watcher.heard == list(range(1, len(watcher.heard) + 1))
        await company.host.ask(ask.CallItOff())
        assert watcher.events[-1]["is"] == "SealsBroken"
        assert watcher.all("Over")

    run(story)


# Two servers on one log


async def two_houses(loop: VirtualLoop, people: int = 5, **more: Any) -> tuple[Company, House, Room]:
    """A company in one house, and another house on the same log that has the room in memory."""
    log = MemoryLog()
    company = await gather(loop, people, log=log, takeover_seconds=None, **more)
    other = house_of(loop, log, seed="other")
    await other.start()
    return company, other, await other.find(company.code)


def test_of_two_who_take_one_seat_in_two_houses_one_gets_it() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, 3)
        elsewhere = await company.people[2].again(there)
        assert await company.people[1].ask(ask.TakeSeat(seat=4)) == "done"
        assert await elsewhere.ask(ask.TakeSeat(seat=4)) == "room/seat"
        assert elsewhere.shown["seats"][4]["member"] == 2
        await other.stop()

    run(story)


def test_what_is_refused_is_refused_by_the_room_as_it_is_written() -> None:
    """A house that has not heard yet of what was done in another one reads on before it says no."""

    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, 3)
        elsewhere = await company.people[2].again(there)
        assert await company.host.ask(ask.SeatBot(seat=4)) == "done"
        assert await company.host.ask(ask.HandOver(member=3)) == "done"
        assert await elsewhere.ask(ask.RemoveBot(seat=4)) == "done"
        await other.stop()

    run(story)


def test_whoever_joins_in_one_house_is_known_in_the_other() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, 2)
        newcomer = await company.join("Newcomer")
        elsewhere = await newcomer.again(there)
        assert elsewhere.closed is None
        assert elsewhere.last("Entered")["member"] == newcomer.member
        await there.ask(newcomer.token or "", ask.SayReady(is_ready=True))
        await other.stop()

    run(story)


def test_a_request_that_is_repeated_in_another_house_is_granted_once() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, 2)
        elsewhere = await company.host.again(there)
        requests: list[ask.Request] = [
            ask.Chat(text="Hello"),
            ask.SeatBot(seat=4),
            ask.RemoveBot(seat=4),
            ask.SeatBot(seat=4),
        ]
        for number, request in enumerate(requests):
            assert await company.host.ask(request, f"r{number}") == "done"
            assert await elsewhere.ask(request, f"r{number}") == "done"
        assert [line["text"] for line in elsewhere.all("Chatted")] == ["Hello"]
        await other.stop()

    run(story)


def test_a_game_is_played_in_two_houses_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop)
        await company.start()
        people = company.people[:2] + [await guest.again(there) for guest in company.people[2:]]
        both = Company(loop, company.house, company.room, people)
        done = 0
        while company.room.is_playing or there.is_playing:
            for guest in people:
                for room in (company.room, there):
                    await room.read_on()
                moves = guest.offered()
                if moves and guest.last("Asked")["phase"] == phase_of(company.room):
                    done += await guest.act(moves[done % len(moves)], f"m{done}") == "done"
        assert both.room.play is not None
        assert there.play is not None
        assert there.play.entries == both.room.play.entries
        ids = [(entry.actor, entry.id) for entry in there.play.entries if entry.id]
        assert len(ids) == len(set(ids)) == done
        for guest in people:
            assert guest.heard == list(range(1, len(guest.heard) + 1))
        path = tmp_path / "record.jsonl"
        path.write_bytes(await other.record(company.code, 1))
        assert verify_record(path).outcome == there.play.outcome
        await other.stop()

    run(story)


def test_whoever_moves_to_the_other_house_gets_exactly_the_rest() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop)
        await company.start()
        await propose(company)
        guest = company.people[1]
        back = await guest.again(there, number=1, heard=guest.heard[-1] - 1)
        assert back.heard == guest.heard[-1:]
        await other.stop()

    run(story)


def test_a_deadline_that_two_houses_watch_falls_once() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, options=TIMED)
        await company.start()
        elsewhere = await company.people[1].again(there)
        await asyncio.sleep(31)
        await company.room.read_on()
        assert there.play is not None
        assert len(expiries(company.room)) == 1
        assert entries_of(there) == entries_of(company.room)
        assert elsewhere.heard == list(range(1, len(elsewhere.heard) + 1))
        await other.stop()

    run(story)


def test_a_player_who_is_gone_is_replaced_once_by_whichever_house_is_first() -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MemoryLog()
        company = await playing(loop, log=log, takeover_seconds=30)
        other = house_of(loop, log, seed="other")
        await other.start()
        there = await other.find(company.code)
        for room in (company.room, there):
            await Guest(room).enter()
        for guest in company.people:
            await guest.leave()
        await asyncio.sleep(45)
        stood_in = [row for row in await log.read(company.code) if b"BotStoodIn" in row.line]
        assert len(stood_in) == len(set(stood_in)) == 5
        await other.stop()

    run(story)


def test_whoever_is_shown_out_in_one_house_is_out_in_the_other() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, 3)
        elsewhere = await company.people[2].again(there)
        assert await company.host.ask(ask.Kick(member=3)) == "done"
        assert await (await company.people[1].again(there)).ask(ask.Chat(text="Where is she?")) == "done"
        await rest()
        assert elsewhere.closed == (4003, "room/unknown")
        await other.stop()

    run(story)


def test_a_room_that_lives_on_in_one_house_is_not_closed_by_the_other() -> None:
    async def story(loop: VirtualLoop) -> None:
        company, other, there = await two_houses(loop, 2)
        elsewhere = await company.people[1].again(there)
        await asyncio.sleep(LOBBY_LASTS / 1000 - 30)
        assert await company.host.ask(ask.Chat(text="Still here")) == "done"
        await company.people[1].leave()
        await asyncio.sleep(60)
        await elsewhere.leave()
        await asyncio.sleep(60)
        assert not (await other.find(company.code)).state.is_closed
        await other.stop()

    run(story)


# When the log fails


def test_what_cannot_be_written_is_refused_as_busy_and_has_not_happened(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await playing(loop, log=log)
        await propose(company)
        vote = CastVote(phase=phase_of(company.room), approve=True)
        heard = [guest.events for guest in company.people]
        log.writes = False
        assert await company.host.act(vote, "vote") == "room/busy"
        assert await company.host.ask(ask.CallItOff(), "off") == "room/busy"
        with pytest.raises(RoomRefused) as refused:
            await company.room.join("Late", watch=True)
        assert code_of(refused) == "room/busy"
        with pytest.raises(RoomRefused) as refused:
            await company.house.open(ask.OpenRoom(name="Ann"))
        assert code_of(refused) == "room/busy"
        await asyncio.sleep(5)
        assert [guest.events for guest in company.people] == heard
        log.writes = True
        assert await company.host.act(vote, "vote") == "done"
        assert [entry.id for entry in entries_of(company.room)].count("vote") == 1
        for guest in company.people:
            assert guest.heard == list(range(1, len(guest.heard) + 1))
        assert len(company.host.shown["members"]) == 5

    run(story)


def test_a_log_that_cannot_even_be_read_sends_everybody_away_and_loses_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await playing(loop, log=log)
        await propose(company)
        vote = CastVote(phase=phase_of(company.room), approve=True)
        heard = [guest.events for guest in company.people]
        log.writes = log.reads = False
        assert await company.host.act(vote, "vote") == "room/busy"
        with pytest.raises(RoomRefused) as refused:
            await company.room.look()
        assert code_of(refused) == "room/busy"
        assert [guest.closed for guest in company.people] == [(1013, "room/busy")] * 5
        house, code = company.house, company.code
        questions: list[Coroutine[Any, Any, Any]] = [house.find(code), house.listed(), house.record(code, 1)]
        for question in questions:
            with pytest.raises(RoomRefused) as refused:
                await question
            assert code_of(refused) == "room/busy"
        await asyncio.sleep(100)
        log.writes = log.reads = True
        room = await company.house.find(company.code)
        assert [guest.events for guest in company.people] == heard
        back = await company.host.again(room, number=1, heard=company.host.heard[-1])
        assert back.events == []
        assert await back.act(vote, "vote") == "done"

    run(story)


def test_a_room_that_was_given_up_does_not_come_back_to_life_beside_the_one_that_was_read_since(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await playing(loop, log=log, takeover_seconds=5)
        log.writes = log.reads = False
        assert await company.host.act(Say(channel=OPEN_TALK, text="Hello?")) == "room/busy"
        await company.host.here()
        log.writes = log.reads = True
        room = await company.house.find(company.code)
        assert room is not company.room
        people = [await guest.again(room) for guest in company.people]
        for guest in company.people:
            await guest.leave()  # the server notices late that the old connections are gone
        await asyncio.sleep(60)
        assert [seat["stand_in"] for seat in people[0].shown["seats"]] == [None] * 5
        with pytest.raises(RoomRefused) as refused:
            await company.room.look()
        assert code_of(refused) == "room/busy"

    run(story)


def test_a_request_that_waits_when_the_house_closes_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    class Slow(MoodyLog):
        async def append(self, *more: Any) -> None:
            await asyncio.sleep(1)
            await super().append(*more)

    async def story(loop: VirtualLoop) -> None:
        company = await gather(loop, 1, log=Slow())
        asked = asyncio.ensure_future(company.room.ask(company.host.token or "", ask.SeatBot(seat=4)))
        await asyncio.sleep(0.5)
        await company.house.stop()
        with pytest.raises(RoomRefused) as refused:
            await asked
        assert code_of(refused) == "room/busy"

    run(story)


def test_a_deadline_that_could_not_be_written_falls_when_the_log_is_back(  # C5
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await playing(loop, log=log, options=TIMED, takeover_seconds=None)
        heard = [guest.events for guest in company.people]
        log.writes = False
        tried = log.tried
        await asyncio.sleep(60)
        assert 1 <= log.tried - tried <= 200  # it tries again and again, and the house has time for others
        assert [guest.events for guest in company.people] == heard
        log.writes = True
        await asyncio.sleep(1)
        assert len(expiries(company.room)) == 1

    run(story)


def test_bots_whose_moves_could_not_be_written_play_on_when_the_log_is_back(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await gather(loop, 1, log=log)
        assert await company.host.ask(ask.LeaveSeat()) == "done"
        for seat in range(5):
            assert await company.host.ask(ask.SeatBot(seat=seat, bot="random")) == "done"
        assert await company.host.ask(ask.Start()) == "done"
        log.writes = False
        await asyncio.sleep(30)
        log.writes = True
        await asyncio.sleep(HOUR)
        assert company.room.stage == "over"

    run(story)


def test_a_seat_that_could_not_be_given_back_is_given_back_later_and_every_act_is_answered(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await playing(loop, log=log, idle_seconds=30)
        await asyncio.sleep(33)
        assert company.room.state.places[3].stand_in
        log.writes = False
        assert await company.people[3].act(Say(channel=OPEN_TALK, text="I am back"), "back") == "room/busy"
        log.writes = True
        assert await company.people[3].act(Say(channel=OPEN_TALK, text="I am back"), "back") == "done"
        assert company.room.state.places[3].stand_in is None

    run(story)


def test_those_who_look_for_one_room_at_the_same_time_get_the_same_answer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        company = await gather(loop, 1, log=log)
        await company.house.stop()
        house = house_of(loop, log)
        log.reads = False
        failed = await asyncio.gather(*(house.find(company.code) for _ in range(3)), return_exceptions=True)
        assert [getattr(problem, "code", None) for problem in failed] == ["room/busy"] * 3
        log.reads = True
        first = asyncio.ensure_future(house.find(company.code))
        others = [asyncio.ensure_future(house.find(company.code)) for _ in range(3)]
        await asyncio.sleep(0)
        first.cancel()  # whoever asked first has hung up
        rooms = await asyncio.gather(*others)
        assert len(set(map(id, rooms))) == 1

    run(story)


def test_somebody_who_keeps_writing_first_does_not_make_a_room_give_a_wrong_answer() -> None:
    class Crowded(MoodyLog):
        """Others are always quicker."""

        async def append(self, room: str, *more: Any) -> None:
            self.tried += 1
            if not self.writes:
                raise Conflict(room)
            await super().append(room, *more)

    async def story(loop: VirtualLoop) -> None:
        log = Crowded()
        company = await gather(loop, 2, log=log)
        log.writes = False
        assert await company.host.ask(ask.Chat(text="Hello"), "hello") == "room/busy"
        log.writes = True
        assert await company.host.ask(ask.Chat(text="Hello"), "hello") == "done"
        assert [line["text"] for line in company.people[1].all("Chatted")] == ["Hello"]

    run(story)


def test_time_begins_when_a_phase_is_written_down() -> None:
    async def story(loop: VirtualLoop) -> None:
        company = await playing(loop, options=TIMED)
        began = [event for entry in entries_of(company.room) for event in entry.events if isinstance(event, PhaseBegan)]
        assert began[-1].seconds == 30
        assert company.host.last("Clock") == {
            "is": "Clock",
            "phase": 1,
            "ends_at": EPOCH + round(loop.time() * 1000) + 30_000,
            "is_paused": False,
            "now": loop.now(),
        }

    run(story)


@pytest.mark.parametrize(("reads", "closed"), [(True, (4003, "room/unknown")), (False, (1013, "room/busy"))])
def test_a_socket_learns_whether_there_is_no_such_room_or_it_cannot_be_read(
    reads: bool, closed: tuple[int, str]
) -> None:
    async def story(loop: VirtualLoop) -> None:
        log = MoodyLog()
        log.reads = reads
        sockets = Sockets(house_of(loop, log), Limits(), Metrics())
        enter = {"type": "websocket.receive", "text": '{"is":"Enter","room":"ABCDEF"}'}
        said = iter([{"type": "websocket.connect"}, enter])
        told: list[Any] = []

        async def receive() -> Any:
            return next(said, {"type": "websocket.disconnect"})

        async def send(message: Any) -> None:
            told.append(message)

        await sockets({"type": "websocket", "client": ("192.0.2.1", 1)}, receive, send)
        assert (told[-1]["code"], told[-1]["reason"]) == closed

    run(story)
