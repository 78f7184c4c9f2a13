"""The faces of the advanced game: PettingZoo's own tests, laws 4 and 5, and the basic game as it was before there was
an advanced one."""

from __future__ import annotations

import hashlib
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

from northsea_envs import SaveError, vikings_v0
from northsea_envs.aec import IllegalActionError
from northsea_envs.game import Game
from northsea_envs.jit import mix_seed, random_legal, random_seed
from northsea_envs.vector import GameBatch
from tests.conftest import draw, play, python, same, shown, view
from tests.vikings.advanced.positions import ALL, MORE, AdvancedPosition, action_ids, auction, game_with
from tests.vikings.positions import default_game

with warnings.catch_warnings():
    # PettingZoo's tests import one of its own games in a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

pettingzoo_warnings = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
every_number = pytest.mark.parametrize("players", [2, 3, 4])
ONE_SWITCH = [{"auction": True}, {"limited_boatsmen": True}, {"special_tiles": True}]


def env(players: int, **options: Any) -> Any:
    return vikings_v0.env(num_players=players, **(options or {"variant": "advanced"}))


def raw_env(players: int, **options: Any) -> Any:
    return vikings_v0.raw_env(num_players=players, **(options or {"variant": "advanced"}))


class TestPettingZoo:
    pytestmark = pettingzoo_warnings

    @every_number
    def test_api_and_seed(self, players):
        api_test(env(players), num_cycles=100)
        api_test(raw_env(players), num_cycles=100)
        seed_test(lambda: env(players), num_cycles=60)

    @pytest.mark.parametrize("options", ONE_SWITCH, ids=lambda options: next(iter(options)))
    def test_api_with_one_switch(self, options):
        api_test(env(3, **options), num_cycles=100)

    @every_number
    def test_whole_games_stay_within_the_spaces(self, players):
        face = env(players)
        for seed in range(2):
            face.reset(seed=seed)
            rng = np.random.default_rng(seed)
            for agent in face.agent_iter():
                observation, _, terminated, truncated, info = face.last()
                assert face.observation_space(agent).contains(observation)
                face.step(None if terminated or truncated else draw(info["action_mask"], rng))


# --- law 4: the same seed is the same game --------------------------------------------------------


@every_number
def test_batch_and_aec_are_the_same_game(players):
    game = game_with(ALL)
    seeds = 40 + np.arange(3)
    batch = GameBatch(game, players, seeds, {"start_seat": 1})
    faces = [raw_env(players, variant="advanced", start_seat=1) for _ in seeds]
    for face, seed in zip(faces, seeds, strict=True):
        face.reset(seed=int(seed))
    rng = np.random.default_rng(players)
    while (batch.deciders >= 0).any():
        rows = np.flatnonzero(batch.deciders >= 0)
        for row in rows:
            seen = faces[row].observe(faces[row].agent_selection)
            assert seen["observation"].tobytes() == batch.observations[row].tobytes()
            assert seen["action_mask"].tobytes() == batch.legal[row].tobytes()
        actions = np.array([draw(batch.legal[row], rng) for row in rows])
        batch.step(rows, actions)
        for row, action in zip(rows, actions, strict=True):
            faces[row].step(int(action))
    for row, face in enumerate(faces):
        assert face.get_state() == game.save(batch.states, row)


def digest(game: Game, players: int, seed: int, options: dict[str, Any]) -> str:
    """Over what everybody sees and may do in one random game."""
    states = game.new_states(players, [seed], options)
    legal = np.zeros(game.num_actions(players), np.int8)
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(seed, 1))
    found = hashlib.sha256()
    seat = game.kernels.legal(game.tables, states, 0, legal)
    while True:
        found.update(legal.tobytes())
        for viewer in range(players):
            found.update(view(game, players, states, viewer).tobytes())
        if seat < 0:
            return found.hexdigest()[:16]
        seat = game.kernels.play(game.tables, states, 0, int(random_legal(rng, legal)), legal)


def test_across_processes():
    source = (
        "from tests.vikings.advanced.test_faces import digest, game_with, ALL\n"
        "print([digest(game_with(ALL), players, 2**63 - 1, {}) for players in (2, 3, 4)])"
    )
    here = [digest(game_with(ALL), players, 2**63 - 1, {}) for players in (2, 3, 4)]
    assert python("-c", source, PYTHONHASHSEED="7", LC_ALL="C").stdout.strip() == str(here)


@every_number
def test_the_basic_game_is_to_the_byte_what_it_was_before_there_was_an_advanced_one(players):
    """Digests taken from the last commit before the advanced game."""
    sizes = {2: (222, 1381, 380), 3: (162, 1421, 384), 4: (132, 1461, 388)}
    digests = {
        2: ("7f0ca67e9eb1a5f0", "501fd83a694d008f"),
        3: ("953db4fc34b0a82a", "889324816b4ae9f8"),
        4: ("3375f23e1117e591", "4f92c56ec8c6fb0b"),
    }
    game = default_game()
    assert (game.num_actions(players), game.observation_size(players), game.longest_game(players)) == sizes[players]
    assert game.state_dtype.itemsize == 1928
    assert game.fingerprint == "efad0eb55b0cd0d3"
    options: tuple[dict, ...] = ({}, {"ship_opening_mode": "any_of_first_three"})
    assert tuple(digest(game, players, 11 + k, options[k]) for k in (0, 1)) == digests[players]


# --- law 5: bad input changes nothing -------------------------------------------------------------


@pytest.mark.rules("V-AUC-3", "V-AUC-5")
def test_an_illegal_bid_raises_and_changes_nothing():
    face = raw_env(2, variant="advanced", start_seat=0)
    face.reset(seed=3)
    ids = action_ids(2, auction=True)
    face.step(ids["BID 7"])
    # Seat 1 has 30 gold and 10 fame: 1 to 33 more.
    legal = {name for name, action in ids.items() if face.infos[face.agent_selection]["action_mask"][action]}
    assert legal == {"PASS", "BID_MORE", *(f"BID {raised}" for raised in range(1, MORE + 1))}
    for before, illegal in (((), ("BID 0", "BUY 0", "DONE", "COLOUR 0")), (("BID_MORE",), ("BID 14", "BID 0", "PASS"))):
        for name in before:
            face.step(ids[name])
        state = face.get_state()
        seen = shown(face)
        for name in illegal:
            with pytest.raises(IllegalActionError):
                face.step(ids[name])
            assert face.get_state() == state
            assert same(shown(face), seen)
    # 40 is more than the other can bid, so that she is to remove a viking.
    face.step(ids["BID 13"])
    assert face.agent_selection == face.possible_agents[1]
    mask = face.infos[face.agent_selection]["action_mask"]
    assert {name.split()[0] for name, action in ids.items() if mask[action]} == {"COLOUR"}


def test_an_illegal_action_ends_the_wrapped_game_for_the_offender():
    face = env(3)
    face.reset(seed=3)
    offender = face.agent_selection
    ids = action_ids(3, auction=True)
    face.step(ids["BUY 3"])
    assert face.rewards[offender] == -1
    assert all(face.terminations.values())


@every_number
def test_saved_games_are_restored_in_every_phase_and_damaged_ones_refused(players):
    game = game_with(ALL)
    face = raw_env(players)
    face.reset(seed=players)
    rng = np.random.default_rng(players)
    other = raw_env(players)
    basic = vikings_v0.raw_env(num_players=players)
    phases = set()
    while face.agents and not face.terminations[face.agent_selection]:
        saved = face.get_state()
        states = game.restore(saved)
        if int(states[0]["phase"]) not in phases:
            phases.add(int(states[0]["phase"]))
            other.set_state(saved)
            assert same(other.observe(other.agent_selection), face.observe(face.agent_selection))
            assert pickle.loads(pickle.dumps(face)).get_state() == saved == face.clone().get_state()
            with pytest.raises(SaveError, match="variant"):
                basic.set_state(saved)
            with pytest.raises(SaveError):
                other.set_state(saved[:-1])
            with pytest.raises(SaveError):
                other.set_state(saved[:-40] + bytes([saved[-40] ^ 1]) + saved[-39:])
            assert other.get_state() == saved
        play(face, rng, 1)
    assert len(phases) >= 10


@pytest.mark.rules("V-DEC-1")
def test_bids_have_names_and_words():
    position = auction((50, 9), (30, 10), switches=ALL)
    game, ids = position.game, position.ids
    assert game.action_name(2, ids["BID 7"]) == "BID 7"
    assert game.action_name(2, ids["BID_MORE"]) == "BID_MORE"
    position.bid(5)
    assert "12" in game.action_text(position.states, 0, ids["BID 7"])
    position.do("BID_MORE")
    assert "32" in game.action_text(position.states, 0, ids["BID 7"])


def test_words_of_every_position_and_action():
    """Nothing that a person may be shown fails, and special tiles and colours are named."""
    words = ""
    chooser = np.random.default_rng(4)
    for players in (2, 3, 4):
        position = AdvancedPosition(players, seed=players, switches=ALL)
        while position.seat is not None:
            actions = np.flatnonzero(position.mask()).tolist()
            texts = [position.game.action_text(position.states, 0, action) for action in actions]
            assert all(texts)
            assert len(set(texts)) == len(texts) or position.phase == "TAKE_SPECIAL"
            words += " ".join(texts) + position.game.text(position.states, 0, None)
            words += position.game.text(position.states, 0, position.seat)
            position.game.apply_decision(position.game.tables[0], position.s, int(chooser.choice(actions)))
    for word in ("pass", "bids 7", "horn", "boatsman", "building"):
        assert word in words.lower()
