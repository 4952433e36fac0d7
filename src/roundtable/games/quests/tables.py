"""The numbers of the quest games, row by row as the rulebook has them."""

from __future__ import annotations

# A2, T1: players -> (Good, Evil)
SIDES_BY_COUNT = {5: (3, 2), 6: (4, 2), 7: (4, 3), 8: (5, 3), 9: (6, 3), 10: (6, 4)}

# A3: players -> team size by quest 1..5
TEAM_SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}

QUESTS = 5
TO_WIN = 3
REJECTIONS = 5  # A15: in one quest, win for Evil


def team_size(seats: int, quest: int) -> int:
    return TEAM_SIZES[seats][quest - 1]


def fails_needed(seats: int, quest: int, two_fails_from: int) -> int:
    """A19, T20: one Fail fails a quest, but the fourth of a large table needs two."""
    return 2 if quest == 4 and seats >= two_fails_from else 1


def quest_fails(fails: int, reverses: int, needed: int) -> bool:
    """A19, T19, T20: an odd number of Reverses turns a quest that is exactly one Fail short of failing."""
    return fails == needed - 1 if reverses % 2 else fails >= needed


def has_majority(approvals: int, votes: int) -> bool:
    """A13: more than half of all; a tie rejects."""
    return 2 * approvals > votes
