"""The bots by name, those of other packages included; each sees a view and its options, and nothing else."""

from roundtable.bots.careful import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import Bot, FollowingBot, HurriedBot, PolicyBot, TalkingBot, ThinkingBot, play_out
from roundtable.bots.random import RandomBot
from roundtable.core.errors import PluginError, SetupError, shown
from roundtable.core.plugins import Plugins
from roundtable.core.policy import Probabilities

BUILT_IN = {
    "easy": "roundtable.bots.sage:EasyBot",
    "fair": "roundtable.bots.sage:FairBot",
    "strong": "roundtable.bots.sage:SageBot",
    "careful": "roundtable.bots.careful:CarefulBot",
    "random": "roundtable.bots.random:RandomBot",
    "sage": "roundtable.bots.sage:SageBot",
}
SECOND_NAMES = frozenset(("sage",))  # of bots that are offered under another name
BOTS: Plugins[type[Bot]] = Plugins("roundtable.bots", Bot, BUILT_IN)
DEFAULT_BOT = "careful"


def offered_bots() -> list[str]:
    """The bots that a host chooses from, each once: the levels first, then the other built-in ones."""
    return [name for name in BOTS if name not in SECOND_NAMES]


def can_explain(name: str | None) -> bool:
    """Whether a bot of that name can say why it did something."""
    try:
        return isinstance(name, str) and issubclass(BOTS[name], ThinkingBot)
    except (KeyError, PluginError):  # it may have been uninstalled since
        return False


def require_bot(name: object) -> None:
    """`SetupError` where no bot of that name is installed."""
    if not isinstance(name, str) or name not in BOTS:
        raise SetupError("setup/bot", name=shown(name), choices=sorted(BOTS))


def make_bot(name: str) -> Bot:
    """A new bot of that name."""
    require_bot(name)
    return BOTS[name]()


__all__ = [
    "BOTS",
    "DEFAULT_BOT",
    "Bot",
    "CarefulBot",
    "Dice",
    "FollowingBot",
    "HurriedBot",
    "PolicyBot",
    "Probabilities",
    "RandomBot",
    "TalkingBot",
    "ThinkingBot",
    "can_explain",
    "make_bot",
    "offered_bots",
    "play_out",
    "require_bot",
]
