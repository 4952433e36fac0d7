"""Bots answer once in each phase, also when the game was left in the middle of one and is taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import ask_bots
from roundtable.core.events import PhaseBegan
from roundtable.core.play import Play
from roundtable.core.seats import Seat


def ask_bots_once(play: Play[Any, Any], bots: Mapping[Seat, Bot]) -> None:
    """Ask the bots that were not asked in this phase before; the person's turn comes after theirs."""
    began = where_phase_began(play)
    since = play.entries[began:]
    if any(entry.actor not in bots for entry in since):
        return
    chance = play.chance(f"bots/{play.phase.number}")
    if not since:
        ask_bots(play, bots, chance)
        return
    rehearsal = Play(play.game, play.entries[:began])  # the same bots, view and chance lead to the same moves
    ask_bots(rehearsal, bots, chance)
    if rehearsal.entries[began:][: len(since)] == since:
        for entry in rehearsal.entries[len(play.entries) :]:
            play.act(entry.actor, entry.action)
    else:  # other bots sat here before
        acted = {entry.actor for entry in since}
        ask_bots(play, {seat: bot for seat, bot in bots.items() if seat not in acted}, chance)


def where_phase_began(play: Play[Any, Any]) -> int:
    """How many entries there were when the current phase had just begun."""
    began = [
        place
        for place, entry in enumerate(play.entries, 1)
        if any(isinstance(event, PhaseBegan) and event.number == play.phase.number for event in entry.events)
    ]
    return began[-1]
