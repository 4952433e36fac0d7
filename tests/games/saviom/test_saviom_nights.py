"""Saviom by night: Wolves, Protector and Seer, everyone else's tap, dawn, and what is public in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest

from roundtable.core.actions import Move, Say
from roundtable.core.codec import encode
from roundtable.core.errors import IllegalAction
from roundtable.core.events import PhaseBegan, Said, SecretsRevealed
from roundtable.core.game import is_fact, with_secrets
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, LockIn, Protect, Surrender, Suspect
from roundtable.games.saviom.events import (
    AccusationMade,
    DayEnded,
    HuntMarked,
    HuntWithdrawn,
    InspectionChosen,
    InspectionShown,
    NightEnded,
    PlayerDied,
    ProtectionChosen,
    SurrenderPledged,
    SuspectNamed,
    VerdictMarked,
)
from roundtable.games.saviom.setup import Role
from support.scenes import do, heard, last, refusal, saviom

LETTERS = {"W": Role.WOLF, "C": Role.CITIZEN, "P": Role.PROTECTOR, "S": Role.SEER}
ADVANCED = "WWPSCCCC"
WOLVES, PROTECTOR, SEER, CITIZENS = (0, 1), 2, 3, (4, 5, 6, 7)

Taps = Sequence[tuple[Seat, type[Move], Seat]]


def night(roles: str = ADVANCED, **options: Any) -> Play[Any, Any]:
    """A town on its first night, a letter for each seat."""
    mode = "advanced" if set("PS") & set(roles) else "classic"
    play = saviom([LETTERS[letter] for letter in roles], mode=mode, **options)
    if play.phase.name == "day":
        play.expire()
    return play


def tap(play: Play[Any, Any], taps: Taps) -> None:
    for seat, kind, target in taps:
        do(play, seat, kind, target=target)


def dawn(play: Play[Any, Any], taps: Taps = ()) -> Seat | None:
    """The night goes by with these choices; whom did it take?"""
    tap(play, taps)
    play.expire()
    killed: Seat | None = last(play, NightEnded).killed
    return killed


def next_night(play: Play[Any, Any]) -> None:
    while play.phase.name != "night":
        play.expire()


def everyone_at(play: Play[Any, Any]) -> list[int]:
    return [*range(play.state.setup.seats), SPECTATOR]


def targets(play: Play[Any, Any], seat: Seat, kind: type[Move]) -> set[Seat]:
    """Whom a seat may name in an action of that kind."""
    return {action.target for option in play.options(seat) if option.kind is kind for action in option}  # type: ignore[attr-defined]


def received(play: Play[Any, Any], listener: int) -> list[bytes]:
    return [encode(line) for line in play.heard(listener)]


def who_can_tell(one: Play[Any, Any], other: Play[Any, Any]) -> set[int]:
    """The listeners for whom two tables were not the same."""
    return {listener for listener in everyone_at(one) if received(one, listener) != received(other, listener)}


def hearers(play: Play[Any, Any], seat: Seat, channel: str) -> set[int]:
    before = {listener: len(heard(play, listener, Said)) for listener in everyone_at(play)}
    play.act(seat, Say(channel=channel, text="Psst."))
    return {listener for listener, lines in before.items() if len(heard(play, listener, Said)) > lines}


def is_silent(play: Play[Any, Any], seat: Seat, channel: str) -> bool:
    with pytest.raises(IllegalAction) as refused:
        play.act(seat, Say(channel=channel, text="Hello?"))
    return refused.value.code == "talk/closed"


# Wolves


def test_at_night_nobody_talks_at_the_table_and_wolves_talk_among_themselves() -> None:  # S8
    play = night()
    assert all(is_silent(play, seat, "table") for seat in range(8))
    assert all(is_silent(play, seat, "wolves") for seat in (PROTECTOR, SEER, *CITIZENS))
    assert all(hearers(play, wolf, "wolves") == set(WOLVES) for wolf in WOLVES)


@pytest.mark.parametrize("begins_with", ["day", "night"])
def test_by_day_the_wolves_channel_is_closed(begins_with: str) -> None:  # S8
    play = night(begins_with=begins_with)
    play.expire()
    assert all(is_silent(play, wolf, "wolves") for wolf in WOLVES)
    assert hearers(play, 0, "table") == set(everyone_at(play))


def test_a_dead_wolf_no_longer_hears_the_wolves_nor_sees_their_votes() -> None:  # S12, S8
    play = saviom([Role.WOLF] * 3 + [Role.CITIZEN] * 7)
    do(play, 2, Surrender)
    next_night(play)
    assert hearers(play, 0, "wolves") == {0, 1}
    assert is_silent(play, 2, "wolves")
    do(play, 0, Hunt, target=5)
    assert [len(heard(play, wolf, HuntMarked)) for wolf in (0, 1, 2)] == [1, 1, 0]


def test_wolves_see_one_anothers_votes_as_they_stand_and_nobody_else_does() -> None:  # S8
    play = night()
    tap(play, [(0, Hunt, 4), (1, Hunt, 5), (0, Hunt, 5)])
    for listener in everyone_at(play):
        votes = [(event.seat, event.target) for event in heard(play, listener, HuntMarked)]
        assert votes == ([(0, 4), (1, 5), (0, 5)] if listener in WOLVES else [])


def test_a_wolf_may_name_any_living_player_who_is_not_a_wolf() -> None:  # S8
    play = saviom([Role.WOLF] * 3 + [Role.CITIZEN] * 7)
    do(play, 9, Surrender)
    do(play, 2, Surrender)
    next_night(play)
    assert targets(play, 0, Hunt) == set(range(3, 9))
    assert [refusal(play, 0, Hunt, target=target) for target in (0, 1, 2, 9)] == ["action/not_allowed"] * 4


def test_only_wolves_hunt_and_only_at_night() -> None:  # S8
    play = night()
    assert {refusal(play, seat, Hunt, target=4) for seat in (PROTECTOR, SEER, 5)} == {"action/not_now"}
    play.expire()
    assert refusal(play, 0, Hunt, target=4) == "action/not_now"


@pytest.mark.parametrize(
    ("votes", "cast", "living"),
    [
        ({0: 5, 1: 5, 2: 5}, 5, 5),
        ({0: 5, 1: 5, 2: 6}, 5, 5),
        ({0: 5, 1: 5}, 5, 5),
        ({0: 5}, 5, None),  # all votes cast, and a third of the Wolves
        ({0: 5, 1: 6}, None, None),
        ({0: 5, 1: 6, 2: 7}, None, None),
        ({}, None, None),
    ],
)
def test_the_wolves_kill_whom_more_than_half_of_them_name(  # S8
    votes: Mapping[Seat, Seat], cast: Seat | None, living: Seat | None
) -> None:
    taps = [(wolf, Hunt, target) for wolf, target in votes.items()]
    roles = "WWWCCCCCCC"
    assert dawn(night(roles), taps) == cast
    assert dawn(night(roles, kill_by="cast"), taps) == cast
    assert dawn(night(roles, kill_by="living"), taps) == living


# Protector


def test_whom_the_protector_guards_survives_the_wolves() -> None:  # S9
    hunt: Taps = [(0, Hunt, 4), (1, Hunt, 4)]
    assert dawn(night(), hunt) == 4
    assert dawn(night(), [*hunt, (PROTECTOR, Protect, 4)]) is None
    assert dawn(night(), [*hunt, (PROTECTOR, Protect, 5)]) == 4
    assert dawn(night(), [*hunt, (PROTECTOR, Protect, 4), (PROTECTOR, Protect, 5)]) == 4


@pytest.mark.parametrize(("options", "may"), [({}, False), ({"protect_self": True}, True)])
def test_the_protector_guards_another_living_player_or_themself_where_allowed(  # S9
    options: dict[str, Any], may: bool
) -> None:
    play = night(**options)
    dawn(play, [(0, Hunt, 7)])
    next_night(play)
    assert targets(play, PROTECTOR, Protect) == set(range(7)) - (set() if may else {PROTECTOR})


@pytest.mark.parametrize(("options", "may"), [({}, True), ({"protect_twice": False}, False)])
def test_the_same_player_may_be_guarded_twice_in_a_row_unless_the_town_forbids_it(  # S9
    options: dict[str, Any], may: bool
) -> None:
    play = night(quiet_limit=9, **options)
    dawn(play, [(PROTECTOR, Protect, 4)])
    next_night(play)
    assert (4 in targets(play, PROTECTOR, Protect)) is may
    play.expire()  # a night without a choice breaks the row
    next_night(play)
    assert 4 in targets(play, PROTECTOR, Protect)


def test_only_the_protector_protects_and_only_the_seer_inspects() -> None:  # S9, S10
    play = night()
    assert {refusal(play, seat, Protect, target=5) for seat in (0, SEER, 4)} == {"action/not_now"}
    assert {refusal(play, seat, Inspect, target=5) for seat in (0, PROTECTOR, 4)} == {"action/not_now"}


# Seer


@pytest.mark.parametrize(("target", "is_wolf"), [(0, True), (1, True), (PROTECTOR, False), (4, False)])
@pytest.mark.parametrize("prey", [SEER, 5, None])
def test_the_seer_learns_at_dawn_alone_whether_a_player_is_a_wolf_dead_or_alive(  # S10
    target: Seat, is_wolf: bool, prey: Seat | None
) -> None:
    play = night()
    hunt: Taps = [] if prey is None else [(0, Hunt, prey)]
    tap(play, [*hunt, (SEER, Inspect, 6), (SEER, Inspect, target)])
    assert heard(play, SEER, InspectionShown) == []
    play.expire()
    for listener in everyone_at(play):
        shown = [(event.target, event.is_wolf) for event in heard(play, listener, InspectionShown)]
        assert shown == ([(target, is_wolf)] if listener == SEER else [])


def test_the_seer_inspects_another_living_player_and_learns_nothing_by_choosing_nobody() -> None:  # S10, C5
    play = night()
    dawn(play, [(0, Hunt, 7)])
    next_night(play)
    assert targets(play, SEER, Inspect) == set(range(7)) - {SEER}
    play.expire()
    assert heard(play, SEER, InspectionShown) == []


# What every player does at night, and what no other player can tell


def test_night_actions_are_simultaneous_so_their_order_decides_nothing() -> None:  # S11
    taps: Taps = [(0, Hunt, SEER), (1, Hunt, SEER), (PROTECTOR, Protect, 4), (SEER, Inspect, 0)]
    ends = set()
    for order in permutations(taps):
        play = night()
        killed = dawn(play, order)
        ends.add((killed, heard(play, SEER, InspectionShown)[0].is_wolf, encode(play.state.facts())))
    assert len(ends) == 1


def test_every_living_player_has_something_to_tap_and_is_awaited_whatever_they_did() -> None:  # S11, C8
    play = night()
    for seat in range(8):
        tapped = [option for option in play.options(seat) if option.kind is not Surrender]
        assert tapped
        play.act(seat, next(iter(tapped[0])))
    do(play, 4, Surrender)
    for listener in everyone_at(play):
        assert play.view(listener).phase.awaited == frozenset(range(8))


def test_a_suspect_is_recorded_private_and_without_effect() -> None:  # S11
    play = night()
    tap(play, [(seat, Suspect, 0) for seat in CITIZENS])
    for listener in everyone_at(play):
        named = [(event.seat, event.target) for event in heard(play, listener, SuspectNamed)]
        assert named == ([(listener, 0)] if listener in CITIZENS else [])
    assert dawn(play) is None
    assert play.state.alive == frozenset(range(8))


@pytest.mark.parametrize(("seat", "choice"), [(PROTECTOR, Protect), (SEER, Inspect)])
def test_protector_and_seer_name_a_suspect_once_they_have_chosen(seat: Seat, choice: type[Move]) -> None:  # S11
    play = night()
    assert refusal(play, seat, Suspect, target=4) == "action/not_now"
    tap(play, [(seat, choice, 4), (seat, Suspect, 5)])
    assert [event.target for event in heard(play, seat, SuspectNamed)] == [5]


EVERYBODY: Taps = [
    *((0, Hunt, 4), (1, Hunt, 4), (PROTECTOR, Protect, 5), (SEER, Inspect, 0)),
    *((seat, Suspect, 0) for seat in CITIZENS),
]


def test_a_night_takes_its_whole_time_whatever_everybody_has_done() -> None:  # S5, S11
    play = night()
    tap(play, EVERYBODY)
    assert {refusal(play, seat, LockIn) for seat in range(8)} == {"action/not_now"}
    assert play.phase.name == "night"


def test_an_early_night_ends_with_the_last_living_player_who_locks_in() -> None:  # S11
    play = night(early_end=True)
    assert {refusal(play, seat, LockIn) for seat in range(8)} == {"action/not_now"}
    tap(play, EVERYBODY)
    for seat in (5, 1, 7, SEER, 0, 4, PROTECTOR):
        do(play, seat, LockIn)
        assert play.phase.name == "night"
    do(play, 6, LockIn)
    assert (play.phase.name, last(play, NightEnded).killed) == ("day", 4)
    assert [event.is_wolf for event in heard(play, SEER, InspectionShown)] == [True]


def test_a_choice_that_is_locked_in_by_night_stands() -> None:  # S11
    play = night(early_end=True)
    tap(play, EVERYBODY)
    for seat, kind, target in EVERYBODY:
        do(play, seat, LockIn)
        if play.phase.name == "night":
            assert {refusal(play, seat, kind, target=target), refusal(play, seat, LockIn)} == {"action/not_now"}


def test_only_the_player_hears_that_a_choice_of_the_night_is_locked_in() -> None:  # S11, C4
    play, other = night(early_end=True), night(early_end=True)
    for one in (play, other):
        tap(one, EVERYBODY)
    do(play, 4, LockIn)
    do(play, 0, LockIn)
    assert who_can_tell(play, other) == {0, 4}
    assert play.phase == other.phase


def test_an_early_night_does_not_wait_for_players_who_leave_at_dawn() -> None:  # S11, S12
    play = night(early_end=True)
    tap(play, EVERYBODY)
    for seat in range(7):
        do(play, seat, LockIn)
    do(play, 7, Surrender)
    assert play.phase.name == "day"
    assert {event.seat for event in heard(play, SPECTATOR, PlayerDied)} == {4, 7}


def test_a_protector_who_can_protect_nobody_locks_a_suspect_in() -> None:  # S9, S11
    play = night(early_end=True, protect_twice=False)
    play.state.protected_last = {PROTECTOR: 4}
    play.state.alive = frozenset((PROTECTOR, 4))
    do(play, PROTECTOR, Suspect, target=4)
    assert LockIn in {option.kind for option in play.options(PROTECTOR)}


RESCUE: Taps = [(0, Hunt, 4), (1, Hunt, 4), (PROTECTOR, Protect, 4)]
QUARREL: Taps = [(0, Hunt, 4), (1, Hunt, 5), (PROTECTOR, Protect, 4)]
IN_VAIN: Taps = [(0, Hunt, 4), (1, Hunt, 5), (PROTECTOR, Protect, 6)]
NOTHING: Taps = []


@pytest.mark.parametrize("reveal_on_death", ["none", "role"])
@pytest.mark.parametrize(
    ("taps", "involved"), [(QUARREL, {1}), (IN_VAIN, {1, PROTECTOR}), (NOTHING, {*WOLVES, PROTECTOR})]
)
def test_a_rescue_reads_like_a_night_without_agreement(  # S11, C4, C5
    taps: Taps, involved: set[Seat], reveal_on_death: str
) -> None:
    rescued, other = night(reveal_on_death=reveal_on_death), night(reveal_on_death=reveal_on_death)
    assert (dawn(rescued, RESCUE), dawn(other, taps)) == (None, None)
    assert involved <= who_can_tell(rescued, other) <= {*WOLVES, PROTECTOR}


@pytest.mark.parametrize(
    ("seat", "kind", "event", "also"),
    [
        (0, Hunt, HuntMarked, {1}),
        (PROTECTOR, Protect, ProtectionChosen, set()),
        (SEER, Inspect, InspectionChosen, set()),
        (4, Suspect, SuspectNamed, set()),
    ],
)
def test_nobody_can_tell_a_missed_night_action_from_one_that_was_made(  # C5, C4, S11
    seat: Seat, kind: type[Move], event: type[Any], also: set[Seat]
) -> None:
    missed, made = night(kill_by="living"), night(kill_by="living")
    tap(made, [(seat, kind, 5)])
    assert {listener for listener in everyone_at(made) if heard(made, listener, event)} == {seat} | also
    missed.expire()
    made.expire()
    assert missed.state.alive == made.state.alive
    assert who_can_tell(missed, made) == {seat} | also


def test_what_was_chosen_in_one_night_is_over_with_it() -> None:  # S8, S9, S10, S11
    play = night(quiet_limit=9)
    dawn(play, [*RESCUE, (SEER, Inspect, 0), (5, Suspect, 0)])
    next_night(play)
    assert dawn(play) is None  # no hunt, and no protection
    assert len(heard(play, SEER, InspectionShown)) == 1
    next_night(play)
    tap(play, [(5, Suspect, 0)])
    assert len(heard(play, 5, SuspectNamed)) == 2


def test_a_night_may_come_first_and_may_kill() -> None:  # S5, S8, S13
    play = night("WWCCCC", begins_with="night")
    assert dawn(play, [(0, Hunt, 5), (1, Hunt, 5)]) == 5
    assert (play.phase.name, play.phase.awaited) == ("day", frozenset(range(5)))
    assert hearers(play, 5, "dead") == {5}
    assert is_silent(play, 5, "table")


@pytest.mark.parametrize(("prey", "winner"), [((5, 4), "Wolves"), ((5,), None)])
def test_a_night_can_win_for_the_wolves(prey: Sequence[Seat], winner: str | None) -> None:  # S13
    play = night("WWCCCC")
    for target in prey:
        next_night(play)
        dawn(play, [(0, Hunt, target)])
    assert (play.outcome and play.outcome.winner) == winner
    if winner:
        assert play.phase.name == "night"  # no day begins after that


# Leaving at night


def test_who_surrenders_at_night_dies_at_dawn_and_does_nothing_more_until_then() -> None:  # S12
    play = night()
    do(play, 4, Surrender)
    assert (play.phase.name, 4 in play.state.alive, play.options(4)) == ("night", True, ())
    assert refusal(play, 4, Suspect, target=0) == "action/not_now"
    assert dawn(play) is None
    assert [(event.seat, event.cause) for event in heard(play, SPECTATOR, PlayerDied)] == [(4, "surrender")]
    next_night(play)
    dawn(play)
    assert [event.seat for event in heard(play, SPECTATOR, PlayerDied)] == [4]  # once and for all


@pytest.mark.parametrize("seat", [0, PROTECTOR, SEER, 4])
def test_until_dawn_nobody_else_learns_of_a_surrender(seat: Seat) -> None:  # S12, C4
    staying, leaving = night(), night()
    do(leaving, seat, Surrender)
    assert [event.seat for event in heard(leaving, seat, SurrenderPledged)] == [seat]
    assert who_can_tell(staying, leaving) == {seat}


def test_fellow_wolves_see_a_leaving_wolfs_vote_withdrawn_and_nobody_else_does() -> None:  # S12
    play = night("WWWCCCCCCC")
    do(play, 0, Hunt, target=5)
    do(play, 0, Surrender)
    assert {listener for listener in everyone_at(play) if heard(play, listener, HuntWithdrawn)} == {0, 1, 2}
    assert play.view(1).hunts == {}
    assert {listener for listener in everyone_at(play) if heard(play, listener, SurrenderPledged)} == {0}


def test_what_a_leaving_wolf_had_chosen_does_not_count() -> None:  # S12, S8
    play = night("WWWCCCCCCC")
    tap(play, [(0, Hunt, 5)])
    do(play, 0, Surrender)
    assert dawn(play, [(1, Hunt, 6)]) == 6
    assert play.state.alive == frozenset(range(10)) - {0, 6}


def test_a_leaving_wolf_no_longer_counts_among_the_living_ones() -> None:  # S12, S8
    play = night("WWWCCCCCCC", kill_by="living")
    do(play, 0, Surrender)
    do(play, 1, Surrender)
    assert dawn(play, [(2, Hunt, 6)]) == 6


def test_a_leaving_protector_protects_nobody() -> None:  # S12, S9
    play = night()
    tap(play, RESCUE)
    do(play, PROTECTOR, Surrender)
    assert dawn(play) == 4
    assert play.state.alive == frozenset(range(8)) - {4, PROTECTOR}


def test_a_leaving_seer_learns_nothing() -> None:  # S12, S10
    play = night()
    tap(play, [(SEER, Inspect, 0)])
    do(play, SEER, Surrender)
    play.expire()
    assert heard(play, SEER, InspectionShown) == []


def test_who_leaves_and_is_killed_in_one_night_dies_once() -> None:  # S12
    play = night()
    do(play, 4, Surrender)
    assert dawn(play, [(0, Hunt, 4)]) == 4
    assert [event.seat for event in heard(play, SPECTATOR, PlayerDied)] == [4]


@pytest.mark.parametrize(("leaving", "winner"), [((0, 1), "Citizens"), ((4, 5), "Wolves"), ((4,), None)])
def test_at_dawn_the_end_is_looked_for_after_those_who_left(  # S12, S13
    leaving: Iterable[Seat], winner: str | None
) -> None:
    play = night("WWCCCC")
    for seat in leaving:
        do(play, seat, Surrender)
    assert play.outcome is None
    play.expire()
    assert (play.outcome and play.outcome.winner) == winner


# Quiet towns, and the end


@pytest.mark.parametrize(("options", "limit"), [({}, 5), ({"quiet_limit": 1}, 1), ({"quiet_limit": 8}, 8)])
@pytest.mark.parametrize("begins_with", ["day", "night"])
def test_a_town_that_does_nothing_ends_without_a_winner(  # S15
    options: dict[str, int], limit: int, begins_with: str
) -> None:
    play = saviom([Role.WOLF] * 2 + [Role.CITIZEN] * 4, begins_with=begins_with, **options)
    for _ in range(limit):
        assert play.outcome is None
        play.expire()
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.seats) == (None, ())


def test_a_day_and_its_defense_count_once_and_a_death_by_day_or_night_starts_the_count_anew() -> None:  # S15
    play = saviom([Role.WOLF] * 2 + [Role.CITIZEN] * 7, quiet_limit=3)

    def tried(*, eliminate: bool) -> None:
        for seat in range(7):
            do(play, seat, Accuse, target=8)
        play.expire()
        for seat in range(7):
            do(play, seat, Judge, eliminate=eliminate)
        play.expire()

    def counted() -> int:
        quiet: int = [event for event in play.events if isinstance(event, DayEnded | NightEnded)][-1].quiet
        return quiet

    counts = []
    for part in (
        lambda: tried(eliminate=False),
        play.expire,  # a quiet night
        lambda: tried(eliminate=True),
        play.expire,
        lambda: (do(play, 7, Surrender), play.expire()),
        play.expire,
        play.expire,
        lambda: dawn(play, [(0, Hunt, 6)]),
        play.expire,
    ):
        part()
        counts.append(counted())
    assert counts == [1, 2, 0, 1, 0, 1, 2, 0, 1]
    assert play.outcome is None


def test_a_surrender_at_night_is_a_death_and_keeps_the_town_going() -> None:  # S15, S12
    play = night(quiet_limit=2)
    do(play, 4, Surrender)
    play.expire()
    assert play.outcome is None
    play.expire()
    play.expire()
    assert play.is_over


def full_game() -> Play[Any, Any]:
    """Every kind of secret vote and night action, until the Wolves have won."""
    play = night()
    tap(play, [*RESCUE, (PROTECTOR, Suspect, 0), (SEER, Inspect, 0), (4, Suspect, 1)])
    play.act(0, Say(channel="wolves", text="The fourth?"))
    play.expire()
    for seat in range(7):
        do(play, seat, Accuse, target=7)
    play.expire()
    for seat in range(7):
        do(play, seat, Judge, eliminate=seat > 4)
    play.expire()
    do(play, 5, Surrender)
    dawn(play, [(0, Hunt, 4), (1, Hunt, 4), (PROTECTOR, Protect, 6)])
    do(play, 6, Surrender)
    do(play, 7, Surrender)
    return play


@pytest.mark.parametrize("listener", [*range(8), SPECTATOR])
def test_after_the_end_everybody_can_rebuild_the_whole_record(listener: int) -> None:  # S14
    play = full_game()
    record = with_secrets(line.event for line in play.heard(listener))
    assert record == [event for event in play.events if is_fact(event)]
    assert play.view(listener).roles == play.state.roles


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        (HuntMarked, {(0, 4), (1, 4)}),
        (ProtectionChosen, {(PROTECTOR, 4), (PROTECTOR, 6)}),
        (InspectionChosen, {(SEER, 0)}),
        (SuspectNamed, {(PROTECTOR, 0), (4, 1)}),
        (AccusationMade, {(seat, 7) for seat in range(7)}),
    ],
)
def test_after_the_end_all_votes_and_night_actions_are_public(  # S14
    kind: type[Any], facts: set[tuple[Seat, Seat]]
) -> None:
    record = with_secrets(line.event for line in full_game().heard(SPECTATOR))
    assert {(event.seat, event.target) for event in record if isinstance(event, kind)} == facts


def test_nothing_is_unsealed_before_the_end_and_wolves_talk_never_is() -> None:  # S14
    play = full_game()
    *game, end = play.entries
    assert not any(isinstance(event, SecretsRevealed) for entry in game for event in entry.events)
    (seals,) = (event for event in end.events if isinstance(event, SecretsRevealed))
    kinds = {type(fact) for _, fact in seals.secret_facts}
    assert Said not in kinds
    assert VerdictMarked in kinds


@pytest.mark.parametrize("way", [lambda play: do(play, 4, Surrender), lambda play: do(play, 0, Hunt, target=5)])
def test_who_is_awaited_at_night_is_every_living_player_for_every_deal(  # C8, C4
    way: Callable[[Play[Any, Any]], object],
) -> None:
    play, other = night("WWPSCCCC"), night("CCCCSPWW")
    way(play)
    for table in (play, other):
        (begun,) = [event for event in heard(table, SPECTATOR, PhaseBegan) if event.name == "night"]
        assert begun.awaited == frozenset(range(8))
    assert received(play, SPECTATOR) == received(other, SPECTATOR)
