#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Deals secret roles for a game of THavalon to 5 to 10 people around a table.

    python3 thavalon.py Alice Bob Charlie Dave Eve

Name the players in the order in which they sit. This creates a folder `game` with a file for each player, which
contains their role and what they know; `start`, with the player who proposes first; and `DoNotOpen`, with everyone's
role, for after the game. All players open their own file, alone, and close it again.

    python3 thavalon.py An Bình Châu Dũng Hà --lang vi    cards and messages in Vietnamese
    python3 thavalon.py --help                            the other options

This file needs Python 3.11 or newer and nothing else. It is generated: `make dist` of Round Table 0.1.0 builds it
with tools/single_file.py. MODULES holds modules of the package `roundtable`, word for word, and CATALOGUES the
sentences that they can say. Change those in the project, not here.
"""

# MIT License
#
# Copyright (c) 2026 The Round Table maintainers
#
# Permission is hereby granted, free of charge, to any person obtaining a copy
# of this software and associated documentation files (the "Software"), to deal
# in the Software without restriction, including without limitation the rights
# to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
# copies of the Software, and to permit persons to whom the Software is
# furnished to do so, subject to the following conditions:
#
# The above copyright notice and this permission notice shall be included in all
# copies or substantial portions of the Software.
#
# THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
# IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
# FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
# AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
# LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
# OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
# SOFTWARE.

import sys

if sys.version_info < (3, 11):
    sys.exit("thavalon.py needs Python 3.11 or newer, and this is Python %d.%d." % sys.version_info[:2])

import importlib.abc
import importlib.util

MODULES = {}
CATALOGUES = {}
PACKAGES = {
    "roundtable",
    "roundtable.cli",
    "roundtable.core",
    "roundtable.dealer",
    "roundtable.games",
    "roundtable.games.quests",
    "roundtable.games.quests.text",
    "roundtable.games.thavalon",
    "roundtable.games.thavalon.text",
    "roundtable.text",
}


MODULES["roundtable"] = r'''"""Round Table: hidden-role games, dealt, played and studied."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roundtable.bots import Dice, RandomBot, play_out
    from roundtable.core.errors import IllegalAction, RoundTableError, SetupError
    from roundtable.core.play import Play, replay
    from roundtable.core.seats import CLOCK, HOST, SPECTATOR
    from roundtable.games import GAMES, make_setup, new_game, open_table

__version__ = "0.1.0"

__all__ = [
    "CLOCK",
    "GAMES",
    "HOST",
    "SPECTATOR",
    "Dice",
    "IllegalAction",
    "Play",
    "RandomBot",
    "RoundTableError",
    "SetupError",
    "make_setup",
    "new_game",
    "open_table",
    "play_out",
    "replay",
]

# Where each name lives. They are fetched when they are first asked for, so that the command answers at once.
_HOMES = {
    "roundtable.bots": ("Dice", "RandomBot", "play_out"),
    "roundtable.games": ("GAMES", "make_setup", "new_game", "open_table"),
    "roundtable.core.errors": ("IllegalAction", "RoundTableError", "SetupError"),
    "roundtable.core.play": ("Play", "replay"),
    "roundtable.core.seats": ("CLOCK", "HOST", "SPECTATOR"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"roundtable has no {name!r}")
'''

MODULES["roundtable.cli"] = r'''"""The command of this file."""
'''

MODULES["roundtable.cli.arguments"] = r'''"""What several commands ask for: the game, its seats, its house rules, its seed."""

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
'''

MODULES["roundtable.cli.deal"] = r'''"""`roundtable deal`, and `thavalon.py`: cards for people at a real table, each in a file of its own."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from roundtable.cli.arguments import add_game, add_lang, add_options, add_seed, chosen_setup, seed_from
from roundtable.cli.printing import aside, say, settle
from roundtable.cli.typed import Parser
from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.errors import RoundTableError, SetupError
from roundtable.core.languages import language_named, language_or_english

if TYPE_CHECKING:
    from roundtable.dealer import Dealt

REFUSED = 2
STOPPED = 130


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "deal",
        help="deal roles for an in-person game, each card in its own file",
        description="Deal a game to people by name, in the order in which they sit. Each finds their card in the file "
        "that bears their name, `start` says how the game begins, and `DoNotOpen` is for after the game.",
    )
    add_game(command)
    add_names(command)
    add_options(command)
    add_places(command)
    command.add_argument(
        "--phones", action="store_true", help="show the cards on the players' phones, by a QR code for each"
    )
    command.add_argument("--host", default="0.0.0.0", help="where phones find the cards; the whole network by default")
    command.add_argument("--port", type=int, default=0, help="of the cards on phones; any that is free by default")
    command.add_argument("--json", action="store_true", help="print one JSON object for programs")
    command.set_defaults(run=run)


def add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", metavar="NAME", nargs="*", default=[], help="the players; put -- before a name with a hyphen in front"
    )


def add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", default="game", help="the folder for the cards (default: game)")
    add_seed(parser)
    add_lang(parser, help="the language of the cards")


def run(arguments: argparse.Namespace) -> int:
    from roundtable.dealer import deal_to, report_of, require_names

    lang = language_named(arguments.lang)
    if arguments.phones and arguments.json:
        raise SetupError("setup/option", "phones_json")
    require_names(arguments.names)
    setup = chosen_setup(arguments, len(arguments.names), lang)
    folder = Path(arguments.out)
    if arguments.phones:
        from roundtable.cli.deal_phones import run_phones

        return run_phones(arguments, setup, folder, lang)
    dealt = deal_to(folder, setup, arguments.names, seed_from(arguments.seed), lang)
    say(as_json(arguments.game, dealt) if arguments.json else report_of(dealt, folder, lang), lang)
    return 0


def as_json(game: str, dealt: Dealt) -> str:
    from roundtable.dealer import SEED_PAPER, SPOILER, START

    return json.dumps(
        {
            "game": game,
            "folder": str(dealt.folder),
            "cards": [{"seat": seat, "name": name, "file": name} for seat, name in enumerate(dealt.names)],
            "start": START,
            "spoiler": SPOILER,
            "seed_paper": SEED_PAPER,
            "commitment": dealt.commitment,
        }
    )


def deal_thavalon(argv: Sequence[str] | None = None) -> int:
    """The whole of `thavalon.py`: names, and a few options in any order (T25)."""
    parser = Parser(
        prog="thavalon.py",
        description="Deal THavalon to 5 to 10 players, named in the order in which they sit. Each finds their role in "
        "the file that bears their name, `start` names the first proposer, and `DoNotOpen` is for after the game.",
        epilog="Example: python3 thavalon.py Alice Bob Charlie Dave Eve",
    )
    add_names(parser)
    add_options(parser, such_as="nine_evil=4")
    add_places(parser)
    lang = SOURCE
    try:
        arguments = parser.parse_args(argv)
        lang = language_or_english(arguments.lang)
        arguments.game, arguments.json, arguments.phones = "thavalon", False, False
        return run(arguments)
    except RoundTableError as refused:
        aside(f"thavalon.py: {refused.text(lang)}")
        return REFUSED
    except KeyboardInterrupt:
        aside(f"\nthavalon.py: {catalogue(lang).text('command.stopped')}")
        return STOPPED
    finally:
        settle()
'''

MODULES["roundtable.cli.letters"] = r'''"""Letters that a terminal does not have are escaped, so that no name stops a game."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def escape_missing_letters() -> None:
    """From now on what cannot be printed becomes \\u1ec5, and what cannot be read becomes a question mark."""
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def has_every_letter() -> bool:
    """Whether all of Unicode can be printed as it is."""
    return getattr(sys.stdout, "encoding", "").casefold().startswith("utf")
'''

MODULES["roundtable.cli.printing"] = r'''"""Printing, also to a closed pipe, a full disk, or an encoding that lacks letters."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

from roundtable.cli.letters import has_every_letter
from roundtable.core.catalogue import catalogue
from roundtable.core.names import is_unprintable


def say(text: str, lang: str) -> None:
    """Print what has been done. That cannot be taken back, so its report does not fail: at worst it goes unread."""
    out = sys.stdout
    if out is None:  # closed before we began
        return
    encoding = out.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader has seen enough
        discard_output()
    except OSError as broken:
        discard_output()
        aside(catalogue(lang).text("command.unreported", reason=broken.strerror))


def show(text: str) -> None:
    """Print; where the output's own encoding lacks a Vietnamese letter, as UTF-8."""
    out = sys.stdout
    if out is None:
        return
    try:
        text.encode(out.encoding or "utf-8")
    except UnicodeEncodeError:
        if isinstance(out, TextIOWrapper):
            out.reconfigure(encoding="utf-8")
    print(text)


def json_line(value: object) -> str:
    """JSON in one line, in letters that every terminal can print without being moved or coloured."""
    text = json.dumps(value, ensure_ascii=not has_every_letter())
    return "".join(f"\\u{ord(sign):04x}" if is_unprintable(sign) else sign for sign in text)


def aside(text: str) -> None:
    """Print to standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(text, file=sys.stderr)


def flush() -> None:
    """Whatever is still to be printed fails now, if it fails at all, and not when Python ends."""
    if sys.stdout is not None:
        sys.stdout.flush()


def settle() -> None:
    """Nothing is left to be printed, so that Python can end quietly."""
    try:
        flush()
    except (OSError, ValueError):
        discard_output()


def discard_output() -> None:
    """Whatever else is printed goes nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
'''

MODULES["roundtable.cli.typed"] = r'''"""What was typed at a command; whatever cannot be read gets one sentence: what was wrong, and what would be right."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from roundtable.core.catalogue import SOURCE, catalogue
from roundtable.core.errors import shown
from roundtable.core.languages import language_or_english

USAGE_ERROR = 2
LONGEST_PART = 160

# What argparse complains about, and the key of the sentence that we say.
COMPLAINTS = (
    (r"the following arguments are required: (?P<what>.+)", "command.required"),
    (r"unrecognized arguments: (?P<what>.+)", "command.unknown"),
    (r"argument (?P<what>\S+): invalid int value: (?P<typed>.+)", "command.whole_number"),
    (r"argument (?P<what>\S+): invalid positive_number value: (?P<typed>.+)", "command.positive_number"),
    (r"argument (?P<what>\S+): invalid float value: (?P<typed>.+)", "command.number"),
    (r"argument (?P<what>\S+): invalid choice: (?P<typed>.+) \(choose from (?P<known>.+)\)", "command.choice"),
    (r"argument (?P<what>\S+): expected one argument", "command.no_value"),
    (r"argument (?P<what>\S+): ignored explicit argument (?P<typed>.+)", "command.no_value_taken"),
    (r"ambiguous option: (?P<what>.+) could match (?P<known>.+)", "command.ambiguous"),
)


class Parser(argparse.ArgumentParser):
    """Parses a command line. A subcommand refuses unknown arguments itself, so that its own usage is shown."""

    _typed: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        sentence = sentence_for(self.prog, " ".join(message.split()), language_in(self._typed))
        self.exit(USAGE_ERROR, f"{self.prog}: {sentence}\n")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        self._typed = typed = list(sys.argv[1:] if args is None else args)
        takes_names = any(action.dest == "names" for action in self._actions)
        read = self._read_names if takes_names else super().parse_known_args
        arguments, unknown = read(typed, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {', '.join(map(shown, unknown))}")
        return arguments, []

    def _read_names(self, typed: list[str], namespace: Any) -> tuple[argparse.Namespace, list[str]]:
        """Names may stand before, between and behind the options; after -- all are names, whatever they look like."""
        plain = typed.index("--") if "--" in typed else len(typed)
        arguments, rest = super().parse_known_args(typed[:plain], namespace)
        more = [word for word in rest if not word.startswith("-")]
        arguments.names = [*arguments.names, *more, *typed[plain + 1 :]]
        return arguments, [word for word in rest if word.startswith("-")]


def language_in(typed: Sequence[str]) -> str:
    """The language that is asked for among arguments that could not be read."""
    for place, word in enumerate(typed):
        name, _, lang = word.partition("=")
        if name == "--lang":
            return language_or_english(lang or " ".join(typed[place + 1 : place + 2]))
    return SOURCE


def sentence_for(prog: str, complaint: str, lang: str = SOURCE) -> str:
    words = catalogue(lang)
    for pattern, key in COMPLAINTS:
        if found := re.fullmatch(pattern, complaint):
            parts: dict[str, Any] = {name: shortened(part) for name, part in found.groupdict().items()}
            return words.text(key, prog=prog, **parts)
    return words.text("command.other", complaint=complaint[:1].upper() + complaint[1:], prog=prog)


def shortened(part: str) -> str:
    return part if len(part) <= LONGEST_PART else part[:LONGEST_PART] + "…"
'''

MODULES["roundtable.core"] = r'''"""What every hidden-role game shares: seats, events with an audience, options, phases, outcomes, replay."""
'''

MODULES["roundtable.core.actions"] = r'''"""What can be asked for at any table, whatever is played there."""

from __future__ import annotations

from typing import ClassVar

from roundtable.core.values import Uncached, Value, sealed, value


@value
class Action(Value):
    """Something a seat, the host, the clock or the table itself asks for."""


@value
class Move(Action):
    """A player's action in the game. It names the phase it answers, so a late vote never answers the next question."""

    gives_up: ClassVar[bool] = False
    """Whether the move gives the game up; bots and learners leave such moves out."""

    phase: int


@value
class OpenTable(Action):
    pass


@value
class Contribute(Action, metaclass=Uncached):
    """Stir the deal with 16 to 64 bytes of one's own, as hex digits (C1)."""

    entropy: str


@value
class DealRoles(Action):
    """Deal. `chosen` says that the deal was given to the table and not drawn from its seed."""

    chosen: bool = False


@value
class Expire(Action):
    """Time is up for a phase."""

    phase: int


@value
class Say(Action, metaclass=Uncached):
    channel: str
    text: str = sealed()


@value
class Remark(Action):
    """A claim or a short remark out of the phrase book, with the seat and the word that belong to it."""

    channel: str
    phrase: str
    about: int | None
    word: str | None


@value
class AskCountdown(Action):
    """A seat's wish to put a countdown on the current phase (C6)."""

    phase: int


@value
class StartCountdown(Action):
    """The host's countdown on the current phase (C6)."""

    phase: int
    seconds: int


@value
class Pause(Action):
    pass


@value
class Resume(Action):
    pass


@value
class Extend(Action):
    """The host gives the current phase more time."""

    phase: int
    seconds: int


@value
class AskCallOff(Action):
    """A seat's wish to end the game without a winner (C7)."""


@value
class CallOff(Action):
    """The host ends the game without a winner (C7)."""


@value
class AnnounceOutcome(Action):
    """The host says how a game ended that was dealt here and played elsewhere: the winner and the reason (C7)."""

    winner: str | None
    reason: str


COMMON_ACTIONS: tuple[type[Action], ...] = (
    OpenTable,
    Contribute,
    DealRoles,
    Expire,
    Say,
    Remark,
    AskCountdown,
    StartCountdown,
    Pause,
    Resume,
    Extend,
    AskCallOff,
    CallOff,
    AnnounceOutcome,
)
'''

MODULES["roundtable.core.arguments"] = r'''"""What is passed to a public function is of the declared kind, or refused in our own words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar, get_type_hints

from roundtable.core.errors import Unreadable, shown
from roundtable.core.kinds import check_of, kind_name

P = ParamSpec("P")
T = TypeVar("T")

REST = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse arguments of another kind than the function declares. For rare calls: binding takes time."""
    bind = signature(function).bind

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        kinds = _kinds(function)
        for name, passed in bind(*args, **kwargs).arguments.items():
            if name in kinds:
                require(f"{function.__qualname__}({name})", kinds[name], passed)
        return function(*args, **kwargs)

    return call


def require(place: str, kind: Any, passed: object) -> None:
    """`Unreadable` where this is not of the kind that belongs there."""
    if not check_of(kind)(passed):
        raise Unreadable("text/unreadable", "field", field=place, expected=kind_name(kind), found=shown(passed))


@cache
def _kinds(function: Callable[..., Any]) -> dict[str, Any]:
    """The declared kinds by name; read when they are first needed, since a module may not be complete before."""
    hints = get_type_hints(function)
    named = [one.name for one in signature(function).parameters.values() if one.kind not in REST]
    return {name: hints[name] for name in named if name in hints}
'''

MODULES["roundtable.core.catalogue"] = r'''"""Catalogues of sentences in i18next JSON v4: read, chained and filled with the standard library alone.

    {"team": {"picked_one": "{{count}} player picked", "picked_other": "{{count}} players picked"}}

    catalogue.text("team.picked", count=2)     ->  2 players picked

Keys are nested objects joined by dots. `{{name}}` is filled with a value. A key is looked up with its context and its
plural category first (`key_context_one`, then `key_context`, then `key_one`, then `key`), as i18next does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

SHELL = "roundtable.text"  # the package with what belongs to no game
SOURCE = "en"  # the language that every key is in
BLANK = re.compile(r"\{\{\s*(\w+)\s*\}\}")

Plural = Callable[[int], str]


def _one_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _zero_one_other(count: int) -> str:
    return "one" if count in (0, 1) else "other"


def _other(count: int) -> str:
    return "other"


def _east_slavic(count: int) -> str:
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


def _polish(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


def _czech(count: int) -> str:
    return "one" if count == 1 else "few" if count in (2, 3, 4) else "other"


# CLDR's plural categories of whole numbers; a language that is not listed has `one` and `other`, as English has.
PLURALS: dict[str, Plural] = {
    **dict.fromkeys(("id", "ja", "ko", "ms", "th", "vi", "zh"), _other),
    **dict.fromkeys(("fr", "hy", "pt"), _zero_one_other),
    **dict.fromkeys(("be", "ru", "uk"), _east_slavic),
    **dict.fromkeys(("cs", "sk"), _czech),
    "pl": _polish,
}


class Catalogue:
    """The sentences of one language, by key."""

    def __init__(self, lang: str, sentences: Mapping[str, str], fallback: Catalogue | None = None) -> None:
        self.lang = lang
        self.sentences = sentences
        self._fallback = fallback
        self._plural = PLURALS.get(lang.split("-")[0], _one_other)

    def __contains__(self, key: str) -> bool:
        return key in self.sentences or (self._fallback is not None and key in self._fallback)

    def text(self, key: str, /, *, context: str = "", count: int | None = None, **values: object) -> str:
        """The sentence of a key with its blanks filled; `KeyError` where the catalogue has none."""
        found = self.find(key, context=context, count=count)
        if found is None:
            raise KeyError(f"There is no {key!r} in the {self.lang!r} catalogue.")
        if count is not None:
            values["count"] = count
        return BLANK.sub(lambda blank: str(values[blank[1]]), found) if "{{" in found else found

    def find(self, key: str, *, context: str = "", count: int | None = None) -> str | None:
        """The sentence of a key with its blanks unfilled, or None."""
        plural = "" if count is None else f"_{self._plural(count)}"
        named = f"_{context}" if context else ""
        for form in (key + named + plural, key + named, key + plural, key):
            if form in self.sentences:
                return self.sentences[form]
        return self._fallback.find(key, context=context, count=count) if self._fallback else None


def flat(nested: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Nested objects as keys with dots."""
    for name, part in nested.items():
        key = f"{above}.{name}" if above else name
        if isinstance(part, Mapping):
            yield from flat(part, key)
        else:
            yield key, part


@lru_cache(maxsize=64)
def read_sentences(package: str, lang: str) -> Mapping[str, str]:
    """What one package says in one language; nothing where it has no such file."""
    file = files(package).joinpath(f"{lang}.json")
    if not file.is_file():
        return {}
    return dict(flat(json.loads(file.read_text(encoding="utf-8"))))


@lru_cache(maxsize=64)
def catalogue(lang: str = SOURCE, packages: tuple[str, ...] = ()) -> Catalogue:
    """The catalogues of these packages in one language, the first before the next, and the shell's after them.

    What a language lacks is said in English, so that a translation can grow.
    """
    chained: dict[str, str] = {}
    for package in reversed((*packages, SHELL)):
        chained.update(read_sentences(package, lang))
    return Catalogue(lang, chained, None if lang == SOURCE else catalogue(SOURCE, packages))


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The languages that the shell is translated into, English first."""
    found = sorted(file.name.removesuffix(".json") for file in files(SHELL).iterdir() if file.name.endswith(".json"))
    return (SOURCE, *(lang for lang in found if lang != SOURCE))


def listed(words: Sequence[str], catalogue: Catalogue, context: str = "") -> str:
    """`Alice, Bob and Eve`, with the language's own `and`, and its own word for an empty list.

    In the context `or` it is `Alice, Bob or Eve`.
    """
    match words:
        case []:
            return catalogue.text("list.none")
        case [only]:
            return only
        case [*most, last]:
            return catalogue.text(
                "list.more", context=context, most=catalogue.text("list.separator").join(most), last=last
            )
    raise AssertionError


def word_key(word: str) -> str:
    """The key of a game's own word (a role, a side, a card): `word.minion_of_mordred`."""
    return f"word.{as_key(word)}"


def role_key(role: str, about: str) -> str:
    """The key of something about a role: `role.minion_of_mordred.power`."""
    return f"role.{as_key(role)}.{about}"


def refusal_key(code: str) -> str:
    """The key of the sentence for an error's code: `refusal.names.sign`."""
    return f"refusal.{code.replace('/', '.')}"


def as_key(word: str) -> str:
    """A game's own word as a part of a key, or as a context: `minion_of_mordred`."""
    return re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")
'''

MODULES["roundtable.core.chance"] = r'''"""Randomness that can be checked afterwards: everything follows from one seed by HMAC-SHA-256 (C1).

docs/fair-deals.md writes the derivation down for people who want to redo it; tests/vectors holds its test vectors.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from roundtable.core.arguments import checked

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 4
_WORDS = 1 << (8 * _WORD)


class Chance(Protocol):
    """A source of uniform whole numbers."""

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        ...


@checked
def commitment_to(seed: bytes) -> str:
    """What a table shows before the deal: it fixes the seed and tells nothing about it."""
    return hmac.digest(seed, b"roundtable/1/commitment", "sha256").hex()


def deal_key(seed: bytes, agreed: bytes, contributions: Iterable[tuple[int, str]]) -> bytes:
    """The key of all randomness at a table: the seed, the setup, and what the players contributed."""
    joined = "".join(f"{seat}:{entropy.lower()}\n" for seat, entropy in contributions)
    return hmac.digest(seed, b"roundtable/1/key\n" + agreed + b"\n" + joined.encode(), "sha256")


class Stream:
    """The keyed stream of one label: blocks of HMAC(key, label/number), read four bytes at a time."""

    __slots__ = ("_block", "_key", "_label", "_left")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._left = b""

    def below(self, bound: int) -> int:
        if not 0 < bound <= _WORDS:
            raise ValueError(f"A bound lies from 1 to {_WORDS}, and {bound} does not.")
        fair = _WORDS - _WORDS % bound  # a word beyond the last whole multiple would favour small numbers
        while True:
            word = self._word()
            if word < fair:
                return word % bound

    def _word(self) -> int:
        if not self._left:
            self._left = hmac.digest(self._key, f"{self._label}/{self._block}".encode(), "sha256")
            self._block += 1
        word, self._left = self._left[:_WORD], self._left[_WORD:]
        return int.from_bytes(word, "big")


def pick(chance: Chance, choices: Sequence[T]) -> T:
    return choices[chance.below(len(choices))]


def shuffled(chance: Chance, items: Iterable[T]) -> list[T]:
    """Fisher and Yates, from the last place down."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = chance.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def draw(chance: Chance, items: Sequence[T], count: int) -> list[T]:
    """`count` different items, every selection equally likely."""
    pool = list(items)
    return [pool.pop(chance.below(len(pool))) for _ in range(count)]
'''

MODULES["roundtable.core.codec"] = r'''"""Values as JSON and back: one encoding for each value, so equal records are equal bytes (C3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

from roundtable.core.errors import Unreadable, shown
from roundtable.core.kinds import field_types, is_whole_number, kind_name
from roundtable.core.seats import EVERYONE, Everyone
from roundtable.core.setup import Setup
from roundtable.core.values import Uncached, unchecked_constructor

T = TypeVar("T")
LONGEST_FOUND = 60  # characters of a refused value that are shown
Read = Callable[[Any], Any]  # what JSON was loaded to -> the value that it encodes


def encode(value: object) -> bytes:
    """Canonical JSON in UTF-8: sorted keys, no blanks, sets in order."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@lru_cache(maxsize=256)
def agreed_bytes(setup: Setup) -> bytes:
    """What a table agreed on, as it enters the deal (C1)."""
    return encode(setup)


def plain(value: object) -> Any:
    """A value as JSON knows it."""
    kind = value.__class__
    if kind in _AS_IT_IS:
        return value
    if kind is tuple or kind is list:
        return [plain(item) for item in value]  # type: ignore[attr-defined]
    if kind is frozenset:
        return sorted(plain(item) for item in value)  # type: ignore[attr-defined]
    encode_as = _ENCODERS.get(kind) or _ENCODERS.setdefault(kind, _encoder_of(kind))
    return encode_as(value)


_AS_IT_IS = frozenset((str, int, bool, float, NoneType))


_ENCODERS: dict[type, Callable[[Any], Any]] = {}


def _encoder_of(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Everyone):
        return lambda value: "everyone"
    if issubclass(kind, tuple):  # a named tuple
        names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
        return lambda value: {name: plain(part) for name, part in zip(names, value, strict=True)}
    if issubclass(kind, Mapping):
        return lambda value: {str(plain(key)): plain(part) for key, part in value.items()}
    if is_dataclass(kind):
        tag: dict[str, Any] = {"is": kind.__name__}
        parts = tuple(part.name for part in fields(kind))
        if issubclass(kind, Setup):
            return _encoding_of_setup(kind, parts)
        return lambda value: {**tag, **{name: plain(getattr(value, name)) for name in parts}}
    raise TypeError(f"{kind.__name__} is no value of a table.")


def _encoding_of_setup(kind: type[Setup], parts: tuple[str, ...]) -> Callable[[Any], Any]:
    tag = {"is": kind.__name__, "game": kind.game, "rules_version": kind.rules_version}
    added = kind.added_options()

    def encoded(setup: Any) -> Any:
        chosen = {name: getattr(setup, name) for name in parts}
        said = {name: plain(part) for name, part in chosen.items() if name not in added or part != added[name]}
        return {**tag, **said}

    return encoded


class Codec:
    """Reads the values of one game back; anything else is `Unreadable`, never a guess."""

    def __init__(self, vocabulary: Iterable[type]) -> None:
        self._kinds = {kind.__name__: kind for kind in vocabulary}
        self._readers: dict[Any, Read] = {}  # a kind is taken apart once; a thousand rooms are read after a restart
        self._built: dict[type, Read] = {}

    def decode(self, kind: type[T], text: bytes | str) -> T:
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as broken:
            raise Unreadable("text/unreadable", "json", found=shown(text[:40])) from broken
        return self.read(kind, loaded)

    def read(self, kind: type[T], loaded: Any) -> T:
        """The value of that kind that this JSON encodes."""
        value: T = self._reader(kind)(loaded)
        return value

    def _reader(self, kind: Any) -> Read:
        return self._readers.get(kind) or self._readers.setdefault(kind, self._make_reader(kind))

    def _make_reader(self, kind: Any) -> Read:
        if kind is int:
            return lambda loaded: loaded if is_whole_number(loaded) else _fail("int", loaded)
        if kind in (str, bool):
            return lambda loaded: loaded if type(loaded) is kind else _fail(kind.__name__, loaded)
        if kind is NoneType:
            return lambda loaded: None if loaded is None else _fail("null", loaded)
        if kind is Everyone:
            return lambda loaded: EVERYONE if loaded == "everyone" else _fail("everyone", loaded)
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return self._reader_of_union(kind, inner)
        if origin is Literal:
            words = {(type(word), word): word for word in inner}
            expected = list(map(repr, inner))
            return lambda loaded: loaded if _is_among(words, loaded) else _fail(expected, loaded)
        if origin is not None:
            return self._reader_of_list(kind, origin, inner)
        if issubclass(kind, Enum):
            members = {(type(member.value), member.value): member for member in kind}
            either = [str(member.value) for member in kind]
            return lambda loaded: members[type(loaded), loaded] if _is_among(members, loaded) else _fail(either, loaded)
        return self._built_from(kind) if issubclass(kind, tuple) else self._reader_of_named(kind)

    def _reader_of_union(self, kind: Any, inner: tuple[Any, ...]) -> Read:
        """Of the kinds that a union allows, those that JSON of this type can encode are tried."""
        rest = [one for one in inner if one is not NoneType]
        if len(rest) == 1:
            read_one = self._reader(rest[0])
            return lambda loaded: None if loaded is None else read_one(loaded)
        readers = [(_json_type(one), self._reader(one)) for one in inner]

        def read(loaded: Any) -> Any:
            for json_type, read_one in readers:
                if json_type is None or type(loaded) is json_type:
                    try:
                        return read_one(loaded)
                    except Unreadable:
                        continue
            return _fail(kind_name(kind), loaded)

        return read

    def _reader_of_list(self, kind: Any, origin: Any, inner: tuple[Any, ...]) -> Read:
        readers = [self._reader(one) for one in inner if one is not Ellipsis]
        first, many = readers[0], len(readers)
        is_open = origin is frozenset or (origin is tuple and len(inner) == 2 and inner[1] is Ellipsis)

        def read(loaded: Any) -> Any:
            if not isinstance(loaded, list):
                return _fail("list", loaded)
            if is_open:
                return origin(map(first, loaded))
            if origin is tuple and len(loaded) == many:
                return tuple(one(item) for one, item in zip(readers, loaded, strict=True))
            return _fail(kind_name(kind), loaded)

        return read

    def _reader_of_named(self, kind: type) -> Read:
        """A value says itself which of the kinds it is."""

        def read(loaded: Any) -> Any:
            if not isinstance(loaded, dict):
                return _fail(kind.__name__, loaded)
            named = self._kinds.get(str(loaded.get("is")))
            if named is None or not issubclass(named, kind):
                return _fail(kind.__name__, loaded)
            return (self._built.get(named) or self._built.setdefault(named, self._built_from(named)))(loaded)

        return read

    def _built_from(self, kind: Any) -> Read:
        """How a value of exactly this kind is put together from its parts."""
        types = field_types(kind)
        names = kind._fields if issubclass(kind, tuple) else tuple(part.name for part in fields(kind))
        tags = (
            () if issubclass(kind, tuple) else ("is", "game", "rules_version") if issubclass(kind, Setup) else ("is",)
        )
        agreed = (kind.game, kind.rules_version) if issubclass(kind, Setup) else None
        all_names = frozenset((*names, *tags))
        added = {name: plain(part) for name, part in kind.added_options().items()} if issubclass(kind, Setup) else {}
        readers = [(name, self._reader(types[name])) for name in names]
        build: Any = unchecked_constructor(kind) if isinstance(kind, Uncached) else kind

        def read(loaded: Any) -> Any:
            if not isinstance(loaded, dict):
                return _fail(kind.__name__, loaded)
            if agreed and (loaded.get("game"), loaded.get("rules_version")) != agreed:
                return _fail(kind.__name__, loaded, "rules", game=kind.game, version=kind.rules_version)
            parts = _with_defaults(added, loaded) if added else loaded
            if parts.keys() != all_names:
                return _fail(kind.__name__, loaded, "fields", fields=list(names))
            return build(**{name: read_part(parts[name]) for name, read_part in readers})

        return read


def _with_defaults(added: Mapping[str, Any], loaded: Mapping[str, Any]) -> Mapping[str, Any]:
    """An encoded setup with the defaults that it leaves out. One that has them is none: there is one encoding."""
    has_default = any(name in loaded and loaded[name] == default for name, default in added.items())
    return {} if has_default else {**added, **loaded}


def _is_among(words: Mapping[tuple[type, Any], Any], loaded: object) -> bool:
    return isinstance(loaded, str | int | None) and (type(loaded), loaded) in words


def _json_type(kind: Any) -> type | None:
    """The type of JSON that a kind is encoded as; None where it may be more than one."""
    origin = get_origin(kind) or kind
    if origin in (str, int, bool, NoneType):
        return cast("type", origin)
    if origin is Everyone:
        return str
    if origin in (frozenset, tuple):
        return list
    return dict if isinstance(origin, type) and is_dataclass(origin) else None


def _fail(expected: str | list[str], loaded: object, variant: str = "expected", **values: Any) -> Any:
    try:
        found = json.dumps(loaded, default=shown)
    except (TypeError, ValueError, RecursionError):
        found = shown(loaded)
    found = found if len(found) <= LONGEST_FOUND else found[:LONGEST_FOUND] + "…"
    raise Unreadable("text/unreadable", variant, expected=expected, found=found, **values)
'''

MODULES["roundtable.core.conduct"] = r'''"""What members do besides playing: talk, countdowns, pauses and calling the game off (S5, C6, C7)."""

from __future__ import annotations

import unicodedata
from typing import Any, NoReturn

from roundtable.core import actions as ask
from roundtable.core import events as happened
from roundtable.core.actions import Action
from roundtable.core.errors import IllegalAction
from roundtable.core.game import Transition
from roundtable.core.names import has_too_many_marks, is_unprintable
from roundtable.core.options import name_of
from roundtable.core.seats import EVERYONE, HOST, Audience
from roundtable.core.state import TableState

LONGEST_LINE = 500
LONGEST_TIME = 86_400  # seconds
MOST_MARKS = 6  # combining marks on one letter of a line: Burmese and Tibetan need more than a name may have


def refuse(code: str, variant: str = "", /, **values: Any) -> NoReturn:
    raise IllegalAction(code, variant, **values)


def conduct(now: Transition[Any], actor: int, action: Action) -> None:
    """What follows from an action that is no move of the game."""
    state: TableState = now.state
    if state.outcome is not None and not isinstance(action, ask.Say | ask.Remark):
        refuse("game/over")
    is_host = actor == HOST
    match action:
        case ask.Say(channel=channel, text=text) if not is_host:
            say(now, actor, channel, text)
        case ask.Remark() if not is_host:
            remark(now, actor, action)
        case ask.AskCountdown(phase=phase) if not is_host:
            require_no_clock(state, phase)
            if actor not in state.wants_countdown:
                now.emit(happened.CountdownAsked(audience=EVERYONE, seat=actor))
            if 2 * len(now.state.wants_countdown) > state.setup.seats:
                start_countdown(now, state.setup.countdown_seconds)
        case ask.StartCountdown(phase=phase, seconds=seconds) if is_host:
            require_no_clock(state, phase)
            require_seconds(seconds)
            start_countdown(now, seconds)
        case ask.Pause() if is_host:
            if not state.is_paused:
                now.emit(happened.ClockPaused(audience=EVERYONE))
        case ask.Resume() if is_host:
            if state.is_paused:
                now.emit(happened.ClockResumed(audience=EVERYONE))
        case ask.Extend(phase=phase, seconds=seconds) if is_host:
            require_phase(state, phase)
            require_seconds(seconds)
            if not state.has_clock:
                refuse("action/no_clock", "extend", phase=phase)
            now.emit(happened.ClockExtended(audience=EVERYONE, seconds=seconds))
        case ask.AskCallOff() if not is_host:
            if actor not in state.wants_call_off:
                now.emit(happened.CallOffAsked(audience=EVERYONE, seat=actor))
            if 2 * len(now.state.wants_call_off) > state.setup.seats:
                now.end(None, "called_off")
        case ask.CallOff() if is_host:
            now.end(None, "called_off")
        case ask.AnnounceOutcome(winner=winner, reason=reason) if is_host:
            announce(now, winner, reason)
        case _:
            refuse("action/not_now", action=name_of(type(action)))


def announce(now: Transition[Any], winner: str | None, reason: str) -> None:
    """C7: a game that was played away from the screen ends as the host says."""
    if (winner, reason) not in now.announceable:
        endings = [ending for side, ending in now.announceable if side == winner]
        refuse("action/not_allowed", "outcome", endings=endings)
    if winner is not None and now.state.phase.number == 0:
        refuse("game/not_dealt")
    now.end(winner, reason)


def start_countdown(now: Transition[Any], seconds: int) -> None:
    """C6: a countdown also ends a pause, so that no player can hold up the table."""
    if now.state.is_paused:
        now.emit(happened.ClockResumed(audience=EVERYONE))
    now.emit(happened.CountdownStarted(audience=EVERYONE, seconds=seconds))


def hearers(state: TableState, seat: int, channel: str) -> Audience:
    """Who hears what this seat says in a channel, if it may speak there."""
    floor = state.floors.get(channel)
    if floor is None or seat not in floor.speakers:
        open_to_you = sorted(name for name, floor in state.floors.items() if seat in floor.speakers)
        refuse("talk/closed", channels=open_to_you)
    return floor.hearers


def remark(now: Transition[Any], seat: int, said: ask.Remark) -> None:
    audience = hearers(now.state, seat, said.channel)
    phrase = now.phrases.get(said.phrase)
    unsaid = now.state.setup.unsaid_phrases()
    if phrase is None:
        refuse("talk/text", "phrase", phrases=[name for name in now.phrases if name not in unsaid])
    if said.phrase in unsaid:
        refuse("talk/text", "unsaid", phrase=said.phrase)
    is_seat = said.about is not None and 0 <= said.about < now.state.setup.seats
    if is_seat != phrase.has_seat or (said.about is not None and not is_seat):
        refuse("talk/text", "seat" if phrase.has_seat else "no_seat", phrase=said.phrase)
    if (said.word in now.words) != phrase.has_word or (said.word is not None and not phrase.has_word):
        refuse("talk/text", "word" if phrase.has_word else "no_word", phrase=said.phrase, words=sorted(now.words))
    now.emit(
        happened.Remarked(
            audience=audience,
            seat=seat,
            channel=said.channel,
            phrase=said.phrase,
            about=said.about,
            word=said.word,
        )
    )


def say(now: Transition[Any], seat: int, channel: str, text: str) -> None:
    audience = hearers(now.state, seat, channel)
    if len(text) > LONGEST_LINE or not is_showable(text):
        refuse("talk/text", most=LONGEST_LINE)
    now.emit(happened.Said(audience=audience, seat=seat, channel=channel, text=text))


def is_showable(text: str) -> bool:
    """Whether there is something to see in a line, and nothing that would change the lines around it."""
    something = any(unicodedata.category(sign) != "Cf" and not sign.isspace() for sign in text)
    is_heap = not text.isascii() and has_too_many_marks(text, MOST_MARKS, MOST_MARKS)
    return something and not is_heap and not any(map(is_unprintable, text))


def require_phase(state: TableState, phase: int) -> None:
    if phase != state.phase.number:
        refuse("action/late", phase=phase, now=state.phase.number)


def require_no_clock(state: TableState, phase: int) -> None:
    require_phase(state, phase)
    if phase == 0:
        refuse("game/not_dealt")
    if state.has_clock:
        refuse("action/not_now", "clock", phase=phase)


def require_seconds(seconds: int) -> None:
    if type(seconds) is not int or not 1 <= seconds <= LONGEST_TIME:
        refuse("action/not_allowed", "seconds", most=LONGEST_TIME)
'''

MODULES["roundtable.core.confusables"] = r'''"""Letters and signs that look like others, by Unicode 17.0.0 (UTS #39).

Generated by tools/confusables.py from Unicode's confusables.txt; that tool says what it leaves out and adds.
"""

# The notice for Unicode's data:
#
# UNICODE LICENSE V3
#
# COPYRIGHT AND PERMISSION NOTICE
#
# Copyright © 2016-2025 Unicode, Inc.
#
# NOTICE TO USER: Carefully read the following legal agreement. BY
# DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES, AND/OR
# SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE
# TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
# DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
#
# Permission is hereby granted, free of charge, to any person obtaining a
# copy of data files and any associated documentation (the "Data Files") or
# software and any associated documentation (the "Software") to deal in the
# Data Files or Software without restriction, including without limitation
# the rights to use, copy, modify, merge, publish, distribute, and/or sell
# copies of the Data Files or Software, and to permit persons to whom the
# Data Files or Software are furnished to do so, provided that either (a)
# this copyright and permission notice appear with all copies of the Data
# Files or Software, or (b) this copyright and permission notice appear in
# associated Documentation.
#
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
# KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
# MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
# THIRD PARTY RIGHTS.
#
# IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
# BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
# OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
# WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
# ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
# FILES OR SOFTWARE.
#
# Except as contained in this notice, the name of a copyright holder shall
# not be used in advertising or otherwise to promote the sale, use or other
# dealings in these Data Files or Software without prior written
# authorization of the copyright holder.

from __future__ import annotations

UNICODE_VERSION = "17.0.0"

# Each line: a model, and what looks like it.
_LINES = """\
\x21 ǃⵑ
\x26 \ua778
\x27 \x60\xb4\u02b9ʻʼʽʾ\u02c8\u02ca\u02cb\u02f4\u0384\u055a\u055d\u05f3\u07f4\u07f5ᑊᛌ\u1fbd\u1fbf\u1ffe\u2018\u2019
\x27 \u201b\u2032\u2035\ua78c\U00016f51\U00016f52
\x27\x27 \x22\u02ba\u02ddˮ\u02f6\u05f2\u05f4\u1cd3\u201c\u201d\u201f\u3003
\x27B Ɓ
\x27D Ɗ
\x27P Ƥ
\x27T Ƭ
\x27Y Ƴ
\x28 \u2768\u2772\u3014\ufd3e\uff3b
\x28\x28 \u2e28
\x29 \u2769\u2773\u3015\ufd3f\uff3d
\x29\x29 \u2e29
\x2a \u066d\u204e\u2217\U0001031f
\x2b \u16ed\u2795\U0001029b\U0001e6e9
\x2c \xb8\u060d\u066b\u201a\ua4f9
\x2d \u02d7\u06d4\u2010\u2012\u2013\u2014\u2015\u2043\u2212\u2796Ⲻⲻ
\x2d\x2e \ua4fe
\x2d\u0307 Ⲳⲳ
\x2e \u0660\u06f0\u0701\u0702\ua4f8\ua60e\U00010a50\U0001d16d
\x2e\x2c \ua4fb
\x2e\x2e \ua4fa
\x2f \u1735\u2041\u2044\u2215\u2571\u27cb\u29f8Ⳇⳇ〳ノ\u31d3\u4e3f\U0001d23a
\x2f\x2f \u2afd
\x2f\x2f\x2f \u2afb
2 ƧϨᒿ\ua644\ua6ef\ua75a\U0001ccf2
2\u0335 ƻ
3 ƷȜЗӠ\u0969\u0ae9ⲜⳄⳌ\ua76a\ua7ab\U000118ca\U00016f3b\U0001ccf3\U0001d206
3\u0326 Ҙ
4 Ꮞ\U000118af\U0001ccf4
4\xb7 ᔰ
5 Ƽ\U000118bb\U0001ccf5
6 ϬбᏮⳒⳓⳜ\U000118d5\U0001ccf6
7 \U000104d2\U000118c6\U0001ccf7\U0001d212
8 Ȣȣ\u09ea\u0a6a\u0b03\U0001031a\U0001ccf8\U0001e8cb
9 \u09ed\u0a67\u0b68\u0d6dⳊⳋ\ua76e\U000118ac\U000118cc\U000118d6\U0001ccf9
\x3a ː\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\ufe30\U00011dd9
\x3c \u02c2ᐸᚲ\u2039\u276e\U0001d236
\x3c\x3c \u226a
\x3c\x3c\x3c \u22d8
\x3c\xb7 ᑅⲴⲵ
\x3d \u1400\u2e40\u30a0\ua4ff
\x3e \u02c3ᐳ\u203a\u276f\U00016f3f\U0001d237
\x3e\x3c \u2aa5
\x3e\x3e \u226b\u2a20
\x3e\x3e\x3e \u22d9
\x3e\xb7 ᑁ
\x3f ɁʔॽᎮ\ua6eb
A ΑАᎪᗅᴀ\ua4ee\uab7a\U000102a0\U00016f40\U0001ccd6
AA \ua732
AE ÆӔ
AO \ua734
AR \U0001f707
AU \ua736
AV \ua738\ua73a
AY \ua73c
B ʙΒВвᏴᏼᗷⲂⲃ\ua4d0\ua7b4\U00010282\U000102a1\U00010301\U0001ccd7
C ϹСᏟᴄⲤ\ua4da\U000102a2\U00010302\U00010415\U0001051c\U000118e9\U000118f2\U0001ccd8\U0001f74c
C\x27 Ƈ
C\u0326 Ҫ
D Ꭰᗞᗪᴅ\ua4d3\uab70\U0001ccd9
D\u0335 ÐĐƉ
E ΕЕᎬᴇ\u22ffⴹ\ua4f0\uab7c\U00010286\U000118a6\U000118ae\U0001ccda
E\u0338 Ɇ
F Ϝᖴ\ua4dd\ua730\ua798\U00010287\U000102a5\U00010525\U000118a2\U000118c2\U0001ccdb\U0001d213
F\u0326 Ƒ
G ɢԌԍᏀᏳᏻ\ua4d6\uab90\U0001ccdc
G\x27 Ɠ
G\u0335 Ǥ
H ʜΗНнᎻᕼⲎⲏ\ua4e7\uab8b\U000102cf\U0001ccdd
H\u0326 ӇӈӉӊ
H\u0329 ҢңⱧ
H\u0335 Ħ
I ƖɪΙІӀⲒ
J ͿЈᎫᒍᴊ\ua4d9\ua7b2\uab7b\U0001ccdf
J\xb7 ᒙ
J\u0335 Ɉ
K ĸΚκКкᏦᛕᴋⲔⲕ\ua4d7\uabb6\U00010518\U0001cce0
K\x27 Ƙ
K\u0329 ҚқⱩ
K\u0335 Ҟҟ\ua740
L ʟԼᏞᒪⳐⳑ\ua4e1\uabae\U0001041b\U00010443\U00010526\U000118a3\U000118b2\U00016f16\U0001cce1\U0001d22a
L\u0338 Ł
M ʍΜϺМмᎷᗰᛖᴍⲘⲙ\ua4df\uab87\U000102b0\U00010311\U0001cce2
MB \U0001f76b
M\u0326 Ӎӎ
N ɴΝⲚⲛ\ua4e0\U00010513\U0001cce3
N\u0326 Ɲ
O ΟОՕ\u07c0ଠ\u0ce6ዐᴏⲞⵔ\u3007\ua4f3\U00010292\U000102ab\U00010404\U000104c2\U00010516\U000118b5\U000118e0\U00011de0
O \U0001cce4\U0001ccf0
O\x27 Ꭴ
OE Œ
OO \ua698\ua74e
O\u0335 ƟΘθѲӨᎾᏫⲐⴱ\ua74a
O\u0338 Øⵁ
P ΡРᏢᑭᴘᴩⲢⳎ\ua4d1\uabb2\U00010295\U0001cce5
P\x27 ᒆ
Q ⵕ\ua7af\U0001cce6
QE \U0001f700
R ƦʀᎡᏒᖇ\ua4e3\uab71\uaba2\U000104b4\U00016f35\U0001cce7\U0001d216
S ЅՏᏕᏚ\ua4e2\ua731\U00010296\U00010420\U00016f3a\U0001cce8
T ΤτТтᎢᴛ\u22a4\u27d9Ⲧⲧ\ua4d4\uab72\U00010297\U000102b1\U00010315\U000118bc\U00016f0a\U0001cce9\U0001f768
T3 \ua728
T\u0328 Ʈ
T\u0329 Ҭҭ
T\u0335 Ŧ
T\u0338 Ⱦ
U Սሀᑌᴜ\u222a\u22c3\ua4f4\U000104ce\U000118b8\U00016f42\U0001ccea
U\x27 ᑧ
U\xb7 ᑘ
U\u0335 ɄᏌ
V Ѵ\u0667\u06f7Ꮩᐯᴠⴸ\ua4e6\ua6df\U0001051d\U000118a0\U00016f08\U0001cceb\U0001d20d
VB \U0001f76c
V\xb7 ᐻ
W ԜᎳᏔᴡ\ua4ea\U000118e6\U000118ef\U0001ccec
X ΧХ\u166dᚷ\u2573Ⲭⵝ\ua4eb\ua7b3\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec\U0001cced
X\u0329 Ҳ
Y ʏΥУҮᎩᎽⲨ\ua4ec\U000102b2\U000118a4\U00016f43\U0001ccee
Y\u0335 ɎҰ
Z ΖᏃᴢ\ua4dc\U000102f5\U000118a9\U000118e5\U0001ccef
Z\u0326 Ȥ
Z\u0335 Ƶ
\x5c \u2216\u27cd\u29f5\u29f9\u31d4\u4e36\U0001d20f\U0001d23b
\x5c\x5c \u244a\u2cf9
\x5e \u02c4\u02c6
\x5f \u07fa
a ɑαа\u237a
aa \ua733
ae æӕ
ao \ua735
au \ua737
av \ua739\ua73b
ay \ua73d
b ƄᏏᑲᖯ\U00016eb6
b\x27 ᒈ
bl Ы
b\xb7 ᑿ
b\u0304 ƂƃБ
b\u0307 ᑳ
b\u0307\xb7 ᒁ
b\u0314 ɓ
b\u0335 ƀѢѣҌҍ
c ϲсငၚⲥ\uabaf\U0001043d
c\u0326 ҫ
c\u0338 ȼ
d ԁᏧᑯ\ua4d2
d\x27 ᒇ
dz ʣ
d\xb7 ᑻ
dȝ ʤ
dʑ ʥ
d\u0304 ƌ
d\u0314 ɗ
d\u0328 ɖ
d\u0335 đ
e еҽ\u212e\uab32
e\u0328 ҿ
e\u0338 ɇ
f ſƒքẝ\ua799\uab35
fn\u0329 ʩ
f\u0334 ᵮ
g ƍɡցᶃ
g\u0314 ɠ
g\u0335 ǥ
h һհᏂ
h\u0314 ɦᏲ\ua695
h\u0335 ħћ
i ıɩ\u02dbͺιіւᎥ\u2373ⲓ\ua647\uab75\U000118c3
i\u0335 ɨᵻᵼ
j ȷϳјյ
j\u0335 ɉ
k\u0314 ƙ
l ǀӏ\u05c0\u05d5\u0627\u0661\u06f1\u07caᛁ\u2223\u23fdⵏ\ua4f2\uffe8\U0001028a\U00010309\U00010320\U00011dda\U00011de1
l \U00016eaa\U00016f28\U0001ccde\U0001ccf1\U0001e8c7
l\x27 \u05f1
lO Ю
ll ǁ\u05f0\u2016\u2225
ls ʪ
lt \u20b6
lz ʫ
l\xb7 ᒷ
lȝ ɮ
l\u0328 ɭ
l\u0334 ɫ
l\u0335 Ɨƚ
l\u0338 ł
l\u0655 \u0673
l\u0674 \u0672
m \U00011700\U000118e3
m\u0326 ɱ
m\u0334 ᵯ
n ηո
n\u0328 ɳ
n\u0329 ŋƞղ
n\u0334 ᵰ
o οϭоօ\u05e1\u0647\u0665\u06be\u06c1\u06d5\u06f5\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c02\u0c66\u0c82\u0d02ഠ\u0d66
o \u0d82\u0e50\u0ed0ဝ\u1040ჿ\u17e0ᴑⲟ\uab3d\U0001042c\U000104ea\U000114d0\U000118c8\U000118d7
oE ɶ
oe œ
oo \u221e\ua699\ua74f
o\u0302 \u06ff
o\u031b \uab74
o\u0335 ɵѳөⲑ\ua74b\uab8e\uabbb
o\u0338 ø\uab3e
oരo ൟ
o\u102c တთ
p þƿρϸр\u2374ⲣⳏ
p\xb7 ᑷ
p\u0314 ƥ
p\u0335 ᵽ
q ԛգ
q\u0314 ʠ
r гᴦⲅ\uab47\uab48\uab81
r\x27 ґ
r\u0328 ɽ
r\u0329 ɼ
r\u0334 ᵲ
r\u0335 ɍғ
s ƽѕട\uabaa\U00010448\U000118c1
sss \U0001f75c
s\u0328 ʂ
s\u0334 ᵴ
tf \ua777
ts ʦ
tȝ \ua729
tɕ ʨ
tʃ ʧ
t\u0314 ƭ
t\u0334 ᵵ
t\u0335 ŧ
u ʋυս\ua79f\uab4e\uab52\U000104f6\U000118d8
ue ᵫ
uo \uab63
u\u0329 џ
u\u0335 ᵾ\uab9c
v νѵ\u05d8\u2228\u22c1\uaba9\U00011706\U000118c0
w ɯωшѡԝաⲱⲽ\ua64d\ua7b7\uab83\U0001170a\U0001170e\U0001170f
w\u0307 \U000114c5
w\u0326 \ua761
w\u0486\u0487 ѽ
x \xd7χхᕁᕽ\u166e\u292b\u292c\u2a2fⲭ\uab53\uab55
y ɣγуүყᶌỿⲩ\uab5a\U000118dc
y\u0314 ƴ
y\u0335 ɏұ
z \uab93\U000118c4
z\u0326 ȥ
z\u0328 ʐ
z\u0334 ᵶ
z\u0335 ƶ
\x7b \u2774\U0001d114
\x7d \u2775
\x7e \u02dc\u1fc0\u2053\u223c
\xb7 ᐧ\u30fb\ua78f
\xb74 ᔯ
\xb7\x3c ᑄ
\xb7\x3e ᐷᑀ
\xb7J ᒘ
\xb7L ᒶ
\xb7P ᑶ
\xb7U ᑗ
\xb7V ᐺ
\xb7b ᑾ
\xb7b\u0307 ᒀ
\xb7d ᑺ
\xb7\xb7\xb7 ⵈ
\xb7Ʌ ᐼ
\xb7Γ ᒮ
\xb7Δ ᐎ
\xb7Ո ᑙ
Þ Ϸ\U000104c4
ß βᏰẞ\ua7b5\ua7d6
ƅ ь\uab9f\U00016ed1
ƅi ы
Ɔ ϽↃ\ua4db\U00010423
Ǝ ⴺ\ua4f1
Ə Ә
Ɛ ԐᏋ\U00010401\U00016f2d
ƨ ϩᴤ\ua645
Ʃ Σⵉ
ƫ Ꮏ
Ʊ ᘮᘴ
ǝ əә
ǝo ᴔ
ǝo\u0335 \uab42
ǝo\u0338 \uab41
ǝ\u02de ɚ
Ƕ Ԋ
ȝ ʒӡჳⳅⳍ\ua76b
ɂ \uab7e
Ʌ ΛЛ\u0668\u06f8ᐱⴷ\ua4e5\ua6ce\ua7da\U0001028d\U000104b0\U00016f3d
Ʌ\xb7 ᐽ
Ʌ\u0326 Ӆ
Ʌ\u0338 \ua7dc
ɋ ᶐ
ɔ ͻᴐↄ\U0001044b
ɔe \uab62
ɔ\u0338 \uab3f
ɜ зᴈ
ɜ\u0326 ҙ
ɞ \U00010442
ɰ պሣ
ɷ \U0001043f
ɸ φфⲫⳠⳡ
ɾ\u0334 ᵳ
ʃ \uab4d
ʊ\u0335 ᵿ
ʌ ᴧⲗ\U000104d8
ʓ ⲝ
ʘ ⵙ\ua668\U000104c3
ʚ \ua79d\U0001042a
ʡ \ua6cd
\u02c9b ъ
\u02c9bi \ua651
\u0300 \u0953
\u0301 \u059c\u059d\u0618\u064e\u0747\u0954
\u0302 \u0311\u065b\u07ee\u1cd0\ua6f0
\u0303 \u0342\u0653
\u0304 \u0305\u0659\u07eb\u1ae2\u1cd2\ua6f1
\u0304\u0304 \u1ae8
\u0306 \u030c\u036e\u0658\u065a\u0945\ua67c\U00011b66
\u0306\u0307 \u0310\u06e8\u0901\u0981\u0a81\u0b01\u0c00\u0c81\u0d01\U000114bf
\u0307 \u0358\u05b9\u05ba\u05c4\u06ec\u0740\u0741\u07ed\u08ea\u0902\u0a02\u0a82\u0bcd
\u0308 \u07f3\u08eb
\u0309 \u302c
\u030a \u0366\u05af\u0652\u06df\u0b82\u0e4d\u0ecd\u1036\u17c6\u17d3\u2dea\u309a\U00011300
\u030b \u064b\u08f0
\u030e \u1cda
\u0312 \u0657
\u0313 \u0315\u0619\u064f\u08f3
\u0314 \u065d
\u0316 \u1ced
\u0323 \u05b4\u05c5\u065c\u08ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u1cdd\U00010a3a\U000111ca\U000114c3
\u0324 \u08ee\u1cde
\u0325 \u0f37\u302d
\u0326 \u0321\u0327\u0339
\u0328 \u0322\u0345\u1ab7
\u0329 \u0656\u1cdc
\u032b \u1cd5
\u032d \u1cd9
\u032e \u1cd8
\u0331 \u0320\u0952
\u0333 \u0347
\u0335 \u0336
\u0338 \u0337
\u0350 \u0357\u08f8\u08ff
\u0352 \u0900
\u0354 \u08f9
\u0355 \u08fa
\u0363 \u2df6
\u0364 \u2df7
\u0368 \u2ded
\u036f \u2def
Γ ГᎱᒥⲄ\U00016f07
Γ\x27 Ґ
Γ\xb7 ᒯ
Γ\u0335 Ғ
Δ ᐃⲆⵠ\U00010285\U000102a3\U00016f1a
Δ\xb7 ᐏ
Ξ Ⲷ
Π ПⲠ\ua6db\U00016ea6
Φ ФՓቀ\u16f0Ⲫ\U000102b3
Ψ ѰᛘⲮ\U000102b5\U000104d1
Ω ᘯᘵ\U000102b6
λ Ⲗ\ua7db\U000104db
λ\u0338 ƛ
π пᴨⲡ\U00016ec1
ς ϛⲋ
ψ ѱⲯ\U000104f9
ϗ ⳤ
Ϙ \U000102ad\U00010312
ϼ ⳁ
Ћ \U000104cd
Ж\u0329 Җ
И Ͷ\ua6a1\U00010425
И\u0326\u0300 Ҋ
Ч Ϥ
Ш Ⲽ
Ъl \ua650
ж\u0329 җ
л ᴫ
л\u0326 ӆ
ч ϥપ\u0aeb
љ \uab60
Ѡ Ꮗᗯ
Ѡ\xb7 ᣭ
Ѡ\u0486\u0487 Ѽ
Ҷ Ӌ
ҷ ӌ
Ҽ\u0328 Ҿ
Ӄ \U000104bc
Ո በᑎ\ua4f5
Ո\x27 ᑨ
Ո\xb7 ᑚ
Ք Ⳁ
ՙ ʿ
ձ ኔ
\u0596 \u05ad
\u0598 \u05ae
\u0599 \u05a8
\u059a \u05a4
\u0628\u0654 \u08a1
\u0628\u06db \u0751
\u0628\u06e2 \u08b6
\u0629 \u06c3
\u062a \u067a
\u062a\u0306 \u08bf
\u062d\u0654 \u0681\u0772
\u062d\u06db \u0685
\u062f\u0302 \u06ee
\u062f\u0324\u0323 \u08ae
\u062f\u0615 \u0688
\u062f\u06db \u068e\u068f
\u0631\u0302 \u06ef
\u0631\u0306 \u0692
\u0631\u0306\u0307 \u08b9
\u0631\u0615 \u0691
\u0631\u0654 \u076c
\u0631\u06db \u0698
\u0632\u0302 \u08b2
\u0633\u0302 \u077e
\u0633\u06db \u0634
\u0635\u0324\u0323 \u08af
\u0635\u06db \u069e
\u0637\u06db \u069f
\u0641 \u06a7
\u0643 \u06a9\u06aa
\u0643\u0306 \u08c2
\u0643\u06db \u06ad\u0763
\u0644\u0306 \u06b5
\u0644\u06db \u06b7
\u0645\u06db \u08a7
\u0646 \U00010ec6
\u0646\u0306 \u0769
\u0646\u0615 \u0768
\u0648 \u08b1
\u0648\u0302 \u06c9
\u0648\u0306 \u06c6
\u0648\u0313 \u06c7
\u0648\u0670 \u06c8
\u0648\u06db \u06cb
\u0649 \u064a\u066e\u06cc\u08bd
\u0649\u0302 \u063d
\u0649\u0306 \u06ce\u0756
\u0649\u0306\u0307 \u08ba
\u0649\u030a \u088f
\u0649\u0615 \u0679\u06bb
\u0649\u0615\u0306 \u08c0
\u0649\u0654 \u08a8
\u0649\u06db \u062b\u063f\u06bd\u06d1\u0752
\u0649\u06db\u0306 \u08be
\u0649\u06db\u06e2 \u08b7
\u064c \u08e5\u08e8\u08f1
\u064d \u08f2
\u0650 \u0317\u061a
\u0655 \u065f
\u0662 \u06f2\ua9cf
\u0663 \u06f3
\u0664 \u06f4
\u0666 \u06f6
\u0669 \u06f9\u0967\U000118e4
\u0670 \u030d
\u067b \u06d0
\u0680 \U00010ec7
\u0686\u0306 \u08c1
\u068a\u0615 \u068b
\u0697\u0615 \u0771
\u06a1 \u066f\u08bb\u08bc
\u06a1\u06db \u06a4\u06a8
\u06a2\u06db \u08a4
\u06ac \u0762
\u06af \u08b0
\u06af\u06db \u06b4
\u06db \u1ab4\u20db
अ\u0306 ॲ
अ\u093a ॳ
अ\u093e आ
अ\u093e\u0306 ऑ
अ\u093e\u093a ॴ
अ\u093e\u0946 ऒ
अ\u093e\u0948 औ
अ\u0946 ऄ
अ\u094f ॵ
उ ਤ
ए\u0306 ऍ
ए\u0946 ऎ
ट ਟ
ठ ਠ
ढ ਫ
त\u094dत ਜ
प ਧ
प\u094dट ੲ
प\u094dट\u09bf ਇ
प\u094dट\u0a40 ਈ
भ ਮ
म ਸ
र\u094dइ ई
व ਕ
ह ਵ
\u093a \U000111cb\U00011b60
ऽ ઽ
\u093e\u0306 \u0949
\u093e\u093a \u093b
\u0941 \u0ac1
\u0942 \u0ac2
\u0946 \u0a4b
\u0948 \u0a48
\u094d \u0a4d\u0acd
\u0968 ર\u0ae8
\u096a \u0aea
\u096e \u0aee
ॱ ൎ
\u0983 \u0a03\u0c03\u0c83\u0d03\u0d83\u1038\U000114c1
অ\u09be আ
ঋ\u09c3 ৠৡ
ঘ \U00011492
চ \U00011494
জ \U00011496
ঞ \U00011498
ট \U00011499
ড \U0001149b
ণ \U000114aa
ত \U0001149e
থ \U0001149f
দ \U000114a0
ধ \U000114a1
ন \U000114a2
প \U000114a3
ব \U000114a9
ম \U000114a7
য \U000114a8
র ৰ\U000114ab
ল \U0001149d
ষ \U000114ad
স \U000114ae
ঽ \U000114c4
\u09be \U000114b0
\u09bf \u093f\u0a3f\U000114b1
\u09c7 \U000114b9
\u09cd \U000114c2
\u09d7 \U000114bd
\u09e7 \U000114d1
\u09e8 \U000114d2
\u09ec \U000114d6
ਅ\u0948 ਐ
ਅ\u0a3e ਆ
ਅ\u0a4c ਔ
અ\u0abe આ
અ\u0abe\u0ac5 ઑ
અ\u0abe\u0ac7 ઓ
અ\u0abe\u0ac8 ઔ
અ\u0ac5 ઍ
અ\u0ac7 એ
અ\u0ac8 ઐ
ଅ\u0b3e ଆ
\u0b47 \u1031
அ \u0bee
ஈ\u0bc1 \u0beb
உ \u0be8ഉ
உள ஊ
உ\u0d57 ഊ
எ \u0bed
ஐ ജ
க \u0be7
ச \u0bea
ச\u0bc1 \u0bec
ட\u0bbf ഺ
ண ണ
ண\u0d4d ൺ
ம ഥ
ள \u0bd7
ழ ഴ
வ ഖ
ஶ ശ
\u0bbf \u0d3f
\u0bc6 \u0d46
\u0bc6\u0bc6 \u0d48
\u0bc6എ ഐ
\u0bc7 \u0d47
అ ಅ
ఆ ಆ
ఇ ಇ
ఋ\u0c3e ౠ
ఌ\u0c3e ౡ
ఐ ಐ
ఒ ಒ
ఒ\u0c4c ఔಔ
ఒ\u0c55 ఓಓ
గ ಗ
జ ಜ
ఝ ಝ
ఞ ಞ
ట ಟ
డ\u0323 ఢ
ణ ಣ
ద ದ
ధ\u05bc థ
న ನ
బ\u0323 భ
య ಯ
ర ರ
ర\u05bc ఠ
ఱ ಱ
ల ಲ
ళ ಳ
వ\u0323 ష
వ\u0c3e హ
వ\u0c41 మ
\u0c3f \u0cbf
\u0c41 \u0cc1
\u0c41\u0c3e \u0c42
\u0c43 \u0cc3
\u0c43\u0c3e \u0c44
\u0c5c \u0cdc
\u0c67 \u0ce7
\u0c68 \u0ce8
\u0c6f \u0cef
ಌ\u0cbe ೡ
ಖ\u0323 ఖ
ഇ\u0d57 ഈ
ഒ\u0d3e ഓ
ഒ\u0d57 ഔ
ഞ ൡ
ദ\u0d4dര \u0d6b
ന\u0d41 ഌ
ന\u0d4d \u0d6fൻ
ന\u0d4dന \u0d6c
ര ဂი
ര\u0d4d \u0d6aർ
ര\u102c က
ര\u102c\u1039ര\u102c ဣ
ര\u103e ႁ
ല\u0d4d ൽ
ള\u0d4d ൾ
വ\u0d4dര \u0d6e
එ\u0dca ඒ
එ\u0dd9 ඓ
ජ \u0dea
ද \u0deb
ස\u0dd8 ඍ
\u0de8\u0dcf \u0de9
\u0de8\u0dd3 \u0def
จ ຈ
บ ບ
ป ປ
ฝ ຝ
พ ພ
ฟ ຟ
ย ຍ
\u0e34 \u17b7
\u0e35 \u17b8
\u0e36 \u17b9
\u0e37 \u17ba
\u0e38 \u0eb8
\u0e39 \u0eb9
เเ แ
\u0e48 \u0ec8\u17cb
\u0e49 \u0ec9
\u0e4a \u0eca
\u0e4b \u0ecb
ར ཪ
ཨ\u0f7c\u0f7e ༀ
\u0f7a\u0f7a \u0f7b
\u0f7c\u0f7c \u0f7d
ဃ\u103e ၰ
ပ\u102c ဟ
ပ\u102c\u103e ၯ
ပ\u103e ၦ
ရ\u103e ၡ
သ\u103c ဩ
သ\u103c\u0b47\u102c\u103a ဪ
\u1041 ၥ
ၽ\u103e ၾ
ᴎ ͷи\U0001044d
ᴎ\u0326\u0306 ҋ
ᴙ я
\u1ddf \u2de8
ẟ δծᕷⳝ
Ⱬ Ⲍ
ⱬ ⲍ
Ɐ ᗄ\ua4ef
Ɒ \U0001041f
Ⱶ ͰᎨᎰ\ua6b1
ⱶ \uab80
へ ヘ
ー \u4e00\ua7f7
\u4e8c ニ
\u4ebb イ
\u4f75 \u5002
\u5024 \u503c
\u513f \u3126\U00016ff2
\u516b ハ
\u51f5 \U00020674
\u529b カ
\u5351 \U0002d161
\u535c ト
\u53e3 ロ\u56d7
\u5553 \u555f
\u571f \u58eb
\u5861 \u586b
\u58ab \u58ff
\u58f7 \U00021533
\u5915 タ
\u591a \U00021587
\u5aaf \u5b00
\u5cc0 \U0002b73a
\u5de5 エ
\u5e21 \u5e32
\u5f9a \U00022505
\u6236 \u6238
\u665a \u6669
\u670c \u80a6
\u670f \u80d0
\u6710 \u80ca
\u6713 \u8101
\u6718 \u8127
\u6723 \u81a7
\u676e \u67ff
\u699d \u6a27
\u6d85 \U00023d40
\u6e88 \u6f59
\u73a5 \U000248fd
\u7814 \u784f
\u7d55 \u7d76
\u7dc7 \U00031e7c
\u80fc \u8141
\u848d \u853f
\u8637 \u8641
\u8a2e \u8a7d
\u8b86 \u8b8f
\u8c5c \u8c63
\u8d1b \U00025ad4
\u8d7f \u8d86
\u8de5 \u8dfa
\u8e97 \u8e9b
\u8eff \u8f27
\u90ce \u90de
\u93ad \u93ae
\u96b7 \u96b8
\u9e42 \u9e43
\u9ed1 \u9ed2
\ua727 \ua795
\ua73e Ͽ
\ua73f ͽ
\ua779 \ua77a
\ua786 Ⴀ
\ua792 ЄⲈ
\ua793 ɛεєԑⲉ\uab9b\U00010429\U000118ce
\ua7ce ʕ\ua7cf
\ua7d3 \ua7d2
\ua7d5 \ua7d4
\ua7fb ᖷ
"""

LOOKS_LIKE = str.maketrans({sign: model for model, signs in map(str.split, _LINES.splitlines()) for sign in signs})
'''

MODULES["roundtable.core.entries"] = r'''"""The lines of a record, and what a listener makes of them."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.core.actions import Action
from roundtable.core.events import Event


class Entry(NamedTuple):
    """One line of a record: who asked for what, and the events that followed (C3)."""

    actor: int
    action: Action
    id: str
    events: tuple[Event, ...]


class Heard(NamedTuple):
    """An event under its listener's own numbering, which tells nothing of what others heard."""

    number: int
    event: Event
'''

MODULES["roundtable.core.errors"] = r'''"""Everything that can go wrong at a table.

    RoundTableError
     ├── SetupError       the table cannot start; lists every reason        setup/...
     │    └── NamesError  names that cannot each be a file of its own       names/...
     ├── IllegalAction    a seat asked for what it may not do now           action/..., talk/..., game/over
     ├── BadRecord        a record that no game could have left             record/...
     ├── FolderError      a folder that the dealer may or can not fill      folder/...
     ├── RoomRefused      a request that a room or server does not grant    room/..., server/...
     ├── NotConnected     a client that cannot reach its server             client/...
     ├── StudyError       a study that cannot be run or kept                study/...
     ├── PluginError      a game or bot of another package cannot be used   plugin/...
     └── Unreadable       text that is no event, action or setup of ours    text/...

Each has a stable `code` and `values` by name for programs, and a sentence for people in every language: what was
tried, why not, what would work. The sentence is `refusal.<family>.<name>` in the catalogues, or a variant of it:

    raise RoomRefused("room/full", "seats")     ->  refusal.room.full_seats
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log10
from typing import Any, NamedTuple, Self

from roundtable.core.catalogue import SOURCE, Catalogue, catalogue, listed, refusal_key, word_key
from roundtable.core.names import printable

NOTHING: Mapping[str, Any] = {}
LONGEST_SHOWN = 40  # characters
LONGEST_NUMBER = 128  # bits
MOST_LISTED = 40  # members of a list

# Values by name that are not shown as they are: words of the game, and lists of alternatives.
GAME_WORDS = frozenset(("role", "roles", "side"))
ALTERNATIVES = frozenset(("choices", "expected"))


class Problem(NamedTuple):
    """One reason for a refusal: a code, a variant of its sentence, and values by name, of plain JSON."""

    code: str
    variant: str = ""
    values: Mapping[str, Any] = NOTHING
    said: str = ""
    """The sentence as another program worded it, such as a server; it goes before the catalogue's."""

    @property
    def message(self) -> str:
        return self.text()

    def text(self, lang: str = SOURCE, catalogues: tuple[str, ...] = ()) -> str:
        """The sentence in a language, with the words of the game that these catalogues belong to."""
        if self.said:
            return printable(self.said)
        words = catalogue(lang, catalogues)
        filled = {name: _shown(name, value, words) for name, value in self.values.items() if name != "count"}
        try:
            return words.text(refusal_key(self.code), context=self.variant, count=self.values.get("count"), **filled)
        except KeyError:  # a code or variant of another package, which has no sentence for it
            return CODES.get(self.code, self.code)


def problem(code: str, variant: str = "", /, **values: Any) -> Problem:
    """A reason with its values by keyword."""
    return Problem(code, variant, values)


def shown(value: object) -> str:
    """A value as it can be put into any sentence: quoted, unprintable characters escaped, and cut short."""
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…")
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"≈{'-' if value < 0 else ''}10^{int(value.bit_length() * log10(2))}"
    try:
        text = printable(repr(value))
    except Exception:  # brackets within brackets without end, or an object that cannot describe itself
        text = f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def _shown(name: str, value: object, words: Catalogue) -> str:
    if isinstance(value, list | tuple):
        members = [_shown(name, member, words) for member in value[:MOST_LISTED]]
        members += ["…"] * (len(value) > MOST_LISTED)
        return listed(members, words, "or" if name in ALTERNATIVES else "")
    if name == "game":
        return words.find("game.name") or str(value).capitalize()
    if name in GAME_WORDS:
        return words.find(word_key(str(value))) or printable(str(value)[:LONGEST_SHOWN])
    return shown(value) if isinstance(value, int) else printable(str(value))


class RoundTableError(Exception):
    """Base of the tree; never raised itself. `raise IllegalAction("talk/text", most=500)`"""

    catalogues: tuple[str, ...] = ()
    """Packages with the catalogues of the game that the error is about, where it is about one."""

    def __init__(self, code: str, variant: str = "", /, **values: Any) -> None:
        super().__init__(code, variant)
        self.problems: tuple[Problem, ...] = (Problem(code, variant, values),)

    @classmethod
    def of(cls, problems: Iterable[Problem], catalogues: tuple[str, ...] = ()) -> Self:
        """An error with several reasons; its code and values are those of the first."""
        several = tuple(problems)
        error = cls(several[0].code, several[0].variant)
        error.problems, error.catalogues = several, catalogues
        return error

    @property
    def code(self) -> str:
        return self.problems[0].code

    @property
    def variant(self) -> str:
        return self.problems[0].variant

    @property
    def values(self) -> Mapping[str, Any]:
        return self.problems[0].values

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text()

    def text(self, lang: str = SOURCE) -> str:
        """The sentence in a language, made when it is asked for: a flood of refusals must stay cheap."""
        return " ".join([problem.text(lang, self.catalogues) for problem in self.problems])

    def __str__(self) -> str:
        return self.text()


class SetupError(RoundTableError):
    """A table that cannot start, with every reason at once."""


class NamesError(SetupError):
    """Players' names that cannot be dealt to, with every fault at once."""


class IllegalAction(RoundTableError):
    """An action refused, in words that use only what the asking seat may know (C2)."""


class BadRecord(RoundTableError):
    """A record that cannot be replayed."""


class FolderError(RoundTableError):
    """A folder into which nothing was dealt; it is as it was before."""


class RoomRefused(RoundTableError):
    """A request that a live room or its server does not grant; nothing has changed."""


class NotConnected(RoundTableError):
    """A client that cannot reach its server, or was closed."""


class StudyError(RoundTableError):
    """A study that cannot be run, or whose games cannot be kept there."""


class PluginError(RoundTableError):
    """An entry point that does not lead to a whole game or bot."""


class Unreadable(RoundTableError):
    """Bytes or text that do not decode to one of our values."""


# Every code, with what it means. docs/errors.md explains them to players; a test keeps the two alike.
CODES = {
    "setup/seats": "The number of seats is outside the game's range.",
    "setup/role": "A role that the game does not know, or that cannot be chosen.",
    "setup/too_many_roles": "More special roles than the side has places.",
    "setup/pool": "A choice of roles from which the game cannot deal.",
    "setup/paired": "A first round with two teams, where another option rules that out.",
    "setup/option": "An option that the game does not have, or a value it does not take.",
    "setup/seed": "A seed that is not 32 bytes.",
    "setup/game": "There is no game of that name.",
    "setup/bot": "A bot that does not exist, or that cannot be given that seat.",
    "action/late": "The action answers a phase that is over, or has not begun.",
    "action/not_now": "This seat has no such action at this moment.",
    "action/not_allowed": "The kind of action is open to the seat, but not with this choice.",
    "action/unknown_seat": "There is no such seat at this table.",
    "action/bad_id": "An action id that is no short, printable text.",
    "action/id_reused": "An action id that already stands for another action.",
    "action/no_clock": "The phase has no deadline, or the clock is paused.",
    "action/too_often": "The seat has acted, or the member has changed the room, as often as one may.",
    "talk/closed": "The seat may not speak in that channel now.",
    "talk/text": "The line is empty, too long, or holds control characters or heaps of marks.",
    "game/over": "The game has ended.",
    "game/not_dealt": "The roles have not been dealt yet.",
    "record/broken": "The record does not follow from its own beginning.",
    "record/not_over": "The game is still being played, and what was asked for is not public yet.",
    "record/listener": "There is no such listener in this record.",
    "record/model": "The game has no such model of how players act.",
    "text/unreadable": "The text is not a value of this game.",
    "names/empty": "A name in which there is nothing to see.",
    "names/sign": "A name with a sign that paths are made of, or that some computers do not allow in a file's name.",
    "names/unprintable": "A name with control characters, line ends or marks that turn the direction of writing.",
    "names/edge": "A name that begins with a dot, or has a dot or a blank at its end.",
    "names/too_long": "A name of more than 200 bytes.",
    "names/reserved": "A name that belongs to another file of the deal, or to a device on Windows.",
    "names/alike": "Two names that people or some computers take for one.",
    "folder/occupied": "The folder holds something that is not a former deal.",
    "folder/unwritable": "The system did not let the dealer write there.",
    "talk/too_fast": "More lines of talk than the room takes in so short a time.",
    "talk/too_much": "More bytes of talk than a member may send in one game, or between two games.",
    "talk/silenced": "The host has taken the member's word away, or has switched the chat off.",
    "room/unknown": "There is no such room, or it is closed, or the token is not one of its members'.",
    "room/name": "A name in which there is nothing to see, or too much.",
    "room/full": "The room takes no more people.",
    "room/removed": "The host has removed them, or another member from the same address, and has not let them back.",
    "room/not_host": "Only the host may do that.",
    "room/no_member": "There is no such member in the room.",
    "room/seat": "There is no such seat, or it is not free, or no member or bot of that kind sits there.",
    "room/claim": "The claim to a seat cannot be made or granted, or not yet, or not by this member.",
    "room/stage": "That cannot be done before the game, during the game, or after it.",
    "room/not_ready": "The game cannot start yet; the message lists why.",
    "room/watching": "Only a member with a seat can do that.",
    "room/busy": "The server could not write it down; nothing has changed, and the same request may be sent again.",
    "server/full": "The server holds as many rooms or connections as it can.",
    "server/banned": "The operator keeps the network of the client out.",
    "server/door": "The server is private, and was not told its password.",
    "server/too_fast": "Too many requests or rooms of one network, or too many requests of one member or connection.",
    "server/unauthorised": "The request does not say whose it is.",
    "server/too_slow": "The connection did not read what was sent to it; come back and get the rest.",
    "server/host": "The server is not known under the name by which it was asked.",
    "server/origin": "The page that asks belongs to another site.",
    "server/too_large": "The request is larger than the server reads.",
    "server/unknown": "There is nothing at this address, or not for this method.",
    "server/broken": "The server made a mistake, which is written down; nothing was lost.",
    "plugin/broken": "A game or bot of another package that cannot be imported.",
    "plugin/wrong_kind": "An entry point that names something else than a game or a bot.",
    "plugin/incomplete": "A game without a part that was asked for.",
    "client/address": "An address that names no server, or another server than the client's.",
    "client/unreachable": "The server does not answer, or accepts no connections.",
    "client/closed": "The client has closed its connection to the table.",
    "study/missing": "The lab needs a package that is not installed.",
    "study/asked": "A study that asks for something that cannot be played.",
    "study/file": "A file or folder that belongs to something else.",
    "study/bot": "A bot in a study that failed, or chose what is not allowed.",
    "study/program": "A program in a study that ended, was late, or asked for what is not allowed.",
    "study/cluster": "The Ray cluster cannot be reached.",
}
'''

MODULES["roundtable.core.events"] = r'''"""What can happen at any table, whatever is played there. Every event says who may hear it."""

from __future__ import annotations

from roundtable.core.seats import Audience, Seat
from roundtable.core.setup import Setup
from roundtable.core.values import Uncached, Value, sealed, value


@value
class Event(Value):
    """Something that happened. `audience` has no default: nothing is heard by accident."""

    audience: Audience


@value
class Outcome(Value):
    """How a game ended: the winning side and its seats (none when called off or undecided), and why."""

    winner: str | None
    seats: tuple[Seat, ...]
    reason: str


@value
class TableOpened(Event, metaclass=Uncached):
    """The table stands: what is played, and the commitment to the seed that will deal (C1)."""

    setup: Setup
    commitment: str


@value
class SeedSealed(Event, metaclass=Uncached):
    """The seed itself; it has no audience until the game is over."""

    seed: str = sealed()


@value
class EntropyContributed(Event, metaclass=Uncached):
    """A player added randomness to the deal, after the commitment and before the deal."""

    seat: Seat
    entropy: str


@value
class PhaseBegan(Event):
    """The table waits for something. Who is awaited follows from public facts alone (C8)."""

    number: int
    name: str
    awaited: frozenset[Seat]
    seconds: int | None


@value
class FloorGiven(Event):
    """Who may speak in a channel from now on, and who hears it. No speakers: the channel is closed."""

    channel: str
    speakers: frozenset[Seat]
    hearers: Audience


@value
class Said(Event, metaclass=Uncached):
    """A line of talk."""

    seat: Seat
    channel: str
    text: str = sealed()


@value
class Remarked(Event):
    """A claim or a short remark out of the phrase book of the game."""

    seat: Seat
    channel: str
    phrase: str = sealed()
    about: Seat | None = sealed()
    word: str | None = sealed()


@value
class CountdownAsked(Event):
    seat: Seat


@value
class CountdownStarted(Event):
    """A phase without a deadline has one now (C6)."""

    seconds: int


@value
class ClockPaused(Event):
    pass


@value
class ClockResumed(Event):
    pass


@value
class ClockExtended(Event):
    seconds: int


@value
class CallOffAsked(Event):
    seat: Seat


@value
class GameEnded(Event):
    outcome: Outcome


@value
class SecretsRevealed(Event, metaclass=Uncached):
    """The game is over: every fact that was private, with its place among all facts (A22, S14, C7).

    Private talk stays private: it is not a fact of the game.
    """

    secret_facts: tuple[tuple[int, Event], ...]


COMMON_EVENTS: tuple[type[Event], ...] = (
    TableOpened,
    SeedSealed,
    EntropyContributed,
    PhaseBegan,
    FloorGiven,
    Said,
    Remarked,
    CountdownAsked,
    CountdownStarted,
    ClockPaused,
    ClockResumed,
    ClockExtended,
    CallOffAsked,
    GameEnded,
    SecretsRevealed,
)
'''

MODULES["roundtable.core.game"] = r'''"""The contract of a game: its types, its reducer and its functions; and the transitions between its states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import (
    Event,
    FloorGiven,
    GameEnded,
    Outcome,
    PhaseBegan,
    Remarked,
    Said,
    SecretsRevealed,
    TableOpened,
)
from roundtable.core.options import Options
from roundtable.core.phrases import COMMON_PHRASES, Phrase
from roundtable.core.seats import EVERYONE, NOBODY, Audience, Seat, all_seats
from roundtable.core.setup import Setup
from roundtable.core.state import Absorbers, TableState
from roundtable.core.values import Value

S = TypeVar("S", bound=TableState)
D = TypeVar("D")

TALK = (Said, Remarked)
TOLD = "told"  # how a game ended of which the host said no more than who won
UNTOLD = "untold"  # how a game ended that was only dealt, where the host said nothing
UNDECIDED: tuple[tuple[None, str], ...] = ((None, "no_winner"), (None, UNTOLD))
OPEN_TALK = "table"  # the channel that everyone hears


class Game(ABC, Generic[S, D]):
    """The rules of one game, without state, clock, randomness or I/O of their own."""

    name: ClassVar[str]
    setup_type: ClassVar[type[Setup]]
    events: ClassVar[tuple[type[Event], ...]]
    actions: ClassVar[tuple[type[Action], ...]]
    parts: ClassVar[tuple[type[Value], ...]] = ()
    """Values that occur inside events, and the rounds of a setup."""
    sides: ClassVar[tuple[str, ...]] = ()
    """The sides that can win; none where that is not known before the end."""
    endings: ClassVar[tuple[tuple[str | None, str], ...]] = ()
    """How it can end: winner and reason, with `outcome.<reason>` in the catalogues; for games that are announced."""
    words: ClassVar[frozenset[str]] = frozenset()
    """What players can claim about one another: roles, sides, cards."""
    phrases: ClassVar[Mapping[str, Phrase]] = COMMON_PHRASES
    """The phrase book: claims and remarks, each with `claim.<name>` or `remark.<name>` in the catalogues."""
    timed_phases: ClassVar[frozenset[str]] = frozenset()
    """Phases that last until their time is up, even when every seat has answered: doing nothing is a choice in them."""
    open_phases: ClassVar[Mapping[str, int]] = {}
    """Phases in which everyone can tell which seats are asked (those that are awaited), and which hear something in
    private: so the lengths of messages have to hide what it is, but not whether there is something. Whether a seat's
    options are those of the last such phase in which it was asked follows from public facts as well. For each, how many
    bytes hide what a seat is asked; 0 where that is the same for every role."""
    absorb: ClassVar[Absorbers]
    """What each event writes down: the one reducer behind the truth and every view."""

    catalogues: tuple[str, ...] = ()
    """Packages with the game's catalogues, from its `GameSpec`: refusals use the words of the game."""

    @abstractmethod
    def blank(self, setup: Setup) -> S:
        """The state of a table at which nothing has happened yet."""

    @abstractmethod
    def deal(self, setup: Setup, chance: Chance) -> D:
        """Who gets what: a pure function of the setup and of chance."""

    @abstractmethod
    def begin(self, now: Transition[S], deal: D) -> None:
        """Hand out a deal and start the first phase."""

    @abstractmethod
    def read_deal(self, events: Sequence[Event]) -> D:
        """The deal that these events handed out."""

    def can_deal(self, setup: Setup, deal: D) -> bool:
        """Whether the setup could have come to this deal."""
        return True

    @abstractmethod
    def options(self, state: S, seat: Seat) -> Options:
        """What this seat may do now; the same whether asked of the truth or of the seat's own view."""

    def endings_of(self, setup: Setup) -> tuple[tuple[str | None, str], ...]:
        """Those of `endings` that a game with this setup can have."""
        return self.endings

    def announceable(self, setup: Setup) -> tuple[tuple[str | None, str], ...]:
        """The endings that a host can announce: those of the game, each side without a reason, and none."""
        return (*self.endings_of(setup), *((side, TOLD) for side in self.sides), *UNDECIDED)

    def may_wait(self, state: S, seat: Seat) -> bool:
        """Whether this seat may do nothing now: the phase does not await it, or lasts until its time is up."""
        return seat not in state.phase.awaited or state.phase.name in self.timed_phases

    @abstractmethod
    def decide(self, now: Transition[S], seat: Seat, move: Move) -> None:
        """What follows from a legal move."""

    @abstractmethod
    def expire(self, now: Transition[S], chance: Chance) -> None:
        """What follows when the time of the current phase is up (C5)."""

    def seats_of(self, state: S, winner: str) -> tuple[Seat, ...]:
        """The seats of a side, asked of the truth when a game ends."""
        raise KeyError(winner)


class Transition(Generic[S]):
    """The events that follow from one action, with the state after each of them."""

    __slots__ = ("_absorb", "_game", "events", "state")

    def __init__(self, game: Game[S, D], state: S) -> None:
        self._game = game
        self._absorb = game.absorb
        self.state = state.copy()
        self.events: list[Event] = []

    @property
    def words(self) -> frozenset[str]:
        """What players can claim about one another in this game."""
        return self._game.words

    @property
    def phrases(self) -> Mapping[str, Phrase]:
        """The phrase book of this game."""
        return self._game.phrases

    @property
    def announceable(self) -> tuple[tuple[str | None, str], ...]:
        """The endings that a host can announce."""
        return self._game.announceable(self.state.setup)

    def emit(self, event: Event) -> None:
        self.events.append(event)
        self._absorb[event.__class__](self.state, event)

    def begin_phase(self, name: str, awaited: frozenset[Seat], seconds: int | None) -> None:
        number = self.state.phase.number + 1
        self.emit(PhaseBegan(audience=EVERYONE, number=number, name=name, awaited=awaited, seconds=seconds))

    def give_floor(self, channel: str, speakers: frozenset[Seat], hearers: Audience) -> None:
        """Say who may speak in a channel, to those who hear it and those who just did; silent where nothing changes."""
        standing = self.state.floors.get(channel)
        if standing == (speakers, hearers):
            return
        audience = hearers
        if standing is not None and isinstance(audience, frozenset) and isinstance(standing.hearers, frozenset):
            audience |= standing.hearers
        self.emit(FloorGiven(audience=audience, channel=channel, speakers=speakers, hearers=hearers))

    def end(self, winner: str | None, reason: str) -> None:
        """The game is over: private channels close, and everyone may talk."""
        for channel, floor in self.state.floors.items():
            if channel != OPEN_TALK:
                self.give_floor(channel, NOBODY, floor.hearers)
        self.give_floor(OPEN_TALK, all_seats(self.state.setup.seats), EVERYONE)
        seats = () if winner is None else self._game.seats_of(self.state, winner)
        named = (
            None if winner is None else str(winner)
        )  # a plain string, as it is read from a record, so that both are one value
        self.emit(GameEnded(audience=EVERYONE, outcome=Outcome(winner=named, seats=seats, reason=reason)))


def evolve(game: Game[S, D], state: S, events: Iterable[Event]) -> S:
    """The state after these events; the one given stays as it was."""
    after = state.copy()
    for event in events:
        game.absorb[event.__class__](after, event)
    return after


def fold(game: Game[S, D], events: Iterable[Event]) -> S:
    """All that these events tell: of a whole record the truth, of what one listener heard their view."""
    state: S | None = None
    for event in events:
        if isinstance(event, TableOpened):
            state = game.blank(event.setup)
        if state is None:
            raise ValueError("A record begins with TableOpened.")
        game.absorb[event.__class__](state, event)
    if state is None:
        raise ValueError("Nothing has happened at this table yet.")
    return state


def with_secrets(heard: Iterable[Event]) -> list[Event]:
    """The whole record, facts only, from what any one listener heard of a finished game."""
    facts: dict[int, Event] = {}
    public = []
    for event in heard:
        if isinstance(event, SecretsRevealed):
            facts = dict(event.secret_facts)
        if event.audience is EVERYONE and is_fact(event):
            public.append(event)
    rest = iter(public)
    return [facts[place] if place in facts else next(rest) for place in range(len(facts) + len(public))]


def is_fact(event: Event) -> bool:
    """Talk is heard and gone; everything else is a fact of the game."""
    return not isinstance(event, TALK)
'''

MODULES["roundtable.core.kinds"] = r'''"""Whether a value is of the kind that was declared for it: no 1 for True, no text for a card, no endless number."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Check = Callable[[object], bool]

LARGEST = 2**53 - 1  # the largest whole number that every reader of JSON keeps exact


_TYPES: dict[type, dict[str, Any]] = {}
_CHECKS: dict[type, tuple[tuple[str, Check], ...]] = {}


def field_types(cls: type) -> dict[str, Any]:
    """The declared kinds of a class's fields, by name."""
    if cls not in _TYPES:
        hints = get_type_hints(cls).items()
        _TYPES[cls] = {name: kind for name, kind in hints if get_origin(kind) is not ClassVar}
    return _TYPES[cls]


def field_checks(cls: type) -> tuple[tuple[str, Check], ...]:
    """How to tell, for each field of a class by name, whether a value may stand there."""
    if cls not in _CHECKS:
        _CHECKS[cls] = tuple((name, check_of(kind)) for name, kind in field_types(cls).items())
    return _CHECKS[cls]


@cache
def fields_that_may_be_none(cls: type) -> tuple[str, ...]:
    return tuple(name for name, kind in field_types(cls).items() if NoneType in get_args(kind))


@cache
def check_of(kind: Any) -> Check:
    """How to tell whether a value may stand where that kind is declared, down to the members of sets and tuples."""
    if kind is int:
        return is_whole_number
    if kind in (bool, NoneType):
        return lambda value: type(value) is kind
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return reduce(_either, map(check_of, inner))
    if origin is Literal:
        return lambda value: any(type(value) is type(word) and value == word for word in inner)
    if origin is frozenset:
        of_member = check_of(inner[0])
        return lambda value: type(value) is frozenset and all(map(of_member, value))
    if origin is tuple:
        return _check_of_tuple(inner)
    if kind is Any or isinstance(kind, TypeVar):
        return lambda value: True
    if getattr(kind, "_fields", None):
        return _check_of_named_tuple(kind)
    if origin is type:
        return lambda value: isinstance(value, type)
    if getattr(origin or kind, "_is_protocol", False):
        members = [name for name in vars(origin or kind) if not name.startswith("_")]
        return lambda value: all(hasattr(value, name) for name in members)
    return lambda value: isinstance(value, origin or kind)


def is_whole_number(value: object) -> bool:
    return type(value) is int and -LARGEST <= value <= LARGEST


def as_collection(kind: Any, value: object) -> object:
    """A list, a set or a tuple as the frozen collection that is declared; anything else as it is."""
    if isinstance(value, list | set | tuple | frozenset):
        for one in (kind, *get_args(kind)):
            if (origin := get_origin(one)) in (frozenset, tuple):
                try:
                    return origin(value)
                except TypeError:  # a member that cannot be in a set
                    return value
    return value


def _either(one: Check, other: Check) -> Check:
    return lambda value: one(value) or other(value)


def _check_of_named_tuple(kind: Any) -> Check:
    checks = [check for _, check in field_checks(kind)]
    return lambda value: type(value) is kind and all(map(_fits, checks, value))  # type: ignore[call-overload]


def _fits(check: Check, part: object) -> bool:
    return check(part)


def _check_of_tuple(inner: tuple[Any, ...]) -> Check:
    if len(inner) == 2 and inner[1] is Ellipsis:
        of_member = check_of(inner[0])
        return lambda value: type(value) is tuple and all(map(of_member, value))
    checks = [check_of(one) for one in inner]

    def fits(value: object) -> bool:
        if type(value) is not tuple or len(value) != len(checks):
            return False
        return all(check(member) for check, member in zip(checks, value, strict=True))

    return fits


def kind_name(kind: Any) -> str:
    """`bool`, `'vote' | 'auto'`, `frozenset[Role]`: what would have been right, as a programmer writes it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " | ".join(kind_name(one) for one in inner)
    if origin is Literal:
        return " | ".join(repr(word) for word in inner)
    if origin is not None:
        return f"{origin.__name__}[{', '.join('...' if one is Ellipsis else kind_name(one) for one in inner)}]"
    return "None" if kind is NoneType else str(getattr(kind, "__name__", kind))
'''

MODULES["roundtable.core.languages"] = r'''"""Which language a person is spoken to in: by its name, as a client asks for it, or by an Accept-Language header."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.catalogue import SOURCE, languages
from roundtable.core.errors import SetupError, shown

MOST_ACCEPTED = 20  # languages of a header that are considered


def language_named(name: str) -> str:
    """A language as it was typed; `SetupError` where there is none."""
    for lang in languages():
        if lang.lower() == name.lower():
            return lang
    raise SetupError("setup/option", "language", name=shown(name), choices=list(languages()))


@lru_cache(maxsize=256)
def language_or_english(name: str) -> str:
    """The language that a client asks for, also as `vi-VN`; English where there is none."""
    return _found(name) or SOURCE


@lru_cache(maxsize=256)
def accepted_language(header: str) -> str:
    """The first language of an Accept-Language header that there is; English where there is none."""
    for part in header.split(",")[:MOST_ACCEPTED]:
        if lang := _found(part.partition(";")[0]):
            return lang
    return SOURCE


def _found(name: str) -> str | None:
    """Regions and scripts have no catalogues of their own: `vi-VN` is `vi`."""
    wanted = name.strip().lower()
    for lang in languages():
        if lang.lower() in (wanted, wanted.partition("-")[0]):
            return lang
    return None
'''

MODULES["roundtable.core.names"] = r'''"""What people see of a name: which signs are drawn as nothing, and which two names cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from unicodedata import category, normalize

from roundtable.core.confusables import LOOKS_LIKE

MARKS = ("Mn", "Mc", "Me")  # what is drawn onto the letter before
NO_SIGNS = ("Cc", "Cs", "Co")  # control characters, lone surrogates, private use
UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # control characters, lone surrogates, line and paragraph breaks
DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # they could forge a speaker
MOST_MARKS = 3  # on one letter; Hebrew and Arabic need as many, Vietnamese is composed and needs none

BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters and signs that are drawn as nothing
IGNORABLE_RANGES = ((0x180B, 0x1810), (0xFE00, 0xFE10), (0xFFF0, 0xFFF9), (0xE0000, 0xE1000))
IGNORABLE = frozenset(  # Default_Ignorable_Code_Point in DerivedCoreProperties.txt, where no category tells
    map(chr, chain((0x034F, 0x17B4, 0x17B5, 0x2065), *(range(*one) for one in IGNORABLE_RANGES)))
)
UNSEEN = BLANK_LETTERS | IGNORABLE

# Which Latin letters and digits look the same depends on capitals: Ian is taken for lan, and not for Lan.
LOOK_DRAWN = str.maketrans({**dict.fromkeys("I1|", "l"), "0": "O", "m": "rn", "w": "vv", "W": "VV"})
LOOK_READ = str.maketrans("1|0", "llo")


def printable(text: str) -> str:
    """A text from a file or a network as it can be printed: what could colour, move or forge lines is escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(ascii(sign)[1:-1] if is_unprintable(sign) else sign for sign in text)


def is_unprintable(sign: str) -> bool:
    """Whether a sign controls a terminal: control characters, line ends, halves, and marks that turn the direction."""
    return category(sign) in UNPRINTABLE or sign in DIRECTION_MARKS


def is_unseen(sign: str) -> bool:
    """Whether a sign is drawn as nothing."""
    return sign in UNSEEN or category(sign) == "Cf"


def shows_nothing(name: str) -> bool:
    return all(is_unseen(sign) or category(sign) in ("Zs", *MARKS) for sign in name)


def visible(name: str) -> str:
    """A name without invisible characters, composed (NFC), with single blanks."""
    kept = (sign for sign in name if sign.isspace() or not (is_unseen(sign) or category(sign) in NO_SIGNS))
    return " ".join(normalize("NFC", "".join(kept)).split())


def has_too_many_marks(text: str, most_on_a_letter: int = MOST_MARKS, most_on_a_blank: int = 0) -> bool:
    """Whether a letter has too many combining marks, or a mark follows no letter."""
    marks, most = 0, 0
    for sign in normalize("NFC", text):
        if category(sign) not in MARKS:
            marks, most = 0, most_on_a_blank if sign.isspace() else most_on_a_letter
            continue
        marks += 1
        if marks > most:
            return True
    return False


def look_alike(one: str, other: str) -> bool:
    """Whether two names cannot be told apart: as they are drawn, as they are read, or but for capitals."""
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where it looks like one that is taken."""
    others = list(taken)
    number, candidate = 1, name
    while any(look_alike(candidate, other) for other in others):
        number += 1
        candidate = f"{name} {number}"
    return candidate


@lru_cache(maxsize=4096)
def _looks(name: str) -> tuple[str, ...]:
    """As it is drawn; as it is read, by whatever letters; and as its small letters are read. Accents stay: they make
    another name, above all in Vietnamese."""
    letters = visible(name).replace(" ", "")
    drawn, small = _skeleton(letters), _skeleton(normalize("NFKD", letters).casefold())
    looks = drawn.translate(LOOK_DRAWN), *(look.casefold().translate(LOOK_READ) for look in (drawn, small))
    return tuple(normalize("NFKC", look) for look in looks)


def _skeleton(text: str) -> str:
    """The text in the letters that it looks like (UTS #39). Wide, bold or circled letters count as plain ones."""
    models = normalize("NFD", text).translate(LOOKS_LIKE)
    return normalize("NFKD", models).translate(LOOKS_LIKE)
'''

MODULES["roundtable.core.options"] = r'''"""What a seat may do now. Legality is membership: page, bot and server ask the same object."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.errors import IllegalAction
from roundtable.core.seats import Seat
from roundtable.core.state import TableState
from roundtable.core.values import Value


class Invitation(NamedTuple):
    """The variant of `refusal.action.not_allowed` that tells what can be chosen, and its values."""

    variant: str = ""
    values: Mapping[str, Any] = {}


class Option(Protocol):
    """One kind of action, with every choice that the seat has in it."""

    @property
    def kind(self) -> type[Move]: ...

    def __contains__(self, action: object) -> bool: ...

    def __iter__(self) -> Iterator[Move]: ...

    def __len__(self) -> int: ...

    def sample(self, chance: Chance) -> Move:
        """One of the choices, drawn at random."""
        ...

    def odds(self) -> Iterator[tuple[Move, Fraction]]:
        """Every choice, with the chance that `sample` draws it."""
        ...

    def invitation(self) -> Invitation:
        """What would be right, for the seat that asked for something else."""
        ...


Options = tuple[Option, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """A choice among actions that can be listed."""

    actions: tuple[Move, ...]

    @property
    def kind(self) -> type[Move]:
        return type(self.actions[0])

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def __iter__(self) -> Iterator[Move]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def sample(self, chance: Chance) -> Move:
        return self.actions[chance.below(len(self.actions))]

    def odds(self) -> Iterator[tuple[Move, Fraction]]:
        alike = Fraction(1, len(self.actions))
        return ((action, alike) for action in self.actions)

    def invitation(self) -> Invitation:
        return Invitation()


class SeatsChoice(ABC):
    """An option to choose several seats at once. There may be thousands of choices, so a client asks for the parts:
    a number, that many different seats, and one of them as the bearer of something.
    """

    __slots__ = ()

    eligible: tuple[Seat, ...]
    sizes: tuple[tuple[int | None, int], ...]
    """The numbers to choose from (None where there is nothing to choose), and how many seats each takes."""

    @property
    @abstractmethod
    def kind(self) -> type[Move]: ...

    @abstractmethod
    def __contains__(self, action: object) -> bool: ...

    @property
    def bearer_not(self) -> Seat | None:
        """Where one of the chosen seats is given something: the seat that cannot be given it."""
        return None

    @abstractmethod
    def choose(self, seats: frozenset[Seat], number: int | None = None, bearer: Seat | None = None) -> Move:
        """The move that chooses this; it may be one that the option does not contain."""


def one_of(actions: Sequence[Move]) -> Options:
    """The option of these actions, or none where there are none."""
    return (OneOf(actions=tuple(actions)),) if actions else ()


def permits(options: Options, action: Action) -> bool:
    return any(action in option for option in options)


def require_legal(options: Options, state: TableState, move: Move) -> None:
    """A move is legal exactly when one of the seat's options contains it; the refusal speaks of those options only."""
    for option in options:
        if move in option:
            return
    if state.outcome is not None:
        raise IllegalAction("game/over")
    phase, name = state.phase, name_of(type(move))
    if move.phase != phase.number:
        raise IllegalAction("action/late", action=name, phase=move.phase, now=phase.number)
    kinds = [option for option in options if isinstance(move, option.kind)]
    if kinds:
        invitation = kinds[0].invitation()
        raise IllegalAction("action/not_allowed", invitation.variant, action=name, **invitation.values)
    offered = [name_of(option.kind) for option in options]
    raise IllegalAction("action/not_now", "" if offered else "nothing", action=name, offered=offered)


def name_of(kind: type[Value]) -> str:
    """`ProposeTeam` as players type it: propose_team."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
'''

MODULES["roundtable.core.phrases"] = r'''"""A phrase book: claims and short remarks that every client shows in its own language, and programs understand."""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """What belongs to a phrase: a seat that it is about, and a word of the game (a role, a side, a card)."""

    has_seat: bool = False
    has_word: bool = False


IDENTITY_CLAIMS = frozenset(("i_am", "i_saw"))  # about one's own role or side, or what one was shown at the start

# What can be said in any game; a game adds its own.
COMMON_PHRASES = {
    "i_am": Phrase(has_word=True),  # "I am a Songbird."
    "i_saw": Phrase(has_seat=True, has_word=True),  # "I saw seat 4 as the Cuckoo."
    "i_trust": Phrase(has_seat=True),
    "i_suspect": Phrase(has_seat=True),
    "why": Phrase(has_seat=True),
    "wait": Phrase(),
    "go_on": Phrase(),
    "hello": Phrase(),
    "well_played": Phrase(),
}
'''

MODULES["roundtable.core.play"] = r'''"""One game as it is played: a record that grows, the truth it folds to, and what each listener has heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar, get_type_hints

from roundtable.core import actions as ask
from roundtable.core import events as happened
from roundtable.core.actions import Action, Move
from roundtable.core.arguments import checked, require
from roundtable.core.chance import SEED_BYTES, Stream, commitment_to, deal_key
from roundtable.core.codec import agreed_bytes
from roundtable.core.conduct import conduct, refuse
from roundtable.core.entries import Entry, Heard
from roundtable.core.errors import BadRecord, IllegalAction, Problem, RoundTableError, SetupError, problem, shown
from roundtable.core.events import Event, Outcome
from roundtable.core.game import Game, Transition, evolve, fold, is_fact
from roundtable.core.kinds import check_of
from roundtable.core.options import Options, require_legal
from roundtable.core.seats import CLOCK, EVERYONE, HOST, NOBODY, SPECTATOR, TABLE, Seat
from roundtable.core.setup import Setup
from roundtable.core.state import Phase, TableState

S = TypeVar("S", bound=TableState)
D = TypeVar("D")


LONGEST_ID = 64
REFUSALS_KEPT = 200  # of each seat


class Play(Generic[S, D]):
    """A table at which one game is played from the opening to the end.

    `act` is the only door: every move, expiry and line of talk goes through it, is appended to `entries`,
    and changes `state`. Listeners get `heard` and `view`, never `state`.
    """

    def __init__(self, game: Game[S, D], entries: Iterable[Entry] = ()) -> None:
        require("Play(game)", Game, game)
        require("Play(entries)", Iterable, entries)
        self.game = game
        self.entries: list[Entry] = list(entries)
        if any(type(entry) is not Entry for entry in self.entries):
            raise BadRecord("record/broken", "game", name=game.name)
        self._events: list[Event] = [event for entry in self.entries for event in entry.events]
        self._accepted: dict[int, dict[str, Entry]] = {}  # by actor and id
        self._refused: dict[int, dict[str, tuple[Action, tuple[Problem, ...]]]] = {}  # by actor and id
        self._heard: dict[int, list[Event]] = {}  # by those who listen
        self._views: dict[int, tuple[int, S]] = {}
        self._seed = b""
        self._key = b""
        if self.entries:
            self._take_up()

    # Opening and dealing

    @classmethod
    def open(cls, game: Game[S, D], setup: Setup, seed: bytes) -> Play[S, D]:
        """Lay a table: publish the commitment, seal the seed."""
        require("Play.open(game)", Game, game)
        if not isinstance(setup, game.setup_type):
            raise SetupError("setup/game", "setup", name=game.name, expected=game.setup_type.__name__)
        setup.require_ready()
        if type(seed) is not bytes or len(seed) != SEED_BYTES:
            raise SetupError("setup/seed", bytes=SEED_BYTES)
        play = cls(game)
        play._seed = seed
        play.state = game.blank(setup)
        now = Transition(game, play.state)
        now.emit(happened.TableOpened(audience=EVERYONE, setup=setup, commitment=commitment_to(seed)))
        now.emit(happened.SeedSealed(audience=NOBODY, seed=seed.hex()))
        play._append(TABLE, ask.OpenTable(), "", now)
        return play

    @checked
    def contribute(self, seat: Seat, entropy: bytes) -> Entry:
        """A player's own randomness, added after the commitment and before the deal."""
        return self.act(seat, ask.Contribute(entropy=entropy.hex()))

    def deal(self, chosen: D | None = None) -> Entry:
        """Deal from the seed, or hand out a deal that was chosen (for studies and tests; the record says so)."""
        if self.is_over:
            refuse("game/over")
        if self.is_dealt:
            refuse("action/not_now", "dealt")
        if chosen is not None and not (is_deal(self.game, chosen) and self.game.can_deal(self.state.setup, chosen)):
            refuse("action/not_allowed", "deal")
        drawn = self.game.deal(self.state.setup, self.chance("deal")) if chosen is None else chosen
        now = Transition(self.game, self.state)
        self.game.begin(now, drawn)
        return self._append(TABLE, ask.DealRoles(chosen=chosen is not None), "", now)

    # The one door

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        """Do it, or raise `IllegalAction` and change nothing. The same id gets the same answer again."""
        if type(actor) is not int:
            refuse("action/unknown_seat", "number", found=shown(actor))
        if (type(id) is not str or id) and (answer := self._answered(actor, action, id)):
            return answer
        try:
            now = self._unfold(actor, action)
        except IllegalAction as refusal:
            refusal.catalogues = self.game.catalogues
            if id:
                self._remember_refusal(actor, id, action, refusal)
            raise
        return self._append(actor, action, id, now)

    @checked
    def has_done(self, actor: int, action: Action, id: str) -> bool:
        """Whether this very action was done before under this id, so that it is a repeat."""
        accepted = self._accepted.get(actor, {}).get(id)
        return accepted is not None and accepted.action == action

    def expire(self) -> Entry:
        """Time is up for the current phase."""
        return self.act(CLOCK, ask.Expire(phase=self.state.phase.number))

    def _unfold(self, actor: int, action: Action) -> Transition[S]:
        state = self.state
        is_seat = 0 <= actor < state.setup.seats
        if not is_seat and (isinstance(action, Move) or actor not in (CLOCK, HOST)):
            refuse("action/unknown_seat", seat=actor, last=state.setup.seats - 1)
        now = Transition(self.game, state)
        if isinstance(action, Move):
            require_legal(self.options(actor), state, action)
            self.game.decide(now, actor, action)
        elif actor == CLOCK:
            self._expire(now, action)
        elif isinstance(action, ask.Contribute):
            self._contribute(now, actor, action.entropy)
        else:
            conduct(now, actor, action)
        return now

    def _expire(self, now: Transition[S], action: Action) -> None:
        phase = self.state.phase
        if self.is_over:
            refuse("game/over")
        if action != ask.Expire(phase=phase.number):
            refuse("action/late", now=phase.number)
        if not self.state.has_clock or self.state.is_paused:
            refuse("action/no_clock", phase=phase.number)
        self.game.expire(now, self.chance(f"phase/{phase.number}"))

    def _contribute(self, now: Transition[S], seat: int, entropy: str) -> None:
        if self.is_over:
            refuse("game/over")
        if self.is_dealt or seat == HOST:
            refuse("action/not_now", "entropy")
        if any(isinstance(event, happened.EntropyContributed) and event.seat == seat for event in self._events):
            refuse("action/not_now", "entropy_twice")
        if not 32 <= len(entropy) <= 128 or len(entropy) % 2 or not set(entropy) <= set("0123456789abcdef"):
            refuse("action/not_allowed", "entropy")
        now.emit(happened.EntropyContributed(audience=EVERYONE, seat=seat, entropy=entropy))

    def _answered(self, actor: int, action: Action, id: str) -> Entry | None:
        """What was answered to this id before. An id that stood for another action is refused."""
        if type(id) is not str or len(id) > LONGEST_ID or not (id.isascii() and id.isprintable()):
            refuse("action/bad_id", most=LONGEST_ID)
        if (refused := self._refused.get(actor, {}).get(id)) and refused[0] == action:
            raise IllegalAction.of(refused[1], self.game.catalogues)
        accepted = self._accepted.get(actor, {}).get(id)
        if accepted and accepted.action == action:
            return accepted
        if refused or accepted:
            refuse("action/id_reused")
        return None

    def _remember_refusal(self, actor: int, id: str, action: Action, refusal: IllegalAction) -> None:
        """The latest refusals of each seat are kept, so that a repeat gets the same answer. They are in no record."""
        kept = self._refused.setdefault(actor, {})
        if len(kept) >= REFUSALS_KEPT:
            del kept[next(iter(kept))]
        kept[id] = (action, refusal.problems)

    def _append(self, actor: int, action: Action, id: str, now: Transition[S]) -> Entry:
        if now.state.outcome is not None and self.entries and not self.is_over:
            now.emit(self._secrets_revealed(now.events))
        entry = Entry(actor, action, id, tuple(now.events))
        self.state = now.state
        self._keep(entry)
        return entry

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._events.extend(entry.events)
        for event in entry.events:
            self._tell(event)
        if entry.id:
            self._accepted.setdefault(entry.actor, {})[entry.id] = entry

    def _tell(self, event: Event) -> None:
        audience = event.audience
        if audience is EVERYONE:
            for heard in self._heard.values():
                heard.append(event)
            return
        for listener, heard in self._heard.items():
            if listener in audience:
                heard.append(event)

    def _secrets_revealed(self, latest: list[Event]) -> Event:
        facts = [event for event in (*self._events, *latest) if is_fact(event)]
        hidden = tuple([(place, event) for place, event in enumerate(facts) if event.audience is not EVERYONE])
        return happened.SecretsRevealed(audience=EVERYONE, secret_facts=hidden)

    # What can be known

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    @property
    def is_dealt(self) -> bool:
        return self.state.phase.number > 0

    @property
    def is_over(self) -> bool:
        return self.state.outcome is not None

    @property
    def events(self) -> tuple[Event, ...]:
        """The whole record in order; for the room alone."""
        return tuple(self._events)

    def options(self, seat: Seat) -> Options:
        state = self.state
        if seat.__class__ is not int:
            refuse("action/unknown_seat", "number", found=shown(seat))
        is_in_play = state.phase.number and state.outcome is None and 0 <= seat < state.setup.seats
        return self.game.options(state, seat) if is_in_play else ()

    def heard(self, listener: int, after: int = 0) -> list[Heard]:
        """What a seat or SPECTATOR has heard since their own number `after`."""
        require("Play.heard(after)", int, after)
        return [Heard(number, event) for number, event in enumerate(self.events_for(listener)[after:], after + 1)]

    def view(self, listener: int, heard: int | None = None) -> S:
        """All that this listener can know: the fold of what they heard, or of the first so many events of it, and
        nothing else. It is theirs to keep. Views that only go forward are made from one another."""
        require("Play.view(heard)", int | None, heard)
        events = self.events_for(listener)
        end = len(events) if heard is None else max(1, min(heard, len(events)))
        read, state = self._views.get(listener) or (0, None)
        if state is None or read > end:
            view = fold(self.game, events[:end])
        else:
            view = evolve(self.game, state, events[read:end])
        self._views[listener] = (end, view)
        return view.writable_copy()

    def events_for(self, listener: int) -> Sequence[Event]:
        """Everything that a listener has heard; the first of it is number 1. It grows as the game goes on."""
        if listener.__class__ is not int:
            refuse("action/unknown_seat", "number", found=shown(listener))
        events = self._heard.get(listener)
        if events is None:
            if not SPECTATOR <= listener < self.state.setup.seats:
                refuse("action/unknown_seat", seat=listener, last=self.state.setup.seats - 1)
            events = self._heard[listener] = _heard_by(listener, self._events)
        return events

    # Randomness and records

    @checked
    def chance(self, label: str) -> Stream:
        """The table's randomness under a label; it depends on nothing that happens in the game."""
        if not self._key or not self.is_dealt:  # until the deal, players may still contribute
            contributions = [
                (event.seat, event.entropy) for event in self._events if isinstance(event, happened.EntropyContributed)
            ]
            self._key = deal_key(self._seed, agreed_bytes(self.state.setup), sorted(contributions))
        return Stream(self._key, label)

    def _take_up(self) -> None:
        """Stand where a record stands."""
        try:
            self.state = fold(self.game, self._events)
        except (ValueError, KeyError, AssertionError) as broken:
            raise BadRecord("record/broken", "game", name=self.game.name) from broken
        for event in self._events:
            if isinstance(event, happened.SeedSealed):
                self._seed = bytes.fromhex(event.seed)
        for entry in self.entries:
            if entry.id:
                self._accepted.setdefault(entry.actor, {})[entry.id] = entry


def is_deal(game: Game[S, D], chosen: object) -> bool:
    """Whether this is of the kind that the game deals; a game that does not declare it is asked alone."""
    try:
        kind = get_type_hints(type(game).deal).get("return", Any)
    except NameError:  # a name that only a type checker knows
        return True
    return check_of(kind)(chosen)


def _heard_by(listener: int, events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.audience is EVERYONE or listener in event.audience]


@checked
def replay(game: Game[S, D], entries: Iterable[Entry], first_line: int = 1) -> Play[S, D]:
    """Play a record again, action by action, and insist that every line comes out the same (C3).

    `BadRecord` names the line that does not; `first_line` is the number of the first one.
    """
    again: Play[S, D] | None = None
    for line, entry in enumerate(entries, first_line):
        if not isinstance(entry, Entry):
            raise BadRecord("record/broken", "misfit", line=line)
        try:
            again = _redo(game, again, entry)
        except RoundTableError as refusal:
            raise BadRecord.of(at_line(line, refusal), game.catalogues) from refusal
        except (ValueError, KeyError, StopIteration) as misfit:
            raise BadRecord("record/broken", "misfit", line=line) from misfit
        if len(again.entries) != line - first_line + 1 or again.entries[-1] != entry:
            raise BadRecord("record/broken", "misfit", line=line)
    if again is None:
        raise BadRecord("record/broken", "empty")
    return again


def at_line(line: int, refusal: RoundTableError) -> tuple[Problem, ...]:
    """What is wrong with a line of a record."""
    return (problem("record/broken", "line", line=line), *refusal.problems)


def _redo(game: Game[S, D], play: Play[S, D] | None, entry: Entry) -> Play[S, D]:
    if play is None:
        match entry.events:
            case (happened.TableOpened(setup=setup), happened.SeedSealed(seed=seed)):
                return Play.open(game, setup, bytes.fromhex(seed))
        raise ValueError("A record begins with an opened table and a sealed seed.")
    if isinstance(entry.action, ask.DealRoles):
        play.deal(game.read_deal(entry.events) if entry.action.chosen else None)
    else:
        play.act(entry.actor, entry.action, entry.id)
    return play
'''

MODULES["roundtable.core.plugins"] = r'''"""Things by name: those that come with the package, and those that other packages add by entry point."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from roundtable.core.errors import PluginError

T = TypeVar("T")

logger = logging.getLogger("roundtable.plugins")


def load(reference: str) -> Any:
    """The object behind `package.module:name`, imported now."""
    return resolve_name(reference)


class Plugins(Mapping[str, T], Generic[T]):
    """Names and what they stand for. Each is imported when it is first asked for.

    Built-in names win over entry points of the same name. `PluginError` where an entry point cannot be loaded.
    """

    def __init__(self, group: str, kind: type, built_in: Mapping[str, str]) -> None:
        self.group = group
        self._kind = kind
        self._built_in = built_in
        self._loaded: dict[str, T] = {}

    @cached_property
    def _added(self) -> dict[str, EntryPoint]:
        added: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            if entry.name in self._built_in or entry.name in added:
                logger.warning("%s: the name %r is taken; %s is left out", self.group, entry.name, entry.value)
            else:
                added[entry.name] = entry
        return dict(sorted(added.items()))

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        reference = self._built_in.get(name) or self._added[name].value
        try:
            found = load(reference)
        except Exception as broken:
            reason = f"{type(broken).__name__}: {broken}"
            raise PluginError("plugin/broken", name=repr(name), reference=reference, reason=reason) from broken
        fits = issubclass(found, self._kind) if isinstance(found, type) else isinstance(found, self._kind)
        if not fits:
            expected = self._kind.__name__
            raise PluginError("plugin/wrong_kind", name=repr(name), reference=reference, expected=expected)
        return found  # type: ignore[no-any-return]

    def usable(self) -> dict[str, T]:
        """All that can be loaded; the others are left out with a warning."""
        found: dict[str, T] = {}
        for name in self:
            try:
                found[name] = self[name]
            except PluginError as broken:
                logger.warning("%s: %s", self.group, broken.message)
        return found

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self._added

    def __len__(self) -> int:
        return len(self._built_in) + len(self._added)

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._added
'''

MODULES["roundtable.core.seats"] = r'''"""Seats round a table, numbered from 0, and who may hear what is said there."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

Seat = Annotated[int, "seat"]  # an integer whose type hint says that it names a seat

# Those at a table who hold no seat. A listener is a seat or SPECTATOR; an actor is a seat, HOST, CLOCK or TABLE.
SPECTATOR: Final = -1
HOST: Final = -2
CLOCK: Final = -3
TABLE: Final = -4


class Everyone:
    """The audience of a public event: every seat and every spectator."""

    __slots__ = ()

    def __contains__(self, listener: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "EVERYONE"

    def __reduce__(self) -> str:
        return "EVERYONE"


EVERYONE: Final = Everyone()
NOBODY: Final[frozenset[Seat]] = frozenset()

Audience = Everyone | frozenset[Seat]


@lru_cache(maxsize=256)
def only(seat: Seat) -> frozenset[Seat]:
    """The audience of one."""
    return frozenset((seat,))


@lru_cache(maxsize=64)
def all_seats(seats: int) -> frozenset[Seat]:
    return frozenset(range(seats))


def left_of(seat: Seat, seats: int) -> Seat:
    return (seat + 1) % seats


def right_of(seat: Seat, seats: int) -> Seat:
    return (seat - 1) % seats
'''

MODULES["roundtable.core.setup"] = r'''"""What a table agrees on before the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import MappingProxyType, NoneType
from typing import Any, ClassVar, Literal, NamedTuple, get_args, get_origin

from roundtable.core.catalogue import Catalogue
from roundtable.core.errors import Problem, SetupError, problem, shown
from roundtable.core.kinds import check_of, field_types, is_whole_number
from roundtable.core.values import Value, value

LEAST, MOST = 1, 86_400  # what an option takes that is a number: seconds, mostly
ADDED = "added"


def added(default: Any) -> Any:
    """An option that a game did not have from the first. A setup is encoded without it where it has its default, so
    that tables without the option are dealt and recorded as before (C1, C3)."""
    return field(default=default, metadata={ADDED: True})


@value
class Round(Value):
    """A round whose rules follow from the setup alone. A game adds its own fields, and names the type in `parts`."""


class Casting(NamedTuple):
    """How many a side has, and the cards for them; where there are more cards than seats, the deal draws among them."""

    side: str
    seats: int
    roles: tuple[str, ...]


class Notice(NamedTuple):
    """Something to know about a table before it is chosen: `notice.<code>` in the game's catalogue."""

    code: str
    values: Mapping[str, Any] = MappingProxyType({})

    def text(self, words: Catalogue) -> str:
        key = f"notice.{self.code}"
        return words.text(key, **self.values) if key in words else f"{self.code.replace('_', ' ').capitalize()}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A game, its number of seats and its house rules. Every option is a named field with its default."""

    game: ClassVar[str]
    rules_version: ClassVar[int] = 1
    fewest: ClassVar[int]
    most: ClassVar[int]
    catalogues: ClassVar[tuple[str, ...]] = ()
    """Packages with the game's catalogues, from its `GameSpec`: a `SetupError` uses the words of the game."""
    members: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    """Options that are sets: what each may contain. The game itself judges them in `problems`."""

    seats: int
    countdown_seconds: int = 60  # C6: how long a countdown lasts that more than half of the seats asked for

    def problems(self) -> list[Problem]:
        """Every reason why this table cannot start; empty when it can."""
        return self.seat_problems() + self.option_problems()

    def seat_problems(self) -> list[Problem]:
        if type(self.seats) is int and self.fewest <= self.seats <= self.most:
            return []
        seats = self.seats if is_whole_number(self.seats) else shown(self.seats)
        return [problem("setup/seats", game=self.game, fewest=self.fewest, most=self.most, seats=seats)]

    def option_problems(self) -> list[Problem]:
        """Options whose value is of the wrong kind: not one of the words offered, or not a number of seconds."""
        wrong = []
        for option in fields(self):
            kind = field_types(type(self))[option.name]
            chosen = getattr(self, option.name)
            if option.name in self.members and isinstance(chosen, frozenset):
                continue
            if option.name != "seats" and not _fits(chosen, kind):
                wrong.append(wrong_option(option.name, kind, chosen))
        return wrong

    @property
    def possible_roles(self) -> tuple[str, ...]:
        """Every card that is dealt, or, where the deal draws them, that can be; everyone knows these."""
        return tuple(role for side in self.casting() for role in side.roles)

    def notices(self) -> list[Notice]:
        """What a person who chooses this table should be told first; nothing here forbids it."""
        return []

    def casting(self) -> tuple[Casting, ...]:
        """Which roles can come up at this table, side by side; everyone may know."""
        return ()

    def role_variant(self, role: str) -> str:
        """Which variant of the role's text applies, where an option changes what the role can do."""
        return ""

    def rounds(self) -> tuple[Round, ...]:
        """The rounds that clients show before they are played, in a game that has them."""
        return ()

    @classmethod
    def added_options(cls) -> dict[str, Any]:
        """The options that are left out of an encoded setup where they have their defaults, with these defaults."""
        return {option.name: option.default for option in fields(cls) if ADDED in option.metadata}

    def unsaid_phrases(self) -> frozenset[str]:
        """What the phrase book does not offer at this table."""
        return frozenset()

    def require_ready(self) -> None:
        """`SetupError` where the table cannot start, in the words of the game."""
        if not self._is_ready():
            raise SetupError.of(self.problems(), self.catalogues)

    def _is_ready(self) -> bool:
        """Asked once for each setup; remembered by its values' kinds too, since 5.0 is no number of seats."""
        try:
            kinds = tuple([type(getattr(self, option.name)) for option in fields(self)])
            return _has_no_problems(self, kinds)
        except TypeError:  # something in it cannot even be hashed
            return not self.problems()


@lru_cache(maxsize=256)
def _has_no_problems(setup: Setup, kinds: tuple[type, ...]) -> bool:
    return not setup.problems()


def _fits(chosen: object, kind: Any) -> bool:
    is_number = type(chosen) is int and get_origin(kind) is not Literal
    return check_of(kind)(chosen) and not (is_number and not LEAST <= chosen <= MOST)  # type: ignore[operator]


def wrong_option(name: str, kind: Any, chosen: object) -> Problem:
    """An option with a value that it does not take, and what it takes."""
    inner = get_args(kind)
    parts = {"option": name, "value": shown(chosen)}
    if get_origin(kind) is Literal:
        return problem("setup/option", "choice", choices=list(inner), **parts)
    if kind is bool:
        return problem("setup/option", "switch", **parts)
    if kind is int:
        return problem("setup/option", "number", first=LEAST, last=MOST, **parts)
    if int in inner and NoneType in inner:
        return problem("setup/option", "optional_number", first=LEAST, last=MOST, **parts)
    if any(get_origin(one) is frozenset for one in (kind, *inner)):
        return problem("setup/option", "names", **parts)
    return problem("setup/option", **parts)
'''

MODULES["roundtable.core.spec"] = r'''"""A game's parts by name: everything outside a game's folder reaches the game through its `GameSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from roundtable.core.errors import PluginError
from roundtable.core.game import Game
from roundtable.core.plugins import load


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """Where the parts of a game are. A part is imported when it is first asked for, so nothing pays for the others.

    Parts are references of the form `package.module:name`. Only the rules are required; what a game leaves out it gets
    in a plain form, or not at all: without `kernel` it is simulated by the plain engine, without a policy for a bot
    that bot plays at random.
    """

    name: str
    rules: str
    """The `Game` class."""
    text: tuple[str, ...] = ()
    """Packages with catalogues (`<language>.json`), the first before the next; rulebooks (`rulebook.<language>.md`) are
    in the first."""
    teller: str = ""
    """The `Teller` class (text/teller.py): events, moves and secrets as sentences, where catalogues alone do not do."""
    narration: str = ""
    """A function from a setup, and where people learn whom they know, to the lines of a narrator's script
    (text/script.py); without it the script is plain."""
    cards: str = ""
    """The `Cards` class (text/cards.py): what is on a player's card at a real table; without it the cards are plain."""
    secrecy: str = ""
    """The `Secrecy` (core/secrecy.py): who must hear which event, and which deals a listener cannot tell apart."""
    policies: Mapping[str, str] = field(default_factory=dict)
    """For bots that play every game: a `Policy` (core/policy.py) by the name of the bot."""
    speech: str = ""
    """What a bot that plays every game says: a `Speech` (core/policy.py); without it, bots say any common remark."""
    kernel: str = ""
    """The compiled game: a `CompiledGame` (kernels/core.py), for simulations and training (extra `lab`)."""
    environment: str = ""
    """The `Environment` (kernels/environment.py): what a seat knows and may choose, as numbers (extra `lab`)."""
    belief: str = ""
    """The `Belief` class (belief/contract.py): what a listener can conclude about the deal."""
    sage: str = ""
    """The `Strategy` (bots/sage/contract.py): what the bot `sage` has to know of the game."""
    people: str = ""
    """A function that returns a model of how people play: `log_chances(situation, move, viewpoints)`."""
    balance: str = ""
    """The `Balance` (core/balance.py): which tables a balance study compares."""

    @cached_property
    def game(self) -> Game[Any, Any]:
        """The rules."""
        game: Game[Any, Any] = load(self.rules)()
        game.catalogues = game.setup_type.catalogues = self.text
        return game

    def part(self, name: str) -> Any:
        """The part under that field, imported now; `PluginError` where the game has none."""
        reference = getattr(self, name)
        if not reference:
            raise PluginError("plugin/incomplete", name=self.name, part=name)
        return load(reference)
'''

MODULES["roundtable.core.state"] = r'''"""The state of a table: one type for the truth and for what a seat knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from roundtable.core import events as happened
from roundtable.core.events import Event, Outcome
from roundtable.core.seats import NOBODY, Audience, Seat, only
from roundtable.core.setup import Setup

S = TypeVar("S", bound="TableState")


class Phase(NamedTuple):
    """What the table waits for now; always public."""

    number: int
    name: str
    awaited: frozenset[Seat]
    seconds: int | None


class Floor(NamedTuple):
    """Who speaks and who hears in a channel."""

    speakers: frozenset[Seat]
    hearers: Audience


SEATING = Phase(0, "seating", frozenset(), None)


@dataclass(kw_only=True, eq=False, repr=False)
class TableState:
    """The fold of a table's events: of all of them it is the truth, of those one listener heard it is their view.

    A view obeys three laws: it forgets nothing it was told, the same events give the same view, and it stays
    valid after the end. Only absorbers write to a state, and only to a copy that has not been handed out.
    """

    setup: Setup
    commitment: str = ""
    phase: Phase = SEATING
    floors: dict[str, Floor] = field(default_factory=dict)
    countdown: int | None = None
    is_paused: bool = False
    wants_countdown: frozenset[Seat] = frozenset()
    wants_call_off: frozenset[Seat] = frozenset()
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        """What is public: a state holds secrets, and must be safe to log."""
        return f"<{type(self).__name__} of {self.setup.game}: phase {self.phase.number} ({self.phase.name})>"

    def copy(self: S) -> S:
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__.copy()
        return twin

    @property
    def has_clock(self) -> bool:
        return self.phase.seconds is not None or self.countdown is not None

    def writable_copy(self: S) -> S:
        """A copy with dictionaries of its own, for callers that may write into it."""
        twin = self.copy()
        twin.__dict__.update({name: dict(part) for name, part in self.__dict__.items() if type(part) is dict})
        return twin

    def facts(self) -> dict[str, Any]:
        """Every field by name, for comparing and encoding."""
        return dict(self.__dict__)


Absorbers = Mapping[type[Event], Callable[[Any, Any], None]]


def _phase_began(state: TableState, event: happened.PhaseBegan) -> None:
    state.phase = Phase(event.number, event.name, event.awaited, event.seconds)
    state.countdown = None
    state.wants_countdown = NOBODY


def _floor_given(state: TableState, event: happened.FloorGiven) -> None:
    state.floors = {**state.floors, event.channel: Floor(event.speakers, event.hearers)}


def _table_opened(state: TableState, event: happened.TableOpened) -> None:
    state.commitment = event.commitment


def _countdown_asked(state: TableState, event: happened.CountdownAsked) -> None:
    state.wants_countdown |= only(event.seat)


def _countdown_started(state: TableState, event: happened.CountdownStarted) -> None:
    state.countdown = event.seconds


def _clock_paused(state: TableState, event: happened.ClockPaused) -> None:
    state.is_paused = True


def _clock_resumed(state: TableState, event: happened.ClockResumed) -> None:
    state.is_paused = False


def _call_off_asked(state: TableState, event: happened.CallOffAsked) -> None:
    state.wants_call_off |= only(event.seat)


def _game_ended(state: TableState, event: happened.GameEnded) -> None:
    state.outcome = event.outcome


def no_change(state: TableState, event: Event) -> None:
    """For events that are heard and change nothing that stands on the table."""


# What each event that any game may have writes down.
ABSORB_COMMON: Absorbers = {
    happened.TableOpened: _table_opened,
    happened.SeedSealed: no_change,
    happened.EntropyContributed: no_change,
    happened.PhaseBegan: _phase_began,
    happened.FloorGiven: _floor_given,
    happened.Said: no_change,
    happened.Remarked: no_change,
    happened.CountdownAsked: _countdown_asked,
    happened.CountdownStarted: _countdown_started,
    happened.ClockPaused: _clock_paused,
    happened.ClockResumed: _clock_resumed,
    happened.ClockExtended: no_change,
    happened.CallOffAsked: _call_off_asked,
    happened.GameEnded: _game_ended,
    happened.SecretsRevealed: no_change,
}
'''

MODULES["roundtable.core.values"] = r'''"""Frozen values; equal values are the same object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from roundtable.core.errors import Unreadable, shown
from roundtable.core.kinds import as_collection, field_checks, field_types, kind_name

T = TypeVar("T")

# Games repeat the same few values ("seat 3 has voted"), and building a frozen dataclass costs more than a lookup.
REMEMBERED = 1 << 16


def sealed() -> Any:
    """A field that holds a secret: it stays out of `repr`, and so out of logs and tracebacks."""
    return field(repr=False)


def _make(cls: type, **parts: Any) -> Any:
    """Build a value and check the type of every field: without the check, True could be cached where 1 was meant."""
    made = type.__call__(cls, **parts)
    for name, fits in field_checks(cls):
        part = getattr(made, name)
        if not fits(part):
            kind = field_types(cls)[name]
            if fits(frozen := as_collection(kind, part)):
                return cls(**{**parts, name: frozen})
            expected, place = kind_name(kind), f"{cls.__name__}.{name}"
            raise Unreadable("text/unreadable", "field", field=place, expected=expected, found=shown(part))
    return made


_remembered = lru_cache(maxsize=REMEMBERED, typed=True)(_make)


class _Interning(type):
    if not TYPE_CHECKING:

        def __call__(cls, **parts):
            try:
                return _remembered(cls, **parts)
            except TypeError:  # a list, or something else that cannot be looked up
                return _make(cls, **parts)


class Word(StrEnum):
    """A string enumeration that hashes as fast as its text."""

    __hash__ = str.__hash__


class Uncached(_Interning):
    """The metaclass of values that are not cached: too large, too secret or too rare."""

    if not TYPE_CHECKING:
        __call__ = _make


def unchecked_constructor(kind: Uncached) -> Callable[..., Any]:
    """A constructor without type checks, for fields that a decoder has checked already."""
    return partial(type.__call__, kind)


class Value(metaclass=_Interning):
    """Base of everything that is said at a table: actions, events, phases, outcomes."""

    __slots__ = ("encoded", "told")  # its encodings, cached by the encoder; not part of the value
    if TYPE_CHECKING:
        encoded: str  # as in a record
        told: str  # as listeners are told of it


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, sealed))
def value(cls: type[T]) -> type[T]:
    """Make a class a value: frozen, compact, built by keyword."""
    build: Callable[[type[T]], type[T]] = dataclass(frozen=True, slots=True, kw_only=True)
    return build(cls)
'''

MODULES["roundtable.dealer"] = r'''"""Games for people at a real table: every player's card as a file of its own (T25)."""

from roundtable.dealer.dealing import Dealt, deal_to, report_of
from roundtable.dealer.names import SEED_PAPER, SPOILER, START, require_names

__all__ = ["SEED_PAPER", "SPOILER", "START", "Dealt", "deal_to", "report_of", "require_names"]
'''

MODULES["roundtable.dealer.dealing"] = r'''"""Deal a game to people by name, each card into a file that has the player's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from roundtable.core.catalogue import catalogue
from roundtable.core.errors import SetupError
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.dealer.files import lay_out
from roundtable.dealer.names import SPOILER, START, require_names
from roundtable.dealer.papers import papers_of, roles_in_the_deal
from roundtable.games import spec_named
from roundtable.text.cards import cards_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """What is public about a deal."""

    folder: Path
    names: tuple[str, ...]  # in seat order; each is the name of that player's file
    commitment: str  # to the seed (C1)
    roles: str  # a sentence on the roles in the deal, where those are public


def deal_to(folder: Path, setup: Setup, names: Sequence[str], seed: bytes, lang: str = "en") -> Dealt:
    """Deal from the seed to these people, in the order in which they sit, and write the files; or change nothing."""
    require_names(names)
    if len(names) != setup.seats:
        raise SetupError("setup/seats", "names", seats=setup.seats, names=len(names))
    spec = spec_named(setup.game)
    play = Play.open(spec.game, setup, seed)
    play.deal()
    place = lay_out(folder, papers_of(spec, play, names, lang))
    return Dealt(
        folder=place,
        names=tuple(names),
        commitment=play.view(SPECTATOR).commitment,
        roles=roles_in_the_deal(cards_of(spec, setup, names, lang)),
    )


def report_of(dealt: Dealt, folder: Path, lang: str = "en") -> str:
    """What is read out when the cards are dealt; the folder is called what its owner called it."""
    words = catalogue(lang)
    lines = (
        words.text("dealer.cards_dealt", count=len(dealt.names), folder=folder),
        dealt.roles,
        words.text("dealer.then_begin", start=folder / START, spoiler=folder / SPOILER),
        words.text("dealer.write_down", commitment=dealt.commitment),
    )
    return "\n".join(line for line in lines if line)
'''

MODULES["roundtable.dealer.files"] = r'''"""A deal as files in a folder: complete or not there at all, and no other files are touched (T25)."""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple
from unicodedata import normalize

from roundtable.core.errors import FolderError, problem, shown
from roundtable.dealer.names import MANIFEST

MADE_BY = "roundtable deal, version 1"
LARGEST_MANIFEST = 1 << 16
O_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has none
O_BINARY = getattr(os, "O_BINARY", 0)  # only Windows has one


class Obstacle(NamedTuple):
    """Why no deal may go into a folder: `refusal.folder.occupied_<reason>`, and the file that is the reason."""

    reason: str
    file: str = ""


class FolderOccupied(Exception):
    """Something in the folder that is not a former deal."""

    def __init__(self, place: Path, obstacle: Obstacle) -> None:
        super().__init__(place, obstacle)
        self.place = place
        self.obstacle = obstacle


def lay_out(folder: Path, papers: Mapping[str, bytes], at: int | None = None) -> Path:
    """Put these files, and nothing else, into the folder, in place of a former deal if there is one.

    All is written beside the folder first, and put in place by renaming; whatever goes wrong, the folder stays as it
    was. Every file has the same time, `at` in seconds, and can be read by the owner's account alone.
    """
    try:
        place = Path(os.path.abspath(folder))
        require_free(place)
        beside = Path(mkdtemp(prefix=".roundtable-", dir=place.parent))
        try:
            write_all(beside / "new", papers, int(time.time()) if at is None else at)
            put_in_place(beside, place)
        finally:
            clear(beside)
    except FolderOccupied as found:
        raise occupied(found.place, found.obstacle) from found
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FolderError("folder/unwritable", folder=repr(str(folder)), reason=reason) from error
    except UnicodeEncodeError as error:
        raise FolderError("folder/unwritable", "encoding", folder=repr(str(folder))) from error
    return place


def occupied(place: Path, obstacle: Obstacle) -> FolderError:
    reason = problem("folder/occupied", obstacle.reason, folder=repr(str(place)), file=shown(obstacle.file))
    return FolderError.of([reason, problem("folder/occupied")])


# What is there already


def require_free(place: Path) -> None:
    if obstacle := in_the_way(place) or (Obstacle("here") if contains_current_folder(place) else None):
        raise FolderOccupied(place, obstacle)


def contains_current_folder(place: Path) -> bool:
    """Whether the process runs in that folder or below, so that replacing it would take its folder away."""
    here = Path.cwd().resolve()
    return place.resolve() in (here, *here.parents)


def in_the_way(place: Path) -> Obstacle | None:
    """Why no deal may go there; None where nothing is, or only a former deal."""
    if not os.path.lexists(place):
        return None
    kind = place.lstat().st_mode
    if not stat.S_ISDIR(kind):
        return Obstacle("link" if stat.S_ISLNK(kind) else "no_folder")
    left = files_left_by_a_deal(place)
    with os.scandir(place) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            size = left.pop(normalize("NFC", entry.name), None)  # some file systems normalise names
            if size is None:
                return Obstacle("foreign", entry.name)
            if not entry.is_file(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_size != size:
                return Obstacle("changed", entry.name)
    return None  # a deal from which players have taken their cards away is a deal still


def files_left_by_a_deal(folder: Path) -> dict[str, int]:
    """The files of a former deal with their sizes, by its manifest; none where there is no manifest of ours."""
    manifest = folder / MANIFEST
    try:
        if not stat.S_ISREG(manifest.lstat().st_mode):
            return {}
        written = manifest.read_bytes()[:LARGEST_MANIFEST]
        left = json.loads(written)
    except (OSError, ValueError, RecursionError):
        return {}
    files = left.get("files") if isinstance(left, dict) and left.get("made_by") == MADE_BY else None
    if not isinstance(files, dict) or not all(type(size) is int for size in files.values()):
        return {}
    return {normalize("NFC", name): size for name, size in files.items()} | {MANIFEST: len(written)}


# What comes instead


def write_all(folder: Path, papers: Mapping[str, bytes], at: int) -> None:
    """Write every file in the order given, which does not depend on roles, and the manifest; synced to the disk."""
    folder.mkdir(mode=0o700)
    sizes = {name: len(text) for name, text in papers.items()}
    manifest = json.dumps({"made_by": MADE_BY, "files": sizes}, ensure_ascii=False, indent=1) + "\n"
    for name, text in {**papers, MANIFEST: manifest.encode()}.items():
        write(folder / name, text, at)
    settle(folder)


def write(path: Path, text: bytes, at: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | O_NOFOLLOW | O_BINARY, 0o600)
    with open(handle, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.utime(path, (at, at))


def settle(folder: Path) -> None:
    """Sync the folder's own entries to the disk, where the system supports it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def put_in_place(beside: Path, place: Path) -> None:
    """Exchange a former deal for the new one. Between the two renames there is no deal, but never half of one."""
    old = beside / "old"
    try:
        if os.path.lexists(place):
            os.rename(place, old)
            if obstacle := in_the_way(old):  # it has changed since it was looked at
                raise FolderOccupied(place, obstacle)
        os.rename(beside / "new", place)
    except BaseException:
        if os.path.lexists(old) and not os.path.lexists(place):
            os.rename(old, place)
        raise
    try:
        with suppress(OSError):  # the deal is there, and complete
            settle(place.parent)
    finally:
        remove_deal(old)


def remove_deal(folder: Path) -> None:
    """Remove a former deal, if there was one, file by file; other files that came into it meanwhile stay."""
    own = files_left_by_a_deal(folder)
    with suppress(OSError):
        for file in list(folder.iterdir()):
            if normalize("NFC", file.name) in own:
                file.unlink()
        folder.rmdir()


def clear(beside: Path) -> None:
    """Remove our own files; the folder beside goes too, unless other files are in there."""
    shutil.rmtree(beside / "new", ignore_errors=True)
    with suppress(OSError):
        beside.rmdir()
'''

MODULES["roundtable.dealer.names"] = r'''"""Which names can each be a file of its own, on every common computer (T25)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple
from unicodedata import category

from roundtable.core.errors import NamesError, Problem, problem, shown
from roundtable.core.names import look_alike, shows_nothing

START = "start"
SPOILER = "DoNotOpen"
SEED_PAPER = ".DoNotOpen-seed"  # hidden, so that what lies on the table is what T25 says
MANIFEST = ".roundtable-deal"

LONGEST_NAME = 200  # bytes; the strictest common file systems end at 255, and some programs add to a name

SEPARATORS_AND_WILDCARDS = frozenset('/\\:*?"<>|')
BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
BYTE_ORDER_MARK = "\ufeff"
DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", "clock$")) | frozenset(
    port + number for port in ("com", "lpt") for number in "0123456789¹²³"
)


class Fault(NamedTuple):
    """Something that can be wrong with a name; `refusal.<code>` tells what would be right."""

    code: str
    is_in: Callable[[str], bool]
    variant: str = ""


def require_names(names: Sequence[str]) -> None:
    """Refuse names that could not each be a safe file of its own, with every fault at once."""
    if problems := [*faults_of_each(names), *twins_among(names)]:
        raise NamesError.of(problems)


def faults_of_each(names: Sequence[str]) -> Iterator[Problem]:
    for name in names:
        faults = [EMPTY] if shows_nothing(name) else [fault for fault in FAULTS if fault.is_in(name)]
        for fault in faults:
            yield problem(fault.code, fault.variant, name=shown(name), most=LONGEST_NAME)


def twins_among(names: Sequence[str]) -> Iterator[Problem]:
    for one, other in combinations(names, 2):
        if look_alike(one, other):
            yield problem("names/alike", first=shown(one), second=shown(other))


def is_path(name: str) -> bool:
    return not SEPARATORS_AND_WILDCARDS.isdisjoint(name)


def has_unprintable(name: str) -> bool:
    """Control characters, halves of characters, line ends, and marks that change the direction of writing."""
    return any(
        category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in BIDI_CONTROLS or sign == BYTE_ORDER_MARK for sign in name
    )


def has_bad_edge(name: str) -> bool:
    """Hidden files, `.` and `..`; and ends that Windows cuts off."""
    return name.startswith(".") or name.endswith(".") or name != name.strip()


def is_too_long(name: str) -> bool:
    return len(name.encode("utf-8", "surrogatepass")) > LONGEST_NAME


def is_reserved(name: str) -> bool:
    return any(look_alike(name, other) for other in RESERVED)


def is_device(name: str) -> bool:
    """Windows takes NUL.txt for NUL as well."""
    return name.partition(".")[0].rstrip().casefold() in DEVICES


RESERVED = (START, SPOILER, SEED_PAPER, MANIFEST)

EMPTY = Fault("names/empty", shows_nothing)
FAULTS = (
    Fault("names/sign", is_path),
    Fault("names/unprintable", has_unprintable),
    Fault("names/edge", has_bad_edge),
    Fault("names/too_long", is_too_long),
    Fault("names/reserved", is_reserved),
    Fault("names/reserved", is_device, "device"),
)
'''

MODULES["roundtable.dealer.papers"] = r'''"""The files of a deal: a card for each player, how the game begins, who is who, and the seed (T25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from roundtable.core.codec import agreed_bytes
from roundtable.core.events import SeedSealed
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.core.spec import GameSpec
from roundtable.dealer.names import SEED_PAPER, SPOILER, START
from roundtable.dealer.sizes import padded
from roundtable.text.cards import Cards, cards_of
from roundtable.text.names import counted

Papers = dict[str, bytes]


def papers_of(spec: GameSpec, play: Play[Any, Any], names: Sequence[str], lang: str = "en") -> Papers:
    """The files of a dealt game by their names: cards in seat order, then `start`, `DoNotOpen` and the seed.

    All cards are equally large, and their size and that of the others are the same whatever was dealt.
    """
    cards = cards_of(spec, play.state.setup, names, lang)
    size = cards.size()
    texts = [cards.card(seat, play.view(seat), play.events_for(seat)) for seat in range(len(names))]
    return {
        **{name: padded(text, size) for name, text in zip(names, texts, strict=True)},
        START: cards.start(play.events_for(SPECTATOR)).encode(),
        SPOILER: spoiler(play, cards, size),
        SEED_PAPER: seed_paper(play, cards).encode(),
    }


def spoiler(play: Play[Any, Any], cards: Cards, size: int) -> bytes:
    """Every player's side and role, as large as if all had the role with the longest name.

    In a game without roles it is what each of them was told.
    """
    seats = range(len(cards.names))
    dealt = [cards.role(seat, play.view(seat)) for seat in seats]
    if not all(dealt):
        known = [" ".join(cards.knowledge(seat, play.events_for(seat))) for seat in seats]
        return padded(who_is_who(cards, pairs(cards.names, known)), size * (len(seats) + 1))
    longest = max(cards.side_of, key=lambda role: len(cards.word(role).encode()))
    fullest = who_is_who(cards, teams(cards, [longest] * len(seats)))
    return padded(who_is_who(cards, teams(cards, dealt)), len(fullest.encode()))


def who_is_who(cards: Cards, lines: Iterable[str]) -> str:
    return "\n".join((cards.text("dealer.who_is_who"), *lines)) + "\n"


def teams(cards: Cards, roles: Sequence[str]) -> Iterator[str]:
    """The players of each side with their roles, the larger side first."""
    for casting in sorted(cards.setup.casting(), key=lambda casting: casting.seats, reverse=True):
        team = [seat for seat, role in enumerate(roles) if cards.side_of[role] == casting.side]
        yield from ("", cards.team_heading(casting.side))
        yield from pairs([cards.names[seat] for seat in team], [cards.word(roles[seat]) for seat in team])


def pairs(names: Iterable[str], secrets: Iterable[str]) -> Iterator[str]:
    return (f"{name} -> {secret}" for name, secret in zip(names, secrets, strict=True))


def seed_paper(play: Play[Any, Any], cards: Cards) -> str:
    """The seed from which the whole deal follows, and how to check that it does (C1)."""
    (seed,) = (event.seed for event in play.events if isinstance(event, SeedSealed))
    agreed = agreed_bytes(play.state.setup).decode()
    return cards.text("dealer.seed_paper", seed=seed, commitment=play.state.commitment, agreed=agreed)


def roles_in_the_deal(cards: Cards) -> str:
    """The roles in the deal, which are public (A10, S4); nothing where they are drawn from a pool (T13)."""
    casting = cards.setup.casting()
    if not casting or any(len(side.roles) > side.seats for side in casting):
        return ""
    roles = counted(map(cards.word, cards.setup.possible_roles), cards.catalogue)
    return cards.text("dealer.in_the_deal", roles=roles)
'''

MODULES["roundtable.dealer.sizes"] = r'''"""Texts filled up to a size that says nothing about them (T25)."""

from __future__ import annotations

BLANKS = 79  # in a line that fills up: so there are few of them, and `cat` leaves the card in sight


def padded(text: str, size: int) -> bytes:
    """A text as exactly so many bytes: blank lines follow after its end."""
    written = text.encode()
    missing = size - len(written)
    if missing < 0:
        raise ValueError(f"A text of {len(written)} bytes does not fit into {size}.")
    lines, rest = divmod(missing, BLANKS + 1)
    last = b" " * (rest - 1) + b"\n" if rest else b""
    return written + (b" " * BLANKS + b"\n") * lines + last
'''

MODULES["roundtable.games"] = r'''"""The games: a folder each, and everything about a game in its folder."""

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
'''

MODULES["roundtable.games.quests"] = r'''"""What Avalon and THavalon share: teams, votes, quest cards and the assassination."""
'''

MODULES["roundtable.games.quests.actions"] = r'''"""What players ask for in a quest game."""

from __future__ import annotations

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value
from roundtable.games.quests.roles import Card


@value
class ProposeTeam(Move):
    """The leader's team; `quest` only where quests are chosen (A24), `excalibur` only where it is in play (A25)."""

    team: frozenset[Seat]
    quest: int | None = None
    excalibur: Seat | None = None


@value
class CastVote(Move):
    approve: bool = sealed()


@value
class PlayCard(Move):
    card: Card = sealed()


QUEST_ACTIONS: tuple[type[Move], ...] = (ProposeTeam, CastVote, PlayCard)
'''

MODULES["roundtable.games.quests.cards"] = r'''"""The cards of both quest games: whom a role sees, what it is told, and how much that can be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import ClassVar

from roundtable.core.catalogue import as_key
from roundtable.core.events import Event
from roundtable.core.seats import NOBODY, Seat
from roundtable.games.quests.events import LeaderNamed, RoleDealt
from roundtable.games.quests.roles import Glimpse, Role, Sight
from roundtable.text.cards import Cards, largest


class QuestCards(Cards):
    """A6 to A9, T6 to T13."""

    sights: ClassVar[tuple[Sight, ...]]

    def knowledge(self, seat: Seat, heard: Iterable[Event]) -> Iterable[str]:
        return next(self.told_with(event) for event in heard if isinstance(event, RoleDealt))

    def told_with(self, dealt: RoleDealt) -> Iterator[str]:
        """What a role is told. Players come in seat order, so that their order gives nothing away."""
        seen = sorted((seat, glimpse.seen_as) for glimpse in dealt.sees for seat in glimpse.seats)
        for seat, what in seen:
            yield self.text("card.seen", context=as_key(what), name=self.names[seat], what=self.word(what))
        if dealt.sees and not seen:
            yield self.text("card.sees_nobody")
        yield from (self.word(role) for role in dealt.roles_in_game)
        yield from (self.text(f"notice.{notice}") for notice in dealt.notices)
        if dealt.is_assassin and dealt.role is not Role.ASSASSIN:
            yield self.text("card.assassin")

    def start(self, heard: Iterable[Event]) -> str:
        leader = next(event.seat for event in heard if isinstance(event, LeaderNamed))
        return self.text("card.leads", name=self.names[leader])

    # How large a card can become

    def size(self) -> int:
        return largest(self.lay_out(dealt.seat, dealt.role, self.told_with(dealt)) for dealt in self.fullest())

    def fullest(self) -> Iterator[RoleDealt]:
        """What each role could be told at most: all that it may see, under the longest names; or nothing at all."""
        pool = tuple(Role(role) for role in self.setup.possible_roles)
        longest = self.by_length()
        for role in dict.fromkeys(pool):
            others = list(pool)
            others.remove(role)
            rows = [row for row in self.sights if role in row.viewers]
            crowd = [Glimpse(seen_as=row.seen_as, seats=tuple(longest[: most_seen(row, others)])) for row in rows]
            nobody = [Glimpse(seen_as=row.seen_as, seats=()) for row in rows]
            for sees in (crowd, nobody):
                yield RoleDealt(
                    audience=NOBODY,
                    seat=longest[-1],
                    role=role,
                    sees=tuple(sees),
                    roles_in_game=self.roles_known_to(role, pool),
                    notices=self.notices_to(role, pool),
                    is_assassin=role in self.assassins(),
                )

    def assassins(self) -> Collection[Role]:
        """The roles that may have the Assassin's duty besides."""
        return ()

    def roles_known_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[Role, ...]:
        """The roles that this one is told to be in the game, where all that are possible are."""
        return ()

    def notices_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[str, ...]:
        """What else this role is told, where all roles that are possible are in the game."""
        return ()


def most_seen(row: Sight, others: Iterable[Role]) -> int:
    return sum(role in row.seen for role in others)
'''

MODULES["roundtable.games.quests.events"] = r'''"""What happens in a quest game."""

from __future__ import annotations

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value
from roundtable.games.quests.roles import Card, Glimpse, Role


@value
class RoleDealt(Event):
    """A seat's card and all it is told with it; heard by that seat alone."""

    seat: Seat
    role: Role = sealed()
    sees: tuple[Glimpse, ...] = sealed()
    roles_in_game: tuple[Role, ...] = sealed()
    notices: tuple[str, ...] = sealed()
    is_assassin: bool = sealed()


@value
class LeaderNamed(Event):
    """The lead goes to a seat, for the given proposal of this quest."""

    seat: Seat
    attempt: int


@value
class TeamProposed(Event):
    leader: Seat
    quest: int
    team: frozenset[Seat]
    excalibur: Seat | None = None


@value
class ProposalMissed(Event):
    """The leader named no team in time: it counts as rejected (C5)."""

    leader: Seat


@value
class BallotCast(Event):
    """A seat has voted; how is not public yet (A12)."""

    seat: Seat


@value
class BallotMarked(Event):
    """How a seat votes as things stand; heard by that seat alone."""

    seat: Seat
    approve: bool = sealed()


@value
class VotesCounted(Event):
    """All votes, by seat."""

    ballots: tuple[bool, ...]
    approved: bool


@value
class CardChosen(Event):
    """The card a seat laid face down; heard by that seat alone."""

    seat: Seat
    card: Card = sealed()


@value
class QuestResolved(Event):
    """How many cards of each kind lay on the table. Who laid which is not said (A18)."""

    quest: int
    team: frozenset[Seat]
    successes: int
    fails: int
    reverses: int
    succeeded: bool


@value
class SidesRevealed(Event):
    """Three quests have succeeded: everyone sees who is Evil, and who holds the dagger (A21)."""

    evil: tuple[Seat, ...]
    assassin: Seat


QUEST_EVENTS: tuple[type[Event], ...] = (
    RoleDealt,
    LeaderNamed,
    TeamProposed,
    ProposalMissed,
    BallotCast,
    BallotMarked,
    VotesCounted,
    CardChosen,
    QuestResolved,
    SidesRevealed,
)
'''

MODULES["roundtable.games.quests.flow"] = r'''"""How teams are asked for and sent, and how votes and cards come in, in both quest games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK, Transition
from roundtable.core.seats import EVERYONE, Seat, all_seats, only
from roundtable.games.quests.events import (
    BallotCast,
    BallotMarked,
    CardChosen,
    LeaderNamed,
    QuestResolved,
    RoleDealt,
    SidesRevealed,
)
from roundtable.games.quests.roles import Card, Role, Side, seats_on
from roundtable.games.quests.state import QuestDeal, QuestState
from roundtable.games.quests.tables import quest_fails

QS = TypeVar("QS", bound=QuestState)


def ask_for_team(now: Transition[QS], leader: Seat, attempt: int) -> None:
    now.emit(LeaderNamed(audience=EVERYONE, seat=leader, attempt=attempt))
    now.begin_phase("propose", only(leader), now.state.setup.propose_seconds)


def send_team(now: Transition[QS]) -> None:
    assert now.state.proposal is not None
    now.begin_phase("quest", now.state.proposal.team, now.state.setup.quest_seconds)


def mark_ballot(now: Transition[QS], seat: Seat, approve: bool) -> bool:
    """Take a vote or a changed one; says whether all votes are in now (A12)."""
    state = now.state
    if seat in state.voted:
        if state.ballots[seat] is not approve:
            now.emit(_marked(seat, approve))
        return False
    now.emit(_cast(seat))
    now.emit(_marked(seat, approve))
    return len(state.voted) == state.setup.seats


# Three in four of all events are about votes, so even looking them up is worth a short cut.


@lru_cache(maxsize=64)
def _cast(seat: Seat) -> BallotCast:
    return BallotCast(audience=EVERYONE, seat=seat)


@lru_cache(maxsize=64)
def _marked(seat: Seat, approve: bool) -> BallotMarked:
    return BallotMarked(audience=only(seat), seat=seat, approve=approve)


def reject_for_the_absent(now: Transition[QS]) -> None:
    """C5: a missed vote is a reject."""
    for seat in range(now.state.setup.seats):
        if seat not in now.state.voted:
            mark_ballot(now, seat, False)


def ballots_in_seat_order(state: QuestState) -> tuple[bool, ...]:
    ballots = state.ballots
    return tuple([ballots[seat] for seat in range(state.setup.seats)])


def lay_card(now: Transition[QS], seat: Seat, card: Card) -> bool:
    """Lay a card face down; says whether all cards are in now (A17)."""
    now.emit(CardChosen(audience=only(seat), seat=seat, card=card))
    proposal = now.state.proposal
    return proposal is not None and len(now.state.cards) == len(proposal.team)


def lay_for_the_absent(now: Transition[QS]) -> None:
    """C5: a missed card is the seat's dullest legal one, which heads its list of cards."""
    assert now.state.proposal is not None
    for seat in sorted(now.state.proposal.team):
        if seat not in now.state.cards:
            lay_card(now, seat, now.state.setup.cards_of(now.state.roles[seat])[0])


def count_cards(now: Transition[QS], cards: dict[Seat, Card], needed: int) -> None:
    """Make the number of each kind public, and nothing else (A18, A19, T18 to T20)."""
    proposal = now.state.proposal
    assert proposal is not None
    kinds = list(cards.values())
    fails, reverses = kinds.count(Card.FAIL), kinds.count(Card.REVERSE)
    now.emit(
        QuestResolved(
            audience=EVERYONE,
            quest=proposal.quest,
            team=proposal.team,
            successes=kinds.count(Card.SUCCESS),
            fails=fails,
            reverses=reverses,
            succeeded=not quest_fails(fails, reverses, needed),
        )
    )


def reveal_sides(now: Transition[QS]) -> None:
    """A21: sides and the Assassin become public, and Evil may confer where Good does not hear it."""
    assert now.state.assassin is not None
    evil = seats_on(Side.EVIL, roles_in_seat_order(now.state))
    now.emit(SidesRevealed(audience=EVERYONE, evil=evil, assassin=now.state.assassin))
    now.give_floor("evil", frozenset(evil), frozenset(evil))


def roles_in_seat_order(state: QuestState) -> tuple[Role, ...]:
    return tuple([state.roles[seat] for seat in range(state.setup.seats)])


def read_quest_deal(events: Sequence[Event]) -> QuestDeal:
    """The deal that these events handed out."""
    cards = {event.seat: event for event in events if isinstance(event, RoleDealt)}
    leader = next(event.seat for event in events if isinstance(event, LeaderNamed))
    assassin = next((seat for seat, card in cards.items() if card.is_assassin), None)
    return QuestDeal(tuple(cards[seat].role for seat in range(len(cards))), leader, assassin)


def let_everybody_talk(now: Transition[QS]) -> None:
    now.give_floor(OPEN_TALK, all_seats(now.state.setup.seats), EVERYONE)


@lru_cache(maxsize=64)
def others(seat: Seat, seats: int) -> tuple[Seat, ...]:
    return tuple(other for other in range(seats) if other != seat)
'''

MODULES["roundtable.games.quests.options"] = r'''"""What a leader, a voter and a team member may choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.options import Invitation, OneOf, Options, SeatsChoice
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import Card


@lru_cache(maxsize=1024)
def teams(eligible: tuple[Seat, ...], size: int) -> tuple[frozenset[Seat], ...]:
    """Every team of that size, in the order of its seats."""
    return tuple(frozenset(team) for team in combinations(eligible, size))


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamChoice(SeatsChoice):
    """Every team a leader may name: which quest, who goes, who carries Excalibur."""

    phase: int
    eligible: tuple[Seat, ...]
    sizes: tuple[tuple[int | None, int], ...]  # (quest to name, its team size)
    excalibur_not: Seat | None = None  # the leader, where Excalibur is in play: it goes to another member

    @property
    def kind(self) -> type[Move]:
        return ProposeTeam

    @property
    def bearer_not(self) -> Seat | None:
        return self.excalibur_not

    def choose(self, seats: frozenset[Seat], number: int | None = None, bearer: Seat | None = None) -> Move:
        return ProposeTeam(phase=self.phase, team=seats, quest=number, excalibur=bearer)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, ProposeTeam) or action.phase != self.phase:
            return False
        return (
            (action.quest, len(action.team)) in self.sizes
            and action.team <= set(self.eligible)
            and action.excalibur in self.holders(action.team)
        )

    def holders(self, team: frozenset[Seat]) -> tuple[Seat | None, ...]:
        if self.excalibur_not is None:
            return (None,)
        return tuple(sorted(team - {self.excalibur_not}))

    def __iter__(self) -> Iterator[Move]:
        for quest, size in self.sizes:
            for team in teams(self.eligible, size):
                for holder in self.holders(team):
                    yield ProposeTeam(phase=self.phase, team=team, quest=quest, excalibur=holder)

    def __len__(self) -> int:
        return sum(len(self.holders(team)) for _, size in self.sizes for team in teams(self.eligible, size))

    def sample(self, chance: Chance) -> Move:
        quest, size = self.sizes[0] if len(self.sizes) == 1 else pick(chance, self.sizes)
        return self.sample_for(quest, size, chance)

    def sample_for_lowest_quest(self, chance: Chance) -> Move:
        """The team drawn for a leader who named none (C5)."""
        return self.sample_for(*self.sizes[0], chance)

    def sample_for(self, quest: int | None, size: int, chance: Chance) -> Move:
        team = pick(chance, teams(self.eligible, size))
        holder = None if self.excalibur_not is None else pick(chance, self.holders(team))
        return ProposeTeam(phase=self.phase, team=team, quest=quest, excalibur=holder)

    def odds(self) -> Iterator[tuple[Move, Fraction]]:
        """Each quest alike, then each team for it, then each who may carry Excalibur: not every choice alike."""
        for quest, size in self.sizes:
            named = teams(self.eligible, size)
            for team in named:
                holders = self.holders(team)
                chance = Fraction(1, len(self.sizes) * len(named) * len(holders))
                for holder in holders:
                    yield ProposeTeam(phase=self.phase, team=team, quest=quest, excalibur=holder), chance

    def invitation(self) -> Invitation:
        values = {"seats": list(self.eligible), "sizes": [list(size) for size in self.sizes]}
        is_named = self.sizes[0][0] is not None
        if self.excalibur_not is not None:
            return Invitation(
                "quest_excalibur" if is_named else "team_excalibur", {"count": self.sizes[0][1], **values}
            )
        return Invitation("quest" if is_named else "team", {"count": self.sizes[0][1], **values})


@lru_cache(maxsize=4096)
def ballot(phase: int) -> Options:
    return (OneOf(actions=(CastVote(phase=phase, approve=True), CastVote(phase=phase, approve=False))),)


@lru_cache(maxsize=4096)
def hand(phase: int, cards: tuple[Card, ...]) -> Options:
    """One of these cards is to be played (A17, T17)."""
    return (OneOf(actions=tuple(PlayCard(phase=phase, card=card) for card in cards)),)
'''

MODULES["roundtable.games.quests.phrases"] = r'''"""What players of the quest games claim and remark."""

from __future__ import annotations

from roundtable.core.phrases import COMMON_PHRASES, Phrase

QUEST_PHRASES = COMMON_PHRASES | {
    "i_examined": Phrase(has_seat=True, has_word=True),  # "I examined seat 4: Evil."
    "i_played": Phrase(has_word=True),  # "I played Success."
    "take_me": Phrase(),
    "take": Phrase(has_seat=True),
    "approve_this": Phrase(),
    "reject_this": Phrase(),
}
'''

MODULES["roundtable.games.quests.roles"] = r'''"""The people of Arthur's court, their sides, and the cards they may play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from roundtable.core.seats import Seat
from roundtable.core.values import Value, Word, value


class Side(Word):
    GOOD = "Good"
    EVIL = "Evil"


class Role(Word):
    MERLIN = "Merlin"
    PERCIVAL = "Percival"
    SERVANT = "Loyal Servant"
    TRISTAN = "Tristan"
    ISEULT = "Iseult"
    LANCELOT = "Lancelot"
    NIMUE = "Nimue"
    ARTHUR = "Arthur"
    TITANIA = "Titania"
    ASSASSIN = "Assassin"
    MORGANA = "Morgana"
    MORDRED = "Mordred"
    OBERON = "Oberon"
    MINION = "Minion of Mordred"
    MAELAGANT = "Maelagant"
    AGRAVAINE = "Agravaine"
    COLGREVANCE = "Colgrevance"


EVIL_ROLES = frozenset(
    (
        Role.ASSASSIN,
        Role.MORGANA,
        Role.MORDRED,
        Role.OBERON,
        Role.MINION,
        Role.MAELAGANT,
        Role.AGRAVAINE,
        Role.COLGREVANCE,
    )
)
SIDE_OF = {role: Side.EVIL if role in EVIL_ROLES else Side.GOOD for role in Role}


class Card(Word):
    SUCCESS = "Success"
    FAIL = "Fail"
    REVERSE = "Reverse"


QUEST_WORDS: frozenset[str] = frozenset((*Role, *Side, *Card))  # what players can claim about one another


# T17, and A17 for the roles that Avalon has.
CARDS_BY_SIDE = {Side.GOOD: (Card.SUCCESS,), Side.EVIL: (Card.SUCCESS, Card.FAIL)}
CARDS_BY_ROLE = {role: CARDS_BY_SIDE[SIDE_OF[role]] for role in Role} | {
    Role.LANCELOT: (Card.SUCCESS, Card.REVERSE),
    Role.MAELAGANT: (Card.SUCCESS, Card.FAIL, Card.REVERSE),
    Role.AGRAVAINE: (Card.FAIL,),
}


@value
class Glimpse(Value):
    """Seats a player was shown at the start, in seat order, and as what."""

    seen_as: str
    seats: tuple[Seat, ...]


class Sight(NamedTuple):
    """A row of who sees whom as what."""

    viewers: frozenset[Role]
    seen: frozenset[Role]
    seen_as: str
    told_when_empty: bool = True  # whether a viewer is told that there is no such player


def glimpses(rows: Iterable[Sight], roles: tuple[Role, ...], seat: Seat) -> tuple[Glimpse, ...]:
    """What this seat is shown of that deal."""
    shown = []
    for row in rows:
        if roles[seat] in row.viewers:
            seats = tuple(other for other, role in enumerate(roles) if other != seat and role in row.seen)
            if seats or row.told_when_empty:
                shown.append(Glimpse(seen_as=row.seen_as, seats=seats))
    return tuple(shown)


def seats_on(side: Side, roles: Iterable[Role]) -> tuple[Seat, ...]:
    return tuple(seat for seat, role in enumerate(roles) if SIDE_OF[role] is side)
'''

MODULES["roundtable.games.quests.setup"] = r'''"""What both quest games let a table choose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from roundtable.core.setup import Round, Setup
from roundtable.core.values import value
from roundtable.games.quests.roles import CARDS_BY_ROLE, Card, Role
from roundtable.games.quests.tables import QUESTS, team_size


@value
class QuestPlan(Round):
    """A quest as the rules have it for this table: how many go, how many Fails it takes, how many proposals."""

    quest: int
    size: int
    fails: int
    proposals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSetup(Setup, ABC):
    """Timers are off unless the table turns them on (C5)."""

    fewest: ClassVar[int] = 5
    most: ClassVar[int] = 10

    propose_seconds: int | None = None
    vote_seconds: int | None = None
    quest_seconds: int | None = None
    shot_seconds: int | None = None

    def cards_of(self, role: Role) -> tuple[Card, ...]:
        """What a role may play on a quest (A17, T17). The plainest card comes first (C5)."""
        return CARDS_BY_ROLE[role]

    @abstractmethod
    def fails_needed(self, quest: int) -> int:
        """A19, T20."""

    @abstractmethod
    def proposals_allowed(self, quest: int) -> int:
        """A15, T14."""

    def rounds(self) -> tuple[QuestPlan, ...]:
        """All quests, in order."""
        return tuple(
            QuestPlan(
                quest=quest,
                size=team_size(self.seats, quest),
                fails=self.fails_needed(quest),
                proposals=self.proposals_allowed(quest),
            )
            for quest in range(1, QUESTS + 1)
        )
'''

MODULES["roundtable.games.quests.state"] = r'''"""How a quest game stands: the truth, or what one listener knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from roundtable.core.events import SecretsRevealed
from roundtable.core.seats import NOBODY, Seat, only
from roundtable.core.state import ABSORB_COMMON, Absorbers, TableState, no_change
from roundtable.games.quests import events as happened
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.setup import QuestSetup


class QuestDeal(NamedTuple):
    """Who is who, who leads first, and who holds the dagger."""

    roles: tuple[Role, ...]
    leader: Seat
    assassin: Seat | None


class Proposal(NamedTuple):
    """A team as its leader named it."""

    leader: Seat
    quest: int
    team: frozenset[Seat]
    excalibur: Seat | None


class Poll(NamedTuple):
    """A proposal and how everyone voted on it."""

    proposal: Proposal
    ballots: tuple[bool, ...]
    approved: bool


class Result(NamedTuple):
    """A quest as it was played."""

    quest: int
    team: frozenset[Seat]
    successes: int
    fails: int
    reverses: int
    succeeded: bool


@dataclass(kw_only=True, eq=False, repr=False)
class QuestState(TableState):
    """`roles`, `dealt`, `ballots` and `cards` hold what this fold was told: all of it, or one seat's own."""

    setup: QuestSetup
    roles: dict[Seat, Role] = field(default_factory=dict)
    dealt: dict[Seat, RoleDealt] = field(default_factory=dict)
    leader: Seat = 0
    attempt: int = 1
    proposal: Proposal | None = None
    voted: frozenset[Seat] = frozenset()
    ballots: dict[Seat, bool] = field(default_factory=dict)
    cards: dict[Seat, Card] = field(default_factory=dict)
    polls: tuple[Poll, ...] = ()
    results: tuple[Result, ...] = ()
    evil: tuple[Seat, ...] | None = None
    assassin: Seat | None = None

    @property
    def successes(self) -> int:
        return sum(result.succeeded for result in self.results)

    @property
    def failures(self) -> int:
        return sum(not result.succeeded for result in self.results)


def _role_dealt(state: QuestState, event: happened.RoleDealt) -> None:
    state.dealt = {**state.dealt, event.seat: event}
    state.roles = {**state.roles, event.seat: event.role}
    if event.is_assassin:
        state.assassin = event.seat


def _leader_named(state: QuestState, event: happened.LeaderNamed) -> None:
    state.leader = event.seat
    state.attempt = event.attempt


def _team_proposed(state: QuestState, event: happened.TeamProposed) -> None:
    state.proposal = Proposal(event.leader, event.quest, event.team, event.excalibur)
    state.voted = NOBODY
    state.ballots = {}


def _ballot_cast(state: QuestState, event: happened.BallotCast) -> None:
    state.voted |= only(event.seat)


def _ballot_marked(state: QuestState, event: happened.BallotMarked) -> None:
    state.ballots = {**state.ballots, event.seat: event.approve}


def _votes_counted(state: QuestState, event: happened.VotesCounted) -> None:
    assert state.proposal is not None
    state.polls += (Poll(state.proposal, event.ballots, event.approved),)
    if not event.approved:
        state.proposal = None  # A14: the team disbands


def _card_chosen(state: QuestState, event: happened.CardChosen) -> None:
    state.cards = {**state.cards, event.seat: event.card}


def _quest_resolved(state: QuestState, event: happened.QuestResolved) -> None:
    state.results += (Result(event.quest, event.team, event.successes, event.fails, event.reverses, event.succeeded),)
    state.proposal = None
    state.cards = {}


def _sides_revealed(state: QuestState, event: happened.SidesRevealed) -> None:
    state.evil = event.evil
    state.assassin = event.assassin


def _secrets_revealed(state: QuestState, event: SecretsRevealed) -> None:
    for _, secret in event.secret_facts:
        if isinstance(secret, RoleDealt):
            _role_dealt(state, secret)


ABSORB_QUESTS: Absorbers = {
    **ABSORB_COMMON,
    happened.RoleDealt: _role_dealt,
    happened.LeaderNamed: _leader_named,
    happened.TeamProposed: _team_proposed,
    happened.ProposalMissed: no_change,
    happened.BallotCast: _ballot_cast,
    happened.BallotMarked: _ballot_marked,
    happened.VotesCounted: _votes_counted,
    happened.CardChosen: _card_chosen,
    happened.QuestResolved: _quest_resolved,
    happened.SidesRevealed: _sides_revealed,
    SecretsRevealed: _secrets_revealed,
}
'''

MODULES["roundtable.games.quests.tables"] = r'''"""The numbers of the quest games, row by row as the rulebook has them."""

from __future__ import annotations

# A2, T1: players -> (Good, Evil)
SIDES_BY_COUNT = {5: (3, 2), 6: (4, 2), 7: (4, 3), 8: (5, 3), 9: (6, 3), 10: (6, 4)}

# A3: players -> team size by quest 1..5
TEAM_SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}

QUESTS = 5
TO_WIN = 3
REJECTIONS = 5  # A15: in one quest, win for Evil


def team_size(seats: int, quest: int) -> int:
    return TEAM_SIZES[seats][quest - 1]


def fails_needed(seats: int, quest: int, two_fails_from: int) -> int:
    """A19, T20: one Fail fails a quest, but the fourth of a large table needs two."""
    return 2 if quest == 4 and seats >= two_fails_from else 1


def quest_fails(fails: int, reverses: int, needed: int) -> bool:
    """A19, T19, T20: an odd number of Reverses turns a quest that is exactly one Fail short of failing."""
    return fails == needed - 1 if reverses % 2 else fails >= needed


def has_majority(approvals: int, votes: int) -> bool:
    """A13: more than half of all; a tie rejects."""
    return 2 * approvals > votes
'''

MODULES["roundtable.games.quests.text"] = r'''"""Every sentence about Avalon and THavalon together, by language."""
'''

MODULES["roundtable.games.registry"] = r'''"""The games by name, those of other packages included, and tables of them from named options."""

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
'''

MODULES["roundtable.games.thavalon"] = r'''"""THavalon: Avalon in which every player has a role with a power, 5 to 10 players."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(
    name="thavalon",
    rules="roundtable.games.thavalon.game:Thavalon",
    text=("roundtable.games.thavalon.text", "roundtable.games.quests.text"),
    teller="roundtable.games.thavalon.telling:ThavalonTeller",
    narration="roundtable.games.thavalon.narration:script",
    cards="roundtable.games.thavalon.cards:ThavalonCards",
    policies={"careful": "roundtable.games.thavalon.bots.careful:careful"},
    sage="roundtable.games.thavalon.sage:STRATEGY",
    speech="roundtable.games.thavalon.bots.speaking:speech",
    kernel="roundtable.games.thavalon.compiled.kernel:KERNEL",
    environment="roundtable.games.thavalon.environment:ENVIRONMENT",
    belief="roundtable.games.thavalon.belief:ThavalonBelief",
    balance="roundtable.games.thavalon.balance:BALANCE",
    secrecy="roundtable.games.thavalon.secrecy:SECRECY",
)
'''

MODULES["roundtable.games.thavalon.actions"] = r'''"""What THavalon's players ask for besides teams, votes and cards."""

from __future__ import annotations

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.values import value


@value
class DeclareArthur(Move):
    """T16."""


@value
class DeclareAgravaine(Move):
    """T21."""


@value
class GoOn(Move):
    """A seat has nothing to declare; at a table without a clock the game goes on when all have said so (T21)."""


@value
class CallMerlin(Move):
    target: Seat


@value
class CallNimue(Move):
    target: Seat


@value
class CallLovers(Move):
    targets: frozenset[Seat]


@value
class CallNobody(Move):
    """T23: the call that there is no target at all, where the table plays it."""


THAVALON_ACTIONS: tuple[type[Move], ...] = (
    DeclareArthur,
    DeclareAgravaine,
    GoOn,
    CallMerlin,
    CallNimue,
    CallLovers,
    CallNobody,
)
'''

MODULES["roundtable.games.thavalon.cards"] = r'''"""THavalon's cards: who is told which roles are in the game, and what Evil is told besides."""

from __future__ import annotations

from collections.abc import Collection

from roundtable.games.quests.cards import QuestCards
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.thavalon.deal import SIGHTS, notices_to, roles_known_to


class ThavalonCards(QuestCards):
    sights = SIGHTS

    def assassins(self) -> Collection[Role]:
        """T4."""
        return EVIL_ROLES

    def roles_known_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[Role, ...]:
        return roles_known_to(role, pool)

    def notices_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[str, ...]:
        return notices_to(role, pool)
'''

MODULES["roundtable.games.thavalon.deal"] = r'''"""Who is who in THavalon: the draw, the lovers, the Assassin, and who sees whom."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.chance import Chance, draw, pick, shuffled
from roundtable.core.seats import Seat, only
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, SIDE_OF, Role, Side, Sight, glimpses, seats_on
from roundtable.games.quests.state import QuestDeal
from roundtable.games.thavalon.setup import LOVERS, ThavalonSetup

SEEN_BY_EVIL = EVIL_ROLES - {Role.COLGREVANCE}

# Who sees whom as what.
SIGHTS = (
    Sight(frozenset((Role.MERLIN,)), EVIL_ROLES - {Role.MORDRED} | {Role.LANCELOT}, "Evil"),  # T6
    Sight(frozenset((Role.PERCIVAL,)), frozenset((Role.MERLIN, Role.MORGANA)), "Merlin or Morgana"),  # T7
    Sight(frozenset((Role.TRISTAN,)), frozenset((Role.ISEULT,)), Role.ISEULT),  # T8
    Sight(frozenset((Role.ISEULT,)), frozenset((Role.TRISTAN,)), Role.TRISTAN),  # T8
    Sight(SEEN_BY_EVIL, SEEN_BY_EVIL | {Role.TITANIA}, "Evil"),  # T11
    *(  # T12
        Sight(frozenset((Role.COLGREVANCE,)), frozenset((role,)), role, told_when_empty=False)
        for role in Role
        if role in SEEN_BY_EVIL
    ),
)

# What Evil is told besides, when the role is in the game (T11).
COLGREVANCE_IS_HIDDEN = "colgrevance_is_hidden"
TITANIA_IS_AMONG_THEM = "titania_is_among_them"


def deal_roles(setup: ThavalonSetup, chance: Chance) -> QuestDeal:
    """T2 to T4, and of A5 the uniform seating and first leader."""
    good, evil = setup.sides
    drawn = draw_good(setup.good_pool, good, chance) + draw(chance, setup.evil_pool, evil)
    roles = tuple(shuffled(chance, drawn))
    leader = chance.below(setup.seats)
    return QuestDeal(roles, leader, pick(chance, seats_on(Side.EVIL, roles)))


def can_have_dealt(setup: ThavalonSetup, deal: QuestDeal) -> bool:
    """Whether these roles, this leader and this Assassin can come of the setup (T1 to T4)."""
    drawn = set(deal.roles)
    good, evil = drawn & set(setup.good_pool), drawn & set(setup.evil_pool)
    return (
        len(deal.roles) == len(drawn) == setup.seats
        and (len(good), len(evil)) == setup.sides
        and len(drawn & LOVERS) != 1
        and deal.leader in range(setup.seats)
        and deal.assassin in seats_on(Side.EVIL, deal.roles)
    )


def draw_good(pool: tuple[Role, ...], places: int, chance: Chance) -> list[Role]:
    """T3: the lovers come together or not at all."""
    drawn = draw(chance, pool, places)
    lone = [role for role in drawn if role in LOVERS]
    if len(lone) != 1:
        return drawn
    rest = [role for role in drawn if role not in LOVERS]
    replacements = [role for role in pool if role not in drawn and role not in LOVERS]
    if replacements and chance.below(2) == 0:
        return [*rest, pick(chance, replacements)]
    rest.remove(pick(chance, rest))
    return [*rest, Role.TRISTAN, Role.ISEULT]


@lru_cache(maxsize=8192)
def hand_out(roles: tuple[Role, ...], assassin: Seat) -> tuple[RoleDealt, ...]:
    """What each seat is told, each alone (T6 to T13)."""
    return tuple(
        RoleDealt(
            audience=only(seat),
            seat=seat,
            role=role,
            sees=glimpses(SIGHTS, roles, seat),
            roles_in_game=roles_known_to(role, roles),
            notices=notices_to(role, roles),
            is_assassin=seat == assassin,
        )
        for seat, role in enumerate(roles)
    )


def roles_known_to(role: Role, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """T9, T10: which other roles are in the game, in the order of the role list, so that order tells nothing."""
    if role is Role.NIMUE:
        return tuple(other for other in Role if other in roles and other is not role)
    if role is Role.ARTHUR:
        return tuple(other for other in Role if other in roles and other is not role and SIDE_OF[other] is Side.GOOD)
    return ()


def notices_to(role: Role, roles: tuple[Role, ...]) -> tuple[str, ...]:
    """T11: Colgrevance is unseen but known to exist; Titania is among those seen."""
    if role not in SEEN_BY_EVIL:
        return ()
    told = ((Role.COLGREVANCE, COLGREVANCE_IS_HIDDEN), (Role.TITANIA, TITANIA_IS_AMONG_THEM))
    return tuple(notice for hidden, notice in told if hidden in roles)
'''

MODULES["roundtable.games.thavalon.events"] = r'''"""What happens in THavalon besides teams, votes and cards."""

from __future__ import annotations

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.values import value


@value
class WindowOpened(Event):
    """A quest succeeded despite a Fail: it may still be declared failed. Public facts alone open this (T21)."""

    quest: int


@value
class WindowClosed(Event):
    quest: int


@value
class AgravaineDeclared(Event):
    """That quest has failed after all."""

    seat: Seat
    quest: int


@value
class ArthurDeclared(Event):
    """From now on this vote counts twice, and this seat goes on no team before the fifth quest."""

    seat: Seat


@value
class TeamWithdrawn(Event):
    """A declaration came: the same leader proposes again. Votes already cast are discarded unseen (T16, T21)."""

    leader: Seat


@value
class TeamSent(Event):
    """Which of two paired teams goes (T14)."""

    leader: Seat
    quest: int
    team: frozenset[Seat]


@value
class WentOn(Event):
    """A seat has nothing to declare; heard by that seat alone, so that other players cannot see who hesitates (C8)."""

    seat: Seat


@value
class TargetCalled(Event):
    """The Assassin's call: as whom, and which seats. Nothing was called in time where `called_as` is None."""

    assassin: Seat
    called_as: str | None
    seats: tuple[Seat, ...]


THAVALON_EVENTS: tuple[type[Event], ...] = (
    WindowOpened,
    WindowClosed,
    AgravaineDeclared,
    ArthurDeclared,
    TeamWithdrawn,
    TeamSent,
    WentOn,
    TargetCalled,
)
'''

MODULES["roundtable.games.thavalon.game"] = r'''"""How a game of THavalon goes: rounds of proposals, quests, two declarations, and the Assassin's call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.game import Game, Transition
from roundtable.core.options import Options
from roundtable.core.phrases import Phrase
from roundtable.core.seats import EVERYONE, NOBODY, Seat, all_seats, left_of, only
from roundtable.core.setup import Setup
from roundtable.core.state import Absorbers
from roundtable.core.values import Value
from roundtable.games.quests.actions import QUEST_ACTIONS, CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import QUEST_EVENTS, ProposalMissed, TeamProposed, VotesCounted
from roundtable.games.quests.flow import (
    ask_for_team,
    ballots_in_seat_order,
    count_cards,
    lay_card,
    lay_for_the_absent,
    let_everybody_talk,
    mark_ballot,
    read_quest_deal,
    reject_for_the_absent,
    reveal_sides,
    roles_in_seat_order,
    send_team,
)
from roundtable.games.quests.phrases import QUEST_PHRASES
from roundtable.games.quests.roles import QUEST_WORDS, Glimpse, Role, Side, seats_on
from roundtable.games.quests.setup import QuestPlan
from roundtable.games.quests.state import QuestDeal
from roundtable.games.quests.tables import TO_WIN, has_majority
from roundtable.games.thavalon.actions import (
    THAVALON_ACTIONS,
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.deal import can_have_dealt, deal_roles, hand_out
from roundtable.games.thavalon.events import (
    THAVALON_EVENTS,
    AgravaineDeclared,
    ArthurDeclared,
    TargetCalled,
    TeamSent,
    TeamWithdrawn,
    WentOn,
    WindowClosed,
    WindowOpened,
)
from roundtable.games.thavalon.options import options_of, team_options
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, LOVERS, ThavalonSetup
from roundtable.games.thavalon.state import ABSORB_THAVALON, ThavalonState

Now = Transition[ThavalonState]


class Thavalon(Game[ThavalonState, QuestDeal]):
    name: ClassVar[str] = "thavalon"
    setup_type: ClassVar[type[Setup]] = ThavalonSetup
    sides: ClassVar[tuple[str, ...]] = (Side.GOOD, Side.EVIL)
    endings: ClassVar[tuple[tuple[str | None, str], ...]] = (
        (Side.GOOD, "target_survived"),
        (Side.EVIL, "target_assassinated"),
        (Side.EVIL, "three_failures"),
        (Side.EVIL, "five_rejections"),
    )
    events: ClassVar[tuple[type[Event], ...]] = (*QUEST_EVENTS, *THAVALON_EVENTS)
    actions: ClassVar[tuple[type[Action], ...]] = (*QUEST_ACTIONS, *THAVALON_ACTIONS)
    parts: ClassVar[tuple[type[Value], ...]] = (Glimpse, QuestPlan)
    words: ClassVar[frozenset[str]] = QUEST_WORDS
    phrases: ClassVar[Mapping[str, Phrase]] = QUEST_PHRASES
    absorb: ClassVar[Absorbers] = ABSORB_THAVALON

    def blank(self, setup: Setup) -> ThavalonState:
        assert isinstance(setup, ThavalonSetup)
        return ThavalonState(setup=setup)

    def deal(self, setup: Setup, chance: Chance) -> QuestDeal:
        assert isinstance(setup, ThavalonSetup)
        return deal_roles(setup, chance)

    def begin(self, now: Now, deal: QuestDeal) -> None:
        assert deal.assassin is not None
        for card in hand_out(deal.roles, deal.assassin):
            now.emit(card)
        let_everybody_talk(now)
        ask_for_team(now, deal.leader, attempt=1)

    def read_deal(self, events: Sequence[Event]) -> QuestDeal:
        return read_quest_deal(events)

    def can_deal(self, setup: Setup, deal: QuestDeal) -> bool:
        assert isinstance(setup, ThavalonSetup)
        return can_have_dealt(setup, deal)

    def options(self, state: ThavalonState, seat: Seat) -> Options:
        return options_of(state, seat)

    def decide(self, now: Now, seat: Seat, move: Move) -> None:
        match move:
            case CastVote():
                if mark_ballot(now, seat, move.approve):
                    count_votes(now)
            case PlayCard():
                if lay_card(now, seat, move.card):
                    resolve_quest(now)
            case ProposeTeam():
                propose(now, move.team)
            case GoOn():
                go_on(now, seat)
            case DeclareArthur():
                declare_arthur(now, seat)
            case DeclareAgravaine():
                declare_agravaine(now, seat)
            case CallMerlin():
                call(now, Role.MERLIN, (move.target,))
            case CallNimue():
                call(now, Role.NIMUE, (move.target,))
            case CallLovers():
                call(now, "Lovers", tuple(sorted(move.targets)))
            case CallNobody():
                call(now, "nobody", ())

    def expire(self, now: Now, chance: Chance) -> None:
        match now.state.phase.name:
            case "propose":
                miss_proposal(now, chance)
            case "stand":
                open_vote_or_send(now)
            case "reckoning":
                close_window(now)
                start_assassination(now)
            case "vote":
                reject_for_the_absent(now)
                count_votes(now)
            case "quest":
                lay_for_the_absent(now)
                resolve_quest(now)
            case "assassination":
                call(now, None, ())

    def seats_of(self, state: ThavalonState, winner: str) -> tuple[Seat, ...]:
        return seats_on(Side(winner), roles_in_seat_order(state))


# Proposals and votes


def ask_again(now: Now) -> None:
    """T16, T21: after a declaration the same leader proposes again, and no proposal is used up."""
    now.emit(TeamWithdrawn(audience=EVERYONE, leader=now.state.leader))
    now.begin_phase("propose", only(now.state.leader), now.state.setup.propose_seconds)


def propose(now: Now, team: frozenset[Seat]) -> None:
    state = now.state
    now.emit(TeamProposed(audience=EVERYONE, leader=state.leader, quest=state.quest, team=team))
    if state.is_paired and state.attempt < FIRST_ROUND_PROPOSALS:
        ask_for_team(now, left_of(state.leader, state.setup.seats), state.attempt + 1)
    elif state.window is not None:
        now.begin_phase("stand", NOBODY, state.setup.declare_seconds if state.setup.clock else None)
    else:
        open_vote_or_send(now)


def open_vote_or_send(now: Now) -> None:
    """T15: the last proposal of a round is not voted on. Either way Agravaine's window closes (T21)."""
    close_window(now)
    if now.state.goes_without_vote:
        send_team(now)
    else:
        now.begin_phase("vote", all_seats(now.state.setup.seats), now.state.setup.vote_seconds)


def count_votes(now: Now) -> None:
    """A12 to A14; a declared Arthur counts twice (T16)."""
    state = now.state
    ballots = ballots_in_seat_order(state)
    approvals, votes = sum(ballots), len(ballots)
    if state.arthur is not None:
        approvals += ballots[state.arthur]
        votes += 1
    approved = has_majority(approvals, votes)
    now.emit(VotesCounted(audience=EVERYONE, ballots=ballots, approved=approved))
    if state.is_paired:
        send_one_of_pair(now, approved)
    elif approved:
        send_team(now)
    else:
        lose_proposal(now)


def send_one_of_pair(now: Now, approved: bool) -> None:
    """T14, `paired`: approving sends the first team, rejecting or a tie the second."""
    chosen = now.state.first_of_pair if approved else now.state.proposal
    assert chosen is not None
    now.emit(TeamSent(audience=EVERYONE, leader=chosen.leader, quest=chosen.quest, team=chosen.team))
    send_team(now)


def miss_proposal(now: Now, chance: Chance) -> None:
    """C5: a missed proposal counts as rejected; the last one, and either of a pair, is drawn."""
    state = now.state
    if state.attempt < state.proposals_allowed and not state.is_paired:
        now.emit(ProposalMissed(audience=EVERYONE, leader=state.leader))
        lose_proposal(now)
        return
    (choice,) = team_options(state)
    drawn = choice.sample(chance)
    assert isinstance(drawn, ProposeTeam)
    propose(now, drawn.team)


def lose_proposal(now: Now) -> None:
    """A14; where rejections are counted, the fifth wins for Evil (T26, A15)."""
    if now.state.attempt == now.state.proposals_allowed:
        now.end(Side.EVIL, "five_rejections")
        return
    ask_for_team(now, left_of(now.state.leader, now.state.setup.seats), now.state.attempt + 1)


# Quests and declarations


def resolve_quest(now: Now) -> None:
    """T18 to T22."""
    state = now.state
    assert state.proposal is not None
    count_cards(now, state.cards, state.setup.fails_needed(state.proposal.quest))
    result = state.results[-1]
    if state.setup.has_agravaine and result.succeeded and result.fails:
        now.emit(WindowOpened(audience=EVERYONE, quest=result.quest))
    if state.window is not None and state.successes == TO_WIN:
        now.begin_phase("reckoning", NOBODY, state.setup.declare_seconds if state.setup.clock else None)
    else:
        reckon(now)


def reckon(now: Now) -> None:
    """T22: three failures end the game, three successes open the assassination."""
    state = now.state
    if state.failures == TO_WIN:
        now.end(Side.EVIL, "three_failures")
    elif state.successes == TO_WIN:
        start_assassination(now)
    else:
        ask_for_team(now, left_of(state.leader, state.setup.seats), attempt=1)


def close_window(now: Now) -> None:
    if now.state.window is not None:
        now.emit(WindowClosed(audience=EVERYONE, quest=now.state.window))


def go_on(now: Now, seat: Seat) -> None:
    now.emit(WentOn(audience=only(seat), seat=seat))
    if len(now.state.went_on) < now.state.setup.seats:
        return
    if now.state.phase.name == "stand":
        open_vote_or_send(now)
    else:
        close_window(now)
        start_assassination(now)


def declare_agravaine(now: Now, seat: Seat) -> None:
    """T21: the quest fails instead."""
    state = now.state
    assert state.window is not None
    now.emit(AgravaineDeclared(audience=EVERYONE, seat=seat, quest=state.window))
    close_window(now)
    if state.failures == TO_WIN or state.phase.name == "reckoning":
        reckon(now)
    elif state.phase.name == "stand":
        ask_again(now)


def declare_arthur(now: Now, seat: Seat) -> None:
    """T16: a proposal on the table is withdrawn, and its votes stay secret until the end."""
    now.emit(ArthurDeclared(audience=EVERYONE, seat=seat))
    if now.state.phase.name != "propose":
        ask_again(now)


# The end


def start_assassination(now: Now) -> None:
    reveal_sides(now)
    assert now.state.assassin is not None
    now.begin_phase("assassination", only(now.state.assassin), now.state.setup.shot_seconds)


def call(now: Now, called_as: str | None, seats: tuple[Seat, ...]) -> None:
    """T24."""
    state = now.state
    assert state.assassin is not None
    now.emit(TargetCalled(audience=EVERYONE, assassin=state.assassin, called_as=called_as, seats=seats))
    dealt = state.setup.target_roles.intersection(state.roles.values())
    if is_right(called_as, {state.roles[seat] for seat in seats}, dealt):
        now.end(Side.EVIL, "target_assassinated")
    else:
        now.end(Side.GOOD, "target_survived")


def is_right(called_as: str | None, named: set[Role], dealt: frozenset[Role]) -> bool:
    """Whether those named have the role that they are called, or no target at all was dealt."""
    match called_as:
        case None:
            return False
        case "Lovers":
            return named == LOVERS
        case "nobody":
            return not dealt
        case _:
            return named == {called_as}
'''

MODULES["roundtable.games.thavalon.options"] = r'''"""What a seat may do in THavalon: propose, declare, go on, call."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from roundtable.core.actions import Move
from roundtable.core.options import Options, one_of
from roundtable.core.seats import Seat
from roundtable.games.quests.flow import others
from roundtable.games.quests.options import TeamChoice, ballot, hand
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import team_size
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.games.thavalon.state import ThavalonState


def options_of(state: ThavalonState, seat: Seat) -> Options:
    """All that this seat may do now, from what it may know."""
    phase = state.phase
    match phase.name:
        case "propose":
            team = team_options(state) if seat == state.leader else ()
            return team + arthur_options(state, seat) + agravaine_options(state, seat)
        case "stand":
            return go_on_options(state, seat) + arthur_options(state, seat) + agravaine_options(state, seat)
        case "reckoning":
            return go_on_options(state, seat) + agravaine_options(state, seat)
        case "vote":
            return ballot(phase.number) + arthur_options(state, seat)
        case "quest":
            may_play = seat in phase.awaited and seat not in state.cards
            return hand(phase.number, state.setup.cards_of(state.roles[seat])) if may_play else ()
        case _:
            return call_options(phase.number, seat, state.setup) if seat == state.assassin else ()


def team_options(state: ThavalonState) -> Options:
    return team_choice(state.phase.number, state.eligible(), team_size(state.setup.seats, state.quest))


@lru_cache(maxsize=4096)
def team_choice(phase: int, eligible: tuple[Seat, ...], size: int) -> Options:
    return (TeamChoice(phase=phase, eligible=eligible, sizes=((None, size),)),)


def arthur_options(state: ThavalonState, seat: Seat) -> Options:
    """T16."""
    if state.is_role(seat, Role.ARTHUR) and state.arthur_may_declare:
        return declaration(DeclareArthur, state)
    return ()


def agravaine_options(state: ThavalonState, seat: Seat) -> Options:
    """T21: he must have been on that quest."""
    if state.window is not None and state.is_role(seat, Role.AGRAVAINE) and state.was_on(state.window, seat):
        return declaration(DeclareAgravaine, state)
    return ()


def declaration(kind: type[Move], state: ThavalonState) -> Options:
    """A declaration holds for the round, not for a phase: of two made at once the second still counts (C5)."""
    return declared_since(kind, state.round_began, state.phase.number)


@lru_cache(maxsize=4096)
def declared_since(kind: type[Move], began: int, phase: int) -> Options:
    return one_of([kind(phase=number) for number in range(phase, began - 1, -1)])


def go_on_options(state: ThavalonState, seat: Seat) -> Options:
    """T21: where no clock ends the window, every seat is asked."""
    if state.setup.clock or seat in state.went_on:
        return ()
    return one_of([GoOn(phase=state.phase.number)])


@lru_cache(maxsize=1024)
def call_options(phase: int, seat: Seat, setup: ThavalonSetup) -> Options:
    """T23, T24, T26."""
    targets = others(seat, setup.seats)
    options = one_of([CallMerlin(phase=phase, target=target) for target in targets])
    if setup.calls_nimue:
        options += one_of([CallNimue(phase=phase, target=target) for target in targets])
    if setup.calls_lovers:
        options += one_of([CallLovers(phase=phase, targets=frozenset(pair)) for pair in combinations(targets, 2)])
    if setup.no_target_call:
        options += one_of([CallNobody(phase=phase)])
    return options
'''

MODULES["roundtable.games.thavalon.setup"] = r'''"""What a THavalon table chooses, and which roles can come up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from roundtable.core.errors import Problem, problem
from roundtable.core.setup import Casting, Notice, added
from roundtable.games.quests.roles import CARDS_BY_ROLE, Card, Role, Side
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.tables import REJECTIONS, SIDES_BY_COUNT, fails_needed

# T2: role -> the numbers of players at which it can come up
GOOD_POOL = {
    Role.MERLIN: range(5, 11),
    Role.PERCIVAL: range(5, 11),
    Role.TRISTAN: range(5, 11),
    Role.ISEULT: range(5, 11),
    Role.LANCELOT: range(5, 11),
    Role.NIMUE: range(5, 6),
    Role.ARTHUR: range(7, 11),
    Role.TITANIA: range(7, 11),
}
EVIL_POOL = {
    Role.MORDRED: range(5, 11),
    Role.MORGANA: range(5, 11),
    Role.MAELAGANT: range(5, 11),
    Role.AGRAVAINE: range(8, 11),
    Role.COLGREVANCE: range(10, 11),
}

POOL_ROLES = (*GOOD_POOL, *EVIL_POOL)
LOVERS = frozenset((Role.TRISTAN, Role.ISEULT))
TARGETS = LOVERS | {Role.MERLIN, Role.NIMUE}  # T23

FIRST_ROUND_PROPOSALS = 2  # T14
TWO_FAILS_FROM = 7  # T20
IMBALANCED = (6, 9)  # T5

# T26: which roles each option changes when it is off, and the variant of their text
VARIANTS = {
    "no_reverse": (Role.LANCELOT, Role.MAELAGANT),
    "no_declaration": (Role.ARTHUR, Role.AGRAVAINE),
    "no_target": (Role.TRISTAN, Role.ISEULT, Role.NIMUE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThavalonSetup(QuestSetup):
    """THavalon's house rules. Without a clock, declaration windows end when every seat has said to continue (T21)."""

    game: ClassVar[str] = "thavalon"
    members: ClassVar[Mapping[str, tuple[str, ...]]] = {"pool": POOL_ROLES}

    nine_evil: Literal[3, 4] = 3  # T1
    pool: frozenset[Role] | None = added(None)  # T26; None takes the pools of T2
    proposals: Literal["limited", "five_rejections"] = added("limited")  # T14, T15; T26
    first_round: Literal["in_turn", "paired"] = "in_turn"  # T14
    reversal: bool = added(True)  # T17; T26
    declarations: bool = added(True)  # T16, T21; T26
    targets: Literal["all", "merlin"] = added("all")  # T23; T26
    no_target_call: bool = False  # T23
    declare_seconds: int = 20  # T21
    clock: bool = True  # T21

    # The deal

    @property
    def sides(self) -> tuple[int, int]:
        """How many are Good and how many Evil (T1)."""
        return (5, 4) if self.seats == 9 and self.nine_evil == 4 else SIDES_BY_COUNT[self.seats]

    @property
    def good_pool(self) -> tuple[Role, ...]:
        return self._drawn_from(GOOD_POOL)

    @property
    def evil_pool(self) -> tuple[Role, ...]:
        return self._drawn_from(EVIL_POOL)

    def _drawn_from(self, side: Mapping[Role, range]) -> tuple[Role, ...]:
        """The roles of a side that can come up: those of the count (T2), or those that the table chose (T26)."""
        if self.pool is None:
            return tuple(role for role, counts in side.items() if self.seats in counts)
        return tuple(role for role in side if role in self.pool)

    def casting(self) -> tuple[Casting, ...]:
        pools = (self.good_pool, self.evil_pool)
        return tuple(Casting(side, seats, pool) for side, seats, pool in zip(Side, self.sides, pools, strict=True))

    # What can happen

    @property
    def has_vote_track(self) -> bool:
        """Whether every proposal is voted on, and the fifth rejection wins for Evil (T26, A14 to A16)."""
        return self.proposals == "five_rejections"

    @property
    def later_proposals(self) -> int:
        """Proposals allowed in a round after the first (T14)."""
        return self.proposals_allowed(2)

    def proposals_allowed(self, quest: int) -> int:
        if self.has_vote_track:
            return REJECTIONS
        return FIRST_ROUND_PROPOSALS if quest == 1 else self.sides[1] + 1

    def fails_needed(self, quest: int) -> int:
        return fails_needed(self.seats, quest, TWO_FAILS_FROM)

    def cards_of(self, role: Role) -> tuple[Card, ...]:
        """T17; without Reverse cards, those of A17 (T26)."""
        return tuple(card for card in CARDS_BY_ROLE[role] if self.reversal or card is not Card.REVERSE)

    @property
    def has_arthur(self) -> bool:
        """Whether a player could declare as Arthur (T16)."""
        return self.declarations and Role.ARTHUR in self.good_pool

    @property
    def has_agravaine(self) -> bool:
        """Whether a player could declare as Agravaine, so that windows open (T21)."""
        return self.declarations and Role.AGRAVAINE in self.evil_pool

    @property
    def target_roles(self) -> frozenset[Role]:
        """Whom the Assassin can win by: with `merlin`, Merlin alone (T23, A22)."""
        return TARGETS if self.targets == "all" else frozenset((Role.MERLIN,))

    @property
    def calls_lovers(self) -> bool:
        return self.targets == "all"

    @property
    def calls_nimue(self) -> bool:
        """T24: wherever the table could hold her."""
        return self.targets == "all" and Role.NIMUE in self.good_pool

    def role_variant(self, role: str) -> str:
        is_off = {
            "no_reverse": not self.reversal,
            "no_declaration": not self.declarations,
            "no_target": self.targets == "merlin",
        }
        return next((variant for variant, roles in VARIANTS.items() if is_off[variant] and role in roles), "")

    # What is wrong with it

    def problems(self) -> list[Problem]:
        found = QuestSetup.problems(self)
        if self.proposals == "five_rejections" and self.first_round == "paired":
            found.append(problem("setup/paired"))
        return found + self._pool_problems()

    def _pool_problems(self) -> list[Problem]:
        """T26: what keeps a pool from being drawn from, or the Assassin from ever being right."""
        if not isinstance(self.pool, frozenset):
            return []
        strange = sorted(str(role) for role in self.pool if role not in POOL_ROLES)
        found = [problem("setup/role", role=role, roles=list(POOL_ROLES)) for role in strange]
        if len(LOVERS & self.pool) == 1:
            found.append(problem("setup/pool", "lovers"))
        if not self.target_roles & self.pool:
            found.append(problem("setup/pool", "merlin" if self.targets == "merlin" else "targets"))
        return found + ([] if self.seat_problems() else self._small_sides())

    def _small_sides(self) -> list[Problem]:
        return [
            problem("setup/pool", side=side, count=len(pool), places=places, seats=self.seats)
            for side, places, pool in self.casting()
            if len(pool) < places
        ]

    def notices(self) -> list[Notice]:
        """T5: with four Evil players of nine the reason for the warning is gone."""
        if self.seats in IMBALANCED and self.sides == SIDES_BY_COUNT[self.seats]:
            return [Notice("good_favoured", {"seats": self.seats})]
        return []
'''

MODULES["roundtable.games.thavalon.state"] = r'''"""How a THavalon game stands."""

from __future__ import annotations

from dataclasses import dataclass

from roundtable.core.seats import NOBODY, Seat, only
from roundtable.core.state import Absorbers, no_change
from roundtable.games.quests import events as quest_happened
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import ABSORB_QUESTS, Poll, Proposal, QuestState
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon import events as happened
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, ThavalonSetup


@dataclass(kw_only=True, eq=False, repr=False)
class ThavalonState(QuestState):
    setup: ThavalonSetup
    arthur: Seat | None = None  # the seat that has declared as Arthur
    window: int | None = None  # the quest that Agravaine could still turn
    first_of_pair: Proposal | None = None  # T14, `paired`
    went_on: frozenset[Seat] = NOBODY
    round_began: int = 1  # the number of this round's first phase

    @property
    def quest(self) -> int:
        """The quest that is being played or proposed for."""
        return len(self.results) + 1

    @property
    def proposals_allowed(self) -> int:
        """T14."""
        return self.setup.proposals_allowed(self.quest)

    @property
    def goes_without_vote(self) -> bool:
        """T15: whether this is a last proposal; where rejections are counted, there is none (T26)."""
        return not self.setup.has_vote_track and not self.is_paired and self.attempt == self.proposals_allowed

    @property
    def is_paired(self) -> bool:
        return self.quest == 1 and self.setup.first_round == "paired"

    @property
    def arthur_may_declare(self) -> bool:
        """T16: exactly two quests have failed and at most one has succeeded."""
        return self.setup.declarations and self.arthur is None and self.failures == 2 and self.successes <= 1

    def eligible(self) -> tuple[Seat, ...]:
        """Who may be put on a team: a declared Arthur waits for the fifth quest (T16)."""
        barred = self.arthur if self.quest < QUESTS else None
        return tuple(seat for seat in range(self.setup.seats) if seat != barred)

    def was_on(self, quest: int, seat: Seat) -> bool:
        return any(result.quest == quest and seat in result.team for result in self.results)

    def is_role(self, seat: Seat, role: Role) -> bool:
        return self.roles.get(seat) is role


def _team_proposed(state: ThavalonState, event: quest_happened.TeamProposed) -> None:
    if state.is_paired and state.attempt == FIRST_ROUND_PROPOSALS:
        state.first_of_pair = state.proposal
    ABSORB_QUESTS[quest_happened.TeamProposed](state, event)


def _votes_counted(state: ThavalonState, event: quest_happened.VotesCounted) -> None:
    if state.first_of_pair is None:
        ABSORB_QUESTS[quest_happened.VotesCounted](state, event)
    else:  # of a pair one team goes in any case
        state.polls += (Poll(state.first_of_pair, event.ballots, event.approved),)


def _team_sent(state: ThavalonState, event: happened.TeamSent) -> None:
    state.proposal = Proposal(event.leader, event.quest, event.team, None)
    state.first_of_pair = None


def _team_withdrawn(state: ThavalonState, event: happened.TeamWithdrawn) -> None:
    state.proposal = None
    state.voted = NOBODY
    state.ballots = {}
    state.went_on = NOBODY


def _window_opened(state: ThavalonState, event: happened.WindowOpened) -> None:
    state.window = event.quest
    state.went_on = NOBODY


def _window_closed(state: ThavalonState, event: happened.WindowClosed) -> None:
    state.window = None
    state.went_on = NOBODY


def _quest_resolved(state: ThavalonState, event: quest_happened.QuestResolved) -> None:
    ABSORB_QUESTS[quest_happened.QuestResolved](state, event)
    state.round_began = state.phase.number + 1


def _agravaine_declared(state: ThavalonState, event: happened.AgravaineDeclared) -> None:
    state.results = tuple(
        result._replace(succeeded=False) if result.quest == event.quest else result for result in state.results
    )


def _arthur_declared(state: ThavalonState, event: happened.ArthurDeclared) -> None:
    state.arthur = event.seat


def _went_on(state: ThavalonState, event: happened.WentOn) -> None:
    state.went_on |= only(event.seat)


ABSORB_THAVALON: Absorbers = {
    **ABSORB_QUESTS,
    quest_happened.TeamProposed: _team_proposed,
    quest_happened.VotesCounted: _votes_counted,
    quest_happened.QuestResolved: _quest_resolved,
    happened.WindowOpened: _window_opened,
    happened.WindowClosed: _window_closed,
    happened.AgravaineDeclared: _agravaine_declared,
    happened.ArthurDeclared: _arthur_declared,
    happened.TeamWithdrawn: _team_withdrawn,
    happened.TeamSent: _team_sent,
    happened.WentOn: _went_on,
    happened.TargetCalled: no_change,
}
'''

MODULES["roundtable.games.thavalon.text"] = r'''"""Every sentence about THavalon, by language."""
'''

MODULES["roundtable.text"] = r'''"""What people read: the shell's catalogues, and events, moves, cards and scripts of any game as sentences."""
'''

MODULES["roundtable.text.cards"] = r'''"""What is on the cards of a table: who a player is, what their role can do, and what they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from roundtable.core.catalogue import SOURCE, as_key, role_key
from roundtable.core.events import Event
from roundtable.core.plugins import load
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.text.names import Names
from roundtable.text.sentences import Sentences
from roundtable.text.teller import teller_of

BAR = "-" * 40
PLAIN_BYTES = 1024  # room for what is told in a game that does not say how much that can be


class Cards(Sentences):
    """The cards of one table in one language.

    This form fits every game: the role where the setup has a casting and the view has `roles`, and what the seat was
    told in private. A game that tells more, or in better sentences, names a subclass as its `GameSpec.cards`.
    """

    def __init__(self, spec: GameSpec, setup: Setup, names: Names, lang: str = SOURCE) -> None:
        super().__init__(spec, names, lang)
        self.setup = setup
        self.side_of: dict[str, str] = {role: casting.side for casting in setup.casting() for role in casting.roles}

    # What a game may say in its own way

    def knowledge(self, seat: Seat, heard: Iterable[Event]) -> Iterable[str]:
        """What the seat is told besides its role, a line each."""
        return teller_of(self.spec, self.names, self.catalogue.lang).secrets(heard).splitlines()

    def size(self) -> int:
        """The bytes that every card at this table has room for. It follows from setup and names alone (T25)."""
        empty = [self.lay_out(self.by_length()[0], role, ()) for role in (*self.side_of, "")]
        return largest(empty) + PLAIN_BYTES + len("".join(self.names).encode())

    def start(self, heard: Iterable[Event]) -> str:
        """How the game begins, from what a spectator has heard."""
        return self.text("card.start")

    # What is the same in every game

    def card(self, seat: Seat, view: Any, heard: Iterable[Event]) -> str:
        """A seat's card, from nothing but this seat's view and what it has heard."""
        return self.lay_out(seat, self.role(seat, view), self.knowledge(seat, heard))

    def role(self, seat: Seat, view: Any) -> str:
        """A seat's role; empty where the game has no roles."""
        role: str = getattr(view, "roles", {}).get(seat, "")
        return role if role in self.side_of else ""

    def lay_out(self, seat: Seat, role: str, told: Iterable[str]) -> str:
        """The shape of every card; where nothing is told, one line stays empty."""
        power = self.power(role) if role else None
        does = [*power.splitlines(), BAR] if power else []
        return "\n".join((BAR, self.who(seat, role), BAR, *does, *(tuple(told) or ("",)), BAR)) + "\n"

    def power(self, role: str) -> str | None:
        """What the role can do at this table."""
        return self.catalogue.find(role_key(role, "power"), context=self.setup.role_variant(role))

    def who(self, seat: Seat, role: str) -> str:
        if not role:
            return self.text("card.you_sit", name=self.names[seat])
        return self.text("card.you_are", role=self.word(role), side=self.word(self.side_of[role]))

    def team_heading(self, side: str) -> str:
        return self.text("card.team", context=as_key(side), side=self.word(side))

    def by_length(self) -> list[Seat]:
        """The seats, those with the longest names first."""
        return sorted(range(len(self.names)), key=lambda seat: len(self.names[seat].encode()), reverse=True)


def cards_of(spec: GameSpec, setup: Setup, names: Sequence[str], lang: str = SOURCE) -> Cards:
    """The cards of a table: the game's own kind, or the general one."""
    kind: type[Cards] = load(spec.cards) if spec.cards else Cards
    return kind(spec, setup, Names(names), lang)


def largest(texts: Iterable[str]) -> int:
    """The bytes of the largest text."""
    return max(len(text.encode()) for text in texts)
'''

MODULES["roundtable.text.fields"] = r'''"""What the fields of an event or a move are, for text: seats, words, and the contexts that choose a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from roundtable.core.catalogue import as_key
from roundtable.core.seats import Seat
from roundtable.core.values import Value

UNSHOWN = ("audience", "phase")


@cache
def shown_fields(kind: type[Value]) -> dict[str, Any]:
    """The fields that a sentence may show, with their type hints."""
    hints = get_type_hints(kind, include_extras=True)
    return {part.name: hints[part.name] for part in fields(kind) if part.name not in UNSHOWN}  # type: ignore[arg-type]


def is_optional(hint: Any) -> bool:
    return NoneType in get_args(hint)


def without_none(hint: Any) -> Any:
    """The type of an optional field where it is set; any other type as it is."""
    rest = [one for one in get_args(hint) if one is not NoneType]
    return rest[0] if is_optional(hint) and len(rest) == 1 else hint


def names_seat(hint: Any) -> bool:
    """Whether a value of this type is a seat, or None."""
    return bool(without_none(hint) == Seat)


def member_type(hint: Any) -> Any:
    """The type of the members of a tuple or a set."""
    return next(iter(get_args(without_none(hint))), None)


def is_list(hint: Any) -> bool:
    """Whether a value of this type is a tuple or a set, or None."""
    return get_origin(without_none(hint)) in (tuple, frozenset)


def kind_of(hint: Any) -> str:
    """What a value of this type is called where its fields are described: seat, number, flag, word or other."""
    single = without_none(hint)
    if names_seat(single):
        return "seat"
    if get_origin(single) is Literal or (isinstance(single, type) and issubclass(single, str)):
        return "word"
    return {int: "number", bool: "flag"}.get(single, "other")


def seats_named(value: Value) -> frozenset[Seat]:
    """Every seat that a value names."""
    named: set[Seat] = set()
    for name, hint in shown_fields(type(value)).items():
        part = getattr(value, name)
        if names_seat(hint) and part is not None:
            named.add(part)
        elif isinstance(part, frozenset | tuple) and names_seat(member_type(hint)):
            named |= set(part) - {None}
    return frozenset(named)


def contexts(value: Value) -> Iterator[str]:
    """The contexts a sentence about this value may have in a catalogue, the most specific first.

    `approve` where that field is true and `no_approve` where it is false; `target` where that optional field is set
    and `no_target` where it is None; the word itself where a field holds one. Several are joined: `quest_excalibur`.
    """
    present, absent = [], []
    for name, hint in shown_fields(type(value)).items():
        part = getattr(value, name)
        if part is None or part is False or part in ((), frozenset()):
            absent.append(f"no_{name}")
        elif part is True or is_optional(hint):
            present.append(name)
        if isinstance(part, str):
            present.append(as_key(part))
    if len(present) > 1:
        yield "_".join(present)
    yield from absent
    yield from present
'''

MODULES["roundtable.text.names"] = r'''"""Names around a table, and lists in the way of a language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Self

from roundtable.core.catalogue import Catalogue, listed
from roundtable.core.names import printable

FIRST_NAMES = ("Alice", "Bob", "Charlie", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Mallory", "Niaj")


class Names(tuple[str, ...]):
    """What the seats are called, as it can be printed: a record or a server may say anything."""

    def __new__(cls, names: Iterable[str] = ()) -> Self:
        return super().__new__(cls, map(printable, names))

    def list(self, seats: Iterable[int], catalogue: Catalogue) -> str:
        """The names of these seats in seat order: `Alice, Bob and Eve`."""
        return listed([self[seat] for seat in sorted(seats)], catalogue)


def names_for(seats: int) -> Names:
    return Names(FIRST_NAMES[:seats])


def counted(words: Iterable[str], catalogue: Catalogue) -> str:
    """`Merlin, Percival, 2 × Loyal Servant`."""
    return catalogue.text("list.separator").join(
        word if count == 1 else catalogue.text("list.times", count=count, item=word)
        for word, count in Counter(words).items()
    )
'''

MODULES["roundtable.text.picture"] = r'''"""The table as a picture before it is drawn: what lies in the middle, and what is beside each seat."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.core.seats import Seat


class Mark(NamedTuple):
    """A sign beside a seat, the letter for it where a terminal lacks the sign, what it means, and its colour."""

    sign: str
    letter: str
    meaning: str
    style: str = ""


class Tile(NamedTuple):
    """A place of a track in the middle of the table; the colour is never the only difference."""

    sign: str
    letter: str
    style: str = ""


class SeatPicture(NamedTuple):
    """What is beside a seat: its marks, and a few words below the name."""

    marks: tuple[Mark, ...] = ()
    note: str = ""
    is_out: bool = False


class Picture(NamedTuple):
    """A table. The seats go round it in their order; `you` is the reader's own, or negative for a spectator."""

    captions: tuple[str, ...]
    seats: tuple[SeatPicture, ...]
    track: tuple[Tile, ...] = ()
    you: Seat = -1
'''

MODULES["roundtable.text.sentences"] = r'''"""Values as sentences: by catalogue key, with the fields as blanks, or in a plain form where there is no key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roundtable.core.catalogue import SOURCE, catalogue, listed, word_key
from roundtable.core.events import TableOpened
from roundtable.core.names import printable
from roundtable.core.options import name_of
from roundtable.core.spec import GameSpec
from roundtable.core.values import Value
from roundtable.text.fields import contexts, member_type, names_seat, shown_fields
from roundtable.text.names import Names


class Sentences:
    """The catalogue of a game in a language, with names for the seats."""

    def __init__(self, spec: GameSpec, names: Names, lang: str = SOURCE) -> None:
        self.spec = spec
        self.names = names
        self.catalogue = catalogue(lang, spec.text)

    def keyed(self, key: str, value: Value) -> str | None:
        """The sentence of a key about this value, in its most specific context; None where there is no such key."""
        count = getattr(value, "seconds", None)
        for form in (*(f"{key}_{context}" for context in contexts(value)), key):
            if self.catalogue.find(form, count=count) is not None:
                return self.catalogue.text(form, count=count, **self.blanks(value))
        return None

    def blanks(self, value: Value) -> dict[str, str]:
        """What can be filled into a sentence about this value: its fields, each shown by its type."""
        shown = {name: self.shown(hint, getattr(value, name)) for name, hint in shown_fields(type(value)).items()}
        if isinstance(value, TableOpened):
            players = {"seats": str(value.setup.seats), "players": listed(self.names, self.catalogue)}
            shown |= {"game": self.game_name, **players}
        return shown

    def shown(self, hint: Any, value: object) -> str:
        match value:
            case None:
                return self.text("list.none")
            case bool():
                return self.text("plain.yes" if value else "plain.no")
            case int() if names_seat(hint):
                return self.names[value]
            case frozenset() | tuple():
                members = sorted(value) if isinstance(value, frozenset) else value
                return listed([self.shown(member_type(hint), one) for one in members], self.catalogue)
            case str():
                return self.word(value)
        return str(value)

    def word(self, word: str) -> str:
        """A word of the game: a role, a side, a card."""
        return self.catalogue.find(word_key(word)) or printable(word.replace("_", " "))

    def plain(self, value: Value) -> str:
        """A sentence made of the names of a value and its fields, for a game without text."""
        name = name_of(type(value)).replace("_", " ").capitalize()
        parts = [self.text("plain.part", name=part.replace("_", " "), value=shown) for part, shown in self.parts(value)]
        if not parts:
            return self.text("plain.bare", name=name)
        return self.text("plain.full", name=name, parts=self.text("list.separator").join(parts))

    def parts(self, value: Value) -> Iterator[tuple[str, str]]:
        blanks = self.blanks(value)
        return ((name, blanks[name]) for name in shown_fields(type(value)))

    def text(self, key: str, /, **values: Any) -> str:
        return self.catalogue.text(key, **values)

    @property
    def game_name(self) -> str:
        return self.catalogue.find("game.name") or self.spec.name.replace("_", " ").title()
'''

MODULES["roundtable.text.teller"] = r'''"""A game in sentences: events, moves, secrets, the board, how it went and how it ended, by catalogue keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, ClassVar

from roundtable.core.actions import Move
from roundtable.core.catalogue import SOURCE, as_key
from roundtable.core.events import (
    Event,
    FloorGiven,
    GameEnded,
    Outcome,
    PhaseBegan,
    Remarked,
    Said,
    SecretsRevealed,
    SeedSealed,
    TableOpened,
)
from roundtable.core.game import OPEN_TALK, with_secrets
from roundtable.core.names import printable
from roundtable.core.options import name_of
from roundtable.core.plugins import load
from roundtable.core.seats import EVERYONE, Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.text.names import Names, counted
from roundtable.text.picture import Picture, SeatPicture
from roundtable.text.sentences import Sentences

INDENT = "  "
QUESTIONS = {"question": "terminal.question", "number": "terminal.number", "bearer": "terminal.bearer"}


class Teller(Sentences):
    """Tells any game from its catalogue: `event.<name>`, `move.<name>`, `secret.<name>`, with the fields as blanks.

    A value without a key is told in a plain form made of its names, so that a game needs no text to be playable. What
    keys and fields cannot express, a game adds in a subclass that its `GameSpec` names.
    """

    untold: ClassVar[frozenset[type[Event]]] = frozenset((FloorGiven, SecretsRevealed))
    """Events that have no sentence on purpose."""

    def __init__(self, spec: GameSpec, names: Names, lang: str = SOURCE) -> None:
        super().__init__(spec, names, lang)
        self._heard: list[Event] = []

    # A story, event by event

    def tell(self, event: Event) -> str | None:
        """The next event that a listener hears, laid out as a part of a story; None where it is not told."""
        self._heard.append(event)
        if isinstance(event, SecretsRevealed):
            return "\n".join(["", *self.reveal(with_secrets(self._heard))])
        said = self.sentence(event)
        if said is None:
            return None
        return ("\n" if self.opens_paragraph(event) else "") + (indented(said) if self.is_aside(event) else said)

    def opens_paragraph(self, event: Event) -> bool:
        return isinstance(event, GameEnded)

    def is_aside(self, event: Event) -> bool:
        """Whether a sentence is indented, because it belongs to the one before or not all listeners hear it."""
        return event.audience is not EVERYONE and not isinstance(event, Said | Remarked)

    def sentence(self, event: Event) -> str | None:
        """An event by itself, or None where it is not told."""
        match event:
            case Said():
                return self.talk(event, event.text)
            case Remarked():
                return self.talk(event, self.phrase(event))
            case GameEnded(outcome=outcome):
                return self.ending(outcome)
            case PhaseBegan(name=name):
                return self.keyed(f"phase.{name}.began", event)
        if not self.is_told(event):
            return None
        return self.keyed(f"event.{name_of(type(event))}", event) or self.plain(event)

    def is_told(self, event: Event) -> bool:
        return type(event) not in self.untold

    # Talk

    def talk(self, event: Said | Remarked, text: str) -> str:
        """A line of talk, and to whom it was said where that was not the whole table."""
        name, line = self.names[event.seat], printable(text)
        if event.channel == OPEN_TALK:
            return self.text("talk.said", name=name, text=line)
        return self.text("talk.whispered", name=name, to=self.channel(event.channel), text=line)

    def channel(self, name: str) -> str:
        """To whom one speaks in a channel: `to Evil`."""
        return self.catalogue.find(f"channel.{name}") or self.text("channel.other", name=self.word(name))

    def phrase(self, event: Remarked) -> str:
        """A phrase of the phrase book in words."""
        name = "" if event.about is None else self.names[event.about]
        word = "" if event.word is None else self.word(event.word)
        return self.phrase_kind(event.phrase, name, word, as_key(event.word or ""))

    def phrase_kind(self, phrase: str, name: str = "…", word: str = "…", context: str = "") -> str:
        """A phrase before a player and a word are put into it. In the context of a word: with the word's article."""
        for key in (f"claim.{phrase}", f"remark.{phrase}"):
            if key in self.catalogue:
                return self.text(key, name=name, word=word, context=context)
        return self.text("plain.bare", name=phrase.replace("_", " ").capitalize())

    # Moves and phases

    def move(self, move: Move) -> str:
        """A move as a line of a menu."""
        if line := self.keyed(f"move.{name_of(type(move))}", move):
            return line
        return " ".join([self.kind(type(move)), *(shown for _, shown in self.parts(move))])

    def kind(self, kind: type[Move]) -> str:
        """A kind of move, before anything in it is chosen."""
        name = name_of(kind)
        return self.catalogue.find(f"move.{name}_kind") or name.replace("_", " ").capitalize()

    def question(self, phase: str, part: str = "question") -> str:
        """What a seat is asked in a phase; `part` names one of several questions."""
        return self.catalogue.find(f"phase.{phase}.{part}") or self.text(QUESTIONS[part])

    def progress(self, view: Any) -> str | None:
        """What is public about the current phase and was not told as events."""
        return None

    def warning(self, view: Any, move: Move) -> str | None:
        """Why a legal move is one that a player hardly means."""
        return None

    # What a seat knows, and how it has gone

    def secrets(self, heard: Iterable[Event]) -> str:
        """What one seat alone was told, in the second person; in a game without such texts, what it was dealt."""
        events = list(heard)
        told = [line for event in events if event.audience is not EVERYONE and (line := self.secret(event))]
        return "\n".join(told or self.dealt(events))

    def dealt(self, heard: Iterable[Event]) -> Iterator[str]:
        """What was private before the first phase."""
        for event in takewhile(lambda event: not isinstance(event, PhaseBegan), heard):
            if event.audience is not EVERYONE and (line := self.sentence(event)):
                yield line

    def secret(self, event: Event) -> str | None:
        return self.keyed(f"secret.{name_of(type(event))}", event)

    def board(self, setup: Setup) -> str:
        """What is public from the start: who is in the deal."""
        return "\n".join(self.casting(setup))

    def casting(self, setup: Setup) -> Iterator[str]:
        for side, seats, roles in setup.casting():
            drawn = "drawn" if len(roles) > seats else ""
            cards = counted(map(self.word, roles), self.catalogue)
            yield self.text("board.side", context=drawn, side=self.word(side), seats=seats, roles=cards)

    def picture(self, view: Any, you: Seat) -> Picture:
        """How the table stands, to be drawn; the roles only when the game is over."""
        return Picture((), tuple(SeatPicture() for _ in self.names), you=you)

    def changes_picture(self, event: Event) -> bool:
        """Whether those who watch want to see the table after this: at the end, with every role."""
        return isinstance(event, SecretsRevealed)

    def history(self, view: Any, heard: Iterable[Event]) -> str:
        """How the game has gone so far, for a player who looks back."""
        public = (event for event in heard if event.audience is EVERYONE and not isinstance(event, TableOpened))
        return "\n".join(line for event in public if (line := self.sentence(event)))

    # The end

    def ending(self, outcome: Outcome) -> str:
        if outcome.winner is None:
            return self.outcome(outcome)
        return f"{self.outcome(outcome)} {self.text('outcome.well_played', seats=self.seats(outcome.seats))}"

    def outcome(self, outcome: Outcome) -> str:
        """`Good wins! Three quests succeeded, and Merlin survived.`"""
        reason = self.catalogue.find(f"outcome.{outcome.reason}") or f"{self.word(outcome.reason).capitalize()}."
        if outcome.winner is None:
            return self.text("outcome.undecided", context=outcome.reason, reason=reason)
        return self.text("outcome.won", context=outcome.reason, winner=self.word(outcome.winner), reason=reason)

    def reveal(self, facts: Iterable[Event]) -> Iterator[str]:
        """Everything that was private in a finished game, and the seed that dealt it (A18, A22, S14)."""
        known = list(facts)
        yield self.text("history.revealed")
        yield from self.look_back(known)
        yield from (self.sentence(fact) or "" for fact in known if isinstance(fact, SeedSealed))

    def look_back(self, facts: Iterable[Event]) -> Iterator[str]:
        """What was private, in the order in which it happened."""
        for fact in facts:
            if fact.audience is not EVERYONE and not isinstance(fact, SeedSealed) and (line := self.sentence(fact)):
                yield indented(line)

    def choices(self, key: str, choices: Mapping[Seat, str], **values: object) -> Iterator[str]:
        """`Played on quest 2: Alice Success, Bob Fail.`, in seat order; nothing where there are no choices."""
        if choices:
            named = ((self.names[seat], choices[seat]) for seat in sorted(choices))
            each = (self.text("history.choice", name=name, choice=choice) for name, choice in named)
            yield indented(self.text(key, choices=self.text("list.separator").join(each), **values))

    def seats(self, seats: Iterable[Seat]) -> str:
        """The names of these seats as a list."""
        return self.names.list(seats, self.catalogue)


def teller_of(spec: GameSpec, names: Names, lang: str = SOURCE) -> Teller:
    """The teller that a game has, or the general one."""
    kind: type[Teller] = load(spec.teller) if spec.teller else Teller
    return kind(spec, names, lang)


def indented(text: str) -> str:
    return "\n".join(INDENT + line for line in text.splitlines())
'''

CATALOGUES["roundtable.games.quests.text", "en.json"] = r'''{
  "word": {
    "merlin": "Merlin",
    "percival": "Percival",
    "loyal_servant": "Loyal Servant",
    "tristan": "Tristan",
    "iseult": "Iseult",
    "lancelot": "Lancelot",
    "nimue": "Nimue",
    "arthur": "Arthur",
    "titania": "Titania",
    "assassin": "Assassin",
    "morgana": "Morgana",
    "mordred": "Mordred",
    "oberon": "Oberon",
    "minion_of_mordred": "Minion of Mordred",
    "maelagant": "Maelagant",
    "agravaine": "Agravaine",
    "colgrevance": "Colgrevance",
    "good": "Good",
    "evil": "Evil",
    "success": "Success",
    "fail": "Fail",
    "reverse": "Reverse",
    "merlin_or_morgana": "Merlin or Morgana"
  },
  "card": {
    "seen": "{{name}} is {{what}}.",
    "seen_evil": "{{name}} is Evil.",
    "sees_nobody": "You see no one in this game.",
    "team_good": "GOOD TEAM:",
    "team_evil": "EVIL TEAM:",
    "leads": "{{name}} makes the first proposal."
  },
  "refusal": {}
}
'''

CATALOGUES["roundtable.games.quests.text", "vi.json"] = r'''{
  "word": {
    "merlin": "Merlin",
    "percival": "Percival",
    "loyal_servant": "Bề Tôi Trung Thành",
    "tristan": "Tristan",
    "iseult": "Iseult",
    "lancelot": "Lancelot",
    "nimue": "Nimue",
    "arthur": "Arthur",
    "titania": "Titania",
    "assassin": "Assassin",
    "morgana": "Morgana",
    "mordred": "Mordred",
    "oberon": "Oberon",
    "minion_of_mordred": "Tay Sai",
    "maelagant": "Maelagant",
    "agravaine": "Agravaine",
    "colgrevance": "Colgrevance",
    "good": "Phe Xanh",
    "evil": "Phe Đỏ",
    "success": "Thành Công",
    "fail": "Thất Bại",
    "reverse": "Đảo Ngược",
    "merlin_or_morgana": "Merlin hoặc Morgana"
  },
  "card": {
    "seen": "{{name}} là {{what}}.",
    "seen_evil": "{{name}} thuộc Phe Đỏ.",
    "sees_nobody": "Ván này bạn không thấy ai.",
    "team_good": "PHE XANH:",
    "team_evil": "PHE ĐỎ:",
    "leads": "{{name}} giữ thẻ Chỉ Huy và chọn đội đầu tiên."
  },
  "refusal": {}
}
'''

CATALOGUES["roundtable.games.thavalon.text", "en.json"] = r'''{
  "game": {
    "name": "THavalon"
  },
  "notice": {
    "colgrevance_is_hidden": "Colgrevance is in the game too, but you can’t see them.",
    "titania_is_among_them": "One of the players you see is Titania, who is Good.",
    "good_favoured": "THavalon’s authors call {{seats}} players heavily imbalanced in favor of Good. 5, 7, 8 or 10 are fairer."
  },
  "role": {
    "merlin": {
      "power": "You see every Evil player except Mordred.\nLancelot, if he is in the game, looks Evil to you but is Good.\nIf three missions succeed, Evil still wins if the Assassin names you as Merlin."
    },
    "percival": {
      "power": "You see Merlin and Morgana, if they are in the game, but not which is which."
    },
    "tristan": {
      "power": "Iseult is in the game too: you know each other, and you are both Good.\nIf three missions succeed, Evil still wins if the Assassin names you two as the Lovers.",
      "power_no_target": "Iseult is in the game too: you know each other, and you are both Good."
    },
    "iseult": {
      "power": "Tristan is in the game too: you know each other, and you are both Good.\nIf three missions succeed, Evil still wins if the Assassin names you two as the Lovers.",
      "power_no_target": "Tristan is in the game too: you know each other, and you are both Good."
    },
    "lancelot": {
      "power": "On a mission, you may play Success or Reverse.\nTo Merlin, you look Evil.",
      "power_no_reverse": "To Merlin, you look Evil."
    },
    "nimue": {
      "power": "You know which other roles are in the game, but not who has them.\nIf three missions succeed, Evil still wins if the Assassin names you as Nimue.",
      "power_no_target": "You know which other roles are in the game, but not who has them."
    },
    "arthur": {
      "power": "You know which other Good roles are in the game, but not who has them.\nYou may declare while exactly two missions have failed and at most one has succeeded.\nYou may not declare while cards are being played.\nOnce you have declared, your votes count twice, and you go on no mission before the fifth.",
      "power_no_declaration": "You know which other Good roles are in the game, but not who has them."
    },
    "titania": {
      "power": "Evil players see you as one of their own; only Colgrevance isn’t fooled."
    },
    "mordred": {
      "power": "Merlin doesn’t see you.\nYou see the other Evil players, but never Colgrevance."
    },
    "morgana": {
      "power": "To Percival, you look just like Merlin.\nYou see the other Evil players, but never Colgrevance."
    },
    "maelagant": {
      "power": "On a mission, you may play Success, Fail or Reverse.\nYou see the other Evil players, but never Colgrevance.",
      "power_no_reverse": "You see the other Evil players, but never Colgrevance."
    },
    "agravaine": {
      "power": "On a mission, you always play Fail.\nIf a mission you were on succeeds despite a Fail, you may declare: it fails instead.\nYou may do so until the vote on the next team opens, or until that team leaves if there is no vote.\nYou see the other Evil players, but never Colgrevance.",
      "power_no_declaration": "On a mission, you always play Fail.\nYou see the other Evil players, but never Colgrevance."
    },
    "colgrevance": {
      "power": "The other Evil players don’t see you; they are only told that you are in the game.\nYou know the role each of them has, and Titania doesn’t fool you."
    }
  },
  "card": {
    "assassin": "You are the Assassin: if three missions succeed, you make the call for Evil."
  }
}
'''

CATALOGUES["roundtable.games.thavalon.text", "vi.json"] = r'''{
  "game": {
    "name": "THavalon"
  },
  "notice": {
    "colgrevance_is_hidden": "Trong ván còn có Colgrevance, nhưng bạn không thấy được người này.",
    "titania_is_among_them": "Một trong những người bạn thấy là Titania, thuộc Phe Xanh.",
    "good_favoured": "Chính các tác giả của THavalon cho rằng ván {{seats}} người nghiêng hẳn về Phe Xanh. 5, 7, 8 hoặc 10 người thì cân hơn."
  },
  "role": {
    "merlin": {
      "power": "Bạn nhận ra Phe Đỏ, trừ Mordred.\nLẫn trong số đó có thể có cả Lancelot, dù Lancelot thuộc Phe Xanh.\nKhi đủ ba nhiệm vụ thành công, nếu Assassin chỉ đúng bạn là Merlin thì Phe Đỏ vẫn thắng."
    },
    "percival": {
      "power": "Bạn nhận ra Merlin và Morgana (nếu có trong ván), nhưng không phân biệt được ai là ai."
    },
    "tristan": {
      "power": "Iseult cũng có trong ván: hai bạn biết nhau và đều thuộc Phe Xanh.\nKhi đủ ba nhiệm vụ thành công, nếu Assassin chỉ đúng hai bạn là cặp Tình Nhân thì Phe Đỏ vẫn thắng.",
      "power_no_target": "Iseult cũng có trong ván: hai bạn biết nhau và đều thuộc Phe Xanh."
    },
    "iseult": {
      "power": "Tristan cũng có trong ván: hai bạn biết nhau và đều thuộc Phe Xanh.\nKhi đủ ba nhiệm vụ thành công, nếu Assassin chỉ đúng hai bạn là cặp Tình Nhân thì Phe Đỏ vẫn thắng.",
      "power_no_target": "Tristan cũng có trong ván: hai bạn biết nhau và đều thuộc Phe Xanh."
    },
    "lancelot": {
      "power": "Khi làm nhiệm vụ, bạn ra lá Thành Công hoặc Đảo Ngược.\nTrong mắt Merlin, bạn trông như người Phe Đỏ.",
      "power_no_reverse": "Trong mắt Merlin, bạn trông như người Phe Đỏ."
    },
    "nimue": {
      "power": "Bạn biết trong ván còn có những vai nào, nhưng không biết ai là ai.\nKhi đủ ba nhiệm vụ thành công, nếu Assassin chỉ đúng bạn là Nimue thì Phe Đỏ vẫn thắng.",
      "power_no_target": "Bạn biết trong ván còn có những vai nào, nhưng không biết ai là ai."
    },
    "arthur": {
      "power": "Bạn biết Phe Xanh còn có những vai nào, nhưng không biết ai là ai.\nKhi có đúng hai nhiệm vụ thất bại và nhiều nhất một thành công, bạn được quyền lộ diện.\nBạn không được lộ diện lúc đội đang ra bài.\nTừ khi lộ diện, phiếu của bạn tính gấp đôi, và bạn không vào đội nào trước nhiệm vụ thứ năm.",
      "power_no_declaration": "Bạn biết Phe Xanh còn có những vai nào, nhưng không biết ai là ai."
    },
    "titania": {
      "power": "Phe Đỏ nhìn bạn như đồng đội của họ, chỉ Colgrevance là không bị lừa."
    },
    "mordred": {
      "power": "Merlin không nhận ra bạn.\nBạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance."
    },
    "morgana": {
      "power": "Bạn giả dạng Merlin: Percival không phân biệt được bạn với Merlin.\nBạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance."
    },
    "maelagant": {
      "power": "Khi làm nhiệm vụ, bạn ra lá Thành Công, Thất Bại hoặc Đảo Ngược.\nBạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance.",
      "power_no_reverse": "Bạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance."
    },
    "agravaine": {
      "power": "Khi làm nhiệm vụ, bạn luôn phải ra lá Thất Bại.\nNếu nhiệm vụ có bạn vẫn thành công dù có lá Thất Bại, bạn được lộ diện: nó thành thất bại.\nHạn chót là lúc bắt đầu bỏ phiếu cho đội kế tiếp, hoặc lúc đội lên đường nếu không bỏ phiếu.\nBạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance.",
      "power_no_declaration": "Khi làm nhiệm vụ, bạn luôn phải ra lá Thất Bại.\nBạn nhận ra các đồng đội Phe Đỏ của mình, trừ Colgrevance."
    },
    "colgrevance": {
      "power": "Đồng đội Phe Đỏ không thấy bạn, họ chỉ được báo là bạn có trong ván.\nBạn biết rõ vai của từng người trong số họ, và Titania không lừa được bạn."
    }
  },
  "card": {
    "assassin": "Bạn là Assassin: khi đủ ba nhiệm vụ thành công, bạn là người ra tay cho Phe Đỏ."
  }
}
'''

CATALOGUES["roundtable.text", "en.json"] = r'''{
  "language": "English",
  "list": {
    "none": "no one",
    "more": "{{most}} and {{last}}",
    "separator": ", ",
    "times": "{{count}} × {{item}}",
    "more_or": "{{most}} or {{last}}"
  },
  "command": {
    "stopped": "Stopped.",
    "unreported": "Done, but the result could not be printed: {{reason}}.",
    "required": "{{what}} is missing; {{prog}} --help says more.",
    "unknown": "{{what}} is unknown; {{prog}} --help lists what is accepted.",
    "whole_number": "{{what}} takes a whole number, not {{typed}}.",
    "positive_number": "{{what}} takes a whole number of at least 1, not {{typed}}.",
    "number": "{{what}} takes a number, not {{typed}}.",
    "choice": "{{what}} is one of {{known}}, not {{typed}}.",
    "no_value": "{{what}} is followed by a value, and there is none.",
    "no_value_taken": "{{what}} takes no value; leave out {{typed}}.",
    "ambiguous": "{{what}} could be one of {{known}}; write it out.",
    "other": "{{complaint}}; {{prog}} --help lists what is accepted."
  },
  "card": {
    "you_are": "You are {{role}} [{{side}}]",
    "you_sit": "You are {{name}}",
    "team": "{{side}}:",
    "start": "Everyone has seen their card: the game begins."
  },
  "dealer": {
    "who_is_who": "Player -> Role",
    "in_the_deal": "In the deal: {{roles}}.",
    "cards_dealt": "{{count}} cards are in {{folder}}: each player opens only the file with their own name.",
    "then_begin": "Then everyone reads {{start}}, and the game begins. {{spoiler}} is for after the game.",
    "write_down": "To check the deal after the game, write this down now: {{commitment}}",
    "seed_paper": "Seed: {{seed}}\nCheck code: {{commitment}}\nAgreed on: {{agreed}}\n\nIs this the check code that was written down when the cards were dealt?\nThen deal again: the same names and options, --seed with this seed, --out with another folder.\nThe cards must be the same. How they follow from the seed: docs/fair-deals.md.\n",
    "note": "Note: {{notice}}"
  },
  "notice": {
    "new_host": "The host was away too long. {{name}} is the host now.",
    "seat_granted": "{{name}} now plays in {{holder}}’s seat. {{by}} agreed.",
    "seat_granted_by_time": "{{name}} now plays in {{holder}}’s seat. {{holder}} was away, and no one objected.",
    "seat_kept": "{{name}} asked for {{holder}}’s seat. {{holder}} came back and keeps it.",
    "claim_refused": "{{name}} asked for {{holder}}’s seat. {{by}} said no.",
    "bot_replaced": "{{name}} now plays in {{former}}’s seat, for a bot.",
    "renamed": "{{former}} is now called {{name}}.",
    "moderator": "{{name}} moderates and sees all roles."
  },
  "refusal": {
    "setup": {
      "seats": "{{game}} takes {{fewest}} to {{most}} players, not {{seats}}.",
      "seats_names": "The table has {{seats}} seats, and there are {{names}} names.",
      "seats_seat": "Seats go from 1 to {{seats}}; there is no seat {{seat}}.",
      "role": "{{role}} can’t be chosen here; choose from {{roles}}.",
      "too_many_roles": "{{count}} special roles ({{roles}}) don’t fit: with {{seats}} players, {{side}} has only {{places}} places.",
      "pool": "The pool needs at least {{places}} {{side}} roles for {{seats}} players; it has {{count}}.",
      "pool_lovers": "Tristan and Iseult come together or not at all: put both in the pool, or neither.",
      "pool_merlin": "Only Merlin can be assassinated at this table, so Merlin must be in the pool.",
      "pool_targets": "The Assassin has no target: put Merlin, Nimue or both lovers in the pool.",
      "paired": "Five rejections and a paired first round don’t go together: in a paired round, one of the two teams always goes. Choose one or the other.",
      "option": "Option {{option}} can’t be {{value}}.",
      "option_choice": "Option {{option}} takes {{choices}}, not {{value}}.",
      "option_switch": "Option {{option}} takes yes or no, not {{value}}.",
      "option_number": "Option {{option}} takes a whole number from {{first}} to {{last}}, not {{value}}.",
      "option_optional_number": "Option {{option}} takes a whole number from {{first}} to {{last}} or none, not {{value}}.",
      "option_names": "Option {{option}} takes a list of names with commas between them, not {{value}}.",
      "option_too_many_names": "Option {{option}} takes a list of at most {{most}} names.",
      "option_twice": "Option {{option}} lists {{value}} twice; name each once.",
      "option_unknown": "{{game}} has no option {{option}}; it has {{options}}.",
      "option_syntax": "Write an option as NAME=VALUE; {{found}} has no “=”.",
      "option_language": "There is no language called {{name}}; choose {{choices}}.",
      "option_resume": "--resume continues a game as it was; leave out {{flags}}.",
      "option_seconds": "--seconds takes a number from 0.001 to {{most}}.",
      "option_database": "Write a database as sqlite:///FILE, postgresql://USER@HOST/NAME or memory:, not {{found}}.",
      "option_database_kept": "Write a database as sqlite:///FILE or postgresql://USER@HOST/NAME, not {{found}}.",
      "option_database_driver": "PostgreSQL needs asyncpg, which is not installed: {{command}}.",
      "option_database_unreachable": "The PostgreSQL server of {{address}} can’t be reached: {{reason}}.",
      "option_database_password": "PostgreSQL refuses this user or password for {{address}}: {{reason}}.",
      "option_database_missing": "{{address}} does not exist yet: {{reason}}. Create it first, with: createdb NAME.",
      "option_database_tables": "{{address}} has no tables of Round Table; is it the --database of the server? roundtable serve makes them when it first starts.",
      "option_database_denied": "PostgreSQL does not let this user of {{address}} do that: {{reason}}; give --database with the user of the server.",
      "option_database_parameter": "PostgreSQL refuses one of the parameters after the ? in --database for {{address}}: {{reason}}; correct it or leave it out.",
      "option_database_file": "{{path}} can’t be used as a database: {{reason}}.",
      "option_database_newer": "{{path}} was written by a newer Round Table (schema {{found}}, and this version knows {{known}}); update this one.",
      "option_no_server": "No server has answered; is one running on this database? Nothing was changed.",
      "option_network": "A network looks like 203.0.113.7 or 203.0.113.0/24; {{found}} does not.",
      "option_not_banned": "{{network}} is not banned; roundtable admin status lists what is.",
      "option_no_open_room": "No open room has the code {{room}}; roundtable admin list shows those that do.",
      "option_no_game": "{{room}} has no game {{number}}.",
      "option_rooms_unreadable": "These rooms were skipped, because a row in them can’t be read: {{rooms}}.",
      "option_nobody": "No room has a member who was ever called {{name}}.",
      "option_unfinished": "Not erased yet: {{rooms}}. Run the same command again to continue.",
      "option_no_person": "No one in {{room}} ever had the name {{name}}.",
      "option_database_taken": "Another server uses {{path}}; give this one its own --database.",
      "option_move_nothing": "{{database}} has no rooms to move.",
      "option_move_occupied": "{{database}} already has rooms; move into an empty database.",
      "option_move_in_use": "A server uses {{database}}; stop it first.",
      "option_move_differs": "{{database}} would have {{found}} rows instead of {{rows}}; nothing was moved. Try again.",
      "option_database_lost": "{{database}} can’t be read or written: {{reason}}; is the disk full?",
      "option_port": "A port is a number from 0 to {{last}}, not {{found}}.",
      "option_listen": "Can’t listen at {{host}}, port {{port}}: {{reason}}; try another {{choices}}.",
      "option_listen_workers": "Other workers can’t reach this server at {{host}}: {{reason}}; --worker-host takes an address of this machine.",
      "option_origin": "Write a site as browsers do, such as https://example.org or http://example.org:8080, not {{found}}.",
      "option_site": "Name a site without https:// and without a port, such as table.example.org, not {{found}}.",
      "option_proxy": "Name a proxy by its address, such as 127.0.0.1 or 10.0.0.0/8, not {{found}}.",
      "seed": "A seed has exactly {{bytes}} bytes.",
      "seed_lab": "A seed of the lab is a number from 0 to 2**64 - 1, not {{seed}}.",
      "game": "There is no game called {{name}}; choose {{choices}}.",
      "game_setup": "A table of {{name}} takes a setup of the type {{expected}}.",
      "game_kernel": "The compiled {{name}} does not play {{found}}.",
      "game_rulebook": "There is no rulebook for {{name}}.",
      "bot": "There is no bot called {{name}}; choose {{choices}}.",
      "bot_silent": "{{name}} can’t say why it moves; choose {{choices}}.",
      "bot_syntax": "Write a bot as SEAT=COMMAND, not {{found}}.",
      "bot_seat": "Seats go from 0 to {{last}}; there is no seat {{found}}.",
      "bot_system": "Programs can only take a seat on Linux, macOS and other POSIX systems.",
      "bot_twice": "Two bots can’t share a seat; name every seat once.",
      "bot_kept": "The game in {{file}} keeps its {{name}} bots; leave out --bots.",
      "bot_kernel": "No bot called {{name}} plays in a kernel; choose {{choices}}.",
      "bot_careful_seats": "{{seats}} seats take one bot, two (one for each side) or {{seats}}, not {{found}}.",
      "bot_sides": "Bots by side need a game with two sides; name one bot, or one for each seat.",
      "bot_learner": "The learner sits at a seat from 0 to {{last}}, not {{found}}.",
      "bot_missing": "Seats {{seats}} each need a bot.",
      "bot_nobody_asked": "Bots have every seat; leave at least one out.",
      "bot_no_role": "There is no role called {{found}}; choose {{choices}}.",
      "bot_never_dealt": "This table never deals that role to seat {{seat}}, or its bots leave nothing to choose.",
      "option_port_taken": "Port {{port}} is already in use; stop the other server, or take another port with make run PORT={{free}} or roundtable serve --port {{free}}.",
      "option_password_file": "The password can’t be read from {{file}}: {{reason}}.",
      "option_password_short": "The first line of {{file}} has to be a password of at least {{least}} characters.",
      "option_workers": "--workers needs a PostgreSQL database: {{database}} can be used by one process only.",
      "option_worker_ended": "Worker {{worker}} ended before it could serve; see the messages above.",
      "option_worker_unreached": "A worker at {{address}} uses this database and can’t be reached from here, so it runs on another machine; start the server there with --worker-host and an address of that machine.",
      "option_worker_host": "A worker at {{address}} uses this database from another machine and could not reach this server at {{host}}; add --worker-host with an address of this machine.",
      "option_metrics_port_taken": "Port {{port}} is already in use; choose another --metrics-port.",
      "option_cards_port_taken": "Port {{port}} is already in use; choose another --port.",
      "option_phones_json": "--phones shows the cards to people, and --json prints for programs; leave one of them out."
    },
    "text": {
      "unreadable": "This can’t be read.",
      "unreadable_expected": "Expected {{expected}}, found {{found}}.",
      "unreadable_fields": "Expected {{expected}} with exactly {{fields}}, found {{found}}.",
      "unreadable_rules": "Expected a setup of {{game}} under rules {{version}}, found {{found}}.",
      "unreadable_field": "{{field}} takes {{expected}}; {{found}} is not that.",
      "unreadable_json": "Expected JSON, found {{found}}.",
      "unreadable_line": "Expected one line of JSON, found {{found}}.",
      "unreadable_message": "Expected {{expected}}. {{reason}}.",
      "unreadable_nested": "Brackets can be nested at most {{most}} deep.",
      "unreadable_long": "A message has at most {{most}} bytes.",
      "unreadable_body": "The body of the request can’t be read: {{reason}}.",
      "unreadable_entered": "You are already in; open another connection for another room.",
      "unreadable_first": "The server did not understand the first message.",
      "unreadable_frame": "The server sent a frame that can’t be read: {{reason}}.",
      "unreadable_http": "Expected HTTP from {{address}}, found {{found}}.",
      "unreadable_number": "Expected event {{expected}} from the server, found {{found}}.",
      "unreadable_protocol": "The server speaks protocol {{found}}, and this client {{expected}}.",
      "unreadable_no_welcome": "Expected a Welcome before the first event.",
      "unreadable_misfit": "Expected an event that follows from those before it, found {{found}}."
    },
    "names": {
      "empty": "The name {{name}} can’t be seen; a name needs a visible letter.",
      "sign": "The name {{name}} has a character that file names can’t have; leave out / \\ : * ? \" < > |",
      "unprintable": "The name {{name}} has a character that can’t be printed; use letters, digits, signs and spaces.",
      "edge": "The name {{name}} starts or ends with a dot or a space; remove it.",
      "too_long": "The name {{name}} is too long; a name takes at most {{most}} bytes, and many letters take two or three.",
      "reserved": "The name {{name}} is taken by a file of the deal; choose another, or add a letter.",
      "reserved_device": "The name {{name}} is taken by a device on Windows; choose another, or add a letter.",
      "reserved_bot": "The name {{name}} is for bots; choose another.",
      "alike": "The names {{first}} and {{second}} look the same, or would be the same file on some computers; choose names that differ by more than capitals, similar letters or invisible characters."
    },
    "folder": {
      "occupied": "Nothing was changed: empty it yourself, or choose another folder.",
      "occupied_link": "{{folder}} is a link.",
      "occupied_no_folder": "{{folder}} is not a folder.",
      "occupied_here": "{{folder}} is the folder you’re in.",
      "occupied_foreign": "{{folder}} holds {{file}}, which is not part of an earlier deal.",
      "occupied_changed": "{{folder}} holds {{file}}, which has changed since it was dealt.",
      "unwritable": "Nothing was dealt into {{folder}}: {{reason}}.",
      "unwritable_encoding": "Nothing was dealt into {{folder}}: this system can’t write one of the names."
    }
  }
}
'''

CATALOGUES["roundtable.text", "vi.json"] = r'''{
  "language": "Tiếng Việt",
  "list": {
    "none": "không ai",
    "more": "{{most}} và {{last}}",
    "separator": ", ",
    "times": "{{count}} × {{item}}",
    "more_or": "{{most}} hoặc {{last}}"
  },
  "command": {
    "stopped": "Đã dừng.",
    "unreported": "Mọi việc đã xong, nhưng không in được báo cáo: {{reason}}.",
    "required": "Còn thiếu {{what}}; xem thêm ở {{prog}} --help.",
    "unknown": "Không có {{what}}; {{prog}} --help liệt kê những gì dùng được.",
    "whole_number": "{{what}} cần một số nguyên, không phải {{typed}}.",
    "positive_number": "{{what}} cần một số nguyên từ 1 trở lên, không phải {{typed}}.",
    "number": "{{what}} cần một số, không phải {{typed}}.",
    "choice": "{{what}} là một trong {{known}}, không phải {{typed}}.",
    "no_value": "Sau {{what}} phải có một giá trị.",
    "no_value_taken": "{{what}} không nhận giá trị; hãy bỏ {{typed}}.",
    "ambiguous": "{{what}} có thể là một trong {{known}}; hãy viết đầy đủ.",
    "other": "{{complaint}}; {{prog}} --help liệt kê những gì dùng được."
  },
  "card": {
    "you_are": "Bạn là {{role}} [{{side}}]",
    "you_sit": "Bạn là {{name}}",
    "team": "{{side}}:",
    "start": "Mọi người đã xem bài: ván chơi bắt đầu."
  },
  "dealer": {
    "who_is_who": "Người chơi -> Vai",
    "in_the_deal": "Trong ván có: {{roles}}.",
    "cards_dealt": "{{count}} lá bài nằm trong thư mục {{folder}}: mỗi người chỉ mở tệp mang tên mình.",
    "then_begin": "Sau đó cả bàn đọc {{start}} và ván chơi bắt đầu. {{spoiler}} chỉ được mở khi ván đã kết thúc.",
    "write_down": "Muốn kiểm tra lượt chia sau khi chơi xong, hãy ghi lại ngay dòng này: {{commitment}}",
    "seed_paper": "Số bí mật: {{seed}}\nMã kiểm chứng: {{commitment}}\nĐã thống nhất: {{agreed}}\n\nĐây có đúng là mã kiểm chứng đã được ghi lại lúc chia bài không?\nNếu đúng, hãy chia lại: cùng tên người chơi và tùy chọn, --seed với số bí mật này, --out với một thư mục khác.\nCác lá bài phải giống hệt. Cách rút bài từ số bí mật: docs/fair-deals.md.\n",
    "note": "Lưu ý: {{notice}}"
  },
  "notice": {
    "new_host": "Chủ bàn vắng mặt quá lâu. Từ giờ {{name}} là chủ bàn.",
    "seat_granted": "Từ giờ {{name}} chơi ở chỗ của {{holder}}. {{by}} đã đồng ý.",
    "seat_granted_by_time": "Từ giờ {{name}} chơi ở chỗ của {{holder}}. {{holder}} vắng mặt và không ai phản đối.",
    "seat_kept": "{{name}} đã xin chỗ của {{holder}}. {{holder}} đã quay lại và giữ chỗ.",
    "claim_refused": "{{name}} đã xin chỗ của {{holder}}. {{by}} không đồng ý.",
    "bot_replaced": "Từ giờ {{name}} chơi thay bot ở chỗ của {{former}}.",
    "renamed": "{{former}} đổi tên thành {{name}}.",
    "moderator": "{{name}} là quản trò và thấy mọi vai."
  },
  "refusal": {
    "setup": {
      "seats": "{{game}} dành cho {{fewest}} đến {{most}} người chơi, không phải {{seats}}.",
      "seats_names": "Bàn có {{seats}} chỗ mà lại có {{names}} tên.",
      "seats_seat": "Các chỗ được đánh số từ 1 đến {{seats}}; không có chỗ {{seat}}.",
      "role": "Không chọn được {{role}} ở đây; hãy chọn trong {{roles}}.",
      "too_many_roles": "{{count}} vai đặc biệt ({{roles}}) là quá nhiều: với {{seats}} người chơi, {{side}} chỉ có {{places}} chỗ.",
      "pool": "Với {{seats}} người chơi, danh sách cần ít nhất {{places}} vai {{side}}; hiện có {{count}}.",
      "pool_lovers": "Tristan và Iseult luôn đi cùng nhau: hãy đưa cả hai vào danh sách, hoặc bỏ cả hai.",
      "pool_merlin": "Bàn này chỉ ám sát được Merlin, nên danh sách phải có Merlin.",
      "pool_targets": "Assassin không có mục tiêu: hãy đưa Merlin, Nimue hoặc cả cặp Tình Nhân vào danh sách.",
      "paired": "Luật năm lần từ chối không đi cùng vòng đầu theo cặp, vì theo cặp thì luôn có một đội lên đường. Hãy chọn một trong hai.",
      "option": "Tùy chọn {{option}} không nhận giá trị {{value}}.",
      "option_choice": "Tùy chọn {{option}} nhận {{choices}}, không nhận {{value}}.",
      "option_switch": "Tùy chọn {{option}} nhận yes hoặc no, không nhận {{value}}.",
      "option_number": "Tùy chọn {{option}} nhận một số nguyên từ {{first}} đến {{last}}, không nhận {{value}}.",
      "option_optional_number": "Tùy chọn {{option}} nhận một số nguyên từ {{first}} đến {{last}} hoặc none, không nhận {{value}}.",
      "option_names": "Tùy chọn {{option}} nhận một danh sách tên cách nhau bằng dấu phẩy, không nhận {{value}}.",
      "option_too_many_names": "Tùy chọn {{option}} nhận danh sách nhiều nhất {{most}} tên.",
      "option_twice": "Tùy chọn {{option}} ghi {{value}} hai lần; mỗi tên chỉ ghi một lần.",
      "option_unknown": "{{game}} không có tùy chọn {{option}}; có các tùy chọn {{options}}.",
      "option_syntax": "Hãy viết tùy chọn theo dạng NAME=VALUE; {{found}} thiếu dấu “=”.",
      "option_language": "Không có ngôn ngữ nào tên {{name}}; hãy chọn {{choices}}.",
      "option_resume": "--resume chơi tiếp ván cũ như cũ; hãy bỏ {{flags}}.",
      "option_seconds": "--seconds nhận một số từ 0.001 đến {{most}}.",
      "option_database": "Hãy viết cơ sở dữ liệu theo dạng sqlite:///FILE, postgresql://USER@HOST/NAME hoặc memory:, không phải {{found}}.",
      "option_database_kept": "Hãy viết cơ sở dữ liệu theo dạng sqlite:///FILE hoặc postgresql://USER@HOST/NAME, không phải {{found}}.",
      "option_database_driver": "PostgreSQL cần asyncpg nhưng gói này chưa được cài: {{command}}.",
      "option_database_unreachable": "Không kết nối được với máy chủ PostgreSQL của {{address}}: {{reason}}.",
      "option_database_password": "PostgreSQL từ chối người dùng hoặc mật khẩu này cho {{address}}: {{reason}}.",
      "option_database_missing": "{{address}} chưa tồn tại: {{reason}}. Hãy tạo trước bằng lệnh: createdb NAME.",
      "option_database_tables": "{{address}} không có bảng nào của Round Table; đây có phải là --database của máy chủ không? roundtable serve tạo các bảng khi chạy lần đầu.",
      "option_database_denied": "PostgreSQL không cho người dùng này của {{address}} làm việc đó: {{reason}}; hãy ghi --database với người dùng của máy chủ.",
      "option_database_parameter": "PostgreSQL từ chối một tham số sau dấu hỏi trong {{address}}: {{reason}}; hãy sửa hoặc bỏ tham số đó.",
      "option_database_file": "Không dùng được {{path}} làm cơ sở dữ liệu: {{reason}}.",
      "option_database_newer": "{{path}} do một phiên bản Round Table mới hơn ghi (lược đồ {{found}}, phiên bản này chỉ biết {{known}}); hãy cập nhật phiên bản này.",
      "option_no_server": "Không có máy chủ nào trả lời; có máy chủ nào đang chạy với cơ sở dữ liệu này không? Không có gì thay đổi.",
      "option_network": "Một mạng có dạng 203.0.113.7 hoặc 203.0.113.0/24; {{found}} thì không.",
      "option_not_banned": "{{network}} không bị chặn; roundtable admin status cho biết mạng nào bị chặn.",
      "option_no_open_room": "Không có phòng nào đang mở với mã {{room}}; roundtable admin list cho biết các phòng đang mở.",
      "option_no_game": "{{room}} không có ván {{number}}.",
      "option_rooms_unreadable": "Bỏ qua phòng có dòng không đọc được: {{rooms}}.",
      "option_nobody": "Không phòng nào từng có người tên {{name}}.",
      "option_unfinished": "Còn chưa xong: {{rooms}}. Dùng lại lệnh đó sẽ làm tiếp từ đây.",
      "option_no_person": "Không ai trong {{room}} từng có tên {{name}}.",
      "option_database_taken": "Một máy chủ khác đang dùng {{path}}; hãy cho máy chủ này một --database riêng.",
      "option_move_nothing": "{{database}} không có phòng nào để chuyển.",
      "option_move_occupied": "{{database}} đã có phòng; hãy chuyển sang một cơ sở dữ liệu trống.",
      "option_move_in_use": "Một máy chủ đang dùng {{database}}; hãy dừng máy chủ đó trước.",
      "option_move_differs": "{{database}} sẽ có {{found}} dòng thay vì {{rows}}; chưa chuyển gì cả. Hãy thử lại.",
      "option_database_lost": "Không đọc hoặc ghi được {{database}}: {{reason}}; ổ đĩa có bị đầy không?",
      "option_port": "Cổng là một số từ 0 đến {{last}}, không phải {{found}}.",
      "option_listen": "Không mở được {{host}}, cổng {{port}}: {{reason}}; hãy thử {{choices}} khác.",
      "option_listen_workers": "Các tiến trình khác không đến được máy chủ này qua {{host}}: {{reason}}; --worker-host nhận một địa chỉ của máy này.",
      "option_origin": "Hãy viết địa chỉ trang như trình duyệt, chẳng hạn https://example.org hoặc http://example.org:8080, không phải {{found}}.",
      "option_site": "Hãy ghi tên trang không kèm https:// và cổng, chẳng hạn table.example.org, không phải {{found}}.",
      "option_proxy": "Hãy ghi proxy bằng địa chỉ, chẳng hạn 127.0.0.1 hoặc 10.0.0.0/8, không phải {{found}}.",
      "seed": "Số bí mật có đúng {{bytes}} byte.",
      "seed_lab": "Số bí mật của phòng thí nghiệm là một số từ 0 đến 2**64 - 1, không phải {{seed}}.",
      "game": "Không có trò chơi nào tên {{name}}; hãy chọn {{choices}}.",
      "game_setup": "Bàn {{name}} cần thiết lập kiểu {{expected}}.",
      "game_kernel": "Bản biên dịch của {{name}} không chơi được {{found}}.",
      "game_rulebook": "{{name}} chưa có sách luật.",
      "bot": "Không có bot nào tên {{name}}; hãy chọn {{choices}}.",
      "bot_silent": "{{name}} không biết giải thích; hãy chọn {{choices}}.",
      "bot_syntax": "Hãy viết bot theo dạng SEAT=COMMAND, không phải {{found}}.",
      "bot_seat": "Các chỗ được đánh số từ 0 đến {{last}}; không có chỗ {{found}}.",
      "bot_system": "Chương trình chỉ ngồi vào bàn được trên Linux, macOS và các hệ POSIX khác.",
      "bot_twice": "Hai bot không ngồi chung một chỗ được; mỗi chỗ chỉ ghi một lần.",
      "bot_kept": "Bot trong {{file}} là {{name}} và giữ nguyên như vậy; hãy bỏ --bots.",
      "bot_kernel": "Không có bot nào tên {{name}} trong bản biên dịch; hãy chọn {{choices}}.",
      "bot_careful_seats": "{{seats}} chỗ nhận một bot, hai bot (mỗi phe một) hoặc {{seats}} bot, không phải {{found}}.",
      "bot_sides": "Chọn bot theo phe thì trò chơi phải có hai phe; hãy ghi một bot, hoặc mỗi chỗ một bot.",
      "bot_learner": "Bot đang học ngồi ở chỗ từ 0 đến {{last}}, không phải {{found}}.",
      "bot_missing": "Mỗi chỗ {{seats}} đều cần một bot.",
      "bot_nobody_asked": "Bot đã ngồi hết các chỗ; hãy để trống ít nhất một chỗ.",
      "bot_no_role": "Không có vai nào tên {{found}}; hãy chọn {{choices}}.",
      "bot_never_dealt": "Bàn này không bao giờ chia vai đó cho chỗ {{seat}}, hoặc bot không để lại gì để chọn.",
      "option_port_taken": "Cổng {{port}} đang được dùng; hãy tắt máy chủ kia, hoặc lấy cổng khác bằng make run PORT={{free}} hoặc roundtable serve --port {{free}}.",
      "option_password_file": "Không đọc được mật khẩu từ {{file}}: {{reason}}.",
      "option_password_short": "Dòng đầu của {{file}} phải là một mật khẩu có ít nhất {{least}} ký tự.",
      "option_workers": "--workers cần cơ sở dữ liệu PostgreSQL: {{database}} chỉ dùng được cho một tiến trình.",
      "option_worker_ended": "Tiến trình {{worker}} kết thúc trước khi phục vụ được; hãy xem các thông báo ở trên.",
      "option_worker_unreached": "Tiến trình ở {{address}} dùng cơ sở dữ liệu này nhưng từ đây không đến được, nên tiến trình đó chạy trên máy khác; hãy chạy máy chủ ở máy đó với --worker-host và một địa chỉ của máy đó.",
      "option_worker_host": "Tiến trình ở {{address}} dùng cơ sở dữ liệu này từ máy khác và sẽ không đến được máy chủ này qua {{host}}; hãy thêm --worker-host với một địa chỉ của máy này.",
      "option_metrics_port_taken": "Cổng {{port}} đang được dùng; hãy chọn một --metrics-port khác.",
      "option_cards_port_taken": "Cổng {{port}} đang được dùng; hãy chọn một --port khác.",
      "option_phones_json": "--phones cho người chơi xem lá bài, còn --json in ra cho chương trình; hãy bỏ một trong hai."
    },
    "text": {
      "unreadable": "Không đọc được nội dung này.",
      "unreadable_expected": "Cần {{expected}}, nhưng lại là {{found}}.",
      "unreadable_fields": "Cần {{expected}} với đúng các trường {{fields}}, nhưng lại là {{found}}.",
      "unreadable_rules": "Cần thiết lập của {{game}} theo luật {{version}}, nhưng lại là {{found}}.",
      "unreadable_field": "{{field}} nhận {{expected}}; {{found}} thì không phải.",
      "unreadable_json": "Cần JSON, nhưng lại là {{found}}.",
      "unreadable_line": "Cần một dòng JSON, nhưng lại là {{found}}.",
      "unreadable_message": "Cần {{expected}}. {{reason}}.",
      "unreadable_nested": "Các dấu ngoặc chỉ được lồng nhau tối đa {{most}} tầng.",
      "unreadable_long": "Một tin nhắn có nhiều nhất {{most}} byte.",
      "unreadable_body": "Không đọc được phần thân của yêu cầu: {{reason}}.",
      "unreadable_entered": "Bạn đã vào rồi; hãy mở kết nối khác cho bàn khác.",
      "unreadable_first": "Máy chủ không hiểu tin nhắn đầu tiên.",
      "unreadable_frame": "Máy chủ gửi một khung không đọc được: {{reason}}.",
      "unreadable_http": "Cần HTTP từ {{address}}, nhưng lại là {{found}}.",
      "unreadable_number": "Cần sự kiện {{expected}} từ máy chủ, nhưng lại là {{found}}.",
      "unreadable_protocol": "Máy chủ dùng giao thức {{found}}, còn chương trình này dùng {{expected}}.",
      "unreadable_no_welcome": "Cần Welcome trước sự kiện đầu tiên.",
      "unreadable_misfit": "Cần một sự kiện khớp với các sự kiện trước, nhưng lại là {{found}}."
    },
    "names": {
      "empty": "Tên {{name}} không nhìn thấy được; tên cần có ít nhất một chữ nhìn thấy được.",
      "sign": "Tên {{name}} có ký tự không dùng được trong tên tệp; hãy bỏ / \\ : * ? \" < > |",
      "unprintable": "Tên {{name}} có ký tự không in được; hãy dùng chữ, số, dấu và khoảng trắng.",
      "edge": "Tên {{name}} bắt đầu hoặc kết thúc bằng dấu chấm hay khoảng trắng; hãy bỏ đi.",
      "too_long": "Tên {{name}} quá dài; nhiều nhất là {{most}} byte, mà nhiều chữ chiếm hai hoặc ba byte.",
      "reserved": "Tên {{name}} trùng với một tệp của lượt chia; hãy chọn tên khác hoặc thêm một chữ.",
      "reserved_device": "Tên {{name}} là tên một thiết bị trên Windows; hãy chọn tên khác hoặc thêm một chữ.",
      "reserved_bot": "Tên {{name}} dành cho bot; hãy chọn tên khác.",
      "alike": "Hai tên {{first}} và {{second}} trông giống nhau, hoặc là cùng một tệp trên vài máy; hãy chọn hai tên khác nhau nhiều hơn là chữ hoa, chữ giống nhau hay ký tự ẩn."
    },
    "folder": {
      "occupied": "Chưa có gì thay đổi: hãy tự dọn thư mục, hoặc chọn thư mục khác.",
      "occupied_link": "{{folder}} là một liên kết.",
      "occupied_no_folder": "{{folder}} không phải là thư mục.",
      "occupied_here": "{{folder}} là thư mục bạn đang đứng.",
      "occupied_foreign": "{{folder}} có {{file}}, không thuộc lượt chia trước.",
      "occupied_changed": "{{folder}} có {{file}}, đã bị sửa từ khi chia bài.",
      "unwritable": "Chưa chia được gì vào {{folder}}: {{reason}}.",
      "unwritable_encoding": "Chưa chia được gì vào {{folder}}: hệ thống này không ghi được một trong các tên."
    }
  }
}
'''

class Enclosed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the modules that this file encloses, before any that may be installed."""

    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            return importlib.util.spec_from_loader(name, self, is_package=name in PACKAGES)
        return None

    def get_source(self, name):
        return MODULES[name]

    def is_package(self, name):
        return name in PACKAGES

    def get_resource_reader(self, name):
        return Folder(name)


class Folder:
    """The catalogues of one package, as importlib.resources reads them."""

    def __init__(self, package):
        self.package = package

    def files(self):
        return self

    def joinpath(self, name):
        return Catalogue(self.package, name)

    def iterdir(self):
        return [Catalogue(*place) for place in CATALOGUES if place[0] == self.package]


class Catalogue:
    """A catalogue that this file encloses."""

    def __init__(self, package, name):
        self.package = package
        self.name = name

    def is_file(self):
        return (self.package, self.name) in CATALOGUES

    def read_text(self, encoding=None):
        return CATALOGUES[self.package, self.name]


sys.meta_path.insert(0, Enclosed())

if __name__ == "__main__":
    from roundtable.cli.deal import deal_thavalon

    sys.exit(deal_thavalon())
