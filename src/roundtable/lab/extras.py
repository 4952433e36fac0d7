"""Packages that the lab needs and that are installed as extras."""

from __future__ import annotations

from importlib.util import find_spec

from roundtable.core.errors import StudyError


def install_command(extra: str = "lab") -> str:
    """The pip command that installs an extra; on PyPI the package is called roundtable-games."""
    return f"pip install 'roundtable-games[{extra}]'"


def require(package: str, extra: str) -> None:
    """`StudyError` with the command that installs the package, where it is missing."""
    if find_spec(package) is None:
        raise StudyError("study/missing", package=package, command=install_command(extra))
