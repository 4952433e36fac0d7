"""`roundtable serve`: tables for friends far apart, on one machine with nothing to configure."""

from __future__ import annotations

import argparse
import os

DATABASE = "sqlite:///roundtable.db"
COUNTS = (  # options that take a number, with what they are usually
    ("bot-processes", 1, "in how many processes bots think"),
    ("most-rooms", 10_000, "rooms open at the same time, empty ones included"),
    ("sockets-per-address", 200, "connections from one address; raise it behind a proxy that hides addresses"),
    (
        "requests-per-minute",
        600,
        "HTTP requests from one address; a tenth may join or ask for records, a thirtieth open rooms",
    ),
    ("messages-per-20-seconds", 50, "messages over one connection; 50 by default"),
)


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "serve",
        help="host tables for friends in the browser",
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
        help="show /metrics to everyone, not only to this machine",
    )
    for name, usual, said in COUNTS:
        in_environment = name.upper().replace("-", "_")
        command.add_argument(
            f"--{name}", type=_count, default=_given(in_environment, str(usual)), metavar="N", help=said
        )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.server.limits import Limits
    from roundtable.server.run import ServerOptions, serve

    limits = Limits(
        rooms=arguments.most_rooms,
        sockets_per_address=arguments.sockets_per_address,
        said_in_window=arguments.messages_per_20_seconds,
        asked_per_minute=arguments.requests_per_minute,
        joined_per_minute=max(1, arguments.requests_per_minute // 10),
        records_per_minute=max(1, arguments.requests_per_minute // 10),
        opened_per_minute=max(1, arguments.requests_per_minute // 30),
    )
    serve(
        ServerOptions(
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
