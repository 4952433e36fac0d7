"""What every test may rest on."""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

# A shell that starts the tests in the background tells them to ignore Ctrl-C, and every program they start inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def compile_once(*games: str, is_stepper: bool = False) -> None:
    """Of several test processes each compiles what no other is at; then it waits, and reads what those have kept."""
    others_are_at = [game for game in games if not compile_unless_busy(game, is_stepper, fcntl.LOCK_NB)]
    for game in others_are_at:
        compile_unless_busy(game, is_stepper)


def compile_unless_busy(game: str, is_stepper: bool, how: int = 0) -> bool:
    from roundtable.games.registry import game_named
    from roundtable.lab.kernels import kernel
    from roundtable.lab.stepping import stepper

    kind = game_named(game).setup_type
    setup = kind(seats=kind.fewest)
    with (lock_folder() / f"{game}-{is_stepper}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | how)
        except BlockingIOError:
            return False
        if is_stepper:
            stepper(setup, 1)
        else:
            kernel(game).run(setup, ("random",), 0, 0, 1)
    return True


def lock_folder() -> Path:
    """The cache itself, which other copies of the project may share; where it cannot be written, nothing is shared."""
    from roundtable.lab.kernels.cache import cache_folder

    folder = cache_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder if os.access(folder, os.W_OK) else Path(tempfile.gettempdir())


@pytest.fixture
def no_gc() -> Iterator[None]:
    """For replays by the thousand: nothing there is a cycle, and looking for some takes a tenth of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """Of Avalon and THavalon."""
    compile_once("avalon", "thavalon")


@pytest.fixture(scope="session")
def compiled_town() -> None:
    """Saviom's kernel."""
    compile_once("saviom")


@pytest.fixture(scope="session")
def compiled_steppers() -> None:
    """Of all games."""
    compile_once("avalon", "thavalon", "saviom", is_stepper=True)


COMPILED = {"compiled_kernels", "compiled_town", "compiled_steppers"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Machine code takes half a minute to make: whatever needs it is slow."""
    for item in items:
        if COMPILED & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
