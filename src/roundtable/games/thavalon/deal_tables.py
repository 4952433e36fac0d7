"""The tables from which a client repeats a deal of THavalon."""

from __future__ import annotations

from typing import get_args, get_type_hints

from roundtable.games.quests.tables import SIDES_BY_COUNT
from roundtable.games.thavalon.setup import ThavalonSetup


def tables() -> dict[str, object]:
    """Pools by the number of players; sides by `nine_evil`, then by the number of players."""
    setups = {seats: ThavalonSetup(seats=seats) for seats in SIDES_BY_COUNT}
    choices = get_args(get_type_hints(ThavalonSetup)["nine_evil"])
    return {
        "good": {seats: setup.good_pool for seats, setup in setups.items()},
        "evil": {seats: setup.evil_pool for seats, setup in setups.items()},
        "sides": {
            evil: {seats: ThavalonSetup(seats=seats, nine_evil=evil).sides for seats in setups} for evil in choices
        },
    }
