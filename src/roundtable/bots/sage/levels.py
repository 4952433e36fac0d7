"""How strong a sage is: how many deals it thinks through, what it remembers, how often it slips."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    name: str
    deals: int
    """Deals drawn from the belief for each decision."""
    games: int
    """Games played on from each deal and candidate."""
    temperature: float
    """By how much, in the chance to win, a move may be worse than the best and still be made now and then."""
    reads_players: bool = True
    """Whether it concludes anything from how others lead and vote, and not only what is certain."""
    hides: bool = True
    """Whether it hides what it knows."""

    def with_effort(self, effort: float) -> Level:
        """The same with fewer deals, for a busy server."""
        if effort >= 1:
            return self
        return replace(self, deals=max(FEWEST_DEALS, int(self.deals * effort)), games=1)


FEWEST_DEALS = 8

EASY = Level(name="easy", deals=12, games=1, temperature=0.12, reads_players=False, hides=False)
FAIR = Level(name="fair", deals=32, games=1, temperature=0.06)
STRONG = Level(name="strong", deals=96, games=2, temperature=0.015)
