"""Bots of one's own in studies: a Python class by its path, or a program that plays many games in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from roundtable.bots import Bot, make_bot, require_bot
from roundtable.core.errors import PluginError
from roundtable.core.plugins import load

Commands = tuple[tuple[str, tuple[str, ...]], ...]  # programs: their names, and how they are started


def is_path(name: str) -> bool:
    """Whether it is the path of a class, `package.module:Class`; names of bots have no colon."""
    return ":" in name


def require_player(name: str, commands: Commands = ()) -> None:
    """An error where there is no such bot, class or program."""
    if is_path(name):
        class_at(name)
    elif name not in dict(commands):
        require_bot(name)


def make_player(name: str) -> Bot:
    """A new bot of that name, or of the class at that path."""
    return class_at(name)() if is_path(name) else make_bot(name)


def class_at(path: str) -> type[Bot]:
    """The class at `package.module:Class`, also of a module in the folder that the command was typed in."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)
    try:
        found = load(path)
        is_bot = isinstance(found, type) and issubclass(found, Bot)
    except Exception as broken:
        reason = f"{type(broken).__name__}: {broken}"
        raise PluginError("plugin/broken", name=repr(path), reference=path, reason=reason) from broken
    if not is_bot:
        raise PluginError("plugin/wrong_kind", name=repr(path), reference=path, expected="Bot")
    bot: type[Bot] = found
    return bot


def are_compiled(bots: Sequence[str], commands: Commands, compiled: Sequence[str]) -> bool:
    """Whether machine code plays all of them; a program may have the name of a built-in bot."""
    return set(bots) <= set(compiled) - set(dict(commands))
