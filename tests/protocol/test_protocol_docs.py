"""docs/protocol.md and docs/room-requests.md: every message and request has an example, as the server encodes it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Raw

from roundtable.bots import RandomBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_round
from roundtable.core.codec import plain
from roundtable.core.conduct import LONGEST_LINE, MOST_MARKS
from roundtable.core.errors import CODES
from roundtable.core.play import LONGEST_ID
from roundtable.core.seats import SPECTATOR
from roundtable.games import GAMES, new_game
from roundtable.protocol import Reader, compression, line
from roundtable.protocol.bodies import ErrorBody
from roundtable.protocol.encoding import CLIENT_PADDING, DEEPEST, ENCODER, LONGEST, reader_of, text_of_told
from roundtable.protocol.rooms import FROM_SERVER, TO_SERVER, AnyRequest, Room, Settings
from roundtable.protocol.schema import protocol_schema, schema_text
from roundtable.rooms import (
    bot_pace,
    bot_workers,
    claims,
    dispatcher,
    finished_game,
    game,
    guests,
    housekeeping,
    members,
    networks,
    opened_rooms,
    presence,
    registry,
    site_policy,
    state,
    timers,
)
from roundtable.rooms.sessions import LARGEST_FRAME, MOST_CONNECTIONS
from roundtable.server import http_protocol, limits, outbox, sockets
from roundtable.server import websocket_protocol as gateway
from roundtable.server.api import Api
from roundtable.server.limits import Limits
from roundtable.server.middleware import LONGEST_BODY
from roundtable.server.routes import ApiRoute
from roundtable.storage.records import sealed_line
from support.paths import ROOT
from support.scenes import SEED
from support.schemas import fits

DOCUMENT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
REQUESTS_PAGE = (ROOT / "docs" / "room-requests.md").read_text(encoding="utf-8")
REQUESTS = get_args(AnyRequest)
ASKED = {kind.__name__ for kind in REQUESTS}


def examples(page: str) -> list[str]:
    """One on each line; a block that begins with a brace alone is one example, laid out for people."""
    found: list[str] = []
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        is_laid_out = block.startswith("{\n")
        found += [ENCODER.encode(json.loads(block)).decode()] if is_laid_out else block.splitlines()
    return found


SAID = examples(DOCUMENT)
REQUESTED = examples(REQUESTS_PAGE)
MESSAGES = [example for example in SAID if not example.startswith("[")]
TOLD = [event for example in SAID if example.startswith("[") for event in msgspec.json.decode(example, type=list[Raw])]
WHOLE_ROOM = next(json.loads(example) for example in MESSAGES if json.loads(example)["is"] == "Room")
ANY = Reader(*FROM_SERVER, *TO_SERVER)
ANY_REQUEST: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyRequest)


# Messages and requests


@pytest.mark.parametrize("example", MESSAGES)
def test_every_example_of_a_message_is_spelled_as_we_spell_it(example: str) -> None:
    assert line(ANY.read(example)) == example.encode() + b"\n"


@pytest.mark.parametrize("example", TOLD)
def test_every_example_of_an_event_is_spelled_as_we_spell_it(example: Raw) -> None:
    event = reader_of(GAMES["avalon"].game).event(example)
    assert text_of_told(event).encode() == bytes(example)


@pytest.mark.parametrize("example", REQUESTED)
def test_every_example_of_a_request_is_spelled_as_we_spell_it(example: str) -> None:
    assert ENCODER.encode(ANY_REQUEST.decode(example)) == example.encode()


def test_every_message_has_an_example_and_is_named_under_its_direction() -> None:
    shown = list(dict.fromkeys(type(ANY.read(example)) for example in MESSAGES))
    assert shown == [*TO_SERVER, *FROM_SERVER]
    from_you, _, from_server = DOCUMENT.partition("### From the server")
    assert all(f"\n`{message.__name__}`: " in from_you for message in TO_SERVER)
    assert all(f"`{message.__name__}`: " in from_server for message in FROM_SERVER)


def test_every_request_has_an_example_and_a_row() -> None:
    assert {type(ANY_REQUEST.decode(example)) for example in REQUESTED} == set(REQUESTS)
    assert [name for name in ASKED if not re.search(rf"^\| `{name}`: .* \|$", REQUESTS_PAGE, re.MULTILINE)] == []


# The schema


def test_the_schema_in_the_documents_is_the_one_the_command_prints() -> None:
    command = [sys.executable, "-m", "roundtable.protocol.schema", "protocol"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    written = (ROOT / "docs" / "protocol-schema.json").read_text(encoding="utf-8")
    assert printed == schema_text("protocol") == written
    assert json.loads(written) == protocol_schema()


def test_the_http_api_in_the_documents_is_the_one_the_command_prints() -> None:
    command = [sys.executable, "-m", "roundtable.server.openapi"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert printed == (ROOT / "docs" / "openapi.json").read_text(encoding="utf-8")


def test_the_command_knows_its_schemas() -> None:
    command = [sys.executable, "-m", "roundtable.protocol.schema", "rubbish"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert "invalid choice: 'rubbish'" in run.stderr


def test_the_schema_leaves_nothing_undefined() -> None:
    schema = protocol_schema()
    referred = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema)))
    assert referred == set(schema["$defs"])
    assert all(schema["$defs"][name] for name in referred)


@pytest.mark.parametrize("example", TOLD)
def test_an_event_fits_the_schema_of_a_list_and_its_misspellings_fit_none(example: Raw) -> None:
    schema, event = protocol_schema(), json.loads(bytes(example))
    assert fits(schema["$defs"]["FromServer"], [event], schema)
    assert not fits(schema["$defs"]["ToServer"], [event], schema)
    assert not fits(schema, [event | {"more": 1}], schema)
    assert not fits(schema, [event | {"is": "Rubbish"}], schema)


@pytest.mark.parametrize("example", MESSAGES)
def test_an_example_fits_the_schema_of_its_direction_and_its_misspellings_fit_none(example: str) -> None:
    schema, said = protocol_schema(), json.loads(example)
    from_server, to_server = schema["$defs"]["FromServer"], schema["$defs"]["ToServer"]
    is_from_server = type(ANY.read(example)) in FROM_SERVER
    assert fits(from_server, said, schema) is is_from_server
    assert fits(to_server, said, schema) is not is_from_server
    assert not fits(schema, said | {"more": 1}, schema)
    assert not fits(schema, said | {"is": "Rubbish"}, schema)


@pytest.mark.parametrize("example", REQUESTED)
def test_an_example_of_a_request_fits_the_schema_of_an_ask(example: str) -> None:
    schema, request = protocol_schema(), json.loads(example)
    assert fits(schema["$defs"]["ToServer"], {"is": "Ask", "id": "a", "request": request}, schema)
    assert not fits(schema["$defs"]["ToServer"], {"is": "Ask", "id": "a", "request": request | {"more": 1}}, schema)


def test_what_may_be_left_out_of_a_message_may_be_left_out_of_the_schema() -> None:
    schema = protocol_schema()
    for short in ('{"is":"Enter"}', '{"is":"Ask","id":"a","request":{"is":"ChangeTable"}}'):
        assert fits(schema["$defs"]["ToServer"], json.loads(short), schema)
        ANY.read(short)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_schema_tells_what_is_in_a_view_of_every_listener(name: str) -> None:
    schema, seats, chance = protocol_schema(), GAMES[name].game.setup_type.fewest, Dice(7)
    play = new_game(name, seats, SEED)
    bots = {seat: RandomBot() for seat in range(seats)}
    while True:
        for listener in (SPECTATOR, *range(seats)):
            view = plain(play.view(listener).facts())
            assert fits(schema["$defs"]["View"], {"is": "View", "number": 1, "view": view}, schema)
            assert not fits(schema["$defs"]["TableState"], view | {"more": 1}, schema)
        if play.is_over:
            break
        ask_round(play, bots, chance)


# HTTP


@dataclass(frozen=True)
class Exchange:
    """One example of a request and its answer."""

    method: str
    path: str
    headers: dict[str, str]
    body: str | None
    status: int
    answer: str

    @property
    def row(self) -> ApiRoute:
        """The route it goes to."""
        rows = [row for row in ROWS if row.method == self.method and self.fits(row)]
        assert len(rows) == 1, f"{self.method} {self.path}"
        return rows[0]

    def fits(self, row: ApiRoute) -> bool:
        return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", row.path), self.path) is not None


def exchange(block: str) -> Exchange:
    first, *lines = block.splitlines()
    method, path = first.split(" ")
    status = next(place for place, line in enumerate(lines) if re.fullmatch(r"\d{3}", line))
    bodies = [line for line in lines[:status] if line.startswith("{")]
    headers = dict(line.split(": ", 1) for line in lines[:status] if not line.startswith("{"))
    (answer,) = lines[status + 1 :]
    return Exchange(method, path, headers, bodies[0] if bodies else None, int(lines[status]), answer)


def whole(answer: str, row: ApiRoute) -> bytes:
    """An answer with the fields that the page leaves out; those of a room are as in the example of the whole one."""
    written = answer.replace(",…}", "}").encode()
    shown = json.loads(written)
    assert ENCODER.encode(shown) == written
    return ENCODER.encode(WHOLE_ROOM | shown) if row.response is Room else written


ROWS = Api(None, Limits(), None).routes  # type: ignore[arg-type]  # no request is made here
EXCHANGES = [exchange(block) for block in re.findall(r"```http\n(.*?)```", DOCUMENT, re.DOTALL)]


@pytest.mark.parametrize("shown", EXCHANGES, ids=lambda shown: f"{shown.method} {shown.path} {shown.status}")
def test_every_example_over_http_is_read_and_spelled_as_the_server_does(shown: Exchange) -> None:
    row = shown.row
    assert (shown.body is None) is (row.body is None)
    if shown.body is not None:
        assert ENCODER.encode(msgspec.json.decode(shown.body, type=row.body)) == shown.body.encode()
    assert shown.status in (row.status, *row.refusals)
    if row.needs_token and shown.status == row.status:
        assert shown.headers["Authorization"].startswith("Bearer ")
    if shown.status == row.status and row.response is not None:
        answer = whole(shown.answer, row)
        assert ENCODER.encode(msgspec.json.decode(answer, type=row.response)) == answer
    elif shown.status != row.status:
        fault = msgspec.json.decode(shown.answer, type=ErrorBody)
        assert fault.code in CODES
        assert ENCODER.encode(fault) == shown.answer.encode()
    else:
        told = json.loads(shown.answer)
        told.pop("seal")
        told.pop("line")
        assert sealed_line(told, 1, "")[1] == shown.answer.encode()


def test_every_route_has_an_example_and_every_status_is_explained() -> None:
    granted = {(shown.method, shown.row.path) for shown in EXCHANGES if shown.status == shown.row.status}
    assert granted == {(row.method, row.path) for row in ROWS}
    assert {int(status) for status in re.findall(r"^\| (\d{3}) \|", DOCUMENT, re.MULTILINE)} == {
        status for row in ROWS for status in row.refusals
    }


# Numbers and names that the page promises


def test_the_settings_are_listed_with_their_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ", REQUESTS_PAGE, re.MULTILINE)
    usual = {name: usual.strip("`") for name, _, usual in rows}
    said = {
        name: msgspec.json.encode(part).decode().strip('"') for name, part in msgspec.structs.asdict(Settings()).items()
    }
    assert usual == said


def test_the_limits_are_those_of_the_server() -> None:
    usual = limits.Limits()
    for promise in (
        f"| {LONGEST:,} bytes; {LONGEST_BODY:,} bytes |",
        f"| arrives within {http_protocol.READING_SECONDS:.0f} seconds; the client reads "
        f"{gateway.SLOWEST_READ // 1024} KiB of it, or the rest, "
        f"in every {http_protocol.WRITING_SECONDS:.0f} seconds |",
        f"while one is answered | {http_protocol.MOST_PIPELINED // 1024} KiB |",
        f"| {usual.said_in_window} in {gateway.SAID_WINDOW:.0f} seconds, refilled evenly; as many `Ping`s besides |",
        f"| {presence.TALK_LINES} in {presence.TALK_WINDOW_MS // 1000} seconds |",
        f"| nesting of brackets in the JSON of either | {DEEPEST} |",
        f"| all chat messages of a member in one game; between two games | {game.MOST_TALK // 1024} KiB each |",
        f"| {game.MOST_ACTS_IN_PHASE} in one phase, {game.MOST_ACTS:,} in one game |",
        f"| rows of a room in which another game can start | {game.MOST_ROWS:,} |",
        f"| changes of a member's name | {members.MOST_NAMES} from one game's start to the next |",
        f"| {dispatcher.MOST_REQUESTS:,} from one game's start to the next |",
        f"| {members.MOST_MEMBERS}; {usual.sockets_per_room}, of them "
        f"{usual.sockets_per_room // sockets.NETWORK_PART} from one address |",
        f"| connections of one member; one more ends the oldest | {MOST_CONNECTIONS} |",
        f"| {usual.sockets_per_address} at a time, {4 * usual.joined_per_minute} a minute |",
        f"| {sockets.SPARE_FACTOR * usual.sockets_per_address} at a time besides, "
        f"{usual.entered_by_member} a minute for",
        f"| requests of one member | {usual.asked_by_member} a minute",
        f"| pages and files to one address | {usual.loaded_per_minute:,} a minute |",
        f"| {usual.rooms_per_address}, or up to {opened_rooms.JOINED_FACTOR * usual.rooms_per_address} if others",
        f"| {usual.written_per_minute:,} bytes of rows a minute, {networks.BURST_MINUTES} minutes' worth at once",
        f"no connection has lasted for {presence.KEPT_SECONDS} seconds yet",
        f"for {housekeeping.UNUSED_SECONDS} seconds. On a full server",
        f"closed after {housekeeping.NEW_SECONDS} seconds to make room",
        f"| {usual.asked_per_minute} a minute, of them {usual.records_per_minute} for records and replays, "
        f"and {usual.explained_per_minute} of these for why bots moved; besides, "
        f"{usual.joined_per_minute} to join and {usual.opened_per_minute} to open a room |",
        f"| {guests.LONGEST_NAME}; {LONGEST_LINE}; {LONGEST_ID} characters |",
        f"more than {outbox.MOST_WAITING // 1024} KiB of answers to your messages were waiting",
        f"up to a multiple of\n{CLIENT_PADDING} bytes",
        f"about {LARGEST_FRAME // 1024} KiB at most",
        f"after {bot_workers.MOVE_TIMEOUT:.0f} seconds moves at random",
        f"in steps of {bot_pace.ANSWER_STEP} milliseconds",
        f"at most {registry.LISTED}, the latest first",
        f"at most {finished_game.MOST_STEPS:,} steps",
        f"from {compression.SMALLEST:,} bytes on",
        f"at least 16 random bytes, in hex; {guests.TOKEN_BYTES} where the server draws it",
        f"of each member the latest {state.IDS_KEPT} are remembered",
        f"without a connection for {timers.HOST_AWAY_SECONDS} seconds",
        f"connected nor asked for anything in {presence.NO_SHOW_SECONDS} seconds",
        f"and for at least {presence.AWAY_SECONDS} seconds",
        f"these begin when the holder has been away for {presence.LOST_SECONDS} seconds",
        f"The holder has {claims.RETURN_SECONDS} seconds to come back",
        f"granted {claims.AUTOMATIC_SECONDS} seconds after it was made",
        f"cannot claim the same seat for {claims.REFUSED_SECONDS}\nseconds",
        f"six signs out of `{guests.CODE_LETTERS}`",
    ):
        assert promise in DOCUMENT + REQUESTS_PAGE
    assert (guests.CODE_LENGTH, sockets.ENTER_TIMEOUT, timers.STUCK_SECONDS) == (6, 10, 5)
    assert MOST_MARKS == 6
    assert presence.BAN_MS == 10 * 60_000
    assert site_policy.USUAL_LIMITS == (2 * 3_600_000, 24 * 3_600_000)


def test_the_tiers_of_networks_are_those_of_the_server() -> None:
    times = dict((*networks.IPV6_TIERS, *networks.IPV4_TIERS))
    assert times == {64: 1, 56: 4, 48: 16, 24: 32}
    told = " ".join(DOCUMENT.split())
    assert "A whole /56 may do 4 times as much, a /48 16 times, and an IPv4 /24 network 32 times." in told


def test_every_code_with_which_the_server_closes_is_explained() -> None:
    explained = set(re.findall(r"^\| (\d{4}) \| (?:`([^`]+)`)? ?\|", DOCUMENT, re.MULTILINE))
    ours = {sockets.UNKNOWN, sockets.FULL, limits.TOO_FAST, sockets.NO_ENTER, outbox.SLOW}
    assert explained >= {(str(code), reason) for code, reason in ours}
    assert {int(code) for code, _ in explained} == {1008, 1009, 1011, 1012, 1013, 4003, 4004, 4008, 4403}
