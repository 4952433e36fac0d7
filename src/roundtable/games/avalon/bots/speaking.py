"""What bots say in Avalon: as in every quest game, and what the Lady of the Lake showed them, or a lie about it."""

from __future__ import annotations

from roundtable.core.chance import Chance
from roundtable.core.policy import Heard, Phrasing
from roundtable.core.seats import Seat
from roundtable.games.avalon.bots.careful import mind_in_avalon
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests.bots.speaking import QuestFace, face_of, say
from roundtable.games.quests.roles import SIDE_OF, Side


def speech(
    view: AvalonState, seat: Seat, heard: Heard, chance: Chance, face: QuestFace | None = None
) -> Phrasing | None:
    face = face or face_of(view, mind_in_avalon(view, seat, heard))
    return say(view, seat, face, heard, chance, claims_about_loyalty(view, seat))


def claims_about_loyalty(view: AvalonState, seat: Seat) -> list[Phrasing]:
    """A23: Good tells what it saw. Evil calls its own Good and all others Evil."""
    is_evil = SIDE_OF[view.roles[seat]] is Side.EVIL
    return [
        Phrasing("i_examined", target, shown_side(is_evil, side))
        for holder, target, side in view.loyalties
        if holder == seat
    ]


def shown_side(is_evil: bool, side: Side) -> Side:
    if not is_evil:
        return side
    return Side.GOOD if side is Side.EVIL else Side.EVIL
