"""How often people win, for comparison: 12,933 games of Avalon that were played at avalongame.online."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.lab.balance.tables import DUTY
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


# Of 8,032 of these games, by the special roles that were dealt; sets with 60 games or more. There the Assassin was an
# Evil player of whatever role.
BY_ROLES = {
    (5, "no special roles"): Share(138, 277),
    (5, "Mordred"): Share(38, 102),
    (5, "Morgana, Percival"): Share(365, 766),
    (5, "Mordred, Morgana, Percival"): Share(232, 576),
    (6, "no special roles"): Share(97, 228),
    (6, "Mordred"): Share(27, 82),
    (6, "Morgana, Percival"): Share(350, 688),
    (6, "Mordred, Morgana, Percival"): Share(333, 736),
    (7, "no special roles"): Share(47, 121),
    (7, "Morgana, Percival"): Share(214, 507),
    (7, "Mordred, Morgana, Percival"): Share(134, 336),
    (7, "Morgana, Oberon, Percival"): Share(90, 181),
    (7, "Mordred, Morgana, Oberon, Percival"): Share(207, 415),
    (8, "no special roles"): Share(19, 61),
    (8, "Morgana, Percival"): Share(109, 271),
    (8, "Mordred, Morgana, Percival"): Share(96, 248),
    (8, "Mordred, Morgana, Oberon, Percival"): Share(149, 303),
    (9, "Morgana, Percival"): Share(56, 96),
    (9, "Mordred, Morgana, Percival"): Share(93, 238),
    (9, "Mordred, Morgana, Oberon, Percival"): Share(49, 108),
    (10, "Mordred, Morgana, Oberon, Percival"): Share(55, 175),
    (5, "merlin=no"): Share(159, 268),
    (6, "merlin=no"): Share(101, 203),
    (7, "merlin=no"): Share(40, 103),
}


def people_with(game: str, seats: int, label: str) -> Share | None:
    """How often people won as Good with these very roles, if that was written down often enough."""
    return BY_ROLES.get((seats, label.removesuffix(DUTY))) if game == "avalon" else None


def people_at(game: str) -> dict[int, People]:
    """Nobody has written down enough games of the others."""
    return PEOPLE if game == "avalon" else {}
