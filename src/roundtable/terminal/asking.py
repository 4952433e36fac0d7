"""What a person is asked, and what their answer means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from roundtable.core.actions import Move
from roundtable.core.options import Option, Options, SeatsChoice
from roundtable.core.seats import Seat
from roundtable.terminal.voice import Terminal
from roundtable.text.names import Names
from roundtable.text.teller import Teller

T = TypeVar("T")

NO_NUMBER = -1
LONGEST_NUMBER = 4  # digits
LONGEST_SHOWN = 40
COMMANDS = frozenset(
    ("?", "help", "r", "role", "b", "board", "h", "history", "say", "whisper", "c", "claim", "q", "quit")
)


class Aside(Exception):
    """A line that answers no question: a command, or a complaint about an answer."""

    def __init__(self, wish: str) -> None:
        super().__init__(wish)
        self.wish = wish


class Questions:
    """Asks a person for a move, in the words of a teller."""

    def __init__(self, voice: Terminal, teller: Teller, commands: frozenset[str] = COMMANDS) -> None:
        self.voice = voice
        self.teller = teller
        self.commands = commands
        self.shown: list[Move | SeatsChoice] = []

    def ask_for_move(self, options: Options, phase: str, may_wait: bool, again: bool = False) -> Move | None:
        """One of the options, or None to wait. Raises `Aside` for a line that is no answer.

        A person who is asked `again` has moved in this phase: the menu is repeated only where it has changed.
        """
        choices = [choice for option in options for choice in choices_in(option)]
        if len(choices) == 1 and isinstance(choices[0], SeatsChoice):
            return self.ask_for_seats(choices[0], phase)
        if not again or choices != self.shown:
            self.show_menu(choices, phase, may_wait)
            self.shown = choices
        prompt = "terminal.again" if again and may_wait else "terminal.choice"
        chosen = self.choose(choices, may_wait, self.teller.text(prompt))
        return self.ask_for_seats(chosen, phase) if isinstance(chosen, SeatsChoice) else chosen

    def show_menu(self, choices: Sequence[Move | SeatsChoice], phase: str, may_wait: bool) -> None:
        self.voice.say(self.teller.question(phase), "bold")
        for number, choice in enumerate(choices, 1):
            self.voice.say(f"  {number}  {self.line(choice)}")
        if may_wait:
            self.voice.say(f"  0  {self.teller.text('terminal.nothing')}")

    def line(self, choice: Move | SeatsChoice) -> str:
        return self.teller.move(choice) if isinstance(choice, Move) else self.teller.kind(choice.kind)

    def choose(self, choices: Sequence[Move | SeatsChoice], may_wait: bool, prompt: str) -> Move | SeatsChoice | None:
        answer = self.answer(prompt)
        if may_wait and answer in ("", "0"):
            return None
        if 1 <= (number := whole_number(answer)) <= len(choices):
            return choices[number - 1]
        raise Aside(self.teller.text("terminal.wrong_number", first=0 if may_wait else 1, last=len(choices)))

    def ask_for_seats(self, choice: SeatsChoice, phase: str) -> Move:
        """Which number, which seats, and who carries what there is to carry."""
        number, size = self.ask_for_number(choice, phase)
        values = {"seats": self.numbered(choice.eligible), "example": example(choice.eligible, size)}
        seats = frozenset(self.seats_in(self.answer(self.teller.text("terminal.pick", count=size, **values))))
        bearer = None
        if choice.bearer_not is not None:
            bearer = next(iter(self.seats_in(self.answer(self.teller.question(phase, "bearer")))), None)
        move = choice.choose(seats, number, bearer)
        if move not in choice:
            raise Aside(self.wrong_seats(choice, size))
        return move

    def numbered(self, seats: Iterable[Seat]) -> str:
        """`1 Alice, 3 Charlie`."""
        return self.teller.text("list.separator").join(
            self.teller.text("terminal.seat", number=seat + 1, name=self.teller.names[seat]) for seat in seats
        )

    def ask_for_seat(self) -> Seat:
        """One seat of the table, by number or by name."""
        everyone = range(len(self.teller.names))
        prompt = self.teller.text("terminal.pick", count=1, seats=self.numbered(everyone), example="1")
        seats = self.seats_in(self.answer(prompt))
        if len(seats) != 1:
            raise Aside(self.teller.text("terminal.wrong_seats", count=1, example="1"))
        return seats[0]

    def ask_for_line(self, choices: Sequence[T], line: Callable[[T], str]) -> T:
        """One of these choices, by the number of its line."""
        for number, choice in enumerate(choices, 1):
            self.voice.say(f"  {number}  {line(choice)}")
        if 1 <= (number := whole_number(self.answer(self.teller.text("terminal.choice")))) <= len(choices):
            return choices[number - 1]
        raise Aside(self.teller.text("terminal.wrong_number", first=1, last=len(choices)))

    def wrong_seats(self, choice: SeatsChoice, size: int) -> str:
        if choice.bearer_not is None:
            return self.teller.text("terminal.wrong_seats", count=size, example=example(choice.eligible, size))
        return self.teller.text("terminal.wrong_bearer", count=size, name=self.teller.names[choice.bearer_not])

    def ask_for_number(self, choice: SeatsChoice, phase: str) -> tuple[int | None, int]:
        number, size = choice.sizes[0]
        if number is None:
            return number, size
        offered = self.teller.text("list.separator").join(
            self.teller.text("terminal.size", number=number, count=size) for number, size in choice.sizes
        )
        chosen = whole_number(self.answer(f"{self.teller.question(phase, 'number')} {offered}:"))
        for number, size in choice.sizes:
            if number == chosen:
                return number, size
        raise Aside(self.teller.text("terminal.wrong_size", offered=offered))

    def seats_in(self, answer: str) -> list[Seat]:
        """Seats by number or by name, with blanks or commas between them."""
        seats = []
        for word in answer.replace(",", " ").split():
            seat = seat_called(word, self.teller.names)
            if seat is None:
                last = len(self.teller.names)
                raise Aside(self.teller.text("terminal.wrong_seat", name=word[:LONGEST_SHOWN], last=last))
            seats.append(seat)
        return seats

    def is_confirmed(self, warning: str | None) -> bool:
        """Whether the person means a move that there is a warning about."""
        if warning is None:
            return True
        self.voice.say(warning, "red")
        return self.answer(self.teller.text("terminal.confirm")).casefold() in self.teller.text("terminal.yes").split()

    def answer(self, prompt: str) -> str:
        """A line; commands are no answers."""
        line = self.voice.ask(prompt)
        if line.split(" ", 1)[0].casefold() in self.commands:
            raise Aside(line)
        return line


def choices_in(option: Option) -> Sequence[Move | SeatsChoice]:
    """The lines of a menu that an option comes to: its moves, each once whatever phase it answers, or a question."""
    if isinstance(option, SeatsChoice):
        return (option,)
    moves = tuple(option)
    latest = max((move.phase for move in moves), default=0)
    return tuple(move for move in moves if move.phase == latest)


def example(seats: Sequence[Seat], count: int) -> str:
    """How a choice of so many of these seats is typed; not always the first ones, which would look like a rule."""
    spread = [seat for place, seat in enumerate(seats) if place != 1]
    return " ".join(str(seat + 1) for seat in (spread if len(spread) >= count else seats)[:count])


def seat_called(word: str, names: Names) -> Seat | None:
    """A seat by its number, from 1 on, or by its name."""
    if word.isdecimal():
        seat = whole_number(word) - 1
        return seat if 0 <= seat < len(names) else None
    return {name.casefold(): seat for seat, name in enumerate(names)}.get(word.casefold())


def whole_number(answer: str) -> int:
    """The number that was typed, or NO_NUMBER for anything else and for very many digits."""
    return int(answer) if answer.isdecimal() and len(answer) <= LONGEST_NUMBER else NO_NUMBER
