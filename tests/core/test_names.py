"""Players' names: how they are cleaned, compared and made unique."""

from __future__ import annotations

import re
from itertools import combinations
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundtable.core.errors import RoomRefused
from roundtable.core.names import distinct_name, look_alike, shows_nothing, visible
from roundtable.rooms.guests import LONGEST_NAME, clean_name
from support.look_alikes import HONEST, honest_pairs, imitations

SAME = [
    ("An", "an"),
    ("An 2", "An2"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("Вова", "ВОВА"),
    ("ANNA", "аnnа"),  # Cyrillic
    ("ЗОЯ", "зoя"),  # a Latin o
    ("helen", "ΗELEN"),  # Greek
    *((name, normalize("NFD", name)) for name in ("Đức", "Nguyễn Thị Ánh Tuyết", "Hoà", "ƠƯ", "Ý")),
]
DIFFERENT = [
    ("Ian", "Lan"),
    ("Ali", "All"),
    ("An 2", "An 3"),
    ("MARNIE", "MAMIE"),
    *(("Đức", other) for other in ("Dức", "Duc", "Đuc", "đực")),
    *combinations(("Hoa", "Hoà", "Hòa", "Hoá", "Hoả", "Hoã", "Hoạ"), 2),
    *combinations(("An", "Ân", "Ăn", "Án", "Àn", "Ạn"), 2),
    *(("Y", "Ý"), ("Minh", "Mình"), ("Tú", "Tư"), ("Lê", "Le"), ("Sơn", "Son"), ("Hoè", "Hoe")),
]
VIETNAMESE = ("Nguyễn Thị Ánh Tuyết", "Đặng Hoàng Phương Uyên", "Trần Quỳnh Như", "ƠƯ", "Lưỡng Ỷ Ẵ")


@pytest.mark.parametrize(("one", "other"), SAME, ids=ascii)
def test_names_that_the_eye_cannot_tell_apart_are_the_same(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)
    assert distinct_name(other, [one]) == f"{other} 2"


def test_an_imitation_is_the_same_name_in_any_script() -> None:
    pairs = imitations()
    assert len(pairs) > 200
    assert [pair for pair in pairs if not look_alike(*pair)] == []
    assert [pair for pair in pairs if distinct_name(pair[1], [pair[0]]) != f"{pair[1]} 2"] == []


@pytest.mark.parametrize("script", HONEST)
def test_names_that_people_have_are_different(script: str) -> None:
    pairs = honest_pairs(script)
    assert len(pairs) >= 100
    assert [pair for pair in pairs if look_alike(*pair)] == []


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=ascii)
def test_names_that_the_eye_can_tell_apart_are_different(one: str, other: str) -> None:
    assert not look_alike(one, other)
    assert distinct_name(other, [one]) == other


def test_a_number_behind_a_name_is_one_that_no_member_has() -> None:
    assert distinct_name("an", ["An", "An 2", "аn 3", "Binh"]) == "an 4"


@pytest.mark.parametrize("name", VIETNAMESE)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_vietnamese_stays_as_it_is(name: str, form: str) -> None:
    assert clean_name(normalize(form, name)) == name  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["שָׂרָה", "मुहम्मद", "ศรีสุดา", "مُحَمَّد", "王小明", "Łukasz", "🎲", "1\u20e3"])
def test_letters_with_a_few_marks_are_taken_in_any_script(name: str) -> None:
    assert clean_name(name) == normalize("NFC", name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u3164", "\u2800\u2800", "\u115f\u1160", "\ufe0f", "\u034f", "\U000e0020", "\u17b4", "\u0301", "\ue000"],
)
def test_a_name_in_which_nothing_can_be_seen_is_refused(name: str) -> None:
    assert shows_nothing(visible(name))
    with pytest.raises(RoomRefused) as refused:
        clean_name(name)
    assert (refused.value.code, refused.value.message) == (
        "room/name",
        "A name needs at least one visible character.",
    )


@pytest.mark.parametrize(
    "name", ["Z" + "\u0301\u0302\u0303\u0304\u0306", "An" + "\u0489" * 20, "\u0301An", "An \u0301"]
)
def test_marks_that_are_heaped_up_or_stand_alone_are_refused(name: str) -> None:
    with pytest.raises(RoomRefused) as refused:
        clean_name(name)
    assert (refused.value.code, refused.value.message) == (
        "room/name",
        "A letter in a name has at most 3 accents, and every accent needs a letter.",
    )


def test_invisible_signs_are_taken_out() -> None:
    assert clean_name(" A\u200bn\u3164n\u2800a\ufe0f\n\tLê\u00ad ") == "Anna Lê"


@given(st.text(max_size=40))
def test_a_name_that_was_taken_shows_something_and_is_taken_as_it_is(typed: str) -> None:
    try:
        name = clean_name(typed)
    except RoomRefused:
        return
    assert clean_name(name) == name == visible(name)
    assert len(name) <= 4 * LONGEST_NAME
    assert look_alike(name, typed)


names = st.text(min_size=1, max_size=12) | st.text("Il1|0Omrnwv Đđðʙв", min_size=1, max_size=6)


@given(names, names)
def test_looking_alike_goes_both_ways(one: str, other: str) -> None:
    assert look_alike(one, one)
    assert look_alike(one, other) == look_alike(other, one)


@given(names, st.lists(names, max_size=8))
def test_a_distinct_name_looks_like_none_that_is_taken(name: str, taken: list[str]) -> None:
    distinct = distinct_name(name, taken)
    assert not any(look_alike(distinct, other) for other in taken)
    assert distinct == name or re.fullmatch(re.escape(name) + r" \d+", distinct)
