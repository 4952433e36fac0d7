"""The games by name, those of other packages included, and tables of them from named options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from itertools import islice
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from roundtable.core.actions import COMMON_ACTIONS
from roundtable.core.arguments import require
from roundtable.core.codec import Codec
from roundtable.core.errors import Problem, SetupError, Unreadable, problem, shown
from roundtable.core.events import COMMON_EVENTS, Outcome
from roundtable.core.game import Game
from roundtable.core.kinds import field_types
from roundtable.core.play import Play
from roundtable.core.plugins import Plugins
from roundtable.core.setup import Setup, wrong_option
from roundtable.core.spec import GameSpec

MOST_FAULTS = 10  # that are named at once

BUILT_IN = {name: f"roundtable.games.{name}:SPEC" for name in ("avalon", "thavalon", "saviom")}
GAMES: Plugins[GameSpec] = Plugins("roundtable.games", GameSpec, BUILT_IN)
DEFAULT_GAME = "avalon"


def all_games() -> list[Game[Any, Any]]:
    """The rules of every game that can be loaded."""
    return [spec.game for spec in GAMES.usable().values()]


def spec_named(name: object) -> GameSpec:
    """The game of that name; `SetupError` where there is none."""
    if not isinstance(name, str) or name not in GAMES:
        raise SetupError("setup/game", name=shown(name), choices=list(GAMES))
    return GAMES[name]


def game_named(name: object) -> Game[Any, Any]:
    """The rules of the game of that name."""
    return spec_named(name).game


@lru_cache(maxsize=64)
def codec_of(game: Game[Any, Any]) -> Codec:
    """Reads whatever can be written down at a table of this game."""
    return Codec((*COMMON_EVENTS, *COMMON_ACTIONS, *game.events, *game.actions, *game.parts, Outcome, game.setup_type))


def make_setup(name: str, seats: int, options: Mapping[str, Any] | None = None) -> Setup:
    """A setup from options by name, as a command line or a page sends them; every fault is named at once."""
    spec = spec_named(name)
    require("make_setup(options)", Mapping | None, options)
    game = spec.game
    types = field_types(game.setup_type)
    names = [option.name for option in fields(game.setup_type) if option.name != "seats"]
    chosen: dict[str, Any] = {}
    faults: list[Problem] = []
    for option, text in (options or {}).items():
        if len(faults) == MOST_FAULTS:
            break
        if option not in names:
            faults.append(problem("setup/option", "unknown", game=name, option=shown(option), options=names))
            continue
        try:
            chosen[option] = _as_chosen(codec_of(game), types[option], text)
        except TooManyNames as too_many:
            faults.append(problem("setup/option", "too_many_names", option=option, most=too_many.most))
        except NamedTwice as twice:
            faults.append(problem("setup/option", "twice", option=option, value=shown(str(twice.name))))
        except Unreadable:
            faults.append(wrong_option(option, types[option], text))
    setup = game.setup_type(seats=seats, **chosen)
    if faults := faults + setup.problems():
        raise SetupError.of(faults, spec.text)
    return setup


class TooManyNames(Exception):
    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class NamedTwice(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _as_chosen(codec: Codec, kind: Any, text: Any) -> Any:
    """What a word typed by a person stands for: yes and no, whole numbers, `none`, and lists with commas.

    Of a list `none` is the empty one, and `usual` leaves the choice to the game.
    """
    inner = get_args(kind)
    for one in inner:
        if get_origin(one) is frozenset and not (text is None or text == "usual"):
            words = get_args(one)[0]
            named = _named(text, len(words))
            return _as_set([_word_of(words, name) for name in named if name.strip() not in ("", "none")])
    if text is None or (NoneType in inner and isinstance(text, str) and text in ("none", "usual")):
        return codec.read(kind, None)
    if not isinstance(text, str):
        return codec.read(kind, text)
    if kind is bool:
        words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
        if text.lower() not in words:
            raise Unreadable("text/unreadable")
        return words[text.lower()]
    if re.fullmatch(r"-?[0-9]{1,9}", text):
        return codec.read(kind, int(text)) if get_origin(kind) is not Literal or int in map(type, inner) else text
    return codec.read(kind, text)


def _named(text: Any, most: int) -> list[str]:
    """The names in a list, a set or an iterator, which may be endless, or in a text with commas."""
    if not isinstance(text, Iterable) or isinstance(text, bytes | Mapping):
        raise Unreadable("text/unreadable")
    named = text.split(",") if isinstance(text, str) else list(islice(text, most + 1))
    if not all(isinstance(name, str) for name in named):
        raise Unreadable("text/unreadable")
    if len(named) > most:
        raise TooManyNames(most)
    return named


def _as_set(names: list[str]) -> frozenset[str]:
    for name in names:
        if names.count(name) > 1:
            raise NamedTwice(name)
    return frozenset(names)


def _word_of(words: Any, name: str) -> Any:
    """The word of a list that a person meant; one that is not on it stays as it is, for the setup to refuse."""
    return next((word for word in words if word.lower() == name.strip().lower()), name)


def open_table(name: str, seats: int, seed: bytes, **options: Any) -> Play[Any, Any]:
    """Open a table of the named game, committed to the seed and not yet dealt."""
    return Play.open(game_named(name), make_setup(name, seats, options), seed)


def new_game(name: str, seats: int, seed: bytes, **options: Any) -> Play[Any, Any]:
    """Open a table and deal."""
    play = open_table(name, seats, seed, **options)
    play.deal()
    return play
