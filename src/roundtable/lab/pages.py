"""A page of figures: one self-contained file, readable on a phone and in the dark."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files


def html_page(title: str, lang: str, body: Iterable[str]) -> str:
    style = files("roundtable.lab").joinpath("page.css").read_text(encoding="utf-8")
    return "".join(
        [
            f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{style}</style></head><body><h1>{escape(title)}</h1>",
            *body,
            "</body></html>",
        ]
    )
