"""What bots say in THavalon: as in every quest game."""

from __future__ import annotations

from roundtable.core.chance import Chance
from roundtable.core.policy import Heard, Phrasing
from roundtable.core.seats import Seat
from roundtable.games.quests.bots.speaking import QuestFace, face_of, say
from roundtable.games.thavalon.bots.careful import mind_in_thavalon
from roundtable.games.thavalon.state import ThavalonState


def speech(
    view: ThavalonState, seat: Seat, heard: Heard, chance: Chance, face: QuestFace | None = None
) -> Phrasing | None:
    return say(view, seat, face or face_of(view, mind_in_thavalon(view, seat, heard)), heard, chance)
