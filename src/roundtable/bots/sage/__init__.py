"""The strongest bot: it reasons about every deal that its seat can think of (docs/bots.md)."""

from roundtable.bots.sage.bot import EasyBot, FairBot, SageBot, Thought

__all__ = ["EasyBot", "FairBot", "SageBot", "Thought"]
