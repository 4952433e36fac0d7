"""How a careful player plays THavalon: declarations, Reverses and the Assassin's call besides teams and votes."""

from __future__ import annotations

from roundtable.core.options import Options
from roundtable.core.policy import NOTHING, Heard, Leanings, any_of, either, offered, surely
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.bots.knowledge import Bound, exactly, mask_of
from roundtable.games.quests.bots.mind import SHOWN_AS_EVIL, SHOWN_AS_PAIR, Mind, Team, make_mind, shown_at_the_start
from roundtable.games.quests.bots.quests import (
    card_of,
    favourite_teams,
    gives_up,
    lean_to,
    likes,
    team_choice,
    vote_on,
    wants_to_fail,
)
from roundtable.games.quests.bots.shots import likeliest_lovers, likeliest_merlins
from roundtable.games.quests.roles import SIDE_OF, Card, Glimpse, Role, Side
from roundtable.games.quests.tables import QUESTS, fails_needed, team_size
from roundtable.games.thavalon.actions import CallLovers, CallMerlin, CallNimue, DeclareAgravaine, DeclareArthur, GoOn
from roundtable.games.thavalon.deal import TITANIA_IS_AMONG_THEM
from roundtable.games.thavalon.setup import TWO_FAILS_FROM
from roundtable.games.thavalon.state import ThavalonState

A_BOND = 4  # from here on two players are taken for the Lovers
REVERSING = (2, 3)  # how often Maelagant, alone among Good, fails a quest by a Reverse, which proves nothing


def careful(view: ThavalonState, options: Options, heard: Heard = ()) -> Leanings:
    """The policy. Before the end a view holds one role, that of its own seat."""
    (seat,) = view.roles
    if view.phase.name == "assassination":
        return call(view, options)
    if view.phase.name == "vote" and seat in view.voted:
        return NOTHING
    mind = mind_in_thavalon(view, seat, heard)
    if declaration := declare(view, options, mind):
        return declaration
    match view.phase.name:
        case "propose":
            return lead(view, options, mind)
        case "vote":
            return vote(view, options, mind)
        case "quest":
            return play_card(view, options, mind)
        case _:
            return any_of(offered(options, GoOn))


# What a seat knows


def mind_in_thavalon(view: ThavalonState, seat: Seat, heard: Heard = ()) -> Mind:
    doubtful = int(TITANIA_IS_AMONG_THEM in view.dealt[seat].notices)
    evil = view.setup.sides[1]
    dealt = [bound_of(shown, view.roles[seat], evil, doubtful) for shown in shown_at_the_start(view, seat)]
    private = (*dealt, *reverse_bounds(view, seat))
    return make_mind(view, seat, evil, public_bounds(view), private, doubtful, heard)


def public_bounds(view: ThavalonState) -> tuple[Bound, ...]:
    """Every Fail was an Evil player's, and only Arthur can declare as Arthur (T16, T17)."""
    fails = [Bound(mask_of(result.team), result.fails, len(result.team)) for result in view.results if result.fails]
    return tuple(fails if view.arthur is None else [*fails, exactly(0, (view.arthur,))])


def bound_of(shown: Glimpse, role: Role, evil: int, doubtful: int) -> Bound:
    """What one's role says about the seats that were shown with it (T6 to T12)."""
    group, count = mask_of(shown.seats), len(shown.seats)
    if shown.seen_as == SHOWN_AS_PAIR:
        return Bound(group, count - 1, 1)
    if shown.seen_as != SHOWN_AS_EVIL:
        is_evil = int(SIDE_OF[Role(shown.seen_as)] is Side.EVIL)
        return Bound(group, is_evil, is_evil)
    if role is Role.MERLIN:
        return Bound(group, *merlins_count(count, evil))
    return Bound(group, count - doubtful, count - doubtful)


def merlins_count(shown: int, evil: int) -> tuple[int, int]:
    """How many of those whom Merlin was shown are Evil: Lancelot may be among them, and Mordred is not (T6)."""
    return max(shown, evil) - 1, min(shown, evil)


def reverse_bounds(view: ThavalonState, seat: Seat) -> list[Bound]:
    """Who was told that Lancelot is not in the game knows whose card every Reverse is (T9, T10)."""
    told = view.dealt[seat].roles_in_game
    if not told or Role.LANCELOT in told:
        return []
    reversed_ones = [result for result in view.results if result.reverses]
    return [Bound(mask_of(one.team), one.fails + one.reverses, len(one.team)) for one in reversed_ones]


def needed_for(view: ThavalonState) -> int:
    return fails_needed(view.setup.seats, view.quest, TWO_FAILS_FROM)


# Declarations


def declare(view: ThavalonState, options: Options, mind: Mind) -> Leanings:
    """A leader proposes first: one who declares instead may run out of time to propose."""
    if view.phase.name == "propose" and view.leader == mind.seat:
        return NOTHING
    if turning := offered(options, DeclareAgravaine):  # T21: a failure more is worth being known for
        return surely(turning[0])
    arthur = offered(options, DeclareArthur)
    return surely(arthur[0]) if arthur and pays_for_arthur(view, mind) else NOTHING


def pays_for_arthur(view: ThavalonState, mind: Mind) -> bool:
    """T16: he stays at home till the fifth quest, so others must do; and he breaks up no team that he likes."""
    if view.phase.name != "propose" and view.proposal is not None and likes(mind, view.proposal.team):
        return False
    good, size = view.setup.sides[0], team_size(view.setup.seats, view.quest)
    return can_stay_at_home(good, needed_for(view), size, view.quest)


def can_stay_at_home(good: int, needed: int, size: int, quest: int) -> bool:
    return quest == QUESTS or good - 1 + needed - 1 >= size


# Teams, votes and cards


def lead(view: ThavalonState, options: Options, mind: Mind) -> Leanings:
    choice = team_choice(options)
    if choice is None:
        return NOTHING
    ((_, size),) = choice.sizes
    teams = favourite_teams(mind, choice.eligible, size, needed_for(view))
    return any_of([ProposeTeam(phase=choice.phase, team=team) for team in teams])


def vote(view: ThavalonState, options: Options, mind: Mind) -> Leanings:
    assert view.proposal is not None
    team, needed = view.proposal.team, needed_for(view)
    if view.first_of_pair is not None:
        return lean_to(options, prefers(mind, view.first_of_pair.team, team))
    if view.setup.has_vote_track and view.attempt == view.proposals_allowed:
        return lean_to(options, not gives_up(mind.is_evil, mind.fellows_on(team) >= needed, view.successes))
    last = last_leader(view.leader, view.proposals_allowed, view.attempt, view.setup.seats)
    if not (view.setup.has_vote_track or mind.is_evil) and last == mind.seat:
        own = favourite_teams(mind, view.eligible(), len(team), needed)[0]
        return lean_to(options, mind.cost(team, needed) <= mind.cost(own, needed))
    return vote_on(view, options, mind, team, needed)


def last_leader(leader: Seat, allowed: int, attempt: int, seats: int) -> Seat:
    """Who will name the team that goes without a vote, and can wait for that (T15)."""
    return (leader + allowed - attempt) % seats


def prefers(mind: Mind, first: Team, second: Team) -> bool:
    """T14, `paired`: Evil wants the team with Evil on it; otherwise the less suspect one goes."""
    has_fellows = [mind.fellows_on(team) > 0 for team in (first, second)]
    if has_fellows[0] is not has_fellows[1]:
        return has_fellows[0]
    return mind.cost(first, 1) <= mind.cost(second, 1)


def play_card(view: ThavalonState, options: Options, mind: Mind) -> Leanings:
    assert view.proposal is not None
    team, needed = view.proposal.team, needed_for(view)
    if mind.role is Role.LANCELOT:
        is_lost = view.setup.reversal and needed == 1 and mind.known.surely_on(mask_of(team)) > 0
        return surely(card_of(options, Card.REVERSE if is_lost else Card.SUCCESS))
    if not wants_to_fail(mind, team, needed):
        return surely(card_of(options, Card.SUCCESS))
    fail = card_of(options, Card.FAIL)
    if mind.role is Role.MAELAGANT and view.setup.reversal and needed == mind.fellows_on(team) == 1:
        return either(card_of(options, Card.REVERSE), REVERSING[0], fail, REVERSING[1])
    return surely(fail)


# The Assassin


def call(view: ThavalonState, options: Options) -> Leanings:
    """T23: two who never left each other out are the Lovers; otherwise the player who seems to have known is Merlin.

    Only roles of the pool are called (T26); Nimue is where neither Merlin nor the Lovers can be in the game.
    """
    pool = view.setup.good_pool
    pairs, bond = likeliest_lovers(view) if view.setup.calls_lovers and Role.TRISTAN in pool else ([], 0)
    if bond >= A_BOND or (pairs and Role.MERLIN not in pool):
        return any_of([one for one in offered(options, CallLovers) if one.targets in pairs])
    kind: type[CallMerlin | CallNimue] = CallMerlin if Role.MERLIN in pool else CallNimue
    merlins = likeliest_merlins(view)
    return any_of([one for one in offered(options, kind) if one.target in merlins])
