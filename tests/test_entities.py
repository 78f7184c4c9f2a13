"""Networks that embed the things of an observation: how they are found, what they compute, and their files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.entities import groups_of
from agents.layers import Group, Network
from agents.learner import OpponentPool, SelfPlayVecEnv
from agents.network import policy_arguments, set_weights, weights_of
from agents.policy import PolicyAgent, load_policy, save_policy
from northsea_envs import GAMES, Game, get_game
from northsea_envs.agent import AgentError, RandomAgent
from northsea_envs.game import Field
from tests.stones import stones_game


def game_with(*fields: tuple[str, int]) -> Game:
    """A game whose observation has these fields, by name and size."""
    return replace(
        stones_game(), observation_fields=lambda players: tuple(Field(name, size, 0, 1, "") for name, size in fields)
    )


# --- what is found --------------------------------------------------------------------------------


def test_what_all_seats_have_is_a_seat_each():
    game = game_with(("seat_0.gold", 1), ("seat_0.hand", 3), ("phase", 2), ("seat_1.gold", 1), ("seat_1.hand", 3))
    (group,) = groups_of(game.observation_fields(2), 2, seat_units=5, thing_units=4)
    assert group == Group("seats", (((0, 4),), ((6, 10),)), 5)
    assert group.columns.tolist() == [[0, 1, 2, 3], [6, 7, 8, 9]]
    assert group.block is None
    network = Network(10, 3, (), (), (), "relu", (group,))
    assert network.rest.tolist() == [4, 5]
    assert network.embedded_size == 2 * 5 + 2


def test_what_only_the_others_have_is_shared_among_several_others():
    fields = ("seat_0.gold", 1), ("seat_1.gold", 1), ("seat_1.known", 2), ("seat_2.gold", 1), ("seat_2.known", 2)
    seats, others = groups_of(game_with(*fields).observation_fields(3), 3, 5, 4)
    assert (seats.name, seats.things) == ("seats", (((0, 1),), ((1, 2),), ((4, 5),)))
    assert (others.name, others.things) == ("others", (((2, 4),), ((5, 7),)))
    # One other alone shares with nobody.
    assert [group.name for group in groups_of(game_with(*fields[:3]).observation_fields(2), 2, 5, 4)] == ["seats"]


def test_fields_of_one_size_speak_of_the_same_things():
    fields = ("hand", 9), ("short", 2), ("discard", 9), ("deck", 9), ("dice", 8), ("used", 8)
    (group,) = groups_of(game_with(*fields).observation_fields(2), 2, 5, 4)
    # The third of nine: column 2 of hand, of discard (from 11) and of deck (from 20).
    assert group.name == "things_9"
    assert group.columns[2].tolist() == [2, 13, 22]
    assert groups_of(game_with(*fields).observation_fields(2), 2, 5, 0) == ()


def test_seats_of_different_sizes_are_no_group():
    assert groups_of(game_with(("seat_0.gold", 1), ("seat_1.gold", 2)).observation_fields(2), 2, 5, 4) == ()


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_each_column_is_read_once(name):
    game = get_game(name)
    for players in range(game.min_players, game.max_players + 1):
        groups = groups_of(game.observation_fields(players), players, 5, 4)
        assert groups[0].name == "seats"
        assert len(groups[0].things) == players
        network = Network(game.observation_size(players), 1, (), (), (), "relu", groups)
        read = np.concatenate([*(group.columns.ravel() for group in groups), network.rest])
        assert sorted(read.tolist()) == list(range(game.observation_size(players)))


# --- what they compute ----------------------------------------------------------------------------

# Two things of the columns 0 and 1, 3 and 2; column 4 is in no group. One output each for policy and value.
THINGS = (((0, 2),), ((3, 4), (2, 3)))
NETWORK = Network(5, 1, (), (), (), "relu", (Group("pairs", THINGS, 2),))
WEIGHTS = {
    # Units of a pair (a, b): a - b + bias, and 2 b + bias.
    "embed.pairs.weight": np.array([[1, -1], [0, 2]], np.float32),
    "embed.pairs.bias": np.array([[0, 0], [10, -1]], np.float32),
    "policy.0.weight": np.array([[1, 10, 100, 1000, 10000]], np.float32),
    "policy.0.bias": np.array([0.5], np.float32),
    "value.0.weight": np.array([[0, 0, 1, 0, 0]], np.float32),
    "value.0.bias": np.array([0], np.float32),
}
# First pair (3, 1): 2 and 2. Second, (5, 4): 1 + 10 and 8 - 1. The rest: 6.
OBSERVATION = np.array([[3, 1, 4, 5, 6], [1, 3, 0, 0, 0]], np.float32)
# In the second row: pairs (1, 3): 1 - 3 is cut off at 0, and 6; (0, 0): 10, and -1 is cut off at 0.
LOGITS = [[0.5 + 2 + 20 + 1100 + 7000 + 60000], [0.5 + 60 + 1000]]


def test_logits_and_values_by_hand():
    agent = PolicyAgent(NETWORK, WEIGHTS)
    assert agent.logits(OBSERVATION).tolist() == LOGITS
    assert agent.values(OBSERVATION).tolist() == [11, 10]
    logits, values = agent.judge(OBSERVATION)
    assert (logits.tolist(), values.tolist()) == (LOGITS, [11, 10])


def test_nothing_to_judge():
    # A search whose leaves are all ends of games asks for nothing.
    logits, values = PolicyAgent(NETWORK, WEIGHTS).judge(OBSERVATION[:0])
    assert (logits.shape, values.shape) == ((0, 1), (0,))


def model_of(game: Game, network: Network):
    from sb3_contrib import MaskablePPO

    env = SelfPlayVecEnv(game, 3, 2, 0, OpponentPool({"random": (RandomAgent(game, 3), 1.0)}))
    return MaskablePPO("MlpPolicy", env, n_steps=2, policy_kwargs=policy_arguments(network), seed=0, device="cpu")


def test_training_computes_the_same_as_playing():
    game = stones_game()
    # All four columns of three players' stones: a group that must be gathered, and one that is a block.
    groups = (Group("far", (((3, 4),), ((0, 1),)), 3), Group("near", (((1, 2),), ((2, 3),)), 2))
    network = Network(4, 3, (6,), (), (4,), "tanh", groups)
    policy = model_of(game, network).policy
    generator = np.random.default_rng(0)
    given = {name: generator.standard_normal(shape).astype(np.float32) for name, shape in network.shapes().items()}
    set_weights(policy, network, given)
    out = weights_of(policy, network)
    assert len(out) == len(list(policy.parameters()))
    observations = generator.integers(0, 5, (20, 4)).astype(np.float32)
    agent = PolicyAgent(network, out)
    with torch.no_grad():
        features = policy.extract_features(torch.from_numpy(observations))
        theirs = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
        values = policy.predict_values(torch.from_numpy(observations)).numpy()[:, 0]
    assert agent.logits(observations) == pytest.approx(theirs, abs=1e-5)
    assert agent.values(observations) == pytest.approx(values, abs=1e-5)


# --- files ----------------------------------------------------------------------------------------

# Three columns of two players' stones.
GROUPS = (Group("seats", (((0, 1),), ((1, 2),)), 2),)
KEPT = Network(3, 3, (4,), (), (), "relu", GROUPS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    weights = {name: np.ones(shape, np.float32) for name, shape in KEPT.shapes().items()}
    save_policy(tmp_path, stones_game(), 2, KEPT, weights, steps=1)
    return tmp_path


def test_a_kept_network_has_its_groups(folder):
    assert load_policy(folder, stones_game(), 2).network == KEPT
    about = json.loads((folder / "policy.json").read_text())
    assert about["network"]["groups"] == [{"name": "seats", "things": [[[0, 1]], [[1, 2]]], "units": 2}]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("x", "network.groups must be a list"),
        ([{"name": "a", "units": 2}], "'things'"),
        ([{"name": "a", "units": 0, "things": [[[0, 1]]]}], "group 'a'"),
        ([{"name": "a", "units": 2, "things": []}], "group 'a'"),
        ([{"name": "a", "units": 2, "things": [[[0, 4]]]}], "columns 0 to 4"),
        ([{"name": "a", "units": 2, "things": [[[1, 1]]]}], "columns 1 to 1"),
        ([{"name": "a", "units": 2, "things": [[[0, 1]], [[1, 3]]]}], r"things of \[1, 2\] columns"),
        ([{"name": "a", "units": 2, "things": [[[0, 1]], [[0, 1]]]}], "a column that is there twice"),
        ([{"name": "a", "units": 2, "things": [[[i, i + 1]]]} for i in range(2)], "a name that is there twice"),
    ],
)
def test_groups_that_do_not_fit_are_refused(folder, groups, message):
    path = folder / "policy.json"
    about = json.loads(path.read_text())
    about["network"]["groups"] = groups
    path.write_text(json.dumps(about))
    with pytest.raises(AgentError, match=message):
        load_policy(folder, stones_game(), 2)
