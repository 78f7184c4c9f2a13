"""Training from the command line: runs' folders, going on, Ctrl-C, and that something is learned."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import yaml
from rich.console import Console
from safetensors.numpy import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
import northsea_envs
import train
from agents import curve, ship
from agents.checkpoint import read_state, save_checkpoint
from agents.config import read_config
from agents.evaluation import evaluate
from agents.policy import checkpoints
from agents.runs import lock, new_folder
from agents.training import Training
from northsea_envs.agent import AgentError, make_agent
from tests.small_run import SMALL

ROOT = Path(__file__).resolve().parent.parent


# --- runs' folders --------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["a.yaml", "--resume", "b"], ["--resume", "b", "--run-dir", "c"]])
def test_the_command_line_wants_a_configuration_or_a_run(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        train.main(arguments)
    assert exit_info.value.code == 2


def test_a_taken_name_is_numbered(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read = read_config(config)
    folders = [str(new_folder(read, "small", None)) for _ in range(3)]
    assert folders == ["runs/vikings/small", "runs/vikings/small-2", "runs/vikings/small-3"]


def test_a_folder_that_holds_something_is_not_touched(config, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    assert train.main([str(config), "--run-dir", str(tmp_path / "mine")]) == 2
    assert "is there already" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """A run of four updates."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "small.yaml").write_text(yaml.safe_dump(SMALL))
    assert train.main([str(folder / "small.yaml"), "--run-dir", str(folder / "run")]) == 0
    return folder / "run"


def metrics(run: Path) -> list[dict]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_what_a_finished_run_holds(finished):
    assert {path.name for path in finished.iterdir()} - {".lock"} == {
        *(
            "best",
            "checkpoints",
            "config.yaml",
            "curve.svg",
            "evaluation.json",
            "metrics.jsonl",
            "opponents",
            "run.json",
        ),
        "tensorboard",
    }
    assert [path.name for path in checkpoints(finished)] == ["step_0000000000", "step_0000000512"]
    assert read_config(finished / "config.yaml").ppo.n_steps == 8
    run = json.loads((finished / "run.json").read_text())
    game = northsea_envs.get_game("vikings")
    assert (run["game"], run["players"], run["tables"], run["seed"]) == ("vikings_v0", 2, game.fingerprint, 0)
    assert run["versions"]["northsea-envs"] == northsea_envs.__version__
    assert [line["steps"] for line in metrics(finished)] == [128, 256, 384, 512]
    assert {"train/value_loss", "time/steps_per_second", "evaluation/win_share/random"} <= set(metrics(finished)[-1])
    (document,) = json.loads((finished / "evaluation.json").read_text())
    assert {agent["name"] for agent in document["agents"]} == {"learner", "random"}
    assert len(document["games"]) == 4


def test_earlier_versions_are_kept_as_long_as_they_play(finished):
    state = read_state(checkpoints(finished)[-1])
    # "current" and "random" are 0 and 1; one more every 128 steps; the latest two may be drawn.
    pool = state["pools"]["2"]
    assert pool["earlier"] == [4, 5]
    assert {4, 5} <= set(pool["versions"]) <= {2, 3, 4, 5}
    assert {int(path.name) for path in (finished / "opponents").iterdir()} == set(pool["versions"])


def test_a_run_is_an_agent(finished):
    game = northsea_envs.get_game("vikings")
    agent = make_agent(str(finished), game, 2)
    result = evaluate(game, players=2, agents={"run": agent, "random": "random"}, games=2)
    assert len(result.result) == 2
    with pytest.raises(AgentError, match="trained for players 2; here it is 3"):
        make_agent(str(finished), game, 3)


def timeless(run: Path) -> list[dict]:
    """The metrics of a run without what the clock says."""
    clock = ("seconds", "time/steps_per_second")
    return [{key: value for key, value in line.items() if key not in clock} for line in metrics(run)]


def same_training(one: Path, other: Path) -> None:
    for file in ("policy.safetensors", "trainer.safetensors"):
        left, right = load_file(one / file), load_file(other / file)
        assert set(left) == set(right)
        for name, array in left.items():
            assert (array == right[name]).all(), name
    left_state, right_state = read_state(one), read_state(other)
    for key in ("updates", "numpy_random", "pools"):
        assert left_state[key] == right_state[key]


def test_the_same_seed_trains_the_same_policy(finished, config, tmp_path):
    assert train.main([str(config), "--run-dir", str(tmp_path / "run")]) == 0
    same_training(checkpoints(finished)[-1], checkpoints(tmp_path / "run")[-1])
    assert timeless(tmp_path / "run") == timeless(finished)


def test_a_resumed_training_is_the_one_that_never_stopped(finished, config, tmp_path):
    run = tmp_path / "run"
    assert train.main([str(config), "--run-dir", str(run), "--set", "total_steps=256"]) == 0
    before = metrics(run)
    assert [line["steps"] for line in before] == [128, 256]
    assert train.main(["--resume", str(run), "--set", "total_steps=512"]) == 0
    assert [line["steps"] for line in metrics(run)] == [128, 256, 384, 512]
    assert read_config(run / "config.yaml").total_steps == 512
    sessions = json.loads((run / "run.json").read_text())["sessions"]
    assert [(session["steps"], session["set"]) for session in sessions] == [
        (0, ["total_steps=256"]),
        (256, ["total_steps=512"]),
    ]
    assert metrics(run)[-1]["seconds"] > before[-1]["seconds"]
    same_training(checkpoints(finished)[-1], checkpoints(run)[-1])


def test_tensorboard_shows_each_step_once_after_a_resume_from_an_earlier_checkpoint(config, tmp_path):
    run = tmp_path / "run"
    assert train.main([str(config), "--run-dir", str(run), "--set", "total_steps=256"]) == 0
    # As after a kill between two checkpoints: both updates are played again.
    shutil.rmtree(checkpoints(run)[-1])
    assert train.main(["--resume", str(run), "--set", "total_steps=384"]) == 0
    shown = EventAccumulator(str(run / "tensorboard")).Reload()
    assert [event.step for event in shown.Scalars("train/value_loss")] == [128, 256, 384]


def test_a_resumed_training_meets_the_same_opponents(finished):
    training = Training(read_config(finished / "config.yaml"), finished, checkpoints(finished)[-1], Console())
    pool = training.env.opponents
    assert pool.earlier == [4, 5]
    for number in pool.earlier:
        kept = load_file(finished / "opponents" / str(number) / "policy.safetensors")
        assert (pool.agents[number].weights["policy.0.weight"] == kept["policy.0.weight"]).all()
        assert not pool.agents[number].deterministic
    # The next one is number 6, and "current" is the learner itself, not a copy.
    assert pool.add(training.learner) == 6
    assert pool.agents[0] is training.learner


def test_a_complete_run_is_only_evaluated_again(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    (run / "evaluation.json").unlink()
    assert train.main(["--resume", str(run), "--set", "evaluation.at_the_end=[greedy]"]) == 0
    assert "is complete" in capsys.readouterr().out
    met = [{agent["name"] for agent in d["agents"]} for d in json.loads((run / "evaluation.json").read_text())]
    assert met == [{"learner", "random"}, {"learner", "greedy"}]
    assert len(metrics(run)) == 4


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda run: (run / "config.yaml").unlink(), r"there is no config\.yaml, so it is no run's folder"),
        (lambda run: shutil.rmtree(run / "checkpoints"), "it holds no checkpoint"),
        (
            lambda run: (run / "config.yaml").write_text(
                (run / "config.yaml").read_text().replace("shared:\n  - 16", "shared:\n  - 17")
            ),
            r"its network differs from the configuration's in shared \(\(16,\), not \(17,\)\); that cannot be changed",
        ),
    ],
)
def test_a_damaged_run_is_not_resumed_and_says_why(finished, tmp_path, capsys, damage, message):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    damage(run)
    assert train.main(["--resume", str(run), "--set", "total_steps=9999"]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_anew(finished, tmp_path, capsys):
    run = tmp_path / "odd name"
    run.mkdir()
    for name in ("config.yaml", "run.json"):
        shutil.copyfile(finished / name, run / name)
    assert train.main(["--resume", str(run)]) == 0
    assert "has not come to its first checkpoint; it begins anew" in " ".join(capsys.readouterr().out.split())
    same_training(checkpoints(finished)[-1], checkpoints(run)[-1])


def test_the_number_of_games_cannot_change_within_a_run(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    assert train.main(["--resume", str(run), "--set", "num_envs=8", "--set", "total_steps=9999"]) == 2
    assert "num_envs=8 is not allowed: it cannot be changed when resuming" in capsys.readouterr().err
    assert read_config(run / "config.yaml").num_envs == 16
    assert [path.name for path in checkpoints(run)] == ["step_0000000000", "step_0000000512"]


def test_opponents_cannot_be_others_within_a_run(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    assert train.main(["--resume", str(run), "--set", "opponents.steady={greedy: 1}"]) == 2
    error = capsys.readouterr().err
    assert "name ['random', 'greedy']; a run keeps those that it began with, ['random']" in error
    assert len(checkpoints(run)) == 2


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda run: cut(run, "policy.safetensors"), r"policy\.safetensors is damaged"),
        (lambda run: cut(run, "trainer.safetensors"), r"trainer\.safetensors is damaged"),
        (lambda run: cut(run, "trainer.json"), r"trainer\.json is damaged"),
        (lambda run: shutil.rmtree(run / "opponents" / "5"), r"opponents/5: policy\.json cannot be read"),
    ],
)
def test_a_damaged_checkpoint_is_set_aside_for_an_older_one(finished, tmp_path, capsys, damage, message):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    damage(run)
    assert train.main(["--resume", str(run), "--set", "total_steps=128"]) == 0
    output = capsys.readouterr().out
    assert re.search(message, output)
    assert f"set aside as damaged_step_0000000512; going on from {run}/checkpoints/step_0000000000" in output
    assert [path.name for path in checkpoints(run)] == ["step_0000000000", "step_0000000128"]
    assert (run / "checkpoints" / "damaged_step_0000000512").is_dir()
    assert metrics(run)[-1]["steps"] == 128


def test_a_run_without_a_whole_checkpoint_is_refused_and_keeps_them(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    for checkpoint in checkpoints(run):
        (checkpoint / "trainer.json").write_text("{}")
    assert train.main(["--resume", str(run)]) == 2
    assert "step_0000000512: trainer.json is damaged" in capsys.readouterr().err
    assert [path.name for path in checkpoints(run)] == ["step_0000000000", "step_0000000512"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("steps", value) for value in ("x", -5, True, 1.5, None)],
        *[("seconds", value) for value in ("a", -1, None, float("inf"))],
        *[("best_share", value) for value in (None, "x", float("nan"))],
        *[("shares", value) for value in ([], {"random": "x"}, 1)],
        ("next_opponent", None),
        ("complete", 1),
        ("warm_started", None),
    ],
)
def test_progress_of_another_type_is_named(finished, tmp_path, key, value):
    folder = tmp_path / "step_0000000512"
    shutil.copytree(checkpoints(finished)[-1], folder)
    state = json.loads((folder / "trainer.json").read_text())
    state["progress"][key] = value
    (folder / "trainer.json").write_text(json.dumps(state))
    with pytest.raises(AgentError, match=rf"trainer\.json is damaged .*progress\.{key} must be"):
        read_state(folder)


@pytest.mark.parametrize("tail", [b'{"steps": 5', b"\xff\xfe\x00\n", b"[]\n", b'{"steps": "x"}\n', b"\n"])
def test_metrics_that_cannot_be_read_are_dropped(finished, tmp_path, tail):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    with (run / "metrics.jsonl").open("ab") as file:
        file.write(tail)
    assert train.main(["--resume", str(run)]) == 0
    assert (run / "metrics.jsonl").read_bytes() == (finished / "metrics.jsonl").read_bytes()


@pytest.mark.parametrize("content", [None, "", '{"sess', "[]", '{"sessions": 3}'])
def test_a_damaged_record_of_the_run_is_begun_anew(finished, tmp_path, capsys, content):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    (run / "run.json").unlink()
    if content is not None:
        (run / "run.json").write_text(content)
    assert train.main(["--resume", str(run)]) == 0
    assert "run.json is missing or damaged" in capsys.readouterr().out
    record = json.loads((run / "run.json").read_text())
    assert record["game"] == "vikings_v0"
    assert [session["steps"] for session in record["sessions"]] == [512]


def test_a_folder_is_used_by_one_training_at_a_time(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    held = lock(run)
    before = (run / "run.json").read_bytes()
    assert train.main(["--resume", str(run)]) == 2
    assert f"{run} is in use by another training" in capsys.readouterr().err
    assert (run / "run.json").read_bytes() == before
    held.release()
    assert train.main(["--resume", str(run)]) == 0


def test_without_a_best_policy_the_last_one_is_evaluated(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    shutil.rmtree(run / "best")
    (run / "evaluation.json").unlink()
    assert train.main(["--resume", str(run)]) == 0
    assert "holds no best/" in capsys.readouterr().out
    assert (run / "evaluation.json").exists()


def test_a_folder_that_cannot_be_made_is_named(config, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").touch()
    assert train.main([str(config)]) == 2
    assert "runs/vikings/small cannot be made: Not a directory; choose another" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied", "runs/x/config.yaml"), "runs/x/config.yaml: Permission denied"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (MemoryError(), "there is not enough memory; lower num_envs"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory"), "there is not enough memory; lower num_envs"),
    ],
)
def test_what_the_machine_lacks_is_said_in_one_line(config, capsys, monkeypatch, error, message):
    def fail(*_):
        raise error

    monkeypatch.setattr(train, "begin", fail)
    assert train.main([str(config)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"train.py: {message}")


def cut(run: Path, file: str) -> None:
    path = checkpoints(run)[-1] / file
    path.write_bytes(path.read_bytes()[:100])


def test_a_checkpoint_that_cannot_be_finished_leaves_the_last_one(finished, tmp_path, monkeypatch):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    training = Training(read_config(run / "config.yaml"), run, checkpoints(run)[-1], Console())
    training.progress.steps += 1

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr("agents.checkpoint.write_atomically", full)
    with pytest.raises(OSError, match="no space left"):
        save_checkpoint(run, training.model, training.env, training.layout, training.network, training.progress)
    assert [path.name for path in checkpoints(run)] == ["step_0000000000", "step_0000000512"]
    make_agent(str(run), training.game, 2)


def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(config, tmp_path):
    run = tmp_path / "run"
    command = [sys.executable, str(ROOT / "train.py")]
    process = subprocess.Popen(
        [*command, str(config), "--run-dir", str(run), "--set", "total_steps=10000000"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        end = time.monotonic() + 60
        while not (run / "metrics.jsonl").exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, output
    assert f"--resume {run}" in output.replace("\n", "")
    assert "Traceback" not in output
    steps = read_state(checkpoints(run)[-1])["progress"]["steps"]
    assert steps >= 128
    assert make_agent(str(run), northsea_envs.get_game("vikings"), 2) is not None
    assert train.main(["--resume", str(run), "--set", f"total_steps={steps + 128}"]) == 0
    assert metrics(run)[-1]["steps"] == steps + 128


def test_a_killed_training_goes_on_from_its_last_checkpoint_and_loses_nothing_before_it(config, tmp_path):
    run, whole = tmp_path / "run", tmp_path / "whole"
    # A checkpoint after every update.
    often = ["--set", "checkpoint_minutes=1e-9", "--set", "total_steps=10000000"]
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "train.py"), str(config), "--run-dir", str(run), *often],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 120
        while (not checkpoints(run) or checkpoints(run)[-1].name < "step_0000000384") and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    steps = read_state(checkpoints(run)[-1])["progress"]["steps"] + 128
    assert train.main(["--resume", str(run), "--set", f"total_steps={steps}"]) == 0
    assert train.main([str(config), "--run-dir", str(whole), "--set", f"total_steps={steps}"]) == 0
    same_training(checkpoints(run)[-1], checkpoints(whole)[-1])
    # The last line has the short evaluation at the end of the training, which both have.
    assert timeless(run) == timeless(whole)
    assert len(json.loads((run / "run.json").read_text())["sessions"]) == 2


def test_the_pools_figures_are_noted(finished):
    last = metrics(finished)[-1]
    assert {"pool/rating/learner", "pool/rating/random", "pool/win_rate/random", "pool/share/earlier_5"} <= set(last)
    # "current" has 1 of the 4 parts; the others share what is left by priority.
    shares = [value for name, value in last.items() if name.startswith("pool/share/")]
    assert sum(shares) == pytest.approx(3 / 4)
    assert last["pool/rating/random"] == 0


def test_a_finished_run_can_come_along(finished, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("agents.shipped.FOLDER", tmp_path)
    assert ship.main([str(finished)]) == 0
    folder = tmp_path / "vikings" / "2p"
    assert capsys.readouterr().out == f"{folder}\n"
    names = ("config.yaml", "curve.svg", "metrics.jsonl", "policy.json", "policy.safetensors", "strength.json")
    assert sorted(path.name for path in folder.iterdir()) == list(names)
    strength = json.loads((folder / "strength.json").read_text())
    (document,) = json.loads((finished / "evaluation.json").read_text())
    won = [
        (game["ranks"][game["seating"].index("learner")] == 1) / game["ranks"].count(1) for game in document["games"]
    ]
    (against,) = strength["against"]
    assert (against["opponent"], against["games"]) == ("random", 4)
    assert against["win_share"]["mean"] == pytest.approx(np.mean(won))
    assert strength["commands"] == [["python", *sys.argv]]
    agent = agents.load("vikings", "pretrained")
    kept = load_file(finished / "best" / "policy.safetensors")
    assert (agent.weights["policy.0.weight"] == kept["policy.0.weight"]).all()
    with pytest.raises(
        AgentError, match=r"no pretrained policy comes along for vikings_v0 at 3 players; .*vikings at 2"
    ):
        agents.load("vikings", "pretrained", players=3)
    (finished_again := tmp_path / "again").mkdir()
    assert ship.main([str(finished_again)]) == 2
    assert "config.yaml cannot be read" in capsys.readouterr().err


def test_a_run_is_drawn_again(finished, tmp_path, capsys):
    out = tmp_path / "two.svg"
    assert curve.main([str(finished), str(finished), "--out", str(out)]) == 0
    assert curve.main([str(finished)]) == 0
    text = (finished / "curve.svg").read_text()
    assert all(word in text for word in ("against random", "learner", "minutes"))
    before = (finished / "curve.svg").read_bytes()
    assert curve.main([str(finished)]) == 0
    assert (finished / "curve.svg").read_bytes() == before
    capsys.readouterr()
    assert curve.main([str(finished), "--out", str(tmp_path / "a.txt")]) == 2
    assert "must end in one of .svg, .png, .pdf" in capsys.readouterr().err
    assert curve.main([str(tmp_path)]) == 2


def test_a_series_is_what_was_noted():
    lines = [
        {"steps": 1, "seconds": 30, "a/x": 2.0},
        {"steps": 2, "seconds": 60},
        {"steps": 3, "seconds": 90, "a/x": 1},
    ]
    assert curve.series(lines, "a/x") == ([0.5, 1.5], [2.0, 1])
    assert curve.names([*lines, {"a/y": 0}], "a/") == ["a/x", "a/y"]
