"""THavalon's script: it never tells which roles were dealt, and all eyes stay open."""

from __future__ import annotations

from collections.abc import Iterator

from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import TEAM_SIZES
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, TWO_FAILS_FROM, ThavalonSetup
from roundtable.text.script import READ, Listed, Night, ScriptLine, Sentence, if_so, note, say, word


def script(setup: ThavalonSetup, night: Night) -> Iterator[ScriptLine]:
    """Every sentence follows from the number of players and the house rules (T13). There is no night: cards or phones
    show all that a player knows."""
    yield from table(setup, "phones" if night == "phones" else "")
    yield from proposal(setup)
    yield from vote(setup)
    yield from mission(setup)
    yield from assassination(setup)


def table(setup: ThavalonSetup, shown_on: str) -> Iterator[ScriptLine]:
    good, evil = setup.sides
    if not shown_on:
        yield note("table", "deal")
    yield say("table", "cards", context=shown_on, pause=READ)
    yield say("table", "sides", seats=setup.seats, good=good, evil=evil)
    lovers = "" if Role.TRISTAN in setup.good_pool else "no_lovers"
    yield say("table", "pools", context=lovers, good=pool(setup.good_pool), evil=pool(setup.evil_pool))
    yield say("table", "dagger")
    yield say("table", "missions", *two_fails(setup), sizes=Listed(TEAM_SIZES[setup.seats]))
    yield from rounds(setup)
    yield say("table", "leader")


def rounds(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    """T14, T15; or A14 to A16 (T26)."""
    if setup.has_vote_track:
        yield say("table", "vote_track")
        return
    yield say("table", "first_round", context=setup.first_round, proposals=FIRST_ROUND_PROPOSALS)
    yield say("table", "later_rounds", proposals=setup.later_proposals)


def pool(roles: tuple[Role, ...]) -> Listed:
    """T2, T26: which roles can come up at this table, not which did."""
    return Listed(tuple(word(role) for role in roles))


def two_fails(setup: ThavalonSetup) -> Iterator[Sentence]:
    """T20."""
    if setup.seats >= TWO_FAILS_FROM:
        yield Sentence("narration.table.two_fails")


# Proposals and votes


def proposal(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    yield say("proposal", "propose", pause=setup.propose_seconds)
    if setup.has_arthur:  # read out whether he was dealt or not
        yield note("proposal", "when_arthur")
        yield if_so(say("proposal", "arthur"))
        yield note("proposal", "after_arthur")
    if setup.has_agravaine:
        yield note("proposal", "when_stands")
        yield if_so(window(setup, "proposal", "stands"))
        yield note("proposal", "after_stands")


def vote(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    if setup.first_round == "paired":
        yield note("vote", "paired")
    if not setup.has_vote_track:
        yield note("vote", "last")
    yield say("vote", "vote", pause=setup.vote_seconds)
    yield note("vote", "count")
    if setup.has_vote_track:
        yield note("vote", "fifth")
        yield if_so(say("vote", "lost"))


def window(setup: ThavalonSetup, part: str, act: str) -> ScriptLine:
    """A wait for a declaration: some seconds, or without a clock until everyone wants to go on."""
    if not setup.clock:
        return say(part, act, context="untimed")
    return say(part, act, seconds=setup.declare_seconds, pause=setup.declare_seconds)


# Missions and the end


def mission(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    yield say("mission", "lay", pause=setup.quest_seconds)
    yield note("mission", "shuffle")
    plain = "" if setup.reversal else "no_reverse"
    yield if_so(say("mission", "result", context=plain))
    yield note("mission", "judge", context=plain)
    if setup.seats >= TWO_FAILS_FROM:
        yield note("mission", "judge_fourth", context=plain)
    if setup.has_agravaine:
        yield note("mission", "when_reckoning")
        yield if_so(window(setup, "mission", "reckoning"))
    yield note("mission", "score")
    yield if_so(say("mission", "failed"))


def assassination(setup: ThavalonSetup) -> Iterator[ScriptLine]:
    yield say("assassination", "show_sides")
    yield say("assassination", "confer")
    yield say("assassination", "call", calls=Listed(tuple(calls(setup)), context="or"), pause=setup.shot_seconds)
    yield note("assassination", "right")
    yield if_so(say("assassination", "evil_wins"))
    yield note("assassination", "wrong")
    yield if_so(say("assassination", "good_wins"))
    yield if_so(say("assassination", "turn_up"))


def calls(setup: ThavalonSetup) -> Iterator[Sentence]:
    """T23, T24, T26."""
    yield Sentence("narration.call.merlin")
    if setup.calls_nimue:
        yield Sentence("narration.call.nimue")
    if setup.calls_lovers:
        yield Sentence("narration.call.lovers")
    if setup.no_target_call:
        yield Sentence("narration.call.nobody")
