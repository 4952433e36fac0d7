"""Writes what the web app takes from the rules: the tables of each game's deal, and which fields hold seats or nothing.

`web/tools/tables.js` runs this before every build, check and test of the web app, with the standard library alone.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
GENERATED = ROOT / "web" / "src" / "games" / "generated"
sys.path.insert(0, str(SOURCE))

from roundtable.core.actions import COMMON_ACTIONS  # noqa: E402
from roundtable.core.events import COMMON_EVENTS  # noqa: E402
from roundtable.core.kinds import fields_that_may_be_none  # noqa: E402
from roundtable.games.registry import BUILT_IN, game_named  # noqa: E402
from roundtable.text.fields import is_list, member_type, names_seat, shown_fields  # noqa: E402


def deal_tables() -> dict[str, object]:
    """By game, and by what games share."""
    modules = sorted((SOURCE / "roundtable" / "games").glob("*/deal_tables.py"))
    names = [module.parent.name for module in modules]
    return {name: import_module(f"roundtable.games.{name}.deal_tables").tables() for name in names}


def seat_fields() -> list[str]:
    """The fields of events and moves of the built-in games that hold a seat or several."""
    games = [game_named(name) for name in BUILT_IN]
    kinds = [kind for game in games for kind in (*COMMON_EVENTS, *COMMON_ACTIONS, *game.events, *game.actions)]
    fields = [field for kind in kinds for field in shown_fields(kind).items()]
    return sorted({name for name, hint in fields if names_seat(member_type(hint) if is_list(hint) else hint)})


def null_parts() -> dict[str, dict[str, None]]:
    """By event, the parts that a server leaves out where they are null."""
    kinds = (*COMMON_EVENTS, *(kind for name in BUILT_IN for kind in game_named(name).events))
    found = {kind.__name__: dict.fromkeys(fields_that_may_be_none(kind)) for kind in kinds}
    return {name: parts for name, parts in sorted(found.items()) if parts}


def write(name: str, value: object) -> None:
    """An unchanged file keeps its time, so that nothing is built again for it."""
    path, text = GENERATED / f"{name}.json", json.dumps(value) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main() -> None:
    GENERATED.mkdir(parents=True, exist_ok=True)
    for name, tables in {**deal_tables(), "seat_fields": seat_fields(), "null_parts": null_parts()}.items():
        write(name, tables)


if __name__ == "__main__":
    main()
