"""A game small enough to know every reward by hand, in which a seat may decide several times in a row.

Beginning with a seat that the seed draws, every seat has two turns, clockwise. TAKE is worth 1 point and NOTHING 0;
AGAIN is worth 1 point and the same seat decides once more, when AGAIN is not allowed. Most points win. In a ``sudden``
game the first decision is the only one, and an ``empty`` game is over before it.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.game import ActionBlock, Field, Game, Option
from northsea_envs.jit import compiled, random_below, random_seed

ACTIONS = ("NOTHING", "TAKE", "AGAIN")
NOTHING, TAKE, AGAIN = range(3)
MAX_PLAYERS = 3
FULL, SUDDEN, EMPTY = range(3)


@compiled
def setup(tables, state, players, options, seed):
    random_seed(state.rng, seed)
    state.players = players
    state.seat = random_below(state.rng, players)
    state.turns_left = 2 * players
    if options[0] == SUDDEN:
        state.turns_left = 1
    elif options[0] == EMPTY:
        state.turns_left = 0


@compiled
def legal_actions(tables, state, mask):
    mask[:] = 1
    mask[AGAIN] = not state.again
    return 3 - state.again


@compiled
def apply_decision(tables, state, action):
    state.decisions += 1
    if action != NOTHING:
        state.points[state.seat] += 1
    state.again = action == AGAIN
    if not state.again:
        state.turns_left -= 1
        state.seat = (state.seat + 1) % state.players


@compiled
def decider(tables, state):
    return int(state.seat) if state.turns_left else -1


@compiled
def observe(tables, state, seat, out):
    for k in range(state.players):
        out[k] = state.points[(seat + k) % state.players]
    out[state.players] = state.decisions


@compiled
def scores(tables, state, out):
    for seat in range(state.players):
        out[seat] = state.points[seat]


@compiled
def ranks(tables, state, out):
    for seat in range(state.players):
        out[seat] = 1
        for other in range(state.players):
            out[seat] += state.points[other] > state.points[seat]


@compiled
def resample_hidden(tables, state, seat, seed):
    random_seed(state.rng, seed)


@compiled
def value(tables, state, seat):
    return (state.points[seat] + 1) / 8


@compiled
def check(tables, state):
    return 0 if 0 <= state.seat < state.players else 1


def stones_game(most_points: int = 4) -> Game:
    """The game; ``most_points`` is only the upper bound that the observation declares."""
    tables = np.zeros(1, np.dtype((np.record, [("unused", "i4")])))
    tables.flags.writeable = False
    return Game(
        name="stones",
        version="v0",
        title="Stones",
        min_players=2,
        max_players=MAX_PLAYERS,
        tables=tables,
        state_dtype=np.dtype(
            (
                np.record,
                [
                    ("rng", "u4", (4,)),
                    ("players", "i1"),
                    ("seat", "i1"),
                    ("turns_left", "i1"),
                    ("again", "u1"),
                    ("decisions", "i4"),
                    ("points", "i4", (MAX_PLAYERS,)),
                ],
            )
        ),
        options=(Option("length", ("full", "sudden", "empty"), "full", "how long it lasts"),),
        longest_game=lambda players: 4 * players,
        num_actions=lambda players: 3,
        observation_fields=lambda players: (
            Field("points", players, 0, most_points, "points, own first, then clockwise"),
            Field("decisions", 1, 0, 12, "decisions made so far"),
        ),
        action_blocks=lambda players: tuple(ActionBlock(action, 1, name, name) for action, name in enumerate(ACTIONS)),
        setup=setup,
        legal_actions=legal_actions,
        apply_decision=apply_decision,
        decider=decider,
        observe=observe,
        scores=scores,
        ranks=ranks,
        resample_hidden=resample_hidden,
        value=value,
        check=check,
        action_name=lambda players, action: ACTIONS[action],
        action_text=lambda states, index, action: ACTIONS[action].lower(),
        text=lambda states, index, seat: str(states[index]),
    )
