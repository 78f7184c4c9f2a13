"""Weights of the evaluation: read from value.csv, no part of the fingerprint, and found by benchmarks/tune.py."""

from __future__ import annotations

import csv
import importlib
import pickle
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.greedy import GreedyAgent
from northsea_envs import GAMES, get_game
from northsea_envs.agent import AgentError, make_agent
from northsea_envs.jit import compiled
from northsea_envs.tables import TableError, Weight, read_weights, with_weights
from northsea_envs.vector import GameBatch
from tests.toy_game import FOLD, KEEP, RISK, toy_game

HEADER = "name,value,low,high,meaning\n"
GOOD = "one,0.5,0,1,the first\ntwo,-3,-4.5,2,the second\n"
every_name = pytest.mark.parametrize("name", GAMES)


def tables_folder(name: str) -> Path:
    """The folder of the tables that come with the package."""
    folder: Path = importlib.import_module(f"northsea_envs.games.{name}").TABLES
    return folder


@pytest.fixture
def copied(tmp_path):
    """(name, {weight: value}) -> a folder with the tables of a game, those weights changed."""

    def copy(name: str, changes: dict[str, float]) -> Path:
        folder = tmp_path / name
        shutil.copytree(tables_folder(name), folder)
        with (folder / "value.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        for row in rows:
            if row["name"] in changes:
                row["value"] = f"{changes[row['name']]:g}"
        with (folder / "value.csv").open("w", encoding="utf-8", newline="") as lines:
            writer = csv.DictWriter(lines, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return folder

    return copy


def read(folder: Path, text: str) -> tuple[Weight, ...]:
    (folder / "value.csv").write_text(text, encoding="utf-8")
    return read_weights(folder, ("one", "two"))


class TestTable:
    def test_comes_in_the_order_of_the_names(self, tmp_path):
        rows = HEADER + "".join(reversed(GOOD.splitlines(keepends=True)))
        assert read(tmp_path, rows) == (
            Weight("one", 0.5, 0.0, 1.0, "the first"),
            Weight("two", -3.0, -4.5, 2.0, "the second"),
        )

    @pytest.mark.parametrize(
        ("old", "new", "where", "allowed"),
        [
            ("one,0.5", "eleven,0.5", "row 2, column 'name': 'eleven'", "one of one, two"),
            ("two,", "one,", "row 3, column 'name': 'one'", "different in every row"),
            ("0.5", "much", "row 2, column 'value': 'much'", "a decimal number"),
            ("0.5", "nan", "row 2, column 'value': 'nan'", "a decimal number"),
            ("0.5", "1e300", "row 2, column 'value': '1e300'", "a decimal number"),
            ("0.5", "1.5", "row 2, column 'value': '1.5'", "from low to high, 0 to 1"),
            ("-3,", "-5,", "row 3, column 'value': '-5.0'", "from low to high, -4.5 to 2"),
            ("-4.5", "inf", "row 3, column 'low': 'inf'", "a decimal number"),
            ("0.5,0,1", "0,0,0", "row 2, column 'high': '0.0'", "more than low, 0"),
        ],
    )
    def test_a_bad_cell_is_named(self, tmp_path, old, new, where, allowed):
        assert GOOD.count(old) == 1
        with pytest.raises(TableError) as refused:
            read(tmp_path, HEADER + GOOD.replace(old, new))
        assert str(refused.value).startswith(str(tmp_path / "value.csv"))
        assert where in str(refused.value)
        assert allowed in str(refused.value)

    def test_a_missing_weight_and_a_missing_column_are_named(self, tmp_path):
        with pytest.raises(TableError, match=r"value\.csv: weight 'two' is missing"):
            read(tmp_path, HEADER + GOOD.splitlines()[0])
        with pytest.raises(TableError, match="row 1: column 'low' is missing"):
            read(tmp_path, HEADER.replace("low", "least") + GOOD)

    @every_name
    def test_each_place_has_its_name(self, name):
        module = importlib.import_module(f"northsea_envs.games.{name}.weights")
        assert get_game(name).weights == module.WEIGHTS
        for place, weight in enumerate(module.WEIGHTS):
            assert getattr(module, weight.upper()) == place
        with (tables_folder(name) / "value.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        assert {row["name"] for row in rows} == set(module.WEIGHTS)
        assert all(row["meaning"] for row in rows)
        held = dict(zip(module.WEIGHTS, get_game(name).tables["weights"][0].tolist(), strict=True))
        assert held == {row["name"]: float(row["value"]) for row in rows}


class TestGame:
    @every_name
    def test_other_weights_are_the_same_components(self, name, copied):
        printed = get_game(name)
        before = dict(zip(printed.weights, printed.tables["weights"][0].tolist(), strict=True))
        folder = copied(name, {"scale": 0.125})
        game = get_game(name, folder)
        assert game is not printed
        assert before["scale"] != 0.125
        assert dict(zip(game.weights, game.tables["weights"][0].tolist(), strict=True)) == before | {"scale": 0.125}
        assert game.fingerprint == printed.fingerprint
        assert get_game(name, folder) is game
        # Copies play as the game does, where nobody has the folder.
        shutil.rmtree(folder)
        assert pickle.loads(pickle.dumps(game)).tables.tobytes() == game.tables.tobytes()

    def test_other_weights_take_each_others_saves(self, copied):
        printed, game = get_game("vikings"), get_game("vikings", copied("vikings", {"coin": 0.9}))
        states = printed.new_states(2, [1])
        assert game.restore(printed.save(states, 0)).tobytes() == states.tobytes()

    def test_a_folder_without_weights_has_the_games_own(self, copied):
        folder = copied("vikings", {})
        (folder / "value.csv").unlink()
        assert get_game("vikings", folder).tables.tobytes() == get_game("vikings").tables.tobytes()

    def test_bad_weights_in_a_folder_are_refused(self, copied):
        with pytest.raises(TableError, match=r"value\.csv: row 2, column 'value': '0\.1' is not allowed"):
            get_game("vikings", copied("vikings", {"scale_end": 0.1}))

    def test_variants_keep_the_weights(self, copied):
        game = get_game("vikings", copied("vikings", {"coin": 0.875, "marker": 9}))
        places = [game.weights.index("coin"), game.weights.index("marker")]
        for options in ({"variant": "advanced"}, {"auction": True}, {"variant": "basic"}):
            bound = game.with_options({"variant": "advanced"}).with_options(options)
            assert bound.tables["weights"][0, places].tolist() == [0.875, 9]
            assert pickle.loads(pickle.dumps(bound)).tables.tobytes() == bound.tables.tobytes()
        assert game.with_options({"variant": "advanced"}).fingerprint == (
            get_game("vikings").with_options({"variant": "advanced"}).fingerprint
        )


# --- greedy and the search for weights ------------------------------------------------------------


@compiled
def signed_points(tables, state, seat):
    """Points, or the want of points where the weight is negative; a second weight has no effect."""
    return (tables.weights[0] * state.points[seat] + 13) / 26


def weighed_toy(heads: int = 3):
    """The toy game with two weights, in front: a longer record that begins like a shorter one would be taken for it."""
    toy = toy_game(heads)
    tables = np.zeros(1, np.dtype((np.record, [("weights", "f8", (2,)), ("heads", "i4")])))
    tables[0].heads, tables[0].weights[:] = heads, (1, 1)
    tables.flags.writeable = False
    return replace(toy, tables=tables, value=signed_points, weights=("sign", "idle"))


class TestGreedy:
    def test_plays_by_the_weights_it_is_given(self):
        game = weighed_toy()
        batch = GameBatch(game, 2, np.arange(200))
        decisions = batch.decisions(np.arange(200), observed=False)
        heads = decisions.draw(decisions.seeds)["coin"] == 1
        assert 0 < heads.sum() < 200
        # RISK is 3 on heads and -1 on tails, KEEP 1 and FOLD 0.
        for weights, actions in ((None, (RISK, KEEP)), ([1, 5], (RISK, KEEP)), ([-1, 5], (FOLD, RISK))):
            chosen = GreedyAgent(game, 2, weights=weights).act(decisions)
            assert (chosen == np.where(heads, *actions)).all()

    def test_takes_a_table_or_its_folder_by_name(self, tmp_path):
        game = weighed_toy()
        (tmp_path / "value.csv").write_text(HEADER + "sign,-1,-1,1,a\nidle,0,-1,1,b\n", encoding="utf-8")
        batch = GameBatch(game, 2, np.arange(50))
        decisions = batch.decisions(np.arange(50), observed=False)
        for path in (tmp_path, tmp_path / "value.csv"):
            chosen = make_agent(f"greedy:weights={path}", game, 2).act(decisions)
            assert set(chosen.tolist()) == {FOLD, RISK}

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            ("nowhere/value.csv", "no such table"),
            ([1.0], "weights must be 2 finite numbers"),
            ([1.0, np.nan], "weights must be 2 finite numbers"),
        ],
    )
    def test_refuses_weights_of_another_shape(self, weights, message):
        with pytest.raises(AgentError, match=message):
            GreedyAgent(weighed_toy(), 2, weights=weights)
        with pytest.raises(ValueError, match="weights must be 0 finite numbers"):
            with_weights(toy_game().tables, [1.0])


@pytest.fixture(scope="module")
def tune():
    sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
    import tune

    yield tune
    for name in ("tune", "weighing"):
        del sys.modules[name]
    sys.path.pop(0)


@pytest.fixture(scope="module")
def weighing(tune):
    return sys.modules["weighing"]


class TestSearch:
    def test_seats_are_held_equally_often(self, tune):
        assert tune.seatings(2).tolist() == [[0, 1], [1, 0]]
        assert tune.seatings(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
        assert tune.seatings(4).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]

    def test_shares_beaten_by_hand(self, weighing):
        ranks = np.array([[1, 2, 2, 4], [1, 1, 1, 1], [4, 3, 2, 1]])
        assert weighing.shares_beaten(ranks).tolist() == [
            # The first beats three of three; the second one, and ties with one.
            [1, 1.5 / 3, 1.5 / 3, 0],
            [0.5, 0.5, 0.5, 0.5],
            [0, 1 / 3, 2 / 3, 1],
        ]

    def test_who_wants_points_beats_who_does_not(self, weighing):
        # RISK always costs a point here: round by round the one gains a point, and the other loses one.
        game = weighed_toy(heads=-1)
        assert weighing.meet(game, 2, [1, 1], [-1, 1], range(20)).tolist() == [1.0] * 20
        assert weighing.meet(game, 2, [-1, 1], [1, 1], range(20)).tolist() == [0.0] * 20
        # With two seats each of four, each meets one of its own kind among three: half a win, or half a loss.
        four = weighing.meet(game, 4, [1, 1], [-1, 1], range(20))
        assert four == pytest.approx([2.5 / 3] * 20)

    def test_finds_which_weights_matter(self, tune):
        weights = (Weight("sign", 1, -1, 1, "a"), Weight("idle", 0, -1, 1, "b"))
        assert tune.weights_that_matter(weighed_toy(), (2,), weights, 0) == {"sign"}

    def test_gathers_what_became_of_positions(self, weighing):
        game = weighed_toy(heads=-1)
        positions = weighing.gather(game, 2, np.array([1.0, 1.0]), 60, 5)
        seats = positions.seats
        assert set(seats.tolist()) == {0, 1}
        assert set(positions.results.tolist()) <= {0, 0.5, 1}
        # KEEP, which greedy plays, is the best of a round: who is ahead after the last but one decision mostly wins.
        points = positions.states["points"].astype(int)
        own, other = points[np.arange(len(seats)), seats], points[np.arange(len(seats)), 1 - seats]
        assert positions.results[own > other].mean() > 0.5 > positions.results[own < other - 1].mean()

    def test_fits_the_weight_that_foretells_results(self, weighing):
        game = weighed_toy()
        scale = weighing.scale_of((Weight("sign", 0.1, -3, 3, "a"), Weight("idle", 0.25, -1, 1, "b")), {"sign"})
        states = np.zeros(7, game.state_dtype)
        states["points"][:, 0] = np.arange(-3, 4)
        sample = weighing.Positions(states, np.zeros(7, np.int64), (2.0 * np.arange(-3, 4) + 13) / 26)
        found = weighing.fit(game, [sample], scale, scale.start, ridge=0.0)
        assert found == pytest.approx([2, 0.25], abs=1e-3)

    def test_finds_the_better_weight(self, tune):
        pytest.importorskip("cma")
        weights = (Weight("sign", -0.2, -1, 1, "a"), Weight("idle", 0.25, -1, 1, "b"))
        scale = tune.scale_of(weights, {"sign"})
        how = tune.Search(counts=(2,), games=8, step=0.2, pull=0.01, seed=3, threads=1)
        told = []
        game = weighed_toy(heads=-1)
        found = [tune.search(game, scale, how, scale.start, lambda n: n < 6, told.append) for _ in range(2)]
        # Wanting points beats wanting none; all who want none are equals.
        assert found[0][0] > 0
        assert found[0][1] == 0.25
        assert found[0].tolist() == found[1].tolist()
        assert [facts["generation"] for facts in told] == 2 * [0, 1, 2, 3, 4, 5]

    def test_writes_values_and_leaves_the_rest(self, tune):
        text = HEADER + 'one,0.50,0,1,"this, that"\ntwo,-3,-4.5,2,the second\n'
        new = tune.with_values(text, ("two", "one"), np.array([1.25, 0.5]))
        assert new == HEADER + 'one,0.50,0,1,"this, that"\ntwo,1.25,-4.5,2,the second\n'

    def test_what_is_written_is_in_range_and_short(self, tune):
        weights = (Weight("one", 1, 0.12345, 2, "a"), Weight("two", 0.123456, 0, 1, "b"))
        scale = tune.scale_of(weights, {"one"})
        assert tune.rounded(np.array([0.12345, 0.9]), scale).tolist() == [0.12345, 0.123456]
        assert tune.rounded(np.array([1.23456, 0.9]), scale).tolist() == [1.23, 0.123456]
