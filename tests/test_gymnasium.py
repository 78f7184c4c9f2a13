"""The Gymnasium faces: Gymnasium's own checks, credit and seats by hand, autoreset modes, and nothing overwritten."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from northsea_envs import GAMES, get_game
from northsea_envs.aec import GameEnv
from northsea_envs.agent import AgentError, RandomAgent
from northsea_envs.game import Game
from northsea_envs.jit import mix_seed
from northsea_envs.single import SeatEnv, SeatVectorEnv
from tests.conftest import every_game, raw_env, same
from tests.stones import AGAIN, NOTHING, TAKE, stones_game
from tests.toy_game import KEEP, NEVER, Always, cut_short, toy_game

STONES = stones_game()
TOY = replace(toy_game(), truncated=cut_short)
IDS = {name: f"northsea/{name.title().replace('_', '')}-v0" for name in GAMES}
MODES = [mode.value for mode in AutoresetMode]


def play(env: gymnasium.Env, *actions: int) -> list[tuple]:
    return [env.step(action) for action in actions]


# --- checks by others -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_accepts_it(name):
    env = gymnasium.make(IDS[name])
    assert isinstance(env.unwrapped, SeatEnv)
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_stable_baselines3_accepts_it(name):
    sb3 = pytest.importorskip("stable_baselines3.common.env_checker")
    sb3.check_env(gymnasium.make(IDS[name], num_players=3).unwrapped)


def test_ids():
    assert list(IDS.values()) == ["northsea/Vikings-v0", "northsea/TinyEpicVikings-v0", "northsea/Raiders-v0"]


@every_game
def test_whole_games_through_gymnasiums_wrappers(name, players):
    env = gymnasium.make(IDS[name], num_players=players)
    observation, info = env.reset(seed=3)
    rewards, ended = [], False
    while not ended:
        assert observation in env.observation_space
        assert info["action_mask"].sum() >= 2
        assert (env.unwrapped.action_masks() == info["action_mask"].astype(bool)).all()
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert "illegal_action" not in info
        rewards.append(reward)
        ended = terminated or truncated
    assert not any(rewards[:-1])
    assert not info["action_mask"].any()
    assert 1 <= info["rank"] <= players
    assert isinstance(info["score"], float)
    with pytest.raises(RuntimeError, match="call reset"):
        env.unwrapped.step(0)


# --- seats, opponents and credit, by hand ---------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_opponents_sit_clockwise_from_the_learner(seat):
    env = SeatEnv(STONES, opponents=[Always(TAKE), Always(NOTHING)], seat=seat)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        assert info["seat"] == seat
        observation, reward, terminated, truncated, info = play(env, AGAIN, NOTHING, NOTHING)[-1]
        assert (reward, terminated, truncated) == (0.0, True, False)
        # Own points, then the next seats' clockwise: 1, two turns of TAKE, two of NOTHING; and 7 decisions.
        assert observation.tolist() == [1, 2, 0, 7]
        assert (info["rank"], info["score"]) == (2, 1.0)


@pytest.mark.parametrize(
    ("actions", "reward"),
    [((NOTHING, NOTHING), -1.0), ((TAKE, TAKE), 0.0), ((AGAIN, TAKE, NOTHING), 0.0), ((AGAIN, TAKE, TAKE), 1.0)],
)
def test_reward_comes_with_the_last_own_decision(actions, reward):
    env = SeatEnv(STONES, opponents=Always(TAKE))
    seats = set()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        seats.add(info["seat"])
        *before, last = play(env, *actions)
        assert [(r, t, c) for _, r, t, c, _ in before] == [(0.0, False, False)] * len(before)
        assert last[1:4] == (reward, True, False)
    # The last decision of a game was the learner's in some, and another seat's in others.
    assert seats == {0, 1}


def test_a_game_cut_short_is_truncated():
    env = SeatEnv(TOY, opponents=Always(KEEP), seat=1)
    told = set()
    for seed in range(30):
        env.reset(seed=seed)
        flags = (False, False)
        while not any(flags):
            flags = env.step(KEEP)[2:4]
        told.add(flags)
    # Of one round, or longer and over the limit.
    assert told == {(True, False), (False, True)}


def test_rewards_of_other_kinds():
    for reward, given in (("win", -0.5), ("score", -2.0)):
        env = SeatEnv(STONES, 3, opponents=Always(TAKE), reward=reward)
        env.reset()
        assert play(env, NOTHING, NOTHING)[-1][1] == given


def test_games_that_end_before_the_learner_decides_are_skipped():
    env = SeatEnv(STONES, 3, opponents=Always(TAKE), seat=1, length="sudden")
    for seed in range(6):
        observation, _ = env.reset(seed=seed)
        # In a sudden game only the first seat decides: it is always the learner.
        assert observation.tolist() == [0, 0, 0, 0]
        assert env.step(TAKE)[1:3] == (1.0, True)


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_is_the_same_game_as_in_the_aec_face(name):
    """Also the games that follow when no seed is given."""
    env, single = SeatEnv(name, 2, opponents=_First(), seat=0), raw_env(name, 2)
    for seed in (8, None, None):
        observation, info = env.reset(seed=seed)
        single.reset(seed=seed)
        for _ in range(15):
            while single.agent_selection != "player_0":
                single.step(int(single.infos[single.agent_selection]["action_mask"].argmax()))
            seen = single.observe("player_0")
            assert seen["observation"].tobytes() == observation.tobytes()
            assert seen["action_mask"].tobytes() == info["action_mask"].tobytes()
            action = int(np.flatnonzero(info["action_mask"])[-1])
            observation, *_, info = env.step(action)
            single.step(action)


class _First:
    """Takes the first legal action."""

    needs_observation = False

    def act(self, decisions: Any) -> np.ndarray:
        return decisions.masks.argmax(axis=1)


def test_the_seat_follows_from_the_seed_and_varies():
    env = SeatEnv(STONES, 3)
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(60)]
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(60)]
    assert all(seats.count(seat) > 8 for seat in range(3))


def test_agents_are_named_or_given():
    env = gymnasium.make("northsea/Vikings-v0", opponents=["greedy", RandomAgent(get_game("vikings"), 3)], seat=1)
    env.reset(seed=1)
    assert env.unwrapped.action_masks().shape == (get_game("vikings").num_actions(3),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 5}, "num_players=5 is not allowed"),
        ({"num_players": 3, "opponents": ["random"]}, "1 opponents are given; a game of 3 players has 2"),
        ({"opponents": []}, "num_players=1 is not allowed"),
        ({"opponents": "nobody"}, "nobody"),
        ({"seat": 2}, "seat=2 is not allowed; choose from 'random', 0, 1"),
        ({"seat": True}, "seat=True is not allowed"),
        ({"seat": "first"}, "seat='first' is not allowed"),
        ({"reward": "points"}, "reward='points' is not allowed"),
        ({"illegal_action": "ignore"}, "illegal_action='ignore' is not allowed"),
        ({"render_mode": "rgb_array"}, "render_mode='rgb_array' is not allowed"),
        ({"weather": "rain"}, "unknown option 'weather'"),
    ],
)
@pytest.mark.parametrize("face", [SeatEnv, SeatVectorEnv])
def test_wrong_arguments_are_named(face, arguments, message):
    with pytest.raises(ValueError, match=message):
        face("vikings", **arguments)


def test_an_opponent_that_plays_illegally_is_named():
    env = SeatEnv(TOY, opponents=Always(NEVER), seat=0)
    env.reset(seed=1)
    with pytest.raises(AgentError, match="Always as an opponent: action 3 is not legal"):
        env.step(KEEP)


# --- illegal actions ------------------------------------------------------------------------------


def test_an_illegal_action_is_replaced_by_a_random_legal_one():
    replaced: list[list[float]] = []
    for _ in range(2):
        env = SeatEnv(TOY, opponents=Always(KEEP), seat=0)
        points = []
        for seed in range(40):
            env.reset(seed=seed)
            for action in (NEVER, -1, 99, np.int64(NEVER)):
                observation, *flags, info = env.step(action)
                assert info["illegal_action"] is True
                points.append(float(observation[2]))
                if flags[1] or flags[2]:
                    break
        replaced.append(points)
    # The same each time, and all of KEEP, RISK and FOLD come up.
    assert replaced[0] == replaced[1]
    assert {-1.0, 0.0, 1.0, 3.0} <= set(replaced[0])


def test_an_illegal_action_may_be_refused():
    env = SeatEnv(STONES, opponents=Always(TAKE), illegal_action="raise")
    env.reset(seed=1)
    env.step(AGAIN)
    masks = env.action_masks()
    with pytest.raises(ValueError, match=r"action 2 is not legal in game 0; legal: \[0, 1\]"):
        env.step(AGAIN)
    assert (env.action_masks() == masks).all()
    env.step(TAKE)


@pytest.mark.parametrize("action", [None, 0.5, "0", [0, 0]])
def test_what_is_no_integer_is_refused(action):
    env = SeatEnv(STONES)
    env.reset()
    with pytest.raises(ValueError, match="actions must be integers"):
        env.step(action)


# --- rendering, copies ----------------------------------------------------------------------------


def test_rendering(capsys):
    env = SeatEnv("vikings", seat=1, render_mode="ansi")
    with pytest.raises(RuntimeError, match="call reset"):
        env.render()
    env.reset(seed=1)
    text = env.render()
    assert text == env.game.text(env._table.games.batch.states, 0, 1)
    human = SeatEnv("vikings", seat=1, render_mode="human")
    human.reset(seed=1)
    assert capsys.readouterr().out == f"{text}\n\n"
    assert SeatEnv("vikings").render() is None
    many = SeatVectorEnv("vikings", 2, seat=1, render_mode="ansi")
    many.reset(seed=1)
    assert many.render()[0] == text


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_the_same_and_is_independent(duplicate):
    env = SeatEnv("vikings", 3)
    env.reset(seed=5)
    other = duplicate(env)
    runs = []
    for each in (other, env):
        steps = []
        for _ in range(20):
            steps.append(each.step(int(np.flatnonzero(each.action_masks())[-1])))
        runs.append((steps, each.reset()))
    assert same(*runs)


# --- many games -----------------------------------------------------------------------------------


def assert_same_infos(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs)
        for key in theirs:
            assert_same_infos(ours[key], theirs[key])
    elif theirs.dtype == object:
        assert [x is None for x in ours] == [x is None for x in theirs]
        assert all(same(x, y) for x, y in zip(ours, theirs, strict=True) if y is not None)
    else:
        assert same(ours, theirs)


def compare_with_sync(game: str | Game, num_envs: int, mode: str, steps: int, legal: bool, **arguments: Any) -> int:
    """Every array and info as Gymnasium's own vector environment of single ones gives it; returns the games ended."""
    single = {key: value for key, value in arguments.items() if key != "num_threads"}
    theirs = SyncVectorEnv([lambda: SeatEnv(game, **single) for _ in range(num_envs)], autoreset_mode=mode)
    ours = SeatVectorEnv(game, num_envs, autoreset_mode=mode, **arguments)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is AutoresetMode(mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    for seed in (3, None, [7 + row for row in range(num_envs)]):
        (observations, infos), expected = ours.reset(seed=seed), theirs.reset(seed=seed)
        assert same(observations, expected[0])
        assert_same_infos(infos, expected[1])
    ours.action_space.seed(0)
    ended = 0
    for _ in range(steps):
        mask = tuple(np.maximum(row, not row.any()).astype(np.int8) for row in infos["action_mask"]) if legal else None
        actions = ours.action_space.sample(mask)
        *arrays, infos = ours.step(actions)
        *expected_arrays, expected_infos = theirs.step(actions)
        for array, other in zip(arrays, expected_arrays, strict=True):
            assert same(array, other)
        assert_same_infos(infos, expected_infos)
        over = arrays[2] | arrays[3]
        ended += int(over.sum())
        if mode == "Disabled" and over.any():
            observations, infos = ours.reset(options={"reset_mask": over})
            assert same(observations, theirs.reset(options={"reset_mask": over.copy()})[0])
            # Unlike there, the masks of all rows are told.
            assert infos["_action_mask"].all()
            assert (infos["action_mask"].sum(axis=1) >= 2).all()
    return ended


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", [STONES, TOY], ids=["stones", "toy"])
@pytest.mark.parametrize("legal", [True, False])
def test_is_what_gymnasiums_own_vector_environment_is(game, mode, legal):
    assert compare_with_sync(game, 7, mode, 40, legal, num_players=3) > 60


@pytest.mark.parametrize("name", GAMES)
def test_real_games_and_threads(name):
    assert compare_with_sync(name, 3, "NextStep", 40, True, num_players=2, opponents="random", num_threads=2) >= 0


@pytest.mark.parametrize("name", GAMES)
def test_make_vec_gives_the_batched_engine(name):
    env = gymnasium.make_vec(
        IDS[name], 4, vectorization_mode="vector_entry_point", num_players=3, autoreset_mode="SameStep"
    )
    assert type(env) is SeatVectorEnv
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space
    observations, *_ = env.step(env.action_space.sample(tuple(infos["action_mask"])))
    assert observations in env.observation_space
    env.close()


@pytest.mark.parametrize("mode", MODES)
def test_what_was_returned_is_never_overwritten(mode):
    env = SeatVectorEnv(STONES, 5, 3, autoreset_mode=mode)
    single = SeatEnv(STONES, 3)
    kept = [(value, copy.deepcopy(value)) for value in (env.reset(seed=1), single.reset(seed=1))]
    for _ in range(25):
        step = env.step(np.full(5, TAKE))
        kept.append((step, copy.deepcopy(step)))
        if mode == "Disabled" and (step[2] | step[3]).any():
            value = env.reset(options={"reset_mask": step[2] | step[3]})
            kept.append((value, copy.deepcopy(value)))
        value = single.step(TAKE)
        kept.append((value, copy.deepcopy(value)))
        if value[2]:
            value = single.reset()
            kept.append((value, copy.deepcopy(value)))
    for value, before in kept:
        assert_unchanged(value, before)


def assert_unchanged(value: Any, before: Any) -> None:
    if isinstance(value, dict):
        assert list(value) == list(before)
        for key in value:
            assert_unchanged(value[key], before[key])
    elif isinstance(value, tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        for a, b in zip(value, before, strict=True):
            assert_unchanged(a, b)
    else:
        assert same(value, before)


def test_without_copies_the_observations_are_the_engines():
    env = SeatVectorEnv(STONES, 5, copy=False)
    observations, _ = env.reset(seed=1)
    assert env.step(np.full(5, TAKE))[0] is observations


def test_disabled_autoreset_asks_for_a_reset():
    env = SeatVectorEnv(STONES, 2, opponents=Always(TAKE), autoreset_mode="Disabled")
    with pytest.raises(RuntimeError, match="no game has begun"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="have not begun"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    for action in (TAKE, TAKE):
        _, _, terminated, *_ = env.step(np.full(2, action))
    assert terminated.all()
    with pytest.raises(RuntimeError, match="game 0 is over"):
        env.step(np.zeros(2, np.int64))
    for mask in (np.array([1, 0]), np.array([True]), np.array([False, False])):
        with pytest.raises(ValueError, match="reset_mask must be bool"):
            env.reset(options={"reset_mask": mask})
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(RuntimeError, match="game 1 is over"):
        env.step(np.zeros(2, np.int64))
    assert env._table.games.batch.seeds.tolist() == [mix_seed(1, 0), 2]


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros(2), [[0], [0]]])
def test_actions_of_another_kind_are_refused(actions):
    env = SeatVectorEnv(STONES, 2)
    env.reset()
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(2,\)"):
        env.step(actions)


def test_seeds_of_a_list_may_be_left_out():
    env = SeatVectorEnv(STONES, 2)
    env.reset(seed=1)
    env.reset(seed=[None, 9])
    assert env._table.games.batch.seeds.tolist() == [mix_seed(1, 0), 9]
    for wrong in ([1], [1, -1]):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=wrong)


def test_the_aec_face_is_beneath():
    """The vector environment's first decisions are those of GameEnv with the same opponents."""
    env = SeatVectorEnv(STONES, 6, opponents=Always(TAKE))
    observations, infos = env.reset(seed=20)
    for row in range(6):
        single = GameEnv(STONES, 2)
        single.reset(seed=20 + row)
        learner = f"player_{infos['seat'][row]}"
        if single.agent_selection != learner:
            single.step(TAKE)
        assert single.observe(learner)["observation"].tobytes() == observations[row].tobytes()
