"""Leaks planted into the server on purpose: the twin test over the real server must catch every one of them.

Each changes one thing that the server does right into something that lets a secret slip, by what is said, to whom, how
long it is, how often it is said, or when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest

from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.saviom.actions import Hunt
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.record.log import MemoryLog
from roundtable.room import records
from roundtable.room import room as live
from roundtable.room.room import Room
from roundtable.room.sessions import Now, Session, text_of
from roundtable.server.metrics import Metrics
from roundtable.table.errors import IllegalAction
from roundtable.table.events import Event
from roundtable.table.play import Play
from roundtable.table.seats import SPECTATOR
from roundtable.wire import Answered, Refused

Plant = Callable[[pytest.MonkeyPatch], None]


class Leak(NamedTuple):
    name: str
    game: str
    plant: Plant
    table: dict[str, Any]  # under which the leak can show


LEAKS: list[Leak] = []


def leak(game: str, **table: Any) -> Callable[[Plant], Plant]:
    """Keep a leak; its name is the function's."""

    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant.__name__, game, plant, table))
        return plant

    return keep


def is_evil(room: Room, seat: int) -> bool:
    assert room.play is not None
    return room.play.state.roles[seat] in (*EVIL_ROLES, SaviomRole.WOLF)


# Too much is said


@leak("avalon")
def numbers_are_shared_between_listeners(patch: pytest.MonkeyPatch) -> None:
    real = Now.line

    def line(now: Now, event: Event, number: int) -> str:
        assert now.play is not None
        return real(now, event, 1 + next(place for place, other in enumerate(now.play.events) if other is event))

    patch.setattr(Now, "line", line)


@leak("avalon", spectator_delay=0)
def those_who_watch_hear_everything(patch: pytest.MonkeyPatch) -> None:
    real = Play.told
    patch.setattr(Play, "told", lambda play, who: play.events if who == SPECTATOR else real(play, who))


@leak("saviom", bots=0, seats=8)
def the_dead_hear_the_hunt(patch: pytest.MonkeyPatch) -> None:
    def told(play: Play[Any, Any], listener: int) -> list[Event]:
        is_dead = listener >= 0 and listener not in play.state.alive
        return [
            event
            for event in play.events
            if listener in event.audience or (is_dead and type(event).__name__ == "HuntMarked")
        ]

    patch.setattr(Play, "told", told)


@leak("avalon", bots=0)
def a_view_is_made_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Play, "view", lambda play, listener: play.state.to_hand_out())


@leak("saviom", mode="advanced", spectator_delay=0)
def those_who_watch_are_told_how_much_each_seat_may_choose(patch: pytest.MonkeyPatch) -> None:
    real = Session._game

    def game(session: Session, now: Any, play: Play[Any, Any]) -> None:
        before = len(session._waiting)
        real(session, now, play)
        choices = [sum(len(option) for option in play.options(seat)) for seat in range(play.state.setup.seats)]
        if len(session._waiting) > before and session._listener == SPECTATOR:
            session.send(Refused(id="", code="", message=str(choices)))

    patch.setattr(Session, "_game", game)


@leak("avalon")
def the_room_counts_evil_among_those_who_have_voted(patch: pytest.MonkeyPatch) -> None:
    real = Room.shown

    def shown(room: Room) -> Any:
        told = real(room)
        evil = sum(is_evil(room, seat) for seat in room.play.state.voted) if room.play is not None else 0
        return msgspec.structs.replace(told, notices=(*told.notices, str(evil)))

    patch.setattr(Room, "shown", shown)
    patch.setattr(Room, "_text", lambda room: text_of(room.shown()))


@leak("avalon")
def the_list_of_rooms_tells_whether_evil_leads(patch: pytest.MonkeyPatch) -> None:
    real = Room._listed

    def listed(room: Room) -> bytes:
        leads = room.play is not None and is_evil(room, room.play.state.leader)
        return real(room).replace(b'"free":0', b'"free":%d' % leads)

    patch.setattr(Room, "_listed", listed)


@leak("avalon", bots=0)
def answers_go_to_everybody(patch: pytest.MonkeyPatch) -> None:
    real = Room._answer

    async def answer(room: Room, session: Session, id: str, job: live.Job) -> None:
        await real(room, session, id, job)
        for other in room.sessions:
            if other is not session:
                other.send(Answered(id=id))

    patch.setattr(Room, "_answer", answer)


@leak("avalon")
def a_record_can_be_had_before_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(records, "Play", lambda game, entries: SimpleNamespace(is_over=True))


# How long it is, and how often it is said


@leak("avalon", bots=0, merlin=True)
def a_refusal_is_longer_the_farther_merlin_sits(patch: pytest.MonkeyPatch) -> None:
    real = Room._answer

    async def answer(room: Room, session: Session, id: str, job: live.Job) -> None:
        async def padded() -> None:
            try:
                await job()
            except IllegalAction as refused:
                assert room.play is not None
                roles = room.play.state.roles
                merlin = next(seat for seat in roles if roles[seat] is Role.MERLIN)
                raise IllegalAction(refused.code, refused.message + " " * merlin) from refused

        await real(room, session, id, padded)

    patch.setattr(Room, "_answer", answer)


@leak("saviom", bots=0)
def a_rooms_length_tells_how_many_rows_it_has(patch: pytest.MonkeyPatch) -> None:
    real = Room.look

    async def look(room: Room) -> str:
        return await real(room) + " " * (room._version % 97)

    patch.setattr(Room, "look", look)


@leak("saviom", bots=0)
def a_clock_comes_with_every_row(patch: pytest.MonkeyPatch) -> None:
    real = Session._tell_clock

    def tell_clock(session: Session, now: Any, play: Play[Any, Any]) -> None:
        session._clock = None
        real(session, now, play)

    patch.setattr(Session, "_tell_clock", tell_clock)


@leak("saviom", bots=0)
def the_room_is_told_again_with_every_row(patch: pytest.MonkeyPatch) -> None:
    real = Room._append

    async def append(room: Room, lines: Any) -> None:
        await real(room, lines)
        room._has_room_changed = True

    patch.setattr(Room, "_append", append)


@leak("saviom", bots=0)
def whoever_returns_is_told_more_after_an_odd_number_of_events(patch: pytest.MonkeyPatch) -> None:
    real = Session._greet

    def greet(session: Session, now: Any, play: Play[Any, Any], listener: int) -> str:
        welcome = real(session, now, play, listener)
        session.heard = 0 if len(play.events) % 2 else session.heard
        return welcome

    patch.setattr(Session, "_greet", greet)


@leak("saviom", bots=0)
def a_secret_move_lifts_its_room_in_the_list(patch: pytest.MonkeyPatch) -> None:
    real = MemoryLog.append

    async def append(log: MemoryLog, room: str, known: int, rows: Any, card: Any) -> None:
        await real(log, room, known, rows, card)
        log._cards[room] = log._cards.pop(room)

    patch.setattr(MemoryLog, "append", append)


# When it happens


@leak("avalon", bots=3)
def bots_answer_in_the_order_of_their_roles(patch: pytest.MonkeyPatch) -> None:
    real = Room._draw_turns

    def draw_turns(room: Room) -> None:
        before = room._bots_phase
        real(room)
        if room._turns and room._bots_phase != before and room.play is not None:
            roles = room.play.state.roles
            seats = sorted((seat for _, seat in room._turns), key=lambda seat: (roles[seat], seat))
            room._turns = [(at, seat) for (at, _), seat in zip(room._turns, seats, strict=True)]

    patch.setattr(Room, "_draw_turns", draw_turns)


@leak("avalon", bots=3)
def evil_bots_hesitate(patch: pytest.MonkeyPatch) -> None:
    real = Room._draw_turns

    def draw_turns(room: Room) -> None:
        before = room._bots_phase
        real(room)
        if room._bots_phase != before:
            room._turns = [(at + 200 * is_evil(room, seat), seat) for at, seat in room._turns]

    patch.setattr(Room, "_draw_turns", draw_turns)


@leak("thavalon", bots=3)
def a_bot_answers_as_soon_as_it_knows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Room, "_left_to_think", lambda room, taken: 0)


@leak("saviom", bots=0, takeover_seconds=5, idle_seconds=30)
def a_bot_stands_in_sooner_for_a_wolf(patch: pytest.MonkeyPatch) -> None:
    real = Room._takeovers

    def takeovers(room: Room) -> list[tuple[int, int]]:
        return [(at - 1500 * is_evil(room, seat), seat) for at, seat in real(room)]

    patch.setattr(Room, "_takeovers", takeovers)


@leak("saviom", bots=0, idle_seconds=30)
def a_secret_move_is_a_sign_of_life(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Room, "_is_sign_of_life", lambda room, member, message: True)


@leak("saviom", bots=0, kill_by="cast")
def a_night_is_shorter_once_the_wolves_agree(patch: pytest.MonkeyPatch) -> None:
    real = Room._played

    def played(room: Room, seat: int, action: Any, id: str = "") -> list[bytes]:
        lines = real(room, seat, action, id)
        assert room.play is not None
        if isinstance(action, Hunt) and room.play.state.living_wolves <= set(room.play.state.hunts):
            room.clock.ends_at = min(room.clock.ends_at or 0, room._now() + 1000)
        return lines

    patch.setattr(Room, "_played", played)


# What is written for those who look after the server


@leak("avalon", bots=3)
def roles_are_logged(patch: pytest.MonkeyPatch) -> None:
    real = Room._question

    def question(room: Room, seat: int) -> Any:
        assert room.play is not None
        live.logger.info("a bot thinks at seat %d as %s", seat, room.play.state.roles[seat])
        return real(room, seat)

    patch.setattr(Room, "_question", question)


@leak("avalon", bots=0, quest_seconds=5, takeover_seconds=None)
def who_missed_a_quest_is_logged(patch: pytest.MonkeyPatch) -> None:
    real = Room._time_is_up

    def time_is_up(room: Room) -> list[bytes]:
        if room.play is not None and room.play.phase.name == "quest":
            live.logger.info("laid for %s", sorted(room.play.phase.awaited - set(room.play.state.cards)))
        return real(room)

    patch.setattr(Room, "_time_is_up", time_is_up)


@leak("avalon", bots=0)
def moves_are_counted_by_side(patch: pytest.MonkeyPatch) -> None:
    moves: Counter[str] = Counter()
    begin, shown, played = Metrics.__init__, Metrics.shown, Room._played

    def begin_again(metrics: Metrics) -> None:
        begin(metrics)
        moves.clear()

    def count(room: Room, seat: int, action: Any, id: str = "") -> list[bytes]:
        if seat >= 0:
            moves["Evil" if is_evil(room, seat) else "Good"] += 1
        return played(room, seat, action, id)

    def show(metrics: Metrics) -> bytes:
        return (
            shown(metrics)
            + "".join(f'roundtable_moves{{side="{side}"}} {moves[side]}\n' for side in sorted(moves)).encode()
        )

    patch.setattr(Metrics, "__init__", begin_again)
    patch.setattr(Metrics, "shown", show)
    patch.setattr(Room, "_played", count)
