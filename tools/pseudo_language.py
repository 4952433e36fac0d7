"""Makes a test language out of English: accented, and 40 % longer.

    python tools/pseudo_language.py src/roundtable xx

Every `en.json` under the folder gets an `xx.json` beside it, every `rulebook.en.md` a `rulebook.xx.md`. Text in them
that is not accented was not translated; text that is cut or overlaps would be so in many real languages. For copies: a
checkout needs no such files.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

SOURCE = "en"
LONGER = 0.4
LETTERS = "aeiouyAEIOUYcdgnrstzCDGNRSTZ"
ACCENTED = str.maketrans(LETTERS, "àéîöüýÀÉÎÖÜÝçďğñřšťžÇĎĞÑŘŠŤŽ")
DOUBLED = re.compile(r"[aeiou]")
BLANK = re.compile(r"(\{\{\s*\w+\s*\}\})")


def pseudo(text: str) -> str:
    """The text with accents and more letters; blanks stay as they are."""
    parts = BLANK.split(text)
    wanted = round(LONGER * sum(len(part) for part in parts if not BLANK.fullmatch(part)))
    longer = []
    for part in parts:
        if BLANK.fullmatch(part):
            longer.append(part)
            continue
        stretched = DOUBLED.sub(lambda vowel: 2 * vowel[0], part, count=wanted) if wanted else part
        wanted -= len(stretched) - len(part)
        longer.append(stretched.translate(ACCENTED))
    return "".join(longer) + (" " + "ö" * (wanted - 1) if wanted > 1 else "")


def translated(part: Any) -> Any:
    return {key: translated(one) for key, one in part.items()} if isinstance(part, dict) else pseudo(part)


def translate(folder: Path, lang: str) -> list[Path]:
    """Writes the catalogues of the test language, and returns where they are."""
    written = []
    for source in sorted(folder.rglob(f"text/{SOURCE}.json")):
        target = source.with_name(f"{lang}.json")
        catalogue = translated(json.loads(source.read_text(encoding="utf-8")))
        target.write_text(json.dumps(catalogue, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        written.append(target)
    for source in sorted(folder.rglob(f"text/rulebook.{SOURCE}.md")):
        target = source.with_name(f"rulebook.{lang}.md")
        lines = [translated_line(line) for line in source.read_text(encoding="utf-8").splitlines()]
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")
        written.append(target)
    return written


def translated_line(line: str) -> str:
    """A line of Markdown; what stands between backquotes is code, and a row of dashes is the frame of a table."""
    if not re.search(r"[A-Za-z]", line):
        return line
    return "".join(part if part.startswith("`") else pseudo(part) for part in re.split(r"(`[^`]*`)", line))


if __name__ == "__main__":
    for path in translate(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "xx"):
        print(path)
