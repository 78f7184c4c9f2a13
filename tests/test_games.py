"""What every registered game declares about itself, tested in random games at every number of players."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

import northsea_envs
from northsea_envs import GAMES, get_game
from northsea_envs.game import Game
from tests.conftest import draw, every_game, look_closely, mask_of, over, positions, raw_env, view

every_name = pytest.mark.parametrize("name", GAMES)

# Games without private decisions: everybody sees that, and what, was decided.
ALL_PUBLIC = ("vikings",)


def games_with_options(game: Game, players: int) -> list[dict]:
    """The default, and every other choice of every option for itself."""
    found: list[dict] = [{}]
    for option in game.options:
        for choice in option.choices:
            if not (option.is_seat and isinstance(choice, int) and choice >= players):
                found.append({option.name: choice})
    return found


class TestDeclarations:
    @every_name
    def test_identity(self, name):
        game = get_game(name)
        assert game.id == f"{name}_{game.version}"
        assert game is get_game(name) is get_game(game.id)
        assert len(game.fingerprint) == 16
        assert set(game.fingerprint) <= set("0123456789abcdef")
        assert 1 <= game.min_players <= game.max_players
        assert game.tables.shape == (1,)
        assert not game.tables.flags.writeable
        assert not game.state_dtype.hasobject
        assert (Path(northsea_envs.__file__).parent / f"{game.id}.py").exists()

    @every_name
    def test_options(self, name):
        game = get_game(name)
        assert len({option.name for option in game.options}) == len(game.options)
        for players in range(game.min_players, game.max_players + 1):
            for option in game.options:
                assert option.meaning
                assert option.choices[option.code(option.default, players)] == option.default
                for index, choice in enumerate(option.choices):
                    if option.is_seat and isinstance(choice, int) and choice >= players:
                        with pytest.raises(ValueError, match=option.name):
                            option.code(choice, players)
                    else:
                        assert option.code(choice, players) == index
                for wrong in (object(), "no such choice", -1, 10**9, 0.5, [None]):
                    with pytest.raises(ValueError, match=f"{option.name}=.* is not allowed; choose from"):
                        option.code(wrong, players)

    @every_game
    def test_sizes_agree(self, name, players):
        game = get_game(name)
        fields = game.observation_fields(players)
        assert len({field.name for field in fields}) == len(fields)
        assert all(field.size > 0 and field.low < field.high and field.meaning for field in fields)
        assert all(np.prod(field.shape) == field.size for field in fields if field.shape)
        assert sum(field.size for field in fields) == game.observation_size(players)
        low, high = game.observation_bounds(players)
        assert low.shape == high.shape == (game.observation_size(players),)
        assert np.isfinite(low).all() and np.isfinite(high).all()
        place = 0
        for field in fields:
            assert (low[place : place + field.size] == np.float32(field.low)).all()
            assert (high[place : place + field.size] == np.float32(field.high)).all()
            place += field.size
        with pytest.raises(ValueError, match="read-only"):
            low[0] = 5

    @every_game
    def test_spaces_are_the_same_for_every_seat(self, name, players):
        env = raw_env(name, players)
        first = env.possible_agents[0]
        for agent in env.possible_agents:
            assert env.observation_space(agent) == env.observation_space(first)
            assert env.action_space(agent) == env.action_space(first)
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.action_space(agent) is env.action_space(agent)
            space = env.observation_space(agent)
            assert list(space.keys()) == ["action_mask", "observation"]
            assert space["observation"].shape == (get_game(name).observation_size(players),)
            assert space["observation"].dtype == np.float32
            assert space["action_mask"].dtype == np.int8
            assert env.action_space(agent).n == get_game(name).num_actions(players)

    @every_game
    def test_every_action_has_a_name_of_its_own(self, name, players):
        game = get_game(name)
        actions = game.num_actions(players)
        # Masked sampling of the usual trainers fails beyond about a thousand.
        assert actions <= 500
        names = [game.action_name(players, action) for action in range(actions)]
        assert len(set(names)) == actions
        assert all(names)
        for wrong in (-1, actions):
            with pytest.raises(ValueError, match=f"0 to {actions - 1}"):
                game.action_name(players, wrong)

    @every_game
    def test_blocks_cover_the_actions(self, name, players):
        game = get_game(name)
        place = 0
        for block in game.action_blocks(players):
            assert block.first == place
            assert block.size > 0 and block.name and block.meaning
            assert not block.shape or np.prod(block.shape) == block.size
            place += block.size
        assert place == game.num_actions(players)

    @every_name
    def test_wrong_numbers_of_players(self, name):
        game = get_game(name)
        for wrong in (game.min_players - 1, game.max_players + 1, True, 2.0, "2", None):
            with pytest.raises(ValueError, match=f"takes {game.min_players} to {game.max_players}"):
                game.new_states(wrong, [1])

    @every_name
    def test_environments_stand_in_a_module_of_the_game(self, name):
        module = importlib.import_module(f"northsea_envs.{get_game(name).id}")
        assert module.__doc__
        assert type(northsea_envs.make(name).unwrapped) is module.raw_env


class TestRandomGames:
    @every_game
    def test_masks_lengths_and_decisions(self, name, players):
        """Never without a legal action, never with one alone, never longer than declared, always with a decider."""
        game = get_game(name)
        longest = 0
        for seed, options in enumerate(games_with_options(game, players) * 3):
            decisions = -1
            for number, states in enumerate(positions(game, players, seed, options)):
                decisions += 1
                if not look_closely(number) and mask_of(game, players, states)[0] >= 0:
                    continue
                seat, legal = mask_of(game, players, states)
                assert -1 <= seat < players
                assert set(legal.tolist()) <= {0, 1}
                assert legal.sum() >= 2 if seat >= 0 else not legal.any()
                assert game.kernels.check(game.tables, states, 0) == 0
            assert seat == -1
            longest = max(longest, decisions)
        assert 0 < longest <= game.longest_game(players)

    @every_game
    def test_observations(self, name, players):
        """Complete, finite, within bounds, never all zeros, for every seat after every decision."""
        game = get_game(name)
        low, high = game.observation_bounds(players)
        options = games_with_options(game, players)
        for seed in range(6):
            for number, states in enumerate(positions(game, players, seed, options[seed % len(options)])):
                if not look_closely(number):
                    continue
                for seat in range(players):
                    # NaN where nothing was written; it fails both comparisons.
                    seen = view(game, players, states, seat)
                    assert (low <= seen).all() and (seen <= high).all()
                    assert seen.any()

    @every_game
    def test_every_event_changes_what_is_seen(self, name, players):
        """The acting seat sees each of its decisions, and where nothing is private, so does everybody else."""
        game = get_game(name)
        for seed in range(4):
            before: list[bytes] | None = None
            decider = -1
            for states in positions(game, players, seed):
                now = [view(game, players, states, seat).tobytes() for seat in range(players)]
                if before is not None:
                    for seat in range(players) if name in ALL_PUBLIC else [decider]:
                        assert now[seat] != before[seat]
                before, decider = now, mask_of(game, players, states)[0]

    @every_game
    def test_different_actions_lead_to_different_sights(self, name, players):
        """Two legal actions look the same to the one who chose only where they come to the same, but for the hidden."""
        game = get_game(name)
        for number, states in enumerate(positions(game, players, 7)):
            seat, legal = mask_of(game, players, states)
            if number % 3 or seat < 0 or not look_closely(number // 3):
                continue
            seen, come_to = set(), set()
            for action in np.flatnonzero(legal):
                branch = states.copy()
                game.kernels.play(game.tables, branch, 0, int(action), np.zeros_like(legal))
                seen.add(view(game, players, branch, seat).tobytes())
                # What is hidden, future chance among it, becomes the same wherever the seat knows the same.
                game.kernels.redraw(game.tables, branch, 0, seat, 1)
                come_to.add(branch.tobytes())
            assert len(seen) == len(come_to)

    @every_game
    def test_looking_changes_nothing(self, name, players):
        game = get_game(name)
        scores, ranks = np.empty(players), np.empty(players, np.int64)
        for number, states in enumerate(positions(game, players, 5)):
            if (number % 5 or not look_closely(2 * number)) and mask_of(game, players, states)[0] >= 0:
                continue
            before = states.tobytes()
            legal = mask_of(game, players, states)[1]
            for seat in range(players):
                view(game, players, states, seat)
                game.kernels.value(game.tables, states, 0, seat)
                game.text(states, 0, seat)
            game.text(states, 0, None)
            for action in np.flatnonzero(legal):
                game.action_text(states, 0, int(action))
            game.kernels.result(game.tables, states, 0, scores, ranks)
            game.kernels.check(game.tables, states, 0)
            game.save(states, 0)
            assert states.tobytes() == before

    @every_game
    def test_an_illegal_action_changes_nothing(self, name, players):
        game = get_game(name)
        size = game.num_actions(players)
        observation, mask = np.full(game.observation_size(players), 7, np.float32), np.full(size, 7, np.int8)
        for number, states in enumerate(positions(game, players, 6)):
            if number % 6 and mask_of(game, players, states)[0] >= 0:
                continue
            legal = mask_of(game, players, states)[1]
            before = states.tobytes(), legal.tobytes()
            for action in [-(2**63), -1, *np.flatnonzero(legal == 0).tolist(), size, 2**63 - 1]:
                assert game.kernels.step(game.tables, states, 0, action, legal, observation, mask) == -2
            assert (states.tobytes(), legal.tobytes()) == before
            assert (observation == 7).all() and (mask == 7).all()

    @every_game
    def test_a_copied_record_plays_the_same(self, name, players):
        game = get_game(name)
        rng = np.random.default_rng(3)
        legal, other_legal = np.zeros((2, game.num_actions(players)), np.int8)
        for states in list(positions(game, players, 8))[:160:20]:
            # Into the middle of an array of other games.
            many = game.new_states(players, [1, 2, 3])
            neighbours = many[0].tobytes(), many[2].tobytes()
            many[1] = states[0]
            seat = game.kernels.legal(game.tables, states, 0, legal)
            while seat >= 0:
                other_legal[:] = legal
                action = draw(legal, rng)
                seat = game.kernels.play(game.tables, states, 0, action, legal)
                assert game.kernels.play(game.tables, many, 1, action, other_legal) == seat
                assert many[1].tobytes() == states[0].tobytes()
                assert other_legal.tobytes() == legal.tobytes()
            assert (many[0].tobytes(), many[2].tobytes()) == neighbours

    @every_game
    def test_results(self, name, players):
        """Finite scores, places from 1 with ties shared and the next place skipped, better scores never behind."""
        game = get_game(name)
        for seed in range(20):
            *_, states = positions(game, players, seed)
            scores, ranks = np.full(players, np.nan), np.full(players, -9, np.int64)
            game.kernels.result(game.tables, states, 0, scores, ranks)
            assert np.isfinite(scores).all()
            assert ranks.tolist() == [1 + sum(other < rank for other in ranks) for rank in ranks.tolist()]
            for a in range(players):
                for b in range(players):
                    assert scores[a] <= scores[b] or ranks[a] <= ranks[b]

    @every_game
    def test_values_lie_between_0_and_1(self, name, players):
        game = get_game(name)
        for seed in range(3):
            for number, states in enumerate(positions(game, players, seed)):
                if not look_closely(number):
                    continue
                values = [game.kernels.value(game.tables, states, 0, seat) for seat in range(players)]
                assert all(0 <= value <= 1 for value in values)

    @every_game
    @pytest.mark.parametrize("reward", ["rank", "win", "score"])
    def test_rewards_are_bounded_and_zero_sum(self, name, players, reward):
        env = raw_env(name, players, reward=reward)
        for seed in range(8):
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            while not over(env):
                env.step(draw(env.infos[env.agent_selection]["action_mask"], rng))
            rewards = np.array(list(env.rewards.values()))
            assert rewards.sum() == pytest.approx(0, abs=1e-12)
            if reward != "score":
                assert (rewards >= -1).all() and (rewards <= 1).all()
            assert len(rewards) == players

    @every_game
    def test_texts(self, name, players):
        """Every position and every legal action can be put into words, and actions into different ones."""
        game = get_game(name)
        for seed in range(2):
            for number, states in enumerate(positions(game, players, seed)):
                if not look_closely(number):
                    continue
                legal = mask_of(game, players, states)[1]
                assert game.text(states, 0, None)
                texts = [game.action_text(states, 0, int(action)) for action in np.flatnonzero(legal)]
                assert all(texts)
                assert len(set(texts)) == len(texts)

    @every_game
    def test_random_game_kernel_plays_to_the_end(self, name, players):
        game = get_game(name)
        legal = np.zeros(game.num_actions(players), np.int8)
        for seed in range(30):
            once, again = game.new_states(players, [seed, seed])[:, None]
            length = game.kernels.random_game(game.tables, once, 0, seed, legal, True)
            assert 0 < length <= game.longest_game(players)
            assert mask_of(game, players, once)[0] == -1
            # Checking takes no part in the game.
            assert game.kernels.random_game(game.tables, again, 0, seed, legal, False) == length
            assert again.tobytes() == once.tobytes()
