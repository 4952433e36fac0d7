"""Narration and rulebooks: simulated players follow the script of every setup, in every language."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from itertools import chain, combinations, product
from typing import Any, TypeVar

import pytest

from roundtable.core.catalogue import Catalogue, catalogue, read_sentences
from roundtable.core.errors import SetupError
from roundtable.core.plugins import load
from roundtable.core.setup import Setup
from roundtable.games import GAMES, make_setup
from roundtable.games.avalon.deal import hand_out
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import SIDES_BY_COUNT, TEAM_SIZES
from roundtable.games.registry import BUILT_IN
from roundtable.games.saviom.setup import ADVANCED, CLASSIC, SaviomSetup
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.thavalon.setup import EVIL_POOL, GOOD_POOL, LOVERS, ThavalonSetup
from roundtable.text.narration import Cue, cue_of, narrate, part_title
from roundtable.text.pages import plain_page, script_page, styled_page
from roundtable.text.rulebook import rulebook
from roundtable.text.script import Night
from support.narration_rules import may_declare, wrong_lines
from support.translations import FINISHED, LANGUAGE_CHOICES

pytestmark = pytest.mark.slow

LANGUAGES = FINISHED
NIGHTS: tuple[Night, ...] = ("eyes", "phones")
EVIL = {"Assassin", "Morgana", "Mordred", "Oberon", "Minion of Mordred"}
OPTIONAL = (Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON)
VIETNAMESE = {
    "Loyal Servant": "Bề Tôi Trung Thành",
    "Minion of Mordred": "Tay Sai",
    "Wolf": "Sói",
    "Citizen": "Dân Làng",
    "Protector": "Bảo Vệ",
    "Seer": "Tiên Tri",
}


def called(role: str, lang: str) -> str:
    return role if lang == "en" else VIETNAMESE.get(role, role)


@cache
def avalon_tables() -> tuple[AvalonSetup, ...]:
    """Every choice of roles, with and without Merlin, an Assassin's card and the Lady, wherever it fits."""
    chosen = [frozenset(roles) for size in range(5) for roles in combinations(OPTIONAL, size)]
    tables = every(AvalonSetup, roles=chosen, merlin=YES_NO, assassin=("role", "duty"), lady=YES_NO)
    return tuple(setup for setup in tables if not setup.problems())


@cache
def thavalon_tables() -> tuple[ThavalonSetup, ...]:
    """Every mixture of the usual options, and every mixture of those that switch something off (T26)."""
    firsts, usual = ("in_turn", "paired"), {"no_target_call": YES_NO, "clock": YES_NO}
    tracks, targets = ("limited", "five_rejections"), ("all", "merlin")
    switches = {"proposals": tracks, "reversal": YES_NO, "declarations": YES_NO, "targets": targets}
    switched = every(ThavalonSetup, pool=(None, ALL_ROLES, ALL_ROLES - LOVERS), **switches)
    tables = (
        *every(ThavalonSetup, nine_evil=(3, 4), first_round=firsts, **usual),
        *switched,
        *every(ThavalonSetup, pool=pools()),
    )
    return tuple(setup for setup in tables if not setup.problems())


def pools() -> Iterator[frozenset[Role]]:
    """Every mixture of the roles of which a script speaks, and every pool without one other role (T26)."""
    spoken = (LOVERS, {Role.NIMUE}, {Role.ARTHUR}, {Role.AGRAVAINE})
    for count in range(len(spoken) + 1):
        for left_out in combinations(spoken, count):
            yield ALL_ROLES.difference(*left_out)
    for role in ALL_ROLES.difference(*spoken):
        yield ALL_ROLES - {role}


@cache
def saviom_tables() -> tuple[SaviomSetup, ...]:
    modes, reveals = ("classic", "advanced"), ("none", "side", "role")
    return tuple(every(SaviomSetup, mode=modes, reveal_on_death=reveals, night_seconds=(1, 60, 100)))


YES_NO = (True, False)
ALL_ROLES = frozenset((*GOOD_POOL, *EVIL_POOL))
S = TypeVar("S", bound=Setup)


def every(kind: type[S], **choices: Iterable[Any]) -> Iterator[S]:
    """A table for every number of players and every mixture of these choices."""
    for seats, *chosen in product(range(kind.fewest, kind.most + 1), *choices.values()):
        yield kind(seats=seats, **dict(zip(choices, chosen, strict=True)))


@cache
def script(setup: Setup, lang: str = "en", night: Night = "eyes") -> tuple[Cue, ...]:
    return narrate(GAMES[setup.game], setup, lang, night)


def rulebook_of(game: str, lang: str) -> str:
    return rulebook(GAMES[game], lang)


def every_table() -> Iterator[Setup]:
    return chain[Setup](avalon_tables(), thavalon_tables(), saviom_tables())


def part(cues: tuple[Cue, ...], name: str) -> list[Cue]:
    return [cue for cue in cues if cue.part == name]


def aloud(cues: tuple[Cue, ...] | list[Cue]) -> str:
    return "\n".join(cue.text for cue in cues if cue.aloud)


# Line by line


@pytest.mark.parametrize(("game", "lang"), list(product(BUILT_IN, LANGUAGES)))
def test_every_line_is_what_the_rules_demand_for_these_roles(game: str, lang: str) -> None:
    # A4, A6, A7, A8, A9, A10, A23, A26, A27, T1, T2, T13, T14, T16, T17, T20, T21, T23, T24, T26,
    # S2, S3, S4, S5, S6, S7, S8, S9, S10, S11
    for setup, night in product((*every_table(), *house_rules()), NIGHTS):
        if setup.game == game:
            assert wrong_lines(setup, lang, night, script(setup, lang, night)) == [], setup


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", BUILT_IN)
def test_a_planted_mistake_in_any_line_is_found(game: str, lang: str) -> None:  # A26, T13, S11
    tables = [setup for setup in (*every_table(), *house_rules()) if setup.game == game]
    variants: dict[tuple[str, str], set[str]] = {}
    for setup, night in product(tables[::7], NIGHTS):
        for cue in script(setup, lang, night):
            variants.setdefault((cue.part, cue.act), set()).add(cue.text)
    for setup, night in product(tables[:: len(tables) // 8], NIGHTS):
        told = script(setup, lang, night)
        for place, cue in enumerate(told):
            others = sorted(variants[cue.part, cue.act])[:: 1 + len(variants[cue.part, cue.act]) // 8]
            for wrong in mistakes(told, place, others):
                assert wrong_lines(setup, lang, night, wrong), (setup, wrong[place - 1 : place + 1])


def mistakes(told: tuple[Cue, ...], place: int, others: list[str]) -> Iterator[tuple[Cue, ...]]:
    """The script with one mistake at this place: a line too few or too many, in the wrong order, with another wait, for
    other ears, by day instead of by night, or with the words of another table or another line."""
    cue, before, after = told[place], told[:place], told[place + 1 :]
    yield before + after
    yield (*before, cue, cue, *after)
    if after:
        yield (*before, after[0], cue, *after[1:])
        yield (*before, replace(cue, text=after[0].text), *after)
    flipped = ("aloud", "by_hand", "dark") if cue.aloud else ("aloud", "dark")
    changes: list[dict[str, Any]] = [{"pause": cue.pause + 1}, *({name: not getattr(cue, name)} for name in flipped)]
    for change in changes:
        yield (*before, replace(cue, **change), *after)
    for text in others:
        if text != cue.text:
            yield (*before, replace(cue, text=text), *after)


# Avalon: simulated players

# What a line asks for, and of whom; nothing here knows how the script was written.
ORDERS: dict[str, dict[str, str]] = {
    "en": {
        "open": r"^(.+?), open your eyes",
        "close": r"^(.+?), close your eyes",
        "show": r"^(.+?), put your thumb up",
        "hide": r"^(.+?), make a fist again",
    },
    "vi": {
        "open": r"^(.+?),? mở mắt ra",
        "close": r"^(.+?),? nhắm mắt lại",
        "show": r"^(.+?),? giơ ngón cái lên",
        "hide": r"^(.+?),? nắm tay lại",
    },
}
ALL: dict[str, set[str]] = {"en": {"Everyone"}, "vi": {"Tất cả", "Tất cả mọi người"}}
EVIL_CALLED: dict[str, str] = {"en": "Evil", "vi": "Phe Đỏ"}
EXCEPT: dict[str, str] = {"en": r"except (\w+)", "vi": r"trừ (\w+)"}
INCLUDED: dict[str, str] = {"en": r"(\w+) included", "vi": r"kể cả (\w+)"}
AND: dict[str, str] = {"en": " and ", "vi": " và "}


class Room:
    """Simulated players, one for each card, who open their eyes and raise their thumbs as the script says."""

    def __init__(self, cards: tuple[Role, ...]) -> None:
        self.cards = cards
        self.open = set(range(len(cards)))
        self.thumbs: set[int] = set()
        self.seen: dict[int, set[int]] = {player: set() for player in self.open}

    def obey(self, cue: Cue, lang: str) -> None:
        orders = [(order, found[1]) for order, asks in ORDERS[lang].items() if (found := re.match(asks, cue.text))]
        ((order, who),) = orders
        players = self.meant(who, lang)
        assert players
        match order:
            case "open":
                assert not self.open, "other eyes are open"
                self.open = players
                self.look()
            case "close":
                assert players == self.open, "who closes their eyes must have had them open"
                self.open = set()
            case "show":
                assert not self.open, "a thumb goes up while all eyes are shut"
                self.thumbs = players
            case _:
                assert players >= self.thumbs > set()
                self.thumbs = set()

    def meant(self, who: str, lang: str) -> set[int]:
        """The players whom a line calls. A role that is left out or let in by name must be at the table."""
        if who in ALL[lang]:
            return set(range(len(self.cards)))
        if not who.startswith(EVIL_CALLED[lang]):
            return {self.cards.index(Role(name)) for name in who.split(AND[lang])}
        for name in re.findall(f"{EXCEPT[lang]}|{INCLUDED[lang]}", who):
            assert Role("".join(name)) in self.cards
        left_out = re.findall(EXCEPT[lang], who)
        return {player for player, role in enumerate(self.cards) if role in EVIL and role not in left_out}

    def look(self) -> None:
        if len(self.open) == len(self.cards):
            return  # the night is over
        for player in self.open:
            self.seen[player] |= (self.open | self.thumbs) - {player}


def may_see(viewer: str, other: str) -> bool:
    """A6 to A9 once more."""
    if viewer in EVIL - {"Oberon"}:
        return other in EVIL - {"Oberon"}
    if viewer == "Merlin":
        return other in EVIL - {"Mordred"}
    return viewer == "Percival" and other in {"Merlin", "Morgana"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_players_who_follow_the_script_see_what_the_rulebook_says(lang: str) -> None:  # A26, A6, A7, A8, A9, A27
    for setup in avalon_tables():
        room = Room(setup.all_roles)
        for cue in part(script(setup, lang), "night"):
            room.obey(cue, lang)
        assert len(room.open) == setup.seats
        assert not room.thumbs
        for player, role in enumerate(room.cards):
            others = {other for other in room.seen if other != player and may_see(role, room.cards[other])}
            assert room.seen[player] == others, (setup, role)


def test_the_script_shows_everybody_just_what_the_engine_tells_them() -> None:  # A26
    for setup in avalon_tables():
        room = Room(setup.all_roles)
        for cue in part(script(setup), "night"):
            room.obey(cue, "en")
        for dealt in hand_out(setup.all_roles, None):
            assert room.seen[dealt.seat] == {seat for glimpse in dealt.sees for seat in glimpse.seats}


def named_at_night(setup: AvalonSetup) -> set[str]:
    """Which roles the night has to name, from the roles in the deal."""
    chosen = set(setup.roles or ())
    named = chosen & {Role.OBERON}
    if setup.merlin:
        named |= {Role.MERLIN} | chosen & {Role.MORDRED}
    if Role.PERCIVAL in chosen:
        named |= chosen & {Role.MORGANA}
        if setup.merlin or Role.MORGANA in chosen:
            named |= {Role.PERCIVAL}
    return {str(role) for role in named}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_night_names_the_roles_that_matter_and_no_other(lang: str) -> None:  # A26
    for setup in avalon_tables():
        said = aloud(part(script(setup, lang), "night"))
        assert {role for role in Role if called(role, lang) in said} == named_at_night(setup)


def test_the_base_script_goes_as_the_vietnamese_edition_has_it() -> None:  # A26
    base = part(script(AvalonSetup(seats=5, roles=frozenset()), "vi"), "night")
    edition = [
        ("Tất cả mọi người", "nhắm mắt lại"),
        ("Phe Đỏ", "mở mắt ra"),
        ("Phe Đỏ", "nhắm mắt lại"),
        ("Phe Đỏ", "giơ ngón"),
        ("Merlin", "mở mắt ra"),
        ("Phe Đỏ", "nắm tay lại"),
        ("Merlin", "nhắm mắt lại"),
        ("Tất cả", "mở mắt ra"),
    ]
    assert len(base) == len(edition)
    for cue, (who, what) in zip(base, edition, strict=True):
        assert cue.text.startswith(f"{who} {what}")


def test_a_pause_of_avalon_depends_on_the_cue_alone() -> None:  # A26
    pauses: dict[str, set[int]] = {}
    for setup in avalon_tables():
        for cue in script(setup):
            pauses.setdefault(cue.act, set()).add(cue.pause)
    assert all(len(seconds) == 1 for seconds in pauses.values())
    assert pauses["evil_opens"] == pauses["merlin_opens"] == pauses["percival_opens"]


EYES: dict[str, str] = {"en": r"\b(eyes|thumbs?|fist)\b", "vi": r"mắt|ngón cái|nắm tay"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_phones_show_whom_a_player_knows_no_eye_is_opened_for_it(lang: str) -> None:  # A26, T13
    for setup in every_table():
        told = script(setup, lang, "phones")
        before = (
            [cue for cue in told if cue.part in ("table", "night")] if setup.game == "avalon" else part(told, "table")
        )
        assert not [
            cue
            for cue in before
            if re.search(EYES[lang], cue.text.replace("No one closes their eyes", ""))
            and "Không ai phải nhắm mắt" not in cue.text
        ]
        assert {"en": "phone", "vi": "điện thoại"}[lang] in aloud(before)
        assert "roundtable deal" not in "".join(cue.text for cue in told)
        assert [cue for cue in told if cue.part not in ("table", "night")] == [
            cue for cue in script(setup, lang) if cue.part not in ("table", "night")
        ]


def test_everyone_looks_for_the_same_time_wherever_the_role_is_shown() -> None:  # A26, T13
    looks = {
        cue.pause
        for setup in every_table()
        for night in NIGHTS
        for cue in script(setup, night=night)
        if (cue.part, cue.act) in {("table", "look"), ("table", "cards")}
    }
    assert len(looks) == 1
    assert min(looks) > 0


def test_it_is_dark_from_the_first_closed_eye_to_the_last() -> None:  # A26, S8
    for setup in (*avalon_tables(), *saviom_tables()):
        is_dark = False
        for cue in script(setup):
            if cue.act == "all_close":
                is_dark = True
            elif cue.act == "all_open":
                is_dark = False
            assert cue.dark is is_dark, cue
    assert not any(cue.dark for setup in thavalon_tables() for cue in script(setup))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_machine_says_a_line_with_a_word_to_fill_in_or_a_condition(lang: str) -> None:  # T13, S11
    for setup in every_table():
        condition = False
        for cue in script(setup, lang):
            if cue.aloud:
                assert cue.by_hand or not re.search(r"\[", cue.text), cue
                assert cue.by_hand or not condition, cue
            condition = not cue.aloud and cue.text.endswith(":")


# All games


def test_both_languages_have_the_same_cues_in_the_same_order() -> None:  # A26
    for setup, night in product(every_table(), NIGHTS):
        assert shape_of(script(setup, "en", night)) == shape_of(script(setup, "vi", night))
    for setup in every_table():
        english, vietnamese = script(setup, "en"), script(setup, "vi")
        assert all(one.text != other.text for one, other in zip(english, vietnamese, strict=True))


def shape_of(cues: tuple[Cue, ...]) -> list[tuple[object, ...]]:
    """What is the same in every language."""
    return [(cue.part, cue.act, cue.pause, cue.aloud, cue.by_hand, cue.dark) for cue in cues]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_script_names_a_seat_or_leaves_a_blank_unfilled(lang: str) -> None:  # A26, T13
    for setup in every_table():
        for cue in script(setup, lang):
            assert not re.search(r"\bseats?\b|\bghế\b|[{}]|\bNone\b", cue.text), cue
            assert unicodedata.is_normalized("NFC", cue.text)
            assert cue.text == cue.text.strip()
            assert "  " not in cue.text


def test_equal_tables_have_equal_scripts() -> None:  # A26, T13
    for setup in every_table():
        options = {option.name: getattr(setup, option.name) for option in fields(setup)}
        assert narrate(GAMES[setup.game], type(setup)(**options)) == script(setup)


def test_every_cue_has_a_name_of_its_own() -> None:  # A26
    for setup in every_table():
        names = [(cue.part, cue.act) for cue in script(setup)]
        assert len(names) == len(set(names))


def test_a_table_that_cannot_start_has_no_script() -> None:  # A1
    with pytest.raises(SetupError, match="5 to 10 players"):
        script(AvalonSetup(seats=4))


class Remembering(dict[str, str]):
    """Sentences that remember which of them were read."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__(sentences)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.read.add(key)
        return super().__getitem__(key)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", BUILT_IN)
def test_every_sentence_of_a_script_is_read_at_some_table(game: str, lang: str) -> None:  # A26, T13, S4
    sentences = Remembering(catalogue(lang, GAMES[game].text).sentences)
    words = Catalogue(lang, sentences)
    for setup, night in product((*every_table(), *house_rules()), NIGHTS):
        if setup.game == game:
            for line in load(GAMES[game].narration)(setup, night):
                part_title(line.part, words)
                cue_of(line, words)
    own = read_sentences(GAMES[game].text[0], lang)
    assert {key for key in own if key.startswith("narration.")} - sentences.read == set()


def house_rules() -> Iterator[Setup]:
    yield AvalonSetup(seats=7, lady=True, lady_may_pass=True, identity_claims="forbidden")
    rules = {"trial_by": ("living", "cast"), "kill_by": ("cast", "living"), "protect_self": YES_NO}
    yield from every(SaviomSetup, mode=("advanced",), early_end=(True,), protect_twice=YES_NO, **rules)


# THavalon


@pytest.mark.parametrize("lang", LANGUAGES)
def test_thavalons_script_names_what_may_be_dealt_and_never_what_was(lang: str) -> None:  # T2, T13
    for setup in thavalon_tables():
        cues = script(setup, lang)
        (pools,) = [cue for cue in cues if cue.act == "pools"]
        pool = {*setup.good_pool, *setup.evil_pool}
        assert {role for role in Role if re.search(rf"\b{role}\b", pools.text)} == pool
        rest = aloud([cue for cue in cues if cue.part != "assassination" and cue is not pools])
        named = {role for role in Role if re.search(rf"\b{role}\b", rest)}
        assert named == {Role.ASSASSIN} | ({Role.ARTHUR} if may_declare(setup, Role.ARTHUR) else set())
        assert not [cue for cue in cues if re.search(r"_(opens?|closes?)$", cue.act)]


@pytest.mark.parametrize(("lang", "reverse"), [("en", "Reverse"), ("vi", "Đảo Ngược")])
def test_the_script_speaks_of_reverses_where_there_are_any(lang: str, reverse: str) -> None:  # T17, T26
    for setup in thavalon_tables():
        assert any(reverse in cue.text for cue in script(setup, lang)) is setup.reversal


def test_thavalons_timers_are_the_scripts_pauses() -> None:  # C5
    setup = ThavalonSetup(seats=5, propose_seconds=91, vote_seconds=31, quest_seconds=21, shot_seconds=181)
    pauses = {cue.act: cue.pause for cue in script(setup) if cue.pause}
    assert pauses == {"cards": 15, "propose": 91, "vote": 31, "lay": 21, "call": 181}


# Saviom


@pytest.mark.parametrize("lang", LANGUAGES)
def test_dawn_does_not_tell_a_rescue_from_a_night_without_agreement(lang: str) -> None:  # S11
    for setup in saviom_tables():
        dawn = part(script(setup, lang), "dawn")
        assert [cue.act for cue in dawn if cue.aloud] == ["all_open", "killed", "nobody"]
        told = aloud(dawn).lower()
        for word in ("protect", "guard", "save", "rescue", "agree", "seer", "bảo vệ", "cứu", "thống nhất", "tiên tri"):
            assert word not in told


def test_the_phases_have_their_lengths_and_come_in_their_order() -> None:  # S5
    lengths = {"day_seconds": 77, "defense_seconds": 33, "night_seconds": 44}
    for first in ("day", "night"):
        cues = script(make_setup("saviom", 8, {"begins_with": first, **lengths}))
        order = list(dict.fromkeys(cue.part for cue in cues))
        circle = ["day", "defense", "night", "dawn"] if first == "day" else ["night", "dawn", "day", "defense"]
        assert order == ["table", *circle, "end"]
        assert [sum(cue.pause for cue in part(cues, name)) for name in ("day", "defense", "night")] == [77, 33, 44]


def test_house_rules_change_the_words_of_the_night() -> None:  # S6, S8, S9
    plain = SaviomSetup(seats=9, mode="advanced")
    other = SaviomSetup(
        seats=9,
        mode="advanced",
        trial_by="cast",
        kill_by="living",
        protect_self=True,
        protect_twice=False,
        quiet_limit=3,
    )
    changed = {cue.act for cue in set(script(other)) - set(script(plain))}
    assert changed == {"trial", "wolves_choice", "protector_open", "if_quiet"}
    early = {cue.act for cue in script(SaviomSetup(seats=9, early_end=True))}
    assert {"day_early", "defense_early"} <= early


# The rulebooks

ROLES = {
    "avalon": ["Merlin", "Percival", "Loyal Servant", *sorted(EVIL)],
    "thavalon": [str(role) for role in (*GOOD_POOL, *EVIL_POOL)],
    "saviom": [str(role) for role in SaviomRole],
}
every_rulebook = pytest.mark.parametrize(("game", "lang"), list(product(GAMES, LANGUAGES)))


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@every_rulebook
def test_the_rulebook_explains_every_role_under_its_name(game: str, lang: str) -> None:  # A26
    explained = re.findall(r"^- (?:\*\*[^*]+\*\* (?:and|và) )?\*\*([^*]+)\*\*", rulebook_of(game, lang), re.MULTILINE)
    explained += re.findall(r"^- \*\*([^*]+)\*\*", rulebook_of(game, lang), re.MULTILINE)
    assert {called(role, lang) for role in ROLES[game]} <= set(explained)


@every_rulebook
def test_the_rulebook_names_every_option_with_its_default(game: str, lang: str) -> None:
    chapter = rulebook_of(game, lang).rpartition("\n## ")[2].replace("\n  ", " ")
    for option in fields(GAMES[game].game.setup_type):
        if option.name == "seats":
            continue
        found = re.search(rf"`{option.name}`(?:(?:,| and) `\w+`)* \(`?(\w+)`?\)", chapter)
        assert found is not None, option.name
        default = {"True": "yes", "False": "no", "None": "none"}.get(str(option.default), str(option.default))
        assert found[1] == ("usual" if option.name in GAMES[game].game.setup_type.members else default)


@every_rulebook
def test_the_rulebook_has_every_number_of_players_and_its_tables_are_right(game: str, lang: str) -> None:  # A2, A3
    table = rows(rulebook_of(game, lang))
    counts = list(range(GAMES[game].game.setup_type.fewest, GAMES[game].game.setup_type.most + 1))
    assert table[0][1:] == [str(count) for count in counts]
    if game == "saviom":  # S2, S3
        expected = [list(row) for row in zip(*(CLASSIC[count][:2] for count in counts), strict=True)]
        expected += [counts]
        expected += [list(row) for row in zip(*(ADVANCED[count] for count in counts), strict=True)]
    else:
        expected = [list(row) for row in zip(*(SIDES_BY_COUNT[count] for count in counts), strict=True)]
        expected += [list(row) for row in zip(*(TEAM_SIZES[count] for count in counts), strict=True)]
        if game == "thavalon":  # T14
            expected += [[2] * len(counts), [ThavalonSetup(seats=count).later_proposals for count in counts]]
    assert [[int(cell) for cell in row[1:]] for row in table[1:]] == expected


@every_rulebook
def test_the_rulebook_is_read_in_five_minutes_and_fits_a_terminal(game: str, lang: str) -> None:
    text = rulebook_of(game, lang)
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    pace = {"en": 230, "vi": 280}[lang]  # words a minute; a Vietnamese word is written as one or two syllables
    assert len(re.findall(r"\w+", prose)) <= 5 * pace
    assert 60 <= len(text.splitlines()) <= 120
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("game", GAMES)
def test_the_vietnamese_rulebook_is_vietnamese(game: str) -> None:
    text = rulebook_of(game, "vi")
    assert unicodedata.is_normalized("NFC", text)
    words = re.findall(r"\w+", re.sub(r"`[^`]+`", "", text))
    marked = [word for word in words if any(ord(letter) > 127 for letter in word)]
    assert len(marked) > len(words) / 2
    if game != "saviom":
        for word in ("Phe Xanh", "Phe Đỏ", "Chỉ Huy", "ội trưởng", "nhiệm vụ", "bỏ phiếu", "Ám sát"):
            assert word.lower() in text.lower()


@pytest.mark.parametrize("game", GAMES)
def test_both_rulebooks_have_the_same_shape(game: str) -> None:
    shapes = []
    for lang in LANGUAGES:
        text = rulebook_of(game, lang)
        marks = re.findall(r"^(#+|-|\d\.|\|)(?= )", text, re.MULTILINE)
        shapes.append((marks, re.findall(r"^- `(\w+)`", text, re.MULTILINE)))
    assert shapes[0] == shapes[1]


def test_the_rulebook_of_avalon_uses_the_words_of_the_vietnamese_edition() -> None:
    text = " ".join(rulebook_of("avalon", "vi").split())
    for word in ("Bề Tôi Trung Thành", "Tay Sai", "dấu Biểu Quyết", "Thiếu Nữ Bên Hồ", "Chọn lựa nhiệm vụ", "đồng ý"):
        assert word in text


# Pages


@every_rulebook
def test_a_page_is_plain_or_styled_and_says_the_same(game: str, lang: str) -> None:
    text = rulebook_of(game, lang)
    plain, styled = plain_page(text), styled_page(text)
    assert not re.search(r"\*\*|^#|\033", plain, re.MULTILINE)
    assert not re.search(r"\*\*|^#|`", styled, re.MULTILINE)

    def words_of(page: str) -> list[str]:
        return re.findall(r"\w+", re.sub(r"\033\[[\d;]*m", "", page))

    assert words_of(plain) == words_of(styled) == words_of(text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_printed_script_has_every_word_and_every_wait(lang: str) -> None:
    cues = script(SaviomSetup(seats=9, mode="advanced", night_seconds=100), lang)
    page = list(script_page(cues, catalogue(lang, GAMES["saviom"].text)))
    assert max(map(len, page)) <= 80
    text = " ".join(" ".join(page).split())
    assert all(cue.text in text for cue in cues)
    assert [int(wait) for wait in re.findall(r"\[(\d+) s\]", text)][1:] == [cue.pause for cue in cues if cue.pause]


# The commands


def roundtable(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "roundtable", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
    )


def at_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command prints at a terminal."""
    master, slave = pty.openpty()
    settings = {**os.environ, "PYTHONUTF8": "1", "TERM": "xterm", **environment}
    with subprocess.Popen([sys.executable, "-m", "roundtable", *arguments], stdout=slave, env=settings) as run:
        os.close(slave)
        shown = b""
        try:
            while more := os.read(master, 65536):
                shown += more
        except OSError:
            pass  # the other end is gone
        finally:
            os.close(master)
    assert run.returncode == 0
    return shown.decode()


def test_narrate_prints_the_night_in_vietnamese() -> None:  # A26
    run = roundtable("narrate", "avalon", "--seats", "10", "--option", "lady=yes", "--lang", "vi")
    assert (run.returncode, run.stderr) == (0, "")
    assert "Phe Đỏ trừ Oberon mở mắt ra" in run.stdout
    assert run.stdout.endswith("  - Tất cả mở mắt ra.\n")


@pytest.mark.parametrize(("game", "options"), [("avalon", {"merlin": "no"}), ("saviom", {"mode": "advanced"})])
def test_narrate_gives_programs_the_same_cues_as_json(game: str, options: dict[str, Any]) -> None:  # A26
    chosen = [text for name, value in options.items() for text in ("--option", f"{name}={value}")]
    run = roundtable("narrate", game, "--seats", "8", *chosen, "--lang", "vi", "--json")
    assert run.returncode == 0
    printed = json.loads(run.stdout)
    assert (printed["game"], printed["seats"], printed["lang"]) == (game, 8, "vi")
    assert [Cue(**cue) for cue in printed["cues"]] == list(script(make_setup(game, 8, options), "vi"))


def test_narrate_warns_at_six_players_of_thavalon() -> None:  # T5
    run = roundtable("narrate", "thavalon", "--seats", "6")
    assert run.returncode == 0
    assert "heavily imbalanced" in run.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_prints_plain_text_into_a_pipe(lang: str) -> None:
    run = roundtable("rules", "saviom", "--lang", lang)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == plain_page(rulebook_of("saviom", lang))


def test_rules_are_readable_also_where_the_output_lacks_the_letters() -> None:
    run = roundtable("rules", "avalon", "--lang", "vi", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stdout) == (0, plain_page(rulebook_of("avalon", "vi")))


def test_rules_are_coloured_at_a_terminal_unless_colours_are_turned_off() -> None:
    environment = {"NO_COLOR": ""}
    assert "\033[" in at_a_terminal("rules", "avalon", **environment)
    assert "\033[" not in at_a_terminal("rules", "avalon", NO_COLOR="1")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["narrate", "chess", "--seats", "5"], "There is no game called 'chess'; choose avalon, thavalon or saviom."),
        (["narrate", "avalon", "--seats", "11"], "Avalon takes 5 to 10 players, not 11."),
        (
            ["narrate", "avalon", "--seats", "5", "--lang", "fr"],
            f"There is no language called 'fr'; choose {LANGUAGE_CHOICES}.",
        ),
        (["narrate", "avalon", "--seats", "5", "--option", "roles=Oberon,Mordred"], "don’t fit"),
        (["rules", "chess"], "There is no game called 'chess'; choose avalon, thavalon or saviom."),
        (
            ["rules", "avalon", "--lang", "../../x"],
            f"There is no language called '../../x'; choose {LANGUAGE_CHOICES}.",
        ),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], complaint: str) -> None:
    run = roundtable(*arguments)
    assert run.returncode == 2
    assert complaint in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""
