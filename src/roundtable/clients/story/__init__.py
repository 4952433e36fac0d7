"""A game told as a story, from nothing but what one listener heard."""

from roundtable.clients.story.telling import Story, names_for, tell
from roundtable.clients.story.words import Names

__all__ = ["Names", "Story", "names_for", "tell"]
