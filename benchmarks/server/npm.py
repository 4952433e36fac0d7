"""Peers that run on Node.js: their packages from the npm registry, one of our scripts, a free port."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent


def start_script(
    folder: Path, core: Sequence[str], script: str, packages: Mapping[str, str], ports: Sequence[int]
) -> subprocess.Popen[str] | None:
    """Install the packages and run the script with these ports until it says that it is ready; None without npm."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return None
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": dict(packages)}))
    install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
    if subprocess.run(install, cwd=folder, capture_output=True, check=False).returncode:
        return None
    shutil.copy(HERE / script, folder)
    command = [*core, "env", "NODE_ENV=production", "node", script, *map(str, ports)]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    while (line := server.stdout.readline()) and "ready" not in line:
        pass
    return server


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
