"""Ratings and the pairwise matrix. Expected values follow from the model on paper, choix, or known strengths."""

from __future__ import annotations

import choix
import numpy as np
import pytest
from scipy import stats

from agents.ratings import POINTS, choices, fit, pairwise, rate
from agents.schedule import schedule

NAMES = ("a", "b", "c", "d")


def games(lineups, ranks, deals=None):
    deals = range(len(lineups)) if deals is None else deals
    agents = int(np.max(lineups)) + 1
    return choices(agents, np.array(deals), np.array(lineups), np.array(ranks))


def drawn_ranks(rng, logs, lineups, by_deal=None):
    """Places drawn by the model: the highest of independent Gumbel numbers, each with its seat's strength, is first.

    With ``by_deal``, games of a deal share the numbers of their agents, which must be all different in a game.
    """
    noise = rng.gumbel(size=lineups.shape)
    if by_deal is not None:
        shared = rng.gumbel(size=(by_deal.max() + 1, len(logs)))
        noise = np.take_along_axis(shared[by_deal], lineups, axis=1)
    order = np.argsort(-(np.asarray(logs)[lineups] + noise), axis=1)
    return np.argsort(order, axis=1) + 1


# --- estimates ------------------------------------------------------------------------------------


def test_two_agents_have_the_logarithm_of_their_odds():
    # 29 wins of 39 and half of the tied game: odds 29.5 to 10.5.
    played = games([[0, 1]] * 39, [[1, 2]] * 29 + [[2, 1]] * 10)
    ratings = rate(("a", "b"), played, "b", seed=0, resamples=50)
    assert ratings.agents["a"].points == pytest.approx(400 * np.log10(29.5 / 10.5), abs=1e-4)
    assert (ratings.agents["b"].points, ratings.agents["b"].low, ratings.agents["b"].high) == (0, 0, 0)
    assert [name for name, _ in ratings.ranked()] == ["a", "b"]


def test_without_an_anchor_the_mean_is_zero():
    ratings = rate(("a", "b"), games([[0, 1]] * 3, [[1, 2], [1, 2], [2, 1]]), None, seed=0, resamples=50)
    # 2.5 to 1.5, half of it on each side.
    assert ratings.agents["a"].points == pytest.approx(200 * np.log10(2.5 / 1.5), abs=1e-4)
    assert ratings.agents["b"].points == pytest.approx(-ratings.agents["a"].points, abs=1e-4)


def test_one_against_three_of_a_kind_counts_each_seat():
    # First in two of four games, second in the others: it got 2 of 4 places against three seats and 2 of 2 against two.
    lineups = [[0, 1, 1, 1]] * 4
    played = games(lineups, [[1, 2, 3, 4], [1, 4, 2, 3], [2, 1, 3, 4], [2, 3, 4, 1]])
    assert sorted(zip(played.sets.tolist(), (np.ones(4) @ played.by_deal).tolist(), strict=True)) == [
        ([1, 2], 2),
        ([1, 3], 4),
    ]
    assert (np.ones(4) @ played.wins).tolist() == [4, 2]
    logs = fit(played.sets, np.array([[4.0, 2.0]]), np.array([[4.0, 2.0]]))[0]
    # x, the strength of a over that of b, expects as much: 4 x / (x + 3) + 2 x / (x + 2) = 4, so x**2 - 3 x - 12 = 0.
    assert np.exp(logs[0] - logs[1]) == pytest.approx((3 + 57**0.5) / 2, rel=1e-6)


def test_a_tie_is_half_of_each_order():
    tied = games([[0, 1, 2]], [[1, 2, 2]])
    either = games([[0, 1, 2]] * 2, [[1, 2, 3], [1, 3, 2]], deals=[0, 0])
    by_set = [dict(zip(map(tuple, p.sets.tolist()), p.by_deal.toarray()[0], strict=True)) for p in (tied, either)]
    assert {key: 2 * value for key, value in by_set[0].items()} == by_set[1]
    assert (2 * tied.wins.toarray()).tolist() == either.wins.toarray().tolist() == [[2, 1, 1]]
    assert (2 * tied.ahead.toarray()).tolist() == either.ahead.toarray().tolist()


def test_ratings_are_those_of_choix():
    rng = np.random.default_rng(7)
    lineups = np.array([rng.permutation(4)[:3] for _ in range(60)])
    ranks = drawn_ranks(rng, [0.0, 0.4, 0.9, -0.5], lineups)
    played = games(lineups, ranks)
    ones = np.ones((1, 60))
    logs = fit(played.sets, ones @ played.by_deal, ones @ played.wins)[0]
    rankings = [lineup[np.argsort(rank)].tolist() for lineup, rank in zip(lineups, ranks, strict=True)]
    theirs = choix.opt_rankings(4, rankings, alpha=0.0, tol=1e-10)
    assert logs == pytest.approx(theirs - theirs.mean(), abs=1e-5)


def test_samples_are_fitted_each_by_itself():
    sets = np.array([[1, 1, 0], [0, 1, 1]])
    weights = np.array([[8.0, 6.0], [3.0, 10.0]])
    wins = np.array([[6.0, 5.0, 3.0], [1.0, 10.0, 2.0]])
    together = fit(sets, weights, wins)
    # In a chain of pairs each pair has its own odds: 6 to 2 and 3 to 3; 1 to 2 and 8 to 2.
    assert np.diff(together[0]) == pytest.approx([np.log(2 / 6), np.log(3 / 3)], abs=1e-6)
    assert np.diff(together[1]) == pytest.approx([np.log(2 / 1), np.log(2 / 8)], abs=1e-6)


# --- intervals ------------------------------------------------------------------------------------


def always_first(deals, others):
    """One agent first against so many seats of another, in each seat of each deal."""
    seats = range(others + 1)
    lineups = [[int(k != seat) for k in seats] for seat in seats] * deals
    ranks = [[1 if k == seat else 2 + k - (k > seat) for k in seats] for seat in seats] * deals
    return games(lineups, ranks, np.repeat(range(deals), others + 1))


@pytest.mark.parametrize("deals", [2, 3, 5, 10, 40, 1000])
def test_who_never_lost_has_a_lower_bound_only(deals):
    ratings = rate(("a", "b"), always_first(deals, 1), "b", seed=0, resamples=50)
    strong = ratings.agents["a"]
    assert strong.high is None
    # n deals without a loss have a chance of 2.5% where a loss has p: (1 - p) ** n = 0.025.
    p = 1 - 0.025 ** (1 / deals)
    assert strong.low == pytest.approx(400 * np.log10((1 - p) / p), abs=0.01)
    assert (ratings.agents["b"].low, ratings.agents["b"].high) == (0, 0)


def test_bounds_of_who_never_lost_in_other_scales():
    played = always_first(3, 1)
    # 0.025 ** (1 / 3) = 0.2924: 400 log10(0.2924 / 0.7076) = -153.5.
    weak = rate(("a", "b"), played, "a", seed=0, resamples=50).agents["b"]
    assert (weak.low, weak.high) == (None, pytest.approx(153.5, abs=0.1))
    mean = rate(("a", "b"), played, None, seed=0, resamples=50).agents
    assert (mean["a"].high, mean["b"].low) == (None, None)
    assert mean["a"].low == pytest.approx(-153.5 / 2, abs=0.1)
    assert mean["b"].high == pytest.approx(153.5 / 2, abs=0.1)


def test_who_was_always_first_among_several():
    # First with a chance of x / (x + 3) = 1 - p against three seats: x = 3 (1 - p) / p.
    p = 1 - 0.025 ** (1 / 10)
    strong = rate(("a", "b"), always_first(10, 3), "b", seed=0, resamples=50).agents["a"]
    assert strong.low == pytest.approx(400 * np.log10(3 * (1 - p) / p), abs=0.01)


def test_a_chain_of_results_bounds_what_never_met_a_loss_directly():
    # a never lost to c, but to b, and b to c.
    pairs = [[0, 1], [1, 2], [0, 2]] * 30
    ranks = np.array([[1, 2], [1, 2], [1, 2]] * 30)
    ranks[0] = ranks[1] = [2, 1]
    ratings = rate(("a", "b", "c"), games(pairs, ranks), "c", seed=0, resamples=50)
    assert all(rating.low is not None and rating.high is not None for rating in ratings.agents.values())


def split(deals):
    """Two agents that win each deal once."""
    return games([[0, 1], [1, 0]] * deals, [[1, 2], [1, 2]] * deals, np.repeat(range(deals), 2))


@pytest.mark.parametrize("deals", [2, 3, 100])
def test_deals_that_are_all_alike_leave_a_doubt(deals):
    # Unseen may be a share p of deals, (1 - p) ** n = 0.025; a wins half of the rest, and all of these or none.
    p = 1 - 0.025 ** (1 / deals)
    most = (1 - p) / 2 + p
    bound = 400 * np.log10(most / (1 - most))
    rating = rate(("a", "b"), split(deals), "b", seed=0, resamples=50).agents["a"]
    assert (rating.points, rating.low, rating.high) == pytest.approx((0, -bound, bound), abs=0.01)
    halves = rate(("a", "b"), split(deals), None, seed=0, resamples=50).agents
    assert (halves["b"].low, halves["b"].high) == pytest.approx((-bound / 2, bound / 2), abs=0.01)


@pytest.mark.parametrize("won", [1, 2])
def test_who_is_alike_beside_one_that_never_lost(won):
    # a beats b and c always; b wins so many of its three games with c in each deal.
    pairs = [[0, 1], [0, 2]] + [[1, 2]] * won + [[2, 1]] * (3 - won)
    played = games(pairs * 5, [[1, 2]] * 25, np.repeat(range(5), 5))
    agents = rate(("a", "b", "c"), played, "c", seed=0, resamples=50).agents
    assert agents["a"].high is None
    # Without a they would have 200 points to each side or more, as 5 deals that are split.
    assert agents["b"].low < agents["b"].points - 100
    assert agents["b"].high > agents["b"].points + 100
    assert (agents["c"].low, agents["c"].high) == (0, 0)


def test_one_deal_says_nothing_about_the_spread():
    ratings = rate(("a", "b"), games([[0, 1], [1, 0]], [[1, 2], [1, 2]], deals=[0, 0]), "b", seed=0, resamples=50)
    assert (ratings.agents["a"].low, ratings.agents["a"].high) == (None, None)


@pytest.mark.parametrize("shared", [False, True], ids=["independent games", "one luck a deal"])
def test_intervals_cover_the_truth_as_often_as_they_say(shared):
    """Tournaments of agents of known strength; with one luck a deal, its six games are one game six times over."""
    logs = np.array([0.0, 0.3, 0.8])
    planned = schedule(3, 3, games=6 * 80)
    rng = np.random.default_rng(2024 + shared)
    tournaments, covered = 250, np.zeros(3, int)
    for _ in range(tournaments):
        ranks = drawn_ranks(rng, logs, planned.lineups, planned.deal if shared else None)
        played = choices(3, planned.deal, planned.lineups, ranks)
        ratings = rate(NAMES[:3], played, "a", seed=int(rng.integers(2**31)), resamples=200).agents
        for k, name in enumerate(NAMES[1:3], 1):
            covered[k] += ratings[name].low <= POINTS * logs[k] <= ratings[name].high
    # Counts that 95% would give with a chance of 1 in 1000, each side; the percentile bootstrap of 80 deals is a little
    # narrow, by the factor sqrt(79 / 80) and for want of a t distribution: 94.5%.
    low, high = stats.binom.ppf([0.001, 0.999], tournaments, 0.945)
    assert (low <= covered[1:]).all()
    assert (covered[1:] <= high).all()


def test_an_anchor_must_play():
    played = games([[0, 1]] * 2, [[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="anchor 'z' is not among the agents a, b"):
        rate(("a", "b"), played, "z", seed=0)
    with pytest.raises(ValueError, match="at least two"):
        rate(("a",), played, None, seed=0)


# --- matrix ---------------------------------------------------------------------------------------


def test_matrix_counts_pairs_of_seats():
    # One against two of b: ahead of one, behind the other; then ahead of one, beside the other.
    matrix = pairwise(("a", "b"), games([[1, 0, 1], [0, 1, 1]], [[1, 2, 3], [1, 1, 3]]))
    (nothing, ahead), (behind, _) = matrix.ahead
    assert nothing is None
    assert ahead.mean == pytest.approx((0.5 + 0.75) / 2)
    assert behind.mean == pytest.approx(1 - ahead.mean)
    assert ahead.low < ahead.mean < ahead.high


def test_matrix_has_nothing_about_agents_that_never_met():
    matrix = pairwise(("a", "b", "c"), games([[0, 1], [1, 2]], [[1, 2], [1, 2]]))
    assert matrix.ahead[0][2] is None
    assert matrix.ahead[1][2].mean == 1
