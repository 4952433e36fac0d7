"""Which language a person is spoken to in: by its name, as a client asks for it, or by an Accept-Language header."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.catalogue import SOURCE, languages
from roundtable.core.errors import SetupError, shown

MOST_ACCEPTED = 20  # languages of a header that are considered


def language_named(name: str) -> str:
    """A language as it was typed; `SetupError` where there is none."""
    for lang in languages():
        if lang.lower() == name.lower():
            return lang
    raise SetupError("setup/option", "language", name=shown(name), choices=list(languages()))


@lru_cache(maxsize=256)
def language_or_english(name: str) -> str:
    """The language that a client asks for, also as `vi-VN`; English where there is none."""
    return _found(name) or SOURCE


@lru_cache(maxsize=256)
def accepted_language(header: str) -> str:
    """The first language of an Accept-Language header that there is; English where there is none."""
    for part in header.split(",")[:MOST_ACCEPTED]:
        if lang := _found(part.partition(";")[0]):
            return lang
    return SOURCE


def _found(name: str) -> str | None:
    """Regions and scripts have no catalogues of their own: `vi-VN` is `vi`."""
    wanted = name.strip().lower()
    for lang in languages():
        if lang.lower() in (wanted, wanted.partition("-")[0]):
            return lang
    return None
