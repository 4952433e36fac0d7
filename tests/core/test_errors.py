"""Every error code is known, explained to players, and used."""

import re

import pytest

from roundtable.core.errors import CODES
from support.paths import ROOT

ROW = re.compile(r"^\| `(?P<code>[^`]+)` \| (?P<seen>.+) \| (?P<meaning>.+) \| (?P<advice>.+) \|$", re.MULTILINE)
FAMILIES = sorted({code.split("/")[0] for code in CODES})
LITERAL = re.compile(rf'"((?:{"|".join(FAMILIES)})/[a-z_]+)"')

explained = [row.groupdict() for row in ROW.finditer((ROOT / "docs" / "errors.md").read_text(encoding="utf-8"))]
sources = [source for source in (ROOT / "src").rglob("*.py") if source.name != "errors.py"]


def test_every_code_is_explained_once_and_in_the_order_of_the_list() -> None:
    assert [row["code"] for row in explained] == list(CODES)


@pytest.mark.parametrize("row", explained, ids=[row["code"] for row in explained])
def test_an_explanation_says_what_is_seen_what_it_means_and_what_to_do(row: dict[str, str]) -> None:
    sentences = [row["seen"], row["meaning"], row["advice"]]
    assert len(set(sentences)) == 3
    assert all(re.fullmatch(r"\S.*[.}]", sentence) for sentence in sentences)


def test_every_code_raised_is_in_the_list_and_every_code_in_the_list_is_raised() -> None:
    raised = {code for source in sources for code in LITERAL.findall(source.read_text(encoding="utf-8"))}
    assert raised == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_a_family_and_a_name_with_one_sentence_of_meaning(code: str) -> None:
    assert re.fullmatch(r"[a-z]+/[a-z_]+", code)
    assert re.fullmatch(r"[A-Z][^.]*\.", CODES[code])
