"""A tournament on a Ray cluster of this machine. It needs the extra "cluster", which CI does not install."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from agents.chunks import InProcess, NotPossibleError
from agents.evaluation import plan
from agents.failures import AgentFailedError
from agents.tournament import Tournament
from northsea_envs.agent import RandomAgent

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore")

EXACT = ("seeds", "lineups", "ranks", "scores", "decisions", "truncated")


class DiesOnce(RandomAgent):
    """Plays at random; the first process that asks it while the file named by DIE_ONCE exists is killed."""

    def act(self, decisions):
        if (path := Path(os.environ.get("DIE_ONCE", "none"))).exists():
            path.unlink(missing_ok=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(decisions)


@pytest.fixture(scope="module")
def cluster():
    root = str(Path(__file__).parents[1])
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": root}}, log_to_driver=False)
    yield
    ray.shutdown()


def test_a_cluster_gives_the_same_though_a_worker_is_killed(cluster, tmp_path):
    from agents.cluster import RayWorkers

    prepared = plan("vikings", 2, ["greedy", "tests.test_cluster:DiesOnce"], games=48, seed=11)
    alone = Tournament(prepared)
    expected = alone.play(InProcess(alone.setup, prepared.agents)).evaluation.result
    marker = tmp_path / "marker"
    marker.touch()
    tournament = Tournament(prepared)
    workers = RayWorkers(tournament.setup, "auto")
    workers._play = workers._play.options(runtime_env={"env_vars": {"DIE_ONCE": str(marker)}})
    result = tournament.play(workers).evaluation.result
    assert not marker.exists()
    assert all(getattr(result, name).tobytes() == getattr(expected, name).tobytes() for name in EXACT)


def test_what_an_agent_raises_is_told(cluster):
    from agents.cluster import RayWorkers

    prepared = plan("vikings", 2, ["random", "tests.test_cluster:Broken"], games=48, seed=11)
    tournament = Tournament(prepared)
    with pytest.raises(AgentFailedError, match=r"agent 'tests\.test_cluster:Broken' raised ZeroDivisionError"):
        tournament.play(RayWorkers(tournament.setup, "auto"))


class Broken(RandomAgent):
    """Fails."""

    def act(self, decisions):
        raise ZeroDivisionError


def test_a_cluster_that_is_not_there():
    from agents.cluster import RayWorkers

    if ray.is_initialized():
        ray.shutdown()
    prepared = plan("vikings", 2, ["random"], games=2, seed=11)
    with pytest.raises(NotPossibleError, match=r"there is no Ray cluster at '127\.0\.0\.1:1'"):
        RayWorkers(Tournament(prepared).setup, "127.0.0.1:1")
    with pytest.raises(NotPossibleError, match='write host:port, "auto" or "local"'):
        RayWorkers(Tournament(prepared).setup, "somewhere")
