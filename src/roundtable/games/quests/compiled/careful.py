"""How a careful seat leads, votes, plays cards and shoots: quests.py and shots.py of ../bots over whole numbers.

What a seat thinks of starts with `think` of its game, which lays out the points that these functions read.
"""

from __future__ import annotations

from typing import Any

from roundtable.games.quests.bots import quests, shots
from roundtable.games.quests.bots.quests import HIDING, PATIENCE
from roundtable.games.quests.bots.shots import KEPT, LEFT_OUT
from roundtable.games.quests.bots.suspicion import CERTAIN
from roundtable.games.quests.compiled.mind import sum_over, surely_on
from roundtable.games.quests.compiled.words import MERLIN
from roundtable.kernels.chance import below
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, lean

Now = Any

FAR = 1 << 40  # a cost beyond all others

good_approves = compiled(quests.good_approves)
merlin_hides = compiled(quests.merlin_hides)
evil_approves = compiled(quests.evil_approves)
gives_up = compiled(quests.gives_up)
evil_fails = compiled(quests.evil_fails)
sign_in = compiled(shots.sign_in)


# Teams


@compiled
def cost(now: Now, seat: int, team: int, needed: int) -> int:
    """How unwelcome a team is; for a Good player, one that is sure to fail is worse than any suspicion."""
    total = sum_over(now.points, team)
    if not now.evil >> seat & 1 and surely_on(now, seat, team) >= needed:
        total += CERTAIN // 2
    return total


@compiled
def favourite_teams(now: Now, seat: int, teams: Any, count: int, eligible: int, needed: int) -> None:
    """The least suspect of these teams into `best`; for Evil those with just as many Evil players as it takes."""
    fellows = now.fellows[seat]
    wanted = min(needed, (eligible & fellows).bit_count())
    least = add_up(now, teams, count, fellows, wanted)
    if least == FAR:
        least = add_up(now, teams, count, 0, 0)
    keep_lowest(now, teams, count, least)
    if now.evil >> seat & 1:
        return
    for at in range(now.best_count):
        if surely_on(now, seat, now.best[at]) >= needed:  # some are sure to fail: look at all more closely
            keep_lowest(now, teams, count, add_costs(now, seat, teams, count, needed))
            return


@compiled
def add_up(now: Now, teams: Any, count: int, fellows: int, wanted: int) -> int:
    """The suspicion against every team with so many fellows on it, and the least of them."""
    least = FAR
    for at in range(count):
        now.sums[at] = FAR
        if (teams[at] & fellows).bit_count() == wanted or not fellows:
            now.sums[at] = sum_over(now.points, teams[at])
            least = min(least, now.sums[at])
    return least


@compiled
def add_costs(now: Now, seat: int, teams: Any, count: int, needed: int) -> int:
    least = FAR
    for at in range(count):
        now.sums[at] = cost(now, seat, teams[at], needed)
        least = min(least, now.sums[at])
    return least


@compiled
def keep_lowest(now: Now, teams: Any, count: int, least: int) -> None:
    now.best_count = 0
    for at in range(count):
        if now.sums[at] == least:
            now.best[now.best_count] = teams[at]
            now.best_count += 1


# Votes


@compiled
def likes(now: Now, seats: int, team: int) -> bool:
    """Whether a team looks hardly worse than one of this player's own choice."""
    for seat in range(seats):  # a sort by insertion
        face, at = now.face[seat], seat
        while at > 0 and now.sorted[at - 1] > face:
            now.sorted[at] = now.sorted[at - 1]
            at -= 1
        now.sorted[at] = face
    own = 0
    for at in range(team.bit_count()):
        own += now.sorted[at]
    return sum_over(now.face, team) <= own + PATIENCE


@compiled
def vote_on(rules: Any, now: Now, seat: int, team: int, needed: int) -> tuple[int, int]:
    """The weights of approving and of rejecting."""
    is_liked = likes(now, rules.seats, team)
    if now.evil >> seat & 1:
        is_enough = (now.fellows[seat] & team).bit_count() >= needed
        return surely(evil_approves(is_enough, team >> seat & 1 == 1, is_liked, now.successes, now.failures))
    is_bad = team & now.shunned != 0 or surely_on(now, seat, team) >= needed
    is_merlin = now.roles[seat] == MERLIN
    if is_merlin and merlin_hides(is_bad, is_liked, now.failures):
        return HIDING[0], HIDING[1] - HIDING[0]
    return surely(good_approves(is_merlin, is_bad, is_liked, now.failures))


@compiled
def surely(first: bool) -> tuple[int, int]:
    return (1, 0) if first else (0, 1)


@compiled
def drawn_of_two(now: Now, first: int, second: int) -> bool:
    """The first in `first` cases out of both; chance is asked only where there is a choice."""
    if first == 0 or second == 0:
        return first > 0
    return below(now, first + second) < first


# Cards


@compiled
def wants_to_fail(now: Now, seat: int, needed: int, doubtful: int) -> bool:
    if not now.evil >> seat & 1:
        return False
    fellows = now.fellows[seat]
    before_me = (now.team & fellows & ((1 << seat) - 1)).bit_count()
    return evil_fails(before_me, (now.team & fellows).bit_count(), fellows == 1 << seat, needed, doubtful)


# The dagger


@compiled
def likeliest_merlins(rules: Any, now: Now) -> int:
    """Those who led and voted most as if they knew, as a mask."""
    merlins, most = 0, -FAR
    for seat in range(rules.seats):
        if now.evil >> seat & 1:
            continue
        signs = 0
        for poll in range(now.poll_count):
            is_dirty = now.poll_team[poll] & now.evil != 0
            signs += sign_in(now.poll_leader[poll] == seat, is_dirty, now.poll_ballots[poll] >> seat & 1 == 1)
        if signs > most:
            merlins, most = 0, signs
        if signs == most:
            merlins |= 1 << seat
    return merlins


@compiled
def likeliest_lovers(rules: Any, now: Now) -> int:
    """The pairs of Good seats with the strongest bond go into `best`; gives how strong it is."""
    most = -FAR
    for one in range(rules.seats):
        for other in range(one + 1, rules.seats):
            pair = 1 << one | 1 << other
            if pair & now.evil:
                continue
            bond = bond_of(now, pair)
            if bond > most:
                most, now.best_count = bond, 0
            if bond == most:
                now.best[now.best_count] = pair
                now.best_count += 1
    return most


@compiled
def bond_of(now: Now, pair: int) -> int:
    bond = 0
    for poll in range(now.poll_count):
        if pair >> now.poll_leader[poll] & 1:
            bond += KEPT if now.poll_team[poll] & pair == pair else LEFT_OUT
    return bond


@compiled
def any_of(now: Now, trace: TraceRow, verb: int, targets: int) -> int:
    """One of these seats, each alike."""
    rest = targets
    while rest:
        lean(trace, now.phase, verb, ((rest & -rest) - 1).bit_count(), 0, 0, 1)
        rest &= rest - 1
    count = targets.bit_count()
    for _ in range(below(now, count) if count > 1 else 0):
        targets &= targets - 1
    return ((targets & -targets) - 1).bit_count()
