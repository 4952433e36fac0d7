"""The whole server as one ASGI application."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from roundtable.core.errors import RoomRefused
from roundtable.protocol.compression import CompressedBody, compress
from roundtable.protocol.schema import protocol_schema
from roundtable.rooms import OwnedElsewhere, RoomRegistry, Services
from roundtable.rooms.commands import busy
from roundtable.rooms.networks import WriteBudget
from roundtable.server.administration import KEEP_ALL, Administration, Retention
from roundtable.server.api import Api
from roundtable.server.door import DoorMiddleware
from roundtable.server.limits import Limits
from roundtable.server.metrics import MeasuredLog, Metrics
from roundtable.server.middleware import OriginMiddleware, close_unopened
from roundtable.server.openapi import document
from roundtable.server.readiness import Readiness
from roundtable.server.relay import RELAYED, OwnerUnreachable, Relay, RelayedMiddleware
from roundtable.server.responses import respond
from roundtable.server.routes import RateCheck, limited, refusal, starlette_routes
from roundtable.server.sockets import Sockets
from roundtable.server.static_files import accepts_html, front_page, page_routes
from roundtable.storage import LogFailed

SOCKETS = "/socket/"  # and the code of a room


class Application:
    """What a web server runs: the routes, the rooms behind them, and metrics."""

    def __init__(
        self,
        services: Services,
        *,
        limits: Limits | None = None,
        retention: Retention = KEEP_ALL,
        origins: Collection[str] = (),
        sites: Collection[str] = (),
        password: str = "",
        address: Callable[[], str] = str,
        on_start: Callable[[RoomRegistry], Awaitable[None]] | None = None,
        on_failure: Callable[[Exception], None] | None = None,
    ) -> None:
        limits = limits or Limits()
        self.metrics = Metrics()
        log = self._log = MeasuredLog(services.log, self.metrics)
        budget = WriteBudget(limits.written_per_minute, services.now)
        self.registry = RoomRegistry(
            replace(services, log=log, budget=budget), limits.rooms, most_per_network=limits.rooms_per_address
        )
        self._workers = services.workers
        leases = log.leases
        self._relay = None if leases is None else Relay(lambda: leases.secret)
        self._has_started = False
        self._on_start = on_start
        self._on_failure = on_failure
        registry = self.registry
        self._readiness = Readiness(
            log, lambda: self._has_started and registry.has_caught_up, lambda: registry.has_leases
        )
        api = Api(self.registry, limits, self._readiness, address)
        self.api_routes = api.routes
        self._require_page_rate = api.require_page_rate
        described = {"/openapi.json": lambda: document(api.routes), "/schemas/messages.json": protocol_schema}
        paths: list[Any] = [*starlette_routes(api.routes, api.require_rate, self._pass_on)]
        others = [Route(path, _json_endpoint(describe)) for path, describe in described.items()]
        others += page_routes()
        paths += [Route(other.path, limited(other.endpoint, api.require_page_rate)) for other in others]
        self.routes: tuple[Route, ...] = tuple(paths)
        not_found = _limited_not_found(api.require_page_rate)
        app = Starlette(routes=paths, lifespan=self._lifespan, exception_handlers={HTTPException: not_found})
        sockets, policy = Sockets(self.registry, limits, self.metrics, self._relay), services.policy
        self._administration = Administration(
            log, self.registry, policy, retention, services.now, lambda: sockets.close_banned(policy.is_banned)
        )
        inner = _with_sockets(app, sockets)
        inner = DoorMiddleware(inner, password) if password else inner
        self._app: ASGIApp = OriginMiddleware(inner, origins, sites, policy.is_banned)
        if leases is not None:
            self._app = RelayedMiddleware(self._app, services.address, lambda: leases.secret)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _pass_on(self, request: Request, owner: OwnedElsewhere) -> Response | None:
        """Relay a request to the worker that runs its room. None where that worker does not answer:
        then the next owner can be asked, because nothing was done yet, or nothing that must not be done twice."""
        try:
            self._require_page_rate(request)
            if self._relay is None or RELAYED in request.scope:  # the room has moved on since
                raise busy()
            answer: Response | None = await self._relay.request(request, owner)
        except OwnerUnreachable as unreachable:
            may_repeat = not unreachable.was_reached or request.method in ("GET", "HEAD")
            answer = None if may_repeat else refusal(busy(), request)
        except RoomRefused as refused:
            return refusal(refused, request)
        is_lost = answer is None or answer.status_code == 503  # it may not run the room any more
        if is_lost and (code := request.path_params.get("code")):
            self.registry.forget_owner(code)
        return answer

    async def drain(self) -> None:
        """Hand all rooms over to other workers, where there are any, and send all clients to them."""
        if self._relay is not None:
            await self.registry.stop()

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        try:
            await self.registry.start()
            await self._administration.obey()
            if self._on_start:
                await self._on_start(self.registry)
        except (LogFailed, RoomRefused) as failed:
            if not self._on_failure:
                raise
            self._on_failure(failed)
        loop = asyncio.get_running_loop()
        work = (self.metrics.measure_stalls(), self._administration.run(), self._readiness.watch())
        tasks = [loop.create_task(one) for one in work]
        self._has_started = True
        try:
            yield
        finally:
            self._has_started = False
            for task in tasks:
                task.cancel()
            await self.registry.stop()
            if self._relay is not None:
                await self._relay.stop()
            self._workers.close()
            await self._log.close()

    def exposition(self) -> bytes:
        """The metrics as Prometheus reads them: for the operator, and at no route."""
        rooms = self.registry.rooms
        self.metrics.is_ready = self._readiness.is_ready
        self.metrics.rooms = len(rooms)
        self.metrics.games = sum(room.state.is_playing for room in rooms.values())
        self.metrics.lost_leases = self.registry.lost_leases
        return self.metrics.exposition()


def _with_sockets(app: ASGIApp, sockets: ASGIApp) -> ASGIApp:
    """The path of a socket names its room; sockets skip Starlette's routing."""

    def route(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "websocket":
            return app(scope, receive, send)
        if scope["path"].startswith(SOCKETS):
            return sockets(scope, receive, send)
        return close_unopened(receive, send, 4404)

    return route


def _json_endpoint(describe: Callable[[], Any]) -> Callable[[Request], Awaitable[Response]]:
    """A description is made when it is first read: it takes longer than the rest of the application."""

    @cache
    def body() -> CompressedBody:
        return compress(json.dumps(describe(), ensure_ascii=False, separators=(",", ":")).encode())

    async def serve(request: Request) -> Response:
        return respond(request, body(), 200, {}, "application/json")

    return serve


def _limited_not_found(require_rate: RateCheck) -> Callable[[Request, Exception], Awaitable[Response]]:
    """What answers requests that no route does; they count like pages."""

    async def answer(request: Request, error: Exception) -> Response:
        return await limited(lambda request: _not_found(request, error), require_rate)(request)

    return answer


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 404 and accepts_html(request):
        return front_page().answer(request, status)
    answer = refusal(RoomRefused("server/unknown"), request, status)
    if isinstance(error, HTTPException):
        answer.headers.update(error.headers or {})
    return answer
