"""What bots say in the quest games. All speak as a plain servant would: Evil bluffs, and Merlin hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from roundtable.core.chance import Chance, pick
from roundtable.core.policy import Face, Heard, Phrasing, is_asked_why, opinion
from roundtable.core.seats import Seat
from roundtable.games.quests.bots.mind import Mind
from roundtable.games.quests.bots.quests import likes
from roundtable.games.quests.roles import Side
from roundtable.games.quests.state import QuestState

CLAIMING = 6  # one remark in so many is a claim about oneself, where such claims are allowed
GREETING = 2  # one first remark in so many is a greeting
TRUSTING = 2  # one opinion in so many is a word of trust
GOOD_CLAIM = Phrasing("i_am", word=Side.GOOD)


@dataclass(frozen=True, kw_only=True)
class QuestFace(Face):
    approves: bool
    """Whether they are for the team that is voted on."""
    is_welcome: bool = True
    """Whether others would take them on a team."""


def face_of(view: QuestState, mind: Mind) -> QuestFace:
    """By points of suspicion."""
    costs = {seat: mind.face[seat] for seat in range(view.setup.seats) if seat != mind.seat}
    least, most = min(costs.values()), max(costs.values())
    return QuestFace(
        suspects=[seat for seat, cost in costs.items() if least < cost == most],
        trusted=[seat for seat, cost in costs.items() if most > cost == least],
        approves=view.proposal is not None and likes(mind, view.proposal.team),
    )


def say(
    view: QuestState, seat: Seat, face: QuestFace, heard: Heard, chance: Chance, examined: Sequence[Phrasing] = ()
) -> Phrasing | None:
    """What this player says now, from what they would be seen to think."""
    if is_asked_why(heard, seat):
        return opinion(replace(face, told=()), chance, TRUSTING)
    told = {(said.phrase, said.about, said.word) for said in heard if said.seat == seat}
    if news := [claim for claim in examined if tuple(claim) not in told]:
        return pick(chance, news)
    if not heard and not view.polls and chance.below(GREETING) == 0:
        return Phrasing("hello")
    may_claim = GOOD_CLAIM.phrase not in view.setup.unsaid_phrases() and GOOD_CLAIM not in face.told
    if may_claim and chance.below(CLAIMING) == 0:
        return GOOD_CLAIM
    if view.phase.name == "vote" and view.proposal is not None and chance.below(2) == 0:
        return Phrasing("approve_this" if face.approves else "reject_this")
    if view.phase.name == "propose" and view.leader != seat and face.is_welcome and chance.below(4) == 0:
        return Phrasing("take_me")
    return opinion(face, chance, TRUSTING)
