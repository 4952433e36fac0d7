"""The rulebook for players: one page for each game, readable in five minutes."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from roundtable.core.catalogue import SOURCE
from roundtable.core.errors import SetupError
from roundtable.core.spec import GameSpec


def rulebook(spec: GameSpec, lang: str = SOURCE) -> str:
    """The page as it was written, in a little Markdown: headings, lists, tables, **bold** and `names`.

    Where there is none in this language, it is the English one; `SetupError` where the game has no rulebook.
    """
    for package in spec.text[:1]:
        for spoken in (lang, SOURCE):
            if page := _read(package, spoken):
                return page
    raise SetupError("setup/game", "rulebook", name=spec.name)


@lru_cache(maxsize=16)
def _read(package: str, lang: str) -> str:
    file = files(package).joinpath(f"rulebook.{lang}.md")
    return file.read_text(encoding="utf-8") if file.is_file() else ""
