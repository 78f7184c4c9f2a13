"""One policy for several numbers of players: what it reads, what it chooses among, and how it is trained."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from rich.console import Console
from sb3_contrib import MaskablePPO

import northsea_envs
import train
from agents import ship
from agents.checkpoint import MismatchError, read_state
from agents.config import ConfigError, read_config
from agents.guided import GuidedSearchAgent
from agents.layers import Network
from agents.layout import Layout
from agents.learner import OpponentPool, SelfPlayVecEnv
from agents.look_ahead import LookAhead
from agents.mixed import MixedVecEnv, share_out
from agents.network import policy_arguments, policy_class, weights_of
from agents.policy import PolicyAgent, checkpoints, load_policy, save_policy
from agents.runs import METRICS_FILE, metrics_of
from agents.training import Training
from agents.warm_start import Lessons, collect
from northsea_envs.agent import AgentError, RandomAgent
from northsea_envs.jit import mix_seed
from northsea_envs.vector import GameBatch
from tests.small_run import SMALL
from tests.stones import NOTHING, TAKE, stones_game
from tests.toy_game import Always

STONES = stones_game()
MIXED = {**SMALL, "players": [2, 3], "opponents": {**SMALL["opponents"], "add_when": 0.9}}


def random_weights(network: Network) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(0)
    return {name: generator.standard_normal(shape).astype(np.float32) for name, shape in network.shapes().items()}


# --- the layout -----------------------------------------------------------------------------------


def test_a_layout_holds_every_field_as_long_as_the_longest():
    layout = Layout(STONES, (2, 3))
    fields = [(field.name, field.size, field.low, field.high) for field in layout.fields]
    assert fields == [("points", 3, 0, 4), ("decisions", 1, 0, 12), ("num_players", 2, 0, 1)]
    # Points 1 and 2, decision 9; then which of 2 and 3 players it is.
    assert layout.fit(2, False).inputs(np.array([[1, 2, 9]], np.float32)).tolist() == [[1, 2, 0, 9, 1, 0]]
    assert layout.fit(3, False).inputs(np.array([[1, 2, 3, 9]], np.float32)).tolist() == [[1, 2, 3, 9, 0, 1]]


def test_columns_of_a_look_ahead_follow_their_actions():
    # Three actions, 0.5 the value as it stands: the layout's first action is behind six floats.
    seen = np.array([[1, 2, 9, -0.5, 0, -1, 0.5]], np.float32)
    assert Layout(STONES, (2, 3)).fit(2, True).inputs(seen).tolist() == [[1, 2, 0, 9, 1, 0, -0.5, 0, -1, 0.5]]


def test_actions_keep_their_meaning():
    game = northsea_envs.get_game("vikings")
    layout = Layout(game, (2, 4))
    # BUY 12, START_ROW 5, CELL: 5 rows of 37 columns with 2 players and of 19 with 4, SHIP_COLUMN 3, ...
    assert layout.num_actions == game.num_actions(2) == game.num_actions(4) + 5 * 18
    two, four = layout.fit(2, False), layout.fit(4, False)
    assert two.actions.tolist() == list(range(layout.num_actions))
    # Every action of four players is one of the same name with two.
    for action, wide in enumerate(four.actions.tolist()):
        assert game.action_name(4, action) == game.action_name(2, wide)
        assert four.numbers[wide] == action
    beyond = [17 + 37 * row + column for row in range(5) for column in range(19, 37)]
    assert np.flatnonzero(four.numbers == -1).tolist() == beyond
    masks = four.masks(np.ones((1, game.num_actions(4)), np.int8))
    assert masks.dtype == np.int8
    assert np.flatnonzero(masks[0] == 0).tolist() == beyond


def test_cells_of_a_homeland_lie_in_their_row():
    layout = Layout(northsea_envs.get_game("vikings"), (2, 4))
    # Three floats a cell, 19 columns of 37 (docs/environments/vikings.md); seat_0's homeland comes first.
    columns = layout.fit(4, False).columns[: 5 * 19 * 3].reshape(5, 19, 3)
    assert columns[2, 4, 1] == (2 * 37 + 4) * 3 + 1
    assert columns[4, 18, 2] == (4 * 37 + 18) * 3 + 2
    # Every seat has as much room, so that one network can read them all.
    sizes = {field.name: field.size for field in layout.fields}
    assert {sizes[f"seat_{seat}.homeland"] for seat in range(4)} == {5 * 37 * 3}


def test_boats_of_tiny_epic_vikings_lie_by_boat():
    layout = Layout(northsea_envs.get_game("tiny_epic_vikings"), (3, 4))
    starts, place = {}, 0
    for field in layout.fields:
        starts[field.name], place = place, place + field.size
    own, begin = {}, 0
    for field in layout.game.observation_fields(3):
        own[field.name], begin = begin, begin + field.size
    # 10 Fjords with 3 players, 12 with 4: the second boat's first Fjord.
    columns = layout.fit(3, False).columns
    assert columns[own["own_fjords"] + 10] == starts["own_fjords"] + 12


@pytest.mark.parametrize("name", northsea_envs.GAMES)
def test_one_number_of_players_has_the_games_own_layout(name):
    game = northsea_envs.get_game(name)
    for players in (2, 3, 4):
        layout = Layout(game, players)
        assert layout.fields == game.observation_fields(players)
        assert layout.num_actions == game.num_actions(players)
        assert layout.fit(players, True) is None


@pytest.mark.parametrize("name", northsea_envs.GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_nothing_is_lost_and_nothing_is_twice(name, players):
    game = northsea_envs.get_game(name)
    layout = Layout(game, (2, 3, 4))
    fit = layout.fit(players, True)
    seen = np.arange(1, game.observation_size(players) + game.num_actions(players) + 2, dtype=np.float32)[None]
    wide = fit.inputs(seen)
    assert wide.shape == (1, layout.observation_size + layout.num_actions + 1)
    # All that is seen is there once, besides what says that nothing is and how many play.
    assert sorted(wide[wide > 0].tolist()) == sorted([*seen[0].tolist(), 1.0])
    assert (wide[0, fit.columns] == seen[0]).all()


def test_lessons_are_put_into_the_layout():
    fit = Layout(northsea_envs.get_game("vikings"), (3, 4)).fit(4, False)
    masks = np.zeros((1, 132), bool)
    masks[0, [0, 131]] = True
    lessons = Lessons(np.zeros((1, 1461), np.float32), masks, np.array([131]), np.ones(1, np.float32))
    fitted = lessons.fitted(fit)
    # PASS is the last action with 4 players (132 of them) as with 3 (162).
    assert fitted.actions.tolist() == [161]
    assert np.flatnonzero(fitted.masks[0]).tolist() == [0, 161]


# --- the policy -----------------------------------------------------------------------------------


def test_a_policy_may_play_otherwise_with_more_players(tmp_path):
    layout = Layout(STONES, (2, 3))
    network = Network(layout.observation_size, layout.num_actions, (), (), (), "relu")
    by_hand = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    # The last two of six floats say how many play.
    by_hand["policy.0.weight"][NOTHING, 4] = by_hand["policy.0.weight"][TAKE, 5] = 1
    save_policy(tmp_path, STONES, (2, 3), network, by_hand, steps=1)
    assert json.loads((tmp_path / "policy.json").read_text())["players"] == [2, 3]
    for players, action in ((2, NOTHING), (3, TAKE)):
        agent = load_policy(tmp_path, STONES, players)
        batch = GameBatch(STONES, players, np.arange(5))
        assert agent.act(batch.decisions(np.arange(5))).tolist() == [action] * 5
        assert agent.frozen(True).act(batch.decisions(np.arange(5))).tolist() == [action] * 5


@pytest.mark.parametrize("players", [[3, 2], [2, 2, 3], [2, 3, 9], ["2", 3], [2.0, 3], [], [3], 3])
def test_other_numbers_of_players_are_refused(tmp_path, players):
    network = Network(6, 3, (), (), (), "relu")
    save_policy(tmp_path, STONES, (2, 3), network, random_weights(network), steps=1)
    about = json.loads((tmp_path / "policy.json").read_text())
    (tmp_path / "policy.json").write_text(json.dumps(about | {"players": players}))
    with pytest.raises(AgentError, match="it was trained for players"):
        load_policy(tmp_path, STONES, 2)


@pytest.mark.parametrize("name", northsea_envs.GAMES)
@pytest.mark.parametrize("players", [2, 4])
def test_it_computes_what_a_network_of_one_number_of_players_would(name, players):
    """What the layout's other columns hold is the same in all positions, and so belongs into the first layer's bias."""
    game = northsea_envs.get_game(name)
    layout = Layout(game, (2, 3, 4))
    fit, look_ahead = layout.fit(players, True), LookAhead(game, game.tables)
    network = Network(layout.observation_size, layout.num_actions, (8,), (), (4,), "tanh", (), True)
    wide = {name: array / 30 for name, array in random_weights(network).items()}
    own = Network(game.observation_size(players), game.num_actions(players), (8,), (), (4,), "tanh", (), True)
    first, others = wide["shared.0.weight"], fit.others.copy()
    others[fit.columns] = 0
    narrow = wide | {
        "shared.0.weight": first[:, fit.columns],
        "shared.0.bias": wide["shared.0.bias"] + first @ others,
        "policy.0.weight": wide["policy.0.weight"][fit.actions],
        "policy.0.bias": wide["policy.0.bias"][fit.actions],
    }
    agents = PolicyAgent(network, wide, True, look_ahead, fit), PolicyAgent(own, narrow, True, look_ahead)
    batch = GameBatch(game, players, np.arange(10))
    for _ in range(15):
        rows = np.flatnonzero(batch.deciders >= 0)
        decisions = batch.decisions(rows)
        (logits, values), expected = (agent.judge(agent.inputs(decisions)) for agent in agents)
        np.testing.assert_allclose(logits, expected[0], atol=1e-4)
        np.testing.assert_allclose(values, expected[1], atol=1e-4)
        batch.step(rows, RandomAgent(game, players).act(decisions))
    searches = [GuidedSearchAgent(game, players, agent, simulations=12) for agent in agents]
    decisions = batch.decisions(np.flatnonzero(batch.deciders >= 0), observed=False)
    assert searches[0].act(decisions).tolist() == searches[1].act(decisions).tolist()


# --- the learner's rows ---------------------------------------------------------------------------


def part(players: int, rows: int, seed: int = 1) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(STONES, players, rows, seed, OpponentPool({"taker": (Always(TAKE), 1.0)}))


def mixed(seed: int = 1) -> MixedVecEnv:
    env = MixedVecEnv(Layout(STONES, (2, 3)), [part(2, 3), part(3, 2)])
    env.seed(seed)
    return env


def test_rows_are_shared_out():
    assert share_out(7, (2, 3, 4)) == {2: 3, 3: 2, 4: 2}
    assert share_out(1, (2, 4)) == {2: 1, 4: 0}


def test_every_part_plays_as_it_would_alone():
    env, two, three = mixed(), part(2, 3, int(mix_seed(1, 2))), part(3, 2, int(mix_seed(1, 3)))
    fits = env.layout.fit(2, False), env.layout.fit(3, False)
    assert env.num_envs == 5
    seen = env.reset()
    alone = two.reset(), three.reset()
    for step in range(30):
        assert env.observation_space.shape == (6,)
        assert all(env.observation_space.contains(row) for row in seen)
        assert (seen == np.concatenate([fit.inputs(own) for fit, own in zip(fits, alone, strict=True)])).all()
        assert (env.action_masks() == np.concatenate([two.action_masks(), three.action_masks()])).all()
        action = (NOTHING, TAKE)[step % 2]
        seen, rewards, dones, infos = env.step(np.full(5, action))
        left, right = two.step(np.full(3, action)), three.step(np.full(2, action))
        alone = left[0], right[0]
        assert rewards.tolist() == [*left[1], *right[1]]
        assert dones.tolist() == [*left[2], *right[2]]
        for row, info in enumerate(infos):
            own = (left[3] + right[3])[row]
            if dones[row]:
                fit = fits[row >= 3]
                assert info.pop("players") == (2 if row < 3 else 3)
                last = info.pop("terminal_observation")
                assert (last == fit.inputs(own.pop("terminal_observation")[None])[0]).all()
            assert info == own


def test_mixed_games_go_on_exactly():
    env = mixed()
    env.reset()
    for _ in range(5):
        seen = env.step(np.full(5, TAKE))[0]
    arrays = env.running()
    expected = [env.step(np.full(5, TAKE)) for _ in range(9)]
    other = mixed(seed=2)
    assert (other.restore(arrays) == seen).all()
    for before in expected:
        observations, rewards, dones, _ = other.step(np.full(5, TAKE))
        assert (observations == before[0]).all()
        assert (rewards == before[1]).all()
        assert (dones == before[2]).all()
    with pytest.raises(ValueError, match="running games"):
        other.restore({name: array for name, array in arrays.items() if name != "3p.seats"})


def test_a_layout_names_each_number_of_players_once():
    assert Layout(STONES, (3, 2)).counts == (2, 3)
    for wrong in ((2, 2), ()):
        with pytest.raises(ValueError, match="give each number of players once"):
            Layout(STONES, wrong)


def test_an_action_that_another_number_of_players_has_is_refused():
    game = northsea_envs.get_game("vikings")
    pools = [OpponentPool({"random": (RandomAgent(game, players), 1.0)}) for players in (2, 4)]
    parts = [SelfPlayVecEnv(game, players, 1, 0, pool) for players, pool in zip((2, 4), pools, strict=True)]
    env = MixedVecEnv(Layout(game, (2, 4)), parts)
    env.reset()
    masks = env.action_masks()
    assert masks.shape == (2, 222)
    actions = masks.argmax(axis=1)
    # A cell that a homeland of four players does not have.
    actions[1] = 17 + 19
    before = env.running()
    with pytest.raises(ValueError, match="action 36 is not legal in game 1; legal: "):
        env.step(actions)
    for name, array in env.running().items():
        assert (array == before[name]).all()


@pytest.mark.parametrize("sizes", [(3, 2), (2,), (2, 3, 3)])
def test_parts_must_be_those_of_the_layout(sizes):
    with pytest.raises(ValueError, match="one part for each"):
        MixedVecEnv(Layout(STONES, (2, 3)), [part(players, 1) for players in sizes])


# --- training -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def config(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("mixed") / "mixed.yaml"
    path.write_text(yaml.safe_dump(MIXED))
    return path


@pytest.fixture(scope="module")
def finished(config) -> Path:
    run = config.parent / "run"
    assert train.main([str(config), "--run-dir", str(run)]) == 0
    return run


def timeless(run: Path) -> list[dict]:
    lines = [metrics_of(line) for line in (run / METRICS_FILE).read_bytes().splitlines()]
    return [{k: v for k, v in line.items() if k != "seconds" and not k.startswith("time/")} for line in lines]


def test_what_a_run_for_two_and_three_players_holds(finished):
    for players in (2, 3):
        agent = load_policy(finished / "best", northsea_envs.get_game("vikings"), players)
        batch = GameBatch(northsea_envs.get_game("vikings"), players, np.arange(3))
        decisions = batch.decisions(np.arange(3))
        chosen = agent.act(decisions)
        assert decisions.masks[np.arange(3), chosen].all()
    with pytest.raises(AgentError, match=r"it was trained for players \[2, 3\]; here it is 4"):
        load_policy(finished / "best", northsea_envs.get_game("vikings"), 4)
    last = timeless(finished)[-1]
    for where in ("2p/", "3p/"):
        for name in ("evaluation/win_share/{}random", "pool/rating/{}learner", "pool/win_rate/{}earlier_5"):
            assert name.format(where) in last
        # The learner as it is now, a quarter of what is drawn, has no standing.
        drawn = [value for name, value in last.items() if name.startswith(f"pool/share/{where}")]
        assert sum(drawn) == pytest.approx(3 / 4)
    documents = json.loads((finished / "evaluation.json").read_text())
    assert [document["players"] for document in documents] == [2, 3]
    pools = read_state(checkpoints(finished)[-1])["pools"]
    assert list(pools) == ["2", "3"]
    assert pools["2"]["earlier"] == pools["3"]["earlier"] == [4, 5]
    svg = (finished / "curve.svg").read_text()
    assert all(word in svg for word in ("against 2p/random", "against 3p/random", "2p/learner", "3p/learner"))


def test_a_mixed_training_resumes_exactly(finished, config, tmp_path):
    run = tmp_path / "run"
    assert train.main([str(config), "--run-dir", str(run), "--set", "total_steps=256"]) == 0
    assert train.main(["--resume", str(run), "--set", "total_steps=512"]) == 0
    assert timeless(run) == timeless(finished)
    left, right = (load_policy(checkpoints(r)[-1], northsea_envs.get_game("vikings"), 3) for r in (run, finished))
    for name, array in left.weights.items():
        assert (array == right.weights[name]).all(), name


def test_numbers_of_players_cannot_change_within_a_run(finished, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    before = sorted(path.name for path in (run / "checkpoints").iterdir())
    assert train.main(["--resume", str(run), "--set", "players=[2,3,4]", "--set", "total_steps=1024"]) == 2
    assert "it is of a training with 2, 3 players; that cannot be changed" in capsys.readouterr().err
    assert sorted(path.name for path in (run / "checkpoints").iterdir()) == before


def test_a_policy_for_several_does_not_come_along(finished, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("agents.shipped.FOLDER", tmp_path)
    assert ship.main([str(finished)]) == 2
    assert "it is for [2, 3] players" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_warm_start_shows_games_of_each(config, tmp_path, monkeypatch):
    shown = []

    def counted(game, players, teacher, seeds, *rest):
        shown.append((players, len(seeds)))
        return collect(game, players, teacher, seeds, *rest)

    monkeypatch.setattr("agents.training.collect", counted)
    # In parts of 2, 2 and 1: the numbers of players take turns, and a part may have no game of one of them.
    lesson = {"teacher": "greedy", "games": 5, "at_once": 2}
    overrides = [f"warm_start={json.dumps(lesson)}", "network.look_ahead=true", "network.kind=entities"]
    overrides += ["total_steps=128", "evaluation.short_games=1", "evaluation.games=1", "players=[2,3]"]
    overrides += ['evaluation.at_the_end=["greedy"]']
    arguments = [word for override in overrides for word in ("--set", override)]
    assert train.main([str(config), "--run-dir", str(tmp_path / "run"), *arguments]) == 0
    assert shown == [(2, 1), (3, 1), (2, 1), (3, 1), (2, 1)]
    documents = json.loads((tmp_path / "run" / "evaluation.json").read_text())
    met = [(document["players"], document["agents"][1]["name"]) for document in documents]
    assert met == [(2, "random"), (2, "greedy"), (3, "random"), (3, "greedy")]


def test_the_best_policy_is_best_at_all_numbers_of_players_together(finished, tmp_path, monkeypatch):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    training = Training(read_config(run / "config.yaml"), run, checkpoints(run)[-1], Console())
    shares = {2: 0.9, 3: 0.2}
    monkeypatch.setattr(Training, "_win_share", lambda self, agent, players, name, games: shares[players])
    training.progress.best_share = 0.54
    assert training.short_evaluation() == {"2p/random": 0.9, "3p/random": 0.2}
    assert training.progress.best_share == pytest.approx(0.55)
    shares[3] = 0.1
    training.short_evaluation()
    assert training.progress.best_share == pytest.approx(0.55)


@pytest.mark.parametrize(("rates", "comes"), [((0.95, 0.8), False), ((0.95, 0.95), True)])
def test_a_version_is_added_early_where_the_learner_has_improved_everywhere(finished, tmp_path, rates, comes):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    training = Training(read_config(run / "config.yaml"), run, checkpoints(run)[-1], Console())
    training.progress.next_opponent = 10**9
    for part, rate in zip(training.env.parts, rates, strict=True):
        latest = part.opponents.standings[part.opponents.earlier[-1]]
        # So many that the games of one update change little.
        latest.rate, latest.games = rate, 10**6
        part.wins["somebody"] = [1.0, 0.5] * part.players
    before = [list(part.opponents.earlier) for part in training.env.parts]
    training._iterate(lambda text: None)
    last = timeless(run)[-1]
    for players in (2, 3):
        assert last[f"training/games/{players}p/somebody"] == 2 * players
        assert last[f"training/win_share/{players}p/somebody"] == 0.75
    assert [part.opponents.earlier != old for part, old in zip(training.env.parts, before, strict=True)] == [comes] * 2


@pytest.mark.parametrize("damage", ["empty", "apart"])
def test_pools_that_do_not_fit_together_are_damaged(finished, tmp_path, damage):
    folder = tmp_path / "checkpoint"
    shutil.copytree(checkpoints(finished)[-1], folder)
    state = json.loads((folder / "trainer.json").read_text())
    if damage == "empty":
        state["pools"] = {}
    else:
        state["pools"]["3"]["versions"] = state["pools"]["3"]["versions"][:-1]
    (folder / "trainer.json").write_text(json.dumps(state))
    with pytest.raises(AgentError, match=r"trainer\.json is damaged .*pools must be"):
        read_state(folder)


def test_a_checkpoint_of_an_earlier_version_is_named(finished, tmp_path):
    folder = tmp_path / "checkpoint"
    shutil.copytree(checkpoints(finished)[-1], folder)
    state = json.loads((folder / "trainer.json").read_text())
    (folder / "trainer.json").write_text(json.dumps(state | {"format": 1}))
    with pytest.raises(MismatchError, match="of an earlier version of this package; begin a new run"):
        read_state(folder)


def test_the_trainers_network_means_the_same(tmp_path):
    read = read_config(_written(tmp_path, MIXED | {"network": {"shared": [8], "kind": "entities"}}))
    game = northsea_envs.get_game("vikings")
    layout = Layout(game, read.counts)
    network = read.network.build(layout)
    (seats,) = (group for group in network.groups if group.name == "seats")
    # Homelands of 5 x 37 cells of three floats; 14 columns of ships, gold, fame, 6 colours of vikings, the start tile.
    assert (len(seats.things), seats.width) == (3, 5 * 37 * 3 + 14 + 1 + 1 + 6 + 1)
    parts = [
        SelfPlayVecEnv(game, players, 2, 0, OpponentPool({"random": (RandomAgent(game, players), 1.0)}))
        for players in layout.counts
    ]
    env = MixedVecEnv(layout, parts)
    model = MaskablePPO(policy_class(network), env, n_steps=2, policy_kwargs=policy_arguments(network))
    seen = env.reset()
    values = model.policy.predict_values(torch.from_numpy(seen)).detach().numpy()[:, 0]
    agent = PolicyAgent(network, weights_of(model.policy, network))
    np.testing.assert_allclose(agent.values(seen), values, atol=1e-5)
    own = np.concatenate([agent.at(layout, part.players).values(part.restore(part.running())) for part in parts])
    np.testing.assert_allclose(own, values, atol=1e-5)


def _written(folder: Path, values: dict) -> Path:
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(values))
    return path


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ([2, 2], r"players: a number of seats is twice in \[2, 2\]; name each once"),
        ([], r"players: give a number of seats such as 4, or a list such as \[2, 3, 4\], not \[\]"),
        ("two", "players: give a number of seats such as 4, .* not 'two'"),
        ([2, True], "players: give a number of seats"),
        (0, "players: give a number of seats .* not 0"),
        ([2, 5], "num_players=5 is not allowed; Vikings takes 2 to 4"),
    ],
)
def test_wrong_numbers_of_players_are_named(tmp_path, capsys, players, message):
    path = _written(tmp_path, MIXED | {"players": players})
    assert train.main([str(path), "--run-dir", str(tmp_path / "run")]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "run").exists()


def test_one_number_in_a_list_is_that_number(tmp_path):
    assert read_config(_written(tmp_path, MIXED | {"players": [3]})).players == 3
    assert read_config(_written(tmp_path, MIXED | {"players": [4, 2]})).counts == (2, 4)
    with pytest.raises(ConfigError, match=r"warm_start\.games=1 is fewer than the 2 numbers of players"):
        read_config(_written(tmp_path, MIXED | {"warm_start": {"games": 1}}))
    with pytest.raises(ConfigError, match="num_envs=2 is fewer than the 3 numbers of players"):
        read_config(_written(tmp_path, MIXED | {"players": [2, 3, 4], "num_envs": 2}))
