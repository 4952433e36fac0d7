"""What every test may rest on."""

from __future__ import annotations

import fcntl
import gc
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

# A shell that starts the tests in the background tells them to ignore Ctrl-C, and every program they start inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def compile_once(game: str, is_stepper: bool = False) -> None:
    """Of several test processes one compiles, and the others wait and read what it has kept."""
    from roundtable.games.registry import game_named
    from roundtable.lab.kernels import kernel
    from roundtable.lab.stepping import stepper

    kind = game_named(game).setup_type
    setup = kind(seats=kind.fewest)
    with (Path(tempfile.gettempdir()) / f"roundtable-{game}-{is_stepper}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_stepper:
            stepper(setup, 1)
        else:
            kernel(game).run(setup, ("random",), 0, 0, 1)


@pytest.fixture
def no_gc() -> Iterator[None]:
    """For replays by the thousand: nothing there is a cycle, and looking for some takes a tenth of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """Of Avalon and THavalon."""
    for game in ("avalon", "thavalon"):
        compile_once(game)


@pytest.fixture(scope="session")
def compiled_town() -> None:
    """Saviom's kernel."""
    compile_once("saviom")


@pytest.fixture(scope="session")
def compiled_steppers() -> None:
    """Of all games."""
    for game in ("avalon", "thavalon", "saviom"):
        compile_once(game, is_stepper=True)


COMPILED = {"compiled_kernels", "compiled_town", "compiled_steppers"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Machine code takes half a minute to make: whatever needs it is slow."""
    for item in items:
        if COMPILED & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
