"""Deal a game to people by name, each card into a file that bears the player's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from roundtable.core.errors import Problem, SetupError
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.dealer.files import lay_out
from roundtable.dealer.languages import words_in
from roundtable.dealer.names import SPOILER, START, require_names
from roundtable.dealer.papers import papers_of, roles_in_the_deal
from roundtable.dealer.words import Words
from roundtable.games import game_named


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """What everybody may know of a deal."""

    folder: Path
    names: tuple[str, ...]  # in seat order; each is the name of that player's file
    commitment: str  # to the seed (C1)
    roles: str  # a sentence on the roles in the deal, where those are public


def deal_to(folder: Path, setup: Setup, names: Sequence[str], seed: bytes, lang: str = "en") -> Dealt:
    """Deal from the seed to these people, in the order in which they sit, and write the files; or change nothing."""
    words = words_in(lang)
    require_names(names)
    if len(names) != setup.seats:
        raise SetupError(
            [Problem("setup/seats", f"The table has {setup.seats} seats, and there are {len(names)} names.")]
        )
    play = Play.open(game_named(setup.game), setup, seed)
    play.deal()
    place = lay_out(folder, papers_of(play, names, words))
    return Dealt(
        folder=place,
        names=tuple(names),
        commitment=play.view(SPECTATOR).commitment,
        roles=roles_in_the_deal(setup, words),
    )


def report_of(dealt: Dealt, folder: Path, words: Words) -> str:
    """What is read out when the cards are dealt; the folder is called what its owner called it."""
    lines = (
        words.cards_lie.format(count=len(dealt.names), folder=folder),
        dealt.roles,
        words.then_begin.format(start=folder / START, spoiler=folder / SPOILER),
        words.write_down.format(commitment=dealt.commitment),
    )
    return "\n".join(line for line in lines if line)
