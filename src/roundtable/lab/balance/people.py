"""How often people win, for comparison: 12,933 games of Avalon that were played at avalongame.online."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.lab.tally import Share

WHOSE = "12,933 games of Avalon between people at avalongame.online, with 120 different sets of roles"


class People(NamedTuple):
    games: int
    good_won: float  # in percent
    merlin_hit: float  # in percent of the shots

    @property
    def good(self) -> Share:
        return Share(round(self.games * self.good_won / 100), self.games)


PEOPLE = {
    5: People(3_574, 44.7, 40.5),
    6: People(3_330, 46.5, 35.3),
    7: People(2_828, 44.2, 35.9),
    8: People(1_722, 40.7, 35.7),
    9: People(862, 46.3, 29.2),
    10: People(616, 34.1, 38.1),
}


def people_at(game: str) -> dict[int, People]:
    """Nobody has written down enough games of the others."""
    return PEOPLE if game == "avalon" else {}
