"""What a sage says: what a plain player in its seat would conclude from all that everyone has heard."""

from __future__ import annotations

from typing import Any

import pytest

from roundtable.belief import belief_of
from roundtable.bots import BOTS, CarefulBot, Dice, FollowingBot, TalkingBot
from roundtable.bots.sage import SageBot
from roundtable.bots.sage.recall import Recall
from roundtable.core.actions import Remark
from roundtable.core.events import Remarked
from roundtable.core.game import OPEN_TALK
from roundtable.core.play import Play
from roundtable.core.policy import PLAIN_WORDS, Phrasing
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games import GAMES, new_game
from roundtable.games.avalon.actions import ExamineLoyalty
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role, Side
from roundtable.games.quests.sage.strategy import dealt_as
from roundtable.games.saviom.actions import Accuse, Judge
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.saviom.setup import Side as SaviomSide
from roundtable.games.thavalon.setup import ThavalonSetup
from support.scenes import avalon, do, propose, quest, saviom, thavalon, vote

Table = Play[Any, Any]
SEEDS = range(60)
OPINIONS = ("i_suspect", "i_trust")
KNOWERS = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)


def spoken(play: Table, seat: Seat, seed: int, bot: Any = None, effort: float = 1.0) -> Phrasing | None:
    bot = bot or SageBot()
    assert isinstance(bot, TalkingBot)
    events = play.events_for(seat)
    bot.listen([event for event in events if isinstance(event, Remarked)])
    if isinstance(bot, FollowingBot):
        bot.follow(events)
    if isinstance(bot, SageBot):
        bot.hurry(effort)
    return phrasing(bot.speak(play.view(seat), seat, Dice(seed)))


def phrasing(remark: Remark | None) -> Phrasing | None:
    return None if remark is None else Phrasing(remark.phrase, remark.about, remark.word)


def remarks(play: Table, seat: Seat, **how: Any) -> list[Phrasing | None]:
    return [spoken(play, seat, seed, **how) for seed in SEEDS]


def say(play: Table, seat: Seat, phrase: str, about: Seat | None = None, word: str | None = None) -> None:
    play.act(seat, Remark(channel=OPEN_TALK, phrase=phrase, about=about, word=word))


def about(said: list[Phrasing | None], phrase: str) -> set[Seat | None]:
    return {one.about for one in said if one and one.phrase == phrase}


def failed_by_two(first: Role, second: Role) -> Table:
    """Seats 0 and 1 have these roles, and one of them has failed the first quest."""
    rest = [role for role in KNOWERS if role not in (first, second)]
    play = avalon([first, second, *rest])
    failing = 0 if first in (Role.ASSASSIN, Role.MORGANA) else 1
    quest(play, (0, 1), {failing: Card.FAIL})
    return play


# Nothing that it says tells its role


@pytest.mark.parametrize("level", ["easy", "fair", "strong"])
def test_every_role_says_what_a_servant_would_who_has_heard_the_same(level: str) -> None:
    """Evil, too, suspects the innocent player beside it."""
    deals = [
        (Role.SERVANT, Role.ASSASSIN),
        (Role.PERCIVAL, Role.MORGANA),
        (Role.MERLIN, Role.ASSASSIN),
        (Role.ASSASSIN, Role.SERVANT),
        (Role.MORGANA, Role.MERLIN),
    ]
    tables = [failed_by_two(*deal) for deal in deals]
    for play in tables:
        propose(play, (1, 2, 3))
    said = [remarks(play, 0, bot=BOTS[level]()) for play in tables]
    assert said == [said[0]] * len(said)
    assert about(said[0], "i_suspect") == {1}


def test_every_role_of_thavalon_says_the_same() -> None:
    roles = [Role.LANCELOT, Role.MERLIN, Role.PERCIVAL, Role.MORDRED, Role.MORGANA]
    said = []
    for role in roles:
        play = thavalon([role, *(other for other in roles if other is not role)])
        quest(play, (0, 1), dict.fromkeys((0, 1), Card.SUCCESS))
        said.append(remarks(play, 0))
    assert said == [said[0]] * len(said)
    assert about(said[0], "i_trust") == {1}


def test_citizens_and_wolves_say_the_same() -> None:
    wolf, citizen = SaviomRole.WOLF, SaviomRole.CITIZEN
    deals = [(citizen, wolf, wolf), (wolf, wolf, citizen), (wolf, citizen, wolf)]
    said = []
    for deal in deals:
        play = saviom([*deal, citizen, citizen, citizen, citizen])
        for accuser, target in ((1, 3), (4, 3), (5, 3), (6, 3), (2, 6)):
            do(play, accuser, Accuse, target=target)
        play.expire()
        for judge in (0, 1, 2, 4, 5, 6):
            do(play, judge, Judge, eliminate=judge != 2)
        while play.phase.name != "day":
            play.expire()
        said.append(remarks(play, 0))
    assert said == [said[0]] * len(said)
    assert about(said[0], "i_suspect") == {2}, "who stood apart, and spared the condemned"


def test_it_does_not_depend_on_what_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    play = failed_by_two(Role.SERVANT, Role.ASSASSIN)
    kept = remarks(play, 2)
    monkeypatch.setattr("roundtable.bots.sage.bot.RECALL", Recall())
    assert remarks(play, 2) == kept


# It says what follows


@pytest.mark.parametrize("seat", [0, 2, 4])
def test_it_suspects_the_likeliest_to_be_evil_and_trusts_the_least_likely(seat: Seat) -> None:
    play = failed_by_two(Role.PERCIVAL, Role.MORGANA)
    for team, approving in (((2, 3, 4), (3, 4)), ((0, 2, 3), (0, 2))):
        propose(play, team)
        vote(play, approving)
    setup, strategy = play.state.setup, GAMES["avalon"].part("sage")
    belief = belief_of(GAMES["avalon"], setup, seat, strategy.model(setup))
    belief.hear_all(dealt_as(event, seat, Role.SERVANT) for event in heard_as_servant(play, seat))
    evil = {other: chance for other, chance in enumerate(belief.side_chances(Side.EVIL)) if other != seat}
    said = remarks(play, seat)
    assert about(said, "i_suspect") == {max(evil, key=lambda other: evil[other])}
    assert about(said, "i_trust") == {min(evil, key=lambda other: evil[other])}


def heard_as_servant(play: Table, seat: Seat) -> list[Any]:
    """What everyone has heard, and the seat's own card."""
    return [
        event for event in play.events_for(seat) if event.audience is EVERYONE or type(event).__name__ == "RoleDealt"
    ]


def test_it_names_no_one_where_no_one_stands_out() -> None:
    said = remarks(avalon(KNOWERS), 3)
    assert {one.phrase for one in said if one} == {"hello", "i_am", "take_me", *(word.phrase for word in PLAIN_WORDS)}


def test_it_is_against_a_team_that_failed_and_for_the_last_one() -> None:  # A15
    play = failed_by_two(Role.MERLIN, Role.ASSASSIN)
    for _ in range(4):
        propose(play, (0, 1, 2))
        phrases = {one.phrase for one in remarks(play, 2) if one}
        assert "reject_this" in phrases
        assert "approve_this" not in phrases
        vote(play, ())
    propose(play, (0, 1, 2))
    phrases = {one.phrase for one in remarks(play, 2) if one}
    assert "approve_this" in phrases
    assert "reject_this" not in phrases


def test_only_a_player_whom_others_would_trust_asks_to_be_taken() -> None:
    play = failed_by_two(Role.MERLIN, Role.ASSASSIN)  # seat 1 leads
    for seat, is_welcome in ((0, False), (3, True)):
        assert (Phrasing("take_me") in remarks(play, seat)) is is_welcome


def test_it_repeats_an_opinion_only_after_another_quest_or_when_it_is_asked_why() -> None:
    play = failed_by_two(Role.MERLIN, Role.ASSASSIN)
    suspicion = Phrasing("i_suspect", 1)
    assert suspicion in remarks(play, 0)
    say(play, 0, "i_suspect", 1)
    assert suspicion not in remarks(play, 0)
    say(play, 3, "why", 0)
    assert suspicion in remarks(play, 0)
    assert {one.phrase for one in remarks(play, 0) if one} <= {*OPINIONS}
    say(play, 0, "i_suspect", 1)
    quest(play, (1, 2, 3), {1: Card.FAIL})
    assert suspicion in remarks(play, 0)


def test_it_is_silent_where_it_has_said_all() -> None:
    play = avalon(KNOWERS)
    for said in (*PLAIN_WORDS, Phrasing("i_am", word=Side.GOOD)):
        say(play, 0, *said)
    assert set(remarks(play, 0)) == {None}  # seat 0 leads


@pytest.mark.parametrize(("holder", "shown"), [(Role.MERLIN, Role.ASSASSIN), (Role.ASSASSIN, Role.MORGANA)])
def test_it_stands_by_what_it_says_that_the_lady_showed(holder: Role, shown: Role) -> None:  # A23
    """Good tells it, and Evil lies."""
    rest = [role for role in KNOWERS if role not in (holder, shown)]
    play = avalon([shown, rest[0], rest[1], rest[2], Role.SERVANT, Role.MINION, holder], lady=True)
    good = [seat for seat, role in play.state.roles.items() if role not in EVIL_ROLES]
    quest(play, good[:2])
    quest(play, good[:3])
    assert play.state.lady == 6
    do(play, 6, ExamineLoyalty, target=0)
    word = Side.EVIL if holder is Role.MERLIN else Side.GOOD
    assert set(remarks(play, 6)) == {Phrasing("i_examined", 0, word)}
    say(play, 6, "i_examined", 0, word)
    said = remarks(play, 6)
    named, other = OPINIONS if word is Side.EVIL else reversed(OPINIONS)
    assert 0 in about(said, named)
    assert 0 not in about(said, other)


TOWN = [SaviomRole.WOLF, SaviomRole.WOLF, SaviomRole.SEER, SaviomRole.PROTECTOR, *[SaviomRole.CITIZEN] * 4]


@pytest.mark.parametrize(("claimant", "target"), [(2, 1), (0, 5)])
def test_who_claims_to_be_the_seer_speaks_as_that_seer(claimant: Seat, target: Seat) -> None:
    """The Seer, and a Wolf who lies."""
    play = saviom(TOWN, mode="advanced")
    before = remarks(play, claimant)
    assert Phrasing("i_am", word=SaviomRole.CITIZEN) in before
    assert target not in about(before, "i_suspect")
    say(play, claimant, "i_examined", target, SaviomSide.WOLVES)
    after = remarks(play, claimant)
    assert Phrasing("i_am", word=SaviomRole.CITIZEN) not in after
    assert about(after, "i_suspect") == {target}


def test_a_town_follows_a_lone_seer_and_a_wolf_talks_along() -> None:
    play = saviom(TOWN, mode="advanced")
    say(play, 2, "i_examined", 1, SaviomSide.WOLVES)
    for seat in (0, 3, 5):
        assert about(remarks(play, seat), "i_suspect") == {1}


def test_who_claims_to_be_a_seer_where_there_is_none_speaks_as_a_citizen() -> None:
    """S3: classic games have no Seer. The claim may be that of a person whose seat the bot has taken over."""
    play = saviom([SaviomRole.WOLF, SaviomRole.WOLF, *[SaviomRole.CITIZEN] * 6])
    before = remarks(play, 3)
    say(play, 3, "i_am", word=SaviomRole.SEER)
    assert about(remarks(play, 3), "i_suspect") == about(before, "i_suspect")


# Where there is no belief


def test_an_easy_bot_in_town_speaks_as_careful() -> None:
    play = saviom(TOWN, mode="advanced")
    say(play, 2, "i_examined", 1, SaviomSide.WOLVES)
    assert remarks(play, 0, bot=BOTS["easy"]()) == [spoken(play, 0, seed, CarefulBot()) for seed in SEEDS]


@pytest.mark.parametrize("effort", [0.0, 1.0])
def test_without_effort_or_events_it_speaks_as_careful(effort: float) -> None:
    play = failed_by_two(Role.MERLIN, Role.ASSASSIN)
    careful = [spoken(play, 2, seed, CarefulBot()) for seed in SEEDS]
    if effort:
        bot = SageBot()
        assert [phrasing(bot.speak(play.view(2), 2, Dice(seed))) for seed in SEEDS] == careful
    else:
        assert remarks(play, 2, effort=effort) == careful
        assert remarks(play, 2) != careful


def test_at_the_largest_table_it_speaks_as_careful() -> None:
    """There an onlooker's belief is too large to talk by."""
    play = new_game("thavalon", 10, bytes(32))
    assert remarks(play, 2) == [spoken(play, 2, seed, CarefulBot()) for seed in SEEDS]
    strategy = GAMES["thavalon"].part("sage")
    assert [strategy.talks_by_belief(ThavalonSetup(seats=seats)) for seats in (9, 10)] == [True, False]
