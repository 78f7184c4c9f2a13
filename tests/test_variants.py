"""Variants of a game: bound into it by name, one object each, and never mixed up with another."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import evaluate
from agents.evaluation import plan
from agents.policy import Network, identity, load_policy, save_policy
from northsea_envs import SaveError, get_game, make
from northsea_envs.agent import AgentError
from northsea_envs.jit import compiled, compiled_for
from northsea_envs.replay import Replay, ReplayError
from northsea_envs.vector import GameBatch
from tests.conftest import play, raw_env

SWITCHES = ("auction", "limited_boatsmen", "special_tiles")
BASIC = get_game("vikings")
ADVANCED = BASIC.with_options({"variant": "advanced"})


def switched_on(game):
    """The switches that are on."""
    return {name for name, value in game.variant.items() if value}


@pytest.mark.parametrize(
    ("options", "on"),
    [
        ({}, set()),
        ({"variant": "basic"}, set()),
        ({"variant": "advanced"}, set(SWITCHES)),
        ({"variant": "advanced", "auction": False}, {"limited_boatsmen", "special_tiles"}),
        ({"variant": "advanced", "auction": None}, set(SWITCHES)),
        ({"variant": "basic", "special_tiles": True}, {"special_tiles"}),
        ({"auction": True, "limited_boatsmen": True}, {"auction", "limited_boatsmen"}),
        ({"auction": False}, set()),
        ({"ship_opening_mode": "adjacent", "start_seat": 1}, set()),
    ],
)
def test_a_switch_goes_before_the_variant(options, on):
    assert switched_on(BASIC.with_options(options)) == on


def test_what_is_not_named_stays_as_it_is():
    assert switched_on(ADVANCED.with_options({"auction": False})) == {"limited_boatsmen", "special_tiles"}
    assert ADVANCED.with_options({}) is ADVANCED
    assert ADVANCED.with_options({"variant": "basic"}) is BASIC


def test_equal_variants_are_one_object_however_they_are_spelled():
    assert BASIC.with_options(dict.fromkeys(SWITCHES, True)) is ADVANCED
    assert BASIC.with_options({"variant": "basic"}) is BASIC
    for duplicate in (copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))):
        assert duplicate(ADVANCED) is ADVANCED
        assert duplicate(BASIC) is BASIC


def test_every_variant_has_a_fingerprint_of_its_own():
    games = {
        BASIC.with_options(dict(zip(SWITCHES, (a, b, c), strict=True)))
        for a in (False, True)
        for b in (False, True)
        for c in (False, True)
    }
    assert len({game.fingerprint for game in games}) == len({game.described for game in games}) == 8
    assert BASIC.described == "vikings_v0"
    assert ADVANCED.described == "vikings_v0 (auction=True, limited_boatsmen=True, special_tiles=True)"


def test_wrong_values_are_refused():
    for options in ({"variant": "expert"}, {"auction": 1}, {"auction": "yes"}, {"special_tiles": 0}):
        (name,) = options
        with pytest.raises(ValueError, match=f"{name}=.* is not allowed; choose from"):
            BASIC.with_options(options)
        with pytest.raises(ValueError, match=f"{name}=.* is not allowed; choose from"):
            make("vikings", **options)


def test_a_game_does_not_begin_under_the_options_of_another():
    assert len(ADVANCED.new_states(2, [1], {"variant": "advanced", "auction": True})) == 1
    for game, options in ((BASIC, {"auction": True}), (ADVANCED, {"variant": "basic"}), (ADVANCED, {"auction": False})):
        with pytest.raises(ValueError, match="makes another game than vikings_v0"):
            game.new_states(2, [1], options)
        with pytest.raises(ValueError, match="makes another game than vikings_v0"):
            GameBatch(game, 2, np.array([1]), options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ids_and_fields_of_the_basic_game_keep_their_places(players):
    blocks, fields = BASIC.action_blocks(players), BASIC.observation_fields(players)
    for options in ({"auction": True}, {"special_tiles": True}, {"limited_boatsmen": True}, {"variant": "advanced"}):
        game = BASIC.with_options(options)
        longer = game.action_blocks(players)
        assert longer[: len(blocks)] == blocks
        assert [block.name for block in longer[len(blocks) :]] == (
            ["BID", "BID_MORE"] if game.variant["auction"] else []
        )
        more = game.observation_fields(players)
        assert [(f.name, f.size) for f in more[: len(fields)]] == [(f.name, f.size) for f in fields]
        added = {f.name.partition(".")[0] for f in more[len(fields) :]}
        assert added == {"auction": {"auction"}, "special_tiles": {"special"}, "limited_boatsmen": set()}.get(
            next(iter(options)), {"auction", "special"}
        )


def test_saved_games_are_not_mixed_up():
    environments = {
        variant: raw_env("vikings", 2, **options)
        for variant, options in {
            "basic": {},
            "advanced": {"variant": "advanced"},
            "without auction": {"variant": "advanced", "auction": False},
        }.items()
    }
    states = {}
    for variant, env in environments.items():
        env.reset(seed=5)
        play(env, np.random.default_rng(1), 7)
        states[variant] = env.get_state()
    for source, state in states.items():
        for target, env in environments.items():
            if source == target:
                env.set_state(state)
                continue
            with pytest.raises(SaveError, match="a saved game of the variant"):
                env.set_state(state)
    assert "variant" not in json.loads(states["basic"].partition(b"\n")[0])


def test_a_replay_names_its_variant_and_plays_in_it(tmp_path):
    env = raw_env("vikings", 2, variant="advanced", auction=False, start_seat=1)
    env.reset(seed=5)
    play(env, np.random.default_rng(1))
    replay = env.replay()
    assert replay.options == {"auction": False, "limited_boatsmen": True, "special_tiles": True, "start_seat": 1}
    replay.save(tmp_path / "game.json")
    loaded = Replay.load(tmp_path / "game.json")
    # In the game that the package gives, and in any variant of it.
    for game in (None, BASIC, ADVANCED):
        assert loaded.verify(game).tobytes() == env.get_state().partition(b"\n")[2]
    other = Replay(**{**replay.__dict__, "options": {"start_seat": 1}})
    with pytest.raises(ReplayError, match="other component tables"):
        other.verify()
    for wrong in ({"auction": "yes"}, {"variant": 7}):
        with pytest.raises(ReplayError, match="is not allowed"):
            Replay(**{**replay.__dict__, "options": wrong}).verify()
    with pytest.raises(ReplayError, match="not those of vikings_v0"):
        Replay.of(BASIC, 2, 5, {"auction": True}, [])


def test_a_basic_replay_is_as_it_was():
    env = raw_env("vikings", 2, variant="basic", start_seat=1)
    env.reset(seed=5)
    play(env, np.random.default_rng(1), 9)
    assert env.replay().options == {"start_seat": 1}


def test_policies_are_not_mixed_up(tmp_path):
    limited = BASIC.with_options({"limited_boatsmen": True})
    # Same sizes and layout as the basic game: only the name tells them apart.
    assert limited.observation_size(2) == BASIC.observation_size(2)
    assert "variant" not in identity(BASIC, 2)
    network = Network(BASIC.observation_size(2), BASIC.num_actions(2), (4,), (), (), "relu")
    weights = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    for name, game, other in (("basic", BASIC, limited), ("limited", limited, BASIC)):
        save_policy(tmp_path / name, game, 2, network, weights, 1)
        load_policy(tmp_path / name, game, 2)
        with pytest.raises(AgentError, match="trained for variant"):
            load_policy(tmp_path / name, other, 2)


def test_matches_name_the_variant(tmp_path, capsys):
    prepared = plan("vikings", 2, ["random"], 1, options={"variant": "advanced", "auction": False})
    assert prepared.game is BASIC.with_options({"variant": "advanced", "auction": False})
    assert prepared.options["auction"] is False and prepared.options["special_tiles"] is True
    path = tmp_path / "out.json"
    command = ["vikings", "--players", "2", "--agents", "random", "--games", "2", "--json", str(path)]
    assert evaluate.main([*command, "--set", "special_tiles=True"]) == 0
    document = json.loads(path.read_text())
    game = BASIC.with_options({"special_tiles": True})
    assert document["tables_fingerprint"] == game.fingerprint
    assert {name: document["options"][name] for name in SWITCHES} == dict(game.variant)
    # The document's options make the same game again.
    assert BASIC.with_options(document["options"]) is game
    assert "special_tiles=True" in capsys.readouterr().out.replace("\n", " ")
    with pytest.raises(SystemExit):
        evaluate.main([*command, "--set", "variant=expert"])
    assert "variant=expert is not allowed; choose from basic, advanced" in capsys.readouterr().err


def test_compiled_for_is_a_constant_for_records_without_the_field():
    @compiled_for("extra", otherwise=-1)
    def extra(tables, state, k):
        return int(state.extra[k])

    @compiled
    def ask(tables, states, k):
        return extra(tables, states[0], k)

    short = np.zeros(1, np.dtype((np.record, [("a", "i4")])))
    # In front: behind the shorter record's fields numba would take it for the shorter one.
    long = np.zeros(1, np.dtype((np.record, [("extra", "u1", (3,)), ("a", "i4")])))
    long[0].extra[2] = 7
    assert [ask(short, short, 2), ask(short, long, 2), ask(short, long, 1)] == [-1, 7, 0]
    assert [extra(short[0], short[0], 2), extra(short[0], long[0], 2)] == [-1, 7]
