"""Fixtures for all tests, and Hypothesis' settings."""

from __future__ import annotations

import fcntl
import gc
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The machine may be busy.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

# Only tests that ask for machine code wait until it is compiled.
os.environ.setdefault("ROUNDTABLE_ENGINE", "plain")

# It logs every step of its work, where a test listens to all loggers.
logging.getLogger("numba").setLevel(logging.WARNING)

# A shell that starts the tests in the background tells them to ignore Ctrl-C, and every program they start inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A quick run does not import the modules in which every test is slow, nor what they import."""
    is_quick = config.option.markexpr == "not slow" and collection_path.suffix == ".py"
    return True if is_quick and "\npytestmark = pytest.mark.slow\n" in collection_path.read_text("utf-8") else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Thousands of tests and all imported modules stay until the end: no garbage collection looks through them again,
    which would take a tenth of the tests' time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def compile_once(*games: str, is_stepper: bool = False) -> None:
    """Share the work between test processes: each compiles what no other one compiles, then reads the cache."""
    others_are_at = [game for game in games if not compile_unless_busy(game, is_stepper, fcntl.LOCK_NB)]
    for game in others_are_at:
        compile_unless_busy(game, is_stepper)


def compile_unless_busy(game: str, is_stepper: bool, how: int = 0) -> bool:
    """Compile a game unless another process holds its lock. Other checkouts may share the cache and its locks."""
    from roundtable.games import game_named
    from roundtable.kernels.cache import cache_folder
    from roundtable.lab.engines import kernel
    from roundtable.lab.vector_env import stepper

    kind = game_named(game).setup_type
    setup = kind(seats=kind.fewest)
    with ExitStack() as locked:
        with suppress(OSError):  # a cache that cannot be written is not shared
            folder = cache_folder(f"roundtable.games.{game}.compiled.kernel")
            folder.mkdir(parents=True, exist_ok=True)
            lock = locked.enter_context((folder / f"{game}-{is_stepper}.lock").open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | how)
            except BlockingIOError:
                return False
        if is_stepper:
            stepper(setup, 1)
        else:
            kernel(game).run(setup, ("random",), 0, 0, 1)
    return True


@pytest.fixture
def no_gc() -> Iterator[None]:
    """No garbage collection in long replays, which make no reference cycles: a tenth of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """The kernels of Avalon and THavalon."""
    compile_once("avalon", "thavalon")


@pytest.fixture(scope="session")
def compiled_town() -> None:
    """Saviom's kernel."""
    compile_once("saviom")


@pytest.fixture(scope="session")
def compiled_steppers() -> None:
    """The steppers of all games."""
    compile_once("avalon", "thavalon", "saviom", is_stepper=True)


COMPILED = {"compiled_kernels", "compiled_town", "compiled_steppers"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need compiled kernels as slow: compiling takes half a minute. Long tests come first, then these,
    so that no test process is still at one of them when the others have nothing left to do."""
    for item in items:
        if needs_kernels(item):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, not needs_kernels(item)))


def needs_kernels(item: pytest.Item) -> bool:
    return bool(COMPILED & set(getattr(item, "fixturenames", ())))
