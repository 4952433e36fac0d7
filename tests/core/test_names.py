"""Players' names: how they are cleaned, compared and made unique."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundtable.core.errors import RoomRefused
from roundtable.core.names import distinct_name, look_alike, shows_nothing, visible
from roundtable.rooms.guests import LONGEST_NAME, clean_name

SAME = [
    ("An", "an"),
    ("alice", "aIice"),
    ("alice", "a1ice"),
    ("Alice", "A|ice"),
    ("ALICE", "A1ICE"),
    ("Bob", "B0b"),
    ("BOB", "b0b"),
    ("Anna", "Аnnа"),  # Cyrillic
    ("ANNA", "аnnа"),
    ("HOB", "НОВ"),  # all of it Cyrillic
    ("Nova", "Νονα"),  # Greek
    ("Ánh", "А\u0301nh"),  # a Cyrillic letter that takes an accent
    ("An", "Ａｎ"),
    ("An", "A\u3164n"),
    ("An", "A\u2800n"),
    ("An", "A\u034fn"),
    ("An", "An\ufe0f"),
    ("An", "An\U000e0041"),
    ("An 2", "An2"),
    ("O'Brien", "O’Brien"),
    ("Jean-Luc", "Jean–Luc"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("Вова", "ВОВА"),
]
DIFFERENT = [
    ("An", "Ân"),
    ("Anh", "Ánh"),
    ("Lê", "Le"),
    ("Ian", "Lan"),
    ("Ali", "All"),
    ("Duc", "Đức"),
    ("Hoà", "Hoa"),
    ("Tú", "Tư"),
    ("An 2", "An 3"),
    ("Вова", "Вика"),
]
VIETNAMESE = ("Nguyễn Thị Ánh Tuyết", "Đặng Hoàng Phương Uyên", "Trần Quỳnh Như", "ƠƯ", "Lưỡng Ỷ Ẵ")


@pytest.mark.parametrize(("one", "other"), SAME, ids=ascii)
def test_names_that_the_eye_cannot_tell_apart_are_the_same(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)
    assert distinct_name(other, [one]) == f"{other} 2"


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
