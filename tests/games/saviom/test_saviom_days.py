"""Saviom by day: who is dealt what, accusations, the defense, leaving, dying, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from roundtable.core.actions import Say
from roundtable.core.errors import IllegalAction, SetupError
from roundtable.core.events import PhaseBegan, Said
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games import make_setup, new_game
from roundtable.games.saviom.actions import Accuse, Judge, LockIn, Surrender, WithdrawAccusation
from roundtable.games.saviom.events import (
    AccusationMade,
    AccusationWithdrawn,
    FateRevealed,
    PackMet,
    PlayerDied,
    RoleDealt,
    VerdictMarked,
    VerdictsCounted,
)
from roundtable.games.saviom.game import Saviom
from roundtable.games.saviom.setup import Role
from support.chances import every_outcome
from support.scenes import SEED, do, heard, last, refusal, saviom

LETTERS = {"W": Role.WOLF, "C": Role.CITIZEN, "P": Role.PROTECTOR, "S": Role.SEER}

# As the rulebook's tables have them: players -> how many of each role, in the order of the letters above.
CLASSIC = {6: (2, 4), 7: (2, 5), 8: (2, 6), 9: (2, 7), 10: (3, 7), 11: (3, 8), 12: (3, 9)}
ADVANCED = {
    6: (2, 3, 0, 1),
    7: (2, 4, 1, 0),
    8: (2, 4, 1, 1),
    9: (2, 5, 1, 1),
    10: (3, 5, 1, 1),
    11: (3, 6, 1, 1),
    12: (3, 7, 1, 1),
}
TABLES = [(mode, seats) for mode in ("classic", "advanced") for seats in range(6, 13)]


def town(roles: str = "WWCCCC", **options: Any) -> Play[Any, Any]:
    """A table with these roles, a letter for each seat."""
    mode = "advanced" if set("PS") & set(roles) else "classic"
    return saviom([LETTERS[letter] for letter in roles], mode=mode, **options)


def everyone_at(play: Play[Any, Any]) -> list[int]:
    return [*range(play.state.setup.seats), SPECTATOR]


def accuse(play: Play[Any, Any], accusers: Iterable[Seat], target: Seat) -> None:
    for seat in accusers:
        do(play, seat, Accuse, target=target)


def on_trial(accused: Seat, roles: str = "WWCCCC", **options: Any) -> Play[Any, Any]:
    """A town whose other people have all accused this one."""
    play = town(roles, **options)
    accuse(play, set(range(len(roles))) - {accused}, accused)
    play.expire()
    return play


def judge(play: Play[Any, Any], eliminate: Iterable[Seat] = (), save: Iterable[Seat] = ()) -> None:
    for verdict, seats in ((True, eliminate), (False, save)):
        for seat in seats:
            do(play, seat, Judge, eliminate=verdict)


def condemn(play: Play[Any, Any], accused: Seat) -> None:
    """By day: everyone alive accuses and eliminates this player."""
    jury = play.state.alive - {accused}
    accuse(play, jury, accused)
    play.expire()
    judge(play, eliminate=jury)
    play.expire()


def hearers(play: Play[Any, Any], seat: Seat, channel: str = "table") -> set[int]:
    """Who hears a line that this seat says there."""
    before = {listener: len(heard(play, listener, Said)) for listener in everyone_at(play)}
    play.act(seat, Say(channel=channel, text="Not me!"))
    return {listener for listener, lines in before.items() if len(heard(play, listener, Said)) > lines}


def is_silent(play: Play[Any, Any], seat: Seat, channel: str = "table") -> bool:
    with pytest.raises(IllegalAction) as refused:
        play.act(seat, Say(channel=channel, text="But I ..."))
    return refused.value.code == "talk/closed"


# The deal


@pytest.mark.parametrize(("mode", "seats"), [("classic", 6), ("classic", 7), ("advanced", 6), ("advanced", 7)])
def test_every_seating_of_the_roles_is_equally_likely(mode: str, seats: int) -> None:  # S1
    setup = make_setup("saviom", seats, {"mode": mode})
    counts = (CLASSIC if mode == "classic" else ADVANCED)[seats]
    seatings = set(permutations([role for role, count in zip(Role, counts, strict=False) for _ in range(count)]))
    likelihood = every_outcome(lambda chance: Saviom().deal(setup, chance))
    assert likelihood == dict.fromkeys(seatings, Fraction(1, len(seatings)))


@pytest.mark.parametrize("seats", [0, 5, 13])
def test_a_town_of_fewer_than_six_or_more_than_twelve_is_refused_with_the_range(seats: int) -> None:  # S1
    with pytest.raises(SetupError) as refused:
        make_setup("saviom", seats)
    assert refused.value.code == "setup/seats"
    assert "6 to 12" in refused.value.message


@pytest.mark.parametrize(("mode", "seats"), TABLES)
def test_each_mode_has_its_roles_by_number_of_players(mode: str, seats: int) -> None:  # S1, S2, S3
    dealt = Counter(new_game("saviom", seats, SEED, mode=mode).state.roles.values())
    counts = (CLASSIC if mode == "classic" else ADVANCED)[seats]
    assert dealt == +Counter(dict(zip(Role, counts, strict=False)))


def test_a_town_is_classic_unless_it_chooses_otherwise() -> None:  # S2
    assert set(new_game("saviom", 12, SEED).state.roles.values()) == {Role.WOLF, Role.CITIZEN}


def test_wolves_know_one_another_and_nobody_else_does() -> None:  # S4
    play = town("WCPWSCCC")
    packs = {listener: [set(event.wolves) for event in heard(play, listener, PackMet)] for listener in range(8)}
    assert packs == {seat: [{0, 3}] if seat in (0, 3) else [] for seat in range(8)}
    assert heard(play, SPECTATOR, PackMet) == []


def test_everybody_is_told_their_own_role_and_no_other() -> None:  # S4, C4
    play = town("WCPWSCCC")
    known = {listener: play.view(listener).roles for listener in everyone_at(play)}
    assert known == {**{seat: {seat: role} for seat, role in play.state.roles.items()}, SPECTATOR: {}}
    assert [len(heard(play, listener, RoleDealt)) for listener in everyone_at(play)] == [1] * 8 + [0]


@pytest.mark.parametrize("listener", [0, 4, SPECTATOR])
def test_everybody_knows_how_many_of_each_role_were_dealt(listener: int) -> None:  # S4
    play = town("WCPWSCCC")
    assert Counter(play.view(listener).setup.all_roles) == Counter(play.state.roles.values())


# Phases and their time


@pytest.mark.parametrize(("options", "first"), [({}, "day"), ({"begins_with": "night"}, "night")])
def test_a_game_begins_by_day_unless_the_town_chooses_night(options: dict[str, str], first: str) -> None:  # S5
    assert town(**options).phase.name == first


@pytest.mark.parametrize(
    ("options", "lengths"),
    [
        ({}, {"day": 120, "defense": 30, "night": 60}),
        (
            {"day_seconds": 300, "defense_seconds": 45, "night_seconds": 20},
            {"day": 300, "defense": 45, "night": 20},
        ),
    ],
)
def test_each_phase_has_its_length_and_everybody_sees_it(options: Any, lengths: dict[str, int]) -> None:  # S5
    play = on_trial(5, **options)
    play.expire()
    play.expire()
    phases = [(event.name, event.seconds) for event in heard(play, SPECTATOR, PhaseBegan)]
    assert phases == [(name, lengths[name]) for name in ("day", "defense", "night", "day")]


def test_a_day_and_a_defense_take_their_whole_time_even_when_all_have_voted() -> None:  # S5
    play = town()
    accuse(play, range(5), 5)
    do(play, 5, Accuse, target=0)
    assert play.phase.name == "day"
    play.expire()
    judge(play, eliminate=range(5))
    assert play.phase.name == "defense"
    play.expire()
    assert play.phase.name == "night"


def test_nothing_can_be_locked_in_unless_the_town_ends_its_days_early() -> None:  # S5
    play = town()
    accuse(play, [0], 5)
    assert refusal(play, 0, LockIn) == "action/not_now"


def test_an_early_day_ends_with_the_last_vote_that_is_locked_in() -> None:  # S5
    play = town(early_end=True)
    accuse(play, range(5), 5)
    accuse(play, [5], 0)
    for seat in range(5):
        do(play, seat, LockIn)
    assert play.phase.name == "day"
    do(play, 5, LockIn)
    assert play.phase.name == "defense"


def test_an_early_defense_ends_without_waiting_for_the_accused() -> None:  # S5, S7
    play = on_trial(5, early_end=True)
    judge(play, eliminate=range(4), save=[4])
    for seat in range(4):
        do(play, seat, LockIn)
    assert play.phase.name == "defense"
    do(play, 4, LockIn)
    assert (play.phase.name, play.state.alive) == ("night", frozenset(range(5)))


def test_a_vote_is_needed_to_lock_in_and_stands_once_it_is() -> None:  # S5
    play = town(early_end=True)
    assert refusal(play, 0, LockIn) == "action/not_now"
    accuse(play, [0], 5)
    do(play, 0, LockIn)
    assert {refusal(play, 0, kind) for kind in (WithdrawAccusation, LockIn)} == {"action/not_now"}
    assert refusal(play, 0, Accuse, target=4) == "action/not_now"
    assert play.state.accusations == {0: 5}


def test_a_verdict_that_is_locked_in_stands_as_well() -> None:  # S5, S7
    play = on_trial(5, early_end=True)
    assert refusal(play, 0, LockIn) == "action/not_now"
    judge(play, save=[0])
    do(play, 0, LockIn)
    assert refusal(play, 0, Judge, eliminate=True) == "action/not_now"


# The day


def test_by_day_everybody_alive_may_talk_and_everybody_hears_it() -> None:  # S6
    play = town()
    assert all(hearers(play, seat) == set(everyone_at(play)) for seat in range(6))


def test_votes_are_public_as_they_stand_change_and_go() -> None:  # S6
    play = town()
    accuse(play, [2], 0)
    accuse(play, [3], 0)
    accuse(play, [2], 1)
    do(play, 3, WithdrawAccusation)
    for listener in everyone_at(play):
        votes = [(event.seat, event.target) for event in heard(play, listener, AccusationMade)]
        assert votes == [(2, 0), (3, 0), (2, 1)]
        assert [event.seat for event in heard(play, listener, AccusationWithdrawn)] == [3]
        assert play.view(listener).accusations == {2: 1}


def test_only_a_vote_that_was_given_can_be_withdrawn() -> None:  # S6
    assert refusal(town(), 2, WithdrawAccusation) == "action/not_now"


def test_nobody_votes_for_themself_for_the_dead_or_for_someone_who_is_not_there() -> None:  # S6
    play = town("WWCCCCC")
    do(play, 6, Surrender)
    assert [refusal(play, 2, Accuse, target=target) for target in (2, 6, 7, -1)] == ["action/not_allowed"] * 4


@pytest.mark.parametrize(
    ("roles", "votes", "phase"),
    [
        ("WWCCCC", {0: 5, 1: 5, 2: 5}, "night"),  # three of six are half, not more
        ("WWCCCC", {0: 5, 1: 5, 2: 5, 3: 5}, "defense"),
        ("WWCCCC", {0: 5, 1: 5, 2: 5, 3: 4, 4: 3, 5: 3}, "night"),
        ("WWCCCCC", {0: 6, 1: 6, 2: 6}, "night"),
        ("WWCCCCC", {0: 6, 1: 6, 2: 6, 6: 0, 3: 6}, "defense"),
        ("WWCCCC", {}, "night"),
    ],
)
def test_votes_of_more_than_half_of_the_living_lead_to_a_trial(  # S6
    roles: str, votes: Mapping[Seat, Seat], phase: str
) -> None:
    play = town(roles)
    for seat, target in votes.items():
        accuse(play, [seat], target)
    play.expire()
    assert play.phase.name == phase
    assert play.state.accused == (len(roles) - 1 if phase == "defense" else None)


def test_the_dead_do_not_count_towards_half_of_the_living() -> None:  # S6
    play = town("WWCCCCCC")  # half of eight would be more than four votes, half of seven is fewer
    do(play, 7, Surrender)
    accuse(play, range(4), 6)
    play.expire()
    assert play.state.accused == 6


@pytest.mark.parametrize(
    ("votes", "trial_by", "accused"),
    [
        ({0: 5}, "living", None),
        ({0: 5}, "cast", 5),
        ({0: 5, 1: 5, 2: 4}, "living", None),
        ({0: 5, 1: 5, 2: 4}, "cast", 5),
        ({0: 5, 1: 4}, "cast", None),
        ({}, "cast", None),
    ],
)
def test_a_town_may_count_the_votes_cast_instead(  # S6
    votes: Mapping[Seat, Seat], trial_by: str, accused: Seat | None
) -> None:
    play = town(trial_by=trial_by)
    for seat, target in votes.items():
        accuse(play, [seat], target)
    play.expire()
    assert play.state.accused == accused


# The defense


def test_in_the_defense_the_accused_alone_speaks_and_everybody_hears() -> None:  # S7
    play = on_trial(5)
    assert hearers(play, 5) == set(everyone_at(play))
    assert all(is_silent(play, seat) for seat in range(5))


def test_the_accused_does_not_vote_and_the_others_may_only_judge() -> None:  # S7
    play = on_trial(5)
    assert refusal(play, 5, Judge, eliminate=False) == "action/not_now"
    assert refusal(play, 0, Accuse, target=4) == "action/not_now"
    judge(play, save=range(5))


def test_verdicts_are_secret_until_the_end_and_then_public_by_name() -> None:  # S7
    play = on_trial(5)
    judge(play, eliminate=[0, 2], save=[1])
    judge(play, save=[2])  # changed
    for listener in everyone_at(play):
        assert {event.seat for event in heard(play, listener, VerdictMarked)} == {listener} & {0, 1, 2}
        assert heard(play, listener, VerdictsCounted) == []
    play.expire()
    for listener in everyone_at(play):
        (count,) = heard(play, listener, VerdictsCounted)
        assert (count.accused, count.eliminate, count.save) == (5, (0,), (1, 2))


@pytest.mark.parametrize(
    ("eliminate", "save", "dies"),
    [
        (range(5), (), True),
        ((0, 1, 2), (3, 4), True),
        ((0, 1), (2, 3), False),  # a tie saves
        ((), (), False),  # and so does silence
        ((0,), (), True),  # no majority of the living is needed
        ((), range(5), False),
        ((0,), (1, 2), False),
    ],
)
def test_more_eliminate_than_save_eliminates_and_then_night_falls(  # S7
    eliminate: Iterable[Seat], save: Iterable[Seat], dies: bool
) -> None:
    play = on_trial(5)  # who neither speaks nor moves, and is tried all the same
    judge(play, eliminate, save)
    play.expire()
    assert (5 not in play.state.alive) is dies
    assert play.phase.name == "night"


def test_the_accused_saved_today_can_be_tried_tomorrow() -> None:  # S7
    play = on_trial(5)
    play.expire()
    play.expire()
    assert play.state.accusations == {}
    condemn(play, 5)
    assert 5 not in play.state.alive


# Leaving, dying and being dead


def test_who_surrenders_by_day_dies_at_once_and_votes_by_and_on_them_vanish() -> None:  # S12
    play = town("WWCCCCCC")
    accuse(play, [7], 0)
    accuse(play, [2, 3], 7)
    accuse(play, [4], 0)
    do(play, 7, Surrender)
    assert (play.phase.name, 7 in play.state.alive) == ("day", False)
    assert play.view(SPECTATOR).accusations == {4: 0}


def test_the_dead_are_awaited_no_longer() -> None:  # S12, C8
    play = town("WWCCCCCC")
    do(play, 7, Surrender)
    for listener in (0, 7, SPECTATOR):
        assert play.view(listener).phase.awaited == frozenset(range(7))


def test_what_the_dead_still_try_is_refused() -> None:  # S12
    play = town("WWCCCCC")
    do(play, 6, Surrender)
    assert play.options(6) == ()
    assert refusal(play, 6, Accuse, target=0) == "action/not_now"
    assert refusal(play, 6, Surrender) == "action/not_now"


def test_the_dead_talk_among_themselves_and_see_everything_public() -> None:  # S12
    play = town("WWCCCCCCC")
    do(play, 8, Surrender)
    assert hearers(play, 8, "dead") == {8}
    do(play, 7, Surrender)
    assert hearers(play, 7, "dead") == hearers(play, 8, "dead") == {7, 8}
    assert all(is_silent(play, seat) for seat in (7, 8))
    assert is_silent(play, 0, "dead")
    assert {7, 8} <= hearers(play, 0)
    accuse(play, [0], 1)
    assert heard(play, 7, AccusationMade) == heard(play, 0, AccusationMade) != []


def test_the_accused_who_surrenders_ends_the_defense_and_night_falls() -> None:  # S12
    play = on_trial(5)
    judge(play, save=range(5))
    do(play, 5, Surrender)
    assert (play.phase.name, play.state.alive) == ("night", frozenset(range(5)))
    assert last(play, PlayerDied).cause == "surrender"
    assert heard(play, SPECTATOR, VerdictsCounted) == []


def test_a_judge_who_surrenders_takes_the_verdict_along_and_the_trial_goes_on() -> None:  # S12, S7
    play = on_trial(7, "WWCCCCCC")
    judge(play, eliminate=[2, 3], save=[4])
    do(play, 2, Surrender)
    assert (play.phase.name, play.state.accused) == ("defense", 7)
    assert hearers(play, 7) == set(everyone_at(play))
    play.expire()
    count = last(play, VerdictsCounted)
    assert (count.eliminate, count.save) == ((3,), (4,))
    assert 7 in play.state.alive


def test_a_surrender_can_leave_only_locked_votes_and_so_end_an_early_day() -> None:  # S5, S12
    play = town("WWCCCCC", early_end=True)
    accuse(play, range(5), 5)
    accuse(play, [5], 0)
    for seat in range(6):
        do(play, seat, LockIn)
    assert play.phase.name == "day"
    do(play, 6, Surrender)
    assert play.phase.name == "defense"


def test_who_had_locked_in_a_vote_on_someone_who_left_is_free_again() -> None:  # S5, S12
    play = town("WWCCCCC", early_end=True)
    accuse(play, [2], 6)
    do(play, 2, LockIn)
    do(play, 6, Surrender)
    accuse(play, [2], 5)
    assert play.state.accusations == {2: 5}


@pytest.mark.parametrize(
    ("reveal_on_death", "seat", "revealed"),
    [
        ("none", 0, []),
        ("none", 3, []),
        ("side", 0, ["Wolves"]),
        ("side", 3, ["Citizens"]),
        ("role", 0, ["Wolf"]),
        ("role", 3, ["Seer"]),
    ],
)
@pytest.mark.parametrize("by_verdict", [True, False])
def test_death_reveals_nothing_the_side_or_the_role_as_the_town_agreed(  # S11
    reveal_on_death: str, seat: Seat, revealed: list[str], by_verdict: bool
) -> None:
    play = town("WWPSCCCC", reveal_on_death=reveal_on_death)
    if by_verdict:
        condemn(play, seat)
    else:
        do(play, seat, Surrender)
    for listener in everyone_at(play):
        assert [event.revealed for event in heard(play, listener, FateRevealed)] == revealed
        assert [event.seat for event in heard(play, listener, PlayerDied)] == [seat]


def test_death_reveals_nothing_unless_the_town_chooses_it() -> None:  # S11
    assert town().state.setup.reveal_on_death == "none"


# The end


@pytest.mark.parametrize("by_verdict", [True, False])
def test_the_citizens_win_when_no_wolf_is_left(by_verdict: bool) -> None:  # S13, S12, S3
    play = town("WWPSCCCC")
    do(play, 0, Surrender)
    if by_verdict:
        condemn(play, 1)
    else:
        do(play, 1, Surrender)
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.seats) == ("Citizens", (2, 3, 4, 5, 6, 7))


@pytest.mark.parametrize("by_verdict", [True, False])
def test_the_wolves_win_as_soon_as_they_are_as_many_as_the_others(by_verdict: bool) -> None:  # S13, S12
    play = town()
    do(play, 5, Surrender)
    assert play.outcome is None
    if by_verdict:
        condemn(play, 4)
    else:
        do(play, 4, Surrender)
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.seats) == ("Wolves", (0, 1))


def test_victory_is_looked_for_before_night_falls_and_before_the_trial_goes_on() -> None:  # S13
    condemned, bystander = town(), on_trial(2)
    do(condemned, 5, Surrender)
    condemn(condemned, 4)
    do(bystander, 5, Surrender)
    do(bystander, 4, Surrender)
    for play in (condemned, bystander):
        assert play.is_over
        assert [event.name for event in heard(play, SPECTATOR, PhaseBegan)] == ["day", "defense"]


def test_when_the_accused_surrenders_victory_comes_before_the_night() -> None:  # S12, S13
    play = town()
    do(play, 0, Surrender)
    accuse(play, range(2, 6), 1)
    play.expire()
    do(play, 1, Surrender)
    assert play.outcome is not None
    assert play.outcome.winner == "Citizens"
    assert play.phase.name == "defense"


def test_after_the_end_everybody_may_talk_again_and_nothing_more_is_played() -> None:  # S14
    play = town()
    do(play, 5, Surrender)
    do(play, 4, Surrender)
    assert all(hearers(play, seat) == set(everyone_at(play)) for seat in range(6))
    assert refusal(play, 0, Accuse, target=1) == "game/over"
    assert all(is_silent(play, seat, "dead") for seat in (4, 5))


# Missed votes and who is awaited


def test_a_missed_vote_by_day_is_no_vote_and_nobody_is_told_of_one() -> None:  # C5
    play = town()
    play.expire()
    assert (play.phase.name, play.state.alive) == ("night", frozenset(range(6)))
    assert [heard(play, listener, AccusationMade) for listener in everyone_at(play)] == [[]] * 7


def test_a_missed_verdict_counts_on_neither_side() -> None:  # C5, S7
    play = on_trial(5)
    judge(play, eliminate=[0])
    play.expire()
    count = last(play, VerdictsCounted)
    assert (count.eliminate, count.save) == ((0,), ())


def test_everybody_sees_who_is_awaited_by_day_and_in_a_defense() -> None:  # C8
    play = on_trial(7, "WWCCCCCC")
    play.expire()
    play.expire()
    for listener in everyone_at(play):
        awaited = [(event.name, event.awaited) for event in heard(play, listener, PhaseBegan)]
        assert awaited[:2] == [("day", frozenset(range(8))), ("defense", frozenset(range(7)))]
