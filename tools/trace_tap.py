"""Counts the modules of the web app that a vote crosses in a browser.

    PYTHONPATH=src:tests python tools/trace_tap.py [--list]

The first way goes from a tap on Approve to the frame that is sent, the second from the frames that count the votes to
the next phase on the screen. Vite serves the app unbuilt, so that every module is a script of its own, and Chromium
counts the calls of every function: a module takes part if one of its functions is called. The other four seats are
played over the client. One vote comes before, so that what is done once in a game is done. On a busy machine the page
may notice that frames are held back and reconnect, which crosses more modules: run it again.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page, WebSocketRoute, sync_playwright

from support.live_server import LiveServer
from support.web.chromium import MISSING, find_chromium
from support.web.hands import Hand, propose
from support.web.rooms import FIVE, Person, join, open_room

WEB = Path(__file__).resolve().parents[1] / "web"
PATIENCE = 60_000  # milliseconds
OWN = re.compile(r"/src/(?!.*/generated/)(.+\.(?:ts|svelte))$")


class Line:
    """The page's socket, whose frames from the server can be held back."""

    def __init__(self, page: Page) -> None:
        self.is_holding = False
        self.sent = 0
        self._held: list[str | bytes] = []
        page.route_web_socket(re.compile("/socket"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        self._page = page
        self._server = page.connect_to_server()
        page.on_message(self._send)
        self._server.on_message(self._receive)

    def _send(self, frame: str | bytes) -> None:
        self.sent += '"Act"' in str(frame)
        self._server.send(frame)

    def _receive(self, frame: str | bytes) -> None:
        if self.is_holding:
            self._held.append(frame)
        else:
            self._page.send(frame)

    @property
    def holds_result(self) -> bool:
        return any('"VotesCounted"' in str(frame) for frame in self._held)

    def release(self) -> None:
        self.is_holding = False
        for frame in self._held:
            self._page.send(frame)


class Calls:
    """Which functions of the app have been called since this was asked last, by module."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        session.send("Profiler.enable")
        session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})

    def taken(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for script in self._session.send("Profiler.takePreciseCoverage")["result"]:
            module = OWN.search(urlsplit(script["url"]).path)
            called = sum(1 for function in script["functions"] if function["ranges"][0]["count"])
            if module and called:
                found[module[1]] = found.get(module[1], 0) + called
        return found


@contextmanager
def vite(server: str) -> Iterator[str]:
    """The app as it is developed, with this server behind it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["node", "node_modules/vite/bin/vite.js", "--port", str(port), "--strictPort", "--host", "127.0.0.1"]
    environment = {**os.environ, "ROUNDTABLE_SERVER": server}
    running = subprocess.Popen(command, cwd=WEB, env=environment, stdout=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        while not answers(url):
            time.sleep(0.2)
        yield url
    finally:
        running.terminate()
        running.wait()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (URLError, OSError):
        return False


def seated(url: str) -> list[Person]:
    host = open_room(url, "avalon", len(FIVE), FIVE[0])
    people = [host, *(join(url, host.code, name) for name in FIVE[1:])]
    for one in people:
        one.ask("SayReady", is_ready=True)
    host.ask("Start")
    return people


def prepare_vote(page: Page, hands: list[Hand], *, approve: bool) -> None:
    """Two others are proposed, everyone but the page has voted, and its buttons take taps."""
    propose(hands, 1, 2)
    for hand in hands[1:]:
        hand.does("CastVote", approve=approve)
    page.locator("[data-task=ballot]:not(.settling)").wait_for()


def trace(page: Page, line: Line, hands: list[Hand]) -> tuple[dict[str, int], dict[str, int]]:
    first = hands[0].leader
    prepare_vote(page, hands, approve=False)
    page.locator("[data-move=CastVote]").last.click()
    page.locator("[data-phase=propose]").wait_for()
    while hands[0].leader == first:
        page.wait_for_timeout(10)
    prepare_vote(page, hands, approve=True)
    page.wait_for_timeout(1_500)  # the sound that says whose turn it is comes later
    calls = Calls(page.context.new_cdp_session(page))
    line.is_holding, before = True, line.sent
    page.locator("[data-move=CastVote]").first.click()
    while line.sent == before:
        page.wait_for_timeout(10)
    sent = calls.taken()
    while not line.holds_result:
        page.wait_for_timeout(10)
    calls.taken()
    line.release()
    page.locator("[data-phase=quest]").wait_for()
    return sent, calls.taken()


def main(*arguments: str) -> int:
    chromium = find_chromium()
    if chromium is None:
        print(MISSING, file=sys.stderr)
        return 1
    with ExitStack() as held:
        folder = held.enter_context(tempfile.TemporaryDirectory())
        server = held.enter_context(LiveServer(Path(folder) / "rooms.db"))
        url = held.enter_context(vite(server.url))
        people = seated(server.url)
        hands = [Hand(held.enter_context(one.connected())) for one in people]
        browser = held.enter_context(sync_playwright()).chromium.launch(executable_path=chromium)
        page = browser.new_page(reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.add_init_script(f"localStorage.setItem('roundtable.token.{people[0].code}', '{people[0].token}')")
        line = Line(page)
        page.goto(f"{url}/r/{people[0].code}")
        sent, shown = trace(page, line, hands)
        browser.close()
    for name, ways in (("tap to frame", sent), ("frame to screen", shown)):
        print(f"{name}: {len(ways)} modules, {sum(ways.values())} functions")
        if "--list" in arguments:
            print("".join(f"  {count:3} {module}\n" for module, count in sorted(ways.items())), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
