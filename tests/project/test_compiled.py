"""The build of `make compiled`: which modules it can contain, and the tests of rooms, run in it once more."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.paths import ROOT
from support.sizes import IS_SOAK

SETTINGS = (ROOT / "pyproject.toml").read_text()
HOOK = tomllib.loads(SETTINGS)["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
COMPILED: list[str] = HOOK["include"]
OF_EXTRAS = ["asyncpg", "gymnasium", "llvmlite", "numba", "pettingzoo", "pyarrow", "ray"]  # not in an isolated build
READ_AT_RUN_TIME = {"Struct", "NamedTuple", "TypedDict"}
ALSO_RUN = ("core/test_conduct", "rooms/test_room_records", "rooms/test_simulation", "protocol/test_messages")
# Tests that patch modules at run time, which does not work in compiled ones.
NEEDS_SOURCES = "not planted and not mistake_of_ours and not an_abandoned_game_is_closed"


@pytest.mark.parametrize("module", COMPILED)
def test_what_is_compiled_can_be(module: str) -> None:
    """mypyc does not keep annotations for run time, and loses the exception when a handler awaits."""
    tree = ast.parse((ROOT / module).read_text())
    bases = {base.id for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in _names(node.bases)}
    assert not bases & READ_AT_RUN_TIME
    handlers = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    assert not [node for handler in handlers for node in ast.walk(handler) if isinstance(node, ast.Await)]


def _names(nodes: list[ast.expr]) -> Iterator[ast.Name]:
    return (node for node in nodes if isinstance(node, ast.Name))


@pytest.mark.slow
def test_an_isolated_build_needs_no_types_of_the_extras(tmp_path: Path) -> None:
    """pip and cibuildwheel install what the package requires to run, and nothing of its extras."""
    absent = [f"{name}.*" for name in OF_EXTRAS]
    override = f'[[tool.mypy.overrides]]\nmodule = {absent}\nfollow_imports = "skip"\nignore_missing_imports = true\n'
    (tmp_path / "pyproject.toml").write_text(f"{SETTINGS}\n{override}")
    command = [sys.executable, "-m", "mypy", "--config-file", str(tmp_path / "pyproject.toml")]
    command += ["--cache-dir", str(tmp_path / "cache"), *HOOK["mypy-args"], *COMPILED]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(shutil.which("cc") is None, reason="There is no C compiler.")
def test_rooms_do_the_same_when_compiled(tmp_path: Path) -> None:
    """In `make soak` with the C compiler's optimizations, as in `make compiled`, and with the slow tests too."""
    how = [] if IS_SOAK else ["--fast-build"]
    subprocess.run([sys.executable, "tools/build_compiled.py", *how, str(tmp_path)], cwd=ROOT, check=True)
    assert list((tmp_path / "roundtable" / "rooms").glob("sessions.*.so"))
    tests = [str(path) for path in sorted((ROOT / "tests" / "rooms").glob("test_rooms_*.py"))]
    assert tests
    tests += [f"tests/{name}.py" for name in ALSO_RUN]
    which = [] if IS_SOAK else ["-m", "not slow"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", NEEDS_SOURCES, *which, *tests]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        command, cwd=ROOT, env=outside | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
