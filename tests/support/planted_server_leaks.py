"""Leaks planted into the server on purpose: the twin test over the real server must catch every one of them.

Each patches one part of the server so that a secret leaks: by the content of a message, its audience, its size, the
number of messages, or their time.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest

from roundtable.core.entries import Entry
from roundtable.core.errors import IllegalAction, Problem, RoundTableError
from roundtable.core.events import Event
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.saviom.actions import Hunt
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.protocol import Answered, Refused, encoded
from roundtable.protocol.rooms import View
from roundtable.rooms import Room, archive, bot_scheduler, commands, dispatcher, game, members, timers
from roundtable.rooms import room as rooms
from roundtable.rooms import snapshot as snapshots
from roundtable.rooms.bot_scheduler import BotTurns
from roundtable.rooms.commands import Command, Context, Decision
from roundtable.rooms.dispatcher import ROUTES, HandlerCall, Route
from roundtable.rooms.presence import Presence
from roundtable.rooms.sessions import Session, Update, text_of
from roundtable.rooms.snapshot import snapshot
from roundtable.rooms.state import RoomState
from roundtable.server.metrics import Metrics
from roundtable.storage import MemoryLog

Plant = Callable[[pytest.MonkeyPatch], None]


class Leak(NamedTuple):
    name: str
    game: str
    plant: Plant
    table: dict[str, Any]  # under which the leak can show


LEAKS: list[Leak] = []

logger = logging.getLogger("roundtable.rooms")


def leak(game: str, **table: Any) -> Callable[[Plant], Plant]:
    """Keep a leak; its name is the function's."""

    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant.__name__, game, plant, table))
        return plant

    return keep


def is_evil(room: RoomState, seat: int) -> bool:
    assert room.play is not None
    return room.play.state.roles[seat] in (*EVIL_ROLES, SaviomRole.WOLF)


# Content


@leak("avalon")
def numbers_are_shared_between_listeners(patch: pytest.MonkeyPatch) -> None:
    real = Update.line

    def line(now: Update, event: Event, number: int) -> str:
        assert now.play is not None
        return real(now, event, 1 + next(place for place, other in enumerate(now.play.events) if other is event))

    patch.setattr(Update, "line", line)


@leak("avalon", spectator_delay=0)
def those_who_watch_hear_everything(patch: pytest.MonkeyPatch) -> None:
    real = Play.events_for
    patch.setattr(Play, "events_for", lambda play, who: play.events if who == SPECTATOR else real(play, who))


@leak("saviom", bots=0, seats=8)
def the_dead_hear_the_hunt(patch: pytest.MonkeyPatch) -> None:
    def events_for(play: Play[Any, Any], listener: int) -> list[Event]:
        is_dead = listener >= 0 and listener not in play.state.alive
        return [
            event
            for event in play.events
            if listener in event.audience or (is_dead and type(event).__name__ == "HuntMarked")
        ]

    patch.setattr(Play, "events_for", events_for)


@leak("avalon", bots=0)
def a_view_is_made_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Play, "view", lambda play, listener: play.state.writable_copy())


@leak("avalon", bots=0, spectator_delay=2)
def a_view_that_lags_behind_is_made_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    real = Update.view

    def view(now: Update, play: Play[Any, Any], listener: int, heard: int) -> str:
        if listener != SPECTATOR:
            return real(now, play, listener, heard)
        return text_of(View(number=heard, view=encoded(play.state.writable_copy().facts())))

    patch.setattr(Update, "view", view)


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
    def counted(room: RoomState, presence: Presence) -> Any:
        evil = sum(is_evil(room, seat) for seat in room.play.state.voted) if room.play is not None else 0
        shown = snapshot(room, presence)
        return msgspec.structs.replace(shown, notices=(*shown.notices, str(evil)))

    patch.setattr(rooms, "snapshot", counted)


@leak("avalon")
def the_list_of_rooms_tells_whether_evil_leads(patch: pytest.MonkeyPatch) -> None:
    real = snapshots._listed

    def listed(room: RoomState) -> bytes:
        leads = room.play is not None and is_evil(room, room.play.state.leader)
        return real(room).replace(b'"free":0', b'"free":%d' % leads)

    patch.setattr(snapshots, "_listed", listed)


@leak("avalon", bots=0)
def answers_go_to_everybody(patch: pytest.MonkeyPatch) -> None:
    real = Room._settle

    def settle(room: Room, command: Command, decision: Decision) -> None:
        real(room, command, decision)
        if isinstance(command, commands.ActCommand | commands.AskCommand) and decision.reply is not None:
            for other in room.sessions:
                if other is not command.session:
                    other.send(Answered(id=command.message.id))

    patch.setattr(Room, "_settle", settle)


@leak("avalon")
def a_record_can_be_had_before_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(archive, "Play", lambda game, entries: SimpleNamespace(is_over=True))


# Size and number of messages


@leak("avalon", bots=0, merlin=True)
def a_refusal_is_longer_the_farther_merlin_sits(patch: pytest.MonkeyPatch) -> None:
    real = dispatcher.refused

    def refused(room: RoomState, context: Context, command: Command, error: RoundTableError) -> Decision:
        if isinstance(error, IllegalAction) and room.play is not None:
            roles = room.play.state.roles
            merlin = next(seat for seat in roles if roles[seat] is Role.MERLIN)
            error = IllegalAction.of([Problem(error.code, said=error.message + " " * merlin)])
        return real(room, context, command, error)

    patch.setattr(dispatcher, "refused", refused)


@leak("avalon", bots=0, merlin=True)
def the_values_of_a_refusal_name_merlin(patch: pytest.MonkeyPatch) -> None:
    real = dispatcher.refused

    def refused(room: RoomState, context: Context, command: Command, error: RoundTableError) -> Decision:
        if isinstance(error, IllegalAction) and room.play is not None:
            roles = room.play.state.roles
            merlin = next(seat for seat in roles if roles[seat] is Role.MERLIN)
            error = IllegalAction(error.code, merlin=merlin)
        return real(room, context, command, error)

    patch.setattr(dispatcher, "refused", refused)


@leak("saviom", bots=0)
def a_rooms_length_tells_how_many_rows_it_has(patch: pytest.MonkeyPatch) -> None:
    real = Room.look

    async def look(room: Room) -> str:
        return await real(room) + " " * (room.state.version % 97)

    patch.setattr(Room, "look", look)


@leak("saviom", bots=0)
def a_clock_comes_with_every_row(patch: pytest.MonkeyPatch) -> None:
    real = Session._send_clock

    def tell_clock(session: Session, now: Any) -> None:
        session._clock = None
        real(session, now)

    patch.setattr(Session, "_send_clock", tell_clock)


@leak("saviom", bots=0)
def the_room_is_told_again_with_every_row(patch: pytest.MonkeyPatch) -> None:
    real = Room._append

    async def append(room: Room, rows: Any) -> None:
        await real(room, rows)
        room.state.changes += 1

    patch.setattr(Room, "_append", append)


@leak("saviom", bots=0)
def a_returning_client_is_told_more_after_an_odd_number_of_events(patch: pytest.MonkeyPatch) -> None:
    real = Session._welcome

    def greet(session: Session, now: Any, play: Play[Any, Any], listener: int) -> str:
        welcome = real(session, now, play, listener)
        session.heard = 0 if len(play.events) % 2 else session.heard
        return welcome

    patch.setattr(Session, "_welcome", greet)


@leak("saviom", bots=0)
def a_secret_move_lifts_its_room_in_the_list(patch: pytest.MonkeyPatch) -> None:
    real = MemoryLog.append

    async def append(log: MemoryLog, room: str, known: int, rows: Any, card: Any) -> None:
        await real(log, room, known, rows, card)
        log._summaries[room] = log._summaries.pop(room)

    patch.setattr(MemoryLog, "append", append)


# Time


@leak("avalon", bots=3)
def bots_answer_in_the_order_of_their_roles(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.draw_turns

    def draw_turns(turns: BotTurns, room: RoomState, now: int) -> BotTurns:
        drawn = real(turns, room, now)
        if not drawn.turns or drawn.phase == turns.phase or room.play is None:
            return drawn
        roles = room.play.state.roles
        seats = sorted((seat for _, seat in drawn.turns), key=lambda seat: (roles[seat], seat))
        return drawn._replace(turns=tuple((at, seat) for (at, _), seat in zip(drawn.turns, seats, strict=True)))

    patch.setattr(rooms, "draw_turns", draw_turns)


@leak("avalon", bots=3)
def evil_bots_hesitate(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.draw_turns

    def draw_turns(turns: BotTurns, room: RoomState, now: int) -> BotTurns:
        drawn = real(turns, room, now)
        if drawn.phase == turns.phase:
            return drawn
        return drawn._replace(turns=tuple((at + 200 * is_evil(room, seat), seat) for at, seat in drawn.turns))

    patch.setattr(rooms, "draw_turns", draw_turns)


@leak("thavalon", bots=3)
def a_bot_answers_as_soon_as_it_knows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(bot_scheduler, "left_to_think", lambda step, taken: 0)


@leak("saviom", bots=0, takeover_seconds=5, idle_seconds=30)
def a_bot_stands_in_sooner_for_a_wolf(patch: pytest.MonkeyPatch) -> None:
    real = timers.takeovers

    def takeovers(room: RoomState, context: Context) -> list[tuple[int, int]]:
        return [(at - 1500 * is_evil(room, seat), seat) for at, seat in real(room, context)]

    patch.setattr(timers, "takeovers", takeovers)


@leak("saviom", bots=0, idle_seconds=30)
def a_secret_move_is_a_sign_of_life(patch: pytest.MonkeyPatch) -> None:
    come_back = HandlerCall(members.come_back, is_optional=True)
    patch.setitem(ROUTES, commands.ActCommand, Route((come_back, HandlerCall(game.act))))


@leak("saviom", bots=0, kill_by="cast")
def a_night_is_shorter_once_the_wolves_agree(patch: pytest.MonkeyPatch) -> None:
    real = game.played

    def played(room: RoomState, now: int, seat: int, action: Any, id: str = "") -> list[Entry]:
        entries = real(room, now, seat, action, id)
        assert room.play is not None
        if isinstance(action, Hunt) and room.play.state.living_wolves <= set(room.play.state.hunts):
            room.clock.ends_at = min(room.clock.ends_at or 0, now + 1000)
        return entries

    patch.setattr(game, "played", played)


# Logs and metrics


@leak("avalon", bots=3)
def roles_are_logged(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.question

    def question(room: RoomState, seat: int) -> Any:
        assert room.play is not None
        logger.info("a bot thinks at seat %d as %s", seat, room.play.state.roles[seat])
        return real(room, seat)

    patch.setattr(bot_scheduler, "question", question)


@leak("avalon", bots=0, quest_seconds=5, takeover_seconds=None)
def who_missed_a_quest_is_logged(patch: pytest.MonkeyPatch) -> None:
    real = game.time_is_up

    def time_is_up(room: RoomState, now: int) -> list[Entry]:
        if room.play is not None and room.play.phase.name == "quest":
            logger.info("laid for %s", sorted(room.play.phase.awaited - set(room.play.state.cards)))
        return real(room, now)

    patch.setattr(game, "time_is_up", time_is_up)


@leak("avalon", bots=0)
def moves_are_counted_by_side(patch: pytest.MonkeyPatch) -> None:
    moves: Counter[str] = Counter()
    begin, shown, played = Metrics.__init__, Metrics.exposition, game.played

    def begin_again(metrics: Metrics) -> None:
        begin(metrics)
        moves.clear()

    def count(room: RoomState, now: int, seat: int, action: Any, id: str = "") -> list[Entry]:
        if seat >= 0:
            moves["Evil" if is_evil(room, seat) else "Good"] += 1
        return played(room, now, seat, action, id)

    def show(metrics: Metrics) -> bytes:
        return (
            shown(metrics)
            + "".join(f'roundtable_moves{{side="{side}"}} {moves[side]}\n' for side in sorted(moves)).encode()
        )

    patch.setattr(Metrics, "__init__", begin_again)
    patch.setattr(Metrics, "exposition", show)
    patch.setattr(game, "played", count)
