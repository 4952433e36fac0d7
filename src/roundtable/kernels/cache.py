"""Where machine code is kept between runs: in the user's cache, by the content of the sources that it is made from."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from roundtable.kernels.sources import source_stamp

settings: Any = config  # its attributes are made when it is imported
UNUSED_DAYS = 30  # after which the machine code of other sources is deleted


def cache_folder(module: str) -> Path:
    """Where the machine code of a module is kept. The name is a digest of the sources that it is made from, so that
    copies of the same sources share machine code, a changed source never meets stale code, and a change elsewhere
    compiles nothing again."""
    return _cache_root() / source_stamp(module).hex()[:16]


def _cache_root() -> Path:
    if settings.CACHE_DIR:  # NUMBA_CACHE_DIR
        return Path(settings.CACHE_DIR) / "roundtable"
    default = Path.home() / "Library" / "Caches" if sys.platform == "darwin" else Path.home() / ".cache"
    chosen = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return Path(chosen or default) / "roundtable" / "kernels"


class _SharedLocator(_CacheLocator):
    """Tells Numba to cache by content. Its own locators go by the path and by one source file; a kernel is compiled
    from many."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._module = function.__module__
        self._folder = cache_folder(function.__module__)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> bytes:
        return self._folder.name.encode()

    def get_disambiguator(self) -> str:
        return str(self._module)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _SharedLocator | None:
        locator = cls(function, file)
        is_new = not locator._folder.exists()
        try:
            locator.ensure_cache_path()  # type: ignore[no-untyped-call]
            os.utime(locator._folder)  # so that it counts as used
        except OSError:
            return None
        if is_new:
            _remove_unused_caches()
        return locator


class _SharedCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_SharedLocator]  # noqa: RUF012


class _FilesNamedByType(IndexDataCacheFile):
    """Numba numbers the files of a function. Two processes that compile it for different types at the same time would
    take the same number, so here the types name the file, and the index follows once the file is whole."""

    def save(self, key: Any, compiled: Any) -> None:
        name = self._data_name_pattern.format(number=crc32(repr(key).encode()))
        self._save_data(name, compiled)  # type: ignore[no-untyped-call]
        self._save_index({**self._load_index(), key: name})  # type: ignore[no-untyped-call]


class SharedCache(FunctionCache):
    """The cache of a compiled function. RuntimeError where no folder can be written."""

    _impl_class = _SharedCacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = _FilesNamedByType(  # type: ignore[no-untyped-call]
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )


def _remove_unused_caches() -> None:
    oldest = time.time() - UNUSED_DAYS * 24 * 3600
    for folder in _cache_root().iterdir():
        with suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)
