"""Search: blind to what it may not see, right where the truth can be worked out, itself however it is run."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import northsea_envs
from agents import guided
from agents.evaluation import evaluate
from agents.guided import GuidedSearchAgent
from agents.look_ahead import LookAhead
from agents.policy import Network, PolicyAgent, save_policy
from agents.search import SearchAgent
from agents.tree import LEAVES, Settings, new_room, rules_of, simulate
from northsea_envs.agent import AgentError, Decisions, make_agent
from northsea_envs.game import Game
from northsea_envs.vector import GameBatch
from tests.conftest import mask_of
from tests.endgames import endgames
from tests.test_greedy import positions as batches
from tests.toy_game import FOLD, KEEP, RISK, toy_game

GAMES = [northsea_envs.get_game(name) for name in northsea_envs.GAMES]
by_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
TOY = toy_game()


def decide(game: Game, players: int, states: np.ndarray, seeds: np.ndarray) -> Decisions:
    """The decisions that wait in ``states``, with these seeds."""
    asked = [mask_of(game, players, states[k : k + 1]) for k in range(len(states))]
    return Decisions(
        game,
        players,
        np.empty((len(states), 0), np.float32),
        np.array([mask for _, mask in asked]),
        np.array([seat for seat, _ in asked]),
        seeds,
        states,
        np.arange(len(states)),
    )


def three_rounds(game: Game, players: int, count: int = 1) -> np.ndarray:
    """The beginnings of toy games of three rounds."""
    states = game.new_states(players, range(40 * count))
    return states[states["rounds_left"] == 3][:count]


def random_policy(game: Game, players: int, look_ahead: bool = False) -> PolicyAgent:
    """A policy of random weights: its chances and values mean nothing, and differ from position to position."""
    sizes = game.observation_size(players), game.num_actions(players)
    network = Network(*sizes, (8,), (), (), "tanh", (), look_ahead)
    rng = np.random.default_rng(0)
    weights = {n: rng.normal(size=s).astype(np.float32) for n, s in network.shapes().items()}
    return PolicyAgent(network, weights, True, LookAhead(game, game.tables) if look_ahead else None)


def save_random_policy(folder: Path, game: Game, players: int, look_ahead: bool = False) -> Path:
    policy = random_policy(game, players, look_ahead)
    save_policy(folder, game, players, policy.network, policy.weights, steps=0)
    return folder


AGENTS = [
    "simulations=6",
    "simulations=4,leaf=random,depth=20",
    "simulations=3,leaf=greedy,depth=2",
    "policy",
    "policy that looks ahead",
]


def agent_of(parameters: str, game: Game, players: int, tmp_path: Path):
    if parameters.startswith("policy"):
        save_random_policy(tmp_path, game, players, parameters != "policy")
        parameters = f"policy={tmp_path},simulations=6"
    return make_agent(f"search:{parameters}", game, players)


# --- in the dark ----------------------------------------------------------------------------------


@by_game
@pytest.mark.parametrize("parameters", AGENTS)
def test_chooses_the_same_from_every_game_that_looks_the_same(game, parameters, tmp_path):
    for players in (2, game.max_players):
        changed = 0
        agent = agent_of(parameters, game, players, tmp_path / str(players))
        for batch, rows in batches(game, players, size=6, every=40):
            actions = agent.act(batch.decisions(rows, observed=False))
            kept = batch.states.copy()
            for row in rows.tolist():
                game.kernels.redraw(game.tables, batch.states, row, int(batch.deciders[row]), 10_000 + row)
            changed += sum(kept[row].tobytes() != batch.states[row].tobytes() for row in rows)
            assert (agent.act(batch.decisions(rows, observed=False)) == actions).all()
            batch.states[:] = kept
        assert changed > 0


@pytest.mark.parametrize("parameters", AGENTS)
def test_does_not_see_the_hidden_coin(parameters, tmp_path):
    batch = GameBatch(TOY, 2, np.arange(100))
    agent = agent_of(parameters, TOY, 2, tmp_path)
    batch.states["coin"] = 0
    before = batch.states.tobytes(), batch.legal.tobytes()
    tails = agent.act(batch.decisions(np.arange(100)))
    assert (batch.states.tobytes(), batch.legal.tobytes()) == before
    batch.states["coin"] = 1
    assert (agent.act(batch.decisions(np.arange(100))) == tails).all()


# --- right where the truth is known ---------------------------------------------------------------

# The last seat knows what the others have. KEEP is 1 point; RISK is 3 or -1, as a coin falls that it does not see; FOLD
# is 0. What they are worth, by place with ties shared:
LAST_DECISIONS = [
    ([3], {RISK}),  # RISK ties in half the games, the others lose
    ([0], {KEEP}),  # KEEP wins; RISK wins half of the games
    ([-1], {KEEP, FOLD}),  # both win; RISK wins half of the games and ties the other half
    ([3, 1], {RISK}),  # RISK 3/4 or 0; KEEP 1/4; FOLD 0
    ([0, 1], {KEEP}),  # KEEP 3/4; RISK 1 or 0; FOLD 1/4
    ([3, 3, 3], {RISK}),  # RISK 1/2 or 0; the others 0
    ([0, 0, 1], {KEEP}),  # KEEP 5/6; RISK 1 or 0; FOLD 1/3
]


def toy_endgame(points: list[int], seat: int, count: int = 10) -> np.ndarray:
    """Toy games in the last round with these points, in which ``seat`` decides."""
    states = TOY.new_states(len(points), range(count))
    states["rounds_left"], states["seat"] = 1, seat
    states["points"][:, : len(points)] = points
    return states


@pytest.mark.parametrize(("others", "best"), LAST_DECISIONS)
@pytest.mark.parametrize("parameters", ["simulations=4000", "simulations=4000,leaf=random,temperature=100", "policy"])
def test_finds_the_best_last_decision_under_a_hidden_coin(others, best, parameters, tmp_path):
    states = toy_endgame([*others, 0], len(others))
    if parameters == "policy":
        parameters = f"policy={save_random_policy(tmp_path, TOY, len(others) + 1)},simulations=4000"
    agent = make_agent(f"search:{parameters}", TOY, len(others) + 1)
    assert set(agent.act(decide(TOY, len(others) + 1, states, np.arange(10))).tolist()) <= best


@pytest.mark.parametrize("parameters", ["simulations=2000", "simulations=2000,leaf=greedy"])
def test_looks_beyond_its_own_decision(parameters):
    # Two points behind and first of two to decide, KEEP and FOLD lose for certain. RISK is one ahead with heads; then
    # the other seat's KEEP ties, and its RISK wins half of the games.
    states = toy_endgame([-1, 1], 0)
    agent = make_agent(f"search:{parameters}", TOY, 2)
    assert (agent.act(decide(TOY, 2, states, np.arange(10))) == RISK).all()


@pytest.mark.parametrize("seats", [2, 3])
def test_plays_on_greedily_as_every_seat(seats):
    # Without heads RISK loses a point or gains none, and KEEP is best for each seat: the seat that searches, all others
    # and the seat in its next turn gain a point each.
    game = toy_game(heads=0)
    states = three_rounds(game, seats)
    room, settings = new_room(game, seats, 5000), Settings(1.0, 1.0, 1.0, 0.1, LEAVES.index("greedy"), seats + 1)
    simulate(rules_of(game), game.tables, states, 0, 0, 5, 0, 1, room, settings)
    assert room.games[0]["points"][:seats].tolist() == [2] + [1] * (seats - 1)


@by_game
def test_finds_a_best_move_of_every_small_endgame(game):
    found = endgames(game, 2, games=40, last=5)
    assert len(found) >= 3
    states = np.concatenate([states for states, _ in found])
    agent = SearchAgent(game, 2, simulations=3000)
    actions = agent.act(decide(game, 2, states, np.arange(len(states))))
    assert not [k for k, (_, best) in enumerate(found) if int(actions[k]) not in best]


# --- guided by what is known -----------------------------------------------------------------------


class KnownPolicy:
    """A policy whose network says what is asked of it: ``logits`` everywhere, and ``value`` of the points of a seat."""

    look_ahead = None
    network = Network(3, 4, (), (), (), "tanh", (), False)

    def __init__(self, logits: list[float], value=lambda points: 0.0 * points):
        self.logits, self.value = logits, value

    def judge(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits = np.tile(np.array(self.logits, np.float32), (len(observations), 1))
        return logits, self.value(observations[:, 2]).astype(np.float32)


def guided_choices(game: Game, players: int, policy: KnownPolicy, count: int = 20, **parameters) -> set[int]:
    """What guided search takes at the beginning of toy games of three rounds."""
    states = three_rounds(game, players, count)
    agent = GuidedSearchAgent(game, players, policy, **parameters)
    return set(agent.act(decide(game, players, states, np.arange(count))).tolist())


@pytest.mark.parametrize("favourite", [KEEP, RISK, FOLD])
@pytest.mark.parametrize(
    "budget", [{"simulations": 1}, {"simulations": 2}, {"simulations": 60}, {"simulations": None, "seconds": 1e-6}]
)
def test_a_guided_search_that_learns_nothing_takes_what_the_policy_takes(favourite, budget):
    # All values are alike, and what few games end within 60 simulations does not outweigh a chance of 91%.
    logits = [3.0 * (action == favourite) for action in range(4)]
    assert guided_choices(TOY, 2, KnownPolicy(logits), **budget) == {favourite}


@pytest.mark.parametrize("players", [3, 4])
def test_a_guided_search_goes_where_the_network_sees_its_seat_ahead(players):
    # Without heads only KEEP gains points for certain, and a value that is 1/10 a point says so.
    policy = KnownPolicy([0.0] * 4, lambda points: points / 10)
    assert guided_choices(toy_game(heads=0), players, policy, simulations=200, leaves=1) == {KEEP}


@pytest.mark.parametrize(
    ("players", "seat", "values", "outcomes"),
    [
        # A value v is the place 0.5 + v / 2; of the two seats together one place is won.
        (2, 1, [0.5], [0.25, 0.75]),
        (2, 0, [-1.0], [0.0, 1.0]),
        # 0.75 for the decider, 0.4 and 0.55 for the next two: 1.7 where 1.5 are shared, so each of the two loses 0.1.
        (3, 1, [0.5, -0.2, 0.1], [0.45, 0.75, 0.3]),
        # 0.5, 0.6, 0.7 and 0.6 are 2.4 of 2: the three lose 0.4 / 3 each.
        (4, 2, [0.0, 0.2, 0.4, 0.2], [0.7 - 0.4 / 3, 0.6 - 0.4 / 3, 0.5, 0.6 - 0.4 / 3]),
        # What would be less than nothing is nothing.
        (3, 0, [1.0, 1.0, -1.0], [1.0, 0.75, 0.0]),
    ],
)
def test_the_deciders_value_counts_and_the_others_share_what_is_left(players, seat, values, outcomes):
    agent = GuidedSearchAgent(TOY, players, KnownPolicy([0.0] * 4), leaves=1)
    agent._leaves.seat[0] = seat
    guided.judge(np.array(values, np.float32), agent._leaves, 0)
    assert agent._leaves.outcomes[0] == pytest.approx(outcomes)


def test_a_guided_tree_has_its_own_room_however_many_decide(monkeypatch):
    # Room for three trees of 300 simulations; 40 decisions at once.
    monkeypatch.setattr(guided, "MAX_GROUP_NODES", 3 * (1 + 300 * 4))
    policy = KnownPolicy([0.0] * 4, lambda points: points / 10)
    states = TOY.new_states(2, range(40))
    agent = GuidedSearchAgent(TOY, 2, policy, simulations=300, leaves=1)
    actions = agent.act(decide(TOY, 2, states, np.arange(40))).tolist()
    singly = [int(agent.act(decide(TOY, 2, states[k : k + 1], np.array([k])))[0]) for k in range(40)]
    assert actions == singly
    assert len(set(actions)) > 1


# --- itself, however it is run --------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    ["simulations=20", "simulations=20,trees=3", "simulations=20,leaf=random,trees=2", "simulations=9,leaf=greedy"],
)
def test_choices_depend_on_neither_batches_nor_threads(parameters):
    batch = GameBatch(TOY, 3, np.arange(60))
    rows = np.arange(60)
    one = make_agent(f"search:{parameters},threads=1", TOY, 3)
    actions = one.act(batch.decisions(rows))
    three = make_agent(f"search:{parameters},threads=3", TOY, 3)
    assert (three.act(batch.decisions(rows)) == actions).all()
    singly = [int(three.act(batch.decisions(rows[k : k + 1]))[0]) for k in rows]
    assert singly == actions.tolist()
    assert len(set(singly)) > 1


def decisions_made(state: np.void, players: int) -> int:
    """Decisions in a toy game that had three rounds and is not over."""
    assert state["seat"] >= 0
    return (3 - int(state["rounds_left"])) * players + int(state["seat"])


@pytest.mark.parametrize("leaf", ["random", "greedy"])
@pytest.mark.parametrize("depth", [6, 7])
def test_near_leaves_are_all_judged_after_as_many_turns(leaf, depth):
    # Every decision of the toy game is a turn, and three seats with three rounds have nine.
    roots = three_rounds(TOY, 3)
    # Curious enough to grow in breadth: the tree ends above the depth.
    room, settings = new_room(TOY, 3, 5000), Settings(100.0, 1.0, 1.0, 0.1, LEAVES.index(leaf), depth)
    for number in range(40):
        simulate(rules_of(TOY), TOY.tables, roots, 0, 0, 5, number, number + 1, room, settings)
        judged = room.games[0]
        assert decisions_made(judged, 3) == depth


@pytest.mark.parametrize(
    ("players", "parameters", "made"),
    [
        # A first simulation is one decision long; with more than two players it is played on until the seat that
        # searches has had its next turn: its own decision, one of each other seat, and one more.
        (2, "", 1),
        (3, "", 4),
        (4, "", 5),
        (4, ",depth=3", 3),
        (4, ",leaf=value", 1),
        (2, ",leaf=greedy", 3),
        (3, ",leaf=random,depth=2", 2),
    ],
)
def test_how_far_a_leaf_is_played_on_follows_from_the_players_unless_told(players, parameters, made):
    states = three_rounds(TOY, players)
    agent = make_agent(f"search:simulations=1,threads=1{parameters}", TOY, players)
    agent.act(decide(TOY, players, states, np.array([5])))
    assert decisions_made(agent._rooms[0].games[0], players) == made


def test_a_value_judges_leaves_as_they_stand_whatever_the_depth():
    agent = SearchAgent(TOY, 4, simulations=1, leaf="value", depth=3)
    agent.act(decide(TOY, 4, three_rounds(TOY, 4), np.array([5])))
    assert decisions_made(agent._rooms[0].games[0], 4) == 1


def test_nothing_to_decide():
    batch = GameBatch(TOY, 2, np.arange(1))
    assert make_agent("search", TOY, 2).act(batch.decisions(np.arange(0))).shape == (0,)


def test_another_seed_draws_other_games():
    # Heads or tails, half of each: with one simulation RISK looks as good as the one coin that was drawn.
    states = toy_endgame([1, 0], 1, count=200)
    agent = SearchAgent(TOY, 2, simulations=3, leaf="random", temperature=100)
    actions = agent.act(decide(TOY, 2, states, np.arange(200)))
    assert 60 < np.count_nonzero(actions == RISK) < 140


def grown(simulations: int, nodes: int, slices: list[int] | None = None):
    """The tree of one toy decision."""
    room = new_room(TOY, 2, nodes)
    roots, settings = TOY.new_states(2, [2]), Settings(0.3, 0.25, 1.0, 0.1, 0, 0)
    edges = [0, *(slices or []), simulations]
    for first, last in pairwise(edges):
        simulate(rules_of(TOY), TOY.tables, roots, 0, 0, 5, first, last, room, settings)
    return room.tree


def children(tree, node: int) -> list[int]:
    found, child = [], int(tree.first[node])
    while child >= 0:
        found.append(child)
        child = int(tree.next[child])
    return found


def test_every_simulation_is_counted_once_at_each_step_of_its_path():
    tree = grown(500, 5000)
    for node in range(int(tree.size[0])):
        below = children(tree, node)
        if below:
            # The root is never a leaf, and any other node was one in its first simulation.
            assert sum(tree.visits[below]) == tree.visits[node] - (node > 0)
            assert (tree.available[below] == tree.visits[node] - (node > 0)).all()
            assert sorted(tree.action[below]) == [KEEP, RISK, FOLD]
        assert 0 <= tree.total[node] <= tree.visits[node]
    assert tree.visits[0] == 500


def test_a_search_in_slices_is_the_search_in_one():
    whole, sliced = grown(300, 5000), grown(300, 5000, slices=[1, 2, 77])
    size = int(whole.size[0])
    assert size == sliced.size[0]
    for name in ("action", "visits", "total", "first", "next"):
        assert (getattr(whole, name)[:size] == getattr(sliced, name)[:size]).all()


def test_trees_share_the_simulations_and_draw_games_of_their_own(monkeypatch):
    agent = make_agent("search:simulations=8,trees=3,threads=1", TOY, 2)
    calls, simulate_ = [], agent._simulate

    def noted(*arguments):
        calls.append(arguments[3:6])
        simulate_(*arguments)

    monkeypatch.setattr(agent, "_simulate", noted)
    agent.act(decide(TOY, 2, toy_endgame([1, 0], 1, count=1), np.array([7])))
    assert sorted(last - first for _, first, last in calls) == [2, 3, 3]
    assert len({seed for seed, _, _ in calls}) == 3


def test_a_full_tree_stops_growing_and_goes_on_counting():
    tree = grown(400, 8)
    assert tree.size[0] == 7  # the root and twice three children; no room for another three
    assert tree.visits[0] == sum(tree.visits[children(tree, 0)]) == 400


class Clock:
    """Every look takes a second."""

    def __init__(self):
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_a_time_budget_is_used_up_and_no_more(monkeypatch):
    agent = make_agent("search:seconds=12,trees=2,threads=1", TOY, 2)
    monkeypatch.setattr(time, "thread_time", Clock())
    calls = []
    monkeypatch.setattr(agent, "_simulate", lambda *arguments: calls.append(arguments[4:6]))
    agent._grow(TOY.new_states(2, [0]), 0, 0, 1, 0, agent._make_rooms(1)[0])
    # Half of 12 seconds for one tree: six looks after the first, without gap or overlap.
    assert len(calls) == 6
    assert calls[0] == (0, 1)
    assert all(before[1] == after[0] < after[1] for before, after in pairwise(calls))


@pytest.mark.parametrize("parameters", ["seconds=0.001", "seconds=0.001,trees=2", "policy"])
def test_plays_whole_games_by_time(parameters, tmp_path):
    if parameters == "policy":
        parameters = f"policy={save_random_policy(tmp_path, TOY, 2)},seconds=0.001"
    evaluation = evaluate(TOY, 2, [f"search:{parameters}", "random"], games=20)
    assert evaluation.result.ranks.min() == 1


# --- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("simulations=0", "simulations=0 is not allowed; it must be a whole number from 1 to"),
        ("simulations=1.5", "simulations=1.5 is not allowed"),
        ("simulations=many", "simulations=many is not allowed"),
        ("seconds=0", "seconds=0 is not allowed; it must be a number from"),
        ("seconds=nan", "seconds=nan is not allowed"),
        ("simulations=5,seconds=1", "simulations or seconds, not both"),
        ("leaf=best", "leaf=best is not known; choose from value, random, greedy"),
        ("depth=3", "depth can be given with leaf=random or leaf=greedy only"),
        ("leaf=greedy,depth=0", "depth=0 is not allowed"),
        ("exploration=-1", "exploration=-1 is not allowed"),
        ("bias=0", "bias=0 is not allowed"),
        ("temperature=0", "temperature=0 is not allowed"),
        ("trees=0", "trees=0 is not allowed"),
        ("simulations=3,trees=4", "trees=4 is more than the 3 simulations that they share"),
        ("threads=0", "threads=0 is not allowed"),
        ("leaves=2", "leaves can be given with policy only"),
        ("policy=no/such", "policy=no/such is no folder"),
        (
            "policy=no/such,leaf=value,trees=2",
            "leaf, trees cannot be given with policy; it goes with simulations, .* leaves",
        ),
        ("trees=401", "trees=401 is more than the 400 simulations that they share"),
        ("policy=007", "policy=007 is no folder"),
        ("policy=1e5", "policy=1e5 is no folder"),
        ("simulations=5,", "parameters are written name=value,name=value"),
        ("thoughts=3", "parameter 'thoughts' is not known; there are simulations, seconds, leaf, depth, .*, leaves$"),
    ],
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(AgentError, match=message.replace("(", r"\(")):
        make_agent(f"search:{parameters}", TOY, 2)


def test_a_policy_of_another_game_is_refused(tmp_path):
    save_random_policy(tmp_path, TOY, 2)
    with pytest.raises(AgentError, match="it was trained for players 2; here it is 3"):
        make_agent(f"search:policy={tmp_path}", TOY, 3)
