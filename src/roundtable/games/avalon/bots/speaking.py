"""What bots say in Avalon: as in every quest game, and what the Lady of the Lake showed them, or a lie about it."""

from __future__ import annotations

from roundtable.core.chance import Chance
from roundtable.core.policy import Heard, Phrasing
from roundtable.core.seats import Seat
from roundtable.games.avalon.bots.careful import mind_in_avalon
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests.bots.mind import Mind
from roundtable.games.quests.bots.speaking import say
from roundtable.games.quests.roles import Side


def speech(view: AvalonState, seat: Seat, heard: Heard, chance: Chance) -> Phrasing:
    mind = mind_in_avalon(view, seat, heard)
    return say(view, mind, heard, chance, claims_about_loyalty(view, mind))


def claims_about_loyalty(view: AvalonState, mind: Mind) -> list[Phrasing]:
    """A23: Good tells what it saw. Evil calls its own Good and all others Evil."""
    return [
        Phrasing("i_examined", target, shown_side(mind, target, side))
        for holder, target, side in view.loyalties
        if holder == mind.seat
    ]


def shown_side(mind: Mind, target: Seat, side: Side) -> Side:
    if not mind.is_evil:
        return side
    return Side.GOOD if side is Side.EVIL else Side.EVIL
