"""The referee with bots as real processes: correct ones, and every kind of misbehaviour."""

from __future__ import annotations

import json
import os
import re
import secrets
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from roundtable.bots import RandomBot
from roundtable.cli import main
from roundtable.core.codec import encode
from roundtable.core.play import Play
from roundtable.games import GAMES, game_named, new_game
from roundtable.protocol import PROTOCOL, Answered, Asked, Heard, Over, Welcome, encoded, encoded_offers, line
from roundtable.referee.program import MOST_UNREAD, BotProcess, Departure
from roundtable.referee.programs import Programs
from roundtable.referee.referee import Referee
from roundtable.storage import read_record, verify_record
from roundtable.text.names import names_for
from roundtable.text.teller import teller_of
from support.paths import ROOT
from support.scenes import SEED
from support.sizes import IS_SOAK
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow  # each starts programs of its own

PYTHON_BOT = f"{shlex.quote(sys.executable)} {ROOT / 'examples' / 'random_bot.py'}"
NODE_BOT = f"node {ROOT / 'examples' / 'random_bot.js'}"
SEATS = {"avalon": 5, "thavalon": 8, "saviom": 7}
UNHURRIED = 240  # seconds to think: less than a run of the referee may take, more than any honest program needs

PRELUDE = """
import json, os, random, signal, subprocess, sys
heard = sys.stdin
chance = random.Random(SEED)
acts = 0
def say(message):
    print(json.dumps(message), flush=True)
def act(action):
    global acts
    acts += 1
    say({"is": "Act", "id": f"act-{acts}", "action": action})
def answer(asked):
    offers = [offer for offer in asked["options"] if offer["kind"] != "Surrender"]
    if offers:
        act(chance.choice(chance.choice(offers)["moves"]))
    else:
        say({"is": "Pass", "phase": asked["phase"]})
def questions():
    for line in heard:
        message = json.loads(line)
        if message["is"] == "Over":
            sys.exit(0)
        if message["is"] == "Asked":
            yield message
"""


def bot(folder: Path, body: str, seed: int = 0) -> str:
    """A program for a seat, as the command that runs it."""
    script = folder / f"bot-{secrets.token_hex(4)}.py"
    script.write_text(PRELUDE.replace("SEED", str(seed)) + body)
    return f"{shlex.quote(sys.executable)} -I -S {script}"


def referee(game: str, bots: dict[int, str], *more: object) -> subprocess.CompletedProcess[str]:
    seated = [part for seat, command in bots.items() for part in ("--bot", f"{seat}={command}")]
    command = [sys.executable, "-m", "roundtable", "referee", game, "--seats", str(SEATS.get(game, 5)), *seated]
    return subprocess.run([*command, *map(str, more)], capture_output=True, text=True, check=False, timeout=PATIENCE)


def result_of(run: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert run.returncode == 0, run.stderr
    result: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return result


def is_faulty(conduct: dict[str, Any]) -> bool:
    return bool(conduct["late"] or conduct["refused"] or conduct["left"])


@pytest.fixture(autouse=True)
def no_process_stays_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Processes of a test inherit a mark in their environment; after the test no process has it."""
    mark = f"ROUNDTABLE_MARK={secrets.token_hex(8)}"
    monkeypatch.setenv(*mark.split("="))
    yield
    wait_until(lambda: not marked(mark), "the end of every process that the test started")


def marked(mark: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*") if Path("/proc/self/environ").exists() else ():
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
        except OSError:
            continue
    return found


# Correct programs


@pytest.mark.parametrize("example", ["random_bot.py", "random_bot.js"])
def test_an_example_is_at_most_thirty_lines_and_needs_nothing_of_ours(example: str) -> None:
    text = (ROOT / "examples" / example).read_text()
    assert len(text.splitlines()) <= 30
    assert not re.search(r"import roundtable|require\(.*roundtable", text)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize("game", GAMES)
def test_programs_in_two_languages_play_a_whole_game_and_its_record_verifies(game: str, tmp_path: Path) -> None:
    bots = {seat: NODE_BOT if seat % 4 == 1 else PYTHON_BOT for seat in range(SEATS[game])}
    run = referee(game, bots, "--seconds", UNHURRIED, "--record", tmp_path / "game.jsonl", "--json")
    result = result_of(run)
    assert [is_faulty(conduct) for conduct in result["bots"]] == [False] * SEATS[game]
    assert run.stderr == ""
    assert encode(verify_record(tmp_path / "game.jsonl").outcome) == encode(result["outcome"])


def test_a_program_that_cannot_be_started_leaves_no_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    run = referee("avalon", {0: PYTHON_BOT, 1: "nosuch"}, "--record", path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "roundtable: nosuch: No such file or directory.\n"
    assert not path.exists()
    assert referee("avalon", {0: PYTHON_BOT}, "--seconds", UNHURRIED, "--record", path).returncode == 0
    assert path.exists()


def test_a_record_that_is_there_already_stays_and_no_program_does(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("mine")
    run = referee("avalon", {0: PYTHON_BOT}, "--record", path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "File exists" in run.stderr
    assert path.read_text() == "mine"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("avalon", ["choose_quests=yes", "excalibur=both", "lady=yes"]),
        ("thavalon", ["clock=no", "first_round=paired", "no_target_call=yes"]),
        ("saviom", ["mode=advanced", "early_end=yes", "begins_with=night"]),
    ],
)
def test_an_example_plays_legally_under_house_rules_too(game: str, options: list[str], tmp_path: Path) -> None:
    chosen = [part for option in options for part in ("--option", option)]
    for seed in ("one", "two"):
        bots = dict.fromkeys(range(10), f"{PYTHON_BOT} {seed}")
        run = referee(game, bots, "--seats", 10, "--seconds", UNHURRIED, "--seed", seed, "--json", *chosen)
        assert [is_faulty(conduct) for conduct in result_of(run)["bots"]] == [False] * 10


def test_the_story_is_told_and_seats_without_a_program_get_a_bot_of_the_house() -> None:
    run = referee("avalon", {3: PYTHON_BOT}, "--seconds", UNHURRIED)
    assert run.returncode == 0
    assert run.stdout.startswith("5 players sit down to play Avalon")
    assert "Everything is revealed." in run.stdout
    assert run.stderr == ""


def test_with_json_the_last_line_is_the_result_and_there_is_no_other() -> None:
    run = referee("saviom", {}, "--json", "--seed", "tea")
    result = result_of(run)
    assert len(run.stdout.splitlines()) == 1
    assert (result["game"], result["seats"], result["bots"]) == ("saviom", 7, [])
    assert result["outcome"]["is"] == "Outcome"


SLOWLY = "for asked in questions():\n    sum(range(random.randrange(500_000)))\n    answer(asked)\n"
QUICKLY = "for asked in questions():\n    answer(asked)\n"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_game_however_fast_the_programs_are(game: str, tmp_path: Path) -> None:  # C8
    records: list[bytes] = []
    for body in (QUICKLY, SLOWLY):
        path = tmp_path / f"{len(records)}.jsonl"
        bots = {seat: bot(tmp_path, body, seed=seat) for seat in (0, 2, 4)}
        result_of(referee(game, bots, "--seed", "tea", "--seconds", UNHURRIED, "--record", path, "--json"))
        records.append(path.read_bytes())
    assert records[0] == records[1]


# Votes yes, plays what comes first, and declares as soon as may be; leaders want the first seats they can get.
HASTY = """
phase = 0
for asked in questions():
    if asked["phase"] == phase:
        print("asked again", file=sys.stderr, flush=True)
    phase = asked["phase"]
    offered = {offer["kind"]: offer["moves"] for offer in asked["options"]}
    kinds = ["DeclareArthur", "ProposeTeam", "CastVote", "PlayCard"]
    move = next((offered[kind][0] for kind in kinds if kind in offered), None)
    act(move) if move else say({"is": "Pass", "phase": phase})
"""


def test_an_answer_that_another_seats_made_illegal_is_asked_for_again(tmp_path: Path) -> None:  # T21 C5
    """Of the games of six seeds, the first in which it happens is enough; `make soak` plays all six."""
    hasty = dict.fromkeys(range(8), bot(tmp_path, HASTY))
    asked_again = 0
    for seed in range(6):
        run = referee("thavalon", hasty, "--seconds", UNHURRIED, "--seed", seed, "--json")
        assert [is_faulty(conduct) for conduct in result_of(run)["bots"]] == [False] * 8
        asked_again += "asked again" in run.stderr
        if asked_again and not IS_SOAK:
            break
    assert asked_again > 0


# What a program receives

EAVESDROPPER = """
copy = open(sys.argv[1], "wb", buffering=0)
def copied():
    for line in sys.stdin.buffer:
        copy.write(line)
        yield line
heard = copied()
open_to_me = []
for line in heard:
    message = json.loads(line)
    if message["is"] == "Welcome":
        seat = message["seat"]
    if message["is"] == "Heard" and message["event"]["is"] == "FloorGiven":
        event = message["event"]
        open_to_me = [name for name in open_to_me if name != event["channel"]]
        open_to_me += [event["channel"]] if seat in event["speakers"] else []
    if message["is"] == "Asked":
        if open_to_me:
            act({"is": "Say", "channel": chance.choice(open_to_me), "text": f"I am seat {seat}."})
        answer(message)
    if message["is"] == "Over":
        break
"""


def expected_lines(path: Path, seat: int, names: tuple[str, ...], milliseconds: int) -> dict[str, list[bytes]]:
    """All that a seat may receive, by kind, from nothing but the record and that seat's view of it."""
    record = read_record(path)
    game = game_named(record.game)
    play = Play(game, record.entries)
    assert play.outcome is not None
    setup = play.state.setup
    asked: list[bytes] = []
    for count in range(2, len(record.entries) + 1):
        then = Play(game, record.entries[:count])
        number, name = then.phase.number, then.phase.name
        if not then.is_over and number > len(asked):
            choice = encoded_offers(game.options(then.view(seat), seat), number)
            asked.append(line(Asked(phase=number, name=name, milliseconds=milliseconds, options=choice)))
    welcome = Welcome(protocol=PROTOCOL, game=game.name, seat=seat, setup=encoded(setup), names=names)
    return {
        "Welcome": [line(welcome)],
        "Heard": [line(Heard(number=told.number, event=encoded(told.event))) for told in play.heard(seat)],
        "Asked": asked,
        "Answered": [line(Answered(id=entry.id)) for entry in record.entries if entry.actor == seat],
        "Over": [line(Over(outcome=encoded(play.outcome)))],
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_program_receives_what_its_seat_may_hear_and_not_a_byte_more(game: str, tmp_path: Path) -> None:  # C4
    seats = SEATS[game]
    path = tmp_path / "game.jsonl"
    copies = [tmp_path / f"received-{seat}" for seat in range(seats)]
    bots = {seat: f"{bot(tmp_path, EAVESDROPPER, seat)} {copies[seat]}" for seat in range(seats)}
    result_of(referee(game, bots, "--seconds", UNHURRIED, "--record", path, "--json", "--seed", "secrets"))
    record = read_record(path)
    dealt = [event for entry in record.entries for event in entry.events if type(event).__name__ == "RoleDealt"]
    seed = re.search(rb'"seed":"([0-9a-f]{64})"', path.read_bytes())
    assert seed is not None
    for seat in range(seats):
        received = copies[seat].read_bytes()
        lines = received.splitlines(keepends=True)
        by_kind: dict[str, list[bytes]] = {}
        for told in lines:
            by_kind.setdefault(json.loads(told)["is"], []).append(told)
        refused = by_kind.pop("Refused", [])  # talk after the floor was taken, moves that others overtook
        expected = expected_lines(path, seat, tuple(record.names), UNHURRIED * 1000)
        assert by_kind == expected
        assert all(json.loads(line)["code"] in ("action/late", "talk/closed") for line in refused)
        assert (lines[0], lines[-1]) == (expected["Welcome"][0], expected["Over"][0])
        before_the_end = received[: received.index(b'"GameEnded"')]
        assert [event.seat for event in dealt if encode(event) in before_the_end] == [seat]  # type: ignore[attr-defined]
        assert seed.group(1) not in before_the_end
        assert seed.group(1) in received


# Programs that misbehave

FORK_AND_LEAVE = 'subprocess.Popen(["sleep", "infinity"])\n'
ROGUES = {
    "hangs": ("signal.pause()", "late"),
    "hangs in the middle": (
        "for asked in questions():\n  answer(asked)\n  asked['phase'] > 3 and signal.pause()",
        "late",
    ),
    "is stopped": ("os.kill(os.getpid(), signal.SIGSTOP)", "late"),
    "will not be ended": (
        f"signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{QUICKLY.replace('questions', 'forever')}",
        "",
    ),
    "crashes at the start": ("sys.exit(3)", "ended with exit code 3"),
    "crashes in the middle": (
        "for asked in questions():\n  answer(asked)\n  asked['phase'] > 2 and sys.exit(7)",
        "ended with exit code 7",
    ),
    "raises": ("for asked in questions():\n  answer(asked['phase'])", "ended with exit code 1"),
    "is killed": ("os.kill(os.getpid(), signal.SIGSEGV)", "ended by signal 11"),
    "closes its output": ("os.close(1)\nsignal.pause()", "closed its pipes"),
    "closes its input": ("os.close(0)\nsignal.pause()", "late"),
    "floods lines": ("while True: print('x')", "flooded the table"),
    "floods bytes": ("while True: sys.stdout.write('x' * 999)", "flooded the table"),
    "floods standard error": ("while True: sys.stderr.write('x' * 999)", "flooded its standard error"),
    "talks binary": (
        "for asked in questions():\n  sys.stdout.buffer.write(bytes(range(256)) + b'\\n')\n  answer(asked)",
        "refused",
    ),
    "talks nonsense": (
        "for asked in questions():\n  say(['fail', None])\n  print('[' * 5000)\n  answer(asked)",
        "refused",
    ),
    "sends huge lines": ("for asked in questions():\n  say('x' * 20000)\n  answer(asked)", "refused"),
    "never ends a line": ("sys.stdout.write('{')\nsys.stdout.flush()\nsignal.pause()", "late"),
    "lies about the seat": (
        "for asked in questions():\n  for offer in asked['options']:\n"
        "    say({'is': 'Act', 'id': 'x', 'seat': 1, 'action': offer['moves'][0]})\n  answer(asked)",
        "refused",
    ),
    "lies about the phase": (
        "for asked in questions():\n  for offer in asked['options']:\n"
        "    act({**offer['moves'][0], 'phase': asked['phase'] + 1})\n  say({'is': 'Pass', 'phase': 10 ** 9})\n"
        "  answer(asked)",
        "refused",
    ),
    "lies about the id": (
        "for asked in questions():\n  for offer in asked['options'][:1]:\n    for id in ('', 'é', '\\ud800', 'same'):\n"
        "      say({'is': 'Act', 'id': id, 'action': {'is': 'Say', 'channel': 'table', 'text': repr(asked)[:99]}})\n"
        "  answer(asked)",
        "refused",
    ),
    "plays the host": (
        "for asked in questions():\n  act({'is': 'Expire', 'phase': asked['phase']})\n  act({'is': 'Pause'})\n"
        "  act({'is': 'StartCountdown', 'phase': asked['phase'], 'seconds': 1})\n  answer(asked)",
        "refused",
    ),
    "answers late": (
        "last = None\nfor asked in questions():\n  last and answer(last)\n  last = asked",  # when it is asked the next
        "late",
    ),
    "leaves a child with its pipes": (FORK_AND_LEAVE + "sys.exit(0)", "ended with exit code 0"),
    "leaves a child that ran away": (  # and that ends when its input does
        'subprocess.Popen(["sh", "-c", "cat >/dev/null; :"], start_new_session=True)\nsys.exit(0)',
        "ended with exit code 0",
    ),
    "plays on with a child": (FORK_AND_LEAVE + QUICKLY, ""),
}
FOREVER = """
def forever():
    for line in heard:
        message = json.loads(line)
        if message["is"] == "Asked":
            yield message
    signal.pause()
"""


@pytest.mark.slow
@pytest.mark.parametrize("rogue", ROGUES)
def test_a_program_that_misbehaves_is_named_and_stops_no_other(rogue: str, tmp_path: Path) -> None:  # C5
    body, fault = ROGUES[rogue]
    game = list(GAMES)[list(ROGUES).index(rogue) % 3]
    path = tmp_path / "game.jsonl"
    bots = {2: bot(tmp_path, FOREVER + body), 4: bot(tmp_path, QUICKLY)}
    seconds = 3 if fault == "late" else UNHURRIED  # 3 is enough for the honest program on a busy machine
    run = referee(game, bots, "--seconds", seconds, "--record", path, "--json", "--seed", "rogue")
    result = result_of(run)
    conduct, honest = result["bots"]
    report = [line for line in run.stderr.splitlines() if line.startswith("Seat ")]
    assert is_faulty(conduct) == bool(fault) == bool(report)
    assert all(line.startswith("Seat 2 (") and fault in line.rpartition("): ")[2] for line in report)
    assert honest["left"] is None
    assert encode(verify_record(path).outcome) == encode(result["outcome"])
    assert "Traceback" not in "".join(line for line in run.stderr.splitlines() if not line.startswith("[seat "))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_table_of_rogues_finishes_its_game(game: str, tmp_path: Path) -> None:  # C5
    bodies = [ROGUES[name][0] for name in ("hangs", "raises", "floods lines", "talks binary", "closes its output")]
    bots = {seat: bot(tmp_path, bodies[seat % 5]) for seat in range(SEATS[game])}
    run = referee(game, bots, "--seconds", 0.2, "--record", tmp_path / "game.jsonl", "--json")
    assert len([conduct for conduct in result_of(run)["bots"] if is_faulty(conduct)]) == SEATS[game]
    verify_record(tmp_path / "game.jsonl")


def test_an_answer_that_was_late_is_held_against_a_program_once(tmp_path: Path) -> None:  # C5
    late_once = (
        "for asked in questions():\n  if asked['phase'] == 2:\n"
        "    say({'is': 'Act', 'id': 'late', 'action': {'is': 'Accuse', 'phase': 1, 'target': 0}})\n"
        "  if asked['phase'] > 1:\n    answer(asked)\n"
    )
    (conduct,) = result_of(referee("saviom", {3: bot(tmp_path, late_once)}, "--seconds", 0.6, "--json"))["bots"]
    assert conduct["late"] >= 1
    assert conduct["refused"] == 0


def test_what_a_program_writes_to_standard_error_is_shown_with_its_seat_and_moves_no_cursor(tmp_path: Path) -> None:
    grumble = "sys.stderr.write('Tôi là \\x1b[2Jquỷ\\nno line feed')\n" + QUICKLY
    run = referee("avalon", {1: bot(tmp_path, grumble)}, "--seconds", UNHURRIED, "--json")
    assert run.returncode == 0
    assert "[seat 1] Tôi là \\x1b[2Jquỷ\n" in run.stderr
    assert "[seat 1] no line feed\n" in run.stderr


def test_a_program_that_does_not_read_is_removed_as_soon_as_too_much_waits_for_it() -> None:
    with selectors.DefaultSelector() as selector:
        deaf = BotProcess(0, ["sleep", "infinity"], selector, lambda seat, line: None)
        for _ in range(100):
            deaf.tell(b"x" * 65_536)
        assert deaf.gone == Departure("stopped_reading")
        assert len(deaf._unread) <= MOST_UNREAD + 65_536


def test_after_a_game_no_child_is_left_not_even_a_zombie(tmp_path: Path) -> None:
    others = children()
    commands = {
        seat: shlex.split(bot(tmp_path, body))
        for seat, body in enumerate(["sys.exit(1)", FORK_AND_LEAVE + "sys.exit(0)", QUICKLY, "signal.pause()"])
    }
    play = new_game("avalon", 5, SEED)
    bots = {4: RandomBot()}
    names = names_for(5)
    with Programs(lambda seat, line: None) as programs:
        held = Referee(play, programs, commands, bots, names=names, seconds=0.3)
        assert list(held.story(teller_of(GAMES["avalon"], names)))
        programs.finish()
        assert [conduct.seat for conduct in held.conducts] == [0, 1, 2, 3]
    assert children() <= others
    assert play.is_over


def children() -> set[str]:
    return {child for task in Path("/proc/self/task").glob("*/children") for child in task.read_text().split()}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_when_the_referee_is_stopped_the_programs_end_and_the_record_can_be_read(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:  # C3
    path, sign = tmp_path / "game.jsonl", tmp_path / "sign"
    body = (
        f"signal.signal(signal.SIGINT, signal.SIG_IGN)\n{FORK_AND_LEAVE}"
        f"for asked in questions():\n  open({str(sign)!r}, 'w')\n  signal.pause()\n"
    )
    command = [sys.executable, "-m", "roundtable", "referee", "saviom", "--seats", "7", "--seconds", str(UNHURRIED)]
    command += ["--bot", f"0={bot(tmp_path, body)}", "--record", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_until(sign.exists, "the first question")
        running.send_signal(number)
        _, complaint = running.communicate(timeout=PATIENCE)
    assert running.returncode == code
    assert "Traceback" not in complaint
    assert not read_record(path).is_closed


# Arguments


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--bot", "fred"], "Write a bot as SEAT=COMMAND, not 'fred'."),
        (["--bot", "0="], "Write a bot as SEAT=COMMAND"),
        (["--bot=-1=true"], "Write a bot as SEAT=COMMAND"),
        (["--bot", "0='unclosed"], "Write a bot as SEAT=COMMAND"),
        (["--bot", f"{'9' * 5000}=true"], "Write a bot as SEAT=COMMAND"),
        (["--bot", "5=true"], "Seats go from 0 to 4; there is no seat 5."),
        (["--bot", "1=true", "--bot", "1=false"], "Two bots can’t share a seat"),
        (["--default-bot", "genius"], "There is no bot called 'genius'; choose"),
        (["--seconds", "0"], "--seconds takes a number from 0.001 to 86400."),
        (["--seconds", "nan"], "--seconds takes a number from 0.001 to 86400."),
        (["--bot", "0=sleep infinity", "--bot", "1=no-such-program"], "no-such-program: No such file or directory."),
        (["--option", "moon=full"], "Avalon has no option 'moon'"),
    ],
)
def test_bad_input_gets_one_clear_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", "avalon", "--seats", "5", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert complaint in printed.err
    assert len(printed.err.splitlines()) == 1


def test_a_reader_who_leaves_early_leaves_no_program_behind() -> None:
    command = f"{shlex.quote(sys.executable)} -m roundtable referee avalon --seats 5 --bot '0={PYTHON_BOT}' | head -1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert run.stderr == ""


def test_the_environment_of_these_tests_can_see_processes() -> None:
    mark = f"ROUNDTABLE_MARK={os.environ['ROUNDTABLE_MARK']}"
    with subprocess.Popen(["sleep", "infinity"]) as sleeping:
        assert not Path("/proc/self/environ").exists() or marked(mark) == ["sleep\x00infinity\x00"]
        sleeping.kill()
