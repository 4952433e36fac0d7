"""`roundtable serve` on PostgreSQL: a room outlives its server, and an operator's mistakes get one sentence."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from support.live_server import GENEROUS, LiveServer, run_to_its_end
from support.postgres import ask, new_database
from support.waiting import PATIENCE, wait_until


@pytest.mark.slow
def test_a_room_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    database = new_database()

    with LiveServer(tmp_path / "unused.db", "--database", database, *GENEROUS) as server:
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            opened = client.post(f"{server.url}/api/rooms", json={"name": "Ann", "seats": 5})
            room = opened.json()["room"]
            server.kill()
            server.start()
            found = f"{server.url}/api/rooms/{room}"
            wait_until(lambda: client.get(found).status_code == 200, "the lease of the killed server ends")
        assert server.stop() == 0
        assert "Traceback" not in server.logged()
    assert ask(database, "SELECT count(*) FROM workers WHERE until > clock_timestamp()") == 0
    assert not (tmp_path / "unused.db").exists()


@pytest.mark.slow
def test_a_server_whose_database_cannot_be_reached_says_so_in_one_sentence() -> None:
    ended = run_to_its_end("postgresql://bob:s3cr3t@127.0.0.1:1/rooms", "--port", "0")
    assert ended.returncode == 2
    assert "The PostgreSQL server of postgresql://…@127.0.0.1:1/rooms can’t be reached: " in ended.stderr
    assert "s3cr3t" not in ended.stdout + ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--workers", "2")])
def test_a_worker_host_of_another_machine_is_refused_by_the_name_of_its_flag(more: tuple[str, ...]) -> None:
    ended = run_to_its_end(new_database(), "--port", "0", "--worker-host", "203.0.113.77", *more)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == (
        "roundtable: Other workers can’t reach this server at 203.0.113.77: Cannot assign requested address; "
        "--worker-host takes an address of this machine."
    )
