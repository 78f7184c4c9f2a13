"""The greedy agent: it takes what looks best, in the dark about what its seat may not see."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import northsea_envs
from agents.evaluation import evaluate
from agents.greedy import GreedyAgent
from northsea_envs.agent import RandomAgent
from northsea_envs.game import Game
from northsea_envs.jit import compiled
from northsea_envs.vector import GameBatch
from tests.toy_game import FOLD, KEEP, RISK, toy_game

GAMES = [northsea_envs.get_game(name) for name in northsea_envs.GAMES]


@compiled
def all_alike(tables, state, seat):
    return 0.5


def toy_batch(game: Game, size: int) -> GameBatch:
    return GameBatch(game, 2, np.arange(size))


def greedy_actions(batch: GameBatch, rows: np.ndarray) -> np.ndarray:
    return GreedyAgent(batch.game, batch.players).act(batch.decisions(rows, observed=False))


def test_takes_the_risk_when_the_drawn_coin_pays():
    # RISK is 3 on heads and -1 on tails, KEEP is 1: the choice follows the coin that was drawn for the decision.
    batch = toy_batch(toy_game(), 400)
    decisions = batch.decisions(np.arange(400), observed=False)
    coins = decisions.draw(decisions.seeds)["coin"]
    actions = GreedyAgent(batch.game, 2).act(decisions)
    assert actions.dtype == np.int64
    assert (actions == np.where(coins, RISK, KEEP)).all()
    assert 140 < coins.sum() < 260  # six standard deviations around one half


def test_does_not_see_the_hidden_coin():
    batch = toy_batch(toy_game(), 400)
    rows = np.arange(400)
    batch.states["coin"] = 0
    tails = greedy_actions(batch, rows)
    batch.states["coin"] = 1
    assert (greedy_actions(batch, rows) == tails).all()


@pytest.mark.parametrize(
    ("game", "chances"),
    [
        # All alike: a third each.
        (replace(toy_game(), value=all_alike), {KEEP: 1 / 3, RISK: 1 / 3, FOLD: 1 / 3}),
        # Heads pay as much as KEEP: on tails KEEP, on heads one of the two.
        (toy_game(heads=1), {KEEP: 3 / 4, RISK: 1 / 4, FOLD: 0}),
    ],
)
def test_ties_are_broken_evenly(game, chances):
    n = 4000
    counts = Counter(greedy_actions(toy_batch(game, n), np.arange(n)).tolist())
    for action, chance in chances.items():
        assert abs(counts[action] - n * chance) <= 4 * (n * chance * (1 - chance)) ** 0.5


def test_trying_actions_leaves_the_games_alone():
    batch = toy_batch(toy_game(), 50)
    before = batch.states.tobytes(), batch.legal.tobytes()
    greedy_actions(batch, np.arange(50))
    assert (batch.states.tobytes(), batch.legal.tobytes()) == before


def positions(game: Game, players: int, size: int = 24, every: int = 12):
    """A batch at random play, again and again, with the rows that are still running."""
    batch = GameBatch(game, players, np.arange(size))
    agent = RandomAgent(game, players)
    rows = np.arange(size)
    number = 0
    while len(rows):
        if number % every == 0:
            yield batch, rows
        batch.step(rows, agent.act(batch.decisions(rows, observed=False)))
        rows = np.flatnonzero(batch.deciders >= 0)
        number += 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_chooses_the_same_from_every_game_that_looks_the_same(game):
    for players in range(game.min_players, game.max_players + 1):
        changed = 0
        for batch, rows in positions(game, players):
            actions = greedy_actions(batch, rows)
            kept = batch.states.copy()
            for row in rows.tolist():
                game.kernels.redraw(game.tables, batch.states, row, int(batch.deciders[row]), 10_000 + row)
            changed += sum(kept[row].tobytes() != batch.states[row].tobytes() for row in rows)
            assert (greedy_actions(batch, rows) == actions).all()
            batch.states[:] = kept
        assert changed > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_action_looks_better_than_the_chosen_one(game):
    players = game.max_players
    legal = np.zeros(game.num_actions(players), np.int8)
    for batch, rows in positions(game, players, size=6, every=20):
        decisions = batch.decisions(rows, observed=False)
        drawn = decisions.draw(decisions.seeds)
        actions = GreedyAgent(game, players).act(decisions)
        for k, seat in enumerate(decisions.seats.tolist()):
            looks = {}
            for action in np.flatnonzero(decisions.masks[k]).tolist():
                tried = drawn[k : k + 1].copy()
                game.kernels.play(game.tables, tried, 0, action, legal)
                looks[action] = game.kernels.value(game.tables, tried, 0, seat)
            assert looks[int(actions[k])] == max(looks.values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_beats_random_players(game):
    players = game.max_players
    evaluation = evaluate(game, players, ["greedy", "random"], games=20)
    share = evaluation.summary[f"greedy vs {players - 1} x random"].agents["greedy"].win_share
    assert share.low is not None
    assert share.low > 1 / players
