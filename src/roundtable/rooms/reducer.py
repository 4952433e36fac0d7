"""How rows change a room's state: events of the room one by one, and a whole log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, assert_never

from roundtable.core.entries import Entry
from roundtable.core.play import Play
from roundtable.core.setup import Setup
from roundtable.games import codec_of, game_named
from roundtable.protocol.entries import ENCODED_ENTRIES, entries_of
from roundtable.rooms import events
from roundtable.rooms.events import READER, GameRow, RoomEvent, RoomRow
from roundtable.rooms.state import (
    EndedClaim,
    GameClock,
    Member,
    Place,
    RoomState,
    SeatClaim,
    SeatNews,
    Usage,
    no_numbers,
)
from roundtable.storage import RoomUnreadable, Row

CHAT_KEPT = 200
REMOVED_KEPT = 40  # members, the latest
ROWS_AT_ONCE = 200  # that are read before other tasks get a turn


async def read_state(rows: Sequence[Row], known: RoomState, clock: int) -> RoomState:
    """A new state from all rows. Of games that are no longer on the table, only the ids of acts are read. Entries that
    the known state has already are not decoded again. Other tasks get a turn now and then."""
    state = RoomState(code=known.code, ahead=known.ahead, reloads=known.reloads + 1)
    read = []
    for place, line in enumerate(rows, 1):
        read.append(READER.decode(line.line))
        if place % ROWS_AT_ONCE == 0:
            await asyncio.sleep(0)
    starts = [place for place, row in enumerate(read) if isinstance(row, RoomRow) and _starts_game(row)]
    start = starts[-1] if starts else -1
    decoded = iter(_entries_of(known, start, len(starts)))
    entries: list[Entry] = []
    for place, row in enumerate(read):
        if isinstance(row, RoomRow):
            absorb_row(state, row, rows[place].at)
        elif place > start:
            entry = next(decoded, None) if place < known.version else None
            entries.append(entry or _read_entry(state, row))
            state.absorb_entry(entries[-1], rows[place].at)
        else:
            act = ENCODED_ENTRIES.decode(row.entry)
            state.remember_act(act.actor, act.id, bytes(act.action))
        if place % ROWS_AT_ONCE == ROWS_AT_ONCE - 1:
            await asyncio.sleep(0)
    if entries and state.is_table_set:
        state.play = Play(game_named(state.setup.game), entries)
    state.version = len(rows)
    state.written_at = rows[-1].at if rows else 0
    state.ahead = max(state.ahead, state.written_at - clock)
    state.changes = known.changes + 1
    return state


def _entries_of(known: RoomState, start: int, games: int) -> Sequence[Entry]:
    """The entries that are known of the game that starts at this row and is the last of so many."""
    is_same_game = start < known.version and known.number == games
    return known.play.entries if known.play is not None and is_same_game else ()


def unreadable_room(code: str, rows: Sequence[Row], broken: Exception) -> RoomUnreadable:
    """Which row of a room makes no sense. Nothing of the row is told, because it may hold secrets."""
    return RoomUnreadable(f"room {code}, row {_first_unreadable(rows)}: {type(broken).__name__}")


def _first_unreadable(rows: Sequence[Row]) -> int:
    """The number of the row at which `read_state` fails; the last one if each can be read for itself."""
    state = RoomState()
    for number, line in enumerate(rows, 1):
        try:
            row = READER.decode(line.line)
            if isinstance(row, RoomRow):
                absorb_row(state, row, line.at)
            else:
                _read_entry(state, row)
        except Exception:
            return number
    return len(rows)


def absorb_row(state: RoomState, row: RoomRow[Any], at: int) -> None:
    state.public_at = at  # of a claim in this row, too
    absorb_all(state, row.events)
    state.changes += 1
    if row.member in state.members and not any(isinstance(event, events.LineChatted) for event in row.events):
        state.usage.count_request(row.member)
    if row.id and row.member in state.members:
        state.request_ids.keep(row.member, row.id, row.fingerprint)


def absorb_all(state: RoomState, happened: Iterable[RoomEvent]) -> None:
    for event in happened:
        absorb(state, event)


def absorb(state: RoomState, event: Any) -> None:
    match event:
        case events.RoomOpened(code=code, settings=settings):
            state.code, state.settings = code, settings
        case events.SetupChanged(game=game, setup=setup):
            _change_setup(state, read_setup(game, bytes(setup)))
        case events.SettingsChosen(settings=settings):
            state.settings = settings
        case events.MemberJoined(member=member, name=name, key=key, avatar=avatar):
            state.members[member] = Member(name, key, avatar)
            state.joined = member
        case events.ProfileChanged(member=member, name=name, avatar=avatar):
            _change_profile(state, member, name, avatar)
            if name is not None:
                state.usage.count_name(member)
        case events.MemberLeft(member=member, is_removed=is_removed):
            left = _forget(state, member)
            if is_removed and left:
                if left.key in state.known_seats and state.host is not None:
                    state.emptied_by[state.known_seats[left.key]] = state.host
                state.removed = dict([*state.removed.items(), (member, left)][-REMOVED_KEPT:])
        case events.MemberPardoned(member=member):
            state.removed.pop(member, None)
        case events.HostNamed(member=member, was_vacant=was_vacant):
            state.host, state.was_vacant = member, was_vacant
        case events.SeatTaken(seat=seat, member=member, bot=bot):
            _take_seat(state, seat, member, bot)
        case events.SeatFreed(seat=seat):
            _assign(state, seat, Place())
        case events.BotStoodIn(seat=seat, bot=bot):
            state.places[seat].stand_in = bot
        case events.SeatReturned(seat=seat):
            state.places[seat].stand_in, state.places[seat].is_silenced = None, False
        case events.SeatClaimed(seat=seat, member=member):
            state.seat_claims[member] = SeatClaim(seat, state.public_at)
        case events.ClaimSupported(member=member, by=by):
            claim = state.seat_claims[member]
            state.seat_claims[member] = replace(claim, agreed=(*claim.agreed, by))
        case events.ClaimDenied(member=member, by=by):
            _deny(state, member, by)
        case events.SeatGranted(seat=seat, member=member, by=by):
            ended = _ended(state, seat, member, by, is_granted=True)
            _assign(state, seat, Place(member))
            _note_known(state, seat)
            state.ended_claims[seat] = ended
        case events.ReadySaid(member=member, is_ready=is_ready):
            state.members[member].is_ready = is_ready
        case events.MemberSilenced(member=member, is_silenced=is_silenced):
            state.members[member].is_silenced = is_silenced
        case events.BotSilenced(seat=seat, is_silenced=is_silenced):
            state.places[seat].is_silenced = is_silenced
        case events.LineChatted():
            state.chatted += 1
            state.usage.count_line(event)
            state.chat = [*state.chat[-CHAT_KEPT + 1 :], event]
        case events.GameStarted(number=number, moderator=moderator):
            state.number, state.is_table_set, state.was_vacant = number, True, False
            state.moderator = moderator
            state.play, state.clock = None, GameClock()
            state.times, state.spectator_events = no_numbers(), no_numbers()
            state.usage, state.looked, state.known_seats, state.emptied_by = Usage(), set(), {}, {}
            for seat in range(len(state.places)):
                _note_known(state, seat)
        case events.RoleSeen(seat=seat):
            state.looked.add(seat)
        case events.LookingEnded():
            state.clock.release(state.public_at)
        case events.TableCleared():
            state.is_table_set = state.was_vacant = False
            state.play = state.moderator = None
            for news in (state.seat_claims, state.claims_refused, state.ended_claims, state.seat_news):
                news.clear()
            for place in state.places:
                place.stand_in = None
            _reset_ready(state)
        case events.RoomClosed():
            state.is_closed = True
        case _:
            assert_never(event)


def _change_setup(state: RoomState, setup: Setup) -> None:
    state.setup = setup
    state.places = [*state.places, *(Place() for _ in range(setup.seats))][: setup.seats]
    _reset_ready(state)


def _change_profile(state: RoomState, member: int, name: str | None, avatar: str | None) -> None:
    """In a game the table reads under which name a player goes on."""
    person = state.members[member]
    if avatar is not None:
        person.avatar = avatar
    if name is None:
        return
    seat = state.seat_of(member)
    if seat is not None and state.is_table_set:
        state.seat_news[seat] = SeatNews("notice.renamed", name, person.name)
    person.name = name


def _take_seat(state: RoomState, seat: int, member: int | None, bot: str | None) -> None:
    """In a game the table reads who plays on for a bot."""
    former = state.seat_names[seat]
    was_bot = state.places[seat].bot is not None
    _assign(state, seat, Place(member, bot, finishes_game=bot is not None and state.is_table_set))
    if not state.is_table_set:
        return
    _note_known(state, seat)
    state.seat_news.pop(seat, None)
    if member is not None and was_bot:
        state.seat_news[seat] = SeatNews("notice.bot_replaced", state.members[member].name, former)


def _note_known(state: RoomState, seat: int) -> None:
    """The member who has this seat now knows what it knows."""
    member = state.places[seat].member
    if member in state.members:
        state.known_seats[state.members[member].key] = seat


def _assign(state: RoomState, seat: int, place: Place) -> None:
    """Give the seat to another holder, or to none. Pending claims on the seat, and the new holder's own, are off. What
    the former holder agreed to no longer counts, and the new one has not looked at the role."""
    former = state.places[seat].member
    state.places[seat] = place
    state.ended_claims.pop(seat, None)
    state.looked.discard(seat)
    state.seat_claims = {
        member: replace(claim, agreed=tuple(player for player in claim.agreed if player != former))
        for member, claim in state.seat_claims.items()
        if claim.seat != seat and member != place.member
    }


def _deny(state: RoomState, member: int, by: int | None) -> None:
    """End a claim. The table reads of it, unless the claimant withdrew it."""
    claim = state.seat_claims.pop(member, None)
    if claim is None:
        return
    if by not in (None, member):
        state.claims_refused[member, claim.seat] = state.public_at
    if by != member:
        deciders = () if by is None else (by,)
        state.ended_claims[claim.seat] = _ended(state, claim.seat, member, deciders, is_granted=False)


def _ended(state: RoomState, seat: int, claimant: int, by: tuple[int, ...], *, is_granted: bool) -> EndedClaim:
    people = (claimant, state.places[seat].member, *by)
    name, holder, *deciders = (state.members[member].name if member in state.members else "" for member in people)
    return EndedClaim(name, holder, tuple(deciders), is_granted)


def _forget(state: RoomState, member: int) -> Member | None:
    state.request_ids.forget(member)
    state.usage.forget(member)
    state.seat_claims.pop(member, None)
    state.claims_refused = {claim: at for claim, at in state.claims_refused.items() if claim[0] != member}
    return state.members.pop(member, None)


def _reset_ready(state: RoomState) -> None:
    for member in state.members.values():
        member.is_ready = False


def read_setup(game: str, text: bytes) -> Setup:
    return codec_of(game_named(game)).decode(Setup, text)


def _read_entry(state: RoomState, row: GameRow) -> Entry:
    return entries_of(state.setup.game).read(row.entry)


def _starts_game(row: RoomRow[RoomEvent]) -> bool:
    return any(isinstance(event, events.GameStarted) for event in row.events)
