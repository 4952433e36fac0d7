"""Moves and secrets in the words a player uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from roundtable.core.actions import Move
from roundtable.core.options import name_of
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import SIDE_OF
from roundtable.games.quests.state import QuestState
from roundtable.games.saviom.actions import Judge
from roundtable.games.saviom.state import SaviomState
from roundtable.story import Names

NOTICES = {
    "colgrevance_is_hidden": "There is a Colgrevance among you whom you do not see.",
    "titania_is_among_them": "One of those you see is Titania, who is not Evil.",
}


def phrase(move: Move, names: Names) -> str:
    """A move as a line of a menu."""
    match move:
        case CastVote(approve=approve):
            return "approve" if approve else "reject"
        case PlayCard(card=card):
            return f"play {card}"
        case ProposeTeam(team=team, quest=quest, excalibur=bearer):
            aim = "" if quest is None else f" for quest {quest}"
            sword = "" if bearer is None else f", with Excalibur for {names[bearer]}"
            return f"propose {names.list(team)}{aim}{sword}"
        case Judge(eliminate=eliminate):
            return "eliminate" if eliminate else "save"
    seats = seats_in(move)
    return " ".join([name_of(type(move)).replace("_", " "), names.list(seats) if seats else ""]).strip()


def seats_in(move: Move) -> list[Seat]:
    """Whom a move names."""
    seats: list[Seat] = []
    for part in fields(move):
        chosen = getattr(move, part.name)
        if part.name != "phase" and chosen is not None:
            seats += sorted(chosen) if isinstance(chosen, frozenset) else [chosen]
    return seats


def secrets_of(view: Any, seat: int, names: Names) -> str:
    """Your role, and what it knows."""
    if isinstance(view, QuestState):
        return "\n".join(_quest_secrets(view, seat, names))
    return "\n".join(_town_secrets(view, seat, names))


def _quest_secrets(view: QuestState, seat: int, names: Names) -> Iterator[str]:
    card = view.dealt[seat]
    yield f"You are {card.role} [{SIDE_OF[card.role]}]."
    for glimpse in card.sees:
        yield f"You see as {glimpse.seen_as}: {names.list(glimpse.seats)}."
    if card.roles_in_game:
        yield f"Also in the game: {', '.join(card.roles_in_game)}."
    yield from (NOTICES[notice] for notice in card.notices)
    if card.is_assassin:
        yield "You are the Assassin."
    for holder, target, side in getattr(view, "loyalties", ()):
        if holder == seat:
            yield f"The Lady showed you that {names[target]} is {side}."
    for quest, target, laid in getattr(view, "excalibur_shown", ()):
        yield f"Excalibur showed you that {names[target]} had laid {laid} on quest {quest}."


def _town_secrets(view: SaviomState, seat: int, names: Names) -> Iterator[str]:
    yield f"You are a {view.roles[seat]}."
    if seat in view.pack:
        yield f"The Wolves are {names.list(view.pack)}."
    for _, target, is_wolf in view.visions:
        yield f"{names[target]} is {'a' if is_wolf else 'no'} Wolf."
