"""Deal a game to people by name, each card into a file that has the player's name."""

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
