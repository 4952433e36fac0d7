"""A live room: commands go through one queue; decisions are appended to the log, and only then published."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused, RoundTableError
from roundtable.core.play import Play
from roundtable.protocol import bodies
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER, encoded_entry
from roundtable.rooms import commands, dispatcher, members
from roundtable.rooms.bot_scheduler import BotTurns, GamePhase, ask_bots, draw_turns, thinking_time
from roundtable.rooms.bot_workers import Question
from roundtable.rooms.commands import Command, Context, Decision, Effect, busy
from roundtable.rooms.dispatcher import ROUTES, Step
from roundtable.rooms.events import GameRow, RoomRow
from roundtable.rooms.guests import new_token
from roundtable.rooms.presence import Presence
from roundtable.rooms.reducer import absorb_row, read_state
from roundtable.rooms.services import Services, Unsaved
from roundtable.rooms.sessions import Connections, Session, Update, text_of
from roundtable.rooms.snapshot import snapshot, visible_to_spectators
from roundtable.rooms.state import RoomState
from roundtable.rooms.summary import summary_of
from roundtable.rooms.timers import next_due
from roundtable.storage import Conflict, LogFailed, RoomSummary, Row

COME_AGAIN = (1013, "room/busy")  # how connections are closed to a room that cannot be read
TRIES = 8  # at a row that other servers keep writing first
ANSWERED = (commands.Act, commands.Ask)  # commands with an id: each gets exactly one reply over its connection
RETRY_AFTER = 500  # milliseconds after a failed write before anything that is due is tried again

logger = logging.getLogger("roundtable.rooms")


class Room:
    """One room. Its methods may be called at any time; their commands are handled one after the other.

    A handler decides (`dispatcher.py`). The room alone appends to the log, publishes to its connections, sets its timer
    and asks bots.
    """

    def __init__(self, code: str, services: Services) -> None:
        self.code = code
        self.state = RoomState(code=code)
        self.is_stopped = False
        self._services = services
        self._connections = Connections()
        self._presence = Presence()
        self._queue: deque[tuple[Command, asyncio.Future[Any] | None]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._waiting: set[asyncio.Future[Any]] = set()  # for a reply
        self._is_stale = False  # whether memory and log may differ
        self._summary: RoomSummary | None = None  # the one in the log, where that is known
        self._summary_key: object = None
        self._text = ""  # the snapshot that was published last
        self._text_key: object = None
        self._moment: object = None  # the phase and clock for which the timer was set
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0  # when the timer rings
        self._retry_at = 0  # after a failed write, nothing is tried before
        self._turns = BotTurns()
        self._thoughts: set[asyncio.Task[None]] = set()  # of bots that were asked

    def now(self) -> int:
        """The room's time in milliseconds since 1970. It goes on from the last row, even if the server's clock was set
        back."""
        return self._services.now() + self.state.ahead

    @property
    def play(self) -> Play[Any, Any] | None:
        return self.state.play

    @property
    def sessions(self) -> Mapping[Session, None]:
        return self._connections.sessions

    @property
    def is_idle(self) -> bool:
        """Whether the room can be dropped from memory and read again when it is needed."""
        is_working = self._worker is not None and not self._worker.done()
        return not (self._queue or is_working or self.sessions or self._thoughts)

    @property
    def rests_for(self) -> int:
        """Milliseconds until something is due."""
        return next_due(self.state, self._context(self.now())) - self.now()

    @property
    def unsaved(self) -> Unsaved:
        return Unsaved(0, self._presence.last_seen, self.state.ahead)

    # Before the first command

    async def open(self, opened: bodies.OpenRoom, setup: Any, token: str, network: str) -> int:
        """Write the first row; `Conflict` where there is a room with this code already."""
        happened = members.opened(self.code, opened.settings, setup, opened.name, token)
        await self._append(self._apply(Decision([RoomRow(events=happened)])))
        self._presence = self._presence.from_network(self.state, 1, network)
        self._publish()
        return 1

    async def load(self, unsaved: Unsaved) -> bool:
        """Read the room from the log; whether there is an open one."""
        self.state.ahead = unsaved.ahead
        if not await self._read():
            return False
        self._presence = Presence.restored(self.state, unsaved.last_seen, unsaved.since + self.state.ahead)
        self._publish()
        return not self.state.is_closed

    # The way in

    def enter(self, session: Session, enter: protocol.Enter) -> None:
        """A connection says who it is and what it heard last."""
        if self.is_stopped:
            self._connections.close(session, *COME_AGAIN)
        else:
            self._connections.entering[session] = None
            self._dispatch(commands.Enter(session, enter))

    def say(self, session: Session, message: Any) -> None:
        """A message from a client that has entered."""
        self._dispatch(commands.MESSAGES[type(message)](session, message))

    def leave(self, session: Session) -> None:
        """A connection has ended."""
        self._dispatch(commands.Leave(session))

    async def join(self, name: str, *, watch: bool, token: str | None = None, network: str = "") -> tuple[int, str]:
        """The new member's number and token, or those of the member who joined with the same token."""
        token = token or new_token(self._services.entropy)
        member: int = await self._call(commands.Join(name, token, network, watch))
        return member, token

    async def ask(self, token: str, request: Any, id: str = "") -> None:
        """A member's request without a connection; `RoundTableError` where it is refused."""
        await self._call(commands.Request(token, request, id))

    async def look(self) -> str:
        """The room as everyone may see it, in JSON."""
        text: str = await self._call(commands.Look())
        return text

    async def read_on(self) -> None:
        """Take in what another server has written since."""
        await self._call(commands.ReadOn())

    def check_clock(self) -> None:
        """The clock has jumped: do now what is due now."""
        if self._timer:
            self._timer.cancel()
            self._ring()

    def stop(self) -> None:
        """Drop the room from memory. Commands that wait are refused, to be sent to another room with the same code."""
        self.is_stopped = True
        self._connections.close_entering(*COME_AGAIN)
        if self._timer:
            self._timer.cancel()
        self._queue.clear()
        for reply in self._waiting:
            if not reply.done():
                reply.set_exception(busy())
        for task in [*self._thoughts, *([self._worker] if self._worker else [])]:
            if task is not asyncio.current_task():
                task.cancel()
        self._timer = self._worker = None  # they hold the room

    # One command after the other

    def _dispatch(self, command: Command, reply: asyncio.Future[Any] | None = None) -> None:
        if self.is_stopped:  # a second room with this code may have been read since
            return
        self._queue.append((command, reply))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())

    async def _call(self, command: Command) -> Any:
        """Dispatch a command and wait for its reply."""
        if self.is_stopped:
            raise busy()
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.add(reply)
        self._dispatch(command, reply)
        try:
            return await reply
        finally:
            self._waiting.discard(reply)
            del reply  # break the cycle between exception and frame

    async def _work(self) -> None:
        while self._queue:
            command, reply = self._queue.popleft()
            try:
                await self._handle(command, reply)
            except LogFailed as failed:
                logger.error("a room cannot be read: %s", failed)
                self._give_up()
            except Exception:
                logger.exception("a command failed in a room")
                self._mark_stale()
            if reply is not None and not reply.done():
                reply.set_exception(busy())
            self._connections.flush(self.state)

    async def _handle(self, command: Command, reply: asyncio.Future[Any] | None) -> None:
        route, answer = ROUTES[type(command)], None
        try:
            if self._is_stale:
                await self._reload()
            if route.reads_log:
                await self._read_on()
            for step in route.steps:
                try:
                    answer = await self._take(step, command)
                except RoomRefused:
                    if not step.is_optional:
                        raise
        except RoundTableError as error:
            self._refuse(command, reply, error)
        except LogFailed:  # every connection is closed, and clients send the command again
            raise
        except Exception:
            self._settle(command, dispatcher.failed(command))
            raise
        else:
            if reply is not None and not reply.done():
                reply.set_result(answer)
        if route.publishes:
            self._publish()

    def _refuse(self, command: Command, reply: asyncio.Future[Any] | None, error: RoundTableError) -> None:
        if reply is None:
            self._settle(command, dispatcher.refused(self.state, self._context(self.now()), command, error))
        elif not reply.done():
            reply.set_exception(error.with_traceback(None))  # its frames hold the reply

    # Decide, append, publish

    async def _take(self, step: Step, command: Command) -> Any:
        """Do what the handler decides, and reply. If another server writes first, read the room and decide again."""
        if self._is_stale:
            await self._reload()
        now, tries = self.now(), TRIES
        while tries:
            decision = self._decide(step, command, now)
            if isinstance(decision, RoundTableError):
                if not await self._read_on():  # otherwise the reason may be gone
                    try:
                        raise decision
                    finally:
                        del decision  # break the cycle between exception and frame
            elif not decision.rows or await self._write(decision):
                self._settle(command, decision)
                if not decision.is_more_due:
                    return decision.reply
                continue
            else:
                await self._reload()
            tries -= 1
        raise busy()

    def _decide(self, step: Step, command: Command, now: int) -> Decision | RoundTableError:
        """The error is returned, because compiled code must not wait while it handles an exception."""
        try:
            return step.handler(self.state, self._context(now), command)
        except RoundTableError as refused:
            return refused

    def _context(self, now: int) -> Context:
        has_connections, is_thinking = bool(self._connections.sessions), bool(self._thoughts)
        return Context(now, self._current_presence(), has_connections, self._turns, is_thinking, self._services.entropy)

    def _current_presence(self) -> Presence:
        connected = self._connections.members
        if self._presence.connected is not connected:
            self._presence = self._presence._replace(connected=connected)
        return self._presence

    async def _write(self, decision: Decision) -> bool:
        """Whether the rows were written; not where another server wrote first."""
        try:
            await self._append(self._apply(decision))
        except Conflict:
            return False
        except LogFailed as failed:
            logger.error("a room could not be written: %s", failed)
            self._mark_stale()
            raise busy() from failed
        return True

    def _apply(self, decision: Decision) -> list[Row]:
        """Change the state by what was decided. If it cannot be written, the room is read again."""
        state, at = self.state, max(self.now(), self.state.written_at)  # times in a log never go back
        rows = []
        for row in decision.rows:
            if isinstance(row, Entry):
                state.absorb_entry(row, at)
                rows.append(Row(at, ENCODER.encode(GameRow(entry=encoded_entry(row)))))
            else:
                absorb_row(state, row, at)
                rows.append(Row(at, ENCODER.encode(row)))
        if decision.play is not None:
            state.play = decision.play
        return rows

    async def _append(self, rows: Sequence[Row]) -> None:
        state = self.state
        key = state.summary_key
        summary = self._summary if key == self._summary_key else summary_of(state)
        news = None if summary == self._summary else summary
        await self._services.log.append(self.code, state.version, rows, news)
        state.version += len(rows)
        state.written_at = rows[-1].at
        self._summary, self._summary_key = summary, key

    def _settle(self, command: Command, decision: Decision) -> None:
        """Do everything that follows from a decision whose rows are written."""
        if decision.presence is not None:
            self._presence = decision.presence
        if decision.turns is not None:
            self._turns = decision.turns
        if decision.questions:
            self._ask_bots(decision.questions)
        if decision.rows:
            self._publish()
        elif decision.turns is not None:
            self._set_timer()
        for effect in decision.effects:
            self._carry_out(effect)
        if decision.reply is not None and isinstance(command, ANSWERED):
            command.session.send(decision.reply)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case commands.Connect(session, member, enter):
                self._connections.connect(session, member, enter, self.now())
            case commands.Disconnect(session):
                self._connections.disconnect(session)
            case commands.Close(session, code, reason):
                self._connections.close(session, code, reason)
            case commands.CloseAll(code, reason):
                self._connections.close_all(code, reason)

    def _publish(self) -> None:
        """Tell every connection what is new to it; draw the bots' turns and set the timer where the phase is new."""
        if self._is_stale:  # it may never have been written
            self._set_timer()
            return
        state, now = self.state, self.now()
        presence = self._current_presence()
        key = (state.changes, presence.connected, state.stage)
        has_room_changed = key != self._text_key
        if has_room_changed:
            self._text, self._text_key = text_of(snapshot(state, presence)), key
            self._presence = presence.of_members(state, now)
        visible = visible_to_spectators(state, now) if state.settings.spectator_delay else None
        self._connections.publish(Update(state, now, self._text, has_room_changed=has_room_changed, visible=visible))
        play, clock = state.play, state.clock
        moment = play and (state.number, play.phase.number, clock.ends_at, clock.is_paused)
        if has_room_changed or moment != self._moment or visible is not None or not self._timer:
            self._moment = moment  # within a phase, nothing gets due sooner than before
            self._turns = draw_turns(self._turns, state, now)
            self._set_timer()

    # The log

    async def _read(self) -> bool:
        rows = await self._services.log.read(self.code)
        self.state = await read_state(rows, self.state, self._services.now())
        self._summary = self._summary_key = None
        return bool(rows)

    async def _reload(self) -> None:
        self._is_stale = True
        await self._read()
        self._is_stale = False
        self._publish()

    async def _read_on(self) -> bool:
        """Whether another server has written since; then the room is read again."""
        try:
            has_news = bool(await self._services.log.read(self.code, self.state.version))
        except LogFailed as failed:
            raise busy() from failed
        if has_news:
            await self._reload()
        return has_news

    def _mark_stale(self) -> None:
        """Publish nothing before the room was read again. A full disk must not keep the server busy: what is due is
        tried again after a while."""
        self._is_stale = True
        self._retry_at = self.now() + RETRY_AFTER
        self._set_timer()

    def _give_up(self) -> None:
        """Memory and log may differ, and the log cannot be read: clients have to come again, to a new `Room`."""
        self._connections.close_all(*COME_AGAIN)
        self.stop()

    # Time and bots

    def _set_timer(self) -> None:
        """It may ring too early, and is then set again: cheaper than moving it with every command."""
        if self.is_stopped or self.state.is_closed:
            return
        now = self.now()
        due = max(next_due(self.state, self._context(now)), self._retry_at)
        if self._timer:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = asyncio.get_running_loop().call_later(max(0, due - now) / 1000, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if max(self._due, self._retry_at) > self.now():
            self._set_timer()
        else:
            self._dispatch(commands.Tick())

    def _ask_bots(self, questions: Sequence[Question]) -> None:
        thought = asyncio.get_running_loop().create_task(self._think(questions, self.state.phase_played))
        self._thoughts.add(thought)
        thought.add_done_callback(self._stop_thinking)

    async def _think(self, questions: Sequence[Question], phase: GamePhase | None) -> None:
        step = thinking_time(self.state)
        for seat, move in await ask_bots(self._services.workers, questions, step, self.now):
            self._dispatch(commands.BotMove(seat, phase, move))

    def _stop_thinking(self, thought: asyncio.Task[None]) -> None:
        self._thoughts.discard(thought)
        if thought.cancelled():
            return
        if thought.exception() is not None:
            logger.error("a bot could not think", exc_info=thought.exception())
        self._set_timer()
