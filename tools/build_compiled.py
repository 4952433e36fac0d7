"""Compiles the modules that every move passes through: `make compiled` builds a wheel in dist/ and build/compiled.

pyproject.toml lists the modules. A copy of the sources is compiled, so that everything else still runs from source.
The wheel is cached in the user's cache folder, keyed by a hash of the sources.
`build_compiled.py FOLDER` only unpacks the wheel into that folder. With `--fast-build` the C compiler optimizes
nothing, which takes half as long.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from build_web import ROOT
from build_web import main as build_web

PARTS = ("LICENSE", "README.md", "pyproject.toml", "src", "tools")
BY_PRODUCTS = shutil.ignore_patterns("__pycache__", "*.so")
KEPT = 8  # wheels in the cache
OPTIMIZED, NOT_OPTIMIZED = 'opt_level = "2"', 'opt_level = "0"'  # in pyproject.toml
QUICKER_PARSING = "-Wno-misleading-indentation"  # that warning takes GCC ten seconds of a file as long as mypyc's


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile the modules that every move passes through.")
    parser.add_argument("folder", nargs="?", type=Path, help="unpack the wheel here, and leave dist/ alone")
    parser.add_argument("--fast-build", action="store_true", help="compile without optimizing")
    asked = parser.parse_args()
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        print(
            "Compiling needs a C compiler (and Python's headers); without one the server runs as it is.",
            file=sys.stderr,
        )
        return 1
    if build_web() or not (wheel := cached_wheel(asked.fast_build)):
        print("The package could not be compiled; see above.", file=sys.stderr)
        return 1
    folder = asked.folder or ROOT / "build" / "compiled"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    if not asked.folder:
        (ROOT / "dist").mkdir(exist_ok=True)
        shutil.copy(wheel, ROOT / "dist")
    return 0


def cached_wheel(is_fast_build: bool) -> Path | None:
    cache = wheel_cache()
    with tempfile.TemporaryDirectory() as name, (cache / ".lock").open("w") as lock:
        copy = Path(name)
        for part in PARTS:
            there = ROOT / part
            shutil.copytree(there, copy / part, ignore=BY_PRODUCTS) if there.is_dir() else shutil.copy(there, copy)
        if is_fast_build:
            do_not_optimize(copy / "pyproject.toml")
        folder = cache / digest_of(copy)
        fcntl.flock(lock, fcntl.LOCK_EX)  # another copy of the project may be compiling the same sources
        if not folder.exists():
            print("Compiling what every move goes through; a minute or two …", flush=True)
            if not build_wheel(copy):
                return None
            for old in sorted(cache.glob("*/"), key=lambda folder: folder.stat().st_mtime)[: -KEPT + 1]:
                shutil.rmtree(old)
            unfinished = cache / ".unfinished"  # an interrupted run may have left one
            shutil.rmtree(unfinished, ignore_errors=True)
            shutil.copytree(copy / "dist", unfinished)
            unfinished.rename(folder)
        return next(folder.glob("*.whl"))


def do_not_optimize(settings: Path) -> None:
    written = settings.read_text(encoding="utf-8")
    if OPTIMIZED not in written:
        raise SystemExit(f"pyproject.toml does not contain {OPTIMIZED}, which a fast build replaces.")
    settings.write_text(written.replace(OPTIMIZED, NOT_OPTIMIZED), encoding="utf-8")


def wheel_cache() -> Path:
    """The user's cache folder, or one in the checkout if that is not writable."""
    shared = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "roundtable" / "compiled"
    for folder in (shared, ROOT / "build" / "wheels"):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    raise SystemExit("Compiling needs a folder that can be written: build/, or the user's cache.")


def digest_of(copy: Path) -> str:
    """A hash of the sources and of the compiler's versions."""
    tools = [f"{name} {version(name)}" for name in ("hatch-mypyc", "mypy", "setuptools")]
    digest = hashlib.sha256(f"{sys.version} {sys.platform} {tools}".encode())
    for path in sorted(path for path in copy.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(copy)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def build_wheel(copy: Path) -> bool:
    """Build into `dist` of the copy; True on success."""
    command = [sys.executable, "-m", "uv", "build", "-q", "--no-cache", "--wheel", "--no-build-isolation"]
    command += ["--python", sys.executable, "--out-dir", str(copy / "dist"), str(copy)]
    flags = {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "true", "CFLAGS": f"{os.environ.get('CFLAGS', '')} {QUICKER_PARSING}"}
    done = subprocess.run(command, env=os.environ | flags, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
