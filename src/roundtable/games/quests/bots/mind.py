"""What a quest player makes of their view: what they know, whom they suspect, and how they want to be seen."""

from __future__ import annotations

from dataclasses import dataclass

from roundtable.core.policy import Heard
from roundtable.core.seats import Seat
from roundtable.games.quests.bots.hearsay import with_hearsay
from roundtable.games.quests.bots.knowledge import Bound, Known, Mask, known_from, mask_of
from roundtable.games.quests.bots.suspicion import CERTAIN, Points, points_against, points_earned
from roundtable.games.quests.roles import SIDE_OF, Glimpse, Role, Side
from roundtable.games.quests.state import QuestState

Team = frozenset[Seat]

SHOWN_AS_EVIL = "Evil"
SHOWN_AS_PAIR = "Merlin or Morgana"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    seat: Seat
    role: Role
    is_evil: bool
    known: Known  # all that is certain to this seat
    shunned: Mask  # whom a Good player knows as Evil
    face: Points  # against every seat, as this player wants to be seen to judge
    points: Points  # the same, with what a Good player knows besides
    fellows: Mask  # those an Evil player counts on, themself included; none for Good
    doubtful: int  # how many of the fellows are none (T11)

    def fellows_on(self, team: Team) -> int:
        return (mask_of(team) & self.fellows).bit_count()

    def knows_evil_on(self, team: Team, needed: int) -> bool:
        """Whether a Good player knows a member of the team as Evil, or that enough members are."""
        mask = mask_of(team)
        return bool(mask & self.shunned) or self.known.surely_on(mask) >= needed

    def cost(self, team: Team, needed: int) -> int:
        """How unwelcome a team is; for a Good player, one that is sure to fail is worse than any suspicion."""
        cost = sum([self.points[seat] for seat in team])
        is_lost = not self.is_evil and self.known.surely_on(mask_of(team)) >= needed
        return cost + CERTAIN // 2 if is_lost else cost


def shown_at_the_start(view: QuestState, seat: Seat) -> tuple[Glimpse, ...]:
    return view.dealt[seat].sees


def make_mind(
    view: QuestState,
    seat: Seat,
    evil: int,
    public: tuple[Bound, ...],
    private: tuple[Bound, ...],
    doubtful: int = 0,
    heard: Heard = (),
) -> Mind:
    """Put together what everyone knows and what this seat alone knows, at a table with so many Evil players."""
    seats, role = view.setup.seats, view.roles[seat]
    is_evil = SIDE_OF[role] is Side.EVIL
    known = known_from(seats, evil, (*public, *private, Bound(1 << seat, is_evil, is_evil)))
    posed = pose(seats, evil, public, seat) if is_evil or role is Role.MERLIN else known
    earned = with_hearsay(points_earned(seats, view.results, view.polls), seat, heard)
    face = points_against(posed, earned)
    seen = [other for shown in shown_at_the_start(view, seat) if is_evil for other in shown.seats]
    shunned = 0 if is_evil else known.evil | shown_as_evil(view, seat)
    return Mind(
        seat=seat,
        role=role,
        is_evil=is_evil,
        known=known,
        shunned=shunned,
        face=face,
        points=warned(face, shunned) if shunned else face,
        fellows=mask_of([seat, *seen]) if is_evil else 0,
        doubtful=doubtful,
    )


def pose(seats: int, evil: int, public: tuple[Bound, ...], seat: Seat) -> Known:
    """Evil and Merlin judge as a plain servant in their seat would, as long as that is believable."""
    claimed = known_from(seats, evil, (*public, Bound(1 << seat, 0, 0)))
    return claimed if claimed.is_sound else known_from(seats, evil, public)


def shown_as_evil(view: QuestState, seat: Seat) -> Mask:
    """Merlin shuns all whom he was shown, though THavalon's Lancelot may be among them (T6)."""
    return mask_of(
        [other for shown in shown_at_the_start(view, seat) if shown.seen_as == SHOWN_AS_EVIL for other in shown.seats]
    )


def warned(points: Points, shunned: Mask) -> Points:
    return tuple([CERTAIN if shunned >> seat & 1 else cost for seat, cost in enumerate(points)])
