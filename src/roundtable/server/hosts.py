"""Which names a server answers to: not that of a site which points it at this machine (DNS rebinding)."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

LOCAL = (".local", ".home.arpa", ".lan", ".localhost")  # endings that no one can register
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", re.IGNORECASE)


class AllowedHosts:
    """Addresses, names of the local network, this machine's own name, and the sites that the operator names."""

    def __init__(self, sites: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
        names = (socket.gethostname(), *sites, *(urlsplit(origin).hostname or "" for origin in origins))
        self._names = frozenset(name.lower() for name in names)

    def allows(self, host: str) -> bool:
        """Whether this `Host` header names the server."""
        name = host_name(host)
        is_local = "." not in name or name.endswith(LOCAL)
        return bool(name) and (is_local or is_address(name) or name in self._names)


def host_name(host: str) -> str:
    """A `Host` header without the port; "" where it is none."""
    found = HOST.fullmatch(host)
    return found[1].lower().removesuffix(".") if found else ""


def is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
