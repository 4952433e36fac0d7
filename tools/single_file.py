"""Builds thavalon.py at the top of the repository: the dealer as one file that needs nothing beside it (T25).

The file holds the sources of just those modules that a deal imports and the sentences that it can say, as plain text,
and a few lines that import them from there. A test keeps the committed file equal to what this builds.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"

# Deals into a temporary folder, and prints which of our modules that took. The package of commands is emptied, so that
# the other commands stay out.
BARE = "roundtable.cli"
ASK = """
import sys, tempfile, types
sys.path.insert(0, sys.argv[1])
import roundtable
sys.modules["roundtable.cli"] = types.ModuleType("roundtable.cli")
sys.modules["roundtable.cli"].__path__ = [roundtable.__path__[0] + "/cli"]
from roundtable.cli.deal import deal_thavalon
from roundtable.core.catalogue import languages
with tempfile.TemporaryDirectory() as folder:
    for lang in languages():
        assert deal_thavalon([*"ABCDE", "--out", folder + "/game", "--lang", lang]) == 0
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "roundtable"))
"""

# The parts of a catalogue that a deal can say; the others would only make the file change more often.
SECTIONS = ("language", "list", "game", "word", "role", "card", "notice", "command", "dealer", "refusal")
REFUSALS = ("setup", "names", "folder", "text")

HEAD = '''\
#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Deals secret roles for a game of THavalon to 5 to 10 people around a table.

    python3 thavalon.py Alice Bob Charlie Dave Eve

Name the players in the order in which they sit. This creates a folder `game` with a file for each player, which
contains their role and what they know; `start`, with the player who proposes first; and `DoNotOpen`, with everyone's
role, for after the game. All players open their own file, alone, and close it again.

    python3 thavalon.py An Bình Châu Dũng Hà --lang vi    cards and messages in Vietnamese
    python3 thavalon.py --help                            the other options

This file needs Python 3.11 or newer and nothing else. It is generated: `make dist` of Round Table {version} builds it
with tools/single_file.py. MODULES holds modules of the package `roundtable`, word for word, and CATALOGUES the
sentences that they can say. Change those in the project, not here.
"""

{licence}

import sys

if sys.version_info < (3, 11):
    sys.exit("thavalon.py needs Python 3.11 or newer, and this is Python %d.%d." % sys.version_info[:2])

import importlib.abc
import importlib.util

MODULES = {{}}
CATALOGUES = {{}}
PACKAGES = {{
{packages}}}

'''

FOOT = '''\
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
'''


def modules_of_a_deal() -> list[str]:
    ask = [sys.executable, "-I", "-c", ASK, str(SOURCES)]
    answer = subprocess.run(ask, check=True, capture_output=True, encoding="utf-8")
    return answer.stdout.splitlines()[-1].split()


def source_of(module: str) -> tuple[Path, bool]:
    """The path of a module's source, and whether it is a package."""
    path = SOURCES.joinpath(*module.split("."))
    package = path / "__init__.py"
    return (package, True) if package.exists() else (path.with_suffix(".py"), False)


def text_of(module: str) -> str:
    return '"""The command of this file."""\n' if module == BARE else source_of(module)[0].read_text(encoding="utf-8")


def catalogues_of(module: str) -> list[Path]:
    """The catalogues in a package, where it has any."""
    source, is_package = source_of(module)
    return sorted(source.parent.glob("*.json")) if is_package else []


def sentences_of(catalogue: Path) -> str:
    """The sentences of a catalogue that a deal can say, as JSON."""
    said = json.loads(catalogue.read_text(encoding="utf-8"))
    kept = {section: part for section, part in said.items() if section in SECTIONS}
    if "refusal" in kept:
        kept["refusal"] = {family: part for family, part in kept["refusal"].items() if family in REFUSALS}
    return json.dumps(kept, ensure_ascii=False, indent=2) + "\n"


def quoted(text: str) -> str:
    """A text as a Python literal, raw and so readable wherever that is possible."""
    plain = f"r'''{text}'''"
    return plain if "'''" not in text and ast.literal_eval(plain) == text else repr(text)


def single_file() -> str:
    modules = modules_of_a_deal()
    packages = "".join(f'    "{module}",\n' for module in modules if source_of(module)[1])
    version = next(
        line.partition('"')[2].rstrip('"')
        for line in text_of("roundtable").splitlines()
        if line.startswith("__version__")
    )
    licence = "\n".join(
        f"# {line}".rstrip() for line in (ROOT / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    )
    texts = [f'MODULES["{module}"] = {quoted(text_of(module))}\n' for module in modules]
    texts += [
        f'CATALOGUES["{module}", "{file.name}"] = {quoted(sentences_of(file))}\n'
        for module in modules
        for file in catalogues_of(module)
    ]
    return "\n".join([HEAD.format(version=version, licence=licence, packages=packages), *texts, FOOT])


def main() -> None:
    built = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "thavalon.py"
    built.write_text(single_file(), encoding="utf-8", newline="\n")
    built.chmod(0o755)
    print(f"{built} is ready: one file, {built.stat().st_size // 1024} KiB, and nothing beside it.")


if __name__ == "__main__":
    main()
