"""How agents are named, what they are shown, and the random one."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from agents.greedy import GreedyAgent
from northsea_envs import agent as naming
from northsea_envs.agent import AgentError, RandomAgent, make_agent
from northsea_envs.vector import GameBatch
from tests.toy_game import FOLD, KEEP, RISK, Keeper, toy_game

GAME = toy_game()


class Tuned:
    """Takes parameters."""

    needs_observation = False

    def __init__(self, game, players, depth=1, weight=0.5, style="bold"):
        self.parameters = (depth, weight, style)

    def act(self, decisions):
        return np.zeros(len(decisions), np.int64)


class Broken:
    """Fails while it is made."""

    def __init__(self, game, players):
        raise TypeError("out of its own code")


class NoAgent:
    """Cannot act."""

    def __init__(self, game, players):
        pass


class Bare:
    """Takes no game."""


def test_names_that_are_registered():
    assert isinstance(make_agent("random", GAME, 2), RandomAgent)
    assert isinstance(make_agent("greedy", GAME, 2), GreedyAgent)


def test_parameters_are_integers_numbers_or_words(monkeypatch):
    monkeypatch.setitem(naming._factories, "tuned", Tuned)
    assert make_agent("tuned", GAME, 2).parameters == (1, 0.5, "bold")
    assert make_agent("tuned:depth=3,weight=0.25,style=shy", GAME, 2).parameters == (3, 0.25, "shy")
    assert make_agent("tuned:depth=1e2", GAME, 2).parameters[0] == 100.0
    assert make_agent("tuned:style=1e2", GAME, 2).parameters[2] == 100.0


def test_a_parameter_that_is_a_text_is_given_as_it_is_written(monkeypatch):
    def named(game, players, folder: str | None = None):
        tuned = Tuned(game, players)
        tuned.folder = folder
        return tuned

    monkeypatch.setitem(naming._factories, "named", named)
    assert [make_agent(f"named:folder={text}", GAME, 2).folder for text in ("007", "1e5")] == ["007", "1e5"]


def test_a_class_of_a_module():
    assert isinstance(make_agent("tests.toy_game:Keeper", GAME, 2), Keeper)


def test_finders_are_asked_for_other_names(monkeypatch):
    def find(spec, game, players):
        return Keeper(game, players) if spec == "runs/best" else None

    monkeypatch.setattr(naming, "_finders", [lambda *_: None, find])
    assert isinstance(make_agent("runs/best", GAME, 2), Keeper)
    with pytest.raises(AgentError, match="'runs/worst' is not known"):
        make_agent("runs/worst", GAME, 2)


def test_the_wheel_alone_knows_the_random_agent_and_says_what_it_does_not_know(monkeypatch):
    monkeypatch.setattr(naming, "_factories", {"random": RandomAgent})
    monkeypatch.setattr(naming, "_finders", [])
    monkeypatch.setitem(sys.modules, "agents", None)  # as if the checkout's package were absent
    with pytest.raises(AgentError, match="agent 'greedy' is not known: not one of random,"):
        make_agent("greedy", GAME, 2)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("clever", "agent 'clever' is not known: not one of .*greedy.*, not the folder of a run, not module:Class"),
        ("", "agent '' is not known"),
        (":Keeper", "agent ':Keeper' is not known"),
        ("../tests:Keeper", "agent '../tests:Keeper' is not known"),
        ("tests.toy_game:", "agent 'tests.toy_game:' is not known"),
        ("greedy:depth", "agent 'greedy:depth': parameters are written name=value,name=value"),
        ("greedy:depth=", "agent 'greedy:depth=': parameters are written"),
        ("greedy:depth=2", "agent 'greedy:depth=2': parameter 'depth' is not known; there are weights$"),
        ("greedy:players=3", "parameter 'players' is not known"),
        (
            "no_such_module:Agent",
            "agent 'no_such_module:Agent': there is no module 'no_such_module'; agents are greedy, .*random",
        ),
        ("tests.toy_game:Nobody", "agent 'tests.toy_game:Nobody': module 'tests.toy_game' has no 'Nobody'"),
        ("tests.test_agent:NoAgent", r"agent 'tests.test_agent:NoAgent': NoAgent has no method act\(decisions\)"),
        ("tests.test_agent:Bare", r"agent 'tests.test_agent:Bare' cannot be called as \(game, players\)"),
        ("tests.test_agent:GAME", r"agent 'tests.test_agent:GAME' cannot be called as \(game, players\)"),
    ],
)
def test_a_name_that_is_no_agent_is_refused(spec, message):
    with pytest.raises(AgentError, match=message):
        make_agent(spec, GAME, 2)


def test_an_error_of_the_agents_own_code_is_not_dressed_up():
    with pytest.raises(TypeError, match="out of its own code"):
        make_agent("tests.test_agent:Broken", GAME, 2)


def test_the_random_agent_draws_evenly_from_the_legal_actions_by_the_seed_alone():
    n = 3000
    batch = GameBatch(GAME, 2, np.arange(n))
    decisions = batch.decisions(np.arange(n))
    actions = RandomAgent(GAME, 2).act(decisions)
    for action in (KEEP, RISK, FOLD):
        assert abs(np.sum(actions == action) - n / 3) <= 4 * (n * 2 / 9) ** 0.5
    # The fourth action is never legal, and the choice does not depend on the batch.
    assert set(actions.tolist()) == {KEEP, RISK, FOLD}
    some = np.array([2999, 5, 17])
    assert (RandomAgent(GAME, 2).act(batch.decisions(some)) == actions[some]).all()


def test_seeds_of_decisions_differ_by_game_decision_and_salt():
    batch = GameBatch(GAME, 2, np.arange(50))
    rows = np.arange(50)
    first, salted = batch.decisions(rows).seeds, batch.decisions(rows, salt=1).seeds
    batch.step(rows, np.full(50, KEEP))
    second = batch.decisions(rows).seeds
    every = np.concatenate((first, salted, second))
    assert len(set(every.tolist())) == 150
    assert every.min() >= 0


def test_drawn_games_agree_with_what_is_known_and_draw_the_rest():
    batch = GameBatch(GAME, 2, np.arange(400))
    decisions = batch.decisions(np.arange(400))
    drawn = decisions.draw(decisions.seeds)
    for known in ("players", "low_wins", "rounds_left", "seat", "points"):
        assert (drawn[known] == batch.states[known]).all()
    agreeing = np.sum(drawn["coin"] == batch.states["coin"])
    assert 140 < agreeing < 260  # six standard deviations around one half
    assert (decisions.draw(decisions.seeds) == drawn).all()


def test_a_wheel_without_the_checkout_says_where_greedy_is(monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr("northsea_envs.agent._factories", {})
    monkeypatch.setattr("northsea_envs.agent._finders", [])
    monkeypatch.setattr("northsea_envs.agent.importlib.import_module", absent)
    with pytest.raises(AgentError, match=r"'greedy' is not known.*agents folder, which is not here"):
        make_agent("greedy", toy_game(), 2)
