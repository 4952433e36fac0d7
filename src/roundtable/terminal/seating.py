"""Who sits where: the person under their own name, and bots whose names say what kind they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roundtable.core.seats import Seat
from roundtable.text.names import Names

BOT_MARK = re.compile(r" \((?:(\w+) )?bot\)$")


def names_at_table(seat: Seat, name: str, bot_names: Sequence[str], seats: int, kind: str) -> Names:
    """The person's name at their seat, and bots in all others, marked as such: the record needs to know (C3)."""
    spare = (other for other in bot_names if other.casefold() != name.casefold())
    return Names(name if place == seat else f"{next(spare)} ({kind} bot)" for place in range(seats))


def is_marked(name: str) -> bool:
    """Whether this is the name of a bot."""
    return BOT_MARK.search(name) is not None


def people(names: Sequence[str]) -> list[Seat]:
    """The seats without a bot; a terminal's table has exactly one."""
    return [seat for seat, name in enumerate(names) if not is_marked(name)]


def kind_of_bots(names: Sequence[str]) -> str | None:
    """The kind of the bots in the other seats, if the names say so."""
    return next((mark[1] for name in names if (mark := BOT_MARK.search(name)) and mark[1]), None)


def without_marks(names: Sequence[str]) -> Names:
    """The names of people and bots as players read them."""
    return Names(BOT_MARK.sub("", name) for name in names)
