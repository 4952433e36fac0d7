"""`roundtable serve`: tables for friends far apart, on one machine with nothing to configure."""

from __future__ import annotations

import argparse
import os

from roundtable.cli.arguments import add_lang
from roundtable.core.catalogue import SOURCE

DATABASE = "sqlite:///roundtable.db"
LOG_FORMATS = ("text", "json")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "serve",
        help="host tables for friends in the browser",
        description="Serve live tables over HTTP and WebSocket (docs/protocol.md). Whatever was answered is on the "
        "disk, and survives whatever happens to the server. Each option can also be given in the environment, as "
        "ROUNDTABLE_HOST, ROUNDTABLE_PORT, ROUNDTABLE_DATABASE and so on; the command line wins.",
    )
    command.add_argument(
        "--host", default=given("HOST", "0.0.0.0"), help="where to listen; 0.0.0.0, the whole network, by default"
    )
    command.add_argument(
        "--port", type=int, default=given("PORT", "8000"), help="8000 by default; 0 takes any that is free"
    )
    command.add_argument(
        "--database",
        default=given("DATABASE", DATABASE),
        metavar="URL",
        help="where rooms are kept: sqlite:///FILE, postgresql://USER@HOST/NAME, or memory: for tables that end with "
        f"the server; {DATABASE} by default",
    )
    command.add_argument(
        "--demo", action="store_true", default=bool(given("DEMO", "")), help="open a demo table with bots"
    )
    command.add_argument(
        "--origin",
        action="append",
        default=_listed("ORIGIN"),
        metavar="ORIGIN",
        help="another site whose pages may talk to this server, as https://example.org; may be given more than once",
    )
    command.add_argument(
        "--site",
        action="append",
        default=_listed("SITE"),
        metavar="NAME",
        help="a name of this server in the internet, as table.example.org; may be given more than once",
    )
    command.add_argument(
        "--trusted-proxy",
        action="append",
        default=_listed("TRUSTED_PROXY"),
        metavar="ADDRESS",
        help="a proxy whose word about its clients' addresses is taken; may be given more than once",
    )
    command.add_argument(
        "--metrics-port",
        type=int,
        default=given("METRICS_PORT", "") or None,
        metavar="PORT",
        help="a port at which /metrics has figures for Prometheus; none by default",
    )
    command.add_argument(
        "--metrics-host",
        default=given("METRICS_HOST", "") or "127.0.0.1",
        metavar="ADDRESS",
        help="where /metrics listens; 127.0.0.1, this machine alone, by default",
    )
    _add_count(command, "workers", 1, help="in how many processes to serve; more than one needs PostgreSQL")
    command.add_argument(
        "--worker-host",
        default=given("WORKER_HOST", "127.0.0.1"),
        metavar="ADDRESS",
        help="an address of this machine at which the workers of other machines reach its own; 127.0.0.1 by default",
    )
    _add_count(command, "bot-processes", 1, help="in how many processes the bots of each worker think")
    _add_count(command, "most-rooms", 10_000, help="rooms open at the same time, empty ones included")
    _add_count(
        command,
        "sockets-per-address",
        200,
        help="connections from one address; raise it behind a proxy that hides addresses",
    )
    _add_count(
        command,
        "requests-per-minute",
        600,
        help="HTTP requests from one address; its other limits follow from it (docs/hosting.md)",
    )
    _add_count(command, "messages-per-20-seconds", 50, help="messages over one connection; 50 by default")
    command.add_argument(
        "--password-file",
        default=given("PASSWORD_FILE", ""),
        metavar="FILE",
        help="a file whose first line is the password of a private server; without it the server is open to all",
    )
    _add_count(
        command,
        "close-idle-lobbies",
        2,
        "HOURS",
        help="close a room without connections and without a game after this time; 2 by default",
    )
    _add_count(
        command,
        "close-idle-games",
        24,
        "HOURS",
        help="close a room without connections after this time without a move in its game; 24 by default",
    )
    for what in ("talk", "records"):
        command.add_argument(
            f"--retain-{what}",
            type=positive_number,
            default=given(f"RETAIN_{what.upper()}", "") or None,
            metavar="DAYS",
            help=f"delete the {what} of rooms that have been closed for so many days; kept for ever by default",
        )
    command.add_argument(
        "--log-format",
        type=log_format,
        metavar="FORMAT",
        default=given("LOG_FORMAT", "text"),
        help="the form of log lines: text by default, or json, an object in each line",
    )
    add_lang(command, help="the language of what the server prints", default=given("LANG", SOURCE))
    command.set_defaults(run=run)


def _add_count(command: argparse.ArgumentParser, name: str, usual: int, metavar: str = "N", *, help: str) -> None:
    """An option that takes a number."""
    default = given(name.upper().replace("-", "_"), str(usual))
    command.add_argument(f"--{name}", type=positive_number, default=default, metavar=metavar, help=help)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.core.languages import language_named
    from roundtable.rooms.site_policy import IdleLimits
    from roundtable.server.administration import Retention
    from roundtable.server.door import read_password
    from roundtable.server.limits import Limits
    from roundtable.server.run import ServerOptions, serve

    limits = Limits.for_rate(
        arguments.requests_per_minute,
        rooms=arguments.most_rooms,
        sockets_per_address=arguments.sockets_per_address,
        said_in_window=arguments.messages_per_20_seconds,
    )
    serve(
        ServerOptions(
            host=arguments.host,
            port=arguments.port,
            database=arguments.database,
            has_demo=arguments.demo,
            origins=arguments.origin,
            sites=arguments.site,
            trusted_proxies=arguments.trusted_proxy,
            metrics_port=arguments.metrics_port,
            metrics_host=arguments.metrics_host,
            bot_processes=arguments.bot_processes,
            limits=limits,
            lang=language_named(arguments.lang),
            workers=arguments.workers,
            worker_host=arguments.worker_host,
            log_format=arguments.log_format,
            retention=Retention.of_days(arguments.retain_talk, arguments.retain_records),
            idle=IdleLimits.of_hours(arguments.close_idle_lobbies, arguments.close_idle_games),
            password=read_password(arguments.password_file) if arguments.password_file else "",
        )
    )
    return 0


def positive_number(text: str) -> int:
    """Argparse names this function in its complaint, and `typed` finds the sentence for it."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(text)
    return int(text)


def log_format(text: str) -> str:
    """Argparse checks its `choices` on the command line alone, not in the environment."""
    if text not in LOG_FORMATS:
        raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(map(repr, LOG_FORMATS))})")
    return text


def given(name: str, otherwise: str) -> str:
    return os.environ.get(f"ROUNDTABLE_{name}", otherwise)


def _listed(name: str) -> list[str]:
    return [part for part in given(name, "").split(",") if part]
