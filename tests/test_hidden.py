"""Nobody sees what they may not: a position and any redrawn one look the same to the seat for which it was redrawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from northsea_envs import get_game
from northsea_envs.agent import Decisions
from northsea_envs.game import Game
from tests.conftest import every_game, mask_of, positions, view

# Per game: arrays of the record whose hidden part keeps its contents, and how many of their elements are public.
HIDDEN = {
    "vikings": {
        "stack": lambda state: int(state.round_number) * 12,
        "bag": lambda state: int(state.round_number) * 12,
    },
}


def redrawn(game: Game, states: np.ndarray, seat: int, seed: int) -> np.ndarray:
    other = states.copy()
    game.kernels.redraw(game.tables, other, 0, seat, seed)
    return other


def some_positions(game: Game, players: int, games: int, step: int) -> list[np.ndarray]:
    option = game.options[-1]
    found = []
    for seed in range(games):
        options = {option.name: option.choices[seed % len(option.choices)]}
        for number, states in enumerate(positions(game, players, seed, options)):
            if number % step == seed % step or mask_of(game, players, states)[0] < 0:
                found.append(states)
    return found


@every_game
def test_looks_the_same_to_the_seat(name, players):
    game = get_game(name)
    changed = 0
    for number, states in enumerate(some_positions(game, players, 6, 4)):
        for seat in range(players):
            for seed in (number, 1000 + number, 2**63 - 1 - number):
                other = redrawn(game, states, seat, seed)
                changed += other.tobytes() != states.tobytes()
                assert view(game, players, other, seat).tobytes() == view(game, players, states, seat).tobytes()
                decider, mask = mask_of(game, players, states)
                other_decider, other_mask = mask_of(game, players, other)
                # Who decides is public; what is legal is known to the one who decides.
                assert other_decider == decider
                if decider == seat:
                    assert other_mask.tobytes() == mask.tobytes()
                assert game.kernels.value(game.tables, other, 0, seat) == game.kernels.value(
                    game.tables, states, 0, seat
                )
                assert game.kernels.check(game.tables, other, 0) == 0
    assert changed


@every_game
def test_words_tell_no_more(name, players):
    game = get_game(name)
    for number, states in enumerate(some_positions(game, players, 2, 11)):
        for seat in range(players):
            other = redrawn(game, states, seat, number)
            assert game.text(other, 0, seat) == game.text(states, 0, seat)
            decider, mask = mask_of(game, players, states)
            if decider == seat:
                for action in np.flatnonzero(mask):
                    assert game.action_text(other, 0, int(action)) == game.action_text(states, 0, int(action))


@every_game
def test_depends_only_on_what_the_seat_knows(name, players):
    """Redrawing a redrawn position with a seed gives the same record as redrawing the true one with it."""
    game = get_game(name)
    for number, states in enumerate(some_positions(game, players, 4, 7)):
        for seat in range(players):
            direct = redrawn(game, states, seat, 77)
            for between in (number, 5000 + number):
                assert redrawn(game, redrawn(game, states, seat, between), seat, 77).tobytes() == direct.tobytes()
            assert redrawn(game, states, seat, 77).tobytes() == direct.tobytes()


@every_game
def test_another_seed_draws_another_future(name, players):
    game = get_game(name)
    states = next(positions(game, players, 3))
    for seat in range(players):
        futures = {redrawn(game, states, seat, seed).tobytes() for seed in range(50)}
        assert len(futures) == 50


@every_game
def test_hidden_contents_are_kept(name, players):
    game = get_game(name)
    for number, states in enumerate(some_positions(game, players, 4, 9)):
        for seat in range(players):
            other = redrawn(game, states, seat, number)
            for field, seen in HIDDEN[name].items():
                known = seen(states[0])
                before, after = states[field][0], other[field][0]
                assert before[:known].tolist() == after[:known].tolist()
                assert Counter(before[known:].tolist()) == Counter(after[known:].tolist())


@every_game
def test_true_and_redrawn_games_can_be_played_on(name, players):
    game = get_game(name)
    legal = np.zeros(game.num_actions(players), np.int8)
    for number, states in enumerate(some_positions(game, players, 3, 10)):
        other = redrawn(game, states, number % players, number)
        if mask_of(game, players, other)[0] >= 0:
            assert game.kernels.random_game(game.tables, other, 0, number, legal, True) > 0


@every_game
def test_every_order_of_the_hidden_contents_is_as_likely(name, players):
    """Each hidden place holds each kind as often as its share of the contents; chi-square with fixed seeds."""
    game = get_game(name)
    for states in list(positions(game, players, 6))[5:90:40]:
        draws = 1500
        drawn = [redrawn(game, states, 0, 10_000 + seed) for seed in range(draws)]
        for field, seen in HIDDEN[name].items():
            known = seen(states[0])
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


@every_game
def test_the_redrawn_future_says_nothing_about_the_true_one(name, players):
    """The first hidden element agrees with the true one as often as chance has it."""
    game = get_game(name)
    agree = Counter()
    chance = Counter()
    for seed in range(1500):
        states = game.new_states(players, [seed])
        # The seed of the game itself, which must be no key to its future either.
        other = redrawn(game, states, seed % players, seed)
        for field, seen in HIDDEN[name].items():
            known = seen(states[0])
            true, guess = states[field][0][known:], other[field][0][known:]
            agree[field] += int(true[0] == guess[0])
            contents = Counter(true.tolist())
            chance[field] += sum(n * n for n in contents.values()) / len(true) ** 2
    for field in agree:
        assert stats.binomtest(agree[field], 1500, chance[field] / 1500).pvalue > 1e-4


@every_game
def test_what_agents_get_to_search(name, players):
    """Decisions.draw gives games as redrawn, never the true record, and leaves the true games alone."""
    game = get_game(name)
    states = np.concatenate(some_positions(game, players, 2, 23)[:8])
    seats = np.array([max(mask_of(game, players, states[k : k + 1])[0], 0) for k in range(len(states))])
    before = states.tobytes()
    rows = np.arange(len(states))
    empty = np.empty((len(states), 0), np.float32)
    masks = np.empty((len(states), game.num_actions(players)), np.int8)
    decisions = Decisions(game, players, empty, masks, seats, rows, states, rows)
    seeds = rows + 50
    drawn = decisions.draw(seeds)
    assert states.tobytes() == before
    for k in rows:
        assert drawn[k].tobytes() == redrawn(game, states[k : k + 1], int(seats[k]), int(seeds[k]))[0].tobytes()
        assert drawn[k].tobytes() != states[k].tobytes()


@pytest.mark.parametrize("name", HIDDEN)
def test_every_game_says_what_it_hides(name):
    assert set(HIDDEN) >= set(__import__("northsea_envs").GAMES)
    assert set(HIDDEN[name]) <= set(get_game(name).state_dtype.names)
