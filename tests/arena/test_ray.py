"""On Ray a tournament comes to the same bytes as without it, also when processes and nodes are lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest
from ray import cluster_utils
from tests.arena.tournaments import brief

from livingtable.arena.entrants import own_seed
from livingtable.arena.plan import Plan
from livingtable.arena.run import Run
from livingtable.arena.workers import BATCH, LostWorkerError

pytestmark = [
    pytest.mark.slow,
    # Ray's own: files and sockets that it leaves to the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]

KILLING = """
import os, signal
from pathlib import Path

def once(view, legal):
    done = Path(__file__).with_name("done")
    if not done.exists():
        done.touch()
        os.kill(os.getppid(), signal.SIGKILL)
    return legal[0]

def always(view, legal):
    os.kill(os.getppid(), signal.SIGKILL)
"""
"""Agents that end the process which plays their game."""


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return brief(tmp_path / "own", games=30)


@pytest.fixture
def killing(tmp_path: Path) -> Callable[[str], str]:
    file = tmp_path / "killing.py"
    file.write_text(KILLING, "utf-8")
    return lambda name: f"{file}:{name}"


def files(run: Run) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in run.folder.iterdir()}


def without_ray(folder: Path, plan: Plan) -> dict[str, bytes]:
    run = Run(folder / "without")
    run.go_on(plan)
    return files(run)


def test_ray_on_this_machine_writes_the_same_bytes(tmp_path: Path, plan: Plan) -> None:
    run = Run(tmp_path / "run")
    assert run.go_on(plan, 2, ray="local") == 30
    assert files(run) == without_ray(tmp_path, plan)
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def test_a_run_that_was_interrupted_on_ray_goes_on_without_it(tmp_path: Path, plan: Plan) -> None:
    def told(done: int, _of: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    run = Run(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        run.go_on(plan, 2, told, ray="local")
    assert run.go_on(plan) == 23
    assert files(run) == without_ray(tmp_path, plan)


def test_the_games_of_a_process_that_is_lost_are_played_again(
    tmp_path: Path, plan: Plan, killing: Callable[[str], str]
) -> None:
    plan = replace(plan, entrants=("random", killing("once")), games=8)
    run = Run(tmp_path / "run")
    assert run.go_on(plan, 2, ray="local") == 8
    assert (tmp_path / "done").exists()
    assert files(run) == without_ray(tmp_path, plan)


def test_a_game_that_ends_whoever_plays_it_is_not_tried_for_ever(
    tmp_path: Path, plan: Plan, killing: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("livingtable.arena.on_ray.RETRIES", 1)
    plan = replace(plan, entrants=("random", killing("always")), games=2)
    with pytest.raises(LostWorkerError, match="2 tries"):
        Run(tmp_path / "run").go_on(plan, 1, ray="local")


OURS = "127.0.0.2"
"""Ray takes 127.0.0.1 for the address by which others reach this machine."""


@pytest.fixture
def cluster() -> Generator[Any]:
    """A head, which plays nothing, and two nodes."""
    head = {"num_cpus": 0, "include_dashboard": False, "node_ip_address": OURS}
    found: Any = cast(Any, cluster_utils).Cluster(initialize_head=True, head_node_args=head)
    yield found
    found.shutdown()


HELD = """
import os, time
from pathlib import Path

HERE = Path(__file__).parent

class Held:
    def __init__(self, side, seed):
        self.free = str(seed) in (HERE / "free").read_text().split()

    def choose(self, view, legal):
        while not self.free and not (HERE / "gone").exists():
            (HERE / f"held-{os.getppid()}").touch()
            time.sleep(0.01)
        return legal[0]
"""
"""Goes on after the first batch only when a node is gone."""


def test_the_games_of_a_node_that_is_lost_are_played_by_the_others(tmp_path: Path, plan: Plan, cluster: Any) -> None:
    nodes = [cluster.add_node(num_cpus=1, node_ip_address=OURS) for _ in range(2)]
    cluster.wait_for_nodes()
    (tmp_path / "held.py").write_text(HELD, "utf-8")
    plan = replace(plan, entrants=("random", f"{tmp_path}/held.py:Held"), games=24, seconds=60)
    first = [str(own_seed(fixture.seed, side)) for fixture in islice(plan.fixtures(), BATCH) for side in ("p1", "p2")]
    (tmp_path / "free").write_text(" ".join(first), "utf-8")

    def told(done: int, _of: int) -> None:
        if done == BATCH:
            while len(list(tmp_path.glob("held-*"))) < 2:  # Now there is a batch under way on either node.
                pass
            cluster.remove_node(nodes.pop(), allow_graceful=False)
            (tmp_path / "gone").touch()

    run = Run(tmp_path / "run")
    assert run.go_on(plan, 1, told, ray=cluster.address) == 24
    assert len(nodes) == 1
    assert files(run) == without_ray(tmp_path, plan)


@pytest.mark.parametrize("address", ["127.0.0.2:9", "nowhere", "ray://127.0.0.2:9", "127.0.0.2:port"])
def test_a_cluster_that_is_not_there_is_said_at_once(tmp_path: Path, plan: Plan, address: str) -> None:
    with pytest.raises(ConnectionError):
        Run(tmp_path / "run").go_on(plan, ray=address)
