"""The same seed is the same game: across processes, faces, batch sizes and orders of play."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from northsea_envs import get_game
from northsea_envs.agent import RandomAgent
from northsea_envs.vector import GameBatch
from tests.conftest import draw, every_game, play, positions, python, raw_env, wrapped_env

# Prints a digest over every position of some random games at every number of players.
WHOLE_GAMES = """
import hashlib
import numpy as np
from northsea_envs import GAMES, get_game
from northsea_envs.jit import random_legal, random_seed
for name in GAMES:
    game = get_game(name)
    for players in range(game.min_players, game.max_players + 1):
        legal = np.zeros(game.num_actions(players), np.int8)
        observation = np.zeros(game.observation_size(players), np.float32)
        for seed in {seeds}:
            digest = hashlib.sha256()
            rng = np.empty(4, np.uint32)
            random_seed(rng, seed)
            states = game.new_states(players, [seed])
            seat = game.kernels.legal(game.tables, states, 0, legal)
            while seat >= 0:
                game.kernels.look(game.tables, states, 0, seat, observation)
                digest.update(states.tobytes() + legal.tobytes() + observation.tobytes())
                seat = game.kernels.play(game.tables, states, 0, random_legal(rng, legal), legal)
            digest.update(states.tobytes())
            print(name, players, seed, digest.hexdigest())
"""


def digests(seeds: list[int], **environment: str) -> str:
    return python("-c", WHOLE_GAMES.format(seeds=seeds), **environment).stdout


def test_across_processes():
    seeds = [0, 1, 2**63 - 1]
    first = digests(seeds, PYTHONHASHSEED="1")
    assert len(first.splitlines()) % 3 == 0 and len(set(first.splitlines())) == len(first.splitlines()) > 0
    assert digests(seeds, PYTHONHASHSEED="2", NUMBA_NUM_THREADS="1", LC_ALL="C", TZ="Asia/Tokyo") == first


@every_game
def test_batch_and_aec_are_the_same_game(name, players):
    """Byte for byte after every decision, for several batch sizes and orders of the rows."""
    game = get_game(name)
    for options in ({}, *({option.name: option.choices[-1]} for option in game.options[-1:])):
        for size in (1, 3, 8):
            seeds = 100 + np.arange(size)
            batch = GameBatch(game, players, seeds, options)
            envs = [raw_env(name, players, **options) for _ in range(size)]
            for env, seed in zip(envs, seeds, strict=True):
                env.reset(seed=int(seed))
            rng = np.random.default_rng(size)
            while (batch.deciders >= 0).any():
                for row, env in enumerate(envs):
                    assert env.get_state() == game.save(batch.states, row)
                    if batch.deciders[row] >= 0:
                        agent = env.agent_selection
                        assert agent == env.possible_agents[batch.deciders[row]]
                        seen = env.observe(agent)
                        assert seen["observation"].tobytes() == batch.observations[row].tobytes()
                        assert seen["action_mask"].tobytes() == batch.legal[row].tobytes()
                # Some of the games, in any order.
                open_rows = np.flatnonzero(batch.deciders >= 0)
                rows = rng.permutation(open_rows)[: int(rng.integers(1, len(open_rows) + 1))]
                actions = np.array([draw(batch.legal[row], rng) for row in rows])
                batch.step(rows, actions)
                for row, action in zip(rows, actions, strict=True):
                    envs[row].step(int(action))
            results = batch.results(np.arange(size))
            for row, env in enumerate(envs):
                assert env.get_state() == game.save(batch.states, row)
                for seat, agent in enumerate(env.possible_agents):
                    assert env.infos[agent]["rank"] == results.ranks[row, seat]
                    assert env.infos[agent]["score"] == results.scores[row, seat]
                    assert env.truncations[agent] == results.truncated[row]


@every_game
def test_a_game_does_not_depend_on_its_neighbours(name, players):
    """Agents get the same decisions and seeds in a batch of one as in a batch of many."""
    game = get_game(name)
    agent = RandomAgent(game, players)
    seeds = np.arange(6)

    def ends(groups: list[np.ndarray]) -> dict[int, str]:
        found = {}
        for group in groups:
            batch = GameBatch(game, players, group)
            while (rows := np.flatnonzero(batch.deciders >= 0)).size:
                batch.step(rows, agent.act(batch.decisions(rows)))
            for row, seed in enumerate(group):
                found[int(seed)] = hashlib.sha256(batch.states[row].tobytes()).hexdigest()
        return found

    together = ends([seeds])
    assert len(set(together.values())) == 6
    assert ends([seeds[:1], seeds[1:3], seeds[3:]]) == together
    assert ends([seeds[::-1]]) == together


@every_game
def test_a_row_begun_again_is_a_fresh_game(name, players):
    game = get_game(name)
    batch = GameBatch(game, players, np.array([1, 2]))
    rng = np.random.default_rng(1)
    for _ in range(40):
        batch.step(np.array([0]), np.array([draw(batch.legal[0], rng)]))
    batch.restart(np.array([0]), np.array([2]))
    assert batch.states[0].tobytes() == batch.states[1].tobytes()
    assert batch.legal[0].tobytes() == batch.legal[1].tobytes()
    assert batch.observations[0].tobytes() == batch.observations[1].tobytes()
    assert batch.decisions_made.tolist() == [0, 0]


@every_game
def test_different_seeds_are_different_games(name, players):
    game = get_game(name)
    seeds = [0, 1, 2, 2**31, 2**32, 2**32 + 1, 2**33, 2**62, 2**63 - 1]
    records = {states.tobytes() for states in np.split(game.new_states(players, seeds), len(seeds))}
    assert len(records) == len(seeds)
    # Not only by their generators: the observations of first positions differ too.
    seen = set()
    for seed in range(30):
        env = raw_env(name, players)
        env.reset(seed=seed)
        seen.add(env.observe(env.agent_selection)["observation"].tobytes())
    assert len(seen) == 30


@every_game
def test_wrapped_and_raw_are_the_same_game(name, players):
    raw, wrapped = raw_env(name, players), wrapped_env(name, players)
    raw.reset(seed=8)
    wrapped.reset(seed=8)
    actions = play(raw, np.random.default_rng(8))
    for action in actions:
        wrapped.step(action)
    assert wrapped.get_state() == raw.get_state()


@every_game
def test_a_position_and_an_action_decide_the_next_position(name, players):
    """Nothing outside the record takes part: chance that was not drawn yet is in it too."""
    game = get_game(name)
    rng = np.random.default_rng(2)
    legal = np.zeros(game.num_actions(players), np.int8)
    for number, states in enumerate(positions(game, players, 4)):
        if number % 9:
            continue
        seat = game.kernels.legal(game.tables, states, 0, legal)
        if seat < 0:
            break
        action = draw(legal, rng)
        after = []
        for _ in range(2):
            branch = states.copy()
            branch_legal = legal.copy()
            game.kernels.play(game.tables, branch, 0, action, branch_legal)
            after.append(branch.tobytes())
            # A game in between.
            other = game.new_states(players, [int(rng.integers(1000))])
            game.kernels.random_game(game.tables, other, 0, 1, branch_legal, False)
        assert after[0] == after[1] != states.tobytes()


@pytest.mark.parametrize("players", [0, 1, 5])
def test_no_games_of_a_wrong_number_of_players(players):
    with pytest.raises(ValueError, match="takes 2 to 4"):
        get_game("vikings").new_states(players, [1])
