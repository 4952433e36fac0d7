"""`roundtable score`: who won how often, from the records of games."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roundtable.cli.arguments import add_lang
from roundtable.cli.letters import escape_missing_letters
from roundtable.cli.printing import json_line
from roundtable.cli.verify import NOT_VERIFIED, tell_broken
from roundtable.core.catalogue import catalogue
from roundtable.core.errors import BadRecord
from roundtable.core.languages import language_named
from roundtable.core.names import printable

if TYPE_CHECKING:
    from roundtable.storage.records import Record


@dataclass
class Score:
    """Games with a winner, and the others; wins by side and by name."""

    games: int = 0
    without_winner: int = 0
    unfinished: int = 0
    wins: Counter[tuple[str, str]] = field(default_factory=Counter)  # by game and side
    played_by: Counter[str] = field(default_factory=Counter)  # games with a winner
    won_by: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)  # commitments: a copy of a record does not count again

    def add(self, record: Record, state: Any) -> None:
        """Count a record and the state that it leads to."""
        if state.commitment in self.seen:
            return
        self.seen.add(state.commitment)
        if state.outcome is None:
            self.unfinished += 1
        elif state.outcome.winner is None:
            self.without_winner += 1
        else:
            self.games += 1
            self.wins[record.game, state.outcome.winner] += 1
            self.played_by.update(record.names)
            self.won_by.update(record.names[seat] for seat in state.outcome.seats if record.names)

    def people(self) -> list[str]:
        """Those with the most wins first, and of these those with the fewest games."""
        return sorted(self.played_by, key=lambda name: (-self.won_by[name], self.played_by[name], name))

    def lines(self, lang: str) -> Iterable[str]:
        from roundtable.games import spec_named
        from roundtable.text.names import names_for
        from roundtable.text.teller import teller_of

        words = catalogue(lang)
        yield words.text("room.score.games", count=self.games) + "."
        if self.without_winner:
            yield words.text("score.without_winner", count=self.without_winner)
        if self.unfinished:
            yield words.text("score.unfinished", count=self.unfinished)
        for (game, side), wins in sorted(self.wins.items()):
            teller = teller_of(spec_named(game), names_for(0), lang)
            said = words.text("room.score.side", side=teller.word(side), wins=wins)
            yield f"  {teller.game_name}, {said}"
        for name in self.people():
            said = words.text("room.score.person", wins=self.won_by[name], games=self.played_by[name])
            yield f"  {printable(name)}: {said}"

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "without_winner": self.without_winner,
            "unfinished": self.unfinished,
            "sides": [{"game": game, "side": side, "wins": wins} for (game, side), wins in sorted(self.wins.items())],
            "people": [
                {"name": name, "games": self.played_by[name], "wins": self.won_by[name]} for name in self.people()
            ],
        }


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "score",
        help="count who won how often, by side and by person, from records",
        description="Play records again and count who won how often, by side and by person; also games that were dealt "
        "here and played face to face. Exit code 1 where a record does not hold; it is not counted.",
    )
    command.add_argument(
        "paths", metavar="PATH", type=Path, nargs="+", help="a record, or a folder of records (*.jsonl)"
    )
    add_lang(command)
    command.add_argument("--json", action="store_true", help="print one object")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.storage.records import read_lines, replay_record

    escape_missing_letters()
    lang = language_named(arguments.lang)
    score, is_sound = Score(), True
    for path in files_at(arguments.paths):
        try:
            record = read_lines(path)
            score.add(record, replay_record(record).state)
        except BadRecord as wrong:
            is_sound = False
            tell_broken(path, wrong, lang)
    if arguments.json:
        print(json_line(score.as_json()))
    else:
        print("\n".join(score.lines(lang)))
    return 0 if is_sound else NOT_VERIFIED


def files_at(paths: Sequence[Path]) -> Iterable[Path]:
    for path in paths:
        yield from sorted(path.glob("*.jsonl")) if path.is_dir() else (path,)
