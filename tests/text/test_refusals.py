"""Every refusal has its sentence in every language, and everything in the sentence is told where it is raised."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

import pytest

from roundtable.client.connection import FINAL
from roundtable.core import errors
from roundtable.core.catalogue import BLANK, catalogue, languages, read_sentences, refusal_key
from roundtable.core.errors import CODES, Problem, RoundTableError, problem
from roundtable.core.kinds import field_types
from roundtable.core.setup import wrong_option
from roundtable.dealer.files import Obstacle, occupied
from roundtable.dealer.names import EMPTY, FAULTS, require_names
from roundtable.games import GAMES
from roundtable.games.quests.options import TeamChoice
from roundtable.storage.postgres_connection import REFUSALS
from support.paths import ROOT
from text.test_catalogue_keys import PACKAGES, SOURCES, without_plural

ALL_TEXT = tuple(sorted({package for spec in GAMES.values() for package in spec.text}))
RAISING = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, RoundTableError)}
CALLS = RAISING | {"refuse", "problem"}
CALLED = re.compile(rf"\b(?:{'|'.join(sorted(CALLS))})\(\s*[\"']")  # to parse every source would take far longer


class Site(NamedTuple):
    """Where something is refused: the variants that can be meant there, and the names of the values."""

    place: str
    code: str
    variants: tuple[str, ...] | None  # None where a table or a function chooses
    told: frozenset[str] | None  # None where not all of them stand there


def name_of_call(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def variants_in(node: ast.expr | None) -> tuple[str, ...] | None:
    match node:
        case None:
            return ("",)
        case ast.Constant(value=str(variant)):
            return (variant,)
        case ast.IfExp(body=ast.Constant(value=str(one)), orelse=ast.Constant(value=str(other))):
            return one, other
    return None


@cache
def sites() -> tuple[Site, ...]:
    return tuple(found())


def found() -> Iterator[Site]:
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if CALLED.search(source) else ():
            match node:
                case ast.Call(args=[ast.Constant(value=str(code)), *rest]) if name_of_call(node) in CALLS:
                    names = [keyword.arg for keyword in node.keywords]
                    told = None if None in names else frozenset(name for name in names if name)
                    place = f"{path.relative_to(ROOT)}:{node.lineno}"
                    yield Site(place, code, variants_in(rest[0] if rest else None), told)


def key_of(code: str, variant: str) -> str:
    return f"{refusal_key(code)}_{variant}" if variant else refusal_key(code)


@cache
def blanks() -> dict[str, set[str]]:
    """Every refusal's key without its plural, and what its sentences show; other languages show the same."""
    shown: dict[str, set[str]] = {}
    for package in PACKAGES:
        for key, sentence in read_sentences(package, "en").items():
            if key.startswith("refusal."):
                shown.setdefault(without_plural(key), set()).update(BLANK.findall(sentence))
    return shown


def test_there_are_sites_to_check() -> None:
    assert len(sites()) > 150
    assert {site.code for site in sites()} <= set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_sentence_of_its_own(code: str) -> None:
    assert refusal_key(code) in blanks()


@pytest.mark.parametrize("site", [site for site in sites() if site.variants], ids=lambda site: site.place)
def test_every_sentence_gets_its_values_where_it_is_raised(site: Site) -> None:
    for variant in site.variants or ():
        key = key_of(site.code, variant)
        assert key in blanks()
        assert site.told is None or blanks()[key] <= site.told


# Where a table or a function chooses the variant or the values


def reasons(raised: RoundTableError) -> tuple[Problem, ...]:
    return raised.problems


def refused_names(*names: str) -> tuple[Problem, ...]:
    with pytest.raises(RoundTableError) as refused:
        require_names(names)
    return reasons(refused.value)


def chosen() -> Iterator[Problem]:
    """A refusal of every kind whose variant is not written where it is raised."""
    for name in ("", "a/b", "a\nb", ".a", "a" * 300, "start", "con"):
        yield from refused_names(name)
    for reason in ("link", "no_folder", "here", "foreign", "changed"):
        yield from reasons(occupied(ROOT, Obstacle(reason, "notes.txt")))
    for spec in GAMES.values():
        kinds = field_types(spec.game.setup_type)
        for option in fields(spec.game.setup_type):
            yield wrong_option(option.name, kinds[option.name], object())
    for quest in (None, 2):
        for bearer in (None, 0):
            team = TeamChoice(phase=1, eligible=(0, 1, 2), sizes=((quest, 2),), excalibur_not=bearer)
            yield Problem("action/not_allowed", *team.invitation())
    yield problem("names/reserved", "bot", name="'x'")
    yield problem("text/unreadable", "expected", expected=["'a'", "'b'"], found="1")
    yield problem("text/unreadable", "fields", expected="Setup", fields=["seats"], found="1")
    yield problem("text/unreadable", "rules", expected="Setup", game="avalon", version=1, found="1")
    yield problem("room/unknown", FINAL[4003])
    yield problem("room/unknown", FINAL[4004])
    yield problem("text/unreadable", FINAL[4008])
    for variant, _ in REFUSALS:
        yield problem("setup/option", variant, address="postgresql://localhost/x", reason="y")


@pytest.mark.parametrize("lang", languages())
def test_a_chosen_variant_has_a_sentence_and_its_values(lang: str) -> None:
    words = catalogue(lang, ALL_TEXT)
    for reason in chosen():
        assert key_of(reason.code, reason.variant) in blanks()
        told: dict[str, Any] = {name: "x" for name in reason.values if name != "count"}
        assert words.text(refusal_key(reason.code), context=reason.variant, count=reason.values.get("count"), **told)


def test_every_fault_of_a_name_is_among_them() -> None:
    told = {(reason.code, reason.variant) for reason in chosen()}
    assert {(fault.code, fault.variant) for fault in (EMPTY, *FAULTS)} <= told


def test_no_sentence_is_left_that_is_never_told() -> None:
    asked = {refusal_key(code) for code in CODES}
    asked |= {key_of(site.code, variant) for site in sites() for variant in site.variants or ()}
    asked |= {key_of(reason.code, reason.variant) for reason in chosen()}
    assert set(blanks()) - asked == set()


def test_values_are_plain_json() -> None:
    for reason in chosen():
        for value in reason.values.values():
            members = value if isinstance(value, list) else [value]
            assert all(isinstance(member, str | int | list) for member in members), reason
