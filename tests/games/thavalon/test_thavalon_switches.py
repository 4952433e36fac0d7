"""THavalon's changes to Avalon, switched off one by one and together, and pools of one's own (T26)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Move
from roundtable.core.catalogue import catalogue
from roundtable.core.chance import draw
from roundtable.core.codec import agreed_bytes
from roundtable.core.errors import SetupError
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games import GAMES, make_setup, new_game
from roundtable.games.quests.actions import PlayCard
from roundtable.games.quests.events import LeaderNamed, ProposalMissed, RoleDealt, TeamProposed
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
)
from roundtable.games.thavalon.deal import draw_good
from roundtable.games.thavalon.events import WindowOpened
from roundtable.games.thavalon.setup import POOL_ROLES, ThavalonSetup
from roundtable.text.cards import cards_of
from support.chances import every_outcome
from support.scenes import do, heard, last, propose, quest, refusal, thavalon, vote

Table = Play[Any, Any]
Roles = frozenset[Role]

SUCCESS, FAIL, REVERSE = Card.SUCCESS, Card.FAIL, Card.REVERSE
LOVERS = frozenset((Role.TRISTAN, Role.ISEULT))
every_count = pytest.mark.parametrize("seats", range(5, 11))


def cast(names: str) -> tuple[Role, ...]:
    return tuple(Role(name) for name in names.split())


FIVE = cast("Merlin Lancelot Nimue Mordred Maelagant")
SEVEN = cast("Merlin Percival Lancelot Arthur Mordred Morgana Maelagant")
EIGHT = cast("Merlin Tristan Iseult Lancelot Arthur Mordred Maelagant Agravaine")


def reject(play: Table, times: int = 1) -> None:
    """As many proposals are rejected by all."""
    for _ in range(times):
        propose(play, first_team(play))
        vote(play, ())


def first_team(play: Table, *members: Seat) -> frozenset[Seat]:
    size = play.state.setup.rounds()[len(play.state.results)].size
    others = [seat for seat in range(play.state.setup.seats) if seat not in members]
    return frozenset((*members, *others[: size - len(members)]))


def mission(play: Table, **cards: Card) -> None:
    """A mission with these roles on it, who play these cards, and with others who play what they can."""
    laid = {seat_of(play, Role(name)): card for name, card in cards.items()}
    quest(play, first_team(play, *laid), laid)


def seat_of(play: Table, role: Role) -> Seat:
    return next(seat for seat in range(play.state.setup.seats) if play.state.roles[seat] is role)


def moves(play: Table, seat: Seat) -> list[Move]:
    return list(chain.from_iterable(play.options(seat)))


def kinds(play: Table, seat: Seat) -> set[type[Move]]:
    return {type(move) for move in moves(play, seat)}


def ended(play: Table) -> tuple[str | None, str]:
    assert play.outcome is not None
    return play.outcome.winner, play.outcome.reason


# Five rejections


@every_count
def test_every_proposal_is_voted_on_and_the_fifth_rejection_wins_for_evil(seats: int) -> None:  # T26, A14, A15
    play = new_game("thavalon", seats, bytes(32), proposals="five_rejections")
    first = play.state.leader
    for number in range(5):
        assert not play.is_over
        assert (play.state.leader, play.state.attempt) == ((first + number) % seats, number + 1)
        propose(play, first_team(play))
        assert play.phase.name == "vote"
        vote(play, ())
    assert ended(play) == ("Evil", "five_rejections")


def test_after_each_mission_the_vote_track_starts_again_and_the_lead_passes() -> None:  # T26, A16
    play = thavalon(SEVEN, proposals="five_rejections")
    reject(play, 4)
    quest(play, first_team(play), {})
    assert (play.state.leader, play.state.attempt) == (5, 1)
    reject(play, 4)
    assert not play.is_over
    reject(play)
    assert ended(play) == ("Evil", "five_rejections")


def test_a_fifth_team_that_is_approved_goes() -> None:  # T26, A15
    play = thavalon(SEVEN, proposals="five_rejections")
    reject(play, 4)
    propose(play, {0, 1})
    vote(play, range(4))
    assert play.phase.name == "quest"
    assert play.phase.awaited == {0, 1}


def test_a_missed_fifth_proposal_is_drawn_and_voted_on() -> None:  # T26, C5
    play = thavalon(SEVEN, proposals="five_rejections", propose_seconds=30)
    for _ in range(4):
        play.expire()
    assert len(heard(play, SPECTATOR, ProposalMissed)) == 4
    play.expire()
    assert len(heard(play, SPECTATOR, TeamProposed)) == 1
    assert play.phase.name == "vote"
    vote(play, ())
    assert ended(play) == ("Evil", "five_rejections")


def test_arthurs_declaration_uses_up_no_proposal_of_the_track() -> None:  # T26, T16
    play = thavalon(SEVEN, proposals="five_rejections")
    for _ in range(2):
        mission(play, Mordred=FAIL)
    reject(play, 4)
    propose(play, first_team(play))
    do(play, seat_of(play, Role.ARTHUR), DeclareArthur)
    assert (play.state.attempt, play.phase.name) == (5, "propose")
    propose(play, {0, 1, 2})
    vote(play, range(4))  # Arthur's vote counts twice
    assert play.phase.name == "quest"


@every_count
def test_the_plan_of_a_table_tells_how_many_proposals_there_are(seats: int) -> None:  # T26, T14
    track = [plan.proposals for plan in ThavalonSetup(seats=seats, proposals="five_rejections").rounds()]
    limited = [plan.proposals for plan in ThavalonSetup(seats=seats).rounds()]
    assert track == [5] * 5
    assert limited == [2, *[ThavalonSetup(seats=seats).sides[1] + 1] * 4]


# Reverse cards


HANDS = {
    Role.LANCELOT: {SUCCESS},
    Role.MAELAGANT: {SUCCESS, FAIL},
    Role.AGRAVAINE: {FAIL},
    Role.MORDRED: {SUCCESS, FAIL},
}


@pytest.mark.parametrize("role", HANDS)
def test_without_reversal_nobody_has_a_reverse(role: Role) -> None:  # T26, T17
    play = thavalon(EIGHT, reversal=False)
    seat = seat_of(play, role)
    propose(play, first_team(play, seat))
    vote(play, range(8))
    assert {move.card for move in moves(play, seat) if isinstance(move, PlayCard)} == HANDS[role]
    assert refusal(play, seat, PlayCard, card=REVERSE) == "action/not_allowed"


def test_without_reversal_fails_decide() -> None:  # T26, A19
    play = thavalon(SEVEN, reversal=False)
    mission(play)
    mission(play, Maelagant=FAIL)
    mission(play, Maelagant=SUCCESS, Lancelot=SUCCESS)
    mission(play, Maelagant=FAIL)  # the fourth needs two
    assert [result.succeeded for result in play.state.results] == [True, False, True, True]
    assert {result.reverses for result in play.state.results} == {0}


def test_merlin_sees_lancelot_with_and_without_reversal() -> None:  # T26, T6
    (card,) = heard(thavalon(SEVEN, reversal=False), 0, RoleDealt)
    assert card.sees[0].seats == (2, 5, 6)


# Declarations


def test_without_declarations_arthur_does_not_declare() -> None:  # T26, T16
    for on in (True, False):
        play = thavalon(SEVEN, declarations=on)
        for _ in range(2):
            mission(play, Mordred=FAIL)
        assert (DeclareArthur in kinds(play, seat_of(play, Role.ARTHUR))) is on
        assert on or refusal(play, seat_of(play, Role.ARTHUR), DeclareArthur) == "action/not_now"


def test_without_declarations_no_window_opens() -> None:  # T26, T21
    for on in (True, False):
        play = thavalon(EIGHT, declarations=on)
        mission(play, Agravaine=FAIL, Maelagant=REVERSE)
        assert bool(heard(play, SPECTATOR, WindowOpened)) is on
        assert (DeclareAgravaine in kinds(play, seat_of(play, Role.AGRAVAINE))) is on
        propose(play, first_team(play))
        assert play.phase.name == ("stand" if on else "vote")


def test_without_declarations_a_third_success_leads_straight_to_the_assassination() -> None:  # T26, T21, T22
    for on, phase in ((True, "reckoning"), (False, "assassination")):
        play = thavalon(EIGHT, declarations=on)
        mission(play)
        mission(play)
        mission(play, Agravaine=FAIL, Maelagant=REVERSE)
        assert play.phase.name == phase


def test_without_declarations_both_keep_their_other_traits() -> None:  # T26, T10, T17
    play = thavalon(EIGHT, declarations=False)
    arthur, agravaine = (seat_of(play, role) for role in (Role.ARTHUR, Role.AGRAVAINE))
    (card,) = heard(play, arthur, RoleDealt)
    assert set(card.roles_in_game) == set(cast("Merlin Tristan Iseult Lancelot"))
    propose(play, first_team(play, agravaine))
    vote(play, range(8))
    assert [move.card for move in moves(play, agravaine) if isinstance(move, PlayCard)] == [FAIL]


# Targets


def to_the_call(roles: tuple[Role, ...], **options: Any) -> tuple[Table, Seat]:
    play = thavalon(roles, **options)
    for _ in range(3):
        mission(play)
    assert play.phase.name == "assassination"
    return play, play.state.assassin


@pytest.mark.parametrize("roles", [FIVE, SEVEN, EIGHT], ids=" ".join)
def test_with_merlin_as_the_only_target_he_alone_can_be_called(roles: tuple[Role, ...]) -> None:  # T26, A22
    play, assassin = to_the_call(roles, targets="merlin")
    assert kinds(play, assassin) == {CallMerlin}
    assert len(moves(play, assassin)) == len(roles) - 1
    for kind, choice in ((CallNimue, {"target": 2}), (CallLovers, {"targets": frozenset((1, 2))})):
        assert refusal(play, assassin, kind, **choice) == "action/not_now"
    do(play, assassin, CallMerlin, target=0)
    assert ended(play) == ("Evil", "target_assassinated")


@pytest.mark.parametrize(("names", "targets", "winner"), [
    ("Percival Tristan Iseult Mordred Morgana", "merlin", "Evil"),
    ("Percival Tristan Iseult Mordred Morgana", "all", "Good"),
    ("Merlin Lancelot Percival Mordred Morgana", "merlin", "Good"),
])  # fmt: skip
def test_nobody_is_a_right_call_where_no_target_of_this_table_was_dealt(  # T26, T23
    names: str, targets: str, winner: str
) -> None:
    play, assassin = to_the_call(cast(names), targets=targets, no_target_call=True)
    do(play, assassin, CallNobody)
    assert ended(play)[0] == winner


# Pools


POOLS = {  # Good: some of them in the draw by a replacement, some never without the lovers, some without lovers
    "5": "Merlin Tristan Iseult Arthur Titania Mordred Agravaine Colgrevance",
    "6": "Percival Tristan Iseult Nimue Arthur Mordred Morgana",
    "7": "Merlin Percival Lancelot Nimue Titania Mordred Morgana Maelagant Agravaine",
    "8": "Tristan Iseult Lancelot Nimue Arthur Titania Mordred Agravaine Colgrevance",
    "10": "Merlin Percival Tristan Iseult Lancelot Nimue Morgana Maelagant Agravaine Colgrevance",
}
every_pool = pytest.mark.parametrize("seats", POOLS)


def with_pool(seats: str, **options: Any) -> ThavalonSetup:
    setup = make_setup("thavalon", int(seats), {"pool": POOLS[seats].split(), **options})
    assert isinstance(setup, ThavalonSetup)
    return setup


@every_pool
def test_roles_are_drawn_from_the_pool_and_lovers_come_together(seats: str) -> None:  # T26, T3
    setup, pool = with_pool(seats), set(cast(POOLS[seats]))
    good = every_outcome(lambda chance: frozenset(draw_good(setup.good_pool, setup.sides[0], chance)))
    evil = every_outcome(lambda chance: frozenset(draw(chance, setup.evil_pool, setup.sides[1])))
    assert frozenset().union(*good) == pool - EVIL_ROLES
    assert frozenset().union(*evil) == pool & EVIL_ROLES
    assert {len(drawn) for drawn in good} | {len(drawn) for drawn in evil} == set(setup.sides)
    assert {len(drawn & LOVERS) for drawn in good} <= {0, 2}
    assert sum(good.values()) == sum(evil.values()) == 1


CHANCES = {"5": "3/5 3/5", "6": "1 2/3", "8": "1 3/4", "10": "1 1"}  # of a lover, and of every other Good role


@pytest.mark.parametrize("seats", CHANCES)
def test_a_lone_lover_is_replaced_or_joined_whatever_the_pool(seats: str) -> None:  # T26, T3
    setup = with_pool(seats)
    draws = every_outcome(lambda chance: frozenset(draw_good(setup.good_pool, setup.sides[0], chance)))
    lover, other = map(Fraction, CHANCES[seats].split())
    for role in setup.good_pool:
        chance = sum((weight for drawn, weight in draws.items() if role in drawn), Fraction(0))
        assert chance == (lover if role in LOVERS else other)


def test_the_order_in_which_a_pool_is_named_says_nothing() -> None:  # T26, C1
    names = POOLS["8"].split()
    setups = [make_setup("thavalon", 8, {"pool": ",".join(order)}) for order in (names, names[::-1], sorted(names))]
    assert len({agreed_bytes(setup) for setup in setups}) == 1


@every_pool
def test_everybody_may_know_the_pool(seats: str) -> None:  # T26, T13
    assert set(with_pool(seats).possible_roles) == set(cast(POOLS[seats]))


def test_a_window_opens_where_the_pool_has_agravaine() -> None:  # T26, T21
    few = cast("Merlin Lancelot Percival Agravaine Maelagant")
    for pool, opens in ((few, True), ((*few[:3], Role.MORDRED, Role.MAELAGANT), False)):
        play = thavalon(pool, pool=frozenset(pool))
        quest(play, {3, 4}, {3: FAIL, 4: REVERSE})
        assert play.state.results[0].succeeded
        assert bool(heard(play, SPECTATOR, WindowOpened)) is opens
        assert (DeclareAgravaine in kinds(play, 3)) is opens


def test_no_window_opens_at_a_large_table_whose_pool_lacks_agravaine() -> None:  # T26, T21
    roles = cast("Merlin Tristan Iseult Lancelot Arthur Mordred Maelagant Morgana")
    play = thavalon(roles, pool=frozenset(roles))
    mission(play, Mordred=FAIL, Maelagant=REVERSE)
    assert play.state.results[0].succeeded
    assert not heard(play, SPECTATOR, WindowOpened)


@pytest.mark.parametrize(("names", "is_offered"), [
    ("Merlin Lancelot Nimue Percival Titania Mordred Maelagant Morgana", True),
    ("Merlin Lancelot Arthur Percival Titania Mordred Maelagant Morgana", False),
    ("Merlin Lancelot Percival Mordred Maelagant", False),
    ("Merlin Lancelot Nimue Mordred Maelagant", True),
])  # fmt: skip
def test_nimue_can_be_called_where_the_pool_has_her(names: str, is_offered: bool) -> None:  # T24, T26
    roles = cast(names)
    play, assassin = to_the_call(roles, pool=frozenset(roles))
    assert (CallNimue in kinds(play, assassin)) is is_offered
    assert {CallMerlin, CallLovers} <= kinds(play, assassin)


@every_count
def test_without_a_pool_nimue_can_be_called_with_five_players(seats: int) -> None:  # T24
    assert ThavalonSetup(seats=seats).calls_nimue is (seats == 5)


# What cannot go together


PROBLEMS = {
    "Merlin Percival Mordred Morgana": ["setup/pool"],
    "Merlin Percival Lancelot Mordred": ["setup/pool"],
    "Merlin Mordred": ["setup/pool", "setup/pool"],
    "Merlin Tristan Lancelot Mordred Morgana": ["setup/pool"],
    "Percival Lancelot Titania Mordred Morgana": ["setup/pool"],
    "Merlin Percival Lancelot Mordred Oberon": ["setup/role", "setup/pool"],
    "Merlin Percival Lancelot Mordred Morgana Gandalf": ["setup/role"],
    "Percival Lancelot Nimue Mordred Morgana": [],
    "Tristan Iseult Titania Mordred Morgana": [],
}


@pytest.mark.parametrize("names", PROBLEMS)
def test_a_pool_that_cannot_be_drawn_from_is_refused_with_every_reason(names: str) -> None:  # T26
    pool: Any = frozenset(names.split())
    assert [problem.code for problem in ThavalonSetup(seats=5, pool=pool).problems()] == PROBLEMS[names]


REFUSED = [
    (5, {"pool": "Merlin,Tristan,Lancelot,Mordred,Morgana"}, "Tristan and Iseult come together or not at all"),
    (7, {"pool": "Merlin,Percival,Nimue,Mordred,Morgana,Maelagant"}, "at least 4 Good roles for 7 players; it has 3"),
    (7, {"pool": "Merlin,Percival,Nimue,Arthur,Mordred,Morgana"}, "at least 3 Evil roles for 7 players; it has 2"),
    (9, {"nine_evil": 4, "pool": ",".join(cast("Merlin Percival Nimue Arthur Titania Mordred Morgana Maelagant"))},
     "at least 4 Evil roles for 9 players; it has 3"),
    (5, {"pool": "Percival,Lancelot,Arthur,Mordred,Morgana"}, "The Assassin has no target"),
    (5, {"pool": "Nimue,Percival,Lancelot,Mordred,Morgana", "targets": "merlin"}, "Merlin must be in the pool"),
    (5, {"pool": "Merlin,Percival,Lancelot,Mordred,Morgana,Gandalf"}, "Gandalf can’t be chosen here"),
    (5, {"pool": "Merlin,merlin,Percival,Lancelot,Mordred,Morgana"}, "lists 'Merlin' twice"),
    (5, {"pool": "none"}, "it has 0"),
    (5, {"pool": 7}, "takes a list of names"),
    (5, {"first_round": "paired", "proposals": "five_rejections"}, "don’t go together"),
    (5, {"proposals": "hammer"}, "takes limited or five_rejections"),
    (5, {"targets": "nimue"}, "takes all or merlin"),
    (5, {"reversal": "maybe"}, "takes yes or no"),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "options", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_what_cannot_go_together_is_refused_in_a_sentence(  # T26
    seats: int, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(SetupError) as refused:
        make_setup("thavalon", seats, options)
    assert said in refused.value.text("en")
    assert refused.value.text("vi") != refused.value.text("en")


def test_a_pool_may_lack_merlin_and_a_usual_pool_is_that_of_the_count() -> None:  # T26, T2
    assert not make_setup("thavalon", 5, {"pool": "Nimue,Percival,Lancelot,Mordred,Morgana"}).problems()
    assert make_setup("thavalon", 5, {"pool": "usual"}) == ThavalonSetup(seats=5)


# Cards and notices


VARIANTS = [
    ("Lancelot", {"reversal": "no"}, "Reverse", "Đảo Ngược"),
    ("Maelagant", {"reversal": "no"}, "Reverse", "Đảo Ngược"),
    ("Arthur", {"declarations": "no"}, "declare", "lộ diện"),
    ("Agravaine", {"declarations": "no"}, "declare", "lộ diện"),
    ("Tristan", {"targets": "merlin"}, "Assassin", "Assassin"),
    ("Iseult", {"targets": "merlin"}, "Assassin", "Assassin"),
    ("Nimue", {"targets": "merlin"}, "Assassin", "Assassin"),
]


@pytest.mark.parametrize(("role", "options", "english", "vietnamese"), VARIANTS)
def test_a_card_tells_what_the_role_can_do_at_this_table(  # T26, T25
    role: str, options: dict[str, str], english: str, vietnamese: str
) -> None:
    for lang, word in (("en", english), ("vi", vietnamese)):
        told = []
        for chosen in ({}, options):
            setup = make_setup("thavalon", 8, {"pool": ",".join(POOL_ROLES), **chosen})
            told.append(cards_of(GAMES["thavalon"], setup, list("ABCDEFGH"), lang).power(role) or "")
        assert [word in text for text in told] == [True, False]
        assert told[1]


@pytest.mark.parametrize(("options", "is_warned"), [({}, True), ({"nine_evil": 3}, True), ({"nine_evil": 4}, False)])
def test_nine_players_with_four_evil_are_not_warned(options: dict[str, int], is_warned: bool) -> None:  # T5
    assert [notice.code for notice in make_setup("thavalon", 9, options).notices()] == ["good_favoured"] * is_warned
    assert [notice.code for notice in make_setup("thavalon", 6, options).notices()] == ["good_favoured"]


# Together


def mixtures() -> Iterator[dict[str, Any]]:
    """Every choice of the five options with each other."""
    names = ("pool", "proposals", "reversal", "declarations", "targets")
    pools = (None, [role for role in POOL_ROLES if role not in LOVERS])
    for chosen in product(pools, ("limited", "five_rejections"), (True, False), (True, False), ("all", "merlin")):
        yield dict(zip(names, chosen, strict=True))


@every_count
def test_every_mixture_is_played_to_its_end(seats: int) -> None:  # T26
    for number, options in enumerate(mixtures()):
        play = new_game("thavalon", seats, bytes([number, seats]) * 16, **options)
        play_out(play, {seat: RandomBot() for seat in range(seats)}, Dice(number))
        assert play.is_over
        facts = {type(event) for event in play.events}
        assert WindowOpened not in facts or options["declarations"]
        assert not any(result.reverses for result in play.state.results) or options["reversal"]
        limit = 5 if options["proposals"] == "five_rejections" else play.state.setup.sides[1] + 1
        assert max(event.attempt for event in heard(play, SPECTATOR, LeaderNamed)) <= limit


def test_a_game_with_everything_off_ends_as_avalon_does() -> None:  # T26, A22
    options: dict[str, Any] = {"reversal": False, "declarations": False, "pool": [*FIVE]}
    options |= {"proposals": "five_rejections", "targets": "merlin"}
    reasons = set()
    for number in range(150):
        play = new_game("thavalon", 5, bytes([number]) * 32, **options)
        play_out(play, {seat: RandomBot() for seat in range(5)}, Dice(number))
        reasons.add(ended(play))
    assert reasons == {
        ("Evil", "five_rejections"),
        ("Evil", "three_failures"),
        ("Evil", "target_assassinated"),
        ("Good", "target_survived"),
    }


def test_the_fifth_rejection_is_told_in_every_language() -> None:  # T26, A15
    play = thavalon(FIVE, proposals="five_rejections")
    reject(play, 5)
    assert last(play, TeamProposed).leader == 4
    assert play.outcome is not None
    for lang, said in (("en", "Five proposals in a row were rejected."), ("vi", "Năm lần đề cử liên tiếp bị từ chối.")):
        assert catalogue(lang, GAMES["thavalon"].text).text(f"outcome.{play.outcome.reason}") == said
