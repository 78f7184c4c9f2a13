"""A game small enough to know every result by hand, and agents that play it in a known way.

The seats take turns for one to three rounds, as the seed has it and everybody sees. KEEP is worth 1 point and FOLD 0;
RISK is worth 3 if the hidden coin shows heads and -1 if not, and the coin is tossed anew. Most points win, or fewest
with ``low_wins``. A fourth action is never legal.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.agent import Decisions
from northsea_envs.game import ActionBlock, Field, Game, Option
from northsea_envs.jit import compiled, random_below, random_seed

ACTIONS = ("KEEP", "RISK", "FOLD", "NEVER")
KEEP, RISK, FOLD, NEVER = range(4)
MAX_PLAYERS = 4


@compiled
def setup(tables, state, players, options, seed):
    random_seed(state.rng, seed)
    state.players = players
    state.low_wins = options[0]
    state.rounds_left = 1 + random_below(state.rng, 3)
    state.coin = random_below(state.rng, 2)


@compiled
def legal_actions(tables, state, mask):
    mask[:] = 1
    mask[NEVER] = 0
    return 3


@compiled
def apply_decision(tables, state, action):
    if action == KEEP:
        state.points[state.seat] += 1
    elif action == RISK:
        state.points[state.seat] += tables.heads if state.coin else -1
        state.coin = random_below(state.rng, 2)
    state.seat += 1
    if state.seat == state.players:
        state.rounds_left -= 1
        state.seat = 0 if state.rounds_left else -1


@compiled
def decider(tables, state):
    return int(state.seat)


@compiled
def observe(tables, state, seat, out):
    out[0] = seat
    out[1] = state.rounds_left
    out[2] = state.points[seat]


@compiled
def scores(tables, state, out):
    for seat in range(state.players):
        out[seat] = state.points[seat]


@compiled
def ranks(tables, state, out):
    sign = -1 if state.low_wins else 1
    for seat in range(state.players):
        out[seat] = 1
        for other in range(state.players):
            out[seat] += sign * state.points[other] > sign * state.points[seat]


@compiled
def resample_hidden(tables, state, seat, seed):
    random_seed(state.rng, seed)
    state.coin = random_below(state.rng, 2)


@compiled
def value(tables, state, seat):
    return (state.points[seat] + 3) / 13


@compiled
def check(tables, state):
    return 0


@compiled
def cut_short(tables, state):
    """For games with a limit on their length: those in which the first seat could keep more than once are over it."""
    return state.points[0] > 1


def toy_game(heads: int = 3) -> Game:
    """The game; ``heads`` is what RISK is worth when the coin shows heads."""
    tables = np.zeros(1, np.dtype((np.record, [("heads", "i4")])))
    tables[0].heads = heads
    tables.flags.writeable = False
    return Game(
        name="toy",
        version="v0",
        title="Toy",
        min_players=2,
        max_players=MAX_PLAYERS,
        tables=tables,
        state_dtype=np.dtype(
            (
                np.record,
                [
                    ("rng", "u4", (4,)),
                    ("players", "i1"),
                    ("low_wins", "u1"),
                    ("rounds_left", "u1"),
                    ("coin", "u1"),
                    ("seat", "i1"),
                    ("points", "i4", (MAX_PLAYERS,)),
                ],
            )
        ),
        options=(Option("low_wins", (False, True), False, "whether fewest points win"),),
        longest_game=lambda players: 3 * players,
        num_actions=lambda players: 4,
        observation_fields=lambda players: (
            Field("seat", 1, 0, 3, "own seat"),
            Field("rounds", 1, 0, 3, "rounds to play"),
            Field("points", 1, -3, 9, "own points"),
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


class Always:
    """Plays one action, whatever the position."""

    needs_observation = False

    def __init__(self, action: int):
        self.action = action

    def act(self, decisions: Decisions) -> np.ndarray:
        return np.full(len(decisions), self.action, np.int64)


class Keeper(Always):
    """Always KEEP; named by module:Class."""

    def __init__(self, game: Game, players: int):
        super().__init__(KEEP)
