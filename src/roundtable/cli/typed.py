"""What was typed at a command; whatever cannot be read gets one sentence: what was wrong, and what would be right."""

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
