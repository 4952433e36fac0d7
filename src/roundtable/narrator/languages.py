"""The languages of the table: everything is said in English and in Vietnamese, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from roundtable.core.errors import Problem, SetupError

Lang = Literal["en", "vi"]
LANGUAGES: tuple[Lang, ...] = get_args(Lang)


def language_named(name: str) -> Lang:
    for lang in LANGUAGES:
        if lang == name.lower():
            return lang
    choices = " or ".join(LANGUAGES)
    raise SetupError([Problem("setup/option", f"There is no language called {name!r}; choose {choices}.")])


class Both(NamedTuple):
    """The same words in both languages."""

    en: str
    vi: str

    def spoken(self, lang: Lang) -> str:
        return self.en if lang == "en" else self.vi

    def filled(self, **blanks: Both | int) -> Both:
        """These words with their `{blanks}` filled, in each language with its own words."""
        return Both(*(getattr(self, lang).format(**_in_language(lang, blanks)) for lang in LANGUAGES))

    def joined(self, *more: Both) -> Both:
        """One sentence after another."""
        return Both(*(" ".join(each.spoken(lang) for each in (self, *more)) for lang in LANGUAGES))


def _in_language(lang: Lang, blanks: dict[str, Both | int]) -> dict[str, str | int]:
    return {name: blank if isinstance(blank, int) else blank.spoken(lang) for name, blank in blanks.items()}


def same(word: str) -> Both:
    """A name that is called the same in both languages."""
    return Both(word, word)


def listed(words: Iterable[Both], last: Both) -> Both:
    """`A, B and C`, with the word that goes before the last one."""
    words = tuple(words)
    return Both(*(_listed([word.spoken(lang) for word in words], last.spoken(lang)) for lang in LANGUAGES))


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


AND = Both("and", "và")
OR = Both("or", "hoặc")
