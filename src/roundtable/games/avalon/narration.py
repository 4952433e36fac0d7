"""Avalon's night: who closes and opens their eyes and whose thumb goes up, for just the roles in the deal; or, where
phones show whom a player knows, only what is said before the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from roundtable.core.catalogue import role_key
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import SIDE_OF, Role, Side
from roundtable.games.quests.tables import SIDES_BY_COUNT
from roundtable.text.script import Listed, Night, ScriptLine, Sentence, in_the_dark, look, note, say, word

Roles = frozenset[Role]

# Seconds to wait after each kind of cue, whatever the deal.
SETTLE, LOOK, MOVE = 5, 8, 3


def script(setup: AvalonSetup, night: Night) -> Iterator[ScriptLine]:
    """Every cue in order; all eyes are open before the first one and after the last (A26)."""
    yield from before_the_night(setup, night)
    if night == "eyes":
        yield from in_the_dark(with_closed_eyes(frozenset(setup.all_roles)))
        yield say("night", "all_open")


def with_closed_eyes(dealt: Roles) -> Iterator[ScriptLine]:
    yield say("night", "all_close", pause=SETTLE)
    yield from evil_meets(dealt)
    if Role.MERLIN in dealt:
        yield from merlin_looks(dealt)
    if Role.PERCIVAL in dealt and seen_by_percival(dealt):
        yield from percival_looks(dealt)


# Before the night


def before_the_night(setup: AvalonSetup, night: Night) -> Iterator[ScriptLine]:
    yield roles_in_the_deal(setup)
    if not setup.merlin:
        yield say("table", "no_shot")
    if setup.has_duty and night == "eyes":
        yield note("table", "draw_duty", *never_oberon(setup))
    yield look(night)
    if setup.has_duty:
        yield say("table", "duty", context=on_phones(night))
    yield say("table", "leader", context=on_phones(night))
    if setup.lady:
        yield say("table", "lady")  # A23
        if setup.lady_may_pass:
            yield say("table", "lady_may_pass")
    if setup.identity_claims == "forbidden":
        yield say("table", "no_claims", context=on_phones(night))  # A10


def on_phones(night: Night) -> str:
    return night if night == "phones" else ""


def roles_in_the_deal(setup: AvalonSetup) -> ScriptLine:
    """A10: everyone knows which cards were dealt, and how many of each."""
    good, evil = SIDES_BY_COUNT[setup.seats]
    good_cards, evil_cards = (cards_of(setup, side) for side in Side)
    return say("table", "roles", seats=setup.seats, good=good, evil=evil, good_cards=good_cards, evil_cards=evil_cards)


def cards_of(setup: AvalonSetup, side: Side) -> Listed:
    counted = Counter(role for role in setup.all_roles if SIDE_OF[role] is side)
    return Listed(tuple(card_named(role, count) for role, count in counted.items()))


def card_named(role: Role, count: int) -> Sentence:
    """Servants and Minions are counted; there is one of every other role."""
    if role in (Role.SERVANT, Role.MINION):
        return Sentence(role_key(role, "count"), count=count)
    return word(role)


def never_oberon(setup: AvalonSetup) -> Iterator[Sentence]:
    """A4: the duty never falls to Oberon."""
    if Role.OBERON in setup.all_roles:
        yield Sentence("narration.table.not_oberon")


# The night


def evil_meets(dealt: Roles) -> Iterator[ScriptLine]:
    """A6, A7: Oberon keeps his eyes shut."""
    but = "oberon" if Role.OBERON in dealt else ""
    yield say("night", "evil_opens", context=but, pause=LOOK)
    yield say("night", "evil_closes", context=but, pause=MOVE)


def merlin_looks(dealt: Roles) -> Iterator[ScriptLine]:
    """A7, A8: Oberon shows himself to Merlin, Mordred does not. Thumbs go up while every eye is shut."""
    named = "_".join(role.lower() for role in (Role.MORDRED, Role.OBERON) if role in dealt)
    yield say("night", "evil_shows", context=named, pause=MOVE)
    yield say("night", "merlin_opens", pause=LOOK)
    yield say("night", "evil_hides", pause=MOVE)
    yield say("night", "merlin_closes", pause=MOVE)


def percival_looks(dealt: Roles) -> Iterator[ScriptLine]:
    """A9, A27: Merlin and Morgana, or the one of them that is in the deal."""
    seen = seen_by_percival(dealt)
    shown = Listed(tuple(word(role) for role in seen))
    yield say("night", "percivals_show", shown=shown, pause=MOVE)
    yield say("night", "percival_opens", context="both" if len(seen) == 2 else "", shown=shown, pause=LOOK)
    yield say("night", "percivals_hide", shown=shown, pause=MOVE)
    yield say("night", "percival_closes", pause=MOVE)


def seen_by_percival(dealt: Roles) -> tuple[Role, ...]:
    return tuple(role for role in (Role.MERLIN, Role.MORGANA) if role in dealt)
