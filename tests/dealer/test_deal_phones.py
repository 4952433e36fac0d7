"""`roundtable deal --phones`: a real process that serves the cards, and phones that open them."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from roundtable.cli import main
from roundtable.dealer.phones import CardPages, News
from roundtable.server.run import HIGHEST_PORT, free_port

NAMES = ("Ana", "Bảo", "Chi", "Dũng", "Eve")
LINK = re.compile(r"http://\S+/card/\S+")
PATIENCE = 60  # seconds, for a busy machine


class Dealer:
    """The command, as a dealer sees it: lines that it prints, and the Enter key."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed: list[str] = []

    def until(self, part: str) -> str:
        """Read on to the line that contains this."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line)
            if part in line:
                return line
        raise AssertionError(f"{part!r} was not printed: {self.printed}")

    def link_of(self, name: str) -> str:
        found = LINK.search(self.until(f"{name}, "))
        assert found
        return found[0]

    def press_enter(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()


@contextmanager
def dealing(folder: Path, *more: str) -> Iterator[Dealer]:
    command = [sys.executable, "-m", "roundtable", "deal", "avalon", *NAMES, "--phones", "--host", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--out", str(folder), "--seed", "cards", *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            yield Dealer(process)
        finally:
            process.kill()


def look(phone: httpx.Client, link: str) -> list[httpx.Response]:
    """Open the link, show the card, hide it: the same taps for every player."""
    return [phone.get(link), *(phone.post(link, data={"tap": tap}) for tap in ("show", "hide"))]


@pytest.mark.slow
def test_each_code_belongs_to_the_first_phone_that_opens_it_until_everyone_has_looked(tmp_path: Path) -> None:
    answers: list[httpx.Response] = []
    with dealing(tmp_path / "game") as dealer, httpx.Client() as stranger:
        for name in NAMES:
            link = dealer.link_of(name)
            role = (tmp_path / "game" / name).read_text("utf-8").splitlines()[1]
            with httpx.Client() as phone:
                assert stranger.head(link).status_code == 404
                assert stranger.get(link, headers={"Sec-Purpose": "prefetch"}).status_code == 404
                opened = phone.get(link)
                dealer.until(f"{name} has opened")
                for other in (stranger.get(link), stranger.post(link, data={"tap": "show"})):
                    assert other.status_code == 403
                    assert role not in other.text
                    dealer.until(f"Another phone tried to open {name}")
                    answers.append(other)
                again, shown, hidden = look(phone, link)
                assert opened.status_code == again.status_code == 200
                assert opened.text == again.text
                assert [role in page.text for page in (opened, shown, hidden)] == [False, True, False]
                answers += [opened, again, shown, hidden]
        dealer.until("Everyone has looked.")
        assert (tmp_path / "game" / "start").read_text("utf-8").strip() in dealer.until("first")
        assert dealer.process.wait(PATIENCE) == 0
    assert len({len(answer.content) for answer in answers}) == 1
    assert all(answer.headers["cache-control"] == "no-store" for answer in answers)
    assert not any("GET" in line or "POST" in line for line in dealer.printed)


@pytest.mark.slow
def test_enter_shows_the_next_code_and_an_interrupt_ends_it_in_a_sentence(tmp_path: Path) -> None:
    with dealing(tmp_path / "game", "--lang", "vi") as dealer, httpx.Client() as phone:
        links = [dealer.link_of(NAMES[0])]
        for name in NAMES[1:3]:
            dealer.press_enter()
            links.append(dealer.link_of(name))
        assert len(set(links)) == 3
        late = look(phone, links[0])  # whose code is no longer on the screen
        assert 'lang="vi"' in late[0].text
        dealer.until(f"{NAMES[0]} đã xem xong")
        assert phone.get(links[0].replace("/card/", "/card/x")).status_code == 404
        dealer.process.send_signal(signal.SIGINT)
        rest = dealer.process.stdout.read() if dealer.process.stdout else ""
        assert dealer.process.wait(PATIENCE) == 130
        assert "Traceback" not in rest


TAKEN = {
    "en": "roundtable: Port {port} is already in use; choose another --port.\n",
    "vi": "roundtable: Cổng {port} đang được dùng; hãy chọn một --port khác.\n",
}
PAIR = {
    "en": "roundtable: --phones shows the cards to people, and --json prints for programs; leave one of them out.\n",
    "vi": "roundtable: --phones cho người chơi xem lá bài, còn --json in ra cho chương trình; hãy bỏ một trong hai.\n",
}


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_a_taken_port_and_json_are_refused_before_anything_is_dealt(
    tmp_path: Path, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "game"
    asked = ["deal", "avalon", *NAMES, "--phones", "--host", "127.0.0.1", "--out", str(folder), "--lang", lang]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([*asked, "--port", str(port)]) == 2
    assert capsys.readouterr() == ("", TAKEN[lang].format(port=port))
    assert main([*asked, "--json"]) == 2
    assert capsys.readouterr() == ("", PAIR[lang])
    assert not folder.exists()


def test_the_port_that_is_suggested_is_never_zero() -> None:
    assert free_port("127.0.0.1", HIGHEST_PORT) not in (0, HIGHEST_PORT)


@pytest.fixture
def pages() -> CardPages:
    return CardPages(NAMES, [f"{name} & <card> '{name}'\n" + " " * (90 - len(name.encode()) * 2) for name in NAMES])


async def answered(pages: CardPages, *asked: tuple[str, str, Any]) -> list[httpx.Response]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(pages.app), base_url="http://table") as phone:
        return [await phone.request(method, path, data=data) for method, path, data in asked]


@pytest.mark.anyio
async def test_a_card_is_bound_before_it_is_shown_and_looked_at_once(pages: CardPages) -> None:
    link = pages.links[1]
    show, hide = ("POST", link.path, {"tap": "show"}), ("POST", link.path, {"tap": "hide"})
    unopened = await answered(pages, show)
    assert unopened[0].status_code == 403
    _, shown, *_ = await answered(pages, ("GET", link.path, None), show, hide, hide)
    assert "&amp; &lt;card&gt;" in shown.text
    told = [pages.news.get_nowait() for _ in range(pages.news.qsize())]
    assert told == [News("refused", 1), News("opened", 1), News("looked", 1)]
    assert link not in pages.waits_for
    assert len(pages.waits_for) == 4


@pytest.mark.anyio
async def test_a_card_that_hides_itself_was_looked_at(pages: CardPages) -> None:
    link = pages.links[2]
    show, opened = ("POST", link.path, {"tap": "show"}), ("GET", link.path, None)
    _, again, shown = await answered(pages, opened, opened, show)
    assert link in pages.waits_for
    refresh = re.search(r'http-equiv="refresh" content="30;url=([^"]+)"', shown.text)
    assert refresh
    assert 'http-equiv="refresh"' not in again.text
    async with httpx.AsyncClient(transport=httpx.ASGITransport(pages.app), base_url="http://table") as stranger:
        assert (await stranger.get(refresh[1])).status_code == 403
    assert link in pages.waits_for
    phone = {"cookie": f"phone={link.phone}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(pages.app), base_url="http://table") as same:
        hidden = [await same.get(refresh[1], headers=phone) for _ in range(2)]
    assert [link.card in page.text for page in hidden] == [False, False]
    assert link not in pages.waits_for
    told = [pages.news.get_nowait() for _ in range(pages.news.qsize())]
    assert told == [News("opened", 2), News("refused", 2), News("looked", 2)]
