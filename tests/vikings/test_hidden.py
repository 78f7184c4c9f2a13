"""The hidden half of a game of Vikings: what a seat may still expect is drawn evenly, and is what is really there."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from northsea_envs import get_game
from tests.conftest import positions
from tests.test_hidden import redrawn, some_positions

GAME = get_game("vikings")
# Whose contents are known and whose order is not: all but what has been drawn in the rounds so far.
HIDDEN = ("stack", "bag")
every_number = pytest.mark.parametrize("players", [2, 3, 4])


def drawn_so_far(states) -> int:
    """How many elements of the stack and of the bag are on the table."""
    return int(states[0].round_number) * 12


@every_number
def test_hidden_contents_are_kept(players):
    for number, states in enumerate(some_positions(GAME, players, 4, 9)):
        for seat in range(players):
            other = redrawn(GAME, states, seat, number)
            for field in HIDDEN:
                known = drawn_so_far(states)
                before, after = states[field][0], other[field][0]
                assert before[:known].tolist() == after[:known].tolist()
                assert Counter(before[known:].tolist()) == Counter(after[known:].tolist())


@every_number
def test_every_order_of_the_hidden_contents_is_as_likely(players):
    """Each hidden place holds each kind as often as its share of the contents; chi-square with fixed seeds."""
    for states in list(positions(GAME, players, 6))[5:90:40]:
        draws = 1500
        drawn = [redrawn(GAME, states, 0, 10_000 + seed) for seed in range(draws)]
        for field in HIDDEN:
            known = drawn_so_far(states)
            contents = Counter(states[field][0][known:].tolist())
            total = sum(contents.values())
            places = [known, known + 1, known + total // 2, known + total - 1]
            for place in places:
                counts = Counter(int(other[field][0][place]) for other in drawn)
                observed = [counts[kind] for kind in contents]
                expected = [draws * n / total for n in contents.values()]
                assert stats.chisquare(observed, expected).pvalue > 1e-4
            # Neighbours are drawn without putting back: equal with chance sum n(n-1) / N(N-1).
            equal = sum(other[field][0][known] == other[field][0][known + 1] for other in drawn)
            chance = sum(n * (n - 1) for n in contents.values()) / (total * (total - 1))
            assert stats.binomtest(int(equal), draws, chance).pvalue > 1e-4


@every_number
def test_the_redrawn_future_says_nothing_about_the_true_one(players):
    """The first hidden element agrees with the true one as often as chance has it."""
    agree = Counter()
    chance = Counter()
    for seed in range(1500):
        states = GAME.new_states(players, [seed])
        # The seed of the game itself, which must be no key to its future either.
        other = redrawn(GAME, states, seed % players, seed)
        for field in HIDDEN:
            known = drawn_so_far(states)
            true, guess = states[field][0][known:], other[field][0][known:]
            agree[field] += int(true[0] == guess[0])
            contents = Counter(true.tolist())
            chance[field] += sum(n * n for n in contents.values()) / len(true) ** 2
    for field in agree:
        assert stats.binomtest(agree[field], 1500, chance[field] / 1500).pvalue > 1e-4
