"""How a script and a rulebook look when they are printed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from roundtable.core.catalogue import Catalogue
from roundtable.text.narration import Cue, part_title

WIDTH = 80
BOLD, NAME, TITLE, PLAIN = "\033[1m", "\033[36m", "\033[1;33m", "\033[0m"


def script_page(cues: Iterable[Cue], words: Catalogue) -> Iterator[str]:
    """The lines of a script, part by part."""
    yield from textwrap.wrap(words.text("narration.legend"), WIDTH)
    for part, spoken in groupby(cues, key=lambda cue: cue.part):
        yield from ("", part_title(part, words))
        for cue in spoken:
            yield from _cue_lines(cue)


def _cue_lines(cue: Cue) -> list[str]:
    if not cue.aloud:
        return textwrap.wrap(f"({cue.text})", WIDTH, initial_indent="    ", subsequent_indent="     ")
    # A no-break space keeps the wait and its brackets on one line.
    wait = f" [{cue.pause}\N{NO-BREAK SPACE}s]" if cue.pause else ""
    lines = textwrap.wrap(cue.text + wait, WIDTH, initial_indent="  - ", subsequent_indent="    ")
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def plain_page(text: str) -> str:
    """A rulebook as plain text: headings underlined, names that can be typed still in backticks."""
    headed = re.sub(r"^(#+) (.+)\n\n?", _underlined, text, flags=re.MULTILINE)
    return re.sub(r"\*\*(.+?)\*\*", r"\1", headed, flags=re.DOTALL)


def _underlined(heading: re.Match[str]) -> str:
    level, title = heading.groups()
    return f"{title}\n{('=' if level == '#' else '-') * len(title)}\n"


def styled_page(text: str) -> str:
    """A rulebook for a terminal: titles and roles in bold, names that can be typed in colour."""
    headed = re.sub(r"^#+ (.+)$", rf"{TITLE}\1{PLAIN}", text, flags=re.MULTILINE)
    bold = re.sub(r"\*\*(.+?)\*\*", rf"{BOLD}\1{PLAIN}", headed, flags=re.DOTALL)
    return re.sub(r"`([^`]+)`", rf"{NAME}\1{PLAIN}", bold)
