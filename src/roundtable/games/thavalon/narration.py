"""THavalon's script: it never tells which roles were dealt, and all eyes stay open."""

from __future__ import annotations

from collections.abc import Iterator

from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import TEAM_SIZES
from roundtable.games.thavalon.setup import (
    AGRAVAINE_FROM,
    FIRST_ROUND_PROPOSALS,
    GOOD_POOL,
    TWO_FAILS_FROM,
    ThavalonSetup,
)
from roundtable.text.script import Listed, ScriptLine, Sentence, note, say, word


def script(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    """Every sentence follows from the number of players and the house rules (T13)."""
    yield from table(setup)
    yield from proposal(setup)
    yield from vote(setup)
    yield from mission(setup)
    yield from assassination(setup)


def table(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    good, evil = setup.sides
    yield note("table", "deal")
    yield say("table", "cards")
    yield say("table", "sides", seats=setup.seats, good=good, evil=evil)
    yield say("table", "pools", good=pool(setup.good_pool), evil=pool(setup.evil_pool))
    yield say("table", "dagger")
    yield say("table", "missions", *two_fails(setup), sizes=Listed(TEAM_SIZES[setup.seats]))
    yield say("table", "first_round", context=setup.first_round, proposals=FIRST_ROUND_PROPOSALS)  # T14
    yield say("table", "later_rounds", proposals=setup.later_proposals)
    yield say("table", "leader")


def pool(roles: tuple[Role, ...]) -> Listed:
    """T2: which roles can come up at this number of players, not which did."""
    return Listed(tuple(word(role) for role in roles))


def two_fails(setup: ThavalonSetup) -> Iterator[Sentence]:
    """T20."""
    if setup.seats >= TWO_FAILS_FROM:
        yield Sentence("narration.table.two_fails")


# Proposals and votes


def proposal(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    yield say("proposal", "propose", pause=setup.propose_seconds)
    if has_arthur(setup):
        yield note("proposal", "when_arthur")
        yield say("proposal", "arthur")
        yield note("proposal", "after_arthur")
    if has_window(setup):
        yield note("proposal", "when_stands")
        yield window(setup, "proposal", "stands")
        yield note("proposal", "after_stands")


def vote(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    if setup.first_round == "paired":
        yield note("vote", "paired")
    yield note("vote", "last")
    yield say("vote", "vote", pause=setup.vote_seconds)
    yield note("vote", "count")


def has_arthur(setup: ThavalonSetup) -> bool:
    """T2, T16: whether Arthur can be in the deal; the line is read out whether he is or not."""
    return setup.seats in GOOD_POOL[Role.ARTHUR]


def has_window(setup: ThavalonSetup) -> bool:
    """T21: the window opens on public facts alone."""
    return setup.seats >= AGRAVAINE_FROM


def window(setup: ThavalonSetup, part: str, act: str) -> ScriptLine:
    """A wait for a declaration: some seconds, or without a clock until everyone wants to go on."""
    if not setup.clock:
        return say(part, act, context="untimed")
    return say(part, act, seconds=setup.declare_seconds, pause=setup.declare_seconds)


# Missions and the end


def mission(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    yield say("mission", "lay", pause=setup.quest_seconds)
    yield note("mission", "shuffle")
    yield say("mission", "result")
    yield note("mission", "judge")
    if setup.seats >= TWO_FAILS_FROM:
        yield note("mission", "judge_fourth")
    if has_window(setup):
        yield note("mission", "when_reckoning")
        yield window(setup, "mission", "reckoning")
    yield note("mission", "score")
    yield say("mission", "failed")


def assassination(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    yield say("assassination", "show_sides")
    yield say("assassination", "confer")
    yield say("assassination", "call", calls=Listed(tuple(calls(setup)), context="or"), pause=setup.shot_seconds)
    yield note("assassination", "right")
    yield say("assassination", "evil_wins")
    yield note("assassination", "wrong")
    yield say("assassination", "good_wins")
    yield say("assassination", "turn_up")


def calls(setup: ThavalonSetup) -> Iterator[Sentence]:
    """T23, T24: Nimue can be called where she can be dealt."""
    yield Sentence("narration.call.merlin")
    if setup.seats in GOOD_POOL[Role.NIMUE]:
        yield Sentence("narration.call.nimue")
    yield Sentence("narration.call.lovers")
    if setup.no_target_call:
        yield Sentence("narration.call.nobody")
