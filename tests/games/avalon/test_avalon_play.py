"""How a game of Avalon is played: teams, votes, quests, the last shot, the variants, and what silence means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Move, Say
from roundtable.core.chance import Chance
from roundtable.core.entries import Heard
from roundtable.core.errors import IllegalAction
from roundtable.core.events import FloorGiven, Said
from roundtable.core.game import Transition, with_secrets
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games import new_game
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.events import (
    CardShown,
    ExcaliburUnused,
    ExcaliburUsed,
    LadyGiven,
    LadyUnused,
    LoyaltyExamined,
    LoyaltyShown,
    MerlinShot,
)
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import (
    BallotCast,
    CardChosen,
    LeaderNamed,
    ProposalMissed,
    QuestResolved,
    RoleDealt,
    SidesRevealed,
    TeamProposed,
    VotesCounted,
)
from roundtable.games.quests.roles import Card, Role, Side
from roundtable.games.quests.state import QuestDeal
from support.chances import every_outcome
from support.scenes import avalon, do, heard, last, lay, propose, quest, refusal, seated, vote

Table = Play[Any, Any]

COUNTS = range(5, 11)
GOOD = {Role.MERLIN, Role.PERCIVAL, Role.SERVANT}
EVIL = {Role.ASSASSIN, Role.MORGANA, Role.MORDRED, Role.OBERON, Role.MINION}

FIVE = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)
SEVEN = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.SERVANT, Role.ASSASSIN, Role.MORDRED, Role.OBERON)
NINE = (Role.MERLIN, *(Role.SERVANT,) * 5, Role.ASSASSIN, Role.MORGANA, Role.MINION)
TEN = (Role.MERLIN, Role.PERCIVAL, *(Role.SERVANT,) * 4, Role.ASSASSIN, Role.MORGANA, Role.MORDRED, Role.OBERON)
PLAIN = (*(Role.SERVANT,) * 4, *(Role.MINION,) * 3)  # seven people without Merlin
COURTS = {
    5: FIVE,
    6: (Role.MERLIN, *(Role.SERVANT,) * 3, Role.ASSASSIN, Role.MINION),
    7: SEVEN,
    8: (Role.MERLIN, *(Role.SERVANT,) * 4, Role.ASSASSIN, Role.MORGANA, Role.MINION),
    9: NINE,
    10: TEN,
}  # Evil sits at the highest seats, and so do the teams below
TIMED: dict[str, Any] = {f"{phase}_seconds": 30 for phase in ("propose", "vote", "quest", "shot", "lady", "excalibur")}


def proposals(play: Table) -> list[ProposeTeam]:
    """Everything the leader may propose now."""
    (choice,) = play.options(play.state.leader)
    return [move for move in choice if isinstance(move, ProposeTeam)]


def a_team(play: Table, number: int | None = None) -> range:
    """The highest seats, as many as the quest takes."""
    (size,) = {len(move.team) for move in proposals(play) if move.quest == number}
    seats: int = play.state.setup.seats
    return range(seats - size, seats)


def send(play: Table, fails: int = 0, **more: Any) -> None:
    """The highest seats go on a quest, and that many of them fail it."""
    seats: int = play.state.setup.seats
    team = a_team(play, more.get("quest"))
    quest(play, team, dict.fromkeys(range(seats - fails, seats), Card.FAIL), **more)


def reject(play: Table, times: int = 1, **more: Any) -> None:
    for _ in range(times):
        propose(play, a_team(play, more.get("quest")), **more)
        vote(play, ())


def listeners(play: Table) -> tuple[int, ...]:
    return (SPECTATOR, *range(play.state.setup.seats))


def ears(play: Table) -> dict[int, tuple[Heard, ...]]:
    """What each listener has heard so far."""
    return {listener: tuple(play.heard(listener)) for listener in listeners(play)}


def choices(play: Table, seat: Seat) -> set[Move]:
    """Every move that is open to a seat."""
    return {move for option in play.options(seat) for move in option}


def won(play: Table) -> tuple[str | None, str]:
    assert play.outcome is not None
    return play.outcome.winner, play.outcome.reason


def standing(play: Table) -> Any:
    """Who won and why, or else what the table waits for."""
    return won(play) if play.is_over else play.phase.name


def awaited(play: Table) -> tuple[str, set[Seat]]:
    """What the table waits for, and from whom."""
    return play.phase.name, {*play.phase.awaited}


# Teams


@pytest.mark.parametrize("seats", COUNTS)
def test_the_leader_may_name_any_team_of_the_right_size_and_no_other(seats: int) -> None:  # A11
    play = avalon(COURTS[seats], leader=1)
    size = 2 if seats < 8 else 3
    legal = {ProposeTeam(phase=1, team=frozenset(team)) for team in combinations(range(seats), size)}
    assert choices(play, 1) == legal
    for wrong in (range(size - 1), range(size + 1), (), range(-1, size - 1), range(seats - size + 1, seats + 1)):
        assert refusal(play, 1, ProposeTeam, team=frozenset(wrong)) == "action/not_allowed"


@pytest.mark.parametrize("team", [{0, 1}, {2, 3}], ids=["with the leader", "without the leader"])
def test_the_leader_may_go_or_stay(team: set[Seat]) -> None:  # A11
    play = avalon(FIVE, leader=0)
    propose(play, team)
    assert heard(play, SPECTATOR, TeamProposed)[-1].team == team


def test_nobody_but_the_leader_names_a_team() -> None:  # A11
    play = avalon(FIVE, leader=2)
    for seat in (0, 1, 3, 4):
        assert refusal(play, seat, ProposeTeam, team=frozenset((0, 1))) == "action/not_now"
    propose(play, (0, 1))
    assert refusal(play, 2, ProposeTeam, team=frozenset((0, 1))) == "action/not_now"


# Votes


@pytest.mark.parametrize("seats", COUNTS)
def test_every_seat_votes_the_leader_and_the_team_included(seats: int) -> None:  # A12
    play = avalon(COURTS[seats])
    propose(play, range(2 if seats < 8 else 3))
    for seat in range(seats):
        assert play.phase.name == "vote"
        assert choices(play, seat) == {CastVote(phase=2, approve=approve) for approve in (True, False)}
        do(play, seat, CastVote, approve=True)
    assert play.phase.name == "quest"


def test_votes_are_secret_until_all_are_in() -> None:  # A12
    told: defaultdict[tuple[int, bool | None], set[tuple[Heard, ...]]] = defaultdict(set)
    for ballots in product((True, False), repeat=4):
        play = avalon(FIVE)
        propose(play, (0, 1))
        for seat, approve in enumerate(ballots):
            do(play, seat, CastVote, approve=approve)
        for listener, lines in ears(play).items():
            own = ballots[listener] if listener in range(4) else None
            told[listener, own].add(lines)
    assert len(told) == 2 * 4 + 2
    assert all(len(versions) == 1 for versions in told.values())


@pytest.mark.parametrize("approving", [(), (1, 4), (0, 2, 3), range(5)])
def test_when_all_votes_are_in_they_are_public_by_name(approving: Iterable[Seat]) -> None:  # A12
    play = avalon(FIVE)
    propose(play, (0, 1))
    vote(play, approving)
    for listener in listeners(play):
        (counted,) = heard(play, listener, VotesCounted)
        assert {seat for seat, approves in enumerate(counted.ballots) if approves} == set(approving)


def test_that_a_seat_has_voted_is_public_at_once() -> None:  # A12
    play = avalon(FIVE)
    propose(play, (0, 1))
    for count, seat in enumerate((3, 0, 4, 2), 1):
        do(play, seat, CastVote, approve=True)
        for listener in listeners(play):
            assert [cast.seat for cast in heard(play, listener, BallotCast)] == [3, 0, 4, 2][:count]


def test_a_vote_may_be_changed_until_the_last_one_is_in_and_nobody_hears_of_it() -> None:  # A12
    play, steady = avalon(FIVE), avalon(FIVE)
    for table in (play, steady):
        propose(table, (0, 1))
    for approve in (True, False, True, True, False):
        do(play, 3, CastVote, approve=approve)
    do(steady, 3, CastVote, approve=True)
    for listener in {*listeners(play)} - {3}:
        assert play.heard(listener) == steady.heard(listener)
    for seat in (0, 1, 2, 4):
        do(play, seat, CastVote, approve=True)
    assert last(play, VotesCounted).ballots == (True, True, True, False, True)


def test_no_vote_can_be_changed_after_the_last_one_is_in() -> None:  # A12
    play = avalon(FIVE)
    propose(play, (0, 1))
    late = play.phase.number
    vote(play, range(5))
    for seat in range(5):
        with pytest.raises(IllegalAction) as refused:
            play.act(seat, CastVote(phase=late, approve=False))
        told = {"action": "cast_vote", "phase": late, "now": play.phase.number}
        assert (refused.value.code, refused.value.values) == ("action/late", told)
        assert refusal(play, seat, CastVote, approve=False) == "action/not_now"


@pytest.mark.parametrize("seats", COUNTS)
def test_more_than_half_must_approve_and_a_tie_rejects(seats: int) -> None:  # A13
    for approvals in range(seats + 1):
        play = avalon(COURTS[seats])
        propose(play, a_team(play))
        vote(play, range(approvals))
        passes = approvals > seats - approvals
        assert last(play, VotesCounted).approved is passes
        assert play.phase.name == ("quest" if passes else "propose")


@pytest.mark.parametrize("leader", range(5))
def test_a_rejected_team_disbands_and_the_lead_passes_to_the_left(leader: Seat) -> None:  # A14
    play = avalon(FIVE, leader=leader)
    propose(play, (0, 1))
    vote(play, (0, 1))
    follower = (leader + 1) % 5
    assert heard(play, SPECTATOR, LeaderNamed)[-1].seat == follower
    assert play.phase.awaited == {follower}
    assert refusal(play, 0, PlayCard, card=Card.SUCCESS) == "action/not_now"
    assert {len(move.team) for move in proposals(play)} == {2}
    assert heard(play, SPECTATOR, QuestResolved) == []


def test_each_rejection_moves_the_vote_track_up_by_one() -> None:  # A14
    play = avalon(FIVE)
    reject(play, 4)
    assert [named.attempt for named in heard(play, SPECTATOR, LeaderNamed)] == [1, 2, 3, 4, 5]
    assert [named.seat for named in heard(play, SPECTATOR, LeaderNamed)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seats", COUNTS)
@pytest.mark.parametrize("quests", range(3))
def test_the_fifth_rejection_in_one_quest_wins_for_evil_at_once(seats: int, quests: int) -> None:  # A15
    play = avalon(COURTS[seats], leader=seats - 1)
    for _ in range(quests):
        reject(play, 2)  # of another quest, and so forgotten
        send(play)
    reject(play, 4)
    assert play.outcome is None
    reject(play)
    assert won(play) == ("Evil", "five_rejections")
    assert last(play, VotesCounted).approved is False


def test_the_fifth_team_may_still_be_approved() -> None:  # A15
    play = avalon(FIVE)
    reject(play, 4)
    send(play)
    assert [result.succeeded for result in play.state.results] == [True]


@pytest.mark.parametrize("hammer", ["vote", "auto"])
def test_the_first_four_teams_are_voted_on_and_the_fifth_as_the_hammer_says(hammer: str) -> None:  # A15
    play = avalon(FIVE, hammer=hammer)
    for attempt in range(1, 6):
        propose(play, (3, 4))
        if attempt == 5 and hammer == "auto":
            break
        assert play.phase.name == "vote"
        vote(play, ())
    assert standing(play) == ("quest" if hammer == "auto" else ("Evil", "five_rejections"))


def test_a_team_that_goes_without_a_vote_plays_as_any_other() -> None:  # A15, A16
    play = avalon(FIVE, hammer="auto")
    reject(play, 4)
    polls = len(heard(play, SPECTATOR, VotesCounted))
    propose(play, (3, 4))
    lay(play, {4: Card.FAIL})
    assert len(heard(play, SPECTATOR, VotesCounted)) == polls
    assert last(play, QuestResolved).succeeded is False
    assert (play.state.leader, play.state.attempt) == (0, 1)


@pytest.mark.parametrize("rejections", range(5))
@pytest.mark.parametrize("fails", [0, 1])
def test_after_a_quest_the_track_is_empty_and_the_lead_passes_left(rejections: int, fails: int) -> None:  # A16
    play = avalon(FIVE, leader=3)
    reject(play, rejections)
    send(play, fails)
    named = heard(play, SPECTATOR, LeaderNamed)[-1]
    assert (named.seat, named.attempt) == ((3 + rejections + 1) % 5, 1)


# Quests


@pytest.mark.parametrize("roles", [NINE, TEN])
def test_good_plays_success_and_evil_what_it_likes(roles: tuple[Role, ...]) -> None:  # A17
    for seat, role in enumerate(roles):
        play = avalon(roles)
        propose(play, (seat, *others(seat)))
        vote(play, range(len(roles)))
        legal = {Card.SUCCESS} if role in GOOD else {Card.SUCCESS, Card.FAIL}
        assert choices(play, seat) == {PlayCard(phase=play.phase.number, card=card) for card in legal}
        for card in set(Card) - legal:
            assert refusal(play, seat, PlayCard, card=card) == "action/not_allowed"


def others(seat: Seat) -> tuple[Seat, Seat]:
    """Two more members for a team of three."""
    return ((seat + 1) % 9, (seat + 2) % 9)


def test_each_member_plays_one_card_and_nobody_else_plays_any() -> None:  # A17
    play = avalon(FIVE)
    propose(play, (3, 4))
    vote(play, range(5))
    for seat in (0, 1, 2):
        assert refusal(play, seat, PlayCard, card=Card.SUCCESS) == "action/not_now"
    do(play, 3, PlayCard, card=Card.SUCCESS)
    assert choices(play, 3) == set()
    assert refusal(play, 3, PlayCard, card=Card.FAIL) == "action/not_now"
    do(play, 4, PlayCard, card=Card.SUCCESS)
    assert last(play, QuestResolved).fails == 0


@pytest.mark.parametrize("fails", range(4))
def test_the_number_of_each_kind_is_public(fails: int) -> None:  # A18
    play = avalon(TEN)
    send(play, fails)
    for listener in listeners(play):
        (resolved,) = heard(play, listener, QuestResolved)
        assert (resolved.successes, resolved.fails, resolved.reverses) == (3 - fails, fails, 0)


def test_who_played_which_card_is_never_heard_by_another() -> None:  # A18
    told: defaultdict[tuple[int, Card | None], set[tuple[Heard, ...]]] = defaultdict(set)
    team = (7, 8, 9)
    for order, traitor in product(permutations(team), team):
        play = avalon(TEN)
        propose(play, team)
        vote(play, range(10))
        for seat in order:
            do(play, seat, PlayCard, card=Card.FAIL if seat == traitor else Card.SUCCESS)
        for listener, lines in ears(play).items():
            own = None if listener not in team else Card.FAIL if listener == traitor else Card.SUCCESS
            told[listener, own].add(lines)
    assert len(told) == 8 + 2 * 3
    assert all(len(versions) == 1 for versions in told.values())


def test_while_cards_are_played_nobody_else_hears_a_thing() -> None:  # A18
    play = avalon(FIVE)
    propose(play, (3, 4))
    vote(play, range(5))
    before = ears(play)
    do(play, 3, PlayCard, card=Card.FAIL)
    assert {listener for listener, lines in ears(play).items() if lines != before[listener]} == {3}


def test_after_the_game_the_record_shows_who_played_which() -> None:  # A18
    play = avalon(FIVE)
    for _ in range(3):
        send(play, fails=1)
    for listener in listeners(play):
        facts = with_secrets(line.event for line in play.heard(listener))
        laid = [(fact.seat, fact.card) for fact in facts if isinstance(fact, CardChosen)]
        assert Counter(seat for seat, card in laid if card is Card.FAIL) == {4: 3}
        assert len(laid) == 2 + 3 + 2


@pytest.mark.parametrize("seats", COUNTS)
@pytest.mark.parametrize("options", [{}, {"two_fails_from": 8}, {"two_fails_from": 5}, {"two_fails_from": 11}], ids=str)
@pytest.mark.parametrize("fails", range(3))
def test_quest_4_needs_two_fails_at_a_large_table(seats: int, options: dict[str, int], fails: int) -> None:  # A19
    play = avalon(COURTS[seats], **options)
    for earlier in (1, 0, 1, fails):
        send(play, earlier)
    needed = 2 if seats >= options.get("two_fails_from", 7) else 1
    fourth = last(play, QuestResolved)
    assert (fourth.quest, fourth.fails, fourth.succeeded) == (4, fails, fails < needed)


@pytest.mark.parametrize("seats", COUNTS)
def test_one_fail_fails_every_other_quest(seats: int) -> None:  # A19
    play = avalon(COURTS[seats])
    for fails in (1, 0, 1, 0, 1):
        send(play, fails)
    assert [result.succeeded for result in play.state.results] == [False, True, False, True, False]


def courses(sofar: tuple[bool, ...] = ()) -> Iterator[tuple[bool, ...]]:
    """Every way in which the quests can go until one side has three."""
    if 3 in (sofar.count(True), sofar.count(False)):
        yield sofar
    else:
        for succeeded in (True, False):
            yield from courses((*sofar, succeeded))


@pytest.mark.parametrize("course", [*courses()], ids=lambda course: "".join("S" if won else "F" for won in course))
def test_three_failed_quests_win_for_evil_and_three_successes_open_the_assassination(course: Any) -> None:  # A20
    play = avalon(TEN)
    for succeeded in course:
        assert play.phase.name == "propose"
        send(play, fails=0 if succeeded else 2)
    assert standing(play) == ("assassination" if sum(course) == 3 else ("Evil", "three_failures"))


# Assassination


def at_the_shot(roles: tuple[Role, ...] = TEN, **options: Any) -> Table:
    play = avalon(roles, **options)
    for _ in range(3):
        send(play)
    assert play.phase.name == "assassination"
    return play


@pytest.mark.parametrize("seats", COUNTS)
def test_before_the_shot_sides_and_the_assassin_become_public_and_roles_do_not(seats: int) -> None:  # A21
    play = at_the_shot(COURTS[seats])
    evil = {seat for seat, role in enumerate(COURTS[seats]) if role in EVIL}
    for listener in listeners(play):
        (revealed,) = heard(play, listener, SidesRevealed)
        assert set(revealed.evil) == evil
        assert revealed.assassin == COURTS[seats].index(Role.ASSASSIN)
        assert {card.seat for card in heard(play, listener, RoleDealt)} == {listener} - {SPECTATOR}


@pytest.mark.parametrize("bearer", [3, 4])
def test_the_player_with_the_duty_is_named_and_shoots(bearer: Seat) -> None:  # A4, A21
    roles = (Role.MERLIN, Role.SERVANT, Role.SERVANT, Role.MORGANA, Role.MINION)
    play = seated("avalon", QuestDeal(roles, 0, bearer), 5, roles=[Role.MORGANA], assassin="duty")
    for _ in range(3):
        send(play)
    assert heard(play, SPECTATOR, SidesRevealed)[-1].assassin == bearer
    assert awaited(play) == ("assassination", {bearer})
    do(play, bearer, ShootMerlin, target=0)
    assert won(play) == ("Evil", "merlin_assassinated")


def test_nobody_can_tell_roles_of_the_same_side_apart_from_what_is_revealed() -> None:  # A21
    swapped = (*TEN[:7], Role.OBERON, Role.MORDRED, Role.MORGANA)
    here, there = at_the_shot(TEN), at_the_shot(swapped)
    assert here.heard(SPECTATOR) == there.heard(SPECTATOR)
    assert here.heard(3) == there.heard(3)


def test_evil_confers_where_good_does_not_hear_and_oberon_is_among_them() -> None:  # A21
    play = at_the_shot(TEN)
    before = ears(play)
    for seat in (6, 7, 8, 9):
        play.act(seat, Say(channel="evil", text=f"I am {TEN[seat]}."))
    for listener in listeners(play):
        said = [line.seat for line in heard(play, listener, Said)]
        assert said == ([6, 7, 8, 9] if listener in range(6, 10) else [])
    for listener in (SPECTATOR, *range(6)):
        assert tuple(play.heard(listener)) == before[listener]
        assert "evil" not in [floor.channel for floor in heard(play, listener, FloorGiven)]


def test_good_cannot_speak_in_evils_channel_and_evil_only_from_the_reveal_to_the_shot() -> None:  # A21
    early, play = avalon(TEN), at_the_shot(TEN)
    attempts = [(early, seat) for seat in range(10)] + [(play, seat) for seat in range(6)]
    for table, seat in attempts:
        with pytest.raises(IllegalAction) as refused:
            table.act(seat, Say(channel="evil", text="Whom shall we shoot?"))
        assert refused.value.code == "talk/closed"
    do(play, 6, ShootMerlin, target=0)
    with pytest.raises(IllegalAction):
        play.act(7, Say(channel="evil", text="Well shot."))


def test_the_assassin_alone_shoots_and_not_themself() -> None:  # A21
    play = at_the_shot(TEN)
    for seat in {*range(10)} - {6}:
        assert choices(play, seat) == set()
        assert refusal(play, seat, ShootMerlin, target=0) == "action/not_now"
    assert choices(play, 6) == {ShootMerlin(phase=play.phase.number, target=seat) for seat in {*range(10)} - {6}}
    for target in (6, 10, -1):
        assert refusal(play, 6, ShootMerlin, target=target) == "action/not_allowed"


@pytest.mark.parametrize("target", [0, 1, 2, 3, 4, 5, 7, 8, 9])
def test_the_shot_wins_for_evil_exactly_if_it_hits_merlin(target: Seat) -> None:  # A21, A22
    play = at_the_shot(TEN)
    do(play, 6, ShootMerlin, target=target)
    hit = TEN[target] is Role.MERLIN
    assert won(play) == (("Evil", "merlin_assassinated") if hit else ("Good", "merlin_survived"))
    assert play.outcome is not None
    assert set(play.outcome.seats) == (set(range(6, 10)) if hit else set(range(6)))
    assert heard(play, SPECTATOR, MerlinShot)[-1].target == target


@pytest.mark.parametrize("ending", ["shot", "failures", "rejections"])
def test_after_the_end_all_roles_are_public(ending: str) -> None:  # A22
    play = avalon(FIVE) if ending != "shot" else at_the_shot(FIVE)
    if ending == "shot":
        do(play, 3, ShootMerlin, target=4)
    elif ending == "failures":
        for _ in range(3):
            send(play, fails=1)
    else:
        reject(play, 5)
    for listener in listeners(play):
        assert play.view(listener).roles == dict(enumerate(FIVE))


@pytest.mark.parametrize("kind", [ShootMerlin, ExamineLoyalty, UseExcalibur])
def test_nobody_acts_in_a_phase_that_has_not_come(kind: type[Move]) -> None:  # A21, A23, A25
    play = avalon(FIVE)
    assert all(refusal(play, seat, kind, target=(seat + 1) % 5) == "action/not_now" for seat in range(5))


# The Lady of the Lake


@pytest.mark.parametrize("leader", range(7))
def test_the_lady_begins_at_the_right_of_the_first_leader(leader: Seat) -> None:  # A23
    play = avalon(SEVEN, leader=leader, lady=True)
    for listener in listeners(play):
        assert [given.seat for given in heard(play, listener, LadyGiven)] == [(leader - 1) % 7]


def test_without_the_option_there_is_no_lady() -> None:  # A23
    play = avalon(SEVEN)
    for fails in (0, 1, 0, 2):
        send(play, fails)
        assert play.phase.name == "propose"
    assert heard(play, SPECTATOR, LadyGiven) == []


@pytest.mark.parametrize("course", [*courses()], ids=lambda course: "".join("S" if won else "F" for won in course))
def test_the_lady_is_used_after_quests_two_to_four_unless_a_side_has_three(course: Any) -> None:  # A23
    play = avalon(TEN, lady=True)
    asked = []
    for played, succeeded in enumerate(course, 1):
        send(play, fails=0 if succeeded else 2)
        if play.phase.name == "lady":
            asked.append(played)
            (holder,) = play.phase.awaited
            do(play, holder, ExamineLoyalty, target=played)
            assert play.phase.name == "propose"
    assert asked == [played for played in (2, 3, 4) if played < len(course)]


def at_the_lady(roles: tuple[Role, ...] = SEVEN, **options: Any) -> Table:
    """Two quests are played, and seat 6 holds the Lady."""
    play = avalon(roles, lady=True, **options)
    for _ in range(2):
        send(play)
    assert awaited(play) == ("lady", {6})
    return play


@pytest.mark.parametrize("target", range(6))
def test_the_holder_alone_learns_the_side_and_all_see_who_was_examined(target: Seat) -> None:  # A23
    play = at_the_lady()
    do(play, 6, ExamineLoyalty, target=target)
    (shown,) = heard(play, 6, LoyaltyShown)
    assert (shown.target, shown.side) == (target, Side.GOOD if target < 4 else Side.EVIL)
    for listener in listeners(play):
        (examined,) = heard(play, listener, LoyaltyExamined)
        assert (examined.holder, examined.target) == (6, target)
        assert heard(play, listener, LadyGiven)[-1].seat == target
        assert listener == 6 or heard(play, listener, LoyaltyShown) == []


@pytest.mark.parametrize(("target", "ally"), [(0, 1), (1, 2), (2, 0), (4, 5), (5, 4)])
def test_the_lady_shows_a_side_and_never_a_role(target: Seat, ally: Seat) -> None:  # A23
    swapped = list(SEVEN)
    swapped[target], swapped[ally] = SEVEN[ally], SEVEN[target]
    here, there = at_the_lady(SEVEN), at_the_lady(tuple(swapped))
    for play in (here, there):
        do(play, 6, ExamineLoyalty, target=target)
    assert here.heard(6) == there.heard(6)


def test_nobody_who_has_held_the_lady_is_examined() -> None:  # A23
    play = at_the_lady()
    held = [6]
    for target, fails in ((2, 1), (0, 2), (5, 0)):
        holder = held[-1]
        assert choices(play, holder) == {
            ExamineLoyalty(phase=play.phase.number, target=seat) for seat in {*range(7)} - {*held}
        }
        for past in held:
            assert refusal(play, holder, ExamineLoyalty, target=past) == "action/not_allowed"
        do(play, holder, ExamineLoyalty, target=target)
        held.append(target)
        send(play, fails)


def test_only_the_holder_asks_the_lady() -> None:  # A23
    play = at_the_lady()
    for seat in range(6):
        assert refusal(play, seat, ExamineLoyalty, target=(seat + 1) % 6) == "action/not_now"


def test_the_lead_passes_on_as_if_there_were_no_lady() -> None:  # A16, A23
    play = at_the_lady()
    do(play, 6, ExamineLoyalty, target=3)
    assert (play.state.leader, play.state.attempt) == (2, 1)


# Choosing quests


def test_the_leader_picks_any_unfinished_quest_and_the_fifth_after_two_successes() -> None:  # A24
    play = avalon(SEVEN, choose_quests=True)
    sizes = {1: 2, 2: 3, 3: 3, 4: 4, 5: 4}
    played: dict[int, bool] = {}
    for number, fails in ((4, 2), (2, 0), (1, 1), (3, 0), (5, 0)):
        open_now = {*range(1, 6)} - {*played} - ({5} if sum(played.values()) < 2 else set())
        assert {(move.quest, len(move.team)) for move in proposals(play)} == {(k, sizes[k]) for k in open_now}
        for shut in {*range(7)} - open_now:
            team = frozenset(range(sizes.get(shut, 2)))
            assert refusal(play, play.state.leader, ProposeTeam, team=team, quest=shut) == "action/not_allowed"
        send(play, fails, quest=number)
        played[number] = last(play, QuestResolved).succeeded
    assert played == {4: False, 2: True, 1: False, 3: True, 5: True}


@pytest.mark.parametrize("seats", COUNTS)
@pytest.mark.parametrize("number", range(1, 5))
def test_team_and_fails_needed_are_those_of_the_chosen_quest(seats: int, number: int) -> None:  # A19, A24
    play = avalon(COURTS[seats], choose_quests=True)
    send(play, 1, quest=number)
    resolved = last(play, QuestResolved)
    small = {5: (2, 3, 2, 3), 6: (2, 3, 4, 3), 7: (2, 3, 3, 4)}
    assert (resolved.quest, len(resolved.team)) == (number, small.get(seats, (3, 4, 4, 5))[number - 1])
    assert resolved.succeeded is (number == 4 and seats >= 7)


@pytest.mark.parametrize("options", [{}, {"choose_quests": True}], ids=str)
def test_a_quest_is_named_where_quests_are_chosen_and_nowhere_else(options: dict[str, bool]) -> None:  # A24
    play = avalon(FIVE, **options)
    right, wrong = (1, None) if options else (None, 1)
    assert refusal(play, 0, ProposeTeam, team=frozenset((0, 1)), quest=wrong) == "action/not_allowed"
    propose(play, (0, 1), quest=right)
    assert play.phase.name == "vote"


def test_the_quest_of_a_proposal_is_public() -> None:  # A24
    play = avalon(FIVE, choose_quests=True)
    propose(play, (0, 1, 2), quest=4)
    assert all(heard(play, listener, TeamProposed)[-1].quest == 4 for listener in listeners(play))


def test_five_rejections_in_a_row_win_for_evil_whatever_quests_they_were_for() -> None:  # A24
    play = avalon(FIVE, choose_quests=True)
    for number in (1, 2):
        reject(play, quest=number)
    send(play, quest=3)
    for number in (1, 2, 4, 1):
        reject(play, quest=number)
    assert play.outcome is None
    reject(play, quest=2)
    assert won(play) == ("Evil", "five_rejections")


# Excalibur


def test_excalibur_goes_to_a_member_other_than_the_leader() -> None:  # A25
    play = avalon(FIVE, excalibur="both")
    for team in combinations(range(5), 2):
        holders = {move.excalibur for move in proposals(play) if move.team == set(team)}
        assert holders == {*team} - {0}
        for holder in {None, *range(6)} - holders:
            code = refusal(play, 0, ProposeTeam, team=frozenset(team), excalibur=holder)
            assert code == "action/not_allowed"
    propose(play, (0, 3), excalibur=3)
    assert all(heard(play, listener, TeamProposed)[-1].excalibur == 3 for listener in listeners(play))


def test_without_the_option_nobody_carries_excalibur() -> None:  # A25
    play = avalon(FIVE)
    assert refusal(play, 0, ProposeTeam, team=frozenset((0, 3)), excalibur=3) == "action/not_allowed"


def at_excalibur(fails: Iterable[Seat], excalibur: str = "both", **options: Any) -> Table:
    """The second quest of five: seat 0 leads, seats 2 to 4 have laid their cards, and seat 4 holds Excalibur."""
    play = avalon(FIVE, leader=4, excalibur=excalibur, **options)
    quest(play, (0, 1), excalibur=0)
    do(play, 0, LeaveExcalibur)
    quest(play, (2, 3, 4), dict.fromkeys(fails, Card.FAIL), excalibur=4)
    assert awaited(play) == ("excalibur", {4})
    return play


@pytest.mark.parametrize("excalibur", ["both", "fail_only"])
@pytest.mark.parametrize("fails", [(), (3,), (4,), (3, 4)])
@pytest.mark.parametrize("target", [2, 3])
def test_excalibur_turns_one_card_over(excalibur: str, fails: tuple[Seat, ...], target: Seat) -> None:  # A25
    play = at_excalibur(fails, excalibur)
    do(play, 4, UseExcalibur, target=target)
    turned = len(fails) - 1 if target in fails else len(fails) + (excalibur == "both")
    resolved = last(play, QuestResolved)
    assert (resolved.fails, resolved.successes, resolved.succeeded) == (turned, 3 - turned, turned == 0)


@pytest.mark.parametrize("excalibur", ["both", "fail_only"])
@pytest.mark.parametrize("fails", [(), (3,), (3, 4)])
def test_excalibur_may_be_declined(excalibur: str, fails: tuple[Seat, ...]) -> None:  # A25
    play = at_excalibur(fails, excalibur)
    do(play, 4, LeaveExcalibur)
    assert last(play, QuestResolved).fails == len(fails)
    assert all(len(heard(play, listener, ExcaliburUnused)) == 2 for listener in listeners(play))


@pytest.mark.parametrize("fails", [(), (3,)])
def test_the_holder_alone_learns_the_card_and_all_see_on_whom_it_was_used(fails: tuple[Seat, ...]) -> None:  # A25
    play = at_excalibur(fails)
    do(play, 4, UseExcalibur, target=3)
    (shown,) = heard(play, 4, CardShown)
    assert (shown.target, shown.card) == (3, Card.FAIL if fails else Card.SUCCESS)
    for listener in listeners(play):
        (used,) = heard(play, listener, ExcaliburUsed)
        assert (used.holder, used.target) == (4, 3)
        assert listener == 4 or heard(play, listener, CardShown) == []


def test_with_equal_counts_nobody_else_can_tell_what_excalibur_turned() -> None:  # A18, A25
    turned_fail = at_excalibur((3, 4))  # two Fails, one of them turned
    do(turned_fail, 4, UseExcalibur, target=3)
    turned_success = at_excalibur(())  # none, and a Success turned
    do(turned_success, 4, UseExcalibur, target=3)
    for listener in (SPECTATOR, 0, 1, 2):
        assert turned_fail.heard(listener) == turned_success.heard(listener)


def test_only_the_holder_uses_excalibur_and_on_another_member() -> None:  # A25
    play = at_excalibur((3,))
    for seat in (0, 1, 2, 3):
        assert refusal(play, seat, UseExcalibur, target=2) == "action/not_now"
        assert refusal(play, seat, LeaveExcalibur) == "action/not_now"
    for target in (4, 0, 1, 5):
        assert refusal(play, 4, UseExcalibur, target=target) == "action/not_allowed"


def test_excalibur_comes_after_all_cards_and_before_they_are_counted() -> None:  # A25
    play = at_excalibur((3,))
    assert len(heard(play, SPECTATOR, QuestResolved)) == 1  # the first quest's
    assert all(refusal(play, seat, PlayCard, card=Card.SUCCESS) == "action/not_now" for seat in range(5))
    assert [len(heard(play, seat, CardChosen)) for seat in range(5)] == [1, 1, 1, 1, 1]


# Without Merlin


def test_without_merlin_three_successes_win_for_good_at_once() -> None:  # A27
    play = avalon(PLAIN)
    for _ in range(3):
        send(play)
    assert won(play) == ("Good", "three_successes")
    assert heard(play, SPECTATOR, SidesRevealed) == []
    assert play.outcome is not None
    assert set(play.outcome.seats) == {0, 1, 2, 3}


def test_without_merlin_evil_wins_as_ever() -> None:  # A15, A20, A27
    failed, rejected = avalon(PLAIN), avalon(PLAIN)
    for _ in range(3):
        send(failed, fails=1)
    reject(rejected, 5)
    assert won(failed) == ("Evil", "three_failures")
    assert won(rejected) == ("Evil", "five_rejections")


# The variants together


def test_a_game_with_every_variant() -> None:  # A15, A19, A23, A24, A25, A27
    play = avalon(PLAIN, hammer="auto", lady=True, choose_quests=True, excalibur="fail_only")
    quest(play, (3, 4, 5, 6), {5: Card.FAIL, 6: Card.FAIL}, quest=4, excalibur=3)
    do(play, 3, UseExcalibur, target=6)  # one Fail is left, and quest 4 needs two
    assert last(play, QuestResolved).succeeded is True
    reject(play, 4, quest=2, excalibur=6)
    propose(play, (0, 5), quest=1, excalibur=0)  # the fifth goes without a vote
    lay(play, {5: Card.SUCCESS})
    do(play, 0, UseExcalibur, target=5)  # a Success stays one
    assert last(play, QuestResolved).succeeded is True
    do(play, 6, ExamineLoyalty, target=1)
    assert last(play, LoyaltyShown).side is Side.GOOD
    send(play, fails=1, quest=5, excalibur=4)
    do(play, 4, LeaveExcalibur)
    assert last(play, QuestResolved).succeeded is False
    do(play, 1, ExamineLoyalty, target=5)
    send(play, quest=3, excalibur=6)
    do(play, 6, LeaveExcalibur)
    assert won(play) == ("Good", "three_successes")


VARIANTS = [
    {"lady": lady, "choose_quests": choose_quests, "excalibur": excalibur, "merlin": merlin}
    for lady in (True, False)
    for choose_quests in (True, False)
    for excalibur in ("off", "both", "fail_only")
    for merlin in (True, False)
]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_the_variants_hold_together(options: dict[str, Any]) -> None:  # A20, A23, A24, A25, A27
    for seed in range(12):
        play = new_game("avalon", 5 + seed % 6, bytes([seed] * 32), hammer=("vote", "auto")[seed % 2], **options)
        play_out(play, {seat: RandomBot() for seat in range(play.state.setup.seats)}, Dice(seed))
        results = heard(play, SPECTATOR, QuestResolved)
        numbers = [result.quest for result in results]
        score = [sum(result.succeeded for result in results[:played]) for played in range(len(results) + 1)]
        assert len(set(numbers)) == len(numbers)
        assert options["choose_quests"] or numbers == [*range(1, len(numbers) + 1)]
        assert 5 not in numbers or score[numbers.index(5)] >= 2
        undecided = [played for played in (2, 3, 4) if played <= len(results) and played - 3 < score[played] < 3]
        holders = [given.seat for given in heard(play, SPECTATOR, LadyGiven)]
        assert len(holders) == len(set(holders)) == (1 + len(undecided) if options["lady"] else 0)
        answers = [*heard(play, SPECTATOR, ExcaliburUsed), *heard(play, SPECTATOR, ExcaliburUnused)]
        assert len(answers) == (len(results) if options["excalibur"] != "off" else 0)
        assert won(play) in endings(play, score[-1], len(results) - score[-1])


def endings(play: Table, successes: int, failures: int) -> set[tuple[str, str]]:
    """The ways a game can have ended, by the quests that each side has."""
    if failures == 3:
        return {("Evil", "three_failures")}
    if successes < 3:
        return {("Evil", "five_rejections")}
    if not play.state.setup.merlin:
        return {("Good", "three_successes")}
    hit = play.state.roles[last(play, MerlinShot).target] is Role.MERLIN
    return {("Evil", "merlin_assassinated") if hit else ("Good", "merlin_survived")}


# What silence means


def test_timers_are_off_unless_the_table_turns_them_on() -> None:  # C5
    play = avalon(FIVE)
    assert play.phase.seconds is None
    with pytest.raises(IllegalAction) as refused:
        play.expire()
    assert refused.value.code == "action/no_clock"


def test_every_phase_can_have_a_deadline_of_its_own() -> None:  # C5
    lengths = {name: 10 * count for count, name in enumerate(TIMED, 1)}
    play = avalon(SEVEN, lady=True, excalibur="both", **lengths)
    seen = {}
    while not play.is_over:
        name = {"assassination": "shot"}.get(play.phase.name, play.phase.name)
        seen[f"{name}_seconds"] = play.phase.seconds
        match play.phase.name:
            case "propose":
                propose(play, a_team(play), excalibur=6 if play.state.leader != 6 else 5)
            case "vote":
                vote(play, range(7))
            case _:
                play.expire()
    assert seen == lengths


@pytest.mark.parametrize("present", [(), (0, 1), (0, 1, 2)])
def test_a_missed_vote_is_a_reject(present: tuple[Seat, ...]) -> None:  # A13, C5
    play = avalon(FIVE, **TIMED)
    propose(play, (0, 1))
    for seat in present:
        do(play, seat, CastVote, approve=True)
    play.expire()
    counted = last(play, VotesCounted)
    assert counted.ballots == tuple(seat in present for seat in range(5))
    assert counted.approved is (len(present) >= 3)


def test_five_votes_missed_win_for_evil() -> None:  # A15, C5
    play = avalon(FIVE, **TIMED)
    for _ in range(5):
        propose(play, (0, 1))
        play.expire()
    assert won(play) == ("Evil", "five_rejections")


def on_a_quest(*team: Seat) -> Table:
    """The second quest of five people, under the clock, with cards to be laid."""
    play = avalon(FIVE, **TIMED)
    send(play)
    propose(play, team)
    vote(play, range(5))
    return play


@pytest.mark.parametrize("absent", [(3,), (4,), (3, 4), (0, 3, 4)], ids=str)
def test_a_missed_card_is_a_success_and_nobody_is_shown_that_it_was_missed(absent: tuple[Seat, ...]) -> None:  # C5
    missed, played = on_a_quest(0, 3, 4), on_a_quest(0, 3, 4)
    for play in (missed, played):
        for seat in sorted({0, 3, 4} - {*absent}):
            do(play, seat, PlayCard, card=Card.SUCCESS)
    missed.expire()
    for seat in absent:
        do(played, seat, PlayCard, card=Card.SUCCESS)
    assert last(missed, QuestResolved).fails == 0
    assert ears(missed) == ears(played)


def test_a_card_that_was_laid_in_time_stays() -> None:  # C5
    play = on_a_quest(0, 3, 4)
    do(play, 4, PlayCard, card=Card.FAIL)
    play.expire()
    assert last(play, QuestResolved).fails == 1


def test_a_default_tells_no_more_than_the_action_would() -> None:  # C5
    unsaid, said = avalon(FIVE, **TIMED), avalon(FIVE, **TIMED)
    for play in (unsaid, said):
        propose(play, (0, 1))
    unsaid.expire()
    vote(said, ())
    assert ears(unsaid) == ears(said)
    unsaid, said = at_excalibur((3,), **TIMED), at_excalibur((3,), **TIMED)
    unsaid.expire()
    do(said, 4, LeaveExcalibur)
    assert ears(unsaid) == ears(said)


@pytest.mark.parametrize("leader", range(5))
def test_a_missed_proposal_counts_as_rejected_and_the_lead_passes_left(leader: Seat) -> None:  # A14, C5
    play = avalon(FIVE, leader=leader, **TIMED)
    play.expire()
    for listener in listeners(play):
        assert [missed.leader for missed in heard(play, listener, ProposalMissed)] == [leader]
        named = heard(play, listener, LeaderNamed)[-1]
        assert (named.seat, named.attempt) == ((leader + 1) % 5, 2)
    assert standing(play) == "propose"


def fifth_attempt(roles: tuple[Role, ...] = FIVE, **options: Any) -> Table:
    """Two proposals were rejected and two missed."""
    play = avalon(roles, **TIMED, **options)
    number = 1 if options.get("choose_quests") else None
    for attempt in range(4):
        if attempt % 2:
            play.expire()
        else:
            holder = {"excalibur": a_team(play, number)[0]} if "excalibur" in options else {}
            reject(play, quest=number, **holder)
    return play


@pytest.mark.parametrize("hammer", ["vote", "auto"])
def test_a_missed_fifth_proposal_is_drawn_and_voted_on_or_sent(hammer: str) -> None:  # A15, C5
    play = fifth_attempt(hammer=hammer)
    play.expire()
    drawn = heard(play, SPECTATOR, TeamProposed)[-1]
    assert (drawn.leader, drawn.quest, len(drawn.team)) == (4, 1, 2)
    assert standing(play) == {"vote": "vote", "auto": "quest"}[hammer]
    if hammer == "vote":
        vote(play, ())
        assert won(play) == ("Evil", "five_rejections")


def every_draw(play: Table) -> dict[TeamProposed, Fraction]:
    """Each team that can be drawn for a silent leader, with its exact chance."""

    def drawn(chance: Chance) -> TeamProposed:
        now = Transition(play.game, play.state)
        play.game.expire(now, chance)
        (proposed,) = [event for event in now.events if isinstance(event, TeamProposed)]
        return proposed

    return every_outcome(drawn)


@pytest.mark.parametrize("seats", COUNTS)
def test_the_fifth_team_is_drawn_uniformly_from_the_legal_ones(seats: int) -> None:  # C5
    play = fifth_attempt(COURTS[seats])
    legal = {move.team for move in proposals(play)}
    assert {drawn.team: chance for drawn, chance in every_draw(play).items()} == dict.fromkeys(
        legal, Fraction(1, len(legal))
    )


def test_a_drawn_team_has_a_drawn_holder_and_the_lowest_open_quest() -> None:  # A24, A25, C5
    play = avalon(SEVEN, choose_quests=True, excalibur="both", **TIMED)
    for number in (1, 3):
        send(play, quest=number, excalibur=6)
        do(play, 6, LeaveExcalibur)
    for _ in range(4):
        play.expire()
    leader, teams = play.state.leader, comb(7, 3)
    draws = every_draw(play)
    assert {drawn.quest for drawn in draws} == {2}
    for team in map(frozenset, combinations(range(7), 3)):
        holders = {drawn.excalibur: chance for drawn, chance in draws.items() if drawn.team == team}
        assert holders == dict.fromkeys(team - {leader}, Fraction(1, teams * len(team - {leader})))


def test_a_drawn_team_is_one_the_leader_could_have_named() -> None:  # A11, A24, A25, C5
    play = fifth_attempt(SEVEN, choose_quests=True, excalibur="both")
    legal = {(move.quest, move.team, move.excalibur) for move in proposals(play)}
    play.expire()
    drawn = last(play, TeamProposed)
    assert (drawn.quest, drawn.team, drawn.excalibur) in legal


def test_a_missed_shot_misses() -> None:  # A22, C5
    play = at_the_shot(FIVE, **TIMED)
    play.expire()
    assert won(play) == ("Good", "merlin_survived")
    assert heard(play, SPECTATOR, MerlinShot)[-1].target is None


def test_a_lady_not_used_stays_where_she_is() -> None:  # A23, C5
    play = at_the_lady(**TIMED)
    play.expire()
    assert all(len(heard(play, listener, LadyUnused)) == 1 for listener in listeners(play))
    assert heard(play, 6, LoyaltyShown) == []
    assert (play.phase.name, play.state.leader) == ("propose", 2)
    send(play, fails=1)
    assert awaited(play) == ("lady", {6})
    assert len(choices(play, 6)) == 6


def test_the_lady_must_ask_unless_she_may_pass() -> None:  # A23
    assert refusal(at_the_lady(), 6, KeepLady) == "action/not_now"


def test_a_holder_may_keep_the_lady_until_the_next_time() -> None:  # A23
    play = at_the_lady(lady_may_pass=True)
    assert refusal(play, 0, KeepLady) == "action/not_now"
    do(play, 6, KeepLady)
    assert all(len(heard(play, listener, LadyUnused)) == 1 for listener in listeners(play))
    assert (play.phase.name, play.state.leader, play.state.lady) == ("propose", 2, 6)
    send(play, fails=1)
    assert awaited(play) == ("lady", {6})
    do(play, 6, ExamineLoyalty, target=3)
    assert len(heard(play, 6, LoyaltyShown)) == 1


def test_a_kept_lady_looks_like_one_whose_time_ran_out() -> None:  # A23, C5
    kept, missed = at_the_lady(lady_may_pass=True, **TIMED), at_the_lady(lady_may_pass=True, **TIMED)
    do(kept, 6, KeepLady)
    missed.expire()
    assert kept.entries[-1].events == missed.entries[-1].events


@pytest.mark.parametrize("fails", [(), (3,), (3, 4)])
def test_excalibur_not_used_changes_nothing(fails: tuple[Seat, ...]) -> None:  # A25, C5
    play = at_excalibur(fails, **TIMED)
    play.expire()
    assert last(play, QuestResolved).fails == len(fails)
    assert heard(play, 4, CardShown) == []


def test_what_comes_after_the_deadline_is_refused() -> None:  # C5
    play = on_a_quest(0, 3, 4)
    late = PlayCard(phase=play.phase.number, card=Card.FAIL)
    play.expire()
    with pytest.raises(IllegalAction) as refused:
        play.act(4, late)
    assert refused.value.code == "action/late"
