"""`roundtable join`: a seat at a live table, in the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from roundtable.cli.arguments import add_lang
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.table_link import LOCAL_SERVER, place_of
from roundtable.core.errors import NotConnected, RoomRefused, RoundTableError

if TYPE_CHECKING:
    from roundtable.client import HttpApi, Table
    from roundtable.core.catalogue import Catalogue
    from roundtable.protocol.bodies import Membership
    from roundtable.terminal.live_voice import LiveTerminal
    from roundtable.terminal.memberships import Memberships

FIRST_ANSWER = 5.0  # seconds in which a server has to answer at all
PATIENCE = 900.0  # seconds in which a lost connection may come back


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "join",
        help="play at a live table, in the terminal",
        description="Join a table that a friend has opened, by its link, and play there in the terminal. The same "
        "command brings you back to your seat. With --open, open a table of your own.",
    )
    command.add_argument(
        "link",
        metavar="LINK",
        help="a table's link, such as http://192.168.1.7:8000/r/K7MPQ2; or its code and --server",
    )
    command.add_argument("--server", metavar="URL", help=f"where the table of a code is; {LOCAL_SERVER} by default")
    command.add_argument("--name", metavar="NAME", help="your name; you are asked for it otherwise")
    command.add_argument("--watch", action="store_true", help="take no seat")
    command.add_argument("--open", metavar="GAME", help="open a table for this game; LINK is the server's address")
    command.add_argument("--seats", type=int, metavar="N", help="number of players at a table that you open")
    add_lang(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.client import HttpApi
    from roundtable.client.retries import RetryPolicy
    from roundtable.core.catalogue import catalogue
    from roundtable.core.languages import language_named
    from roundtable.terminal.keyboard import read_keys, single_keys
    from roundtable.terminal.live_voice import LiveTerminal
    from roundtable.terminal.memberships import Memberships

    escape_missing_letters()
    lang = language_named(arguments.lang)
    words = catalogue(lang)
    server, code = place_of(arguments.link, arguments.server, opens=arguments.open is not None)
    voice, policy = LiveTerminal(), RetryPolicy(FIRST_ANSWER, 0.2)
    with single_keys():
        read_keys(voice.inbox.put)
        password = ""
        door = Door(lambda: HttpApi(server, policy, lang, password), server, voice, words, Memberships())
        try:
            try:
                name, membership = door.way_in(code, arguments)
            except RoomRefused as refused:
                if refused.code != "server/door":
                    raise
                password = voice.ask(words.text("joining.password"), warn=False)
                name, membership = door.way_in(code, arguments)
            return sit(server, name, membership, door, lang, password)
        except (KeyboardInterrupt, EOFError):  # before there was a seat
            voice.say()
            return 0


class Door:
    """The way to a seat: back to one that was kept, or a new one under a name."""

    def __init__(
        self, http: Callable[[], HttpApi], server: str, voice: LiveTerminal, words: Catalogue, kept: Memberships
    ) -> None:
        self.http = http
        self.server = server
        self.voice = voice
        self.words = words
        self.kept = kept

    def way_in(self, code: str | None, arguments: argparse.Namespace) -> tuple[str, Membership]:
        return self.open(arguments) if code is None else self.come_in(code, arguments)

    def come_in(self, code: str, arguments: argparse.Namespace) -> tuple[str, Membership]:
        import asyncio

        from roundtable.protocol.bodies import Join

        try:
            room = asyncio.run(self.http().look(code))
        except NotConnected as unanswered:
            if "/" in arguments.link or arguments.server:
                raise
            raise NotConnected("client/unreachable", "local", address=self.server) from unanswered
        kept = self.kept.names(self.server, room.code)
        known = {member.member for member in room.members}
        for gone in [name for name, membership in kept.items() if membership.member not in known]:
            kept.pop(gone)
        name = arguments.name or (next(iter(kept)) if len(kept) == 1 else "")
        if not name:
            name = self.voice.ask(self.words.text("joining.your_name"))
        if name in kept:
            self.voice.say(self.words.text("joining.back", name=name))
            return name, kept[name]
        membership = asyncio.run(self.http().join_room(room.code, Join(name=name, watch=arguments.watch)))
        return self.keep(name, membership)

    def open(self, arguments: argparse.Namespace) -> tuple[str, Membership]:
        import asyncio

        from roundtable.games import game_named, make_setup
        from roundtable.protocol.bodies import OpenRoom

        game = game_named(arguments.open)
        name = arguments.name or self.voice.ask(self.words.text("joining.your_name"))
        seats = game.setup_type.fewest if arguments.seats is None else arguments.seats
        make_setup(game.name, seats, {})  # refused here as the server would refuse it
        return self.keep(name, asyncio.run(self.http().open_room(OpenRoom(name=name, game=game.name, seats=seats))))

    def keep(self, name: str, membership: Membership) -> tuple[str, Membership]:
        self.kept.keep(self.server, name, membership)
        return name, membership


def sit(server: str, name: str, membership: Membership, door: Door, lang: str, password: str) -> int:
    """Hold the seat until the person leaves it."""
    from roundtable.client import Client
    from roundtable.terminal.joined import JoinedTable, Left
    from roundtable.terminal.link import TableLink

    link = TableLink(
        lambda: Client(server, lang=lang, timeout=PATIENCE, retry_delay=0.5, password=password), door.voice.inbox.put
    )
    table: Table | None = None
    try:
        table = link.open(lambda client: client.enter(membership)).result()
        JoinedTable(table, link, server, door.voice, door.words).run()
    except Left as left:
        if left.is_final:
            door.kept.forget(server, membership.room, name)
            door.voice.say(door.words.text("joining.left"))
        else:
            door.voice.say(door.words.text("joining.kept"))
    except (KeyboardInterrupt, EOFError):
        door.voice.say()
        door.voice.say(door.words.text("joining.kept"))
    except RoundTableError as gone:
        if isinstance(gone, RoomRefused):
            door.kept.forget(server, membership.room, name)  # the next run joins anew
        door.voice.say()
        raise
    finally:
        if table is not None:
            link.close(table)
    return 0
