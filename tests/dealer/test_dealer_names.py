"""Which names the dealer accepts and refuses, and that no name can do harm (T25)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundtable.bots.dice import Dice
from roundtable.core.chance import pick
from roundtable.core.errors import CODES, NamesError
from roundtable.core.names import look_alike
from roundtable.dealer import deal_to
from roundtable.dealer.names import MANIFEST, SEED_PAPER, require_names
from roundtable.games import make_setup

OTHERS = ("Alice", "Bob", "Charlie", "Dave")

HONEST = (
    "Eve",
    "Nguyễn Thị Ánh Tuyết",
    normalize("NFD", "Đặng Hoàng Phương Uyên"),
    "ƠƯ",
    "王小明",
    "さくら",
    "김철수",
    "محمد",
    "رضا\u200cزاده",  # Persian joins letters, or not, by invisible signs
    "שָׂרָה",
    "अमृता",
    "ศรีสุดา",
    "Ἀλέξανδρος",
    "Łukasz Żółć",
    "O'Brien",
    "Jean-Luc (le 2e)",
    "-h",
    "--",
    "a.b",
    "Bob is Evil, Carol",
    "{name} is {role}",
    "%s",
    "$(reboot)",
    "~",
    "starter",
    "Console",
    "nullable",
    "com",
    "com10",
    "🎲",
    "👩‍🚀",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "x" * 200,
    "ế" * 66,
)

BAD = {
    "names/empty": ["", " ", "\u00a0", "\u3000 ", "\u200b", "\u200d\u2060", "\u0301", "\u3164", "\u2800"],
    "names/sign": [
        *(
            "../x",
            "a/b",
            "/etc/passwd",
            "a\\b",
            "..\\x",
            "C:",
            "C:\\x",
            "file:stream",
            "what?",
            "*",
            "<b>",
            "a|b",
            'a"b',
        ),
    ],
    "names/unprintable": [
        *("a\0b", "a\nb", "a\tb", "\r", "\x1b[31mred", "\x7f", "\x85", "\ud800", "\udcff", "a\u2028b", "a\u2029b"),
        *("\u202eevE", "a\u200eb", "a\u061cb", "a\u2066b\u2069", "\ufeffEve"),
    ],
    "names/edge": [".", "..", "...", ".bashrc", "Eve.", " Eve", "Eve ", "Eve\u3000", MANIFEST + "2", SEED_PAPER + "2"],
    "names/too_long": ["x" * 201, "ế" * 67, "🎲" * 51, "x" * 300],
    "names/reserved": [
        *("start", "Start", "START", "ſtart", "sta\u200crt", "DoNotOpen", "donotopen", "DONOTOPEN"),
        *(
            "CON",
            "con",
            "Nul",
            "nul.txt",
            "NUL .txt",
            "aux.tar.gz",
            "PRN",
            "COM1",
            "lpt9.log",
            "com¹",
            "CONIN$",
            "clock$",
        ),
    ],
}

ALIKE = [
    ("Eve", "Eve"),
    ("Eve", "eve"),
    ("EVE", "eve"),
    ("Ánh", normalize("NFD", "Ánh")),
    ("ÁNH", normalize("NFD", "ánh")),
    ("Strauß", "STRAUSS"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("Eve", "E\u200bve"),  # old Macs do not see the difference
    ("\u1e9b\u0323", "\u1e69"),
    ("Eve", "Еvе"),  # the latter with Cyrillic letters
    ("Ian", "lan"),
    ("Bo", "B0"),
    ("Eve", "E\u3164ve"),
    ("Eve", "Ｅｖｅ"),
]


def refusal(*names: str) -> NamesError:
    with pytest.raises(NamesError) as refused:
        require_names([*OTHERS, *names])
    return refused.value


@pytest.mark.parametrize("name", HONEST, ids=ascii)
def test_an_honest_name_is_taken_in_any_script(name: str) -> None:  # T25
    require_names([*OTHERS, name])


@pytest.mark.parametrize(("code", "name"), [(code, name) for code, names in BAD.items() for name in names], ids=ascii)
def test_a_name_that_is_no_safe_file_name_is_refused(code: str, name: str) -> None:  # T25
    error = refusal(name)
    assert code in {problem.code for problem in error.problems}
    assert all(problem.code in CODES for problem in error.problems)


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_two_names_that_are_one_file_somewhere_are_refused(one: str, other: str) -> None:  # T25
    error = refusal(one, other)
    assert [problem.code for problem in error.problems] == ["names/alike"]


def test_names_that_differ_in_an_accent_are_two_names() -> None:  # T25
    require_names(["Anh", "Ánh", "Ảnh", "Ạnh", "Ãnh", "Ành"])


def test_a_refusal_names_every_fault_at_once() -> None:  # T25
    error = refusal("../x", "start", "", "alice", "." + "y" * 300)
    codes = [problem.code for problem in error.problems]
    assert codes == [
        *("names/sign", "names/edge", "names/reserved", "names/empty", "names/edge", "names/too_long", "names/alike"),
    ]
    assert error.code == "names/sign"


@pytest.mark.parametrize("name", [name for names in BAD.values() for name in names], ids=ascii)
def test_a_refusal_can_be_printed_whatever_the_name_holds(name: str) -> None:  # T25
    message = refusal(name).message
    assert message.isprintable()
    assert len(message) < 600
    message.encode()


def test_a_refusal_says_what_would_be_right() -> None:  # T25
    assert "leave out / \\ :" in refusal("../x").message
    assert "choose another, or add a letter" in refusal("start").message
    assert "200 bytes" in refusal("x" * 300).message
    assert "'\\x1b[31mred'" in refusal("\x1b[31mred").message
    assert "'Alice' and 'ALICE'" in refusal("ALICE").message


@given(st.lists(st.text(min_size=1, max_size=8), min_size=5, max_size=10))
def test_whatever_is_taken_is_safe(names: list[str]) -> None:  # T25
    try:
        require_names(names)
    except NamesError:
        return
    assert len({normalize("NFC", name).casefold() for name in names}) == len(names)
    for name in names:
        assert os.path.basename(name) == name == name.strip()
        assert len(name.encode()) <= 200
        assert not name.startswith(".")
        assert not name.endswith(".")
        assert not {category(sign) for sign in name} & {"Cc", "Cs", "Zl", "Zp"}
        assert normalize("NFC", name).casefold() not in ("start", "donotopen", SEED_PAPER.casefold(), MANIFEST)


@given(st.text(max_size=8))
def test_composed_and_decomposed_capital_and_small_are_one_file(name: str) -> None:  # T25
    spellings = (name, normalize("NFC", name), normalize("NFD", name), name.casefold())
    assert all(look_alike(name, spelling) for spelling in spellings)


# Ten thousand names on a real disk

TABLES = 2_000
SYLLABLES = (
    *("Nguyễn", "Trần", "Lê", "Phạm", "Hoàng", "Huỳnh", "Võ", "Đặng", "Bùi", "Đỗ", "Hồ", "Ngô", "Dương", "Lý", "Ánh"),
    *(
        "Bảo",
        "Châu",
        "Duy",
        "Giang",
        "Hà",
        "Khánh",
        "Linh",
        "Mỹ",
        "Ngọc",
        "Quỳnh",
        "Thảo",
        "Uyên",
        "Vân",
        "Xuân",
        "Yến",
    ),
)


def an_honest_name(dice: Dice, seat: int) -> str:
    """Vietnamese mostly, composed or not, and kept apart from the others by a number."""
    name = " ".join(pick(dice, SYLLABLES) for _ in range(1 + dice.below(4)))
    exotic = pick(dice, HONEST[3:20])
    return pick(dice, (f"{name} {seat}", normalize("NFD", f"{seat} {name}"), f"{exotic} {seat}", f"{seat}🎲"))


def a_bad_name(dice: Dice, folder: Path) -> str:
    listed = pick(dice, [name for names in BAD.values() for name in names])
    name = pick(dice, SYLLABLES)
    makers: tuple[Callable[[], str], ...] = (
        lambda: listed,
        lambda: pick(dice, ("../", "../../", "./", "game/", "\\", "~/")) + name + pick(dice, ("", "/", "/x")),
        lambda: str(folder / "canary"),
        lambda: "../canary",
        lambda: name + chr(dice.below(32)),
        lambda: name + pick(dice, ("\u202e", "\u2067", "\u200f", "\ud8ff")) + name,
        lambda: pick(dice, ("start", "DoNotOpen", "con", "aux", "lpt1")).swapcase(),
        lambda: pick(dice, ("nul", "com7")) + "." + name,
        lambda: name * 100,
    )
    return pick(dice, makers)()


def everything_in(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.slow
def test_ten_thousand_names_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # T25
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "canary").write_text("sings")
    setup = make_setup("thavalon", 5)
    dice = Dice(25)
    dealt = 0
    before = everything_in(tmp_path)
    for table in range(TABLES):
        names = [an_honest_name(dice, seat) for seat in range(5)]
        spoilt = dice.below(4) > 0
        if spoilt:
            twin = normalize(pick(dice, ("NFC", "NFD")), names[0]).swapcase()
            names[1 + dice.below(4)] = pick(dice, (a_bad_name(dice, tmp_path), twin))
        try:
            deal_to(Path("game"), setup, names, table.to_bytes(32, "big"))
        except NamesError:
            assert spoilt, names
            assert everything_in(tmp_path) == before
            continue
        assert not spoilt, names
        dealt += 1
        before = everything_in(tmp_path)
        files = {*names, "start", "DoNotOpen", SEED_PAPER, MANIFEST}
        assert before.keys() == {"canary", "game"} | {f"game/{file}" for file in files}
        assert before["canary"] == b"sings"
        assert all((before[f"game/{name}"] or b"").startswith(b"-" * 40 + b"\nYou are ") for name in names)
    assert dealt > 400
