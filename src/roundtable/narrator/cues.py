"""One cue of a narrator's script: what to say or to do, and how long to wait after it."""

from __future__ import annotations

from dataclasses import dataclass

from roundtable.core.values import Word
from roundtable.narrator.languages import Both, Lang


class Part(Word):
    """Where in the game a cue belongs."""

    TABLE = "table"
    NIGHT = "night"
    DAWN = "dawn"
    DAY = "day"
    DEFENSE = "defense"
    PROPOSAL = "proposal"
    VOTE = "vote"
    MISSION = "mission"
    ASSASSINATION = "assassination"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A line to read out (`aloud`), or a word to the narrator alone. `act` is the same in every language.

    The pause is in seconds. It never depends on who holds which card, so that nobody learns from it.
    """

    part: Part
    act: str
    text: str
    pause: int = 0
    aloud: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A cue before a language is chosen."""

    part: Part
    act: str
    words: Both
    pause: int = 0
    aloud: bool = True

    def spoken(self, lang: Lang) -> Cue:
        text = self.words.spoken(lang)
        return Cue(part=self.part, act=self.act, text=text, pause=self.pause, aloud=self.aloud)


def say(part: Part, act: str, words: Both, pause: int | None = None) -> Line:
    """To be read out. Where the table has set no time (None), there is nothing to wait for."""
    return Line(part=part, act=act, words=words, pause=pause or 0)


def note(part: Part, act: str, words: Both) -> Line:
    """For the narrator alone: what to do, or when to say what follows."""
    return Line(part=part, act=act, words=words, aloud=False)
