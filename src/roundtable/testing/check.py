"""`check_game`: the laws that every game keeps; for authors of games, and for the built-in ones.

    check_game("my_game")       a game by name, by its GameSpec, or as an instance of its rules

plays random games under random options and raises `AssertionError`, with a sentence, where the game breaks a law:
it ends, its record replays to the same bytes, options are exactly what is accepted, a view offers what the truth
offers, who is awaited follows from public facts, every event goes to those its table names, and games that a
listener cannot tell apart sound the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from roundtable.bots.dice import Dice
from roundtable.core.actions import AnnounceOutcome, AskCallOff, CallOff
from roundtable.core.arguments import checked
from roundtable.core.codec import encode
from roundtable.core.entries import Entry
from roundtable.core.events import COMMON_EVENTS, SecretsRevealed
from roundtable.core.game import Game, evolve, fold, is_fact, with_secrets
from roundtable.core.options import permits
from roundtable.core.play import Play, replay
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.secrecy import Ask, Audiences, Secrecy
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.core.state import Phase, TableState
from roundtable.games import codec_of, spec_named
from roundtable.testing.generators import any_move, any_setup
from roundtable.testing.random_asks import round_of_asks
from roundtable.testing.twins import Tally, TwinTest, public_facts, try_ask

LONGEST_GAME = 5_000  # asks; a game that is not over by then does not end


class Report(NamedTuple):
    """How much was checked."""

    games: int
    entries: int
    twins: Tally


@checked
def check_game(
    game: Game[Any, Any] | GameSpec | str,
    *,
    secrecy: Secrecy | None = None,
    audiences: Audiences | None = None,
    games: int = 40,
    pairs: int = 400,
    seed: int = 0,
) -> Report:
    """Hold a game to the laws of the table; the first one that it breaks is an AssertionError.

    Secrecy and audiences are those that the game's spec names, unless others are given.
    """
    secrecy = secrecy or secrecy_of(game)
    audiences = audiences or secrecy.audiences
    game = rules_of(game)
    chance = Dice(seed)
    check_event_tables(game, audiences)
    entries = 0
    for _ in range(games):
        play = check_play(game, any_setup(game, chance), chance, secrecy.channels)
        check_audiences(play, audiences)
        check_record(play, chance)
        entries += len(play.entries)
    tally = TwinTest(game, secrecy).run(chance, pairs)
    assert tally.leak is None, f"A listener can tell what they may not know: {tally.leak}"
    return Report(games, entries, tally)


def rules_of(game: Game[Any, Any] | GameSpec | str) -> Game[Any, Any]:
    if isinstance(game, str):
        game = spec_named(game)
    return game.game if isinstance(game, GameSpec) else game


@checked
def secrecy_of(game: Game[Any, Any] | GameSpec | str) -> Secrecy:
    """The secrecy that a game's spec names; an error in a sentence where there is none."""
    spec = game if isinstance(game, GameSpec) else spec_named(game if isinstance(game, str) else game.name)
    return cast(Secrecy, spec.part("secrecy"))


def check_event_tables(game: Game[Any, Any], audiences: Audiences) -> None:
    """Every event of the game has a place in the reducer and a row in the table of audiences."""
    kinds = {*COMMON_EVENTS, *game.events}
    assert kinds == set(game.absorb), f"Absorbed and declared events differ: {kinds ^ set(game.absorb)}"
    assert kinds == set(audiences), f"The table of audiences and the events differ: {kinds ^ set(audiences)}"


def check_play(game: Game[Any, Any], setup: Setup, chance: Dice, channels: Sequence[str]) -> Play[Any, Any]:
    """A random game ends; on the way options are exactly what is accepted, and a view offers what the truth offers."""
    play = Play.open(game, setup, chance.randbytes(32))
    play.deal()
    asked = 0
    while not play.is_over:
        phase = play.phase
        for ask in round_of_asks(play, chance, channels):
            check_a_move(play, chance)
            if isinstance(ask.action, AskCallOff | CallOff | AnnounceOutcome):
                continue  # a game must come to an end of its own
            if not has_moved_on(play, phase):
                try_ask(play, ask)
            if has_moved_on(play, phase):
                break
        asked += 1
        assert asked < LONGEST_GAME, f"{game.name} did not end in {LONGEST_GAME} rounds under {setup}."
    for seat in range(setup.seats):
        check_view(play, seat)
    return play


def has_moved_on(play: Play[Any, Any], phase: Phase) -> bool:
    return play.is_over or play.phase != phase


def check_a_move(play: Play[Any, Any], chance: Dice) -> None:
    """A move drawn at random is accepted exactly where an option contains it, and refused without a trace."""
    seat = chance.below(play.state.setup.seats)
    check_public(play)
    check_view(play, seat)
    move = any_move(play.game, play.state.setup, play.phase.number, chance)
    options = play.options(seat)
    is_offered = permits(options, move)
    is_thorough = chance.below(16) == 0  # listing every team and encoding the whole state takes its time
    if is_thorough:
        assert is_offered == any(move in list(option) for option in options), f"{move} is not where it is listed."
    before = encode(play.state.facts()) if is_thorough else b""
    entries, state = len(play.entries), play.state
    refusal = try_ask(play, Ask(seat, move))
    if refusal is None:
        assert is_offered, f"{move} was accepted from seat {seat} and never offered."
    else:
        assert not is_offered, f"{move} was offered to seat {seat} and refused: {refusal}"
        assert (entries, state) == (len(play.entries), play.state), f"{move} was refused and left a trace."
        assert not is_thorough or before == encode(state.facts()), f"{move} was refused and changed the table."


def check_view(play: Play[Any, Any], seat: Seat) -> None:
    """What a seat may do and where it may speak follows from what it has heard."""
    view = play.view(seat)
    if not play.is_over:
        offered = play.game.options(view, seat)
        assert offered == play.options(seat), f"Seat {seat}'s view offers {offered}, not {play.options(seat)}."
    assert speaks_in(view, seat) == speaks_in(play.state, seat), f"Seat {seat} is wrong about where it may speak."
    assert view.phase == play.phase


def check_public(play: Play[Any, Any]) -> None:
    """C8: who is awaited, for how long, and what the table wishes follow from what everyone heard."""
    heard, truth = public_facts(play.view(SPECTATOR)), public_facts(play.state)
    assert heard == truth, f"Spectators heard {heard}, and the truth has {truth}."


def speaks_in(state: TableState, seat: Seat) -> set[str]:
    return {name for name, floor in state.floors.items() if seat in floor.speakers}


def check_audiences(play: Play[Any, Any], audiences: Audiences) -> None:
    """Every event is heard by exactly the audience that the table names."""
    state = play.game.blank(play.state.setup)
    for event in play.events:
        expected = audiences[type(event)](event, state)
        assert event.audience == expected, f"{event!r} was heard by {event.audience}, not by {expected}."
        state = evolve(play.game, state, (event,))


def check_record(play: Play[Any, Any], chance: Dice) -> None:
    """C3: the record survives writing, replays to the same bytes, and can be taken up at any point."""
    game = play.game
    truth = encode(play.state.facts())
    lines = [encode(entry) for entry in play.entries]
    codec = codec_of(game)
    entries = [codec.decode(Entry, line) for line in lines]
    assert [encode(entry) for entry in entries] == lines, "A record changes when it is written and read."
    again = replay(game, entries)
    assert encode(again.state.facts()) == truth, "A record replays to another state."
    assert [encode(entry) for entry in again.entries] == lines, "A record replays to another record."
    cut = 2 + chance.below(len(entries) - 1)
    resumed = Play(game, entries[:cut])
    for entry in entries[cut:]:
        resumed.act(entry.actor, entry.action, entry.id)
    assert encode(resumed.state.facts()) == truth, f"A game taken up at line {cut} goes another way."
    for event in play.events:
        if isinstance(event, SecretsRevealed):
            assert all(is_fact(secret) for _, secret in event.secret_facts), "Private talk was revealed at the end."
    for listener in (*range(play.state.setup.seats), SPECTATOR):
        heard = [line.event for line in play.heard(listener)]
        whole = with_secrets(heard)
        assert whole == [event for event in play.events if is_fact(event)], f"Listener {listener} cannot rebuild it."
        assert encode(fold(game, whole).facts()) == truth
