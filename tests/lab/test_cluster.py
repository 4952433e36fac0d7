"""A study on a Ray cluster gives the same numbers, also when a machine dies."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from roundtable.cli import main
from roundtable.games import make_setup
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.studies import Study
from roundtable.lab.tally import Tally
from support.waiting import PATIENCE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("compiled_town"),
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'roundtable-games[ray]'"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]

STUDY = Study(
    setup=make_setup("saviom", 9, {"mode": "advanced"}), bots=("careful", "random"), seed="tea", games=1_000_000
)


SMALL = {"num_cpus": 1, "object_store_memory": 100_000_000, "dashboard_agent_listen_port": 0}  # any that is free


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import ray
    from ray._private import node, services
    from ray.cluster_utils import Cluster

    slow_clock = SimpleNamespace(
        monotonic=lambda: time.monotonic() / 10, sleep=time.sleep, time=lambda: time.time() / 10
    )
    for module in (node, services):  # Ray gives a machine 30 seconds to start
        monkeypatch.setattr(module, "time", slow_clock)
    monkeypatch.setenv("RAY_gcs_server_port_wait_time_s", str(int(PATIENCE)))
    machines = Cluster(initialize_head=True, head_node_args={**SMALL, "include_dashboard": False})
    yield machines
    ray.shutdown()
    machines.shutdown()


def test_a_machine_that_dies_changes_no_number(cluster: Any) -> None:
    from roundtable.lab.cluster import players_of

    other = cluster.add_node(**SMALL)
    seen = []

    def kill_one(so_far: Tally) -> None:
        seen.append(so_far.games)
        if len(seen) == 4:
            cluster.remove_node(other, allow_graceful=False)

    tally = simulate(STUDY, players_of(cluster.address), watch=kill_one)
    assert len(seen) == 21
    assert tally == simulate(STUDY, players_here(1))


@pytest.mark.parametrize("address", ["127.0.0.1:9", "nowhere", "here:there", ""])
def test_an_address_that_does_not_answer_gets_one_sentence(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "saviom", "--seats", "6", "--games", "10", "--ray", address]) == 2
    assert capsys.readouterr().err == f"roundtable: No Ray cluster answers at {address!r}.\n"
