"""The HTTP API as an OpenAPI document, made from the table of routes itself.

python -m roundtable.server.openapi > docs/openapi.json
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import msgspec

from roundtable import __version__
from roundtable.protocol.bodies import Fault
from roundtable.rooms import RoomRegistry
from roundtable.server.api import Api
from roundtable.server.limits import Limits
from roundtable.server.readiness import Readiness
from roundtable.server.routes import Row

REASONS = {
    400: "What was asked for makes no sense.",
    401: "The request does not say who asks.",
    403: "Not for this member, or not for this page.",
    404: "There is no such room, or you are not in it.",
    409: "Not at this moment.",
    413: "The request is too large.",
    429: "Too many requests; wait a while.",
    503: "Not now; ask again.",
}


def document(rows: Sequence[Row]) -> dict[str, Any]:
    kinds = [kind for row in rows for kind in (row.takes, row.answers) if kind is not None]
    schemas, components = msgspec.json.schema_components([*kinds, Fault], ref_template="#/components/schemas/{name}")
    for component in components.values():  # Python 3.13 and later unindent a docstring, earlier ones do not
        component["description"] = " ".join(component["description"].split())
    named = dict(zip(map(str, [*kinds, Fault]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for row in rows:
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row, named)
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


def _operation(row: Row, named: dict[str, Any]) -> dict[str, Any]:
    fault = {"application/json": {"schema": named[str(Fault)]}}
    refused = {str(status): {"description": REASONS[status], "content": fault} for status in row.refusals}
    answer = {"schema": named[str(row.answers)]} if row.answers is not None else {"schema": {"type": "string"}}
    if row.name == "ready":
        refused["503"] = {
            "description": "It is still starting, or cannot write anything down.",
            "content": {"application/json": answer},
        }
    answers = {str(row.status): {"description": row.summary, "content": {row.media: answer}}, **refused}
    operation: dict[str, Any] = {"operationId": row.name, "summary": row.summary, "responses": answers}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", row.path)
    ]
    if row.needs_token:
        operation["security"] = [{"member": []}]
        key = "An id of your own: the same request under the same id is granted once."
        parameters.append({"name": "idempotency-key", "in": "header", "description": key, "schema": {"type": "string"}})
    if parameters:
        operation["parameters"] = parameters
    if row.takes is not None:
        body = {"application/json": {"schema": named[str(row.takes)]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def document_text() -> str:
    """The document as it is kept with the others; describing the routes needs no rooms behind them."""
    rows = Api(cast(RoomRegistry, None), Limits(), cast(Readiness, None)).rows
    return json.dumps(document(rows), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(document_text(), end="")
