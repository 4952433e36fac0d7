"""How a game of THavalon goes: proposals, declarations, cards and the Assassin's call (T14 to T24)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, combinations, product
from typing import Any

import pytest

from roundtable.core.actions import Move, Say, StartCountdown
from roundtable.core.errors import IllegalAction
from roundtable.core.events import PhaseBegan, Said, SecretsRevealed
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, HOST, SPECTATOR, Seat
from roundtable.games import codec_of
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import (
    BallotMarked,
    CardChosen,
    LeaderNamed,
    ProposalMissed,
    QuestResolved,
    RoleDealt,
    SidesRevealed,
    TeamProposed,
    VotesCounted,
)
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.tables import fails_needed, quest_fails
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.events import (
    AgravaineDeclared,
    ArthurDeclared,
    TargetCalled,
    TeamWithdrawn,
    WentOn,
    WindowClosed,
    WindowOpened,
)
from roundtable.games.thavalon.setup import TWO_FAILS_FROM
from support.scenes import do, heard, last, lay, propose, quest, refusal, thavalon, vote

Table = Play[Any, Any]
Hands = Mapping[Role, Card]

SUCCESS, FAIL, REVERSE = Card.SUCCESS, Card.FAIL, Card.REVERSE


def cast(names: str) -> tuple[Role, ...]:
    return tuple(Role(name) for name in names.split())


# One cast for every count. Good sits first, so that a team which is filled up from seat 0 on succeeds.
CASTS = {
    len(names.split()): cast(names)
    for names in (
        "Merlin Lancelot Nimue Mordred Maelagant",
        "Merlin Lancelot Tristan Iseult Mordred Maelagant",
        "Merlin Percival Lancelot Arthur Mordred Morgana Maelagant",
        "Merlin Tristan Iseult Lancelot Arthur Mordred Maelagant Agravaine",
        "Merlin Percival Tristan Iseult Lancelot Arthur Mordred Maelagant Agravaine",
        "Merlin Tristan Iseult Lancelot Arthur Titania Mordred Maelagant Agravaine Colgrevance",
    )
}
NINE_WITH_FOUR_EVIL = cast("Merlin Percival Tristan Iseult Lancelot Mordred Morgana Maelagant Agravaine")
LOVERS_AT_FIVE = cast("Tristan Iseult Nimue Mordred Maelagant")
NO_TARGET = cast("Percival Lancelot Arthur Titania Mordred Morgana Maelagant")

every_count = pytest.mark.parametrize("seats", CASTS)
large_tables = pytest.mark.parametrize("seats", [8, 9, 10])

# A mission that succeeds, one that fails, and one that succeeds despite Fails, whatever its number.
STORY: dict[str, Hands] = {
    "S": {},
    "F": {Role.MORDRED: FAIL, Role.MAELAGANT: FAIL},
    "D": {Role.AGRAVAINE: FAIL, Role.MORDRED: FAIL, Role.MAELAGANT: REVERSE},
}


def seat_of(play: Table, role: Role) -> Seat:
    return next(seat for seat in range(play.state.setup.seats) if play.state.roles[seat] is role)


def teams_offered(play: Table) -> list[frozenset[Seat]]:
    moves = chain.from_iterable(play.options(play.state.leader))
    return [move.team for move in moves if isinstance(move, ProposeTeam)]


def team_with(play: Table, *members: Seat) -> frozenset[Seat]:
    """The first team that the leader may name with these members."""
    return next(team for team in teams_offered(play) if team.issuperset(members))


def mission(play: Table, hands: Hands) -> None:
    """A team with these roles on it goes, and each of them lays their card."""
    cards = {seat_of(play, role): card for role, card in hands.items()}
    quest(play, team_with(play, *cards), cards)


def after(story: str, roles: tuple[Role, ...] = CASTS[8], **options: Any) -> Table:
    """A table after these missions."""
    play = thavalon(roles, **options)
    for letter in story:
        mission(play, STORY[letter])
    return play


def from_here(play: Table) -> Table:
    """Another table that stands where this one does."""
    return Play(play.game, play.entries)


def results(play: Table) -> str:
    """The results of the missions, as a string of S and F."""
    return "".join("S" if result.succeeded else "F" for result in play.view(SPECTATOR).results)


def proposals_until_sent(play: Table) -> int:
    """Reject every proposal that is voted on. Returns which proposal of the round goes without a vote."""
    for proposals in range(1, 8):
        propose(play, team_with(play))
        if play.phase.name == "quest":
            return proposals
        vote(play, ())
    raise AssertionError("No team goes.")


def may_declare(play: Table, seat: Seat, kind: type[Move]) -> bool:
    """Whether a declaration is offered to a seat, and so accepted from it at a table that stands the same."""
    offered = any(option.kind is kind for option in play.options(seat))
    if offered:
        do(from_here(play), seat, kind)
    else:
        assert refusal(play, seat, kind) == "action/not_now"
    return offered


def same_to(listeners: set[int], *tables: Table) -> bool:
    """Whether these listeners heard the same at all of these tables."""
    return all(tables[0].heard(listener) == table.heard(listener) for listener in listeners for table in tables)


# Proposals


@pytest.mark.parametrize("row", ["5: 3", "6: 3", "7: 4", "8: 4", "9: 4", "10: 5", "9 of whom 4 are Evil: 5"])
def test_a_round_allows_two_proposals_and_later_one_more_than_evil_has_players(row: str) -> None:  # T14, T15, T1
    players, later = row.split(": ")
    play = thavalon(CASTS[int(players)]) if players.isdigit() else thavalon(NINE_WITH_FOUR_EVIL, nine_evil=4)
    for allowed in (2, int(later), int(later)):
        assert proposals_until_sent(play) == allowed
        lay(play)


@every_count
@pytest.mark.parametrize("approve", [True, False])
def test_the_lead_passes_left_after_every_proposal_and_between_rounds(seats: int, approve: bool) -> None:  # T14
    play = thavalon(CASTS[seats], leader=seats - 1)
    for letter in "SFSF":
        for _ in range(0 if approve else play.state.proposals_allowed - 1):
            propose(play, team_with(play))
            vote(play, ())
        mission(play, STORY[letter])
    leaders = [event.seat for event in heard(play, SPECTATOR, LeaderNamed)]
    assert leaders == [(seats - 1 + turn) % seats for turn in range(len(leaders))]
    assert [event.leader for event in heard(play, SPECTATOR, TeamProposed)] == leaders[:-1]


def test_only_the_leader_proposes() -> None:  # A11
    play = thavalon(CASTS[8], leader=3)
    team = team_with(play, 3)
    assert {refusal(play, seat, ProposeTeam, team=team) for seat in range(8) if seat != 3} == {"action/not_now"}
    do(play, 3, ProposeTeam, team=team)
    assert last(play, TeamProposed).team == team


def test_a_vote_needs_more_than_half_and_a_tie_rejects() -> None:  # T14, A13
    for approving, phase in ((range(5), "quest"), (range(4), "propose"), (range(3), "propose")):
        play = thavalon(CASTS[8])
        propose(play, {0, 1, 2})
        vote(play, approving)
        assert play.phase.name == phase


PAIR = (frozenset((0, 1, 2)), frozenset((3, 4, 5)))


def paired() -> Table:
    """Both teams of a paired first round lie on the table, proposed by seats 7 and 0."""
    play = thavalon(CASTS[8], leader=7, first_round="paired")
    for team in PAIR:
        propose(play, team)
    return play


def test_both_leaders_of_a_pair_propose_before_one_vote() -> None:  # T14
    play = thavalon(CASTS[8], leader=7, first_round="paired")
    for leader, team in zip((7, 0), PAIR, strict=True):
        assert play.phase.name == "propose"
        assert play.phase.awaited == {leader}
        propose(play, team)
    assert play.phase.name == "vote"
    assert [event.team for event in heard(play, SPECTATOR, TeamProposed)] == list(PAIR)


@pytest.mark.parametrize(("approvals", "sent"), [(8, 0), (5, 0), (4, 1), (3, 1), (0, 1)])
def test_approving_a_pair_sends_the_first_team_and_a_tie_the_second(approvals: int, sent: int) -> None:  # T14
    play = paired()
    vote(play, range(approvals))
    assert play.phase.name == "quest"
    assert play.phase.awaited == PAIR[sent]
    lay(play)
    assert last(play, QuestResolved).team == PAIR[sent]
    assert last(play, LeaderNamed).seat == 1  # left of the pair's second leader, whichever team went


def test_only_the_first_round_is_paired() -> None:  # T14
    play = paired()
    vote(play, ())
    lay(play)
    assert proposals_until_sent(play) == 4


def test_rejecting_everything_never_wins_for_evil() -> None:  # T15
    play = thavalon(CASTS[8])
    for _ in range(3):
        proposals_until_sent(play)
        assert play.phase.awaited == last(play, TeamProposed).team
        lay(play)
    assert play.phase.name == "assassination"


# Arthur

ARTHUR_AT = {seats: CASTS[seats].index(Role.ARTHUR) for seats in (7, 8, 9, 10)}
ARTHUR = ARTHUR_AT[7]
STORIES = [
    "".join(story)
    for length in range(5)
    for story in product("SF", repeat=length)
    if max(story.count("S"), story.count("F")) < 3
]


@pytest.mark.parametrize("story", STORIES)
def test_arthur_may_declare_when_two_missions_failed_and_at_most_one_succeeded(story: str) -> None:  # T16
    play = after(story, CASTS[7])
    allowed = {ARTHUR} if story in ("FF", "FFS", "FSF", "SFF") else set()
    propose_again = from_here(play)
    propose(propose_again, team_with(play, ARTHUR))
    for moment in (play, propose_again):
        assert {seat for seat in range(7) if may_declare(moment, seat, DeclareArthur)} == allowed
    assert (play.phase.name, propose_again.phase.name) == ("propose", "vote")


@pytest.mark.parametrize("on_the_team", [True, False])
def test_arthur_may_not_declare_while_cards_are_played(on_the_team: bool) -> None:  # T16
    play = after("FF", CASTS[7])
    propose(play, {0, 1, ARTHUR} if on_the_team else {0, 1, 2})
    vote(play, range(7))
    assert play.phase.name == "quest"
    assert refusal(play, ARTHUR, DeclareArthur) == "action/not_now"


def test_arthur_declares_publicly_and_once() -> None:  # T16
    play = after("FF", CASTS[7])
    do(play, ARTHUR, DeclareArthur)
    assert [event.seat for event in heard(play, SPECTATOR, ArthurDeclared)] == [ARTHUR]
    assert refusal(play, ARTHUR, DeclareArthur) == "action/not_now"
    propose(play, team_with(play))
    assert refusal(play, ARTHUR, DeclareArthur) == "action/not_now"


@pytest.mark.parametrize("seats", ARTHUR_AT)
@pytest.mark.parametrize("declared", [True, False])
def test_a_declared_arthur_counts_twice_among_one_more_than_the_players(seats: int, declared: bool) -> None:  # T16, A13
    ready, arthur = after("FF", CASTS[seats]), ARTHUR_AT[seats]
    if declared:
        do(ready, arthur, DeclareArthur)
    propose(ready, team_with(ready))
    others = [seat for seat in range(seats) if seat != arthur]
    for approving, with_arthur in product(range(seats), (True, False)):
        play = from_here(ready)
        vote(play, others[:approving] + [arthur] * with_arthur)
        approvals = approving + (2 if declared else 1) * with_arthur
        total = seats + 1 if declared else seats
        assert last(play, VotesCounted).approved is (approvals > total / 2)
        assert play.phase.name == ("quest" if approvals > total / 2 else "propose")


def test_a_declared_arthur_goes_on_no_team_before_the_fifth_mission() -> None:  # T16
    play = after("FF", CASTS[7])
    do(play, ARTHUR, DeclareArthur)
    for size in (3, 4):
        assert teams_offered(play) == [frozenset(team) for team in combinations((0, 1, 2, 4, 5, 6), size)]
        with_arthur = frozenset(range(ARTHUR + 1 - size, ARTHUR + 1))
        assert refusal(play, play.state.leader, ProposeTeam, team=with_arthur) == "action/not_allowed"
        mission(play, STORY["S"])
    assert teams_offered(play) == [frozenset(team) for team in combinations(range(7), 4)]
    quest(play, {0, 1, 2, ARTHUR})
    assert last(play, QuestResolved).team == {0, 1, 2, ARTHUR}


def test_arthurs_ban_holds_for_a_team_that_is_sent_without_a_vote() -> None:  # T16, T15
    play = after("FF", CASTS[7])
    do(play, ARTHUR, DeclareArthur)
    for _ in range(3):
        propose(play, team_with(play))
        vote(play, ())
    assert play.state.attempt == play.state.proposals_allowed
    assert refusal(play, play.state.leader, ProposeTeam, team=frozenset((0, 1, ARTHUR))) == "action/not_allowed"


def test_a_declared_arthur_still_leads() -> None:  # T16
    play = after("FF", CASTS[7], leader=ARTHUR - 2)
    assert play.phase.awaited == {ARTHUR}
    do(play, ARTHUR, DeclareArthur)
    assert play.phase.awaited == {ARTHUR}
    propose(play, {0, 1, 2})
    assert last(play, TeamProposed).leader == ARTHUR


def test_arthur_may_declare_while_a_team_is_being_chosen_and_the_leader_just_goes_on() -> None:  # T16
    play = after("FF", CASTS[7])
    phase = play.phase
    do(play, ARTHUR, DeclareArthur)
    assert play.phase == phase
    assert not heard(play, SPECTATOR, TeamWithdrawn)


def declared_during_the_vote() -> Table:
    """Seats 0 to 4 had voted, 0 and 2 for it, when Arthur declared."""
    play = after("FF", CASTS[7])
    propose(play, {0, 1, ARTHUR})
    for seat in range(5):
        do(play, seat, CastVote, approve=seat in (0, 2))
    do(play, ARTHUR, DeclareArthur)
    return play


def test_a_declaration_during_the_vote_has_the_same_leader_propose_again_for_free() -> None:  # T16
    play = declared_during_the_vote()
    first, again = heard(play, SPECTATOR, PhaseBegan)[-3], play.phase
    assert (again.name, again.awaited) == (first.name, first.awaited) == ("propose", {play.state.leader})
    assert last(play, TeamWithdrawn).leader == play.state.leader
    assert proposals_until_sent(play) == 4


def test_votes_that_arthur_cut_short_are_discarded_unheard() -> None:  # T16
    play = declared_during_the_vote()
    propose(play, {0, 1, 2})
    assert play.phase.name == "vote"
    assert play.view(SPECTATOR).voted == frozenset()
    assert len(heard(play, SPECTATOR, VotesCounted)) == 2  # of the two missions before
    for listener in (SPECTATOR, *range(7)):
        assert {event.seat for event in heard(play, listener, BallotMarked)} <= {listener}
    vote(play, range(3, 7))
    assert last(play, VotesCounted).ballots == (False, False, False, True, True, True, True)


def test_discarded_votes_are_public_once_the_game_is_over() -> None:  # T16
    play = declared_during_the_vote()
    mission(play, STORY["F"])
    assert play.is_over
    (seals,) = heard(play, SPECTATOR, SecretsRevealed)
    ballots = [(fact.seat, fact.approve) for _, fact in seals.secret_facts if isinstance(fact, BallotMarked)]
    all_approve = [(seat, True) for seat in range(7)]
    assert ballots == 2 * all_approve + [(seat, seat in (0, 2)) for seat in range(5)] + all_approve


def test_arthur_may_declare_while_a_proposal_stands() -> None:  # T16, T21
    play = after("FFD")
    propose(play, team_with(play))
    leader, attempt = play.state.leader, play.state.attempt
    do(play, ARTHUR_AT[8], DeclareArthur)
    assert (play.phase.name, play.state.leader, play.state.attempt) == ("propose", leader, attempt)
    assert last(play, TeamWithdrawn).leader == leader
    propose(play, team_with(play))  # Agravaine's window is still open, so this one stands as well
    assert play.phase.name == "stand"
    assert refusal(play, ARTHUR_AT[8], DeclareArthur) == "action/not_now"


@pytest.mark.parametrize("moment", ["propose", "stand"])
def test_of_two_declarations_the_first_to_arrive_counts_first(moment: str) -> None:  # C5, T16, T21
    ready = after("FFD")
    if moment == "stand":
        propose(ready, team_with(ready))
    arthur, agravaine = ARTHUR_AT[8], seat_of(ready, Role.AGRAVAINE)
    play = from_here(ready)
    do(play, arthur, DeclareArthur)
    do(play, agravaine, DeclareAgravaine)
    assert len(heard(play, SPECTATOR, ArthurDeclared)) == len(heard(play, SPECTATOR, AgravaineDeclared)) == 1
    play = from_here(ready)
    do(play, agravaine, DeclareAgravaine)
    assert refusal(play, arthur, DeclareArthur) == "game/over"


def test_of_two_declarations_made_in_the_same_phase_the_second_still_counts() -> None:  # C5, T16, T21
    play = standing(after("FFD"))
    both = play.phase.number
    play.act(ARTHUR_AT[8], DeclareArthur(phase=both))
    assert play.phase.number > both
    play.act(AGRAVAINE, DeclareAgravaine(phase=both))
    assert results(play) == "FFF"
    assert play.outcome is not None
    assert play.outcome.winner == "Evil"


def test_a_declaration_of_a_round_that_is_over_comes_too_late() -> None:  # C5, T21
    play = after("D")
    before = play.phase.number
    mission(play, STORY["S"])
    mission(play, STORY["D"])
    with pytest.raises(IllegalAction) as refused:
        play.act(AGRAVAINE, DeclareAgravaine(phase=before))
    assert refused.value.code == "action/late"


# Missions

CARDS = """
Merlin: Success · Percival: Success · Tristan: Success · Iseult: Success · Nimue: Success · Arthur: Success
Titania: Success · Lancelot: Success Reverse
Mordred: Success Fail · Morgana: Success Fail · Colgrevance: Success Fail
Maelagant: Success Fail Reverse · Agravaine: Fail
"""
HANDS = {
    Role(role): {Card(card) for card in cards.split()}
    for role, cards in (row.split(": ") for row in CARDS.strip().replace("\n", " · ").split(" · "))
}


@pytest.mark.parametrize("role", HANDS)
def test_every_role_may_play_its_cards_and_no_other(role: Role) -> None:  # T17
    roles = next(roles for roles in CASTS.values() if role in roles)
    seat, play = roles.index(role), thavalon(roles)
    propose(play, team_with(play, seat))
    vote(play, range(len(roles)))
    for card in Card:
        table = from_here(play)
        if card in HANDS[role]:
            do(table, seat, PlayCard, card=card)
            assert last(table, CardChosen).card is card
        else:
            assert refusal(table, seat, PlayCard, card=card) == "action/not_allowed"
    (option,) = play.options(seat)
    assert {move.card for move in option if isinstance(move, PlayCard)} == HANDS[role]


def test_a_card_once_laid_stays_and_those_at_home_lay_none() -> None:  # T17
    play = thavalon(CASTS[7])
    propose(play, {0, 4})
    vote(play, range(7))
    do(play, 4, PlayCard, card=FAIL)
    assert refusal(play, 4, PlayCard, card=SUCCESS) == "action/not_now"
    assert refusal(play, 5, PlayCard, card=FAIL) == "action/not_now"


def test_the_cards_are_public_and_who_played_which_is_not() -> None:  # T18, A18
    lancelot, maelagant = CASTS[7].index(Role.LANCELOT), CASTS[7].index(Role.MAELAGANT)
    tables = []
    for first, second in ((lancelot, maelagant), (maelagant, lancelot)):
        for one_by_one in ((first, second), (second, first)):
            play = thavalon(CASTS[7])
            propose(play, {lancelot, maelagant})
            vote(play, range(7))
            for seat in one_by_one:
                do(play, seat, PlayCard, card=REVERSE if seat == first else SUCCESS)
            tables.append(play)
    result = last(tables[0], QuestResolved)
    assert (result.successes, result.fails, result.reverses) == (1, 0, 1)
    assert same_to({SPECTATOR, *range(7)} - {lancelot, maelagant}, *tables)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("seats", range(5, 11))
@pytest.mark.parametrize("number", range(1, 6))
def test_a_mission_fails_by_its_fails_and_reverses(size: int, seats: int, number: int) -> None:  # T19, T20
    needed = fails_needed(seats, number, TWO_FAILS_FROM)
    for cards in product(Card, repeat=size):
        fails, odd = cards.count(FAIL), cards.count(REVERSE) % 2 == 1
        if number == 4 and seats >= 7:
            expected = (fails >= 2 and not odd) or (fails == 1 and odd)
        else:
            expected = (fails >= 1 and not odd) or (fails == 0 and odd)
        assert quest_fails(fails, cards.count(REVERSE), needed) is expected


PLAIN = "S: yes · F: no · FF: no · R: no · FR: yes · RR: yes · FFR: yes · FRR: no"
GUARDED = "S: yes · F: yes · FF: no · FFF: no · R: yes · FR: no · RR: yes · FFR: yes · FFFR: yes · FRR: yes · FFRR: no"
PLAYED = [
    (seats, number, *row.split(": "))
    for seats, number, rows in (
        (5, 2, PLAIN),
        (5, 4, PLAIN),
        (6, 4, PLAIN),
        (7, 4, GUARDED),
        (7, 5, PLAIN),
        (8, 3, PLAIN),
    )
    for row in rows.split(" · ")
]


@pytest.mark.parametrize(("seats", "number", "cards", "succeeds"), PLAYED)
def test_missions_as_played_follow_the_formula(seats: int, number: int, cards: str, succeeds: str) -> None:  # T19, T20
    play = after("SFSF"[: number - 1], CASTS[seats])
    reversers = [Role.LANCELOT, Role.MAELAGANT][: cards.count("R")]
    failers = [role for role in (Role.MORDRED, Role.MORGANA, Role.MAELAGANT) if role not in reversers]
    present = [role for role in failers if role in CASTS[seats]][: cards.count("F")]
    hands = dict.fromkeys(reversers, REVERSE) | dict.fromkeys(present, FAIL)
    mission(play, hands)
    result = last(play, QuestResolved)
    assert (result.quest, result.fails, result.reverses) == (number, cards.count("F"), cards.count("R"))
    assert result.succeeded is (succeeds == "yes")


# Agravaine

AGRAVAINE = CASTS[8].index(Role.AGRAVAINE)


def close_window(play: Table) -> None:
    """Let the window pass: the clock runs out, or at a table without one every seat goes on."""
    if play.state.setup.clock:
        play.expire()
    else:
        for seat in range(play.state.setup.seats):
            do(play, seat, GoOn)


def standing(play: Table) -> Table:
    """A proposal is made, and stands."""
    propose(play, team_with(play))
    assert play.phase.name == "stand"
    return play


@large_tables
def test_a_success_despite_a_fail_opens_a_window_and_the_next_proposal_stands(seats: int) -> None:  # T21
    play = after("D", CASTS[seats])
    assert results(play) == "S"
    assert [event.quest for event in heard(play, SPECTATOR, WindowOpened)] == [1]
    standing(play).expire()
    assert [event.quest for event in heard(play, SPECTATOR, WindowClosed)] == [1]
    assert play.phase.name == "vote"


def test_the_fourth_mission_opens_a_window_with_the_one_fail_it_bears() -> None:  # T21, T20
    play = after("SFF")
    mission(play, {Role.AGRAVAINE: FAIL})
    assert results(play) == "SFFS"
    assert last(play, WindowOpened).quest == 4


@pytest.mark.parametrize(
    ("seats", "hands"),
    [
        *((seats, {Role.MORDRED: FAIL, Role.MAELAGANT: REVERSE}) for seats in (5, 6, 7)),  # a success with a Fail
        (8, {Role.AGRAVAINE: FAIL}),  # a failure
        (8, {}),  # a success without a Fail
        (8, {Role.LANCELOT: REVERSE, Role.MAELAGANT: REVERSE}),  # another
    ],
)
def test_anything_else_opens_no_window_and_no_proposal_stands(seats: int, hands: Hands) -> None:  # T21
    play = thavalon(CASTS[seats])
    mission(play, hands)
    assert not heard(play, SPECTATOR, WindowOpened)
    assert not [seat for seat in range(seats) if may_declare(play, seat, DeclareAgravaine)]
    propose(play, team_with(play))
    assert play.phase.name == "vote"


@pytest.mark.parametrize("clock", [True, False])
@pytest.mark.parametrize("story", ["", "F", "SS"])
def test_the_window_is_the_same_whether_or_not_agravaine_was_there(story: str, clock: bool) -> None:  # T21, C4, C8
    court = "Merlin Tristan Iseult Lancelot Arthur"
    tables = []
    for there in ("Agravaine Maelagant Mordred", "Mordred Maelagant Agravaine", "Mordred Maelagant Morgana"):
        play = thavalon(cast(f"{court} {there}"), clock=clock)
        for letter in story:
            quest(play, team_with(play, *(5,) * (letter == "F")), {5: FAIL})
        quest(play, team_with(play, 5, 6), {5: FAIL, 6: REVERSE})
        if play.phase.name == "propose":
            propose(play, team_with(play))
        close_window(play)
        tables.append(play)
    assert heard(tables[0], SPECTATOR, WindowClosed)
    assert same_to({SPECTATOR, 1, 2, 3, 4, 6}, *tables)


@pytest.mark.parametrize("seconds", [20, 45])
@pytest.mark.parametrize("story", ["D", "SSD"])
def test_a_window_lasts_its_seconds_also_where_timers_are_off(story: str, seconds: int) -> None:  # T21, C5
    play = after(story) if seconds == 20 else after(story, declare_seconds=seconds)
    if story == "D":
        assert play.phase.seconds is None
        standing(play)
    assert play.phase.seconds == seconds
    assert last(play, PhaseBegan).audience is EVERYONE


@pytest.mark.parametrize("clock", [True, False])
def test_in_a_window_nobody_in_particular_is_awaited(clock: bool) -> None:  # C8, T21
    for play in (standing(after("D", clock=clock)), after("SSD", clock=clock)):
        assert play.phase.awaited == frozenset()
    play = standing(after("D", clock=False))
    do(play, 3, GoOn)
    assert play.phase.awaited == play.view(SPECTATOR).phase.awaited == frozenset()


@pytest.mark.parametrize(("story", "following"), [("D", "vote"), ("SSD", "assassination")])
def test_without_a_clock_every_seat_is_asked_and_the_last_one_goes_on(story: str, following: str) -> None:  # T21
    play = after(story, clock=False)
    if story == "D":
        standing(play)
    window = play.phase
    assert window.seconds is None
    for seat in (5, 2, 7, 0, 1, 6, 4, 3):
        assert play.phase == window
        do(play, seat, GoOn)
    assert play.phase.name == following


def test_every_window_asks_every_seat_anew() -> None:  # T21
    play = thavalon(CASTS[8], clock=False)
    for _ in range(2):
        propose(play, {0, 5, 6, 7} if play.state.results else {5, 6, 7})
        if play.phase.name == "stand":
            close_window(play)
        vote(play, range(8))
        lay(play, {5: FAIL, 6: REVERSE})
    close_window(standing(play))
    assert play.phase.name == "vote"
    assert [event.quest for event in heard(play, SPECTATOR, WindowClosed)] == [1, 2]


def test_nobody_hears_who_goes_on_or_who_hesitates() -> None:  # T21, C8
    play = standing(after("D", clock=False))
    before = {listener: len(play.heard(listener)) for listener in (SPECTATOR, *range(8))}
    for seat in range(7):
        do(play, seat, GoOn)
        assert refusal(play, seat, GoOn) == "action/not_now"
    for listener, known in before.items():
        news = [line.event for line in play.heard(listener, known)]
        assert news == ([WentOn(audience=frozenset({listener}), seat=listener)] if listener in range(7) else [])


def test_with_a_clock_nobody_is_asked_to_go_on() -> None:  # T21
    for play in (standing(after("D")), after("SSD")):
        assert {refusal(play, seat, GoOn) for seat in range(8)} == {"action/not_now"}


def test_a_countdown_ends_a_window_without_a_clock() -> None:  # T21, C6
    play = standing(after("D", clock=False))
    do(play, 0, GoOn)
    play.act(HOST, StartCountdown(phase=play.phase.number, seconds=10))
    play.expire()
    assert play.phase.name == "vote"


def test_going_on_past_one_proposal_says_nothing_about_the_next() -> None:  # T21, T16
    play = standing(after("FFD", clock=False))
    for seat in range(7):
        do(play, seat, GoOn)
    do(play, ARTHUR_AT[8], DeclareArthur)
    standing(play)
    do(play, AGRAVAINE, GoOn)
    assert play.phase.name == "stand"
    do(play, AGRAVAINE, DeclareAgravaine)  # also after having gone on
    assert play.outcome is not None


def test_agravaine_may_declare_while_a_team_is_being_chosen() -> None:  # T21
    play = after("D")
    phase = play.phase
    do(play, AGRAVAINE, DeclareAgravaine)
    assert results(play) == "F"
    declared = last(play, AgravaineDeclared)
    assert (declared.audience, declared.seat, declared.quest) == (EVERYONE, AGRAVAINE, 1)
    assert play.phase == phase
    assert proposals_until_sent(play) == 4  # nothing stands any more, and nothing was used up


def test_agravaine_may_declare_while_a_proposal_stands_and_it_is_made_again_for_free() -> None:  # T21
    play = standing(after("D"))
    leader = play.state.leader
    do(play, AGRAVAINE, DeclareAgravaine)
    assert results(play) == "F"
    assert last(play, TeamWithdrawn).leader == leader
    assert play.phase.name == "propose"
    assert play.phase.awaited == {leader}
    assert proposals_until_sent(play) == 4
    assert heard(play, SPECTATOR, TeamProposed)[2].leader == leader


@pytest.mark.parametrize("clock", [True, False])
def test_agravaine_may_declare_before_the_assassination_begins(clock: bool) -> None:  # T21, T22
    play = after("SSD", clock=clock)
    assert play.phase.name == "reckoning"
    leader = play.state.leader
    do(play, AGRAVAINE, DeclareAgravaine)
    assert results(play) == "SSF"
    assert play.phase.name == "propose"
    assert play.phase.awaited == {leader + 1}
    assert not heard(play, SPECTATOR, SidesRevealed)
    assert proposals_until_sent(play) == 4


def test_a_third_success_is_provisional_until_its_window_has_passed() -> None:  # T21, T22
    play = after("SSD")
    assert not heard(play, SPECTATOR, SidesRevealed)
    play.expire()
    assert results(play) == "SSS"
    assert play.phase.name == "assassination"
    assert refusal(play, AGRAVAINE, DeclareAgravaine) == "action/not_now"


@pytest.mark.parametrize("story", ["D", "SSD"])
def test_only_agravaine_may_declare(story: str) -> None:  # T21
    tables = [after(story)]
    if story == "D":
        tables.append(standing(after(story)))
    for play in tables:
        assert [seat for seat in range(8) if may_declare(play, seat, DeclareAgravaine)] == [AGRAVAINE]


def test_agravaine_may_not_declare_a_mission_that_he_was_not_on() -> None:  # T21
    play = thavalon(CASTS[8])
    mission(play, {Role.MORDRED: FAIL, Role.MAELAGANT: REVERSE})
    assert last(play, WindowOpened).quest == 1
    assert not may_declare(play, AGRAVAINE, DeclareAgravaine)
    assert not may_declare(standing(play), AGRAVAINE, DeclareAgravaine)


def test_the_window_closes_when_the_vote_opens_and_does_not_come_back() -> None:  # T21
    play = standing(after("D"))
    play.expire()
    assert not may_declare(play, AGRAVAINE, DeclareAgravaine)
    vote(play, ())
    assert not may_declare(play, AGRAVAINE, DeclareAgravaine)
    propose(play, team_with(play, AGRAVAINE))
    vote(play, range(8))
    assert play.phase.name == "quest"
    assert not may_declare(play, AGRAVAINE, DeclareAgravaine)
    lay(play)
    assert results(play) == "SF"


def last_proposal(**options: Any) -> Table:
    """A window is open, and the three proposals before the last one were missed."""
    play = after("D", propose_seconds=30, **options)
    for _ in range(3):
        play.expire()
    return play


def test_a_last_proposal_stands_too_before_it_is_sent_without_a_vote() -> None:  # T21, T15
    play = standing(last_proposal())
    assert may_declare(play, AGRAVAINE, DeclareAgravaine)
    play.expire()
    assert play.phase.name == "quest"
    assert not may_declare(play, AGRAVAINE, DeclareAgravaine)


def test_a_last_proposal_that_was_drawn_stands_too() -> None:  # T21, C5
    play = last_proposal()
    play.expire()
    assert play.phase.name == "stand"


def test_a_last_proposal_that_agravaine_reopens_is_still_the_last() -> None:  # T21, T15
    play = standing(last_proposal())
    leader = play.state.leader
    do(play, AGRAVAINE, DeclareAgravaine)
    assert play.phase.awaited == {leader}
    propose(play, team_with(play))
    assert play.phase.name == "quest"


def test_a_mission_can_be_turned_once() -> None:  # T21
    play = after("D")
    do(play, AGRAVAINE, DeclareAgravaine)
    assert refusal(play, AGRAVAINE, DeclareAgravaine) == "action/not_now"
    assert [event.quest for event in heard(play, SPECTATOR, WindowClosed)] == [1]


def test_more_than_one_mission_can_be_turned_in_a_game() -> None:  # T21, T22
    play = thavalon(CASTS[8])
    for turned in ("F", "FF", "FFF"):
        mission(play, STORY["D"])
        do(play, AGRAVAINE, DeclareAgravaine)
        assert results(play) == turned
    assert [event.quest for event in heard(play, SPECTATOR, AgravaineDeclared)] == [1, 2, 3]
    assert play.is_over


@pytest.mark.parametrize("story", ["FFD", "SFFD", "FFSSD"])
def test_a_turned_mission_that_is_the_third_failure_ends_the_game_at_once(story: str) -> None:  # T22
    tables = [after(story)]
    if story != "FFSSD":
        tables.append(standing(after(story)))
    for play in tables:
        do(play, AGRAVAINE, DeclareAgravaine)
        assert play.outcome is not None
        assert (play.outcome.winner, play.outcome.reason) == ("Evil", "three_failures")
        assert not heard(play, SPECTATOR, SidesRevealed)


@pytest.mark.parametrize(("story", "phase"), [("SSS", "assassination"), ("SFSFS", "assassination"), ("SFFSF", "over")])
@every_count
def test_three_successes_lead_to_the_call_and_three_failures_end_it(seats: int, story: str, phase: str) -> None:  # T22
    play = after(story, CASTS[seats])
    assert results(play) == story
    assert ("over" if play.is_over else play.phase.name) == phase
    assert play.outcome is None or play.outcome.winner == "Evil"


def test_a_turned_mission_lets_arthur_declare() -> None:  # T22, T16
    play = after("FD")
    assert not may_declare(play, ARTHUR_AT[8], DeclareArthur)
    do(play, AGRAVAINE, DeclareAgravaine)
    assert may_declare(play, ARTHUR_AT[8], DeclareArthur)


# The assassination


def calls(play: Table, seat: Seat) -> list[Move]:
    return list(chain.from_iterable(play.options(seat)))


@pytest.mark.parametrize("no_target_call", [True, False])
@every_count
def test_the_assassin_calls_whom_the_table_allows(seats: int, no_target_call: bool) -> None:  # T23, T24
    assassin = CASTS[seats].index(Role.MAELAGANT)
    play = after("SSS", CASTS[seats], assassin=assassin, no_target_call=no_target_call)
    phase, others = play.phase.number, [seat for seat in range(seats) if seat != assassin]
    expected: set[Move] = {CallMerlin(phase=phase, target=target) for target in others}
    expected |= {CallLovers(phase=phase, targets=frozenset(pair)) for pair in combinations(others, 2)}
    if seats == 5:
        expected |= {CallNimue(phase=phase, target=target) for target in others}
    if no_target_call:
        expected |= {CallNobody(phase=phase)}
    assert set(calls(play, assassin)) == expected
    assert len(calls(play, assassin)) == len(expected)
    assert not [other for other in others if calls(play, other)]
    assert play.phase.awaited == {assassin}


@pytest.mark.parametrize(
    ("kind", "choice"),
    [
        (CallMerlin, {"target": 4}),
        (CallMerlin, {"target": 7}),
        (CallLovers, {"targets": frozenset((0, 4))}),
        (CallLovers, {"targets": frozenset((0,))}),
        (CallLovers, {"targets": frozenset((0, 1, 2))}),
        (CallNimue, {"target": 0}),
        (CallNobody, {}),
    ],
)
def test_any_other_call_is_refused(kind: type[Move], choice: dict[str, Any]) -> None:  # T23, T24, C2
    play = after("SSS", CASTS[7], assassin=4)
    assert refusal(play, 4, kind, **choice) in ("action/not_allowed", "action/not_now")


def test_nobody_calls_for_the_assassin() -> None:  # T23, A21
    play = after("SSS", CASTS[7], assassin=4)
    assert {refusal(play, seat, CallMerlin, target=0) for seat in range(7) if seat != 4} == {"action/not_now"}


def is_right(call: Move, roles: tuple[Role, ...]) -> bool:
    match call:
        case CallMerlin(target=target):
            return roles[target] == "Merlin"
        case CallNimue(target=target):
            return roles[target] == "Nimue"
        case CallLovers(targets=targets):
            return sorted(roles[target] for target in targets) == ["Iseult", "Tristan"]
        case _:
            return not {"Merlin", "Nimue", "Tristan", "Iseult"}.intersection(roles)


@pytest.mark.parametrize("roles", [*CASTS.values(), LOVERS_AT_FIVE, NO_TARGET], ids=" ".join)
def test_evil_wins_with_a_right_call_and_good_with_any_other(roles: tuple[Role, ...]) -> None:  # T24, T23
    ready = after("SSS", roles, no_target_call=True)
    assassin = last(ready, SidesRevealed).assassin
    for call in calls(ready, assassin):
        play = from_here(ready)
        play.act(assassin, call)
        assert play.outcome is not None
        assert play.outcome.winner == ("Evil" if is_right(call, roles) else "Good")
        side = [seat for seat, role in enumerate(roles) if (role in EVIL_ROLES) is is_right(call, roles)]
        assert list(play.outcome.seats) == side


def test_the_lovers_may_be_called_in_either_order() -> None:  # T24
    for order in ("[1, 2]", "[2, 1]"):
        play = after("SSS")
        text = f'{{"is": "CallLovers", "phase": {play.phase.number}, "targets": {order}}}'
        play.act(last(play, SidesRevealed).assassin, codec_of(play.game).decode(CallLovers, text))
        assert play.outcome is not None
        assert play.outcome.winner == "Evil"


@pytest.mark.parametrize("roles", [CASTS[7], NO_TARGET], ids=" ".join)
def test_a_missed_shot_misses_and_is_never_the_call_of_nobody(roles: tuple[Role, ...]) -> None:  # C5, T23
    play = after("SSS", roles, no_target_call=True, shot_seconds=60)
    assert play.phase.seconds == 60
    play.expire()
    called = last(play, TargetCalled)
    assert (called.called_as, called.seats) == (None, ())
    assert play.outcome is not None
    assert play.outcome.winner == "Good"


def test_the_assassination_reveals_sides_and_the_assassin_but_no_roles() -> None:  # A21, T4
    play = after("SSS", CASTS[10], assassin=9)
    (revealed,) = heard(play, SPECTATOR, SidesRevealed)
    assert (revealed.evil, revealed.assassin) == ((6, 7, 8, 9), 9)
    assert play.view(SPECTATOR).roles == {}
    for seat in range(10):
        assert play.view(seat).roles == {seat: CASTS[10][seat]}


def test_evil_confers_with_colgrevance_and_without_titania() -> None:  # A21, T23
    play = after("SSS", CASTS[10], assassin=7)
    evil = {seat for seat, role in enumerate(CASTS[10]) if role in EVIL_ROLES}
    assert CASTS[10].index(Role.COLGREVANCE) in evil
    for seat in range(10):
        if seat in evil:
            play.act(seat, Say(channel="evil", text=f"{seat} here"))
        else:  # Titania too
            with pytest.raises(IllegalAction, match="can’t speak there right now"):
                play.act(seat, Say(channel="evil", text="May I?"))
    for listener in (SPECTATOR, *range(10)):
        assert [line.seat for line in heard(play, listener, Said)] == (sorted(evil) if listener in evil else [])


def test_evil_has_no_channel_before_the_assassination() -> None:  # A21
    play = after("SSD", CASTS[10])
    assert play.phase.name == "reckoning"
    for seat in range(10):
        with pytest.raises(IllegalAction, match="can’t speak there right now"):
            play.act(seat, Say(channel="evil", text="Who is with me?"))


def test_all_roles_are_public_at_the_end() -> None:  # T24, A22
    play = after("SSS", CASTS[10])
    assert not heard(play, SPECTATOR, RoleDealt)
    play.act(6, calls(play, 6)[0])
    assert play.view(SPECTATOR).roles == dict(enumerate(CASTS[10]))


# Those who miss their time


def test_timers_are_off_unless_the_table_turns_them_on() -> None:  # C5
    play = thavalon(CASTS[7])
    moves: tuple[Callable[[], None], ...] = (
        lambda: propose(play, {0, 1}),
        lambda: vote(play, range(7)),
        lambda: lay(play),
    )
    for name, move in zip(("propose", "vote", "quest"), moves, strict=True):
        assert (play.phase.name, play.phase.seconds) == (name, None)
        with pytest.raises(IllegalAction, match="no timer running"):
            play.expire()
        move()
    assert after("SSS").phase.seconds is None


def test_a_missed_proposal_counts_as_rejected_and_the_lead_passes_left() -> None:  # C5, T14
    play = after("S", propose_seconds=30)
    leader = play.state.leader
    play.expire()
    assert last(play, ProposalMissed).leader == leader
    assert play.phase.awaited == {leader + 1}
    assert proposals_until_sent(play) == 3


@pytest.mark.parametrize("story", ["", "S"])
def test_a_missed_last_proposal_is_a_legal_team_and_goes(story: str) -> None:  # C5, T15
    play = after(story, propose_seconds=30)
    legal = set(teams_offered(play))
    for _ in range(4 if story else 2):
        play.expire()
    assert play.phase.name == "quest"
    assert play.phase.awaited == last(play, TeamProposed).team
    assert play.phase.awaited in legal


def test_either_proposal_of_a_pair_is_drawn_when_missed_and_then_voted_on() -> None:  # C5, T14
    play = thavalon(CASTS[8], first_round="paired", propose_seconds=30)
    for _ in range(2):
        play.expire()
    first, second = heard(play, SPECTATOR, TeamProposed)
    assert (first.leader, second.leader) == (0, 1)
    assert not heard(play, SPECTATOR, ProposalMissed)
    assert play.phase.name == "vote"
    vote(play, range(8))
    assert play.phase.awaited == first.team


@pytest.mark.parametrize(("approving", "phase"), [(5, "quest"), (4, "propose")])
def test_a_missed_vote_is_a_reject(approving: int, phase: str) -> None:  # C5
    play = thavalon(CASTS[8], vote_seconds=30)
    propose(play, {0, 1, 2})
    for seat in range(approving):
        do(play, seat, CastVote, approve=True)
    play.expire()
    assert last(play, VotesCounted).ballots == (True,) * approving + (False,) * (8 - approving)
    assert play.phase.name == phase


@pytest.mark.parametrize(
    ("role", "card"), [(Role.LANCELOT, SUCCESS), (Role.MAELAGANT, SUCCESS), (Role.AGRAVAINE, FAIL)]
)
def test_a_missed_card_is_the_dullest_and_looks_as_if_it_had_been_laid(role: Role, card: Card) -> None:  # C5, T17
    team = [CASTS[8].index(member) for member in (Role.LANCELOT, Role.MAELAGANT, Role.AGRAVAINE)]
    late = CASTS[8].index(role)
    laid = thavalon(CASTS[8], quest_seconds=30)
    propose(laid, team)
    vote(laid, range(8))
    for seat in team:
        if seat != late:
            do(laid, seat, PlayCard, card=FAIL if seat == AGRAVAINE else SUCCESS)
    missed = from_here(laid)
    do(laid, late, PlayCard, card=card)
    missed.expire()
    assert last(missed, QuestResolved) == last(laid, QuestResolved)
    assert same_to({SPECTATOR, *range(8)}, laid, missed)


def test_a_missed_declaration_is_none() -> None:  # C5, T21
    for play in (standing(after("D")), after("SSD")):
        play.expire()
        assert not heard(play, SPECTATOR, AgravaineDeclared)
        assert "F" not in results(play)
