"""Leaks planted into the server on purpose: the twin test over the real server must catch every one of them.

Each patches one part of the server so that a secret leaks: by the content of a message, its audience, its size, the
number of messages, or their time.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
import pytest
from starlette.requests import Request
from starlette.responses import Response

from roundtable.core.actions import Remark
from roundtable.core.entries import Entry
from roundtable.core.errors import IllegalAction, Problem, RoomRefused, RoundTableError
from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK
from roundtable.core.play import Play
from roundtable.core.seats import HOST, SPECTATOR
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.saviom.actions import Hunt
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.protocol import Answered, Refused, encoded
from roundtable.protocol.compression import CompressedBody
from roundtable.protocol.rooms import ChangeSettings, Start, StepAway, View
from roundtable.rooms import (
    Room,
    RoomRegistry,
    archive,
    bot_scheduler,
    commands,
    dispatcher,
    game,
    lobby,
    looking,
    members,
    sessions,
    timers,
    updates,
)
from roundtable.rooms import room as rooms
from roundtable.rooms import snapshot as snapshots
from roundtable.rooms.bot_scheduler import BotTurns
from roundtable.rooms.commands import Command, Context, Decision
from roundtable.rooms.dispatcher import ROUTES, HandlerCall, Route
from roundtable.rooms.events import BotStoodIn, RoomRow
from roundtable.rooms.presence import Presence
from roundtable.rooms.sessions import Session
from roundtable.rooms.snapshot import snapshot
from roundtable.rooms.state import RoomState
from roundtable.rooms.updates import Piece, Update, text_of
from roundtable.server import api, moderator, sockets
from roundtable.server.api import Api
from roundtable.server.app import Application
from roundtable.server.game_text import game_text
from roundtable.server.metrics import Metrics
from roundtable.server.records import Records
from roundtable.server.sockets import Sockets
from roundtable.server.static_files import Page
from roundtable.storage import MemoryLog
from support.twin_room import FIRST_ID, HOST_MEMBER, token_of

Plant = Callable[[pytest.MonkeyPatch], None]


class Leak(NamedTuple):
    name: str
    game: str
    plant: Plant
    table: dict[str, Any]  # under which the leak can show
    first_table: int  # where the search begins: for a leak that shows at few tables, at one of them
    rounds: int  # that are played


LEAKS: list[Leak] = []

logger = logging.getLogger("roundtable.rooms")


PHASES = 12  # of each game; most are not over by then


def leak(game: str, first_table: int = 0, rounds: int = PHASES, **table: Any) -> Callable[[Plant], Plant]:
    """Keep a leak; its name is the function's."""

    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant.__name__, game, plant, table, first_table, rounds))
        return plant

    return keep


def is_evil(room: RoomState, seat: int) -> bool:
    assert room.play is not None
    return room.play.state.roles[seat] in (*EVIL_ROLES, SaviomRole.WOLF)


# Content


@leak("avalon")
def numbers_are_shared_between_listeners(patch: pytest.MonkeyPatch) -> None:
    real = Update.piece

    def piece(now: Update, news: Sequence[Event], step: int) -> Piece:
        assert now.play is not None
        made, places = real(now, news, step), {id(event): place for place, event in enumerate(now.play.events)}
        told = [told | {"number": places[id(event)]} for told, event in zip(json.loads(made.text), news, strict=False)]
        return Piece(json.dumps(told), made.events, made.has_secret)

    patch.setattr(Update, "piece", piece)


@leak("avalon", spectator_delay=0)
def those_who_watch_hear_everything(patch: pytest.MonkeyPatch) -> None:
    real = Play.events_for
    patch.setattr(Play, "events_for", lambda play, who: play.events if who == SPECTATOR else real(play, who))


@leak("saviom", first_table=2, bots=0, seats=8)
def the_dead_hear_the_hunt(patch: pytest.MonkeyPatch) -> None:
    def events_for(play: Play[Any, Any], listener: int) -> list[Event]:
        is_dead = listener >= 0 and listener not in play.state.alive
        return [
            event
            for event in play.events
            if listener in event.audience or (is_dead and type(event).__name__ == "HuntMarked")
        ]

    patch.setattr(Play, "events_for", events_for)


@leak("avalon", first_table=1, bots=0)
def lengths_show_how_much_a_player_was_told(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sessions, "BACKLOG_STEP", 1)
    patch.setattr(updates, "NEWS_STEP", 1)


@leak("saviom", bots=0)
def lengths_show_what_a_player_is_asked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updates, "ASKED_STEP", 1)
    patch.setattr(updates, "ASKED_STEP_PER_SEAT", 0)


@leak("thavalon", bots=0)
def lengths_show_how_much_of_a_view_is_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updates, "VIEW_STEP", 1)


@leak("thavalon", bots=0)
def lengths_follow_from_what_another_player_was_told(patch: pytest.MonkeyPatch) -> None:
    """To pad all frames up to the longest would tell its length to all players."""
    real = Update.view_of_seat

    def longest(now: Update, play: Play[Any, Any], seat: int, heard: int) -> str:
        seats = range(play.state.setup.seats)
        length = max(len(now.view(play, one, len(play.events_for(one)))) for one in seats)
        return now.view(play, seat, heard).ljust(length) if seat >= 0 else real(now, play, seat, heard)

    patch.setattr(Update, "view_of_seat", longest)


@leak("avalon", bots=0)
def a_view_is_made_from_the_truth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Play, "view", lambda play, listener, heard=None: play.state.writable_copy())


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

    def game(session: Session, now: Any, play: Play[Any, Any], has_missed: bool) -> None:
        before = len(session._waiting)
        real(session, now, play, has_missed)
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


@leak("avalon", first_table=4)
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
    patch.setattr(RoomRegistry, "_require_over", lambda *_: None)
    patch.setattr(archive, "reveals_secrets", lambda row: True)


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


@leak("saviom", first_table=13, bots=0)
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


@leak("saviom", first_table=3, bots=0)
def a_returning_client_is_told_more_after_an_odd_number_of_events(patch: pytest.MonkeyPatch) -> None:
    real = Session._welcome

    def greet(session: Session, now: Any, play: Play[Any, Any], listener: int) -> str:
        welcome = real(session, now, play, listener)
        session.heard = 0 if len(play.events) % 2 else session.heard
        return welcome

    patch.setattr(Session, "_welcome", greet)


@leak("saviom", first_table=15, bots=0, often={"/api/rooms"})
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


@leak("saviom", first_table=5, bots=0, takeover_seconds=5, idle_seconds=30)
def a_bot_stands_in_sooner_for_a_wolf(patch: pytest.MonkeyPatch) -> None:
    real = timers.takeovers

    def takeovers(room: RoomState, context: Context) -> list[tuple[int, int]]:
        return [(at - 1500 * is_evil(room, seat), seat) for at, seat in real(room, context)]

    patch.setattr(timers, "takeovers", takeovers)


@leak("saviom", first_table=7, bots=0, idle_seconds=30)
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

    def question(room: RoomState, seat: int, number: int = 1, *, is_remark: bool = False) -> Any:
        assert room.play is not None
        logger.info("a bot thinks at seat %d as %s", seat, room.play.state.roles[seat])
        return real(room, seat, number, is_remark=is_remark)

    patch.setattr(bot_scheduler, "question", question)


@leak("avalon", bots=0, quest_seconds=5, takeover_seconds=None)
def who_missed_a_quest_is_logged(patch: pytest.MonkeyPatch) -> None:
    real = game.time_is_up

    def time_is_up(room: RoomState, now: int) -> list[Entry]:
        if room.play is not None and room.play.phase.name == "quest":
            logger.info("laid for %s", sorted(room.play.phase.awaited - set(room.play.state.cards)))
        return real(room, now)

    patch.setattr(game, "time_is_up", time_is_up)


@leak("avalon", bots=0, often={"/metrics"})
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


# Addresses


SCRIPT = "/api/rooms/{code}/script/{language}"
Cues = list[dict[str, Any]]


def script_where(patch: pytest.MonkeyPatch, change: Callable[[RoomState, Cues], Cues]) -> None:
    """A narrator reads the script with this change, which may follow from what is secret in the room."""
    real = Api.script

    async def script(api: Api, request: Request, body: Any) -> tuple[int, bytes]:
        status, text = await real(api, request, body)
        room = (await api._registry.find(request.path_params["code"])).state
        cues = msgspec.json.decode(text)["cues"]
        return status, msgspec.json.encode({"cues": change(room, cues) if room.play is not None else cues})

    patch.setattr(Api, "script", script)


def evil_leads(room: RoomState) -> bool:
    return room.play is not None and is_evil(room, room.play.state.leader)


@leak("avalon", in_person="phones", often={SCRIPT})
def a_narrator_pauses_longer_while_evil_leads(patch: pytest.MonkeyPatch) -> None:
    script_where(patch, lambda room, cues: [cue | {"pause": cue["pause"] + evil_leads(room)} for cue in cues])


@leak("avalon", in_person="narrated", bots=0, often={SCRIPT}, rounds=2)
def a_narrator_calls_evil_by_a_seat(patch: pytest.MonkeyPatch) -> None:
    def change(room: RoomState, cues: Cues) -> Cues:
        evil = next(seat for seat in range(len(room.places)) if is_evil(room, seat))
        return [cue | {"text": cue["text"].replace("Evil", f"Evil at seat {evil}")} for cue in cues]

    script_where(patch, change)


@leak("avalon", in_person="narrated", bots=0, often={SCRIPT}, rounds=2)
def the_sound_of_the_night_begins_later_where_the_first_seat_is_evil(patch: pytest.MonkeyPatch) -> None:
    script_where(patch, lambda room, cues: [cue | {"is_dark": cue["is_dark"] and not is_evil(room, 0)} for cue in cues])


@leak("thavalon", first_table=5, in_person="phones", often={SCRIPT})
def a_narrator_reads_a_line_less_where_agravaine_was_not_dealt(patch: pytest.MonkeyPatch) -> None:
    script_where(patch, lambda room, cues: cues if is_dealt(room.play, Role.AGRAVAINE) else cues[:-1])


@leak("thavalon", first_table=3, in_person="phones", often={SCRIPT})
def a_narrator_names_the_roles_that_were_dealt(patch: pytest.MonkeyPatch) -> None:
    def change(room: RoomState, cues: Cues) -> Cues:
        dealt = sorted(set(room.play.state.roles.values()))  # type: ignore[union-attr]
        return [cues[0] | {"text": ", ".join(dealt)}, *cues[1:]]

    script_where(patch, change)


@leak("thavalon", first_table=14, in_person="phones", seats=10, often={SCRIPT})
def a_narrator_waits_for_colgrevance_to_look(patch: pytest.MonkeyPatch) -> None:
    def change(room: RoomState, cues: Cues) -> Cues:
        longer = 5 * is_dealt(room.play, Role.COLGREVANCE)
        return [cue | {"pause": cue["pause"] and cue["pause"] + longer} for cue in cues]

    script_where(patch, change)


@leak("saviom", first_table=2, in_person="phones", bots=0, mode="advanced", reveal_on_death="none", often={SCRIPT})
def a_narrator_does_not_call_the_dead(patch: pytest.MonkeyPatch) -> None:
    def change(room: RoomState, cues: Cues) -> Cues:
        state = room.play.state  # type: ignore[union-attr]
        alive = {state.roles[seat] for seat in state.alive}
        gone = [role for role in (SaviomRole.SEER, SaviomRole.PROTECTOR) if role not in alive]
        return [cue for cue in cues if not cue["text"].startswith(tuple(gone))]

    script_where(patch, change)


@leak("saviom", first_table=2, in_person="phones", bots=0, mode="advanced", reveal_on_death="none", often={SCRIPT})
def a_narrator_waits_less_for_the_dead(patch: pytest.MonkeyPatch) -> None:
    def change(room: RoomState, cues: Cues) -> Cues:
        state = room.play.state  # type: ignore[union-attr]
        has_died = SaviomRole.SEER not in {state.roles[seat] for seat in state.alive}
        return [cue | {"pause": cue["pause"] // (2 if cue["is_dark"] and has_died else 1)} for cue in cues]

    script_where(patch, change)


@leak("saviom", first_table=12, in_person="narrated", bots=0, often={SCRIPT}, rounds=2)
def the_sound_of_the_night_rests_if_a_wolf_sits_at_the_first_seat(patch: pytest.MonkeyPatch) -> None:
    def change(room: RoomState, cues: Cues) -> Cues:
        return [cue | {"is_dark": cue["is_dark"] and not (is_evil(room, 0) and cue["pause"])} for cue in cues]

    script_where(patch, change)


@leak("saviom", bots=0, in_person="phones")
def the_phone_of_a_wolf_narrates_the_hunt(patch: pytest.MonkeyPatch) -> None:
    public_to_its_listeners(patch, "HuntMarked")


@leak("avalon", bots=0, in_person="phones")
def a_phone_narrates_the_card_of_its_owner(patch: pytest.MonkeyPatch) -> None:
    public_to_its_listeners(patch, "RoleDealt")


def public_to_its_listeners(patch: pytest.MonkeyPatch, kind: str) -> None:
    """Events of this kind say to those who hear them that everyone does, so that a phone speaks of them."""
    real = Update._told

    def told(now: Update, event: Event) -> str:
        said = real(now, event)
        return re.sub(r'"audience":\[[^]]*\]', '"audience":"everyone"', said) if type(event).__name__ == kind else said

    patch.setattr(Update, "_told", told)


# The moderator


MODERATED: dict[str, Any] = {"in_person": "narrated", "has_moderator": True, "bots": 0, "rounds": 2}


@leak("avalon", often={"/api/rooms/{code}/moderator/{language}"}, **MODERATED)
def every_member_may_read_what_the_moderator_sees(patch: pytest.MonkeyPatch) -> None:
    real = moderator.dealt_roles

    def to_all(room: RoomState, token: str, lang: str) -> Any:
        return real(room, token_of(HOST), lang)

    patch.setattr(api, "dealt_roles", to_all)


@leak("thavalon", first_table=6, often={"/api/rooms/{code}/moderator/{language}"}, **MODERATED)
def a_refusal_of_the_moderators_view_counts_what_is_in_it(patch: pytest.MonkeyPatch) -> None:
    real = moderator.dealt_roles

    def dealt_roles(room: RoomState, token: str, lang: str) -> Any:
        try:
            return real(room, token, lang)
        except RoomRefused as refused:
            seen = real(room, token_of(HOST), lang) if room.play is not None else None
            raise RoomRefused(refused.code, refused.variant, length=len(str(seen))) from refused

    patch.setattr(api, "dealt_roles", dealt_roles)


@leak("saviom", **MODERATED)
def the_room_tells_what_the_moderator_sees(patch: pytest.MonkeyPatch) -> None:
    def shown_with_wolves(room: RoomState, presence: Presence) -> Any:
        shown = snapshot(room, presence)
        wolves = [seat for seat in range(len(room.places)) if room.moderator and is_evil(room, seat)]
        notices = [msgspec.structs.replace(one, values={**one.values, "seen": wolves}) for one in shown.notices]
        return msgspec.structs.replace(shown, notices=tuple(notices))

    patch.setattr(rooms, "snapshot", shown_with_wolves)


@leak("saviom", first_table=2, bots=0)
def the_list_of_games_grows_with_every_row(patch: pytest.MonkeyPatch) -> None:
    real = RoomRegistry.games
    written = count_rows(patch)

    async def games(registry: RoomRegistry, typed: str) -> bytes:
        return await real(registry, typed) + b" " * written["rows"]

    patch.setattr(RoomRegistry, "games", games)


@leak("avalon", first_table=2, often={"/api/rooms/{code}/membership"})
def a_member_who_looks_at_home_learns_whether_evil_leads(patch: pytest.MonkeyPatch) -> None:
    def own_table(room: RoomState, token: str) -> Any:
        return msgspec.structs.replace(snapshots.own_table(room, token), has_stand_in=evil_leads(room))

    patch.setattr(api, "own_table", own_table)


@leak("avalon", merlin=True)
def a_replay_that_is_refused_names_merlin(patch: pytest.MonkeyPatch) -> None:
    real = Records.replay

    async def replay(records: Records, request: Request, body: Any) -> tuple[int, CompressedBody]:
        try:
            return await real(records, request, body)
        except RoomRefused as refused:
            room = (await records._registry.find(request.path_params["code"])).state
            roles = room.play.state.roles if room.play is not None else {}
            merlin = next((seat for seat in roles if roles[seat] is Role.MERLIN), None)
            raise RoomRefused(refused.code, refused.variant, merlin=merlin) from refused

    patch.setattr(Records, "replay", replay)


@leak("saviom", first_table=2, bots=0)
def the_record_of_an_earlier_game_grows_with_this_one(patch: pytest.MonkeyPatch) -> None:
    real = archive.Archive._look_up

    async def look_up(self: archive.Archive, key: Any, encode: Any) -> CompressedBody:
        body = await real(self, key, encode)
        return CompressedBody(body.plain + b"\n" * len(await self._log.read(key[0])))

    patch.setattr(archive.Archive, "_look_up", look_up)


@leak("avalon", first_table=13)
def a_replay_of_an_earlier_game_goes_on_with_this_one(patch: pytest.MonkeyPatch) -> None:
    real = archive.heard_by

    def heard_by(listener: str, seats: int) -> Any:
        hears = real(listener, seats)
        return lambda event: hears(event) and written["rows"] % 2

    written = count_rows(patch)
    patch.setattr(archive, "heard_by", heard_by)


@leak("saviom", first_table=10, bots=0)
def the_text_of_a_game_gets_longer_with_every_row(patch: pytest.MonkeyPatch) -> None:
    written = count_rows(patch)
    patch.setattr(api, "game_text", lambda game, language: game_text(game, language).plain + b" " * written["rows"])


@leak("saviom", first_table=3, bots=0)
def the_page_of_a_room_is_tagged_by_its_rows(patch: pytest.MonkeyPatch) -> None:
    real = Page.answer
    written = count_rows(patch)

    def answer(page: Page, request: Request, status: int = 200) -> Response:
        return real(page._replace(etag=f'"{written["rows"]}"'), request, status)

    patch.setattr(Page, "answer", answer)


@leak("saviom", bots=0)
def a_secret_move_uses_up_the_randomness_of_codes_and_tokens(patch: pytest.MonkeyPatch) -> None:
    real = Room._append

    async def append(room: Room, rows: Any) -> None:
        room._services.entropy(1)
        await real(room, rows)

    patch.setattr(Room, "_append", append)


def count_rows(patch: pytest.MonkeyPatch) -> Counter[str]:
    """How many rows were written since a server started."""
    written: Counter[str] = Counter()
    append, start = MemoryLog.append, Application.__init__

    async def count(log: MemoryLog, room: str, known: int, rows: Any, card: Any) -> None:
        await append(log, room, known, rows, card)
        written["rows"] += len(rows)

    def begin(app: Application, *services: Any, **more: Any) -> None:
        written.clear()
        start(app, *services, **more)

    patch.setattr(MemoryLog, "append", count)
    patch.setattr(Application, "__init__", begin)
    return written


# Requests and other messages


@leak("avalon", often={"Kick", "Leave"})
def the_room_shows_the_side_of_those_who_have_left(patch: pytest.MonkeyPatch) -> None:
    def shown_with_sides(room: RoomState, presence: Presence) -> Any:
        shown = snapshot(room, presence)
        left = [seat for seat, place in enumerate(room.places) if place.finishes_game and room.play is not None]
        sides = "".join("E" if is_evil(room, seat) else "G" for seat in left)
        return msgspec.structs.replace(shown, notices=(*shown.notices, sides)) if left else shown

    patch.setattr(rooms, "snapshot", shown_with_sides)


@leak("avalon", bots=0, often={"StepAway"})
def no_bot_stands_in_for_evil_who_step_away(patch: pytest.MonkeyPatch) -> None:
    def step_away(room: RoomState, context: Context, member: int, request: Any) -> Decision:
        seat = room.seat_of(member)
        is_kept = seat is not None and room.play is not None and is_evil(room, seat)
        return commands.NOTHING if is_kept else members.step_away(room, context, member, request)

    patch.setitem(dispatcher.REQUESTS, StepAway, dispatcher.RequestRoute(step_away))


@leak("avalon", bots=0, unready=2, rounds=1)
def bots_play_for_the_unready_if_they_are_good(patch: pytest.MonkeyPatch) -> None:
    def start(room: RoomState, context: Context, member: int, request: Any) -> Decision:
        decision = game.start(room, context, member, request)
        assert decision.play is not None
        roles, (started, *entries) = decision.play.state.roles, decision.rows
        assert isinstance(started, RoomRow)
        shown = [one for one in started.events if not (isinstance(one, BotStoodIn) and roles[one.seat] in EVIL_ROLES)]
        return decision._replace(rows=[RoomRow(events=shown), *entries])

    patch.setitem(dispatcher.REQUESTS, Start, dispatcher.REQUESTS[Start]._replace(handler=start))


@leak("saviom", first_table=20, bots=3, often={"TakeSeat"})
def a_host_who_takes_a_seat_hears_the_hunt(patch: pytest.MonkeyPatch) -> None:
    real = Session._game

    def game(session: Session, now: Any, play: Play[Any, Any], has_missed: bool) -> None:
        real(session, now, play, has_missed)
        if session.member == HOST_MEMBER and session._listener != SPECTATOR:
            session.send(Refused(id="", code="", message=str(play.state.hunts)))

    patch.setattr(Session, "_game", game)


@leak("avalon", first_table=1, often={"ChangeSettings"})
def a_refused_change_of_settings_tells_whether_evil_leads(patch: pytest.MonkeyPatch) -> None:
    real = lobby.change_settings

    def change_settings(room: RoomState, context: Context, member: int, request: Any) -> Decision:
        try:
            return real(room, context, member, request)
        except RoundTableError as refused:
            evil = room.play is not None and is_evil(room, room.play.state.leader)
            raise RoomRefused("room/stage", "deal_only_setting", evil=evil) from refused

    patch.setitem(dispatcher.REQUESTS, ChangeSettings, dispatcher.RequestRoute(change_settings, host_only=True))


@leak("avalon", first_table=7, often={"Silence"})
def a_silenced_player_learns_the_side_of_the_leader(patch: pytest.MonkeyPatch) -> None:
    def require_may_talk(room: RoomState, member: int) -> None:
        if room.members[member].is_silenced and room.play is not None and is_evil(room, room.play.state.leader):
            raise RoomRefused("talk/silenced", "chat")
        members.require_may_talk(room, member)

    patch.setattr(game, "require_may_talk", require_may_talk)


@leak("saviom", first_table=1, bots=0)
def an_id_of_an_earlier_game_tells_how_long_this_one_is(patch: pytest.MonkeyPatch) -> None:
    real = game._act

    def act(room: RoomState, context: Context, session: Session, message: Any) -> Any:
        is_old = room.request_ids.has(session.member, message.id) and message.id == FIRST_ID
        if is_old and room.play is not None and len(room.play.entries) % 2:
            raise IllegalAction("action/id_reused")
        return real(room, context, session, message)

    patch.setattr(game, "_act", act)


@leak("saviom", first_table=1, bots=0)
def an_id_that_stood_for_something_else_tells_how_much_was_done(patch: pytest.MonkeyPatch) -> None:
    real = dispatcher.refused

    def refused(room: RoomState, context: Context, command: Command, error: RoundTableError) -> Decision:
        if error.code == "action/id_reused":
            error = IllegalAction(error.code, rows=room.version)
        return real(room, context, command, error)

    patch.setattr(dispatcher, "refused", refused)


@leak("saviom", first_table=1, bots=0, often={"Ping"})
def a_pong_tells_the_time_of_the_last_row(patch: pytest.MonkeyPatch) -> None:
    real = Sockets._take

    def take(self: Sockets, room: Room, session: Session, text: str) -> None:
        if sockets.is_ping(text):
            session.send(Refused(id="", code="", message=str(room.state.written_at)))
        real(self, room, session, text)

    patch.setattr(Sockets, "_take", take)


# Private talk


def private_remark(action: Any) -> bool:
    return isinstance(action, Remark) and action.channel != OPEN_TALK


@leak("saviom", first_table=7, bots=0, idle_seconds=30, takeover_seconds=None)
def a_private_remark_is_a_sign_of_life(patch: pytest.MonkeyPatch) -> None:
    real = game.is_public
    patch.setattr(game, "is_public", lambda entry: real(entry) or private_remark(entry.action))


@leak("saviom", bots=0)
def a_private_remark_holds_the_clock_for_a_moment(patch: pytest.MonkeyPatch) -> None:
    real = game.played

    def played(room: RoomState, now: int, seat: int, action: Any, id: str = "") -> list[Entry]:
        entries = real(room, now, seat, action, id)
        if entries and private_remark(action) and room.clock.ends_at is not None:
            room.clock.ends_at += 40
        return entries

    patch.setattr(game, "played", played)


@leak("saviom", bots=0)
def a_private_remark_is_logged(patch: pytest.MonkeyPatch) -> None:
    real = game.played

    def played(room: RoomState, now: int, seat: int, action: Any, id: str = "") -> list[Entry]:
        entries = real(room, now, seat, action, id)
        if entries and private_remark(action):
            logger.info("seat %d remarked something", seat)
        return entries

    patch.setattr(game, "played", played)


# Bots


@leak("avalon", bots=3)
def a_bot_is_told_everything(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.question

    def question(room: RoomState, seat: int, number: int = 1, *, is_remark: bool = False) -> Any:
        assert room.play is not None
        own = [event for event in room.play.events_for(seat) if type(event).__name__ == "RoleDealt"]
        return real(room, seat, number, is_remark=is_remark)._replace(heard=[*own, *room.play.events])

    patch.setattr(bot_scheduler, "question", question)


@leak("thavalon", bots=3)
def the_randomness_of_a_bot_follows_from_all_roles(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.question

    def question(room: RoomState, seat: int, number: int = 1, *, is_remark: bool = False) -> Any:
        asked = real(room, seat, number, is_remark=is_remark)
        assert room.play is not None
        return asked._replace(key=sha256(asked.key + str(sorted(room.play.state.roles.items())).encode()).digest())

    patch.setattr(bot_scheduler, "question", question)


@leak("avalon", bots=3, bot_pace="instant")
def a_bot_without_patience_answers_as_soon_as_it_knows(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.left_to_think
    patch.setattr(bot_scheduler, "left_to_think", lambda step, taken: real(step, taken) if step else 0)


@leak("saviom", first_table=4, bots=3)
def bots_wait_for_one_another_by_night(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.draw_turns

    def draw_turns(turns: BotTurns, room: RoomState, now: int) -> BotTurns:
        drawn = real(turns, room, now)
        if drawn.phase == turns.phase or room.play is None or room.play.phase.name != "night":
            return drawn
        wolves_last = sorted((seat for _, seat in drawn.turns), key=lambda seat: (is_evil(room, seat), seat))
        return drawn._replace(turns=tuple((at, seat) for (at, _), seat in zip(drawn.turns, wolves_last, strict=True)))

    patch.setattr(rooms, "draw_turns", draw_turns)


# The first look


@leak("avalon", look_seconds=3, often=["SayLooked"])
def looks_are_listed_by_role(patch: pytest.MonkeyPatch) -> None:
    real = looking.seats_that_looked
    patch.setattr(
        looking, "seats_that_looked", lambda room: tuple(sorted(real(room), key=lambda seat: is_evil(room, seat)))
    )


@leak("saviom", first_table=3, look_seconds=3)
def the_first_night_begins_sooner_if_a_wolf_sits_at_the_first_seat(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(looking, "ends_at", lambda room, held_until: held_until - 500 * is_evil(room, 0))


# What bots say, and how often they are asked


@leak("avalon", first_table=2, bots=3)
def only_evil_bots_speak(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.may_speak
    patch.setattr(bot_scheduler, "may_speak", lambda room, seat: real(room, seat) and is_evil(room, seat))


@leak("saviom", bots=3, mode="advanced")
def the_seer_speaks_later_than_others(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler.draw_turns

    def draw_turns(turns: BotTurns, room: RoomState, now: int) -> BotTurns:
        drawn = real(turns, room, now)
        if drawn.phase == turns.phase or room.play is None:
            return drawn
        roles = room.play.state.roles
        later = tuple((at + 150 * (roles[seat] is SaviomRole.SEER), seat) for at, seat in drawn.remarks)
        return drawn._replace(remarks=later)

    patch.setattr(rooms, "draw_turns", draw_turns)


@leak("avalon", first_table=1, bots=3)
def a_bot_says_nothing_if_it_has_nothing_to_hide(patch: pytest.MonkeyPatch) -> None:
    real = game.bot_move

    def bot_move(room: RoomState, context: Context, command: commands.BotMove) -> Decision:
        is_dropped = isinstance(command.move, Remark) and not is_evil(room, command.seat)
        return commands.NOTHING if is_dropped else real(room, context, command)

    patch.setitem(ROUTES, commands.BotMove, Route((HandlerCall(bot_move),)))


@leak("saviom", bots=3)
def bots_are_asked_until_the_wolves_agree(patch: pytest.MonkeyPatch) -> None:
    real = bot_scheduler._next_round

    def next_round(turns: BotTurns, room: RoomState, play: Play[Any, Any], now: int) -> BotTurns:
        drawn = real(turns, room, play, now)
        is_settled = play.state.living_wolves <= set(play.state.hunts)
        return drawn._replace(turns=turns.turns) if play.phase.name == "night" and is_settled else drawn

    patch.setattr(bot_scheduler, "_next_round", next_round)


# Rare roles, and what is public of the truth


def is_dealt(play: Play[Any, Any] | None, role: Any) -> bool:
    return play is not None and role in play.state.roles.values()


@leak("thavalon", first_table=4, vote_seconds=5, seats=10)
def a_vote_ends_sooner_where_colgrevance_plays(patch: pytest.MonkeyPatch) -> None:
    earlier_where(patch, "vote", Role.COLGREVANCE)


@leak("thavalon", first_table=50, quest_seconds=5, seats=8)
def a_quest_ends_sooner_where_agravaine_plays(patch: pytest.MonkeyPatch) -> None:
    earlier_where(patch, "quest", Role.AGRAVAINE)


@leak("avalon", first_table=1, propose_seconds=5)
def a_leader_has_less_time_if_left_of_oberon(patch: pytest.MonkeyPatch) -> None:
    real = RoomState.absorb_entry

    def absorb_entry(room: RoomState, entry: Entry, at: int) -> None:
        real(room, entry, at)
        play = room.play
        if play is not None and play.phase.name == "propose" and room.clock.ends_at == at + 5000:
            is_after = play.state.roles[play.state.leader - 1 if play.state.leader else len(room.places) - 1]
            room.clock.ends_at -= 30 * (is_after is Role.OBERON)

    patch.setattr(RoomState, "absorb_entry", absorb_entry)


def earlier_where(patch: pytest.MonkeyPatch, phase: str, role: Role) -> None:
    """A phase of this name ends a moment earlier where the role was dealt."""
    real = RoomState.absorb_entry

    def absorb_entry(room: RoomState, entry: Entry, at: int) -> None:
        real(room, entry, at)
        if is_dealt(room.play, role) and room.play.phase.name == phase and room.clock.ends_at == at + 5000:  # type: ignore[union-attr]
            room.clock.ends_at -= 20

    patch.setattr(RoomState, "absorb_entry", absorb_entry)


@leak("saviom", mode="advanced")
def the_truth_awaits_a_living_seer_alone(patch: pytest.MonkeyPatch) -> None:
    real = Play._append

    def append(play: Play[Any, Any], actor: int, action: Any, id: str, now: Any) -> Entry:
        entry = real(play, actor, action, id, now)
        if play.is_dealt and play.phase.name == "night" and is_dealt(play, SaviomRole.SEER):
            seers = frozenset(seat for seat in play.state.alive if play.state.roles[seat] is SaviomRole.SEER)
            play.state = play.state.copy()
            play.state.phase = play.phase._replace(awaited=seers)
        return entry

    patch.setattr(Play, "_append", append)
