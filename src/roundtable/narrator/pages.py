"""How a script and a rulebook look when they are printed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from roundtable.narrator.cues import Cue, Part
from roundtable.narrator.languages import Both, Lang

WIDTH = 80
BOLD, NAME, TITLE, PLAIN = "\033[1m", "\033[36m", "\033[1;33m", "\033[0m"

TITLES = {
    Part.TABLE: Both("At the table", "Chuẩn bị"),
    Part.NIGHT: Both("Night", "Ban đêm"),
    Part.DAWN: Both("Dawn", "Trời sáng"),
    Part.DAY: Both("Day", "Ban ngày"),
    Part.DEFENSE: Both("Defense", "Biện hộ"),
    Part.PROPOSAL: Both("Every proposal", "Mỗi lần đề cử"),
    Part.VOTE: Both("The vote", "Bỏ phiếu"),
    Part.MISSION: Both("The mission", "Làm nhiệm vụ"),
    Part.ASSASSINATION: Both("The assassination", "Ám sát"),
    Part.END: Both("The end", "Kết thúc"),
}
LEGEND = Both(
    "Read out the lines with a dash. Where it says [5 s], wait five seconds, no more and no less. "
    "What stands in round brackets is for you alone.",
    "Đọc to những dòng có gạch đầu dòng. Thấy [5 s] thì chờ đúng năm giây, không hơn không kém. "
    "Phần trong ngoặc tròn chỉ dành cho quản trò.",
)


def script_page(cues: Iterable[Cue], lang: Lang) -> Iterator[str]:
    """The lines of a script, part by part."""
    yield from textwrap.wrap(LEGEND.spoken(lang), WIDTH)
    for part, spoken in groupby(cues, key=lambda cue: cue.part):
        yield from ("", TITLES[part].spoken(lang))
        for cue in spoken:
            yield from _cue_lines(cue)


def _cue_lines(cue: Cue) -> list[str]:
    if not cue.aloud:
        return textwrap.wrap(f"({cue.text})", WIDTH, initial_indent="    ", subsequent_indent="     ")
    # The wait stays in one piece with its brackets, so that it is never torn over two lines.
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
