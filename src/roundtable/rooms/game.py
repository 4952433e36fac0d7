"""The game on a room's table: started, dealt, played, paused, called off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roundtable.core import actions as act_of
from roundtable.core.actions import Action
from roundtable.core.entries import Entry
from roundtable.core.errors import IllegalAction, RoomRefused
from roundtable.core.game import OPEN_TALK, UNTOLD
from roundtable.core.play import LONGEST_ID, Play
from roundtable.core.seats import CLOCK, EVERYONE, HOST, SPECTATOR, Seat
from roundtable.games import game_named
from roundtable.protocol import Answered, messages
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import canonical, is_id, reader_of
from roundtable.rooms import lobby
from roundtable.rooms.bot_scheduler import asked_why, may_speak
from roundtable.rooms.commands import (
    NOTHING,
    ActCommand,
    BotMove,
    Context,
    Decision,
    PassCommand,
    happened,
    refuse,
    require_budget,
)
from roundtable.rooms.events import BotStoodIn, GameStarted, RoomEvent, RoomRow, TableCleared
from roundtable.rooms.members import come_back, require_may_talk
from roundtable.rooms.networks import Payer, payer_of
from roundtable.rooms.presence import TALK_LINES, TALK_WINDOW_MS, Presence
from roundtable.rooms.sessions import Session
from roundtable.rooms.state import TALK, RoomState

MOST_ACTS_IN_PHASE, MOST_ACTS = 40, 1_000  # of a seat or the host in one phase and in one game, talk not counted
MOST_ROWS = 30_000  # of a room in which another game may start: some hundred games; reading them takes 40 MB
MOST_TALK = 128 * 1024  # bytes of a seat in one game, and of a member between two games

# A player's act


def act(room: RoomState, context: Context, command: ActCommand) -> Decision:
    """A move or a line of talk. Its seat follows from the connection alone."""
    session, message = command
    if not session.is_connected:
        return NOTHING
    if is_played_for(room, session):
        return come_back(room, context, command)._replace(is_more_due=True)
    require_id(message.id)
    entries, presence, payer = _act(room, context, session, message)
    decision = Decision(entries, presence=presence, reply=Answered(id=message.id), payer=payer)
    if entries and isinstance(entries[0].action, act_of.Remark):
        return decision._replace(turns=asked_why(context.turns, room, entries[0].action, context.now))
    return decision


def _act(
    room: RoomState, context: Context, session: Session, message: messages.Act
) -> tuple[Sequence[Entry], Presence | None, Payer | None]:
    """The entries that follow, the next presence, and against whose budget they count."""
    member = session.member
    if room.request_ids.has(member, message.id):
        room.request_ids.require_same(member, message.id, canonical(message.action))
        return (), None, None
    play = room.play
    if play is None or not room.is_table_set:
        refuse("room/stage", "no_game")
    seat = room.seat_of(member)
    if seat is None or member is None:
        refuse("room/watching")
    action = reader_of(play.game).action(message)
    if room.settings.in_person in protocol.ONLY_DEALS and not isinstance(action, act_of.Contribute):
        refuse("room/stage", "deal_only_move")
    if room.clock.held_until is not None and isinstance(action, act_of.Move):
        refuse("room/stage", "looking")
    presence, now = context.presence, context.now
    is_talk = isinstance(action, TALK)
    is_line = is_talk and not play.has_done(seat, action, message.id)
    payer = _payer(room, session, action) if is_line else None
    if is_line:
        require_may_talk(room, member)
        require_talk_limit(presence, member, message.id, now)
        require_talk_left(room.usage.talk.get(seat, 0))
        require_budget(context, payer)
    elif not is_talk and (too_many := too_many_acts(room, seat)) and not play.has_done(seat, action, message.id):
        raise too_many
    entries = played(room, now, seat, action, message.id)
    if is_line:
        presence = presence.with_line(room, member, message.id, now)
    if any(entry.id == message.id and is_public(entry) for entry in entries):
        presence = presence.seen(member, now)
    return entries, presence, payer


def _payer(room: RoomState, session: Session, action: Action) -> Payer | None:
    """Private talk counts for its speaker alone, so that no limit of others depends on it."""
    is_open = getattr(action, "channel", "") == OPEN_TALK
    return payer_of(session.network, room.code) if is_open else Payer("", f"{room.code}/{session.member}")


def pass_turn(room: RoomState, context: Context, command: PassCommand) -> Decision:
    return come_back(room, context, command) if is_played_for(room, command.session) else NOTHING


def is_played_for(room: RoomState, session: Session) -> bool:
    """Whether a bot plays for this player. Then a move gives the seat back. Otherwise a move is no sign of life: all
    players see when a bot stands in, and could tell from it when a secret move was made (C5, C8)."""
    return session.member is not None and room.is_played_for(session.member)


def require_id(id: str) -> None:
    if not is_id(id):
        raise IllegalAction("action/bad_id", most=LONGEST_ID)


def require_talk_limit(presence: Presence, member: int, id: str, now: int) -> None:
    if not presence.may_speak(member, id, now):
        refuse("talk/too_fast", most=TALK_LINES, seconds=TALK_WINDOW_MS // 1000)


def require_talk_left(used: int) -> None:
    if used >= MOST_TALK:
        refuse("talk/too_much", most=MOST_TALK // 1024)


def too_many_acts(room: RoomState, actor: int) -> RoomRefused | None:
    """The refusal of one more act, where this seat or the host has reached a limit."""
    if room.usage.acts.get(actor, 0) >= MOST_ACTS:
        return RoomRefused("action/too_often", "game", most=MOST_ACTS)
    if room.usage.acts_in_phase.get(actor, 0) >= MOST_ACTS_IN_PHASE:
        return RoomRefused("action/too_often", most=MOST_ACTS_IN_PHASE)
    return None


def is_public(entry: Entry) -> bool:
    """Whether everyone hears who acted. The first event is the act; the rest, such as the end of a round with the last
    card, is its consequence."""
    if not entry.events:
        return False
    audience = entry.events[0].audience
    return audience is EVERYONE or SPECTATOR in audience


# Steps of the game. `Play` changes at once; if its entries cannot be written, the room is read from the log again.


def start(room: RoomState, context: Context, member: int, request: protocol.Start) -> Decision:
    lobby.require_can_start(room, without_unready=request.without_unready)
    if room.version >= MOST_ROWS:
        refuse("room/full", "rows")
    play = Play.open(game_named(room.setup.game), room.setup, context.seed)
    if room.settings.only_deals:  # players at a real table keep their own time
        play.act(HOST, act_of.Pause())
    now = written_at(room, context.now)
    if not _waits_for_entropy(room, play, now, deal_at=now + room.settings.contribution_seconds * 1000):
        play.deal()
    moderator = member if room.settings.is_moderated else None
    started: list[RoomEvent] = [GameStarted(number=room.number + 1, moderator=moderator)]
    if request.without_unready and not room.settings.only_deals:
        bot = room.settings.takeover_bot
        started += [BotStoodIn(seat=seat, bot=bot) for seat, one in lobby.unready(room).items() if one != member]
    return Decision([RoomRow(events=started), *play.entries], play=play)


def deal(room: RoomState) -> list[Entry]:
    return [] if room.play is None or room.play.is_dealt else [room.play.deal()]


def deal_at(room: RoomState) -> int:
    """Until when the deal waits for the players' own randomness."""
    return room.started_at + room.settings.contribution_seconds * 1000


def written_at(room: RoomState, now: int) -> int:
    """The time of a row that is written now. Times in a log never go back, whatever the server's clock does."""
    return max(now, room.written_at)


def _waits_for_entropy(room: RoomState, play: Play[Any, Any], now: int, deal_at: int) -> bool:
    """Whether a player may still add their own randomness to the deal (C1)."""
    contributed = {entry.actor for entry in play.entries if isinstance(entry.action, act_of.Contribute)}
    missing = [seat for seat, place in enumerate(room.places) if not place.player and seat not in contributed]
    return bool(missing) and now < deal_at


def played(room: RoomState, now: int, seat: Seat, action: Action, id: str = "") -> list[Entry]:
    """A move or a line of talk at the table; `IllegalAction` where the rules do not allow it."""
    play = room.play
    assert play is not None
    before = len(play.entries)
    entry = play.act(seat, action, id)
    if len(play.entries) == before:  # a repeat, which was written before
        return []
    if isinstance(action, act_of.Contribute):
        if not _waits_for_entropy(room, play, written_at(room, now), deal_at(room)):
            return [entry, *deal(room)]
    return [entry]


def time_is_up(room: RoomState, now: int) -> list[Entry]:
    """C5: players who did not answer get the default."""
    is_due = room.clock.ends_at is not None and room.clock.ends_at <= now
    if room.play is None or not room.is_playing or not is_due:
        return []
    return played(room, now, CLOCK, act_of.Expire(phase=room.play.phase.number))


# What the host does to a game


def hold_clock(room: RoomState, context: Context, member: int, request: protocol.HoldClock) -> Decision:
    if room.settings.only_deals:
        refuse("room/stage", "deal_only_clock")
    play = _running(room)
    phase = play.phase.number
    actions: dict[str, Action] = {
        "pause": act_of.Pause(),
        "resume": act_of.Resume(),
        "extend": act_of.Extend(phase=phase, seconds=request.seconds),
        "countdown": act_of.StartCountdown(phase=phase, seconds=request.seconds),
    }
    if too_many := too_many_acts(room, HOST):
        raise too_many
    return Decision([play.act(HOST, actions[request.do])])


def call_it_off(room: RoomState, context: Context, member: int, request: protocol.CallItOff) -> Decision:
    return Decision([_called_off(room)])


def _called_off(room: RoomState) -> Entry:
    """C7. A game that was only dealt is not called off: its result is not known."""
    ends = act_of.AnnounceOutcome(winner=None, reason=UNTOLD) if room.settings.only_deals else act_of.CallOff()
    return _running(room).act(HOST, ends)


def announce_outcome(room: RoomState, context: Context, member: int, request: protocol.AnnounceOutcome) -> Decision:
    play = _running(room)
    if not room.settings.only_deals:
        refuse("room/stage", "announced")
    if too_many := too_many_acts(room, HOST):
        raise too_many
    return Decision([play.act(HOST, act_of.AnnounceOutcome(winner=request.winner, reason=request.reason))])


def _running(room: RoomState) -> Play[Any, Any]:
    if room.play is None or not room.is_playing:
        refuse("room/stage", "no_game")
    return room.play


def rematch(room: RoomState, context: Context, member: int, request: protocol.Rematch) -> Decision:
    """Clear the table. A game that was only dealt ends first, without a result, so that its record is complete and the
    deal can be verified. Its players keep their seats: at a real table, phones are in pockets."""
    only_deals = room.settings.only_deals
    if not room.is_table_set or (room.is_playing and not only_deals):
        refuse("room/stage", "rematch")
    if not only_deals:
        return happened(TableCleared(), *lobby.seats_to_free(room, context.presence, context.now))
    ended = [_called_off(room)] if room.is_playing else []
    return Decision([*ended, RoomRow(events=[TableCleared()])])


# A bot's move


def bot_move(room: RoomState, context: Context, command: BotMove) -> Decision:
    """A move, or a remark; unless the phase is over by now, a player has the seat back, or the bot was silenced."""
    seat, phase, move = command
    if phase is None or phase != room.phase_played or not room.places[seat].player:
        return NOTHING
    if isinstance(move, act_of.Remark) and not may_speak(room, seat):
        return NOTHING
    return Decision(played(room, context.now, seat, move))
