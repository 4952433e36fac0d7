"""Builds the web app into the package: `make web` and `make run` run this, and so does the build of a wheel.

Nothing is done where the app is newer than its sources. Without Node it says so in one sentence, and exits with 1.
`check` checks types, style and unit tests instead, unless no source has changed since they passed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "web"
BUILT = ROOT / "src" / "roundtable" / "web_app" / "index.html"
MODULES = WEB / "node_modules"
INSTALLED = MODULES / ".package-lock.json"
CHECKED = MODULES / ".checked"
LOCK = WEB / "package-lock.json"
OLDEST_NODE = (20, 19)
TEXTS = ("text/*.json", "games/*/text/*.json", "games/*/text/*.md")  # catalogues and rulebooks
RULES = ("games/*/*.py",)  # tools/deal_tables.py reads them
CHECKED_AGAINST = ("docs/*.json", "tests/vectors/*")  # schemas, and games that the unit tests read


class CannotBuild(Exception):
    """Why, in one sentence."""


def build() -> None:
    if is_newer(BUILT, sources()):
        return
    install()
    _run("npm", "run", "--silent", "build", "--", "--logLevel", "warn")
    BUILT.touch()


def check() -> None:
    """Types, style and unit tests."""
    install()
    if is_newer(CHECKED, (*sources(), *(path for pattern in CHECKED_AGAINST for path in ROOT.glob(pattern)))):
        print("The web app has not changed since its checks passed.")
        return
    for script in ("check", "lint", "test"):
        _run("npm", "run", "--silent", script)
    CHECKED.touch()


def install() -> None:
    """What the app is built with, exactly as the lock file has it."""
    require_node()
    if MODULES.is_symlink():  # `npm ci` would empty the folder that it leads to, which belongs to another checkout
        return
    if not is_newer(INSTALLED, (LOCK,)):
        print("Installing what the web app is built with, as web/package-lock.json says …", flush=True)
        _run("npm", "ci", "--no-audit", "--no-fund", "--loglevel", "error")


def sources() -> Iterable[Path]:
    yield from (path for path in WEB.glob("[!.]*") if path.is_file())
    for folder in ("src", "public", "tools"):
        yield from (path for path in (WEB / folder).rglob("*") if path.is_file() and "generated" not in path.parts)
    yield ROOT / "tools" / "deal_tables.py"
    for pattern in (*TEXTS, *RULES):
        yield from (ROOT / "src" / "roundtable").glob(pattern)


def require_node() -> None:
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        raise CannotBuild("The web app needs Node 20.19 or newer, with npm, to be built: install it, then `make web`.")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if tuple(int(part) for part in version.lstrip("v").split(".")[:2]) < OLDEST_NODE:
        raise CannotBuild(f"The web app needs Node 20.19 or newer to be built, and this is {version}.")


def is_newer(made: Path, from_these: Iterable[Path]) -> bool:
    return made.exists() and all(path.stat().st_mtime <= made.stat().st_mtime for path in from_these)


def _run(*command: str) -> None:
    environment = {**os.environ, "PYTHON": sys.executable}  # for web/tools/tables.js
    done = subprocess.run(command, cwd=WEB, check=False, stdin=subprocess.DEVNULL, env=environment)
    if done.returncode:
        raise CannotBuild(f"`{' '.join(command)}` in web/ failed; see above.")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Several tests may want the app at once."""
    with (WEB / ".building").open("w") as building:
        fcntl.flock(building, fcntl.LOCK_EX)
        yield


def main(*arguments: str) -> int:
    wanted = check if arguments == ("check",) else build
    try:
        with one_at_a_time():
            wanted()
    except CannotBuild as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
