"""`roundtable join`: terminals at a live table, over lost connections and closed programs, and what it refuses."""

from __future__ import annotations

import asyncio
import http.server
import os
import re
import signal
import stat
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Literal

import pytest
from msgspec import Raw

from roundtable.bots.dice import Dice
from roundtable.cli import join, main
from roundtable.cli.table_link import CODE, LOCAL_SERVER, is_code, place_of
from roundtable.client import Client
from roundtable.core.catalogue import catalogue
from roundtable.games.quests.events import LeaderNamed
from roundtable.protocol import Asked
from roundtable.protocol import rooms as ask
from roundtable.protocol.bodies import Membership, OpenRoom
from roundtable.protocol.rooms import Kick, Settings, SettingsChange, Start
from roundtable.rooms.guests import CODE_LETTERS, room_codes
from roundtable.storage import verify_record
from roundtable.terminal.asking import Aside
from roundtable.terminal.keyboard import Line
from roundtable.terminal.memberships import Memberships
from roundtable.terminal.room_commands import ROOM_COMMANDS, Place
from support.live_server import LiveServer, changed_program
from support.terminal_session import CTRL_C, PROMPT, TerminalSession, legal_answer

OVER = "The game is over."
LOOK = re.compile(r"Press Enter when no one else can see your screen: $")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(tmp_path / "rooms.db", keeps_address=True, program=changed_program()) as served:
        yield served
        assert served.stop() == 0


def join_at(link: str, home: Path, *more: str) -> TerminalSession:
    return TerminalSession(link, *more, command="join", environment={"XDG_DATA_HOME": str(home)})


class Person:
    """A player at a terminal who answers every question."""

    def __init__(self, session: TerminalSession, seed: int) -> None:
        self.session = session
        self._dice = Dice(seed)
        self._answered = 0
        self.questions = 0

    def answer(self) -> None:
        """Answer the question on the screen, if there is a new one."""
        self.session.read_what_is_there()
        text = self.session.text
        is_asked = PROMPT.search(text) or LOOK.search(text)
        if is_asked and len(text) > self._answered:
            self._answered = len(text)
            self.questions += 1
            self.session.press(legal_answer(text, self._dice).encode() + b"\n")


@pytest.mark.slow
def test_two_terminals_and_bots_play_a_game_over_a_crash_and_a_closed_terminal(
    server: LiveServer, tmp_path: Path
) -> None:
    host = join_at(server.url, tmp_path / "an", "--open", "avalon", "--name", "An")
    link = host.read_until(r"Friends join at http://\S+/r/\w{6}$").split()[-1]
    host.read_until("for help: $")
    guest = join_at(link, tmp_path / "binh")
    guest.read_until("Your name: $")
    guest.press("Bình\n".encode())
    guest.read_until(r"2  Bình \(you\)")
    host.read_until(r"2  Bình$")
    guest.press("say Chào cả nhà!\n".encode())
    host.read_until("Bình: Chào cả nhà!$")
    guest.press(b"start\n")
    guest.read_until("Only the host can do that.")
    guest.press(b"ready\n")
    host.read_until(r"2  Bình \(ready\)")
    host.press(b"bots\n")
    host.read_until(r"5  a bot$")
    host.press(b"kick 5\n")
    host.read_until(r"5  \(free\)$")
    host.press(b"?\n")
    assert "bots " in host.read_until("show this help")
    host.press(b"bots\n")
    host.read_until(r"5  a bot$")
    host.press(b"set pace quick\n")
    host.read_until(r"pace +instant/\[quick\]/human/slow +how fast bots play")
    host.press(b"?\n")
    assert not re.search("^  (bots|again|wait|won|change|r) ", host.read_until("show this help"), re.MULTILINE)
    host.press(b"start\n")
    host.read_until("Not ready yet: An")
    host.press(b"start now\n")

    people = [Person(host, 1), Person(guest, 2)]
    for session in (host, guest):
        session.read_until("Press Enter when no one else can see your screen: $")
        assert not re.search(r"You are (Merlin|Percival|a Loyal|Loyal|the Assassin|Assassin|Morgana)", session.screen)
    has_crashed = has_returned = False  # in the shortest game each answers five questions: two looks, three votes
    while not all(OVER in person.session.text for person in people):
        for person in people:
            person.answer()
        if not has_crashed and people[0].questions >= 3:
            has_crashed = True
            server.kill()
            for person in people:
                person.session.read_until("The connection is lost. Trying to come back…")
            server.start()
            for person in people:
                person.session.read_until("Connected again.")
        elif has_crashed and not has_returned and people[1].questions >= 4:
            has_returned = True
            guest.press(CTRL_C)
            guest.read_until("Your seat is kept. The same command brings you back.")
            assert guest.leave() == 0
            guest = join_at(link, tmp_path / "binh")
            guest.read_until("Welcome back, Bình")
            guest.read_until("You are Bình, in seat 2.")
            people[1] = Person(guest, 3)
    assert has_crashed
    assert has_returned
    for session in (host, guest):
        told = session.read_until("Everything is revealed.")
        assert len(re.findall(r"You won, |You lost this time, ", told)) == 1
        session.press(b"q\n")
        session.read_until("Your seat is kept.")
        assert session.leave() == 0
    record = tmp_path / "game.jsonl"
    record.write_bytes(asyncio.run(Client(server.url).http.record(link[-6:], 1)))
    assert verify_record(record).game == "avalon"
    kept = tmp_path / "binh" / "roundtable" / "memberships.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    token = Memberships(kept).names(server.url, link[-6:])["Bình"].token
    assert token not in host.seen + guest.seen


@pytest.mark.slow
def test_a_terminal_that_falls_behind_lets_the_person_look_first(server: LiveServer, tmp_path: Path) -> None:
    """All that happened up to the first vote comes at once, as on a busy machine."""
    host = asyncio.run(open_table(server))
    guest = join_at(f"{server.url}/r/{host.room}", tmp_path, "--name", "An")
    guest.read_until(r"2  An \(you\)")
    guest.press(b"ready\n")
    guest.read_until(r"2  An \(you, ready\)")
    os.kill(guest.process.pid, signal.SIGSTOP)
    asyncio.run(play_to_a_vote(server, host))
    os.kill(guest.process.pid, signal.SIGCONT)
    guest.read_until(LOOK.pattern)
    guest.press(b"\n")
    guest.read_until("You are ")
    guest.press(CTRL_C)
    assert guest.leave() == 0


async def play_to_a_vote(server: LiveServer, host: Membership) -> None:
    """Start a game, and go on until the first team is named; the guest in seat 1 names none."""
    async with Client(server.url) as client:
        table = await client.enter(host)
        await table.ask(ask.SeatBot())
        await table.ask(ask.ChangeSettings(settings=SettingsChange(bot_pace="instant")))
        await table.ask(ask.SayReady(is_ready=True))
        await table.ask(Start())
        async for news in table.events():
            if table.view is not None and table.view.phase.name == "vote":
                return
            if isinstance(news, Asked) and table.options:
                await table.act(next(iter(table.options[0])))
            elif isinstance(news, LeaderNamed) and news.seat == 1:
                return


@pytest.mark.slow
def test_who_is_removed_leaves_or_finds_no_room_reads_one_sentence(
    server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(join, "FIRST_ANSWER", 0.0)
    monkeypatch.setattr("roundtable.terminal.keyboard.read_keys", lambda deliver: None)
    host = asyncio.run(open_table(server))
    link = f"{server.url}/r/{host.room}"
    person = join_at(link, tmp_path, "--name", "An")
    person.read_until(r"2  An \(you\)")
    asyncio.run(Client(server.url).http.ask(host, Kick(member=2)))
    person.read_until("roundtable: The host removed you from this table; ask them to let you back in.$")
    assert person.leave() == 2
    assert Memberships().names(server.url, host.room) == {}

    person = join_at(link.removeprefix("http://"), tmp_path, "--name", "Chi", "--lang", "vi")
    person.read_until(r"\(bạn\)")
    person.press(b"leave\n")
    person.read_until("Gõ có: $")
    person.press("có\n".encode())
    person.read_until("Bạn đã rời bàn.")
    assert person.leave() == 0
    assert Memberships().names(server.url, host.room) == {}

    codes: SimpleQueue[str] = SimpleQueue()
    is_over = threading.Event()
    holding = threading.Thread(target=lambda: asyncio.run(hold_full_table(server, codes, is_over)), daemon=True)
    holding.start()
    secure = server.url.replace("http:", "https:")
    refusals = {
        f"{server.url}/r/{codes.get()}": "Every seat is taken, and the host doesn’t allow spectators.",
        f"{server.url}/r/AAAAAA": "There’s no such table, or you’re not at it.",
        f"{server.url}/": f"'{server.url}/' is a server, not a table",
        f"{secure}/r/{host.room}": f"{secure} can’t be reached over https",
    }
    for typed, sentence in refusals.items():
        assert main(["join", typed, "--name", "Dan"]) == 2
        refused = capsys.readouterr().err
        assert refused.startswith(f"roundtable: {sentence}")
        assert len(refused.splitlines()) == 1
    is_over.set()
    holding.join()


@pytest.mark.slow
def test_the_host_at_a_terminal_says_who_won_a_game_that_was_only_dealt(  # A27, C7
    server: LiveServer, tmp_path: Path
) -> None:
    room = asyncio.run(deal_to_five(server, tmp_path / "roundtable" / "memberships.json"))
    host = join_at(f"{server.url}/r/{room}", tmp_path, "--name", "An")
    host.read_until("no one else can see your screen: $")
    host.press(b"\n")
    host.read_until("press Enter to hide it")
    host.press(b"\n")
    host.read_until("The host types won when it’s over")
    host.press(b"won\n")
    menu = host.read_until("Your choice: $")
    assert "2  Evil wins! Three quests failed." in menu
    assert "Merlin" not in menu.partition("types won")[2]
    host.press(b"2\n")
    host.read_until("Evil wins! Three quests failed. Well played,")
    host.press(b"won\n")
    host.read_until("The host says who won, after a game that was played face to face.")
    host.press(b"q\n")
    assert host.leave() == 0


async def deal_to_five(server: LiveServer, memberships: Path) -> str:
    """The room of a game that was only dealt, without Merlin; the host's membership is kept in this file."""
    async with Client(server.url) as client:
        table = await client.open("An", game="avalon", options={"merlin": False}, settings=Settings(in_person="deal"))
        for number in range(4):
            await client.join(table.room.code, f"Guest {number}")
        assert table.membership
        await client.http.ask(table.membership, Start())
        Memberships(memberships).keep(server.url, "An", table.membership)
        return table.room.code


@pytest.mark.slow
def test_a_player_who_was_not_ready_is_told_of_the_game_before_a_question(server: LiveServer, tmp_path: Path) -> None:
    http = Client(server.url).http
    host = asyncio.run(http.open_room(OpenRoom(name="Host", game="saviom", seats=6)))
    person = join_at(f"{server.url}/r/{host.room}", tmp_path, "--name", "An")
    person.read_until(r"2  An \(you\)")
    asyncio.run(http.ask(host, ask.SeatBot()))
    person.read_until("6  a bot")
    asyncio.run(http.ask(host, Start(without_unready=True)))
    told = person.read_until("You are An, in seat 2.")
    assert "6 players sit down to play" in told
    assert "Who do you accuse?" not in told
    person.press(CTRL_C)
    assert person.leave() == 0


async def open_table(server: LiveServer) -> Membership:
    async with Client(server.url) as client:
        table = await client.open("Host", settings=Settings(has_spectators=False))
        assert table.membership
        return table.membership


async def hold_full_table(server: LiveServer, codes: SimpleQueue[str], is_over: threading.Event) -> None:
    """A table whose five people are all connected."""
    async with Client(server.url) as client:
        table = await client.open("Host", settings=Settings(has_spectators=False))
        for number in range(4):
            await client.join(table.room.code, f"Guest {number}")
        codes.put(table.room.code)
        await asyncio.to_thread(is_over.wait)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        *(
            ([rubbish], "A link to a table looks like http://192.168.1.7:8000/r/K7MPQ2, and its code like K7MPQ2;")
            for rubbish in (
                "nonsense",
                "nonsense!",
                "",
                "\x1b[2J",
                "ABCDE",
                "ABCDE0",  # codes have no 0
                "http://",
                "http:///r/ABCDEF",
                "http:/127.0.0.1:9/r/ABCDEF",
                "http//127.0.0.1:9/r/ABCDEF",
                "ftp://127.0.0.1:9/r/ABCDEF",
                "http://me:secret@127.0.0.1:9/r/ABCDEF",
                "http://127.0.0.1:9/r",
                "http://127.0.0.1:9/r/",
                "http://127.0.0.1:9/r/<script>",
                "http://127.0.0.1:9/r/ABCDEFG",
                "http://127.0.0.1:9/r/ABCDEF/2",
                "http://127.0.0.1:9/tv",
                "http://127.0.0.1:9/record/ABCDEF/1",
            )
        ),
        (["http://127.0.0.1:9/"], "'http://127.0.0.1:9/' is a server, not a table: add the table’s code"),
        (["table.example.org"], "'table.example.org' is a server, not a table: add the table’s code"),
        (["http://127.0.0.1:99999/r/ABCDEF"], "An address looks like"),
        (["ABCDEF", "--server", "::::"], "An address looks like"),
        (["ABCDEF", "--server", "my server"], "An address looks like"),
        (["http://127.0.0.1:9/r/ABCDEF"], "No answer from http://127.0.0.1:9 for "),
        (["ABCDEF", "--server", "127.0.0.1:9"], "No answer from http://127.0.0.1:9 for 0 seconds: Connection refused"),
        (["http://no-such-host.invalid/r/ABCDEF"], "No answer from http://no-such-host.invalid for "),
        (["127.0.0.1:9", "--open", "chess", "--name", "An"], "There is no game called 'chess'"),
        (["127.0.0.1:9", "--open", "avalon", "--seats", "-3", "--name", "An"], "Avalon takes 5 to 10 players"),
    ],
)
def test_a_link_that_leads_nowhere_gets_one_sentence(
    arguments: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(join, "FIRST_ANSWER", 0.0)
    monkeypatch.setattr("roundtable.terminal.keyboard.read_keys", lambda deliver: None)
    assert main(["join", *arguments]) == 2
    refused = capsys.readouterr().err
    assert refused.startswith(f"roundtable: {complaint}")
    assert (len(refused.splitlines()), refused[-2:]) == (1, ".\n")
    assert "\x1b" not in refused


@pytest.mark.parametrize("answer", [b"<html>hello</html>", b"\xff\x00", b"[" * 5000])
def test_another_kind_of_server_gets_one_sentence(
    answer: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None: ...

    monkeypatch.setattr(join, "FIRST_ANSWER", 0.0)
    monkeypatch.setattr("roundtable.terminal.keyboard.read_keys", lambda deliver: None)
    with http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.handle_request, daemon=True).start()
        assert main(["join", f"http://127.0.0.1:{other.server_port}/r/ABCDEF", "--name", "An"]) == 2
    refused = capsys.readouterr().err
    assert refused.startswith("roundtable: Expected Room.")
    assert len(refused.splitlines()) == 1


@pytest.mark.parametrize(
    ("typed", "server"),
    [
        (("k7mpq2",), LOCAL_SERVER),
        ((" K7M-pq2",), LOCAL_SERVER),
        (("K7MPQ2", "table.example.org"), "http://table.example.org"),
        (("  https://table.example.org/r/K7MPQ2/?lang=vi#x ",), "https://table.example.org"),
        (("<https://table.example.org:8443/r/k7mpq2>",), "https://table.example.org:8443"),
        (("HTTP://table.example.org/R/K7MPQ2",), "http://table.example.org"),
        (("https://example.org/our/games/r/K7MPQ2",), "https://example.org/our/games"),
        (("http://192.168.1.7:8000/tv/K7MPQ2",), "http://192.168.1.7:8000"),
        (("192.168.1.7:8000/r/K7MPQ2",), "http://192.168.1.7:8000"),
        (("http://[::1]:8000/r/K7MPQ2",), "http://[::1]:8000"),
    ],
)
def test_a_code_is_typed_in_any_case_and_a_link_as_people_paste_it(typed: tuple[str, ...], server: str) -> None:
    assert place_of(*typed) == (server, "K7MPQ2")


@pytest.mark.parametrize(
    ("typed", "request_or_complaint"),
    [
        ("kick 1", ask.Kick(member=1)),
        ("kick bình", ask.Kick(member=2)),
        ("kick 3", ask.RemoveBot(seat=2)),
        ("kick 4", "Type kick and a name or a taken seat from 1 to 4, such as kick 3."),
        ("kick 5", "Type kick and a name or a taken seat from 1 to 4, such as kick 3."),
        ("kick", "Type kick and a name or a taken seat from 1 to 4, such as kick 3."),
        ("sit 4", ask.TakeSeat(seat=3)),
        ("sit 0", "Type sit and a number from 1 to 4, such as sit 2."),
        ("start", ask.Start()),
        ("start now", ask.Start(without_unready=True)),
        ("set chat off", ask.ChangeSettings(settings=ask.SettingsChange(has_chat=False))),
    ],
)
def test_a_word_becomes_a_request_of_the_room(typed: str, request_or_complaint: ask.Request | str) -> None:
    name, _, rest = typed.partition(" ")
    place = place_in_lobby(me=1)
    if isinstance(request_or_complaint, str):
        with pytest.raises(Aside, match=re.escape(request_or_complaint)):
            ROOM_COMMANDS[name].request(place, rest)
    else:
        assert ROOM_COMMANDS[name].request(place, rest) == request_or_complaint


@pytest.mark.parametrize("typed", ["", "pace", "pace fast", "spectator_delay 3", "chat of"])
def test_what_is_no_setting_shows_the_settings(typed: str) -> None:
    shown = str(ROOM_COMMANDS["set"].request(place_in_lobby(me=1), typed))
    assert shown.startswith("Type set, a setting and its value, such as set pace quick. Now:\n  pace ")
    assert "instant/quick/[human]/slow" in shown


def test_only_commands_that_apply_are_listed() -> None:
    assert [*place_in_lobby(me=1).commands()] == ["ready", "sit", "stand", "start", "start_now", "bots", "kick", "set"]
    assert [*place_in_lobby(me=2).commands()] == ["wait", "sit", "stand"]
    assert [*place_in_lobby(me=3).commands()] == ["sit"]
    assert [*place_in_lobby(me=3, stage="playing").commands()] == ["sit"]
    assert [*place_in_lobby(me=2, stage="playing").commands()] == []
    assert [*place_in_lobby(me=1, stage="over").commands()] == ["again", "kick", "set"]


def place_in_lobby(me: int, stage: Literal["lobby", "playing", "over"] = "lobby") -> Place:
    """An is the host, Bình is ready, a bot has the third seat, the fourth is free, and Chi watches."""
    people = [("An", False), ("Bình", True), ("Chi", False)]
    room = ask.Room(
        code="K7MPQ2",
        stage=stage,
        number=0,
        game="avalon",
        setup=Raw(b"{}"),
        roles=(),
        rounds=Raw(b"[]"),
        settings=Settings(),
        host=1,
        members=tuple(
            ask.RoomMember(member=number, name=name, avatar="", is_here=True, is_ready=is_ready, is_silenced=False)
            for number, (name, is_ready) in enumerate(people, 1)
        ),
        removed=(),
        seats=tuple(
            ask.RoomSeat(member=member, bot=bot, stand_in=None, is_silenced=False)
            for member, bot in ((1, None), (2, None), (None, "careful"), (None, None))
        ),
        looked=(),
        looking_until=None,
        seat_claims=(),
        problems=(),
        notices=(),
        casting=(),
        endings=(),
    )
    return Place(room, me, catalogue("en"))


def test_every_code_that_a_server_draws_is_understood() -> None:
    assert all(is_code(code) for code in islice(room_codes("token"), 200))
    assert all(CODE.fullmatch(6 * letter) for letter in CODE_LETTERS)
    assert not any(CODE.fullmatch(6 * letter) for letter in "IO01")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("hello\n", "hello"),
        ("helo\x7flo\r", "hello"),
        ("say one two\x17three\n", "say onethree"),
        ("wrong\x15right\n", "right"),
        ("a\x1b[A\x1b[3~b\x1bOPc\n", "abc"),
        ("e\u0302\u0303\x7fx\n", "x"),
        ("\x07\x00ok\u202e\n", "ok"),
        ("x" * 5000 + "\n", "x" * 1000),
    ],
)
def test_a_line_is_edited_as_people_expect(keys: str, line: str) -> None:
    assert Line().type(keys) == line


def test_what_is_typed_ahead_belongs_to_the_next_question() -> None:
    typed = Line()
    assert typed.type("one\ntw") == "one"
    assert typed.has_more
    assert typed.type("o\n") == "two"
    with pytest.raises(EOFError):
        typed.type("\x04")


def test_memberships_are_kept_by_room_and_name_for_their_owner_alone(tmp_path: Path) -> None:
    kept = Memberships(tmp_path / "deep" / "memberships.json")
    assert kept.names("http://a", "ABCDEF") == {}
    an, chi = (Membership(room="ABCDEF", member=member, token=f"{member:032x}") for member in (1, 2))
    kept.keep("http://a", "An", an)
    kept.keep("http://a", "Chi", chi)
    assert kept.names("http://a", "ABCDEF") == {"An": an, "Chi": chi}
    assert kept.names("http://b", "ABCDEF") == {}
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    kept.forget("http://a", "ABCDEF", "An")
    assert kept.names("http://a", "ABCDEF") == {"Chi": chi}
    assert [path.name for path in kept.path.parent.iterdir()] == ["memberships.json"]


@pytest.mark.parametrize("rubbish", ["", "{", "{}", "[1, null, {}]", '[{"server": 1}]', "\ud800"])
def test_a_file_that_is_none_of_ours_is_no_obstacle(rubbish: str, tmp_path: Path) -> None:
    path = tmp_path / "memberships.json"
    path.write_bytes(rubbish.encode(errors="surrogatepass"))
    kept = Memberships(path)
    assert kept.names("http://a", "ABCDEF") == {}
    kept.keep("http://a", "An", Membership(room="ABCDEF", member=1, token="0" * 32))
    assert [*kept.names("http://a", "ABCDEF")] == ["An"]
