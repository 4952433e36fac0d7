"""How plain functions become machine code, cached on disk from then on."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import event
from numba.extending import intrinsic, overload_method

from roundtable.kernels.cache import SharedCache
from roundtable.kernels.linking import PartCompiler, PartDispatcher, WholeCompiler

F = TypeVar("F", bound=Callable[..., Any])

njit: Any = numba.njit  # its stubs leave two of its options out
log = logging.getLogger("roundtable.lab")


def compiled(function: F) -> F:
    """A part of a kernel, which only other parts call; so it is compiled without what Python would need to call it."""
    return _part(function)


def hot(function: F) -> F:
    """The same for a part on the way of every game: written out where it is called, so that what it has just stored is
    known there."""
    return _part(function, forceinline=True)


def _part(function: F, **options: bool) -> F:
    _parts[function.__module__] += 1
    options |= {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    how = {**options, "error_model": "numpy"}
    return cast(F, PartDispatcher(function, locals={}, targetoptions=how, pipeline_class=PartCompiler))


def pattern(function: F) -> F:
    """A part that other parts are handed to; written out where it is called, since code that passes functions on cannot
    be kept on disk."""
    return cast(F, njit(inline="always")(function))


def entry(function: F) -> F:
    """What Python calls: compiled on the first call, and read from the cache in later runs."""
    dispatcher = njit(nogil=True, pipeline_class=WholeCompiler)(function)
    with suppress(RuntimeError):  # no folder can be written: every run compiles
        dispatcher._cache = SharedCache(function)
    return cast(F, dispatcher)


# How many parts each module has, for those who wait while they are compiled.
_parts: Counter[str] = Counter()


def count_parts(module: str) -> int:
    """About how many parts are compiled for a game: those of its folder and of the modules from which it imports, half
    of them twice, for whole games and for single steps."""
    folder = module.rpartition(".")[0]
    own = [name for name in _parts if name.startswith(folder)]
    imported = {getattr(part, "__module__", "") for name in own for part in vars(sys.modules[name]).values()}
    return sum(_parts[name] for name in {*own, *imported}) * 3 // 2


class Count(event.Listener):
    """Counts what has been compiled, and tells it."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self.parts = 0
        self._tell = tell

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        self.parts += 1
        self._tell(self.parts)


_counts: list[Count] = []  # those that are under way


@contextmanager
def counted(tell: Callable[[int], None]) -> Iterator[Count]:
    """For work that may compile: `tell` gets the number of parts after each, and nothing else is said of it."""
    count = Count(tell)
    _counts.append(count)
    try:
        with event.install_listener("numba:compile", count):
            yield count
    finally:
        _counts.remove(count)


class Announcement(event.Listener):
    """Says once that something is being compiled; nothing when it comes from disk."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._was_made = False

    def on_start(self, event: Any) -> None:
        if not self._was_made and not _counts:
            log.warning("Compiling the %s kernel; this happens once, and may take half a minute.", self._game)
        self._was_made = True

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def announced(game: str) -> Iterator[None]:
    """For calls that may have to compile first."""
    with event.install_listener("numba:compile", Announcement(game)):
        yield


# Seats are sets of bits. Python counts them with int.bit_count, which Numba does not know.


def _ctpop(context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, builder.ctpop(arguments[0]), signature.args[0], types.int64)

    return types.int64(mask), generate


_count_bits: Any = intrinsic(_ctpop)


@overload_method(types.Integer, "bit_count")
def _bit_count(mask: Any) -> Any:
    def count(mask: Any) -> Any:
        return _count_bits(mask)

    return count
