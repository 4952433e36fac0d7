"""`roundtable deal --phones`: the cards of a deal on the players' phones, one QR code after the other."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from socket import socket
from threading import Thread

import uvicorn

from roundtable.cli.arguments import seed_from
from roundtable.cli.printing import say
from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.setup import Setup
from roundtable.dealer import SPOILER, START, deal_to
from roundtable.dealer.phones import CardPages, Link
from roundtable.server.run import address_of, listen, qr

GRACE_SECONDS = 2  # for answers that are on their way when everyone has looked


def run_phones(arguments: argparse.Namespace, setup: Setup, folder: Path, lang: str) -> int:
    """Deal into the folder as ever, and show each card on one phone until every player has looked."""
    with listen(arguments.host, arguments.port, "cards") as listening:  # before the deal: a taken port would waste it
        dealt = deal_to(folder, setup, arguments.names, seed_from(arguments.seed), lang)
        pages = CardPages(dealt.names, [(dealt.folder / name).read_text("utf-8") for name in dealt.names], lang)
        address = address_of(arguments.host, listening.getsockname()[1])
        words = catalogue(lang)
        say(words.text("phones.dealer.begin", count=len(dealt.names), address=address), lang)
        for line in (dealt.roles, words.text("dealer.write_down", commitment=dealt.commitment)):
            if line:
                say(line, lang)
        asyncio.run(show_cards(pages, listening, address, lang))
    say(words.text("phones.dealer.done", spoiler=folder / SPOILER), lang)
    say((dealt.folder / START).read_text("utf-8").rstrip("\n"), lang)
    return 0


async def show_cards(pages: CardPages, listening: socket, address: str, lang: str = SOURCE) -> None:
    """Serve the cards, and show a code at a time, until every player has looked. Nothing about a request is logged."""
    server = uvicorn.Server(
        uvicorn.Config(
            pages.app,
            access_log=False,
            log_config=None,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    serving.add_done_callback(lambda _: pages.news.put_nowait(None))
    when_enter_is_pressed(asyncio.get_running_loop(), lambda: pages.news.put_nowait(None))
    dealer = Dealer(pages, address, lang)
    dealer.next_code()
    while pages.waits_for and not serving.done():
        dealer.hear(await pages.news.get())
    server.should_exit = True
    await serving


class Dealer:
    """What the terminal shows while phones look at their cards."""

    def __init__(self, pages: CardPages, address: str, lang: str) -> None:
        self._pages = pages
        self._address = address
        self._lang = lang
        self._turns: Iterator[Link] = cycle(pages.links)
        self._shown: Link | None = None

    def hear(self, news: object) -> None:
        """Tell the dealer; the next code comes when its player has looked, or at the dealer's wish."""
        if not isinstance(news, tuple):
            return self.next_code()
        what, seat = news
        link = self._pages.links[seat]
        self._say(f"phones.dealer.{what}", name=link.name)
        if what == "looked" and link is self._shown:
            self.next_code()
        return None

    def next_code(self) -> None:
        """The code of the next player who has not looked."""
        if not self._pages.waits_for:
            return
        self._shown = next(link for link in self._turns if not link.has_looked)
        address = f"{self._address}{self._shown.path}"
        self._say("phones.dealer.scan", name=self._shown.name, link=address)
        if sys.stdout is not None and sys.stdout.isatty():
            say(qr(address), self._lang)
        self._say("phones.dealer.next")

    def _say(self, key: str, name: str = "", link: str = "") -> None:
        say(catalogue(self._lang).text(key, name=name, link=link), self._lang)


def when_enter_is_pressed(loop: asyncio.AbstractEventLoop, press: Callable[[], None]) -> None:
    """Call back for each line that is typed. The thread reads the file itself: Python's own buffer could not be closed
    while a thread waits in it."""
    if sys.stdin is None or sys.stdin.closed:
        return
    file = sys.stdin.fileno()

    def read() -> None:
        while typed := os.read(file, 1024):
            for _ in range(typed.count(b"\n")):
                if loop.is_closed():
                    return
                loop.call_soon_threadsafe(press)

    Thread(target=read, daemon=True).start()
