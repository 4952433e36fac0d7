"""What bots say in the quest games. All speak as a plain servant would: Evil bluffs, and Merlin hides."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable.core.chance import Chance, pick
from roundtable.core.game import OPEN_TALK
from roundtable.core.policy import Heard, Phrasing
from roundtable.core.seats import Seat
from roundtable.games.quests.bots.mind import Mind
from roundtable.games.quests.bots.quests import likes
from roundtable.games.quests.roles import Side
from roundtable.games.quests.state import QuestState

CLAIMING = 6  # one remark in so many is a claim about oneself, where such claims are allowed
GREETING = 2  # one first remark in so many is a greeting
PLAIN = ("wait", "go_on")


def say(view: QuestState, mind: Mind, heard: Heard, chance: Chance, examined: Sequence[Phrasing] = ()) -> Phrasing:
    """What this player says now, from what they would be seen to think."""
    if is_asked_why(heard, mind.seat):
        return opinion(view, mind, chance)
    told = {(said.phrase, said.about, said.word) for said in heard if said.seat == mind.seat}
    if news := [claim for claim in examined if tuple(claim) not in told]:
        return pick(chance, news)
    if not heard and not view.polls and chance.below(GREETING) == 0:
        return Phrasing("hello")
    if "i_am" not in view.setup.unsaid_phrases() and chance.below(CLAIMING) == 0:
        return Phrasing("i_am", word=Side.GOOD)
    if view.phase.name == "vote" and view.proposal is not None and chance.below(2) == 0:
        return Phrasing("approve_this" if likes(mind, view.proposal.team) else "reject_this")
    if view.phase.name == "propose" and view.leader != mind.seat and chance.below(4) == 0:
        return Phrasing("take_me")
    return opinion(view, mind, chance)


def is_asked_why(heard: Heard, seat: Seat) -> bool:
    """Whether the question why was put to this seat since it last spoke."""
    for said in reversed(heard):
        if said.seat == seat:
            return False
        if said.phrase == "why" and said.about == seat and said.channel == OPEN_TALK:
            return True
    return False


def opinion(view: QuestState, mind: Mind, chance: Chance) -> Phrasing:
    """Whom this player would be seen to suspect or to trust; nothing much where all look the same."""
    others = [seat for seat in range(view.setup.seats) if seat != mind.seat]
    costs = [mind.face[seat] for seat in others]
    least, most = min(costs), max(costs)
    if least == most:
        return Phrasing(pick(chance, PLAIN))
    is_doubt = chance.below(2) == 0
    wanted = most if is_doubt else least
    about = pick(chance, [seat for seat, cost in zip(others, costs, strict=True) if cost == wanted])
    return Phrasing("i_suspect" if is_doubt else "i_trust", about)
