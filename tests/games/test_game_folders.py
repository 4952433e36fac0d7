"""Everything about a game is in its folder: no other code asks which game it is, or uses its words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from roundtable.games import GAMES
from roundtable.games.registry import BUILT_IN
from support.paths import ROOT

NAMED = re.compile(rf"[\"']({'|'.join(BUILT_IN)})[\"']")
SOURCE = ROOT / "src" / "roundtable"
MODULES = sorted(
    module.relative_to(SOURCE).as_posix()
    for module in SOURCE.rglob("*.py")
    if module.relative_to(SOURCE).parts[0] not in ("games", "web_app")
)
# Modules that are about one game by their purpose: what researchers import, and the dealer that comes as one file.
ABOUT_ONE_GAME = {"lab/avalon_v0.py", "lab/thavalon_v0.py", "lab/saviom_v0.py", "cli/deal.py"}

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# Of the roles, sides and cards these are also words of every program.
COMMON_WORDS = {"of", "loyal", "fail", "reverse", "success"}
# What else the games are about. A night belongs to every narrator.
ABOUT_GAMES = {"quest", "quests", "excalibur", "lady", "lake", "dagger", "mission", "town", "leader"}
WORDS_OF_GAMES = {
    part.lower() for spec in GAMES.values() for word in spec.game.words for part in WORD.findall(word)
} - COMMON_WORDS | ABOUT_GAMES


def test_no_code_outside_a_games_folder_names_a_game() -> None:
    assert {path for path in MODULES if NAMED.search(without_docstring(source_of(path)))} == ABOUT_ONE_GAME


@pytest.mark.parametrize("path", sorted({*MODULES} - ABOUT_ONE_GAME))
def test_no_code_outside_a_games_folder_uses_a_word_of_a_game(path: str) -> None:
    assert list(words_of_games_in(source_of(path))) == []


@pytest.mark.parametrize(
    "code", ["class QuestPlan: ...", "excalibur_not = None", "SIDES = {'good': 0}", "phrase.i_am('Merlin')"]
)
def test_a_word_of_a_game_is_found(code: str) -> None:
    assert list(words_of_games_in(code))


def words_of_games_in(source: str) -> Iterator[str]:
    """Names and texts of a module that contain a word of a game; comments and docstrings may give examples."""
    for text in texts_in(ast.parse(source)):
        if WORDS_OF_GAMES & {word.lower() for word in WORD.findall(text)}:
            yield text


def texts_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Constant(value=str(text)) | ast.Name(id=text) | ast.Attribute(attr=text) | ast.alias(name=text):
            yield text
        case ast.arg(arg=text) | ast.keyword(arg=str(text)):
            yield text
        case ast.FunctionDef(name=text) | ast.AsyncFunctionDef(name=text) | ast.ClassDef(name=text):
            yield text
    for child in ast.iter_child_nodes(node):
        yield from texts_in(child)


def source_of(path: str) -> str:
    return (SOURCE / path).read_text(encoding="utf-8")


def without_docstring(source: str) -> str:
    return source.split('"""', 2)[2]
