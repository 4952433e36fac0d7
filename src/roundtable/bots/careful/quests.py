"""How a careful player leads, votes and plays cards in Avalon and THavalon."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable.bots.careful.leanings import Leanings, either, offered, surely
from roundtable.bots.careful.mind import Mind, Team
from roundtable.games.quests.actions import CastVote, PlayCard
from roundtable.games.quests.options import TeamChoice, teams
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.state import QuestState
from roundtable.games.quests.tables import TO_WIN
from roundtable.table.options import Options
from roundtable.table.seats import Seat

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
    if mind.is_evil:
        return lean_to(options, evil_approves(view, mind, team, needed))
    if mind.role is Role.MERLIN:
        return merlins_vote(view, options, mind, team, needed)
    return lean_to(options, not mind.knows_evil_on(team, needed) and likes(mind, team))


def merlins_vote(view: QuestState, options: Options, mind: Mind, team: Team, needed: int) -> Leanings:
    """Merlin votes as a servant would and often looks away, but not when one more failure loses the game."""
    is_bad = mind.knows_evil_on(team, needed)
    if view.failures == TO_WIN - 1:
        return lean_to(options, not is_bad)
    if is_bad and likes(mind, team):
        return either(ballot(options, True), HIDING[0], ballot(options, False), HIDING[1])
    return lean_to(options, not is_bad and likes(mind, team))


def evil_approves(view: QuestState, mind: Mind, team: Team, needed: int) -> bool:
    """Evil votes for a team of its own where it counts, against Good's third success, and else as a servant would."""
    is_enough = mind.fellows_on(team) >= needed
    if is_enough and (mind.seat in team or view.failures == TO_WIN - 1):
        return True
    if not is_enough and view.successes == TO_WIN - 1:
        return False
    return likes(mind, team)


def lean_to(options: Options, approve: bool) -> Leanings:
    return surely(ballot(options, approve))


def ballot(options: Options, approve: bool) -> CastVote:
    return next(vote for vote in offered(options, CastVote) if vote.approve is approve)


# Cards


def evil_fails(mind: Mind, team: Team, needed: int) -> bool:
    """The Evil members with the lowest seats fail, as many as it takes; who knows no fellow cannot count on any."""
    before_me = mind.fellows_on(frozenset([seat for seat in team if seat < mind.seat]))
    is_enough = mind.fellows_on(team) >= needed or mind.fellows == 1 << mind.seat
    return is_enough and before_me < needed + mind.doubtful


def card_of(options: Options, kind: Card) -> PlayCard:
    """The card of this kind, or the only one there is."""
    cards = offered(options, PlayCard)
    return next((card for card in cards if card.card is kind), cards[0])
