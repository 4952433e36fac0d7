"""Writes core/confusables.py, the table of letters that look like others, from Unicode's confusables.txt (UTS #39).

    make confusables UNICODE=path/to/confusables.txt

The file is at https://www.unicode.org/Public/security/latest/confusables.txt, and in the sources of ICU at
source/data/unidata/. The table is committed, so that nothing else needs the file. Where ROUNDTABLE_CONFUSABLES names
it, a test compares the table with what this writes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby, product
from pathlib import Path
from unicodedata import bidirectional, category, name, normalize

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "src" / "roundtable" / "core" / "confusables.py"
LONGEST_LINE = 120

LINE = re.compile(r"([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t#(\*?)")
VERSION = re.compile(r"# Version: (\S+)")

# What matters for names: look-alikes of signs up to Georgian, of more Latin letters, of kana and Chinese characters.
MODELS = (
    *((0x0021, 0x0700), (0x0900, 0x1100), (0x1D00, 0x1F00), (0x2C60, 0x2C80)),
    *((0x3040, 0x3100), (0x4E00, 0xA000), (0xA720, 0xA800)),
)
LEFT_OUT = "I1|0m%"  # core/names.py decides on the first five, by capitals; Unicode takes % for three signs
BY_CAPITALS = str.maketrans("I1|0", "lllO")  # as core/names.py does later
SMALL_CAPITAL = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z])")
NEWER = range(0x1CCD6, 0x1CCFA)  # Python 3.11 does not decompose these

# Where Unicode is silent, or says otherwise.
TITLES = {chr(code): SMALL_CAPITAL.fullmatch(name(chr(code), "")) for code in range(0x0250, 0xA800)}
OURS = {
    **{sign: title[1] for sign, title in TITLES.items() if title},
    **dict(zip("ĸʍȷχωηԼ", "KMjxwnL", strict=True)),
    **dict.fromkeys("\u2014\u2015", "-"),  # Unicode: like the long vowel of Japanese
}

TONES = ("", "\u0300", "\u0309", "\u0303", "\u0301", "\u0323")
VOWELS = "aăâeêioôơuưy"


def span(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


# Letters that the readers of one alphabet tell apart. Where Unicode takes two of them for alike, the later one stays as
# it is. Arabic has one letter each for kaf, heh and yeh: Unicode is right about their Persian and Urdu forms.
ALPHABETS = {
    "Vietnamese": ["đ", *(normalize("NFC", vowel + tone) for vowel, tone in product(VOWELS, TONES))],
    "Latin": "abcdefghijklmnopqrstuvwxyzæœøłðßŋ",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψω",
    "Cyrillic": "абвгґдђеєжзѕиіїйјклљмнњопрстћуўфхцчџшщъыьэюяәғқңөұ",
    "Armenian": span(0x561, 0x586),
    "Georgian": span(0x10D0, 0x10F0),
    "Hebrew": "'" + span(0x5D0, 0x5EA),
    "Hebrew points": span(0x5B0, 0x5B9) + span(0x5BB, 0x5BC) + span(0x5C1, 0x5C2),
    "Arabic": span(0x621, 0x63A) + span(0x641, 0x648) + span(0x64A, 0x64A) + "پچژگٹڈڑںے",
    "Arabic points": span(0x64B, 0x652),
    "Devanagari": span(0x901, 0x939) + span(0x93E, 0x94D),
    "Bengali": span(0x985, 0x9B9) + span(0x9BE, 0x9CD),
    "Gurmukhi": span(0xA05, 0xA39) + span(0xA3E, 0xA4D),
    "Gujarati": span(0xA85, 0xAB9) + span(0xABE, 0xACD),
    "Tamil": span(0xB85, 0xBB9) + span(0xBBE, 0xBCD),
    "Telugu": span(0xC05, 0xC39) + span(0xC3E, 0xC4D),
    "Kannada": span(0xC85, 0xCB9) + span(0xCBE, 0xCCD),
    "Malayalam": span(0xD05, 0xD39) + span(0xD3E, 0xD4D),
    "Sinhala": span(0xD85, 0xDC6) + span(0xDCA, 0xDDF),
    "Thai": span(0xE01, 0xE3A) + span(0xE40, 0xE4E),
    "Lao": span(0xE81, 0xEB9) + span(0xEC0, 0xECD),
    "Burmese": span(0x1000, 0x103E),
    "Hiragana": span(0x3041, 0x3096),
    "Katakana": span(0x30A1, 0x30FC),
}

NOTICE = """\
UNICODE LICENSE V3

COPYRIGHT AND PERMISSION NOTICE

Copyright © 2016-2025 Unicode, Inc.

NOTICE TO USER: Carefully read the following legal agreement. BY
DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES, AND/OR
SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE
TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.

Permission is hereby granted, free of charge, to any person obtaining a
copy of data files and any associated documentation (the "Data Files") or
software and any associated documentation (the "Software") to deal in the
Data Files or Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, and/or sell
copies of the Data Files or Software, and to permit persons to whom the
Data Files or Software are furnished to do so, provided that either (a)
this copyright and permission notice appear with all copies of the Data
Files or Software, or (b) this copyright and permission notice appear in
associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall
not be used in advertising or otherwise to promote the sale, use or other
dealings in these Data Files or Software without prior written
authorization of the copyright holder.
"""

HEAD = '''"""Letters and signs that look like others, by Unicode {version} (UTS #39).

Generated by tools/confusables.py from Unicode's confusables.txt; that tool says what it leaves out and adds.
"""

# The notice for Unicode's data:
#
{notice}

from __future__ import annotations

UNICODE_VERSION = "{version}"

# Each line: a model, and what looks like it.
_LINES = """\\
{lines}
"""

LOOKS_LIKE = str.maketrans({{sign: model for model, signs in map(str.split, _LINES.splitlines()) for sign in signs}})
'''


Table = dict[str, str]


def read_confusables(text: str) -> Table:
    """What Unicode takes for look-alikes: a sign, and its model. Signs that are in no word count where their model is
    ASCII."""
    found = (LINE.match(line) for line in text.splitlines())
    pairs = ((chr(int(line[1], 16)), from_hex(line[2]), line[3]) for line in found if line)
    return {sign: model for sign, model, in_no_word in pairs if model.isascii() or not in_no_word}


def from_hex(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


def shape(text: str, table: Table) -> str:
    """The skeleton of a text: decomposed, and each sign replaced by its model. Compatibility forms (wide, bold or
    circled letters) are replaced by what they stand for, where Unicode names no model."""
    models = {ord(sign): model for sign, model in table.items()}
    drawn = normalize("NFD", text).translate(models)
    return normalize("NFD", normalize("NFKD", drawn).translate(models))


def look_alikes(confusables: Table) -> Table:
    """Unicode's table as names need it."""
    table = {sign: with_capitals(sign, model) for sign, model in confusables.items() if sign not in LEFT_OUT}
    table = {**table, **OURS}
    table = {sign: shape(model, table) for sign, model in table.items()}
    return kept_apart({sign: model for sign, model in table.items() if is_needed(sign, model, table)})


def with_capitals(sign: str, model: str) -> str:
    """Unicode takes I for l and m for rn. Here that follows later, so that a capital I stays one."""
    return "I" if model == "l" and category(sign) == "Lu" else model.replace("rn", "m")


def is_needed(sign: str, model: str, table: Table) -> bool:
    """Whether the model is one that matters, and decomposition does not find it anyway."""
    parts = sign if ord(sign) in NEWER else normalize("NFKD", sign)
    if parts != sign:
        is_found = shape(parts, table).translate(BY_CAPITALS) == model.translate(BY_CAPITALS)
        return model.isascii() and normalize("NFD", sign) == sign and not is_found
    return sign != model and not is_jamo(sign) and all(map(is_model, model))


def is_model(sign: str) -> bool:
    return any(first <= ord(sign) < end for first, end in MODELS)


def is_jamo(sign: str) -> bool:
    """Parts of Korean syllables; no name shows one alone."""
    return name(sign, "").startswith("HANGUL")


def kept_apart(table: Table) -> Table:
    """The table without the letters that look like another letter of their own alphabet."""
    for letters in (list(letters) for letters in ALPHABETS.values()):
        for alphabet in (letters, [letter.upper() for letter in letters]):
            taken: dict[str, str] = {}
            for letter in alphabet:
                if taken.setdefault(shape(letter, table).casefold(), letter) != letter:
                    table = {sign: model for sign, model in table.items() if sign != letter}
    return table


def module(version: str, table: Table) -> str:
    """The source of core/confusables.py."""
    notice = "\n".join(f"# {line}".rstrip() for line in NOTICE.splitlines())
    return HEAD.format(version=version, notice=notice, lines="\n".join(table_lines(table)))


def generated(text: str) -> str:
    """The source of core/confusables.py, from the text of Unicode's file."""
    version = VERSION.search(text)
    if version is None:
        raise SystemExit("This is not Unicode's confusables.txt.")
    return module(version[1], look_alikes(read_confusables(text)))


def table_lines(table: Table) -> Iterator[str]:
    """For each model a line, or several, that begins with it."""
    by_model = sorted((model, sign) for sign, model in table.items())
    for model, pairs in groupby(by_model, key=lambda pair: pair[0]):
        line = start = f"{written(model)} "
        for sign in (written(sign) for _, sign in pairs):
            if len(line + sign) > LONGEST_LINE:
                yield line
                line = start
            line += sign
        yield line


def written(text: str) -> str:
    """Letters as they are, where they stand alone and run from left to right; other signs by number."""
    return "".join(sign if is_plain(sign) else escaped(sign) for sign in text)


def is_plain(sign: str) -> bool:
    if sign.isascii():
        return sign.isalnum()
    return sign < "\u3100" and category(sign).startswith("L") and bidirectional(sign) == "L"


def escaped(sign: str) -> str:
    return f"\\x{ord(sign):02x}" if sign.isascii() else ascii(sign)[1:-1]


def main() -> None:
    TABLE.write_text(generated(Path(sys.argv[1]).read_text(encoding="utf-8-sig")), encoding="utf-8", newline="\n")
    print(f"{TABLE} is ready: {TABLE.stat().st_size // 1024} KiB.")


if __name__ == "__main__":
    main()
