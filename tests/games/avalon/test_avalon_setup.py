"""How an Avalon table is set up, dealt, and who knows what before the first team is named."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, TypeVar

import pytest

from roundtable.bots import RandomBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_round
from roundtable.core.actions import Action, Say
from roundtable.core.catalogue import catalogue, languages
from roundtable.core.codec import encode
from roundtable.core.errors import SetupError, Unreadable
from roundtable.core.events import Said
from roundtable.core.game import OPEN_TALK
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.games import GAMES, codec_of, make_setup, new_game
from roundtable.games.avalon.deal import draw_assassin
from roundtable.games.avalon.game import Avalon
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.events import LeaderNamed, QuestResolved, RoleDealt
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.state import QuestDeal
from roundtable.text.names import names_for
from roundtable.text.teller import teller_of
from support.chances import every_outcome
from support.scenes import avalon, heard, last, quest, seated

T = TypeVar("T")

GOOD = {Role.MERLIN, Role.PERCIVAL, Role.SERVANT}
EVIL = {Role.ASSASSIN, Role.MORGANA, Role.MORDRED, Role.OBERON, Role.MINION}
OPTIONAL = (Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON)

COUNTS = range(5, 11)
EVIL_BY_COUNT = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
TEAM_SIZES = {
    5: [2, 3, 2, 3, 3],
    6: [2, 3, 4, 3, 4],
    7: [2, 3, 3, 4, 4],
    8: [3, 4, 4, 5, 5],
    9: [3, 4, 4, 5, 5],
    10: [3, 4, 4, 5, 5],
}


def uniform(outcomes: Sequence[T]) -> dict[T, Fraction]:
    return {outcome: Fraction(1, len(outcomes)) for outcome in outcomes}


# The Assassin as a card, as a duty, and a table without Merlin.
CHOICES: list[dict[str, Any]] = [{}, {"assassin": "duty"}, {"merlin": False}]
ROLE_SETS = [frozenset(roles) for size in range(len(OPTIONAL) + 1) for roles in combinations(OPTIONAL, size)]

EVERY_CHOICE = [AvalonSetup(seats=n, roles=roles, **more) for n in COUNTS for roles in ROLE_SETS for more in CHOICES]
SETUPS = [setup for setup in EVERY_CHOICE if not setup.problems()]


def dealt(setup: AvalonSetup, seed: int) -> Play[Any, Any]:
    """A table of that setup, dealt by dice."""
    play = Play.open(Avalon(), setup, bytes(32))
    play.deal(chosen=Avalon().deal(setup, Dice(seed)))
    return play


def many_tables() -> Iterator[Play[Any, Any]]:
    for setup in SETUPS:
        for seed in range(8):
            yield dealt(setup, seed)


def cards(play: Play[Any, Any]) -> tuple[Role, ...]:
    """The true roles, in seat order."""
    return tuple(play.state.roles[seat] for seat in range(play.state.setup.seats))


def told(play: Play[Any, Any], seat: Seat) -> RoleDealt:
    """The card of this seat, as this seat heard it."""
    (card,) = heard(play, seat, RoleDealt)
    assert isinstance(card, RoleDealt)
    return card


def seats_seen(card: RoleDealt) -> set[Seat]:
    return {seat for glimpse in card.sees for seat in glimpse.seats}


def seats_with(roles: Sequence[Role], wanted: set[Role]) -> set[Seat]:
    return {seat for seat, role in enumerate(roles) if role in wanted}


def codes(setup: AvalonSetup) -> list[str]:
    return [problem.code for problem in setup.problems()]


# How many people, and which cards


@pytest.mark.parametrize("seats", COUNTS)
def test_five_to_ten_people_can_play(seats: int) -> None:  # A1
    assert AvalonSetup(seats=seats).problems() == []
    assert len(cards(new_game("avalon", seats, bytes(32)))) == seats


@pytest.mark.parametrize("seats", [-5, 0, 1, 4, 11, 100])
def test_any_other_number_is_refused_with_the_range_in_the_message(seats: int) -> None:  # A1
    with pytest.raises(SetupError, match=r"5 to 10") as refused:
        Play.open(Avalon(), AvalonSetup(seats=seats, roles=frozenset()), bytes(32))
    assert refused.value.code == "setup/seats"


def test_good_and_evil_come_in_the_numbers_of_the_table() -> None:  # A2
    for play in many_tables():
        seats = play.state.setup.seats
        assert len(seats_with(cards(play), EVIL)) == EVIL_BY_COUNT[seats]
        assert len(seats_with(cards(play), GOOD)) == seats - EVIL_BY_COUNT[seats]


@pytest.mark.parametrize("seats", COUNTS)
def test_teams_have_the_sizes_of_the_table(seats: int) -> None:  # A3
    roles = (Role.SERVANT,) * (seats - EVIL_BY_COUNT[seats]) + (Role.MINION,) * EVIL_BY_COUNT[seats]
    play = avalon(roles)
    for number, size in enumerate(TEAM_SIZES[seats], 1):
        (choice,) = play.options(play.state.leader)
        assert {len(move.team) for move in choice if isinstance(move, ProposeTeam)} == {size}
        quest(play, range(seats - size, seats), {seat: Card.FAIL for seat in (seats - 1, seats - 2) if number % 2})
    assert last(play, QuestResolved).quest == 5


def test_merlin_and_the_assassin_are_always_dealt_and_plain_cards_fill_the_rest() -> None:  # A4
    for setup in SETUPS:
        if setup.merlin:
            special = Counter({Role.MERLIN, *(setup.roles or ())} | ({Role.ASSASSIN} if not setup.has_duty else set()))
            plain = Counter(cards(dealt(setup, 0))) - special
            assert set(plain) <= {Role.SERVANT, Role.MINION}
            assert plain.total() == setup.seats - special.total()


@pytest.mark.parametrize("seats", COUNTS)
def test_the_usual_roles_follow_from_the_count(seats: int) -> None:  # A4
    usual = {Role.PERCIVAL, Role.MORGANA}
    usual |= {Role.OBERON} if seats >= 7 else set()
    assert set(cards(dealt(AvalonSetup(seats=seats), 0))) & set(OPTIONAL) == usual


@pytest.mark.parametrize("seats", COUNTS)
@pytest.mark.parametrize("assassin", ["role", "duty"])
@pytest.mark.parametrize("merlin", [True, False])
def test_more_special_roles_than_places_are_refused(seats: int, assassin: Any, merlin: bool) -> None:  # A4, A27
    for roles in ROLE_SETS:
        evil = len(roles & EVIL) + (merlin and assassin == "role")
        setup = AvalonSetup(seats=seats, roles=roles, assassin=assassin, merlin=merlin)
        assert codes(setup) == (["setup/too_many_roles"] if evil > EVIL_BY_COUNT[seats] else [])


def test_the_refusal_of_too_many_roles_names_them_and_the_places() -> None:  # A4
    (problem,) = AvalonSetup(seats=5, roles=frozenset((Role.MORGANA, Role.MORDRED))).problems()
    assert all(word in problem.message for word in ("Assassin", "Morgana", "Mordred", "Evil has only 2 places"))


@pytest.mark.parametrize("role", sorted(set(Role) - set(OPTIONAL)))
def test_a_role_that_cannot_be_chosen_is_refused_by_name(role: Role) -> None:  # A4
    (problem,) = AvalonSetup(seats=7, roles=frozenset((Role.PERCIVAL, role))).problems()
    assert problem.code == "setup/role"
    assert problem.message.startswith(role)


@pytest.mark.parametrize("roles", ["Gandalf", "Percival,Gandalf", ["Gandalf"]])
def test_an_unknown_role_is_refused(roles: Any) -> None:  # A4
    with pytest.raises(SetupError, match="Gandalf") as refused:
        make_setup("avalon", 7, {"roles": roles})
    assert refused.value.code == "setup/role"


def test_a_table_that_cannot_start_names_every_reason_at_once() -> None:  # A1, A4
    wrong = AvalonSetup(seats=4, roles=frozenset((Role.LANCELOT, Role.NIMUE)), hammer="never", two_fails_from=0)  # type: ignore[arg-type]
    assert Counter(codes(wrong)) == {"setup/seats": 1, "setup/role": 2, "setup/option": 2}
    with pytest.raises(SetupError) as refused:
        wrong.require_ready()
    assert list(refused.value.problems) == wrong.problems()
    assert all(word in refused.value.message for word in ("5 to 10", "Lancelot", "Nimue", "hammer", "two_fails_from"))


def test_an_unknown_role_does_not_hide_that_the_known_ones_are_too_many() -> None:  # A4
    crowded = frozenset((Role.MORGANA, Role.MORDRED))
    assert codes(AvalonSetup(seats=5, roles=crowded)) == ["setup/too_many_roles"]
    assert set(codes(AvalonSetup(seats=5, roles=crowded | {Role.LANCELOT}))) == {"setup/role", "setup/too_many_roles"}


@pytest.mark.parametrize("seats", COUNTS)
def test_a_table_is_told_where_the_lady_is_not_recommended(seats: int) -> None:  # A23
    with_lady, without = AvalonSetup(seats=seats, lady=True), AvalonSetup(seats=seats)
    assert (with_lady.problems(), without.notices()) == ([], [])
    assert [notice.code for notice in with_lady.notices()] == ["lady_early"] * (seats < 7)


@pytest.mark.parametrize("lang", languages())
def test_a_table_without_claims_says_so_before_and_during_the_game(lang: str) -> None:  # A10
    spec, silent = GAMES["avalon"], AvalonSetup(seats=6, identity_claims="forbidden")
    words = catalogue(lang, spec.text)
    assert [notice.text(words) for notice in silent.notices()] == [words.text("notice.no_claims")]
    teller = teller_of(spec, names_for(6), lang)
    assert words.text("board.no_claims") in teller.board(silent)
    assert words.text("board.no_claims") not in teller.board(AvalonSetup(seats=6))


def test_added_options_are_encoded_only_where_they_are_chosen() -> None:  # A10, A23, C1, C3
    codec = codec_of(GAMES["avalon"].game)
    plain, chosen = AvalonSetup(seats=7), AvalonSetup(seats=7, lady_may_pass=True, identity_claims="forbidden")
    assert b"lady_may_pass" not in encode(plain)
    assert b"identity_claims" not in encode(plain)
    for setup in (plain, chosen, AvalonSetup(seats=7, lady_may_pass=True)):
        assert codec.decode(AvalonSetup, encode(setup)) == setup
    for other in (b'"lady_may_pass":false', b'"identity_claims":"free"', b'"lady_may_pass":1', b'"moon":1'):
        with pytest.raises(Unreadable):
            codec.decode(AvalonSetup, encode(plain)[:-1] + b"," + other + b"}")


# Chance


@pytest.mark.parametrize("roles", [None, frozenset(), frozenset((Role.OBERON,))], ids=["usual", "none", "Oberon"])
@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_every_seating_and_every_first_leader_is_equally_likely(roles: Any, options: dict[str, Any]) -> None:  # A5
    setup = AvalonSetup(seats=5, roles=roles, **options)
    chances: defaultdict[tuple[tuple[Role, ...], Seat], Fraction] = defaultdict(Fraction)
    for deal, chance in every_outcome(lambda chance: Avalon().deal(setup, chance)).items():
        chances[deal.roles, deal.leader] += chance
    seatings = sorted(set(permutations(setup.all_roles)))
    assert chances == uniform([(seating, leader) for seating in seatings for leader in range(5)])


def test_the_first_leader_is_the_one_the_deal_names() -> None:  # A5
    led = set()
    for seed in range(60):
        play = new_game("avalon", 5, bytes([seed] * 32))
        (first,) = heard(play, SPECTATOR, LeaderNamed)
        assert play.phase.awaited == {first.seat}
        led.add(first.seat)
    assert led == set(range(5))


def test_the_duty_falls_on_any_evil_player_but_oberon_with_equal_chances() -> None:  # A4, A5
    for setup in filter(lambda setup: setup.has_duty, SETUPS):
        roles = cards(dealt(setup, 0))
        bearers = sorted(seats_with(roles, EVIL - {Role.OBERON}))
        assert every_outcome(lambda chance: draw_assassin(setup, roles, chance)) == uniform(bearers)  # noqa: B023


def test_the_duty_does_not_depend_on_the_seating_or_the_leader() -> None:  # A4, A5
    setup = AvalonSetup(seats=5, roles=frozenset((Role.MORGANA,)), assassin="duty")
    deals = every_outcome(lambda chance: Avalon().deal(setup, chance))
    assert set(deals.values()) == {Fraction(1, 60 * 5 * 2)}
    assert all(deal.assassin in seats_with(deal.roles, {Role.MORGANA, Role.MINION}) for deal in deals)


def test_a_table_deals_the_assassin_as_a_card_or_as_a_duty_or_not_at_all() -> None:  # A4, A27
    for play in many_tables():
        setup, roles = play.state.setup, cards(play)
        bearers = {seat for seat in range(setup.seats) if told(play, seat).is_assassin}
        assert (Role.ASSASSIN in roles) == (setup.merlin and setup.assassin == "role")
        assert len(bearers) == setup.merlin
        if Role.ASSASSIN in roles:
            assert bearers == {roles.index(Role.ASSASSIN)}
        assert bearers <= seats_with(roles, EVIL - {Role.OBERON})


def test_nobody_else_is_told_on_whom_the_duty_fell() -> None:  # A4
    roles = (Role.MERLIN, Role.SERVANT, Role.SERVANT, Role.MINION, Role.MINION)
    tables = [seated("avalon", QuestDeal(roles, 0, duty), 5, roles=[], assassin="duty") for duty in (3, 4)]
    for listener in (SPECTATOR, 0, 1, 2):
        assert tables[0].heard(listener) == tables[1].heard(listener)
    for listener in (3, 4):
        assert tables[0].heard(listener) != tables[1].heard(listener)


# Who knows what at the start


def should_see(roles: Sequence[Role], seat: Seat) -> set[Seat]:
    """The rulebook's paragraph on knowledge, said once more."""
    match roles[seat]:
        case Role.MERLIN:
            return seats_with(roles, EVIL) - seats_with(roles, {Role.MORDRED})
        case Role.PERCIVAL:
            return seats_with(roles, {Role.MERLIN, Role.MORGANA})
        case Role.SERVANT | Role.OBERON:
            return set()
        case _:
            return seats_with(roles, EVIL) - seats_with(roles, {Role.OBERON}) - {seat}


def test_every_seat_sees_whom_its_role_sees_and_nobody_else() -> None:  # A6, A7, A8, A9, A27
    for play in many_tables():
        roles = cards(play)
        for seat in range(len(roles)):
            assert seats_seen(told(play, seat)) == should_see(roles, seat), (roles, seat)


def test_what_is_seen_comes_as_one_set_in_seat_order() -> None:  # A6, A8, A9
    for play in many_tables():
        for seat in range(play.state.setup.seats):
            sees = told(play, seat).sees
            assert len(sees) <= 1
            assert all(list(glimpse.seats) == sorted(glimpse.seats) for glimpse in sees)


def exchanged(roles: Sequence[Role], one: Seat, other: Seat) -> tuple[Role, ...]:
    swapped = list(roles)
    swapped[one], swapped[other] = roles[other], roles[one]
    return tuple(swapped)


LORDS = (Role.MERLIN, Role.PERCIVAL, *(Role.SERVANT,) * 4, Role.ASSASSIN, Role.MORGANA, Role.MORDRED, Role.OBERON)


def test_evil_knows_its_allies_seats_and_not_their_roles() -> None:  # A6
    here, there = avalon(LORDS), avalon(exchanged(LORDS, LORDS.index(Role.MORGANA), LORDS.index(Role.MORDRED)))
    assassin = LORDS.index(Role.ASSASSIN)
    assert here.heard(assassin) == there.heard(assassin)


@pytest.mark.parametrize("role", [Role.ASSASSIN, Role.MORGANA, Role.MORDRED])
def test_no_evil_player_can_tell_oberon_from_a_servant(role: Role) -> None:  # A7
    here, there = avalon(LORDS), avalon(exchanged(LORDS, LORDS.index(Role.OBERON), LORDS.index(Role.SERVANT)))
    assert here.heard(LORDS.index(role)) == there.heard(LORDS.index(role))


def test_oberon_hears_the_same_whatever_the_others_are() -> None:  # A7
    oberon = LORDS.index(Role.OBERON)
    for one, other in combinations(range(len(LORDS) - 1), 2):
        assert avalon(exchanged(LORDS, one, other)).heard(oberon) == avalon(LORDS).heard(oberon)


def test_merlin_sees_oberon_and_cannot_tell_mordred_from_a_servant() -> None:  # A7, A8
    merlin, mordred = LORDS.index(Role.MERLIN), LORDS.index(Role.MORDRED)
    assert seats_seen(told(avalon(LORDS), merlin)) == {6, 7, 9}
    there = avalon(exchanged(LORDS, mordred, LORDS.index(Role.SERVANT)))
    assert avalon(LORDS).heard(merlin) == there.heard(merlin)


def test_percival_cannot_tell_merlin_from_morgana() -> None:  # A9
    merlin, morgana, percival = (LORDS.index(role) for role in (Role.MERLIN, Role.MORGANA, Role.PERCIVAL))
    here, there = avalon(LORDS), avalon(exchanged(LORDS, merlin, morgana))
    assert here.heard(percival) == there.heard(percival)
    assert seats_seen(told(here, percival)) == {merlin, morgana}


@pytest.mark.parametrize("morgana", [True, False])
def test_without_merlin_percival_sees_morgana_alone(morgana: bool) -> None:  # A9, A27
    evil = Role.MORGANA if morgana else Role.MINION
    play = avalon((Role.SERVANT, Role.SERVANT, Role.PERCIVAL, evil, Role.MINION))
    assert seats_seen(told(play, 2)) == ({3} if morgana else set())


@pytest.mark.parametrize("roles", ROLE_SETS, ids=lambda roles: "+".join(sorted(roles)) or "none")
def test_without_merlin_every_other_role_stays_legal(roles: frozenset[Role]) -> None:  # A27
    play = dealt(AvalonSetup(seats=10, roles=roles, merlin=False), 0)
    assert set(cards(play)) - {Role.SERVANT, Role.MINION} == roles


def test_everybody_knows_which_roles_were_dealt_and_how_many_of_each() -> None:  # A10
    for play in many_tables():
        for listener in (SPECTATOR, *range(play.state.setup.seats)):
            assert Counter(play.view(listener).setup.all_roles) == Counter(cards(play))


def test_nobody_is_shown_anothers_role_before_the_end() -> None:  # A10
    for seed in range(12):
        play = new_game("avalon", 7, bytes([seed] * 32), lady=True, excalibur="both")
        bots = {seat: RandomBot() for seat in range(7)}
        while not play.is_over:
            for seat in range(7):
                assert play.view(seat).roles == {seat: play.state.roles[seat]}
            assert play.view(SPECTATOR).roles == {}
            ask_round(play, bots, Dice(seed + len(play.entries)))
        assert all(play.view(listener).roles == play.state.roles for listener in (SPECTATOR, *range(7)))


@pytest.mark.parametrize("kind", Avalon.actions)
def test_no_move_shows_a_role(kind: type[Action]) -> None:  # A10
    assert not any("Role" in str(part.type) for part in fields(kind))


@pytest.mark.parametrize("line", [f"I am {role}." for role in sorted({*LORDS})])
def test_talk_is_free_and_proves_nothing(line: str) -> None:  # A10
    play = avalon(LORDS)
    for seat in range(len(LORDS)):
        (said,) = play.act(seat, Say(channel=OPEN_TALK, text=line)).events
        assert said == Said(audience=EVERYONE, seat=seat, channel=OPEN_TALK, text=line)
