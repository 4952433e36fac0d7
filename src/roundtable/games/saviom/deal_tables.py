"""The tables from which a client repeats a deal of Saviom."""

from __future__ import annotations

from typing import get_args, get_type_hints

from roundtable.games.saviom.setup import CLASSIC, SaviomSetup


def tables() -> dict[str, object]:
    """Every card of a deal, by mode and number of players."""
    modes = get_args(get_type_hints(SaviomSetup)["mode"])
    cards = {mode: {seats: SaviomSetup(seats=seats, mode=mode).all_roles for seats in CLASSIC} for mode in modes}
    return {"cards": cards}
