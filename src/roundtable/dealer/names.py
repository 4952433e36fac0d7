"""Which names can each be a file of its own, on every common computer (T25)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple
from unicodedata import category

from roundtable.core.errors import NamesError, Problem, problem, shown
from roundtable.core.names import look_alike, shows_nothing

START = "start"
SPOILER = "DoNotOpen"
SEED_PAPER = ".DoNotOpen-seed"  # hidden, so that what lies on the table is what T25 says
MANIFEST = ".roundtable-deal"

LONGEST_NAME = 200  # bytes; the strictest common file systems end at 255, and some programs add to a name

SEPARATORS_AND_WILDCARDS = frozenset('/\\:*?"<>|')
BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
BYTE_ORDER_MARK = "\ufeff"
DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", "clock$")) | frozenset(
    port + number for port in ("com", "lpt") for number in "0123456789¹²³"
)


class Fault(NamedTuple):
    """Something that can be wrong with a name; `refusal.<code>` tells what would be right."""

    code: str
    is_in: Callable[[str], bool]
    variant: str = ""


def require_names(names: Sequence[str]) -> None:
    """Refuse names that could not each be a safe file of its own, with every fault at once."""
    if problems := [*faults_of_each(names), *twins_among(names)]:
        raise NamesError.of(problems)


def faults_of_each(names: Sequence[str]) -> Iterator[Problem]:
    for name in names:
        faults = [EMPTY] if shows_nothing(name) else [fault for fault in FAULTS if fault.is_in(name)]
        for fault in faults:
            yield problem(fault.code, fault.variant, name=shown(name), most=LONGEST_NAME)


def twins_among(names: Sequence[str]) -> Iterator[Problem]:
    for one, other in combinations(names, 2):
        if look_alike(one, other):
            yield problem("names/alike", first=shown(one), second=shown(other))


def is_path(name: str) -> bool:
    return not SEPARATORS_AND_WILDCARDS.isdisjoint(name)


def has_unprintable(name: str) -> bool:
    """Control characters, halves of characters, line ends, and marks that change the direction of writing."""
    return any(
        category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in BIDI_CONTROLS or sign == BYTE_ORDER_MARK for sign in name
    )


def has_bad_edge(name: str) -> bool:
    """Hidden files, `.` and `..`; and ends that Windows cuts off."""
    return name.startswith(".") or name.endswith(".") or name != name.strip()


def is_too_long(name: str) -> bool:
    return len(name.encode("utf-8", "surrogatepass")) > LONGEST_NAME


def is_reserved(name: str) -> bool:
    return any(look_alike(name, other) for other in RESERVED)


def is_device(name: str) -> bool:
    """Windows takes NUL.txt for NUL as well."""
    return name.partition(".")[0].rstrip().casefold() in DEVICES


RESERVED = (START, SPOILER, SEED_PAPER, MANIFEST)

EMPTY = Fault("names/empty", shows_nothing)
FAULTS = (
    Fault("names/sign", is_path),
    Fault("names/unprintable", has_unprintable),
    Fault("names/edge", has_bad_edge),
    Fault("names/too_long", is_too_long),
    Fault("names/reserved", is_reserved),
    Fault("names/reserved", is_device, "device"),
)
