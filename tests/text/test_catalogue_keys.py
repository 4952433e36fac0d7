"""Catalogues are complete: every key that the code uses exists in every language, and every key is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import product
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import pytest

import roundtable
from games.test_golden_games import STORIES
from roundtable.bots import RandomBot, play_out
from roundtable.cli.arguments import seed_from
from roundtable.core.actions import Move
from roundtable.core.catalogue import (
    BLANK,
    PLURALS,
    SHELL,
    Catalogue,
    catalogue,
    languages,
    read_sentences,
    refusal_key,
    word_key,
)
from roundtable.core.errors import CODES
from roundtable.core.events import COMMON_EVENTS, GameEnded, Outcome, PhaseBegan, Remarked, Said, TableOpened
from roundtable.core.kinds import field_types
from roundtable.core.options import name_of
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.core.values import Value
from roundtable.games import GAMES, new_game
from roundtable.games.avalon.deal import SIGHTS as AVALON_SIGHTS
from roundtable.games.quests.roles import Glimpse
from roundtable.games.saviom.events import PlayerDied
from roundtable.games.thavalon.deal import COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM
from roundtable.games.thavalon.deal import SIGHTS as THAVALON_SIGHTS
from roundtable.games.thavalon.events import TargetCalled
from roundtable.text.fields import shown_fields
from roundtable.text.names import names_for
from roundtable.text.teller import Teller, teller_of
from support.translations import FINISHED

HOME = Path(roundtable.__file__).parent
SOURCES = sorted(path for path in HOME.rglob("*.py") if "web_app" not in path.parts)
PACKAGES = sorted({SHELL, *(package for spec in GAMES.values() for package in spec.text)})
PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")

# Sections whose keys follow from the types and names of a game. In all others every key stands in the source.
DERIVED = {"event", "move", "secret", "phase", "word", "outcome", "channel", "claim", "remark", "notice"}


def without_plural(key: str) -> str:
    return PLURAL.sub("", key)


# Languages


@cache
def blanks_by_key(package: str, lang: str) -> dict[str, set[str]]:
    """Every key without its plural, and the blanks in all of its forms."""
    found: dict[str, set[str]] = {}
    for key, sentence in read_sentences(package, lang).items():
        found.setdefault(without_plural(key), set()).update(BLANK.findall(sentence))
    return found


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("lang", languages())
def test_no_language_has_other_keys_or_blanks_than_english(package: str, lang: str) -> None:
    assert blanks_by_key(package, lang).items() <= blanks_by_key(package, "en").items()


def shared_by(package: str) -> set[str]:
    """The packages whose sentences a game's own package replaces where it has the same key."""
    return {behind for spec in GAMES.values() for behind in spec.text[1:] if package == spec.text[0]}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("lang", FINISHED)
def test_a_finished_language_lacks_no_key(package: str, lang: str) -> None:
    """It may leave out a game's own form of a shared sentence where the shared one fits."""
    lacked = blanks_by_key(package, "en").keys() - blanks_by_key(package, lang).keys()
    assert lacked <= {key for shared in shared_by(package) for key in blanks_by_key(shared, lang)}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("lang", languages())
def test_a_counted_sentence_has_every_plural_of_its_language(package: str, lang: str) -> None:
    sentences = read_sentences(package, lang)
    needed = {PLURALS[lang](count) for count in range(200)} if lang in PLURALS else {"one", "other"}
    for key in filter(PLURAL.search, sentences):
        forms = {
            found[1]
            for form in sentences
            if (found := PLURAL.search(form)) and without_plural(form) == without_plural(key)
        }
        assert forms == needed, key


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("lang", languages())
def test_sentences_are_written_and_blanks_are_closed(package: str, lang: str) -> None:
    for key, sentence in read_sentences(package, lang).items():
        assert sentence.strip(), key
        assert "{" not in BLANK.sub("", sentence), key
        assert key == key.lower(), key


# Sentences for every event, move and part of a game


class Told(Teller):
    """A teller that does not fall back to plain sentences."""

    def plain(self, value: Value) -> str:
        raise AssertionError(f"There is no sentence for {value!r}.")


class Asked(dict[str, str]):
    """Sentences by key, with a set of the keys that were read."""

    def __init__(self, sentences: Any) -> None:
        super().__init__(sentences)
        self.keys_read: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.keys_read.add(key)
        return super().__getitem__(key)


def strict_teller(name: str, lang: str, seats: int = 10) -> tuple[Teller, Asked]:
    teller = teller_of(GAMES[name], names_for(seats), lang)
    teller.plain = Told.plain.__get__(teller)  # type: ignore[method-assign]
    asked = Asked(catalogue(lang, GAMES[name].text).sentences)
    teller.catalogue = Catalogue(lang, asked)
    return teller, asked


# Texts that a field can hold, where its type says no more than that it is one.
TEXTS: dict[tuple[type[Value], str], tuple[str, ...]] = {
    (TargetCalled, "called_as"): ("Merlin", "Nimue", "Lovers", "nobody"),
    (PlayerDied, "cause"): ("verdict", "night", "surrender"),
    (Glimpse, "seen_as"): ("Evil", "Merlin or Morgana"),
}
NOTICES = {"thavalon": (COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM)}


def samples_of(kind: type[Value], name: str, hint: Any, notices: tuple[str, ...]) -> tuple[Any, ...]:
    return ((), notices) if name == "notices" else samples(kind, name, hint)


def samples(kind: type[Value], name: str, hint: Any) -> tuple[Any, ...]:
    """Values of a field on which a sentence may depend."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint == Seat:
        return (1,)
    if origin in (Union, UnionType):
        return tuple(value for one in inner for value in samples(kind, name, one))
    if hint is NoneType:
        return (None,)
    if hint is bool:
        return False, True
    if hint is int:
        return 1, 2
    if hint is str:
        return TEXTS.get((kind, name), ("text",))
    if origin is frozenset:
        return (frozenset((0, 2)),)
    if origin is tuple:
        some = samples(kind, name, inner[0])
        return ((), some)
    if issubclass(hint, Enum):
        return tuple(hint)[:2]
    return tuple(variants(hint))


def variants(kind: type[Value], notices: tuple[str, ...] = ()) -> Iterator[Any]:
    """Values of this type for every case that a sentence distinguishes."""
    hints = shown_fields(kind)
    unshown = {"audience": EVERYONE, "phase": 1}
    rest = {name: unshown[name] for name in field_types(kind) if name in unshown}
    for values in product(*(samples_of(kind, name, hint, notices) for name, hint in hints.items())):
        yield kind(**rest, **dict(zip(hints, values, strict=True)))


APART = (GameEnded, PhaseBegan, Remarked, Said, TableOpened)  # asked for in their own way


def source_of(name: str) -> str:
    folders = {HOME / "games" / part for part in (name, *(["quests"] if name != "saviom" else []))}
    return "\n".join(path.read_text() for folder in folders for path in sorted(folder.glob("*.py")))


def ask_for_everything(name: str, lang: str) -> set[str]:
    """Look up every sentence that follows from a game's types and names. Returns the keys that were read."""
    game = GAMES[name].game
    teller, asked = strict_teller(name, lang)
    for kind in (*COMMON_EVENTS, *game.events):
        for event in variants(kind, NOTICES.get(name, ())) if kind not in (*APART, *teller.untold) else ():
            assert teller.sentence(event) or not teller.is_told(event)
            teller.secret(event)
    teller.sentence(TableOpened(audience=EVERYONE, setup=game.setup_type(seats=10), commitment="c0ffee"))
    for action in game.actions:
        assert issubclass(action, Move)
        teller.kind(action)
        for move in variants(action):
            assert teller.keyed(f"move.{name_of(action)}", move)
    source = source_of(name)
    for phase in re.findall(r'begin_phase\("(\w+)"', source):
        for seconds in (None, 1, 2):
            began = PhaseBegan(audience=EVERYONE, number=1, name=phase, awaited=frozenset((0, 1)), seconds=seconds)
            teller.sentence(began)
        for part in ("question", "number", "bearer"):
            teller.question(phase, part)
        assert f"phase.{phase}.question" in asked
    for reason in {*re.findall(r'now\.end\([^,]+, "(\w+)"\)', source), "called_off", "told", "no_winner", "untold"}:
        assert f"outcome.{reason}" in asked
        for winner in (None, next(iter(game.words))):
            teller.ending(Outcome(winner=winner, seats=(0, 1), reason=reason))
    for code in re.findall(r'Notice\("(\w+)"', source):
        assert asked[f"notice.{code}"]
    for channel in (*re.findall(r'give_floor\("(\w+)"', source), "other"):
        teller.channel(channel)
    for word in game.words | {sight.seen_as for sight in (*AVALON_SIGHTS, *THAVALON_SIGHTS)}:
        assert word_key(word) in asked or word not in game.words
        teller.word(word)
    for phrase, parts in game.phrases.items():
        about = 1 if parts.has_seat else None
        for claimed in sorted(game.words) if parts.has_word else [None]:
            said = Remarked(audience=EVERYONE, seat=0, channel="table", phrase=phrase, about=about, word=claimed)
            teller.phrase(said)
    return asked.keys_read


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", FINISHED)
def test_every_event_move_phase_and_outcome_has_its_sentence(name: str, lang: str) -> None:
    ask_for_everything(name, lang)


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("lang", FINISHED)
def test_a_whole_game_is_told_to_every_listener(story: str, lang: str) -> None:
    name, seats, options = STORIES[story]
    play = new_game(name, seats, seed_from(story), **options)
    play_out(play, {seat: RandomBot() for seat in range(seats)}, play.chance("bots"))
    for listener in (SPECTATOR, 0, seats - 1):
        teller, _ = strict_teller(name, lang, seats)
        heard = [line.event for line in play.heard(listener)]
        told = "\n".join(said for event in heard if (said := teller.tell(event)))
        shown = [told, teller.board(play.state.setup), teller.history(play.view(listener), heard)]
        assert all("{{" not in text and "None" not in text for text in (*shown, teller.secrets(heard)))


# Keys in the source


def literals() -> Iterator[str]:
    """Every string in the source that could be a key or the beginning of one; formatted parts stand as `*`."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


SECTIONS = {key.partition(".")[0] for package in PACKAGES for key in read_sentences(package, "en")}
KEY = re.compile(rf"(?:{'|'.join(sorted(SECTIONS))}|\*)(?:\.[a-z0-9_*]+)+")


@cache
def keys_in_source() -> frozenset[str]:
    return frozenset(found for found in literals() if KEY.fullmatch(found))


@cache
def all_keys() -> frozenset[str]:
    return frozenset(without_plural(key) for package in PACKAGES for key in read_sentences(package, "en"))


def test_every_key_in_the_source_exists() -> None:
    sought = {key for key in keys_in_source() if "*" not in key}
    assert {key for key in sought if key not in all_keys()} == set()


# Sections of the web app alone; web/src/text/unused.test.ts finds what is not used in them.
WEB_SECTIONS = frozenset(
    (
        "common",
        "fault",
        "home",
        "join",
        "room",
        "avatar",
        "turn_alerts",
        "notes",
        "invite",
        "lobby",
        "setting",
        "in_person",
        "look",
        "table",
        "member",
        "chat",
        "after",
        "replay",
        "record",
        "deal",
        "tv",
        "rules",
        "option",
        "preset",
        "status",
        "button",
        "hint",
        "mark",
        "label",
        "narrator",
        "spoken",
        "moderator",
        "clock",
        "declare",
        "highlight",
    )
)


def test_every_key_is_asked_for() -> None:
    asked = {without_plural(key) for name in GAMES for lang in FINISHED for key in ask_for_everything(name, lang)}
    written = [key for key in keys_in_source() if not (key.startswith("*") and key.endswith("*"))]
    written += map(refusal_key, CODES)
    in_source = re.compile("|".join(pattern_of(key) for key in written))
    unused = {
        key
        for key in all_keys() - asked
        if key.partition(".")[0] not in WEB_SECTIONS
        and not (in_source.fullmatch(key) if key.partition(".")[0] not in DERIVED else key in in_literal_keys())
    }
    assert unused <= {"language"}  # how a language calls itself: for clients that list all languages


def in_literal_keys() -> frozenset[str]:
    """Keys of derived sections that the source names in full, or all but the section of which it does."""
    full = {key for key in keys_in_source() if "*" not in key}
    tails = {key.removeprefix("*") for key in keys_in_source() if key.startswith("*.") and "*" not in key[1:]}
    return frozenset(key for key in all_keys() if key in full or any(key.endswith(tail) for tail in tails))


def pattern_of(key: str) -> str:
    """A key in the source, with a context behind it or without."""
    return r"[a-z0-9_]+".join(map(re.escape, key.split("*"))) + r"(?:_[a-z0-9_]+)?"
