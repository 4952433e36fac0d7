"""The games as researchers expect them: PettingZoo and Gymnasium environments over the same rules as everywhere."""

from roundtable.lab.extras import install_command

try:
    import gymnasium  # noqa: F401
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as missing:
    sentence = f"Environments need {missing.name}, which is not installed: {install_command()}."
    raise ModuleNotFoundError(sentence, name=missing.name) from missing
