"""Which websites may connect to a server: its own, and those named with `--origin`."""

from __future__ import annotations

import pytest
from starlette.types import Receive, Scope, Send

from roundtable.server.middleware import OriginMiddleware


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that does nothing."""


def is_allowed(**headers: str) -> bool:
    middleware = OriginMiddleware(nothing, ["https://friends.example"])
    given = {"host": "table.example"} | {name.replace("_", "-"): text for name, text in headers.items()}
    encoded = [(name.encode(), text.encode()) for name, text in given.items()]
    return middleware.is_allowed_origin({"type": "websocket", "scheme": "wss", "headers": encoded})


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_a_site_named_with_origin_is_allowed_as_browsers_announce_it(site: str) -> None:
    assert is_allowed(origin="https://friends.example", sec_fetch_site=site)


def test_pages_of_other_sites_are_not_and_programs_are() -> None:
    assert not is_allowed(origin="https://evil.example", sec_fetch_site="cross-site")
    assert not is_allowed(origin="https://evil.example")
    assert not is_allowed(origin="http://table.example")
    assert not is_allowed(sec_fetch_site="cross-site")
    assert is_allowed(origin="https://table.example", sec_fetch_site="same-origin")
    assert is_allowed()
