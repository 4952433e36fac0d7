"""An asynchronous client of a Round Table server, for bots, tests and other programs (docs/client.md)."""

from roundtable.client.client import Client
from roundtable.client.http import HttpApi
from roundtable.client.retries import RetryPolicy
from roundtable.client.table import News, Table

__all__ = ["Client", "HttpApi", "News", "RetryPolicy", "Table"]
