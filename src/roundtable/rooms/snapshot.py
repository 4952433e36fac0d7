"""What everybody may see of a room, and how much of a game those who watch may have heard by now."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.games import spec_named
from roundtable.games.quests.setup import QuestSetup
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import spelled_setup
from roundtable.rooms import deciding
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.presence import Presence
from roundtable.rooms.sessions import Now, seat_names, text_of
from roundtable.rooms.state import RoomState


class Snapshot:
    """The room as it is shown to everybody: spelled once, and again when it has changed."""

    def __init__(self, standing: RoomAggregate, attendance: Presence) -> None:
        self.text = ""
        self._standing = standing
        self._attendance = attendance
        self._looked_like: object = None  # when it was spelled

    def now(self) -> Now:
        """What every connection has to be brought up to date with."""
        standing = self._standing
        looks_like = (standing.changes, self._attendance.changes, standing.stage)
        has_changed = looks_like != self._looked_like
        if has_changed:
            self.text, self._looked_like = text_of(self.shown()), looks_like
        return Now(
            standing.state,
            standing.play,
            standing.clock,
            standing.now(),
            self.text,
            has_room_changed=has_changed,
            visible=self._visible_to_spectators(),
        )

    def shown(self) -> protocol.Room:
        """What everybody may know of the room."""
        state, here = self._standing.state, self._attendance.here
        waits = [] if state.is_table_set else deciding.problems(state)
        return protocol.Room(
            code=self._standing.code,
            stage=self._standing.stage,
            number=state.number,
            game=state.setup.game,
            **told_of(state.setup),
            settings=state.settings,
            host=state.host,
            members=tuple(
                protocol.MemberShown(
                    member=number,
                    name=member.name,
                    is_here=number in here,
                    is_ready=member.is_ready,
                    is_silenced=member.is_silenced,
                )
                for number, member in state.members.items()
            ),
            shown_out=tuple(
                protocol.ShownOut(member=number, name=member.name) for number, member in state.shown_out.items()
            ),
            seats=tuple(
                protocol.SeatShown(member=place.member, bot=place.bot, stand_in=place.stand_in)
                for place in state.places
            ),
            asked_for=tuple(protocol.SeatWanted(member=member, seat=seat) for member, seat in state.asked_for.items()),
            problems=tuple(protocol.ProblemShown(code=problem.code, message=problem.message) for problem in waits),
            notices=(*notices_of(state.setup), *_notices_of_room(state)),
        )

    def _visible_to_spectators(self) -> int | None:
        """How many events those who watch may have heard by now, where the host wants them to lag behind."""
        standing, play = self._standing, self._standing.play
        delay = standing.state.settings.spectator_delay * 1000
        if not delay or play is None or play.is_over:
            return None
        limit = standing.now() - delay
        shown = [entry for entry, at in zip(play.entries, standing.times, strict=True) if at <= limit]
        return sum(SPECTATOR in event.audience for entry in shown for event in entry.events)


@lru_cache(maxsize=256)
def told_of(setup: Setup) -> dict[str, Any]:
    """What follows from a table's choices alone, and so is worked out once."""
    return {
        "setup": spelled_setup(setup),
        "roles": setup.possible_roles,
        "quests": quests_of(setup),
        "casting": tuple(
            protocol.SideShown(side=side, seats=seats, roles=roles) for side, seats, roles in setup.casting()
        ),
    }


def _notices_of_room(state: RoomState) -> list[protocol.NoticeShown]:
    """What everybody should know about the room."""
    notices = []
    if state.was_vacant and state.host in state.members:
        said = f"The host was away for too long; {state.members[state.host].name} is the host now."
        notices.append(protocol.NoticeShown(code="new_host", message=said))
    if state.regained:
        names = ", ".join(seat_names(state)[seat] for seat in sorted(state.regained))
        said = f"The host has let somebody take the place of a lost device: {names}."
        notices.append(protocol.NoticeShown(code="seat_regained", message=said))
    return notices


def notices_of(setup: Setup) -> list[protocol.NoticeShown]:
    words = catalogue(SOURCE, spec_named(setup.game).text)
    return [protocol.NoticeShown(code=notice.code, message=notice.text(words)) for notice in setup.notices()]


def quests_of(setup: Setup) -> tuple[protocol.QuestShown, ...]:
    plans = setup.plans() if isinstance(setup, QuestSetup) else ()
    return tuple(protocol.QuestShown(**plan._asdict()) for plan in plans)
