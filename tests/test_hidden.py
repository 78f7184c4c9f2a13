"""Nobody sees what they may not: a position and any redrawn one look the same to the seat for which it was redrawn."""

from __future__ import annotations

import numpy as np

from northsea_envs import get_game
from northsea_envs.agent import Decisions
from northsea_envs.game import Game
from tests.conftest import every_game, mask_of, positions, view

# Of a long game not every few positions, or the tests take minutes.
POSITIONS_A_GAME = 40


def redrawn(game: Game, states: np.ndarray, seat: int, seed: int) -> np.ndarray:
    other = states.copy()
    game.kernels.redraw(game.tables, other, 0, seat, seed)
    return other


def some_positions(game: Game, players: int, games: int, step: int) -> list[np.ndarray]:
    """Positions of random games, about every ``step``-th and the last."""
    found = []
    for seed in range(games):
        options = {option.name: option.choices[seed % len(option.choices)] for option in game.options[-1:]}
        whole = list(positions(game, players, seed, options))
        stride = max(step, len(whole) // POSITIONS_A_GAME)
        found += whole[seed % stride : -1 : stride] + whole[-1:]
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
def test_true_and_redrawn_games_can_be_played_on(name, players):
    game = get_game(name)
    legal = np.zeros(game.num_actions(players), np.int8)
    for number, states in enumerate(some_positions(game, players, 3, 10)):
        other = redrawn(game, states, number % players, number)
        if mask_of(game, players, other)[0] >= 0:
            assert game.kernels.random_game(game.tables, other, 0, number, legal, True) > 0


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
