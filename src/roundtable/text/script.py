"""What a game's narration is made of: lines by catalogue key with values, before a language is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from roundtable.core.catalogue import Catalogue, listed, word_key

Night = Literal["eyes", "phones"]
"""Where people learn whom they know: at a night with closed eyes, or on their phones. What the phones show, no script
tells people to open their eyes for."""

READ = 15  # seconds to look at a card


@dataclass(frozen=True, slots=True)
class Sentence:
    """A key and the values for its blanks; a value may be a sentence or a list itself."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    context: str = ""
    count: int | None = None

    def text(self, words: Catalogue) -> str:
        filled = {name: in_words(value, words) for name, value in self.values.items()}
        return words.text(self.key, context=self.context, count=self.count, **filled)


@dataclass(frozen=True, slots=True)
class Listed:
    """`A, B and C`; with the context `or`, `A, B or C`."""

    items: tuple[Any, ...]
    context: str = ""

    def text(self, words: Catalogue) -> str:
        return listed([in_words(item, words) for item in self.items], words, self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptLine:
    """Sentences to read out (`aloud`), or a note to the narrator alone; then a pause, in seconds.

    `act` names the line within its part, the same in every language. A line `by_hand` is said only where it applies, or
    has words in brackets to fill in. While it is `dark`, eyes are closed, and a sound may cover what people do.
    """

    part: str
    act: str
    sentences: tuple[Sentence, ...]
    pause: int = 0
    aloud: bool = True
    by_hand: bool = False
    dark: bool = False


def say(
    part: str, act: str, *more: Sentence, pause: int | None = None, context: str = "", **values: object
) -> ScriptLine:
    """A line to read out: `narration.<part>.<act>`, and more sentences after it. None is no pause."""
    first = Sentence(f"narration.{part}.{act}", values, context)
    return ScriptLine(part=part, act=act, sentences=(first, *more), pause=pause or 0)


def look(night: Night) -> ScriptLine:
    """Everyone looks at their own role, for a time that is the same for all."""
    return say("table", "look", context=night if night == "phones" else "", pause=READ)


def if_so(line: ScriptLine) -> ScriptLine:
    """A line that is said only where it applies, or with a word filled in: no machine says it by itself."""
    return replace(line, by_hand=True)


def in_the_dark(lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Lines that are said while all or most eyes are closed."""
    return (replace(line, dark=True) for line in lines)


def note(part: str, act: str, *more: Sentence, context: str = "", **values: object) -> ScriptLine:
    """For the narrator alone: what to do, or when to say what follows."""
    first = Sentence(f"narration.{part}.{act}", values, context)
    return ScriptLine(part=part, act=act, sentences=(first, *more), aloud=False)


def word(name: str) -> Sentence:
    """A role, a side or a card by the name that the rules have for it."""
    return Sentence(word_key(name))


def in_words(value: Any, words: Catalogue) -> str:
    return value.text(words) if isinstance(value, Sentence | Listed) else str(value)
