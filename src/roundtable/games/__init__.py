"""The games: a folder each, and everything about a game in its folder."""

from roundtable.games.registry import (
    DEFAULT_GAME,
    GAMES,
    all_games,
    codec_of,
    game_named,
    make_setup,
    new_game,
    open_table,
    spec_named,
)

__all__ = [
    "DEFAULT_GAME",
    "GAMES",
    "all_games",
    "codec_of",
    "game_named",
    "make_setup",
    "new_game",
    "open_table",
    "spec_named",
]
