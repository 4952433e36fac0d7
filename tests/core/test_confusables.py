"""The table of letters that look alike: generated, complete, and harmless to the letters of living alphabets."""

from __future__ import annotations

import os
import re
from itertools import combinations
from pathlib import Path
from unicodedata import normalize

import pytest
from confusables import ALPHABETS, LEFT_OUT, TABLE, generated, module

from roundtable.core.confusables import LOOKS_LIKE, UNICODE_VERSION
from roundtable.core.names import look_alike

MODELS = {chr(sign): model for sign, model in LOOKS_LIKE.items()}
VIETNAMESE = ALPHABETS["Vietnamese"]


def skeleton(text: str) -> str:
    return normalize("NFKD", normalize("NFD", text).translate(LOOKS_LIKE)).translate(LOOKS_LIKE)


def test_the_table_is_as_its_tool_writes_it() -> None:
    assert module(UNICODE_VERSION, MODELS) == TABLE.read_text(encoding="utf-8")
    assert re.fullmatch(r"\d+\.\d\.\d", UNICODE_VERSION)
    assert "COPYRIGHT AND PERMISSION NOTICE" in TABLE.read_text(encoding="utf-8")


def test_the_table_is_made_of_unicodes() -> None:
    path = os.environ.get("ROUNDTABLE_CONFUSABLES")
    if not path:
        pytest.skip("ROUNDTABLE_CONFUSABLES does not name Unicode's confusables.txt.")
    assert generated(Path(path).read_text(encoding="utf-8-sig")) == TABLE.read_text(encoding="utf-8")


def test_the_table_stays_small() -> None:
    assert 1_500 < len(MODELS) < 2_500
    assert TABLE.stat().st_size < 20_000


def test_every_model_is_its_own_model() -> None:
    assert {sign: model for sign, model in MODELS.items() if skeleton(model) != normalize("NFKD", model)} == {}
    assert [sign for sign in MODELS if skeleton(skeleton(sign)) != skeleton(sign)] == []


def test_plain_letters_and_digits_stay_themselves() -> None:
    assert sorted(sign for sign in MODELS if sign.isascii()) == ['"', "`"]
    assert not set(LEFT_OUT) & set(MODELS)


def test_vietnamese_letters_stay_themselves() -> None:
    assert len(VIETNAMESE) == 12 * 6 + 1
    letters = {part for letter in VIETNAMESE for part in normalize("NFD", letter + letter.upper())}
    assert letters & set(MODELS) == {"đ", "Đ"}
    assert (MODELS["đ"], MODELS["Đ"]) == ("d\u0335", "D\u0335")  # a stroke through d, as \u00d0 has it


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_letters_of_an_alphabet_are_told_apart(alphabet: str) -> None:
    letters = [letter for letter in ALPHABETS[alphabet] if letter.isprintable()]
    assert [pair for pair in combinations(letters, 2) if look_alike(*(f"a{one}" for one in pair))] == []
    capitals = [letter for letter in map(str.upper, letters) if len(letter) == 1]
    assert [pair for pair in combinations(dict.fromkeys(capitals), 2) if look_alike(*pair)] == []


def test_all_vietnamese_letters_are_told_apart_but_for_capitals() -> None:
    letters = [*VIETNAMESE, *map(str.upper, VIETNAMESE)]
    alike = [(one, other) for one, other in combinations(letters, 2) if look_alike(one, other)]
    assert alike == [(letter, letter.upper()) for letter in VIETNAMESE]
