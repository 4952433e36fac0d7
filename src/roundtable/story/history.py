"""How a game has gone so far, for somebody who wants to look back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from roundtable.core.events import Event, PhaseBegan
from roundtable.games.quests.state import QuestState
from roundtable.games.saviom import events as saviom
from roundtable.games.saviom.state import SaviomState
from roundtable.story import Names
from roundtable.story.quests import cards
from roundtable.story.saviom import tell_saviom


def history(view: Any, heard: Iterable[Event], names: Names) -> str:
    """Every vote by name and every quest; or every day with its accusations and verdict, and every death."""
    if isinstance(view, QuestState):
        return "\n".join(quest_history(view, names))
    return "\n".join(town_history(view, heard, names))


def quest_history(view: QuestState, names: Names) -> Iterator[str]:
    width = max(map(len, ("quest", *names)))
    for seat, name in enumerate(names):
        votes = "".join(" + " if poll.ballots[seat] else " - " for poll in view.polls)
        yield f"{name:>{width}} {votes}"
    yield f"{'quest':>{width}} " + "".join(f" {poll.proposal.quest} " for poll in view.polls)
    for result in view.results:
        word = "succeeded" if result.succeeded else "failed"
        yield f"Quest {result.quest} {word} with {names.list(result.team)}: {cards(result)}."


def town_history(view: SaviomState, heard: Iterable[Event], names: Names) -> Iterator[str]:
    """Day by day: who pointed at whom when the time was up, how the trial went, and whom the night took (S6, S7)."""
    accusations: dict[int, int] = {}
    days = nights = 0
    for event in heard:
        match event:
            case PhaseBegan(name="day"):
                days += 1
                yield f"Day {days}"
            case PhaseBegan(name="night"):
                nights += 1
                yield f"Night {nights}"
            case saviom.AccusationMade():
                accusations[event.seat] = event.target
            case saviom.AccusationWithdrawn():
                accusations.pop(event.seat, None)
            case saviom.PlayerDied():
                accusations = {seat: at for seat, at in accusations.items() if event.seat not in (seat, at)}
            case saviom.PutOnTrial() | saviom.DayEnded():
                yield from pointed(accusations, names)
                accusations = {}
        if isinstance(event, LOOKED_BACK_ON) and (sentence := tell_saviom(event, names)):
            yield f"  {sentence.strip()}"
    yield from pointed(accusations, names)
    yield f"Alive: {names.list(view.alive)}."
    yield f"Dead: {names.list(frozenset(range(len(names))) - view.alive)}."


LOOKED_BACK_ON = (saviom.PutOnTrial, saviom.VerdictsCounted, saviom.NightEnded, saviom.PlayerDied, saviom.FateRevealed)


def pointed(accusations: dict[int, int], names: Names) -> Iterator[str]:
    yield from (f"  {names[seat]} accuses {names[target]}." for seat, target in sorted(accusations.items()))
