"""An asynchronous client of a Round Table server, for bots, tests and other programs (docs/client.md)."""

from roundtable.client.client import Client
from roundtable.client.connection import ConnectionLost, ConnectionRestored
from roundtable.client.http import HttpApi
from roundtable.client.table import News, Table

__all__ = ["Client", "ConnectionLost", "ConnectionRestored", "HttpApi", "News", "Table"]
