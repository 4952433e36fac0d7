"""Which server and which table a person means by a link or a code."""

from __future__ import annotations

import re

from roundtable.core.errors import NotConnected, shown

LOCAL_SERVER = "http://127.0.0.1:8000"
CODE = re.compile("[A-HJ-NP-Z2-9]{6}")  # as the server draws them (docs/protocol.md)
LINK = re.compile(r"(https?://[^/?#@\s]+(?:/[^?#\s]*?)?)/(?:r|tv)/([^/?#]+)/?(?:[?#].*)?", re.IGNORECASE)
SERVER = re.compile(r"https?://[^/?#@\s]+/?", re.IGNORECASE)


def place_of(typed: str, server: str | None = None, *, opens: bool = False) -> tuple[str, str | None]:
    """The server's address and the table's code, from a link, or from a code and a server; no code for a new table."""
    text = typed.strip().removeprefix("<").removesuffix(">")
    if opens:
        return address_of(text), None
    if is_code(text):
        return address_of(server or LOCAL_SERVER), tidy(text)
    link = LINK.fullmatch(with_scheme(text))
    if link is not None and is_code(link[2]):
        return address_of(link[1]), tidy(link[2])
    if SERVER.fullmatch(with_scheme(text)) and re.search("[.:]", text):
        raise NotConnected("client/address", "no_table", found=shown(typed))
    raise NotConnected("client/address", "link", found=shown(typed))


def address_of(text: str) -> str:
    from roundtable.client.client import server_of

    address = server_of(with_scheme(text))
    scheme, separator, rest = address.partition("://")
    return scheme.lower() + separator + rest


def with_scheme(address: str) -> str:
    """People leave out http:// where a browser does not show it."""
    return address if re.match(r"https?:|\w+:?//", address, re.IGNORECASE) else f"http://{address}"


def is_code(text: str) -> bool:
    return CODE.fullmatch(tidy(text)) is not None


def tidy(code: str) -> str:
    """A code as the server writes it; people type it in any case, with blanks or dashes."""
    return re.sub(r"[\s-]", "", code).upper()
