"""What a language needs so that cards can be written in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Every sentence of the dealer, in one language.

    Names, roles and sides go into the `{blanks}`; the tables are keyed by the engine's own words.
    """

    you_are: str
    roles: Mapping[str, str]
    sides: Mapping[str, str]
    does: Mapping[str, Mapping[str, Lines]]  # game -> role -> what the role does, in one to four lines
    seen_as: Mapping[str, str]  # what a player is seen as -> the line about them
    known_as: str  # Colgrevance's line about each ally
    sees_nobody: str
    notices: Mapping[str, str]
    is_assassin: Mapping[str, str]  # game -> what somebody with the Assassin's duty is told
    leads: str
    leads_with_lady: str
    begins_with: Mapping[str, str]  # a Saviom table's first phase -> how the game begins
    spoiler: str
    teams: Mapping[str, str]  # side -> the heading over its players
    in_the_deal: str
    cards_lie: str  # where the cards are, and who reads what
    then_begin: str  # what is read next, and what only after the game
    write_down: str  # what everybody may write down, to check the deal after the game (C1)
    seed_paper: str
    note: str
    advice: Mapping[str, str] = field(default_factory=dict)  # a setup's notice -> the same in this language

    def note_on(self, notice: str) -> str:
        """What a person who chooses a table should know about it (T5)."""
        return self.note.format(notice=self.advice.get(notice, notice))
