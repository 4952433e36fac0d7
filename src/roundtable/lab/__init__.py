"""The lab: games by the million, to see what is fair. It needs packages that are installed as an extra."""


def install_command(extra: str = "lab") -> str:
    """The pip command that installs an extra; on PyPI the package is called roundtable-games."""
    return f"pip install 'roundtable-games[{extra}]'"
