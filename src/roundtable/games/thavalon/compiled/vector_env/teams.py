"""Teams are proposed and voted on; each function says whether the game goes on (T14 to T16)."""

from __future__ import annotations

from roundtable.games.quests.compiled.vector_env import Now, Rules, write_poll
from roundtable.games.thavalon.compiled.declaring import arthur_may_declare
from roundtable.games.thavalon.compiled.rules import FIVE_REJECTIONS
from roundtable.games.thavalon.compiled.teams import draw_team, is_approved
from roundtable.games.thavalon.compiled.vector_env.state import PROPOSE, QUEST, STAND, VOTE
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.turns import ask_all, left_of


@compiled
def ask_for_team(rules: Rules, now: Now) -> None:
    """The leader, and every seat where one might declare."""
    ask_all(now, PROPOSE, rules.everyone if a_seat_may_declare(rules, now) else 1 << now.leader)


@compiled
def a_seat_may_declare(rules: Rules, now: Now) -> bool:
    """From what everyone knows (T16, T21)."""
    return now.window != 0 or (rules.has_arthur and arthur_may_declare(rules, now))


@compiled
def this_quest(now: Now) -> int:
    return now.successes + now.failures + 1


@compiled
def is_paired(rules: Rules, now: Now) -> bool:
    return rules.is_paired and this_quest(now) == 1


@compiled
def is_last(rules: Rules, now: Now) -> bool:
    return now.attempt == rules.allowed[this_quest(now)]


@compiled
def size_now(rules: Rules, now: Now) -> int:
    return rules.sizes[this_quest(now)]


@compiled
def put_on_table(rules: Rules, now: Now, team: int) -> int:
    """T14, T15, T21."""
    now.quest = this_quest(now)
    if is_paired(rules, now) and now.attempt == FIRST_ROUND_PROPOSALS:
        now.first_team, now.has_pair = now.team, True
    now.team = team
    now.has_team = True
    now.voted = now.ballots = 0
    if is_paired(rules, now) and now.attempt < FIRST_ROUND_PROPOSALS:
        now.first_proposer = now.leader
        pass_lead(rules, now)
    elif now.window:
        ask_all(now, STAND, rules.everyone)
    else:
        open_vote_or_send(rules, now)
    return NOT_OVER


@compiled
def pass_lead(rules: Rules, now: Now) -> None:
    now.leader = left_of(now.leader, rules.seats)
    now.attempt += 1
    ask_for_team(rules, now)


@compiled
def open_vote_or_send(rules: Rules, now: Now) -> None:
    close_window(now)
    if is_last(rules, now) and not rules.has_vote_track and not is_paired(rules, now):
        ask_all(now, QUEST, now.team)
    else:
        ask_all(now, VOTE, rules.everyone)


@compiled
def close_window(now: Now) -> None:
    now.window = now.went_on = 0


@compiled
def propose_again(rules: Rules, now: Now) -> int:
    """T16, T21: the same leader, and no proposal is used up."""
    now.has_team = False
    now.voted = now.ballots = now.went_on = 0
    ask_for_team(rules, now)
    return NOT_OVER


@compiled
def miss_proposal(rules: Rules, now: Now) -> int:
    """C5: a missed proposal counts as rejected; the last one, and either of a pair, is drawn."""
    now.quest = this_quest(now)
    if not is_last(rules, now) and not is_paired(rules, now):
        pass_lead(rules, now)
        return NOT_OVER
    before = now.team
    now.drawn = draw_team(rules, now)
    team, now.team = now.team, before
    return put_on_table(rules, now, team)


@compiled
def count_votes(rules: Rules, now: Now) -> int:
    """A13, T14, T16, T26."""
    approved = is_approved(rules, now)
    if now.has_pair:
        write_poll(now, now.first_proposer, now.first_team)
        now.team = now.first_team if approved else now.team
        now.has_pair = False
        ask_all(now, QUEST, now.team)
        return NOT_OVER
    write_poll(now, now.leader, now.team)
    if approved:
        ask_all(now, QUEST, now.team)
        return NOT_OVER
    now.has_team = False
    if is_last(rules, now):
        return FIVE_REJECTIONS
    pass_lead(rules, now)
    return NOT_OVER
