"""Rooms that only deal: every phone gets its role, and the game is played at a real table."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from roundtable.games import GAMES, make_setup, new_game
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import RoomRegistry
from roundtable.storage import MemoryLog
from roundtable.storage.records import read_record
from support.room_harness import RoomMember
from support.virtual_time import VirtualLoop, registry_of, run


async def people(registry: RoomRegistry, count: int = 6, degree: Any = "deal", **more: Any) -> list[RoomMember]:
    """The members of a room that only deals; the first is the host."""
    settings = ask.Settings(in_person=degree, takeover_seconds=5, bot_pace="instant")
    host = await registry.open(bodies.OpenRoom(name="Ann", seats=count, settings=settings, **more))
    room = await registry.find(host.room)
    tokens = [
        (host.member, host.token),
        *[await room.join(f"Guest {number}", watch=False) for number in range(1, count)],
    ]
    return [await RoomMember(room, token, member).enter(views=True) for member, token in tokens]


def roles_of(guests: list[RoomMember]) -> list[str]:
    return [guest.last("View")["view"]["roles"][str(seat)] for seat, guest in enumerate(guests)]


@pytest.mark.parametrize("game", ["avalon", "thavalon", "saviom"])
def test_each_phone_gets_its_role_and_nothing_else_happens(game: str) -> None:
    async def main(loop: VirtualLoop) -> list[RoomMember]:
        guests = await people(registry_of(loop), game=game)
        assert await guests[0].ask(ask.Start()) == "done"
        for guest in guests[1:]:
            await guest.leave()
        await asyncio.sleep(3600)
        return guests

    guests = run(main)
    assert len(roles_of(guests)) == 6
    assert all(len(guest.last("View")["view"]["roles"]) == 1 for guest in guests)
    room = guests[0].last("Room")
    assert room["stage"] == "playing"
    assert not any(seat["stand_in"] for seat in room["seats"])
    assert guests[0].last("Clock")["ends_at"] is None
    assert guests[0].last("View")["view"]["phase"]["number"] == 1


def test_a_new_deal_can_be_had_at_any_time_and_everybody_keeps_their_seat() -> None:  # C7
    async def main(loop: VirtualLoop) -> tuple[list[RoomMember], bytes]:
        registry = registry_of(loop)
        guests = await people(registry)
        assert await guests[0].ask(ask.Start()) == "done"
        await guests[3].leave()
        assert await guests[1].ask(ask.Rematch()) == "room/not_host"
        assert [await guests[0].ask(request) for request in (ask.Rematch(), ask.Start())] == ["done", "done"]
        return guests, (await registry.record(guests[0].room.code, 1)).plain

    guests, record = run(main)
    room = guests[0].last("Room")
    assert (room["stage"], room["number"]) == ("playing", 2)
    assert [seat["member"] for seat in room["seats"]] == [1, 2, 3, 4, 5, 6]
    assert b"untold" in record
    assert b"called_off" not in record
    assert all(len(guest.last("View")["view"]["roles"]) == 1 for guest in guests if guest is not guests[3])


def test_no_member_has_to_be_ready_but_every_seat_needs_a_person() -> None:
    async def main(loop: VirtualLoop) -> None:
        guests = await people(registry_of(loop))
        host = guests[0]
        assert host.last("Room")["problems"] == []
        assert await guests[5].ask(ask.Leave()) == "done"
        assert await host.ask(ask.SeatBot(seat=5)) == "done"
        assert [problem["code"] for problem in host.last("Room")["problems"]] == ["room/seat"]
        assert await host.ask(ask.Start()) == "room/not_ready"
        assert await host.ask(ask.ChangeTable(seats=5)) == "done"
        assert await host.ask(ask.Start()) == "done"

    run(main)


def test_what_belongs_to_a_game_on_the_screen_is_refused() -> None:
    async def main(loop: VirtualLoop) -> None:
        guests = await people(registry_of(loop))
        host = guests[0]
        assert await host.ask(ask.Start()) == "done"
        for guest in guests:
            refused = [await guest.act(move) for move in guest.offered()] + [await guest.act({"is": "AskCallOff"})]
            assert set(refused) == {"room/stage"}
        assert await host.ask(ask.HoldClock(do="resume")) == "room/stage"
        assert await host.ask(ask.ChangeSettings(settings=ask.SettingsChange(in_person="no"))) == "room/stage"
        assert await guests[1].ask(ask.Chat(text="I see.")) == "done"
        assert await host.ask(ask.CallItOff()) == "done"
        assert len(guests[1].last("View")["view"]["roles"]) == 6
        assert guests[1].last("Over")["outcome"]["reason"] == "untold"

    run(main)


@pytest.mark.parametrize("degree", ["deal", "narrated"])
@pytest.mark.parametrize(
    ("game", "winner", "reason"),
    [
        ("avalon", "Evil", "merlin_assassinated"),
        ("thavalon", "Good", "target_survived"),
        ("saviom", "Wolves", "told"),
        ("avalon", None, "no_winner"),
    ],
)
def test_the_host_says_who_won_and_everyone_reads_it(
    game: str, winner: str | None, reason: str, degree: Any, tmp_path: Path
) -> None:  # C7
    async def main(loop: VirtualLoop) -> tuple[list[RoomMember], bytes]:
        registry = registry_of(loop)
        guests = await people(registry, game=game, degree=degree)
        host = guests[0]
        said = ask.AnnounceOutcome(winner=winner, reason=reason)
        assert await host.ask(said) == "room/stage"
        assert await host.ask(ask.Start()) == "done"
        assert await guests[1].ask(said) == "room/not_host"
        assert await host.ask(ask.AnnounceOutcome(winner="Nobody", reason="told")) == "action/not_allowed"
        assert await host.ask(said) == "done"
        assert await host.ask(said) == "room/stage"
        return guests, (await registry.record(host.room.code, 1)).plain

    guests, written = run(main)
    for guest in guests:
        assert guest.last("Room")["stage"] == "over"
        outcome = guest.last("Over")["outcome"]
        assert (outcome["winner"], outcome["reason"]) == (winner, reason)
        assert bool(outcome["seats"]) == (winner is not None)
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["entry"]["action"]["is"] for line in lines if "entry" in line][-1] == "AnnounceOutcome"
    path = tmp_path / "record.jsonl"
    path.write_bytes(written)
    assert read_record(path).is_closed


def test_the_host_is_offered_the_endings_of_this_setup_and_each_is_accepted() -> None:  # A27, C7
    async def main(loop: VirtualLoop) -> None:
        guests = await people(registry_of(loop), game="avalon", options={"merlin": False})
        host = guests[0]
        assert host.last("Room")["endings"] == []
        assert await host.ask(ask.Start()) == "done"
        offered = host.last("Room")["endings"]
        assert {"winner": "Good", "reason": "three_successes"} in offered
        assert not any("merlin" in ending["reason"] for ending in offered)
        for ending in offered:
            assert await host.ask(ask.AnnounceOutcome(**ending)) == "done"
            assert host.last("Room")["endings"] == []
            assert [await host.ask(request) for request in (ask.Rematch(), ask.Start())] == ["done", "done"]

    run(main)


@pytest.mark.parametrize("degree", ["no", "phones"])
def test_where_the_game_is_on_the_phones_nobody_announces_its_end(degree: Any) -> None:
    async def main(loop: VirtualLoop) -> None:
        guests = await people(registry_of(loop), degree=degree)
        for guest in guests:
            assert await guest.ask(ask.SayReady(is_ready=True)) == "done"
        assert await guests[0].ask(ask.Start()) == "done"
        assert guests[0].last("Room")["endings"] == []
        assert await guests[0].ask(ask.AnnounceOutcome(winner="Good", reason="told")) == "room/stage"
        assert guests[0].last("Room")["stage"] == "playing"

    run(main)


def test_a_deal_outlives_the_server() -> None:
    async def main(loop: VirtualLoop) -> tuple[list[str], list[str]]:
        log = MemoryLog()
        guests = await people(registry_of(loop, log))
        assert await guests[0].ask(ask.Start()) == "done"
        room = await registry_of(loop, log, seed=1).find(guests[0].room.code)
        return roles_of(guests), roles_of([await guest.again(room, views=True) for guest in guests])

    before, after = run(main)
    assert before == after


def test_when_the_table_gets_smaller_people_move_up_before_bots_do() -> None:
    async def main(loop: VirtualLoop) -> tuple[dict[str, Any], dict[str, Any]]:
        host, *_ = guests = await people(registry_of(loop), 8)
        for gone in guests[1:4]:
            await gone.ask(ask.Leave())
        await host.ask(ask.SeatBot(seat=1))
        await host.ask(ask.ChangeTable(seats=6))
        smaller = host.last("Room")
        await host.ask(ask.ChangeTable(seats=5))
        return smaller, host.last("Room")

    smaller, smallest = run(main)
    assert [(seat["member"], seat["bot"]) for seat in smaller["seats"]] == [
        (1, None),
        (None, "careful"),
        (7, None),
        (8, None),
        (5, None),
        (6, None),
    ]
    assert [seat["member"] for seat in smallest["seats"]] == [1, 6, 7, 8, 5]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_casting_names_every_role_that_can_come_up(name: str) -> None:  # A2, A4, A10, T1, T2, S2, S4
    setup_type = GAMES[name].game.setup_type
    for seats in range(setup_type.fewest, setup_type.most + 1):
        casting = make_setup(name, seats).casting()
        assert sum(side.seats for side in casting) == seats
        cards = [card for side in casting for card in side.roles]
        for seed in range(5):
            dealt = list(new_game(name, seats, bytes([seed]) * 32).state.roles.values())
            assert set(dealt) <= set(cards)
            assert name == "thavalon" or sorted(dealt) == sorted(cards)


def test_a_choice_that_does_not_fit_is_refused_with_all_that_its_sentence_names() -> None:  # A1, A4
    async def main(loop: VirtualLoop) -> list[Any]:
        host = (await people(registry_of(loop), 5))[0]
        for request in (
            ask.ChangeTable(seats=11),
            ask.ChangeTable(options={"roles": ["Morgana", "Mordred"]}),
            ask.ChangeTable(options={"vote_seconds": 0}),
        ):
            await host.ask(request)
        return [answer.get("values") for answer in host.answers]

    assert run(main) == [
        {"game": "avalon", "fewest": 5, "most": 10, "seats": 11},
        {"side": "Evil", "count": 3, "roles": ["Assassin", "Morgana", "Mordred"], "places": 2, "seats": 5},
        {"option": "vote_seconds", "value": "0", "first": 1, "last": 86400},
    ]
