"""Configurations of trainings: what they may hold, and that a wrong value is named and nothing is begun."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import train
from agents.config import ConfigError, TrainConfig, read_config, write_config
from agents.training import check_against_game

ROOT = Path(__file__).resolve().parent.parent


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
        ("evaluation.opponents=[random, greedy, random]", "evaluation: 'random' is twice in opponents and at_the_end"),
        ("evaluation.at_the_end=[random]", "evaluation: 'random' is twice in opponents and at_the_end"),
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
        (
            "opponents={baselines: {random: 1}, steady: {random: 1}}",
            r"opponents: 'random' is both in baselines and in steady; name it once",
        ),
        ("opponents.priority=best", r"opponents\.priority='best' is not allowed: .*'none', 'hard' or 'even'"),
        ("opponents.add_when=0.4", r"opponents\.add_when=0\.4 is not allowed: .* greater than or equal to 0\.5"),
        ("shaping_until=0.0", r"shaping_until=0\.0 is not allowed: .* greater than 0"),
        ("network.kind=deep", r"network\.kind='deep' is not allowed: .*'plain' or 'entities'"),
        ("network.seat=0", r"network\.seat=0 is not allowed: .* greater than or equal to 1"),
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
        ("opponents.steady={nobody: 1}", "agent 'nobody' is not known"),
        ("evaluation.opponents=[nobody]", "agent 'nobody' is not known"),
        ("evaluation.at_the_end=[nobody]", "agent 'nobody' is not known"),
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
