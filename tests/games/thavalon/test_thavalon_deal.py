"""Who is who in THavalon: exact chances of every draw, and what each seat is told (T1 to T13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, sqrt
from typing import Any, NamedTuple, TypeVar

import pytest

from roundtable.core.catalogue import catalogue
from roundtable.core.chance import Chance, Stream, draw
from roundtable.core.codec import encode
from roundtable.core.errors import SetupError
from roundtable.core.game import Transition
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games import GAMES, make_setup
from roundtable.games.quests.events import LeaderNamed, RoleDealt, TeamProposed
from roundtable.games.quests.roles import Card, Glimpse, Role
from roundtable.games.quests.state import QuestDeal
from roundtable.games.thavalon.actions import DeclareArthur
from roundtable.games.thavalon.deal import COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM, draw_good
from roundtable.games.thavalon.game import Thavalon
from roundtable.games.thavalon.setup import ThavalonSetup
from support.chances import every_outcome
from support.scenes import do, heard, quest, thavalon

T = TypeVar("T", bound=Hashable)
Roles = frozenset[Role]

TABLES = {str(seats): ThavalonSetup(seats=seats) for seats in range(5, 11)}
TABLES["9, nine_evil 4"] = ThavalonSetup(seats=9, nine_evil=4)
every_table = pytest.mark.parametrize("table", TABLES)


def cast(names: str) -> tuple[Role, ...]:
    return tuple(Role(name) for name in names.split())


EVIL: Roles = frozenset(cast("Mordred Morgana Maelagant Agravaine Colgrevance"))
LOVERS: Roles = frozenset(cast("Tristan Iseult"))
TARGETS: Roles = LOVERS | {Role.MERLIN, Role.NIMUE}


def good_pool(seats: int) -> Roles:
    by_count = ("Nimue" if seats == 5 else "") + ("Arthur Titania" if seats >= 7 else "")
    return frozenset(cast("Merlin Percival Tristan Iseult Lancelot " + by_count))


def evil_pool(seats: int) -> Roles:
    by_count = (" Agravaine" if seats >= 8 else "") + (" Colgrevance" if seats == 10 else "")
    return frozenset(cast("Mordred Morgana Maelagant" + by_count))


# Exact chances


def distinct(drawn: list[Role]) -> Roles:
    """A draw as a set; none of its roles may come twice (T2)."""
    assert len(set(drawn)) == len(drawn)
    return frozenset(drawn)


@cache
def good_draws(table: str) -> dict[Roles, Fraction]:
    setup = TABLES[table]
    return every_outcome(lambda chance: distinct(draw_good(setup.good_pool, setup.sides[0], chance)))


@cache
def evil_draws(table: str) -> dict[Roles, Fraction]:
    setup = TABLES[table]
    return every_outcome(lambda chance: distinct(draw(chance, setup.evil_pool, setup.sides[1])))


def total(draws: Mapping[Roles, Fraction], holds: Callable[[Roles], bool]) -> Fraction:
    return sum((weight for roles, weight in draws.items() if holds(roles)), Fraction(0))


# T3: each of the lovers, every other Good role of the pool, each Evil role of the pool
ROLE_CHANCES = {
    "5": "1/2 1/2 2/3",
    "6": "1 2/3 2/3",
    "7": "4/7 4/7 1",
    "8": "5/7 5/7 3/4",
    "9": "1 4/5 3/4",
    "10": "1 4/5 4/5",
    "9, nine_evil 4": "5/7 5/7 1",
}


def role_chances(table: str) -> dict[Role, Fraction]:
    lover, other, evil = map(Fraction, ROLE_CHANCES[table].split())
    seats = TABLES[table].seats
    good = {role: lover if role in LOVERS else other for role in good_pool(seats)}
    return good | dict.fromkeys(evil_pool(seats), evil)


@pytest.mark.parametrize("row", ["5: 3+2", "6: 4+2", "7: 4+3", "8: 5+3", "9: 6+3", "10: 6+4", "9, nine_evil 4: 5+4"])
def test_each_count_has_its_number_of_good_and_evil_players(row: str) -> None:  # T1
    table, sides = row.split(": ")
    good, evil = map(int, sides.split("+"))
    assert {len(roles) for roles in good_draws(table)} == {good}
    assert {len(roles) for roles in evil_draws(table)} == {evil}
    assert {sum(role in EVIL for role in deal.roles) for deal in deals(table)} == {evil}
    assert {len(deal.roles) for deal in deals(table)} == {good + evil} == {TABLES[table].seats}


@pytest.mark.parametrize("seats", [0, 4, 11])
def test_other_numbers_of_players_are_refused_with_the_range(seats: int) -> None:  # T1, A1
    with pytest.raises(SetupError, match="5 to 10") as refused:
        make_setup("thavalon", seats)
    assert refused.value.code == "setup/seats"


@pytest.mark.parametrize("seats", [5, 6, 7, 8, 10])
def test_nine_evil_changes_nothing_at_another_count(seats: int) -> None:  # T1
    assert ThavalonSetup(seats=seats, nine_evil=4).sides == ThavalonSetup(seats=seats).sides


@pytest.mark.parametrize("as_sent", [int, str])
def test_a_table_of_nine_chooses_three_evil_or_four(as_sent: Callable[[int], object]) -> None:  # T1
    assert make_setup("thavalon", 9, {"nine_evil": as_sent(3)}) == make_setup("thavalon", 9) == TABLES["9"]
    assert make_setup("thavalon", 9, {"nine_evil": as_sent(4)}) == TABLES["9, nine_evil 4"]


@pytest.mark.parametrize("chosen", [2, 5, "many"])
def test_any_other_number_of_evil_is_refused(chosen: object) -> None:  # T1
    with pytest.raises(SetupError, match="nine_evil"):
        make_setup("thavalon", 9, {"nine_evil": chosen})


@every_table
def test_roles_come_from_the_pools_of_their_count_and_never_twice(table: str) -> None:  # T2
    seats = TABLES[table].seats
    assert frozenset().union(*good_draws(table)) == good_pool(seats)
    assert frozenset().union(*evil_draws(table)) == evil_pool(seats)
    assert all(len(set(deal.roles)) == seats for deal in deals(table))


@every_table
def test_every_role_comes_with_its_exact_chance(table: str) -> None:  # T3
    found = {
        role: total(draws, lambda roles, role=role: role in roles)  # type: ignore[misc]
        for draws in (good_draws(table), evil_draws(table))
        for role in frozenset().union(*draws)
    }
    assert found == role_chances(table)


@every_table
def test_the_lovers_come_together_or_not_at_all(table: str) -> None:  # T3
    assert {len(roles & LOVERS) for roles in good_draws(table)} <= {0, 2}
    assert {len(LOVERS.intersection(deal.roles)) for deal in deals(table)} <= {0, 2}


# How many Good sets hold the lovers and how many do not, and with what chance each of them comes
@pytest.mark.parametrize(
    "row",
    [
        "5: 4 with 1/8, 4 without 1/8",
        "6: 3 with 1/3",
        "7: 10 with 2/35, 5 without 3/35",
        "8: 10 with 1/14, 1 without 2/7",
        "9: 5 with 1/5",
        "10: 5 with 1/5",
        "9, nine_evil 4: 10 with 1/14, 1 without 2/7",
    ],
)
def test_good_sets_are_spread_as_the_draw_implies(row: str) -> None:  # T3
    table, kinds = row.split(": ")
    stated = Counter[tuple[str, Fraction]]()
    for kind in kinds.split(", "):
        number, lovers, weight = kind.split()
        stated[lovers, Fraction(weight)] = int(number)
    draws = good_draws(table)
    assert Counter(("with" if roles >= LOVERS else "without", weight) for roles, weight in draws.items()) == stated
    assert sum(draws.values()) == 1


@every_table
def test_every_evil_set_is_equally_likely(table: str) -> None:  # T3
    places, pool = TABLES[table].sides[1], evil_pool(TABLES[table].seats)
    expected = {frozenset(roles): Fraction(1, comb(len(pool), places)) for roles in combinations(pool, places)}
    assert evil_draws(table) == expected


# No target at all; the lovers as the only target; Percival without a role to see
@pytest.mark.parametrize(
    "row",
    [
        "5: 0 1/4 1/12",
        "6: 0 1/3 1/9",
        "7: 3/35 12/35 0",
        "8: 0 2/7 3/56",
        "9: 0 1/5 1/20",
        "10: 0 1/5 1/25",
        "9, nine_evil 4: 0 2/7 0",
    ],
)
def test_rare_draws_are_as_rare_as_the_draw_implies(row: str) -> None:  # T3
    table, figures = row.split(": ")
    no_target, only_lovers, blind_percival = map(Fraction, figures.split())
    good, evil = good_draws(table), evil_draws(table)
    assert total(good, lambda roles: not roles & TARGETS) == no_target
    assert total(good, lambda roles: roles & TARGETS == LOVERS) == only_lovers
    without_merlin = total(good, lambda roles: Role.PERCIVAL in roles and Role.MERLIN not in roles)
    assert without_merlin * total(evil, lambda roles: Role.MORGANA not in roles) == blind_percival


# Whole deals from the table's own randomness, measured

MEASURED = 3000


@cache
def measured(table: str) -> tuple[QuestDeal, ...]:
    setup = TABLES[table]
    keys = (number.to_bytes(32, "big") for number in range(MEASURED))
    return tuple(Thavalon().deal(setup, Stream(key, "deal")) for key in keys)


def surprise(observed: Counter[T], expected: Mapping[T, Fraction]) -> float:
    """Chi-square, in standard deviations above what fair chance gives."""
    assert set(observed) <= set(expected)
    assert sum(expected.values()) == 1
    number = observed.total()
    chi_square = sum((observed[cell] - number * share) ** 2 / (number * share) for cell, share in expected.items())
    freedom = len(expected) - 1
    return float(chi_square - freedom) / sqrt(2 * freedom)


@every_table
def test_every_seat_gets_every_role_as_often_as_it_should(table: str) -> None:  # T3, A5
    seats = TABLES[table].seats
    expected = {role: share / seats for role, share in role_chances(table).items()}
    for seat in range(seats):
        assert surprise(Counter(deal.roles[seat] for deal in measured(table)), expected) < 6


@every_table
def test_leader_and_assassin_are_uniform_and_independent_seats(table: str) -> None:  # T4, A5
    seats = range(TABLES[table].seats)
    expected = {str(pair): Fraction(1, len(seats) ** 2) for pair in product(seats, repeat=2)}
    assert surprise(Counter(str((deal.leader, deal.assassin)) for deal in measured(table)), expected) < 6


@every_table
def test_the_assassin_is_an_evil_player_of_whatever_role(table: str) -> None:  # T4
    pool = evil_pool(TABLES[table].seats)
    assassins = Counter(deal.roles[deal.assassin] for deal in measured(table) if deal.assassin is not None)
    assert assassins.total() == MEASURED
    assert surprise(assassins, {role: Fraction(1, len(pool)) for role in pool}) < 6


@every_table
def test_the_lead_tells_nothing_about_the_leaders_role(table: str) -> None:  # A5, T13
    expected = {role: share / TABLES[table].seats for role, share in role_chances(table).items()}
    assert surprise(Counter(deal.roles[deal.leader] for deal in measured(table)), expected) < 6


# What each seat is told


class Dealt(NamedTuple):
    roles: tuple[Role, ...]
    cards: tuple[RoleDealt, ...]

    def seats_of(self, roles: Roles) -> tuple[Seat, ...]:
        return tuple(seat for seat, role in enumerate(self.roles) if role in roles)


@cache
def deals(table: str) -> tuple[Dealt, ...]:
    """Dealt tables: the truth in seat order, and the one card that each seat heard of."""
    setup = TABLES[table]
    found = []
    for number in range(120):
        play = Play.open(Thavalon(), setup, number.to_bytes(32, "big"))
        play.deal()
        cards = [heard(play, seat, RoleDealt) for seat in range(setup.seats)]
        assert [[card.seat for card in own] for own in cards] == [[seat] for seat in range(setup.seats)]
        assert not heard(play, SPECTATOR, RoleDealt)
        roles = tuple(play.state.roles[seat] for seat in range(setup.seats))
        found.append(Dealt(roles, tuple(card for (card,) in cards)))
    return tuple(found)


def told(table: str, *roles: Role) -> Iterator[tuple[Dealt, RoleDealt]]:
    """The deals in which a role is, with its card; there must be some, or a test would prove nothing."""
    found = [(deal, card) for deal in deals(table) for card in deal.cards if card.role in roles]
    assert {card.role for _, card in found} == set(roles)
    yield from found


def as_one_set(seen_as: str, seats: tuple[Seat, ...]) -> tuple[Glimpse, ...]:
    return (Glimpse(seen_as=seen_as, seats=seats),)


def tables_with(*roles: Role) -> pytest.MarkDecorator:
    both = {name: good_pool(setup.seats) | evil_pool(setup.seats) for name, setup in TABLES.items()}
    return pytest.mark.parametrize("table", [name for name, pool in both.items() if pool.issuperset(roles)])


@every_table
def test_every_seat_is_dealt_its_own_role(table: str) -> None:  # T2, C4
    assert all(tuple(card.role for card in deal.cards) == deal.roles for deal in deals(table))


@every_table
def test_one_evil_player_is_told_to_be_the_assassin(table: str) -> None:  # T4
    for deal in deals(table):
        (assassin,) = (card for card in deal.cards if card.is_assassin)
        assert assassin.role in EVIL


def test_nobody_else_can_tell_who_the_assassin_is() -> None:  # T4, C4
    roles = cast("Merlin Percival Arthur Titania Tristan Iseult Mordred Maelagant Agravaine Colgrevance")
    tables = {assassin: thavalon(roles, assassin=assassin) for assassin in (6, 7, 8, 9)}
    for one, other in permutations(tables, 2):
        for listener in {SPECTATOR, *range(10)} - {one, other}:
            assert tables[one].heard(listener) == tables[other].heard(listener)
        assert [card.is_assassin for card in heard(tables[one], one, RoleDealt)] == [True]


@pytest.mark.parametrize("seats", range(5, 11))
def test_six_and_nine_are_called_imbalanced_in_favour_of_good(seats: int) -> None:  # T5
    notices = make_setup("thavalon", seats).notices()
    if seats in (6, 9):
        assert [notice.code for notice in notices] == ["good_favoured"]
        said = notices[0].text(catalogue("en", GAMES["thavalon"].text))
        assert f"{seats} players heavily imbalanced in favor of Good" in said
    else:
        assert not notices


@every_table
def test_merlin_sees_evil_without_mordred_and_lancelot_among_them(table: str) -> None:  # T6
    for deal, card in told(table, Role.MERLIN):
        assert card.sees == as_one_set("Evil", deal.seats_of(EVIL - {Role.MORDRED} | {Role.LANCELOT}))


@every_table
def test_percival_sees_merlin_and_morgana_as_one_pair(table: str) -> None:  # T7
    for deal, card in told(table, Role.PERCIVAL):
        assert card.sees == as_one_set("Merlin or Morgana", deal.seats_of(frozenset((Role.MERLIN, Role.MORGANA))))


@pytest.mark.parametrize("seen", ["Merlin Morgana", "Merlin Mordred", "Lancelot Morgana", "Lancelot Mordred"])
def test_percival_sees_those_dealt_even_where_that_is_nobody(seen: str) -> None:  # T7
    one, other = cast(seen)
    play = thavalon((other, Role.PERCIVAL, one, Role.NIMUE, Role.MAELAGANT))
    (card,) = heard(play, 1, RoleDealt)
    seats = tuple(seat for seat, role in ((0, other), (2, one)) if role in (Role.MERLIN, Role.MORGANA))
    assert card.sees == as_one_set("Merlin or Morgana", seats)


def test_percival_cannot_tell_merlin_from_morgana() -> None:  # T7, C4
    one, other = (thavalon(cast(f"Percival {pair} Lancelot Mordred")) for pair in ("Merlin Morgana", "Morgana Merlin"))
    (mine,), (yours,) = heard(one, 0, RoleDealt), heard(other, 0, RoleDealt)
    assert encode(mine) == encode(yours)


@every_table
def test_the_lovers_see_each_other(table: str) -> None:  # T8
    for own, beloved in permutations(LOVERS):
        for deal, card in told(table, own):
            assert card.sees == as_one_set(beloved, deal.seats_of(frozenset((beloved,))))


@tables_with(Role.NIMUE)
def test_nimue_knows_which_other_roles_are_in_the_game(table: str) -> None:  # T9
    for deal, card in told(table, Role.NIMUE):
        assert sorted(card.roles_in_game) == sorted(set(deal.roles) - {Role.NIMUE})
        assert card.sees == ()


@tables_with(Role.ARTHUR)
def test_arthur_knows_which_other_good_roles_are_in_the_game(table: str) -> None:  # T10
    for deal, card in told(table, Role.ARTHUR):
        assert sorted(card.roles_in_game) == sorted(set(deal.roles) - EVIL - {Role.ARTHUR})
        assert card.sees == ()


def test_nimues_list_is_the_same_however_the_roles_are_seated() -> None:  # T9, T13
    lists = set()
    for order in permutations(cast("Nimue Merlin Percival Mordred Morgana")):
        (card,) = heard(thavalon(order), order.index(Role.NIMUE), RoleDealt)
        lists.add(card.roles_in_game)
    assert len(lists) == 1


@tables_with(Role.ARTHUR)
def test_arthurs_list_is_the_same_however_the_roles_are_seated(table: str) -> None:  # T10, T13
    lists: dict[Roles, set[tuple[Role, ...]]] = {}
    for _, card in told(table, Role.ARTHUR):
        lists.setdefault(frozenset(card.roles_in_game), set()).add(card.roles_in_game)
    assert {len(orders) for orders in lists.values()} == {1}


@every_table
def test_evil_sees_evil_without_colgrevance_and_titania_among_them(table: str) -> None:  # T11
    seeing = evil_pool(TABLES[table].seats) - {Role.COLGREVANCE}
    for deal, card in told(table, *seeing):
        seen = deal.seats_of(seeing - {card.role} | {Role.TITANIA})
        assert card.sees == as_one_set("Evil", seen)


@every_table
def test_evil_is_told_of_colgrevance_and_of_titania_when_they_are_in_the_game(table: str) -> None:  # T11
    hidden = {Role.COLGREVANCE: COLGREVANCE_IS_HIDDEN, Role.TITANIA: TITANIA_IS_AMONG_THEM}
    assert len(set(hidden.values())) == 2
    for deal, card in told(table, *evil_pool(TABLES[table].seats) - {Role.COLGREVANCE}):
        assert set(card.notices) == {notice for role, notice in hidden.items() if role in deal.roles}


@tables_with(Role.COLGREVANCE)
def test_colgrevance_knows_every_evil_player_by_role_and_is_not_fooled(table: str) -> None:  # T12
    for deal, card in told(table, Role.COLGREVANCE):
        known = {(glimpse.seen_as, glimpse.seats) for glimpse in card.sees}
        others = EVIL.intersection(deal.roles) - {Role.COLGREVANCE}
        assert known == {(role, deal.seats_of(frozenset((role,)))) for role in others}
        assert card.notices == ()


@every_table
def test_lancelot_and_titania_see_nobody(table: str) -> None:  # T13
    blind = good_pool(TABLES[table].seats) & {Role.LANCELOT, Role.TITANIA}
    for _, card in told(table, *blind):
        assert card.sees == ()


@every_table
def test_sets_are_given_in_seat_order_and_never_hold_oneself(table: str) -> None:  # T13
    for deal in deals(table):
        for card in deal.cards:
            for glimpse in card.sees:
                assert glimpse.seats == tuple(sorted(set(glimpse.seats)))
                assert card.seat not in glimpse.seats


@every_table
def test_nobody_is_told_more_roles_than_the_rules_say(table: str) -> None:  # T13
    for deal in deals(table):
        for card in deal.cards:
            assert not card.roles_in_game or card.role in (Role.NIMUE, Role.ARTHUR)
            assert not card.notices or card.role in EVIL - {Role.COLGREVANCE}


@every_table
def test_no_role_is_named_in_public_at_the_deal(table: str) -> None:  # T13
    play = Play.open(Thavalon(), TABLES[table], bytes(32))
    play.deal()
    public = b"".join(encode(line.event) for line in play.heard(SPECTATOR))
    assert heard(play, SPECTATOR, LeaderNamed)
    assert not [role for role in Role if role.encode() in public]


# The one draw during play


@pytest.mark.parametrize("first_round", ["in_turn", "paired"])
def test_a_drawn_team_is_uniform_over_the_legal_ones(first_round: str) -> None:  # C5, T14
    play = thavalon(cast("Merlin Percival Nimue Mordred Morgana"), propose_seconds=30, first_round=first_round)
    play.expire()  # in turn, the first proposal is lost; of a pair, it is drawn as well
    assert play.state.attempt == 2
    assert every_outcome(lambda chance: drawn_team(play, chance)) == {
        frozenset(team): Fraction(1, 10) for team in combinations(range(5), 2)
    }


def test_a_drawn_team_obeys_arthurs_ban_and_is_uniform_over_the_rest() -> None:  # C5, T16
    play = thavalon(cast("Merlin Percival Lancelot Arthur Mordred Morgana Maelagant"), propose_seconds=30)
    for team in ({0, 4}, {0, 1, 4}):
        quest(play, team, {4: Card.FAIL})
    do(play, 3, DeclareArthur)
    for _ in range(3):
        play.expire()
    assert every_outcome(lambda chance: drawn_team(play, chance)) == {
        frozenset(team): Fraction(1, 20) for team in combinations({0, 1, 2, 4, 5, 6}, 3)
    }


def drawn_team(play: Play[Any, Any], chance: Chance) -> frozenset[Seat]:
    """The team that chance names when the leader's time is up."""
    now = Transition(play.game, play.state)
    play.game.expire(now, chance)
    (proposed,) = (event for event in now.events if isinstance(event, TeamProposed))
    return proposed.team
