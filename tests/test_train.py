"""Training from the command line: configurations, runs' folders, going on, Ctrl-C, and that something is learned."""

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

import northsea_envs
import train
from agents.checkpoint import read_state, save_checkpoint
from agents.config import ConfigError, TrainConfig, read_config, write_config
from agents.match import evaluate
from agents.policy import checkpoints
from agents.runs import lock, new_folder
from agents.training import Interrupts, Training, check_against_game
from northsea_envs.agent import AgentError, make_agent

ROOT = Path(__file__).resolve().parent.parent
# 128 decisions an update.
SMALL = {
    "game": "vikings",
    "players": 2,
    "total_steps": 512,
    "threads": 1,
    "num_envs": 16,
    "network": {"shared": [16], "policy": [], "value": []},
    # One learning rate throughout, so that what is learned does not depend on when the training is meant to end.
    "ppo": {"n_steps": 8, "batch_size": 64, "epochs": 2, "learning_rate": 1e-3, "final_learning_rate": 1e-3},
    "opponents": {"current": 1, "earlier": 2, "baselines": {"random": 1}, "add_every": 128, "keep": 2},
    "evaluation": {"opponents": ["random"], "games": 4, "every": 256, "short_games": 4},
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(SMALL))
    return path


# --- configurations -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_the_configurations_that_come_along_fit_their_games(path):
    check_against_game(read_config(path))


def test_values_are_changed_one_by_one(config):
    read = read_config(config, ["ppo.learning_rate=3e-4", "warm_start.games=7", "opponents.baselines.greedy=0.5"])
    assert read.ppo.learning_rate == 0.0003
    assert read.warm_start is not None
    assert read.warm_start.games == 7
    assert read.opponents.baselines == {"random": 1, "greedy": 0.5}
    assert read_config(config, ["warm_start=null"]).warm_start is None


def test_a_written_configuration_reads_the_same(config, tmp_path):
    read = read_config(config, ["max_minutes=1.5", "warm_start.epsilon=1e-3"])
    (tmp_path / "again.yaml").write_text(write_config(read))
    assert read_config(tmp_path / "again.yaml") == read
    assert set(yaml.safe_load(write_config(read))) == set(TrainConfig.model_fields)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "ppo.learning_rat=1",
            r"unknown key 'ppo\.learning_rat', did you mean 'learning_rate'\? Allowed here: n_steps,",
        ),
        ("ppo.learning_rate=.inf", r"ppo\.learning_rate=inf is not allowed: .* finite"),
        ("max_minutes=.nan", r"max_minutes=nan is not allowed: .* finite"),
        ("opponents.baselines.random=.inf", r"opponents\.baselines\.random=inf is not allowed: .* finite"),
        ("threads=100000", r"threads=100000 is not allowed: .* less than or equal to 256"),
        ("num_envs=65537", r"num_envs=65537 is not allowed: .* less than or equal to 65536"),
        ("evaluation.opponents=[random, greedy, random]", r"evaluation\.opponents: 'random' is there twice"),
        ("ppo={epochs: 1, epochs: 2}", r"--set ppo=.*: key 'epochs' is there twice, again in line 1"),
        ("zzz=1", r"unknown key 'zzz'\. Allowed here: game, tables, players,"),
        ("warm_start.teach=greedy", r"unknown key 'warm_start\.teach', did you mean 'teacher'\?"),
        ("ppo.n_steps=many", r"ppo\.n_steps='many' is not allowed: .* integer"),
        ("ppo.n_steps=true", r"ppo\.n_steps=True is not allowed: .* integer"),
        ("ppo.n_steps=0", r"ppo\.n_steps=0 is not allowed: .* greater than or equal to 1"),
        ("ppo.gamma=1.5", r"ppo\.gamma=1\.5 is not allowed: .* less than or equal to 1"),
        ("network.shared=[8, -1]", r"network\.shared\.1=-1 is not allowed"),
        ("network.shared=[100000]", r"network\.shared: layers have 1 to 65536 units"),
        ("network.activation=sin", r"network\.activation='sin' is not allowed: .*'relu' or 'tanh'"),
        ("opponents.baselines.random=-1", r"opponents\.baselines\.random=-1 is not allowed"),
        (
            "opponents={current: 0, baselines: {}}",
            r"opponents: current, or one of the baselines or of steady, must have a weight",
        ),
        ("total_steps=null", r"give total_steps, max_minutes, or both"),
        ("ppo.batch_size=1", r"ppo\.batch_size=1 leaves a minibatch of one of the 128 decisions"),
        ("ppo.batch_size=127", r"ppo\.batch_size=127 leaves a minibatch of one of the 128 decisions"),
        ("name=../elsewhere", r"name='\.\./elsewhere' is not allowed"),
        ("seed=-1", r"seed=-1 is not allowed"),
        ("ppo.n_steps", r"--set ppo\.n_steps: write key=value"),
        ("ppo=[", r"--set ppo=\[ is not YAML"),
        ("players.of=1", r"--set players\.of=1: players is a value, not a section"),
    ],
)
def test_a_wrong_value_is_named(config, override, message):
    with pytest.raises(ConfigError, match=message):
        read_config(config, [override])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("game=chess", "there is no game 'chess'; games: vikings"),
        ("players=5", "num_players=5 is not allowed; Vikings takes 2 to 4"),
        ("options={ships: 3}", "unknown option 'ships' of vikings_v0"),
        ("opponents.baselines.gredy=1", "agent 'gredy' is not known"),
        ("evaluation.opponents=[nobody]", "agent 'nobody' is not known"),
        ("warm_start.teacher=nobody", "agent 'nobody' is not known"),
        ("ppo.learning_rat=1", "unknown key 'ppo.learning_rat'"),
    ],
)
def test_bad_input_ends_with_code_2_and_leaves_nothing(config, tmp_path, capsys, monkeypatch, override, message):
    monkeypatch.chdir(tmp_path)
    assert train.main([str(config), "--set", override]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("train.py: ")
    assert list(tmp_path.iterdir()) == [config]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file"),
        (b"game: [", "is not YAML"),
        (b"- game\n", "must hold keys and values"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"players: 2\ngame: vikings\nplayers: 3\n", r"key 'players' is there twice, again in line 3"),
        (b"game: vikings\n", "players is missing"),
    ],
)
def test_an_unreadable_configuration_is_refused(tmp_path, content, message):
    path = tmp_path / "config.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_config(path)


@pytest.mark.parametrize("arguments", [[], ["a.yaml", "--resume", "b"], ["--resume", "b", "--run-dir", "c"]])
def test_the_command_line_wants_a_configuration_or_a_run(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        train.main(arguments)
    assert exit_info.value.code == 2


# --- runs' folders --------------------------------------------------------------------------------


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
    assert state["earlier"] == [4, 5]
    assert {4, 5} <= set(state["versions"]) <= {2, 3, 4, 5}
    assert {int(path.name) for path in (finished / "opponents").iterdir()} == set(state["versions"])


def test_a_run_is_an_agent(finished):
    game = northsea_envs.get_game("vikings")
    agent = make_agent(str(finished), game, 2)
    result = evaluate(game, players=2, agents={"run": agent, "random": "random"}, games=2)
    assert len(result.result) == 2
    with pytest.raises(AgentError, match="trained for players 2; here it is 3"):
        make_agent(str(finished), game, 3)


def same_training(one: Path, other: Path) -> None:
    for file in ("policy.safetensors", "trainer.safetensors"):
        left, right = load_file(one / file), load_file(other / file)
        assert set(left) == set(right)
        for name, array in left.items():
            assert (array == right[name]).all(), name
    left_state, right_state = read_state(one), read_state(other)
    for key in ("updates", "numpy_random", "earlier", "versions"):
        assert left_state[key] == right_state[key]


def test_the_same_seed_trains_the_same_policy(finished, config, tmp_path):
    assert train.main([str(config), "--run-dir", str(tmp_path / "run")]) == 0
    same_training(checkpoints(finished)[-1], checkpoints(tmp_path / "run")[-1])


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
    assert train.main(["--resume", str(run)]) == 0
    assert "is complete" in capsys.readouterr().out
    assert (run / "evaluation.json").exists()
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
            r"its network is .*shared=\(16,\).*, the configuration's is .*shared=\(17,\)",
        ),
    ],
)
def test_a_damaged_run_is_not_resumed_and_says_why(finished, tmp_path, capsys, damage, message):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    damage(run)
    assert train.main(["--resume", str(run), "--set", "total_steps=9999"]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_the_number_of_games_cannot_change_within_a_run(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    assert train.main(["--resume", str(run), "--set", "num_envs=8", "--set", "total_steps=9999"]) == 2
    assert "num_envs=8 is not allowed: it cannot be changed when resuming" in capsys.readouterr().err
    assert read_config(run / "config.yaml").num_envs == 16
    assert [path.name for path in checkpoints(run)] == ["step_0000000000", "step_0000000512"]


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
        save_checkpoint(run, training.model, training.env, training.network, training.progress)
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


# --- learning -------------------------------------------------------------------------------------


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
