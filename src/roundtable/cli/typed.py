"""What was typed at a command; whatever cannot be read gets one sentence: what was wrong, and what would be right."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from roundtable.core.errors import shown

USAGE_ERROR = 2
LONGEST_PART = 160

# What argparse complains about, and how we say it.
SENTENCES = (
    (r"the following arguments are required: (?P<what>.+)", "It also needs {what}; {prog} --help says more."),
    (r"unrecognized arguments: (?P<what>.+)", "It does not know {what}; {prog} --help lists what it takes."),
    (r"argument (?P<what>\S+): invalid int value: (?P<typed>.+)", "{what} takes a whole number, and {typed} is none."),
    (r"argument (?P<what>\S+): invalid float value: (?P<typed>.+)", "{what} takes a number, and {typed} is none."),
    (
        r"argument (?P<what>\S+): invalid choice: (?P<typed>.+) \(choose from (?P<known>.+)\)",
        "{what} is one of {known}; {typed} is none of them.",
    ),
    (r"argument (?P<what>\S+): expected one argument", "{what} is followed by a value, and there is none."),
    (
        r"argument (?P<what>\S+): ignored explicit argument (?P<typed>.+)",
        "{what} stands alone; leave out {typed} behind it.",
    ),
    (r"ambiguous option: (?P<what>.+) could match (?P<known>.+)", "{what} could be one of {known}; write it out."),
)


class Parser(argparse.ArgumentParser):
    """Reads a command. What is not known to it is refused by it, and not by the command around it."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {sentence_for(self.prog, ' '.join(message.split()))}\n")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        typed = list(sys.argv[1:] if args is None else args)
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


def sentence_for(prog: str, complaint: str) -> str:
    for pattern, sentence in SENTENCES:
        if found := re.fullmatch(pattern, complaint):
            parts = {name: shortened(part) for name, part in found.groupdict().items()}
            return sentence.format(prog=prog, **parts)
    return f"{complaint[:1].upper()}{complaint[1:]}; {prog} --help lists what it takes."


def shortened(part: str) -> str:
    return part if len(part) <= LONGEST_PART else part[:LONGEST_PART] + "…"
