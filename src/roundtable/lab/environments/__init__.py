"""The games as PettingZoo and Gymnasium environments over the same rules as everywhere, known to both by name.

Neither library looks for environments of other packages, so this import tells them the names. Nothing else is imported
before an environment is made.
"""

from roundtable.games.registry import BUILT_IN
from roundtable.lab.extras import install_command

try:
    import gymnasium
    import pettingzoo
except ModuleNotFoundError as missing:
    sentence = f"Environments need {missing.name}, which is not installed: {install_command()}."
    raise ModuleNotFoundError(sentence, name=missing.name) from missing

for _game in BUILT_IN:
    _module = f"roundtable.lab.{_game}_v0"
    pettingzoo.register("aec", f"roundtable/{_game}_v0", f"{_module}:env")
    pettingzoo.register("parallel", f"roundtable/{_game}_v0", f"{_module}:parallel_env")
    gymnasium.register(f"roundtable/{_game.capitalize()}-v0", entry_point=f"{_module}:learner_env")
