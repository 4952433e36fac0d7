"""Which source files a module's machine code is made from: its own, and those of all modules that it imports."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import resolve_name
from pathlib import Path

PACKAGE = "roundtable"


def sources_of(module: str) -> Mapping[str, Path]:
    """The files, by module, from which this module gets its functions and numbers: directly or through others, in
    Round Table and in its own package. They are read, not imported.

    Numba writes the values of globals into machine code, so that a number may come from any of these files.
    """
    packages = {PACKAGE, module.partition(".")[0]}
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = _file_of(name)
        if file is not None and name not in found:
            found[name] = file
            waiting += [imported for imported in _imports(name, file) if imported.partition(".")[0] in packages]
    return dict(sorted(found.items()))


@lru_cache(maxsize=64)
def source_stamp(module: str) -> bytes:
    """A digest that changes whenever one of a module's sources does, and with nothing else."""
    digest = hashlib.sha256()
    for name, file in sources_of(module).items():
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.digest()


@lru_cache(maxsize=512)
def _imports(module: str, file: Path) -> tuple[str, ...]:
    return tuple(_read_imports(module, file))


def _read_imports(module: str, file: Path) -> Iterator[str]:
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package)
            yield from (_origin(origin, name.name) for name in node.names)


def _origin(module: str, name: str) -> str:
    """`from module import name` names another module, or a value in this one."""
    inner = f"{module}.{name}"
    return module if _file_of(inner) is None else inner


def _file_of(module: str) -> Path | None:
    """By the place of its outermost package, which has been imported."""
    package, *parts = module.split(".")
    file = getattr(sys.modules.get(package), "__file__", None)
    if file is None:
        return None
    if not parts:
        return Path(file)
    path = Path(file).parent.joinpath(*parts)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)
