"""What a plain player in a seat would be seen to think: whatever its role is, a sage speaks as that player.

It follows from what everyone has heard, so nothing that a sage says of other players can tell more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from roundtable.belief.contract import SideSets
from roundtable.belief.strategy import ALIKE, furthest_out, told_lately
from roundtable.core.game import OPEN_TALK
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote
from roundtable.games.quests.belief import QuestBelief
from roundtable.games.quests.bots.speaking import QuestFace
from roundtable.games.quests.sage.foresight import good_wins_after
from roundtable.games.quests.sage.tendencies import Customs

Roles = Mapping[Seat, Collection[str]]


def face_of(customs: Customs, plain: Collection[str], seat: Seat, onlooker: QuestBelief) -> QuestFace | None:
    """`plain`: the roles that a plain player may have."""
    believed = believed_by(plain, seat, onlooker)
    if believed is None:
        return None
    chances = believed.by_seat.tolist()
    suspects, trusted = furthest_out({other: chance for other, chance in enumerate(chances) if other != seat})
    return QuestFace(
        suspects=suspects,
        trusted=trusted,
        told=told_lately(seat, onlooker),
        approves=approves(customs, seat, onlooker, believed),
        is_welcome=is_welcome(seat, onlooker),
    )


def believed_by(plain: Collection[str], seat: Seat, onlooker: QuestBelief) -> SideSets | None:
    """By a plain player who has seen what the seat claims; by an onlooker where there cannot be such a player."""
    own = {seat: plain}
    return onlooker.sides_if_first(({**claims(seat, onlooker), **own}, own, {}))


def claims(seat: Seat, onlooker: QuestBelief) -> Roles:
    """The roles that others may have if it is true what the seat says that the Lady showed (A23)."""
    kinds = list(zip(onlooker.roles, onlooker.sides, strict=True))
    return {
        said.about: [role for role, side in kinds if said.word in (role, side)]
        for said in onlooker.remarks
        if said.seat == seat and said.channel == OPEN_TALK and said.phrase == "i_examined" and said.about is not None
    }


def approves(customs: Customs, seat: Seat, onlooker: QuestBelief, believed: SideSets) -> bool:
    """Whether a plain player would rather see this team go than another one."""
    view = onlooker.public
    if view.proposal is None:
        return False
    worth = [
        float(
            good_wins_after(customs, view, seat, CastVote(phase=view.phase.number, approve=approve), believed.members)
            @ believed.chances
        )
        for approve in (True, False)
    ]
    return worth[0] >= worth[1]


def is_welcome(seat: Seat, onlooker: QuestBelief) -> bool:
    """Whether an onlooker suspects this seat no more than most. It matters where a team is named."""
    if onlooker.public.phase.name != "propose":
        return False
    believed = onlooker.sides_if({})
    return believed is not None and float(believed.by_seat[seat]) < believed.by_seat.mean() + ALIKE
