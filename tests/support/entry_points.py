"""Makes entry points of games and bots visible, as if pip had installed a package with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from roundtable.bots import BOTS
from roundtable.core.plugins import Plugins
from roundtable.games import GAMES


def write_package(folder: Path, entry_points: Mapping[str, Mapping[str, str]]) -> Path:
    """Write the metadata of a distribution, with entry points by group and name; its folder belongs on `sys.path`."""
    home = folder / "test_pack-1.0.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text("Metadata-Version: 2.1\nName: test-pack\nVersion: 1.0\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {reference}\n" for name, reference in named.items())
        for group, named in entry_points.items()
    ]
    (home / "entry_points.txt").write_text("\n".join(groups))
    return folder


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, entry_points: Mapping[str, Mapping[str, str]]) -> None:
    """Make the entry points visible in this process until the test is over."""
    monkeypatch.syspath_prepend(str(write_package(folder, entry_points)))
    for plugins in (GAMES, BOTS):
        fresh: Plugins[object] = Plugins(plugins.group, object, plugins._built_in)
        monkeypatch.setitem(plugins.__dict__, "_added", fresh._added)
        monkeypatch.setitem(plugins.__dict__, "_loaded", dict(plugins._loaded))
