"""What a training learns: warm starts, shaping, the pool as it grows, divergence, and that something is learned."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import yaml
from rich.console import Console
from safetensors.numpy import load_file

import northsea_envs
import train
from agents.checkpoint import read_state
from agents.config import read_config, write_config
from agents.policy import checkpoints
from agents.runs import new_folder
from agents.training import Interrupts, Training
from northsea_envs.agent import make_agent
from tests.small_run import SMALL


def metrics(run: Path) -> list[dict]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_shaping_falls_to_zero(config, tmp_path):
    run = tmp_path / "run"
    overrides = ["shaping=2.0", "shaping_until=0.5"]
    assert train.main([str(config), "--run-dir", str(run), *(f"--set={override}" for override in overrides)]) == 0
    # Four updates; half of the training is done before the third.
    assert [line["training/shaping"] for line in metrics(run)] == [2.0, 1.0, 0.0, 0.0]


def test_a_version_is_added_as_soon_as_the_learner_beats_the_latest(config, tmp_path, monkeypatch):
    monkeypatch.setattr("agents.pool.OpponentPool.improved", lambda self, rate: bool(self.earlier) and rate == 0.6)
    run = tmp_path / "run"
    overrides = ["opponents.add_every=256", "opponents.add_when=0.6", "opponents.keep=9"]
    assert train.main([str(config), "--run-dir", str(run), *(f"--set={override}" for override in overrides)]) == 0
    # The first after 256 decisions, then one after every 128.
    assert read_state(checkpoints(run)[-1])["pools"]["2"]["earlier"] == [2, 3, 4]


def test_a_warm_start_is_in_the_checkpoint(config, tmp_path):
    """Interrupted after the warm start and before the first update, a run goes on with what it was taught."""
    warm = read_config(config, ["warm_start.games=4", "warm_start.batch_size=64"])
    run = new_folder(warm, "warm", str(tmp_path / "run"))
    (run / "config.yaml").write_text(write_config(warm))
    (run / "run.json").write_text(json.dumps({"sessions": []}))
    interrupts = Interrupts(Console())
    training = Training(warm, run, None, Console())
    # The teacher's last answer is given, then Ctrl-C comes.
    evaluate_before = training.short_evaluation

    def interrupted() -> dict[str, float]:
        interrupts.requested = True
        return evaluate_before()

    training.short_evaluation = interrupted
    untaught = training.learner.frozen(deterministic=True)
    assert not training.run(interrupts)
    (checkpoint,) = checkpoints(run)
    kept = load_file(checkpoint / "policy.safetensors")
    assert (kept["policy.0.weight"] == training.learner.weights["policy.0.weight"]).all()
    assert (kept["policy.0.weight"] != untaught.weights["policy.0.weight"]).any()
    assert read_state(checkpoint)["progress"]["warm_started"]
    assert train.main(["--resume", str(run), "--set", "total_steps=128"]) == 0
    assert [line["steps"] for line in metrics(run)] == [0, 0, 128]


def test_a_training_that_diverges_stops_before_it_spoils_a_checkpoint(config, tmp_path, capsys):
    run = tmp_path / "run"
    overrides = ["ppo.learning_rate=1e30", "ppo.final_learning_rate=1e30", "ppo.max_grad_norm=1e30"]
    assert train.main([str(config), "--run-dir", str(run), *(f"--set={override}" for override in overrides)]) == 1
    assert "the weights are no longer finite" in capsys.readouterr().err
    make_agent(str(run), northsea_envs.get_game("vikings"), 2)


def test_finite_weights_that_can_no_longer_play_are_a_divergence(config, tmp_path, capsys):
    run = tmp_path / "run"
    overrides = ["ppo.learning_rate=1e10", "ppo.final_learning_rate=1e10", "total_steps=20000"]
    assert train.main([str(config), "--run-dir", str(run), *(f"--set={override}" for override in overrides)]) == 1
    assert "the policy's logits are no longer below 1e+07" in capsys.readouterr().err
    make_agent(str(run), northsea_envs.get_game("vikings"), 2)


def test_a_warm_start_imitates_its_teacher(config, tmp_path, capsys):
    run = tmp_path / "run"
    overrides = ["total_steps=128", "warm_start.games=60", "warm_start.at_once=30", "warm_start.batch_size=128"]
    assert train.main([str(config), "--run-dir", str(run), *(f"--set={override}" for override in overrides)]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"Run: {run}\nwarm start: 60 games of greedy\n")
    first, second = (line for line in metrics(run) if "warm_start/games" in line)
    assert (first["warm_start/games"], second["warm_start/games"]) == (30, 60)
    assert second["warm_start/entropy"] < first["warm_start/entropy"]


def test_a_warm_start_ends_when_its_time_is_up(config, tmp_path):
    run = tmp_path / "run"
    overrides = ["total_steps=128", "warm_start={games: 60, at_once: 10, max_minutes: 1e-6}"]
    assert train.main([str(config), "--run-dir", str(run), *(f"--set={override}" for override in overrides)]) == 0
    assert [line["warm_start/games"] for line in metrics(run) if "warm_start/games" in line] == [10]
    assert metrics(run)[-1]["steps"] == 128


def test_a_short_training_beats_random(tmp_path):
    """From nothing, without a teacher: what is learned comes from rewards alone."""
    config = tmp_path / "config.yaml"
    values = SMALL | {
        "total_steps": 60_000,
        "num_envs": 64,
        "network": {"shared": [64], "policy": [], "value": []},
        "ppo": {"n_steps": 32, "batch_size": 512, "epochs": 4, "learning_rate": 2e-3, "final_learning_rate": 1e-3},
        "opponents": {"current": 0, "earlier": 0, "baselines": {"random": 1}},
        "evaluation": {"opponents": ["random"], "games": 2, "every": 60_000, "short_games": 200},
    }
    config.write_text(yaml.safe_dump(values))
    assert train.main([str(config), "--run-dir", str(tmp_path / "run")]) == 0
    share = metrics(tmp_path / "run")[-1]["evaluation/win_share/random"]
    # 200 games: an even match stays below 0.62 with a probability of 0.999.
    assert share > 0.7
    assert np.isfinite([line["train/value_loss"] for line in metrics(tmp_path / "run")]).all()
