"""Random five-player Avalon as a bare loop over integers: the same game with no rules library at all."""

from __future__ import annotations

import random
from itertools import combinations

SIZES = (2, 3, 2, 3, 3)
TEAMS = {size: tuple(combinations(range(5), size)) for size in (2, 3)}


def play_bare(rng: random.Random) -> bool:
    """One game with Merlin, Percival, Morgana and the Assassin, every vote and card random; True if Evil wins."""
    seats = [0, 1, 2, 3, 4]  # 0 Merlin, 1 Percival, 2 Servant, 3 Morgana, 4 Assassin
    rng.shuffle(seats)
    merlin, assassin = seats.index(0), seats.index(4)
    leader = rng.randrange(5)
    good = evil = 0
    history: list[int] = []
    team: tuple[int, ...] = ()
    while True:
        size = SIZES[good + evil]
        for attempt in range(5):
            teams = TEAMS[size]
            team = teams[rng.randrange(len(teams))]
            approvals = 0
            for seat in range(5):
                vote = rng.randrange(2)
                approvals += vote
                history.append(seat << 1 | vote)
            leader = (leader + 1) % 5
            if approvals > 2:
                break
            if attempt == 4:
                return True
        fails = 0
        for seat in team:
            card = rng.randrange(2) if seats[seat] > 2 else 0
            fails += card
            history.append(seat << 1 | card)
        if fails:
            evil += 1
            if evil == 3:
                return True
        else:
            good += 1
            if good == 3:
                shot = rng.randrange(4)
                return shot + (shot >= assassin) == merlin
