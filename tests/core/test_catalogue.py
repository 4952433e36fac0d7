"""Catalogues are read, chained and filled as i18next does it."""

from __future__ import annotations

import pytest

from roundtable.core.catalogue import Catalogue, catalogue, flat, languages
from roundtable.core.errors import SetupError
from roundtable.core.languages import language_named
from support.translations import LANGUAGE_CHOICES

ENGLISH = Catalogue(
    "en",
    dict(
        flat(
            {
                "team": {"picked_one": "{{count}} player picked", "picked_other": "{{count}} players picked"},
                "vote": {"cast": "{{name}} votes", "cast_approve": "{{name}} approves"},
                "card_evil_one": "one Evil card",
                "card_other": "{{count}} cards",
            }
        )
    ),
)


def test_blanks_are_filled() -> None:
    assert ENGLISH.text("vote.cast", name="Ann") == "Ann votes"


@pytest.mark.parametrize(("count", "said"), [(0, "0 players picked"), (1, "1 player picked"), (2, "2 players picked")])
def test_a_count_chooses_the_plural(count: int, said: str) -> None:
    assert ENGLISH.text("team.picked", count=count) == said


def test_a_context_comes_before_the_plain_key() -> None:
    assert ENGLISH.text("vote.cast", context="approve", name="Ann") == "Ann approves"
    assert ENGLISH.text("vote.cast", context="reject", name="Ann") == "Ann votes"
    assert ENGLISH.text("card", context="evil", count=1) == "one Evil card"
    assert ENGLISH.text("card", context="evil", count=3) == "3 cards"
    both = Catalogue("en", {"n_evil": "Evil", "n_one": "one"})
    assert both.text("n", context="evil", count=1) == "Evil"


def test_a_value_may_contain_braces() -> None:
    assert ENGLISH.text("vote.cast", name="{{name}}") == "{{name}} votes"


def test_a_missing_key_or_value_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"There is no 'vote\.lost' in the 'en' catalogue"):
        ENGLISH.text("vote.lost")
    with pytest.raises(KeyError, match="name"):
        ENGLISH.text("vote.cast")


@pytest.mark.parametrize(
    ("lang", "forms"),
    [
        ("vi", {1: "other", 2: "other"}),
        ("fr", {0: "one", 1: "one", 2: "other"}),
        ("pl", {1: "one", 3: "few", 12: "many", 21: "many", 22: "few"}),
        ("ru", {1: "one", 3: "few", 11: "many", 21: "one"}),
        ("cs", {1: "one", 4: "few", 5: "other"}),
        ("de", {1: "one", 5: "other"}),
    ],
)
def test_each_language_has_its_own_plural_categories(lang: str, forms: dict[int, str]) -> None:
    spoken = Catalogue(lang, {f"n_{form}": form for form in ("one", "few", "many", "other")})
    assert {count: spoken.text("n", count=count) for count in forms} == forms


def test_what_a_language_lacks_is_said_in_english() -> None:
    assert languages()[0] == "en"
    assert catalogue("vi").text("language") == "Tiếng Việt"
    assert catalogue("xx").text("language") == "English"


def test_english_sentences_take_english_plurals() -> None:
    polish = Catalogue("pl", {}, ENGLISH)
    assert polish.text("team.picked", count=5) == "5 players picked"


def test_a_language_is_found_however_it_is_typed() -> None:
    assert language_named("VI") == "vi"
    with pytest.raises(SetupError, match=f"There is no language called 'tlh'; choose {LANGUAGE_CHOICES}"):
        language_named("tlh")
