"""Printing, also to a closed pipe, a full disk, or an encoding that lacks letters."""

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
