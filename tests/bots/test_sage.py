"""The sage in the quest games: legal, reproducible, blind to what its seat cannot know, and not easily read."""

from __future__ import annotations

from math import comb
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.sage.logic_bot import LogicBot

from roundtable.belief import Belief, belief_of
from roundtable.belief.mixture import MixtureModel
from roundtable.belief.strategy import MOST_TEAMS
from roundtable.bots import CarefulBot, Dice, make_bot, play_out
from roundtable.bots.playing import ask_round
from roundtable.bots.sage import SageBot, recall, rollouts
from roundtable.bots.sage.levels import EASY, FAIR, STRONG
from roundtable.core.actions import Move
from roundtable.core.events import Event, GameEnded
from roundtable.core.game import fold
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import GAMES, new_game
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.events import SidesRevealed
from roundtable.games.quests.roles import EVIL_ROLES, SIDE_OF, Role, Side
from roundtable.games.quests.sage.logic import SLIP, LogicPlayers
from roundtable.games.quests.sage.parameters import PARAMETERS
from roundtable.games.quests.sage.strategy import COUNTED, dealt_as, split_ballots
from roundtable.games.quests.sage.tendencies import LOVER_ROLES, tendencies_of

QUESTS = ["avalon", "thavalon"]
Table = Play[Any, Any]


def table(game: str, seats: int, seed: int = 1, **options: Any) -> Table:
    return new_game(game, seats, Dice(seed).randbytes(32), **options)


def followed(play: Table, seat: int) -> SageBot:
    bot = SageBot()
    bot.follow(play.events_for(seat))
    return bot


def asked(play: Table, seat: int) -> Any:
    return followed(play, seat).probabilities(play.view(seat), play.options(seat))


def played_on(play: Table, rounds: int, dice: Dice) -> Table:
    """So many phases among careful bots."""
    bots = {seat: CarefulBot() for seat in range(play.state.setup.seats)}
    for _ in range(rounds):
        ask_round(play, bots, dice)
    return play


@pytest.mark.parametrize("name", ["easy", "fair", "strong"])
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("avalon", 5, {}),
        ("avalon", 7, {"lady": True, "excalibur": "both", "choose_quests": True}),
        ("thavalon", 7, {}),
    ],
)
def test_a_sage_plays_every_game_to_its_end(game: str, seats: int, options: dict[str, Any], name: str) -> None:
    play = table(game, seats, **options)
    bots = {seat: make_bot(name if seat % 2 else "careful") for seat in range(seats)}
    assert play_out(play, bots, Dice(1)).is_over  # a move that is not allowed would have raised


@pytest.mark.parametrize("game", QUESTS)
def test_the_same_events_always_give_the_same_chances(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its belief has heard them one by one, between questions, or all at once."""
    play, dice = table(game, 6), Dice(2)
    compared = 0
    for _ in range(6):
        played_on(play, 1, dice)
        for seat in sorted(play.phase.awaited & {0, 1}):
            kept = asked(play, seat)
            with monkeypatch.context() as fresh:
                fresh.setattr("roundtable.bots.sage.bot.RECALL", recall.Recall())
                assert asked(play, seat) == kept
            assert sum(kept.values()) == 1
            compared += 1
    assert compared > 4


def test_an_onlookers_belief_hears_every_event_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same for all seats, and kept for the last team of all, which may have to be solved."""
    play, dice, heard = table("avalon", 5), Dice(2), list[Event]()

    def hear(belief: Belief, event: Event) -> None:
        if belief.listener == SPECTATOR:
            heard.append(event)
        unwatched(belief, event)

    unwatched = Belief.hear
    monkeypatch.setattr(Belief, "hear", hear)
    monkeypatch.setattr("roundtable.bots.sage.bot.RECALL", recall.Recall())
    for _ in range(4):
        played_on(play, 1, dice)
        for seat in sorted(play.phase.awaited):
            asked(play, seat)
    assert heard == list(play.events_for(SPECTATOR))


def test_beliefs_are_forgotten_when_they_take_too_much_memory() -> None:
    play = table("avalon", 5)
    spec, heard = GAMES["avalon"], play.events_for(SPECTATOR)

    def kept(most_bytes: int) -> int:
        """Of ten listeners."""
        memory, made = recall.Recall(most_bytes), list[Belief]()

        def make() -> Belief:
            made.append(belief_of(spec, play.state.setup))
            return made[-1]

        for key in (*range(10), *reversed(range(10))):
            memory.belief(key, heard, make)
        return 20 - len(made)

    one = belief_of(spec, play.state.setup)
    one.hear_all(heard)
    _ = one.posterior
    size = recall.size_of(one)
    assert size > recall.BESIDE_ARRAYS
    assert [kept(0), kept(4 * size), kept(100 * size)] == [1, 4, 10]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", QUESTS)
def test_rounding_errors_decide_no_tie(game: str, seed: int) -> None:
    play = played_on(table(game, 9, seed), 2, Dice(seed))
    while play.phase.name != "propose":
        played_on(play, 1, Dice(seed))
    leader, strategy = play.state.leader, GAMES[game].part("sage")
    evil = np.linspace(0.1, 0.4, 4)[[0, 1, 1, 2, 2, 2, 3, 3, 3]]  # many teams are alike
    noise = np.random.default_rng(seed).normal(0, 1e-15, 9)
    view, options = play.view(leader), play.options(leader)
    found = []
    for chances in (evil, evil + noise):
        belief = SimpleNamespace(side_chances=lambda side, chances=chances: chances)
        found.append(strategy.candidates(view, options, belief))
    assert found[0] == found[1]
    assert len(found[0]) >= MOST_TEAMS


@pytest.mark.parametrize("game", QUESTS)
def test_what_it_says_is_what_it_does(game: str) -> None:
    play = table(game, 5)
    leader = play.state.leader
    said = asked(play, leader)
    bot = followed(play, leader)
    drawn = [bot.choose(play.view(leader), play.options(leader), Dice(seed)) for seed in range(8)]
    assert all(said.get(move, 0) > 0 for move in drawn)


@pytest.mark.parametrize("arthur", [None, 0, 3])
@pytest.mark.parametrize("seats", range(5, 11))
def test_a_ballot_is_weighed_where_the_others_are_split(seats: int, arthur: int | None) -> None:  # A13, T16
    play = played_on(table("avalon", seats), 1, Dice(1))
    seat, kernel = 3, GAMES["avalon"].part("kernel")
    positions = np.repeat(kernel.positions(play.state), 20)
    votes = np.array([1 + (other == arthur) for other in range(seats)])
    split_ballots(positions, votes, seat, np.random.default_rng(0))
    others = (positions["ballots"][:, None] >> np.arange(seats) & 1) @ votes
    assert not (positions["ballots"] >> seat & 1).any()
    assert (2 * others <= votes.sum()).all()
    assert (2 * (others + votes[seat]) > votes.sum()).all()


def test_good_counts_on_an_assassin_who_is_not_careful() -> None:
    """A shot in a game played on counts by how likely Evil is careful; Evil counts on the shot that is played."""
    play = table("avalon", 5)
    for seat, role in play.state.roles.items():
        belief = belief_of(
            GAMES["avalon"], play.state.setup, seat, GAMES["avalon"].part("sage").model(play.state.setup)
        )
        belief.hear_all(play.events_for(seat))
        scores = GAMES["avalon"].part("sage").scores(play.view(seat), seat, belief)
        if role in EVIL_ROLES:
            assert not scores
        else:
            careful = PARAMETERS.kinds["careful"]
            assert scores["merlin_survived"] - scores["merlin_assassinated"] == pytest.approx(careful)
            assert 0 < scores["merlin_assassinated"] < scores["merlin_survived"] < 1


def test_good_goes_by_what_it_foresees_as_far_as_evil_is_not_careful() -> None:
    play = table("avalon", 5)
    strategy = GAMES["avalon"].part("sage")
    for seat, role in play.state.roles.items():
        belief = belief_of(GAMES["avalon"], play.state.setup, seat, strategy.model(play.state.setup))
        belief.hear_all(play.events_for(seat))
        doubt = strategy.doubt(play.view(seat), seat, belief)
        not_careful = 1 - PARAMETERS.kinds["careful"]
        assert doubt == (0 if role in EVIL_ROLES else pytest.approx(PARAMETERS.doubt * not_careful))


def test_among_players_who_go_by_logic_merlin_rarely_leads_evil() -> None:
    """Careful bots would reject such a team, and games that they play on hide Merlin so; these players approve it."""
    dirty = []
    for seed in range(12):
        play = table("avalon", 5, seed)
        merlin = next(seat for seat, role in play.state.roles.items() if role is Role.MERLIN)
        evil = {seat for seat, role in play.state.roles.items() if role in EVIL_ROLES}
        bots = {seat: LogicBot() for seat in range(5)}
        while not (play.is_over or (play.phase.name == "propose" and play.state.leader == merlin)):
            ask_round(play, bots, Dice(1))
        if not play.is_over:
            thought = followed(play, merlin).think(play.view(merlin), play.options(merlin))
            assert thought is not None
            likely = zip(thought.moves, thought.own, strict=True)
            dirty.append(sum(chance for move, chance in likely if move is not None and move.team & evil))  # type: ignore[attr-defined]
    assert len(dirty) >= 8
    assert np.mean(dirty) < 0.25  # twice as often by games played on alone


def led_by_merlin(seed: int) -> tuple[Table, int, set[int]]:
    """A game in which Merlin names the first team, his seat, and who is Evil."""
    play = table("avalon", 5, seed)
    merlin = next(seat for seat, role in play.state.roles.items() if role is Role.MERLIN)
    deal = play.game.read_deal(play.events)._replace(leader=merlin)
    play = Play.open(play.game, play.state.setup, Dice(seed).randbytes(32))
    play.deal(deal)
    return play, merlin, {seat for seat, role in enumerate(deal.roles) if SIDE_OF[role] is Side.EVIL}


def test_it_decides_alike_in_deals_that_its_seat_cannot_tell_apart() -> None:
    """A servant is told nothing of the other seats, so the sage in that seat decides alike."""
    base = table("avalon", 5)
    deal = base.game.read_deal(base.events)
    servant = deal.roles.index(Role.SERVANT)
    others = [seat for seat in range(5) if seat != servant]
    turned = list(deal.roles)
    for seat, role in zip(others, [deal.roles[seat] for seat in (*others[1:], others[0])], strict=True):
        turned[seat] = role
    plays = []
    for roles in (deal.roles, tuple(turned)):
        play = Play.open(base.game, base.state.setup, bytes(32))
        play.deal(deal._replace(roles=tuple(roles), leader=servant, assassin=roles.index(Role.ASSASSIN)))
        plays.append(play)
    assert plays[0].state.roles != plays[1].state.roles
    assert asked(plays[0], servant) == asked(plays[1], servant)


def test_rollouts_agree_with_games_that_the_engine_plays_on() -> None:
    play = played_on(table("avalon", 5, seed=3), 1, Dice(3))
    seat = min(play.phase.awaited)
    move = next(iter(play.options(seat)[0]))
    found = rollouts.rollouts_of(play.state.setup)
    assert found is not None
    deal = play.game.read_deal(play.events)
    value = float(found.values(play.state, seat, [move], [deal], 2000, 7).mean())
    won = 0
    for number in range(200):
        again = Play(play.game, play.entries)
        again.act(seat, move)
        outcome = play_out(again, {other: CarefulBot() for other in range(5)}, Dice(number)).outcome
        won += outcome is not None and seat in outcome.seats
    assert abs(value - won / 200) < 0.13  # more than three standard errors


@pytest.mark.parametrize("game", QUESTS)
def test_without_machine_code_it_weighs_teams_and_votes_by_its_belief(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.bots.sage.bot.rollouts_of", lambda setup: None)
    play = table(game, 7)
    leader = play.state.leader
    thought = followed(play, leader).think(play.view(leader), play.options(leader))
    assert thought is not None
    evil = thought.belief.side_chances(Side.EVIL)
    if play.state.roles[leader] not in EVIL_ROLES:
        teams = [move for move in thought.moves if isinstance(move, ProposeTeam)]
        best = teams[int(np.argmax(thought.values[: len(teams)]))]
        assert sum(evil[seat] for seat in best.team) == pytest.approx(
            min(sum(evil[seat] for seat in move.team) for move in teams), abs=0.02
        )
    assert play_out(play, {seat: make_bot("strong") for seat in range(7)}, Dice(1)).is_over


def test_who_watches_learns_which_kind_of_player_a_seat_is() -> None:
    spec = GAMES["avalon"]
    strategy = spec.part("sage")
    right = 0
    for seed in range(6):
        play = table("avalon", 6, seed)
        model = strategy.model(play.state.setup)
        assert isinstance(model, MixtureModel)
        belief = belief_of(spec, play.state.setup, SPECTATOR, model)
        play = play_out(play, {seat: make_bot("random") for seat in range(6)}, Dice(seed))
        events = [event for event in play.events_for(SPECTATOR) if type(event).__name__ != "GameEnded"]
        for event in events:
            if type(event).__name__ in ("SidesRevealed", "SecretsRevealed"):
                break
            belief.hear(event)
        points = belief.viewpoints(0)  # type: ignore[attr-defined]
        shares = model.shares(0, points, np.ones(len(points)))
        right += max(shares, key=lambda kind: shares[kind]) == "random"
    assert right >= 4


@pytest.mark.parametrize("game", QUESTS)
@pytest.mark.parametrize("kind", [*COUNTED, "logic"])
def test_chances_of_every_kind_of_player_sum_to_one(game: str, kind: str) -> None:
    spec = GAMES[game]
    play = table(game, 7)
    belief = belief_of(spec, play.state.setup)
    belief.hear_all(play.events_for(SPECTATOR))
    customs = spec.part("sage").customs
    model = LogicPlayers(customs) if kind == "logic" else tendencies_of(game, (kind,), customs)
    leader = play.state.leader
    points = belief.viewpoints(leader)  # type: ignore[attr-defined]
    team = next(option for option in play.options(leader) if option.kind is ProposeTeam)
    chances = [model.chances(belief.situation(leader), move, points) for move in team]
    assert np.allclose(sum(chances), 1)


class DealtTo(NamedTuple):
    """What a seat is, as the one thing that it may be."""

    seat: int
    roles: Any
    shown: Any
    names: tuple[str, ...]


@pytest.mark.parametrize("seats", range(5, 11))
def test_players_who_go_by_logic_are_foreseen(seats: int) -> None:
    """The model gives every team and ballot of a bot that goes by logic more than the chance of a slip."""
    spec = GAMES["avalon"]
    play = play_out(table("avalon", seats), {seat: LogicBot() for seat in range(seats)}, Dice(1))
    model = LogicPlayers(spec.part("sage").customs)
    belief = belief_of(spec, play.state.setup)
    foreseen: list[bool] = []

    def watch(seat: int, move: Move) -> None:
        dealt = play.state.dealt[seat]
        shown = np.array([mask_of(other for glimpse in dealt.sees for other in glimpse.seats)])
        points: Any = DealtTo(seat, np.zeros(1, dtype=np.int64), shown, (dealt.role,))
        slip = SLIP / comb(seats, len(move.team)) if isinstance(move, ProposeTeam) else SLIP
        foreseen.append(model.chances(belief.situation(seat), move, points)[0, 0] > 1.01 * slip)

    belief.watch = watch  # type: ignore[attr-defined]
    for event in play.events_for(SPECTATOR):
        if isinstance(event, (SidesRevealed, GameEnded)):
            break
        belief.hear(event)
    assert len(foreseen) > seats
    assert all(foreseen)


def test_no_one_hides_from_players_who_go_by_logic() -> None:
    """Their Assassin shoots at random, so Merlin shows what he knows once they are known."""
    spec, strategy = GAMES["avalon"], GAMES["avalon"].part("sage")
    play = table("avalon", 5)
    merlin = next(seat for seat, role in play.state.roles.items() if role is Role.MERLIN)
    hidden = [hides(play, strategy, spec, merlin)]
    bots = {seat: LogicBot() for seat in range(5)}
    while len(play.state.polls) < 3:
        ask_round(play, bots, Dice(1))
    hidden.append(hides(play, strategy, spec, merlin))
    assert hidden == [True, False]


def hides(play: Table, strategy: Any, spec: Any, seat: int) -> bool:
    belief = belief_of(spec, play.state.setup, seat, strategy.model(play.state.setup))
    heard = play.events_for(seat)
    belief.hear_all(heard)
    return strategy.disguise(play.view(seat), seat, heard, belief) is not None


def test_among_sages_merlin_leads_and_votes_as_a_servant_would() -> None:  # A8, A21
    """Whatever Merlin knows: an Assassin who reads moves learns nothing from them."""
    play, merlin, _ = led_by_merlin(seed=3)
    bots = {seat: make_bot("fair") for seat in range(5)}
    compared = 0
    for _ in range(12):
        if play.phase.name in ("propose", "vote") and merlin in play.phase.awaited:
            heard = [dealt_as(event, merlin, Role.SERVANT) for event in play.events_for(merlin)]
            servant = SageBot()
            servant.follow(heard)
            assert asked(play, merlin) == servant.probabilities(fold(play.game, heard), play.options(merlin))
            compared += 1
        ask_round(play, bots, Dice(3))
    assert compared > 4


def test_a_disguised_seat_heard_the_same_but_for_its_card() -> None:
    play = table("avalon", 5)
    merlin = next(seat for seat, role in play.state.roles.items() if role is Role.MERLIN)
    heard = play.events_for(merlin)
    posed = [dealt_as(event, merlin, Role.SERVANT) for event in heard]
    assert [one for one, other in zip(heard, posed, strict=True) if one != other] == [
        event for event in heard if type(event).__name__ == "RoleDealt"
    ]


def test_a_level_that_hurries_thinks_of_fewer_deals() -> None:
    assert EASY.deals < FAIR.deals < STRONG.deals
    assert STRONG.with_effort(0.25).deals == STRONG.deals // 4
    assert STRONG.with_effort(1) is STRONG


def test_good_never_rejects_the_last_team() -> None:  # A15
    for seed in range(4):
        play = table("avalon", 5, seed)
        while play.phase.name != "vote" or play.state.attempt < 5:
            phase = play.phase.name
            for seat in sorted(play.phase.awaited):
                if phase == "propose":
                    play.act(seat, next(iter(play.options(seat)[0])))
                else:
                    play.act(seat, CastVote(phase=play.phase.number, approve=False))
        good: list[Move | None] = []
        for seat, role in play.state.roles.items():
            if role not in EVIL_ROLES:
                good += [move for move, chance in asked(play, seat).items() if chance]
        assert good
        assert all(isinstance(move, CastVote) and move.approve for move in good)


def test_lovers_are_told_by_whom_careful_leaders_take_along() -> None:  # T8, T23
    """They never leave each other out, so an Assassin who has watched careful players knows them well."""
    strategy, told = GAMES["thavalon"].part("sage"), []
    for seed in range(20):
        play = table("thavalon", 5, seed)
        lovers = [seat for seat, role in play.state.roles.items() if role in LOVER_ROLES]
        belief = belief_of(GAMES["thavalon"], play.state.setup, SPECTATOR, strategy.model(play.state.setup))
        belief.hear_all(played_on(play, 8, Dice(seed)).events_for(SPECTATOR))
        told += [sum(belief.chance(seat, role) for role in LOVER_ROLES) for seat in lovers]
    assert len(told) > 10
    assert np.mean(told) > 0.5
