"""Compiles what every move goes through: `make compiled` makes a wheel in dist/, unpacked in build/compiled.

Which modules those are stands in pyproject.toml. A copy of the sources is compiled, so that they stay what is run and
tested everywhere else. Nothing is done where build/compiled is newer than its sources.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from build_web import ROOT, is_newer

PACKAGE = ROOT / "src" / "roundtable"
COMPILED = ROOT / "build" / "compiled"
PARTS = ("LICENSE", "README.md", "pyproject.toml", "src", "tools")
BY_PRODUCTS = shutil.ignore_patterns("__pycache__", "*.so")


def main() -> int:
    if is_newer(COMPILED, [ROOT / "pyproject.toml", *PACKAGE.rglob("*.py")]):
        return 0
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        print(
            "Compiling needs a C compiler (and Python's headers); without one the server runs as it is.",
            file=sys.stderr,
        )
        return 1
    print("Compiling what every move goes through; a minute or two …", flush=True)
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for part in PARTS:
            there = ROOT / part
            shutil.copytree(there, copy / part, ignore=BY_PRODUCTS) if there.is_dir() else shutil.copy(there, copy)
        if not (wheel := wheel_of(copy)):
            print("The package could not be compiled; see above.", file=sys.stderr)
            return 1
        shutil.rmtree(COMPILED, ignore_errors=True)
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(COMPILED)
        (ROOT / "dist").mkdir(exist_ok=True)
        shutil.copy(wheel, ROOT / "dist")
    COMPILED.touch()
    return 0


def wheel_of(copy: Path) -> Path | None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "wheel"]
    command += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(copy), str(copy)]
    done = subprocess.run(command, env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "true"}, check=False)
    return next(copy.glob("*.whl"), None) if not done.returncode else None


if __name__ == "__main__":
    sys.exit(main())
