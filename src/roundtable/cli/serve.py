"""`roundtable serve`: tables for friends far apart, on one machine with nothing to configure."""

from __future__ import annotations

import argparse
import os

DATABASE = "sqlite:///roundtable.db"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "serve",
        help="hold live tables for friends far apart",
        description="Serve live tables over HTTP and WebSocket (docs/protocol.md). Whatever was answered is on the "
        "disk, and survives whatever happens to the server. Each option can also be given in the environment, as "
        "ROUNDTABLE_HOST, ROUNDTABLE_PORT, ROUNDTABLE_DATABASE and so on; the command line wins.",
    )
    command.add_argument(
        "--host", default=_given("HOST", "0.0.0.0"), help="where to listen; 0.0.0.0, the whole network, by default"
    )
    command.add_argument(
        "--port", type=int, default=_given("PORT", "8000"), help="8000 by default; 0 takes any that is free"
    )
    command.add_argument(
        "--database",
        default=_given("DATABASE", DATABASE),
        metavar="URL",
        help=f"where rooms are kept: sqlite:///FILE, or memory: for tables that end with the server; {DATABASE} by "
        "default",
    )
    command.add_argument(
        "--demo", action="store_true", default=bool(_given("DEMO", "")), help="open a demo table with bots"
    )
    command.add_argument(
        "--origin",
        action="append",
        default=_listed("ORIGIN"),
        metavar="ORIGIN",
        help="another site whose pages may talk to this server, as https://example.org; may be given more than once",
    )
    command.add_argument(
        "--trusted-proxy",
        action="append",
        default=_listed("TRUSTED_PROXY"),
        metavar="ADDRESS",
        help="a proxy whose word about its clients' addresses is taken; may be given more than once",
    )
    command.add_argument(
        "--open-metrics",
        action="store_true",
        default=bool(_given("OPEN_METRICS", "")),
        help="show /metrics to everybody, not to this machine alone",
    )
    command.add_argument(
        "--bot-processes",
        type=_count,
        default=_given("BOT_PROCESSES", "1"),
        metavar="N",
        help="in how many processes bots think",
    )
    command.add_argument(
        "--most-rooms",
        type=_count,
        default=_given("MOST_ROOMS", "10000"),
        metavar="N",
        help="rooms held at the same time",
    )
    command.add_argument(
        "--sockets-per-address",
        type=_count,
        default=_given("SOCKETS_PER_ADDRESS", "200"),
        metavar="N",
        help="connections from one address; raise it behind a proxy that hides addresses",
    )
    command.add_argument(
        "--requests-per-minute",
        type=_count,
        default=_given("REQUESTS_PER_MINUTE", "600"),
        metavar="N",
        help="HTTP requests from one address; a tenth of it may join and a thirtieth open rooms",
    )
    command.add_argument(
        "--messages-per-20-seconds",
        type=_count,
        default=_given("MESSAGES_PER_20_SECONDS", "50"),
        metavar="N",
        help="messages over one connection; 50 by default",
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.server.limits import Limits
    from roundtable.server.serving import Serving, serve

    limits = Limits(
        rooms=arguments.most_rooms,
        sockets_per_address=arguments.sockets_per_address,
        said_in_window=arguments.messages_per_20_seconds,
        asked_per_minute=arguments.requests_per_minute,
        joined_per_minute=max(1, arguments.requests_per_minute // 10),
        opened_per_minute=max(1, arguments.requests_per_minute // 30),
    )
    serve(
        Serving(
            arguments.host,
            arguments.port,
            arguments.database,
            arguments.demo,
            arguments.open_metrics,
            arguments.origin,
            arguments.trusted_proxy,
            arguments.bot_processes,
            limits,
        )
    )
    return 0


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def _given(name: str, otherwise: str) -> str:
    return os.environ.get(f"ROUNDTABLE_{name}", otherwise)


def _listed(name: str) -> list[str]:
    return [part for part in _given(name, "").split(",") if part]
