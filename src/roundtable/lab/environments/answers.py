"""What a language model may answer: the number of a choice, or a team in the words of a short grammar.

A menu of teams can have thousands of lines, so a long one is given as the form of an answer, and the number of choices:

    propose_team SEATS [for NUMBER] [with BEARER]        propose_team 0 3 4 for 2 with 3
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roundtable.core.options import Option, SeatsChoice, name_of
from roundtable.core.seats import Seat
from roundtable.kernels.actions import WAIT
from roundtable.lab.environments.table import Table
from roundtable.text.names import Names
from roundtable.text.teller import Teller

LONGEST_MENU = 32  # lines for one kind of move
LONGEST_ANSWER = 200  # characters
ANSWER = re.compile(r"(\w+) ((?:\w+ )*?\w+)(?: for (\d{1,3}))?(?: with (\w+))?")


def is_long(option: Option) -> bool:
    return isinstance(option, SeatsChoice) and len(option) > LONGEST_MENU


def form_of(option: SeatsChoice, total: int, phase: str, teller: Teller) -> Iterator[str]:
    """How a choice of this option is answered, and an example."""
    (number, size), bearer_not = option.sizes[0], option.bearer_not
    values = {"kind": teller.kind(option.kind), "total": f"{total:,}", "form": grammar_of(option)}
    yield teller.text("observation.form", **values, example=example_of(option))
    seats = teller.text("list.separator").join(map(str, option.eligible))
    if number is None:
        yield teller.text("observation.form_seats", size=size, seats=seats)
    else:
        sizes = teller.text("list.separator").join(f"{number} ({size} SEATS)" for number, size in option.sizes)
        yield teller.text(
            "observation.form_number", question=teller.question(phase, "number"), sizes=sizes, seats=seats
        )
    if bearer_not is not None:
        question, name = teller.question(phase, "bearer"), teller.names[bearer_not]
        yield teller.text("observation.form_bearer", question=question, name=name)


def grammar_of(option: SeatsChoice) -> str:
    """`propose_team SEATS for NUMBER with BEARER`, without the parts that are not chosen here."""
    number = "" if option.sizes[0][0] is None else " for NUMBER"
    return f"{name_of(option.kind)} SEATS{number}{'' if option.bearer_not is None else ' with BEARER'}"


def example_of(option: SeatsChoice) -> str:
    number, size = option.sizes[0]
    seats = option.eligible[-size:]
    bearer = next(seat for seat in seats if seat != option.bearer_not)
    example = grammar_of(option).replace("SEATS", " ".join(map(str, seats)))
    return example.replace("NUMBER", str(number)).replace("BEARER", str(bearer))


def choice_in(table: Table, seat: Seat, names: Names, is_asked: bool, answer: str) -> int:
    """The number of the choice that an answer stands for; `ValueError` in a sentence where it stands for none."""
    said = " ".join(answer[:LONGEST_ANSWER].replace(",", " ").split())
    number = int(said) if re.fullmatch(r"\d{1,6}", said) else team_in(table, seat, names, said)
    mask = table.mask(seat, is_asked)
    if 0 <= number < len(mask) and mask[number]:
        return number
    raise ValueError(f"{said!r} is not a choice of {names[seat]} now. {invitation(table, seat, is_asked)}")


def team_in(table: Table, seat: Seat, names: Names, said: str) -> int:
    """The number of the team that was named, or -1."""
    found = ANSWER.fullmatch(said)
    for option in table.options(seat) if found else ():
        if found and isinstance(option, SeatsChoice) and name_of(option.kind) == found[1].lower():
            seats = [seat_called(word, names) for word in found[2].split()]
            bearer = seat_called(found[4], names) if found[4] else None
            if None in seats or len(set(seats)) < len(seats):
                return -1
            team = frozenset(seat for seat in seats if seat is not None)
            move = option.choose(team, int(found[3]) if found[3] else None, bearer)
            return table.actions.number(move) if move in option else -1
    return -1


def seat_called(word: str, names: Names) -> Seat | None:
    """A seat by its name, or by its number from 0 on."""
    if word in names:
        return names.index(word)
    return int(word) if re.fullmatch(r"\d{1,2}", word) and int(word) < len(names) else None


def invitation(table: Table, seat: Seat, is_asked: bool) -> str:
    """What would be a choice."""
    options = table.options(seat) if is_asked else ()
    numbers = [table.actions.number(move) for option in options if not is_long(option) for move in option]
    if table.may_wait(seat) or not options:
        numbers.append(WAIT)
    forms = [grammar_of(option) for option in options if isinstance(option, SeatsChoice) and is_long(option)]
    offered = [*([f"one of the numbers {', '.join(map(str, sorted(numbers)))}"] if numbers else []), *forms]
    return f"Answer with {', or with '.join(offered)}."
