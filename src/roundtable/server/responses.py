"""Responses in the encoding that the client accepts."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from roundtable.protocol.compression import CompressedBody

NO_WEIGHTS = ("q=0", "q=0.0", "q=0.00", "q=0.000")


def respond(
    request: Request, body: bytes | CompressedBody, status: int, headers: Mapping[str, str], media_type: str
) -> Response:
    """A compressed body is sent gzipped to clients that accept it."""
    if not isinstance(body, CompressedBody):
        return Response(body, status, headers, media_type)
    headers = {**headers, "vary": "accept-encoding"}
    if body.gzipped is None or not accepts_gzip(request):
        return Response(body.plain, status, headers, media_type)
    return Response(body.gzipped, status, {**headers, "content-encoding": "gzip"}, media_type)


def accepts_gzip(request: Request) -> bool:
    """Whether `Accept-Encoding` names gzip, and not with a weight of 0."""
    for coding in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "gzip":
            return weight.strip() not in NO_WEIGHTS
    return False
