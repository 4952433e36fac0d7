"""Avalon and THavalon in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from roundtable.core.events import Event, PhaseBegan
from roundtable.games.avalon import events as avalon
from roundtable.games.quests import events as quests
from roundtable.games.quests.roles import SIDE_OF
from roundtable.games.quests.state import Result
from roundtable.games.thavalon import events as thavalon
from roundtable.games.thavalon.deal import COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM
from roundtable.story.words import Names

NOTICES = {  # T11
    COLGREVANCE_IS_HIDDEN: "Colgrevance plays, unseen",
    TITANIA_IS_AMONG_THEM: "one of them is Titania, who is not Evil",
}


def tell_quest(event: Event, names: Names) -> str | None:
    match event:
        case quests.RoleDealt():
            return "\n    ".join([role(event, names), *told_with_it(event, names)])
        case quests.LeaderNamed():
            return f"{names[event.seat]} leads (proposal {event.attempt})."
        case quests.TeamProposed():
            sword = "" if event.excalibur is None else f"; {names[event.excalibur]} carries Excalibur"
            return f"{names[event.leader]} proposes {names.list(event.team)} for quest {event.quest}{sword}."
        case quests.ProposalMissed():
            return f"{names[event.leader]} names no team in time."
        case quests.BallotMarked():
            return f"  {names[event.seat]} votes to {'approve' if event.approve else 'reject'}."
        case quests.VotesCounted():
            return votes(event, names)
        case quests.CardChosen():
            return f"  {names[event.seat]} lays {event.card}."
        case quests.QuestResolved():
            return result(event)
        case quests.SidesRevealed():
            return f"Evil shows itself: {names.list(event.evil)}. {names[event.assassin]} draws the dagger."
        case PhaseBegan(name="stand" | "reckoning"):
            wait = f"{event.seconds} seconds" if event.seconds else "for everybody"
            return f"The table waits {wait} in case somebody declares."
    return tell_avalon(event, names) or tell_thavalon(event, names)


def role(event: quests.RoleDealt, names: Names) -> str:
    dagger = ", and holds the dagger" if event.is_assassin else ""
    return f"  {names[event.seat]} is {event.role} [{SIDE_OF[event.role]}]{dagger}."


def told_with_it(card: quests.RoleDealt, names: Names) -> Iterator[str]:
    """What a player is shown and told with their card (A6 to A9, T6 to T12)."""
    yield from (f"sees as {glimpse.seen_as}: {names.list(glimpse.seats)}." for glimpse in card.sees)
    if card.roles_in_game:
        yield f"knows to be in the game: {', '.join(card.roles_in_game)}."
    yield from (f"is told that {NOTICES[notice]}." for notice in card.notices)


def votes(event: quests.VotesCounted, names: Names) -> str:
    against = [seat for seat, approves in enumerate(event.ballots) if not approves]
    word = "approved" if event.approved else "rejected"
    count = len(event.ballots) - len(against)
    return f"  {word} {count} to {len(against)} (against: {names.list(against)})."


def result(event: quests.QuestResolved) -> str:
    word = "succeeds" if event.succeeded else "FAILS"
    return f"  Quest {event.quest} {word}: {cards(event)}.\n"


def cards(pile: quests.QuestResolved | Result) -> str:
    """`2 x Success, 1 x Reverse`: how many of each kind, as everybody may know (A18, T18)."""
    kinds = (("Success", pile.successes), ("Fail", pile.fails), ("Reverse", pile.reverses))
    return ", ".join(f"{count} x {kind}" for kind, count in kinds if count)


def tell_avalon(event: Event, names: Names) -> str | None:
    match event:
        case avalon.LadyGiven():
            return f"{names[event.seat]} holds the Lady of the Lake."
        case avalon.LoyaltyExamined():
            return f"{names[event.holder]} examines {names[event.target]}."
        case avalon.LoyaltyShown():
            return f"  The Lady showed {names[event.holder]} that {names[event.target]} is {event.side}."
        case avalon.LadyUnused():
            return f"{names[event.holder]} leaves the Lady alone."
        case avalon.ExcaliburUsed():
            return f"{names[event.holder]} turns {names[event.target]}'s card with Excalibur."
        case avalon.CardShown():
            return f"  Excalibur showed {names[event.holder]} that {names[event.target]} had laid {event.card}."
        case avalon.ExcaliburUnused():
            return f"{names[event.holder]} leaves Excalibur in its sheath."
        case avalon.MerlinShot(target=None):
            return f"{names[event.assassin]} hesitates too long."
        case avalon.MerlinShot(target=int() as target):
            return f"{names[event.assassin]} takes {names[target]} for Merlin."
    return None


def tell_thavalon(event: Event, names: Names) -> str | None:
    match event:
        case thavalon.ArthurDeclared():
            return f"{names[event.seat]} declares: I am Arthur!"
        case thavalon.AgravaineDeclared():
            return f"{names[event.seat]} declares: I am Agravaine, and quest {event.quest} has failed!"
        case thavalon.TeamWithdrawn():
            return f"{names[event.leader]} proposes anew."
        case thavalon.TeamSent():
            return f"The team of {names.list(event.team)} goes."
        case thavalon.WentOn():
            return f"  {names[event.seat]} has nothing to declare."
        case thavalon.TargetCalled(called_as=None):
            return f"{names[event.assassin]} hesitates too long."
        case thavalon.TargetCalled():
            return f"{names[event.assassin]} assassinates {names.list(event.seats)} as {event.called_as}."
    return None
