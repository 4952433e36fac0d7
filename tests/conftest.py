"""What every test may rest on."""

from __future__ import annotations

import fcntl
import signal
import tempfile
from pathlib import Path

import pytest

# A shell that starts the tests in the background tells them to ignore Ctrl-C, and every program they start inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """Of several test processes one compiles, and the others wait and read what it has kept."""
    from kernel_tables import QUEST_GAMES, RANDOM, SEED
    from roundtable.games.registry import make_setup
    from roundtable.lab.kernels import kernel

    for game in QUEST_GAMES:
        with (Path(tempfile.gettempdir()) / "roundtable-kernels.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kernel(game).run(make_setup(game, 5), RANDOM, SEED, 0, 1)
