"""The rulebook for players: one page for each game, readable in five minutes."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from roundtable.narrator.languages import Lang


@lru_cache(maxsize=16)
def rulebook(game: str, lang: Lang = "en") -> str:
    """The page as it was written, in a little Markdown: headings, lists, tables, **bold** and `names`."""
    return (files("roundtable.narrator") / "texts" / f"{game}.{lang}.md").read_text(encoding="utf-8")
