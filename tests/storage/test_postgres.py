"""The log in PostgreSQL: a database that is killed, hangs or refuses us, and what an operator reads about it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import suppress

import asyncpg
import pytest

from roundtable.core.catalogue import languages
from roundtable.core.errors import SetupError
from roundtable.storage import Conflict, LogFailed, RoomSummary, Row, addresses
from roundtable.storage.addresses import sqlite_file, without_password
from roundtable.storage.postgres import PostgresLog
from roundtable.storage.postgres_schema import MIGRATIONS, prepare
from support.postgres import EagerLog, PrivateServer, ask, be_patient, new_database, prepared_database, private_server
from support.sizes import DATABASE_KILLS
from support.waiting import PATIENCE, until

pytestmark = pytest.mark.slow

SUMMARY = RoomSummary(wakes_at=1, is_open=True, listing=b"")
ROOMS = 20
SECRET = "s3cr3t"


def line(text: str) -> list[Row]:
    return [Row(1, text.encode())]


async def said(log: PostgresLog, room: str = "A") -> list[str]:
    return [row.line.decode() for row in await log.read(room)]


@pytest.fixture(scope="module")
def server() -> Iterator[PrivateServer]:
    """A server that tests may kill."""
    with private_server() as server:
        asyncio.run(prepare(server.address))
        yield server


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


# A database that fails


def test_whatever_was_acknowledged_is_there_after_the_database_was_killed(server: PrivateServer) -> None:
    async def story() -> None:
        log = EagerLog(server.address)
        acknowledged: dict[str, list[str]] = {f"KILL{number}": [] for number in range(ROOMS)}
        failures = 0
        is_over = False

        async def write(room: str) -> None:
            """As a room does: after a failure it reads its rows and goes on from there."""
            nonlocal failures
            while not is_over:
                try:
                    known = await said(log, room)
                    assert known[: len(acknowledged[room])] == acknowledged[room]
                    while not is_over:
                        text = f"{room}/{len(known)}"
                        await log.append(room, len(known), line(text), SUMMARY)
                        known.append(text)
                        acknowledged[room] = list(known)
                except LogFailed:
                    failures += 1
                    await asyncio.sleep(0.01)

        async def rows(fewest: int) -> None:
            await until(lambda: all(len(known) >= fewest for known in acknowledged.values()), f"{fewest} rows each")

        writers = [asyncio.ensure_future(write(room)) for room in acknowledged]
        for kill in range(DATABASE_KILLS):
            await rows(5 * kill + 5)
            all_fail = failures + ROOMS
            await asyncio.to_thread(server.kill)
            await until(lambda: failures >= all_fail, "every room fails")  # noqa: B023
            await asyncio.to_thread(server.start)
        await rows(5 * DATABASE_KILLS + 5)
        is_over = True
        await asyncio.gather(*writers)
        for room, known in acknowledged.items():
            written = await said(log, room)
            assert written == [f"{room}/{number}" for number in range(len(written))]
            assert len(known) <= len(written) <= len(known) + 1  # the last append may have failed after it was written
        await log.close()

    asyncio.run(story())


def test_a_database_that_hangs_fails_every_question_in_time_and_then_goes_on(server: PrivateServer) -> None:
    async def story() -> None:
        log = EagerLog(server.address)
        await log.append("HANG", 0, line("one"), SUMMARY)
        assert await said(log, "HANG") == ["one"]
        connections = (log._writing, log._reading, log.leases._connection)
        for connection in connections:
            connection._timeout = 0.1
        server.freeze()
        try:
            outcomes = await asyncio.gather(
                *(log.append("HANG", 1, line("two"), SUMMARY) for _ in range(3)),
                *(log.read("HANG") for _ in range(3)),
                log.open_rooms(),
                log.try_to_write(),
                log.leases.renew(),
                log.leases.take("HANG"),
                return_exceptions=True,
            )
        finally:
            server.thaw()
        assert {type(outcome) for outcome in outcomes} == {LogFailed}
        for connection in connections:
            connection._timeout = PATIENCE
        known = len(await log.read("HANG"))
        with suppress(Conflict):  # what was in flight may be written now
            await log.append("HANG", known, line("after"), SUMMARY)
        assert await said(log, "HANG") in (["one", "after"], ["one", "two", "after"], ["one", "two"])
        await log.close()

    asyncio.run(story())


def test_a_connection_that_is_cut_is_opened_again() -> None:
    address = prepared_database()

    async def story() -> None:
        log = EagerLog(address)
        await log.append("A", 0, line("one"), SUMMARY)
        assert await said(log) == ["one"]
        await log.leases.renew()
        operator = await asyncpg.connect(address)
        await operator.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'roundtable' "
            "AND datname = current_database()"
        )
        await operator.close()

        async def has_recovered() -> bool:
            try:
                await log.append("A", len(await log.read("A")), line("more"), SUMMARY)
                await log.leases.take("A")
            except LogFailed:  # the cut was not noticed before
                return False
            return True

        await until(has_recovered, "the log is written again")
        assert set((await said(log))[1:]) == {"more"}
        await log.close()

    asyncio.run(story())


def test_an_append_that_waits_for_a_lock_fails_as_a_whole_and_alone() -> None:
    address = prepared_database()

    async def story() -> None:
        log = EagerLog(address)
        await log.append("A", 0, line("one"), SUMMARY)
        await log._writing.execute("SET statement_timeout = 100")
        operator = await asyncpg.connect(address)
        await operator.execute("BEGIN; LOCK TABLE summaries")
        with pytest.raises(LogFailed):
            await log.append("A", 1, line("two"), SUMMARY)
        await operator.execute("ROLLBACK")
        await operator.close()
        assert await said(log) == ["one"]
        await log.append("A", 1, line("two"), SUMMARY)
        assert await said(log) == ["one", "two"]
        await log.close()

    asyncio.run(story())


def test_rows_that_no_database_takes_fail_alone_and_the_log_goes_on() -> None:
    address = prepared_database()

    async def story() -> None:
        log = EagerLog(address)
        with pytest.raises(LogFailed):
            await log.append("A\ud800", 0, line("half a sign"), SUMMARY)
        with pytest.raises(LogFailed):
            await log.read("A\ud800")
        await log.append("A", 0, line("one"), SUMMARY)
        for room in "BC":
            await log.leases.take(room)
        outcomes = await asyncio.gather(
            log.append("A", 1, line("two"), SUMMARY),
            log.append("B", 0, [Row(2**80, SECRET.encode())], SUMMARY),
            log.append("C", 0, line("three"), SUMMARY),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), LogFailed, type(None)]
        assert SECRET not in str(outcomes[1])
        assert [await said(log, room) for room in "ABC"] == [["one", "two"], [], ["three"]]
        await log.close()

    asyncio.run(story())


def test_closing_writes_what_is_queued_and_then_nothing() -> None:
    address = prepared_database()

    async def story() -> None:
        log = EagerLog(address)
        await log.append("A", 0, line("0"), SUMMARY)
        for number in range(5):
            await log.leases.take(f"B{number}")
        queued = [
            asyncio.ensure_future(PostgresLog.append(log, f"B{number}", 0, line("one"), None)) for number in range(5)
        ]
        queued.append(asyncio.ensure_future(PostgresLog.append(log, "B0", 1, line("two"), None)))
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await log.close()
            assert await asyncio.gather(*queued) == [None] * 6
            with pytest.raises(LogFailed):
                await log.append("A", 1, line("late"), SUMMARY)
            with pytest.raises(LogFailed):
                await log.read("A")
            await log.close()
        again = PostgresLog(address)
        assert await said(again, "B0") == ["one", "two"]
        await again.close()

    asyncio.run(story())


def test_what_is_answered_would_survive_a_power_cut() -> None:
    """Checks the setting that promises it; a test cannot cut the power."""
    address = prepared_database()

    async def story() -> None:
        log = PostgresLog(address + "&synchronous_commit=off")
        assert await log._writing.fetch("SHOW synchronous_commit") == [("on",)]
        await log.close()

    asyncio.run(story())


class Rows(list[Row]):
    """Rows that can be told from others."""


def test_a_row_that_is_refused_is_not_kept_in_memory(no_gc: None) -> None:
    """An exception must not hold the frame that waits for it."""
    address = prepared_database()

    async def story() -> int:
        log = EagerLog(address)
        for _ in range(10):
            with suppress(Conflict):
                await log.append("A", 7, Rows(line("late")), None)
        kept = sum(type(one) is Rows for one in gc.get_objects())
        await log.close()
        return kept

    assert asyncio.run(story()) <= 1


# Databases of other versions, and of other people


def test_of_two_who_prepare_a_database_at_once_one_finds_it_new() -> None:
    address = new_database()

    async def story() -> None:
        assert sorted(await asyncio.gather(prepare(address), prepare(address))) == [False, True]
        assert await prepare(address) is False

    asyncio.run(story())
    assert ask(address, "SELECT schema_version FROM site") == len(MIGRATIONS)
    assert len(ask(address, "SELECT secret FROM site")) == 64


def test_a_database_takes_the_steps_that_it_has_not_taken_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    address = prepared_database()
    steps = (*MIGRATIONS, "CREATE TABLE extra (text text);", "CREATE TABLE more (text text);")
    monkeypatch.setattr("roundtable.storage.postgres_schema.MIGRATIONS", steps)
    assert asyncio.run(prepare(address)) is False
    assert ask(address, "SELECT schema_version FROM site") == len(steps)
    assert ask(address, "SELECT count(*) FROM extra, more") == 0


def test_a_step_that_fails_leaves_the_database_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    address = prepared_database()
    steps = (*MIGRATIONS, "CREATE TABLE extra (text text); RUBBISH;")
    monkeypatch.setattr("roundtable.storage.postgres_schema.MIGRATIONS", steps)
    with pytest.raises(SetupError, match="can’t be used as a database: syntax error"):
        asyncio.run(prepare(address))
    assert ask(address, "SELECT schema_version FROM site") == len(MIGRATIONS)
    assert ask(address, "SELECT to_regclass('extra')") is None


def test_a_newer_database_is_refused_in_one_sentence_and_left_alone() -> None:
    address = prepared_database()
    ask(address, "UPDATE site SET schema_version = 99")
    with pytest.raises(SetupError) as refused:
        asyncio.run(prepare(address))
    assert str(refused.value).endswith(
        f" was written by a newer Round Table (schema 99, and this version knows {len(MIGRATIONS)}); update this one."
    )
    assert ask(address, "SELECT schema_version FROM site") == 99


def test_tables_of_another_program_are_refused_in_one_sentence_and_left_alone() -> None:
    address = new_database()
    ask(address, "CREATE TABLE summaries (chapter text)")
    with pytest.raises(SetupError, match='can’t be used as a database: relation "summaries" already exists'):
        asyncio.run(prepare(address))
    assert ask(address, "SELECT to_regclass('site')") is None


# Addresses that lead nowhere


def refusal_of(address: str) -> str:
    """The sentence with which an address is refused, which contains no password in any language."""
    with pytest.raises(SetupError) as refused:
        asyncio.run(prepare(address))
    for lang in languages():
        assert SECRET not in refused.value.text(lang)
    return str(refused.value)


def test_a_wrong_password_and_a_missing_database_are_told_apart(server: PrivateServer) -> None:
    server.require_password("guest")
    ask(server.address, f"CREATE ROLE guest LOGIN PASSWORD '{SECRET}'")
    as_guest = server.address.replace("postgres@", "guest:{}@").rpartition("/")[0]
    shown = server.address.replace("postgres@", "…@").rpartition("/")[0]
    assert refusal_of(f"{as_guest}/postgres".format(f"wrong{SECRET}")) == (
        f"PostgreSQL refuses this user or password for {shown}/postgres: "
        'password authentication failed for user "guest".'
    )
    assert refusal_of(f"{as_guest}/nowhere".format(SECRET)) == (
        f'{shown}/nowhere does not exist yet: database "nowhere" does not exist. Create it first, with: createdb NAME.'
    )
    assert "permission denied for schema public" in refusal_of(f"{as_guest}/template1".format(SECRET))


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (f"postgresql://bob:{SECRET}@127.0.0.1:1/x", "The PostgreSQL server of postgresql://…@127.0.0.1:1/x can’t be "),
        (f"postgresql://bob:{SECRET}@127.0.0.1:a1/x", "postgresql://…@127.0.0.1:a1/x can’t be used as a database: "),
        (f"postgresql://bob:{SECRET}/x", "postgresql://bob:… can’t be used as a database: "),
        (f"postgresql://bob@[{SECRET}@127.0.0.1/x", "postgresql://…@127.0.0.1/x can’t be used as a database: "),
        (
            f"postgresql://127.0.0.1/x?password={SECRET}&sslmode=quite",
            "postgresql://127.0.0.1/x can’t be used as a database: ",
        ),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_without_its_password(address: str, sentence: str) -> None:
    assert sentence in refusal_of(address)


def test_a_server_that_dies_between_two_messages_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncpg, "connect", die_between_messages)
    assert "can’t be reached: cannot switch to state 12" in refusal_of("postgresql://127.0.0.1/x")


def test_a_log_is_closed_though_its_server_dies_between_two_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    address = prepared_database()

    async def story() -> None:
        log = EagerLog(address)
        assert await said(log) == []
        monkeypatch.setattr(asyncpg.Connection, "close", die_between_messages)
        await log.close()

    asyncio.run(story())


async def die_between_messages(*_: object, **__: object) -> None:
    raise asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("mysql://bob:s3cr3t@host/x", "mysql://…@host/x"),
        ("postgresql:/bob:s3cr3t@host/x", "postgresql:/…@host/x"),
        ("bob:s3cr3t@host/x", "bob:…@host/x"),
        ("sqlite:///", "sqlite:///"),
        ("", ""),
    ],
)
def test_an_address_of_no_database_is_refused_without_its_password(address: str, found: str) -> None:
    with pytest.raises(SetupError) as refused:
        sqlite_file(address)
    assert str(refused.value) == (
        f"Write a database as sqlite:///FILE, postgresql://USER@HOST/NAME or memory:, not {found!r}."
    )


def test_a_password_with_any_sign_is_not_shown() -> None:
    for sign in "@/:?#&=%":
        assert SECRET not in without_password(f"postgresql://bob:x{sign}{SECRET}@host/rooms")
        assert without_password(f"postgresql://bob:x{sign}{SECRET}@host/rooms").endswith("@host/rooms")


def test_a_missing_driver_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "DRIVER", "a_package_that_is_not_installed")
    with pytest.raises(SetupError) as refused:
        sqlite_file("postgresql://host/rooms")
    assert str(refused.value) == (
        "PostgreSQL needs asyncpg, which is not installed: pip install 'roundtable-games[postgres]'."
    )
