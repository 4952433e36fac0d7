"""What docs/translating.md promises to translators holds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from roundtable.core.catalogue import BLANK, PLURALS, Catalogue, catalogue, flat
from support.paths import ROOT

PAGE = (ROOT / "docs" / "translating.md").read_text(encoding="utf-8")
CATALOGUES = re.findall(r"^\| `(src/\S+/de\.json)`", PAGE, re.MULTILINE)
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("path", CATALOGUES)
def test_every_file_to_translate_has_an_english_source(path: str) -> None:
    assert (ROOT / path.replace("de.json", "en.json")).is_file()


def test_the_page_names_the_shell_and_the_packages_of_the_games() -> None:
    assert len(CATALOGUES) == 3
    assert (ROOT / CATALOGUES[0]).parent.name == "text"


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_catalogue_whose_sentences_can_be_filled(example: str) -> None:
    german = Catalogue("de", dict(flat(json.loads(example))))
    for key, sentence in german.sentences.items():
        values: dict[str, Any] = dict.fromkeys(BLANK.findall(sentence), 1)
        assert "{{" not in german.text(key, **values)


def test_keys_are_looked_up_in_the_order_of_the_page() -> None:
    forms = re.findall(r"^\d\. `(key\S*)`$", PAGE, re.MULTILINE)
    keys = [form.replace("context", "evil").replace("plural", "other") for form in forms]
    assert len(keys) == 4
    sentences = {key: key for key in keys}
    for key in keys:
        assert Catalogue("en", sentences).text("key", context="evil", count=2) == key
        del sentences[key]


def test_a_key_that_a_language_lacks_is_english_and_a_region_does_not_look_at_its_language() -> None:
    assert catalogue("xx").text("language") == catalogue("vi-VN").text("language") == catalogue("en").text("language")


def test_the_languages_that_the_page_names_have_the_plurals_it_says() -> None:
    assert {PLURALS["vi"](count) for count in range(30)} == {"other"}
    assert {PLURALS["pl"](count) for count in range(30)} == {"one", "few", "many"}
    assert "en" not in PLURALS
