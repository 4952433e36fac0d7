"""A phrase book: claims and short remarks that every client shows in its own language, and programs understand."""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """What belongs to a phrase: a seat that it is about, and a word of the game (a role, a side, a card)."""

    has_seat: bool = False
    has_word: bool = False


IDENTITY_CLAIMS = frozenset(("i_am", "i_saw"))  # about one's own role or side, or what one was shown at the start

# What can be said in any game; a game adds its own.
COMMON_PHRASES = {
    "i_am": Phrase(has_word=True),  # "I am a Songbird."
    "i_saw": Phrase(has_seat=True, has_word=True),  # "I saw seat 4 as the Cuckoo."
    "i_trust": Phrase(has_seat=True),
    "i_suspect": Phrase(has_seat=True),
    "why": Phrase(has_seat=True),
    "wait": Phrase(),
    "go_on": Phrase(),
    "hello": Phrase(),
    "well_played": Phrase(),
}
