"""Who may hear what, event by event: the rulebook's secrets as one table for each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roundtable.core import events as table
from roundtable.core.events import Event
from roundtable.core.seats import EVERYONE, NOBODY, Audience
from roundtable.games.avalon import events as avalon
from roundtable.games.quests import events as quests
from roundtable.games.quests.roles import EVIL_ROLES
from roundtable.games.saviom import events as saviom
from roundtable.games.thavalon import events as thavalon

# From the event and the state before it, who must hear it.
Rule = Callable[[Any, Any], Audience]


def everyone(event: Any, state: Any) -> Audience:
    return EVERYONE


def nobody(event: Any, state: Any) -> Audience:
    return NOBODY


def that_seat(event: Any, state: Any) -> Audience:
    return frozenset((event.seat,))


def its_holder(event: Any, state: Any) -> Audience:
    return frozenset((event.holder,))


# Who hears each channel, from the truth alone (A21, S7, S8, S12).
CHANNELS: dict[str, Callable[[Any], Audience]] = {
    "table": lambda state: EVERYONE,
    "evil": lambda state: frozenset(seat for seat, role in state.roles.items() if role in EVIL_ROLES),
    "wolves": lambda state: frozenset(seat for seat in state.alive if state.roles[seat] == "Wolf"),
    "dead": lambda state: frozenset(range(state.setup.seats)) - state.alive,
}


def those_on_the_floor(event: Any, state: Any) -> Audience:
    """A line of talk goes to those who hear its channel."""
    return CHANNELS[event.channel](state)


def hearers_old_and_new(event: Any, state: Any) -> Audience:
    """Who hears a channel, and who heard it until now, is told who speaks there."""
    before = state.floors.get(event.channel)
    hearers = CHANNELS[event.channel](state)
    if not event.speakers and before is not None:  # a channel that closes has the hearers it had
        hearers = before.hearers if event.hearers == before.hearers else hearers
    assert event.hearers == hearers, f"{event!r} is heard by {event.hearers}, not by {hearers}."
    if isinstance(hearers, frozenset) and before is not None and isinstance(before.hearers, frozenset):
        return hearers | before.hearers
    return hearers


def the_pack(event: Any, state: Any) -> Audience:
    return frozenset(event.wolves)


def living_wolves(event: Any, state: Any) -> Audience:
    return frozenset(seat for seat in state.alive if state.roles[seat] == "Wolf")


COMMON: dict[type[Event], Rule] = {
    table.TableOpened: everyone,
    table.SeedSealed: nobody,
    table.EntropyContributed: everyone,
    table.PhaseBegan: everyone,
    table.FloorGiven: hearers_old_and_new,
    table.Said: those_on_the_floor,
    table.Remarked: those_on_the_floor,
    table.CountdownAsked: everyone,
    table.CountdownStarted: everyone,
    table.ClockPaused: everyone,
    table.ClockResumed: everyone,
    table.ClockExtended: everyone,
    table.CallOffAsked: everyone,
    table.GameEnded: everyone,
    table.SealsBroken: everyone,
}

QUESTS: dict[type[Event], Rule] = COMMON | {
    quests.RoleDealt: that_seat,
    quests.LeaderNamed: everyone,
    quests.TeamProposed: everyone,
    quests.ProposalMissed: everyone,
    quests.BallotCast: everyone,
    quests.BallotMarked: that_seat,
    quests.VotesCounted: everyone,
    quests.CardChosen: that_seat,
    quests.QuestResolved: everyone,
    quests.SidesRevealed: everyone,
}

AUDIENCES: dict[str, Mapping[type[Event], Rule]] = {
    "avalon": QUESTS
    | {
        avalon.LadyGiven: everyone,
        avalon.LoyaltyExamined: everyone,
        avalon.LoyaltyShown: its_holder,
        avalon.LadyUnused: everyone,
        avalon.ExcaliburUsed: everyone,
        avalon.CardShown: its_holder,
        avalon.ExcaliburUnused: everyone,
        avalon.MerlinShot: everyone,
    },
    "thavalon": QUESTS
    | {
        thavalon.WindowOpened: everyone,
        thavalon.WindowClosed: everyone,
        thavalon.AgravaineDeclared: everyone,
        thavalon.ArthurDeclared: everyone,
        thavalon.TeamWithdrawn: everyone,
        thavalon.TeamSent: everyone,
        thavalon.WentOn: that_seat,
        thavalon.TargetCalled: everyone,
    },
    "saviom": COMMON
    | {
        saviom.RoleDealt: that_seat,
        saviom.PackMet: the_pack,
        saviom.AccusationMade: everyone,
        saviom.AccusationWithdrawn: everyone,
        saviom.LockedIn: everyone,
        saviom.PutOnTrial: everyone,
        saviom.VerdictMarked: that_seat,
        saviom.VerdictsCounted: everyone,
        saviom.DayEnded: everyone,
        saviom.HuntMarked: living_wolves,
        saviom.HuntWithdrawn: living_wolves,
        saviom.ProtectionChosen: that_seat,
        saviom.InspectionChosen: that_seat,
        saviom.SuspectNamed: that_seat,
        saviom.InspectionShown: that_seat,
        saviom.NightEnded: everyone,
        saviom.PlayerDied: everyone,
        saviom.FateRevealed: everyone,
        saviom.SurrenderPledged: that_seat,
    },
}
