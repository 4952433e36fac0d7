"""Lengths of messages to a seat do not tell its role."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

import pytest

from roundtable.bots.dice import Dice
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, SPECTATOR
from roundtable.games import GAMES
from roundtable.protocol import Asked, encoded
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import text_of_told, told_offers
from roundtable.protocol.rooms import View
from roundtable.rooms.updates import (
    ASKED_STEP,
    ASKED_STEP_PER_SEAT,
    DEAL_STEP,
    NEWS_STEP,
    REFUSED_STEP,
    VIEW_STEP,
    padded,
    text_of,
)
from roundtable.testing.generators import any_setup
from support.room_harness import room_with_game, virtual_time_test
from support.virtual_time import VirtualLoop

GAMES_PLAYED = 12  # of each game
MOST_STEPS = 60
AVALON = GAMES["avalon"].game
SEATS = 5
ASKED = 90  # bytes of an Asked, at most, without its options
# Phases in which it is public whose question is the long one, or whose end reveals all roles.
LONG_QUESTIONS = {"propose", "assassination"}


@pytest.mark.parametrize("secret", [-7, 0, 1, 255, 256, 257, 1000])
def test_spaces_pad_the_secret_part(secret: int) -> None:
    text = padded("x" * 1000, secret, 256)
    assert text.rstrip() == "x" * 1000
    total = len(text) - 1000 + secret
    assert total % 256 == 0
    assert total > 0
    assert total - max(0, secret) <= 256 or secret < 0


@virtual_time_test
async def test_refusals_have_the_same_bytes_in_any_language(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    guest = await harness.people[1].again(lang="vi")
    assert await guest.ask(ask.Start()) == "room/not_host"
    assert await guest.act({"is": "CastVote", "phase": 99, "approve": True}) == "action/late"
    refused = [frame for frame in guest.frames if '"is":"Refused"' in frame]
    assert not any(frame.isascii() for frame in refused)
    assert {len(frame.encode()) for frame in refused} == {REFUSED_STEP}


@pytest.mark.parametrize("game", GAMES)
def test_every_role_has_the_same_lengths_at_the_same_moment(game: str) -> None:
    """The secret part of what each seat is told fits one step, whatever its role: when it is dealt, when it is asked,
    and in its view."""
    for seed in range(GAMES_PLAYED):
        chance = Dice(seed)
        setup = any_setup(GAMES[game].game, chance, None)
        play = Play.open(GAMES[game].game, setup, bytes([seed]) * 32)
        play.deal()
        dealt = [secret_length(play, seat, 0) for seat in range(setup.seats)]
        assert max(dealt) <= DEAL_STEP
        for _ in range(MOST_STEPS):
            told_before = len(play.events)
            if not one_step(play, chance):
                break
            assert_equal_lengths(play, told_before)


def assert_equal_lengths(play: Play[Any, Any], before: int) -> None:
    seats, phase = range(play.state.setup.seats), play.phase
    by_group: defaultdict[tuple[bool, bool], set[int]] = defaultdict(set)
    for seat in seats:
        is_public_loner = phase.name in LONG_QUESTIONS or not is_in_play(play, seat)
        group = (seat in phase.awaited, is_public_loner)
        if not is_public_loner and not play.is_over:
            by_group[group].add(question_steps(play, seat))
        if is_in_play(play, seat) and not play.is_over:
            assert secret_length(play, seat, before) <= NEWS_STEP
            assert secret_of_view(play, seat) <= VIEW_STEP
    assert all(len(steps) == 1 for steps in by_group.values()), (phase.name, dict(by_group))


def one_step(play: Play[Any, Any], chance: Dice) -> bool:
    seats = [seat for seat in range(play.state.setup.seats) if play.options(seat)]
    if play.is_over or not seats:
        return False
    seat = seats[chance.below(len(seats))]
    options = play.options(seat)
    play.act(seat, options[chance.below(len(options))].sample(chance))
    return True


def is_in_play(play: Play[Any, Any], seat: int) -> bool:
    """The dead are told everything; who is dead is public."""
    return seat in getattr(play.state, "alive", range(play.state.setup.seats))


def secret_length(play: Play[Any, Any], seat: int, before: int) -> int:
    heard = [event for event in play.events[before:] if event.audience is not EVERYONE and seat in event.audience]
    return sum(len(text_of_told(event)) + 1 for event in heard if SPECTATOR not in event.audience)


def question_steps(play: Play[Any, Any], seat: int) -> int:
    offered = told_offers(play.options(seat), play.phase.number)
    text = text_of(Asked(phase=play.phase.number, name=play.phase.name, milliseconds=999_999, options=offered))
    step: int = ASKED_STEP + ASKED_STEP_PER_SEAT * play.state.setup.seats
    return -(-len(text) // step)


def secret_of_view(play: Play[Any, Any], seat: int) -> int:
    own, public = (
        len(text_of(View(number=1000, view=encoded(play.view(listener).facts())))) for listener in (seat, SPECTATOR)
    )
    return own - public


@virtual_time_test
async def test_in_an_open_phase_only_public_facts_decide_lengths(loop: VirtualLoop) -> None:
    """Seats that act, wait or are asked alike get the same number of bytes, whatever their roles are. Whether a seat
    was asked in an earlier phase of the same name is public: it was awaited."""
    harness = await room_with_game(loop)
    play, chance = harness.room.play, Dice(5)
    assert play is not None
    asked_before: defaultdict[str, frozenset[int]] = defaultdict(frozenset)
    while not play.is_over:
        asked_before[play.phase.name] |= play.phase.awaited
        acting = [seat for seat in range(SEATS) if play.options(seat)]
        seat = acting[chance.below(len(acting))]
        options = play.options(seat)
        before = {guest: len(guest.frames) for guest in harness.people}
        guest = harness.people[seat]
        assert await guest.act(options[chance.below(len(options))].sample(chance)) == "done"
        if play.phase.name not in play.game.open_phases or play.is_over:
            continue
        sizes: defaultdict[tuple[bool, bool, bool], set[int]] = defaultdict(set)
        for place, one in enumerate(harness.people):
            told = sum(len(frame.encode()) for frame in one.frames[before[one] :] if one is not guest)
            sizes[one is guest, place in play.phase.awaited, place in asked_before[play.phase.name]].add(told)
        assert all(len(found) == 1 for found in sizes.values()), (play.phase, dict(sizes))


def test_what_is_open_in_a_phase_is_no_secret() -> None:
    """In an open phase only awaited seats have options, and nothing but its own move reaches a seat in private."""
    seen = set()
    for game, seed in product(GAMES.values(), range(GAMES_PLAYED)):
        chance = Dice(seed)
        setup = any_setup(game.game, chance, None)
        play = Play.open(game.game, setup, bytes([seed]) * 32)
        play.deal()
        dealt = len(play.entries)
        while not play.is_over and len(play.entries) < MOST_STEPS:
            if play.phase.name in play.game.open_phases:
                seen.add(play.phase.name)
                assert {seat for seat in range(setup.seats) if play.options(seat)} <= set(play.phase.awaited)
                if len(play.entries) > dealt:
                    last = play.entries[-1]
                    heard = [event.audience for event in last.events if event.audience is not EVERYONE]
                    hearers = {seat for seat in range(setup.seats) if any(seat in audience for audience in heard)}
                    assert hearers <= {last.actor}, (play.phase.name, last.events)
            if not one_step(play, chance):
                break
    assert seen == {"propose", "vote", "quest"}


def test_what_is_asked_in_an_open_phase_has_the_length_that_the_game_states() -> None:
    for seed in range(GAMES_PLAYED):
        chance, lengths = Dice(seed), defaultdict[tuple[int, str], set[int]](set)
        setup = any_setup(AVALON, chance, None)
        play = Play.open(AVALON, setup, bytes([seed]) * 32)
        play.deal()
        while not play.is_over and len(play.entries) < MOST_STEPS and one_step(play, chance):
            step = AVALON.open_phases.get(play.phase.name)
            for seat in range(setup.seats):
                if step is not None and (options := play.options(seat)):
                    size = len(told_offers(options, play.phase.number)) + ASKED
                    lengths[play.phase.number, play.phase.name].add(-(-size // step) if step else size)
        assert all(len(found) == 1 for found in lengths.values())
