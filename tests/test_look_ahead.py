"""Networks that read what the game's value says of each action."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from safetensors.numpy import load_file
from sb3_contrib import MaskablePPO

import northsea_envs
import train
from agents.greedy import GreedyAgent
from agents.guided import read
from agents.layers import Group, Network
from agents.learner import OpponentPool, SelfPlayVecEnv
from agents.look_ahead import SCALE, LookAhead, columns_of
from agents.network import policy_arguments, policy_class, set_weights, weights_of
from agents.policy import PolicyAgent, checkpoints, load_policy, save_policy
from agents.runs import METRICS_FILE, metrics_of
from agents.tree import new_room, rules_of
from northsea_envs.agent import AgentError, RandomAgent
from northsea_envs.game import Game
from northsea_envs.tables import WEIGHTS_FIELD, with_weights
from northsea_envs.vector import GameBatch
from tests.small_run import SMALL
from tests.toy_game import toy_game

TOY = toy_game()
# Reads the toy's three floats, three columns of actions and of the one that is never legal, and the highest value.
NETWORK = Network(3, 4, (5,), (), (2,), "tanh", (), True)
VIKINGS = northsea_envs.get_game("vikings_v0")


def weights(network: Network, seed: int = 0) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {name: generator.standard_normal(shape).astype(np.float32) for name, shape in network.shapes().items()}


def nothing_learnt(game: Game, players: int, deterministic: bool = True) -> PolicyAgent:
    network = Network(game.observation_size(players), game.num_actions(players), (), (), (), "relu", (), True)
    zeros = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    zeros["look.scale"][:] = 8
    return PolicyAgent(network, zeros, deterministic, LookAhead(game, game.tables))


# --- what is read ---------------------------------------------------------------------------------


def test_columns_by_hand():
    columns = np.full(6, 7, np.float32)
    columns_of(np.array([0.5, 0.48, -1.0, 0.46, 0.2]), columns)
    # Behind by 0.02 of the 0.04 that make -1; not legal; by 0.04; by more.
    assert columns.tolist() == pytest.approx([0, -0.5, -1, -1, -1, 0.5], abs=1e-6)


def test_columns_of_a_decision_with_a_hidden_coin():
    # The value is (points + 3) / 13: KEEP 4/13, FOLD 3/13, RISK 6/13 with heads drawn and 2/13 with tails.
    batch = GameBatch(TOY, 2, np.arange(50))
    decisions = batch.decisions(np.arange(50), observed=False)
    columns = LookAhead(TOY, TOY.tables).columns(decisions)
    heads = decisions.draw(decisions.seeds)["coin"] == 1
    assert columns.dtype == np.float32
    assert 0 < heads.sum() < 50
    # 1/13 is more than 0.04, so whatever is not the best is -1.
    assert columns[heads] == pytest.approx(np.tile([-1, 0, -1, -1, 6 / 13], (heads.sum(), 1)), abs=1e-6)
    assert columns[~heads] == pytest.approx(np.tile([0, -1, -1, -1, 4 / 13], ((~heads).sum(), 1)), abs=1e-6)


def test_the_columns_do_not_show_the_hidden_coin():
    batch = GameBatch(TOY, 2, np.arange(50))
    seen = []
    for coin in (0, 1):
        batch.states["coin"] = coin
        seen.append(LookAhead(TOY, TOY.tables).columns(batch.decisions(np.arange(50), observed=False)))
    assert (seen[0] == seen[1]).all()


def test_the_learner_reads_what_an_agent_reads():
    look_ahead = LookAhead(TOY, TOY.tables)
    pool = OpponentPool({"random": (RandomAgent(TOY, 2), 1.0)})
    env = SelfPlayVecEnv(TOY, 2, 8, 0, pool, look_ahead=look_ahead)
    agent = PolicyAgent(NETWORK, weights(NETWORK), True, look_ahead)
    assert env.observation_space.shape == (NETWORK.input_size,) == (8,)
    seen = env.reset()
    for _ in range(20):
        assert (seen == agent.inputs(env._games.batch.decisions(np.arange(8)))).all()
        assert all(env.observation_space.contains(row) for row in seen)
        seen, _, dones, infos = env.step(np.zeros(8, np.int64))
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            assert env.observation_space.contains(last)
            assert last[3:].tolist() == [0] * 5
    again = SelfPlayVecEnv(TOY, 2, 8, 0, pool, look_ahead=look_ahead)
    assert (again.restore(env.running()) == seen).all()


@pytest.mark.parametrize("name", northsea_envs.GAMES)
def test_a_leaf_of_a_search_is_read_as_a_decision_is(name):
    game = northsea_envs.get_game(name)
    batch = GameBatch(game, 2, np.arange(20))
    for _ in range(30):
        rows = np.flatnonzero(batch.deciders >= 0)
        batch.step(rows, RandomAgent(game, 2).act(batch.decisions(rows)))
    decisions = batch.decisions(np.flatnonzero(batch.deciders >= 0))
    drawn, size = decisions.draw(decisions.seeds), game.observation_size(2)
    # Other weights than the game's, which a policy may bring along.
    tables = with_weights(game.tables, game.tables[WEIGHTS_FIELD][0] * 1.5)
    columns = LookAhead(game, tables).columns(decisions)
    room, rules = new_room(game, 2, 1), rules_of(game)
    for k, seat in enumerate(decisions.seats.tolist()):
        room.games[0], room.legal[:] = drawn[k], decisions.masks[k]
        inputs = np.zeros(size + columns.shape[1], np.float32)
        read(rules, tables, room, seat, True, size, inputs)
        assert (inputs[size:] == columns[k]).all()
        assert (inputs[:size] == decisions.observations[k]).all()
        # Of a seat that does not decide only the value as it stands is known.
        read(rules, tables, room, 1 - seat, False, size, inputs)
        assert (inputs[size:-1] == -1).all()
        assert inputs[-1] == np.float32(game.kernels.value(tables, drawn, k, 1 - seat))


# --- what is made of it ---------------------------------------------------------------------------


def test_logits_are_added_to_the_columns():
    # Nothing but a bias of its own: 1, 2, 3, 4, and ten times the columns.
    network = Network(3, 4, (), (), (), "relu", (), True)
    by_hand = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    by_hand["policy.0.bias"][:] = [1, 2, 3, 4]
    by_hand["look.scale"][:] = 10
    agent = PolicyAgent(network, by_hand, True, LookAhead(TOY, TOY.tables))
    logits, values = agent.judge(np.array([[9, 9, 9, 0, -0.5, -1, -1, 0.7]], np.float32))
    assert logits.tolist() == [[1, -3, -7, -6]]
    assert values.tolist() == [0]


@pytest.mark.parametrize("name", northsea_envs.GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_before_anything_is_learnt_it_plays_what_greedy_finds_best(name, players):
    game = northsea_envs.get_game(name)
    batch = GameBatch(game, players, np.arange(8))
    agent, greedy = nothing_learnt(game, players), GreedyAgent(game, players)
    for _ in range(60):
        rows = np.flatnonzero(batch.deciders >= 0)
        decisions = batch.decisions(rows)
        chosen, theirs = agent.act(decisions), greedy.act(decisions)
        columns = agent.inputs(decisions)[:, game.observation_size(players) :]
        # The best action has 0, whichever of equals greedy draws.
        assert (columns[np.arange(len(rows)), theirs] == 0).all()
        assert (columns[np.arange(len(rows)), chosen] == 0).all()
        batch.step(rows, theirs)


@pytest.mark.parametrize(
    "network",
    [
        NETWORK,
        Network(3, 4, (), (), (), "relu", (), True),
        Network(3, 4, (4,), (3,), (), "relu", (Group("pair", (((0, 1),), ((2, 3),)), 2),), True),
    ],
    ids=["a layer", "linear", "entities"],
)
def test_the_trainers_network_means_the_same(network, tmp_path):
    env = SelfPlayVecEnv(
        TOY, 2, 4, 0, OpponentPool({"random": (RandomAgent(TOY, 2), 1.0)}), look_ahead=LookAhead(TOY, TOY.tables)
    )
    arguments = policy_arguments(network)
    model = MaskablePPO(
        policy_class(network), env, n_steps=4, batch_size=16, policy_kwargs=arguments, seed=0, device="cpu"
    )
    # Every parameter has a name and is one that the optimizer trains.
    assert len(weights_of(model.policy, network)) == len(list(model.policy.parameters()))
    trained = {id(p) for group in model.policy.optimizer.param_groups for p in group["params"]}
    assert trained == {id(p) for p in model.policy.parameters()}
    set_weights(model.policy, network, weights(network, seed=3))
    save_policy(tmp_path, TOY, 2, network, weights_of(model.policy, network), steps=0)
    agent = load_policy(tmp_path, TOY, 2)
    assert agent.network == network
    inputs = np.random.default_rng(0).uniform(-1, 1, (20, 8)).astype(np.float32)
    tensor = model.policy.obs_to_tensor(inputs)[0]
    theirs = model.policy.get_distribution(tensor).distribution.logits.detach().numpy()
    logits, values = agent.judge(inputs)
    logits = logits - np.log(np.exp(logits.astype(np.float64)).sum(axis=1, keepdims=True))
    assert logits == pytest.approx(theirs, abs=1e-5)
    assert values == pytest.approx(model.policy.predict_values(tensor).detach().numpy()[:, 0], abs=1e-5)
    before = model.policy.action_net.scale.item()
    model.learn(64)
    assert model.policy.action_net.scale.item() != before


def test_a_new_network_begins_near_greedy():
    env = SelfPlayVecEnv(
        TOY, 2, 50, 0, OpponentPool({"random": (RandomAgent(TOY, 2), 1.0)}), look_ahead=LookAhead(TOY, TOY.tables)
    )
    model = MaskablePPO(
        policy_class(NETWORK), env, policy_kwargs=policy_arguments(NETWORK), n_steps=4, batch_size=200, seed=0
    )
    assert model.policy.action_net.scale.item() == SCALE
    inputs = env.reset()
    actions, _ = model.predict(inputs, action_masks=env.action_masks(), deterministic=True)
    assert (inputs[np.arange(50), 3 + actions] == 0).all()


def test_lots_do_not_follow_the_game_that_was_drawn():
    """With heads or tails drawn alike, an agent of nothing but even chances plays all three actions equally often."""
    network = Network(3, 4, (), (), (), "relu", (), True)
    zeros = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    agent = PolicyAgent(network, zeros, False, LookAhead(TOY, TOY.tables))
    decisions = GameBatch(TOY, 2, np.arange(6000)).decisions(np.arange(6000))
    actions = agent.act(decisions)
    coins = decisions.draw(decisions.seeds)["coin"]
    for coin in (0, 1):
        shares = np.bincount(actions[coins == coin], minlength=4) / (coins == coin).sum()
        # Five standard deviations.
        assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.045)


def test_an_agent_and_its_network_must_agree():
    with pytest.raises(ValueError, match="look_ahead must be given for a network that reads what it sees"):
        PolicyAgent(NETWORK, weights(NETWORK))


# --- files ----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    network = nothing_learnt(VIKINGS, 2).network
    save_policy(tmp_path / "policy", VIKINGS, 2, network, weights(network), steps=1)
    return tmp_path / "policy"


def change(folder: Path, **values) -> None:
    path = folder / "policy.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_a_policy_keeps_the_weights_that_it_looked_ahead_with(folder):
    kept = json.loads((folder / "policy.json").read_text())
    assert kept["value_weights"] == VIKINGS.tables[WEIGHTS_FIELD][0].tolist()
    assert load_policy(folder, VIKINGS, 2).look_ahead.tables is VIKINGS.tables
    # Weights of the game that change later are not its own.
    others = [weight + 1 for weight in kept["value_weights"]]
    change(folder, value_weights=others)
    look_ahead = load_policy(folder, VIKINGS, 2).look_ahead
    assert (look_ahead.tables == with_weights(VIKINGS.tables, others)).all()
    decisions = GameBatch(VIKINGS, 2, np.arange(20)).decisions(np.arange(20))
    assert (look_ahead.columns(decisions) != LookAhead(VIKINGS, VIKINGS.tables).columns(decisions)).any()


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, r"value_weights do not fit vikings_v0 \(they must be a list of numbers, not None"),
        ([1.0], r"value_weights do not fit vikings_v0 \(weights must be \d+ finite numbers"),
        (["1"], "they must be a list of numbers"),
        ([float("nan")] * len(VIKINGS.weights), "value_weights do not fit"),
    ],
)
def test_weights_that_do_not_fit_are_refused(folder, found, message):
    change(folder, value_weights=found)
    with pytest.raises(AgentError, match=message):
        load_policy(folder, VIKINGS, 2)


def test_a_network_that_may_look_ahead_is_refused(folder):
    layers = json.loads((folder / "policy.json").read_text())["network"]
    change(folder, network={**layers, "look_ahead": 1})
    with pytest.raises(AgentError, match=r"network\.look_ahead must be true or false, not 1"):
        load_policy(folder, VIKINGS, 2)


# --- training -------------------------------------------------------------------------------------


def test_a_training_that_looks_ahead_resumes_exactly(tmp_path, capsys, monkeypatch):
    config = tmp_path / "config.yaml"
    network = {**SMALL["network"], "kind": "entities", "seat": 4, "look_ahead": True}
    warm = {"games": 4, "batch_size": 64}
    config.write_text(yaml.safe_dump({**SMALL, "network": network, "warm_start": warm}))
    runs = [tmp_path / "whole", tmp_path / "parts"]
    assert train.main([str(config), "--run-dir", str(runs[0])]) == 0
    assert train.main([str(config), "--run-dir", str(runs[1]), "--set", "total_steps=256"]) == 0
    assert train.main(["--resume", str(runs[1]), "--set", "total_steps=512"]) == 0
    whole, parts = (load_file(checkpoints(run)[-1] / "policy.safetensors") for run in runs)
    assert whole["look.scale"] != 8
    assert all((whole[name] == parts[name]).all() for name in whole)
    # It is nearly greedy from the start, which wins all games against random.
    lines = (runs[0] / METRICS_FILE).read_bytes().splitlines()
    shares = [values["evaluation/win_share/random"] for values in map(metrics_of, lines) if _evaluated(values)]
    assert min(shares) == 1.0
    # Other weights would be other columns.
    weighed = with_weights(VIKINGS.tables, VIKINGS.tables[WEIGHTS_FIELD][0] * 2)
    monkeypatch.setattr("agents.policy.weights_now", lambda game: weighed[WEIGHTS_FIELD][0].tolist())
    assert train.main(["--resume", str(runs[1]), "--set", "total_steps=640"]) == 2
    assert "the weights of vikings_v0's value have changed since" in capsys.readouterr().err


def _evaluated(values: dict) -> bool:
    return any(name.startswith("evaluation/") for name in values)
