"""Where a game of Avalon or THavalon stands, in whole numbers: what is on the table, who is who, and what was seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.compiled.words import MOST_SEATS, ROLES
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.chance import LUCK
from roundtable.kernels.positions import TURN, padded

Now = Any  # a row of TABLE

MOST_POLLS = 25  # five quests, five proposals
MOST_BOUNDS = 48

SEAT = (np.int16, MOST_SEATS)
NUMBERS = (
    *("evil", "assassin", "careful", "length"),  # a set of seats is a mask, like every other below
    *("first_leader", "leader", "attempt", "quest", "team"),
    *("holder", "ballots", "voted", "fails", "reverses"),  # the bearer of Excalibur; who votes so, and lays such a card
    "coins",  # bits drawn ahead: ballots and cards of those who play at random
    *("successes", "failures", "played"),
    *("lady", "lady_has_been_with"),
    *("arthur", "declared"),  # who has declared as Arthur, who as Agravaine
    *("window", "window_team", "went_on"),  # the quest that Agravaine could still turn, or 0
    *("first_team", "leader_of_first"),  # of a pair
    "round_began",  # with which phase
    "drawn",  # the place of the last team that was drawn for a leader who named none
    *("poll_count", "result_count"),
    "news",  # how often anything has become certain
)
POSITION = padded(
    [
        *LUCK,
        *TURN,
        *[(name, np.int64) for name in NUMBERS],
        ("has_pair", np.int64),  # whether a team is on the table beside the first of a pair
        ("earned", np.int64, MOST_SEATS),  # points that everyone can hold against each seat
        ("roles", *SEAT),
        ("examined", *SEAT),  # by holder of the Lady
        ("where", np.int16, len(ROLES)),  # the seat of each role, as a mask; roles that come once
        ("poll_quest", np.int16, MOST_POLLS),
        ("poll_team", np.int16, MOST_POLLS),
        ("poll_leader", np.int16, MOST_POLLS),
        ("poll_ballots", np.int16, MOST_POLLS),
        ("result_quest", np.int16, QUESTS),  # in the order in which they were played
        ("result_team", np.int16, QUESTS),
        ("result_fails", np.int16, QUESTS),
        ("result_reverses", np.int16, QUESTS),
        ("result_failed", np.int16, QUESTS),
        ("turned", np.int16, QUESTS),  # whose card Excalibur turned in it, or -1
        ("turner", np.int16, QUESTS),
        ("turned_fail", np.int16, QUESTS),
        ("shown_evil", *SEAT),  # whom each seat was shown as Evil, as a mask
        ("shown_pair", *SEAT),  # … as Merlin or Morgana
        ("shown_good", *SEAT),  # … as a Good role by name
        ("shown_villains", *SEAT),  # … as an Evil role by name
        ("fellows", *SEAT),  # those an Evil player counts on, themself included; none for Good
        ("learned_evil", *SEAT),  # what the Lady and Excalibur have shown
        ("learned_good", *SEAT),
    ]
)
# What is worked out from a position, and not kept with it.
THOUGHTS = [
    ("pool", np.int64, len(ROLES)),  # that roles are drawn from
    ("order", np.int64, MOST_SEATS),  # in which seats are asked
    ("known_since", np.int64, MOST_SEATS),  # the news at which the following was found
    ("known_evil", np.int64, MOST_SEATS),
    ("known_good", np.int64, MOST_SEATS),
    ("posed_evil", np.int64, MOST_SEATS),
    ("posed_good", np.int64, MOST_SEATS),
    ("bound_count", np.int64, MOST_SEATS + 1),
    ("bound_group", np.int64, (MOST_SEATS + 1, MOST_BOUNDS)),
    ("bound_least", np.int64, (MOST_SEATS + 1, MOST_BOUNDS)),
    ("bound_most", np.int64, (MOST_SEATS + 1, MOST_BOUNDS)),
    ("shunned", np.int64),  # by the seat that is thinking now, and so are the points
    ("face", np.int64, MOST_SEATS),
    ("points", np.int64, MOST_SEATS),
    ("sorted", np.int64, MOST_SEATS),
    ("candidates", np.int64, 252),  # teams
    ("sums", np.int64, 252),  # the cost of each
    ("best", np.int64, 252),
    ("best_count", np.int64),
]
TABLE = np.dtype([*POSITION.descr, *THOUGHTS])
