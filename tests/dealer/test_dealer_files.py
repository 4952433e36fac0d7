"""The files of a deal: all or none, no other files touched, and no secrets in names, sizes and times (T25)."""

from __future__ import annotations

import ast
import errno
import hashlib
import hmac
import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.cli.deal import deal_thavalon
from roundtable.core.catalogue import catalogue
from roundtable.core.codec import agreed_bytes
from roundtable.core.errors import FolderError, NamesError, SetupError
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.dealer import deal_to, sizes
from roundtable.dealer.files import lay_out
from roundtable.dealer.names import MANIFEST, SEED_PAPER
from roundtable.dealer.papers import papers_of
from roundtable.games import GAMES as SPECS
from roundtable.games import game_named, make_setup
from roundtable.games.thavalon.setup import POOL_ROLES
from roundtable.testing.check import secrecy_of
from roundtable.testing.generators import any_setup
from support.paths import ROOT
from support.translations import FINISHED

pytestmark = pytest.mark.slow

NAMES = ["Alice", "Bob", "Chloé", "Đức", "Eve"]
MORE = [*NAMES, "Frank", "Grace", "Hà", "Ivan", "Judy", "Kim", "Lê"]
OTHER_NAMES = ["王小明", "Trần Bình", "Zoë", "🎲", "Ada"]
SEED = bytes(32)
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions, links and signals as Unix has them")

Contents = dict[str, bytes]


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip fsync, which is slow and changes nothing that a test can see."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def game(tmp_path: Path, quick_disk: None) -> Path:
    return tmp_path / "game"


def deal(folder: Path, names: list[str] = NAMES, seed: bytes = SEED, name: str = "thavalon", **options: Any) -> None:
    deal_to(folder, make_setup(name, len(names), options), names, seed)


def contents(folder: Path) -> Contents:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def expected(names: list[str] = NAMES, seed: bytes = SEED) -> Contents:
    """What a complete deal of THavalon holds, the manifest apart."""
    play = Play.open(game_named("thavalon"), make_setup("thavalon", len(names)), seed)
    play.deal()
    return papers_of(SPECS["thavalon"], play, names)


def is_complete(found: Contents, *deals: Contents) -> bool:
    return MANIFEST in found and {name: text for name, text in found.items() if name != MANIFEST} in deals


# A deal


def test_a_deal_is_a_file_for_each_player_start_and_do_not_open_and_two_hidden_ones(game: Path) -> None:  # T25
    deal(game)
    assert is_complete(contents(game), expected())
    assert sorted(contents(game)) == sorted([*NAMES, "start", "DoNotOpen", SEED_PAPER, MANIFEST])
    assert all(name.startswith(".") for name in (SEED_PAPER, MANIFEST))
    assert [path.name for path in game.parent.iterdir()] == ["game"]


@pytest.mark.parametrize("seats", range(5, 11))
def test_every_number_of_players_gets_as_many_cards(game: Path, seats: int) -> None:  # T25
    deal(game, MORE[:seats])
    assert len(contents(game)) == seats + 4


@pytest.mark.parametrize("seats", [0, 1, 4, 11, 12])
def test_another_number_of_players_is_refused_before_anything_is_written(game: Path, seats: int) -> None:  # T25
    with pytest.raises(SetupError, match="5 to 10"):
        deal(game, MORE[:seats])
    assert not game.exists()


def test_there_are_as_many_names_as_seats(game: Path) -> None:  # T25
    with pytest.raises(SetupError, match="7 seats, and there are 5 names"):
        deal_to(game, make_setup("thavalon", 7), NAMES, SEED)
    assert not game.exists()


def test_the_same_seed_deals_the_same_cards_whatever_the_names(game: Path, tmp_path: Path) -> None:  # T25, C1
    deal(game, seed=b"\7" * 32)
    deal(tmp_path / "again", seed=b"\7" * 32)
    deal(tmp_path / "others", OTHER_NAMES, seed=b"\7" * 32)
    assert contents(game) == contents(tmp_path / "again")
    one, other = (contents(folder) for folder in (game, tmp_path / "others"))
    for name, other_name in zip(NAMES, OTHER_NAMES, strict=True):
        assert one[name].splitlines()[:3] == other[other_name].splitlines()[:3]


@ON_POSIX
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_read_a_deal(game: Path, mask: int) -> None:  # T25
    before = os.umask(mask)
    try:
        deal(game)
    finally:
        os.umask(before)
    assert stat.S_IMODE(game.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in game.iterdir()} == {0o600}


def test_sizes_and_times_are_equal(game: Path) -> None:  # T25
    for seed in range(20):
        deal(game, MORE[:10], seed=bytes([seed]) * 32)
        assert len({path.stat().st_mtime_ns for path in game.iterdir()}) == 1
        assert len({path.stat().st_atime_ns for path in game.iterdir()}) == 1
        assert len({(game / name).stat().st_size for name in MORE[:10]}) == 1


def test_files_are_written_in_an_order_without_roles(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # T25
    opened: list[str] = []
    open_file = os.open

    def watched(path: Any, *how: Any) -> int:
        opened.append(Path(path).name)
        return open_file(path, *how)

    monkeypatch.setattr(os, "open", watched)
    orders = set()
    for seed in range(10):
        opened.clear()
        deal(game, seed=bytes([seed]) * 32)
        orders.add(tuple(opened))
    assert len(orders) == 1


# Earlier deals, and other files


def test_a_former_deal_makes_way(game: Path) -> None:  # T25
    deal(game, OTHER_NAMES)
    deal(game)
    assert is_complete(contents(game), expected())
    assert [path.name for path in game.parent.iterdir()] == ["game"]


def test_an_empty_folder_can_be_dealt_into(game: Path) -> None:  # T25
    game.mkdir()
    deal(game)
    assert is_complete(contents(game), expected())


def test_a_former_deal_makes_way_after_players_took_their_cards_away(game: Path) -> None:  # T25
    deal(game, OTHER_NAMES)
    (game / "Zoë").unlink()
    deal(game)
    assert is_complete(contents(game), expected())


def change_card(game: Path) -> None:
    with open(game / "Alice", "a") as card:
        card.write("my notes\n")


def swap_for_folder(game: Path) -> None:
    (game / "Alice").unlink()
    (game / "Alice").mkdir()


def swap_for_link(game: Path) -> None:
    (game / "Alice").rename(game.parent / "elsewhere")
    (game / "Alice").symlink_to(game.parent / "elsewhere")


def forge_manifest(game: Path) -> None:
    listed = json.loads((game / MANIFEST).read_text())
    listed["files"]["../canary"] = 5
    listed["files"]["notes"] = True
    (game / MANIFEST).write_text(json.dumps(listed))


INTRUDERS: dict[str, Callable[[Path], object]] = {
    "a foreign file": lambda game: (game / "notes.txt").write_text("mine"),
    "a hidden file": lambda game: (game / ".notes").write_text("mine"),
    "a folder": lambda game: (game / "photos").mkdir(),
    "a changed card": change_card,
    "a folder for a card": swap_for_folder,
    "a link for a card": swap_for_link,
    "a name in other capitals": lambda game: (game / "ALICE").write_text("mine"),
    "a name in another Unicode form": lambda game: (game / "Chloe\u0301").write_text("mine"),
    "no manifest": lambda game: (game / MANIFEST).unlink(),
    "a manifest that is none": lambda game: (game / MANIFEST).write_text("{"),
    "a manifest of nothing": lambda game: (game / MANIFEST).write_text("[[" * 20_000),
    "a manifest of another program": lambda game: (game / MANIFEST).write_text('{"files": {"Alice": 1}}'),
    "a forged manifest": forge_manifest,
}


@ON_POSIX
@pytest.mark.parametrize("intruder", INTRUDERS)
def test_whatever_is_no_deal_of_ours_stays_as_it_is(game: Path, intruder: str) -> None:  # T25
    (game.parent / "canary").write_text("sings")
    deal(game)
    INTRUDERS[intruder](game)
    before = everything_in(game.parent)
    with pytest.raises(FolderError, match="Nothing was changed") as refused:
        deal(game, OTHER_NAMES)
    assert refused.value.code == "folder/occupied"
    assert everything_in(game.parent) == before


def everything_in(folder: Path) -> dict[str, Any]:
    """Every path with what it is and holds, and when it was last changed."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(folder.rglob("*"))
    }


def test_a_manifest_cannot_lead_out_of_the_folder(game: Path) -> None:  # T25
    deal(game)
    (game.parent / "canary").write_text("sings")
    listed = json.loads((game / MANIFEST).read_text())
    listed["files"]["../canary"] = 5
    (game / MANIFEST).write_text(json.dumps(listed))
    deal(game, OTHER_NAMES)
    assert (game.parent / "canary").read_text() == "sings"


@ON_POSIX
def test_a_link_is_not_followed(game: Path, tmp_path: Path) -> None:  # T25
    deal(tmp_path / "real")
    game.symlink_to(tmp_path / "real")
    before = contents(tmp_path / "real")
    with pytest.raises(FolderError, match="is a link"):
        deal(game, OTHER_NAMES)
    assert contents(tmp_path / "real") == before
    assert game.is_symlink()


def test_a_file_in_place_of_the_folder_stays(game: Path) -> None:  # T25
    game.write_text("mine")
    with pytest.raises(FolderError, match="is not a folder"):
        deal(game)
    assert game.read_text() == "mine"


def test_the_working_folder_is_not_deleted(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # T25
    (game / "inside").mkdir(parents=True)
    (game / "inside").rmdir()
    monkeypatch.chdir(game)
    for folder in (game, Path("."), Path("../game")):
        with pytest.raises(FolderError, match="the folder you’re in"):
            deal(folder)


@pytest.mark.parametrize("folder", ["missing/game", "file/game"])
def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, folder: str) -> None:  # T25
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderError, match="Nothing was dealt into") as refused:
        deal(tmp_path / folder)
    assert refused.value.code == "folder/unwritable"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_names_come_before_folders(game: Path) -> None:  # T25
    deal(game)
    before = everything_in(game.parent)
    with pytest.raises(NamesError):
        deal(game, [*OTHER_NAMES[:4], "../Eve"])
    assert everything_in(game.parent) == before


# Interrupted deals


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["open", "fsync", "utime", "mkdir", "rename"])
def test_a_disk_that_fails_at_any_step_leaves_the_former_deal(  # T25
    game: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    real = getattr(os, step)
    deal(game)
    before = everything_in(game.parent)
    for moment in range(1, 30):
        count = 0

        def failing(*args: Any, moment: int = moment, **more: Any) -> Any:
            nonlocal count
            count += 1
            if count == moment:
                raise failure
            return real(*args, **more)

        with monkeypatch.context() as patch:
            patch.setattr(os, step, failing)
            with suppress(FolderError if isinstance(failure, OSError) else KeyboardInterrupt):
                deal(game, OTHER_NAMES)
                break
        if not is_complete(contents(game), expected(OTHER_NAMES)):
            assert everything_in(game.parent) == before
        else:  # the dealer was stopped when all was done
            assert step in ("open", "fsync")
            assert isinstance(failure, KeyboardInterrupt)
            deal(game)
            before = everything_in(game.parent)
    assert is_complete(contents(game), expected(OTHER_NAMES))
    assert [path.name for path in game.parent.iterdir()] == ["game"]


# Deals again and again, and dies before its first, second, third ... touch of the file system.
DYING = """
import json, os, sys
from pathlib import Path
from roundtable.dealer import deal_to
from roundtable.games import make_setup

folder, names, others = Path(sys.argv[1]), json.loads(sys.argv[2]), json.loads(sys.argv[3])
setup = make_setup("thavalon", len(names))
os.fsync = lambda handle: None
touches = "open os.mkdir os.scandir os.listdir os.rename os.remove os.rmdir os.utime".split()
left = 0

def hook(event, arguments):
    global left
    if event in touches:
        left -= 1
        if left == 0:
            os._exit(9)

sys.addaudithook(hook)
for moment in range(1, 200):
    deal_to(folder, setup, names, bytes(32))
    child = os.fork()
    if child == 0:
        left = moment
        deal_to(folder, setup, others, bytes(32))
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found = {path.name: path.read_text() for path in folder.iterdir()} if folder.exists() else None
    print(json.dumps([status, found]))
    if status == 0:
        break
"""


@ON_POSIX
def test_a_dealer_that_dies_at_any_step_leaves_a_whole_deal_or_none(tmp_path: Path) -> None:  # T25
    run = subprocess.run(
        [sys.executable, "-c", DYING, str(tmp_path / "game"), json.dumps(NAMES), json.dumps(OTHER_NAMES)],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    ends = [json.loads(line) for line in run.stdout.splitlines()]
    assert [status for status, _ in ends] == [9] * (len(ends) - 1) + [0]
    assert len(ends) > 30
    former, new, states = expected(), expected(OTHER_NAMES), set()
    for _, found in ends:
        laid = None if found is None else {name: text.encode() for name, text in found.items()}
        assert laid is None or is_complete(laid, former, new)
        states.add("none" if laid is None else "former" if "Alice" in laid else "new")
    assert states == {"former", "none", "new"}


FOREVER = """
import json, sys
from pathlib import Path
from roundtable.dealer import deal_to
from roundtable.games import make_setup

folder, deals = Path(sys.argv[1]), [json.loads(names) for names in sys.argv[2:]]
setup = make_setup("thavalon", len(deals[0]))
while True:
    for names in deals:
        deal_to(folder, setup, names, bytes(32))
        print("dealt", flush=True)
"""


@ON_POSIX
def test_a_dealer_that_is_killed_at_any_moment_leaves_a_whole_deal_or_none(tmp_path: Path) -> None:  # T25
    dice = Dice(3)
    former, new = expected(), expected(OTHER_NAMES)
    number = found = 0
    while number < 8 or not found:
        number += 1
        game = tmp_path / str(number) / "game"
        game.parent.mkdir()
        command = [sys.executable, "-c", FOREVER, str(game), json.dumps(NAMES), json.dumps(OTHER_NAMES)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as dealer:
            assert dealer.stdout is not None
            for _ in range(dice.below(12) + 1):
                assert dealer.stdout.readline()
            dealer.send_signal(signal.SIGKILL)
        if game.exists():
            assert is_complete(contents(game), former, new)
            found += 1
        deal(game)  # what may be left beside it is not in the way
        assert is_complete(contents(game), former)


# Twins: deals that a player cannot tell apart look the same from outside

GAMES: dict[str, Any] = {name: secrecy_of(name) for name in ("avalon", "thavalon", "saviom")}
A_MOMENT = 1_600_000_000
PAIRS = 40


def seen_from_outside(folder: Path) -> list[Any]:
    """Everything that a listing of the folder shows."""
    shown = [
        (path.name, path.stat().st_size, path.stat().st_mtime_ns, path.stat().st_mode) for path in folder.iterdir()
    ]
    return sorted(shown)


def seen_by(folder: Path, names: list[str], listener: int) -> list[Any]:
    open_to_all = [(folder / name).read_bytes() for name in ("start", MANIFEST)]
    own = [] if listener == SPECTATOR else [(folder / names[listener]).read_bytes()]
    return [seen_from_outside(folder), open_to_all, own]


def look_at(folder: Path, setup: Any, dealt: Any, names: list[str], listener: int, lang: str) -> list[Any]:
    play = Play.open(game_named(setup.game), setup, SEED)
    play.deal(chosen=dealt)
    lay_out(folder, papers_of(SPECS[setup.game], play, names, lang), A_MOMENT)
    return seen_by(folder, names, listener)


def twins_told_apart(name: str, folder: Path, seed: int, pairs: int = PAIRS) -> int:
    """How many of some pairs of deals a listener can tell apart by the files, though by the rulebook they cannot."""
    secrecy, dice, apart = GAMES[name], Dice(seed), 0
    while pairs:
        setup = any_setup(game_named(name), dice)
        dealt = game_named(name).deal(setup, dice)
        listener = dice.below(setup.seats + 1) - 1
        if listener == SPECTATOR:
            other = game_named(name).deal(setup, dice)
        else:
            other = secrecy.another_deal(setup, dealt, listener, dice)
        if other == dealt or secrecy.known(setup, dealt, listener) != secrecy.known(setup, other, listener):
            continue
        pairs -= 1
        names, lang = MORE[: setup.seats], ("en", "vi")[dice.below(2)]
        one = look_at(folder, setup, dealt, names, listener, lang)
        apart += one != look_at(folder, setup, other, names, listener, lang)
    return apart


@pytest.mark.parametrize("name", GAMES)
def test_two_deals_that_nobody_can_tell_apart_look_the_same_from_where_they_sit(
    game: Path, name: str
) -> None:  # T25, C4
    assert twins_told_apart(name, game, seed=11) == 0


@pytest.mark.parametrize("name", ["thavalon", "saviom"])
def test_the_twins_would_notice_cards_of_different_sizes(  # T25
    game: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.dealer.papers.padded", lambda text, size: text.encode())
    assert twins_told_apart(name, game, seed=11, pairs=15) > 5


def test_the_twins_would_notice_a_size_that_depends_on_the_largest_card_dealt(  # T25
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "roundtable.dealer.papers.padded", lambda text, size: sizes.padded(text, len(text.encode()) // 64 * 64 + 64)
    )
    assert twins_told_apart("thavalon", game, seed=11, pairs=15) > 5


def test_the_order_of_players_in_do_not_open_and_manifest_is_that_of_the_table(game: Path) -> None:  # T25
    deal(game, OTHER_NAMES)
    listed = json.loads((game / MANIFEST).read_text(encoding="utf-8"))["files"]
    assert list(listed) == [*OTHER_NAMES, "start", "DoNotOpen", SEED_PAPER]


# The commands


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", check=False)


def script(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """thavalon.py without installed packages."""
    return run(sys.executable, "-I", "-S", str(ROOT / "thavalon.py"), *arguments, cwd=cwd)


def roundtable(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "roundtable", *arguments, cwd=cwd)


def test_thavalon_py_deals_in_a_bare_checkout(tmp_path: Path) -> None:  # T25
    ran = script("Alice", "Bob", "--seed", "00" * 32, "Chloé", "Đức", "Eve", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "5 cards are in game" in ran.stdout
    assert is_complete(contents(tmp_path / "game"), expected())


def test_thavalon_py_and_roundtable_deal_the_same_cards_from_a_seed(tmp_path: Path) -> None:  # T25, C1
    assert script(*NAMES, "--seed", "tea", "--out", "one", cwd=tmp_path).returncode == 0
    assert roundtable("deal", "thavalon", "--seed", "tea", "--out", "two", *NAMES, cwd=tmp_path).returncode == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick_disk: None) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_name_may_begin_with_a_hyphen_after_two_of_them(here: Path) -> None:  # T25
    assert deal_thavalon(["--", "-h", "--seed", "--", "Đức", "Eve"]) == 0
    assert {"-h", "--seed", "--"} <= set(contents(here / "game"))
    assert main(["deal", "avalon", "--seed", "tea", "--", "-h", "--seed", "-x", "Đức", "Eve"]) == 0
    assert {"-h", "--seed", "-x"} <= set(contents(here / "game"))


def test_names_and_options_come_in_any_order(here: Path) -> None:  # T25
    alone, mixed = here / "alone", here / "mixed"
    assert main(["deal", "avalon", *NAMES, "--seed", "tea", "--out", str(alone), "--option", "lady=yes"]) == 0
    one, two, three, *others = NAMES
    typed = ["--seed", "tea", "avalon", one, two, "--option", "lady=yes", three, "--out", str(mixed), *others]
    assert main(["deal", *typed]) == 0
    assert contents(alone) == contents(mixed)


@ON_POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("command", [f"{ROOT / 'thavalon.py'}", "-m roundtable deal thavalon"])
@pytest.mark.parametrize("end", ["| true", "> /dev/full", ">&-", ">&- 2>&-", "2> /dev/full"])
def test_cards_are_dealt_although_the_report_cannot_be_printed(tmp_path: Path, command: str, end: str) -> None:  # T25
    ran = run("bash", "-o", "pipefail", "-c", f"{sys.executable} {command} A B C D E F {end}", cwd=tmp_path)
    assert ran.returncode == 0
    assert len(contents(tmp_path / "game")) == 6 + 4
    assert not set(ran.stderr.splitlines()) - {
        "Note: THavalon’s authors call 6 players heavily imbalanced in favor of Good. 5, 7, 8 or 10 are fairer.",
        "Done, but the result could not be printed: No space left on device.",
    }
    assert ("could not be printed" in ran.stderr) == (end == "> /dev/full")


def test_a_deal_in_vietnamese_is_reported_in_vietnamese(  # T25, T5
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal_thavalon([*MORE[:6], "--lang", "vi"]) == 0
    printed = capsys.readouterr()
    noted = (
        "Lưu ý: Chính các tác giả của THavalon cho rằng ván 6 người nghiêng hẳn về Phe Xanh. "
        "5, 7, 8 hoặc 10 người thì cân hơn.\n"
    )
    assert printed.err == noted
    assert printed.out.startswith("6 lá bài nằm trong thư mục game: mỗi người chỉ mở tệp mang tên mình.\n")
    assert not {"the", "and", "cards", "game.", "Note:", "is"} & set(printed.out.split())


@ON_POSIX
def test_refusals_are_in_vietnamese_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:  # T25
    assert deal_thavalon([*"ABCD", "CON", "--lang", "vi"]) == 2
    assert capsys.readouterr().err.startswith("thavalon.py: Tên 'CON' là tên một thiết bị trên Windows; ")
    (here / "game").symlink_to(here)
    assert deal_thavalon([*"ABCDE", "--lang", "vi"]) == 2
    assert f"'{here / 'game'}' là một liên kết. Chưa có gì thay đổi" in capsys.readouterr().err


def test_every_notice_on_a_table_has_words_in_vietnamese() -> None:  # T5
    setups = [make_setup(name, seats) for name in ("thavalon", "avalon") for seats in range(5, 11)]
    setups += [make_setup("avalon", seats, {"lady": "yes"}) for seats in range(5, 11)]
    notices = {(setup.game, notice.code, *notice.values.values()) for setup in setups for notice in setup.notices()}
    assert notices == {("avalon", "lady_early"), ("thavalon", "good_favoured", 6), ("thavalon", "good_favoured", 9)}
    for setup in setups:
        for notice in setup.notices():
            said = {lang: notice.text(catalogue(lang, SPECS[setup.game].text)) for lang in FINISHED}
            assert len(set(said.values())) == len(FINISHED)


def test_the_guide_shows_a_card_as_it_is_dealt(here: Path) -> None:  # T25
    guide = (ROOT / "docs" / "dealing.md").read_text(encoding="utf-8")
    assert 'python3 thavalon.py Alice Bob Charlie Dave Eve --seed "Friday night"' in guide
    assert deal_thavalon(["Alice", "Bob", "Charlie", "Dave", "Eve", "--seed", "Friday night"]) == 0
    indented = "".join(f"    {line}\n" for line in (here / "game" / "Alice").read_text().rstrip().splitlines())
    assert indented in guide
    assert (here / "game" / "start").read_text() in guide


def test_thavalon_py_tells_who_asks_for_help(tmp_path: Path) -> None:  # T25
    ran = script("--help", cwd=tmp_path)
    assert ran.returncode == 0
    assert all(word in ran.stdout for word in ("--seed", "--out", "DoNotOpen", "Alice Bob Charlie Dave Eve"))
    (example,) = re.findall(r"a house rule, such as (\w+)=(\w+)", ran.stdout)
    assert make_setup("thavalon", 9, dict([example])) != make_setup("thavalon", 9)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [6, 9])
def test_six_and_nine_come_with_a_word_of_warning(  # T5, T25
    here: Path, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal_thavalon(MORE[:count]) == 0
    assert "heavily imbalanced in favor of Good" in capsys.readouterr().err


BAD_INPUT: list[tuple[list[str], str]] = [
    ([], "takes 5 to 10 players, not 0"),
    (["A", "B", "C", "D"], "takes 5 to 10 players, not 4"),
    (["A", "B", "C", "D", "../E"], "'../E' has a character that file names can’t have"),
    (["A", "B", "C", "D", "start"], "'start' is taken by a file of the deal"),
    (["A", "B", "C", "D", "E", "--out", "no/where"], "Nothing was dealt into 'no/where'"),
    (["A", "B", "C", "D", "E", "--lang", "fr"], "There is no language called 'fr'"),
    (["A", "B", "C", "D", "--lang", "fr", "E"], "There is no language called 'fr'"),
]


@pytest.mark.parametrize(("arguments", "complaint"), BAD_INPUT)
def test_bad_input_gets_one_clear_sentence_and_changes_nothing(  # T25
    here: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal_thavalon(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert complaint in printed.err
    assert printed.err.startswith("thavalon.py: ")
    assert len(printed.err.splitlines()) == 1
    assert list(here.iterdir()) == []
    if arguments:
        assert main(["deal", "thavalon", *arguments]) == 2
        assert capsys.readouterr().err == printed.err.replace("thavalon.py: ", "roundtable: ")


@ON_POSIX
def test_a_name_that_is_no_text_is_refused_in_a_sentence(tmp_path: Path) -> None:  # T25
    command = [sys.executable, str(ROOT / "thavalon.py"), *"ABCD", os.fsdecode(b"\xff")]
    ran = run(*command, cwd=tmp_path)
    assert ran.returncode == 2
    assert "'\\udcff'" in ran.stderr


def test_an_option_that_thavalon_py_does_not_have_is_refused_in_a_sentence(tmp_path: Path) -> None:  # T25
    ran = script(*NAMES, "--bogus", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "thavalon.py: '--bogus' is unknown; thavalon.py --help lists what is accepted.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_file_refuses_and_stays(tmp_path: Path) -> None:  # T25
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "thesis.txt").write_text("ten years")
    ran = script(*NAMES, cwd=tmp_path)
    assert ran.returncode == 2
    assert "'thesis.txt', which is not part of an earlier deal" in ran.stderr
    assert contents(tmp_path / "game") == {"thesis.txt": b"ten years"}


def test_a_report_reaches_also_a_terminal_without_the_letters(tmp_path: Path) -> None:  # T25
    command = [sys.executable, "-X", "utf8=0", "-m", "roundtable", "deal", "thavalon", *NAMES, "--out", "bàn"]
    ran = subprocess.run(
        command, cwd=tmp_path, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"b\\xe0n" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["avalon", *NAMES, "--option", "roles=Percival", "--option", "lady=yes"],
            "In the deal: Merlin, Percival, Loyal Servant",
        ),
        (["saviom", *MORE[:6], "--option", "mode=advanced", "--lang", "vi"], "Trong ván có: 2 × Sói, 3 × Dân Làng"),
        (["thavalon", *NAMES], "game/start"),
    ],
)
def test_roundtable_deals_all_three_games(  # T25, A10, S4
    here: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", *arguments]) == 0
    assert said in capsys.readouterr().out
    assert set(NAMES) < set(contents(here / "game"))


def test_json_holds_places_and_the_commitment_and_no_secret(  # T25, C1
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", "thavalon", *NAMES, "--seed", "00" * 32, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "game": "thavalon",
        "folder": str(here / "game"),
        "cards": [{"seat": seat, "name": name, "file": name} for seat, name in enumerate(NAMES)],
        "start": "start",
        "spoiler": "DoNotOpen",
        "seed_paper": ".DoNotOpen-seed",
        "commitment": Play.open(game_named("thavalon"), make_setup("thavalon", 5), SEED).state.commitment,
    }


# Checking a deal after the game


def said_on(paper: bytes, lang: str = "en") -> list[str]:
    """The seed, the commitment and what was agreed on."""
    labels = {
        "en": ("Seed: ", "Check code: ", "Agreed on: "),
        "vi": ("Số bí mật: ", "Mã kiểm chứng: ", "Đã thống nhất: "),
    }
    lines = paper.decode().splitlines()
    assert all(line.startswith(label) for label, line in zip(labels[lang], lines, strict=False))
    return [line.partition(": ")[2] for line in lines[:3]]


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("game", ["thavalon", "avalon", "saviom"])
def test_a_deal_from_a_drawn_seed_can_be_checked_after_the_game(  # T25, C1
    here: Path, game: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["deal", game, *MORE[:6], "--lang", lang]
    assert main([*typed, "--out", "first"]) == 0
    written_down = capsys.readouterr().out.split()[-1]
    seed, commitment, agreed = said_on(contents(here / "first")[SEED_PAPER], lang)
    assert written_down == commitment
    assert hmac.new(bytes.fromhex(seed), b"roundtable/1/commitment", hashlib.sha256).hexdigest() == commitment
    assert agreed.encode() == agreed_bytes(make_setup(game, 6))
    assert main([*typed, "--out", "again", "--seed", seed]) == 0
    assert contents(here / "again") == contents(here / "first")
    assert capsys.readouterr().out.split()[-1] == written_down


def test_the_report_in_json_has_the_commitment_that_the_seed_opens(  # T25, C1
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", "thavalon", *NAMES, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    paper = Path(printed["folder"], printed["seed_paper"]).read_bytes()
    assert said_on(paper)[1] == printed["commitment"]


def test_the_seed_is_on_its_paper_and_nowhere_else(here: Path, capsys: pytest.CaptureFixture[str]) -> None:  # T25, C1
    for more in ([], ["--json"]):
        assert main(["deal", "avalon", *NAMES, *more]) == 0
        laid = contents(here / "game")
        seed = said_on(laid.pop(SEED_PAPER))[0]
        printed = "".join(capsys.readouterr())
        assert len(seed) == 64
        assert not [name for name, text in laid.items() if seed.encode() in text]
        assert seed not in printed


def test_the_guide_says_how_a_deal_is_checked() -> None:  # T25, C1
    guide = (ROOT / "docs" / "dealing.md").read_text(encoding="utf-8")
    assert f"cat game/{SEED_PAPER}" in guide
    assert "diff -r game again" in guide


# One file, and old Pythons


THAVALON_PY = ROOT / "thavalon.py"


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The committed file, downloaded into a folder of its own and run there, with nothing installed."""
    folder.mkdir(exist_ok=True)
    (folder / "thavalon.py").write_bytes(THAVALON_PY.read_bytes())
    return run(sys.executable, "-I", "-S", "thavalon.py", *arguments, cwd=folder)


def test_the_file_is_what_the_package_makes_of_it(tmp_path: Path) -> None:  # T25
    built = tmp_path / "thavalon.py"
    subprocess.run([sys.executable, str(ROOT / "tools" / "single_file.py"), str(built)], check=True)
    assert built.read_bytes() == THAVALON_PY.read_bytes(), "`make dist` builds it again"


def test_the_file_says_what_it_is_how_to_use_it_and_where_it_comes_from() -> None:  # T25
    said = ast.get_docstring(ast.parse(THAVALON_PY.read_text(encoding="utf-8"))) or ""
    words = ("THavalon", "python3 thavalon.py Alice Bob Charlie Dave Eve", "--lang vi", "generated", "single_file.py")
    assert all(word in said for word in words)


def test_one_file_deals_with_nothing_beside_it(tmp_path: Path) -> None:  # T25
    ran = alone(tmp_path, *NAMES, "--seed", "00" * 32)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert is_complete(contents(tmp_path / "game"), expected())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game", "thavalon.py"]


@pytest.mark.parametrize("count", range(5, 11))
@pytest.mark.parametrize("lang", ["en", "vi"])
def test_one_file_keeps_every_promise_of_the_dealer(tmp_path: Path, count: int, lang: str) -> None:  # T25
    names = [*OTHER_NAMES, *NAMES][:count]
    ran = alone(tmp_path, *names, "--lang", lang)
    assert ran.returncode == 0
    game = tmp_path / "game"
    assert {path.name for path in game.iterdir()} == {*names, "start", "DoNotOpen", SEED_PAPER, MANIFEST}
    assert len({(game / name).stat().st_size for name in names}) == 1
    assert len({path.stat().st_mtime for path in game.iterdir()}) == 1
    if os.name == "posix":
        assert {path.stat().st_mode & 0o777 for path in game.iterdir()} == {0o600}
        assert game.stat().st_mode & 0o777 == 0o700
    cards = [(game / name).read_text(encoding="utf-8") for name in names]
    assert all(("You are" in card) is (lang == "en") for card in cards)
    assert all(("Bạn là" in card) is (lang == "vi") for card in cards)


def test_one_file_replaces_a_former_deal_and_nothing_else(tmp_path: Path) -> None:  # T25
    assert roundtable("deal", "avalon", *MORE[:7], cwd=tmp_path).returncode == 0
    assert alone(tmp_path, *NAMES).returncode == 0
    assert alone(tmp_path, *NAMES, "--seed", "00" * 32).returncode == 0
    assert is_complete(contents(tmp_path / "game"), expected())
    (tmp_path / "game" / "thesis.txt").write_text("ten years")
    before = contents(tmp_path / "game")
    ran = alone(tmp_path, *NAMES)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "'thesis.txt', which is not part of an earlier deal" in ran.stderr
    assert contents(tmp_path / "game") == before


@pytest.mark.parametrize(("arguments", "complaint"), [
    *[(arguments, complaint) for arguments, complaint in BAD_INPUT if arguments],
    (MORE[:1] * 2 + list("ABC"), "look the same"),
    ([*"ABCD", "CON"], "is taken by a device on Windows"),
    ([*"ABCD", "x" * 201], "too long"),
    ([*"ABCD", "CON", "--lang", "vi"], "là tên một thiết bị trên Windows"),
    ([*"ABCDEFGHIJK"], "takes 5 to 10 players, not 11"),
    ([*"ABCDE", "--option", "pool=Merlin"], "at least 3 Good roles for 5 players"),
    ([*"ABCDE", "--option", "pool=Merlin", "--lang", "vi"], "cần ít nhất 3 vai Phe Xanh"),
    ([*"ABCDE", "--option", "lady=yes"], "THavalon has no option 'lady'"),
    ([*"ABCDE", "--bogus"], "'--bogus' is unknown"),
])  # fmt: skip
def test_one_file_refuses_in_a_sentence_and_changes_nothing(  # T25
    tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    ran = alone(tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("thavalon.py: ")
    assert complaint in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thavalon.py"]


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_one_file_lacks_no_sentence_of_a_deal(lang: str, tmp_path: Path) -> None:  # T25, T26
    options = ("reversal=no", "declarations=no", "targets=merlin", "proposals=five_rejections", "no_target_call=yes")
    chosen = [part for option in options for part in ("--option", option)]
    pool = ",".join(POOL_ROLES)
    for number in range(3):
        ran = alone(tmp_path, *MORE[:9], "--lang", lang, "--option", f"pool={pool}", *chosen, "--seed", str(number))
        assert ran.returncode == 0
        shown = roundtable(
            *("deal", "thavalon", *MORE[:9], "--lang", lang, "--option", f"pool={pool}", *chosen),
            *("--seed", str(number), "--out", "same"),
            cwd=tmp_path,
        )
        assert shown.stderr == ran.stderr
        assert contents(tmp_path / "game") == contents(tmp_path / "same")


@pytest.mark.parametrize(("evil", "is_warned"), [("3", True), ("4", False)])
def test_one_file_warns_of_nine_players_unless_four_are_evil(  # T5, T25
    tmp_path: Path, evil: str, is_warned: bool
) -> None:
    ran = alone(tmp_path, *MORE[:9], "--option", f"nine_evil={evil}")
    assert ("heavily imbalanced in favor of Good" in ran.stderr) is is_warned
    assert ran.returncode == 0


OLD = """
import sys
sys.version_info = (3, 8, 18)
exec(compile(open(sys.argv[1], encoding="utf-8").read(), "thavalon.py", "exec"))
"""


def test_an_old_python_is_told_what_is_missing(tmp_path: Path) -> None:  # T25
    ast.parse(THAVALON_PY.read_text(encoding="utf-8"), feature_version=(3, 4))
    ran = run(sys.executable, "-c", OLD, str(THAVALON_PY), cwd=tmp_path)
    assert ran.returncode == 1
    assert ran.stderr == "thavalon.py needs Python 3.11 or newer, and this is Python 3.8.\n"
