"""Every rule has a test that cites it, and the rulebook names everything that a table can choose."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import fields
from functools import cache

import pytest

from roundtable.games import GAMES, all_games
from roundtable.games.quests.roles import Role as QuestRole
from roundtable.games.saviom.setup import Role as SaviomRole
from support.paths import TESTS

RULEBOOK = (TESTS.parent / "docs" / "rules.md").read_text(encoding="utf-8")

RULE = re.compile(r"^- \*\*([A-Z]\d+)\*\* ", re.MULTILINE)
CITED = re.compile(r"\b[ATSC]\d+\b")
CHAPTERS = {"A": 27, "T": 26, "S": 15, "C": 8}  # how many rules each has
COMES_LATER: set[str] = set()  # rules that nothing plays yet

rules = RULE.findall(RULEBOOK)
options = sorted({option.name for game in all_games() for option in fields(game.setup_type)})


def citations(source: str) -> set[str]:
    """The rule ids in comments on the `def` lines of tests; a long signature may spread over several lines."""
    if not CITED.search(source):  # to parse a source takes far longer
        return set()
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and "noqa" not in token.string
    }
    signatures = [
        range(node.lineno, node.body[0].lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]
    return {rule for lines in signatures for line in lines for rule in CITED.findall(comments.get(line, ""))}


@cache
def all_citations() -> set[str]:
    return set().union(*(citations(test.read_text(encoding="utf-8")) for test in TESTS.rglob("test_*.py")))


def test_the_rulebook_has_every_rule_once_and_in_order() -> None:
    assert rules == [f"{chapter}{number}" for chapter, count in CHAPTERS.items() for number in range(1, count + 1)]
    assert RULEBOOK.count("**") == 2 * len(rules)


def test_every_rule_is_cited_by_a_test() -> None:
    assert sorted(set(rules) - all_citations()) == sorted(COMES_LATER)


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    assert all_citations() <= set(rules)


def test_a_citation_is_a_comment_on_a_tests_own_signature() -> None:
    source = '''
def test_one() -> None:  # S1, S2
    pass  # S3

def test_two(  # S4
    number: int,
) -> None:  # S5
    """S6"""

def helper() -> None:  # S7
    "# S8"

async def test_three() -> None:  # S9
    pass
'''
    assert citations(source) == {"S1", "S2", "S4", "S5", "S9"}


@pytest.mark.parametrize("option", options)
def test_the_rulebook_names_every_option(option: str) -> None:
    assert f"`{option}`" in RULEBOOK


@pytest.mark.parametrize("role", [*QuestRole, *SaviomRole])
def test_the_rulebook_names_every_role(role: str) -> None:
    assert re.search(rf"\b{role}\b", RULEBOOK)


def spelled(default: object) -> str:
    match default:
        case bool():
            return "yes" if default else "no"
        case int():
            return str(default)
        case None:
            return "`none`"
        case _:
            return f"`{default}`"


@pytest.mark.parametrize("game", GAMES)
def test_the_rulebooks_tables_give_every_default_as_the_game_has_it(game: str) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` +\|[^|]+\| ([^|]+?) +\|", RULEBOOK, re.MULTILINE))
    defaults = {option.name: spelled(option.default) for option in fields(GAMES[game].game.setup_type)}
    defaults |= dict.fromkeys(GAMES[game].game.setup_type.members, "`usual`")  # which depends on the number of players
    tabled = rows.keys() & defaults.keys()
    assert {option: rows[option] for option in tabled} == {option: defaults[option] for option in tabled}


def test_the_rulebook_fits_a_terminal() -> None:
    assert max(map(len, RULEBOOK.splitlines())) <= 120
