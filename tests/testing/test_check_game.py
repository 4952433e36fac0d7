"""`check_game` passes sound games and finds what is wrong with others."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from cuckoo.game import Cuckoo, CuckooState, EggHatched, Point, Role, WingRaised
from cuckoo.secrecy import SECRECY

from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.game import Transition
from roundtable.core.options import Options, one_of
from roundtable.core.seats import EVERYONE, Seat, only
from roundtable.core.state import Absorbers
from roundtable.games import GAMES
from roundtable.testing import Report, check, check_game
from support.sizes import CHECKED_SEEDS


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(CHECKED_SEEDS))
def test_the_games_of_the_house_keep_the_laws_of_the_table(name: str, seed: int) -> None:  # C2, C3, C4, C8
    report = check_game(GAMES[name].game, games=15, pairs=40, seed=seed)
    assert report.twins.pairs >= 40
    assert report.entries > 15 * 10


def check_cuckoo(game: Cuckoo, **more: Any) -> Report:
    usual: dict[str, Any] = {"secrecy": SECRECY, "audiences": SECRECY.audiences, "games": 30, "pairs": 60}
    return check_game(game, **usual | more)


def test_a_game_that_is_not_in_the_registry_can_be_checked() -> None:
    assert check_cuckoo(Cuckoo()).games == 30


def _no_longer_awaited(state: CuckooState, event: WingRaised) -> None:
    Cuckoo.absorb[WingRaised](state, event)
    state.phase = state.phase._replace(awaited=state.phase.awaited - only(event.seat))


class Endless(Cuckoo):
    """The wings are never counted."""

    def decide(self, now: Transition[CuckooState], seat: Seat, move: Move) -> None:
        assert isinstance(move, Point)
        now.emit(WingRaised(audience=only(seat), seat=seat, target=move.target))

    def expire(self, now: Transition[CuckooState], chance: Chance) -> None:
        now.begin_phase("point", now.state.phase.awaited, now.state.phase.seconds)


class Loud(Cuckoo):
    """Every bird hears who the cuckoo is."""

    def begin(self, now: Transition[CuckooState], deal: Seat) -> None:
        super().begin(now, deal)
        now.emit(EggHatched(audience=EVERYONE, seat=deal, role=Role.CUCKOO))


class Refusing(Cuckoo):
    """The cuckoo is offered to point at itself, and only the truth knows."""

    def options(self, state: CuckooState, seat: Seat) -> Options:
        offered = super().options(state, seat)
        if offered and len(state.targets) == 1 and seat not in state.targets:
            return offered + one_of([Point(phase=state.phase.number, target=seat)])
        return offered


class Impatient(Cuckoo):
    """The truth alone knows that the cuckoo is no longer awaited (C8)."""

    absorb: ClassVar[Absorbers] = {**Cuckoo.absorb, WingRaised: _no_longer_awaited}


class Forgetful(Cuckoo):
    """A reducer that forgets an event it declares."""

    absorb: ClassVar[Absorbers] = {kind: how for kind, how in Cuckoo.absorb.items() if kind is not WingRaised}


class Moody(Cuckoo):
    """What follows from a move depends on something that is not in the record."""

    moods = 0

    def decide(self, now: Transition[CuckooState], seat: Seat, move: Move) -> None:
        Moody.moods += 1
        now.end("Nest" if Moody.moods % 2 else "Intruder", "mood")


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Endless(), "did not end"),
        (Loud(), "was heard by"),
        (Refusing(), "view offers"),
        (Impatient(), "Spectators heard"),
        (Forgetful(), "Absorbed and declared events differ"),
    ],
)
def test_a_game_that_breaks_a_law_is_told_which(game: Cuckoo, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "LONGEST_GAME", 500)
    with pytest.raises(AssertionError, match=complaint):
        check_cuckoo(game)


def test_a_leak_that_the_table_of_audiences_allows_is_still_a_leak() -> None:
    with pytest.raises(AssertionError, match="can tell what they may not know"):
        check_cuckoo(Loud(), audiences=LOUD_AUDIENCES)


def test_a_record_that_does_not_replay_is_found() -> None:
    with pytest.raises(Exception, match="does not follow"):
        check_cuckoo(Moody())


def _loud(event: Any, state: Any) -> Any:
    return EVERYONE if state.phase.number else only(event.seat)


LOUD_AUDIENCES: dict[type[Event], Any] = {**SECRECY.audiences, EggHatched: _loud}
