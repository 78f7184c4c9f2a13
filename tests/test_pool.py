"""The pool of opponents: who is drawn how often, how everybody is rated, and who leaves."""

from __future__ import annotations

import numpy as np
import pytest

from agents.learner import SelfPlayVecEnv
from agents.pool import CURRENT, IMAGINED, MEMORY, STEP, OpponentPool, Standing
from tests.stones import AGAIN, NOTHING, TAKE, stones_game
from tests.toy_game import Always

NOBODY = Always(0)


def pool(priority: str = "hard", **arguments) -> OpponentPool:
    """The learner, two baselines of equal weight, and a slow one whose share stays."""
    agents = {CURRENT: (NOBODY, 4.0), "random": (NOBODY, 2.0), "greedy": (NOBODY, 2.0), "slow": (NOBODY, 2.0)}
    return OpponentPool(agents, priority=priority, steady=["slow"], **arguments)


@pytest.mark.parametrize(
    ("priority", "shares"),
    [
        # Won 0.9 and 0.5 of the games: 0.01 to 0.25, and 0.09 to 0.25, of the 4 parts of 10 that they have together.
        ("hard", [0.4 * 0.01 / 0.26, 0.4 * 0.25 / 0.26]),
        ("even", [0.4 * 0.09 / 0.34, 0.4 * 0.25 / 0.34]),
        ("none", [0.2, 0.2]),
    ],
)
def test_shares_follow_win_rates(priority, shares):
    agents = pool(priority)
    agents.put_back([], {}, 0.0, {1: Standing(0.0, 0.9, 100), 2: Standing(0.0, 0.5, 100)})
    drawn = agents.shares()
    assert [drawn[1], drawn[2]] == pytest.approx(shares)
    # The learner itself and whoever is steady keep theirs.
    assert [drawn[0], drawn[3]] == pytest.approx([0.4, 0.2])
    assert agents.draw(0.4 + shares[0] - 1e-6) == 1
    assert agents.draw(0.4 + shares[0] + 1e-6) == 2


def test_who_always_loses_is_still_met():
    agents = pool()
    agents.put_back([], {}, 0.0, {1: Standing(0.0, 1.0, 100), 2: Standing(0.0, 0.0, 100)})
    assert agents.shares()[1] == pytest.approx(0.4 * 0.01 / 1.01)


def test_a_game_changes_shares_at_once():
    agents = pool()
    before = agents.shares()[1]
    agents.note(1, 1.0)
    assert agents.shares()[1] < before
    assert sum(agents.shares().values()) == pytest.approx(1)


def test_a_win_rate_begins_with_ties_and_forgets():
    agents = pool()
    for _ in range(IMAGINED):
        agents.note(1, 1.0)
    # As many wins as imagined ties.
    assert agents.standings[1].rate == pytest.approx(0.75)
    for _ in range(10 * MEMORY):
        agents.note(1, 0.0)
    # (1 - 1 / MEMORY) ** (10 * MEMORY) is below exp(-10).
    assert agents.standings[1].rate < 0.0001
    assert agents.standings[1].games == IMAGINED + 10 * MEMORY


def test_ratings_move_by_elo_and_the_anchor_stays():
    agents = pool()
    agents.note(2, 1.0)
    # Equals: half a win was expected.
    assert (agents.rating, agents.standings[2].rating) == (STEP / 2, -STEP / 2)
    agents.put_back([], {}, 400.0, {})
    agents.note(1, 0.0)
    # 400 points are odds of ten to one.
    assert agents.rating == pytest.approx(400 - STEP * 10 / 11)
    assert agents.standings[1].rating == 0.0
    agents.note(0, 1.0)
    assert agents.rating == pytest.approx(400 - STEP * 10 / 11)


def test_ratings_find_the_odds():
    """A learner that wins three games of four is 400 log10(3) points ahead."""
    agents = pool()
    lots = np.random.default_rng(0).random(6000)
    ratings = []
    for lot in lots:
        agents.note(1, float(lot < 0.75))
        ratings.append(agents.rating)
    # A step of 4 points leaves a standard deviation of about 19 about the mean, of which 4,000 games see enough.
    assert np.mean(ratings[2000:]) == pytest.approx(400 * np.log10(3), abs=15)


def test_a_new_version_has_the_learners_rating_and_the_easiest_leaves():
    agents = pool(earlier_weight=1.0, max_earlier=2)
    agents.rating = 70.0
    first, second = agents.add(NOBODY), agents.add(NOBODY)
    assert agents.standings[first] == Standing(70.0, 0.5, 0)
    for _ in range(20):
        agents.note(second, 1.0)
    third = agents.add(NOBODY)
    assert agents.earlier == [first, third]
    # Of equals the oldest leaves.
    assert (agents.add(NOBODY), agents.earlier) == (third + 1, [third, third + 1])
    fewer = pool(earlier_weight=1.0, max_earlier=1)
    fewer.put_back([4, 5, 6], {number: NOBODY for number in (4, 5, 6)})
    assert (fewer.add(NOBODY), fewer.earlier) == (7, [7])


def test_improvement_is_seen_against_the_latest_version():
    agents = pool(earlier_weight=1.0)
    assert not agents.improved(0.5)
    number = agents.add(NOBODY)
    for _ in range(49):
        agents.note(number, 1.0)
    assert not agents.improved(0.7)
    agents.note(number, 1.0)
    # Ten imagined ties and 50 wins: 55 of 60.
    assert agents.improved(0.91)
    assert not agents.improved(0.92)


def test_figures_name_everybody_who_may_be_drawn():
    agents = pool(earlier_weight=1.0)
    agents.add(NOBODY)
    figures = agents.figures()
    names = ("random", "greedy", "slow", "earlier_4")
    assert set(figures) == {"pool/rating/learner"} | {
        f"pool/{k}/{n}" for k in ("rating", "win_rate", "share") for n in names
    }
    assert figures["pool/share/slow"] == pytest.approx(2 / 11)


def test_a_wrong_priority_is_named():
    with pytest.raises(ValueError, match="priority='best' is not allowed; choose from none, hard, even"):
        pool("best")


def test_finished_games_are_noted_by_who_was_ahead():
    # Three seats, two TAKE: 2 points each. The learner takes 0, 2 or 4 points.
    for actions, score in (((NOTHING, NOTHING), 0.0), ((TAKE, TAKE), 0.5), ((AGAIN, TAKE, AGAIN, TAKE), 1.0)):
        agents = OpponentPool({"taker": (Always(TAKE), 1.0)})
        env = SelfPlayVecEnv(stones_game(), 3, 2, 1, agents)
        env.reset()
        for action in actions:
            env.step(np.full(2, action))
        standing = agents.standings[0]
        # Two games against two seats each.
        assert standing.games == 4
        assert standing.rate == pytest.approx((IMAGINED / 2 + 4 * score) / (IMAGINED + 4))
