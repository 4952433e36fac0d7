"""What a moderator of THavalon says: nothing that tells which roles were dealt, and nobody closes their eyes."""

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
from roundtable.narrator import thavalon_words as words
from roundtable.narrator.cues import Line, Part, note, say
from roundtable.narrator.languages import AND, OR, Both, listed, same


def thavalon_script(setup: ThavalonSetup) -> Iterator[Line]:
    """Every word follows from the number of players and the house rules (T13)."""
    yield from table(setup)
    yield from proposal(setup)
    yield from mission(setup)
    yield from assassination(setup)


def table(setup: ThavalonSetup) -> Iterator[Line]:
    good, evil = setup.sides
    yield note(Part.TABLE, "deal", words.DEAL)
    yield say(Part.TABLE, "cards", words.CARDS)
    yield say(Part.TABLE, "sides", words.SIDES.filled(seats=setup.seats, good=good, evil=evil))
    yield say(Part.TABLE, "pools", words.POOLS.filled(good=pool(setup.good_pool), evil=pool(setup.evil_pool)))
    yield say(Part.TABLE, "dagger", words.DAGGER)
    yield say(Part.TABLE, "missions", missions(setup))
    yield say(Part.TABLE, "first_round", first_round(setup))
    yield say(Part.TABLE, "later_rounds", words.LATER_ROUNDS.filled(proposals=setup.later_proposals))
    yield say(Part.TABLE, "leader", words.FIRST_LEADER)


def pool(roles: tuple[Role, ...]) -> Both:
    """T2: which roles can come up at this number of players, not which did."""
    return listed((same(role) for role in roles), AND)


def missions(setup: ThavalonSetup) -> Both:
    sizes = listed((same(str(size)) for size in TEAM_SIZES[setup.seats]), AND)
    told = words.MISSIONS.filled(sizes=sizes)
    return told.joined(words.TWO_FAILS) if setup.seats >= TWO_FAILS_FROM else told


def first_round(setup: ThavalonSetup) -> Both:
    """T14."""
    told = words.PAIRED if setup.first_round == "paired" else words.IN_TURN
    return told.filled(proposals=FIRST_ROUND_PROPOSALS)


# Proposals and votes


def proposal(setup: ThavalonSetup) -> Iterator[Line]:
    yield say(Part.PROPOSAL, "propose", words.PROPOSE, setup.propose_seconds)
    if has_arthur(setup):
        yield note(Part.PROPOSAL, "when_arthur", words.WHEN_ARTHUR)
        yield say(Part.PROPOSAL, "arthur", words.ARTHUR)
        yield note(Part.PROPOSAL, "after_arthur", words.AFTER_ARTHUR)
    if has_window(setup):
        yield note(Part.PROPOSAL, "when_stands", words.WHEN_STANDS)
        yield window(setup, Part.PROPOSAL, "stands", words.STANDS)
        yield note(Part.PROPOSAL, "after_stands", words.AFTER_STANDS)
    if setup.first_round == "paired":
        yield note(Part.VOTE, "paired", words.PAIRED_VOTE)
    yield note(Part.VOTE, "last", words.LAST_PROPOSAL)
    yield say(Part.VOTE, "vote", words.VOTE, setup.vote_seconds)
    yield note(Part.VOTE, "count", words.COUNT)


def has_arthur(setup: ThavalonSetup) -> bool:
    """T2, T16: whether an Arthur may be there; it is said whether he is or not."""
    return setup.seats in GOOD_POOL[Role.ARTHUR]


def has_window(setup: ThavalonSetup) -> bool:
    """T21: the window opens on public facts alone."""
    return setup.seats >= AGRAVAINE_FROM


def window(setup: ThavalonSetup, part: Part, act: str, told: Both) -> Line:
    if setup.clock:
        until = words.FOR_SECONDS.filled(seconds=setup.declare_seconds)
        return say(part, act, told.filled(until=until), setup.declare_seconds)
    return say(part, act, told.filled(until=words.UNTIL_ALL_GO_ON))


# Missions and the end


def mission(setup: ThavalonSetup) -> Iterator[Line]:
    yield say(Part.MISSION, "lay", words.LAY, setup.quest_seconds)
    yield note(Part.MISSION, "shuffle", words.SHUFFLE)
    yield say(Part.MISSION, "result", words.RESULT)
    yield note(Part.MISSION, "judge", words.JUDGE)
    if setup.seats >= TWO_FAILS_FROM:
        yield note(Part.MISSION, "judge_fourth", words.JUDGE_FOURTH)
    if has_window(setup):
        yield note(Part.MISSION, "when_reckoning", words.WHEN_RECKONING)
        yield window(setup, Part.MISSION, "reckoning", words.RECKONING)
    yield note(Part.MISSION, "score", words.SCORE)
    yield say(Part.MISSION, "failed", words.THREE_FAILED)


def assassination(setup: ThavalonSetup) -> Iterator[Line]:
    """T23, T24: Nimue can be called where she can be dealt."""
    calls = [words.CALL_MERLIN, words.CALL_LOVERS]
    if setup.seats in GOOD_POOL[Role.NIMUE]:
        calls.insert(1, words.CALL_NIMUE)
    if setup.no_target_call:
        calls.append(words.CALL_NOBODY)
    yield say(Part.ASSASSINATION, "show_sides", words.SHOW_SIDES)
    yield say(Part.ASSASSINATION, "confer", words.CONFER)
    yield say(Part.ASSASSINATION, "call", words.CALL.filled(calls=listed(calls, OR)), setup.shot_seconds)
    yield note(Part.ASSASSINATION, "right", words.IF_RIGHT)
    yield say(Part.ASSASSINATION, "evil_wins", words.EVIL_WINS)
    yield note(Part.ASSASSINATION, "wrong", words.IF_WRONG)
    yield say(Part.ASSASSINATION, "good_wins", words.GOOD_WINS)
    yield say(Part.ASSASSINATION, "turn_up", words.TURN_UP)
