"""Policies as agents, and the files they are kept in."""

from __future__ import annotations

import json
import math
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from sb3_contrib import MaskablePPO

import northsea_envs
from agents.learner import OpponentPool, SelfPlayVecEnv
from agents.network import policy_arguments, set_weights, weights_of
from agents.policy import Network, PolicyAgent, load_policy, policy_folder, save_policy
from northsea_envs.agent import AgentError, Decisions, RandomAgent, make_agent
from tests.stones import stones_game

GAME = stones_game()
# Observation of two seats: own points, the other's, decisions. Actions: NOTHING, TAKE, AGAIN.
NETWORK = Network(3, 3, (4,), (5,), (6, 2), "relu")


def weights(network: Network = NETWORK, seed: int = 0) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {name: generator.standard_normal(shape).astype(np.float32) for name, shape in network.shapes().items()}


def decisions(observations: list, masks: list, seeds: list | None = None) -> Decisions:
    n = len(observations)
    return Decisions(
        GAME,
        2,
        np.array(observations, np.float32),
        np.array(masks, np.int8),
        np.zeros(n, np.int64),
        np.array(seeds if seeds is not None else range(n), np.int64),
        np.zeros(n, GAME.state_dtype),
        np.arange(n),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_policy(tmp_path / "policy", GAME, 2, NETWORK, weights(), steps=12)
    return tmp_path / "policy"


# --- playing --------------------------------------------------------------------------------------


def test_shapes_of_the_layers():
    assert NETWORK.shapes() == {
        "shared.0.weight": (4, 3),
        "shared.0.bias": (4,),
        "policy.0.weight": (5, 4),
        "policy.0.bias": (5,),
        "policy.1.weight": (3, 5),
        "policy.1.bias": (3,),
        "value.0.weight": (6, 4),
        "value.0.bias": (6,),
        "value.1.weight": (2, 6),
        "value.1.bias": (2,),
        "value.2.weight": (1, 2),
        "value.2.bias": (1,),
    }


@pytest.mark.parametrize(("activation", "middle"), [("relu", (0.0, 2.0)), ("tanh", (math.tanh(-1), math.tanh(2)))])
def test_logits_by_hand(activation, middle):
    network = Network(3, 3, (2,), (), (), activation)
    by_hand = weights(network)
    # Hidden units: x0 - x1 and x2 + 1; logits: h0, 2 h1, h0 + h1 - 3.
    by_hand |= {
        "shared.0.weight": np.array([[1, -1, 0], [0, 0, 1]], np.float32),
        "shared.0.bias": np.array([0, 1], np.float32),
        "policy.0.weight": np.array([[1, 0], [0, 2], [1, 1]], np.float32),
        "policy.0.bias": np.array([0, 0, -3], np.float32),
    }
    logits = PolicyAgent(network, by_hand).logits(np.array([[1, 2, 1]], np.float32))
    a, b = middle
    assert logits[0] == pytest.approx([a, 2 * b, a + b - 3], abs=1e-6)


def logits_are(*logits: float) -> tuple[Network, dict[str, np.ndarray]]:
    """A network that gives the same logits everywhere."""
    network = Network(3, 3, (), (), (), "relu")
    fixed = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    fixed["policy.0.bias"] = np.array(logits, np.float32)
    return network, fixed


def test_the_likeliest_legal_action():
    agent = PolicyAgent(*logits_are(1.0, 2.0, 3.0), deterministic=True)
    asked = decisions([[0, 0, 0]] * 3, [[1, 1, 1], [1, 1, 0], [1, 0, 0]])
    assert agent.act(asked).tolist() == [2, 1, 0]


def test_actions_are_drawn_by_probability_among_the_legal():
    # exp: 3 to 1 between the legal ones; the masked one would be likeliest by far.
    agent = PolicyAgent(*logits_are(math.log(3.0), 0.0, 50.0), deterministic=False)
    actions = agent.act(decisions([[0, 0, 0]] * 20_000, [[1, 1, 0]] * 20_000))
    # The standard deviation of the share is 0.003.
    assert np.mean(actions == 0) == pytest.approx(0.75, abs=0.015)
    assert set(actions) == {0, 1}


def test_huge_logits_do_not_overflow():
    agent = PolicyAgent(*logits_are(1e30, -1e30, 0.0), deterministic=False)
    assert agent.act(decisions([[0, 0, 0]], [[1, 1, 1]])).tolist() == [0]
    assert agent.act(decisions([[0, 0, 0]], [[0, 1, 0]])).tolist() == [1]


@pytest.mark.parametrize("deterministic", [True, False])
def test_choices_do_not_depend_on_batches(deterministic):
    agent = PolicyAgent(NETWORK, weights(), deterministic)
    observations = np.random.default_rng(1).integers(0, 5, (300, 3)).tolist()
    together = agent.act(decisions(observations, [[1, 1, 1]] * 300))
    alone = [agent.act(decisions([o], [[1, 1, 1]], [seed]))[0] for seed, o in enumerate(observations)]
    assert together.tolist() == alone


def test_a_frozen_copy_stays_as_it_was():
    live = PolicyAgent(*logits_are(1.0, 0.0, 0.0))
    frozen = live.frozen(deterministic=True)
    live.weights["policy.0.bias"][:] = [0.0, 1.0, 0.0]
    asked = decisions([[0, 0, 0]], [[1, 1, 1]])
    assert live.act(asked).tolist() == [1]
    assert frozen.act(asked).tolist() == [0]


# --- inside stable-baselines3 ---------------------------------------------------------------------


def make_model(network: Network = NETWORK) -> MaskablePPO:
    env = SelfPlayVecEnv(GAME, 2, 4, 0, OpponentPool({"random": (RandomAgent(GAME, 2), 1.0)}))
    return MaskablePPO(
        "MlpPolicy", env, n_steps=4, batch_size=16, policy_kwargs=policy_arguments(network), seed=0, device="cpu"
    )


@pytest.mark.parametrize(
    "network",
    [NETWORK, Network(3, 3, (), (), (), "tanh"), Network(3, 3, (8, 4), (), (5,), "tanh")],
    ids=["all parts", "linear", "shared alone"],
)
def test_weights_go_in_and_out_unchanged_and_mean_the_same(network, tmp_path):
    model = make_model(network)
    given = weights(network, seed=3)
    set_weights(model.policy, network, given)
    out = weights_of(model.policy, network)
    assert set(out) == set(dict(given))
    # Every parameter of SB3's policy has a name here: none is lost on the way to a file.
    assert len(out) == len(list(model.policy.parameters()))
    save_policy(tmp_path, GAME, 2, network, out, steps=0)
    agent = load_policy(tmp_path, GAME, 2)
    for name, array in given.items():
        assert (out[name] == array).all()
        assert (agent.weights[name] == array).all()
    observations = np.random.default_rng(0).integers(0, 5, (20, 3)).astype(np.float32)
    theirs = model.policy.get_distribution(model.policy.obs_to_tensor(observations)[0]).distribution.logits
    ours = agent.logits(observations).astype(np.float64)
    ours -= np.log(np.exp(ours).sum(axis=1, keepdims=True))
    assert ours == pytest.approx(theirs.detach().numpy(), abs=1e-5)


def test_weights_of_a_network_in_training_follow_it():
    model = make_model()
    agent = PolicyAgent(NETWORK, weights_of(model.policy, NETWORK))
    before = agent.frozen(deterministic=True)
    model.learn(16)
    assert (agent.weights["policy.0.weight"] != before.weights["policy.0.weight"]).any()
    assert (agent.weights["policy.0.weight"] == weights_of(model.policy, NETWORK)["policy.0.weight"]).all()


# --- files ----------------------------------------------------------------------------------------


def test_a_kept_policy_says_what_it_is(folder):
    about = json.loads((folder / "policy.json").read_text())
    layout = about.pop("observation_layout")
    assert len(layout) == 16
    assert about == {
        "format": 1,
        "game": "stones_v0",
        "players": 2,
        "observation_size": 3,
        "num_actions": 3,
        "tables": GAME.fingerprint,
        "package_version": northsea_envs.__version__,
        "network": {"shared": [4], "policy": [5], "value": [6, 2], "activation": "relu"},
        "steps": 12,
    }
    assert sorted(path.name for path in folder.iterdir()) == ["policy.json", "policy.safetensors"]


def change_about(folder: Path, **values) -> None:
    path = folder / "policy.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def change_weights(folder: Path, **tensors) -> None:
    path = folder / "policy.safetensors"
    changed = {**load_file(path), **{name.replace("__", "."): t for name, t in tensors.items()}}
    save_file({name: tensor for name, tensor in changed.items() if tensor is not None}, path)


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


class Bomb:
    """What an exploit in a pickle would look like."""

    def __reduce__(self):
        return pytest.fail, ("a policy's file ran code",)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "policy.json").unlink(), r"policy\.json cannot be read \(No such file"),
        (lambda f: (f / "policy.safetensors").unlink(), r"policy\.safetensors cannot be read \(No such file"),
        (lambda f: (f / "policy.json").write_text("{"), r"policy\.json is not JSON"),
        (lambda f: (f / "policy.json").write_text("[" * 100_000), r"policy\.json is not JSON"),
        (lambda f: (f / "policy.json").write_bytes(b"\xff\xfe\x00"), r"policy\.json is not JSON"),
        (lambda f: (f / "policy.json").write_text("[1]"), r"must have format 1, not \[1\]"),
        (lambda f: change_about(f, format=2), r"must have format 1, not 2"),
        (lambda f: cut(f / "policy.safetensors", 200), r"policy\.safetensors is damaged"),
        (lambda f: cut(f / "policy.safetensors", 0), r"policy\.safetensors is damaged"),
        (lambda f: (f / "policy.safetensors").write_bytes(b"junk" * 99), r"policy\.safetensors is damaged"),
        (lambda f: (f / "policy.safetensors").write_bytes(pickle.dumps(Bomb())), r"policy\.safetensors is damaged"),
        (lambda f: change_about(f, game="vikings_v0"), r"trained for game 'vikings_v0'; here it is 'stones_v0'"),
        (lambda f: change_about(f, players=3), r"trained for players 3; here it is 2"),
        (lambda f: change_about(f, observation_layout="0" * 16), r"trained for observation_layout '0000000000000000'"),
        (lambda f: change_about(f, observation_size=4), r"trained for observation_size 4; here it is 3"),
        (lambda f: change_about(f, num_actions=9), r"trained for num_actions 9; here it is 3"),
        (lambda f: change_about(f, network=None), r"network must have shared, policy, value and activation"),
        (
            lambda f: change_about(f, network={"shared": [4], "policy": [-5], "value": [], "activation": "relu"}),
            r"network\.policy must be a list of sizes 1\.\.65536, not \[-5\]",
        ),
        (
            lambda f: change_about(f, network={"shared": [4], "policy": [5], "value": [6, 2], "activation": "sin"}),
            r"network\.activation must be one of relu, tanh, not 'sin'",
        ),
        (
            lambda f: change_about(f, network={"shared": [4], "policy": [], "value": [6, 2], "activation": "relu"}),
            r"not expected: policy\.1\.bias, policy\.1\.weight",
        ),
        (lambda f: change_weights(f, policy__0__bias=None), r"missing: policy\.0\.bias"),
        (lambda f: change_weights(f, more=np.zeros(1)), r"not expected: more"),
        (
            lambda f: change_weights(f, policy__0__bias=np.zeros(4, np.float32)),
            r"policy\.0\.bias must be float32 of shape \(5,\), not float32 of \(4,\)",
        ),
        (
            lambda f: change_weights(f, policy__0__bias=np.zeros(5, np.float64)),
            r"policy\.0\.bias must be float32 of shape \(5,\), not float64",
        ),
        (
            lambda f: change_weights(f, policy__0__bias=np.array([0, 0, np.nan, 0, 0], np.float32)),
            r"policy\.0\.bias holds values that are not finite",
        ),
    ],
)
def test_a_damaged_or_foreign_policy_is_refused_and_says_why(folder, damage, message):
    damage(folder)
    with pytest.raises(AgentError, match=message):
        load_policy(folder, GAME, 2)


def test_other_component_tables_are_mentioned(folder):
    change_about(folder, tables="0" * 16)
    with pytest.warns(RuntimeWarning, match="trained with component tables '0000000000000000'"):
        load_policy(folder, GAME, 2)


def test_another_layout_of_equal_size_is_another_layout(folder):
    with pytest.raises(AgentError, match="observation_layout"):
        load_policy(folder, stones_game(most_points=5), 2)


# --- names ----------------------------------------------------------------------------------------


def test_a_policy_is_named_by_its_folder(folder):
    agent = make_agent(str(folder), GAME, 2)
    assert isinstance(agent, PolicyAgent)
    assert agent.deterministic
    assert not make_agent(f"{folder}:deterministic=0", GAME, 2).deterministic
    with pytest.raises(AgentError, match=r"deterministic=0 or deterministic=1, not 'temperature=2'"):
        make_agent(f"{folder}:temperature=2", GAME, 2)


def test_a_run_stands_for_its_best_policy_or_else_its_latest(folder, tmp_path):
    run = tmp_path / "run"
    with pytest.raises(AgentError, match="is not known"):
        make_agent(str(run), GAME, 2)
    run.mkdir()
    with pytest.raises(AgentError, match=r"holds no policy: no policy\.json, no best/, no checkpoints/step_\*"):
        make_agent(str(run), GAME, 2)
    for step in ("step_0000000900", "step_0000001000"):
        shutil.copytree(folder, run / "checkpoints" / step)
    (run / "checkpoints" / ".step_0000002000.tmp").mkdir()
    assert policy_folder(run).name == "step_0000001000"
    shutil.copytree(folder, run / "best")
    assert policy_folder(run).name == "best"
    assert make_agent(str(run), GAME, 2).network == NETWORK
