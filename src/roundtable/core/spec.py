"""A game's parts by name: everything outside a game's folder reaches the game through its `GameSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from roundtable.core.errors import PluginError
from roundtable.core.game import Game
from roundtable.core.plugins import load


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """Where the parts of a game are. A part is imported when it is first asked for, so nothing pays for the others.

    Parts are references of the form `package.module:name`. Only the rules are required; what a game leaves out it gets
    in a plain form, or not at all: without `kernel` it is simulated by the plain engine, without a policy for a bot
    that bot plays at random.
    """

    name: str
    rules: str
    """The `Game` class."""
    text: tuple[str, ...] = ()
    """Packages with catalogues (`<language>.json`), the first before the next; rulebooks (`rulebook.<language>.md`) are
    in the first."""
    teller: str = ""
    """The `Teller` class (text/teller.py): events, moves and secrets as sentences, where catalogues alone do not do."""
    narration: str = ""
    """A function from a setup, and where people learn whom they know, to the lines of a narrator's script
    (text/script.py); without it the script is plain."""
    cards: str = ""
    """The `Cards` class (text/cards.py): what is on a player's card at a real table; without it the cards are plain."""
    secrecy: str = ""
    """The `Secrecy` (core/secrecy.py): who must hear which event, and which deals a listener cannot tell apart."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """For bots that play every game: a `Policy` (core/policy.py) by the name of the bot."""
    speech: str = ""
    """What a bot that plays every game says: a `Speech` (core/policy.py); without it, bots say any common remark."""
    kernel: str = ""
    """The compiled game: a `CompiledGame` (kernels/core.py), for simulations and training (extra `lab`)."""
    environment: str = ""
    """The `Environment` (kernels/environment.py): what a seat knows and may choose, as numbers (extra `lab`)."""
    belief: str = ""
    """The `Belief` class (belief/contract.py): what a listener can conclude about the deal."""
    sage: str = ""
    """The `Strategy` (bots/sage/contract.py): what the bot `sage` has to know of the game."""
    people: str = ""
    """A function that returns a model of how people play: `log_chances(situation, move, viewpoints)`."""
    balance: str = ""
    """The `Balance` (core/balance.py): which tables a balance study compares."""

    @cached_property
    def game(self) -> Game[Any, Any]:
        """The rules."""
        game: Game[Any, Any] = load(self.rules)()
        game.catalogues = game.setup_type.catalogues = self.text
        return game

    def part(self, name: str) -> Any:
        """The part under that field, imported now; `PluginError` where the game has none."""
        reference = getattr(self, name)
        if not reference:
            raise PluginError("plugin/incomplete", name=self.name, part=name)
        return load(reference)
