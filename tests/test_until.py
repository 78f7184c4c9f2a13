"""Questions that stop a tournament, and that they are seldom answered wrongly however often one looks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from agents.until import Answer, Bettor, Question, Watch, deal_number, parse

NAMES = ("greedy", "random", "a>b", "b")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("greedy>random@95%", Question("greedy", "random", 95)),
        ("greedy > random@99.9%", Question("greedy", "random", 99.9)),
        ("a>b>random@90%", Question("a>b", "random", 90)),
        ("random>a>b@90%", Question("random", "a>b", 90)),
    ],
)
def test_questions(text, question):
    assert parse(text, NAMES) == question


@pytest.mark.parametrize("confidence", ["95", "97.5", "99.99999", "99.9999999999"])
def test_a_question_is_written_as_it_is_read(confidence):
    question = Question("a>b", "random", float(confidence))
    assert str(question) == f"a>b>random@{confidence}%"
    assert parse(str(question), NAMES) == question
    assert f"not settled at {confidence}% after 3 deals" in str(Answer(question, 3, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("greedy", 'is no question; write it as "FIRST>SECOND@95%"'),
        ("greedy>random", 'is no question; write it as "FIRST>SECOND@95%"'),
        ("greedy@95%", "is no question"),
        ("greedy>clever@95%", "no agent is called 'clever'; agents: greedy, random"),
        ("greedy>greedy@95%", "compares an agent with itself"),
        ("greedy>random@50%", "more than 50% and less than 100%"),
        ("greedy>random@100%", "more than 50% and less than 100%"),
    ],
)
def test_wrong_questions(text, message):
    with pytest.raises(ValueError) as error:
        parse(text, NAMES)
    assert message in str(error.value)


def test_a_deal_counts_each_game_in_which_both_sit_the_same():
    # Ahead of one of two and beside the other: 1/2. Behind: -1. The third game is not about them.
    lineups = np.array([[0, 1, 1], [1, 0, 2], [0, 2, 2]])
    ranks = np.array([[1, 1, 3], [1, 3, 2], [1, 2, 3]])
    assert deal_number(lineups, ranks, 0, 1) == pytest.approx((0.5 - 1) / 2)
    assert deal_number(lineups, ranks, 1, 0) == pytest.approx((1 - 0.5) / 2)


def test_wealth_is_one_on_average_where_nobody_is_better():
    """A fair bet neither gains nor loses: exactly, over all ways that ten deals can end."""
    wealth = []
    for numbers in itertools.product((-1, 1), repeat=10):
        bettor = Bettor()
        for number in numbers:
            bettor.see(number)
        wealth.append(math.exp(bettor.log_wealth))
    assert np.mean(wealth) == pytest.approx(1, abs=1e-12)
    assert np.ptp(wealth) > 1


def test_a_clear_difference_is_settled_soon_and_then_stays():
    watch = Watch(Question("greedy", "random", 95))
    answers = [watch.see(1.0) for _ in range(20)]
    settled = [answer.settled for answer in answers]
    assert settled[-1] == 1
    # A stake is never more than 0.75, so wealth of 40 takes at least ln 40 / ln 1.75 = 6.6 deals.
    assert 7 <= settled.index(1) + 1 < 12
    assert answers[-1].deals == settled.index(1) + 1
    assert watch.see(-1.0) == answers[-1]
    assert "greedy finishes ahead of random" in str(answers[-1])


def test_the_other_way_is_settled_too():
    watch = Watch(Question("greedy", "random", 95))
    for _ in range(20):
        answer = watch.see(-0.5)
    assert answer.settled == -1
    assert "random finishes ahead of greedy" in str(answer)


def test_equals_are_seldom_told_apart_however_often_one_looks():
    rng = np.random.default_rng(5)
    runs, wrong = 300, 0
    for numbers in rng.choice([-1.0, 0.0, 1.0], size=(runs, 150)):
        watch = Watch(Question("greedy", "random", 90))
        for number in numbers:
            watch.see(float(number))
        wrong += watch.answer.settled != 0
    # At most one in ten in the long run; so many more are by chance one in a thousand.
    assert wrong <= stats.binom.ppf(0.999, runs, 0.1)
    # And the test can fail: looking each time at an ordinary 90% interval is wrong far more often.
    sums = np.cumsum(rng.choice([-1.0, 0.0, 1.0], size=(runs, 150)), axis=1)
    often = np.abs(sums) > 1.645 * np.sqrt(2 / 3 * np.arange(1, 151))
    assert often[:, 10:].any(axis=1).sum() > stats.binom.ppf(0.999, runs, 0.1)
