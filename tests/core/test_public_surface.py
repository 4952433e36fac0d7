"""Every public function, called with arguments of wrong kinds and sizes, answers in our own words or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, isabstract, isclass, isfunction, signature
from itertools import repeat
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundtable.core.actions import Action, Expire, Say
from roundtable.core.catalogue import languages
from roundtable.core.errors import CODES, RoundTableError
from roundtable.core.play import Play
from roundtable.core.setup import Setup
from roundtable.core.values import Value
from roundtable.games import GAMES, make_setup, new_game, open_table
from support.paths import ROOT
from support.scenes import SEED
from support.sizes import HOSTILE_CALLS

PAGES = sorted((ROOT / "docs" / "api").glob("*.md"))
MODULES = [name for page in PAGES for name in re.findall(r"^::: (\S+)$", page.read_text(), re.MULTILINE)]
UNTRIED = ("roundtable.client", "roundtable.lab")  # they wait for a server, or run studies; their own tests refuse
# What the rules themselves call for every move: nothing reaches it that was not checked before.
BUILDING_BLOCKS = {
    "roundtable.core.chance": ("deal_key", "draw", "pick", "shuffled"),
    "roundtable.core.errors": ("problem",),
    "roundtable.core.game": ("evolve", "fold", "with_secrets", "is_fact"),
    "roundtable.core.options": ("name_of", "one_of", "permits", "require_legal"),
    "roundtable.core.play": ("at_line", "is_deal"),
    "roundtable.core.seats": ("all_seats", "left_of", "only", "right_of"),
}


def nested(depth: int) -> list[Any]:
    deep: list[Any] = []
    for _ in range(depth):
        deep = [deep]
    return deep


class Sulky:
    """An object that cannot describe itself."""

    def __repr__(self) -> str:
        raise RuntimeError


KINDS: list[Callable[[], Any]] = [
    *(lambda: None, lambda: True, lambda: -1, lambda: 0, lambda: 3, lambda: 10**5000, lambda: -(10**5000)),
    *(lambda: 1.5, lambda: float("nan"), lambda: float("inf"), lambda: 1j, lambda: b"x", lambda: bytearray(32)),
    *(lambda: "", lambda: "avalon", lambda: "\ud800", lambda: "\x1b[31m", lambda: "x" * 10_000, lambda: "9" * 5000),
    *(list, lambda: [[0]], lambda: nested(5_000), dict, lambda: {"moon": nested(5_000)}, lambda: {1: 2}),
    *(lambda: set(), lambda: frozenset((0, "a")), lambda: (0, 1), lambda: iter([1]), lambda: map(str, [1])),
    *(lambda: object(), lambda: Sulky(), lambda: int, lambda: len, lambda: Expire(phase=1), lambda: SEED),
    *(lambda: Say(channel="table", text="Hm."), lambda: make_setup("saviom", 6), lambda: GAMES["avalon"].game),
    *(lambda: new_game("avalon", 5, SEED), lambda: open_table("saviom", 6, SEED), lambda: repeat(None, 3)),
]
hostile = st.sampled_from(KINDS).map(lambda make: make())


def public(module: str) -> Iterator[tuple[str, Any]]:
    """The functions and classes that a documented module is there for."""
    home = import_module(module)
    for name in getattr(home, "__all__", None) or [one for one in vars(home) if not one.startswith("_")]:
        part = getattr(home, name)
        is_own = hasattr(home, "__all__") or getattr(part, "__module__", "") == module
        if is_own and (isfunction(part) or isclass(part)):
            yield f"{module}.{name}", part


def is_tried(part: Any) -> bool:
    """A class is tried by its constructor where that checks anything: values, setups and what stands for a table."""
    if not isclass(part):
        return True
    checks = issubclass(part, Value | Play) and not issubclass(part, Setup)
    return checks and not isabstract(part)


SURFACE = {
    name: part
    for module in MODULES
    if not module.startswith(UNTRIED)
    for name, part in public(module)
    if is_tried(part) and part.__name__ not in BUILDING_BLOCKS.get(part.__module__, ())
}
MOVES = sorted({kind for spec in GAMES.values() for kind in spec.game.actions}, key=lambda kind: kind.__name__)
METHODS = [name for name, method in vars(Play).items() if not name.startswith("_") and callable(method)]


@st.composite
def arguments(draw: st.DrawFn, called: Callable[..., Any]) -> dict[str, Any]:
    """An argument for each parameter, hostile in kind or size."""
    drawn: dict[str, Any] = {}
    for name, parameter in parameters_of(called).items():
        if parameter.default is Parameter.empty or draw(st.booleans()):
            drawn[name] = draw(hostile)
    return drawn


def parameters_of(called: Callable[..., Any]) -> dict[str, Parameter]:
    named = signature(called.__init__ if isclass(called) else called).parameters.items()
    several = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)
    return {name: one for name, one in named if name != "self" and one.kind not in several}


def try_it(called: Callable[..., Any], chosen: dict[str, Any]) -> None:
    """Call it; any error but ours goes through."""
    refusal = None
    try:
        called(**chosen)
    except RoundTableError as ours:
        refusal = ours
    assert refusal is None or (refusal.code in CODES and all(refusal.text(lang).encode() for lang in languages()))


@pytest.fixture(autouse=True, scope="module")
def an_empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Some functions write a file under the name that they are given."""
    here = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("surface"))
    yield
    os.chdir(here)


quickly = settings(
    max_examples=HOSTILE_CALLS, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def test_the_surface_is_what_the_documentation_lists() -> None:
    assert {"roundtable.make_setup", "roundtable.core.play.replay", "roundtable.core.actions.Say"} <= set(SURFACE)
    assert {"act", "deal", "view", "heard"} <= set(METHODS)
    assert all(issubclass(kind, Action) for kind in MOVES)


@quickly
@given(st.data(), st.sampled_from(sorted(SURFACE)))
def test_a_public_function_refuses_in_our_own_words(data: st.DataObject, name: str) -> None:  # C2
    try_it(SURFACE[name], data.draw(arguments(SURFACE[name])))


@quickly
@given(st.data(), st.sampled_from(MOVES))
def test_a_move_of_wrong_parts_cannot_be_made(data: st.DataObject, kind: type[Action]) -> None:  # C2
    try_it(kind, data.draw(arguments(kind)))


@quickly
@given(st.data(), st.sampled_from(METHODS))
def test_a_table_refuses_in_our_own_words(data: st.DataObject, method: str) -> None:  # C2
    play = open_table("avalon", 5, SEED) if method in ("deal", "contribute") else new_game("avalon", 5, SEED)
    before = len(play.entries)
    called = getattr(play, method)
    try_it(called, data.draw(arguments(called)))
    assert len(play.entries) <= before + 1
