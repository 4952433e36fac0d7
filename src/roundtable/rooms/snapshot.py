"""What everyone may see of a room, and how much of a game spectators may have heard by now."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from roundtable.core.catalogue import SOURCE, catalogue, listed
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.games import spec_named
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import encoded_setup
from roundtable.rooms.commands import Context, Decision, Look
from roundtable.rooms.lobby import problems
from roundtable.rooms.presence import Presence
from roundtable.rooms.sessions import text_of
from roundtable.rooms.state import RoomState


def look(room: RoomState, context: Context, command: Look) -> Decision:
    return Decision(reply=text_of(snapshot(room, context.presence)))


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
            protocol.MemberShown(
                member=number,
                name=member.name,
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
            protocol.SeatShown(member=place.member, bot=place.bot, stand_in=place.stand_in) for place in room.places
        ),
        asked_for=tuple(protocol.SeatWanted(member=member, seat=seat) for member, seat in room.asked_for.items()),
        problems=tuple(
            protocol.ProblemShown(
                code=problem.code, message=problem.message, variant=problem.variant, values=dict(problem.values)
            )
            for problem in waits
        ),
        notices=(*_notices_of_setup(room.setup), *_notices_of_room(room)),
    )


def visible_to_spectators(room: RoomState, now: int) -> int | None:
    """How many events spectators may have heard by now; None where there is no delay."""
    play, delay = room.play, room.settings.spectator_delay * 1000
    if not delay or play is None or play.is_over:
        return None
    shown = [entry for entry, at in zip(play.entries, room.times, strict=True) if at <= now - delay]
    return sum(SPECTATOR in event.audience for entry in shown for event in entry.events)


@lru_cache(maxsize=256)
def _described(setup: Setup) -> dict[str, Any]:
    """The parts of a snapshot that follow from the setup alone."""
    return {
        "setup": encoded_setup(setup),
        "roles": setup.possible_roles,
        "quests": quests_of(setup),
        "casting": tuple(
            protocol.SideShown(side=side, seats=seats, roles=roles) for side, seats, roles in setup.casting()
        ),
    }


def _notices_of_room(room: RoomState) -> list[protocol.NoticeShown]:
    words, notices = catalogue(), []
    if room.was_vacant and room.host in room.members:
        said = words.text("notice.new_host", name=room.members[room.host].name)
        notices.append(protocol.NoticeShown(code="new_host", message=said))
    if room.regained:
        names = [room.seat_names[seat] for seat in sorted(room.regained)]
        said = words.text("notice.seat_regained", names=listed(names, words))
        notices.append(protocol.NoticeShown(code="seat_regained", message=said))
    return notices


def _notices_of_setup(setup: Setup) -> list[protocol.NoticeShown]:
    words = catalogue(SOURCE, spec_named(setup.game).text)
    return [protocol.NoticeShown(code=notice.code, message=notice.text(words)) for notice in setup.notices()]


def quests_of(setup: Setup) -> tuple[protocol.QuestShown, ...]:
    return tuple(protocol.QuestShown(**plan._asdict()) for plan in setup.plans())
