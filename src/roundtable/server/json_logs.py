"""Log lines as JSON, one object a line, for programs that collect logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """`time`, `level`, `logger` and `message`, `worker` where there are several, `exception` where there is one."""

    def __init__(self, worker: int | None = None) -> None:
        super().__init__()
        self._worker = worker

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if self._worker is not None:
            line["worker"] = self._worker
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)
