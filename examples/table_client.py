#!/usr/bin/env python3
"""A seat at a live table, with the client of docs/client.md: table_client.py NAME LINK, or NAME --new avalon [SERVER].
Type the number of a choice, say TEXT (or evil, wolves or dead TEXT), ready, start or rematch; Ctrl-D ends it."""

import asyncio
import sys
import threading

from roundtable.client import Client, Table
from roundtable.core.actions import Move
from roundtable.core.errors import IllegalAction, RoomRefused, RoundTableError
from roundtable.core.events import Event, TableOpened
from roundtable.core.names import printable
from roundtable.games import spec_named
from roundtable.protocol import Asked, offers
from roundtable.protocol.rooms import Chatted, Rematch, Room, SayReady, SeatBot, Start
from roundtable.text.names import Names
from roundtable.text.teller import Teller, teller_of

REQUESTS = {"ready": SayReady(is_ready=True), "start": Start(), "rematch": Rematch()}


def choices(table: Table) -> list[Move]:
    options = table.options
    return [move for offer in offers(options, table.view.phase.number) for move in offer.moves] if options else []


async def show(table: Table) -> None:
    """Print what happens."""
    teller: Teller | None = None
    async for event in table.events():
        match event:
            case Room():
                print(
                    f"Table {event.code}: {event.stage}.", *(printable(problem.message) for problem in event.problems)
                )
                if teller and len(teller.names) == len(table.names):  # a seat can get another holder
                    teller.names = Names(table.names)
            case Chatted():
                print(printable(f"{event.name}: {event.text}"))
            case Asked() if teller:
                for number, move in enumerate(choices(table), 1):
                    print(f"{number:>3} {teller.move(move)}")
            case Event():
                if isinstance(event, TableOpened):
                    teller = teller_of(spec_named(event.setup.game), Names(table.names))
                if teller and (told := teller.tell(event)):
                    print(told)


async def obey(table: Table, lines: asyncio.Queue[str]) -> None:
    """Do what is typed, until the input ends."""
    while line := await lines.get():
        word, _, text = line.strip().partition(" ")
        try:
            await table.here()
            if word.isdecimal() and int(word) in range(1, len(choices(table)) + 1):
                await table.act(choices(table)[int(word) - 1])
            elif word in REQUESTS:
                await table.ask(REQUESTS[word])
            elif text:
                await table.say(text, "table" if word == "say" else word)
        except (IllegalAction, RoomRefused) as refused:
            print(refused.message)


def read(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[str]) -> None:
    while line := sys.stdin.readline():
        loop.call_soon_threadsafe(lines.put_nowait, line)
    loop.call_soon_threadsafe(lines.put_nowait, "")


async def main(name: str, where: str, game: str = "", server: str = "http://127.0.0.1:8000") -> None:
    async with Client(server if game else where) as client:
        table = await (client.open(name, game, 7) if game else client.join(where, name))
        if game:
            print(f"Friends join at {client.url}/r/{table.room.code}")
            await table.ask(SeatBot())
        lines: asyncio.Queue[str] = asyncio.Queue()
        threading.Thread(target=read, args=(asyncio.get_running_loop(), lines), daemon=True).start()
        tasks = [asyncio.create_task(show(table)), asyncio.create_task(obey(table, lines))]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()


try:
    asyncio.run(main(*sys.argv[1:]) if 3 <= len(sys.argv) <= 5 else sys.exit(__doc__))
except RoundTableError as error:
    sys.exit(error.message)
