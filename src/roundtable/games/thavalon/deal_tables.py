"""The tables from which a client repeats a deal of THavalon."""

from __future__ import annotations

from typing import get_args, get_type_hints

from roundtable.games.quests.tables import SIDES_BY_COUNT
from roundtable.games.thavalon.setup import EVIL_POOL, GOOD_POOL, ThavalonSetup


def tables() -> dict[str, object]:
    """Pools by the number of players; all roles in their order; sides by `nine_evil`, then by the number of players."""
    setups = {seats: ThavalonSetup(seats=seats) for seats in SIDES_BY_COUNT}
    choices = get_args(get_type_hints(ThavalonSetup)["nine_evil"])
    return {
        "good": {seats: setup.good_pool for seats, setup in setups.items()},
        "evil": {seats: setup.evil_pool for seats, setup in setups.items()},
        "all_good": list(GOOD_POOL),
        "all_evil": list(EVIL_POOL),
        "sides": {
            evil: {seats: ThavalonSetup(seats=seats, nine_evil=evil).sides for seats in setups} for evil in choices
        },
    }
