"""How a careful player leads, votes and plays cards in Avalon and THavalon."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable.core.options import Options
from roundtable.core.policy import Leanings, either, offered, surely
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard
from roundtable.games.quests.bots.mind import Mind, Team
from roundtable.games.quests.options import TeamChoice, teams
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.state import QuestState
from roundtable.games.quests.tables import TO_WIN

PATIENCE = 18  # how many points worse than one's own choice a team may look
HIDING = (2, 3)  # how often Merlin approves a team that he knows to be bad and a servant would approve


# Teams


def team_choice(options: Options) -> TeamChoice | None:
    return next((option for option in options if isinstance(option, TeamChoice)), None)


def favourite_teams(mind: Mind, eligible: tuple[Seat, ...], size: int, needed: int) -> list[Team]:
    """The least suspect teams; for Evil those among them with just as many Evil players as it takes."""
    candidates: Sequence[Team] = teams(eligible, size)
    if mind.is_evil:
        wanted = min(needed, mind.fellows_on(frozenset(eligible)))
        candidates = [team for team in candidates if mind.fellows_on(team) == wanted] or candidates
    suspicion = [sum([mind.points[seat] for seat in team]) for team in candidates]
    best = lowest(candidates, suspicion)
    least = min(suspicion)
    if any(mind.cost(team, needed) > least for team in best):  # some are sure to fail: look at all more closely
        best = lowest(candidates, [mind.cost(team, needed) for team in candidates])
    return best


def lowest(candidates: Sequence[Team], costs: Sequence[int]) -> list[Team]:
    least = min(costs)
    return [team for team, cost in zip(candidates, costs, strict=True) if cost == least]


# Votes


def likes(mind: Mind, team: Team) -> bool:
    """Whether a team looks hardly worse than one of this player's own choice."""
    own = sum(sorted(mind.face)[: len(team)])
    return sum([mind.face[seat] for seat in team]) <= own + PATIENCE


def vote_on(view: QuestState, options: Options, mind: Mind, team: Team, needed: int) -> Leanings:
    is_liked = likes(mind, team)
    if mind.is_evil:
        is_enough = mind.fellows_on(team) >= needed
        return lean_to(options, evil_approves(is_enough, mind.seat in team, is_liked, view.successes, view.failures))
    is_bad = mind.knows_evil_on(team, needed)
    if mind.role is Role.MERLIN and merlin_hides(is_bad, is_liked, view.failures):
        return either(ballot(options, True), HIDING[0], ballot(options, False), HIDING[1])
    return lean_to(options, good_approves(mind.role is Role.MERLIN, is_bad, is_liked, view.failures))


def lean_to(options: Options, approve: bool) -> Leanings:
    return surely(ballot(options, approve))


def ballot(options: Options, approve: bool) -> CastVote:
    return next(vote for vote in offered(options, CastVote) if vote.approve is approve)


# Cards


def wants_to_fail(mind: Mind, team: Team, needed: int) -> bool:
    before_me = mind.fellows_on(frozenset([seat for seat in team if seat < mind.seat]))
    is_alone = mind.fellows == 1 << mind.seat
    return mind.is_evil and evil_fails(before_me, mind.fellows_on(team), is_alone, needed, mind.doubtful)


def card_of(options: Options, kind: Card) -> PlayCard:
    """The card of this kind, or the only one there is."""
    cards = offered(options, PlayCard)
    return next((card for card in cards if card.card is kind), cards[0])


# In whole numbers alone: the kernels compile these.


def good_approves(is_merlin: bool, is_bad: bool, is_liked: bool, failures: int) -> bool:
    """Merlin votes as a servant would, but when one more failure loses the game, by what he knows."""
    return not is_bad and (is_liked or (is_merlin and failures == TO_WIN - 1))


def merlin_hides(is_bad: bool, is_liked: bool, failures: int) -> bool:
    """Often he looks away when a servant would approve a bad team."""
    return is_bad and is_liked and failures < TO_WIN - 1


def evil_approves(is_enough: bool, is_on_it: bool, is_liked: bool, successes: int, failures: int) -> bool:
    """Evil votes for a team of its own where it counts, against Good's third success, and else as a servant would."""
    if is_enough and (is_on_it or failures == TO_WIN - 1):
        return True
    if not is_enough and successes == TO_WIN - 1:
        return False
    return is_liked


def gives_up(is_evil: bool, is_enough: bool, successes: int) -> bool:
    """A15: of the fifth team, Good rejects none, and Evil only one that would win the game for Good."""
    return is_evil and successes == TO_WIN - 1 and not is_enough


def evil_fails(before_me: int, on_team: int, is_alone: bool, needed: int, doubtful: int) -> bool:
    """The Evil members with the lowest seats fail, as many as it takes; who knows no fellow cannot count on any."""
    return (on_team >= needed or is_alone) and before_me < needed + doubtful
