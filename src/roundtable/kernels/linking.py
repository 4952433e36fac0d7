"""Parts of a kernel are translated one by one, and optimised once: together, where Python calls them.

Numba optimises every function together with all that it calls, and makes machine code of it. A part that only other
parts call would be optimised again in each of them.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class PartLibrary(JITCodeLibrary):
    """A part in LLVM's language, which is never run by itself."""

    def finalize(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> PartLibrary:
        return self

    def set_env(self, name: str, env: object) -> None:
        """Numba tells what runs where its globals are; parts have them as constants."""


class WholeLibrary(JITCodeLibrary):
    """What Python calls, with all parts that it needs."""

    def finalize(self) -> None:
        libraries: dict[Any, None] = {}
        waiting = self._linking_libraries[::-1]
        while waiting:
            library = waiting.pop()
            if library not in libraries:
                libraries[library] = None
                waiting += library._linking_libraries[::-1] if isinstance(library, PartLibrary) else []
        self._linking_libraries = list(libraries)
        super().finalize()  # type: ignore[no-untyped-call]


class WholeCompiler(Compiler):
    """Numba's compiler with a library of our own."""

    library: type[JITCodeLibrary] = WholeLibrary

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)  # type: ignore[no-untyped-call]
        if self.state.library is None:
            self.state.library = self.library(self.state.targetctx.codegen(), "roundtable")
            self.state.library.enable_object_caching()


class PartCompiler(WholeCompiler):
    library = PartLibrary


class PartDispatcher(CPUDispatcher):
    """Calls of a part. It takes short whole numbers as words, so that it is not compiled for each length."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        words = {name: as_word(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(as_word, args)), words)


def as_word(kind: Any) -> Any:
    is_short = kind in types.integer_domain and kind is not types.uint64
    return types.int64 if is_short else kind
