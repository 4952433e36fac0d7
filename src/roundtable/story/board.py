"""What lies open on the table from the start: who is in the deal, and what each quest takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from roundtable.core.setup import Setup
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import SIDE_OF, Role, Side
from roundtable.games.quests.tables import QUESTS, TEAM_SIZES, fails_needed
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.games.thavalon.setup import TWO_FAILS_FROM, ThavalonSetup


def board(setup: Setup) -> str:
    """A few lines that everybody may read (A3, A10, A19, S4, T2)."""
    match setup:
        case AvalonSetup():
            lines = [*avalon_roles(setup), quests(setup.seats, setup.two_fails_from)]
        case ThavalonSetup():
            lines = [*thavalon_roles(setup), quests(setup.seats, TWO_FAILS_FROM)]
        case SaviomSetup():
            lines = [f"In the deal: {counted(setup.all_roles)}."]
        case _:
            lines = []
    return "\n".join(lines)


def counted(roles: Iterable[str]) -> str:
    """`Merlin, Percival, 2 x Loyal Servant`."""
    return ", ".join(role if count == 1 else f"{count} x {role}" for role, count in Counter(roles).items())


def avalon_roles(setup: AvalonSetup) -> Iterator[str]:
    for side in Side:
        roles: list[Role] = [role for role in setup.all_roles if SIDE_OF[role] is side]
        yield f"{len(roles)} are {side}: {counted(roles)}."
    if setup.has_duty:
        yield "One of Evil holds the dagger."


def thavalon_roles(setup: ThavalonSetup) -> Iterator[str]:
    """Which roles were drawn is not public, only which could be (T13)."""
    for side, count, pool in zip(Side, setup.sides, (setup.good_pool, setup.evil_pool), strict=True):
        yield f"{count} are {side}, out of {', '.join(pool)}."


def quests(seats: int, two_fails_from: int) -> str:
    sizes = f"Teams for the {QUESTS} quests: {', '.join(map(str, TEAM_SIZES[seats]))}."
    hard = [quest for quest in range(1, QUESTS + 1) if fails_needed(seats, quest, two_fails_from) > 1]
    return sizes + "".join(f" It takes two Fails to fail quest {quest}." for quest in hard)
