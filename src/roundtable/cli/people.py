"""A person in all rooms of a database: found by a name, and erased."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from roundtable.cli.printing import aside, say, show
from roundtable.cli.progress import progress_of
from roundtable.core.catalogue import catalogue
from roundtable.core.errors import RoundTableError, SetupError, shown
from roundtable.core.names import look_alike, printable

if TYPE_CHECKING:
    from roundtable.rooms.erasure import Appearance, IsSame
    from roundtable.storage import Log, Row

FOR_EVER = 2**62  # milliseconds
ORDERS_AT_ONCE = 20  # an interrupted command may have erased so many rooms without printing them


class Found(NamedTuple):
    """A room in which members had a name."""

    code: str
    is_open: bool
    members: Sequence[Appearance]


class Search(NamedTuple):
    """What a search has found, and the rooms with a row that cannot be read."""

    found: Sequence[Found]
    unreadable: Sequence[str]


async def tell_rooms_of(log: Log, name: str, lang: str) -> None:
    """Print every room in which a member ever had this name, or one that looks like it."""
    search = await _search(log, name, lang)
    words = catalogue(lang)
    for code, is_open, members in search.found:
        state = words.text("admin.is_open" if is_open else "admin.is_closed")
        day = datetime.fromtimestamp(members[0].at / 1000, UTC).date()
        names = ", ".join(f"#{member} {printable(named)}" for member, named, _ in members)
        show(f"{code} {state} {day} {names}")
    _require_complete(search)


async def erase_everywhere(log: Log, name: str, lang: str) -> None:
    """Erase a person in all rooms, and print each room that is done. Interrupted, it can be started again."""
    from roundtable.cli.orders import answers
    from roundtable.rooms.erasure import is_written_alike

    search = await _search(log, name, lang, is_written_alike)
    words = catalogue(lang)
    left, failed, has_server = [room.code for room in search.found], list[str](), True
    while left and has_server:
        orders = [{"do": "erase", "room": code, "name": name} for code in left[:ORDERS_AT_ONCE]]
        async with aclosing(answers(log, orders)) as given:
            async for order, answer in given:
                left.remove(code := order["room"])
                if not isinstance(answer, RoundTableError):
                    members = ", ".join(f"#{member}" for member in answer)
                    say(words.text("admin.erased_there", room=code, members=members), lang)
                elif answer.code != "room/no_member":  # another command has erased the person meanwhile
                    aside(f"{code}: {answer.text(lang)}")
                    failed.append(code)
                    has_server = has_server and answer.variant != "no_server"
    if left or failed:
        raise SetupError("setup/option", "unfinished", rooms=", ".join([*failed, *left]))
    _require_complete(search)


async def _search(log: Log, name: str, lang: str, is_same: IsSame = look_alike) -> Search:
    """It reads the rows of every room. `SetupError` where no room has such a name."""
    from roundtable.rooms.erasure import appearances

    with progress_of("rooms", lang) as show_progress:
        search = await _search_in(log, await _rooms(log), lambda rows: appearances(rows, name, is_same), show_progress)
    if not search.found and not search.unreadable:
        raise SetupError("setup/option", "nobody", name=shown(name))
    return search


async def _rooms(log: Log) -> dict[str, bool]:
    """Every room, and whether it is open."""
    are_open = dict.fromkeys(await log.summaries(), True)
    return dict.fromkeys(await log.closed_rooms(0, FOR_EVER), False) | are_open


async def _search_in(
    log: Log,
    rooms: dict[str, bool],
    look: Callable[[Sequence[Row]], Sequence[Appearance]],
    show_progress: Callable[[int, int], None],
) -> Search:
    from roundtable.rooms.reducer import unreadable_room
    from roundtable.storage import RoomUnreadable

    found, unreadable = [], []
    for done, (code, is_open) in enumerate(rooms.items(), 1):
        try:
            rows = await log.read(code)
            try:
                members = look(rows)
            except Exception as broken:
                raise unreadable_room(code, rows, broken) from broken
            if members:
                found.append(Found(code, is_open, members))
        except RoomUnreadable as broken:
            unreadable.append(str(broken))
        show_progress(done, len(rooms))
    return Search(sorted(found, key=lambda room: room.members[0].at), unreadable)


def _require_complete(search: Search) -> None:
    if search.unreadable:
        raise SetupError("setup/option", "rooms_unreadable", rooms="; ".join(search.unreadable))
