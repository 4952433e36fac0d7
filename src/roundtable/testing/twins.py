"""The twin test: in two games that differ only in what a listener cannot know, they receive the same bytes (C4).

A game is played once and written down as a script. Then it is played again with another deal that some
listeners cannot tell from the first, every secret choice exchanged for one that leads to the same public
facts. Whatever those listeners receive, line for line and step for step, must be the same bytes.

What a listener may know is stated by `Secrecy`, in the rulebook's terms and without asking the engine.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from roundtable.core.actions import Action
from roundtable.core.chance import Chance, shuffled
from roundtable.core.codec import encode
from roundtable.core.errors import IllegalAction
from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK, Game, fold
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.secrecy import Ask, Lines, Mirror, Script, Secrecy, Step
from roundtable.core.setup import Setup
from roundtable.core.state import TableState
from roundtable.testing.generators import any_setup
from roundtable.testing.random_asks import round_of_asks

TWIN_SEED = bytes(range(32))
OTHER_LISTENERS = 2  # in each pair, besides the focus and a spectator


@dataclass
class Tally:
    """How much was compared, and the first difference that was found."""

    pairs: int = 0
    whole_pairs: int = 0
    comparisons: int = 0
    lines: int = 0
    leak: str | None = None

    def add(self, other: Tally) -> None:
        self.pairs += other.pairs
        self.whole_pairs += other.whole_pairs
        self.comparisons += other.comparisons
        self.lines += other.lines
        self.leak = self.leak or other.leak


class TwinTest:
    """The twin test of one game. `table` may be a subclass of `Play`, so that its own leaks are tested too."""

    def __init__(self, game: Game[Any, Any], secrecy: Secrecy, table: type[Play[Any, Any]] = Play) -> None:
        self.game = game
        self.secrecy = secrecy
        self.table = table

    def run(self, chance: Chance, pairs: int, twins_each: int = 12, setup: Setup | None = None) -> Tally:
        """Compare that many pairs of games; stop at the first leak."""
        total = Tally()
        while total.pairs < pairs and total.leak is None:
            agreed = setup or any_setup(self.game, chance)
            script = self.write_script(agreed, self.game.deal(agreed, chance), chance)
            for _ in range(min(twins_each, pairs - total.pairs)):
                total.add(self.compare_one(script, chance))
                if total.leak:
                    break
        return total

    def compare_one(self, script: Script, chance: Chance) -> Tally:
        """One twin of a script, for the focus, a spectator, and some of the others who cannot tell the two apart."""
        focus = chance.below(script.setup.seats)
        deal = self.find_twin(script, focus, chance)
        if deal is None:
            return Tally()
        alike = [seat for seat in range(script.setup.seats) if self.are_alike(script, deal, seat)]
        listeners = {focus, SPECTATOR, *shuffled(chance, alike)[:OTHER_LISTENERS]}
        mirror = self.secrecy.mirror(script, deal, focus, chance)
        glance = chance.below(len(script.steps))  # the step after which views are compared too
        return compare(script, mirror, self.open(script.setup, deal), listeners, glance)

    def find_twin(self, script: Script, focus: Seat, chance: Chance) -> Any:
        """Another deal that the focus cannot tell from this one, if a few tries find it."""
        for _ in range(24):
            deal = self.secrecy.another_deal(script.setup, script.deal, focus, chance)
            if deal != script.deal and self.are_alike(script, deal, focus):
                return deal
        return None

    def are_alike(self, script: Script, deal: Any, listener: int) -> bool:
        known = self.secrecy.known
        return known(script.setup, script.deal, listener) == known(script.setup, deal, listener)

    def open(self, setup: Setup, deal: Any) -> Play[Any, Any]:
        play = self.table.open(self.game, setup, TWIN_SEED)
        play.contribute(setup.seats - 1, TWIN_SEED[:16])
        play.deal(chosen=deal)
        return play

    def write_script(self, setup: Setup, deal: Any, chance: Chance) -> Script:
        """Let random players play, with slips, second thoughts, silence and talk."""
        play = self.open(setup, deal)
        script = Script(setup, deal)
        used: set[tuple[int, str]] = set()
        ears = Ears(play, (*range(setup.seats), SPECTATOR))
        script.first_lines = ears.new_lines()
        while not play.is_over:
            for ask in round_of_asks(play, chance, self.secrecy.channels):
                phase = play.phase
                refusal = try_ask(play, ask)
                is_repeat = ask.id != "" and (ask.actor, ask.id) in used
                used.add((ask.actor, ask.id))
                script.steps.append(
                    Step(ask.actor, ask.action, phase, refusal, play.phase.name, play.is_over, ask.id, is_repeat)
                )
                script.received.append(ears.new_lines())
                script.options.append(tuple(play.options(seat) for seat in range(setup.seats)))
                script.public.append(public_facts(play.state))
                if script.steps[-1].is_over or play.phase != phase:
                    break
        script.heard = {ear: [line.event for line in play.heard(ear)] for ear in (*range(setup.seats), SPECTATOR)}
        return script


class Ears:
    """What listeners receive, as bytes under their own numbering, a batch at a time."""

    def __init__(self, play: Play[Any, Any], listeners: Iterable[int]) -> None:
        self._play = play
        self._heard = dict.fromkeys(listeners, 0)

    def new_lines(self) -> Lines:
        """The lines of those who received any."""
        return {listener: lines for listener in self._heard if (lines := self.lines_for(listener))}

    def lines_for(self, listener: int) -> tuple[bytes, ...]:
        lines = self._play.heard(listener, self._heard[listener])
        self._heard[listener] += len(lines)
        return tuple([b"%d %b" % (line.number, event_bytes(line.event)) for line in lines])

    def forget(self, listener: int) -> None:
        del self._heard[listener]


@lru_cache(maxsize=1 << 15)
def event_bytes(event: Event) -> bytes:
    return encode(event)


def compare(script: Script, mirror: Mirror, twin: Play[Any, Any], listeners: set[int], glance: int) -> Tally:
    """Play the twin beside the script and compare what reaches the listeners, until they may know better."""
    tally = Tally(pairs=1, comparisons=len(listeners))
    ears = Ears(twin, listeners)
    if difference := differs(script.first_lines, ears.new_lines(), listeners):
        tally.leak = f"at the deal: {difference}"
        return tally
    done: Done = {}
    for index, step in enumerate(script.steps):
        asks = again(script, step, done, listeners) if step.is_repeat else mirror.asks(index)
        if asks is None or step.is_over:
            tally.whole_pairs = int(step.is_over)
            return tally
        refusal = None
        for ask in under_its_id(asks, step, done):
            refusal = try_ask(twin, ask)
        for listener in set(() if step.is_repeat else mirror.told_apart(index)) & listeners:
            listeners.discard(listener)
            ears.forget(listener)
        lines = ears.new_lines()
        tally.lines += sum(len(batch) for batch in lines.values())
        difference = differs(script.received[index], lines, listeners)
        if not difference and asks and step.actor in listeners and refusal != step.refusal:
            difference = f"seat {step.actor} was answered {refusal!r} instead of {step.refusal!r}"
        if not difference:
            difference = options_differ(script.options[index], twin, listeners)
        if not difference and public_facts(twin.state) != script.public[index]:
            difference = f"the truth has {public_facts(twin.state)!r} instead of {script.public[index]!r} (C8)"
        if not difference and index == glance:
            difference = views_differ(script, twin, listeners)
        if difference:
            tally.leak = f"at step {index} ({step.phase.name}, {type(step.action).__name__}): {difference}"
            return tally
    return tally


Done = dict[tuple[int, str], Action]  # what was asked for in the twin under each id


def under_its_id(asks: Sequence[Ask], step: Step, done: Done) -> Sequence[Ask]:
    """The last of them by the same actor gets the id that the actor used at this step of the script."""
    own = [place for place, ask in enumerate(asks) if ask.actor == step.actor][-1:]
    for place in own:
        done.setdefault((step.actor, step.id), asks[place].action)
    return [ask._replace(id=step.id) if place in own else ask for place, ask in enumerate(asks)]


def again(script: Script, step: Step, done: Done, listeners: set[int]) -> Sequence[Ask]:
    """The asks for a step that repeats an id: the twin's own action under that id if the script repeated its action,
    another action if it did not; none if the twin never used the id.

    Only the actor is told, so actors who do not listen leave it out.
    """
    before = done.get((step.actor, step.id))
    first = script.first_under[step.actor, step.id]
    if step.actor not in listeners or before is None or (first.action != step.action and before == step.action):
        return []
    return [Ask(step.actor, before if first.action == step.action else step.action)]


def public_facts(state: TableState) -> Hashable:
    """What is public of a state, whether a listener was told of it or not (C8)."""
    wishes = (state.wants_countdown, state.wants_call_off)
    return (state.phase, state.countdown, state.is_paused, *wishes, state.floors.get(OPEN_TALK), state.outcome)


def differs(expected: Lines, found: Lines, listeners: set[int]) -> str:
    for listener in listeners:
        if found.get(listener) != expected.get(listener):
            return f"listener {listener} heard {found.get(listener)!r} instead of {expected.get(listener)!r}"
    return ""


def options_differ(expected: tuple[Options, ...], twin: Play[Any, Any], listeners: set[int]) -> str:
    for seat in listeners:
        if seat >= 0 and twin.options(seat) != expected[seat]:
            return f"seat {seat} may do {twin.options(seat)!r} instead of {expected[seat]!r}"
    return ""


def views_differ(script: Script, twin: Play[Any, Any], listeners: set[int]) -> str:
    """A view must be the fold of what its listener heard, which so far was the same in both games."""
    for listener in listeners:
        events = script.heard[listener][: len(twin.heard(listener))]
        if encode(twin.view(listener).facts()) != encode(fold(twin.game, events).facts()):
            return f"listener {listener} has another view than what they heard"
    return ""


def try_ask(play: Play[Any, Any], ask: Ask) -> str | None:
    """Ask for it; the refusal's words, or None where it was granted."""
    try:
        play.act(ask.actor, ask.action, ask.id)
    except IllegalAction as refused:
        return f"{refused.code} {refused.variant}: {refused.message} {dict(refused.values)}"
    return None
