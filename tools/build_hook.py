"""Build hook for Hatchling: a wheel or an sdist contains the web app."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[1]
IN_SDIST = ROOT / "PKG-INFO"  # an sdist contains the built app, and unpacking it changes the times of files


class WebAppHook(BuildHookInterface[Any]):
    """Skip editable installs: they serve what `make web` has built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and (ROOT / "web").exists() and not IN_SDIST.exists():
            code = subprocess.run([sys.executable, ROOT / "tools" / "build_web.py"], check=False).returncode
            if code:
                raise SystemExit(code)
