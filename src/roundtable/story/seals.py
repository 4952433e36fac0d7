"""What was hidden in a game, told when the seals are broken: who was who, who laid what, what the nights held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from roundtable.core.events import Event, GameEnded, PhaseBegan, SeedSealed
from roundtable.core.game import unseal
from roundtable.games.avalon import events as avalon
from roundtable.games.quests import events as quests
from roundtable.games.saviom import events as saviom
from roundtable.games.thavalon import events as thavalon
from roundtable.story.quests import role, tell_avalon
from roundtable.story.saviom import tell_night, tell_saviom
from roundtable.story.words import Names


def tell_secrets(game: str, heard: Iterable[Event], names: Names) -> str:
    """Everything that was private, from what any one listener heard of a finished game (A18, A22, S14)."""
    facts = unseal(heard)
    seeds = (f"Seed of the deal: {fact.seed}" for fact in facts if isinstance(fact, SeedSealed))
    return "\n".join(["", "The seals are broken.", *LOOK_BACK[game](facts, names), *seeds])


def look_back_on_quests(facts: Iterable[Event], names: Names) -> Iterator[str]:
    """Roles and cards. Votes were public when they were counted, so only those that never were are told (T16)."""
    quest = 0
    votes: dict[int, str] = {}
    cards: dict[int, str] = {}
    for fact in facts:
        match fact:
            case quests.RoleDealt():
                yield role(fact, names)
            case quests.TeamProposed() | thavalon.TeamSent():
                quest = fact.quest
            case quests.BallotMarked():
                votes[fact.seat] = "approve" if fact.approve else "reject"
            case quests.VotesCounted():
                votes.clear()
            case quests.CardChosen():
                cards[fact.seat] = fact.card
            case avalon.LoyaltyShown() | avalon.CardShown():
                yield tell_avalon(fact, names) or ""
            case quests.QuestResolved() | thavalon.TeamWithdrawn() | GameEnded():
                yield from each("Votes thrown away", votes, names)
                yield from each(f"Laid on quest {quest}", cards, names)
                votes.clear()
                cards.clear()


def look_back_on_town(facts: Iterable[Event], names: Names) -> Iterator[str]:
    """Roles and nights. Verdicts were public when they were counted, so only those that never were are told."""
    nights = 0
    verdicts: dict[int, str] = {}
    for fact in facts:
        match fact:
            case saviom.RoleDealt():
                yield tell_saviom(fact, names) or ""
            case saviom.VerdictMarked():
                verdicts[fact.seat] = "eliminate" if fact.eliminate else "save"
            case saviom.VerdictsCounted():
                verdicts.clear()
            case saviom.DayEnded() | GameEnded():
                yield from each("Verdicts never counted", verdicts, names)
                verdicts.clear()
            case PhaseBegan(name="night"):
                nights += 1
                yield f"Night {nights}:"
        if night := tell_night(fact, names):
            yield night


def each(title: str, choices: dict[int, str], names: Names) -> Iterator[str]:
    """`Laid on quest 2: Alice Success, Bob Fail.`, in the order of the seats."""
    if choices:
        yield f"  {title}: {', '.join(f'{names[seat]} {choice}' for seat, choice in sorted(choices.items()))}."


LOOK_BACK: dict[str, Callable[[Iterable[Event], Names], Iterator[str]]] = {
    "avalon": look_back_on_quests,
    "thavalon": look_back_on_quests,
    "saviom": look_back_on_town,
}
