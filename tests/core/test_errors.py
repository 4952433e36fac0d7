"""Every error code is known, explained to players, and used."""

import pickle
import re

import pytest

from roundtable.core.catalogue import BLANK, read_sentences, refusal_key
from roundtable.core.errors import CODES, IllegalAction, Problem, RoomRefused, SetupError, problem
from roundtable.games import GAMES, make_setup
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


# What a sentence looks like whatever is filled into it; a bar would end a cell of the table.
PACKAGES = {"roundtable.text", *(package for spec in GAMES.values() for package in spec.text)}
SENTENCES = {key: text for package in PACKAGES for key, text in read_sentences(package, "en").items()}


def could_say(code: str, seen: str) -> bool:
    forms = [text for key, text in SENTENCES.items() if re.match(rf"{refusal_key(code)}(_|$)", key)]
    patterns = [".+".join(map(re.escape, re.split(BLANK.pattern.replace("(", "(?:"), text))) for text in forms]
    return any(re.match(pattern.replace(r"\|", ".+"), seen) for pattern in patterns)


@pytest.mark.parametrize("row", explained, ids=[row["code"] for row in explained])
def test_the_page_quotes_sentences_of_the_catalogue(row: dict[str, str]) -> None:
    assert could_say(row["code"], row["seen"].replace("\\\\", "\\"))


# Sentences


def test_an_error_is_a_code_values_and_a_sentence_in_every_language() -> None:
    full = RoomRefused("room/full", most=40)
    assert (full.code, full.values, str(full)) == ("room/full", {"most": 40}, full.message)
    assert full.message == "This table is full: 40 people at most."
    assert full.text("vi") == "Bàn đã đầy: nhiều nhất 40 người."
    assert full.text("xx") == full.message


def test_a_variant_words_the_same_code_otherwise() -> None:
    assert RoomRefused("room/full", "seats").message == "Every seat is taken, and the host doesn’t allow spectators."


def test_several_reasons_are_told_one_after_the_other_and_the_first_gives_the_code() -> None:
    several = SetupError.of([problem("setup/seed", bytes=32), problem("room/seat", "free", count=1)])
    assert several.code == "setup/seed"
    assert several.message == "A seed has exactly 32 bytes. 1 seat is still empty; invite a player or add a bot."
    assert several.text("vi").endswith("Còn 1 chỗ trống; hãy mời thêm người hoặc thêm bot.")


def test_words_of_a_game_are_those_of_its_catalogue() -> None:
    with pytest.raises(SetupError) as crowded:
        make_setup("avalon", 5, {"roles": "Morgana,Mordred"})
    assert "3 special roles (Assassin, Morgana and Mordred)" in crowded.value.message
    assert crowded.value.text("vi").startswith("3 vai đặc biệt (Assassin, Morgana và Mordred)")
    with pytest.raises(SetupError, match=r"Town of Saviom \(Werewolf\) takes 6 to 12 players, not 5\.") as small:
        make_setup("saviom", 5)
    assert small.value.text("vi").startswith("Town of Saviom (Ma Sói) dành cho 6 đến 12 người chơi")


def test_a_sentence_of_another_program_is_told_as_it_is() -> None:
    assert RoomRefused.of([Problem("room/full", said="Voll.")]).text("vi") == "Voll."


def test_a_code_or_variant_of_another_package_gets_what_there_is() -> None:
    assert IllegalAction("action/not_now", "on_the_moon").message == "You can’t do that right now."
    assert IllegalAction("talk/text", "on_the_moon").message == CODES["talk/text"]
    assert IllegalAction("moon/far").message == "moon/far"


def test_an_error_can_be_sent_to_another_process() -> None:
    sent = SetupError.of([problem("setup/seed", bytes=32), problem("setup/game", name="'x'", choices=["a", "b"])])
    again = pickle.loads(pickle.dumps(sent))
    assert (again.problems, again.message) == (sent.problems, sent.message)
