"""A study over a Ray cluster comes to the same numbers, also when a machine dies in the middle of it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from roundtable.cli import main
from roundtable.games.registry import make_setup
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.studies import Study
from roundtable.lab.tally import Tally

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("compiled_town"),
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'roundtable-games[ray]'"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]

STUDY = Study(
    setup=make_setup("saviom", 9, {"mode": "advanced"}), bots=("careful", "random"), seed="tea", games=1_000_000
)


@pytest.fixture
def cluster() -> Iterator[Any]:
    import ray
    from ray.cluster_utils import Cluster

    small = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    machines = Cluster(initialize_head=True, head_node_args=small)
    yield machines
    ray.shutdown()
    machines.shutdown()


def test_a_machine_that_dies_changes_no_number(cluster: Any) -> None:
    from roundtable.lab.cluster import players_of

    other = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    seen = []

    def kill_one(so_far: Tally) -> None:
        seen.append(so_far.games)
        if len(seen) == 4:
            cluster.remove_node(other, allow_graceful=False)

    tally = simulate(STUDY, players_of(cluster.address), watch=kill_one)
    assert len(seen) == 21
    assert tally == simulate(STUDY, players_here(1))


@pytest.mark.parametrize("address", ["127.0.0.1:9", "nowhere", "here:there", ""])
def test_an_address_where_nobody_answers_gets_one_sentence(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "saviom", "--seats", "6", "--games", "10", "--ray", address]) == 2
    assert capsys.readouterr().err == f"roundtable: No Ray cluster answers at {address!r}.\n"
