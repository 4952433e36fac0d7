"""Messages that arrive late, in any order and up to five times: the game ends as with single delivery."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from roundtable.bots.dice import Dice
from roundtable.core.actions import Action, Expire, Move, Say
from roundtable.core.codec import encode
from roundtable.core.errors import IllegalAction
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK
from roundtable.games import GAMES
from roundtable.games.thavalon.actions import DeclareAgravaine, DeclareArthur
from roundtable.testing.generators import any_move, any_setup


class Message(NamedTuple):
    actor: int
    action: Action
    id: str


def deliver(play: Play[Any, Any], message: Message) -> str:
    """The answer to a message: the events that it caused, or the sentence of the refusal."""
    try:
        return repr(encode(play.act(message.actor, message.action, message.id)))
    except IllegalAction as refused:
        return f"{refused.code} {refused.message}"


class Network(RuleBasedStateMachine):
    """Players make messages from their current options; the network delivers copies of them in any order."""

    @initialize(name=st.sampled_from(sorted(GAMES)), seed=st.integers(0, 2**32))
    def sit_down(self, name: str, seed: int) -> None:
        self.chance = Dice(seed)
        game = GAMES[name].game
        setup = any_setup(game, self.chance)
        opening = (game, setup, bytes(32))
        self.play, self.reference = Play.open(*opening), Play.open(*opening)
        self.play.deal()
        self.reference.deal()
        self.under_way: list[Message] = []
        self.answers: dict[str, str] = {}
        self.sent = 0

    def send(self, actor: int, action: Action, copies: int) -> None:
        self.sent += 1
        self.under_way += [Message(actor, action, f"m{self.sent}")] * copies

    @rule(copies=st.integers(1, 5), sloppy=st.integers(0, 5), data=st.integers(0, 2**32))
    def compose(self, copies: int, sloppy: int, data: int) -> None:
        chance = Dice(data)
        seat = chance.below(self.play.state.setup.seats)
        options = self.play.options(seat)
        if options and sloppy:
            self.send(seat, options[chance.below(len(options))].sample(chance), copies)
        elif chance.below(2):
            self.send(seat, any_move(self.play.game, self.play.state.setup, self.play.phase.number, chance), copies)
        else:
            self.send(seat, Say(channel="table", text="Again?"), copies)

    @rule(copies=st.integers(1, 5))
    def time_runs_out(self, copies: int) -> None:
        self.send(CLOCK, Expire(phase=self.play.phase.number), copies)

    @precondition(lambda self: self.under_way)
    @rule(which=st.integers(0, 2**16))
    def arrive(self, which: int) -> None:
        message = self.under_way.pop(which % len(self.under_way))
        phase = self.play.phase.number
        before = len(self.play.entries)
        answer = deliver(self.play, message)
        if message.id in self.answers:
            assert answer == self.answers[message.id]
            assert len(self.play.entries) == before
            return
        self.answers[message.id] = answer
        assert deliver(self.reference, message) == answer
        holds_longer = isinstance(message.action, DeclareArthur | DeclareAgravaine)  # for its round, not a phase
        if isinstance(message.action, Move) and len(self.play.entries) > before and not holds_longer:
            assert message.action.phase == phase, "A late move was taken for another phase's."

    @invariant()
    def both_tables_stand_alike(self) -> None:
        assert self.play.phase == self.reference.phase
        assert len(self.play.entries) == len(self.reference.entries)

    def teardown(self) -> None:
        if hasattr(self, "play"):
            assert encode(self.play.state.facts()) == encode(self.reference.state.facts())
            assert [encode(entry) for entry in self.play.entries] == [encode(entry) for entry in self.reference.entries]


@pytest.mark.slow
def test_any_delivery_ends_where_single_delivery_does() -> None:  # C2, C3
    run_state_machine_as_test(
        Network,
        settings=settings(
            max_examples=250,
            stateful_step_count=60,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
