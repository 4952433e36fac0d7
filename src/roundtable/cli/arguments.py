"""What several commands ask for: the game, its seats, its house rules, its seed."""

from __future__ import annotations

import argparse
import hashlib
import re
import secrets
from typing import TYPE_CHECKING

from roundtable.cli.printing import aside
from roundtable.core.catalogue import SOURCE, catalogue, languages
from roundtable.core.errors import SetupError, shown
from roundtable.games import GAMES

if TYPE_CHECKING:
    from roundtable.core.setup import Setup

SEED_BYTES = 32
LONGEST_THOUGHT = 86_400  # seconds


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=" or ".join(GAMES))


def add_seats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seats", type=int, required=True, metavar="N", help="number of players")


def add_options(parser: argparse.ArgumentParser, such_as: str = "countdown_seconds=90") -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"a house rule, such as {such_as}; may be given more than once",
    )


def add_bots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bots",
        metavar="NAME",
        help="which bot plays: easy, fair, strong, careful (the default), random, or an installed one",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        metavar="SEED",
        help="64 hex digits, or any text, that decides the whole game; random by default",
    )


def add_seconds(parser: argparse.ArgumentParser, default: float) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=default,
        metavar="S",
        help=f"how long a program may think about a question; {default:g} by default",
    )


def require_seconds(seconds: float) -> None:
    if not 0.001 <= seconds <= LONGEST_THOUGHT:
        raise SetupError("setup/option", "seconds", most=LONGEST_THOUGHT)


def seed_from(text: str | None) -> bytes:
    """64 hex digits are a seed as they stand, any other text is hashed to one, and without any it is drawn."""
    if text is None:
        return secrets.token_bytes(SEED_BYTES)
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    return hashlib.sha256(text.encode(errors="surrogateescape")).digest()


def add_lang(parser: argparse.ArgumentParser, help: str = "the language", default: str = SOURCE) -> None:
    parser.add_argument("--lang", default=default, metavar="LANG", help=f"{help}: {' or '.join(languages())}")


def chosen_setup(arguments: argparse.Namespace, seats: int, lang: str = SOURCE) -> Setup:
    """The table that was asked for; what a person should know about it goes to standard error."""
    from roundtable.games import make_setup, spec_named

    setup = make_setup(arguments.game, seats, dict(_read_option(text) for text in arguments.option))
    words = catalogue(lang, spec_named(setup.game).text)
    for notice in setup.notices():
        aside(words.text("dealer.note", notice=notice.text(words)))
    return setup


def _read_option(text: str) -> tuple[str, str]:
    name, equals, chosen = text.partition("=")
    if not equals:
        raise SetupError("setup/option", "syntax", found=shown(text))
    return name.strip().replace("-", "_"), chosen.strip()
