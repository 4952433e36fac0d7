"""Laws of belief: chances sum to one, seats are alike, the truth stays possible, knowing more contradicts nothing."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from roundtable.belief import Belief, belief_of, model_named
from roundtable.belief.contract import SideSets
from roundtable.belief.following import hidden_side
from roundtable.bots import CarefulBot, RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.events import Event, GameEnded, PhaseBegan, SecretsRevealed
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, SPECTATOR
from roundtable.games import GAMES, make_setup, new_game, spec_named
from roundtable.games.avalon.events import CardShown, LoyaltyShown
from roundtable.games.quests.events import RoleDealt, SidesRevealed
from roundtable.games.quests.roles import Role
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.testing.generators import any_setup
from support.sizes import BELIEF_GAMES

SMALL = {"avalon": 7, "thavalon": 6, "saviom": 9}
ONE_SEAT = {"seat", "leader", "target", "holder", "accused", "assassin", "killed", "excalibur"}
SEVERAL = {"team", "awaited", "evil", "wolves", "eliminate", "save", "seats", "speakers"}


def played(name: str, seed: int) -> Play[Any, Any]:
    dice, spec = Dice(seed), spec_named(name)
    setup = any_setup(spec.game, dice, seats=min(SMALL[name], spec.game.setup_type.fewest + seed % 3))
    play = Play.open(spec.game, setup, dice.randbytes(32))
    play.deal()
    bots = {seat: CarefulBot() if seed % 2 else RandomBot() for seat in range(setup.seats)}
    return play_out(play, bots, dice)


def roles_of(play: Play[Any, Any]) -> list[str]:
    return [play.state.roles[seat] for seat in range(play.state.setup.seats)]


def belief_in(play: Play[Any, Any], listener: int, model: str) -> Belief:
    spec = spec_named(play.game.name)
    return belief_of(spec, play.state.setup, listener, model_named(spec, model))


@pytest.mark.parametrize("seed", range(BELIEF_GAMES))
@pytest.mark.parametrize("name", SMALL)
def test_the_truth_stays_possible_and_chances_sum_to_one(name: str, seed: int) -> None:
    play = played(name, seed)
    truth = roles_of(play)
    for listener in (SPECTATOR, seed % len(truth), (seed + 2) % len(truth)):
        belief = belief_in(play, listener, "habits" if seed % 3 else "careful")
        columns = [belief.roles.index(role) for role in truth]
        deals = None
        for event in play.events_for(listener):
            belief.hear(event)
            possible, chances = belief.logic, belief.posterior
            assert deals is None or possible.deals <= deals
            deals = possible.deals
            np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-9)
            np.testing.assert_array_equal(chances > 0, possible.counts > 0)
            assert (chances[range(len(truth)), columns] > 0).all()
        assert deals == 1  # at the end everything is revealed
        assert belief.certain() == dict(enumerate(truth))


@pytest.mark.parametrize("name", SMALL)
def test_what_an_onlooker_can_rule_out_no_seat_holds_possible(name: str) -> None:
    play = played(name, 4)
    seats = play.state.setup.seats
    onlooker = belief_in(play, SPECTATOR, "logic")
    onlooker.hear_all(
        event for event in play.events_for(SPECTATOR) if not isinstance(event, SecretsRevealed | GameEnded)
    )
    for seat in range(seats):
        belief = belief_in(play, seat, "logic")
        belief.hear_all(event for event in play.events_for(seat) if not isinstance(event, SecretsRevealed | GameEnded))
        assert belief.logic.deals <= onlooker.logic.deals
        assert not ((belief.logic.counts > 0) & (onlooker.logic.counts == 0)).any()
        assert onlooker.certain().items() <= belief.certain().items()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SMALL)
def test_a_belief_does_not_depend_on_when_it_is_asked(name: str, seed: int) -> None:
    play = played(name, seed)
    asked, quiet = (belief_in(play, seed % play.state.setup.seats, "habits") for _ in range(2))
    events = play.events_for(asked.listener)
    for event in events[: len(events) * 2 // 3]:
        asked.hear(event)
        quiet.hear(event)
        assert asked.is_possible()
        _ = asked.posterior, asked.logic
    np.testing.assert_array_equal(asked.posterior, quiet.posterior)
    drawn = [belief.sample(50, np.random.default_rng(1)) for belief in (asked, quiet)]
    assert drawn[0] == drawn[1]


PLAIN = (Role.SERVANT, Role.TITANIA, Role.ARTHUR, SaviomRole.CITIZEN)  # who are shown nothing and have one card to play


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SMALL)
def test_to_suppose_a_plain_role_is_to_believe_as_a_seat_that_has_it(name: str, seed: int) -> None:
    play, spec = played(name, seed), spec_named(name)
    truth, setup = roles_of(play), play.state.setup
    strategy = spec.part("sage")
    onlooker = belief_of(spec, setup, SPECTATOR, strategy.model(setup))
    heard = before_the_end(play, SPECTATOR)
    onlooker.hear_all(heard)
    hidden = hidden_side(onlooker)
    assert_alike(onlooker.sides_if({}), onlooker.side_chances(hidden))
    for seat, role in enumerate(truth):
        own = before_the_end(play, seat)
        if role in PLAIN and not {type(event) for event in own} & {LoyaltyShown, CardShown}:
            belief = belief_of(spec, setup, seat, strategy.model(setup))
            belief.hear_all(own)
            assert_alike(onlooker.sides_if({seat: [role]}), belief.side_chances(hidden))


def before_the_end(play: Play[Any, Any], listener: int) -> list[Event]:
    events = play.events_for(listener)
    ends = [number for number, event in enumerate(events) if isinstance(event, SidesRevealed | GameEnded)]
    return list(events[: ends[0]])


def assert_alike(found: SideSets | None, chances: Any) -> None:
    assert found is not None
    np.testing.assert_allclose(found.by_seat, chances, atol=1e-9)


@pytest.mark.parametrize("name", SMALL)
def test_what_cannot_be_is_not_supposed(name: str) -> None:
    play = played(name, 4)
    truth = roles_of(play)
    onlooker = belief_in(play, SPECTATOR, "habits")
    onlooker.hear_all(play.events_for(SPECTATOR))  # the end included, at which everything is revealed
    others = [role for role in onlooker.roles if role != truth[0]]
    assert onlooker.sides_if({0: [truth[0]]}) is not None
    assert onlooker.sides_if({0: others}) is None


# Seats are alike


def relabelled(value: Any, new: list[int], name: str = "") -> Any:
    """A value with every seat at its new place."""
    if name in ONE_SEAT and type(value) is int:
        return new[value]
    if name in SEVERAL and isinstance(value, frozenset | tuple):
        return type(value)(sorted(new[seat] for seat in value))
    if name == "ballots":
        return tuple(value[new.index(place)] for place in range(len(value)))
    if name == "audience" and value is not EVERYONE:
        return frozenset(new[seat] for seat in value)
    if name == "sees":
        return tuple(relabelled(glimpse, new) for glimpse in value)
    if isinstance(value, Event) or name == "":
        return replace(
            value, **{part.name: relabelled(getattr(value, part.name), new, part.name) for part in fields(value)}
        )
    return value


@pytest.mark.parametrize("model", ["logic", "habits"])
@pytest.mark.parametrize("name", SMALL)
def test_relabelling_seats_changes_nothing(name: str, model: str) -> None:
    play = played(name, 7)
    seats = play.state.setup.seats
    new = Dice(3).sample(range(seats), seats)
    for listener in (SPECTATOR, 1):
        plain = belief_in(play, listener, model)
        other = belief_in(play, listener if listener < 0 else new[listener], model)
        for event in play.events_for(listener):
            if isinstance(event, GameEnded):
                break
            if type(event).__name__ not in ("TableOpened", "FloorGiven", "EntropyContributed"):
                plain.hear(event)
                other.hear(relabelled(event, new))
        assert other.logic.deals == plain.logic.deals
        np.testing.assert_array_equal(other.logic.counts[new], plain.logic.counts)
        np.testing.assert_allclose(other.posterior[new], plain.posterior, atol=1e-9)
        assert other.entropy() == pytest.approx(plain.entropy(), abs=1e-6)


# Drawn deals


@pytest.mark.parametrize("name", SMALL)
def test_drawn_deals_are_possible_and_follow_the_posterior(name: str) -> None:
    play = played(name, 3)
    spec = spec_named(name)
    belief = belief_in(play, 0, "habits")
    events = list(play.events_for(0))
    belief.hear_all(events[: len(events) // 2])
    count = 3_000
    drawn = belief.sample(count, np.random.default_rng(1))
    assert all(spec.game.can_deal(play.state.setup, deal) for deal in drawn)
    found = np.zeros_like(belief.posterior)
    for deal in drawn:
        for seat, role in enumerate(getattr(deal, "roles", deal)):
            found[seat, belief.roles.index(role)] += 1 / count
    assert not (found[belief.logic.counts == 0]).any()
    np.testing.assert_allclose(found, belief.posterior, atol=0.05)


# The deal


@pytest.mark.parametrize(
    ("seats", "lovers", "others", "evil", "deals"),
    [
        (5, 1 / 2, 1 / 2, 2 / 3, 2_880),
        (6, 1, 2 / 3, 2 / 3, 6_480),
        (7, 4 / 7, 4 / 7, 1, 75_600),
        (8, 5 / 7, 5 / 7, 3 / 4, 1_774_080),
        (9, 1, 4 / 5, 3 / 4, 7_257_600),
        (10, 1, 4 / 5, 4 / 5, 90_720_000),
    ],
)
def test_before_anything_happens_roles_are_as_likely_as_the_deal_makes_them(
    seats: int, lovers: float, others: float, evil: float, deals: int
) -> None:  # T3
    belief = belief_of(spec_named("thavalon"), ThavalonSetup(seats=seats))
    for column, (role, side) in enumerate(zip(belief.roles, belief.sides, strict=True)):
        expected = evil if side == "Evil" else lovers if role in ("Tristan", "Iseult") else others
        assert belief.posterior[:, column].sum() == pytest.approx(expected)
    assert belief.logic.deals == deals
    assert np.ptp(belief.posterior, axis=0).max() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "seats", "deals"),
    [("avalon", 10, 151_200), ("saviom", 12, 220)],
)
def test_all_deals_of_the_largest_tables_are_counted(name: str, seats: int, deals: int) -> None:
    spec = spec_named(name)
    belief = belief_of(spec, spec.game.setup_type(seats=seats))
    assert belief.logic.deals == deals
    assert (belief.logic.counts.sum(axis=1) == deals).all()


def test_events_of_another_game_are_noticed() -> None:
    one, other = played("avalon", 3), played("avalon", 6)
    assert one.state.setup.seats == other.state.setup.seats == 5
    belief = belief_in(one, 0, "logic")
    belief.hear_all(
        event for event in one.events_for(0) if isinstance(event, PhaseBegan) or event.audience is not EVERYONE
    )
    belief.hear_all(event for event in other.events_for(SPECTATOR) if isinstance(event, SecretsRevealed))
    with pytest.raises(ValueError, match="not of one game"):
        _ = belief.logic


def test_a_card_that_no_deal_has_is_noticed() -> None:
    play = new_game("avalon", 5, bytes(32))
    merlin = roles_of(play).index(Role.MERLIN)
    belief = belief_in(play, merlin, "logic")
    for event in play.events_for(merlin):
        belief.hear(replace(event, sees=()) if isinstance(event, RoleDealt) else event)
    assert not belief.is_possible()
    with pytest.raises(ValueError, match="not of one game"):
        _ = belief.logic


def test_a_belief_refuses_what_is_not_of_its_game() -> None:
    spec, setup = spec_named("avalon"), make_setup("avalon", 5)
    belief = belief_of(spec, setup)
    with pytest.raises(ValueError, match="There is no role 'Nobody' at this table; its roles are Merlin, "):
        belief.who_could_be("Nobody")
    with pytest.raises(ValueError, match="its sides are Good, Evil"):
        belief.side_chances("Wolves")
    with pytest.raises(ValueError, match="A belief of avalon needs its setup, not one of saviom"):
        belief_of(spec, make_setup("saviom", 6))
    with pytest.raises(ValueError, match="'careful' has none"):
        belief_of(spec, setup, 0, "careful")


def test_every_game_has_a_belief() -> None:
    assert all(spec.belief for spec in GAMES.values() if spec.name in SMALL)
