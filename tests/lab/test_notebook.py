"""The lab's notebook runs from the first cell to the last, and is stored without outputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT

NOTEBOOK = ROOT / "examples" / "lab.ipynb"


def cells(kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == kind]


def test_the_notebook_is_kept_without_results() -> None:
    assert [cell["id"] for cell in cells("code") if cell["outputs"] or cell["execution_count"]] == []


def test_it_is_a_notebook_as_the_format_has_it() -> None:
    page = json.loads(NOTEBOOK.read_text())
    assert (page["nbformat"], page["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in page["cells"]]
    assert len(set(ids)) == len(ids) > 5
    assert all(isinstance(line, str) for cell in page["cells"] for line in cell["source"])


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_town")
def test_the_notebook_runs(tmp_path: Path) -> None:
    """Each cell in turn, in a process of its own and with nothing to draw on."""
    script = tmp_path / "notebook.py"
    script.write_text("\n\n".join("".join(cell["source"]) for cell in cells("code")))
    told = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | {"MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert "You may choose:" in told.stdout
    assert "CarefulBot is surprised by" in told.stdout
    assert "\n1 Approve\n" in told.stdout or "\n1 Reject\n" in told.stdout
