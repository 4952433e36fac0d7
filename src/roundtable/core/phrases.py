"""A phrase book: claims and short remarks that every client shows in its own language, and programs understand."""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """What belongs to a phrase: a seat that it is about, and a word of the game (a role, a side, a card)."""

    has_seat: bool = False
    has_word: bool = False


CLAIMS = {
    "i_am": Phrase(has_word=True),  # "I am Percival."
    "i_saw": Phrase(has_seat=True, has_word=True),  # "I saw seat 4 as Evil."
    "i_examined": Phrase(has_seat=True, has_word=True),  # "I examined seat 4: Evil."
    "i_protected": Phrase(has_seat=True),
    "i_played": Phrase(has_word=True),  # "I played Success."
}
REMARKS = {
    "i_trust": Phrase(has_seat=True),
    "i_suspect": Phrase(has_seat=True),
    "take_me": Phrase(),
    "take": Phrase(has_seat=True),
    "approve_this": Phrase(),
    "reject_this": Phrase(),
    "why": Phrase(has_seat=True),
    "wait": Phrase(),
    "go_on": Phrase(),
    "hello": Phrase(),
    "well_played": Phrase(),
}
PHRASES: dict[str, Phrase] = CLAIMS | REMARKS
