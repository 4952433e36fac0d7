"""A game told as a story, from nothing but what a spectator hears."""

from roundtable.clients.story.telling import names_for, tell
from roundtable.clients.story.words import Names

__all__ = ["Names", "names_for", "tell"]
