"""A live room: one inbox, in order. Whatever comes in is decided, written down, and only then told to anybody.

Members, bots and the clock all go through the same inbox. What is decided changes the room in memory at once; should
the log not take it (somebody else wrote first, or the disk is full), the room is read again as it was written.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec

from roundtable.games.quests.setup import QuestSetup
from roundtable.games.registry import codec_of, game_named
from roundtable.record.log import Card, Conflict, Log, LogFailed, Row
from roundtable.room import deciding
from roundtable.room import facts as was
from roundtable.room.clock import GameClock
from roundtable.room.facts import READER, Done, Fact, written, written_entry
from roundtable.room.guests import Entropy, clean_name, distinct_name, is_key_of, key_of, new_token
from roundtable.room.sessions import Now, Session, text_of
from roundtable.room.state import RoomState
from roundtable.room.thinking import Question, Thinker
from roundtable.table import actions as act
from roundtable.table.actions import Action, Move
from roundtable.table.chance import SEED_BYTES, shuffled
from roundtable.table.errors import IllegalAction, RoomRefused, RoundTableError
from roundtable.table.play import Entry, Play
from roundtable.table.seats import CLOCK, HOST, SPECTATOR, Seat
from roundtable.table.setup import Setup
from roundtable.wire import Act, Answered, Pass, Refused, spelled
from roundtable.wire import rooms as protocol
from roundtable.wire.lines import is_id, wire_of
from roundtable.wire.spelling import ENCODER, spelled_setup

TRIES = 8  # at a row that others keep getting in before
HOUR = 3_600_000  # milliseconds
LOBBY_LASTS = 2 * HOUR  # without anything written, and with nobody there
GAME_LASTS = 24 * HOUR
MOST_MEMBERS = 40
TALK_LINES, TALK_WINDOW = 3, 3_000  # lines of talk in so many milliseconds
STUCK_SECONDS = 5  # for a phase in which nobody who is awaited will ever answer
RETRY_AFTER = 500  # milliseconds after which something is tried again that could not be written
WATCHED_LASTS = 60_000  # before an idle room with people in it is looked at again

BUSY = "The server could not write that down; nothing has changed. Send it again."

logger = logging.getLogger("roundtable.room")


class Services(NamedTuple):
    """What a room needs of the world."""

    log: Log
    now: Callable[[], int]  # milliseconds since 1970
    entropy: Entropy
    thinker: Thinker


class Asker(msgspec.Struct):
    """Whose entry it is, and under which id; of games that were played before, nothing else is read."""

    actor: int
    id: str


Job = Callable[[], Awaitable[None]]


class Room:
    """Everything about one room. Its methods may be called at any time; they take effect one after the other."""

    def __init__(self, code: str, services: Services) -> None:
        self.code = code
        self.state = RoomState()
        self.play: Play[Any, Any] | None = None
        self.clock = GameClock()
        self.sessions: dict[Session, None] = {}
        self._services = services
        self._log, self._now = services.log, services.now
        self._version = 0
        self._latest = 0  # when the last row was written
        self._card_written: Card | None = None  # the one in the log, where that is known
        self._told_at = 0  # when the last one was that everybody heard of
        self._times: list[int] = []  # when each entry of the game was written
        self._inbox: deque[Job] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0  # when it rings
        self._moment: object = None  # for which it was set
        self._thoughts: set[asyncio.Task[None]] = set()
        self._promises: set[asyncio.Future[None]] = set()  # requests that wait for their answer
        self._is_unsure = False  # whether memory and log may differ
        self._patient_until = 0  # after a failure nothing rings before
        self.is_broken = False  # whether the room has to be read anew by whoever wants it
        self._has_room_changed = False
        self._must_look_round = False  # whether somebody may be here who should not be
        self._room_text = ""
        self._shown_stage = ""
        self._seen: dict[int, int] = {}  # when each member was last heard of
        self._talk: dict[int, deque[tuple[int, str]]] = {}  # when each member spoke, and under which id
        self._bots_phase = (0, 0)  # the phase for which bots' turns were drawn
        self._bots: list[Seat] = []  # and for which bots
        self._turns: list[tuple[int, Seat]] = []  # when which bot is asked
        self._last_turn = 0  # when a bot was last asked

    # What the server asks

    async def open(self, opened: protocol.OpenRoom, setup: Any) -> tuple[int, str]:
        """The first rows; `Conflict` where there is a room of this code already."""
        token = new_token(self._services.entropy)
        first: list[Fact] = [
            was.RoomOpened(code=self.code, settings=opened.settings),
            was.TableLaid(game=setup.game, setup=spelled(setup)),
        ]
        self._absorb_all(first)
        arrived = deciding.join(self.state, clean_name(opened.name), key_of(token), watch=False)
        self._absorb_all(arrived)
        self._told_at = self._written_at()
        await self._append([written(Done(facts=[*first, *arrived]))])
        self._settle()
        return 1, token

    async def load(self) -> bool:
        """Read the room as it was written; whether there is one."""
        rows = await self._log.read(self.code)
        if not rows:
            return False
        self._stand_at(rows)
        now = self._now()
        self._seen = dict.fromkeys(self.state.members, now)
        self._has_room_changed = True
        self._settle()
        return not self.state.is_closed

    async def join(self, name: str, *, watch: bool) -> tuple[int, str]:
        token = new_token(self._services.entropy)

        def decide() -> list[bytes]:
            if len(self.state.members) >= MOST_MEMBERS:
                deciding.refuse("room/full", f"The room holds {MOST_MEMBERS} people, and they are here.")
            if not (self.state.settings.has_spectators or any(place.is_free for place in self.state.places)):
                deciding.refuse("room/full", "Every seat is taken, and the host wants nobody to watch.")
            shown = distinct_name(clean_name(name), (member.name for member in self.state.members.values()))
            return self._facts(deciding.join(self.state, shown, key_of(token), watch=watch))

        await self._through_inbox(lambda: self._attempt(decide))
        return self._member_with(token) or 0, token

    async def ask(self, token: str, request: Any, id: str = "") -> None:
        """A member's request; `RoomRefused` or another error of ours where it is not granted."""

        async def job() -> None:
            member = self._member_with(token)
            if member is None and await self._has_read_on():
                member = self._member_with(token)
            if member is None:
                deciding.refuse("room/unknown", "There is no such room, or you are not in it.")
            await self._is_back(member)
            await self._grant(member, request, id)

        await self._through_inbox(job)

    async def look(self) -> str:
        """The room as everybody may see it, in JSON."""

        text = ""

        async def job() -> None:
            nonlocal text
            self._settle()
            text = self._text()  # now, because what comes next in the inbox may not be written down yet

        await self._through_inbox(job)
        return text

    async def read_on(self) -> None:
        """Take in what another server has written since."""

        async def job() -> None:
            await self._has_read_on()

        await self._through_inbox(job)

    def enter(self, session: Session, enter: protocol.Enter) -> None:
        """A socket says who it is and what it saw last; it gets the rest."""

        async def job() -> None:
            try:
                await self._has_read_on()  # they may come from another server, and know more than this one
            except RoomRefused as refused:
                session.port.close(1013, refused.code)
                return
            member = None if enter.token is None else self._member_with(enter.token)
            if enter.token is not None and member is None:
                session.port.close(4003, "room/unknown")
                return
            if member is None and not self.state.settings.has_spectators:
                session.port.close(4003, "room/unknown")
                return
            was_here = self._is_here(member)
            self.sessions[session] = None
            session.enter(member, enter, self._now())
            if member is not None:
                self._has_room_changed |= not was_here
                with suppress(RoomRefused):
                    await self._is_back(member)
            self._settle()

        self.post(job)

    def said(self, session: Session, message: Any) -> None:
        """Something a client said after it entered."""

        async def job() -> None:
            if session not in self.sessions:
                return
            if session.member is not None and self._is_sign_of_life(session.member, message):
                with suppress(RoomRefused):  # it could not be written down; what they ask for may be
                    await self._is_back(session.member)
            match message:
                case Act():
                    await self._answer(session, message.id, lambda: self._act(session.member, message))
                case protocol.Ask(id=id, request=request) if session.member is not None:
                    member = session.member
                    await self._answer(session, id, lambda: self._grant(member, request, id))
                case protocol.Ask(id=id):
                    session.send(Refused(id=id, code="room/watching", message="Join the room first."))
                case Pass() | protocol.Here():
                    pass

        self.post(job)

    def gone(self, session: Session) -> None:
        async def job() -> None:
            if self.sessions.pop(session, self) is self:
                return
            if session.member is not None:
                self._seen[session.member] = self._now()
                self._has_room_changed |= not self._is_here(session.member)
            self._settle()

        self.post(job)

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be lost if the room were put away and read again when it is needed."""
        return not (self.sessions or self._inbox or self._thoughts or (self._worker and not self._worker.done()))

    def stop(self) -> None:
        """Put the room away for good. What was answered is written down; whoever still waits has to ask again."""
        self.is_broken = True
        self._inbox.clear()
        for promise in self._promises:
            if not promise.done():
                promise.set_exception(RoomRefused("room/busy", BUSY))
        if self._timer:
            self._timer.cancel()
        for task in (*self._thoughts, *([self._worker] if self._worker else [])):
            if task is not asyncio.current_task():
                task.cancel()

    # The inbox

    def post(self, job: Job) -> None:
        if self.is_broken:  # it must not come back to life beside the one that was read since
            return
        self._inbox.append(job)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._inbox:
            job = self._inbox.popleft()
            try:
                if self._is_unsure:
                    await self._read_again()
                await job()
            except LogFailed:
                logger.exception("a room cannot be read")
                self._give_up()
            except Exception:
                logger.exception("a job failed in a room")
                self._is_unsure = True
                self._try_again_later()
            if self._must_look_round:
                self._show_out()
            for session in self.sessions:
                session.flush()

    def _give_up(self) -> None:
        """What is in memory may not be what is written, and that cannot be read: everybody has to come again."""
        for session in list(self.sessions):
            self._let_go(session, 1013, "room/busy")
        self.stop()

    async def _through_inbox(self, job: Job) -> None:
        """Do it in its turn, and hear how it went."""
        if self.is_broken:
            deciding.refuse("room/busy", BUSY)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._promises.add(done)

        async def reported() -> None:
            problem: RoundTableError | None = RoomRefused("room/busy", BUSY)
            try:
                await job()
                problem = None
            except RoundTableError as refused:
                problem = refused
            finally:
                if not done.done() and problem is None:
                    done.set_result(None)
                elif not done.done() and problem is not None:
                    done.set_exception(problem)

        self.post(reported)
        try:
            await done
        finally:
            self._promises.discard(done)

    # Deciding and writing down

    async def _attempt(self, decide: Callable[[], Sequence[bytes]]) -> None:
        """Decide, write, publish; if somebody else wrote first, look at the room as it is now and decide again."""
        if self._is_unsure:
            await self._read_again()
        for _ in range(TRIES):
            try:
                lines = decide()
            except RoundTableError:
                if await self._has_read_on():  # it was refused for what is no longer so
                    continue
                raise
            if not lines:
                return
            try:
                await self._append(lines)
            except Conflict:
                await self._read_again()
                continue
            except LogFailed:
                logger.exception("a room could not be written")
                self._is_unsure = True
                self._try_again_later()
                break
            self._settle()
            return
        deciding.refuse("room/busy", BUSY)

    def _try_again_later(self) -> None:
        """Whatever is due stays due, but not at once: a full disk must not keep the house busy."""
        self._patient_until = self._now() + RETRY_AFTER
        self._set_alarm()

    async def _append(self, lines: Sequence[bytes]) -> None:
        at, card = self._written_at(), self._card()
        rows = [Row(at, line) for line in lines]
        await self._log.append(self.code, self._version, rows, None if card == self._card_written else card)
        self._version += len(lines)
        self._latest, self._card_written = at, card

    def _written_at(self) -> int:
        """Now; times in a log never go back, whatever the machine's clock does."""
        return max(self._now(), self._latest)

    async def _read_again(self) -> None:
        self._is_unsure = True
        self._stand_at(await self._log.read(self.code))
        self._is_unsure = False
        self._has_room_changed = True
        self._settle()

    async def _has_read_on(self) -> bool:
        """Whether another server has written something since, which is now known here too."""
        try:
            is_news = bool(await self._log.read(self.code, self._version))
        except LogFailed as failed:
            raise RoomRefused("room/busy", BUSY) from failed
        if is_news:
            await self._read_again()
        return is_news

    def _stand_at(self, rows: Sequence[Row]) -> None:
        """Fold the rows. Of games that were played before, the entries need not be read."""
        read = [READER.decode(row.line) for row in rows]
        starts = [place for place, row in enumerate(read) if isinstance(row, Done) and _starts_game(row)]
        is_same_game = bool(starts) and starts[-1] < self._version and self.state.number == len(starts)
        known = iter(self.play.entries if self.play and is_same_game else ())  # the first of them were written
        self.state, self.play, self.clock = RoomState(), None, GameClock()
        self._times = []
        entries: list[Entry] = []
        for place, row in enumerate(read):
            if isinstance(row, Done):
                self._absorb_all(row.facts)
                self._remember(row, rows[place].at)
            elif starts and place > starts[-1]:
                entry = next(known, None) if place < self._version else None
                if entry is None:
                    entry = codec_of(game_named(self.state.setup.game)).read(Entry, msgspec.json.decode(row.entry))
                entries.append(entry)
                self._absorb_entry(entry, rows[place].at)
            else:
                asked = msgspec.json.decode(row.entry, type=Asker)
                self.state.remember_act(asked.actor, asked.id)
        if entries and self.state.is_table_set:
            self.play = Play(game_named(self.state.setup.game), entries)
        self._version, self._card_written = len(rows), None
        self._latest = rows[-1].at if rows else 0
        self._bots_phase = (0, 0)

    def _absorb_all(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            self.state.absorb(fact)
            if isinstance(fact, was.GameStarted):
                self.play, self.clock, self._times = None, GameClock(), []
            if isinstance(fact, was.TableCleared):
                self.play = None
        self._has_room_changed = True

    def _absorb_entry(self, entry: Entry, at: int) -> None:
        self._times.append(at)
        self.state.remember_act(entry.actor, entry.id)
        for event in entry.events:
            self.clock.absorb(event, at)
            if SPECTATOR in event.audience:
                self._told_at = at

    def _remember(self, row: Done[Fact], at: int) -> None:
        self._told_at = at
        if row.id:
            self.state.answered[row.member, row.id] = None

    def _facts(self, facts: Sequence[Fact], member: int | None = None, id: str = "") -> list[bytes]:
        """Facts take hold, and become a row."""
        if not facts and not id:
            return []
        row = Done[Fact](facts=list(facts), member=member, id=id)
        self._absorb_all(facts)
        self._remember(row, self._written_at())
        return [written(row)]

    def _entry(self, entry: Entry) -> bytes:
        self._absorb_entry(entry, self._written_at())
        return written_entry(entry)

    # What members ask

    async def _answer(self, session: Session, id: str, job: Job) -> None:
        """Exactly one answer to everything that carries an id."""
        try:
            if not is_id(id):
                raise IllegalAction("action/bad_id", "An id is 1 to 64 printable ASCII characters.")
            await job()
        except RoundTableError as refused:
            shown = id if is_id(id) else ""
            session.send(Refused(id=shown, code=refused.code, message=refused.message, told=dict(refused.told)))
        except LogFailed:  # everybody is sent away, and asks again when they come back
            raise
        except Exception:
            session.send(Refused(id=id, code="house/broken", message="The server made a mistake; nothing was lost."))
            raise
        else:
            session.send(Answered(id=id))

    async def _grant(self, member: int, request: Any, id: str) -> None:
        if id and not is_id(id):
            raise IllegalAction("action/bad_id", "An id is 1 to 64 printable ASCII characters.")
        await self._attempt(lambda: self._decide(member, request, id))

    def _decide(self, member: int, request: Any, id: str) -> list[bytes]:
        if (member, id) in self.state.answered:
            return []
        match request:
            case protocol.Chat():
                self._require_patience(member, id)
                facts = deciding.decide(self.state, member, request, is_playing=self.is_playing)
                return self._facts(facts, member, id)
            case protocol.Start():
                deciding.require_may(self.state, member, request, is_playing=self.is_playing)
                deciding.require_can_start(self.state)
                return self._start(member, id)
            case protocol.HoldClock() | protocol.CallItOff():
                deciding.require_may(self.state, member, request, is_playing=self.is_playing)
                return [*self._host_acts(request), *self._facts([], member, id)]
            case protocol.Rematch():
                facts = deciding.decide(self.state, member, request, is_playing=self.is_playing)
                if self.state.settings.is_deal_only:  # a phone in a pocket is no empty chair
                    return [*self._put_away(), *self._facts(facts, member, id)]
                return self._facts([*facts, *self._free_seats_of_the_absent()], member, id)
            case _:
                facts = deciding.decide(self.state, member, request, is_playing=self.is_playing)
                return self._facts(facts, member, id)

    def _start(self, member: int, id: str) -> list[bytes]:
        lines = self._facts([was.GameStarted(number=self.state.number + 1)], member, id)
        setup = self.state.setup
        self.play = Play.open(game_named(setup.game), setup, self._services.entropy(SEED_BYTES))
        lines.append(self._entry(self.play.entries[0]))
        if self.state.settings.is_deal_only:  # people round a real table keep their own time
            lines.append(self._entry(self.play.act(HOST, act.Pause())))
        if not self._waits_for_stirring():
            lines.append(self._entry(self.play.deal()))
        return lines

    def _waits_for_stirring(self) -> bool:
        """Whether somebody at the table may still add their own randomness to the deal (C1)."""
        assert self.play is not None
        stirred = {entry.actor for entry in self.play.entries if isinstance(entry.action, act.Contribute)}
        missing = [seat for seat, place in enumerate(self.state.places) if not place.player and seat not in stirred]
        return bool(missing) and self._written_at() < self._deal_at()

    def _deal_at(self) -> int:
        return (self._times[0] if self._times else self._written_at()) + self.state.settings.stir_seconds * 1000

    def _host_acts(self, request: Any) -> list[bytes]:
        assert self.play is not None
        phase = self.play.phase.number
        action: Action
        match request:
            case protocol.CallItOff():
                action = act.CallOff()
            case protocol.HoldClock(do="pause"):
                action = act.Pause()
            case protocol.HoldClock(do="resume"):
                action = act.Resume()
            case protocol.HoldClock(do="extend", seconds=seconds):
                action = act.Extend(phase=phase, seconds=seconds)
            case _:
                action = act.StartCountdown(phase=phase, seconds=request.seconds)
        return [self._entry(self.play.act(HOST, action))]

    def _put_away(self) -> list[bytes]:
        """Cards that were only dealt are called in (C7): the record is complete, and the deal can be verified."""
        if self.play is None or not self.is_playing:
            return []
        return [self._entry(self.play.act(HOST, act.CallOff()))]

    def _free_seats_of_the_absent(self) -> list[Fact]:
        """For a rematch: who is not here leaves a seat to those who watched."""
        return [
            was.SeatFreed(seat=seat)
            for seat, place in enumerate(self.state.places)
            if place.member is not None and not self._is_here(place.member)
        ]

    async def _act(self, member: int | None, message: Act) -> None:
        """A move or a line of talk of whoever holds the seat; whose it is follows from the socket alone."""
        before = len(self.play.entries) if self.play else 0
        await self._attempt(lambda: self._decide_act(member, message))
        done = [entry for entry in self.play.entries[before:] if entry.id == message.id] if self.play else []
        if member is not None and any(map(is_done_openly, done)):
            self._seen[member] = self._now()

    def _decide_act(self, member: int | None, message: Act) -> list[bytes]:
        done_in = self.state.acted.get((member, message.id), self.state.number)
        if done_in != self.state.number or (not self.state.is_table_set and (member, message.id) in self.state.acted):
            return []  # it was done in a game that has been put away
        if self.play is None or not self.state.is_table_set:
            deciding.refuse("room/stage", "No game is being played.")
        seat = self.state.seat_of(member)
        if seat is None or member is None:
            deciding.refuse("room/watching", "Only those at the table can do that.")
        action = wire_of(self.play.game).action(message)
        if self.state.settings.is_deal_only and not isinstance(action, act.Contribute):
            deciding.refuse("room/stage", "Cards are only dealt here; the rest is played at the real table.")
        if isinstance(action, act.Say | act.Remark) and not self.play.has_done(seat, action, message.id):
            deciding.require_word(self.state, member)
            self._require_patience(member, message.id)
        return self._played(seat, action, message.id)

    def _played(self, seat: Seat, action: Action, id: str = "") -> list[bytes]:
        assert self.play is not None
        before = len(self.play.entries)
        entry = self.play.act(seat, action, id)
        if len(self.play.entries) == before:  # a repeat: it was answered and written down before
            return []
        lines = [self._entry(entry)]
        if isinstance(action, act.Contribute) and not self._waits_for_stirring():
            lines.append(self._entry(self.play.deal()))
        return lines

    def _require_patience(self, member: int, id: str) -> None:
        """Whether it is not too soon for another line; one that is decided again is the same line."""
        said = self._talk.setdefault(member, deque(maxlen=TALK_LINES))
        now = self._now()
        if id and any(id == other for _, other in said):
            return
        if len(said) == TALK_LINES and now - said[0][0] < TALK_WINDOW:
            deciding.refuse(
                "talk/too_fast", f"At most {TALK_LINES} lines in {TALK_WINDOW // 1000} seconds; wait a bit."
            )
        said.append((now, id))

    def _show_out(self) -> None:
        """Whoever is no member any more, or watches without a name where the host wants nobody to watch."""
        self._must_look_round = False
        may_watch = self.state.settings.has_spectators
        for session in list(self.sessions):
            if not (may_watch if session.member is None else session.member in self.state.members):
                self._let_go(session, 4003, "room/unknown")

    def _let_go(self, session: Session, code: int, reason: str) -> None:
        self.sessions.pop(session, None)
        session.flush()
        session.port.close(code, reason)

    # Who is there

    def _member_with(self, token: str) -> int | None:
        found = [number for number, member in self.state.members.items() if is_key_of(member.key, token)]
        return found[0] if found else None

    def _is_here(self, member: int | None) -> bool:
        return member is not None and any(session.member == member for session in self.sessions)

    async def _is_back(self, member: int) -> None:
        """Whoever shows up gets their seat back from the bot that played for them."""
        self._seen[member] = self._now()
        if self._return_of(member):
            await self._attempt(lambda: self._facts(self._return_of(member)))

    def _return_of(self, member: int) -> list[Fact]:
        seat = self.state.seat_of(member)
        return [was.SeatReturned(seat=seat)] if seat is not None and self.state.places[seat].stand_in else []

    def _is_sign_of_life(self, member: int, message: Any) -> bool:
        """Everybody sees when a bot stands in for somebody, so they would see when a card was laid or a night's choice
        made if that put it off (C5, C8). So a move is a sign of life only where all hear of it, or gets a seat back."""
        seat = self.state.seat_of(member)
        is_away = seat is not None and self.state.places[seat].stand_in is not None
        return is_away or not isinstance(message, Act | Pass)

    def _last_seen(self, member: int) -> int:
        """When somebody was last heard of. Whoever has not connected yet is given time from the game's start."""
        return max(self._seen.get(member, 0), self._times[0] if self._times else 0)

    # After something happened

    @property
    def is_playing(self) -> bool:
        return self.state.is_table_set and self.play is not None and not self.play.is_over

    @property
    def stage(self) -> Any:
        if self.state.is_closed:
            return "closed"
        if not self.state.is_table_set:
            return "lobby"
        return "playing" if self.is_playing else "over"

    def _settle(self) -> None:
        """Tell everybody what is new to them, draw the bots' turns, and set the alarm."""
        if self._is_unsure:  # nobody is told what may never have been written
            self._set_alarm()
            return
        if self.stage != self._shown_stage:
            self._has_room_changed, self._shown_stage = True, self.stage
        has_changed = self._has_room_changed
        visible = self._visible_to_spectators()
        now = Now(
            self.state,
            self.play,
            self.clock,
            self._now(),
            self._text(),
            has_room_changed=has_changed,
            visible=visible,
        )
        self._has_room_changed = False
        for session in list(self.sessions):
            try:
                session.catch_up(now)
            except Exception:  # whatever went wrong there, the others hear what they have to hear
                logger.exception("a connection could not be told")
                self._let_go(session, 1011, "house/broken")
        self._must_look_round |= has_changed
        moment = self.play and (self.state.number, self.play.phase.number, self.clock.ends_at, self.clock.is_paused)
        if has_changed or moment != self._moment or self._timer is None or visible is not None:
            self._moment = moment  # within a phase nothing is due sooner than it was
            self._draw_turns()
            self._set_alarm()

    def _text(self) -> str:
        if self._has_room_changed or not self._room_text:
            self._room_text = text_of(self.shown())
        return self._room_text

    def shown(self) -> protocol.Room:
        """What everybody may know of the room."""
        state = self.state
        waits = [] if state.is_table_set else deciding.problems(state)
        return protocol.Room(
            code=self.code,
            stage=self.stage,
            number=state.number,
            game=state.setup.game,
            setup=spelled_setup(state.setup),
            roles=state.setup.possible_roles,
            quests=quests_of(state.setup),
            settings=state.settings,
            host=state.host,
            members=tuple(
                protocol.MemberShown(
                    member=number,
                    name=member.name,
                    is_here=self._is_here(number),
                    is_ready=member.is_ready,
                    is_silenced=member.is_silenced,
                )
                for number, member in state.members.items()
            ),
            seats=tuple(
                protocol.SeatShown(member=place.member, bot=place.bot, stand_in=place.stand_in)
                for place in state.places
            ),
            problems=tuple(protocol.ProblemShown(code=problem.code, message=problem.message) for problem in waits),
            notices=tuple(
                protocol.NoticeShown(code=notice.code, message=notice.message) for notice in state.setup.notices()
            ),
            casting=tuple(
                protocol.SideShown(side=side, seats=seats, roles=roles) for side, seats, roles in state.setup.casting()
            ),
        )

    def _visible_to_spectators(self) -> int | None:
        """How many events those who watch may have heard by now, where the host wants them to lag behind."""
        delay = self.state.settings.spectator_delay * 1000
        if not delay or self.play is None or self.play.is_over:
            return None
        limit = self._now() - delay
        shown = [entry for entry, at in zip(self.play.entries, self._times, strict=True) if at <= limit]
        return sum(SPECTATOR in event.audience for entry in shown for event in entry.events)

    # Bots

    def _draw_turns(self) -> None:
        """When a phase begins, every bot is given its turn, in a drawn order that depends on nothing secret."""
        is_dealt = self.is_playing and self.play is not None and self.play.is_dealt
        if not is_dealt or self.play is None or self.state.settings.is_deal_only:
            self._turns = []
            return
        phase = (self.state.number, self.play.phase.number)
        bots = [seat for seat, place in enumerate(self.state.places) if place.player]
        if phase == self._bots_phase and bots == self._bots:
            return
        pause = self.state.settings.bot_seconds * 1000
        begun = self._now() + pause - self._thinking_time()
        if phase == self._bots_phase:  # some have sat down since
            self._turns += [(begun, seat) for seat in bots if seat not in self._bots]
        else:
            order = shuffled(self.play.chance(f"bots/{phase[1]}"), bots)
            self._turns = [(begun + pause * turn // max(1, len(order)), seat) for turn, seat in enumerate(order)]
        self._bots_phase, self._bots = phase, bots

    def _ask_bots(self, seats: Sequence[Seat]) -> None:
        """Let bots think elsewhere; what they come to goes through the inbox like everything else. Those who are asked
        together answer together and in this order, whoever thinks faster."""
        questions = [self._question(seat) for seat in seats if self.state.places[seat].player]
        if self.play is None or not questions:
            return
        turn = (self.state.number, self.play.phase.number)

        async def think() -> None:
            begun = self._now()
            thoughts = map(self._services.thinker.choose, questions)
            moves = await asyncio.gather(*thoughts, return_exceptions=True)
            await asyncio.sleep(self._left_to_think(self._now() - begun) / 1000)
            for question, move in zip(questions, moves, strict=True):
                if isinstance(move, BaseException):
                    logger.error("a bot could not think", exc_info=move)
                elif move is not None:
                    self.post(partial(self._bot_moves, question.seat, turn, move))

        task = asyncio.get_running_loop().create_task(think())
        self._thoughts.add(task)
        task.add_done_callback(self._thought_ended)

    def _question(self, seat: Seat) -> Question:
        """What a bot is asked at this seat; the randomness that goes with it is the same if it is asked again."""
        play, bot = self.play, self.state.places[seat].player
        assert play is not None
        assert bot is not None
        words = play.chance(f"bot/{play.phase.number}/{seat}")
        key = b"".join(words.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        return Question(bot, play.game.name, seat, [line.event for line in play.heard(seat)], key)

    def _thinking_time(self) -> int:
        """How long bots think as far as anybody can see. How long it really took might tell a Merlin from a Servant."""
        return self.state.settings.bot_seconds * 1000 // 2

    def _left_to_think(self, taken: int) -> int:
        """Until the thinking time is over; whoever took longer takes twice as long, or three times."""
        step = self._thinking_time()
        return step * max(1, -(-taken // step)) - taken if step else 0

    def _thought_ended(self, task: asyncio.Task[None]) -> None:
        self._thoughts.discard(task)
        if task.cancelled():
            return
        if task.exception() is not None:
            logger.error("a bot could not think", exc_info=task.exception())
        self._set_alarm()

    async def _bot_moves(self, seat: Seat, turn: tuple[int, int], move: Move) -> None:
        def decide() -> list[bytes]:
            phase = self.play.phase.number if self.play and self.is_playing else None
            is_its_turn = (self.state.number, phase) == turn and self.state.places[seat].player
            return self._played(seat, move) if is_its_turn else []

        if self.is_playing:
            try:
                await self._attempt(decide)
            except IllegalAction:  # somebody's move has made it impossible: it thinks again, behind those asked by now
                self._turns.append((self._now() + max(1, self._thinking_time() // 10), seat))
                self._set_alarm()
            except RoomRefused:
                logger.warning("a bot's move could not be written down")

    # Time

    def _alarms(self) -> list[int]:
        """Every moment at which something is due, in milliseconds since 1970."""
        due = [self._expires_at()]
        if not self.is_playing or self.play is None:
            return due
        if not self.play.is_dealt:
            return [*due, self._deal_at()]
        due += [at for at, _ in self._turns]
        if self.clock.ends_at is not None:
            due.append(self.clock.ends_at)
        due += [at for at, _ in self._takeovers()]
        if self._is_stuck():
            due.append(self._stuck_until())
        if (delay := self.state.settings.spectator_delay * 1000) and self._times:
            now = self._now()
            due += [at + delay for at in self._times if at + delay > now][:1]
        return due

    def next_alarm(self) -> int:
        return min(self._alarms())

    def _set_alarm(self) -> None:
        if self.state.is_closed or self.is_broken:
            return
        due = max(self.next_alarm(), self._patient_until)
        if self._timer:
            if self._due <= due:  # it rings too early, looks around, and is set anew: cheaper than at every move
                return
            self._timer.cancel()
        self._due = due
        seconds = max(0, due - self._now()) / 1000
        self._timer = asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        """It may be too early, by the machine's clock or because what was due has moved; then it is set again."""
        self._timer = None
        if max(self._due, self._patient_until) > self._now():
            self._set_alarm()
        else:
            self.post(self._tick)

    async def _tick(self) -> None:
        """Do whatever is due."""
        now = self._now()
        try:
            if self._expires_at() <= now:
                await self._expire_room()
            elif self.is_playing and self.play is not None:
                await self._tick_game(self.play, now)
        except RoundTableError as refused:
            logger.warning("the clock was refused: %s", refused.code)
        self._settle()

    async def _tick_game(self, play: Play[Any, Any], now: int) -> None:
        if not play.is_dealt:
            if self._deal_at() <= now:
                await self._attempt(self._deal)
            return
        for at, seat in self._takeovers():
            if at <= now:
                await self._attempt(partial(self._take_over, seat))
        due = [seat for at, seat in self._turns if at <= now]
        self._turns = [(at, seat) for at, seat in self._turns if at > now]
        self._last_turn = now if due else self._last_turn
        self._ask_bots(due)
        if self.clock.ends_at is not None and self.clock.ends_at <= now:
            await self._attempt(self._time_is_up)
        elif self._is_stuck() and self._stuck_until() <= now:
            await self._attempt(self._unstick)

    def _take_over(self, seat: Seat) -> list[bytes]:
        """Another server may have been quicker, or the player is gone for good."""
        is_due = any(at <= self._now() and other == seat for at, other in self._takeovers())
        bot = self.state.settings.takeover_bot
        return self._facts([was.BotStoodIn(seat=seat, bot=bot)]) if is_due and self.is_playing else []

    def _deal(self) -> list[bytes]:
        return [] if self.play is None or self.play.is_dealt else [self._entry(self.play.deal())]

    def _time_is_up(self) -> list[bytes]:
        """C5: whoever did not answer gets the default. Another server may have been quicker to say so."""
        is_due = self.clock.ends_at is not None and self.clock.ends_at <= self._now()
        if self.play is None or not self.is_playing or not is_due:
            return []
        return self._played(CLOCK, act.Expire(phase=self.play.phase.number))

    def _is_stuck(self) -> bool:
        """C6: nobody can hold a table up. Whether a phase without a clock waits for bots and stand-ins alone."""
        play = self.play
        if play is None or self.clock.ends_at is not None or self.clock.is_paused or self._turns or self._thoughts:
            return False
        awaited = play.phase.awaited or range(len(self.state.places))
        return all(self.state.places[seat].player for seat in awaited)

    def _stuck_until(self) -> int:
        """Counted from what everybody heard and from the bots' turns: no secret move moves the moment (C8)."""
        return max(self._told_at, self._last_turn + self._thinking_time()) + STUCK_SECONDS * 1000

    def _unstick(self) -> list[bytes]:
        if self.play is None or not self.is_playing or not self._is_stuck():
            return []
        return self._played(HOST, act.StartCountdown(phase=self.play.phase.number, seconds=STUCK_SECONDS))

    def _takeovers(self) -> list[tuple[int, Seat]]:
        """When a bot takes the seat of a player who is gone, or who is here and does not stir."""
        settings = self.state.settings
        if settings.is_deal_only or (settings.takeover_seconds is None and settings.idle_seconds is None):
            return []
        due = []
        here = {session.member for session in self.sessions}
        for seat, place in enumerate(self.state.places):
            if place.member is None or place.player:
                continue
            patience = settings.idle_seconds if place.member in here else settings.takeover_seconds
            if patience is not None:
                due.append((self._last_seen(place.member) + patience * 1000, seat))
        return due

    def _expires_at(self) -> int:
        lasts = self._lasts_until()
        return max(lasts, self._now() + WATCHED_LASTS) if self.sessions else lasts

    def _lasts_until(self) -> int:
        """When the room is closed if nobody is there and nothing more is heard."""
        return self._told_at + (GAME_LASTS if self.is_playing else LOBBY_LASTS)

    async def _expire_room(self) -> None:
        await self._attempt(lambda: self._facts([was.RoomClosed()]) if self._expires_at() <= self._now() else [])
        if not self.state.is_closed:  # somebody has been there, on another server
            return
        for session in list(self.sessions):
            self._let_go(session, 4004, "room/unknown")

    def _card(self) -> Card:
        """What is known of the room without reading it. It is woken at a full hour, which may be too early, so that the
        card need not change with every row; and at once where somebody has to move without being asked."""
        has_bots = any(place.player for place in self.state.places)
        due = self._lasts_until() // HOUR * HOUR
        if self.is_playing:
            if has_bots or self.play is None or not self.play.is_dealt:
                due = 0
            elif self.clock.ends_at is not None:
                due = min(due, self.clock.ends_at)
        return Card(due, not self.state.is_closed, self._listed() if self.state.settings.is_public else b"")

    def _listed(self) -> bytes:
        """What the list of public rooms shows."""
        state = self.state
        host = state.members.get(state.host or 0)
        listed = protocol.RoomListed(
            code=self.code,
            game=state.setup.game,
            stage=self.stage,
            seats=len(state.places),
            free=sum(place.is_free for place in state.places),
            host=host.name if host else "",
        )
        return ENCODER.encode(listed)


def quests_of(setup: Setup) -> tuple[protocol.QuestShown, ...]:
    plans = setup.plans() if isinstance(setup, QuestSetup) else ()
    return tuple(protocol.QuestShown(**plan._asdict()) for plan in plans)


def is_done_openly(entry: Entry) -> bool:
    """Whether everybody hears who did it. What comes first is what they did; the rest, such as the end of a quest with
    the last card, is what came of it."""
    return bool(entry.events) and SPECTATOR in entry.events[0].audience


def _starts_game(row: Done[Fact]) -> bool:
    return any(isinstance(fact, was.GameStarted) for fact in row.facts)
