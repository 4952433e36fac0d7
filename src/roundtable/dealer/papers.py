"""The files of a deal: a card for each player, how the game begins, who is who, and the seed (T25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from roundtable.core.codec import agreed_bytes
from roundtable.core.events import SeedSealed
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.core.spec import GameSpec
from roundtable.dealer.names import SEED_PAPER, SPOILER, START
from roundtable.dealer.sizes import padded
from roundtable.text.cards import Cards, cards_of
from roundtable.text.names import counted

Papers = dict[str, bytes]


def papers_of(spec: GameSpec, play: Play[Any, Any], names: Sequence[str], lang: str = "en") -> Papers:
    """The files of a dealt game by their names: cards in seat order, then `start`, `DoNotOpen` and the seed.

    All cards are equally large, and their size and that of the others are the same whatever was dealt.
    """
    cards = cards_of(spec, play.state.setup, names, lang)
    size = cards.size()
    texts = [cards.card(seat, play.view(seat), play.events_for(seat)) for seat in range(len(names))]
    return {
        **{name: padded(text, size) for name, text in zip(names, texts, strict=True)},
        START: cards.start(play.events_for(SPECTATOR)).encode(),
        SPOILER: spoiler(play, cards, size),
        SEED_PAPER: seed_paper(play, cards).encode(),
    }


def spoiler(play: Play[Any, Any], cards: Cards, size: int) -> bytes:
    """Every player's side and role, as large as if all had the role with the longest name.

    In a game without roles it is what each of them was told.
    """
    seats = range(len(cards.names))
    dealt = [cards.role(seat, play.view(seat)) for seat in seats]
    if not all(dealt):
        known = [" ".join(cards.knowledge(seat, play.events_for(seat))) for seat in seats]
        return padded(who_is_who(cards, pairs(cards.names, known)), size * (len(seats) + 1))
    longest = max(cards.side_of, key=lambda role: len(cards.word(role).encode()))
    fullest = who_is_who(cards, teams(cards, [longest] * len(seats)))
    return padded(who_is_who(cards, teams(cards, dealt)), len(fullest.encode()))


def who_is_who(cards: Cards, lines: Iterable[str]) -> str:
    return "\n".join((cards.text("dealer.who_is_who"), *lines)) + "\n"


def teams(cards: Cards, roles: Sequence[str]) -> Iterator[str]:
    """The players of each side with their roles, the larger side first."""
    for casting in sorted(cards.setup.casting(), key=lambda casting: casting.seats, reverse=True):
        team = [seat for seat, role in enumerate(roles) if cards.side_of[role] == casting.side]
        yield from ("", cards.team_heading(casting.side))
        yield from pairs([cards.names[seat] for seat in team], [cards.word(roles[seat]) for seat in team])


def pairs(names: Iterable[str], secrets: Iterable[str]) -> Iterator[str]:
    return (f"{name} -> {secret}" for name, secret in zip(names, secrets, strict=True))


def seed_paper(play: Play[Any, Any], cards: Cards) -> str:
    """The seed from which the whole deal follows, and how to check that it does (C1)."""
    (seed,) = (event.seed for event in play.events if isinstance(event, SeedSealed))
    agreed = agreed_bytes(play.state.setup).decode()
    return cards.text("dealer.seed_paper", seed=seed, commitment=play.state.commitment, agreed=agreed)


def roles_in_the_deal(cards: Cards) -> str:
    """The roles in the deal, which are public (A10, S4); nothing where they are drawn from a pool (T13)."""
    casting = cards.setup.casting()
    if not casting or any(len(side.roles) > side.seats for side in casting):
        return ""
    roles = counted(map(cards.word, cards.setup.possible_roles), cards.catalogue)
    return cards.text("dealer.in_the_deal", roles=roles)
