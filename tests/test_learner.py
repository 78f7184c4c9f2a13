"""The learner's VecEnv: who gets which reward when, who plays the other seats, and what stays as it was returned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from agents.learner import OpponentPool, SelfPlayVecEnv
from northsea_envs.agent import RandomAgent
from tests.stones import AGAIN, MAX_PLAYERS, NOTHING, TAKE, stones_game
from tests.toy_game import KEEP, Always, cut_short, toy_game

GAME = stones_game()


def pool(action: int = TAKE) -> OpponentPool:
    return OpponentPool({"scripted": (Always(action), 1.0)})


def make_env(players: int = 2, opponents: OpponentPool | None = None, num_envs: int = 6, seed: int = 1, **arguments):
    return SelfPlayVecEnv(GAME, players, num_envs, seed, opponents or pool(), **arguments)


def play(env: SelfPlayVecEnv, *actions: int) -> list[tuple]:
    """Reset, then play each of ``actions`` in every row."""
    env.reset()
    return [env.step(np.full(env.num_envs, action)) for action in actions]


# --- credit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "opponents_play", "actions", "outcome"),
    [
        # Against 2 points each: 0 points lose, 2 tie, 4 win.
        (2, TAKE, (NOTHING, NOTHING), -1.0),
        (2, TAKE, (TAKE, TAKE), 0.0),
        (2, TAKE, (AGAIN, TAKE, AGAIN, TAKE), 1.0),
        (3, TAKE, (NOTHING, NOTHING), -1.0),
        (3, TAKE, (TAKE, TAKE), 0.0),
        (3, TAKE, (AGAIN, TAKE, AGAIN, TAKE), 1.0),
        # Against 0 points each: one point is enough, and a last decision of 0 points does not change that.
        (3, NOTHING, (TAKE, NOTHING), 1.0),
    ],
)
def test_reward_comes_with_the_last_own_decision(players, opponents_play, actions, outcome):
    *before, last = play(make_env(players, pool(opponents_play)), *actions)
    for _, rewards, dones, _ in before:
        assert not rewards.any()
        assert not dones.any()
    _, rewards, dones, infos = last
    assert rewards.dtype == np.float32
    assert rewards.tolist() == [outcome] * 6
    assert dones.all()
    # Rewards came to the learner whether the last decision of the game was its own or another seat's.
    assert {info["seat"] for info in infos} == set(range(players))


def test_seats_that_tie_share_places():
    opponents = OpponentPool({"taker": (Always(TAKE), 1.0), "idler": (Always(NOTHING), 1.0)})
    _, rewards, _, infos = play(make_env(3, opponents, num_envs=64), NOTHING, NOTHING)[-1]
    # A learner of 0 points: three tie; two tie behind one; last behind two.
    by_takers = {0: 0.0, 1: -0.5, 2: -1.0}
    takers = [info["opponents"].count("taker") for info in infos]
    assert set(takers) == {0, 1, 2}
    assert rewards.tolist() == [by_takers[count] for count in takers]
    assert [info["rank"] for info in infos] == [1 + count for count in takers]


@pytest.mark.parametrize(
    ("reward", "outcome"),
    [
        # 0 points against 2 and 2: a loser of two beside two winners; and two points less than the mean of the others.
        ("win", -0.5),
        ("score", -2.0),
    ],
)
def test_other_rewards(reward, outcome):
    _, rewards, _, _ = play(make_env(3, reward=reward), NOTHING, NOTHING)[-1]
    assert rewards.tolist() == [outcome] * 6


def test_shaping_pays_the_change_of_value_and_takes_it_back_at_the_end():
    # value is (points + 1) / 8: 1/8 at the start, 1/4 after TAKE, and 0 for the end, by definition. Two games of a tie.
    first, last = 2 * (0.75 * 0.25 - 0.125), 2 * (0.75 * 0 - 0.25)
    steps = play(make_env(shaping=2.0, gamma=0.75), TAKE, TAKE, TAKE, TAKE)
    assert [rewards.tolist() for _, rewards, _, _ in steps] == [[first] * 6, [last] * 6] * 2


def test_what_shaping_pays_sums_to_the_value_at_the_start_whatever_its_weights():
    """Ng, Harada and Russell (1999), with a weight that is annealed: no play gains from it."""
    # value is (points + 1) / 8, so the start is worth 1/8; the outcome is a tie (0) or a win (1).
    for actions, outcome in (((TAKE, TAKE), 0.0), ((AGAIN, TAKE, AGAIN, TAKE), 1.0)):
        env = make_env(shaping=4.0)
        env.reset()
        weights = iter((3.0, 1.0, 0.5, 0.0))
        paid = []
        for action in actions:
            env.shaping = next(weights)
            paid.append(env.step(np.full(6, action))[1])
        assert np.sum(paid, axis=0).tolist() == [outcome - 4 * 0.125] * 6
        assert any(rewards.any() for rewards in paid[:-1])


def test_a_weight_that_reached_zero_still_takes_back_what_it_paid():
    env = make_env(shaping=4.0)
    env.reset()
    env.shaping = 0.0
    # The start was worth 4 / 8, and nothing is worth anything since.
    assert [rewards.tolist() for _, rewards, _, _ in (env.step(np.full(6, TAKE)), env.step(np.full(6, TAKE)))] == [
        [-0.5] * 6,
        [0.0] * 6,
    ]


def test_games_that_end_before_the_learner_decides_are_skipped():
    env = make_env(3, num_envs=20, options={"length": "sudden"})
    env.reset()
    for _ in range(5):
        # Only the first seat decides in a sudden game, so the learner always is that seat and wins alone.
        observations, rewards, dones, infos = env.step(np.full(20, TAKE))
        assert rewards.tolist() == [1.0] * 20
        assert dones.all()
        assert (observations == 0).all()
        assert all(info["rank"] == 1 for info in infos)


def test_a_game_without_decisions_is_refused_instead_of_looping():
    with pytest.raises(RuntimeError, match="ended before the learner decided"):
        make_env(options={"length": "empty"}).reset()


# --- what is returned -----------------------------------------------------------------------------


def test_observations_are_the_learners_and_terminal_ones_too():
    first, second = play(make_env(), AGAIN, TAKE)
    # A learner that moves second finds the first seat's 1 point and 1 decision.
    start = make_env().reset()
    assert {tuple(row) for row in start.tolist()} == {(0, 0, 0), (0, 1, 1)}
    assert (first[0] - start == [1, 0, 1]).all()
    assert (second[0][:, 0] == 2).all()
    _, _, dones, infos = play(make_env(), TAKE, NOTHING)[-1]
    assert dones.all()
    for info in infos:
        # Own 1 point, the other's 2 points, four decisions.
        assert info["terminal_observation"].tolist() == [1, 2, 4]
        assert not info.get("TimeLimit.truncated", False)


def test_a_game_that_was_cut_short_is_rewarded_as_it_stands_and_nothing_is_estimated_on_top():
    game = replace(toy_game(), truncated=cut_short)
    env = SelfPlayVecEnv(game, 2, 40, 1, OpponentPool({"keeps": (Always(KEEP), 1.0)}))
    env.reset()
    ended = []
    for _ in range(2):
        infos = [info for info in env.step(np.full(40, KEEP))[3] if info]
        assert not any(info.get("TimeLimit.truncated", False) for info in infos)
        ended.append([info["truncated"] for info in infos])
    # Games that end with the first decision are of one round and not cut short; with the second, those of two.
    assert ended[0] and not any(ended[0])
    assert any(ended[1])


def test_what_was_returned_is_not_overwritten():
    env = make_env(opponents=OpponentPool({"random": (RandomAgent(GAME, 2), 1.0)}))
    returned = [env.reset()]
    kept = [returned[0].copy()]
    for _ in range(12):
        observations, rewards, dones, _ = env.step(np.full(6, TAKE))
        returned += [observations, rewards, dones]
        kept += [observations.copy(), rewards.copy(), dones.copy()]
    for array, copy in zip(returned, kept, strict=True):
        assert (array == copy).all()


def test_the_trainer_stores_the_observation_in_which_an_action_was_chosen():
    seen = []

    class Watch(BaseCallback):
        def _on_step(self) -> bool:
            seen.append(self.locals["new_obs"].copy())
            return True

    env = make_env()
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=48, n_epochs=1, seed=0, device="cpu")
    begin = make_env()
    begin.seed(0)
    model.learn(48, callback=Watch())
    stored = model.rollout_buffer.observations.reshape(6, 8, 3).swapaxes(0, 1)
    assert (stored[0] == begin.reset()).all()
    assert (stored[1:] == np.array(seen[:-1])).all()


def test_masks_are_those_of_the_decision():
    env = VecMonitor(make_env())
    assert is_masking_supported(env)
    env.reset()
    assert get_action_masks(env).tolist() == [[True, True, True]] * 6
    env.step(np.array([AGAIN, TAKE] * 3))
    assert get_action_masks(env).tolist() == [[True, True, False], [True, True, True]] * 3
    assert env.env_method("action_masks", indices=[0]).tolist() == [[True, True, False]]


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = make_env()
    env.reset()
    env.step(np.full(6, AGAIN))
    before = env.running()
    with pytest.raises(ValueError, match=r"action 2 is not legal in game 0; legal: \[0, 1\]"):
        env.step(np.full(6, AGAIN))
    for name, array in env.running().items():
        assert (array == before[name]).all()


def test_spaces_have_the_fields_bounds():
    env = make_env(3)
    assert env.observation_space.low.tolist() == [0, 0, 0, 0]
    assert env.observation_space.high.tolist() == [4, 4, 4, 12]
    assert env.observation_space.dtype == np.float32
    assert env.action_space.n == 3


def test_vec_monitor_sums_an_episode():
    env = VecMonitor(make_env())
    env.reset()
    for action in (AGAIN, TAKE, AGAIN):
        _, _, _, infos = env.step(np.full(6, action))
        assert infos == [{}] * 6
    _, _, _, infos = env.step(np.full(6, TAKE))
    assert [(info["episode"]["r"], info["episode"]["l"]) for info in infos] == [(1.0, 4)] * 6


def test_win_shares_are_counted_by_opponent():
    env = make_env(3, OpponentPool({"taker": (Always(TAKE), 1.0), "idler": (Always(NOTHING), 0.0)}))
    env.reset()
    for _ in range(2):
        env.step(np.full(6, TAKE))
    # Two points each: three share the win.
    assert env.take_wins() == {"taker": (pytest.approx(1 / 3), 6)}
    assert env.take_wins() == {}


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="reward='points' is not allowed; choose from 'rank', 'win', 'score'"):
        make_env(reward="points")
    with pytest.raises(ValueError, match=r"num_envs=0 is not allowed"):
        make_env(num_envs=0)
    with pytest.raises(ValueError, match=r"num_players=4 is not allowed"):
        make_env(MAX_PLAYERS + 1)
    with pytest.raises(AttributeError, match="action_masks"):
        make_env().env_method("render")


def test_sb3_contribs_own_evaluation_and_callback_run(tmp_path):
    evaluated = VecMonitor(make_env(opponents=OpponentPool({"idler": (Always(NOTHING), 1.0)})))
    callback = MaskableEvalCallback(evaluated, eval_freq=8, n_eval_episodes=12, log_path=str(tmp_path), verbose=0)
    env = VecMonitor(make_env())
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=48, n_epochs=1, seed=0, device="cpu")
    model.learn(96, callback=callback)
    assert callback.n_calls == 16
    # Whoever plays against nothing loses never, and ties only by doing nothing too.
    mean, _ = evaluate_policy(model, evaluated, n_eval_episodes=60)
    assert 0 <= mean <= 1


def test_learns_to_win_against_random():
    opponents = OpponentPool({"random": (RandomAgent(GAME, 2), 1.0)})
    env = make_env(opponents=opponents, num_envs=32)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=16, batch_size=256, n_epochs=8, learning_rate=3e-3, seed=0, device="cpu"
    )
    model.learn(4096)
    env.take_wins()
    evaluate_policy(model, VecMonitor(env), n_eval_episodes=200)
    share, games = env.take_wins()["random"]
    assert games >= 200
    # Best play takes 4 points; a random opponent does so in 1 of 81 games, and every tie is half a win.
    assert share > 0.9


# --- which games are played -----------------------------------------------------------------------


def random_steps(env: SelfPlayVecEnv, steps: int, seed: int = 0) -> list[tuple]:
    """Random legal actions by row and step alone; observations, rewards, dones and infos as plain values."""
    result = []
    for step in range(steps):
        masks = env.env_method("action_masks")
        lots = np.array([np.random.default_rng([seed, step, row]).random(3) for row in range(env.num_envs)])
        observations, rewards, dones, infos = env.step((lots * masks).argmax(axis=1))
        told = [(info.get("seat"), info.get("opponents")) for info in infos]
        result.append(list(zip(observations.tolist(), rewards.tolist(), dones.tolist(), told, strict=True)))
    return result


def mixed_pool() -> OpponentPool:
    return OpponentPool({"random": (RandomAgent(GAME, 3), 2.0), "taker": (Always(TAKE), 1.0)})


def test_equal_seeds_play_equal_games():
    runs = []
    for seed in (7, 7, 8):
        env = make_env(3, mixed_pool(), seed=seed)
        env.reset()
        runs.append(random_steps(env, 30))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_a_row_does_not_depend_on_the_other_rows():
    few, many = make_env(3, mixed_pool(), num_envs=2), make_env(3, mixed_pool(), num_envs=9)
    few.reset(), many.reset()
    assert random_steps(few, 30) == [step[:2] for step in random_steps(many, 30)]


def test_seeding_again_begins_the_games_anew():
    env = make_env(3, mixed_pool(), seed=7)
    first = env.reset(), random_steps(env, 10)
    env.seed(7)
    assert (env.reset() == first[0]).all()
    assert random_steps(env, 10) == first[1]


def test_the_learners_seat_varies_from_game_to_game():
    env = make_env(3, num_envs=1)
    env.reset()
    seats = []
    while len(seats) < 60:
        _, _, dones, infos = env.step(np.array([TAKE]))
        if dones[0]:
            seats.append(infos[0]["seat"])
    assert {seats.count(seat) > 8 for seat in range(3)} == {True}


def test_running_games_go_on_exactly():
    env = make_env(3, mixed_pool(), shaping=0.5)
    env.reset()
    last = random_steps(env, 7)[-1]
    arrays = env.running()
    expected = random_steps(env, 20, seed=1)
    other = make_env(3, mixed_pool(), seed=99, shaping=0.5)
    assert other.restore(arrays).tolist() == [observation for observation, *_ in last]
    assert random_steps(other, 20, seed=1) == expected


@pytest.mark.parametrize("damage", ["missing", "shape", "state", "seat", "opponent"])
def test_damaged_running_games_are_refused_and_change_nothing(damage):
    env = make_env(3)
    env.reset()
    arrays = env.running()
    if damage == "missing":
        del arrays["seats"]
    elif damage == "shape":
        arrays["states"] = arrays["states"][:, :-1]
    elif damage == "state":
        arrays["states"][2] = 255
    elif damage == "seat":
        arrays["seats"][1] = (arrays["seats"][1] + 1) % 3
    else:
        arrays["plays"][:] = 5
    before = env.running()
    with pytest.raises(ValueError, match="running games"):
        env.restore(arrays)
    for name, array in env.running().items():
        assert (array == before[name]).all()


# --- the pool -------------------------------------------------------------------------------------


def test_opponents_are_drawn_by_weight():
    agents = OpponentPool({"a": (Always(0), 1.0), "b": (Always(1), 3.0)}, earlier_weight=4.0, max_earlier=2)
    # Before there are earlier versions their weight counts for nobody: a has 1/4, b 3/4.
    assert [agents.draw(lot) for lot in (0.0, 0.24, 0.26, 0.99)] == [0, 0, 1, 1]
    assert agents.add(Always(2)) == 2
    # a 1/8, b 3/8, first 4/8.
    assert [agents.draw(lot) for lot in (0.12, 0.13, 0.49, 0.51, 0.99)] == [0, 1, 1, 2, 2]
    assert agents.add(Always(2)) == 3
    # first and second share 4/8.
    assert [agents.draw(lot) for lot in (0.51, 0.74, 0.76, 0.99)] == [2, 2, 3, 3]
    agents.add(Always(2))
    assert agents.earlier == [3, 4]


def test_an_earlier_version_that_left_plays_its_games_to_the_end():
    agents = OpponentPool({"a": (Always(0), 1.0)}, earlier_weight=1.0, max_earlier=1)
    agents.add(Always(1))
    agents.add(Always(2))
    agents.forget(in_use=[0, 1])
    assert agents.names == {0: "a", 1: "earlier", 2: "earlier"}
    agents.forget(in_use=[0])
    assert agents.names == {0: "a", 2: "earlier"}


@pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 2.0)])
def test_weights_that_draw_nobody_are_refused(weights):
    with pytest.raises(ValueError, match="weight"):
        OpponentPool({"a": (Always(0), weights[0]), "b": (Always(1), weights[1])})


def test_new_versions_of_the_learner_play_in_games_that_begin_after_they_came():
    agents = OpponentPool({"idler": (Always(NOTHING), 1.0)}, earlier_weight=1e9)
    env = make_env(opponents=agents)
    env.reset()
    agents.add(Always(TAKE))
    outcomes = []
    for _ in range(4):
        _, rewards, _, infos = env.step(np.full(6, TAKE))
        outcomes.append((rewards.tolist(), [info.get("opponents") for info in infos]))
    # The running games are won 2 to 0; the next ones are tied.
    assert outcomes[1][0] == [1.0] * 6
    assert all("idler" in names for names in outcomes[1][1])
    assert outcomes[3][0] == [0.0] * 6
    assert all("earlier" in names for names in outcomes[3][1])
