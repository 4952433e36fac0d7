"""A game told as a story, from nothing but what one listener heard."""

from roundtable.story.telling import Story, names_for, tell
from roundtable.story.words import Names

__all__ = ["Names", "Story", "names_for", "tell"]
