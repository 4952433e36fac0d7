"""What a Saviom table chooses: the mode, the clock and the house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from roundtable.core.setup import Casting, Setup
from roundtable.core.values import Word


class Role(Word):
    WOLF = "Wolf"
    CITIZEN = "Citizen"
    PROTECTOR = "Protector"
    SEER = "Seer"


class Side(Word):
    WOLVES = "Wolves"
    CITIZENS = "Citizens"


def side_of(role: Role) -> Side:
    """Protector and Seer win with the Citizens (S3)."""
    return Side.WOLVES if role is Role.WOLF else Side.CITIZENS


# players -> how many of Wolf, Citizen, Protector, Seer
CLASSIC = {  # S2
    6: (2, 4, 0, 0),
    7: (2, 5, 0, 0),
    8: (2, 6, 0, 0),
    9: (2, 7, 0, 0),
    10: (3, 7, 0, 0),
    11: (3, 8, 0, 0),
    12: (3, 9, 0, 0),
}
ADVANCED = {  # S3
    6: (2, 3, 0, 1),
    7: (2, 4, 1, 0),
    8: (2, 4, 1, 1),
    9: (2, 5, 1, 1),
    10: (3, 5, 1, 1),
    11: (3, 6, 1, 1),
    12: (3, 7, 1, 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SaviomSetup(Setup):
    """Saviom's house rules; every phase is timed (S5)."""

    game: ClassVar[str] = "saviom"
    fewest: ClassVar[int] = 6  # S1
    most: ClassVar[int] = 12

    mode: Literal["classic", "advanced"] = "classic"
    begins_with: Literal["day", "night"] = "day"  # S5
    day_seconds: int = 120
    defense_seconds: int = 30
    night_seconds: int = 60
    early_end: bool = False  # S5, S11
    trial_by: Literal["living", "cast"] = "living"  # S6
    kill_by: Literal["cast", "living"] = "cast"  # S8
    protect_self: bool = False  # S9
    protect_twice: bool = True  # S9
    reveal_on_death: Literal["none", "side", "role"] = "none"  # S11
    quiet_limit: int = 5  # S15

    @property
    def all_roles(self) -> tuple[Role, ...]:
        """Every card of the deal; everyone knows how many of each there are (S4)."""
        counts = (CLASSIC if self.mode == "classic" else ADVANCED)[self.seats]
        return tuple(role for role, count in zip(Role, counts, strict=True) for _ in range(count))

    def casting(self) -> tuple[Casting, ...]:
        cards = {side: tuple(card for card in self.all_roles if side_of(card) is side) for side in Side}
        return tuple(Casting(side, len(cards[side]), cards[side]) for side in Side)
