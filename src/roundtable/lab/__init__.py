"""The lab: games by the million, to see what is fair. It needs packages that are installed as an extra."""


def install_command(extra: str = "lab") -> str:
    """How to get what is missing. The package has another name on PyPI than in Python."""
    return f"pip install 'roundtable-games[{extra}]'"
