"""A RoomChanged tells what has changed in a Room, and nothing else."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from roundtable.core.errors import Unreadable
from roundtable.protocol import rooms
from roundtable.protocol.encoding import ENCODER, Reader
from roundtable.protocol.room_changes import changes_between, with_changes

MEMBERS = tuple(
    rooms.RoomMember(member=number, name=f"Player {number}", avatar="", is_here=True, is_ready=False, is_silenced=False)
    for number in (1, 2)
)
BEFORE = rooms.Room(
    code="K7MPQ2",
    stage="lobby",
    number=0,
    game="avalon",
    setup=msgspec.Raw(b'{"seats":5}'),
    roles=(),
    rounds=msgspec.Raw(b"[]"),
    settings=rooms.Settings(),
    host=1,
    members=MEMBERS,
    removed=(),
    seats=(rooms.RoomSeat(member=1, bot=None, stand_in=None, is_silenced=False),),
    looked=(),
    looking_until=None,
    seat_claims=(),
    problems=(rooms.RoomProblem(code="room/ready", message="Two are not ready."),),
    notices=(),
    casting=(),
    endings=(),
)
AFTER = {
    "one field of one member": replace(BEFORE, members=(MEMBERS[0], replace(MEMBERS[1], is_ready=True))),
    "a list that is shorter": replace(BEFORE, members=MEMBERS[:1], problems=()),
    "a list that is longer": replace(BEFORE, looked=(0, 3), members=(*MEMBERS, replace(MEMBERS[0], member=3))),
    "a setting": replace(BEFORE, settings=rooms.Settings(is_public=True)),
    "a setup": replace(BEFORE, setup=msgspec.Raw(b'{"seats":6}'), stage="playing", number=1, host=None),
    "a part that leaves out its defaults": replace(
        BEFORE, problems=(rooms.RoomProblem(code="room/ready", message="One.", values={"count": 1}),)
    ),
    "nothing": BEFORE,
}


@pytest.mark.parametrize("kind", AFTER)
def test_a_client_that_makes_the_changes_has_the_new_room(kind: str) -> None:
    sent = Reader(rooms.RoomChanged).read(ENCODER.encode(changes_between(BEFORE, AFTER[kind])))
    assert ENCODER.encode(with_changes(BEFORE, sent)) == ENCODER.encode(AFTER[kind])


def test_only_what_has_changed_is_sent() -> None:
    changed = changes_between(BEFORE, AFTER["one field of one member"])
    assert changed.changes == ((("members", 1, "is_ready"), True),)


@pytest.mark.parametrize(
    "change", [(("members", 9, "name"), "x"), (("number", "no"), 1), (("stage",), "elsewhere"), ((), 1)]
)
def test_changes_that_do_not_fit_are_refused(change: tuple[tuple[str | int, ...], object]) -> None:
    with pytest.raises(Unreadable):
        with_changes(BEFORE, rooms.RoomChanged(changes=(change,)))
