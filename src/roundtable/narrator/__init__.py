"""What a narrator reads out, and the rulebook that players read, in English and in Vietnamese."""

from roundtable.narrator.cues import Cue
from roundtable.narrator.languages import LANGUAGES, Lang, language_named
from roundtable.narrator.rulebook import rulebook
from roundtable.narrator.script import narrate

__all__ = ["LANGUAGES", "Cue", "Lang", "language_named", "narrate", "rulebook"]
