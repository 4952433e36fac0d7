"""The languages that cards can be written in."""

from __future__ import annotations

from roundtable.core.errors import Problem, SetupError
from roundtable.dealer.english import ENGLISH
from roundtable.dealer.vietnamese import VIETNAMESE
from roundtable.dealer.words import Words

LANGUAGES: dict[str, Words] = {"en": ENGLISH, "vi": VIETNAMESE}


def words_in(lang: str) -> Words:
    if lang not in LANGUAGES:
        choices = " or ".join(LANGUAGES)
        raise SetupError([Problem("setup/option", f"There are no cards in {lang!r}; choose {choices}.")])
    return LANGUAGES[lang]
