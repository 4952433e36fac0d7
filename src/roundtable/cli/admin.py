"""`roundtable admin`: what an operator does with a running server, through its database."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from roundtable.cli import people
from roundtable.cli.arguments import add_lang
from roundtable.cli.printing import json_line, show
from roundtable.cli.progress import progress_of
from roundtable.cli.serve import DATABASE, given
from roundtable.core.catalogue import catalogue
from roundtable.core.errors import RoomRefused, RoundTableError, SetupError, shown
from roundtable.core.names import printable

if TYPE_CHECKING:
    from roundtable.storage import Log

ORDERS = ("inspect", "record", "close", "erase", "retention")  # that a server does; the other commands write notes


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "admin",
        help="look after a running server: rooms, bans, retention",
        description="Look after a server through its database: the person who can write there is the operator. Workers "
        "obey within a second or two (docs/hosting.md).",
    )
    command.add_argument(
        "--database",
        default=given("DATABASE", DATABASE),
        metavar="URL",
        help=f"the database of the server; {DATABASE} by default",
    )
    add_lang(command)
    what = command.add_subparsers(dest="do", metavar="WHAT", required=True)
    what.add_parser("status", help="how many rooms are open, which networks are banned")
    what.add_parser("list", help="the open rooms")
    _add_room(what.add_parser("inspect", help="a room as everyone in it may see it, in JSON"))
    record = what.add_parser("record", help="the record of a game that is over; a running game is refused")
    _add_room(record)
    record.add_argument("number", metavar="NUMBER", type=int, help="the number of the game in its room, from 1")
    _add_room(what.add_parser("close", help="close a room, for all who are in it"))
    bans = what.add_parser("ban", help="keep a network out"), what.add_parser("unban", help="let a network in again")
    for ban in bans:
        ban.add_argument("network", metavar="NETWORK", help="as 203.0.113.7 or a /24")
    what.add_parser("stop-rooms", help="no new rooms; those that are open go on")
    what.add_parser("drain", help="no new rooms and no new games; games that run go on")
    what.add_parser("resume", help="new rooms and new games again")
    what.add_parser("retention", help="delete now what is older than the server keeps")
    erase = what.add_parser("erase", help="erase what a person typed in a room, and the person's name")
    _add_room(erase)
    erase.add_argument("name", metavar="NAME", help="the name, or the number of the member, as '#3'")
    find = what.add_parser("find", help="all rooms, open or closed, in which a person had this name")
    everywhere = what.add_parser("erase-everywhere", help="erase a person in all of these rooms")
    for named in (find, everywhere):
        named.add_argument("name", metavar="NAME", help="the name")
    for parser in what.choices.values():
        parser.add_argument("--database", default=argparse.SUPPRESS, metavar="URL", help="the same, behind the command")
    command.set_defaults(run=run)


def _add_room(command: argparse.ArgumentParser) -> None:
    command.add_argument("room", metavar="CODE", help="the code of a room")


def run(arguments: argparse.Namespace) -> int:
    import asyncio

    from roundtable.core.languages import language_named
    from roundtable.storage import LogFailed

    lang = language_named(arguments.lang)
    try:
        asyncio.run(_run(arguments, lang))
    except LogFailed as failed:
        raise _unusable(arguments.database, failed) from failed
    return 0


def _unusable(database: str, failed: Exception) -> SetupError:
    from roundtable.storage.addresses import sqlite_file

    path = sqlite_file(database)
    if path is None:
        from roundtable.storage.postgres_connection import refusal_of  # its driver may not be installed

        return refusal_of(database, failed.__cause__ or failed)
    return SetupError("setup/option", "database_file", path=str(path), reason=str(failed))


async def _run(arguments: argparse.Namespace, lang: str) -> None:
    from roundtable.cli import orders

    log = open_existing_log(arguments.database)
    try:
        if arguments.do in ORDERS:
            with progress_of("rooms", lang) as show_progress:
                try:
                    done = await orders.ask(log, _order_of(arguments), show_progress)
                except RoomRefused as refused:
                    raise _not_found(arguments, refused) from refused
            _tell(arguments, done, lang)
        elif arguments.do == "find":
            await people.tell_rooms_of(log, arguments.name, lang)
        elif arguments.do == "erase-everywhere":
            await people.erase_everywhere(log, arguments.name, lang)
        elif arguments.do == "list":
            for code, summary in (await log.summaries()).items():
                show(f"{code} {catalogue(lang).text('admin.public' if summary.listing else 'admin.private')}")
        else:
            await _write_notes(log, arguments)
            await _tell_status(log, lang)
    finally:
        await log.close()


def open_existing_log(database: str) -> Log:
    from roundtable.storage import SqliteLog
    from roundtable.storage.addresses import require_file, sqlite_file

    path = sqlite_file(database, is_kept=True)
    if path is None:
        from roundtable.storage.postgres import PostgresLog

        return PostgresLog(database)
    require_file(path)
    return SqliteLog(path)


def _order_of(arguments: argparse.Namespace) -> dict[str, Any]:
    match arguments.do:
        case "retention":
            return {"do": "retention"}
        case "record":
            return {"do": "record", "room": arguments.room, "game": arguments.number}
        case "erase":
            return {"do": "erase", "room": arguments.room, "name": arguments.name}
        case do:
            return {"do": do, "room": arguments.room}


def _not_found(arguments: argparse.Namespace, refused: RoomRefused) -> RoundTableError:
    """What an operator has to know of a refusal whose sentence is for players."""
    room = shown(arguments.room) if "room" in arguments else ""
    match refused.code, arguments.do:
        case "room/unknown", "record":
            return SetupError("setup/option", "no_game", room=room, number=arguments.number)
        case "room/unknown", _:
            return SetupError("setup/option", "no_open_room", room=room)
        case "room/no_member", _:
            return SetupError("setup/option", "no_person", room=room, name=shown(arguments.name))
    return refused


def _tell(arguments: argparse.Namespace, done: Any, lang: str) -> None:
    words = catalogue(lang)
    match arguments.do:
        case "inspect":
            show(json_line(done))
        case "record":
            show(done.rstrip("\n"))
        case "close":
            show(words.text("admin.closed", room=printable(arguments.room)))
        case "erase":
            show(words.text("admin.erased", members=", ".join(f"#{member}" for member in done)))
        case "retention":
            show(words.text("admin.retained", talk=done["talk"], records=done["records"]))
            if done["elsewhere"]:
                show(words.text("admin.elsewhere", count=done["elsewhere"]))
            if done["unreadable"]:
                raise SetupError("setup/option", "rooms_unreadable", rooms="; ".join(done["unreadable"]))


async def _write_notes(log: Log, arguments: argparse.Namespace) -> None:
    from roundtable.rooms.site_policy import BAN, NO_GAMES, NO_ROOMS

    match arguments.do:
        case "ban":
            await log.write_notes({BAN + network_named(arguments.network): "banned"})
        case "unban":
            network = network_named(arguments.network)
            if BAN + network not in await log.notes():
                raise SetupError("setup/option", "not_banned", network=network)
            await log.write_notes({BAN + network: None})
        case "stop-rooms":
            await log.write_notes({NO_ROOMS: "stopped"})
        case "drain":
            await log.write_notes({NO_ROOMS: "draining", NO_GAMES: "draining"})
        case "resume":
            await log.write_notes({NO_ROOMS: None, NO_GAMES: None})


def network_named(text: str) -> str:
    """An address, or a network; its host bits do not matter."""
    import ipaddress

    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError as wrong:
        raise SetupError("setup/option", "network", found=shown(text)) from wrong


async def _tell_status(log: Log, lang: str) -> None:
    from roundtable.rooms.site_policy import BAN, NO_GAMES, NO_ROOMS

    words, notes = catalogue(lang), await log.notes()
    show(words.text("admin.rooms", count=await log.open_rooms()))
    if NO_GAMES in notes:
        show(words.text("admin.draining"))
    elif NO_ROOMS in notes:
        show(words.text("admin.no_rooms"))
    for name in sorted(notes):
        if name.startswith(BAN):
            show(words.text("admin.banned", network=name.removeprefix(BAN)))
