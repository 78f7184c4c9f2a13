"""The AEC face: PettingZoo's own tests, masks, illegal actions, wrappers, rewards, arguments."""

from __future__ import annotations

import itertools
import json
import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import northsea_envs
from northsea_envs import get_game
from northsea_envs.aec import GameEnv, IllegalActionError, wrap
from northsea_envs.game import REWARDS, seat_rewards
from tests.conftest import (
    both_faces,
    draw,
    every_game,
    look_closely,
    over,
    play,
    python,
    raw_env,
    same,
    shown,
    view,
    wrapped_env,
)
from tests.stones import stones_game

with warnings.catch_warnings():
    # PettingZoo's tests import one of its own games in a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

# PettingZoo's tests warn so of every Dict observation that is not on their own list; every other warning is an error.
pettingzoo_warnings = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

NOT_ACTIONS: list[Any] = [
    -1,
    -(2**63),
    -(2**64),
    10**6,
    2**31,
    2**63,
    2**64,
    10**40,
    None,
    1.0,
    float("nan"),
    np.float32(1),
    "1",
    b"1",
    [1],
    np.array([1]),
    np.int8(-1),
    np.int64(10**9),
    np.uint64(2**64 - 1),
    object(),
]


def make_registered(name: str, players: int, **keywords: Any) -> Any:
    return pettingzoo.make("aec", f"northsea/{name}-v0", num_players=players, **keywords)


three_faces = pytest.mark.parametrize(
    "make", [raw_env, wrapped_env, make_registered], ids=["raw", "wrapped", "registered"]
)


class TestPettingZoo:
    """PettingZoo's own tests, and those that its own checks run on its environments."""

    pytestmark = pettingzoo_warnings

    @every_game
    @three_faces
    def test_api(self, make, name, players):
        api_test(make(name, players), num_cycles=60)

    @every_game
    @three_faces
    def test_seed(self, make, name, players):
        seed_test(lambda: make(name, players), num_cycles=60)

    @every_game
    @both_faces
    def test_bombardment(self, make, name, players):
        """What PettingZoo's bombardment_test means: it takes the None that step returns for the next observation."""
        env = make(name, players)
        rng = np.random.default_rng(4)
        for _ in range(60):
            env.reset()
            for agent in env.agent_iter(int(rng.integers(1, 40))):
                observation, _, terminated, truncated, info = env.last()
                assert env.observation_space(agent).contains(observation)
                assert observation["observation"].any()
                env.step(None if terminated or truncated else draw(info["action_mask"], rng))

    @every_game
    @both_faces
    def test_render(self, make, name, players, capsys):
        render_test(lambda **keywords: make(name, players, **keywords))
        assert "Seat 0" in capsys.readouterr().out

    @every_game
    @both_faces
    def test_pickled_before_reset_plays_the_same(self, make, name, players):
        env = make(name, players)
        other = pickle.loads(pickle.dumps(env))
        for each in (env, other):
            each.reset(seed=11)
        for _ in range(40):
            assert same(shown(env), shown(other))
            action = draw(env.last()[4]["action_mask"], np.random.default_rng(env.num_agents))
            env.step(action)
            other.step(action)

    @every_game
    @both_faces
    def test_prints_nothing(self, make, name, players, capfd):
        env = make(name, players)
        env.reset(seed=1)
        play(env, np.random.default_rng(1))
        env.render()
        env.close()
        assert capfd.readouterr() == ("", "")

    @every_game
    def test_unwrapped_is_the_raw_environment(self, name, players):
        env = wrapped_env(name, players)
        assert type(env.unwrapped) is type(raw_env(name, players))
        assert env.unwrapped.unwrapped is env.unwrapped

    @every_game
    @both_faces
    def test_state_is_not_offered(self, make, name, players):
        env = make(name, players)
        env.reset(seed=1)
        with pytest.raises(NotImplementedError):
            env.state()


def test_imports_nothing_that_draws_or_trains_and_may_be_reloaded():
    python(
        "-W",
        "error",
        "-c",
        "import importlib, sys\n"
        "import northsea_envs, northsea_envs.aec, northsea_envs.vikings_v0\n"
        "env = northsea_envs.make('vikings_v0')\n"
        "drawing = {'pygame', 'matplotlib', 'tkinter', 'PIL', 'cv2', 'torch', 'stable_baselines3'} & set(sys.modules)\n"
        "assert not drawing, drawing\n"
        "importlib.reload(northsea_envs)\n",
    )


def test_registered_ids():
    for name in northsea_envs.GAMES:
        spec = pettingzoo.spec("aec", f"northsea/{name}-v0")
        assert spec.id == f"northsea/{name}-v0"
        # An id without a version is the newest.
        assert str(pettingzoo.make("aec", f"northsea/{name}").unwrapped) == f"{name}_v0"


@every_game
def test_metadata(name, players):
    env = wrapped_env(name, players)
    assert env.metadata["name"] == get_game(name).id == str(env.unwrapped)
    assert env.metadata["render_modes"] == ["human", "ansi"]
    assert env.metadata["is_parallelizable"] is False
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    assert env.max_num_agents == players


@every_game
@both_faces
def test_all_combinations_of_arguments(make, name, players):
    game = get_game(name)
    choices = {option.name: option.choices for option in game.options}
    for option in game.options:
        if option.is_seat:
            choices[option.name] = tuple(c for c in option.choices if c is None or c < players)
    for reward, mode, *values in itertools.product(("rank", "win", "score"), (None, "ansi"), *choices.values()):
        options = dict(zip(choices, values, strict=True))
        env = make(name, players, reward=reward, render_mode=mode, **options)
        env.reset(seed=5, options={"options": 1})
        first = env.unwrapped.get_state()
        assert first == game.save(game.new_states(players, [5], options), 0)
        play(env, np.random.default_rng(2), 3)
        assert isinstance(env.render(), str if mode else type(None))
        # The options stay in force through later resets.
        env.reset()
        env.reset(seed=5)
        assert env.unwrapped.get_state() == first


def test_wrong_arguments():
    for keywords, named in (
        ({"num_players": 1}, "takes 2 to 4"),
        ({"num_players": 5}, "takes 2 to 4"),
        ({"num_players": 2.0}, "takes 2 to 4"),
        ({"num_players": True}, "takes 2 to 4"),
        ({"num_players": "2"}, "takes 2 to 4"),
        ({"reward": "money"}, "'rank', 'win', 'score'"),
        ({"render_mode": "rgb_array"}, "'human', 'ansi' or None"),
        ({"start_seat": 2}, "None, 0, 1"),
        ({"start_seat": -1}, "None, 0, 1"),
        ({"start_seat": True}, "None, 0, 1"),
        ({"ship_opening_mode": "anywhere"}, "'adjacent', 'any_of_first_three'"),
        ({"ship_mode": "adjacent"}, "known: start_seat, ship_opening_mode"),
    ):
        with pytest.raises(ValueError, match=r"allowed|unknown option") as raised:
            northsea_envs.make("vikings_v0", **keywords)
        assert named in str(raised.value)
    for wrong in ("vikings_v1", "chess_v0", "", "vikings_v"):
        with pytest.raises(ValueError, match="there is no"):
            northsea_envs.make(wrong)


@every_game
@both_faces
def test_wrong_seeds_change_nothing(make, name, players):
    env = make(name, players)
    for begun in (False, True):
        for seed in (-1, 2**63, 10**30, 1.0, "1", True, None if begun else [1]):
            if seed is None:
                continue
            before = env.unwrapped.get_state() if begun else None
            with pytest.raises(ValueError, match="give an integer from 0 to"):
                env.reset(seed=seed)
            if begun:
                assert env.unwrapped.get_state() == before
            else:
                # Still as before any reset.
                with pytest.raises(AttributeError):
                    _ = env.agents
                with pytest.raises(RuntimeError, match="call reset"):
                    env.get_state()
        env.reset(seed=0)
    env.reset(seed=2**63 - 1)
    state = env.unwrapped.get_state()
    env.reset(seed=np.uint64(2**63 - 1))
    assert env.unwrapped.get_state() == state


@every_game
@both_faces
def test_seeds(make, name, players):
    env, other = make(name, players), make(name, players)

    def deals(env: Any, first: int | None) -> list[bytes]:
        found = []
        for seed in (first, None, None):
            env.reset(seed=seed)
            found.append(env.unwrapped.get_state())
        return found

    # A seed decides its own game and the unseeded ones after it; they differ from one another.
    assert deals(env, 9) == deals(other, 9) == deals(env, 9)
    assert len(set(deals(env, 9) + deals(env, 10))) == 6
    # Without any seed two environments differ, even if one is a copy of the other made before its first game.
    fresh = make(name, players)
    copied = pickle.loads(pickle.dumps(fresh))
    assert not set(deals(fresh, None)) & set(deals(copied, None)) & set(deals(make(name, players), None))


class TestMasks:
    @every_game
    @both_faces
    def test_one_array_in_observation_and_info(self, make, name, players):
        env = make(name, players)
        env.reset(seed=3)
        game = env.unwrapped.game
        actions = game.num_actions(players)
        rng = np.random.default_rng(3)
        ended = False
        for number in itertools.count():
            if not env.agents:
                break
            observation, _, _, _, info = env.last()
            for agent in env.possible_agents if look_closely(number) or over(env) else ():
                seen = env.observe(agent)
                assert list(seen) == ["observation", "action_mask"]
                mask = seen["action_mask"]
                assert mask.dtype == np.int8
                assert mask.shape == (actions,)
                assert set(mask.tolist()) <= {0, 1}
                if agent in env.agents:
                    assert mask is env.infos[agent]["action_mask"]
                if agent != env.agent_selection or over(env):
                    assert not mask.any()
                else:
                    assert mask.sum() >= 2
                assert env.observation_space(agent).contains(seen)
            assert observation["action_mask"] is info["action_mask"]
            if over(env):
                ended = True
                env.step(None)
                continue
            action = env.action_space(env.agent_selection).sample(observation["action_mask"])
            assert observation["action_mask"][action]
            env.step(draw(info["action_mask"], rng))
        assert ended

    @every_game
    @both_faces
    def test_every_seat_may_be_observed_at_any_time(self, make, name, players):
        env = make(name, players)
        env.reset(seed=8)
        rng = np.random.default_rng(8)
        for number in itertools.count():
            raw = env.unwrapped
            if look_closely(number) or over(env):
                states = raw.game.restore(raw.get_state())
                for seat, agent in enumerate(env.possible_agents):
                    assert same(env.observe(agent)["observation"], view(raw.game, players, states, seat))
            if not env.agents:
                break
            env.step(None if over(env) else draw(env.last()[4]["action_mask"], rng))

    @every_game
    @both_faces
    def test_arrays_are_never_overwritten(self, make, name, players):
        env = make(name, players)
        kept: list[tuple[np.ndarray, bytes]] = []
        rng = np.random.default_rng(6)

        def keep() -> None:
            arrays = [info["action_mask"] for info in env.infos.values()]
            for agent in env.possible_agents:
                arrays += env.observe(agent).values()
            arrays += env.last()[0].values()
            kept.extend((array, array.tobytes()) for array in arrays)

        for seed in (1, 2):
            env.reset(seed=seed)
            for number in itertools.count():
                if over(env):
                    break
                if look_closely(number):
                    keep()
                env.step(draw(env.infos[env.agent_selection]["action_mask"], rng))
            keep()
        env.set_state(env.get_state())
        assert all(array.tobytes() == before for array, before in kept)

    @every_game
    @both_faces
    def test_a_mask_that_the_caller_overwrites_does_not_change_the_rules(self, make, name, players):
        env = make(name, players)
        env.reset(seed=2)
        mask = env.last()[4]["action_mask"]
        legal = np.flatnonzero(mask)
        mask[:] = 0
        env.step(int(legal[0]))

    @every_game
    @both_faces
    def test_agents_act_when_they_are_selected(self, make, name, players):
        env = make(name, players)
        env.reset(seed=4)
        for agent in env.agent_iter():
            assert agent == env.agent_selection
            info = env.last()[4]
            env.step(None if over(env) else int(np.flatnonzero(info["action_mask"])[-1]))
        assert env.agents == []


class TestIllegalActions:
    @every_game
    def test_raw_raises_and_changes_nothing(self, name, players):
        env = raw_env(name, players)
        rng = np.random.default_rng(12)
        refused: dict[str, int] = dict.fromkeys(env.possible_agents, 0)
        for seed in range(3):
            env.reset(seed=seed)
            # Of a long game the beginning: the replay that is compared grows with it.
            for _ in range(200):
                if over(env):
                    break
                legal = env.infos[env.agent_selection]["action_mask"]
                masked = np.flatnonzero(legal == 0)
                wrong = [
                    *(int(a) for a in rng.choice(masked, 2)),
                    len(legal),
                    *rng.choice(np.array(NOT_ACTIONS, object), 3),
                ]
                before, state, replay = shown(env), env.get_state(), env.replay()
                for action in wrong:
                    with pytest.raises(IllegalActionError) as raised:
                        env.step(action)
                    first = int(np.flatnonzero(legal)[0])
                    assert f"{env.agent_selection}; legal: {first} (" in str(raised.value)
                    assert not env.is_legal(action)
                assert env.get_state() == state
                assert same(shown(env), before)
                assert env.replay() == replay
                refused[env.agent_selection] += 1
                env.step(draw(legal, rng))
        assert all(refused.values())

    @every_game
    def test_every_non_action_is_refused(self, name, players):
        env = raw_env(name, players)
        env.reset(seed=1)
        before = shown(env), env.get_state()
        for action in NOT_ACTIONS:
            with pytest.raises(IllegalActionError):
                env.step(action)
            assert not env.is_legal(action)
        assert same((shown(env), env.get_state()), before)

    @every_game
    @both_faces
    def test_integers_of_every_kind_are_taken(self, make, name, players):
        kinds = [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.array]
        after = set()
        for kind in kinds:
            env = make(name, players)
            env.reset(seed=1)
            # The first action that an int8 can hold.
            while (action := int(np.flatnonzero(env.last()[4]["action_mask"])[0])) > 127:
                env.step(action)
            env.step(kind(action))
            after.add(env.unwrapped.get_state())
            assert same(env.unwrapped.replay().actions[-1], action)
        assert len(after) == 1

    @every_game
    def test_raw_after_the_end(self, name, players):
        env = raw_env(name, players)
        env.reset(seed=1)
        play(env, np.random.default_rng(1))
        for _ in range(players):
            with pytest.raises(ValueError, match="only valid action is None"):
                env.step(0)
            assert not env.is_legal(0)
            env.step(None)
        with pytest.raises(RuntimeError, match="call reset"):
            env.step(None)
        with pytest.raises(RuntimeError, match="call reset"):
            env.step(0)

    def test_raw_before_the_first_game(self):
        env = raw_env("vikings", 2, render_mode="ansi")
        for call in (env.get_state, env.render):
            with pytest.raises(RuntimeError, match="no game has begun"):
                call()
        with pytest.raises(RuntimeError, match="no replay"):
            env.replay()

    @every_game
    def test_wrapped_ends_the_game_for_the_offender(self, name, players):
        """Twice and more in succession on one object, by every seat, the last move of a game included."""
        env = wrapped_env(name, players)
        rng = np.random.default_rng(20)
        env.reset(seed=0)
        length = len(play(env, rng))
        offenders = set()
        for seed, decisions in enumerate([0, 1, 2, 3, 7, 20, length - 1, length - 1, *range(4, 30)]):
            # A repeatable game: the last decision of game 0 stands at its known place.
            last_move = decisions == length - 1
            env.reset(seed=0 if last_move else seed)
            rng = np.random.default_rng(20 if last_move else seed)
            play(env, rng, decisions)
            offender = env.agent_selection
            offenders.add(offender)
            illegal = int(rng.choice(np.flatnonzero(env.last()[4]["action_mask"] == 0)))
            state = env.get_state()
            env.step(illegal)
            assert env.get_state() == state
            assert env.rewards == {agent: -1 if agent == offender else 0 for agent in env.possible_agents}
            assert env.terminations == env.truncations == dict.fromkeys(env.possible_agents, True)
            collected = {}
            for agent in env.agent_iter():
                _, reward, terminated, truncated, _ = env.last()
                assert terminated is truncated is True
                collected[agent] = reward
                env.step(None)
            assert collected == {agent: -1 if agent == offender else 0 for agent in env.possible_agents}
            assert env.agents == []
        assert offenders == set(env.possible_agents)
        # A whole legal game on the same object.
        env.reset(seed=0)
        assert len(play(env, np.random.default_rng(20))) == length
        # As after an illegal action they would be both.
        assert all(env.truncations[agent] != env.terminations[agent] for agent in env.possible_agents)
        assert sum(env.rewards.values()) == pytest.approx(0)

    @every_game
    def test_a_look_past_the_outermost_wrapper_does_not_judge_later_actions(self, name, players):
        env = wrapped_env(name, players)
        env.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(30):
            env.env.last()
            play(env, rng, 1)
            # Refused as illegal, whatever was legal when the inner wrapper looked last.
            branch = env.clone()
            branch.step(int(np.flatnonzero(branch.last()[4]["action_mask"] == 0)[0]))
            assert branch.truncations == dict.fromkeys(env.possible_agents, True)


def plain_stack(name: str, players: int, **keywords: Any) -> Any:
    """PettingZoo's classic wrappers and nothing of ours around the raw environment."""
    env = wrappers.TerminateIllegalWrapper(raw_env(name, players, **keywords), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def outcome(call: Any) -> tuple:
    """What a call returned or raised, and what PettingZoo warned of."""
    EnvLogger.flush()
    try:
        result = call()
    except Exception as error:
        return "raised", type(error), str(error), EnvLogger.mqueue[:]
    return "returned", result, EnvLogger.mqueue[:]


class TestFastPath:
    """Our wrapped environment takes short cuts; it must show what PettingZoo's own wrappers would."""

    CALLS = (
        ("agents", lambda env: env.agents),
        ("num_agents", lambda env: env.num_agents),
        ("agent_selection", lambda env: env.agent_selection),
        ("rewards", lambda env: env.rewards),
        ("cumulative", lambda env: env._cumulative_rewards),
        ("terminations", lambda env: env.terminations),
        ("truncations", lambda env: env.truncations),
        ("infos", lambda env: env.infos),
        ("step", lambda env: env.step(0)),
        ("step none", lambda env: env.step(None)),
        ("observe", lambda env: env.observe("player_0")),
        ("last", lambda env: env.last()),
        ("last unobserved", lambda env: env.last(observe=False)),
        ("render", lambda env: env.render()),
        ("state", lambda env: env.state()),
        ("agent_iter", lambda env: next(iter(env.agent_iter()))),
        ("unknown agent", lambda env: env.observe("nobody")),
        ("private", lambda env: env._has_nothing),
        ("unknown", lambda env: env.has_nothing),
        ("possible_agents", lambda env: env.possible_agents),
        ("max_num_agents", lambda env: env.max_num_agents),
        ("metadata", lambda env: env.metadata),
        ("render_mode", lambda env: env.render_mode),
        ("observation_space", lambda env: env.observation_space("player_1")),
        ("action_space", lambda env: env.action_space("player_1")),
        ("close", lambda env: env.close()),
    )

    @every_game
    def test_before_reset(self, name, players):
        ours, plain = wrapped_env(name, players, render_mode="ansi"), plain_stack(name, players, render_mode="ansi")
        for what, call in self.CALLS:
            assert same(outcome(lambda call=call: call(ours)), outcome(lambda call=call: call(plain))), what
        # Still in order after the refusals.
        for env in (ours, plain):
            env.reset(seed=1)
        assert same(shown(ours), shown(plain))

    @every_game
    @pytest.mark.parametrize("reward", ["rank", "score"])
    def test_random_play_with_mistakes(self, name, players, reward):
        keywords = {"reward": reward, "render_mode": "ansi"}
        ours, plain = wrapped_env(name, players, **keywords), plain_stack(name, players, **keywords)
        rng = np.random.default_rng(33)
        illegal = finished = 0
        for game in range(6):
            for env in (ours, plain):
                env.reset(seed=game, options={"any": 1})
            # Some games without mistakes, so that they reach their end.
            mistakes = 0.0 if game % 3 == 0 else 0.03
            idle = 0
            for number in itertools.count():
                if idle == 3:
                    break
                mask = plain.infos[plain.agent_selection]["action_mask"] if plain.agents else np.zeros(1)
                action: Any = int(rng.choice(np.flatnonzero(mask))) if mask.any() else None
                if over(plain) and rng.random() > 0.2:
                    action = None
                elif rng.random() < mistakes:
                    # True is left out: as an index into PettingZoo's mask it is no integer, ours takes it as 1.
                    pool = [*NOT_ACTIONS, np.int32(1), np.int64(2), np.array(1), np.bool_(True)]
                    pool += [int(a) for a in rng.choice(np.flatnonzero(mask == 0), 20)]
                    action = pool[rng.integers(len(pool))]
                elif not over(plain) and rng.random() < 0.1:
                    action = np.int32(action)
                result = outcome(lambda action=action: plain.step(action))
                mine = outcome(lambda action=action: ours.step(action))
                assert same(mine[2:], result[2:])
                assert same(mine[:2], result[:2])
                illegal += "Illegal" in str(result[-1])
                if look_closely(number) or over(plain):
                    assert same(shown(ours), shown(plain))
                    assert ours.unwrapped.get_state() == plain.unwrapped.get_state()
                if not plain.agents:
                    finished += idle == 0
                    idle += 1
        assert illegal >= 2
        assert finished == 6

    @every_game
    def test_agent_iter_needs_a_step(self, name, players):
        for env in (wrapped_env(name, players), plain_stack(name, players)):
            env.reset(seed=1)
            agents = iter(env.agent_iter())
            next(agents)
            with pytest.raises(AssertionError, match="need to call step"):
                next(agents)
            agents = iter(env.agent_iter(max_iter=1))
            env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
            next(agents)
            with pytest.raises(StopIteration):
                next(agents)


def test_a_game_that_is_over_at_once():
    game = stones_game()
    for env in (GameEnv(game, 3, length="empty"), wrap(GameEnv(game, 3, length="empty"))):
        for _ in range(2):
            env.reset(seed=1)
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, info = env.last()
                # Nobody has a point: all share the first place.
                assert (reward, terminated, truncated, info["rank"], info["score"]) == (0.0, True, False, 1, 0.0)
                assert not info["action_mask"].any()
                assert observation["observation"].tobytes() == env.observe(agent)["observation"].tobytes()
                env.step(None)
            assert env.agents == []
            assert env.unwrapped.replay().verify(game).shape == (1,)
        env.set_state(env.get_state())
        assert set(env.terminations.values()) == {True}


def test_wrap_takes_any_raw_environment():
    env = wrap(GameEnv("vikings", 3))
    env.reset(seed=1)
    assert same(shown(env), shown_after_reset("vikings", 3, 1))


def shown_after_reset(name: str, players: int, seed: int) -> dict:
    env = raw_env(name, players)
    env.reset(seed=seed)
    return shown(env)


def given(reward: str, ranks: list[int] | None = None, scores: list[float] | None = None) -> list[float]:
    """The seats' rewards at the end of a game; what does not matter may be left out."""
    seats = len(ranks or scores or [])
    out = np.full(seats, np.nan)
    known = np.array(ranks or [1] * seats), np.array(scores or [0] * seats, float)
    seat_rewards(REWARDS.index(reward), known[1], known[0], out)
    return out.tolist()


class TestRewards:
    """Values worked out by hand from the definitions: evenly from +1 to -1; winners share; own less mean of others."""

    @pytest.mark.parametrize(
        ("ranks", "rank", "win"),
        [
            ([1, 2], [1, -1], [1, -1]),
            ([2, 1], [-1, 1], [-1, 1]),
            ([1, 1], [0, 0], [0, 0]),
            ([3, 1, 2], [-1, 1, 0], [-1 / 2, 1, -1 / 2]),
            # Two share places 1 and 2, worth 1 and 0; two winners have half a victory each: (3/2 - 1) / 2.
            ([1, 1, 3], [1 / 2, 1 / 2, -1], [1 / 4, 1 / 4, -1 / 2]),
            ([2, 1, 2], [-1 / 2, 1, -1 / 2], [-1 / 2, 1, -1 / 2]),
            ([1, 1, 1], [0, 0, 0], [0, 0, 0]),
            ([4, 3, 2, 1], [-1, -1 / 3, 1 / 3, 1], [-1 / 3, -1 / 3, -1 / 3, 1]),
            # (4/2 - 1) / 3 for each of two winners.
            ([1, 3, 1, 4], [2 / 3, -1 / 3, 2 / 3, -1], [1 / 3, -1 / 3, 1 / 3, -1 / 3]),
            ([2, 1, 2, 4], [0, 1, 0, -1], [-1 / 3, 1, -1 / 3, -1 / 3]),
            ([1, 2, 3, 3], [1, 1 / 3, -2 / 3, -2 / 3], [1, -1 / 3, -1 / 3, -1 / 3]),
            # (4/3 - 1) / 3 for each of three winners; places 1 to 3 are worth 1, 1/3, -1/3.
            ([1, 1, 1, 4], [1 / 3, 1 / 3, 1 / 3, -1], [1 / 9, 1 / 9, 1 / 9, -1 / 3]),
            ([2, 2, 2, 1], [-1 / 3, -1 / 3, -1 / 3, 1], [-1 / 3, -1 / 3, -1 / 3, 1]),
            ([1, 1, 3, 3], [2 / 3, 2 / 3, -2 / 3, -2 / 3], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
            ([1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]),
        ],
    )
    def test_by_place(self, ranks, rank, win):
        for reward, expected in (("rank", rank), ("win", win)):
            assert given(reward, ranks=ranks) == pytest.approx(expected, abs=1e-15)
            assert sum(given(reward, ranks=ranks)) == pytest.approx(0, abs=1e-15)

    def test_opposite_places_are_exactly_opposite(self):
        assert given("rank", ranks=[2, 2, 1, 4]) == [0, 0, 1, -1]
        assert sum(given("rank", ranks=[1, 2, 3, 4])) == 0

    @pytest.mark.parametrize(
        ("scores", "rewards"),
        [
            ([30, 20], [10, -10]),
            ([10, 10], [0, 0]),
            # 40 - (10 + 25) / 2, 10 - (40 + 25) / 2, 25 - (40 + 10) / 2
            ([40, 10, 25], [22.5, -22.5, 0]),
            # -6 - (0 + 3 + 9) / 3, 0 - (-6 + 3 + 9) / 3, 3 - (-6 + 0 + 9) / 3, 9 - (-6 + 0 + 3) / 3
            ([-6, 0, 3, 9], [-10, -2, 2, 10]),
        ],
    )
    def test_by_score(self, scores, rewards):
        assert given("score", scores=scores) == pytest.approx(rewards)
        assert sum(given("score", scores=scores)) == pytest.approx(0)

    @every_game
    @both_faces
    @pytest.mark.parametrize("reward", ["rank", "win", "score"])
    def test_given_once_at_the_end(self, make, name, players, reward):
        env = make(name, players, reward=reward)
        for seed in range(3):
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            collected = dict.fromkeys(env.possible_agents, 0.0)
            told: dict[str, tuple[int, float]] = {}
            for agent in env.agent_iter():
                _, got, terminated, truncated, info = env.last()
                assert type(got) is float
                assert type(terminated) is bool and type(truncated) is bool
                assert not (terminated and truncated)
                collected[agent] += got
                if terminated or truncated:
                    told[agent] = info["rank"], info["score"]
                    assert type(info["rank"]) is int and type(info["score"]) is float
                    env.step(None)
                    continue
                assert got == 0
                assert set(info) == {"action_mask"}
                assert set(env.rewards.values()) == {0.0}
                env.step(draw(info["action_mask"], rng))
            ranks = np.array([told[agent][0] for agent in env.possible_agents])
            scores = np.array([told[agent][1] for agent in env.possible_agents])
            assert list(collected.values()) == given(reward, ranks.tolist(), scores.tolist())
            assert sum(collected.values()) == pytest.approx(0)
            # Places are by score first.
            order = np.argsort(ranks, kind="stable")
            assert (np.diff(scores[order]) <= 0).all()


def test_the_package_does_not_leak_numpy_scalars():
    """Agents, spaces and infos hold plain Python values; a JSON log of them works."""
    env = raw_env("vikings", 3)
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    infos = {agent: {k: v for k, v in info.items() if k != "action_mask"} for agent, info in env.infos.items()}
    json.dumps([env.agents, env.rewards, env.terminations, infos, env.metadata])
