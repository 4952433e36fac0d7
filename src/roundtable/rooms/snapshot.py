"""What is derived from a room's state: what everyone may see of it, and its summary for the registry."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Any

from roundtable.core.catalogue import SOURCE, catalogue, listed
from roundtable.core.setup import Setup
from roundtable.games import game_named, spec_named
from roundtable.protocol import rooms as protocol
from roundtable.protocol.bodies import ListedRoom, OwnTable
from roundtable.protocol.encoding import ENCODER, encoded, encoded_setup
from roundtable.rooms import claims, game, looking, newcomers, timers
from roundtable.rooms.commands import Context, Decision, LookCommand, ReadCommand, no_such_room, refuse
from roundtable.rooms.lobby import problems
from roundtable.rooms.presence import Presence
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits
from roundtable.rooms.state import HOUR, EndedClaim, RoomState
from roundtable.rooms.updates import text_of
from roundtable.storage import RoomSummary

MINUTE = 60_000  # milliseconds


def look(room: RoomState, context: Context, command: LookCommand) -> Decision:
    return Decision(reply=text_of(snapshot(room, context.presence)))


def read(room: RoomState, context: Context, command: ReadCommand) -> Decision:
    return Decision(reply=command.read(room))


def snapshot(room: RoomState, presence: Presence) -> protocol.Room:
    waits = [] if room.is_table_set else problems(room)
    return protocol.Room(
        code=room.code,
        stage=room.stage,
        number=room.number,
        game=room.setup.game,
        **_described(room.setup),
        settings=room.settings,
        host=room.host,
        members=tuple(
            protocol.RoomMember(
                member=number,
                name=member.name,
                avatar=member.avatar,
                is_here=number in presence.connected,
                is_ready=member.is_ready,
                is_silenced=member.is_silenced,
            )
            for number, member in room.members.items()
        ),
        removed=tuple(
            protocol.RemovedMember(member=number, name=member.name) for number, member in room.removed.items()
        ),
        seats=tuple(
            protocol.RoomSeat(
                member=place.member, bot=place.bot, stand_in=place.stand_in, is_silenced=place.is_silenced
            )
            for place in room.places
        ),
        looked=looking.seats_that_looked(room),
        looking_until=room.clock.held_until,
        seat_claims=tuple(
            protocol.SeatClaim(
                member=member,
                seat=claim.seat,
                grantable_at=claims.grantable_at(room, presence, claim),
                automatic_at=claims.automatic_at(room, presence, claim),
                agreed=claim.agreed,
                needed=claims.needed(room, presence),
            )
            for member, claim in room.seat_claims.items()
        ),
        problems=tuple(
            protocol.RoomProblem(
                code=problem.code, message=problem.message, variant=problem.variant, values=dict(problem.values)
            )
            for problem in waits
        ),
        notices=(*_notices_of_setup(room.setup), *_notices_of_room(room)),
        endings=_endings(room.setup) if room.is_playing and room.settings.only_deals else (),
    )


def own_table(room: RoomState, token: str) -> OwnTable:
    """The room as the member with this token finds it. To look is no sign of life: a stand-in plays on."""
    member = room.member_with(token)
    if member is None:
        if room.was_removed(token):
            refuse("room/removed")
        raise no_such_room()
    host = room.members.get(room.host or 0)
    return OwnTable(
        room=room.code,
        game=room.setup.game,
        stage=room.stage,
        number=room.number,
        seats=len(room.places),
        host=host.name if host else "",
        name=room.members[member].name,
        seat=room.seat_of(member),
        has_stand_in=room.is_played_for(member),
    )


def visible_to_spectators(room: RoomState, now: int) -> int | None:
    """How many events spectators may have heard by now; None where there is no delay."""
    play, delay = room.play, room.settings.spectator_delay * 1000
    if not delay or play is None or play.is_over:
        return None
    entries = bisect_right(room.times, now - delay)
    return room.spectator_events[entries - 1] if entries else 0


@lru_cache(maxsize=256)
def _described(setup: Setup) -> dict[str, Any]:
    """The parts of a snapshot that follow from the setup alone."""
    return {
        "setup": encoded_setup(setup),
        "roles": setup.possible_roles,
        "rounds": encoded(setup.rounds()),
        "casting": tuple(
            protocol.SideRoles(side=side, seats=seats, roles=roles) for side, seats, roles in setup.casting()
        ),
    }


@lru_cache(maxsize=256)
def _endings(setup: Setup) -> tuple[protocol.Ending, ...]:
    announceable = game_named(setup.game).announceable(setup)
    return tuple(protocol.Ending(winner=winner, reason=reason) for winner, reason in announceable)


def _notices_of_room(room: RoomState) -> list[protocol.RoomNotice]:
    words, notices = catalogue(), []
    if room.was_vacant and room.host in room.members:
        said = words.text("notice.new_host", name=room.members[room.host].name)
        notices.append(protocol.RoomNotice(code="new_host", message=said))
    if (name := _moderator_name(room)) is not None:
        said = words.text("notice.moderator", name=name)
        notices.append(protocol.RoomNotice(code="moderator", message=said, values={"name": name}))
    for seat, news in sorted(room.seat_news.items()):
        said = words.text(news.notice, name=news.name, former=news.former)
        values = {"seat": seat, "name": news.name, "former": news.former}
        notices.append(protocol.RoomNotice(code=news.notice.removeprefix("notice."), message=said, values=values))
    for seat, ended in sorted(room.ended_claims.items()):
        key = _notice_of(ended)
        said = words.text(key, name=ended.name, holder=ended.holder, by=listed(ended.by, words))
        values = {"seat": seat, "name": ended.name, "holder": ended.holder, "by": ended.by}
        notices.append(protocol.RoomNotice(code=key.removeprefix("notice."), message=said, values=values))
    return notices


def _moderator_name(room: RoomState) -> str | None:
    """Who sees all roles of the game on the table or, before a game, will; None where no member does."""
    coming = room.host if room.settings.is_moderated else None
    moderator = room.moderator if room.is_table_set else coming
    return room.members[moderator].name if moderator in room.members else None


def _notice_of(ended: EndedClaim) -> str:
    if ended.is_granted:
        return "notice.seat_granted" if ended.by else "notice.seat_granted_by_time"
    return "notice.claim_refused" if ended.by else "notice.seat_kept"


def _notices_of_setup(setup: Setup) -> list[protocol.RoomNotice]:
    words = catalogue(SOURCE, spec_named(setup.game).text)
    return [protocol.RoomNotice(code=notice.code, message=notice.text(words)) for notice in setup.notices()]


# For the registry


def summary_of(room: RoomState, idle: IdleLimits = USUAL_LIMITS) -> RoomSummary:
    """An idle room wakes at a full hour, possibly too early, so that its summary does not change with every row."""
    listing = _listed(room) if room.settings.is_public else b""
    wakes_at = timers.lasts_until(room, idle) // HOUR * HOUR
    return RoomSummary(wakes_at, not room.is_closed, listing, _deadline(room), _takeover_grace(room))


def _deadline(room: RoomState) -> int | None:
    if room.play is None or not room.is_playing:
        return None
    if not room.play.is_dealt:
        return game.deal_at(room)
    return room.clock.ends_at or room.clock.held_until


def _takeover_grace(room: RoomState) -> int | None:
    """How long after a server's start the room can stay unread: bots move without being asked, and they stand in for
    players who do not reconnect."""
    settings = room.settings
    if not room.is_playing or settings.only_deals:
        return None
    if any(place.player for place in room.places):
        return 0
    waits = [] if settings.takeover_seconds is None else [settings.takeover_seconds * 1000]
    if room.clock.ends_at is not None:  # by a clock that may have been set since
        waits.append(MINUTE)
    return min(waits, default=None)


def _listed(room: RoomState) -> bytes:
    """The room's line in the list of public rooms."""
    host = room.members.get(room.host or 0)
    line = ListedRoom(
        code=room.code,
        game=room.setup.game,
        stage=room.stage,
        seats=len(room.places),
        free=_free_seats(room),
        host=host.name if host else "",
    )
    return ENCODER.encode(line)


def _free_seats(room: RoomState) -> int:
    """The seats that a newcomer can take now or, after a game, in the next one."""
    if room.is_playing:
        return len(newcomers.seats_without_player(room))
    return sum(place.member is None for place in room.places)
