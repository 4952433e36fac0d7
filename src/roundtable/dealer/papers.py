"""All that is laid out after a deal: a card for each player, who begins, and who is who (T25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from roundtable.core.codec import agreed_bytes
from roundtable.core.events import PhaseBegan, SeedSealed
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.setup import Setup
from roundtable.dealer.cards import Names, card_for
from roundtable.dealer.names import SEED_PAPER, SPOILER, START
from roundtable.dealer.sizes import card_size, padded, possible_roles
from roundtable.dealer.words import Words
from roundtable.games.avalon.events import LadyGiven
from roundtable.games.quests.events import LeaderNamed
from roundtable.games.quests.roles import SIDE_OF
from roundtable.games.saviom.setup import SaviomSetup, side_of
from roundtable.games.thavalon.setup import ThavalonSetup

Papers = dict[str, bytes]


def papers_of(play: Play[Any, Any], names: Names, words: Words) -> Papers:
    """The files of a dealt game by their names: cards in seat order, then `start`, `DoNotOpen` and the seed.

    All cards are equally large, and their size and that of the others are the same whatever was dealt.
    """
    size = card_size(play.state.setup, names, words)
    cards = {name: padded(card_for(play, seat, names, words), size) for seat, name in enumerate(names)}
    return {
        **cards,
        START: start(play, names, words).encode(),
        SPOILER: spoiler(play, names, words),
        SEED_PAPER: seed_paper(play, words).encode(),
    }


def start(play: Play[Any, Any], names: Names, words: Words) -> str:
    """One sentence on how the game begins, from what a spectator has heard."""
    leader: Seat | None = None
    lady: Seat | None = None
    for line in play.heard(SPECTATOR):
        match line.event:
            case LadyGiven(seat=seat):
                lady = seat
            case LeaderNamed(seat=seat):
                leader = seat
            case PhaseBegan(name="day" | "night" as phase):
                return words.begins_with[phase]
    if leader is None:
        raise ValueError("The game has not begun.")
    if lady is None:
        return words.leads.format(leader=names[leader])
    return words.leads_with_lady.format(leader=names[leader], lady=names[lady])


def spoiler(play: Play[Any, Any], names: Names, words: Words) -> bytes:
    """Everybody's side and role, as large as if everybody had the role with the longest name."""
    setup = play.state.setup
    longest = max(possible_roles(setup), key=lambda role: len(words.roles[role].encode()))
    size = len(who_is_who(setup, names, [longest] * len(names), words).encode())
    dealt = [play.view(seat).roles[seat] for seat in range(setup.seats)]
    return padded(who_is_who(setup, names, dealt, words), size)


def who_is_who(setup: Setup, names: Names, roles: Sequence[str], words: Words) -> str:
    side_by_role: Any = side_of if isinstance(setup, SaviomSetup) else SIDE_OF.__getitem__
    played = {side_by_role(role) for role in possible_roles(setup)}
    lines = [words.spoiler]
    for side, heading in words.teams.items():
        if side in played:
            team = [seat for seat, role in enumerate(roles) if side_by_role(role) == side]
            lines += ["", heading, *(f"{names[seat]} -> {words.roles[roles[seat]]}" for seat in team)]
    return "\n".join(lines) + "\n"


def seed_paper(play: Play[Any, Any], words: Words) -> str:
    """What the whole deal follows from, and how to check that it does (C1)."""
    (seed,) = (event.seed for event in play.events if isinstance(event, SeedSealed))
    agreed = agreed_bytes(play.state.setup).decode()
    return words.seed_paper.format(seed=seed, commitment=play.state.commitment, agreed=agreed)


def roles_in_the_deal(setup: Setup, words: Words) -> str:
    """What everybody may know of the roles (A10, S4); of THavalon's nothing (T13)."""
    if isinstance(setup, ThavalonSetup):
        return ""
    counted = Counter(words.roles[role] for role in possible_roles(setup))
    roles = ", ".join(role if count == 1 else f"{role} ({count})" for role, count in counted.items())
    return words.in_the_deal.format(roles=roles)
