"""Lengths of messages to a seat, made equal where they would tell a secret to an observer of the network.

TLS hides what a frame says, but not how long it is. So messages end with blanks, up to a common length. That length
follows from public facts and from the seat's own message. It never depends on another seat's secrets: otherwise the
blanks would tell them to this seat.
"""

from __future__ import annotations

NEWS = 256  # characters: the secret part of the events of a move is filled up to a multiple of it
BACKLOG = 8192  # the same for what a client hears when it enters, or when a game begins
VIEW = 512  # by which a view may be longer than that of spectators, or a multiple of it
REFUSED = 512  # characters of a refusal, or a multiple of it
ASKED, ASKED_PER_SEAT = 192, 112  # characters of a question, and for each seat at the table; or a multiple of the sum


def filled(text: str, secret: int, step: int) -> str:
    """The text with blanks, so that its secret characters and the blanks together are a multiple of `step`, and not
    zero."""
    return text + " " * (-secret % step if secret > 0 else step - secret)


def question_length(seats: int) -> int:
    """What questions at this table are filled up to. Most list at most two choices for each seat."""
    return ASKED + ASKED_PER_SEAT * seats
