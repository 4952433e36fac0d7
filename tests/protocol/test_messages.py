"""The messages of play (docs/bot-programs.md): one encoding, strict decoding, a schema and an example for each."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec import Raw

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Say
from roundtable.core.codec import encode, plain
from roundtable.core.errors import Unreadable
from roundtable.core.events import COMMON_EVENTS
from roundtable.core.kinds import fields_that_may_be_none
from roundtable.core.options import permits
from roundtable.games import GAMES, game_named, new_game
from roundtable.games.avalon.actions import ShootMerlin
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.games.quests.options import TeamChoice
from roundtable.protocol import TO_PLAYER, TO_TABLE, Act, Asked, GameReader, Heard, Pass, Reader, encoded, line, offers
from roundtable.protocol.encoding import (
    DEEPEST,
    LONGEST,
    canonical,
    encoded_entry,
    encoded_setup,
    id_in,
    require_shallow,
    text_of_told,
)
from roundtable.protocol.entries import entries_of
from roundtable.protocol.offers import LISTED
from roundtable.protocol.rooms import TO_SERVER
from roundtable.protocol.schema import play_schema, schema_text
from support.frames import NULLS
from support.paths import ROOT
from support.scenes import SEED
from support.schemas import fits

DOCUMENT = (ROOT / "docs" / "bot-programs.md").read_text(encoding="utf-8")
EXAMPLES = [line for block in re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL) for line in block.splitlines()]
AVALON = GameReader(game_named("avalon"))
ANY = Reader(*TO_PLAYER, *TO_TABLE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_in_the_document_is_a_message_spelled_as_we_spell_it(example: str) -> None:
    assert line(ANY.read(example)) == example.encode() + b"\n"


def test_every_message_has_an_example_and_is_named_under_its_direction() -> None:
    shown = [type(ANY.read(example)) for example in EXAMPLES]
    assert list(dict.fromkeys(shown)) == [*TO_PLAYER, *TO_TABLE]
    to_player, _, to_table = DOCUMENT.partition("## From you to the table")
    assert all(f"\n`{message.__name__}`: " in to_player for message in TO_PLAYER)
    assert all(f"\n`{message.__name__}`: " in to_table for message in TO_TABLE)


def test_the_schema_in_the_documents_is_the_one_the_command_prints() -> None:
    command = [sys.executable, "-m", "roundtable.protocol.schema"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert printed == schema_text() == (ROOT / "docs" / "play-schema.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_the_schema_fits_whatever_is_said_in_a_game_and_not_its_misspellings(name: str) -> None:
    schema, reader, chance = play_schema(), GameReader(game_named(name)), Dice(7)
    to_player = schema["$defs"]["ToPlayer"]
    play = new_game(name, 8, SEED)
    first = Asked(phase=1, name=play.phase.name, milliseconds=5000, options=encoded(offers(play.options(0), 1)))
    play_out(play, {seat: RandomBot() for seat in range(8)}, chance)
    said = [first, *(Heard(number=heard.number, event=encoded(heard.event)) for heard in play.heard(3))]
    for message in said:
        told = json.loads(line(message))
        assert fits(to_player, told, schema)
        assert not fits(schema["$defs"]["ToTable"], told, schema)
        assert not fits(to_player, told | {"more": 1}, schema)
        (missing,) = chance.sample([key for key in told if key != "milliseconds"], 1)
        assert not fits(to_player, {key: told[key] for key in told if key != missing}, schema)
        assert ANY.read(line(message)) == message
    for heard, message in zip(play.heard(3), said[1:], strict=True):
        assert isinstance(message, Heard)
        assert reader.event(message.event) == heard.event


@pytest.mark.parametrize("name", GAMES)
def test_what_a_socket_leaves_out_of_an_event_is_known_to_the_client(name: str) -> None:
    reader, play = GameReader(game_named(name)), new_game(name, 8, SEED)
    play_out(play, {seat: RandomBot() for seat in range(8)}, Dice(7))
    setup = encoded_setup(play.state.setup)
    events = play.events_for(3)
    told = [text_of_told(event) for event in events]
    assert not any(
        ":null" in text.partition('"secret_facts"')[0] for text in told[:-2]
    )  # an outcome may have no winner
    assert '"setup"' not in told[0]
    assert [reader.event(Raw(text.encode()), setup) for text in told] == list(events)


def test_the_readers_of_the_tests_know_what_may_be_null() -> None:
    kinds = {kind for game in GAMES.values() for kind in (*COMMON_EVENTS, *game.game.events)}
    nulls = {kind.__name__: dict.fromkeys(fields_that_may_be_none(kind)) for kind in kinds}
    assert {name: parts for name, parts in nulls.items() if parts} == NULLS


def test_the_schema_leaves_nothing_undefined() -> None:
    schema = play_schema()
    referred = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema)))
    assert referred == set(schema["$defs"])
    assert all(schema["$defs"][name] for name in referred)


# What a program may do


@pytest.mark.parametrize("name", GAMES)
def test_a_small_choice_is_listed_in_full_and_every_move_listed_is_legal(name: str) -> None:  # A11, C2
    play = new_game(name, 6, SEED)
    for seat in range(6):
        options = play.options(seat)
        for offer, option in zip(offers(options, 1), options, strict=True):
            assert offer.total is None
            assert len(option) == len(set(offer.moves))
            assert all(permits(options, move) for move in offer.moves)


def test_of_a_large_choice_an_even_selection_is_listed_and_the_rest_described() -> None:  # A24, A25
    choice = TeamChoice(phase=3, eligible=tuple(range(10)), sizes=((1, 3), (4, 5)), excalibur_not=2)
    (offer,) = offers((choice,), 3)
    assert offer.total == len(choice) > 1000
    assert len(set(offer.moves)) == LISTED
    assert all(move in choice for move in offer.moves)
    assert {seat for move in offer.moves if isinstance(move, ProposeTeam) for seat in move.team} == set(range(10))
    assert offer.teams == ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ((1, 3), (4, 5)), 2)


# Reading strictly


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"is":"Pass","phase":3}', 3),
        (' { "phase" : 3, "is" : "Pass" }\r', 3),
        (
            '{"is":"Act","id":"a","action":{"is":"ShootMerlin","phase":9,"target":2}}',
            ("a", ShootMerlin(phase=9, target=2)),
        ),
        (
            '{"is":"Act","id":"b","action":{"is":"Say","channel":"table","text":"Chào cả nhà!"}}',
            ("b", Say(channel="table", text="Chào cả nhà!")),
        ),
    ],
)
def test_what_a_program_says_is_read(text: str, meant: object) -> None:
    said = AVALON.from_player(text.encode())
    assert meant == (said.phase if isinstance(said, Pass) else (said.id, AVALON.action(said)))


def understood(text: bytes) -> Any:
    said = AVALON.from_player(text)
    return AVALON.action(said) if isinstance(said, Act) else said.phase


RUBBISH = [
    b"",
    b"hello",
    b"null",
    b"[]",
    b"{}",
    b"3",
    b"NaN",
    b"\xff\xfe{\0}\0",
    b"\0" * 100,
    b"[" * 8000,
    b'{"is":"Pass","phase":' + b"[" * 900 + b"]" * 900 + b"}",
    b'{"is":"Pass","phase":' + b"9" * 5000 + b"}",
    b'{"is":"Act","id":"x","action":{"a":1e400}}',
    b'{"is":"Act","id":"x","action":' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"is":"Pass","phase":"3"}',
    b'{"is":"Pass","phase":3.0}',
    b'{"is":"Pass","phase":true}',
    b'{"is":"Pass","phase":3,"seat":4}',
    b'{"is":"Pass"}',
    b'{"is":"Answered","id":"x"}',
    b'{"is":"Act","id":"x","action":{"is":"Expire","phase":1}}',
    b'{"is":"Act","id":"x","action":{"is":"DealRoles","chosen":true}}',
    b'{"is":"Act","id":"x","action":{"is":"StartCountdown","phase":1,"seconds":1}}',
    b'{"is":"Act","id":"x","action":{"is":"Hunt","phase":1,"target":1}}',
    b'{"is":"Act","id":"x","action":{"is":"CastVote","phase":1,"approve":1}}',
    b'{"is":"Act","id":"x","seat":3,"action":{"is":"CastVote","phase":1,"approve":true}}',
    b'{"is":"Act","id":7,"action":{"is":"CastVote","phase":1,"approve":true}}',
    b'{"is":"Act","id":"x","action":{"is":"Say","channel":"table","text":"' + b"x" * LONGEST + b'"}}',
]


@pytest.mark.parametrize("line", RUBBISH, ids=lambda line: repr(line[:60]))
def test_anything_else_is_unreadable_and_nothing_worse(line: bytes) -> None:  # C2
    with pytest.raises(Unreadable) as unreadable:
        understood(line)
    assert unreadable.value.code == "text/unreadable"
    assert len(unreadable.value.message) < 500
    unreadable.value.message.encode()
    assert id_in(line) in ("", "x")


@pytest.mark.parametrize("deep", ["[" * DEEPEST + "]" * DEEPEST, '{"a":' * DEEPEST + "1" + "}" * DEEPEST])
def test_brackets_are_counted_one_within_the_other(deep: str) -> None:
    require_shallow(deep)
    require_shallow(f"{deep[:-1]},{deep[1:]}".encode())
    require_shallow("[" + json.dumps('"[[' * 99) + "]")  # in a string
    for too_deep in (f"[{deep}]", f'["\\"",{deep}]', f'["\\\\",{deep}]'):
        with pytest.raises(Unreadable):
            require_shallow(too_deep)


@pytest.mark.parametrize("text", ["1e400", '{"a":-1e400}', '{"a":' + "9" * 5000 + "}"])
def test_what_cannot_be_encoded_again_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        canonical(msgspec.Raw(text.encode()))


@given(some.binary(max_size=200))
def test_no_bytes_break_the_reader(line: bytes) -> None:
    with pytest.raises(Unreadable):
        understood(line)
    assert id_in(line) == ""


SOME_JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=9),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(SOME_JSON, SOME_JSON, some.sampled_from(["Act", "Pass", "Say", "CastVote", "Heard"]))
def test_no_json_breaks_the_reader(one: Any, other: Any, name: str) -> None:
    for spoiled in ({"is": name, "id": one, "action": other}, {"is": name, "phase": one}, one):
        text = json.dumps(spoiled).encode()
        try:
            understood(text)
        except Unreadable as unreadable:
            unreadable.message.encode()
        else:
            said = AVALON.from_player(text)
            assert AVALON.from_player(line(said)) == said


def test_what_is_secret_in_a_message_stays_out_of_its_repr() -> None:  # C4
    act = Act(id="a", action=encoded(CastVote(phase=1, approve=True)))
    assert "approve" not in repr(act)
    assert "Merlin" not in repr([Heard(number=1, event=encoded(event)) for event in new_game("avalon", 5, SEED).events])


@pytest.mark.parametrize("name", GAMES)
def test_a_message_spells_a_value_as_a_record_does(name: str) -> None:  # C3
    play = play_out(new_game(name, 8, SEED), {seat: RandomBot() for seat in range(8)}, Dice(3))
    play.act(0, Say(channel="table", text='Chào "cả" nhà \\ \u2603 😀'))
    for event in play.events:
        assert (
            bytes(encoded(event))
            == encode(event)
            == json.dumps(plain(event), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        )


def test_the_document_names_every_phrase_of_the_book() -> None:
    phrases = {phrase for spec in GAMES.values() for phrase in spec.game.phrases}
    assert [phrase for phrase in sorted(phrases) if f"`{phrase}`" not in DOCUMENT] == []


@pytest.mark.parametrize("game", GAMES)
def test_an_entry_is_read_as_it_was_spelled(game: str) -> None:  # C3
    play = play_out(new_game(game, 8, SEED), {seat: RandomBot() for seat in range(8)}, Dice(3))
    for _ in range(2):  # the second time, much of it is known
        assert [entries_of(game).read(encoded_entry(entry)) for entry in play.entries] == play.entries


def test_what_no_game_writes_is_no_entry() -> None:  # C3
    with pytest.raises(msgspec.ValidationError):
        entries_of("avalon").read(b'{"action":{},"actor":0,"events":[]}')
    with pytest.raises(Unreadable):
        entries_of("avalon").read(b'{"action":{"is":"Hunt"},"actor":0,"events":[],"id":""}')


def test_a_refusal_does_not_repeat_a_long_message() -> None:
    with pytest.raises(Unreadable) as refused:
        Reader(*TO_SERVER).read(json.dumps({"is": "Ask", "id": "x", "request": {"is": "x" * 7_000}}))
    assert len(refused.value.text()) + len(str(refused.value.values)) < 1_500
