"""A live room: commands go through one queue; decisions are appended to the log, and only then published."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from roundtable.core.chance import SEED_BYTES
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused, RoundTableError
from roundtable.core.play import Play
from roundtable.protocol import bodies
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER, encoded_entry
from roundtable.rooms import commands, dispatcher, members
from roundtable.rooms.archive import Executor, run_inline
from roundtable.rooms.bot_scheduler import BotTurns, GamePhase, ask_bots, draw_turns, thinking_time
from roundtable.rooms.bot_workers import BotWorkers, Question
from roundtable.rooms.commands import Command, Context, Decision, Effect, broken, busy
from roundtable.rooms.dispatcher import ROUTES, HandlerCall
from roundtable.rooms.events import GameRow
from roundtable.rooms.guests import Entropy, new_token
from roundtable.rooms.networks import Payer, WriteBudget, payer_of
from roundtable.rooms.presence import Presence, Unsaved
from roundtable.rooms.reducer import absorb_row, read_state, unreadable_room
from roundtable.rooms.sessions import Connections, Session
from roundtable.rooms.site_policy import SitePolicy
from roundtable.rooms.snapshot import snapshot, summary_of, visible_to_spectators
from roundtable.rooms.state import RoomState
from roundtable.rooms.timers import next_due, takeovers
from roundtable.rooms.updates import PublicRoom, Update
from roundtable.storage import Conflict, LeaseLost, Log, LogFailed, LogLost, RoomSummary, RoomUnreadable, Row

CLOSE_BUSY = (1013, "room/busy")  # how connections to a room that cannot be read are closed
CLOSE_MOVED = (1012, "")  # how connections are closed when another worker may run the room
MOST_ATTEMPTS = 8  # at writing a row, if the log has more rows each time
ANSWERED = (commands.ActCommand, commands.AskCommand)  # commands with an id: each gets exactly one reply
COMMANDS_PER_TURN = 20  # that a room handles before other tasks get a turn
RETRY_AFTER = 500  # milliseconds between a failure of the timer's own command and the next attempt at what is due

T = TypeVar("T")

logger = logging.getLogger("roundtable.rooms")


@dataclass(frozen=True)
class Services:
    """What rooms need of the server."""

    log: Log
    now: Callable[[], int]  # milliseconds since 1970
    entropy: Entropy
    workers: BotWorkers
    executor: Executor = run_inline  # for records of finished games
    address: str = ""  # where other workers of the site reach this one
    budget: WriteBudget | None = None  # of what talk and requests may write
    policy: SitePolicy = field(default_factory=SitePolicy)


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
        self._is_stale = False  # whether memory may be ahead of the log
        self._summary: RoomSummary | None = None  # the one in the log, where that is known
        self._summary_key: object = None
        self._public: PublicRoom | None = None  # what was published last
        self._public_key: object = None
        self._timer_key: object = None  # the phase and clock for which the timer was set
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0  # when the timer fires
        self._retry_at = 0  # when the timer may try again; no command of a client changes it
        self._turns = BotTurns()
        self._bot_tasks: set[asyncio.Task[None]] = set()

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
        return not (self._queue or is_working or self.sessions or self._bot_tasks)

    @property
    def may_be_taken_over(self) -> bool:
        """Whether a bot will stand in for a member who stays away."""
        return self.state.is_playing and bool(takeovers(self.state, self._context(self.now())))

    @property
    def idle_for(self) -> int:
        """Milliseconds until something is due."""
        return next_due(self.state, self._context(self.now())) - self.now()

    @property
    def presence(self) -> Presence:
        return self._current_presence()

    @property
    def unsaved(self) -> Unsaved:
        return Unsaved(0, self._presence.last_seen, self.state.ahead)

    # Before the first command

    async def open(self, opened: bodies.OpenRoom, setup: Any, token: str, network: str) -> int:
        """Write the first row; `Conflict` where there is a room with this code already."""
        first = members.opened(self.code, opened.settings, setup, opened.name, token, opened.avatar)
        rows = self._apply(commands.happened(*first))
        await self._append(rows)
        self._charge(payer_of(network, self.code), rows)
        self._presence = self._presence.from_network(self.state, 1, network)
        self._publish()
        return 1

    async def load(self, unsaved: Unsaved) -> bool:
        """Read the room from the log; whether there is an open one."""
        self.state.ahead = unsaved.ahead
        if not await self._read():
            return False
        self._presence = Presence.restored(self.state, unsaved)
        try:
            self._publish()
        except Exception as broken:
            raise RoomUnreadable(f"room {self.code}: {type(broken).__name__}") from broken
        return not self.state.is_closed

    # Commands from outside

    def enter(self, session: Session, enter: protocol.Enter) -> None:
        """A connection says who it is and what it heard last."""
        if self.is_stopped:
            self._connections.close(session, *CLOSE_BUSY)
        else:
            self._connections.entering[session] = None
            self._dispatch(commands.EnterCommand(session, enter))

    def say(self, session: Session, message: Any) -> None:
        """A message from a client that has entered."""
        self._dispatch(commands.MESSAGES[type(message)](session, message))

    def leave(self, session: Session) -> None:
        """A connection has ended."""
        self._dispatch(commands.ConnectionLost(session))

    async def join(
        self, name: str, *, watch: bool, token: str | None = None, network: str = "", avatar: str = ""
    ) -> tuple[int, str]:
        """The new member's number and token, or those of the member who joined with the same token."""
        token = token or new_token(self._services.entropy)
        member: int = await self._call(commands.JoinCommand(name, token, network, watch, avatar))
        return member, token

    async def ask(self, token: str, request: Any, id: str = "", network: str = "") -> None:
        """A member's request without a connection; `RoundTableError` where it is refused."""
        await self._call(commands.RequestCommand(token, request, id, network))

    async def look(self) -> str:
        """The room as everyone may see it, in JSON."""
        text: str = await self._call(commands.LookCommand())
        return text

    async def read(self, read: Callable[[RoomState], T]) -> T:
        """What `read` makes of the state, all of which is written; its refusal where it refuses."""
        made: T = await self._call(commands.ReadCommand(read))
        return made

    async def close_unused(self) -> bool:
        """Close the room if no connection to it was ever kept; whether it was closed."""
        was_closed: bool = await self._call(commands.CloseUnused())
        return was_closed

    async def close(self) -> None:
        await self._call(commands.CloseRoom())

    async def write_summary(self) -> None:
        await self._call(commands.WriteSummary())

    def check_clock(self, since: int) -> None:
        """The clock has jumped, because the machine slept until `since`: do now what is due now."""
        self._presence = self._presence._replace(since=since + self.state.ahead, up_since=since + self.state.ahead)
        if self._timer:
            self._timer.cancel()
            self._on_timer()

    def stop(self) -> None:
        """Drop the room from memory. Commands that wait are refused, to be sent to another room with the same code."""
        self.is_stopped = True
        self._connections.close_entering(*CLOSE_BUSY)
        if self._timer:
            self._timer.cancel()
        self._queue.clear()
        for reply in self._waiting:
            if not reply.done():
                reply.set_exception(busy())
        for task in [*self._bot_tasks, *([self._worker] if self._worker else [])]:
            if task is not asyncio.current_task():
                task.cancel()
        self._timer = self._worker = None  # break the reference cycles with the room

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
        handled = 0
        while self._queue:
            command, reply = self._queue.popleft()
            try:
                await self._handle(command, reply)
            except LeaseLost:
                self.give_up(*CLOSE_MOVED)
            except LogFailed as failed:
                _report("a room cannot be read", failed)
                self.give_up(*CLOSE_BUSY)
            except Exception as defect:
                _report("a command failed in a room", defect)
                if isinstance(command, commands.Tick):
                    self._retry_later()
            if reply is not None and not reply.done():
                reply.set_exception(busy())
            for session in self._connections.flush(self.state, getattr(command, "session", None)):
                session.port.when_ready(partial(self._dispatch, commands.ConnectionReady(session)))
            handled += 1
            if handled % COMMANDS_PER_TURN == 0:  # refused commands wait for nothing, and could come in a flood
                await asyncio.sleep(0)

    async def _handle(self, command: Command, reply: asyncio.Future[Any] | None) -> None:
        route, answer = ROUTES[type(command)], None
        try:
            if self._is_stale:
                await self._reload()
            seed = self._services.entropy(SEED_BYTES) if route.draws_seed else b""
            for call in route.calls:
                try:
                    answer = await self._take(call, command, seed)
                except RoomRefused:
                    if not call.is_optional:
                        raise
        except RoundTableError as error:
            self._refuse(command, reply, error)
        except LogFailed:  # every connection is closed, and clients send the command again
            raise
        except Exception:
            self._fail(command, reply)
            raise
        else:
            if reply is not None and not reply.done():
                reply.set_result(answer)
        if route.publishes:
            self._publish()

    def _fail(self, command: Command, reply: asyncio.Future[Any] | None) -> None:
        """A handler has a defect. The room is read again only if the handler got as far as to change the game."""
        play = self.state.play
        if play is not None and len(play.entries) != len(self.state.times):
            self._is_stale = True
        if reply is None:
            self._settle(command, dispatcher.failed(command))
        elif not reply.done():
            reply.set_exception(broken())

    def _refuse(self, command: Command, reply: asyncio.Future[Any] | None, error: RoundTableError) -> None:
        if isinstance(command, commands.Tick):
            self._retry_later()
        if reply is None:
            self._settle(command, dispatcher.refused(self.state, self._context(self.now()), command, error))
        elif not reply.done():
            reply.set_exception(error.with_traceback(None))  # its frames hold the reply

    # Decide, append, publish

    async def _take(self, call: HandlerCall, command: Command, seed: bytes) -> Any:
        """Do what the handler decides, and reply. If the log has more rows than the room
        knows, read the room and decide again."""
        if self._is_stale:
            await self._reload()
        now, attempts = self.now(), MOST_ATTEMPTS
        while attempts:
            decision = self._decide(call, command, self._context(now, seed))
            if isinstance(decision, RoundTableError):
                try:
                    raise decision
                finally:
                    del decision  # break the cycle between exception and frame
            if not decision.rows or await self._write(decision):
                self._settle(command, decision)
                if not decision.is_more_due:
                    return decision.reply
                continue
            await self._reload()
            attempts -= 1
        raise busy()

    def _decide(self, call: HandlerCall, command: Command, context: Context) -> Decision | RoundTableError:
        """The error is returned, because code compiled by mypyc must not await in an exception handler."""
        try:
            return call.handler(self.state, context, command)
        except RoundTableError as refused:
            return refused

    def _context(self, now: int, seed: bytes = b"") -> Context:
        has_connections, is_thinking = bool(self._connections.sessions), bool(self._bot_tasks)
        policy, presence = self._services.policy, self._current_presence()
        budget, starts_games, idle = self._services.budget, policy.starts_games, policy.idle
        return Context(now, presence, has_connections, self._turns, is_thinking, seed, budget, starts_games, idle)

    def _current_presence(self) -> Presence:
        connected = self._connections.members
        if self._presence.connected is not connected:
            self._presence = self._presence._replace(connected=connected)
        return self._presence

    async def _write(self, decision: Decision) -> bool:
        """Whether the rows were written; not where the log has more rows than the room knows."""
        self._is_stale = True  # until the rows are written, memory is ahead of the log
        rows = self._apply(decision)
        try:
            await self._append(rows)
        except Conflict:
            return False
        except LeaseLost:
            raise
        except LogFailed as failed:
            _report("a room could not be written", failed)
            raise busy() from failed
        self._is_stale = False
        if decision.payer is not None:  # not for moves
            self._charge(decision.payer, rows)
        return True

    def _charge(self, payer: Payer | None, rows: Sequence[Row]) -> None:
        if payer is not None and self._services.budget is not None:
            self._services.budget.charge(payer, rows)

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
        summary = self._summary if key == self._summary_key else summary_of(state, self._services.policy.idle)
        changed = None if summary == self._summary else summary
        await self._services.log.append(self.code, state.version, rows, changed)
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
        if decision.turns is not None:
            self._set_timer()
        for effect in decision.effects:
            self._apply_effect(effect)
        if decision.reply is not None and isinstance(command, ANSWERED):
            command.session.send(decision.reply)

    def _apply_effect(self, effect: Effect) -> None:
        match effect:
            case commands.Connect(session, member, enter):
                self._connections.connect(session, member, enter, self.now())
            case commands.Disconnect(session):
                self._connections.disconnect(session)
            case commands.CatchUp(session) if not self._is_stale:
                self._connections.catch_up(session, self._update(self.now(), has_room_changed=False))
            case commands.Close(session, code, reason):
                self._connections.close(session, code, reason)
            case commands.CloseAll(code, reason):
                self._connections.close_all(code, reason)

    def _publish(self) -> None:
        """Send every connection what is new to it; draw the bots' turns and set the timer where the phase is new."""
        if self._is_stale:  # the state may never have been written
            self._set_timer()
            return
        state, now = self.state, self.now()
        presence = self._current_presence()
        key = (state.changes, presence.connected, state.stage, state.clock.held_until)
        has_room_changed = key != self._public_key
        if has_room_changed:
            self._public, self._public_key = PublicRoom(snapshot(state, presence), self._public), key
            self._presence = presence.of_members(state, now)
        update = self._update(now, has_room_changed=has_room_changed)
        self._connections.publish(update)
        play, clock = state.play, state.clock
        timer_key = play and (state.number, play.phase.number, clock.ends_at, clock.is_paused)
        if has_room_changed or timer_key != self._timer_key or update.visible is not None or not self._timer:
            self._timer_key = timer_key  # within a phase, nothing becomes due sooner than before
            self._turns = draw_turns(self._turns, state, now)
            self._set_timer()

    def _update(self, now: int, *, has_room_changed: bool) -> Update:
        visible = visible_to_spectators(self.state, now) if self.state.settings.spectator_delay else None
        assert self._public is not None, "the room was published when it was opened or read"
        return Update(self.state, now, self._public, has_room_changed=has_room_changed, visible=visible)

    # The log

    async def _read(self) -> bool:
        """Whether there are rows; `RoomUnreadable` where no room could have written them."""
        rows = await self._services.log.read(self.code)
        try:
            self.state = await read_state(rows, self.state, self._services.now())
        except Exception as broken:
            raise unreadable_room(self.code, rows, broken) from broken
        return bool(rows)

    async def _reload(self) -> None:
        """Read the room again where memory is ahead of the log; `LogFailed` where it cannot be read."""
        self._is_stale = True
        self._summary = self._summary_key = None
        await self._read()
        self._is_stale = False
        self._publish()

    def give_up(self, code: int, reason: str) -> None:
        """Memory and log may differ, and the log cannot be read, or is another worker's: clients have to reconnect, to
        a new `Room`."""
        self._connections.close_all(code, reason)
        self.stop()

    # Time and bots

    def _set_timer(self) -> None:
        """The timer may fire too early, and is then set again: cheaper than moving it with every command."""
        if self.is_stopped or (self.state.is_closed and not self._is_stale):
            return
        now = self.now()
        due = max(next_due(self.state, self._context(now)), self._retry_at)
        if self._timer:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = asyncio.get_running_loop().call_later(max(0, due - now) / 1000, self._on_timer)

    def _retry_later(self) -> None:
        """What is due could not be done. It is tried again after a while, so that a full disk does not keep the server
        busy."""
        self._retry_at = self.now() + RETRY_AFTER
        self._set_timer()

    def _on_timer(self) -> None:
        self._timer = None
        if max(self._due, self._retry_at) > self.now():
            self._set_timer()
        else:
            self._dispatch(commands.Tick())

    def _ask_bots(self, questions: Sequence[Question]) -> None:
        task = asyncio.get_running_loop().create_task(self._await_bots(questions, self.state.phase_played))
        self._bot_tasks.add(task)
        task.add_done_callback(self._finish_bots)

    async def _await_bots(self, questions: Sequence[Question], phase: GamePhase | None) -> None:
        step = thinking_time(self.state)
        for seat, move in await ask_bots(self._services.workers, questions, step, self.now):
            self._dispatch(commands.BotMove(seat, phase, move))

    def _finish_bots(self, task: asyncio.Task[None]) -> None:
        self._bot_tasks.discard(task)
        if task.cancelled():
            return
        if task.exception() is not None:
            logger.error("asking bots failed", exc_info=task.exception())
        self._set_timer()


def _report(what: str, problem: Exception) -> None:
    """The store has logged `LogLost` once for all rooms."""
    if not isinstance(problem, LogLost):
        logger.error(f"{what}: %s", problem, exc_info=None if isinstance(problem, LogFailed) else problem)
