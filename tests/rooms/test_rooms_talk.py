"""Talk in a room: in the game's channels, in the lobby, and its rate limit."""

from __future__ import annotations

import asyncio
import unicodedata

import pytest

from roundtable.core.actions import Say
from roundtable.core.game import OPEN_TALK
from roundtable.games.quests.actions import CastVote
from roundtable.protocol import rooms as ask
from support.room_harness import (
    RoomMember,
    phase_of,
    propose,
    room_with_game,
    room_with_members,
    virtual_time_test,
)
from support.virtual_time import VirtualLoop


def said_in(guest: RoomMember) -> list[tuple[str, str]]:
    return [(event["channel"], event["text"]) for event in guest.events if event["is"] == "Said"]


@virtual_time_test
async def test_talk_goes_through_the_channels_that_the_game_grants(loop: VirtualLoop) -> None:
    harness = await room_with_game(
        loop, 6, game="saviom", seats=6, options={"begins_with": "night"}, takeover_seconds=None
    )
    assert harness.room.play is not None
    wolves = [harness.people[seat] for seat in sorted(harness.room.play.state.living_wolves)]
    citizens = [guest for guest in harness.people if guest not in wolves]
    watcher = await harness.watch()
    assert await citizens[0].act(Say(channel=OPEN_TALK, text="It is dark")) == "talk/closed"
    assert await citizens[0].act(Say(channel="wolves", text="Let me in")) == "talk/closed"
    assert await citizens[0].act(Say(channel="nowhere", text="Anybody?")) == "talk/closed"
    assert await wolves[0].act(Say(channel="wolves", text="The miller")) == "done"
    assert [said_in(wolf) for wolf in wolves] == [[("wolves", "The miller")]] * 2
    assert [said_in(guest) for guest in (*citizens, watcher)] == [[]] * 5
    await asyncio.sleep(62)
    assert harness.room.play.phase.name == "day"
    assert await citizens[0].act(Say(channel=OPEN_TALK, text="Good morning")) == "done"
    assert said_in(watcher) == said_in(citizens[1]) == [(OPEN_TALK, "Good morning")]
    assert await watcher.act(Say(channel=OPEN_TALK, text="I saw it all")) == "room/watching"


@virtual_time_test
async def test_a_silenced_member_says_nothing_until_the_host_lifts_it(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    loud = harness.people[3]
    assert await harness.host.ask(ask.Silence(member=loud.member, is_silenced=True)) == "done"
    assert harness.people[1].shown["members"][3]["is_silenced"]
    assert await loud.ask(ask.Chat(text="Hey")) == "talk/silenced"
    await harness.start()
    assert await loud.act(Say(channel=OPEN_TALK, text="Hey")) == "talk/silenced"
    await propose(harness)
    assert await loud.act(CastVote(phase=phase_of(harness.room), approve=True)) == "done"
    assert await harness.host.ask(ask.Silence(member=loud.member, is_silenced=False)) == "done"
    assert await loud.act(Say(channel=OPEN_TALK, text="Hey")) == "done"


@virtual_time_test
async def test_the_host_switches_the_chat_off(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5, has_chat=False)
    assert await harness.people[1].ask(ask.Chat(text="Hey")) == "talk/silenced"
    await harness.start()
    assert await harness.people[1].act(Say(channel=OPEN_TALK, text="Hey")) == "talk/silenced"
    assert await harness.host.act(Say(channel=OPEN_TALK, text="Hey")) == "talk/silenced"
    assert await harness.host.ask(ask.ChangeSettings(settings=ask.SettingsChange(has_chat=True))) == "done"
    assert await harness.people[1].act(Say(channel=OPEN_TALK, text="Hey")) == "done"


@virtual_time_test
async def test_a_member_who_talks_too_fast_has_to_wait(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    fast = harness.people[1]
    answers = [await fast.ask(ask.Chat(text=f"Line {number}")) for number in range(5)]
    assert answers == ["done", "done", "done", "talk/too_fast", "talk/too_fast"]
    assert await harness.host.ask(ask.Chat(text="Slow down")) == "done"
    await asyncio.sleep(3)
    assert await fast.ask(ask.Chat(text="Sorry")) == "done"
    assert [line["text"] for line in harness.host.all("Chatted")] == [
        "Line 0",
        "Line 1",
        "Line 2",
        "Slow down",
        "Sorry",
    ]


@virtual_time_test
async def test_a_refused_line_does_not_count_against_the_limit(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 5)
    guest = harness.people[1]
    for _ in range(5):
        assert await guest.ask(ask.Chat(text="")) == "talk/text"
    answers = [await guest.ask(ask.Chat(text=f"Line {number}")) for number in range(4)]
    assert answers == ["done", "done", "done", "talk/too_fast"]
    await harness.start()
    await asyncio.sleep(3)
    for _ in range(5):
        assert await guest.act(Say(channel="evil", text="Hello")) == "talk/closed"
    answers = [await guest.act(Say(channel=OPEN_TALK, text=f"Line {number}")) for number in range(4)]
    assert answers == ["done", "done", "done", "talk/too_fast"]


@pytest.mark.parametrize(
    "text",
    [
        unicodedata.normalize("NFD", "Nguyễn Thị Thuỳ Dương ướt sũng, ngặt nghẽo!"),
        "1\ufe0f\u20e3 👩\u200d👩\u200d👧 ❤\ufe0f",
        "မြို့တော်ကြီး",
        "שַׁבָּת שָׁלוֹם",
        "सर्वोच्च न्यायालय",
    ],
)
@virtual_time_test
async def test_a_line_has_the_marks_that_its_language_needs(loop: VirtualLoop, text: str) -> None:
    harness = await room_with_members(loop, 2)
    assert await harness.people[1].ask(ask.Chat(text=text)) == "done"
    assert harness.host.last("Chatted")["text"] == text


@virtual_time_test
async def test_a_line_that_is_sent_again_is_neither_too_fast_nor_said_twice(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    guest = harness.people[1]
    for number in range(3):
        assert await guest.act(Say(channel=OPEN_TALK, text=f"Line {number}"), f"s{number}") == "done"
    for number in range(3):
        assert await guest.act(Say(channel=OPEN_TALK, text=f"Line {number}"), f"s{number}") == "done"
    assert await harness.host.ask(ask.ChangeSettings(settings=ask.SettingsChange(has_chat=False))) == "done"
    assert await guest.act(Say(channel=OPEN_TALK, text="Line 0"), "s0") == "done"
    assert [text for _, text in said_in(harness.host)] == ["Line 0", "Line 1", "Line 2"]


@pytest.mark.parametrize(
    "text", ["", "   ", "x" * 501, "two\nlines", "\u202egnaw", "Z" + "\u0335" * 300, "a " + "\u0301" * 7, "\u0301a"]
)
@virtual_time_test
async def test_a_line_that_cannot_be_shown_is_not_said(loop: VirtualLoop, text: str) -> None:
    harness = await room_with_members(loop, 5)
    assert await harness.people[1].ask(ask.Chat(text=text)) == "talk/text"
    await harness.start()
    assert await harness.people[1].act(Say(channel=OPEN_TALK, text=text)) == "talk/text"
    assert harness.host.all("Chatted") == []
    assert said_in(harness.host) == []


@virtual_time_test
async def test_claims_are_messages_of_their_own(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop)
    claim = {"is": "Remark", "channel": OPEN_TALK, "phrase": "i_saw", "about": 4, "word": "Evil"}
    assert await harness.people[1].act(claim, "claim") == "done"
    assert await harness.people[1].act(claim, "claim") == "done"
    (heard,) = [event for event in harness.host.events if event["is"] == "Remarked"]
    assert (heard["seat"], heard["phrase"], heard["about"], heard["word"]) == (1, "i_saw", 4, "Evil")
