"""What people see of a name: which signs are drawn as nothing, and which two names cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from unicodedata import category, normalize

from roundtable.core.confusables import LOOKS_LIKE

MARKS = ("Mn", "Mc", "Me")  # what is drawn onto the letter before
NO_SIGNS = ("Cc", "Cs", "Co")  # control characters, lone surrogates, private use
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # control characters, lone surrogates, line and paragraph breaks
DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # they could forge a speaker
MOST_MARKS = 3  # on one letter; Hebrew and Arabic need as many, Vietnamese is composed and needs none

BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters and signs that are drawn as nothing
IGNORABLE_RANGES = ((0x180B, 0x1810), (0xFE00, 0xFE10), (0xFFF0, 0xFFF9), (0xE0000, 0xE1000))
IGNORABLE = frozenset(  # Default_Ignorable_Code_Point in DerivedCoreProperties.txt, where no category tells
    map(chr, chain((0x034F, 0x17B4, 0x17B5, 0x2065), *(range(*one) for one in IGNORABLE_RANGES)))
)
UNSEEN = BLANK_LETTERS | IGNORABLE

# Which Latin letters and digits look the same depends on capitals: Ian is taken for lan, and not for Lan.
LOOK_DRAWN = str.maketrans({**dict.fromkeys("I1|", "l"), "0": "O", "m": "rn", "w": "vv", "W": "VV"})
LOOK_READ = str.maketrans("1|0", "llo")


def printable(text: str) -> str:
    """A text from a file or a network as it can be printed: what could colour, move or forge lines is escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(ascii(sign)[1:-1] if is_unprintable(sign) else sign for sign in text)


def is_unprintable(sign: str) -> bool:
    """Whether a sign controls a terminal: control characters, line ends, halves, and marks that turn the direction."""
    return category(sign) in UNPRINTABLE or sign in DIRECTION_MARKS


def is_unseen(sign: str) -> bool:
    """Whether a sign is drawn as nothing."""
    return sign in UNSEEN or category(sign) == "Cf"


def shows_nothing(name: str) -> bool:
    return all(is_unseen(sign) or category(sign) in ("Zs", *MARKS) for sign in name)


def visible(name: str) -> str:
    """A name without invisible characters, composed (NFC), with single blanks."""
    kept = (sign for sign in name if sign.isspace() or not (is_unseen(sign) or category(sign) in NO_SIGNS))
    return " ".join(normalize("NFC", "".join(kept)).split())


def has_too_many_marks(text: str, most_on_a_letter: int = MOST_MARKS, most_on_a_blank: int = 0) -> bool:
    """Whether a letter has too many combining marks, or a mark follows no letter."""
    marks, most = 0, 0
    for sign in normalize("NFC", text):
        if category(sign) not in MARKS:
            marks, most = 0, most_on_a_blank if sign.isspace() else most_on_a_letter
            continue
        marks += 1
        if marks > most:
            return True
    return False


def look_alike(one: str, other: str) -> bool:
    """Whether two names cannot be told apart: as they are drawn, as they are read, or but for capitals."""
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where it looks like one that is taken."""
    others = list(taken)
    number, candidate = 1, name
    while any(look_alike(candidate, other) for other in others):
        number += 1
        candidate = f"{name} {number}"
    return candidate


@lru_cache(maxsize=4096)
def _looks(name: str) -> tuple[str, ...]:
    """As it is drawn; as it is read, by whatever letters; and as its small letters are read. Accents stay: they make
    another name, above all in Vietnamese."""
    letters = visible(name).replace(" ", "")
    drawn, small = _skeleton(letters), _skeleton(normalize("NFKD", letters).casefold())
    looks = drawn.translate(LOOK_DRAWN), *(look.casefold().translate(LOOK_READ) for look in (drawn, small))
    return tuple(normalize("NFKC", look) for look in looks)


def _skeleton(text: str) -> str:
    """The text in the letters that it looks like (UTS #39). Wide, bold or circled letters count as plain ones."""
    models = normalize("NFD", text).translate(LOOKS_LIKE)
    return normalize("NFKD", models).translate(LOOKS_LIKE)
