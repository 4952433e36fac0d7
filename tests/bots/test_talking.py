"""What bots say and what they make of what they hear: always something allowed, bluffs included, and modest weights."""

from __future__ import annotations

from typing import Any

import pytest

from roundtable.bots import CarefulBot, RandomBot
from roundtable.bots.dice import Dice
from roundtable.bots.sage import SageBot
from roundtable.core.actions import Remark
from roundtable.core.catalogue import catalogue
from roundtable.core.chance import shuffled
from roundtable.core.events import Remarked
from roundtable.core.game import OPEN_TALK
from roundtable.core.phrases import IDENTITY_CLAIMS
from roundtable.core.play import Play
from roundtable.core.policy import Heard, Phrasing
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games import GAMES, make_setup
from roundtable.games.avalon.bots.careful import mind_in_avalon
from roundtable.games.avalon.bots.speaking import claims_about_loyalty
from roundtable.games.quests.bots.hearsay import MOST_BY_TALK
from roundtable.games.quests.roles import EVIL_ROLES, SIDE_OF
from roundtable.games.saviom.actions import Accuse, Hunt
from roundtable.games.saviom.bots.hearsay import hearsay
from roundtable.games.saviom.bots.speaking import speech
from roundtable.games.saviom.setup import Role, Side

TOWN = (Role.WOLF, Role.WOLF, Role.SEER, Role.PROTECTOR, *(Role.CITIZEN,) * 4)
WOLVES, SEER, CITIZENS = (0, 1), 2, (4, 5, 6, 7)


def said(seat: Seat, phrase: str, about: Seat | None = None, word: str | None = None) -> Remarked:
    return Remarked(audience=EVERYONE, seat=seat, channel=OPEN_TALK, phrase=phrase, about=about, word=word)


def town(**options: Any) -> Play[Any, Any]:
    setup = make_setup("saviom", 8, {"mode": "advanced", "early_end": True, **options})
    play: Play[Any, Any] = Play.open(GAMES["saviom"].game, setup, bytes(32))
    play.deal(chosen=TOWN)
    return play


def targets(play: Play[Any, Any], seat: Seat, heard: Heard) -> set[Seat]:
    bot = CarefulBot()
    bot.listen(heard)
    return {move.target for move, _ in bot.leanings(play.view(seat), play.options(seat))}  # type: ignore[attr-defined]


def words(view: Any, seat: Seat, heard: Heard, dice: Dice) -> Phrasing:
    spoken = speech(view, seat, heard, dice)
    assert spoken is not None
    return spoken


# Whatever happens, a bot says something that is allowed

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("avalon", 7, {"lady": True, "hammer": "auto"}),
    ("avalon", 5, {"identity_claims": "forbidden"}),
    ("thavalon", 8, {}),
    ("saviom", 9, {"mode": "advanced", "early_end": True}),
]


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
@pytest.mark.parametrize("kind", [CarefulBot, RandomBot, SageBot])
def test_what_a_bot_says_is_always_allowed(
    game: str, seats: int, options: dict[str, Any], kind: type[CarefulBot | RandomBot | SageBot]
) -> None:  # A10
    """Only a sage says nothing at times."""
    setup, phrases = make_setup(game, seats, options), set()
    for seed in range(3):
        dice = Dice(seed)
        play: Play[Any, Any] = Play.open(GAMES[game].game, setup, bytes(31) + bytes([seed]))
        play.deal()
        while play.state.outcome is None:
            floor = play.state.floors[OPEN_TALK]
            for seat in shuffled(dice, sorted(floor.speakers))[:3]:
                bot = kind()
                bot.listen([line.event for line in play.heard(seat) if isinstance(line.event, Remarked)])
                if isinstance(bot, SageBot):
                    bot.follow(play.events_for(seat))
                remark = bot.speak(play.view(seat), seat, dice)
                assert isinstance(remark, Remark) or kind is SageBot
                if remark is not None:
                    play.act(seat, remark)  # refused where the phrase book does not allow it
                    phrases.add(remark.phrase)
            for seat in range(seats):
                chosen = CarefulBot().choose(play.view(seat), play.options(seat), dice)
                if chosen is not None:
                    play.act(seat, chosen)
            if play.phase.name in play.game.timed_phases and play.state.outcome is None:
                play.expire()
    assert len(phrases) > 3
    if options.get("identity_claims") == "forbidden":
        assert not phrases & IDENTITY_CLAIMS
    for language in ("en", "vi"):
        texts = catalogue(language, GAMES[game].text)
        assert all(f"claim.{phrase}" in texts or f"remark.{phrase}" in texts for phrase in phrases)


# Saviom


def test_a_seer_names_a_living_wolf_and_contradicts_a_false_seer() -> None:  # S10
    play = town()
    view = play.view(SEER)
    view.visions = ((SEER, 1, True), (SEER, 5, False))
    assert words(view, SEER, (), Dice(0)) == ("i_examined", 1, Side.WOLVES)
    told = (said(SEER, "i_examined", 1, Side.WOLVES),)
    assert words(view, SEER, told, Dice(0)).phrase != "i_examined"
    view.visions = ()
    assert words(view, SEER, (said(0, "i_examined", 4, Side.WOLVES),), Dice(0)) == ("i_am", None, Role.SEER)


def test_wolves_pass_for_citizens_and_at_times_for_the_seer_but_never_accuse_a_wolf() -> None:
    view = town().view(0)
    view.phase = view.phase._replace(number=4)
    remarks = [words(view, 0, (), Dice(seed)) for seed in range(80)]
    assert {"i_am", "i_suspect", "i_trust", "i_examined"} <= {remark.phrase for remark in remarks}
    assert not any(remark.about in WOLVES for remark in remarks if remark.phrase in ("i_suspect", "i_examined"))
    assert {remark.word for remark in remarks if remark.phrase == "i_am"} == {Role.CITIZEN}


def test_the_town_follows_a_lone_seer_and_neither_of_two() -> None:
    play = town()
    claim, counter = said(SEER, "i_examined", 1, Side.WOLVES), said(0, "i_am", None, Role.SEER)
    assert targets(play, 4, (claim,)) == {1}
    assert targets(play, 4, (claim, counter)) == targets(play, 4, ()) == set(play.state.alive) - {4}
    play.act(5, Accuse(phase=play.phase.number, target=6))
    assert targets(play, 5, (claim,)) == {1}  # the bot changes its accusation


def test_who_is_slandered_takes_the_claimant_for_a_wolf() -> None:
    play = town()
    slander = (said(0, "i_examined", 4, Side.WOLVES),)
    assert hearsay(play.view(4), 4, slander).wolves == {0}
    assert hearsay(play.view(5), 5, slander).wolves == {4}
    assert hearsay(play.view(SEER), SEER, slander).wolves == {0}


def test_wolves_hunt_who_claims_to_be_the_seer() -> None:  # S8
    play = town(begins_with="night")
    assert targets(play, 0, ()) == {2, 3, 4, 5, 6, 7}
    assert targets(play, 0, (said(3, "i_am", None, Role.SEER),)) == {3}


def test_a_wolf_goes_with_the_others_and_locks_in_when_they_agree() -> None:  # S8
    play = town(begins_with="night")
    phase = play.phase.number
    play.act(0, Hunt(phase=phase, target=5))
    assert CarefulBot().leanings(play.view(0), play.options(0)) == ()  # the other one has not chosen yet
    play.act(1, Hunt(phase=phase, target=7))
    assert targets(play, 0, ()) == {7}
    play.act(0, Hunt(phase=phase, target=7))
    for wolf in WOLVES:
        ((move, _),) = CarefulBot().leanings(play.view(wolf), play.options(wolf))
        assert type(move).__name__ == "LockIn"


# The quest games


def avalon() -> Play[Any, Any]:
    play: Play[Any, Any] = Play.open(GAMES["avalon"].game, make_setup("avalon", 7, {"lady": True}), bytes(32))
    play.deal()
    return play


def test_words_count_a_little_and_words_of_the_lady_more() -> None:
    play = avalon()
    view = play.view(0)
    silent = mind_in_avalon(view, 0).points
    doubted = mind_in_avalon(view, 0, (said(1, "i_suspect", 2),)).points
    shown = mind_in_avalon(view, 0, (said(1, "i_examined", 2, "Evil"),)).points
    assert silent[2] < doubted[2] < shown[2]
    assert [one for seat, one in enumerate(shown) if seat != 2] == [one for seat, one in enumerate(silent) if seat != 2]
    crowd = mind_in_avalon(view, 0, tuple(said(seat, "i_examined", 2, "Evil") for seat in (1, 3, 4, 5))).points
    assert crowd[2] == silent[2] + MOST_BY_TALK
    torn = (said(1, "i_examined", 2, "Evil"), said(3, "i_examined", 2, "Good"))
    assert mind_in_avalon(view, 0, torn).points == silent


def test_good_tells_what_the_lady_showed_and_evil_lies() -> None:  # A23
    play = avalon()
    for seat in range(7):
        view, role = play.view(seat), play.state.roles[seat]
        other = (seat + 1) % 7
        side = SIDE_OF[play.state.roles[other]]
        view.loyalties = ((seat, other, side),)
        ((_, about, word),) = claims_about_loyalty(view, seat)
        assert about == other
        assert (word == side) is (role not in EVIL_ROLES)
