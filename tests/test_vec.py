"""The batched face: the same games as the AEC face, whatever the batch, the threads, and the copies asked for."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import northsea_envs
from northsea_envs import SaveError, make_vec
from northsea_envs.aec import GameEnv
from northsea_envs.game import REWARDS
from northsea_envs.jit import mix_seed
from northsea_envs.vector import MIN_ROWS_PER_THREAD, BatchedEnv, Step
from tests.conftest import every_game, look_closely, over, raw_env
from tests.stones import AGAIN, NOTHING, TAKE, stones_game
from tests.toy_game import FOLD, KEEP, NEVER, cut_short, toy_game

STONES = stones_game()
TOY = toy_game()
# Enough for two threads to be used.
MANY = 2 * MIN_ROWS_PER_THREAD + 3


def stones(num_envs: int = 4, players: int = 2, **arguments: Any) -> BatchedEnv:
    return BatchedEnv(STONES, num_envs, players, **{"seed": 0} | arguments)


def kept(step: Step) -> Step:
    return Step(*(array.copy() for array in step))


def equal(a: Step, b: Step) -> bool:
    return all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))


def whole(env: BatchedEnv) -> tuple[bytes, ...]:
    """Everything that a batch holds."""
    arrays = (array for array in env.games.arrays if isinstance(array, np.ndarray))
    return env.games.states.tobytes(), *(array.tobytes() for array in arrays)


# --- identity with the AEC face -------------------------------------------------------------------


def compare(env: BatchedEnv, step: Step, singles: list[GameEnv], number: int) -> None:
    """Every row shows what its AEC environment shows, byte for byte."""
    for row, single in enumerate(singles):
        agent = single.agent_selection
        assert step.seats[row] == single.possible_agents.index(agent)
        if look_closely(number):
            seen = single.observe(agent)
            assert seen["observation"].tobytes() == step.observations[row].tobytes()
            assert seen["action_mask"].tobytes() == step.masks[row].tobytes()
            assert env.get_state(row) == single.get_state()


def play_both(env: BatchedEnv, singles: list[GameEnv], ends: int, reset: bool = True) -> int:
    """Play random actions in a batch and its AEC environments until so many games have ended; returns the steps."""
    number = ended = 0
    while ended < ends:
        actions = env.sample().copy()
        step = env.step(actions)
        results = env.ended()
        assert results.rows.tolist() == np.flatnonzero(step.terminated | step.truncated).tolist()
        for row, single in enumerate(singles):
            single.step(int(actions[row]))
            if not over(single):
                assert not step.terminated[row] and not step.truncated[row] and not step.rewards[row].any()
                continue
            first = single.possible_agents[0]
            assert step.terminated[row] == single.terminations[first]
            assert step.truncated[row] == single.truncations[first]
            rewards = np.array(list(single.rewards.values()), np.float32)
            assert step.rewards[row].tobytes() == rewards.tobytes()
            at = results.rows.tolist().index(row)
            assert results.ranks[at].tolist() == [single.infos[agent]["rank"] for agent in single.possible_agents]
            assert results.scores[at].tolist() == [single.infos[agent]["score"] for agent in single.possible_agents]
            replay = single.replay()
            assert (results.seeds[at], results.decisions[at]) == (replay.seed, len(replay.actions))
            ended += 1
            single.reset()
        compare(env, step, singles, number)
        number += 1
    return number


@every_game
def test_plays_the_games_of_the_aec_face(name, players):
    """Whole games and the beginnings of the ones that follow them."""
    env = make_vec(name, 3, players, seed=70)
    singles = [raw_env(name, players) for _ in range(3)]
    for row, single in enumerate(singles):
        single.reset(seed=70 + row)
    compare(env, env.reset(), singles, 0)
    play_both(env, singles, 4)


@pytest.mark.parametrize("game", [STONES, TOY, replace(TOY, truncated=cut_short)], ids=["stones", "toy", "cut short"])
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("num_threads", [1, 3])
def test_plays_many_games_in_a_row(game, reward, num_threads):
    env = BatchedEnv(game, MANY, 3, num_threads=num_threads, reward=reward)
    env.reset(seed=9)
    singles = [GameEnv(game, 3, reward=reward) for _ in range(MANY)]
    for row, single in enumerate(singles):
        single.reset(seed=9 + row)
    play_both(env, singles, 4 * MANY)


@every_game
def test_results_do_not_depend_on_the_batch_nor_on_threads(name, players):
    seeds = [5, 2**63 - 1, *range(100, 98 + MANY)]
    one, few, many = (make_vec(name, n, players, num_threads=t) for n, t in ((1, 1), (3, 2), (MANY, 2)))
    for env in (one, few, many):
        env.reset(seeds=seeds[: env.num_envs])
    for _ in range(60):
        steps = [env.step(env.sample()) for env in (one, few, many)]
    for env, step in zip((one, few), steps[:2], strict=True):
        n = env.num_envs
        assert env.games.states.tobytes() == many.games.states[:n].tobytes()
        assert equal(step, Step(*(array[:n] for array in steps[2])))


def test_options_and_tables_are_bound():
    env = make_vec("vikings", 2, 3, variant="advanced")
    assert env.game is northsea_envs.get_game("vikings").with_options({"variant": "advanced"})
    assert env.reset().observations.shape == (2, env.game.observation_size(3)) == (2, *env.observation_space.shape)
    assert env.action_space.n == env.game.num_actions(3)


# --- reset ----------------------------------------------------------------------------------------


def test_the_first_reset_begins_the_games_of_the_constructors_seed():
    assert stones(3, seed=11).reset().observations.tolist() == stones(3).reset(seed=11).observations.tolist()
    assert stones(3, seed=11).seeds.tolist() == [11, 12, 13]


def test_a_reset_without_seed_goes_on_to_the_next_games():
    env = stones(3)
    env.reset(seed=11)
    env.reset()
    assert env.seeds.tolist() == [mix_seed(11 + row, 0) for row in range(3)]


def test_batches_without_seed_differ():
    assert set(stones(4, seed=None).seeds.tolist()).isdisjoint(stones(4, seed=None).seeds.tolist())


def test_seeds_of_finished_and_running_games_are_told():
    env = stones(2)
    env.reset(seeds=[40, 50])
    for _ in range(4):
        env.step(np.full(2, TAKE))
    # Two turns each, a point a turn: all games end in the fourth step, tied.
    ended = env.ended()
    assert ended.rows.tolist() == [0, 1]
    assert ended.seeds.tolist() == [40, 50]
    assert ended.decisions.tolist() == [4, 4]
    assert ended.scores.tolist() == [[2, 2], [2, 2]]
    assert ended.ranks.tolist() == [[1, 1], [1, 1]]
    assert env.seeds.tolist() == [mix_seed(40, 0), mix_seed(50, 0)]
    env.step(np.full(2, TAKE))
    assert len(env.ended().rows) == 0


@pytest.mark.parametrize("rows", [[3, 1], np.array([3, 1], np.int8), np.array([False, True, False, True])])
def test_some_rows_begin_anew(rows):
    env = stones(4)
    env.reset()
    for _ in range(4):
        step = env.step(np.array([TAKE, NOTHING, TAKE, NOTHING]))
    assert step.terminated.all()
    env.step(np.full(4, TAKE))
    before = kept(env.step(np.full(4, TAKE)))
    in_order = [1, 3] if isinstance(rows, np.ndarray) and rows.dtype == bool else [3, 1]
    step = env.reset(rows=rows, seeds=[7, 8])
    assert [env.seeds[row] for row in in_order] == [7, 8]
    fresh = stones(2).reset(seeds=[7, 8])
    for place, row in enumerate(in_order):
        assert step.observations[row].tolist() == fresh.observations[place].tolist()
        assert step.seats[row] == fresh.seats[place]
    for row in (0, 2):
        assert step.observations[row].tolist() == before.observations[row].tolist()
    # seed + row, whatever the order in which rows are named.
    env.reset(30, rows=rows)
    assert env.seeds[[1, 3]].tolist() == [31, 33]


def test_some_rows_end_nothing_and_the_others_still_show_their_step():
    env = stones(3, seed=None)
    env.reset()
    for _ in range(4):
        env.step(np.full(3, NOTHING))
    step = env.reset(rows=[1])
    assert step.terminated.tolist() == [True, False, True]
    assert env.ended().rows.tolist() == [0, 2]
    assert env.reset(rows=[]).terminated.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"seed": 2**63 - 2}, "seed=9223372036854775808 is not allowed"),
        ({"seed": 1, "seeds": [1, 2, 3, 4]}, "seed or seeds, not both"),
        ({"seeds": [1, 2, 3]}, "4 rows begin, and 3 seeds"),
        ({"seeds": [1, 2, 3, 0.5]}, "seed=0.5 is not allowed"),
        ({"rows": [0, 0]}, "different indices"),
        ({"rows": [0.0]}, "different indices"),
        ({"rows": [[0]]}, "different indices"),
        ({"rows": [True, False]}, "different indices"),
        ({"rows": [0, 4]}, "0 .. 3"),
        ({"rows": [-1]}, "0 .. 3"),
    ],
)
def test_wrong_resets_change_nothing(arguments, message):
    env = stones(4)
    env.reset()
    env.step(env.sample())
    before = whole(env)
    with pytest.raises(ValueError, match=message):
        env.reset(**arguments)
    assert whole(env) == before


def test_nothing_goes_before_reset():
    env = stones()
    for call in (lambda: env.step(np.zeros(4, np.int64)), lambda: env.reset(rows=[0]), env.save):
        with pytest.raises(RuntimeError, match="call reset"):
            call()


# --- ends -----------------------------------------------------------------------------------------


def test_without_autoreset_a_game_that_ended_stays():
    env = stones(2, autoreset=False)
    env.reset(seeds=[1, 2])
    for number in range(5):
        # The first game takes one decision more.
        step = env.step(np.array([AGAIN if number == 0 else TAKE, NOTHING]))
        assert step.terminated.tolist() == [number == 4, number >= 3]
        assert env.ended().rows.tolist() == [row for row in (0, 1) if step.terminated[row]]
    assert step.rewards[1].tolist() == [0, 0]
    assert sorted(step.rewards[0].tolist()) == [-1, 1]
    assert step.seats.tolist() == [-1, -1]
    assert not step.masks.any()
    assert env.sample().tolist() == [-1, -1]
    last = kept(step)
    step = env.step(np.array([NEVER, -7]))
    assert not step.rewards.any()
    assert step.terminated.all()
    assert step.observations.tobytes() == last.observations.tobytes()
    step = env.reset(rows=step.terminated)
    assert not step.terminated.any()
    assert env.seeds.tolist() == [mix_seed(1, 0), mix_seed(2, 0)]


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_game_without_decisions_ends_in_the_first_step(autoreset):
    env = stones(2, autoreset=autoreset, length="empty")
    step = env.reset()
    assert step.seats.tolist() == [-1, -1]
    step = env.step(np.zeros(2, np.int64))
    assert step.terminated.tolist() == [autoreset] * 2


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("action", [NEVER, -1, 4, 2**62, -(2**63)])
def test_an_illegal_action_is_named_and_changes_no_game(num_threads, action):
    env = BatchedEnv(TOY, MANY, 2, num_threads=num_threads)
    env.reset()
    env.step(np.full(MANY, KEEP))
    before = whole(env)
    actions = np.full(MANY, FOLD)
    actions[-1] = action
    with pytest.raises(ValueError, match=rf"action {action} is not legal in game {MANY - 1}; legal: \[0, 1, 2\]"):
        env.step(actions)
    assert whole(env) == before


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros((4, 1), np.int64), np.zeros(4), 1, [None] * 4])
def test_actions_of_another_kind_are_refused(actions):
    env = stones(4)
    env.reset()
    before = whole(env)
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(4,\)"):
        env.step(actions)
    assert whole(env) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, list])
def test_any_integers_are_actions(kind):
    env, other = stones(4), stones(4)
    env.reset(seed=3), other.reset(seed=3)
    actions = [TAKE, AGAIN, NOTHING, TAKE]
    assert equal(env.step(actions if kind is list else np.array(actions, kind)), other.step(np.array(actions)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"env_id": "chess"}, "there is no game 'chess'"),
        ({"num_envs": 0}, "num_envs=0 is not allowed"),
        ({"num_envs": True}, "num_envs=True is not allowed"),
        ({"num_envs": 2.0}, r"num_envs=2\.0 is not allowed"),
        ({"num_threads": 0}, "num_threads=0 is not allowed"),
        ({"num_players": 5}, "num_players=5 is not allowed"),
        ({"reward": "points"}, "reward='points' is not allowed"),
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"weather": "rain"}, "unknown option 'weather'"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_vec(**{"env_id": "vikings", "num_envs": 2} | arguments)


# --- what is returned -----------------------------------------------------------------------------


def test_shapes_and_types():
    step = BatchedEnv(TOY, 5, 3).reset()
    assert [(array.shape, array.dtype.name) for array in step] == [
        ((5, 3), "float32"),
        ((5, 4), "int8"),
        ((5,), "int8"),
        ((5, 3), "float32"),
        ((5,), "bool"),
        ((5,), "bool"),
    ]
    assert all(array.flags.c_contiguous for array in step)


def test_copies_are_never_overwritten():
    env = stones(6, copy=True)
    returned = [*env.reset()]
    copies = [array.copy() for array in returned]
    for _ in range(12):
        actions, seeds = env.sample(), env.seeds
        returned += [actions, seeds, *env.step(actions), *env.ended()]
        copies += [array.copy() for array in returned[len(copies) :]]
    for array, before in zip(returned, copies, strict=True):
        assert array.tobytes() == before.tobytes()


def test_without_copies_the_same_arrays_are_returned_and_nothing_is_allocated():
    env = BatchedEnv(TOY, 500, 3)
    first = env.reset()
    for _ in range(10):
        assert all(a is b for a, b in zip(env.step(env.sample()), first, strict=True))
    tracemalloc.start()
    for _ in range(20):
        env.step(env.sample())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # One int64 array of all rows alone would be 4,000 bytes.
    assert peak < 3000


def test_random_actions_are_uniform_and_repeatable():
    env = BatchedEnv(TOY, 9000, 2)
    env.reset(seed=0)
    for _ in range(3):
        actions = env.sample().copy()
        assert (env.sample() == actions).all()
        # A third each, within five standard deviations.
        assert (abs(np.bincount(actions, minlength=4) - [3000, 3000, 3000, 0]) < 225).all()
        other = env.sample(salt=1).copy()
        assert abs((other == actions).sum() - 3000) < 225
        before = actions
        env.step(actions)
        assert abs((env.sample() == before).sum() - 3000) < 225


# --- copies, saving -------------------------------------------------------------------------------


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_the_environment_go_on_the_same_and_are_independent(duplicate):
    env = make_vec("vikings", MANY, num_threads=2, seed=4)
    env.reset()
    for _ in range(5):
        env.step(env.sample())
    other = duplicate(env)
    before = whole(env)
    assert whole(other) == before
    steps = [kept(other.step(other.sample())) for _ in range(5)]
    assert whole(env) == before
    for step in steps:
        assert equal(env.step(env.sample()), step)
    env.close()
    env.step(env.sample())
    env.close(), other.close()


@every_game
def test_save_and_restore(name, players):
    env = make_vec(name, 3, players, seed=1)
    env.reset()
    for _ in range(30):
        env.step(env.sample())
    saved = env.save()
    steps = [kept(env.step(env.sample())) for _ in range(20)]
    other = make_vec(name, 3, players, seed=2)
    shown = other.restore(saved)
    assert not shown.rewards.any() and not shown.terminated.any()
    assert other.save() == saved
    for step in steps:
        assert equal(other.step(other.sample()), step)


def test_games_that_are_over_are_saved_too():
    env = BatchedEnv(replace(TOY, truncated=cut_short), 40, 2, autoreset=False)
    env.reset(seed=0)
    for _ in range(4):
        step = env.step(np.full(40, KEEP))
    assert step.terminated.any() and step.truncated.any() and not (step.terminated | step.truncated).all()
    other = BatchedEnv(env.game, 40, 2, autoreset=False)
    shown = other.restore(env.save())
    assert shown.terminated.tolist() == step.terminated.tolist()
    assert shown.truncated.tolist() == step.truncated.tolist()
    assert shown.seats.tolist() == step.seats.tolist()
    for before, after in zip(env.ended(), other.ended(), strict=True):
        assert before.tolist() == after.tolist()


def forge(env: BatchedEnv, edit: Callable[[np.ndarray, np.ndarray], None]) -> bytes:
    """What ``save`` would write of records and numbers that were edited, with a checksum that fits."""
    line, _, contents = env.save().partition(b"\n")
    n = env.num_envs
    states = np.frombuffer(contents, env.game.state_dtype, n).copy()
    numbers = np.frombuffer(contents, np.int64, 2 * n, states.nbytes).reshape(2, n).copy()
    edit(states, numbers)
    contents = states.tobytes() + numbers.tobytes()
    header = json.loads(line) | {"sha256": hashlib.sha256(contents).hexdigest()}
    return json.dumps(header).encode() + b"\n" + contents


def set_value(array: np.ndarray, index: Any, value: Any) -> None:
    array[index] = value


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda env: b"", "northsea-batch-1 header"),
        (lambda env: 5, "bytes, not int"),
        (lambda env: env.get_state(0), "northsea-batch-1 header"),
        (lambda env: env.save()[:-1], "damaged: .* bytes"),
        (lambda env: env.save()[:-1] + b"\xff", "checksum"),
        (lambda env: env.save().replace(b'"num_envs": 4', b'"num_envs": 5'), "num_envs=5, not 4"),
        (lambda env: env.save().replace(b'"options": [0]', b'"options": [1]'), r"options=\[1\], not \[0\]"),
        (lambda env: stones(4, 3).reset() and _saved(stones(4, 3)), "num_players=3, not 2"),
        (lambda env: _saved(BatchedEnv(TOY, 4)), "a saved game of 'toy_v0'"),
        # The last of the games has a seat that does not exist: no game is touched.
        (lambda env: forge(env, lambda states, _: set_value(states["seat"], 3, 9)), "game 3 is not a position"),
        (lambda env: forge(env, lambda states, _: set_value(states["players"], 2, 3)), "game 2 is damaged"),
        (lambda env: forge(env, lambda _, numbers: set_value(numbers, (0, 1), -1)), "game 1 is damaged"),
        (lambda env: forge(env, lambda _, numbers: set_value(numbers, (1, 1), -1)), "game 1 is damaged"),
    ],
)
def test_damaged_saves_are_refused_and_change_nothing(damage, message):
    env = stones(4)
    env.reset()
    env.step(np.full(4, TAKE))
    data = damage(env)
    before = whole(env)
    with pytest.raises(SaveError, match=message):
        env.restore(data)
    assert whole(env) == before


def _saved(env: BatchedEnv) -> bytes:
    env.reset()
    return env.save()


def test_a_row_goes_on_in_the_aec_face():
    env = make_vec("vikings", 3, 2)
    env.reset()
    for _ in range(20):
        step = env.step(env.sample())
    single = raw_env("vikings", 2)
    single.set_state(env.get_state(1))
    assert single.observe(single.agent_selection)["observation"].tobytes() == step.observations[1].tobytes()


def test_agents_are_asked_for_the_decisions_of_the_rows():
    from northsea_envs.agent import make_agent

    env = make_vec("vikings", 5, 2, seed=3)
    step = env.reset()
    agent = make_agent("random", env.game, 2)
    decisions = env.games.decisions(np.arange(5))
    assert decisions.seats.tolist() == step.seats.tolist()
    env.step(agent.act(decisions))
