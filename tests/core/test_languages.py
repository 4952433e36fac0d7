"""Which language a client gets."""

from __future__ import annotations

import pytest

from roundtable.core.languages import accepted_language, language_or_english


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("vi", "vi"), ("VI", "vi"), ("vi-VN", "vi"), ("en", "en"), ("tlh", "en"), ("", "en"), ("v", "en"), ("..", "en")],
)
def test_a_client_names_a_language_and_gets_it_or_english(asked: str, spoken: str) -> None:
    assert language_or_english(asked) == spoken


@pytest.mark.parametrize(
    ("header", "spoken"),
    [
        ("", "en"),
        ("vi", "vi"),
        ("vi-VN,vi;q=0.9,en;q=0.8", "vi"),
        ("tlh-DE, tlh;q=0.9, vi;q=0.8, en;q=0.7", "vi"),
        ("en-GB,vi", "en"),
        ("tlh", "en"),
        ("*", "en"),
        (",;q=1,,", "en"),
        ("x," * 1000 + "vi", "en"),
    ],
)
def test_the_first_accepted_language_that_there_is(header: str, spoken: str) -> None:
    assert accepted_language(header) == spoken
