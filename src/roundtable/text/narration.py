"""A narrator's script for a real table, in one language: what is read out, and how long to wait after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from roundtable.core.catalogue import Catalogue, catalogue
from roundtable.core.plugins import load
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.text.script import Night, ScriptLine, look, say

Narration = Callable[[Any, Night], Iterable[ScriptLine]]
"""What `GameSpec.narration` names: a function from the game's setup, and where people learn whom they know, to the
lines of its script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A line to read out (`aloud`), or a note to the narrator alone. `act` is the same in every language.

    The pause is in seconds. It never depends on the deal, so it gives nothing away. `by_hand` and `dark` are those of a
    ScriptLine.
    """

    part: str
    act: str
    text: str
    pause: int = 0
    aloud: bool = True
    by_hand: bool = False
    dark: bool = False


def narrate(spec: GameSpec, setup: Setup, lang: str = "en", night: Night = "eyes") -> tuple[Cue, ...]:
    """What to read out at this table. It follows from public facts alone: the setup (A10, A26, T13, S4), and whether
    people find out whom they know with their eyes closed or on their phones."""
    setup.require_ready()
    script: Narration = load(spec.narration) if spec.narration else plain_script
    words = catalogue(lang, spec.text)
    return tuple(cue_of(line, words) for line in script(setup, night))


def cue_of(line: ScriptLine, words: Catalogue) -> Cue:
    text = " ".join(sentence.text(words) for sentence in line.sentences)
    return Cue(
        part=line.part,
        act=line.act,
        text=text,
        pause=line.pause,
        aloud=line.aloud,
        by_hand=line.by_hand,
        dark=line.dark,
    )


def plain_script(setup: Setup, night: Night) -> Iterator[ScriptLine]:
    """The script of a game that has none of its own."""
    yield say("table", "players", seats=setup.seats)
    yield look(night)
    yield say("table", "begin")


def part_title(part: str, words: Catalogue) -> str:
    """The heading of a part of the script."""
    return words.text(f"narration.title.{part}")
