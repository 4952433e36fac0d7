"""Bradley-Terry strengths: one of each bot as the first side, and one as the second.

The first side wins with the odds exp(its strength - the strength of the second side). Strengths are fitted to all
games between teams at once, so an upset against a strong team counts for more than a win against a weak one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PRIOR = 0.5  # wins that each side is given in every pairing, so that a bot that always wins has a finite strength
MOST_ROUNDS = 10_000
CLOSE = 1e-10  # of a logarithm, between two rounds


def fit(first_won: Floats, second_won: Floats, prior: float = PRIOR) -> Floats:
    """The strengths that make the games most likely, by minorisation-maximisation; their mean is 0.

    `first_won[..., a, b]` counts games that a won as the first side against b as the second, `second_won[..., a, b]`
    those that b won. The result has a row for each side, and in it a strength for each bot: `[..., side, bot]`.
    """
    won, lost = first_won + prior, second_won + prior
    games, first_wins, second_wins = won + lost, won.sum(axis=-1), lost.sum(axis=-2)
    first, second = np.ones_like(first_wins), np.ones_like(second_wins)
    for _ in range(MOST_ROUNDS):
        new_first = first_wins / (games / (first[..., :, None] + second[..., None, :])).sum(axis=-1)
        new_second = second_wins / (games / (new_first[..., :, None] + second[..., None, :])).sum(axis=-2)
        moved = max(_distance(first, new_first), _distance(second, new_second))
        first, second = new_first, new_second
        if moved < CLOSE:
            break
    strengths = np.log(np.stack([first, second], axis=-2))
    centred: Floats = strengths - strengths.mean(axis=(-1, -2), keepdims=True)
    return centred


def _distance(old: Floats, new: Floats) -> float:
    return float(np.abs(np.log(new / old)).max())
