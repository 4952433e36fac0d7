"""The same table in machine code. The engine replays the game only where views, text or records are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from roundtable.bots.dice import Dice
from roundtable.core.chance import Chance, Stream, deal_key, shuffled
from roundtable.core.codec import agreed_bytes
from roundtable.core.errors import IllegalAction
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.policy import drawn
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.state import TableState
from roundtable.games import spec_named
from roundtable.kernels.actions import BEGIN, LOOK, NO_PHASE, WAIT, WEIGH, Mask
from roundtable.kernels.layout import Numbers
from roundtable.lab.environments.dealing import roles_in
from roundtable.lab.environments.table import Choice, Table

if TYPE_CHECKING:
    from roundtable.kernels.core import CompiledGame
    from roundtable.kernels.frame import Frame

ENGINE = "ROUNDTABLE_ENGINE"  # the value `plain` turns machine code off
KEPT = ("_position", "_asked_now", "_ended", "_rewards", "_reason", "_roles_now")  # arrays that are the game


def table_for(setup: Setup, rounds: int, may_surrender: bool, compiled: bool | None) -> Table:
    """Machine code where the game has it, each seat is asked once in a phase, and no seat may surrender."""
    can_be = rounds == 1 and not may_surrender and bool(spec_named(setup.game).kernel)
    if compiled is None:
        compiled = can_be and find_spec("numba") is not None and os.environ.get(ENGINE) != "plain"
    if compiled and not can_be:
        raise ValueError("Machine code plays built-in games with rounds=1 and without may_surrender.")
    return CompiledTable(setup) if compiled else Table(setup, rounds, may_surrender)


class Follower(Table):
    """A table of the engine at which seats are asked as they were at another; new orders are drawn, and kept for it."""

    def follow(self, orders: list[list[Seat]]) -> None:
        self._orders, self._taken = orders, 0

    def _ask(self) -> None:
        if self._taken < len(self._orders):
            self.asked = self._orders[self._taken][:]
            self.cycle += bool(self.asked)
        else:
            super()._ask()
            self._orders.append(self.asked[:])
        self._taken += 1


class CompiledTable(Table):
    """What `Table` is, by the same numbers: the same seed and the same choices give the same game."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._engine = Follower(setup)  # which catches up when it is needed
        self._agreed = agreed_bytes(setup)
        self._members: dict[int, list[Seat]] = {}
        self._careful_seats = 0
        self._leanings: dict[tuple[int, ...], int] = {}  # the number of a move by what the trace has of it
        self._only_wait: Mask = np.zeros(len(self.actions), np.int8)
        self._only_wait[WAIT] = 1
        self._lay_out()
        self._warm_up()

    def _warm_up(self) -> None:
        """Compile, if nothing is on disk, and say so."""
        from roundtable.kernels.compiling import announced

        with announced(self.setup.game):
            self._advance(0, BEGIN, 0)

    def _lay_out(self) -> None:
        """The arrays that machine code reads and writes, each with a row for the one game."""
        from roundtable.kernels.contract import CREW
        from roundtable.kernels.positions import as_words

        core: CompiledGame = spec_named(self.setup.game).part("kernel")
        seats, crew = self.setup.seats, np.zeros(1, CREW)
        crew["role"], crew["remembers"], crew["careful"] = -1, True, self._careful_seats
        self._core, self._choices = core, len(self.actions)
        self._step, self._draws = core.step, core.draws_after is not None
        self._position = np.zeros(1, core.position)
        self._words = as_words(self._position)
        self._phase_at = core.position.fields["phase"][1] // 8  # type: ignore[index]
        self._seat, self._choice = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._asked_now, self._ended = np.zeros(1, np.int64), np.zeros(1, np.bool_)
        masks, rows = np.zeros((seats, len(self.actions)), np.int8), np.zeros((seats, self.layout.size), np.int8)
        self._mask_of, self._row_of = list(masks), list(rows)  # by the seat that looked
        self._rewards, self._reason = np.zeros((1, seats), np.float32), np.zeros(1, np.int8)
        self._roles_now = np.zeros((1, seats), np.int8)
        self._dealt = core.deals(self.setup, [self._game.deal(self.setup, Dice(0))])
        self._start = self._dealt.copy()
        self._crew, self._trace = crew, core.blank_trace(True)
        self._frames = self._frames_of(masks, rows)
        self._calls = [frame.row for frame in self._frames]

    def _frames_of(self, masks: Any, rows: Any) -> list[Frame]:
        """A frame for each seat that may look."""
        from roundtable.kernels.frame import Arrays, Frame
        from roundtable.kernels.positions import as_words

        core, seats = self._core, self.setup.seats
        rules, table, trace, words = core.table_of(core.tables(self.setup), self._trace)
        first = Arrays(
            rules=rules,
            table=table,
            trace=trace,
            words=words,
            states=self._words,
            starts=as_words(self._start),
            crew=self._crew,
            seats=self._seat,
            choices=self._choice,
            viewers=np.zeros(1, np.int64),
            turn=np.zeros(1, np.int8),
            asked=self._asked_now,
            masks=masks[:1],
            rows=rows[:1],
            ended=self._ended,
            rewards=self._rewards,
            reason=self._reason,
            roles=self._roles_now,
            last_rows=np.zeros((0, 0, 0), np.int8),
        )
        places = [(np.array([seat]), slice(seat, seat + 1)) for seat in range(seats)]
        return [Frame(first._replace(viewers=one, masks=masks[at], rows=rows[at]), 0) for one, at in places]

    def __getstate__(self) -> dict[str, Any]:
        """Arrays that share memory, and machine code, are made anew in a copy."""
        made = {
            "_core",
            "_step",
            "_words",
            "_seat",
            "_choice",
            "_mask_of",
            "_row_of",
            "_fresh",
            "_start",
            "_dealt",
            "_frames",
            "_calls",
            "_crew",
            "_trace",
            *KEPT,
        }
        kept = {name: part for name, part in self.__dict__.items() if name not in made}
        return {**kept, "arrays": [getattr(self, name).copy() for name in KEPT]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = state.pop("arrays")
        self.__dict__.update(state)
        self._lay_out()
        for name, array in zip(KEPT, arrays, strict=True):
            getattr(self, name)[:] = array
        self._fresh = 0

    def seat_careful(self, seats: Iterable[Seat]) -> None:
        """In games that are dealt from now on, these seats may be asked for a `careful_choice`."""
        self._careful_seats = sum(1 << seat for seat in seats)
        self._crew["careful"] = self._careful_seats

    def _advance(self, seat: Seat, choice: int, viewer: Seat) -> None:
        """Make a choice, and look at what a seat sees then."""
        self._seat[0] = seat
        self._choice[0] = choice
        self._step(self._calls[viewer])
        self._fresh = 1 << viewer
        self._is_over: bool = self._ended.item()

    def begin(self, seed: bytes, order: Chance, deal: Any = None) -> None:
        """Begin a game with a seed, the order in which seats are asked, and a deal if it was chosen."""
        self._began = (seed, deal)
        self._orders: list[list[Seat]] = []  # in which seats were asked, phase by phase
        self._log: list[int | dict[Seat, int]] = []
        self._played = -1  # how much of it the engine has played
        self._order = order
        if deal is not None:
            Play.open(self._game, self.setup, seed).deal(deal)  # which refuses what cannot be dealt
        self.cycle = 0
        drawn = self._game.deal(self.setup, Stream(deal_key(seed, self._agreed, ()), "deal")) if deal is None else deal
        self._start[:] = self._dealt
        self._core.write_deals(self._start, [drawn])
        self._advance(0, BEGIN, 0)
        self._ask()

    # Whose turn it is

    @property
    def is_over(self) -> bool:
        return self._is_over

    def _ask(self) -> None:
        self._phase = self._words.item(self._phase_at)
        self.asked = asked = shuffled(self._order, self._members_of(self._asked_now.item()))
        if asked:
            self.cycle += 1
            if not self._fresh >> asked[0] & 1:
                self._look(asked[0])
        self._orders.append(asked[:])

    def _members_of(self, mask: int) -> list[Seat]:
        members = self._members.get(mask)
        if members is None:
            members = self._members[mask] = [seat for seat in range(self.setup.seats) if mask >> seat & 1]
        return members

    # What a seat may do, and does

    def options(self, seat: Seat) -> Options:
        self._catch_up()
        return self._engine.options(seat)

    def mask(self, seat: Seat, is_asked: bool) -> Mask:
        """As everywhere; in fewer calls."""
        if is_asked and self._fresh >> seat & 1:
            return self._mask_of[seat].copy()
        return super().mask(seat, is_asked)

    def _mask(self, seat: Seat, is_asked: bool) -> Mask:
        if not is_asked:
            return self._only_wait
        if not self._fresh >> seat & 1:
            self._look(seat)
        return self._mask_of[seat]

    def has_choice(self, seat: Seat) -> bool:
        return bool(self._mask(seat, True)[WAIT + 1 :].any())

    def careful_choice(self, seat: Seat, chance: Chance) -> Choice:
        """Machine code writes down what the bot leans to, in the bot's own order."""
        self._advance(seat, WEIGH, seat)
        trace = self._trace[0]
        rows = trace["leanings"][: trace["leaning_count"]].tolist()
        number = drawn([(self._number_of(*row[2:6]), row[6]) for row in rows], chance)
        return WAIT if number is None else number

    def _number_of(self, *said: int) -> int:
        number = self._leanings.get(said)
        if number is None:
            verb, first, second, third = said
            move = self._core.action_of(NO_PHASE, verb, first, second, third)
            number = self._leanings[said] = self.actions.number(move)  # type: ignore[arg-type]  # a bot's is a move
        return number

    def _look(self, seat: Seat) -> None:
        """Write down what the seat may choose, and what it knows."""
        known = self._fresh
        self._advance(seat, LOOK, seat)
        self._fresh |= known

    def chosen(self, seat: Seat, number: int | None, is_asked: bool = True) -> Choice:
        """The number itself, or `IllegalAction` in a sentence where the mask has no one."""
        mask = self._mask(seat, is_asked)
        if number is None or not 0 <= number < len(mask) or not mask.item(number):
            choices = np.flatnonzero(mask).tolist()
            raise IllegalAction("action/not_allowed", "number", seat=seat, found=str(number), choices=choices)
        return int(number)

    def choose(self, number: int | None) -> None:
        """The seat whose turn it is makes the move of a number; `IllegalAction` where it may not."""
        asked = self.asked
        seat, chosen = asked[0], -1 if number is None else index(number)
        if not self._fresh >> seat & 1:
            self._look(seat)
        if not 0 <= chosen < self._choices or not self._mask_of[seat].item(chosen):
            self.chosen(seat, number)  # which refuses it
        self._log.append(chosen)
        if self._draws and len(asked) == 1 and self._may_draw(chosen):
            self._follow_engine()
            return
        del asked[0]
        self._advance(seat, chosen, asked[0] if asked else seat)
        if self._is_over:
            self.asked = []
        elif self._words.item(self._phase_at) != self._phase:
            self._ask()

    def take_turn(self, choice: Choice) -> None:
        """The seat whose turn it is makes a choice, or waits."""
        self.choose(self._number(choice))

    def take_turns(self, choices: Mapping[Seat, Choice]) -> None:
        """Take the choices of all seats that were asked. A seat whose choice is no longer legal is asked again."""
        numbers = {seat: self._number(choice) for seat, choice in choices.items()}
        self._log.append(numbers)
        if any(number != WAIT and self._may_draw(number) for number in numbers.values()):
            self._follow_engine()
            return
        asked, self.asked = self.asked, []
        for seat in asked:
            self._advance(seat, numbers[seat], seat)
            if self._is_over:
                return
            if self._words.item(self._phase_at) != self._phase:
                self._ask()
                return

    def _number(self, choice: Choice) -> int:
        return choice if isinstance(choice, int) else self.actions.number(choice)

    # Where the game draws at random, and where a view or a record is read, the engine plays

    def _may_draw(self, number: int) -> bool:
        kinds = self._core.draws_after
        return kinds is not None and (number == WAIT or isinstance(self.actions.moves[number], kinds))

    def _follow_engine(self) -> None:
        """The engine makes the last turn, since the game may draw at random; machine code continues from the result."""
        self._catch_up()
        engine, seats = self._engine, range(self.setup.seats)
        self.asked, self.cycle = list(engine.asked), engine.cycle
        self._start[:] = self._core.positions(engine.play.state)
        self._advance(0, BEGIN, 0)
        if (outcome := engine.play.outcome) is not None:
            self._is_over = self._ended[0] = True
            self._reason[0] = self._core.reasons.index(outcome.reason)
            self._rewards[0] = [engine.reward(seat) for seat in seats]
            self._roles_now[0] = [self._core.roles.index(engine.play.state.roles[seat]) for seat in seats]
            self._position["asked"], self._position["why"] = 0, self._reason[0]
            self._fresh = 0
        self._phase = self._words.item(self._phase_at)

    def _catch_up(self) -> None:
        """The engine makes the choices that it has not made yet."""
        engine = self._engine
        if self._played < 0:
            engine.follow(self._orders)
            engine.begin(self._began[0], self._order, self._began[1])
            self._played = 0
        for choices in self._log[self._played :]:
            phase = engine.play.phase.number
            if isinstance(choices, dict):
                engine.take_turns({seat: self.actions.move(number, phase) for seat, number in choices.items()})
            else:
                engine.take_turn(self.actions.move(choices, phase))
        self._played = len(self._log)

    @property
    def play(self) -> Play[Any, Any]:  # type: ignore[override]
        """The game as the engine keeps it: its record, its events, its views."""
        self._catch_up()
        return self._engine.play

    def view(self, seat: Seat) -> TableState:
        self._catch_up()
        return self._engine.view(seat)

    def row(self, seat: Seat) -> Numbers:
        """What this seat knows, as numbers in the order of the layout; a copy of its own."""
        if not self._fresh >> seat & 1:
            self._look(seat)
        row: Numbers = self._row_of[seat].copy()
        return row

    # How it ended

    def reward(self, seat: Seat) -> float:
        return float(self._rewards[0, seat]) if self._is_over else 0.0

    def roles(self) -> tuple[str, ...]:
        if not self._is_over:
            return roles_in(self._core.read_deal(self._position[0], self.setup))
        return tuple(str(self._core.roles[role]) for role in self._roles_now[0])

    def ending(self) -> tuple[str | None, str] | None:
        if not self._is_over:
            return None
        reason = self._core.reasons[self._reason[0]]
        winner = {why: side for side, why in self._game.endings}.get(reason)
        return None if winner is None else str(winner), reason
