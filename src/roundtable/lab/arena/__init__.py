"""Which bot is stronger: bots against each other in the same deals, as whole teams and as guests among others."""

from roundtable.lab.arena.fixtures import CONTESTS
from roundtable.lab.arena.results import Results
from roundtable.lab.arena.study import ArenaStudy, arena_of
from roundtable.lab.arena.summary import Summary, summarise

__all__ = ["CONTESTS", "ArenaStudy", "Results", "Summary", "arena_of", "summarise"]
