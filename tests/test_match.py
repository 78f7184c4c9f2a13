"""Playing matches, seatings, and intervals. Expected numbers are worked out from the toy game's rules."""

from __future__ import annotations

import itertools
import math
import pickle
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agents.evaluation import evaluate, plan
from agents.failures import AgentFailedError
from agents.greedy import GreedyAgent
from agents.match import Interrupted, MatchResult, WrongAnswerError, play_match
from agents.schedule import schedule
from agents.summary import estimate_bounded_mean, estimate_mean, summarise, summarise_overall, win_shares
from northsea_envs.agent import Decisions, RandomAgent
from tests.toy_game import FOLD, KEEP, NEVER, RISK, Always, cut_short, toy_game

GAME = toy_game()


def rounds(seed: int) -> int:
    """How many rounds the toy game of a seed has, as its setup draws them."""
    return int(GAME.new_states(2, [seed])[0].rounds_left)


# --- schedule -------------------------------------------------------------------------------------


def test_two_agents_at_three_seats_meet_as_one_against_the_rest_both_ways():
    planned = schedule(2, 3, games=3)
    assert [pairing.seats_held for pairing in planned.pairings] == [(1, 2), (2, 1)]
    assert planned.lineups.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert planned.pairing.tolist() == [0, 0, 0, 1, 1, 1]
    assert planned.deal.tolist() == [0] * 6


@pytest.mark.parametrize(
    ("agents", "players", "held", "seatings"),
    [
        (1, 4, {(4,)}, 1),
        (2, 2, {(1, 1)}, 2),
        # One against three, each way: the one agent in each of four seats.
        (2, 4, {(1, 3), (3, 1)}, 4),
        # One of three is doubled: 4! / 2! seatings.
        (3, 4, {(2, 1, 1), (1, 2, 1), (1, 1, 2)}, 12),
        (3, 3, {(1, 1, 1)}, 6),
        (4, 4, {(1, 1, 1, 1)}, 24),
        (3, 2, {(1, 1, 0), (1, 0, 1), (0, 1, 1)}, 2),
        # Each of five is left out once.
        (5, 4, {tuple(int(k != out) for k in range(5)) for out in range(5)}, 24),
    ],
)
def test_pairings_and_their_seatings(agents, players, held, seatings):
    planned = schedule(agents, players, games=1)
    assert {pairing.seats_held for pairing in planned.pairings} == held
    assert len(planned.pairings) == len(held)
    assert {len(pairing.seatings) for pairing in planned.pairings} == {seatings}
    assert len(planned) == len(held) * seatings


def test_games_are_rounded_up_to_whole_deals_of_all_seatings():
    (pairing,) = schedule(4, 4, games=1000).pairings
    assert (pairing.deals, pairing.games) == (42, 1008)  # 42 * 24 is the least multiple of 24 from 1000 on
    (pairing,) = schedule(4, 4, games=24).pairings
    assert (pairing.deals, pairing.games) == (1, 24)


@given(st.integers(1, 5), st.integers(2, 4), st.integers(1, 60))
def test_every_agent_sits_in_every_seat_equally_often_and_all_seatings_share_the_deals(agents, players, games):
    planned = schedule(agents, players, games)
    for number, pairing in enumerate(planned.pairings):
        own = planned.pairing == number
        lineups, deals = planned.lineups[own], planned.deal[own]
        assert games <= len(lineups) == pairing.games < games + len(pairing.seatings)
        for agent, held in enumerate(pairing.seats_held):
            by_seat = (lineups == agent).sum(axis=0)
            assert (by_seat * players == held * len(lineups)).all()
        played = Counter((deal, *lineup) for deal, lineup in zip(deals.tolist(), lineups.tolist(), strict=True))
        every = {(deal, *s) for deal in range(pairing.deals) for s in map(tuple, pairing.seatings.tolist())}
        assert played == dict.fromkeys(every, 1)
    assert (np.diff(planned.deal) >= 0).all()


def test_names_of_pairings():
    names = ("a", "b", "c")
    assert [p.name(names) for p in schedule(2, 4, 1).pairings] == ["a vs 3 x b", "b vs 3 x a"]
    assert [p.name(names) for p in schedule(2, 2, 1).pairings] == ["a vs b"]
    assert [p.name(names) for p in schedule(1, 3, 1).pairings] == ["3 x a"]
    assert {p.name(names) for p in schedule(3, 4, 1).pairings} == {
        "a vs b vs 2 x c",
        "a vs c vs 2 x b",
        "b vs c vs 2 x a",
    }


@pytest.mark.parametrize(
    ("numbers", "name"), [((0, 4, 1), "agents=0"), ((2, 0, 1), "players=0"), ((2, 4, 0), "games=0")]
)
def test_a_schedule_needs_agents_players_and_games(numbers, name):
    with pytest.raises(ValueError, match=f"{name} is not allowed; it must be at least 1"):
        schedule(*numbers)


# --- playing --------------------------------------------------------------------------------------


def test_results_are_those_of_the_rules():
    agents = {"keep": Always(KEEP), "fold": Always(FOLD)}
    seeds = [3, 14, 15, 92, 65]
    lineups = [[0, 1, 1], [1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0]]
    result = play_match(GAME, 3, agents, lineups, seeds, batch=2)
    for k, seed in enumerate(seeds):
        length = rounds(seed)
        assert result.scores[k].tolist() == [length * (agent == 0) for agent in lineups[k]]
        assert result.decisions[k] == 3 * length
    assert result.ranks.tolist() == [[1, 2, 2], [2, 1, 2], [1, 1, 3], [1, 1, 1], [1, 1, 1]]
    assert result.seeds.tolist() == seeds
    assert result.lineups.tolist() == lineups
    assert result.names == ("keep", "fold")


def test_games_that_were_cut_short_are_marked():
    game = replace(GAME, truncated=cut_short)
    seeds = np.arange(30)
    result = play_match(game, 2, {"keep": Always(KEEP)}, np.zeros((30, 2), int), seeds, batch=7)
    # Who always keeps has a point a round.
    assert result.truncated.tolist() == [rounds(seed) > 1 for seed in seeds]
    assert 0 < result.truncated.sum() < 30
    assert result[result.truncated].truncated.all()
    assert not play_match(GAME, 2, {"keep": Always(KEEP)}, np.zeros((30, 2), int), seeds).truncated.any()


def test_options_reach_the_game():
    agents = {"keep": Always(KEEP), "fold": Always(FOLD)}
    result = play_match(GAME, 2, agents, [[0, 1]], [1], {"low_wins": True})
    assert result.ranks.tolist() == [[2, 1]]


def test_results_do_not_depend_on_the_batch():
    agents = {"random": RandomAgent(GAME, 4), "greedy": GreedyAgent(GAME, 4), "fold": Always(FOLD)}
    planned = schedule(3, 4, games=200)
    seeds = 1000 + planned.deal
    results = [play_match(GAME, 4, agents, planned.lineups, seeds, batch=batch) for batch in (1, 7, 512)]
    for result in results[1:]:
        for name in ("ranks", "scores", "decisions"):
            assert (getattr(result, name) == getattr(results[0], name)).all(), name
    # The agents did draw lots, so this was no match of constants.
    assert len(set(results[0].scores[:, 0].tolist())) > 5


def test_two_namesakes_at_one_table_draw_different_lots():
    agents = {"one": RandomAgent(GAME, 2), "two": RandomAgent(GAME, 2)}
    seeds = range(200)
    one, two = (play_match(GAME, 2, agents, [[k, k]] * 200, seeds) for k in (0, 1))
    assert (one.scores != two.scores).any()


class Observing:
    """Checks that what it is shown is its own, current position."""

    needs_observation = True

    def __init__(self):
        self.asked = 0

    def act(self, decisions: Decisions) -> np.ndarray:
        states = decisions.draw(decisions.seeds)
        own = np.arange(len(states)), decisions.seats
        shown = np.stack((decisions.seats, states["rounds_left"], states["points"][own]), axis=1)
        assert (decisions.observations == shown).all()
        assert (decisions.seats == states["seat"]).all()
        self.asked += len(decisions)
        return np.full(len(decisions), KEEP, np.int64)


class Blind(Always):
    """Checks that nothing was encoded for it."""

    def act(self, decisions: Decisions) -> np.ndarray:
        assert decisions.observations.shape == (len(decisions), 0)
        return super().act(decisions)


@pytest.mark.parametrize("batch", [1, 5, 64])
def test_only_agents_that_want_observations_get_them_and_they_are_current(batch):
    observing = Observing()
    planned = schedule(2, 3, games=60)
    seeds = planned.deal
    play_match(GAME, 3, {"o": observing, "b": Blind(FOLD)}, planned.lineups, seeds, batch=batch)
    held = (planned.lineups == 0).sum(axis=1)
    assert observing.asked == sum(rounds(seed) * count for seed, count in zip(seeds.tolist(), held, strict=True))


def test_progress_counts_finished_games():
    calls = []
    play_match(
        GAME, 2, {"k": Always(KEEP)}, [[0, 0]] * 9, range(9), batch=4, progress=lambda *numbers: calls.append(numbers)
    )
    done = [finished for finished, _ in calls]
    assert {total for _, total in calls} == {9}
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 9)


def test_no_games_are_no_result():
    assert len(play_match(GAME, 2, {"k": Always(KEEP)}, np.empty((0, 2), int), [])) == 0


class Answering:
    """Answers with whatever a function makes of the number of decisions."""

    needs_observation = False

    def __init__(self, answer):
        self.answer = answer

    def act(self, decisions: Decisions):
        return self.answer(len(decisions))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda n: np.full(n, NEVER),
            r"agent 'bad' chose action 3 \(NEVER\) for seat 0 in the game of seed 5, which is not legal there; "
            r"legal: \[0, 1, 2\]",
        ),
        (lambda n: np.full(n, 4), r"agent 'bad' chose action 4 for seat 0 .* legal: \[0, 1, 2\]"),
        (lambda n: np.full(n, -1), "agent 'bad' chose action -1 for seat 0"),
        (lambda n: np.full(n, 2**64 - 1, np.uint64), "agent 'bad' chose action 18446744073709551615 for seat 0"),
        (lambda n: np.zeros(n + 1, int), r"agent 'bad' returned int64 of shape \(3,\), not integers of shape \(2,\)"),
        (lambda n: np.zeros((n, 1), int), r"agent 'bad' returned int64 of shape \(2, 1\)"),
        (lambda n: np.zeros(n), r"agent 'bad' returned float64 of shape \(2,\), not integers"),
        (lambda n: np.zeros(n, bool), "agent 'bad' returned bool of shape"),
        (lambda n: [0] * n, "agent 'bad' returned a list, not a numpy array of actions"),
        (lambda n: None, "agent 'bad' returned a NoneType"),
    ],
)
def test_a_wrong_answer_names_the_agent_and_what_was_wrong(answer, message):
    agents = {"good": Always(KEEP), "bad": Answering(answer)}
    with pytest.raises(WrongAnswerError, match=message):
        play_match(GAME, 2, agents, [[1, 0], [1, 0]], [5, 6])


@pytest.mark.parametrize("error", [ZeroDivisionError("mine"), SystemExit("mine")])
def test_what_an_agent_raises_is_told_with_its_name(error):
    def fail(n):
        raise error

    with pytest.raises(AgentFailedError) as caught:
        play_match(GAME, 2, {"bad": Answering(fail)}, [[0, 0]] * 2, [5, 6])
    said = f"agent 'bad' raised {type(error).__name__}: mine when asked for 2 decisions"
    assert str(caught.value) == said
    assert caught.value.__cause__ is error
    assert "in fail\n    raise error\n" in caught.value.trace
    # As another process hands it on.
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.trace) == (said, caught.value.trace)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 5}, "num_players=5 is not allowed; Toy takes 2 to 4"),
        ({"lineups": [[0, 0, 0]]}, r"lineups must be integers of shape \(1, 2\)"),
        ({"lineups": [[0.0, 0.0]]}, "lineups must be integers of shape .* not float64"),
        ({"lineups": [[0, 1]]}, "lineups must hold 0 to 0, the indices of k"),
        ({"lineups": [[0, -1]]}, "lineups must hold 0 to 0"),
        ({"seeds": [-1]}, "seed=-1 is not allowed"),
        ({"options": {"colour": 1}}, "unknown option 'colour' of toy_v0; known: low_wins"),
        ({"batch": 0}, "batch=0 is not allowed"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(change, message):
    arguments = {"players": 2, "agents": {"k": Always(KEEP)}, "lineups": [[0, 0]], "seeds": [0]}
    with pytest.raises(ValueError, match=message):
        play_match(GAME, **(arguments | change))


class Interrupting(Always):
    """Plays KEEP until it was asked for so many decisions, then behaves as if Ctrl-C was pressed."""

    def __init__(self, decisions: int):
        super().__init__(KEEP)
        self.left = decisions

    def act(self, decisions: Decisions) -> np.ndarray:
        self.left -= len(decisions)
        if self.left < 0:
            raise KeyboardInterrupt
        return super().act(decisions)


def test_an_interrupted_match_keeps_what_was_finished():
    seeds = list(range(20))
    lengths = [rounds(seed) for seed in seeds]
    # Enough for the first five games of two seats, not for the sixth.
    agent = Interrupting(2 * sum(lengths[:5]) + 1)
    with pytest.raises(Interrupted) as caught:
        play_match(GAME, 2, {"i": agent}, [[0, 0]] * 20, seeds, batch=1)
    assert caught.value.finished.tolist() == [True] * 5 + [False] * 15
    assert caught.value.result.scores[:5].tolist() == [[n, n] for n in lengths[:5]]


def test_of_an_interrupted_plan_only_complete_deals_count():
    prepared = plan(GAME, 2, {"a": Always(KEEP), "b": Always(FOLD)}, games=12)
    seeds = prepared.deal_seeds[prepared.schedule.deal]
    result = play_match(GAME, 2, prepared.agents, prepared.schedule.lineups, seeds)
    # Two seatings a deal: deals 0 and 1 are complete, deal 2 is not, deal 3 is behind it.
    finished = np.array([1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0], bool)
    part = prepared.finished_part(Interrupted(result, finished))
    assert part.result.seeds.tolist() == prepared.deal_seeds[:2].repeat(2).tolist()
    assert part.summary["a vs b"].deals == 2
    assert part.summary["a vs b"].agents["a"].games == 4
    assert prepared.finished_part(Interrupted(result, np.zeros(12, bool))) is None
    whole = prepared.finished_part(Interrupted(result, np.ones(12, bool)))
    assert len(whole.result) == 12


# --- intervals ------------------------------------------------------------------------------------


def test_shared_wins_count_in_parts():
    assert win_shares(np.array([[1, 1, 3, 4], [1, 2, 2, 4], [1, 1, 1, 1]])).tolist() == [
        [0.5, 0.5, 0, 0],
        [1, 0, 0, 0],
        [0.25, 0.25, 0.25, 0.25],
    ]


def test_ten_wins_of_ten_leave_room_below():
    # All trials won: the bound is the tenth root of the tail, 0.025 ** 0.1.
    estimate = estimate_bounded_mean(np.ones((10, 1)))
    assert (estimate.mean, estimate.high) == (1, 1)
    assert estimate.low == pytest.approx(0.6915, abs=5e-5)
    assert estimate.low == pytest.approx(stats.binomtest(10, 10).proportion_ci().low)
    none = estimate_bounded_mean(np.zeros((10, 1)))
    assert (none.mean, none.low) == (0, 0)
    assert none.high == pytest.approx(0.3085, abs=5e-5)


def test_places_are_bounded_by_the_first_and_the_last():
    # As above on 1 .. 4: 1 + 3 * 0.3085.
    estimate = estimate_bounded_mean(np.ones((10, 24)), 1, 4)
    assert (estimate.mean, estimate.low) == (1, 1)
    assert estimate.high == pytest.approx(1.9255, abs=2e-4)


def test_interval_of_a_share_has_the_effective_sample_size():
    # Two games a deal, always won or lost together: 40 deals are 40 trials, less one for the estimated variance and
    # the factor (1.95996 / 2.02269) ** 2 = 0.93894 for Student's t with 39 degrees of freedom.
    values = np.repeat([[1.0], [0.0]], [30, 10], axis=0) * np.ones((1, 2))
    size = 39 * 0.93894
    won, lost = 0.75 * size, 0.25 * size
    estimate = estimate_bounded_mean(values)
    assert estimate.mean == 0.75
    # Clopper and Pearson: the tails of the two beta distributions beyond the bounds are 2.5% each.
    assert stats.beta.cdf(estimate.low, won, lost + 1) == pytest.approx(0.025, rel=1e-3)
    assert stats.beta.sf(estimate.high, won + 1, lost) == pytest.approx(0.025, rel=1e-3)


def test_games_never_count_for_more_than_independent_ones():
    # Every deal is won from one seat and lost from the other: deals do not vary, but 40 games are 40 games.
    estimate = estimate_bounded_mean(np.tile([[1.0, 0.0]], (20, 1)))
    size = 40 * (1.959964 / 2.093024) ** 2  # Student's t, 19 degrees of freedom
    assert stats.beta.cdf(estimate.low, size / 2, size / 2 + 1) == pytest.approx(0.025, rel=1e-3)
    assert estimate.low + estimate.high == pytest.approx(1)


@given(
    st.integers(2, 30).flatmap(
        lambda deals: st.lists(
            st.lists(st.sampled_from([0, 1 / 4, 1 / 3, 1 / 2, 1]), min_size=3, max_size=3),
            min_size=deals,
            max_size=deals,
        )
    )
)
def test_a_share_stays_within_its_bounds_and_is_never_certain(values):
    estimate = estimate_bounded_mean(np.array(values))
    assert 0 <= estimate.low <= estimate.mean <= estimate.high <= 1
    assert estimate.low < estimate.high


def test_interval_of_a_mean_is_students_over_deals():
    # Means of the deals 1, 2, 3: standard error 1 / sqrt(3), t of 2 degrees of freedom 4.302653.
    estimate = estimate_mean(np.array([[0.0, 2.0], [1.0, 3.0], [3.0, 3.0]]))
    half = 4.302653 / math.sqrt(3)
    assert estimate.mean == 2
    assert (estimate.low, estimate.high) == pytest.approx((2 - half, 2 + half))


def test_one_deal_gives_no_interval():
    for estimate in (estimate_mean(np.array([[1.0, 2.0]])), estimate_bounded_mean(np.array([[0.0, 1.0]]))):
        assert estimate.low is None
        assert estimate.high is None
    assert estimate_mean(np.array([[1.0, 2.0]])).mean == 1.5


def test_an_interval_covers_the_truth_as_often_as_it_says():
    # Clustered wins: each deal has its own chance, uniform on 0 .. 1, so the true share is 1/2.
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        chances = rng.random((25, 1))
        estimate = estimate_bounded_mean((rng.random((25, 4)) < chances).astype(float))
        covered += estimate.low <= 0.5 <= estimate.high
    # 95% less three standard errors of 400 trials; taking all games for independent would give 83%.
    assert covered / 400 > 0.917


class Ponderer(Always):
    """Takes at least 5 ms of processor time for each decision."""

    def act(self, decisions):
        until = time.process_time() + 0.005 * len(decisions)
        while time.process_time() < until:
            pass
        return super().act(decisions)


def test_thinking_time_is_that_of_the_agent_for_each_decision():
    agents = {"slow": Ponderer(KEEP), "never asked": Always(FOLD), "quick": Always(KEEP)}
    result = play_match(toy_game(), 2, agents, [[0, 2], [2, 0], [0, 2]], [1, 2, 3])
    # All decisions but those of an agent's first call, which asks for one of each game that begins with it.
    first = {"slow": 2, "quick": 1}
    each = result.decisions.sum() / 2
    assert result.asked == {"slow": each - first["slow"], "never asked": 0, "quick": each - first["quick"]}
    assert set(result.thinking_times) == {"slow", "quick"}
    assert result.thinking_times["slow"] >= 0.005
    assert result[:1].thinking_times == result.thinking_times


# --- summaries ------------------------------------------------------------------------------------


def result_of(names, planned, ranks, scores) -> MatchResult:
    n = len(planned)
    seeds = planned.deal.copy()
    ranks, scores = np.array(ranks), np.array(scores, float)
    return MatchResult(names, seeds, planned.lineups, ranks, scores, np.zeros(n, np.int64), np.zeros(n, bool))


def test_summary_of_two_agents_at_three_seats():
    planned = schedule(2, 3, games=6)  # two deals of a b b, b a b, b b a; then a a b, a b a, b a a
    alone = [[1, 2, 3], [2, 1, 3], [1, 1, 3]]  # a wins, wins, is last
    both = [[1, 2, 3], [1, 1, 3], [1, 2, 3]]  # a wins; a and b share; b wins
    scores = [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
    result = result_of(("a", "b"), planned, (alone + both) * 2, scores * 4)
    summary = summarise(planned, result)
    assert list(summary) == ["a vs 2 x b", "b vs 2 x a"]
    first, second = summary.values()
    assert (first.deals, first.seatings) == (2, 3)
    assert first.agents["a"].seats_held == 1
    assert first.agents["b"].seats_held == 2
    assert first.agents["a"].games == 6
    # a alone: 2 of 3 games; b's two seats share the rest.
    assert first.agents["a"].win_share.mean == pytest.approx(2 / 3)
    assert first.agents["b"].win_share.mean == pytest.approx(1 / 6)
    assert first.agents["a"].rank.mean == pytest.approx(5 / 3)
    assert first.agents["b"].rank.mean == pytest.approx((5 / 2 + 5 / 2 + 1) / 3)
    assert first.agents["a"].score.mean == pytest.approx(3)
    assert first.agents["b"].score.mean == pytest.approx(0)
    # Seats: shares 1, 0, 1/2; 0, 1, 1/2; 0, 0, 0.
    assert [seat.mean for seat in first.win_share_by_seat] == pytest.approx([1 / 2, 1 / 2, 0])
    # a's two seats win 1, 1/2 (a, b tie in seats 0 and 1 of a b a) and 0 games.
    assert second.agents["a"].win_share.mean == pytest.approx((1 / 2 + 1 / 4 + 0) / 3)
    assert second.agents["b"].win_share.mean == pytest.approx((0 + 1 / 2 + 1) / 3)
    # What b does not win is a's: the intervals mirror each other.
    a, b = second.agents["a"].win_share, second.agents["b"].win_share
    assert (2 * a.low, 2 * a.high) == pytest.approx((1 - b.high, 1 - b.low))
    assert summarise_overall(planned, result) is None


def test_overall_summary_when_more_agents_than_seats_meet():
    planned = schedule(3, 2, games=2)  # a b, b a; a c, c a; b c, c b: the agent of the lower index always wins
    ranks = [[1, 2] if lineup[0] < lineup[1] else [2, 1] for lineup in planned.lineups.tolist()]
    overall = summarise_overall(planned, result_of(("a", "b", "c"), planned, ranks, ranks))
    assert {name: summary.win_share.mean for name, summary in overall.items()} == {"a": 1, "b": 0.5, "c": 0}
    assert {name: summary.games for name, summary in overall.items()} == {"a": 4, "b": 4, "c": 4}


def test_who_plays_itself_wins_its_share_for_sure():
    planned = schedule(1, 4, games=3)
    result = result_of(("a",), planned, [[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]], [[0] * 4] * 3)
    (summary,) = summarise(planned, result).values()
    share = summary.agents["a"].win_share
    assert (share.mean, share.low, share.high) == (0.25, 0.25, 0.25)
    assert summary.agents["a"].rank.mean == 2.5
    assert [seat.mean for seat in summary.win_share_by_seat] == pytest.approx([2 / 3, 1 / 3, 0, 0])


def test_evaluate_plays_every_seating_with_the_same_deals():
    evaluation = evaluate(GAME, 3, {"keep": Always(KEEP), "fold": Always(FOLD)}, games=10, seed=7)
    assert len(evaluation.result) == 2 * 12  # rounded up to four deals of three seatings, both ways
    share = evaluation.summary["keep vs 2 x fold"].agents["keep"].win_share
    assert (share.mean, share.high) == (1, 1)
    assert share.low == pytest.approx(0.025 ** (1 / 4))
    assert evaluation.summary["fold vs 2 x keep"].agents["keep"].win_share.mean == 0.5
    seeds = evaluation.result.seeds.reshape(4, 6)
    assert (seeds == seeds[:, :1]).all()
    assert len(set(seeds[:, 0].tolist())) == 4


def test_the_same_seed_is_the_same_evaluation_and_another_is_another():
    first, again, other = (evaluate(GAME, 2, ["random", "greedy"], games=50, seed=seed) for seed in (1, 1, 2))
    assert (first.result.scores == again.result.scores).all()
    assert set(first.result.seeds.tolist()).isdisjoint(other.result.seeds.tolist())


def test_agents_are_named_by_their_string_or_class_and_namesakes_numbered():
    prepared = plan(GAME, 4, ["greedy", Always(KEEP), "greedy", Always(RISK)], games=1)
    assert list(prepared.agents) == ["greedy#1", "Always#1", "greedy#2", "Always#2"]
    assert prepared.specs["greedy#2"] == "greedy"
    assert prepared.specs["Always#1"] == "tests.toy_game:Always"
    assert list(plan(GAME, 4, "greedy", games=1).agents) == ["greedy"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"players": 1}, "num_players=1 is not allowed; Toy takes 2 to 4"),
        ({"agents": []}, "no agent is given"),
        ({"agents": ["a", "a", "a#1"]}, "agents a#1, a#2, a#1 cannot be told apart; give a mapping"),
        ({"agents": ["greedy", "clever"]}, "agent 'clever' is not known"),
        ({"agents": [3]}, r"agent 'int': builtins:int has no method act\(decisions\)"),
        ({"games": 0}, "games=0 is not allowed"),
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"options": {"low_wins": 3}}, "low_wins=3 is not allowed; choose from False, True"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(change, message):
    arguments = {"game": GAME, "players": 2, "agents": ["greedy", "random"], "games": 4}
    with pytest.raises(ValueError, match=message):
        plan(**(arguments | change))


def test_toy_lengths_differ_so_that_rows_end_at_different_times():
    assert {rounds(seed) for seed in range(30)} == {1, 2, 3}
    assert set(itertools.chain(*GAME.new_states(2, range(30))["points"].tolist())) == {0}


def test_more_games_than_memory_holds_are_refused():
    with pytest.raises(ValueError, match="games=10000001 is not allowed; it must be at most 10000000"):
        schedule(2, 2, 10_000_001)
