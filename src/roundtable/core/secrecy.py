"""What a game says about its secrets, apart from its rules: who must hear each event, and which deals are twins."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from roundtable.core import events as common
from roundtable.core.actions import Action, Remark, Say
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import Options
from roundtable.core.seats import EVERYONE, NOBODY, Audience, Seat
from roundtable.core.setup import Setup
from roundtable.core.state import Phase

OTHER_WORDS = "Ah."  # what a mirrored player says where the words themselves are secret

# From an event and the state before it, the audience that the event must have.
AudienceRule = Callable[[Any, Any], Audience]
Audiences = Mapping[type[Event], AudienceRule]

# From the truth, who hears a channel.
Channels = Mapping[str, Callable[[Any], Audience]]


# Who must hear an event


def everyone(event: Any, state: Any) -> Audience:
    return EVERYONE


def nobody(event: Any, state: Any) -> Audience:
    return NOBODY


def that_seat(event: Any, state: Any) -> Audience:
    return frozenset((event.seat,))


def common_audiences(channels: Channels | None = None) -> dict[type[Event], AudienceRule]:
    """The rules for the events that every game shares; `channels` are those besides open talk."""
    hearers: Channels = {OPEN_TALK: lambda state: EVERYONE, **(channels or {})}

    def hearers_of_channel(event: Any, state: Any) -> Audience:
        return hearers[event.channel](state)

    def old_and_new_hearers(event: Any, state: Any) -> Audience:
        """A change of the floor is told to those who hear the channel now, and to those who heard it until now."""
        before = state.floors.get(event.channel)
        expected = hearers[event.channel](state)
        if not event.speakers and before is not None:  # a channel that closes has the hearers it had
            expected = before.hearers if event.hearers == before.hearers else expected
        assert event.hearers == expected, f"{event!r} is heard by {event.hearers}, not by {expected}."
        if isinstance(expected, frozenset) and before is not None and isinstance(before.hearers, frozenset):
            return expected | before.hearers
        return expected

    return {
        common.TableOpened: everyone,
        common.SeedSealed: nobody,
        common.EntropyContributed: everyone,
        common.PhaseBegan: everyone,
        common.FloorGiven: old_and_new_hearers,
        common.Said: hearers_of_channel,
        common.Remarked: hearers_of_channel,
        common.CountdownAsked: everyone,
        common.CountdownStarted: everyone,
        common.ClockPaused: everyone,
        common.ClockResumed: everyone,
        common.ClockExtended: everyone,
        common.CallOffAsked: everyone,
        common.GameEnded: everyone,
        common.SecretsRevealed: everyone,
    }


# A game as it went


class Ask(NamedTuple):
    actor: int
    action: Action
    id: str = ""


class Step(NamedTuple):
    """An action that was asked for, granted or not, and the phase in which it was."""

    actor: int
    action: Action
    phase: Phase
    refusal: str | None
    next_phase: str
    is_over: bool
    id: str = ""
    is_repeat: bool = False  # whether the actor had used this id before, for the same action or for another


Lines = dict[int, tuple[bytes, ...]]


@dataclass
class Script:
    """A game as it went: each step, what every listener received with it, and what every seat could do after it.

    `public` is what was public of the truth after each step (C8).
    """

    setup: Setup
    deal: Any
    steps: list[Step] = field(default_factory=list)
    received: list[Lines] = field(default_factory=list)
    options: list[tuple[Options, ...]] = field(default_factory=list)
    public: list[Hashable] = field(default_factory=list)
    first_lines: Lines = field(default_factory=dict)
    heard: dict[int, list[Event]] = field(default_factory=dict)

    def of_phase(self, index: int) -> list[Step]:
        """Everything that is done in the phase of this step, from its first step to its last, repeats left out."""
        return self.by_phase[self.steps[index].phase.number]

    @cached_property
    def by_phase(self) -> dict[int, list[Step]]:
        phases: dict[int, list[Step]] = {}
        for step in self.steps:
            if not step.is_repeat:
                phases.setdefault(step.phase.number, []).append(step)
        return phases

    @cached_property
    def first_under(self) -> dict[tuple[int, str], Step]:
        """The first step of an actor under an id."""
        first: dict[tuple[int, str], Step] = {}
        for step in self.steps:
            first.setdefault((step.actor, step.id), step)
        return first

    def begins_phase(self, index: int) -> bool:
        return self.of_phase(index)[0] is self.steps[index]


# The same game with another deal


def other_talk(step: Step, chance: Chance) -> list[Ask]:
    """What is said in the twin where a line is private: nothing, or something else."""
    said = step.action
    assert isinstance(said, Say | Remark)
    others = (
        Say(channel=said.channel, text=OTHER_WORDS),
        Remark(channel=said.channel, phrase="why", about=0, word=None),
    )
    return [] if chance.below(3) == 0 else [Ask(step.actor, others[chance.below(2)])]


class Mirror(Protocol):
    """How a script is carried over to another deal. Steps that repeat an id are carried over without it."""

    def asks(self, index: int) -> Sequence[Ask] | None:
        """What to do in the twin at this step; None where every listener would rightly see a difference from here."""
        ...

    def told_apart(self, index: int) -> Iterable[int]:
        """Listeners who after this step rightly know which of the two games they are in."""
        ...


class Secrecy(Protocol):
    """What the rulebook lets each listener of a game know, stated apart from the engine."""

    @property
    def audiences(self) -> Audiences:
        """Who must hear each kind of event."""
        ...

    @property
    def channels(self) -> Sequence[str]:
        """The channels of talk besides the open one."""
        ...

    def known(self, setup: Any, deal: Any, listener: int) -> Hashable:
        """All that the rules tell this listener of a deal before the first move."""
        ...

    def another_deal(self, setup: Any, deal: Any, listener: Seat, chance: Chance) -> Any:
        """A deal near this one in which the listener's own role is the same."""
        ...

    def mirror(self, script: Script, deal: Any, focus: int, chance: Chance) -> Mirror: ...
