"""Text for players is typeset with care, and every sentence exists once."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from roundtable.core.catalogue import BLANK, SHELL, languages, read_sentences
from roundtable.games import GAMES
from roundtable.text.rulebook import rulebook

PACKAGES = sorted({SHELL, *(package for spec in GAMES.values() for package in spec.text)})

# What a typewriter writes where a book has ’ “ ” … and –
TYPEWRITTEN = re.compile(r"['\"]|\.\.\.| - ")
LITERAL = {
    "refusal.names.sign",  # lists the characters that a file name cannot have
    "refusal.setup.seed_lab",  # has a formula
}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("lang", languages())
def test_sentences_have_the_quotes_and_dashes_of_a_book(package: str, lang: str) -> None:
    sentences = {key: text for key, text in read_sentences(package, lang).items() if key not in LITERAL}
    assert {key: text for key, text in sentences.items() if TYPEWRITTEN.search(text)} == {}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_rulebooks_have_the_quotes_and_dashes_of_a_book(name: str, lang: str) -> None:
    lines = rulebook(GAMES[name], lang).splitlines()
    assert [line for line in lines if TYPEWRITTEN.search(re.sub(r"`[^`]*`", "", line))] == []


# Sentences that are the same in English by chance: their keys have different uses, and may differ in other languages.
SAME_BY_CHANCE = {
    frozenset(("refusal.game.over", "table.over")): "every error code has a sentence of its own",
    frozenset(("refusal.action.unknown_seat", "refusal.setup.bot_seat")): "every error code has a sentence of its own",
    frozenset(("terminal.question", "phase.propose.question")): "the first is for phases without a question",
    frozenset(("narration.table.wolves_close", "narration.night.wolves_close")): "a line of the script has one key",
    frozenset(("card.seen", "secret.inspection_shown_is_wolf")): "what a Wolf knows, and what the Seer learns",
    frozenset(("event.night_ended_no_killed", "narration.dawn.nobody")): "told by a program, and read out by a person",
}
WORDS = 3  # shorter texts are labels, which are often the same by chance


@pytest.mark.parametrize("name", GAMES)
def test_a_sentence_exists_once(name: str) -> None:
    """Among the catalogues that a game chains; the blanks of a sentence may be named differently."""
    keys: dict[str, set[str]] = defaultdict(set)
    for package in (*GAMES[name].text, SHELL):
        for key, text in read_sentences(package, "en").items():
            if len(text.split()) >= WORDS:
                keys[BLANK.sub("{{}}", text)].add(key)
    twice = {text: same for text, same in keys.items() if len(same) > 1 and frozenset(same) not in SAME_BY_CHANCE}
    assert twice == {}


def test_exceptions_are_needed() -> None:
    said: dict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        for key, text in read_sentences(package, "en").items():
            said[key].add(BLANK.sub("{{}}", text))
    assert all(set.intersection(*(said[key] for key in same)) for same in SAME_BY_CHANCE)
    assert all(TYPEWRITTEN.search(text) for key in LITERAL for text in said[key])
