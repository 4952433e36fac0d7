"""What quest players make of remarks, in points: a little for a word against a seat, more for what the Lady showed."""

from __future__ import annotations

from roundtable.core.game import OPEN_TALK
from roundtable.core.policy import Heard
from roundtable.core.seats import Seat
from roundtable.games.quests.bots.suspicion import A_FAIL, Points
from roundtable.games.quests.roles import EVIL_ROLES, Side

DOUBTED = 2  # for a player whom another one suspects, and off for one who is trusted
EXAMINED = 6  # for a player of whom another one says to have seen that they are Evil, and off for Good
MOST_BY_TALK = 8  # for or off one seat, whatever is said: what players do says more
EVIL_WORDS = frozenset((*EVIL_ROLES, Side.EVIL))

Opinion = tuple[Seat, Seat]  # of one seat about another


def opinions(heard: Heard) -> dict[Opinion, int]:
    """The latest word of each seat about each other one, in points against it."""
    found: dict[Opinion, int] = {}
    for said in heard:
        if said.about is None or said.about == said.seat or said.channel != OPEN_TALK:
            continue
        match said.phrase:
            case "i_suspect":
                found[said.seat, said.about] = DOUBTED
            case "i_trust" | "take":
                found[said.seat, said.about] = -DOUBTED
            case "i_examined" | "i_saw":
                found[said.seat, said.about] = EXAMINED if said.word in EVIL_WORDS else -EXAMINED
    return found


def points_heard(seat: Seat, heard: Heard, earned: Points) -> Points:
    """What was said about each seat, by players whom one need not suspect more than others. Who accuses this seat
    wrongly is not believed in anything; claims that contradict each other add up to nothing."""
    points = [0] * len(earned)
    said = opinions(heard)
    for (speaker, about), cost in said.items():
        is_slander = said.get((speaker, seat), 0) == EXAMINED
        if speaker != seat and about != seat and earned[speaker] <= A_FAIL and not is_slander:
            points[about] += cost
    return tuple([max(-MOST_BY_TALK, min(MOST_BY_TALK, cost)) for cost in points])


def with_hearsay(earned: Points, seat: Seat, heard: Heard) -> Points:
    if not heard:
        return earned
    return tuple([one + other for one, other in zip(earned, points_heard(seat, heard, earned), strict=True)])
