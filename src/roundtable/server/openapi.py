"""The HTTP API as an OpenAPI document, generated from the routes.

python -m roundtable.server.openapi > docs/openapi.json
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from roundtable import __version__
from roundtable.protocol.bodies import ErrorBody
from roundtable.rooms import RoomRegistry
from roundtable.server.api import Api
from roundtable.server.limits import Limits
from roundtable.server.readiness import Readiness
from roundtable.server.routes import ApiRoute

REASONS = {
    400: "The request is invalid.",
    401: "The request has no token.",
    403: "This member, or a page of this site, may not do this.",
    404: "There is no such room, or you are not in it.",
    409: "Not possible now.",
    413: "The request is too large.",
    429: "Too many requests; wait a while.",
    503: "Temporarily unavailable; try again.",
}


def document(routes: Sequence[ApiRoute]) -> dict[str, Any]:
    kinds = [kind for route in routes for kind in (route.body, route.response) if kind is not None]
    schemas, components = msgspec.json.schema_components(
        [*kinds, ErrorBody], ref_template="#/components/schemas/{name}"
    )
    for component in components.values():  # Python 3.13 and later unindent a docstring, earlier ones do not
        component["description"] = " ".join(component["description"].split())
    named = dict(zip(map(str, [*kinds, ErrorBody]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Round Table",
            "version": __version__,
            "summary": "Everything about rooms that is not play; play goes over a socket (docs/protocol.md).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"member": {"type": "http", "scheme": "bearer", "description": "A member's token."}},
        },
    }


def _operation(route: ApiRoute, named: dict[str, Any]) -> dict[str, Any]:
    fault = {"application/json": {"schema": named[str(ErrorBody)]}}
    refused = {str(status): {"description": REASONS[status], "content": fault} for status in route.refusals}
    answer = {"schema": named[str(route.response)]} if route.response is not None else {"schema": {"type": "string"}}
    if route.name == "ready":
        refused["503"] = {
            "description": "The server is starting, or cannot write to its log.",
            "content": {"application/json": answer},
        }
    answers = {str(route.status): {"description": route.summary, "content": {route.media_type: answer}}, **refused}
    operation: dict[str, Any] = {"operationId": route.name, "summary": route.summary, "responses": answers}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    if route.needs_token:
        operation["security"] = [{"member": []}]
    if route.needs_token and route.method == "POST":
        key = "An id of your own: a repeated request with the same id is done once."
        parameters.append({"name": "idempotency-key", "in": "header", "description": key, "schema": {"type": "string"}})
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        body = {"application/json": {"schema": named[str(route.body)]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def document_text() -> str:
    """The document as it is committed; describing the routes needs no rooms."""
    routes = Api(cast(RoomRegistry, None), Limits(), cast(Readiness, None)).routes
    return json.dumps(document(routes), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(document_text(), end="")
