"""Running the server: its address, its log, its bots, and what it prints when it starts."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import re
import secrets
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import parent_process
from typing import Literal, NamedTuple

import uvicorn

from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.errors import SetupError, shown
from roundtable.protocol import bodies
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import LONGEST
from roundtable.rooms import BotProcessPool, RoomRegistry, Services
from roundtable.rooms.archive import thread_executor
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits, SitePolicy
from roundtable.server.administration import KEEP_ALL, Retention
from roundtable.server.app import Application
from roundtable.server.clock import steady_clock
from roundtable.server.garbage import GarbageCollector, collect_by_clock
from roundtable.server.hosts import AllowedHosts
from roundtable.server.http_protocol import http_class, trusted_networks
from roundtable.server.json_logs import JsonFormatter
from roundtable.server.limits import Limits
from roundtable.server.log_limits import limit_log
from roundtable.server.metrics_listener import listen_for_metrics
from roundtable.server.websocket_protocol import is_server_error, websocket_class
from roundtable.server.workers import OnReady, supervise
from roundtable.storage import Log, MemoryLog, SqliteLog
from roundtable.storage.addresses import sqlite_file, without_password
from roundtable.storage.database_files import lock_database

IN_MEMORY = "memory:"  # the database of a server whose rooms end with it
BACKLOG = 4096
HIGHEST_PORT = 65_535
PORTS_TRIED = 20  # in the search for a free one
Purpose = Literal["rooms", "metrics", "workers", "cards"]  # of a port
FLAGS: Mapping[Purpose, Sequence[str]] = {  # with which an operator chooses another place
    "rooms": ("--port", "--host"),
    "metrics": ("--metrics-port", "--metrics-host"),
    "cards": ("--port", "--host"),
}
SEND_BUFFER = 128 * 1024  # bytes of each connection, inherited from the listening socket
RECEIVE_BUFFER = 16 * 1024  # bytes of one connection that are parsed before other connections get a turn
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
SITE = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
logger = logging.getLogger("roundtable.server")
DEMO = bodies.OpenRoom(name="Demo", seats=5, settings=protocol.Settings(is_public=True, look_seconds=15))


class ServerOptions(NamedTuple):
    """How a server is run."""

    host: str
    port: int
    database: str
    has_demo: bool
    origins: Sequence[str] = ()
    sites: Sequence[str] = ()
    trusted_proxies: Sequence[str] = ()
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"
    bot_processes: int = 1
    limits: Limits = Limits()
    lang: str = SOURCE
    workers: int = 1
    worker_host: str = "127.0.0.1"
    retention: Retention = KEEP_ALL
    idle: IdleLimits = USUAL_LIMITS
    log_format: str = "text"
    password: str = ""  # empty for a server that is open to all


def serve(options: ServerOptions) -> None:
    """Serve until a signal stops the server."""
    require_origins(options.origins)
    require_sites(options.sites)
    require_proxies(options.trusted_proxies)
    if options.workers > 1 and (options.database == IN_MEMORY or sqlite_file(options.database) is not None):
        raise SetupError("setup/option", "workers", database=without_password(options.database))
    log_to_stderr(options.log_format)
    sockets = [listen(options.host, options.port)]
    try:
        for number in range(options.workers if options.metrics_port is not None else 0):
            sockets.append(listen(options.metrics_host, metrics_port(options, number), "metrics"))
        is_new, log = open_log(options.database)
        if log.leases is not None:
            from roundtable.server.worker_addresses import require_reach  # its driver may not be installed

            asyncio.run(require_reach(options.database, reachable(options.worker_host)))
        allow_many_connections()
        has_demo, announce = is_new or options.has_demo, partial(print_startup_message, options, sockets[0])
        if options.workers > 1:
            supervise(options.workers, partial(run_worker, options, sockets), has_demo, sockets, announce)
        else:
            run_server(options, log, sockets, has_demo, announce)
    except SetupError:
        for one in sockets:
            one.close()
        raise


def metrics_port(options: ServerOptions, worker: int) -> int:
    """Each worker has a port for its metrics, one after the other."""
    return options.metrics_port + worker if options.metrics_port else 0


def run_worker(
    options: ServerOptions,
    sockets: Sequence[socket.socket],
    has_demo: bool,
    number: int,
    replaced: int,
    on_ready: OnReady,
) -> None:
    """One of several workers, in a process of its own."""
    log_to_stderr(options.log_format, number)
    public, *metrics = sockets
    own = [public, *metrics[number : number + 1]]
    run_server(options, open_log(options.database)[1], own, has_demo, on_ready, replaced)


def log_to_stderr(log_format: str, worker: int | None = None) -> None:
    prefix = "" if worker is None else f"worker {worker} "
    plain = logging.Formatter(f"%(asctime)s {prefix}%(levelname)s %(name)s: %(message)s")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(worker) if log_format == "json" else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    limit_log()


def print_startup_message(options: ServerOptions, public: socket.socket, demo: str | None) -> None:
    port = public.getsockname()[1]
    print(startup_message(options.host, port, demo, options.lang, options.database != IN_MEMORY), flush=True)


def run_server(
    options: ServerOptions,
    log: Log,
    sockets: Sequence[socket.socket],
    has_demo: bool,
    on_ready: OnReady,
    replaced: int = 0,
) -> None:
    """Serve at a socket, and its metrics at another if there is one."""
    public, *metrics = sockets
    port = public.getsockname()[1]
    own = None  # where other workers reach this one
    if log.leases is not None:
        own = listen(options.worker_host, 0, "workers")

    async def start(registry: RoomRegistry) -> None:
        demo = await open_demo(registry) if has_demo else None
        for figures in metrics:
            servers.append(await listen_for_metrics(figures, app.exposition, metrics_hosts))
            logger.info("metrics are at %s/metrics", address_of(options.metrics_host, figures.getsockname()[1]))
        if (parent := parent_process()) is not None:
            asyncio.get_running_loop().add_reader(parent.sentinel, end_with_parent)
        on_ready(demo)
        collect_by_clock()
        tasks.add(asyncio.get_running_loop().create_task(GarbageCollector(app.metrics).run()))

    metrics_hosts = AllowedHosts([options.metrics_host, *options.sites])
    tasks: set[asyncio.Task[None]] = set()  # the event loop alone would not keep them
    servers: list[asyncio.Server] = []  # the event loop alone would not keep them
    failures: list[Exception] = []

    def give_up(failed: Exception) -> None:
        failures.append(failed)
        server.should_exit = True

    def end_with_parent() -> None:
        asyncio.get_running_loop().remove_reader(parent_process().sentinel)  # type: ignore[union-attr]
        server.should_exit = True

    services = Services(
        log,
        steady_clock(),
        secrets.token_bytes,
        BotProcessPool(options.bot_processes),
        thread_executor(),
        address="" if own is None else address_of(options.worker_host, own.getsockname()[1]),
        policy=SitePolicy(options.idle),
    )
    app = Application(
        services,
        limits=options.limits,
        retention=options.retention,
        origins=options.origins,
        sites=[options.host, *options.sites],
        password=options.password,
        address=str if options.trusted_proxies or options.sites else lambda: address_of(options.host, port),
        on_start=start,
        on_failure=give_up,
    )
    app.metrics.replaced = replaced
    proxies = trusted_networks(options.trusted_proxies)
    config = uvicorn.Config(
        app,
        loop="auto",
        http=http_class(options.limits, proxies, None if own is None else own.getsockname()[1]),
        ws=websocket_class(options.limits),
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(map(str, proxies)),
        timeout_graceful_shutdown=3,
        backlog=BACKLOG,
    )
    logging.getLogger("uvicorn.error").addFilter(is_server_error)
    server = DrainedServer(config, app)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # after a graceful shutdown uvicorn raises the signal again
        server.run(sockets=[public] if own is None else [public, own])
    for failed in failures:
        database, reason = without_password(options.database), str(failed.__cause__ or failed)
        raise SetupError("setup/option", "database_lost", database=database, reason=reason) from failed


class DrainedServer(uvicorn.Server):
    """A server that hands its rooms over before it closes its connections."""

    def __init__(self, config: uvicorn.Config, app: Application) -> None:
        super().__init__(config)
        self._application = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._application.drain()
        await super().shutdown(sockets)


def require_origins(origins: Sequence[str]) -> None:
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise SetupError("setup/option", "origin", found=shown(origin))


def require_sites(sites: Sequence[str]) -> None:
    for site in sites:
        if not SITE.fullmatch(site):
            raise SetupError("setup/option", "site", found=shown(site))


def require_proxies(addresses: Sequence[str]) -> None:
    for address in addresses:
        try:
            ipaddress.ip_network(address)
        except ValueError as other:
            raise SetupError("setup/option", "proxy", found=shown(address)) from other


def allow_many_connections() -> None:
    """Raise the limit of open files: the usual 1,024 are too few for two hundred tables."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def open_log(database: str) -> tuple[bool, Log]:
    """The log at an address such as sqlite:///roundtable.db or postgresql://host/name, and whether it is new."""
    if database == IN_MEMORY:
        return True, MemoryLog()
    path = sqlite_file(database)
    if path is None:
        return open_postgres(database)
    is_new = not path.exists()
    lock_database(path)
    return is_new, SqliteLog(path)


def open_postgres(address: str) -> tuple[bool, Log]:
    from roundtable.storage.postgres import PostgresLog  # its driver may not be installed
    from roundtable.storage.postgres_schema import prepare

    return asyncio.run(prepare(address)), PostgresLog(address)


def listen(host: str, port: int, purpose: Purpose = "rooms") -> socket.socket:
    if not 0 <= port <= HIGHEST_PORT:
        raise SetupError("setup/option", "port", last=HIGHEST_PORT, found=port)
    listening = None
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        listening.bind(address)
        listening.listen(BACKLOG)  # from here on clients wait instead of being refused
    except (OSError, UnicodeError) as refused:
        if listening:
            listening.close()
        if getattr(refused, "errno", None) == errno.EADDRINUSE:
            raise port_taken(host, port, purpose) from refused
        reason = getattr(refused, "strerror", None) or str(refused)
        if purpose == "workers":
            raise SetupError("setup/option", "listen_workers", host=host, reason=reason) from refused
        choices = FLAGS[purpose]
        raise SetupError("setup/option", "listen", host=host, port=port, reason=reason, choices=choices) from refused
    return listening


def port_taken(host: str, port: int, purpose: Purpose) -> SetupError:
    """Another program listens at this port; each purpose has a flag of its own to choose another."""
    if purpose == "metrics":
        return SetupError("setup/option", "metrics_port_taken", port=port)
    if purpose == "cards":
        return SetupError("setup/option", "cards_port_taken", port=port)
    return SetupError("setup/option", "port_taken", port=port, free=free_port(host, port))


def free_port(host: str, taken: int) -> int:
    """A port that no program listens on, to suggest in place of one that is taken: one of the next, or any."""
    for candidate in (*range(taken + 1, min(taken + PORTS_TRIED, HIGHEST_PORT) + 1), 0):
        with suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, candidate))
            found: int = probe.getsockname()[1]
            return found
    return taken


async def open_demo(registry: RoomRegistry) -> str:
    """A public table with bots on every seat but one, for the first visitor."""
    opened = await registry.open(DEMO)
    room = await registry.find(opened.room)
    for seat in range(1, DEMO.seats):
        await room.ask(opened.token, protocol.SeatBot(seat=seat))
    await room.ask(opened.token, protocol.Leave())
    return opened.room


def startup_message(host: str, port: int, demo: str | None, lang: str = SOURCE, is_kept: bool = True) -> str:
    words = catalogue(lang)
    address = address_of(host, port)
    link = f"{address}/r/{demo}" if demo else address
    lines = [words.text("serve.open", address=address)]
    lines.append(words.text("serve.tv", address=f"{address}/tv"))
    if demo:
        lines.append(words.text("serve.demo", link=link))
    if sys.stdout is not None and sys.stdout.isatty():
        lines.append(qr(link))
    lines.append(words.text("serve.close", context="" if is_kept else "memory"))
    return "\n".join(lines)


def qr(link: str) -> str:
    """The link as a picture that a phone can read off the terminal."""
    from io import StringIO

    import segno  # slow to import, and not needed without a terminal

    drawn = StringIO()
    segno.make(link, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue().rstrip("\n")


def address_of(host: str, port: int) -> str:
    return f"http://{reachable(host)}:{port}"


def reachable(host: str) -> str:
    """An address under which phones in the same network find this machine."""
    if host not in ("", "0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; the system only chooses a route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
