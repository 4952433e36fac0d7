"""The package of tests/packages/cuckoo, installed for real into a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from support.paths import ROOT
from support.waiting import PATIENCE

PACKAGE = ROOT / "tests" / "packages" / "cuckoo"


def install_cuckoo(folder: Path) -> Path:
    """Install a copy of the package, with its metadata; returns the folder to search for packages."""
    source, site = folder / "source", folder / "site"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    uv = str(Path(sys.executable).with_name("uv"))
    command = [uv, "pip", "install", "-q", "--python", sys.executable, "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", site, source], check=True, timeout=PATIENCE)
    return site


def environment(site: Path) -> dict[str, str]:
    """The environment of a process that finds the installed package."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(ROOT / "src")))}
