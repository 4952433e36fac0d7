"""The sage in Saviom: lawful, reproducible, blind to secrets, and right about how others play."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from roundtable.belief import PolicyModel, belief_of
from roundtable.belief.mixture import MixtureModel
from roundtable.bots import CarefulBot, make_bot, play_out
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_bots, time_is_up
from roundtable.bots.sage import SageBot
from roundtable.bots.sage import bot as sage_bot
from roundtable.bots.sage.recall import Recall
from roundtable.bots.sage.rollouts import rollouts_of
from roundtable.core.actions import Remark
from roundtable.core.game import OPEN_TALK, Game
from roundtable.core.options import permits
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.games import game_named, spec_named
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge
from roundtable.games.saviom.belief import SaviomBelief, SaviomViewpoints
from roundtable.games.saviom.bots.careful import careful
from roundtable.games.saviom.sage.foresight import foresee
from roundtable.games.saviom.sage.outlook import outlook
from roundtable.games.saviom.sage.players import CarefulTown
from roundtable.games.saviom.sage.strategy import STRATEGY, as_citizen
from roundtable.games.saviom.setup import Role, SaviomSetup
from roundtable.lab.arena.forfeits import GuardedBot

RULES: Game[Any, Any] = game_named("saviom")
SPEC = spec_named("saviom")
LEVELS = ("easy", "fair", "strong")
TABLES = [
    SaviomSetup(seats=6),
    SaviomSetup(seats=8, mode="advanced", early_end=True),
    SaviomSetup(seats=7, mode="advanced", begins_with="night", protect_twice=False, reveal_on_death="side"),
    SaviomSetup(seats=9, mode="advanced", kill_by="living", trial_by="cast", reveal_on_death="role"),
]


class Watched:
    """A bot of which every move is checked."""

    def __init__(self, level: str) -> None:
        self.bot: Any = make_bot(level)
        self.moves = 0

    def follow(self, heard: Any) -> None:
        self.bot.follow(heard)

    def choose(self, view: Any, options: Any, chance: Any) -> Any:
        move = self.bot.choose(view, options, chance)
        assert move is None or permits(options, move)
        self.moves += move is not None
        return move


def dealt(setup: SaviomSetup, seed: int, deal: tuple[Role, ...] | None = None) -> Play[Any, Any]:
    play: Play[Any, Any] = Play.open(RULES, setup, seed.to_bytes(32))
    play.deal(deal)
    return play


def town(seats: int, wolves: tuple[Seat, ...], **others: Role) -> tuple[Role, ...]:
    """A deal with these Wolves; others by seat, as in `at3=Role.SEER`."""
    named = {int(place.removeprefix("at")): role for place, role in others.items()}
    return tuple(Role.WOLF if seat in wolves else named.get(seat, Role.CITIZEN) for seat in range(seats))


def accuse(play: Play[Any, Any], pairs: list[tuple[Seat, Seat]]) -> None:
    for seat, target in pairs:
        play.act(seat, Accuse(phase=play.phase.number, target=target))


def chances(play: Play[Any, Any], seat: Seat) -> Any:
    bot, view = SageBot(), play.view(seat)
    bot.follow(play.events_for(seat))
    return bot.probabilities(view, RULES.options(view, seat))


def without_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sage_bot, "rollouts_of", lambda setup: None)


@pytest.mark.parametrize(("setup", "level"), list(product(TABLES, LEVELS)))
def test_it_plays_whole_games_by_the_rules(setup: SaviomSetup, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if level == "fair":
        without_machine_code(monkeypatch)
    bots = {seat: Watched(level) for seat in range(setup.seats)}
    play = play_out(dealt(setup, 5), bots, Dice(6))
    assert play.is_over
    assert all(bot.moves for bot in bots.values())


def test_the_same_arguments_give_the_same_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    play = dealt(TABLES[0], 3)
    accuse(play, [(1, 2), (3, 2)])
    found = []
    for _ in range(2):
        monkeypatch.setattr(sage_bot, "RECALL", Recall())
        found.append([chances(play, seat) for seat in (0, 4, 5)])
    assert found[0] == found[1]


@pytest.mark.parametrize("seat", [0, 5])
def test_it_decides_alike_in_deals_that_it_cannot_tell_apart(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = SaviomSetup(seats=8, mode="advanced")
    deals = [
        town(8, (1, 2), at5=Role.SEER, at6=Role.PROTECTOR),
        town(8, (3, 4), at5=Role.SEER, at7=Role.PROTECTOR),
    ]
    found = []
    for deal in deals:
        monkeypatch.setattr(sage_bot, "RECALL", Recall())
        play = dealt(setup, 4, deal)
        accuse(play, [(1, 3), (2, 3), (4, 6)])
        found.append(chances(play, seat))
    assert found[0] == found[1]
    assert found[0]


def test_a_guard_of_the_arena_lets_its_bot_hear() -> None:
    play, guarded = dealt(TABLES[0], 3), GuardedBot("sage")
    ask_bots(play, {0: guarded}, Dice(1))
    assert guarded._bot._heard == tuple(play.events_for(0))[: len(guarded._bot._heard)] != ()  # type: ignore[attr-defined]


# What moves are worth


def played_on(move: Any, seat: Seat, begin: Any, games: int) -> float:
    """How often the seat wins after the move among careful bots of the engine, each asked once in a phase."""
    won = 0
    for number in range(games):
        play, dice = begin(), Dice(number)
        if move is not None:
            play.act(seat, move)
        chosen = {seat, *play.state.accusations}
        rest = {other: CarefulBot() for other in sorted(play.state.alive - chosen)}
        phase = play.phase.number
        ask_bots(play, rest, dice)
        if play.phase.number == phase:
            time_is_up(play)
        play_out(play, {other: CarefulBot() for other in range(play.state.setup.seats)}, dice)
        won += seat in play.state.outcome.seats
    return won / games


def test_rollouts_agree_with_the_engine() -> None:
    pytest.importorskip("numba")
    setup, seat, games = SaviomSetup(seats=7), 2, 80

    def begin() -> Play[Any, Any]:
        play = dealt(setup, 9, town(7, (2, 5)))
        accuse(play, [(0, 3)])
        return play

    play = begin()
    rollouts = rollouts_of(setup)
    assert rollouts is not None
    moves = [Accuse(phase=play.phase.number, target=target) for target in (3, 4)] + [None]
    deals = [RULES.read_deal(play.events)] * 500
    values = rollouts.values(play.view(seat), seat, moves, deals, 2, 1).mean(axis=1)
    found = [played_on(move, seat, begin, games) for move in moves]
    assert values == pytest.approx(found, abs=0.15)  # three standard deviations
    assert values[0] > values[1] + 0.1, "to stand apart gives a Wolf away"


def test_the_outlook_of_a_town() -> None:
    table = outlook(9, 1.0)
    assert (table[0] == 1).all()
    assert table[1, 3] == 0, "one dies at night, and the Wolf has won"
    assert table[1, 4] == pytest.approx(1 / 3), "three are left, of whom they condemn one"
    assert table[2, 7] < table[2, 9] < outlook(9, 2.0)[2, 9]


def foreseen(play: Play[Any, Any], seat: Seat, moves: list[Any], deals: list[Any]) -> list[float]:
    values = foresee(play.view(seat), seat, moves, deals)
    assert values is not None
    return [float(value) for value in values.mean(axis=1)]


def test_a_citizen_accuses_the_likeliest_wolf_and_joins_a_crowd() -> None:
    play = dealt(SaviomSetup(seats=7), 9, town(7, (2, 5)))
    accuse(play, [(0, 5)])
    moves = [Accuse(phase=play.phase.number, target=target) for target in (3, 4, 5)]
    often, even = town(7, (2, 4)), [town(7, (3, 4)), town(7, (4, 5)), town(7, (3, 5))]
    likely = foreseen(play, 1, moves, [often] * 9 + even)
    assert max(likely) == likely[1]
    alike = foreseen(play, 1, moves, even)
    assert max(alike) == alike[2] > alike[0]


def test_an_even_town_condemns_only_whom_it_is_sure_of() -> None:
    play = dealt(SaviomSetup(seats=8), 9, town(8, (2, 5)))
    accuse(play, [(seat, 5) for seat in range(5)])
    play.expire()
    moves = [Judge(phase=play.phase.number, eliminate=eliminate) for eliminate in (True, False)]
    sure = foreseen(play, 0, moves, [town(8, (2, 5))])
    unsure = foreseen(play, 0, moves, [town(8, (2, 5)), town(8, (1, 2)), town(8, (3, 4)), town(8, (2, 7))])
    assert sure[0] > sure[1]
    assert unsure[0] < unsure[1]


def test_by_night_the_seer_looks_where_it_learns_most_and_wolves_hunt_the_seer() -> None:
    setup = SaviomSetup(seats=8, mode="advanced", begins_with="night")
    play = dealt(setup, 9, town(8, (1, 2), at5=Role.SEER, at6=Role.PROTECTOR))
    phase = play.phase.number
    inspects: list[Any] = [Inspect(phase=phase, target=target) for target in (1, 3)]
    deals = [town(8, (1, 2), at5=Role.SEER, at6=Role.PROTECTOR), town(8, (2, 4), at5=Role.SEER, at6=Role.PROTECTOR)]
    told = foreseen(play, 5, inspects, deals)
    assert told[0] > told[1]
    hunts: list[Any] = [Hunt(phase=phase, target=target) for target in (5, 3)]
    wanted = foreseen(play, 1, hunts, deals[:1])
    assert wanted[0] > wanted[1]


# Others


def test_the_model_of_careful_players_is_their_policy() -> None:
    play = dealt(SaviomSetup(seats=7), 9, town(7, (2, 5)))
    accuse(play, [(0, 5), (1, 5), (3, 4)])
    belief = belief_of(SPEC, play.state.setup)
    belief.hear_all(play.events)
    situation = belief.situation(6)
    wolves = [0, 1 << 6 | 1 << 5, 1 << 6 | 1 << 3, 1 << 6 | 1 << 0]
    roles = [belief.roles.index(Role.WOLF if pack else Role.CITIZEN) for pack in wolves]
    points = SaviomViewpoints(belief.roles, 6, np.array(roles), np.array(wolves))
    exact, fast = PolicyModel(RULES, careful, 1e-6), CarefulTown(1e-6)
    for target in range(6):
        move = Accuse(phase=play.phase.number, target=target)
        chances = [np.exp(model.log_chances(situation, move, points)) for model in (exact, fast)]
        assert chances[0] == pytest.approx(chances[1], abs=1e-5)


def test_a_seer_who_opens_the_day_has_seen_a_wolf() -> None:
    setup = SaviomSetup(seats=8, mode="advanced")
    play = dealt(setup, 9, town(8, (2, 5), at1=Role.SEER, at6=Role.PROTECTOR))
    for _ in range(2):
        play.expire()  # a day and a night
    belief = belief_of(SPEC, setup)
    belief.hear_all(play.events)
    seer = belief.roles.index(Role.SEER)
    points = SaviomViewpoints(belief.roles, 1, np.array([seer, seer]), np.array([1 << 2 | 1 << 5, 1 << 2 | 1 << 3]))
    move = Accuse(phase=play.phase.number, target=5)
    against_wolf, against_citizen = CarefulTown(0.01).log_chances(belief.situation(1), move, points)
    assert against_wolf > against_citizen


def test_claims_to_be_the_seer_are_weighed() -> None:
    setup = SaviomSetup(seats=8, mode="advanced")
    play = dealt(setup, 9, town(8, (2, 5), at1=Role.SEER, at6=Role.PROTECTOR))
    belief = belief_of(SPEC, setup, 0, STRATEGY.model(setup))
    belief.hear_all(play.events_for(0))
    found = [belief.side_chances("Wolves")]
    for claimant, target in ((1, 5), (5, 1)):
        heard = len(play.events_for(0))
        play.act(claimant, Remark(channel=OPEN_TALK, phrase="i_examined", about=target, word="Wolf"))
        belief.hear_all(play.events_for(0)[heard:])
        found.append(belief.side_chances("Wolves"))
    assert found[1][5] > 1.5 * found[0][5], "there is but one claim"
    assert found[2][1] > found[1][1], "of two Seers one is a Wolf"


@pytest.mark.parametrize("kind", ["careful", "random"])
def test_it_finds_out_what_kind_of_players_it_meets(kind: str) -> None:
    setup = SaviomSetup(seats=9)
    play = play_out(dealt(setup, 8), {seat: make_bot(kind) for seat in range(9)}, Dice(2))
    model = STRATEGY.model(setup)
    assert isinstance(model, MixtureModel)
    belief = belief_of(SPEC, setup, 0, model)
    belief.hear_all(play.events_for(0))
    citizen = np.array([belief.roles.index(Role.CITIZEN)])
    citizens = [seat for seat in range(1, 9) if play.state.roles[seat] is Role.CITIZEN]
    blank = STRATEGY.model(setup)
    assert isinstance(blank, MixtureModel)

    def share(of: MixtureModel, seat: Seat) -> float:
        points = SaviomViewpoints(belief.roles, seat, citizen, np.array([0]))
        return of.shares(seat, points, np.array([1.0]))[kind]

    gains = [share(model, seat) > share(blank, seat) for seat in citizens]
    assert sum(gains) > len(gains) / 2


# Hiding


def test_a_wolf_can_pose_as_a_citizen() -> None:
    play = dealt(TABLES[0], 9, town(6, (2, 5)))
    heard = as_citizen(play.events_for(2), 2)
    belief = SaviomBelief(RULES, TABLES[0], 2)
    belief.hear_all(heard)
    assert belief.certain() == {2: Role.CITIZEN}
