"""The same batches over a Ray cluster; batches of a machine that dies are played again elsewhere."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from roundtable.core.errors import StudyError, shown
from roundtable.lab.batches import Played, play
from roundtable.lab.extras import require
from roundtable.lab.simulate import Players, Stopped
from roundtable.lab.studies import Slice, Study

BEGUN_PER_CORE = 2
LOOK_AGAIN = 0.5  # seconds
KNOCK = 5  # seconds


def players_of(address: str) -> Players:
    """The Ray cluster at HOST:PORT, or with `auto` the one that this machine belongs to."""
    require("ray", "ray")
    import ray

    try:
        if address != "auto":
            probe(address)
        ray.init(address=address, log_to_driver=False, ignore_reinit_error=True, logging_level=logging.ERROR)
    except (ConnectionError, OSError, RuntimeError, ValueError) as unreachable:
        raise StudyError("study/cluster", address=shown(address)) from unreachable
    return over_cluster


def probe(address: str) -> None:
    """Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=KNOCK):
        pass


def over_cluster(study: Study, pieces: Iterable[Slice], stopped: Stopped) -> Iterator[Played]:
    """Batches come back as they are finished. Each is tried again for as long as machines die under it."""
    import ray

    far: Any = ray.remote(num_cpus=1, max_retries=-1)(play)
    cores: dict[str, float] = ray.cluster_resources()
    many = BEGUN_PER_CORE * max(1, int(cores.get("CPU", 1)))
    left = iter(pieces)
    begun = [far.remote(study, piece) for piece in islice(left, many)]
    while begun:
        done, begun = ray.wait(begun, timeout=LOOK_AGAIN)
        for finished in done:
            yield ray.get(finished)
        if not stopped():
            begun += [far.remote(study, piece) for piece in islice(left, len(done))]
