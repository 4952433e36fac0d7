"""Catalogues of sentences in i18next JSON v4: read, chained and filled with the standard library alone.

    {"team": {"picked_one": "{{count}} player picked", "picked_other": "{{count}} players picked"}}

    catalogue.text("team.picked", count=2)     ->  2 players picked

Keys are nested objects joined by dots. `{{name}}` is filled with a value. A key is looked up with its context and its
plural category first (`key_context_one`, then `key_context`, then `key_one`, then `key`), as i18next does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

SHELL = "roundtable.text"  # the package with what belongs to no game
SOURCE = "en"  # the language that every key is in
BLANK = re.compile(r"\{\{\s*(\w+)\s*\}\}")

Plural = Callable[[int], str]


def _one_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _zero_one_other(count: int) -> str:
    return "one" if count in (0, 1) else "other"


def _other(count: int) -> str:
    return "other"


def _east_slavic(count: int) -> str:
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


def _polish(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


def _czech(count: int) -> str:
    return "one" if count == 1 else "few" if count in (2, 3, 4) else "other"


# CLDR's plural categories of whole numbers; a language that is not listed has `one` and `other`, as English has.
PLURALS: dict[str, Plural] = {
    **dict.fromkeys(("id", "ja", "ko", "ms", "th", "vi", "zh"), _other),
    **dict.fromkeys(("fr", "hy", "pt"), _zero_one_other),
    **dict.fromkeys(("be", "ru", "uk"), _east_slavic),
    **dict.fromkeys(("cs", "sk"), _czech),
    "pl": _polish,
}


class Catalogue:
    """The sentences of one language, by key."""

    def __init__(self, lang: str, sentences: Mapping[str, str], fallback: Catalogue | None = None) -> None:
        self.lang = lang
        self.sentences = sentences
        self._fallback = fallback
        self._plural = PLURALS.get(lang.split("-")[0], _one_other)

    def __contains__(self, key: str) -> bool:
        return key in self.sentences or (self._fallback is not None and key in self._fallback)

    def text(self, key: str, /, *, context: str = "", count: int | None = None, **values: object) -> str:
        """The sentence of a key with its blanks filled; `KeyError` where the catalogue has none."""
        found = self.find(key, context=context, count=count)
        if found is None:
            raise KeyError(f"There is no {key!r} in the {self.lang!r} catalogue.")
        if count is not None:
            values["count"] = count
        return BLANK.sub(lambda blank: str(values[blank[1]]), found) if "{{" in found else found

    def find(self, key: str, *, context: str = "", count: int | None = None) -> str | None:
        """The sentence of a key with its blanks unfilled, or None."""
        plural = "" if count is None else f"_{self._plural(count)}"
        named = f"_{context}" if context else ""
        for form in (key + named + plural, key + named, key + plural, key):
            if form in self.sentences:
                return self.sentences[form]
        return self._fallback.find(key, context=context, count=count) if self._fallback else None


def flat(nested: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Nested objects as keys with dots."""
    for name, part in nested.items():
        key = f"{above}.{name}" if above else name
        if isinstance(part, Mapping):
            yield from flat(part, key)
        else:
            yield key, part


@lru_cache(maxsize=64)
def read_sentences(package: str, lang: str) -> Mapping[str, str]:
    """What one package says in one language; nothing where it has no such file."""
    file = files(package).joinpath(f"{lang}.json")
    if not file.is_file():
        return {}
    return dict(flat(json.loads(file.read_text(encoding="utf-8"))))


@lru_cache(maxsize=64)
def catalogue(lang: str = SOURCE, packages: tuple[str, ...] = ()) -> Catalogue:
    """The catalogues of these packages in one language, the first before the next, and the shell's after them.

    What a language lacks is said in English, so that a translation can grow.
    """
    chained: dict[str, str] = {}
    for package in reversed((*packages, SHELL)):
        chained.update(read_sentences(package, lang))
    return Catalogue(lang, chained, None if lang == SOURCE else catalogue(SOURCE, packages))


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The languages that the shell is translated into, English first."""
    found = sorted(file.name.removesuffix(".json") for file in files(SHELL).iterdir() if file.name.endswith(".json"))
    return (SOURCE, *(lang for lang in found if lang != SOURCE))


def listed(words: Sequence[str], catalogue: Catalogue, context: str = "") -> str:
    """`Alice, Bob and Eve`, with the language's own `and`, and its own word for an empty list.

    In the context `or` it is `Alice, Bob or Eve`.
    """
    match words:
        case []:
            return catalogue.text("list.none")
        case [only]:
            return only
        case [*most, last]:
            return catalogue.text(
                "list.more", context=context, most=catalogue.text("list.separator").join(most), last=last
            )
    raise AssertionError


def word_key(word: str) -> str:
    """The key of a game's own word (a role, a side, a card): `word.minion_of_mordred`."""
    return f"word.{as_key(word)}"


def role_key(role: str, about: str) -> str:
    """The key of something about a role: `role.minion_of_mordred.power`."""
    return f"role.{as_key(role)}.{about}"


def refusal_key(code: str) -> str:
    """The key of the sentence for an error's code: `refusal.names.sign`."""
    return f"refusal.{code.replace('/', '.')}"


def as_key(word: str) -> str:
    """A game's own word as a part of a key, or as a context: `minion_of_mordred`."""
    return re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")
