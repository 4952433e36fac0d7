"""The contract of every log: rows in one order, all or nothing, durable; the same suite for every store."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from roundtable.core.errors import SetupError
from roundtable.storage import Conflict, Log, LogFailed, MemoryLog, RoomSummary, Row, SqliteLog, sqlite
from roundtable.storage.schema import MIGRATIONS
from roundtable.storage.sqlite import ROWS_AFTER
from support.postgres import EagerLog, be_patient, prepared_database
from support.waiting import PATIENCE

QUIET = RoomSummary(wakes_at=0, is_open=True, listing=b"")
APPENDERS = 12

OpenLog = Callable[[], Log]
Story = Callable[[Log], Awaitable[None]]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_log(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenLog:
    if request.param == "memory":
        return MemoryLog
    if request.param == "sqlite":
        return lambda: SqliteLog(tmp_path / "log.db")
    be_patient(monkeypatch)
    address = prepared_database()
    return lambda: EagerLog(address)


def tell(open_log: OpenLog, story: Story) -> None:
    """Open a log, run the test with it, close the log."""

    async def whole() -> None:
        log = open_log()
        try:
            await story(log)
        finally:
            await log.close()

    asyncio.run(whole())


def lines(*spoken: str, at: int = 1) -> list[Row]:
    return [Row(at, line.encode()) for line in spoken]


async def said(log: Log, room: str = "A", after: int = 0) -> list[str]:
    return [row.line.decode() for row in await log.read(room, after)]


# Every log


def test_rows_are_read_in_the_order_in_which_they_were_written(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one", "two"), QUIET)
        await log.append("A", 2, lines("three"), QUIET)
        assert await said(log) == ["one", "two", "three"]
        assert await said(log, after=1) == ["two", "three"]
        assert await said(log, after=3) == []
        assert await said(log, after=9) == []

    tell(open_log, story)


def test_a_row_keeps_its_time_and_its_bytes(open_log: OpenLog) -> None:
    rows = [Row(1_700_000_000_123, bytes(range(256))), Row(0, b""), Row(2**53, "Nguyễn".encode())]

    async def story(log: Log) -> None:
        await log.append("A", 0, rows, QUIET)
        assert await log.read("A") == rows

    tell(open_log, story)


def test_a_room_that_never_was_has_no_rows(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        assert await log.read("NONE") == []
        assert await log.read("NONE", 5) == []
        assert await log.summaries() == {}
        assert await log.listed(10) == []

    tell(open_log, story)


def test_rooms_do_not_mix(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one"), QUIET)
        await log.append("B", 0, lines("eins"), QUIET)
        await log.append("A", 1, lines("two"), QUIET)
        assert (await said(log, "A"), await said(log, "B")) == (["one", "two"], ["eins"])

    tell(open_log, story)


@pytest.mark.parametrize("known", [0, 1, 3, 99])
def test_a_writer_who_knows_too_few_or_too_many_rows_writes_none(open_log: OpenLog, known: int) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one", "two"), QUIET)
        with pytest.raises(Conflict):
            await log.append("A", known, lines("late", "later"), RoomSummary(9, False, b"late"))
        assert await said(log) == ["one", "two"]
        assert await log.summaries() == {"A": QUIET}

    tell(open_log, story)


def test_no_room_begins_in_the_middle(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        with pytest.raises(Conflict):
            await log.append("A", 1, lines("two"), QUIET)
        assert await said(log) == []
        assert await log.summaries() == {}
        await log.append("A", 0, lines("one"), QUIET)
        assert await said(log) == ["one"]

    tell(open_log, story)


def test_of_many_who_append_at_once_exactly_one_wins_each_version(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        wins: list[str] = []
        losses = 0

        async def appender(number: int) -> None:
            nonlocal losses
            for turn in range(5):
                while True:
                    known = len(await log.read("A"))
                    await asyncio.sleep(0)  # gives the other append time to come first
                    try:
                        await log.append("A", known, lines(f"{number}/{turn}/a", f"{number}/{turn}/b"), QUIET)
                    except Conflict:
                        losses += 1
                    else:
                        wins.append(f"{number}/{turn}")
                        break

        await asyncio.gather(*map(appender, range(APPENDERS)))
        written = await said(log)
        assert len(wins) == 5 * APPENDERS
        assert losses
        assert written == [f"{win}/{part}" for pair in written[::2] for win in [pair[:-2]] for part in "ab"]
        assert sorted(line[:-2] for line in written[::2]) == sorted(wins)
        for number in range(APPENDERS):
            mine = [line for line in written[::2] if line.startswith(f"{number}/")]
            assert mine == [f"{number}/{turn}/a" for turn in range(5)]

    tell(open_log, story)


def test_appends_to_one_version_sent_together_have_one_winner(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        outcomes = await asyncio.gather(
            *(log.append("A", 0, lines(f"{number}a", f"{number}b"), QUIET) for number in range(APPENDERS)),
            *(log.append(f"other{number}", 0, lines("fine"), QUIET) for number in range(APPENDERS)),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes[:APPENDERS]].count(Conflict) == APPENDERS - 1
        assert outcomes[APPENDERS:] == [None] * APPENDERS
        first, second = await said(log)
        assert (first[:-1], first[-1], second) == (second[:-1], "a", first[:-1] + "b")

    tell(open_log, story)


def test_the_latest_summary_of_a_room_counts(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one"), RoomSummary(50, True, b"seats: 3"))
        await log.append("A", 1, lines("two"), RoomSummary(70, True, b"seats: 2"))
        assert await log.summaries() == {"A": RoomSummary(70, True, b"seats: 2")}
        assert await log.listed(10) == [b"seats: 2"]

    tell(open_log, story)


def test_a_summary_says_when_a_room_must_be_looked_after(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        summaries = {
            "A": RoomSummary(50, True, b"", deadline=40, takeover_grace=0),
            "B": RoomSummary(60, True, b"B", takeover_grace=5),
        }
        for room, summary in summaries.items():
            await log.append(room, 0, lines("one"), summary)
        assert await log.summaries() == summaries
        await log.append("A", 1, lines("two"), RoomSummary(70, True, b""))
        assert (await log.summaries())["A"] == RoomSummary(70, True, b"", None, None)

    tell(open_log, story)


def test_rows_without_a_summary_leave_the_one_that_is_there(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        summary = RoomSummary(wakes_at=7, is_open=True, listing=b"shown")
        await log.append("A", 0, lines("one"), summary)
        await log.append("A", 1, lines("two"), None)
        assert await log.summaries() == {"A": summary}
        assert await said(log) == ["one", "two"]
        with pytest.raises(Conflict):
            await log.append("A", 1, lines("late"), None)

    tell(open_log, story)


def test_closed_rooms_have_no_summary_but_keep_their_rows(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one"), RoomSummary(50, True, b"A"))
        await log.append("A", 1, lines("two"), RoomSummary(70, False, b"A"))
        await log.append("B", 0, lines("one"), RoomSummary(60, True, b""))
        assert await log.summaries() == {"B": RoomSummary(60, True, b"")}
        assert await log.listed(10) == []
        assert await said(log) == ["one", "two"]

    tell(open_log, story)


def test_open_rooms_are_counted(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        assert await log.open_rooms() == 0
        for room in "ABC":
            await log.append(room, 0, lines("one"), QUIET)
        await log.append("A", 1, lines("two"), None)
        await log.append("B", 1, lines("two"), QUIET._replace(is_open=False))
        assert await log.open_rooms() == 2

    tell(open_log, story)


def test_public_rooms_are_shown_first_what_changed_latest_and_no_more_than_asked_for(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        for at, room in enumerate("ABCD"):
            await log.append(room, 0, lines("one", at=at), RoomSummary(50, True, room.encode()))
        await log.append("HIDDEN", 0, lines("one", at=8), RoomSummary(50, True, b""))
        await log.append("B", 1, lines("two", at=9), RoomSummary(60, True, b"B, with a guest"))
        await log.append("C", 1, lines("two", at=10), RoomSummary(70, True, b"C"))  # nothing that the list shows
        assert await log.listed(10) == [b"B, with a guest", b"D", b"C", b"A"]
        assert await log.listed(2) == [b"B, with a guest", b"D"]
        assert (await log.summaries())["C"].wakes_at == 70
        assert await log.listed(0) == []

    tell(open_log, story)


def test_what_was_read_does_not_change_when_more_is_written(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        given = lines("one")
        await log.append("A", 0, given, QUIET)
        given.append(Row(1, b"never written"))
        read = await log.read("A")
        await log.append("A", 1, lines("two"), QUIET)
        assert read == lines("one")
        assert await said(log) == ["one", "two"]

    tell(open_log, story)


# SQLite


def test_everything_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def before(log: Log) -> None:
        await log.append("A", 0, lines("one", "two"), RoomSummary(50, True, b"A"))
        await log.append("B", 0, lines("eins"), RoomSummary(60, False, b""))

    async def after(log: Log) -> None:
        assert (await said(log), await said(log, "B")) == (["one", "two"], ["eins"])
        assert await log.summaries() == {"A": RoomSummary(50, True, b"A")}
        with pytest.raises(Conflict):
            await log.append("A", 0, lines("again"), QUIET)
        await log.append("A", 2, lines("three"), QUIET)
        assert await said(log) == ["one", "two", "three"]

    tell(lambda: SqliteLog(path), before)
    tell(lambda: SqliteLog(path), after)


def test_what_waits_is_written_before_the_file_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def hurry() -> None:
        log = SqliteLog(path)
        waiting = [asyncio.ensure_future(log.append(f"R{number}", 0, lines("one"), QUIET)) for number in range(700)]
        await asyncio.sleep(0)
        await log.close()
        await asyncio.gather(*waiting)

    async def later(log: Log) -> None:
        assert len(await log.summaries()) == 700

    asyncio.run(hurry())
    tell(lambda: SqliteLog(path), later)


def test_two_logs_on_one_file_agree_on_one_order(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def story() -> None:
        logs = [SqliteLog(path), SqliteLog(path)]
        conflicts = 0

        async def appender(log: Log, name: str) -> None:
            nonlocal conflicts
            for turn in range(20):
                while True:
                    known = len(await log.read("A"))
                    try:
                        await log.append("A", known, lines(f"{name}{turn}"), QUIET)
                    except Conflict:
                        conflicts += 1
                    else:
                        break

        await asyncio.gather(appender(logs[0], "left"), appender(logs[1], "right"), appender(logs[1], "more"))
        written, also = [await said(log) for log in logs]
        assert written == also
        for name in ("left", "right", "more"):
            assert [line for line in written if line.startswith(name)] == [f"{name}{turn}" for turn in range(20)]
        assert conflicts
        for log in logs:
            await log.close()

    asyncio.run(story())


ANOTHER_PROCESS = """
import asyncio, sys
from roundtable.storage import RoomSummary, Conflict, Row, SqliteLog
from roundtable.storage import sqlite

sqlite.BUSY_TIMEOUT = 300  # seconds for a lock: SQLite does not let the others in turn by turn

async def main(path, name, turns):
    log = SqliteLog(path)
    for turn in range(turns):
        while True:
            known = len(await log.read("A"))
            try:
                await log.append("A", known, [Row(1, f"{name}{turn}".encode())], RoomSummary(0, True, b""))
                break
            except Conflict:
                pass
        print(turn, flush=True)
    await log.close()

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def start_appending(path: Path, name: str, turns: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ANOTHER_PROCESS, str(path), name, str(turns)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_processes_that_open_a_new_file_at_the_same_moment_agree_on_one_order(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    names = ["ann", "bob", "cleo", "dan"]
    processes = [start_appending(path, name, 25) for name in names]
    for process in processes:
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0

    async def story(log: Log) -> None:
        written = await said(log)
        assert len(written) == 100
        for name in names:
            assert [line for line in written if line.startswith(name)] == [f"{name}{turn}" for turn in range(25)]

    tell(lambda: SqliteLog(path), story)


def test_a_new_file_that_another_process_is_about_to_set_up_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.db"
    waits = []

    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one"), QUIET)

    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")

        def let_them_finish(seconds: float) -> None:
            waits.append(seconds)
            if other.in_transaction:
                other.rollback()

        monkeypatch.setattr(sqlite, "time", SimpleNamespace(monotonic=time.monotonic, sleep=let_them_finish))
        tell(lambda: SqliteLog(path), story)
    assert waits


@pytest.mark.slow
def test_what_a_killed_process_was_told_is_written(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    process = start_appending(path, "ann", 1_000_000)
    assert process.stdout is not None
    told = [int(process.stdout.readline()) for _ in range(20)]
    process.kill()
    told += [int(line) for line in process.stdout.read().splitlines() if line]
    process.stdout.close()
    process.wait(timeout=PATIENCE)

    async def story(log: Log) -> None:
        written = await said(log)
        assert written == [f"ann{turn}" for turn in range(len(written))]
        assert len(written) >= len(told)
        await log.append("A", len(written), lines("after"), QUIET)

    tell(lambda: SqliteLog(path), story)


# When the disk fails


def test_a_full_disk_refuses_the_append_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    large = [Row(1, b"x" * 100_000)]

    async def story() -> None:
        log = SqliteLog(path)
        await log.append("A", 0, lines("one"), QUIET)
        (pages,) = log._writing.execute("PRAGMA page_count").fetchone()
        log._writing.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LogFailed):
            await log.append("A", 1, large, RoomSummary(99, True, b"never"))
        outcomes = await asyncio.gather(
            log.append("A", 1, large, QUIET), log.append("B", 0, large, QUIET), return_exceptions=True
        )
        assert {type(outcome) for outcome in outcomes} == {LogFailed}
        assert await said(log) == ["one"]
        assert await log.summaries() == {"A": QUIET}
        log._writing.execute("PRAGMA max_page_count = 1000000")
        await log.append("A", 1, lines("two"), QUIET)
        assert await said(log) == ["one", "two"]
        await log.close()

    asyncio.run(story())


def test_a_locked_file_refuses_the_append_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def story() -> None:
        log = SqliteLog(path)
        await log.append("A", 0, lines("one"), QUIET)
        log._writing.execute("PRAGMA busy_timeout = 50")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LogFailed):
                await log.append("A", 1, lines("two"), QUIET)
            assert await said(log) == ["one"]
            other.execute("ROLLBACK")
        await log.append("A", 1, lines("two"), QUIET)
        assert await said(log) == ["one", "two"]
        await log.close()

    asyncio.run(story())


def test_a_database_that_is_gone_gives_log_failed_for_every_question(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def story() -> None:
        log = SqliteLog(path)
        await log.append("A", 0, lines("one"), QUIET)
        log._writing.close()
        log._reading.close()
        questions: list[Awaitable[Any]] = [
            log.append("A", 1, lines("two"), QUIET),
            log.read("A"),
            log.summaries(),
            log.listed(3),
        ]
        for question in questions:
            with pytest.raises(LogFailed):
                await question
        await log.close()

    async def later(log: Log) -> None:
        assert await said(log) == ["one"]

    asyncio.run(story())
    tell(lambda: SqliteLog(path), later)


def test_a_closed_log_gives_log_failed_and_may_be_closed_again(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def story() -> None:
        log = SqliteLog(path)
        await log.append("A", 0, lines("one"), QUIET)
        await log.close()
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(LogFailed):
                await log.append("A", 1, lines("two"), QUIET)
            with pytest.raises(LogFailed):
                await log.read("A")
            await log.close()

    asyncio.run(story())


def test_rows_that_no_database_takes_fail_alone_and_the_log_goes_on(tmp_path: Path) -> None:
    async def story(log: Log) -> None:
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(LogFailed):
                await log.append("A", 0, [Row(2**80, b"too late a time")], QUIET)
            with pytest.raises(LogFailed):
                await log.append("A\ud800", 0, lines("half a sign"), QUIET)
            with pytest.raises(LogFailed):
                await log.read("A\ud800")
            await log.append("A", 0, lines("one"), QUIET)
            outcomes = await asyncio.gather(
                log.append("A", 1, lines("two"), QUIET),
                log.append("B", 0, [Row(2**80, b"too late a time")], QUIET),
                log.append("C", 0, lines("three"), QUIET),
                return_exceptions=True,
            )
        assert [type(outcome) for outcome in outcomes] == [type(None), LogFailed, type(None)]
        assert [await said(log, room) for room in "ABC"] == [["one", "two"], [], ["three"]]

    tell(lambda: SqliteLog(tmp_path / "log.db"), story)


CLOSED = RoomSummary(wakes_at=0, is_open=False, listing=b"Anna's table")


def test_lines_are_replaced_and_keep_their_places_and_times(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, [Row(5, b"one"), Row(6, b"a secret"), Row(7, b"three")], QUIET)
        await log.append("B", 0, lines("eins", "zwei"), QUIET)
        await log.rewrite("A", {2: b"-", 3: b"THREE"})
        assert await log.read("A") == [Row(5, b"one"), Row(6, b"-"), Row(7, b"THREE")]
        await log.append("A", 3, lines("four"), QUIET)
        assert (await said(log, "A", after=1), await said(log, "B")) == (["-", "THREE", "four"], ["eins", "zwei"])

    tell(open_log, story)


def test_a_closed_room_is_found_by_its_last_row_and_removed_and_an_open_one_never(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        for room, at, summary in (("OPEN", 10, QUIET), ("OLD", 10, CLOSED), ("NEW", 20, CLOSED)):
            await log.append(room, 0, lines("opened", at=1), QUIET)
            await log.append(room, 1, lines("last", at=at), summary)
        assert await log.closed_rooms(0, 20) == ["OLD"]
        assert await log.closed_rooms(10, 21) == ["NEW", "OLD"]
        assert await log.closed_rooms(11, 20) == []
        for room in ("OPEN", "OLD"):
            await log.remove(room)
        assert await log.read("OLD") == []
        assert (await said(log, "OPEN"), await said(log, "NEW")) == (["opened", "last"], ["opened", "last"])
        assert await log.closed_rooms(0, 99) == ["NEW"]
        assert list(await log.summaries()) == ["OPEN"]
        await log.append("OLD", 0, lines("again"), QUIET)
        assert await said(log, "OLD") == ["again"]

    tell(open_log, story)


def test_notes_are_kept_changed_and_deleted(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        await log.write_notes({"a": "1", "b": "Nguyễn"})
        await log.write_notes({"a": "2", "b": None, "never": None})
        assert await log.notes() == {"a": "2"}

    tell(open_log, story)


def test_erased_bytes_are_in_no_file_of_the_database(tmp_path: Path) -> None:
    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one", "my name is Xanthippe"), CLOSED)
        await log.append("B", 0, lines("two", "Xanthippe again"), CLOSED)
        assert any(b"Xanthippe" in file.read_bytes() for file in tmp_path.iterdir())
        await log.rewrite("A", {2: b"-"})
        await log.remove("B")
        assert not any(b"Xanthippe" in file.read_bytes() for file in tmp_path.iterdir())
        assert not any(b"Anna's table" in file.read_bytes() for file in tmp_path.iterdir())

    tell(lambda: SqliteLog(tmp_path / "log.db"), story)


def test_very_many_rows_are_written_beside_an_append_that_is_late(open_log: OpenLog) -> None:
    many = lines(*map(str, range(40_000)))

    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one"), QUIET)
        outcomes = await asyncio.gather(
            log.append("B", 0, many, QUIET),
            log.append("A", 0, lines("late"), QUIET),
            log.try_to_write(),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), Conflict, type(None)]
        assert await log.read("B") == many
        assert await said(log) == ["one"]

    tell(open_log, story)


def test_a_second_log_of_the_same_file_does_not_undo_the_locks_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    look = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM rows').fetchone())"

    async def story() -> None:
        logs = []
        for rows in range(3):
            logs.append(SqliteLog(path))
            await logs[0].append("A", rows, lines(str(rows)), QUIET)
            shown = await asyncio.to_thread(subprocess.check_output, [sys.executable, "-c", look, str(path)])
            assert int(shown) == rows + 1
        for log in logs:
            await log.close()

    asyncio.run(story())


def test_a_room_is_found_as_quickly_whatever_sqlite_has_learnt_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one", "two", "three"), QUIET)
        with closing(sqlite3.connect(path)) as operator:
            for learnt in ("1", "100000"):  # how many rows there were when they were counted
                operator.execute("ANALYZE")
                operator.execute("DELETE FROM sqlite_stat1")
                operator.execute("INSERT INTO sqlite_stat1 VALUES ('rows', NULL, ?)", (learnt,))
                operator.commit()
                with closing(sqlite3.connect(path)) as reader:
                    plan = reader.execute(f"EXPLAIN QUERY PLAN {ROWS_AFTER}", {"room": "A", "after": 0}).fetchall()
                    assert [step for *_, step in plan if "SCAN rows" in step] == []
                    assert [step for *_, step in plan if "SEARCH rows" in step]
        assert await said(log) == ["one", "two", "three"]

    tell(lambda: SqliteLog(path), story)


def test_a_cancelled_append_is_still_all_or_nothing(open_log: OpenLog) -> None:
    async def story(log: Log) -> None:
        impatient = asyncio.ensure_future(log.append("A", 0, lines("one", "two"), QUIET))
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        await log.append("B", 0, lines("after"), QUIET)
        assert await said(log) in ([], ["one", "two"])

    tell(open_log, story)


# Files of other versions


def shape_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (shape,) = connection.execute("PRAGMA user_version").fetchone()
        return int(shape)


def test_a_file_says_how_many_migrations_it_has_taken(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def nothing(log: Log) -> None:
        pass

    tell(lambda: SqliteLog(path), nothing)
    assert shape_of(path) == len(MIGRATIONS)
    tell(lambda: SqliteLog(path), nothing)
    assert shape_of(path) == len(MIGRATIONS)


def test_trying_to_write_leaves_the_number_that_a_newer_version_has_written_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "log.db"

    async def story(log: Log) -> None:
        with closing(sqlite3.connect(path)) as newer:
            newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        await log.try_to_write()
        assert shape_of(path) == len(MIGRATIONS) + 1

    tell(lambda: SqliteLog(path), story)


def test_a_step_whose_last_statement_does_not_end_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundtable.storage.schema.MIGRATIONS", (*MIGRATIONS, "CREATE TABLE notes (text TEXT)"))
    with pytest.raises(ValueError, match="incomplete statement in a migration: CREATE TABLE notes"):
        SqliteLog(tmp_path / "log.db")


def test_a_file_takes_the_steps_that_it_has_not_taken_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.db"

    async def before(log: Log) -> None:
        await log.append("A", 0, lines("one"), QUIET)

    async def after(log: Log) -> None:
        assert await said(log) == ["one"]

    tell(lambda: SqliteLog(path), before)
    monkeypatch.setattr(
        "roundtable.storage.schema.MIGRATIONS", (*MIGRATIONS, "CREATE TABLE extra (text TEXT NOT NULL);")
    )
    tell(lambda: SqliteLog(path), after)
    assert shape_of(path) == len(MIGRATIONS) + 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM extra").fetchone() == (0,)


@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_the_file_itself_takes_no_row_but_the_next(tmp_path: Path, version: int) -> None:
    path = tmp_path / "log.db"

    async def story(log: Log) -> None:
        await log.append("A", 0, lines("one", "two"), QUIET)
        with closing(sqlite3.connect(path)) as other:
            with pytest.raises(sqlite3.IntegrityError, match="late"):
                other.execute("INSERT INTO log (room, version, at, line) VALUES ('A', ?, 1, x'00')", (version,))
            other.execute("INSERT INTO log (room, version, at, line) VALUES ('A', 3, 1, CAST('three' AS BLOB))")
            other.commit()
        assert await said(log) == ["one", "two", "three"]

    tell(lambda: SqliteLog(path), story)


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.db"

    async def story(log: Log) -> None:
        assert await said(log) == []

    tell(lambda: SqliteLog(path), story)
    with monkeypatch.context() as broken:
        broken.setattr(
            "roundtable.storage.schema.MIGRATIONS", (*MIGRATIONS, "CREATE TABLE extra (text TEXT); RUBBISH;")
        )
        with pytest.raises(SetupError):
            SqliteLog(path)
    assert shape_of(path) == len(MIGRATIONS)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("SELECT * FROM extra")
    tell(lambda: SqliteLog(path), story)


def test_a_newer_file_is_refused_in_one_sentence_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        connection.commit()
    with pytest.raises(SetupError) as refused:
        SqliteLog(path)
    assert str(refused.value) == (
        f"{path} was written by a newer Round Table (schema {len(MIGRATIONS) + 1}, and this version knows "
        f"{len(MIGRATIONS)}); update this one."
    )
    assert shape_of(path) == len(MIGRATIONS) + 1


@pytest.mark.parametrize("content", [b"This is a letter to my aunt, and no database at all. " * 20])
def test_a_file_that_is_no_database_is_refused_in_one_sentence_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    with pytest.raises(SetupError, match="can’t be used as a database"):
        SqliteLog(path)
    assert path.read_bytes() == content


def test_a_file_in_a_folder_that_does_not_exist_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="can’t be used as a database"):
        SqliteLog(tmp_path / "nowhere" / "log.db")


def test_what_is_answered_would_survive_a_power_cut(tmp_path: Path) -> None:
    """Checks the settings that promise it; a test cannot cut the power."""

    async def story() -> None:
        log = SqliteLog(tmp_path / "log.db")
        assert log._writing.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert log._writing.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        await log.close()

    asyncio.run(story())
