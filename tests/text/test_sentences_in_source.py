"""No sentence that people read is in the source: commands print what the catalogues say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from text.test_catalogue_keys import HOME, SOURCES

# Where every text is printed, or written into a file, for people. Elsewhere only what is printed at once is looked at.
FOR_PEOPLE = ("cli", "dealer", "terminal", "referee", "text", "lab/balance", "lab/figures.py", "server/run.py")
# Texts of these modules are for programs: scripts for a shell, complaints of argparse, the mark of our own folders, the
# headers and the style of a page.
FOR_PROGRAMS = {"cli/completion.py", "cli/typed.py", "dealer/files.py", "dealer/phones.py"}
PRINTING = {"print", "write", "write_text", "writelines", "exit", "aside", "say", "show"}
HELP = {"help", "description", "epilog", "such_as"}  # of a command: its reference, in English
LOGGING = {"debug", "info", "warning", "error", "exception", "basicConfig", "Formatter"}  # for the operator of a server
MOST_WORDS = 2

MARKUP = re.compile(r"<[^>]*>|[\w-]+=\"[^\"]*\"?")
WORD = re.compile(r"(?<![\w/.=-])[A-Za-z][a-z']+(?![\w/=-])")


def sentences_in(source: str, is_for_people: bool) -> Iterator[str]:
    """Texts of more than two words that are printed, or in a module for people any."""
    return _found(ast.parse(source), is_for_people)


def _found(node: ast.AST, is_read: bool) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            if is_read and is_sentence(text):
                yield text
            return
        case ast.JoinedStr(values=values):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in values)
            if is_read and is_sentence(text):
                yield text
        case ast.Raise() | ast.Expr(value=ast.Constant()):  # errors have codes; docstrings are for programmers
            return
        case ast.Call() if _name(node.func) in LOGGING:
            return
        case ast.keyword(arg=name) if name in HELP:
            return
        case ast.Call() if _name(node.func) in PRINTING:
            is_read = True
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _found(child, is_read)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def is_sentence(text: str) -> bool:
    return len(WORD.findall(MARKUP.sub("", text))) > MOST_WORDS


def is_for_people(path: Path) -> bool:
    name = path.relative_to(HOME).as_posix()
    return name.startswith(FOR_PEOPLE) and name not in FOR_PROGRAMS


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(HOME).as_posix())
def test_what_people_read_is_in_the_catalogues(path: Path) -> None:
    assert list(sentences_in(path.read_text(encoding="utf-8"), is_for_people(path))) == []


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ("print('The game is over.')", True),
        ("sys.stderr.write(f'stopped after {done} of {total} games')", True),
        ("aside('roundtable: ' + f'{path} has it all')", True),
        ("yield f'<h1>How fair is {game}?</h1>'", True),
        ("LEFT = {None: 'would not end'}", True),
        ("print(words.text('study.stopped', done=done))", False),
        ("yield f'<td class=\"number\">{seats}<td>{label}<td>{kind}'", False),
        ("command.add_argument('--seats', help='how many players sit at the table')", False),
        ("logger.warning('a bot could not think')", False),
        ("def leave():\n    '''Show every program out.'''", False),
    ],
)
def test_a_sentence_is_found(code: str, is_found: bool) -> None:
    assert bool(list(sentences_in(code, is_for_people=True))) == is_found


def test_elsewhere_only_what_is_printed_is_looked_at() -> None:
    assert list(sentences_in("LEFT = 'would not end'\nprint('The game is over.')", False)) == ["The game is over."]
