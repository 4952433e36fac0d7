"""Bots of one's own in studies: a Python class by its path, or a program that plays many games in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from roundtable.bots import BOTS, Bot, FollowingBot, require_bot
from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.errors import PluginError, StudyError, shown
from roundtable.core.events import Event
from roundtable.core.options import Options, permits
from roundtable.core.plugins import load
from roundtable.core.seats import Seat

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
    return class_named(name)()


def class_named(name: str) -> type[Bot]:
    """The class of the installed bot of that name, or at that path."""
    if is_path(name):
        return class_at(name)
    require_bot(name)
    return BOTS[name]


def class_at(path: str) -> type[Bot]:
    """The class at `package.module:Class`, also of a module in the folder that the command was typed in."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)
    try:
        found = load(path)
        is_bot = isinstance(found, type) and issubclass(found, Bot)
    except Exception as broken:
        reason = f"{type(broken).__name__}: {broken}"
        raise PluginError("plugin/broken", "own", reference=shown(path), reason=reason) from broken
    if not is_bot:
        raise PluginError("plugin/wrong_kind", "own", reference=shown(path), expected="Bot")
    bot: type[Bot] = found
    return bot


def are_compiled(bots: Sequence[str], commands: Commands, compiled: Sequence[str]) -> bool:
    """Whether machine code plays all of them; a program may have the name of a built-in bot."""
    return set(bots) <= set(compiled) - set(dict(commands))


class Place(NamedTuple):
    """Where a bot plays in a study."""

    name: str  # the bot's
    seat: Seat
    number: int  # of the game


class StudiedBot:
    """A bot in a study. Its first fault ends the study: figures of a bot that fails say nothing about how it plays."""

    def __init__(self, bot: Bot, place: Place) -> None:
        self._bot = bot
        self._place = place

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        with faults_named(self._place):
            move = self._bot.choose(view, options, chance)
        if not is_allowed(move, options):
            raise StudyError("study/bot", "refused", **self._place._asdict(), found=shown(move))
        return move


class StudiedFollowingBot(StudiedBot):
    """The same for a bot that goes by all that its seat has heard."""

    _bot: FollowingBot

    def follow(self, heard: Sequence[Event]) -> None:
        with faults_named(self._place):
            self._bot.follow(heard)


def studied(name: str, seat: Seat, number: int) -> StudiedBot:
    """A new bot for a seat of a game by its number."""
    place, kind = Place(name, seat, number), class_named(name)
    with faults_named(place):
        bot = kind()
    return StudiedFollowingBot(bot, place) if isinstance(bot, FollowingBot) else StudiedBot(bot, place)


@contextmanager
def faults_named(place: Place) -> Iterator[None]:
    """Say whose error it is, and from which line it comes."""
    try:
        yield
    except (Exception, SystemExit) as broken:
        file, line, *_ = extract_tb(broken.__traceback__)[-1]
        where = {"file": Path(file).name, "line": line, "reason": f"{type(broken).__name__}: {broken}"}
        raise StudyError("study/bot", **place._asdict(), **where) from broken


def is_allowed(move: object, options: Options) -> bool:
    """Whether the table would take it; also for what is no move at all, or has parts of a wrong kind."""
    try:
        return move is None or (isinstance(move, Move) and permits(options, move))
    except Exception:  # parts that can't be compared
        return False
